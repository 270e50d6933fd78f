"""Initial values: by names, and made consistent with the constraints.

    position:  q <- move(q, -x),  x the shortest with A x = c,  until c = 0      (Keppler 3.10b,c)
    velocity:  v <- v - x,        x the shortest with A x = c'                   (Keppler 3.10d)

Shortest in the metric of the mass matrix (mass-orthogonal), among the freedoms that are not kept.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from fecontact.errors import FINITE, POSITIVE, InputError, SolverError, check
from fecontact.system.assembly import Assembly
from fecontact.system.dynamics import consistent_accelerations
from fecontact.system.metric import RowMetric, row_metric
from fecontact.system.names import freedom_number, freedom_numbers
from fecontact.system.redundancy import CONFLICT
from fecontact.system.state import State
from fecontact.typing import Floats, Integers

__all__ = [
    "POSITION_TOLERANCE",
    "Projection",
    "named_state",
    "position_on_constraints",
    "projected",
    "velocity_on_constraints",
]

POSITION_TOLERANCE = 1e-11
"""Largest residual of a fulfilled position row, in its unit (m or rad)."""

MOST_ITERATIONS = 50
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
        Accelerations v'.
    moved, changed : (n,)
        Change of the positions (steps of the freedoms) and of the velocities.
    coordinates
        Names of the freedoms.
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


def named_state(
    assembly: Assembly, q: Mapping[str, float], v: Mapping[str, float], t: float = 0.0
) -> State:
    """State with some positions and velocities given by name; the others are those of rest.

    Positions are steps of the freedoms from the reference position: displacements, an angle, or
    the rotation vector (rx, ry, rz) of a body with three rotations.
    """
    check("time", float(t), FINITE, "s")
    step, speed = np.zeros((2, assembly.size))
    for kind, given, target in (("q", q, step), ("v", v, speed)):
        for name, value in given.items():
            check(f"{kind}['{name}']", float(value), FINITE)
            target[freedom_number(assembly, name)] = value
    return replace(assembly.rest(), t=float(t), q=assembly.move(assembly.rest().q, step), v=speed)


def projected(
    assembly: Assembly,
    state: State,
    keep: Iterable[str] = (),
    tolerance: float = POSITION_TOLERANCE,
) -> Projection:
    """Project positions and velocities on the constraints.

    Parameters
    ----------
    assembly, state
        The system, and the first guess.
    keep
        Names of freedoms, or of bodies, whose positions and velocities must not change. Of a body
        with three rotations, a kept one is not turned about its body-fixed axis.
    tolerance
        Largest residual of a position row, in its unit.

    Raises
    ------
    SolverError
        If rows cannot be met; the message names them.
    """
    _check_state(assembly, state)
    check("tolerance", tolerance, POSITIVE)
    kept = sorted({number for name in keep for number in freedom_numbers(assembly, name)})
    free = np.setdiff1d(np.arange(assembly.size), kept)
    hint = f" with {', '.join(assembly.coordinates[i] for i in kept)} kept" if kept else ""
    q, moved = position_on_constraints(assembly, state, free, tolerance, hint)
    v = velocity_on_constraints(assembly, replace(state, q=q), free, hint)
    found = replace(state, q=q, v=v)
    a, lam = consistent_accelerations(assembly, found)
    return Projection(replace(found, lam=lam), a, moved, v - state.v, assembly.coordinates)


def position_on_constraints(
    assembly: Assembly,
    state: State,
    free: Integers | None = None,
    tolerance: float = POSITION_TOLERANCE,
    hint: str = "",
) -> tuple[Floats, Floats]:
    """Coordinates q that fulfil the position rows, and the sum of steps (n,) that led there.

    Only the freedoms `free` move. Gauss-Newton with halved steps; redundant rows are allowed.
    """
    q, moved, bound = state.q, np.zeros(assembly.size), assembly.position_rows
    free = np.arange(assembly.size) if free is None else free
    rows = assembly.constraint(state)
    for _ in range(MOST_ITERATIONS):
        c = rows.value[bound]
        if np.abs(c).max(initial=0.0) <= tolerance:
            return q, moved
        metric = _metric(assembly, q, rows.jacobian[bound], free)
        step = np.zeros(assembly.size)
        step[free] = -metric.step(c)
        weights = np.where(metric.weights > 0.0, metric.weights, 1.0)
        size = np.linalg.norm(weights * c)
        for length in 0.5 ** np.arange(SHORTEST_STEP):
            trial = assembly.move(q, length * step)
            rows = assembly.constraint(replace(state, q=trial))
            if np.linalg.norm(weights * rows.value[bound]) < (1.0 - 0.1 * length) * size:
                break
        else:
            break
        q, moved = trial, moved + length * step
    left = assembly.constraint(replace(state, q=q)).value
    raise _unmet(assembly, "position", left, np.abs(left) > tolerance, hint)


def velocity_on_constraints(
    assembly: Assembly, state: State, free: Integers | None = None, hint: str = ""
) -> Floats:
    """Velocities that fulfil all rows, nearest to those of the state; only `free` change."""
    free = np.arange(assembly.size) if free is None else free
    rows = assembly.constraint(state)
    metric = _metric(assembly, state.q, rows.jacobian, free)
    v, rate = state.v.copy(), rows.rate
    offset = rows.jacobian @ v - rate
    largest = metric.largest(v[free])
    for _ in range(2):  # the second pass removes the round-off of the first
        v[free] -= metric.step(rate)
        rate = rows.jacobian @ v - offset
    held = np.setdiff1d(np.arange(assembly.size), free)
    given = np.abs(offset) + np.abs(rows.jacobian[:, held]) @ np.abs(v[held])
    wrong = np.abs(rate) > CONFLICT * (largest + metric.largest(v[free]) + given)
    if wrong.any():
        raise _unmet(assembly, "velocity", rate, wrong, hint)
    return v


def _metric(assembly: Assembly, q: Floats, jacobian: Floats, free: Integers) -> RowMetric:
    mass = assembly.mass_matrix(q)
    return row_metric(mass[np.ix_(free, free)], jacobian[:, free])


def _unmet(
    assembly: Assembly, kind: str, left: Floats, wrong: npt.NDArray[np.bool_], hint: str
) -> SolverError:
    worst = sorted(np.flatnonzero(wrong), key=lambda i: -abs(left[i]))
    names = ", ".join(f"{assembly.rows[i]} ({left[i]:+.2e})" for i in sorted(worst[:LISTED]))
    more = f" and {len(worst) - LISTED} more" if len(worst) > LISTED else ""
    return SolverError(
        f"the {kind} constraints cannot be met{hint}: {names}{more}; remove conflicting rows, keep "
        "fewer coordinates, or start from a closer guess"
    )


def _check_state(assembly: Assembly, state: State) -> None:
    check("time", float(state.t), FINITE, "s")
    sizes = (("q", state.q, len(assembly.rest().q)), ("v", state.v, assembly.size))
    for kind, values, size in sizes:
        if np.shape(values) != (size,):
            raise InputError(f"{kind} has shape {np.shape(values)}; it must be ({size},)")
        for body in assembly.bodies:
            part = values[(assembly.q_slices if kind == "q" else assembly.slices)[body.name]]
            if not np.isfinite(part).all():
                raise InputError(
                    f"{kind} of body '{body.name}' = {part.tolist()} is not possible: it must be "
                    "finite numbers"
                )
