"""Bouncing ball with accumulation: infinitely many impacts in finite time.

Dropped from the height H with restitution e, the ball hits the ground first at t_0 = sqrt(2 H/g),
rises to e^2 H, e^4 H, ..., and comes to rest at

    t_0 (1 + e)/(1 - e) .

Time stepping passes the accumulation without noticing it: of first order in the step.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np

import fecontact as fc

SHARE = fc.Allowed("between 0 and 1 (both excluded)", lambda x: 0 < x < 1)


@dataclass(frozen=True)
class BouncingBall(fc.Parameters):
    """A ball of 1 kg."""

    height: float = fc.quantity(0.5, "m", fc.POSITIVE)
    restitution: float = fc.quantity(0.7, "", SHARE)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    step: float = fc.quantity(4e-3, "s", fc.POSITIVE, numerical=True)
    halvings: int = fc.quantity(3, "", fc.POSITIVE, numerical=True)

    @property
    def first(self) -> float:
        """Time of the first impact in s."""
        return sqrt(2.0 * self.height / self.gravity)

    @property
    def rest(self) -> float:
        """Time of the last impact in s."""
        e = self.restitution
        return self.first * (1.0 + e) / (1.0 - e)

    def exact(self, t: fc.Floats) -> fc.Floats:
        """Height (k,) over time."""
        result = np.where(t < self.first, self.height - 0.5 * self.gravity * t**2, 0.0)
        start, speed = self.first, self.gravity * self.first * self.restitution
        while speed > 1e-9:
            s = t - start
            span = 2.0 * speed / self.gravity
            flies = (s >= 0.0) & (s < span)
            result[flies] = (speed * s - 0.5 * self.gravity * s**2)[flies]
            start, speed = start + span, speed * self.restitution
        return result


def system(p: BouncingBall) -> fc.System:
    """Ball above the ground."""
    ball = fc.RigidBody("ball", 1.0, ("uz",), position=(0.0, 0.0, p.height))
    foot = fc.Surface(np.zeros((1, 3)), np.ones(1))
    ground = fc.RigidFace(None, fc.Plane())
    contact = fc.RigidContact(ball, foot, ground, restitution=p.restitution)
    return fc.System([ball], [fc.Gravity([ball], (0.0, 0.0, -p.gravity)), contact])


def main(run: fc.Run[BouncingBall]) -> None:
    """Time of rest, order, and energy."""
    p = run.parameters
    halvings = 2 if run.quick else p.halvings
    steps = p.step / 2.0 ** np.arange(halvings + 1)
    until = 1.2 * p.rest
    motions = [fc.simulate(system(p), until, method="moreau", step=h) for h in steps]
    errors = np.array([error(p, motion) for motion in motions])
    order = float(np.log2(errors[0] / errors[-1]) / halvings)
    run.check("order of the mean error of the height", order, 1.0, tolerance=0.3,
              kind="closed_form", source="time stepping is of first order",
              formula=True)  # fmt: skip
    motion, h = motions[-1], float(steps[-1])
    moving = np.flatnonzero(np.abs(motion.v[:, 0]) > 1e-9)
    run.check("time of rest", float(motion.t[moving[-1] + 1]), p.rest, unit="s", tolerance=12 * h,
              kind="closed_form", source="t_0 (1 + e)/(1 - e)", formula=True)  # fmt: skip
    run.check("force of the ball at rest", float(motion.contacts["contact"][-1].pressure[0]),
              p.gravity, unit="N", tolerance=1e-9, kind="closed_form", source="weight",
              formula=True)  # fmt: skip
    lines = motion.energies
    lost = float(lines["damping"][-1] / (p.gravity * p.height))
    run.check("energy lost in impacts, relative to the drop", lost, 1.0,
              tolerance=3 * h / p.first, kind="closed_form", source="all of it",
              formula=True)  # fmt: skip
    run.check("largest energy from nowhere", float(np.abs(lines["residual"]).max()), 0.0, unit="J",
              tolerance=1e-10, kind="closed_form", source="balance of energy",
              formula=True)  # fmt: skip
    run.check("residual of complementarity", float(fc.contact_residuals(motion)[-1]), 1e-10,
              relation="le", kind="closed_form", source="tolerance of the solver",
              formula=True)  # fmt: skip
    figure = fc.view.curves_plot(
        motion.t, {"exact": p.exact(motion.t)}, "time / s", "height / m",
        dots={f"step {h:g} s": motion.q[:, 0] + p.height},
    )  # fmt: skip
    run.figure("bouncing_ball", figure)
    figure = fc.view.convergence_plot(steps, {"height": errors}, 1.0, "step / s", "mean error")
    run.figure("convergence", figure)


def error(p: BouncingBall, motion: fc.Trajectory) -> float:
    """Mean error of the height, relative to the drop."""
    height = motion.q[:, 0] + p.height
    return float(np.mean(np.abs(height - p.exact(motion.t))) / p.height)


CASE = fc.Case(
    title="bouncing ball with accumulation of impacts",
    verifies=("bouncing ball",),
    parameters=BouncingBall(),
    run=main,
    quick_s=4.0,
    system=system,
)

if __name__ == "__main__":
    CASE.main(__file__)
