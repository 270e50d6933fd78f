"""Index-1 form with projection: Runge-Kutta methods on q' = T(q) v, v' from the accelerations.

Constraints are differentiated twice, so without correction positions and velocities drift off
them. After each step both are projected back by the least motion in the mass norm (Keppler 3.10,
mass-orthogonal), and quaternions get unit length. The method is an independent witness of
`implicit`, and the better one for long smooth motions at tight tolerances.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.integrate import DOP853, RK45, Radau

from fecontact.errors import NON_NEGATIVE, POSITIVE, SolverError, check, one_of
from fecontact.simulate.index1 import accelerations, project
from fecontact.simulate.trajectory import Point, Statistics
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["SOLVERS", "Projected"]

SOLVERS: dict[str, type[RK45 | DOP853 | Radau]] = {"DOP853": DOP853, "RK45": RK45, "Radau": Radau}


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
        check("atol", self.atol, NON_NEGATIVE)
        if self.step is not None:
            check("step", float(self.step), POSITIVE, "s")

    def points(
        self, system: System, start: State, goals: Floats, every: bool, statistics: Statistics
    ) -> Iterator[Point]:
        """Yield the start, then each step, or the points at the goals."""
        n = len(start.q)

        def point(t: float, y: Floats) -> Point:
            state = self._on_constraints(system, State(t, y[:n], y[n:]))
            rate, lam = accelerations(system, state)
            statistics.evaluations += 1
            return Point(State(t, state.q, state.v, lam), rate)

        def fun(t: float, y: Floats) -> Floats:
            state = State(t, y[:n], y[n:])
            statistics.evaluations += 1
            rate = accelerations(system, state)[0]
            return np.concatenate([system.rate(state.q, state.v), rate])

        yield (now := point(start.t, np.concatenate([start.q, start.v])))
        solver = SOLVERS[self.solver](
            fun, start.t, _packed(now), float(goals[-1]), rtol=self.rtol, atol=self.atol,
            max_step=self.step or np.inf,
        )  # fmt: skip
        number = 0
        while solver.status == "running":
            message = solver.step()
            if solver.status == "failed":
                raise SolverError(
                    f"t = {solver.t:.6g} s: {message} try another solver (Radau for stiff "
                    "systems), or a larger rtol"
                )
            statistics.steps += 1
            inside = [] if every else goals[number:][goals[number:] < solver.t]
            if len(inside):
                between = solver.dense_output()
                yield from (point(float(t), between(t)) for t in inside)
            now = point(solver.t, solver.y)
            solver.y = _packed(now)
            solver.f = np.concatenate([system.rate(now.state.q, now.state.v), now.acceleration])
            number += len(inside)
            if every or goals[number] == solver.t:
                yield now
                number += not every

    def _on_constraints(self, system: System, state: State) -> State:
        q = system.move(state.q, np.zeros(system.size))  # unit quaternions
        state = State(state.t, q, state.v)
        return project(system, state) if self.project else state


def _packed(point: Point) -> Floats:
    return np.concatenate([point.state.q, point.state.v])
