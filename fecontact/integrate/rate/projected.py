"""Index-1 form with projection: Runge-Kutta methods on q' = T(q) v, v' from the accelerations.

Constraints are differentiated twice, so without correction positions and velocities drift off
them. After each step both are projected back by the least motion in the mass norm (Keppler 3.10,
mass-orthogonal), and quaternions get unit length. The method is an independent reference of
`implicit`, and the better one for long smooth motions at tight tolerances.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.integrate import DOP853, RK45, Radau

from fecontact.errors import InputError, SolverError
from fecontact.integrate.audit import EnergyAudit, Instant
from fecontact.integrate.control import StepBudget, check_solver
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics
from fecontact.system import State, System
from fecontact.system.constraints.metric import row_metric
from fecontact.system.constraints.one_sided import OneSidedWatch
from fecontact.typing import Floats

__all__ = ["SOLVERS", "Projected", "rank_of"]

SOLVERS: dict[str, Any] = {"DOP853": DOP853, "RK45": RK45, "Radau": Radau}


@dataclass(frozen=True)
class Projected(StepBudget):
    """Adaptive Runge-Kutta method on the index-1 form.

    Parameters
    ----------
    solver
        "DOP853" (order 8), "RK45" (order 5), or "Radau" (order 5, implicit, for stiff systems).
    rtol, atol
        Local error of coordinates and velocities, relative and absolute.
    step
        Longest step in s.
    project
        Put each step back on the constraints; False shows the drift.
    audit
        Keep the energy audit: the powers are integrated over each step by Gauss' formula with five
        points, which costs about half as much again.
    max_steps
        See `StepBudget`.
    """

    solver: str = "DOP853"
    rtol: float = 1e-8
    atol: float = 1e-10
    step: float | None = None
    project: bool = True
    audit: bool = False

    def __post_init__(self) -> None:
        super().__post_init__()
        check_solver(self.solver, SOLVERS, self.rtol, self.atol, self.step)

    def points(
        self, system: System, start: Point, goals: Floats, every: bool, statistics: Statistics
    ) -> Iterator[Point]:
        """Yield the start, then each step, or the points at the goals."""
        if system.history_layout:
            raise InputError(
                "method 'projected' has no contact history "
                f"({', '.join(system.history_layout.names)}): "
                "take 'implicit', 'explicit' or 'ode'"
            )
        n, rank = len(start.state.q), rank_of(system, start.state)
        one_sided = OneSidedWatch(system, float(goals[-1] - start.state.t))
        one_sided.see(start.state)

        def rate(t: float, y: Floats) -> Floats:
            state = State(t, y[:n], y[n:])
            statistics.evaluations += 1
            acceleration = system.accelerations(state, rank)[0]
            return np.concatenate([system.rate(state.q, state.v), acceleration])

        audit = _PowerAudit(system, start, rank) if self.audit else None

        def point(t: float, y: Floats) -> Point:
            statistics.evaluations += 1
            now = self._point(system, State(t, y[:n], y[n:]))
            one_sided.see(now.state)
            return now

        def audited(now: Point) -> Point:
            return now if audit is None else audit.at(now)

        yield audited(start)
        solver = SOLVERS[self.solver](
            rate, start.state.t, _packed(start), float(goals[-1]), rtol=self.rtol, atol=self.atol,
            max_step=self.step or np.inf,
        )  # fmt: skip
        left = goals
        while solver.status == "running":
            statistics.within(self.max_steps, solver.t)
            _advance(solver)
            statistics.steps += 1
            inside, left = left[left < solver.t], left[left >= solver.t]
            between: Any = solver.dense_output() if len(inside) or audit is not None else None
            for t in inside:
                if audit is not None:
                    audit.add(between, float(t))
                yield audited(point(float(t), between(t)))
            if audit is not None:
                audit.add(between, solver.t)
            now = point(solver.t, solver.y)
            solver.y = _packed(now)
            solver.f = np.concatenate([system.rate(now.state.q, now.state.v), now.acceleration])
            if self.project and rank < len(system.rows):
                rank = max(rank, rank_of(system, now.state))
            if every or solver.t in left:
                yield audited(now)
                left = left[left > solver.t]

    def _point(self, system: System, state: State) -> Point:
        """State with unit quaternions, on the constraints, with its accelerations."""
        state = State(state.t, system.move(state.q, np.zeros(system.size)), state.v)
        if self.project and system.rows:
            found = system.consistent(state)
            return Point(found.state, found.acceleration)
        acceleration, lam = system.accelerations(state)
        return Point(replace(state, lam=lam), acceleration)


class _PowerAudit:
    """Energy audit of a motion that is known between its steps."""

    def __init__(self, system: System, start: Point, rank: int) -> None:
        self.system, self.rank, self.t = system, rank, start.state.t
        self.size = len(start.state.q)
        self.audit = EnergyAudit(system, start.state, system.forces(start.state), {})
        if len(start.resume):
            self.audit.first = start.resume[:6].copy()
            self.audit.arrive(self.audit.last, start.resume[6:])

    def add(self, between: Any, t: float) -> None:
        """Integrate the powers up to the time t."""
        nodes, weights = np.polynomial.legendre.leggauss(5)
        half = 0.5 * (t - self.t)
        sums = self.audit.sums
        for node, weight in zip(self.t + half * (1.0 + nodes), half * weights, strict=True):
            y = between(node)
            state = State(float(node), y[: self.size], y[self.size :])
            if self.system.rows:
                state = replace(state, lam=self.system.accelerations(state, self.rank)[1])
            sums = sums + weight * self.audit.powers(self._instant(state))
        self.audit.arrive(self.audit.last, sums)
        self.t = t

    def at(self, point: Point) -> Point:
        """The point with its energies, and the sums from which to continue."""
        self.audit.arrive(self._instant(point.state), self.audit.sums)
        resume = np.concatenate([self.audit.first, self.audit.sums])
        return Point(point.state, point.acceleration, resume, self.audit.lines({}))

    def _instant(self, state: State) -> Instant:
        return Instant.of(self.system, state, self.system.forces(state), {})


def _advance(solver: Any) -> None:
    message = solver.step()
    if solver.status == "failed":
        raise SolverError(
            f"t = {solver.t:.6g} s: {message} Try solver='Radau' for stiff systems, or a larger "
            "rtol"
        )


def rank_of(system: System, state: State) -> int:
    """Number of independent rows at a state on the constraints.

    Stages of a step are off the constraints, where redundant rows are a little independent; taken
    as such they would lock the mechanism.
    """
    if not system.rows:
        return 0
    return row_metric(system.mass_matrix(state.q), system.constraint(state).jacobian).rank


def _packed(point: Point) -> Floats:
    return np.concatenate([point.state.q, point.state.v])
