"""Compiled rates of a system between two events, and what its contact points do.

    q' = T(q) v,      M v' = f(t, q, v, z),      z' = Z(t, q, v, z)

with slip work and path of the points, and the powers of the energy audit behind them, in the order
of `integrate.rate.ode`. Systems without constraints.
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
    "COORDINATES",
    "DOF_COUNT",
    "SLIPS",
    "SUMS",
    "Equations",
    "coordinate_rates",
    "kinetic_energy",
    "rates",
]

ROW, POINTS, FIRST, MEMORY = range(4)
"""Columns of `Equations.contacts`: row of the table, number of points, number of the first one, and
where its memory (`contact.evaluate.lowered_fixed_status.PARTS`) begins in the working array."""
COORDINATES, DOF_COUNT, SLIPS, SUMS, AUDITED = range(5)
"""Sizes: coordinates, dofs, where slip totals and sums of the audit begin, whether these are
kept."""


class Equations(Bundle):
    """The program of a system between two events.

    Attributes
    ----------
    table, indices, work, moving
        As in `system.program.kernels`.
    tasks, timed : (rows,)
        What is asked of the rows, and 1 for those whose potential depends on time.
    loads, supplying : (items,)
        1 for items whose work is supplied, and for bodies that know the power of their drive.
    plain, turns
        Dofs that are coordinates, and those of quaternions, see `system.program.kernels.moved`.
    contacts : (c, 4)
        Stateful contacts.
    sizes
        By the names above.
    mass, matrix, factors, pivots
        Constant part of the mass matrix; the whole; its factors.
    forces, force : (items, n), (n,)
        Forces of the items, and their sum, then accelerations.
    lost, given : (items,)
        Powers of the audit.
    status, toward, signals : (p,), (p, 3), (13, p)
        Points of all contacts: given are status and direction of slip; what events look at.
    """

    table: Integers
    indices: Integers
    work: Floats
    moving: Integers
    tasks: Integers
    timed: Integers
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


@kernel
def rates(s: Equations, t: float, y: Floats, result: Floats) -> int:
    """Rates of all that is integrated, and signals; returns the row that fails, from 1, or 0."""
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
    """Elastic slip, status and directions of the points, for the contacts."""
    at = s.sizes[COORDINATES] + s.sizes[DOF_COUNT]
    for c in range(len(s.contacts)):
        n, first, memory = s.contacts[c, POINTS], s.contacts[c, FIRST], s.contacts[c, MEMORY]
        statuses = integers(s.work, memory + 3 * n, n)
        for i in range(n):
            statuses[i] = s.status[first + i]
            for k in range(3):
                s.work[memory + 3 * i + k] = y[at + 3 * (first + i) + k]
                s.work[memory + 4 * n + 3 * i + k] = s.toward[first + i, k]


@kernel
def _read_points(s: Equations, result: Floats) -> None:
    """Rates of elastic slip and slip totals, and signals, as the contacts have left them."""
    at, slips = s.sizes[COORDINATES] + s.sizes[DOF_COUNT], s.sizes[SLIPS]
    for c in range(len(s.contacts)):
        n, first, memory = s.contacts[c, POINTS], s.contacts[c, FIRST], s.contacts[c, MEMORY]
        for i in range(n):
            for k in range(3):
                result[at + 3 * (first + i) + k] = s.work[memory + 3 * i + k]
            for k in range(2):
                result[slips + 2 * (first + i) + k] = s.work[memory + 7 * n + 2 * i + k]
            for k in range(SIGNALS):
                s.signals[k, first + i] = s.work[memory + 9 * n + n * k + i]


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
        if not s.timed[i]:
            continue
        item, record = s.table[i, ITEM], s.table[i, RECORDS]
        for sign in (-1.0, 1.0):
            if call_item(s.table, i, s.indices, s.work, t + sign * MOMENT, q, v, POWERS) != 0.0:
                return i + 1
            s.given[item] += sign * s.work[record + STORED] / (2.0 * MOMENT)
    return 0
