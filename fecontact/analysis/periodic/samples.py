"""A system at the samples of a period in one compiled loop, by its program in continuous time.

The free coordinates q, their velocities and accelerations are given at the samples, and the
components z_s of the elastic slip along the surfaces (`SystemMotion.directions`): one block per
contact point, which couples to no other point. `march` follows them by backward differences of
second order, as `periodic_history` has it.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.kernels.motion import copy
from fecontact.kernels.arrays import Bundle, matrix, part
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import D_INERTIA, FORCE, MASS, RATES, RECORD, TANGENTS
from fecontact.solvers.dense import lu_factorise, lu_solve
from fecontact.system.program.kernels import (
    DOFS,
    ITEM,
    RECORDS,
    SIZE,
    V_INDICES,
    call_item,
    inertia,
)
from fecontact.system.program.rates import (
    FIRST_POINT,
    FORCE_BY_Z,
    LIMIT,
    LIMIT_BY_Q,
    LIMIT_BY_V,
    POINTS,
    RATE,
    RATE_BY_Q,
    RATE_BY_V,
    RATE_BY_Z,
    ROW,
    STATES,
    Z,
)
from fecontact.typing import Floats, Integers

__all__ = [
    "BLOCKS",
    "DIRECTIONS",
    "DONE",
    "FAILED",
    "FIRST",
    "NOT_FINITE",
    "NOT_FOUND",
    "Marching",
    "Rates",
    "Samples",
    "evaluate_contacts",
    "evaluate_sample",
    "evaluate_samples",
    "force_sample",
    "march_samples",
]

FIRST, DIRECTIONS, BLOCKS = 17, 18, 19
"""Further columns of the contacts: their first component z_s, and where their directions and the
derivatives of rates by z_s begin."""
DONE, NOT_FINITE, NOT_FOUND, FAILED = range(4)
"""How a march ends: well, with numbers that are not finite, without a balance of the bristles, or
at an item that cannot be evaluated."""


class Rates(Bundle):
    """Program of a system and its contacts, and working space.

    `free` are the indices of the free dofs (-1: driven), `directions` those (k, k - 1) of the
    points one after another.
    """

    table: Integers
    indices: Integers
    work: Floats
    moving: Integers
    contacts: Integers
    free: Integers
    directions: Floats
    constant_mass: Floats
    mass: Floats
    turned: Floats
    a: Floats
    by_item: Floats


class Samples(Bundle):
    """Motion at the samples, q and v of all dofs, a of the free ones, and the balances there.

    See `Balances`; `z_by_z` are the blocks of the points, flat.
    """

    t: Floats
    q: Floats
    v: Floats
    a: Floats
    z: Floats
    residual: Floats
    acting: Floats
    by_q: Floats
    by_v: Floats
    by_a: Floats
    by_z: Floats
    rate: Floats
    z_by_q: Floats
    z_by_v: Floats
    z_by_z: Floats
    limit: Floats
    limit_by_q: Floats
    limit_by_v: Floats


class Marching(Bundle):
    """What a march needs besides.

    Fourier functions and slopes (N, h), free velocities (N, n), the derivatives (N, s, columns) of
    z, factors of the blocks, working space, and the numbers 1/(2 h), omega, tolerance, fall of
    corrections at which factors are kept, iterations, and the largest z so far.
    """

    value: Floats
    slope: Floats
    speed: Floats
    dz: Floats
    factors: Floats
    pivots: Integers
    column: Floats
    change: Floats
    now: Floats
    numbers: Floats


SLOW, OMEGA, TOLERANCE, FAST, ITERATIONS, LARGEST = range(6)


@kernel(fastmath=True)
def _write_history(rates: Rates, z: Floats) -> None:
    """Elastic slip of all points from its components (s,)."""
    for c in range(len(rates.contacts)):
        row = rates.contacts[c]
        k = row[STATES]
        for p in range(row[POINTS]):
            D = matrix(rates.directions, row[DIRECTIONS] + p * k * (k - 1), k, k - 1)
            for a in range(k):
                total = 0.0
                for b in range(k - 1):
                    total += D[a, b] * z[row[FIRST] + p * (k - 1) + b]
                rates.work[row[Z] + p * k + a] = total


@kernel(fastmath=True)
def _read_rates(rates: Rates, result: Floats) -> None:
    """Components (s,) of the rates of all points."""
    for c in range(len(rates.contacts)):
        row = rates.contacts[c]
        k = row[STATES]
        for p in range(row[POINTS]):
            D = matrix(rates.directions, row[DIRECTIONS] + p * k * (k - 1), k, k - 1)
            for b in range(k - 1):
                total = 0.0
                for a in range(k):
                    total += D[a, b] * rates.work[row[RATE] + p * k + a]
                result[row[FIRST] + p * (k - 1) + b] = total


@kernel(fastmath=True)
def _slips(rates: Rates, t: float, q: Floats, v: Floats, z: Floats, result: Floats) -> bool:
    """Rates (s,) at a state; False if a contact cannot be evaluated."""
    _write_history(rates, z)
    for c in range(len(rates.contacts)):
        i = rates.contacts[c, ROW]
        if call_item(rates.table, i, rates.indices, rates.work, t, q, v, FORCE) != 0.0:
            return False
    _read_rates(rates, result)
    return True


@kernel(fastmath=True)
def _add_force(rates: Rates, i: int) -> None:
    """Force of an item to the others of its number."""
    table, n, first = rates.table, rates.table[i, DOFS], rates.table[i, V_INDICES]
    at = table[i, RECORDS] + RECORD + table[i, SIZE] + n
    for a in range(n):
        rates.by_item[table[i, ITEM], rates.indices[first + a]] += rates.work[at + a]


@kernel(fastmath=True)
def _add_item(rates: Rates, samples: Samples, k: int, i: int) -> None:
    """Force of an item to the others of its number, its derivatives to the balance."""
    table, work, free = rates.table, rates.work, rates.free
    n, first = table[i, DOFS], table[i, V_INDICES]
    at = table[i, RECORDS] + RECORD + table[i, SIZE] + n
    by_q, by_v = matrix(work, at + n, n, n), matrix(work, at + n + n * n, n, n)
    _add_force(rates, i)
    for a in range(n):
        row = free[rates.indices[first + a]]
        if row < 0:
            continue
        for b in range(n):
            column = free[rates.indices[first + b]]
            if column >= 0:
                samples.by_q[k, row, column] -= by_q[a, b]
                samples.by_v[k, row, column] -= by_v[a, b]


@kernel(fastmath=True)
def _add_inertia(rates: Rates, samples: Samples, k: int, q: Floats) -> bool:
    """Mass matrix, and what the forces leave of M a."""
    mass, free, n = rates.constant_mass, rates.free, len(rates.free)
    for i in range(n):
        rates.a[i] = samples.a[k, free[i]] if free[i] >= 0 else 0.0
    if len(rates.moving) > 0:
        rates.turned[:] = 0.0
        for i in range(n):
            copy(mass[i], rates.mass[i])
        args = rates.moving, rates.indices, rates.work, q, rates.a
        if inertia(*args, MASS, rates.mass) != 0 or inertia(*args, D_INERTIA, rates.turned) != 0:
            return False
        mass = rates.mass
    for i in range(n):
        row = free[i]
        if row < 0:
            continue
        left = acting = 0.0
        for j in range(n):
            column = free[j]
            if column < 0:
                continue
            left += mass[i, j] * rates.a[j]
            acting += abs(mass[i, j]) * abs(rates.a[j])
            samples.by_a[k, row, column] = mass[i, j]
            if len(rates.moving) > 0:
                samples.by_q[k, row, column] += rates.turned[i, j]
        for item in range(len(rates.by_item)):
            left -= rates.by_item[item, i]
            acting += abs(rates.by_item[item, i])
        samples.residual[k, row], samples.acting[k, row] = left, acting
    return True


@kernel(fastmath=True)
def _add_point(rates: Rates, samples: Samples, sample: int, row: Integers, p: int) -> None:
    """Derivatives of the components of a point, and by them."""
    work, k, i = rates.work, row[STATES], row[ROW]
    n, first = rates.table[i, DOFS], rates.table[i, V_INDICES]
    D = matrix(rates.directions, row[DIRECTIONS] + p * k * (k - 1), k, k - 1)
    at, point = row[FIRST] + p * (k - 1), row[FIRST_POINT] + p
    wide = row[POINTS] * k
    for j in range(n):
        column = rates.free[rates.indices[first + j]]
        if column < 0:
            continue
        samples.limit_by_q[sample, point, column] += work[row[LIMIT_BY_Q] + p * n + j]
        samples.limit_by_v[sample, point, column] += work[row[LIMIT_BY_V] + p * n + j]
        for b in range(k - 1):
            by_q = by_v = by_z = 0.0
            for a in range(k):
                place = (p * k + a) * n + j
                by_q += D[a, b] * work[row[RATE_BY_Q] + place]
                by_v += D[a, b] * work[row[RATE_BY_V] + place]
                by_z += D[a, b] * work[row[FORCE_BY_Z] + j * wide + p * k + a]
            samples.z_by_q[sample, at + b, column] += by_q
            samples.z_by_v[sample, at + b, column] += by_v
            samples.by_z[sample, column, at + b] -= by_z
    block = matrix(work, row[RATE_BY_Z] + p * k * k, k, k)
    first = row[BLOCKS] + p * (k - 1) * (k - 1)
    for b in range(k - 1):
        for d in range(k - 1):
            total = 0.0
            for a in range(k):
                for c in range(k):
                    total += D[a, b] * block[a, c] * D[c, d]
            samples.z_by_z[sample, first + b * (k - 1) + d] = total


@kernel(fastmath=True)
def _add_contacts(rates: Rates, samples: Samples, k: int) -> None:
    """Rates, limits and derivatives of all contact points."""
    samples.by_z[k], samples.z_by_q[k], samples.z_by_v[k] = 0.0, 0.0, 0.0
    samples.limit_by_q[k], samples.limit_by_v[k] = 0.0, 0.0
    _read_rates(rates, samples.rate[k])
    for c in range(len(rates.contacts)):
        row = rates.contacts[c]
        for p in range(row[POINTS]):
            samples.limit[k, row[FIRST_POINT] + p] = rates.work[row[LIMIT] + p]
            _add_point(rates, samples, k, row, p)


@kernel(fastmath=True)
def evaluate_sample(rates: Rates, samples: Samples, k: int) -> bool:
    """The balance at a sample; False if an item cannot be evaluated."""
    rates.by_item[:] = 0.0
    samples.by_q[k], samples.by_v[k] = 0.0, 0.0
    _write_history(rates, samples.z[k])
    t, q, v = samples.t[k], samples.q[k], samples.v[k]
    for i in range(len(rates.table)):
        if call_item(rates.table, i, rates.indices, rates.work, t, q, v, TANGENTS) != 0.0:
            return False
        _add_item(rates, samples, k, i)
    if not _add_inertia(rates, samples, k, q):
        return False
    _add_contacts(rates, samples, k)
    return True


@kernel(fastmath=True)
def force_sample(rates: Rates, samples: Samples, k: int) -> bool:
    """What the forces leave of M a at a sample, and the rates; no derivatives."""
    rates.by_item[:] = 0.0
    _write_history(rates, samples.z[k])
    t, q, v = samples.t[k], samples.q[k], samples.v[k]
    for i in range(len(rates.table)):
        if call_item(rates.table, i, rates.indices, rates.work, t, q, v, FORCE) != 0.0:
            return False
        _add_force(rates, i)
    _read_rates(rates, samples.rate[k])
    return _add_inertia(rates, samples, k, q)


@kernel(fastmath=True)
def evaluate_samples(rates: Rates, samples: Samples) -> int:
    """Balances at all samples; returns DONE or FAILED."""
    for k in range(len(samples.t)):
        if not evaluate_sample(rates, samples, k):
            return FAILED
    return DONE


@kernel(fastmath=True)
def evaluate_contacts(rates: Rates, samples: Samples) -> int:
    """As `evaluate_samples`, without the balances of forces: rates and limits of the contacts."""
    for k in range(len(samples.t)):
        _write_history(rates, samples.z[k])
        t, q, v = samples.t[k], samples.q[k], samples.v[k]
        for c in range(len(rates.contacts)):
            i = rates.contacts[c, ROW]
            if call_item(rates.table, i, rates.indices, rates.work, t, q, v, RATES) != 0.0:
                return FAILED
        _add_contacts(rates, samples, k)
    return DONE


@kernel(fastmath=True)
def _factorise(rates: Rates, samples: Samples, march: Marching, k: int) -> bool:
    """Factors of 3/(2 h) - dZ/dz, point by point."""
    for c in range(len(rates.contacts)):
        row = rates.contacts[c]
        m = row[STATES] - 1
        for p in range(row[POINTS]):
            first = row[BLOCKS] + p * m * m
            A = matrix(march.factors, first, m, m)
            for i in range(m):
                for j in range(m):
                    A[i, j] = -samples.z_by_z[k, first + i * m + j]
                A[i, i] += 3.0 * march.numbers[SLOW]
            at = row[FIRST] + p * m
            if not lu_factorise(A, march.pivots[at : at + m]):
                return False
    return True


@kernel(fastmath=True)
def _solve(rates: Rates, march: Marching, b: Floats) -> None:
    """Replace b (s,) by the solution with the factors."""
    for c in range(len(rates.contacts)):
        row = rates.contacts[c]
        m = row[STATES] - 1
        for p in range(row[POINTS]):
            A, at = matrix(march.factors, row[BLOCKS] + p * m * m, m, m), row[FIRST] + p * m
            lu_solve(A, march.pivots[at : at + m], part(b, at, m))


@kernel(fastmath=True)
def _follow(rates: Rates, samples: Samples, march: Marching, k: int, fresh: bool) -> int:
    """Solve one step by Newton's method; the last tangent is kept while it converges fast."""
    slow, count = march.numbers[SLOW], len(samples.t)
    z, z1, z2 = samples.z[k], samples.z[k - 1], samples.z[(k - 2) % count]
    now, t, q, v = march.now, samples.t[k], samples.q[k], samples.v[k]
    for i in range(len(z)):
        now[i] = 2.0 * z1[i] - z2[i]
    before = 0.0 if fresh else np.inf
    for _ in range(int(march.numbers[ITERATIONS])):
        if before == 0.0:
            copy(now, z)
            if not evaluate_sample(rates, samples, k):
                return FAILED
            if not _factorise(rates, samples, march, k):
                return NOT_FINITE
        if not _slips(rates, t, q, v, now, march.change):
            return FAILED
        for i in range(len(z)):
            march.change[i] -= slow * (3.0 * now[i] - 4.0 * z1[i] + z2[i])
        _solve(rates, march, march.change)
        size = 0.0
        for i in range(len(z)):
            now[i] += march.change[i]
            step = abs(march.change[i])
            size = step if not step <= size else size
            march.numbers[LARGEST] = max(march.numbers[LARGEST], abs(now[i]))
        if not np.isfinite(size):
            return NOT_FINITE
        if size <= march.numbers[TOLERANCE] * march.numbers[LARGEST]:
            copy(now, z)
            if not evaluate_sample(rates, samples, k):
                return FAILED
            return DONE if _factorise(rates, samples, march, k) else NOT_FINITE
        before = size if size <= march.numbers[FAST] * before else 0.0
    return NOT_FOUND


@kernel(fastmath=True)
def _differentiate(rates: Rates, samples: Samples, march: Marching, k: int) -> None:
    """Derivative (s, columns) of the new z by the series and, last, by the frequency."""
    slow, omega, count = march.numbers[SLOW], march.numbers[OMEGA], len(samples.t)
    s, columns = march.dz.shape[1:]
    n, column = samples.by_q.shape[1], march.column
    dz, dz1, dz2 = march.dz[k], march.dz[k - 1], march.dz[(k - 2) % count]
    z, z1, z2 = samples.z[k], samples.z[k - 1], samples.z[(k - 2) % count]
    for j in range(columns):
        for i in range(s):
            column[i] = slow * (4.0 * dz1[i, j] - dz2[i, j])
        if j < columns - 1:
            wave, at = j // n, j % n
            a, b = march.value[k, wave], omega * march.slope[k, wave]
            for i in range(s):
                column[i] += a * samples.z_by_q[k, i, at] + b * samples.z_by_v[k, i, at]
        else:
            for i in range(s):
                for at in range(n):
                    column[i] += samples.z_by_v[k, i, at] * march.speed[k, at] / omega
                column[i] -= slow / omega * (3.0 * z[i] - 4.0 * z1[i] + z2[i])
        _solve(rates, march, column)
        for i in range(s):
            dz[i, j] = column[i]


@kernel(fastmath=True)
def march_samples(rates: Rates, samples: Samples, march: Marching, periods: int) -> int:
    """Follow the elastic slip over the periods, with its derivatives; the last one stays.

    z and dz are those of unbent bristles before. Returns how it ends.
    """
    count, fresh = len(samples.t), True
    for step in range(periods * count):
        why = _follow(rates, samples, march, step % count, fresh)
        if why != DONE:
            return why
        _differentiate(rates, samples, march, step % count)
        fresh = False
    return DONE
