"""Compiled rates of a system in continuous time, and what its contact points do.

    q' = T(q) v,      M v' = f(t, q, v, z),      z' = Z(t, q, v, z)

with slip work and path of the points, and the powers of the energy audit behind them, in the order
of `integrate.rate.ode`. The contacts follow the continuous law, or keep their status (between two
events). Systems without constraints.
"""

from __future__ import annotations

from math import isfinite

import numpy as np

from fecontact.contact.kernels.fixed_status import SIGNALS
from fecontact.integrate.audit import MOMENT
from fecontact.kernels.arrays import Bundle, integers, part
from fecontact.kernels.calls import call_at
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    D_INERTIA,
    LOST,
    MASS,
    POWERS,
    RECORD,
    STORED,
    SUPPLIED,
    TANGENTS,
)
from fecontact.kernels.sums import clear
from fecontact.solvers.dense import lu_factorise, lu_solve
from fecontact.system.program.kernels import (
    ADDRESS,
    DOFS,
    ITEM,
    PARAMETERS,
    RECORDS,
    SIZE,
    V_INDICES,
    call_item,
    inertia,
)
from fecontact.typing import Floats, Integers

__all__ = [
    "AUDITED",
    "COLUMNS",
    "COORDINATES",
    "DOF_COUNT",
    "FIRST",
    "FIRST_Z",
    "FORCE_BY_Z",
    "NEW_STATUS",
    "POINTS",
    "RATE",
    "RATE_BY_Q",
    "RATE_BY_V",
    "RATE_BY_Z",
    "ROW",
    "SIGNAL",
    "SLIPS",
    "STATES",
    "STATUS",
    "SUMS",
    "TOTALS",
    "TOWARD",
    "Equations",
    "Tangents",
    "Z",
    "coordinate_rates",
    "kinetic_energy",
    "rates",
    "slopes_of_coordinates",
    "tangents",
]

(ROW, POINTS, STATES, FIRST, FIRST_Z, Z, STATUS, RATE, TOTALS, NEW_STATUS, TOWARD, SIGNAL,
 FORCE_BY_Z, RATE_BY_Q, RATE_BY_V, RATE_BY_Z) = range(16)  # fmt: skip
COLUMNS = 16
"""Columns of `Equations.contacts`: row of the table, numbers of points and of their internal
variables, numbers of the first point and of its first variable; then where the parts of its memory
begin in the working array (-1: there is none), first what is given and last the derivatives."""
COORDINATES, DOF_COUNT, SLIPS, SUMS, AUDITED = range(5)
"""Sizes: coordinates, dofs, where slip totals and sums of the audit begin, whether these are
kept."""


class Equations(Bundle):
    """The program of a system in continuous time.

    Attributes
    ----------
    table, indices, work, moving
        As in `system.program.kernels`.
    tasks, time_dependent : (rows,)
        What is asked of the rows, and 1 for those whose potential depends on time.
    loads, supplying : (items,)
        1 for items whose work is supplied, and for bodies that know the power of their drive.
    plain, turns
        Dofs that are coordinates, and those of quaternions, see `system.program.kernels.moved`.
    contacts : (c, 16)
        Stateful contacts.
    sizes
        By the names above.
    mass, matrix, factors, pivots
        Constant part of the mass matrix; the whole; its factors.
    forces, force : (items, n), (n,)
        Forces of the items, and their sum, then accelerations.
    lost, given : (items,)
        Powers of the audit.
    status, toward, signals, new_status : (p,), (p, 3), (13, p), (p,)
        Points of all contacts: given are status and, if it is kept, the direction of slip; then
        what events look at, or the status that follows from the state.
    """

    table: Integers
    indices: Integers
    work: Floats
    moving: Integers
    tasks: Integers
    time_dependent: Integers
    loads: Integers
    supplying: Integers
    plain: Integers
    turns: Integers
    contacts: Integers
    sizes: Integers
    mass: Floats
    matrix: Floats
    factors: Floats
    pivots: Integers
    forces: Floats
    force: Floats
    lost: Floats
    given: Floats
    status: Integers
    toward: Floats
    signals: Floats
    new_status: Integers


class Tangents(Bundle):
    """Derivatives of the force (n,) and of the rates z' by q, v (n) and z."""

    force_by_q: Floats
    force_by_v: Floats
    force_by_z: Floats
    z_rate_by_q: Floats
    z_rate_by_v: Floats
    z_rate_by_z: Floats


@kernel
def rates(s: Equations, t: float, y: Floats, result: Floats) -> int:
    """Rates of all that is integrated; returns the row that fails, from 1, or 0."""
    for j in range(len(y)):
        if not isfinite(y[j]):
            for k in range(len(y)):
                result[k] = np.nan  # the solver rejects the trial step and shortens it
            return 0
    n_q, n = s.sizes[COORDINATES], s.sizes[DOF_COUNT]
    q, v = part(y, 0, n_q), part(y, n_q, n)
    _write_points(s, y)
    failed = _forces(s, t, q, v)
    if failed:
        return failed
    _read_points(s, result)
    coordinate_rates(s.plain, s.turns, q, v, result)
    base = s.sizes[SUMS]
    for j in range(base, len(result)):
        result[j] = 0.0
    if s.sizes[AUDITED]:
        failed = _powers(s, t, q, v, result)
        if failed:
            return failed
    if not _accelerate(s, q):
        return len(s.table) + 1
    for j in range(n):
        result[n_q + j] = s.force[j]
    return 0


@kernel
def _write_points(s: Equations, y: Floats) -> None:
    """Internal variables, status and directions of the points, for the contacts."""
    at = s.sizes[COORDINATES] + s.sizes[DOF_COUNT]
    for c in range(len(s.contacts)):
        row = s.contacts[c]
        n, first = row[POINTS], row[FIRST]
        for k in range(n * row[STATES]):
            s.work[row[Z] + k] = y[at + row[FIRST_Z] + k]
        statuses = integers(s.work, row[STATUS], n)
        for i in range(n):
            statuses[i] = s.status[first + i]
        for k in range(3 * n if row[TOWARD] >= 0 else 0):
            s.work[row[TOWARD] + k] = s.toward[first + k // 3, k % 3]


@kernel
def _read_points(s: Equations, result: Floats) -> None:
    """Rates of internal variables and slip totals, and what else the contacts have left."""
    at, slips = s.sizes[COORDINATES] + s.sizes[DOF_COUNT], s.sizes[SLIPS]
    for c in range(len(s.contacts)):
        row = s.contacts[c]
        n, first = row[POINTS], row[FIRST]
        for k in range(n * row[STATES]):
            result[at + row[FIRST_Z] + k] = s.work[row[RATE] + k]
        for k in range(2 * n):
            result[slips + 2 * first + k] = s.work[row[TOTALS] + k]
        for k in range(SIGNALS * n if row[SIGNAL] >= 0 else 0):
            s.signals[k // n, first + k % n] = s.work[row[SIGNAL] + k]
        if row[NEW_STATUS] >= 0:
            statuses = integers(s.work, row[NEW_STATUS], n)
            for i in range(n):
                s.new_status[first + i] = statuses[i]


@kernel
def _forces(s: Equations, t: float, q: Floats, v: Floats) -> int:
    """Forces of all items, their sum, and lost and supplied powers."""
    clear(s.forces)
    for j in range(len(s.force)):
        s.force[j] = 0.0
    for i in range(len(s.lost)):
        s.lost[i] = s.given[i] = 0.0
    for i in range(len(s.table)):
        if s.table[i, ADDRESS] == 0:
            continue
        if call_item(s.table, i, s.indices, s.work, t, q, v, s.tasks[i]) != 0.0:
            return i + 1
        n, item, record = s.table[i, DOFS], s.table[i, ITEM], s.table[i, RECORDS]
        at, first = record + RECORD + s.table[i, SIZE] + n, s.table[i, V_INDICES]
        for k in range(n):
            j = s.indices[first + k]
            s.forces[item, j] += s.work[at + k]
            s.force[j] += s.work[at + k]
        if s.tasks[i] == POWERS:
            s.lost[item] += s.work[record + LOST]
            if s.supplying[item]:
                s.given[item] += s.work[record + SUPPLIED]
    return 0


@kernel
def coordinate_rates(
    plain: Integers, turns: Integers, q: Floats, v: Floats, result: Floats
) -> None:
    """Rates q': those of quaternions are p o (0, omega)/2."""
    for k in range(len(plain)):
        result[plain[k, 1]] = v[plain[k, 0]]
    for k in range(len(turns)):
        at = turns[k, 3]
        x, y, z = 0.5 * v[turns[k, 0]], 0.5 * v[turns[k, 1]], 0.0
        if turns[k, 2] < len(v):
            z = 0.5 * v[turns[k, 2]]
        a, b, c, d = q[at], q[at + 1], q[at + 2], q[at + 3]
        result[at] = -b * x - c * y - d * z
        result[at + 1] = a * x + c * z - d * y
        result[at + 2] = a * y + d * x - b * z
        result[at + 3] = a * z + b * y - c * x


@kernel
def slopes_of_coordinates(
    plain: Integers, turns: Integers, q: Floats, v: Floats, by_v: Floats, by_q: Floats
) -> None:
    """Derivatives of the rates q', which are bilinear in quaternions and v, by v and q."""
    for k in range(len(plain)):
        by_v[plain[k, 1], plain[k, 0]] = 1.0
    for k in range(len(turns)):
        at, count = turns[k, 3], 3 if turns[k, 2] < len(v) else 2
        a, b, c, d = 0.5 * q[at], 0.5 * q[at + 1], 0.5 * q[at + 2], 0.5 * q[at + 3]
        for j in range(count):
            column, omega = turns[k, j], 0.5 * v[turns[k, j]]
            m, n = 1 + (j + 1) % 3, 1 + (j + 2) % 3  # the other two components
            by_v[at, column] = -(b, c, d)[j]
            by_v[at + 1 + j, column] = a
            by_v[at + m, column] = (d, b, c)[j]
            by_v[at + n, column] = -(c, d, b)[j]
            by_q[at, at + 1 + j] -= omega
            by_q[at + 1 + j, at] += omega
            by_q[at + m, at + n] += omega
            by_q[at + n, at + m] -= omega


@kernel
def tangents(s: Equations, t: float, y: Floats, by: Tangents) -> int:
    """Derivatives of forces and rates by q, v and z; returns the row that fails, from 1, or 0.

    Only for contacts that follow the continuous law.
    """
    n_q, n = s.sizes[COORDINATES], s.sizes[DOF_COUNT]
    q, v = part(y, 0, n_q), part(y, n_q, n)
    clear(by.force_by_q)
    clear(by.force_by_v)
    clear(by.force_by_z)
    clear(by.z_rate_by_q)
    clear(by.z_rate_by_v)
    clear(by.z_rate_by_z)
    _write_points(s, y)
    for i in range(len(s.table)):
        if call_item(s.table, i, s.indices, s.work, t, q, v, TANGENTS) != 0.0:
            return i + 1
        m, first = s.table[i, DOFS], s.table[i, V_INDICES]
        at = s.table[i, RECORDS] + RECORD + s.table[i, SIZE] + 2 * m
        for k in range(m):
            for j in range(m):
                row, column = s.indices[first + k], s.indices[first + j]
                by.force_by_q[row, column] += s.work[at + m * k + j]
                by.force_by_v[row, column] += s.work[at + m * m + m * k + j]
    for c in range(len(s.contacts)):
        _add_contact(s, s.contacts[c], by)
    return 0


@kernel
def _add_contact(s: Equations, row: Integers, by: Tangents) -> None:
    """Derivatives of the force by the internal variables of a contact, and of their rates."""
    states, count = row[STATES], row[POINTS] * row[STATES]
    m, first = s.table[row[ROW], DOFS], s.table[row[ROW], V_INDICES]
    for k in range(count):
        at = row[FIRST_Z] + k
        for j in range(m):
            dof = s.indices[first + j]
            by.force_by_z[dof, at] += s.work[row[FORCE_BY_Z] + j * count + k]
            by.z_rate_by_q[at, dof] += s.work[row[RATE_BY_Q] + k * m + j]
            by.z_rate_by_v[at, dof] += s.work[row[RATE_BY_V] + k * m + j]
        for j in range(states):
            value = s.work[row[RATE_BY_Z] + k * states + j]
            by.z_rate_by_z[at, row[FIRST_Z] + k // states * states + j] = value


@kernel
def _mass(s: Equations, q: Floats) -> None:
    """Mass matrix of bodies whose own depends on q, with that of the others."""
    n = len(s.force)
    for i in range(n):
        for j in range(n):
            s.matrix[i, j] = s.mass[i, j]
    inertia(s.moving, s.indices, s.work, q, s.force, MASS, s.matrix)


@kernel
def _accelerate(s: Equations, q: Floats) -> bool:
    """Accelerations in place of the sum of the forces; False if the mass matrix is singular."""
    if len(s.moving):
        _mass(s, q)
        n = len(s.force)
        for i in range(n):
            for j in range(n):
                s.factors[i, j] = s.matrix[i, j]
        if not lu_factorise(s.factors, s.pivots):
            return False
    lu_solve(s.factors, s.pivots, s.force)
    return True


@kernel
def kinetic_energy(s: Equations, q: Floats, v: Floats) -> float:
    """V . M v/2 in J."""
    if len(s.moving):
        _mass(s, q)
    total = 0.0
    for i in range(len(v)):
        for j in range(len(v)):
            total += v[i] * s.matrix[i, j] * v[j]
    return 0.5 * total


@kernel
def _powers(s: Equations, t: float, q: Floats, v: Floats, result: Floats) -> int:
    """Powers of the audit, as `EnergyAudit.powers`: of each force, lost, given."""
    items, base = len(s.lost), s.sizes[SUMS]
    for item in range(items):
        power = 0.0
        for j in range(len(v)):
            power += s.forces[item, j] * v[j]
        result[base + item] = power
    failed = _turning_powers(s, q, v, result)
    if failed:
        return failed
    failed = _timed_powers(s, t, q, v)
    if failed:
        return failed
    for item in range(items):
        result[base + items + 1 + item] = s.lost[item]
        given = result[base + item] if s.loads[item] else s.given[item]
        result[base + 2 * items + 1 + item] = given
    for c in range(len(s.contacts)):
        row = s.contacts[c, ROW]
        item, record = s.table[row, ITEM], s.table[row, RECORDS]
        result[base + items + 1 + item] = s.work[record + LOST]
        result[base + 2 * items + 1 + item] = s.work[record + SUPPLIED]
    return 0


@kernel
def _turning_powers(s: Equations, q: Floats, v: Floats, result: Floats) -> int:
    """Add half of v . M' v to the power of bodies whose mass matrix depends on q."""
    for i in range(len(s.moving)):
        row, n = s.moving[i], s.moving[i, DOFS]
        first, at = row[V_INDICES], row[RECORDS] + RECORD + row[SIZE] + n
        for k in range(n):
            s.work[at + k] = v[s.indices[first + k]]
        w = part(s.work, row[RECORDS], len(s.work) - row[RECORDS])
        if call_at(row[ADDRESS], w, row[PARAMETERS], float(D_INERTIA)) != 0.0:
            return len(s.table) + 1
        for k in range(n):
            for m in range(n):
                turned = s.work[at + n + n * k + m] * v[s.indices[first + m]]
                result[s.sizes[SUMS] + row[ITEM]] += 0.5 * v[s.indices[first + k]] * turned
    return 0


@kernel
def _timed_powers(s: Equations, t: float, q: Floats, v: Floats) -> int:
    """Add the change of potentials by time alone to the supplied powers."""
    for i in range(len(s.table)):
        if not s.time_dependent[i]:
            continue
        item, record = s.table[i, ITEM], s.table[i, RECORDS]
        for sign in (-1.0, 1.0):
            if call_item(s.table, i, s.indices, s.work, t + sign * MOMENT, q, v, POWERS) != 0.0:
                return i + 1
            s.given[item] += sign * s.work[record + STORED] / (2.0 * MOMENT)
    return 0
