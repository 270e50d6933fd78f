"""A motion over the steps of a period by its compiled program: what `one_period` does in Python.

The same stages, Newton's method with the last tangent while it converges fast, and derivatives of
the steps. Steps are not divided: those in which a contact closes, or a stage finds no balance, are
left to `one_period`.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from fecontact.analysis.periodic.samples import (
    BLOCKS,
    DONE,
    FIRST,
    Rates,
    Samples,
    evaluate_contacts,
    evaluate_sample,
    force_sample,
)
from fecontact.kernels.arrays import Bundle, after
from fecontact.kernels.decorators import kernel
from fecontact.solvers.dense import lu_factorise, lu_solve
from fecontact.solvers.imbalance import ROUNDING
from fecontact.system.program.rates import POINTS, STATES
from fecontact.typing import Floats, Integers

__all__ = [
    "CARRIED",
    "FAST",
    "GAMMA",
    "KEPT",
    "LEFT",
    "MAX_ITERATIONS",
    "ROUND_OFF",
    "TOLERANCE",
    "UNBALANCED",
    "WEIGHTS",
    "Steps",
    "pass_steps",
]

GAMMA = 0.43586652150845899942
WEIGHTS = np.array(
    [
        [GAMMA, 0.0, 0.0],
        [0.5 * (1.0 - GAMMA), GAMMA, 0.0],
        [
            -0.25 * (6.0 * GAMMA**2 - 16.0 * GAMMA + 1.0),
            0.25 * (6.0 * GAMMA**2 - 20.0 * GAMMA + 5.0),
            GAMMA,
        ],
    ]
)
"""Weights a_ij of the stages; the last row ends the step."""
MAX_ITERATIONS = 40
TOLERANCE = 1e-11
"""Last correction, relative to the largest values so far."""
ROUND_OFF = 1e-7
"""A correction of this size that falls no more is round-off."""
UNBALANCED = 1e-6
"""Imbalance of a stage, relative to the acting forces, that is refused."""
FAST = 0.1
"""Fall of the corrections at which a tangent is kept."""


class Steps(Bundle):
    """States at some steps, and what the steps need besides.

    `x` (k + 1, N) are the states (q, v, z), `change` (k + 1, N, columns) their derivatives by the
    first one of the period and, last, by the period. `told` (k + 1, 2) says whether all points
    carry friction in a state, and the largest imbalance of the stages before it. `q`, `v` and
    `speeds` are those of `SystemMotion.state` at the start. Stages have their `base`, the unknowns
    `y` = (a, z'), the state `now`, `slopes` x' (3, N) and the derivatives `moved` of the state and
    `turned` (3, N, columns) of x'. `numbers` are the step h, the time of the start, largest speed
    and elastic slip so far, the largest imbalance, whether the factors `J` belong to a tangent, and
    the change of h with the period.
    """

    x: Floats
    change: Floats
    told: Floats
    q: Floats
    v: Floats
    speeds: Floats
    weights: Floats
    base: Floats
    y: Floats
    now: Floats
    slopes: Floats
    moved: Floats
    turned: Floats
    J: Floats
    pivots: Integers
    right: Floats
    column: Floats
    numbers: Floats


H, START, FASTEST, FARTHEST, IMBALANCE, KEPT, BY_PERIOD = range(7)
CARRIED, LEFT = range(2)
"""Columns of `told`."""


@kernel(fastmath=True)
def _place(rates: Rates, samples: Samples, run: Steps, t: float, x: Floats) -> None:
    """Take a state (q, v, z) of the free coordinates for that of the sample."""
    late, n = t - run.numbers[START], samples.a.shape[1]
    samples.t[0] = t
    for i in range(len(rates.free)):
        f = rates.free[i]
        if f < 0:
            samples.q[0, i], samples.v[0, i] = run.q[i] + late * run.v[i], run.v[i]
        else:
            samples.q[0, i] = x[f] + late * run.speeds[f]
            samples.v[0, i] = x[n + f] + run.speeds[f]
    for i in range(samples.z.shape[1]):
        samples.z[0, i] = x[2 * n + i]


@kernel(fastmath=True)
def _stage_at(rates: Rates, samples: Samples, run: Steps, t: float) -> None:
    """State of a stage from its base and the unknowns."""
    n, g, now = samples.a.shape[1], GAMMA * run.numbers[H], run.now
    for f in range(n):
        samples.a[0, f] = run.y[f]
        now[n + f] = run.base[n + f] + g * run.y[f]
        now[f] = run.base[f] + g * now[n + f]
    for i in range(samples.z.shape[1]):
        now[2 * n + i] = run.base[2 * n + i] + g * run.y[n + i]
    _place(rates, samples, run, t, now)


@kernel(fastmath=True)
def _factorise(rates: Rates, samples: Samples, run: Steps) -> bool:
    """Factors of the derivative of the balances of a stage by its unknowns."""
    n, s, g, J = samples.a.shape[1], samples.z.shape[1], GAMMA * run.numbers[H], run.J
    for i in range(n):
        for j in range(n):
            J[i, j] = samples.by_a[0, i, j] + g * samples.by_v[0, i, j]
            J[i, j] += g * g * samples.by_q[0, i, j]
        for j in range(s):
            J[i, n + j] = g * samples.by_z[0, i, j]
    for i in range(s):
        for j in range(n):
            J[n + i, j] = -g * samples.z_by_v[0, i, j] - g * g * samples.z_by_q[0, i, j]
        for j in range(s):
            J[n + i, n + j] = 1.0 if i == j else 0.0
    for c in range(len(rates.contacts)):
        row = rates.contacts[c]
        m = row[STATES] - 1
        for p in range(row[POINTS]):
            at, first = n + row[FIRST] + p * m, row[BLOCKS] + p * m * m
            for i in range(m):
                for j in range(m):
                    J[at + i, at + j] -= g * samples.z_by_z[0, first + i * m + j]
    run.numbers[KEPT] = 1.0
    return lu_factorise(J, run.pivots)


@kernel(fastmath=True)
def _corrected(samples: Samples, run: Steps) -> float:
    """Correct the unknowns; size of the largest change, relative to the largest values so far."""
    n, s, numbers = samples.a.shape[1], samples.z.shape[1], run.numbers
    g, dy, da, dk = GAMMA * numbers[H], run.right, 0.0, 0.0
    for i in range(n):
        dy[i] = -samples.residual[0, i]
    for i in range(s):
        dy[n + i] = samples.rate[0, i] - run.y[n + i]
    lu_solve(run.J, run.pivots, dy)
    for i in range(n):
        run.y[i] += dy[i]
        size = abs(dy[i])
        da = size if not size <= da else da
        numbers[FASTEST] = max(numbers[FASTEST], abs(run.base[n + i] + g * run.y[i]))
    for i in range(s):
        run.y[n + i] += dy[n + i]
        size = abs(dy[n + i])
        dk = size if not size <= dk else dk
        z = run.base[2 * n + i] + g * run.y[n + i]
        numbers[FARTHEST] = max(numbers[FARTHEST], abs(z))
    da, dk = g * da / numbers[FASTEST], g * dk / numbers[FARTHEST]
    return da if not da <= dk else dk


@kernel(fastmath=True)
def _balanced(samples: Samples, run: Steps) -> bool:
    """Whether what is left in a stage is small beside the acting forces; see `Acting`."""
    n, s, g, now = samples.a.shape[1], samples.z.shape[1], GAMMA * run.numbers[H], run.now
    left = acting = products = 0.0
    for i in range(n):
        mass = abs(samples.by_a[0, i, i])
        if not mass > 0.0:
            mass = g * abs(samples.by_v[0, i, i]) + g * g * abs(samples.by_q[0, i, i])
        mass = mass if mass > 0.0 else 1.0
        product = 0.0
        for j in range(n):
            product += abs(samples.by_q[0, i, j] * now[j]) + abs(samples.by_v[0, i, j] * now[n + j])
            product += abs(samples.by_a[0, i, j] * run.y[j])
        for j in range(s):
            product += abs(samples.by_z[0, i, j] * now[2 * n + j])
        left += samples.residual[0, i] ** 2 / mass
        acting += samples.acting[0, i] ** 2 / mass
        products += product**2 / mass
    if left == 0.0:
        return True
    imbalance = sqrt(left / acting) if acting > 0.0 else np.inf
    run.numbers[IMBALANCE] = max(run.numbers[IMBALANCE], imbalance)
    return imbalance <= max(UNBALANCED, ROUNDING * sqrt(products / acting))


@kernel(fastmath=True)
def _stage(rates: Rates, samples: Samples, run: Steps, t: float) -> bool:
    """Solve a stage; its tangent at the solution stays if derivatives are wanted."""
    before, fresh, linear = np.inf, False, run.moved.shape[1] > 0
    for _ in range(MAX_ITERATIONS):
        _stage_at(rates, samples, run, t)
        if run.numbers[KEPT] == 0.0:
            fresh = True
            if not (evaluate_sample(rates, samples, 0) and _factorise(rates, samples, run)):
                return False
        elif not force_sample(rates, samples, 0):
            return False
        size = _corrected(samples, run)
        if not np.isfinite(size):
            return False
        if size <= TOLERANCE or (fresh and size <= ROUND_OFF and size >= 0.5 * before):
            _stage_at(rates, samples, run, t)
            if not linear:
                return True
            return (
                evaluate_sample(rates, samples, 0)
                and _factorise(rates, samples, run)
                and _balanced(samples, run)
            )
        if not size <= FAST * before:
            run.numbers[KEPT] = 0.0
        before = size
    return False


@kernel(fastmath=True)
def _add_blocks(rates: Rates, samples: Samples, z: Floats, result: Floats) -> None:
    """Add dZ/dz z, point by point."""
    for c in range(len(rates.contacts)):
        row = rates.contacts[c]
        m = row[STATES] - 1
        for p in range(row[POINTS]):
            at, first = row[FIRST] + p * m, row[BLOCKS] + p * m * m
            for i in range(m):
                for j in range(m):
                    result[at + i] += samples.z_by_z[0, first + i * m + j] * z[at + j]


@kernel(fastmath=True)
def _differentiate(rates: Rates, samples: Samples, run: Steps, stage: int) -> None:
    """Derivatives of the state of a stage, in place of those of its base, and of its x'."""
    n, s, g = samples.a.shape[1], samples.z.shape[1], GAMMA * run.numbers[H]
    columns, b, right = run.moved.shape[1], run.column, run.right
    for c in range(columns):
        dg = GAMMA * run.numbers[BY_PERIOD] if c == columns - 1 else 0.0
        for f in range(n):
            b[n + f] = run.moved[n + f, c] + dg * run.y[f]
            b[f] = run.moved[f, c] + g * b[n + f] + dg * run.now[n + f]
        for i in range(s):
            b[2 * n + i] = run.moved[2 * n + i, c] + dg * run.y[n + i]
        for i in range(n):
            total = 0.0
            for j in range(n):
                total += samples.by_q[0, i, j] * b[j] + samples.by_v[0, i, j] * b[n + j]
            for j in range(s):
                total += samples.by_z[0, i, j] * b[2 * n + j]
            right[i] = -total
        for i in range(s):
            total = 0.0
            for j in range(n):
                total += samples.z_by_q[0, i, j] * b[j] + samples.z_by_v[0, i, j] * b[n + j]
            right[n + i] = total
        _add_blocks(rates, samples, after(b, 2 * n), after(right, n))
        lu_solve(run.J, run.pivots, right)
        turned = run.turned[stage]
        for f in range(n):
            dv = b[n + f] + g * right[f]
            run.moved[f, c], run.moved[n + f, c] = b[f] + g * g * right[f], dv
            turned[f, c], turned[n + f, c] = dv, right[f]
        for i in range(s):
            run.moved[2 * n + i, c] = b[2 * n + i] + g * right[n + i]
            turned[2 * n + i, c] = right[n + i]


@kernel(fastmath=True)
def _start_stage(run: Steps, k: int, stage: int) -> None:
    """Base of a stage, and its derivatives."""
    h, columns, x, change = run.numbers[H], run.moved.shape[1], run.x[k], run.change[k]
    for i in range(len(x)):
        slope = 0.0
        for j in range(stage):
            slope += run.weights[stage, j] * run.slopes[j, i]
        run.base[i] = x[i] + h * slope
        for c in range(columns):
            run.moved[i, c] = change[i, c]
            for j in range(stage):
                run.moved[i, c] += h * run.weights[stage, j] * run.turned[j, i, c]
        if columns > 0:
            run.moved[i, columns - 1] += slope * run.numbers[BY_PERIOD]


@kernel(fastmath=True)
def _keep_slopes(samples: Samples, run: Steps, stage: int) -> None:
    """Rates x' = (v, a, z') of a stage."""
    n, slopes = samples.a.shape[1], run.slopes[stage]
    for f in range(n):
        slopes[f], slopes[n + f] = run.now[n + f], run.y[f]
    for i in range(samples.z.shape[1]):
        slopes[2 * n + i] = run.y[n + i]


@kernel(fastmath=True)
def _carried(rates: Rates, samples: Samples, run: Steps, t: float, x: Floats) -> float:
    """1 if all points carry friction in a state, so that none of them is open; else 0."""
    _place(rates, samples, run, t, x)
    if evaluate_contacts(rates, samples) != DONE:
        return 0.0
    for i in range(samples.limit.shape[1]):
        if not samples.limit[0, i] > 0.0:
            return 0.0
    return 1.0


@kernel(fastmath=True)
def _step(rates: Rates, samples: Samples, run: Steps, k: int, t: float) -> bool:
    """Go from a state to the next one."""
    columns, weights = run.moved.shape[1], run.weights
    run.numbers[IMBALANCE] = 0.0
    for stage in range(3):
        _start_stage(run, k, stage)
        late = weights[stage, 0] + weights[stage, 1] + weights[stage, 2]
        if not _stage(rates, samples, run, t + run.numbers[H] * late):
            return False
        _keep_slopes(samples, run, stage)
        if columns > 0:
            _differentiate(rates, samples, run, stage)
    for i in range(len(run.now)):
        run.x[k + 1, i] = run.now[i]
        for c in range(columns):
            run.change[k + 1, i, c] = run.moved[i, c]
    run.told[k + 1, LEFT] = run.numbers[IMBALANCE]
    return True


@kernel(fastmath=True)
def pass_steps(rates: Rates, samples: Samples, run: Steps, first: int, count: int) -> int:
    """Go through some steps from the first state; how many of them find their balance."""
    h = run.numbers[H]
    run.told[0, CARRIED] = _carried(rates, samples, run, h * first, run.x[0])
    for k in range(count):
        if not _step(rates, samples, run, k, h * (first + k)):
            return k
        t = h * (first + k + 1)
        run.told[k + 1, CARRIED] = _carried(rates, samples, run, t, run.x[k + 1])
    return count
