"""Projection on the constraints, the nearest state in the metric of the mass matrix.

    position:  q <- move(q, -x),  x the shortest with A x = c,  until c = 0      (Keppler 3.10b,c)
    velocity:  v <- v - x,        x the shortest with A x = c'                   (Keppler 3.10d)

Only dofs that are not kept change. Redundant rows are allowed, conflicting ones refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from fecontact.errors import POSITIVE, SolverError, check
from fecontact.system.assembly import Assembly
from fecontact.system.constraints.metric import RowMetric, row_metric
from fecontact.system.constraints.redundancy import CONFLICT, STILL
from fecontact.system.constraints.rows import Constraints
from fecontact.system.dynamics import consistent_accelerations
from fecontact.system.names import dof_indexs
from fecontact.system.state import State
from fecontact.typing import Floats

__all__ = ["POSITION_TOLERANCE", "Projection", "Projector"]

POSITION_TOLERANCE = 1e-11
"""Largest residual of a fulfilled position row, in its unit (m or rad)."""

MAX_ITERATIONS = 50
SHORTEST_STEP = 20
"""Number of halvings of a step before the search is given up."""

LISTED = 6
"""Number of rows that a message names."""


@dataclass(frozen=True)
class Projection:
    """A state on the constraints, and what had to be changed to get there.

    Attributes
    ----------
    state
        Its positions and velocities fulfil the constraints; with its multipliers.
    acceleration : (n,)
        Accelerations v'. Contacts without a history have unbent bristles, as at the start of
        `simulate`. NaN, as the multipliers, if a rigid contact without history is closed: its force
        is no function of the state; `simulate` with method "moreau" finds it.
    moved, changed : (n,)
        Change of the positions (increment of the dofs) and of the velocities.
    coordinates
        Names of the dofs.
    """

    state: State
    acceleration: Floats
    moved: Floats
    changed: Floats
    coordinates: Sequence[str]

    def __str__(self) -> str:
        lines = []
        for kind, change in (("position", self.moved), ("velocity", self.changed)):
            worst = int(np.argmax(np.abs(change)))
            name = self.coordinates[worst]
            lines.append(f"largest change of {kind}: {change[worst]:+.3e} of {name}")
        return "\n".join(lines)


class Projector:
    """Moves states of a system on its constraints.

    Parameters
    ----------
    assembly
        The system.
    keep
        Names of dofs, or of bodies, whose positions and velocities must not change. Of a body
        with three rotations, a kept one is not turned about its body-fixed axis.
    tolerance
        Largest residual of a position row, in its unit.
    """

    def __init__(
        self,
        assembly: Assembly,
        keep: Iterable[str] = (),
        tolerance: float = POSITION_TOLERANCE,
    ) -> None:
        check("tolerance", tolerance, POSITIVE)
        self.assembly, self.tolerance = assembly, tolerance
        names = [keep] if isinstance(keep, str) else keep
        self.kept = sorted({n for name in names for n in dof_indexs(assembly, name)})
        self.free = np.delete(np.arange(assembly.size), self.kept)

    def project(self, state: State) -> Projection:
        """State with positions, velocities, multipliers and accelerations on the constraints."""
        q, moved, rows = self._close(state)
        metric = self._metric(q, rows.jacobian)
        v = self._velocity(state.v, rows, metric)
        found = replace(state, q=q, v=v)
        # A depends on q alone: its decomposition serves the accelerations too
        a, lam = consistent_accelerations(self.assembly, found, None if self.kept else metric)
        names = self.assembly.coordinates
        return Projection(replace(found, lam=lam), a, moved, v - state.v, names)

    def position(self, state: State) -> Floats:
        """Coordinates q that fulfil the position rows."""
        return self._close(state)[0]

    def velocity(self, state: State) -> Floats:
        """Velocities that fulfil all rows at the positions of the state."""
        rows = self.assembly.constraint(state)
        return self._velocity(state.v, rows, self._metric(state.q, rows.jacobian))

    def _close(self, state: State) -> tuple[Floats, Floats, Constraints]:
        """Coordinates, sum of the steps (n,) that led there, and rows; by Gauss-Newton."""
        assembly, bound = self.assembly, self.assembly.position_rows
        q, moved, rows = state.q, np.zeros(assembly.size), assembly.constraint(state)
        for _ in range(MAX_ITERATIONS):
            c = rows.value[bound]
            if np.abs(c).max(initial=0.0) <= self.tolerance:
                return q, moved, rows
            metric, step = self._metric(q, rows.jacobian[bound]), np.zeros(assembly.size)
            step[self.free] = -metric.step(c)
            weights = np.where(metric.weights > 0.0, metric.weights, 1.0)
            size = np.linalg.norm(weights * c)
            for length in 0.5 ** np.arange(SHORTEST_STEP):
                trial = assembly.move(q, length * step)
                there = assembly.constraint(replace(state, q=trial))
                if np.linalg.norm(weights * there.value[bound]) < (1.0 - 0.1 * length) * size:
                    break
            else:
                break
            q, moved, rows = trial, moved + length * step, there
        raise self._unmet("position", rows.value, np.abs(rows.value) > self.tolerance)

    def _velocity(self, start: Floats, rows: Constraints, metric: RowMetric) -> Floats:
        """Velocities nearest to the given ones; `rows` are those at these."""
        v, rate, free = start.copy(), rows.rate, self.free
        offset = rows.jacobian @ v - rate
        for _ in range(2):  # the second pass removes the round-off of the first
            v[free] -= metric.step(rate)
            rate = rows.jacobian @ v - offset
        given = np.abs(offset) + np.abs(rows.jacobian[:, self.kept]) @ np.abs(v[self.kept])
        terms = metric.largest(start[free]) + metric.largest(v[free]) + given
        wrong = np.abs(rate) > CONFLICT * terms + STILL
        if wrong.any():
            raise self._unmet("velocity", rate, wrong)
        return v

    def _metric(self, q: Floats, jacobian: Floats) -> RowMetric:
        mass, free = self.assembly.mass_matrix(q), self.free
        if not self.kept:
            return row_metric(mass, jacobian)
        return row_metric(mass[np.ix_(free, free)], jacobian[:, free])

    def _unmet(self, kind: str, left: Floats, wrong: npt.NDArray[np.bool_]) -> SolverError:
        names, kept = self.assembly.rows, [self.assembly.coordinates[i] for i in self.kept]
        worst = sorted(np.flatnonzero(wrong), key=lambda i: -abs(left[i]))
        shown = ", ".join(f"{names[i]} ({left[i]:+.2e})" for i in sorted(worst[:LISTED]))
        more = f" and {len(worst) - LISTED} more" if len(worst) > LISTED else ""
        hint = f" with {', '.join(kept)} kept" if kept else ""
        return SolverError(
            f"the {kind} constraints cannot be met{hint}: {shown}{more}; remove conflicting rows, "
            "keep fewer coordinates, or start from a closer guess"
        )
