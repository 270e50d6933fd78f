"""Accelerations and multipliers by Gauss' principle.

Of all v' that the constraints allow, the one nearest to M^-1 f in the metric of M (Keppler 3.41):

    v' = M^-1 f + x,     x the shortest with A x = -(bias + A M^-1 f),     M x = A^T lam .

v' and the constraint forces A^T lam are unique even if rows are redundant; the multipliers then are
the smallest ones, see `Redundancy`.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.rigid.contact import RigidContact
from fecontact.errors import SolverError
from fecontact.system.assembly import Assembly
from fecontact.system.constraints.metric import RowMetric, row_metric
from fecontact.system.rate import SystemRate
from fecontact.system.state import State
from fecontact.typing import Floats

__all__ = ["accelerations", "consistent_accelerations", "loaded_force"]

CONFLICT = 1e-6
"""Fraction of the accelerations by which redundant rows may disagree at a consistent state."""

INSIDE = 1e-3
"""Fraction of |A| |v|^2 that counts as a term: the terms of the bias may cancel each other."""


def loaded_force(assembly: Assembly, state: State) -> Floats:
    """Generalised force (n,) with the contact history of the state; without one contacts slide."""
    if assembly.history_layout and len(state.z):
        return SystemRate.of(assembly, state).force
    return assembly.force(state)


def accelerations(
    assembly: Assembly, state: State, rank: int | None = None, force: Floats | None = None
) -> tuple[Floats, Floats]:
    """Accelerations v' (n,) and multipliers lam (m,); rows that conflict are met in the mean.

    At most `rank` independent rows are taken into account. The force (n,) may be given.
    """
    return _solve(assembly, state, rank=rank, force=force)[:2]


def consistent_accelerations(
    assembly: Assembly, state: State, metric: RowMetric | None = None
) -> tuple[Floats, Floats]:
    """Accelerations and multipliers; rows that conflict raise a `SolverError` naming them.

    The decomposed rows at the positions of the state may be given if they are known. Contacts
    without a history never touched, as in `simulate`.
    """
    force = _untouched(assembly, state) if assembly.history_layout else assembly.force(state)
    a, lam, disagreement = _solve(assembly, state, metric, force=force)
    wrong = np.flatnonzero(disagreement > CONFLICT)
    if len(wrong):
        names = ", ".join(assembly.rows[i] for i in wrong)
        raise SolverError(
            f"the constraints ask for accelerations that exclude each other: {names}; remove one "
            "of them or make the prescribed motions equal"
        )
    return a, lam


def _untouched(assembly: Assembly, state: State) -> Floats:
    """Force (n,) with the history of the state; without one bristles are unbent.

    NaN if a rigid contact without history is closed: its force is no function of the state.
    """
    force = SystemRate.of(assembly, state).force
    for item in assembly.stateful_contacts:
        if isinstance(item, RigidContact) and not len(state.z):
            q, v = assembly.local(item, state)
            if np.any(item.conditions(state.t, q, v).gap <= 0.0):
                return np.full_like(force, np.nan)
    return force


def _solve(
    assembly: Assembly, state: State, metric: RowMetric | None = None, rank: int | None = None,
    force: Floats | None = None,
) -> tuple[Floats, Floats, Floats]:  # fmt: skip
    """Accelerations, multipliers, and by which fraction of its terms each row is not met."""
    force = loaded_force(assembly, state) if force is None else force
    if not assembly.constraints:
        M = assembly.mass_matrix(state.q)
        a = np.asarray(np.linalg.solve(M, force), dtype=float)
        return a, np.zeros(0), np.zeros(0)
    rows = assembly.constraint(state)
    metric = metric or row_metric(assembly.mass_matrix(state.q), rows.jacobian, rank)
    free = metric.acceleration(force)
    missing = -(rows.bias + rows.jacobian @ free)
    a = free + metric.step(missing)
    turning = float(np.abs(state.v).max(initial=0.0)) * metric.largest(state.v)
    terms = np.abs(rows.bias) + metric.largest(free) + metric.largest(a) + INSIDE * turning
    left = np.abs(rows.bias + rows.jacobian @ a)
    fraction = np.divide(left, terms, out=np.zeros_like(left), where=left > 0.0)
    return a, metric.multipliers(missing), fraction
