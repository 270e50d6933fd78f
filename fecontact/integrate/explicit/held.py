"""Constraints of explicit steps: positions, velocities and accelerations on their rows.

With c = 0 of the rows of position level and c' = A v - b = 0 of all of them, a step is

    q_n+1 = move(q_n, h v_n+1/2),      v_n+1/2 <- v_n+1/2 - M^-1 A^T(q_n) eta:   c(q_n+1) = 0
    M (v_n+1/2 - v_n-1/2) = h (f + A^T lam)(t_n),                                c''(t_n) = 0
    v_n = (v_n-1/2 + v_n+1/2)/2 - M^-1 A^T mu:                                   c'(t_n) = 0

the method SHAKE with the velocities of RATTLE (Ryckaert, Ciccotti and Berendsen 1977; Andersen
1983), of order 2 and symplectic without dissipation: what lam of c'' = 0 leaves of c(q_n+1) is of
the order h^3, and eta brings it to round-off. Rows of velocity level have no positions; for them
v_n+1/2 takes the correction of v_n too. All corrections are shortest in the metric of the mass;
redundant rows are allowed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fecontact.errors import SolverError
from fecontact.system import State, System
from fecontact.system.constraints.metric import RowMetric, row_metric
from fecontact.system.constraints.rows import Constraints
from fecontact.typing import Floats

__all__ = ["CLOSED", "LOOSE", "MAX_ITERATIONS", "HeldRows", "free_motions", "not_closed"]

CLOSED = 1e-14
"""Residual of a position row that is met, relative to the largest coordinate and one."""
LOOSE = 1e-10
"""Residual that round-off may leave where no iteration reduces it."""
MAX_ITERATIONS = 25


class HeldRows:
    """The constraint rows of a system, decomposed where the last step has ended."""

    def __init__(self, system: System, state: State) -> None:
        self.system, self.rows = system, system.constraint(state)
        self._by_time = np.logical_not(system.position_rows)
        self._take(state, self.rows)

    def _take(self, state: State, rows: Constraints) -> None:
        mass, bound = self.system.mass_matrix(state.q), self.system.position_rows
        self.metric = self.closing = row_metric(mass, rows.jacobian)
        if self._by_time.any():
            self.closing = row_metric(mass, rows.jacobian[bound])

    def closed(self, t: float, q: Floats, path: Floats) -> Floats:
        """The path (n,) from q with the smallest change that ends on the position rows."""
        bound, left = self.system.position_rows, np.inf
        scale = 1.0 + float(np.abs(q).max())
        for _ in range(MAX_ITERATIONS if bound.any() else 0):
            there = State(t, self.system.move(q, path), np.zeros_like(path))
            c = self.system.constraint(there).value[bound]
            before, left = left, float(np.abs(c).max())
            if left <= CLOSED * scale or (left <= LOOSE * scale and left > 0.5 * before):
                return path
            path = path - self.closing.step(c)
        if bound.any():
            raise not_closed(t)
        return path

    def arrive(self, state: State) -> None:
        """Go on to the rows at a state."""
        self.rows = self.system.constraint(state)
        self._take(state, self.rows)

    def solve(self, matrix: Floats, force: Floats) -> tuple[Floats, Floats]:
        """Accelerations a (n,) and multipliers: matrix a = force + A^T lam, c'' = 0."""
        metric = self.metric
        held = metric.right @ metric.factor.T
        wanted = held @ metric.step(-self.rows.bias)
        found: Any = np.linalg.solve(matrix, np.column_stack([force, held.T]))
        free, pulled = found[:, 0], found[:, 1:]
        mu: Any = np.linalg.solve(held @ pulled, wanted - held @ free)
        lam = metric.multipliers(metric.jacobian @ metric.acceleration(held.T @ mu))
        return free + pulled @ mu, lam

    def corrections(self, change: Floats) -> tuple[Floats, Floats]:
        """Corrections (n,) of the velocities after a change, and of those half a step on."""
        rate = self.rows.rate + self.rows.jacobian @ change
        return -self.metric.step(rate), -self.metric.step(np.where(self._by_time, rate, 0.0))


def free_motions(system: System, state: State) -> tuple[Floats, Floats]:
    """Motions (n, k) that the constraints leave, and the stiffness (n, n) of their forces.

    The second is the derivative of -A^T lam at fixed multipliers: a pendulum swings by it.
    """
    rows = system.constraint(state)
    metric: RowMetric = row_metric(system.mass_matrix(state.q), rows.jacobian)
    return metric.null_space(), -rows.d_load(state.lam)


def not_closed(t: float) -> SolverError:
    """The position rows cannot be met at the end of a step."""
    return SolverError(
        f"t = {t:.6g} s: the constraints cannot be met at the end of the step; try a smaller step, "
        "or method 'implicit'"
    )
