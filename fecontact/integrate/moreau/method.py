"""Moreau's time stepping: the measure differential inclusion with impacts and set-valued friction.

One theta step from (q, v) under the linearised smooth forces (Waltersberger 4.5 to 4.20; theta = 1
is his scheme), with the contact position q_c = q + (1 - theta) h v and d = v_1 - v:

    (M - theta^2 h^2 K - theta h D) d = h (f + K s) + A^T Lam + J^T L,    K = df/dq,  D = df/dv
    s = theta h v - (1 - theta) h v_before,     A d = -(A v - b)/theta
    q_1 = q + h ((1 - theta) v + theta v_1)

All at q_c; L are the impulses of contacts whose gap at q_c is closed, plastic, on velocity level:
u_n1 >= 0 at the end of the step. Contacts that approach with restitution have their impact just
before the step (`integrate.moreau.impact`). A rebound that the forces of the same step push back
is not resolved: it is left out, and the contact stops at once. Stopped after a way out of h u_n/2
instead, it would gain the energy of springs there, with each impact (omega h)^2/4 times what it
had. Positions are of second order for theta = 1/2 as long as no contact opens, closes, begins to
stick or slip, or turns its slip: friction opposes the slip at the end of the step. Else first
order. A free vibration is damped at the rate (theta - 1/2) omega^2 h, not at all for theta = 1/2.
Coefficients over speed are taken at the mean slip, weighted by theta, which keeps the order; a
contact that sticks has its static coefficient, one whose slip turns by more than a right angle came
to rest in between (`solvers.friction_curve`). No event is located; a penetration stays
unless `project` removes it. Where friction is so high that rigid contacts have no force while they
slide, or several (Painleve), impulses still exist: the velocities jump, or one of several motions
is taken. Such steps are counted and told in the message.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from fecontact.errors import POSITIVE, Allowed, InputError, at_least, check, one_of
from fecontact.integrate.control import StepBudget
from fecontact.integrate.moreau.compiled import CompiledBackend
from fecontact.integrate.moreau.general import GeneralBackend
from fecontact.integrate.moreau.impact import LAWS
from fecontact.results.point import Point
from fecontact.results.result import Result
from fecontact.results.statistics import Statistics
from fecontact.system import System
from fecontact.typing import Floats

__all__ = ["BACKENDS", "Moreau", "contact_residuals"]

THETA = Allowed("between 0.5 and 1", lambda x: 0.5 <= x <= 1.0)
BACKENDS = ("auto", "compiled", "general")
MOST = 1 << 60
"""Steps without a budget."""

Backend: TypeAlias = CompiledBackend | GeneralBackend
"""The loop over the steps."""


@dataclass(frozen=True)
class Moreau(StepBudget):
    """Time stepping for rigid contacts.

    Parameters
    ----------
    step
        Time step in s; must be given. The step before an output time may be shorter.
    theta
        1/2 (no numerical damping) to 1 (implicit).
    impact
        Law of contacts with restitution: "newton", "poisson" or "sequential" (a sequence of more
        than 1000 impacts is cut off; what still approaches then stops plastically).
    tolerance
        Residual of complementarity and friction cone, relative to the velocities of the contacts.
    sweeps
        Limit of the sweeps of the contact solver.
    project
        Remove penetrations after each step by the shortest motion in the metric of M.
    backend
        "compiled" or "general"; "auto" takes the compiled one where it is possible.
    max_steps
        See `StepBudget`.
    """

    step: float | None = None
    theta: float = 0.5
    impact: str = "newton"
    tolerance: float = 1e-10
    sweeps: int = 2000
    project: bool = False
    backend: str = "auto"

    def __post_init__(self) -> None:
        if self.step is None:
            raise InputError("invalid step = None: expected a fixed step in s with method 'moreau'")
        super().__post_init__()
        check("step", self.step, POSITIVE, "s")
        check("theta", self.theta, THETA)
        check("impact", self.impact, one_of(LAWS))
        check("tolerance", self.tolerance, POSITIVE)
        check("sweeps", self.sweeps, at_least(1))
        check("backend", self.backend, one_of(BACKENDS))

    def points(
        self, system: System, start: Point, goals: Floats, every: bool, statistics: Statistics
    ) -> Iterator[Point]:
        """Yield the start, then each step, or the points at the goals."""
        backend = self.chosen(system, start, statistics)
        if not len(start.resume):
            backend.accelerate(start)
        yield backend.point()
        for goal in goals.tolist():
            while backend.t < goal:
                statistics.within(self.max_steps, backend.t)
                left = MOST if self.max_steps is None else self.max_steps - statistics.steps
                backend.advance(goal, 1 if every else left)
                if every or backend.t == goal:
                    yield backend.point()

    def chosen(self, system: System, start: Point, statistics: Statistics) -> Backend:
        """Backend for a system at a start."""
        if self.backend != "general":
            try:
                return CompiledBackend(self, system, start, statistics)
            except InputError:
                if self.backend == "compiled":
                    raise
        return GeneralBackend(self, system, start, statistics)


def contact_residuals(motion: Result) -> Floats:
    """Largest residual (k,) of the contact conditions in all steps of a motion up to each time.

    Relative to the velocities of the contacts.
    """
    if motion.method != "moreau":
        raise InputError(
            f"invalid method = {motion.method} for contact residuals: expected 'moreau'"
        )
    return motion.resume[:, 0]
