"""Index-1 form with projection: Runge-Kutta methods on q' = T(q) v, v' from the accelerations.

Constraints are differentiated twice, so without correction positions and velocities drift off
them. After each step both are projected back by the least motion in the mass norm (Keppler 3.10,
mass-orthogonal), and quaternions get unit length. The method is an independent witness of
`implicit`, and the better one for long smooth motions at tight tolerances.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.integrate import DOP853, RK45, Radau

from fecontact.errors import POSITIVE, InputError, SolverError, check, one_of
from fecontact.simulate.trajectory import Point, Statistics
from fecontact.system import State, System
from fecontact.system.metric import row_metric
from fecontact.system.one_sided import OneSidedWatch
from fecontact.typing import Floats

__all__ = ["SOLVERS", "Projected", "rank_of"]

SOLVERS: dict[str, Any] = {"DOP853": DOP853, "RK45": RK45, "Radau": Radau}


@dataclass(frozen=True)
class Projected:
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
    """

    solver: str = "DOP853"
    rtol: float = 1e-8
    atol: float = 1e-10
    step: float | None = None
    project: bool = True

    def __post_init__(self) -> None:
        check("solver", self.solver, one_of(SOLVERS))
        check("rtol", self.rtol, POSITIVE)
        check("atol", self.atol, POSITIVE)
        if self.step is not None:
            check("step", float(self.step), POSITIVE, "s")

    def points(
        self, system: System, start: Point, goals: Floats, every: bool, statistics: Statistics
    ) -> Iterator[Point]:
        """Yield the start, then each step, or the points at the goals."""
        if system.memory:
            raise InputError(
                f"method 'projected' has no contact history ({', '.join(system.memory.names)}): "
                "take 'implicit', 'explicit' or 'flow'"
            )
        n, rank = len(start.state.q), rank_of(system, start.state)
        one_sided = OneSidedWatch(system, float(goals[-1] - start.state.t))
        one_sided.see(start.state)

        def rate(t: float, y: Floats) -> Floats:
            state = State(t, y[:n], y[n:])
            statistics.evaluations += 1
            acceleration = system.accelerations(state, rank)[0]
            return np.concatenate([system.rate(state.q, state.v), acceleration])

        def point(t: float, y: Floats) -> Point:
            statistics.evaluations += 1
            now = self._point(system, State(t, y[:n], y[n:]))
            one_sided.see(now.state)
            return now

        yield start
        solver = SOLVERS[self.solver](
            rate, start.state.t, _packed(start), float(goals[-1]), rtol=self.rtol, atol=self.atol,
            max_step=self.step or np.inf,
        )  # fmt: skip
        left = goals
        while solver.status == "running":
            _advance(solver)
            statistics.steps += 1
            inside, left = left[left < solver.t], left[left >= solver.t]
            if len(inside):
                between = solver.dense_output()
                yield from (point(float(t), between(t)) for t in inside)
            now = point(solver.t, solver.y)
            solver.y = _packed(now)
            solver.f = np.concatenate([system.rate(now.state.q, now.state.v), now.acceleration])
            if self.project and rank < len(system.rows):
                rank = max(rank, rank_of(system, now.state))
            if every or solver.t in left:
                yield now
                left = left[left > solver.t]

    def _point(self, system: System, state: State) -> Point:
        """State with unit quaternions, on the constraints, with its accelerations."""
        state = State(state.t, system.move(state.q, np.zeros(system.size)), state.v)
        if self.project and system.rows:
            found = system.consistent(state)
            return Point(found.state, found.acceleration)
        acceleration, lam = system.accelerations(state)
        return Point(replace(state, lam=lam), acceleration)


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
