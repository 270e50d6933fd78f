"""Disc wedged between two flanks under a slowly rising torque.

A disc (R, weight G) lies between flanks inclined by theta. In the rigid model the stick forces form
a one-parameter family; for tan(theta) > 1/mu sticking is possible at any torque, while sliding is
possible from

    M_0 = G R mu/((1 + mu^2) cos(theta))                                         (Stamm 1.20)

on. Springs c_n and bristles c_t on the flanks decide. While both flanks stick, small motions give

    y   = -G/(2 (c_n cos^2 + c_t sin^2)),
    phi = M (c_n sin^2 + c_t cos^2)/(2 c_n c_t R^2 sin^2) .

The flanks carry the contact points, the disc is the round master surface. What happens above M_0
depends on c_t/c_n and on the history: it is recorded, not asserted.
"""

from dataclasses import dataclass, replace
from math import cos, pi, sin, tan

import numpy as np

import fecontact as fc


@dataclass(frozen=True)
class Wedge(fc.Parameters):
    """Disc of the source notes with stiff flanks."""

    mass: float = fc.quantity(1.0, "kg", fc.POSITIVE)
    radius: float = fc.quantity(0.1, "m", fc.POSITIVE)
    theta: float = fc.quantity(3.0 * pi / 8.0, "rad", fc.between(0.0, 0.5 * pi))
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    mu: float = fc.quantity(0.5, "", fc.POSITIVE)
    stiffness: float = fc.quantity(1e8, "N/m", fc.POSITIVE)
    bristle_fraction: float = fc.quantity(0.1, "", fc.between(0.0, "sticking_fraction"))
    sticking_fraction = fc.derived(
        "c_t/c_n below which the disc sticks under its weight alone", lambda p: p.mu / tan(p.theta)
    )
    weight = fc.derived("weight in N", lambda p: p.mass * p.gravity)
    sliding_torque = fc.derived(
        "M_0 in N m", lambda p: p.weight * p.radius * p.mu / ((1.0 + p.mu**2) * cos(p.theta))
    )


REFERENCES = fc.References("""
    torque  | M_0 | 1.025391 | N m | 1e-6
    rough   | M_0 for mu = 1.05 | 1.280214 | N m | 1e-6
    settled | settlement y |  | m | 1e-4 rel | springs and bristles, linear | closed_form
    turned  | rotation at 0.2 M_0 |  | rad | 1e-4 rel | springs and bristles, linear | closed_form
    excess  | rotation below M_0 over elastic rotation at M_0 | <= 3.0 |  |  |  | trend
    change  | change of the rotation with half the increments | 0.0 | rad |  |  | cross_method
    *       | Stamm 2011, (1.13) to (1.20) | source_notes
""")
SLIDING = fc.References("""
    torque | mu R (N_1 + N_2) of steady sliding |  | N m | 1e-12 | Stamm 2011, (1.20)
""")


def wedged(p: Wedge, largest: float) -> fc.StaticSystem:
    """Weight in the first second, torque up to `largest` M_0 in the second."""
    disc = fc.RigidBody("disc", p.mass, ("ux", "uy", "rz"), (1.0, 1.0, 0.5 * p.mass * p.radius**2))
    flanks = fc.RigidBody("flanks", 1.0, ())
    face = fc.RigidFace(disc, fc.Cylinder(p.radius))
    laws = fc.PenaltyNormal(p.stiffness), fc.ElastoPlastic(p.mu, p.bristle_fraction * p.stiffness)
    contacts = []
    for name, side in (("right", 1.0), ("left", -1.0)):
        position = p.radius * np.array([[side * sin(p.theta), -cos(p.theta), 0.0]])
        contacts.append(fc.ContactPair(flanks, fc.Surface(position, np.ones(1)), face, *laws, name))
    weight = fc.Force(disc, (0.0, -p.weight, 0.0), name="weight", factor=fc.ramp(1.0))
    torque = fc.Torque(disc, (0.0, 0.0, largest * p.sliding_torque), factor=fc.ramp(1.0, start=1.0))
    return fc.StaticSystem(fc.System([disc, flanks], [*contacts, weight, torque]))


def followed(p: Wedge, largest: float, steps: int) -> fc.LoadPath:
    """Path of the torque as far as there is an equilibrium."""
    try:
        return fc.load_path(wedged(p, largest), np.linspace(0.0, 2.0, 2 * steps + 1)[1:])
    except fc.LoadPathError as error:
        return error.path


def main(run: fc.Run[Wedge]) -> None:
    """Stick against the closed form, then up to M_0 and beyond."""
    p, rough = run.parameters, replace(run.parameters, mu=1.05)
    for each in (p, rough):
        found = fc.reference.wedged_disc_torque(p.weight, p.radius, p.theta, each.mu)
        torque = {"torque": (found, each.sliding_torque)}
        run.compare(SLIDING, torque, label=f"mu = {each.mu:g}")
    c, s, cn = cos(p.theta), sin(p.theta), p.stiffness
    ct = p.bristle_fraction * cn
    turn = p.sliding_torque * (cn * s**2 + ct * c**2) / (2.0 * cn * ct * p.radius**2 * s**2)
    gentle = fc.load_path(wedged(p, 0.2), [0.5, 1.0, 1.5, 2.0])
    steps = 40 if run.quick else 200
    rising, finer = followed(p, 2.0, steps), followed(p, 2.0, 2 * steps)
    load = 2.0 * np.clip(rising.t - 1.0, 0.0, 1.0)
    same = min(len(rising.t), (len(finer.t) + 1) // 2) - 1
    computed = {
        "torque": p.sliding_torque,
        "rough": rough.sliding_torque,
        "settled": (gentle.x[1, 1], -p.weight / (2.0 * (cn * c**2 + ct * s**2))),
        "turned": (gentle.x[3, 2], 0.2 * turn),
        "excess": rising.x[load <= 1.0, 2].max() / turn,
        "change": abs(finer.x[1::2][:same, 2] - rising.x[:same, 2]).max(),
    }
    run.compare(REFERENCES, computed, tolerances={"change": 1e-6 * turn})
    jams = f"The disc still sticks at {load[-1]:.2f} M_0: bristles and springs jam it."
    turns = f"The last equilibrium is at {load[-1]:.3f} M_0; above it the disc turns."
    run.note(jams if rising.complete else turns)
    curves = {"disc": (1e6 * rising.x[:, 2], load)}
    exact = {"both flanks stick": (1e6 * turn * load[::5], load[::5])}
    loops = [("rising torque", curves, exact)]
    run.figure("rotation", fc.view.loops_plot(loops, "rotation / µrad", "torque over M_0"))


CASE = fc.Case(__doc__, ("Stamm T2",), Wedge(), main, quick_s=5)

if __name__ == "__main__":
    CASE.main(__file__)
