"""Redundant constraint rows: which ones, how many motions are left, whether they conflict."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fecontact.system.assembly import Assembly
from fecontact.system.constraints.metric import RANK_TOLERANCE, RowMetric, row_metric
from fecontact.system.constraints.rows import Constraints
from fecontact.system.state import State
from fecontact.typing import Floats, Integers

__all__ = ["UNIQUE", "Redundancy", "bound_mass", "redundancy"]

CONFLICT = 1e-8
"""Residual that redundant rows may have: in m or rad, and as a fraction of the velocities."""

STILL = 1e-14
"""A rate in m/s or rad/s that is none: round-off of a mechanism at rest."""

UNIQUE = 1e-5
"""Fraction of a multiplier or reaction that redundant rows may shift without being flagged."""


@dataclass(frozen=True)
class Redundancy:
    """Rank of the constraint rows at one state.

    Attributes
    ----------
    rank, mobility
        Number of independent rows, and of motions that are left: n - rank.
    redundant
        Names of the rows that follow from earlier ones.
    undetermined
        Names of the rows whose multipliers are not unique; they share their load such that the
        sum of (lam_i |A_i|)^2 is smallest, |A_i| the length of the row in the metric of M^-1.
    conflicts
        Row name -> residual for rows that no small motion and no velocity can fulfil together:
        of position in m or rad, else of velocity in m/s or rad/s.
    singular_values
        Of the rows, scaled to unit length in the metric of M^-1.
    """

    rank: int
    mobility: int
    redundant: tuple[str, ...]
    undetermined: tuple[str, ...]
    conflicts: dict[str, float]
    singular_values: Floats


def redundancy(assembly: Assembly, state: State) -> Redundancy:
    """Analyse the constraint rows at a state; the decision does not depend on units."""
    rows = assembly.constraint(state)
    mass, columns = bound_mass(assembly, state, rows.jacobian)
    metric = row_metric(mass, rows.jacobian[:, columns])
    kept, alone = _independent(metric), _determined(metric)
    return Redundancy(
        rank=metric.rank,
        mobility=assembly.size - metric.rank,
        redundant=tuple(name for name, keep in zip(assembly.rows, kept, strict=True) if not keep),
        undetermined=tuple(name for name, own in zip(assembly.rows, alone, strict=True) if not own),
        conflicts=_conflicts(assembly, state, rows, columns, metric),
        singular_values=metric.singular_values,
    )


def _determined(metric: RowMetric) -> npt.NDArray[np.bool_]:
    """Whether the multiplier of each row is unique: no dependence of the rows contains it."""
    ambiguous = 1.0 - np.einsum("ij,ij->i", metric.left, metric.left)
    return ambiguous < UNIQUE**2


def _independent(metric: RowMetric) -> npt.NDArray[np.bool_]:
    """First rows that span all of them, by Gram-Schmidt in the given order."""
    kept = np.zeros(len(metric.scaled), dtype=bool)
    basis = np.zeros_like(metric.right)
    limit = RANK_TOLERANCE / np.sqrt(max(len(kept), 1))
    for index, row in enumerate(metric.scaled):
        found = np.count_nonzero(kept)
        if found == metric.rank:
            break
        rest = row
        for _ in range(2):  # the second pass removes the round-off of the first
            rest = rest - (basis @ rest) @ basis
        length = np.linalg.norm(rest)
        if length > limit:
            kept[index], basis[found] = True, rest / length
    return kept


def bound_mass(
    assembly: Assembly, state: State, jacobian: Floats
) -> tuple[Floats, slice | Integers]:
    """Mass matrix for the metric of constraint rows, and the dofs that it refers to: all.

    In a system with full finite-element bodies they are those that the rows bind, and each unknown
    of a full body counts as 1 kg: ranks do not need the masses.
    """
    if not assembly.full:
        return assembly.mass_matrix(state.q), slice(None)
    columns = np.flatnonzero(jacobian.any(axis=0))
    mass = np.eye(len(columns))
    for body in assembly.bodies:
        if body.name not in assembly.full:
            part = assembly.slices[body.name]
            own = np.flatnonzero((columns >= part.start) & (columns < part.stop))
            M = body.mass_matrix(state.q[assembly.q_slices[body.name]])
            inside = columns[own] - part.start
            mass[np.ix_(own, own)] = M[np.ix_(inside, inside)]
    return mass, columns


def _conflicts(
    assembly: Assembly,
    state: State,
    rows: Constraints,
    columns: slice | Integers,
    metric: RowMetric,
) -> dict[str, float]:
    bound = assembly.position_rows
    position_metric = row_metric(metric.factor @ metric.factor.T, rows.jacobian[bound][:, columns])
    position = np.zeros(len(rows.value))
    position[bound] = position_metric.unmet(rows.value[bound])
    velocity = metric.unmet(rows.rate)
    given = np.abs(rows.jacobian @ state.v - rows.rate)
    needed = metric.largest(state.v[columns]) + metric.largest(metric.step(rows.rate)) + given
    allowed = CONFLICT * needed + STILL
    conflicts = {}
    for index, name in enumerate(assembly.rows):
        if abs(position[index]) > CONFLICT:
            conflicts[name] = float(position[index])
        elif abs(velocity[index]) > allowed[index]:
            conflicts[name] = float(velocity[index])
    return conflicts
