"""Flutter by mode coupling: a block on two skew springs rubs on a belt.

The smallest model of squeal with constant friction (Hoffmann, Fischer, Allgaier and Gaul 2002,
Mechanics Research Communications 29, 197-205). A mass is held by two springs at the angles 150 and
30 degrees and pressed on a moving belt by its contact stiffness k3. With x along the belt, y normal

    m x'' + k11 x + (k12 - mu k3) y = 0,     m y'' + k12 x + k22 y = 0

and without damping the two modes meet, and flutter begins, at

    mu_crit = (k12^2 + (k11 - k22)^2/4)/(k12 k3) .

The data of the source give k11 = k22 = 2, k12 = +-1, k3 = 4/3 (times a unit): mu_crit = 3/4.
"""

from dataclasses import dataclass, replace
from math import cos, pi, radians, sin, sqrt

import numpy as np

import fecontact as fc


@dataclass(frozen=True)
class ModeCoupling(fc.Parameters):
    """Stiffnesses of the source times 1e6 N/m, mass 1 kg."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    stiffness_1: float = fc.quantity(1e6 * 2.0 / 3.0 * (2.0 + sqrt(3.0)), "N/m", fc.POSITIVE)
    stiffness_2: float = fc.quantity(1e6 * 2.0 / 3.0 * (2.0 - sqrt(3.0)), "N/m", fc.POSITIVE)
    contact_stiffness: float = fc.quantity(1e6 * 4.0 / 3.0, "N/m", fc.POSITIVE)
    angle_1: float = fc.quantity(radians(150.0), "rad")
    angle_2: float = fc.quantity(radians(30.0), "rad")
    damping: float = fc.quantity(0.0, "N s/m", fc.NON_NEGATIVE)
    friction: float = fc.quantity(0.8, "", fc.NON_NEGATIVE)
    belt_speed: float = fc.quantity(1.0, "m/s", fc.POSITIVE)
    load: float = fc.quantity(10.0, "N", fc.POSITIVE)
    spring_length: float = fc.quantity(1.0, "m", fc.POSITIVE)
    tangential_stiffness: float = fc.quantity(1e9, "N/m", fc.POSITIVE)
    tangential_damping: float = fc.quantity(1.0, "N s/m", fc.NON_NEGATIVE)
    points: int = fc.quantity(61, "", fc.at_least(3), numerical=True)

    springs = fc.derived(
        "stiffnesses and angles",
        lambda p: ((p.stiffness_1, p.stiffness_2), (p.angle_1, p.angle_2)),
    )
    exact = fc.derived(
        "closed form",
        lambda p: fc.reference.SkewSprings(p.mass, *p.springs, p.contact_stiffness, p.damping),
    )


REFERENCES = fc.References("""
    onset     | onset of flutter, mu | p.exact.critical_friction |  | 2e-5 rel
    growth    | growth rate |  | 1/s | 1e-4 rel
    frequency | frequency |  | Hz
    hurwitz   | sign of Hurwitz's determinant changes at the damped boundary | is True
    *         | Hoffmann et al. 2002, closed form
""")
FEED = fc.References("""
    term | what feeds it | is contact, friction by pressure |  |  | only term
""")


def build(p: ModeCoupling) -> fc.System:
    """Block, belt and springs; the belt runs so that friction couples the modes."""
    block, belt = fc.RigidBody("block", p.mass, ("ux", "uz")), fc.RigidBody("belt", 1.0, ("ux",))
    # friction on the block points along the belt's motion; its sign must weaken k12
    speed = p.belt_speed * float(np.sign(p.exact.matrix[0, 1]))
    along = fc.DofCoordinate(belt, "ux")
    drive = fc.PrescribedMotion(along, fc.Speed(-speed), level="velocity", name="drive")
    springs = []
    for number, (k, angle) in enumerate(zip(*p.springs, strict=True), start=1):
        position = tuple(p.spring_length * np.array([cos(angle), 0.0, sin(angle)]))
        ends = {"point_a": position, "point_b": (0.0, 0.0, 0.0), "name": f"spring {number}"}
        springs.append(fc.SpringDamper(None, block, stiffness=k, damping=p.damping, **ends))
    point, face = fc.Surface(np.zeros((1, 3)), np.ones(1)), fc.RigidFace(belt, fc.Plane())
    bristles = p.tangential_stiffness, p.tangential_damping
    laws = fc.PenaltyNormal(p.contact_stiffness, 0.0), fc.ElastoPlastic(p.friction, *bristles)
    contact = fc.ContactPair(block, point, face, *laws)
    push = fc.Force(block, (0.0, 0.0, -p.load))
    return fc.System([block, belt], [drive, *springs, push, contact])


def main(run: fc.Run[ModeCoupling]) -> None:
    """Onset, growth beyond it, the mechanism, and what damping does."""
    p, onset = run.parameters, run.parameters.exact.critical_friction
    branch = fc.Branch(lambda mu: build(replace(p, friction=mu, damping=0.0)))
    point, exact = (
        fc.operating_point(build(replace(p, damping=0.0))),
        p.exact.eigenvalue(p.friction),
    )
    q = replace(p, damping=p.damping or 20.0)
    damped = fc.Branch(lambda mu: build(replace(q, friction=mu)))
    boundary = fc.critical_value(damped, 0.5 * onset, 2.0 * onset).value
    run.note(f"With dampers of {q.damping:g} N s/m flutter begins at mu = {boundary:.5f}.")
    signs = [q.exact.hurwitz(boundary * (1.0 + away)) for away in (-1e-4, 1e-4)]
    computed = {
        "onset": fc.coalescence(branch, 0.6 * onset, 1.4 * onset).value,
        "growth": (point.modes.leading_growth, exact.real),
        "frequency": (point.modes.leading_frequency, exact.imag / (2 * pi)),
        "hurwitz": signs[0] > 0.0 > signs[1],
    }
    run.compare(REFERENCES, computed, tolerances={"frequency": 2e-6 * abs(exact)})
    if p.friction > onset:
        source = point.balance().source
        run.compare(FEED, {"term": source.label if source else "nothing"})
    else:
        run.leave_out(FEED, "Below the onset nothing grows.")
    mu = np.linspace(0.0, 1.5 * onset, 16 if run.quick else p.points)
    figure = fc.view.tracks_plot(fc.track_modes(branch, mu), "friction coefficient")
    run.figure("mode_coupling", figure)


VERIFIES = ("two-dof model with closed-form mu_crit",)
CASE = fc.Case(__doc__, VERIFIES, ModeCoupling(), main, quick_s=2, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
