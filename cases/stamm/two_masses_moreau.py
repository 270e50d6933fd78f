"""Friction oscillator of two masses by Moreau's time stepping (Stamm 6.5).

Two masses on the ground are joined by springs and dampers, the damper between them is negative:
without friction the rest is unstable, with friction starts below x^ end in stick, starts above it
grow. While both masses slide, the motion is linear,

    m x'' + B x' + C x = -mu m g sign(x'),

so the rigid solution is a chain of matrix exponentials between reversals (no stick before the last
reversal). The rigid limit is x^ = 5.8224072997633 for g = 10 (published with bristles:
5.8224076246). Time stepping reaches the chain with first order in the step.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

import fecontact as fc

LIMIT = 5.8224072997633
C = np.array([[2.0, -1.0], [-1.0, 2.0]])
B = np.array([[0.125, 0.375], [0.375, 0.125]])


@dataclass(frozen=True)
class TwoMasses(fc.Parameters):
    """Unit masses and springs, b_1 = 0.5, b_2 = -0.375; mu m g = 1 N."""

    friction: float = fc.quantity(0.1, "", fc.POSITIVE)
    gravity: float = fc.quantity(10.0, "m/s^2", fc.POSITIVE)
    start: float = fc.quantity(5.8, "m", fc.POSITIVE)
    until: float = fc.quantity(8.0, "s", fc.POSITIVE, numerical=True)
    step: float = fc.quantity(0.02, "s", fc.POSITIVE, numerical=True)


REFERENCES = fc.References("""
    order     | order in the step                   | 1.0 |  | 0.35 | Stamm 2011, 6.5: first order
    error     | relative error at the shortest step | 0.0 |  | 0.5 * p.step
    reversals | reversals in the reference          | >= 3 |  |  |  | trend
    solver    | residual of the contact conditions  | <= 1e-10
    *         | chain of matrix exponentials
    below | both masses stick after a start -0.05 m from the limit | is True
    above | both masses stick after a start +0.05 m from the limit | is False
    *     | Stamm 2011, (6.54), rigid limit 5.8224073 | source_notes; full
""")


def coupling(masses: Sequence[fc.RigidBody]) -> fc.MatrixCoupling:
    """Springs and dampers between the masses and the walls, along x."""
    along = np.diag([1.0, 0.0])
    return fc.MatrixCoupling(masses, np.kron(C, along), np.kron(B, along))


def system(p: TwoMasses) -> fc.System:
    """Both masses on the ground."""
    foot, ground = fc.Surface(np.zeros((1, 3)), np.ones(1)), fc.RigidFace(None, fc.Plane())
    masses = [fc.RigidBody(f"m{i}", 1.0, ("ux", "uz")) for i in (1, 2)]
    contacts = [
        fc.RigidContact(mass, foot, ground, p.friction, name=f"foot of {mass.name}")
        for mass in masses
    ]
    weight = fc.Gravity(masses, (0.0, 0.0, -p.gravity))
    return fc.System(masses, [coupling(masses), weight, *contacts])


def stepped(p: TwoMasses, start: float, until: float, step: float) -> fc.Result:
    """Motion from x_1 = start at rest."""
    model = system(p)
    return fc.simulate(model, until, model.state(q={"m1.ux": start}), "moreau", step=step)


def main(run: fc.Run[TwoMasses]) -> None:
    """First order in the step, and both sides of the limit."""
    p, limit = run.parameters, run.parameters.friction * run.parameters.gravity
    chain = fc.reference.SlidingMasses(C, B, limit, [p.start, 0.0])
    exact, steps = chain.at(p.until)[:2], p.step / np.array([1.0, 2.0, 4.0])
    motions = [stepped(p, p.start, p.until, float(h)) for h in steps]
    errors = np.array([np.abs(m.q[-1, [0, 2]] - exact).max() / p.start for m in motions])
    computed = {
        "order": np.log2(errors[0] / errors[-1]) / 2,
        "error": errors[-1],
        "reversals": chain.reversals,
        "solver": max(fc.contact_residuals(motion)[-1] for motion in motions),
    }
    if not run.quick:
        for side, away in {"below": -0.05, "above": 0.05}.items():
            end = stepped(p, (LIMIT + away) * limit, 60.0, 0.25 * p.step).v[-1]
            computed[side] = np.abs(end).max() < 1e-12
    run.compare(REFERENCES, computed)
    t, q = motions[-1].t, motions[-1].q
    curves = {"x_1": q[:, 0], "x_2": q[:, 2]}
    run.figure("two_masses", fc.view.curves_plot(t, curves, "time / s", "displacement / m"))
    figure = fc.view.convergence_plot(steps, {"displacement": errors}, 1.0, "step / s")
    run.figure("convergence", figure)


CASE = fc.Case(__doc__, ("Stamm T14",), TwoMasses(), main, quick_s=10.0, system=system)

if __name__ == "__main__":
    CASE.main(__file__)
