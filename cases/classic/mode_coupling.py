"""Flutter by mode coupling: a block on two skew springs rubs on a belt.

The smallest model of squeal with constant friction (Hoffmann, Fischer, Allgaier and Gaul 2002,
Mechanics Research Communications 29, 197-205). A mass is held by two springs at the angles 150 and
30 degrees and pressed on a moving belt by its contact stiffness k3. With x along the belt, y normal

    m x'' + k11 x + (k12 - mu k3) y = 0,     m y'' + k12 x + k22 y = 0

and without damping the two modes meet, and flutter begins, at

    mu_crit = (k12^2 + (k11 - k22)^2/4)/(k12 k3) .

The data of the source give k11 = k22 = 2, k12 = +-1, k3 = 4/3 (times a unit): mu_crit = 3/4.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import cos, pi, radians, sin, sqrt

import numpy as np

from fecontact.analysis import (
    Branch,
    OperatingPoint,
    coalescence,
    critical_value,
    operating_point,
    track_modes,
)
from fecontact.body import RigidBody
from fecontact.case import Case, Parameters, Run, main, quantity
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, RigidFace, Surface
from fecontact.contact.master.shape import Plane
from fecontact.errors import NON_NEGATIVE, POSITIVE, at_least
from fecontact.joint import DofCoordinate, Force, PrescribedMotion, Speed, SpringDamper
from fecontact.system import System
from fecontact.typing import Floats
from fecontact.view import plots
from fecontact.view.stability import tracks_plot

CLOSED = {"kind": "closed_form", "source": "closed form"}
FEEDS = "contact, friction by pressure"


@dataclass(frozen=True)
class ModeCoupling(Parameters):
    """Stiffnesses of the source times 1e6 N/m, mass 1 kg."""

    mass: float = quantity(1.0, "kg", POSITIVE)
    stiffness_1: float = quantity(1e6 * 2.0 / 3.0 * (2.0 + sqrt(3.0)), "N/m", POSITIVE)
    stiffness_2: float = quantity(1e6 * 2.0 / 3.0 * (2.0 - sqrt(3.0)), "N/m", POSITIVE)
    contact_stiffness: float = quantity(1e6 * 4.0 / 3.0, "N/m", POSITIVE)
    angle_1: float = quantity(radians(150.0), "rad")
    angle_2: float = quantity(radians(30.0), "rad")
    damping: float = quantity(0.0, "N s/m", NON_NEGATIVE)
    friction: float = quantity(0.8, "", NON_NEGATIVE)
    belt_speed: float = quantity(1.0, "m/s", POSITIVE)
    load: float = quantity(10.0, "N", POSITIVE)
    spring_length: float = quantity(1.0, "m", POSITIVE)
    tangential_stiffness: float = quantity(1e9, "N/m", POSITIVE)
    tangential_damping: float = quantity(1.0, "N s/m", NON_NEGATIVE)
    points: int = quantity(61, "", at_least(3), numerical=True)

    @property
    def matrix(self) -> Floats:
        """Stiffness (2, 2) of the springs and of the contact, without friction."""
        K = np.diag([0.0, self.contact_stiffness])
        for k, angle in ((self.stiffness_1, self.angle_1), (self.stiffness_2, self.angle_2)):
            e = np.array([cos(angle), sin(angle)])
            K = K + k * np.outer(e, e)
        return K

    @property
    def critical_friction(self) -> float:
        """Closed form of the onset without damping."""
        (k11, k12), (_, k22) = self.matrix
        return float((k12**2 + (k11 - k22) ** 2 / 4.0) / (abs(k12) * self.contact_stiffness))


def build(p: ModeCoupling) -> System:
    """Block, belt and springs; the belt runs so that friction couples the modes."""
    block = RigidBody("block", p.mass, ("ux", "uz"))
    belt = RigidBody("belt", 1.0, ("ux",))
    # friction on the block points along the belt's motion; its sign must weaken k12
    speed = p.belt_speed * float(np.sign(p.matrix[0, 1]))
    drive = PrescribedMotion(
        DofCoordinate(belt, "ux"), Speed(-speed), level="velocity", name="drive"
    )
    springs = [
        SpringDamper(
            None,
            block,
            stiffness=k,
            damping=p.damping,
            point_a=tuple(p.spring_length * np.array([cos(angle), 0.0, sin(angle)])),
            point_b=(0.0, 0.0, 0.0),
            name=f"spring {number}",
        )
        for number, (k, angle) in enumerate(
            ((p.stiffness_1, p.angle_1), (p.stiffness_2, p.angle_2)), start=1
        )
    ]
    contact = ContactPair(
        block,
        Surface(np.zeros((1, 3)), np.ones(1)),
        RigidFace(belt, Plane()),
        PenaltyNormal(p.contact_stiffness, 0.0),
        ElastoPlastic(p.friction, p.tangential_stiffness, p.tangential_damping),
    )
    push = Force(block, (0.0, 0.0, -p.load))
    return System([block, belt], [drive, *springs, push, contact])


def closed_form(p: ModeCoupling, friction: float) -> complex:
    """Eigenvalue with the largest real part, without damping."""
    (k11, k12), (_, k22) = p.matrix / p.mass
    inner = (k11 - k22) ** 2 / 4.0 + k12**2 - abs(k12) * friction * p.contact_stiffness / p.mass
    squares = (k11 + k22) / 2.0 + np.array([1.0, -1.0]) * np.sqrt(complex(inner))
    z = 1j * np.sqrt(squares)
    z = np.concatenate([z, -z])
    z = z[z.imag > 0.0]
    return complex(z[np.argmax(z.real)])


def hurwitz(p: ModeCoupling, friction: float) -> float:
    """Hurwitz determinant a1 a2 a3 - a3^2 - a1^2 a4 of the damped model; negative: flutter."""
    (k11, k12), (_, k22) = p.matrix
    C = np.zeros((2, 2))
    for angle in (p.angle_1, p.angle_2):
        e = np.array([cos(angle), sin(angle)])
        C += p.damping * np.outer(e, e)
    K = np.array([[k11, k12 - np.sign(k12) * friction * p.contact_stiffness], [k12, k22]])
    m = p.mass
    a1 = (C[0, 0] + C[1, 1]) / m
    a2 = (K[0, 0] + K[1, 1]) / m + np.linalg.det(C) / m**2
    a3 = (C[0, 0] * K[1, 1] + C[1, 1] * K[0, 0] - C[0, 1] * K[1, 0] - C[1, 0] * K[0, 1]) / m**2
    a4 = np.linalg.det(K) / m**2
    return float(a1 * a2 * a3 - a3**2 - a1**2 * a4)


def run(run: Run[ModeCoupling]) -> None:
    """Onset, growth beyond it, the mechanism, and what damping does."""
    p = run.parameters
    branch = Branch(lambda mu: build(replace(p, friction=mu, damping=0.0)))
    onset = p.critical_friction
    found = coalescence(branch, 0.6 * onset, 1.4 * onset)
    run.check("onset of flutter, mu", found.value, onset, tolerance=2e-5 * onset, formula=True,
              **CLOSED)  # fmt: skip
    reference = closed_form(p, p.friction)
    point = operating_point(build(replace(p, damping=0.0)))
    at = f"at mu = {p.friction:g}"
    # the springs turn by load/(stiffness x length) = 1e-5: the onset moves by 2e-6, and the growth
    # rate, a square root of the distance from it, by some 1e-5
    run.check(f"growth rate {at}", point.modes.leading_growth, reference.real, unit="1/s",
              tolerance=1e-4 * reference.real, formula=True, **CLOSED)  # fmt: skip
    run.check(f"frequency {at}", point.modes.leading_frequency, reference.imag / (2 * pi),
              unit="Hz", tolerance=2e-6 * abs(reference), formula=True, **CLOSED)  # fmt: skip
    fed_by(run, point)
    damped(run)
    picture(run, branch)


def fed_by(run: Run[ModeCoupling], point: OperatingPoint) -> None:
    """Only friction that follows the pressure is circulatory; below the onset nothing grows."""
    source = point.balance().source
    if run.parameters.friction > run.parameters.critical_friction:
        run.check("what feeds it", source.label if source else "nothing", FEEDS, relation="is",
                  kind="closed_form", source="only term", formula=True)  # fmt: skip


def damped(run: Run[ModeCoupling]) -> None:
    """Equal dampers: the border from Hurwitz's determinant."""
    p = replace(run.parameters, damping=run.parameters.damping or 20.0)
    onset = p.critical_friction
    found = critical_value(
        Branch(lambda mu: build(replace(p, friction=mu))), 0.5 * onset, 2.0 * onset
    )
    left, right = (hurwitz(p, found.value * (1.0 + side)) for side in (-1e-4, 1e-4))
    run.check("sign of Hurwitz's determinant changes at the damped border", left > 0.0 > right,
              True, relation="is", kind="closed_form", source="Hurwitz", formula=True)  # fmt: skip
    run.note(f"With dampers of {p.damping:g} N s/m flutter begins at mu = {found.value:.5f}.")


def picture(run: Run[ModeCoupling], branch: Branch) -> None:
    """Frequencies and growth rates of the two modes over the friction coefficient."""
    onset = run.parameters.critical_friction
    mu = np.linspace(0.0, 1.5 * onset, 16 if run.quick else run.parameters.points)
    figure = tracks_plot(track_modes(branch, mu), "friction coefficient")
    plots.save(figure, run.path("mode_coupling.png"))


CASE = Case(
    title="mode coupling of a block on a belt: friction turns two modes into flutter",
    proves=("two-dof model with closed-form mu_crit",),
    parameters=ModeCoupling(),
    run=run,
    quick_s=2,
    system=build,
)

if __name__ == "__main__":
    raise SystemExit(main(CASE, __file__))
