"""Friction oscillator of two masses by Moreau's time stepping (Stamm 6.5).

Two masses on the ground are joined by springs and dampers, the damper between them is negative:
without friction the rest is unstable, with friction starts below x^ end in stick, starts above it
grow. While both masses slide, the motion is linear,

    m x'' + B x' + C x = -mu m g sign(x'),

so the rigid solution is a chain of matrix exponentials between reversals (no stick before the last
reversal). The rigid limit is x^ = 5.8224072997633 for g = 10 (published with bristles:
5.8224076246). Time stepping reaches the chain with first order in the step.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

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


@dataclass(frozen=True, eq=False)
class Coupling:
    """Springs and dampers between the masses and the walls, along x; an `Item`."""

    bodies: tuple[fc.typing.Body, ...]
    name: str = "coupling"
    along: fc.Floats = field(default_factory=lambda: np.array([0, 2]))

    def force(self, t: float, q: fc.Floats, v: fc.Floats) -> fc.Floats:
        """-C x - B x'."""
        result = np.zeros(4)
        result[self.along] = -C @ q[self.along] - B @ v[self.along]
        return result

    def tangents(self, t: float, q: fc.Floats, v: fc.Floats) -> fc.typing.Tangents:
        """Constant matrices."""
        by_q, by_v = np.zeros((2, 4, 4))
        place = np.ix_(self.along, self.along)
        by_q[place], by_v[place] = -C, -B
        return by_q, by_v


def system(p: TwoMasses) -> fc.System:
    """Both masses on the ground."""
    foot, ground = fc.Surface(np.zeros((1, 3)), np.ones(1)), fc.RigidFace(None, fc.Plane())
    masses = [fc.RigidBody(f"m{i}", 1.0, ("ux", "uz")) for i in (1, 2)]
    contacts = [
        fc.RigidContact(mass, foot, ground, p.friction, name=f"foot of {mass.name}")
        for mass in masses
    ]
    weight = fc.Gravity(masses, (0.0, 0.0, -p.gravity))
    return fc.System(masses, [Coupling(tuple(masses)), weight, *contacts])


def stepped(p: TwoMasses, start: float, until: float, step: float) -> fc.Trajectory:
    """Motion from x_1 = start at rest."""
    model = system(p)
    return fc.simulate(model, until, model.state(q={"m1.ux": start}), "moreau", step=step)


class Chain:
    """The rigid solution, from reversal to reversal.

    Attributes
    ----------
    reversals
        Their number so far.
    """

    def __init__(self, limit: float, start: float) -> None:
        self.limit, self.t, self.reversals = limit, 0.0, 0
        self.y = np.array([start, 0.0, 0.0, 0.0])
        self.sign = np.sign(-C @ self.y[:2])
        self.matrix = np.zeros((5, 5))
        self.matrix[:2, 2:4] = np.eye(2)
        self.matrix[2:4, :2], self.matrix[2:4, 2:4] = -C, -B

    def at(self, until: float, probe: float = 0.01) -> fc.Floats:
        """Coordinates and speeds (4,) at a time; times must rise."""
        while self.t < until:
            span = min(probe, until - self.t)
            turns = self.sign * self._after(span)[2:] < 0.0
            if not turns.any():
                self.y, self.t = self._after(span), self.t + span
                continue
            times = [self._root(i, span) for i in np.flatnonzero(turns)]
            first = int(np.flatnonzero(turns)[np.argmin(times)])
            self.y, self.t = self._after(min(times)), self.t + min(times)
            self.y[2 + first] = 0.0
            self._reverse(first)
        return self.y

    def _root(self, mass: int, span: float) -> float:
        early = 1e-9 * span
        speed = [self._after(s)[2 + mass] for s in (early, span)]
        if speed[0] * speed[1] >= 0.0:
            return early
        return float(brentq(lambda s: self._after(s)[2 + mass], early, span, xtol=1e-14))

    def _reverse(self, mass: int) -> None:
        push = float((-C @ self.y[:2] - B @ self.y[2:])[mass])
        if abs(push) <= self.limit:
            raise fc.SolverError(
                f"mass {mass + 1} sticks at t = {self.t:.6g} s; try a shorter time"
            )
        self.sign[mass] = np.sign(push)
        self.reversals += 1

    def _after(self, span: float) -> fc.Floats:
        self.matrix[2:4, 4] = -self.limit * self.sign
        return np.asarray((expm(span * self.matrix) @ np.append(self.y, 1.0))[:4])


def main(run: fc.Run[TwoMasses]) -> None:
    """First order in the step, and both sides of the limit."""
    p = run.parameters
    chain = Chain(p.friction * p.gravity, p.start)
    exact = chain.at(p.until)
    steps = p.step / np.array([1.0, 2.0, 4.0])
    motions = [stepped(p, p.start, p.until, float(h)) for h in steps]
    errors = np.array(
        [np.abs(motion.q[-1, [0, 2]] - exact[:2]).max() / p.start for motion in motions]
    )
    order = float(np.log2(errors[0] / errors[-1]) / 2)
    run.check("order in the step", order, 1.0, tolerance=0.35, kind="closed_form",
              source="Stamm 6.5: time stepping is of first order", formula=True)  # fmt: skip
    run.check("relative error at the shortest step", float(errors[-1]), 0.0,
              tolerance=2.0 * float(steps[-1]), kind="closed_form",
              source="chain of matrix exponentials", formula=True)  # fmt: skip
    run.check("reversals in the reference", chain.reversals, 3, relation="ge", kind="trend",
              source="several reversals are passed", formula=True)  # fmt: skip
    run.check("residual of the contact conditions",
              max(float(fc.contact_residuals(motion)[-1]) for motion in motions), 1e-10,
              relation="le", kind="closed_form", source="tolerance of the solver",
              formula=True)  # fmt: skip
    if not run.quick:
        both_sides(run)
    motion = motions[-1]
    figure = fc.view.curves_plot(
        motion.t, {"x_1": motion.q[:, 0], "x_2": motion.q[:, 2]}, "time / s", "displacement / m"
    )
    run.figure("two_masses", figure)
    figure = fc.view.convergence_plot(steps, {"displacement": errors}, 1.0, "step / s")
    run.figure("convergence", figure)


def both_sides(run: fc.Run[TwoMasses]) -> None:
    """Starts 0.05 below and above the limit end in stick and grow."""
    p = run.parameters
    size = p.friction * p.gravity
    for away, sticks in ((-0.05, True), (0.05, False)):
        motion = stepped(p, (LIMIT + away) * size, 60.0, 0.25 * p.step)
        run.check(f"both masses stick after a start {away:+g} m from the limit",
                  bool(np.abs(motion.v[-1]).max() < 1e-12), sticks, relation="is", kind="digest",
                  source="Stamm 6.54, rigid limit 5.8224073")  # fmt: skip


CASE = fc.Case(
    title="friction oscillator of two masses by Moreau's time stepping",
    verifies=("Stamm T14",),
    parameters=TwoMasses(),
    run=main,
    quick_s=10.0,
    system=system,
)

if __name__ == "__main__":
    CASE.main(__file__)
