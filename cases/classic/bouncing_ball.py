"""Bouncing ball with accumulation: infinitely many impacts in finite time.

Dropped from the height H with restitution e, the ball hits the ground first at t_0 = sqrt(2 H/g),
rises to e^2 H, e^4 H, ..., and comes to rest at

    t_0 (1 + e)/(1 - e) .

Time stepping passes the accumulation without noticing it: of first order in the step.
"""

from dataclasses import dataclass
from math import sqrt

import numpy as np

import fecontact as fc

FRACTION = fc.Allowed("between 0 and 1 (both excluded)", lambda x: 0 < x < 1)


@dataclass(frozen=True)
class BouncingBall(fc.Parameters):
    """A ball of 1 kg."""

    height: float = fc.quantity(0.5, "m", fc.POSITIVE)
    restitution: float = fc.quantity(0.7, "", FRACTION)
    gravity: float = fc.quantity(9.81, "m/s^2", fc.POSITIVE)
    step: float = fc.quantity(4e-3, "s", fc.POSITIVE, numerical=True)
    first = fc.derived("time of the first impact in s", lambda p: sqrt(2.0 * p.height / p.gravity))

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


REFERENCES = fc.References("""
    rest     | time of rest | p.rest | s |  | t_0 (1 + e)/(1 - e)
    force    | force of the ball at rest | p.gravity | N | 1e-9 | weight
    lost     | energy lost in impacts, relative to the drop | 1.0 |  |  | all of it
    residual | largest energy from nowhere | 0.0 | J | 1e-10 | balance of energy
    solver   | residual of complementarity | <= 1e-10 |  |  | tolerance of the solver
""")


def build(p: BouncingBall) -> fc.System:
    """Ball above the ground."""
    ball = fc.RigidBody("ball", 1.0, ("uz",), position=(0.0, 0.0, p.height))
    foot = fc.Surface(np.zeros((1, 3)), np.ones(1))
    ground = fc.RigidFace(None, fc.Plane())
    contact = fc.RigidContact(ball, foot, ground, restitution=p.restitution)
    return fc.System([ball], [fc.Gravity([ball], (0.0, 0.0, -p.gravity)), contact])


def main(run: fc.Run[BouncingBall]) -> None:
    """Time of rest, and energy."""
    p = run.parameters
    h = p.step / (4.0 if run.quick else 8.0)
    motion = fc.simulate(build(p), 1.2 * p.rest, method="moreau", step=h)
    moving = np.flatnonzero(np.abs(motion.v[:, 0]) > 1e-9)
    computed = {
        "rest": motion.t[moving[-1] + 1],
        "force": motion.contacts["contact"][-1].pressure[0],
        "lost": motion.energies["damping"][-1] / (p.gravity * p.height),
        "residual": np.abs(motion.energies["residual"]).max(),
        "solver": fc.contact_residuals(motion)[-1],
    }
    run.compare(REFERENCES, computed, tolerances={"rest": 12 * h, "lost": 3 * h / p.first})
    exact, dots = {"exact": p.exact(motion.t)}, {f"step {h:g} s": motion.q[:, 0] + p.height}
    figure = fc.view.curves_plot(motion.t, exact, "time / s", "height / m", dots=dots)
    run.figure("bouncing_ball", figure)


CASE = fc.Case(__doc__, ("bouncing ball",), BouncingBall(), main, quick_s=4.0, system=build)

if __name__ == "__main__":
    CASE.main(__file__)
