"""Explicit Runge-Kutta pairs with error control and dense output, compiled.

    K_i = f(t + c_i h, y + h sum_j a_ij K_j),      y_new = y + h sum_i b_i K_i

with the formulas, the error norm, the choice of steps and the dense output of scipy's `RK45`
(Dormand and Prince 1980) and `DOP853` (Hairer, Norsett and Wanner 1993, II.5): the steps are the
same up to round-off. Who integrates evaluates f between the stages, by whatever compiled function:

    rate(t, rk.y, rk.K[0])                        once, then `keep_rate`, or anew after a change
    start_step(rk)
    while place_trial(rk):                        False: the step is below the round-off of t
        for i in range(1, rk.sizes[STAGES] + 1):
            rate(place_stage(rk, i), rk.trial, rk.K[i])
        if accepted(rk):
            break

Afterwards `rk.y` is the state at `rk.numbers[T]`. States inside of the step need `rk.sizes[EXTRA]`
more stages, then `set_polynomial`, and come from `interpolate`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fecontact.kernels.arrays import Bundle
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = [
    "END",
    "EXTRA",
    "LONGEST",
    "REJECTIONS",
    "RTOL",
    "STAGES",
    "T_OLD",
    "H",
    "RungeKutta",
    "T",
    "accepted",
    "interpolate",
    "keep_rate",
    "place_first",
    "place_stage",
    "place_trial",
    "runge_kutta",
    "set_first_step",
    "set_polynomial",
    "start_step",
]

T, T_OLD, T_NEW, H, TRIAL, END, LONGEST, RTOL, EXPONENT, REJECTIONS = range(10)
"""Numbers: time reached, start and trial end of the step, next step to try, step of the trial, end
of the motion, longest step, relative tolerance, -1/(order of the estimate + 1), rejected trials of
this step."""
STAGES, EXTRA = range(2)
"""Sizes: stages of a step besides f at its start, and those of its dense output."""

SAFETY, MIN_FACTOR, MAX_FACTOR = 0.9, 0.2, 10.0


class RungeKutta(Bundle):
    """A formula and the step it is in; n numbers, s stages, x of the dense output.

    Attributes
    ----------
    numbers, sizes
        By the names above.
    nodes, weights : (s + 1 + x,), (s + 1 + x, s + 1 + x)
        c and a of all stages; row s is b.
    errors : (2, s + 1)
        Weights of the error, and of that of lower order which tames it (zero: none).
    dense : (m, s + 1 + x)
        Weights of the polynomial x (F_0 + (1 - x) (F_1 + x (F_2 + (1 - x) (...)))).
    atol, y, y_old, trial : (n,)
        Absolute tolerances, state at the end and at the start of the last step, state of a stage.
    K, polynomial : (s + 1 + x, n), (m, n)
        Rates of the stages; F.
    """

    numbers: Floats
    sizes: Integers
    nodes: Floats
    weights: Floats
    errors: Floats
    dense: Floats
    atol: Floats
    y: Floats
    y_old: Floats
    trial: Floats
    K: Floats
    polynomial: Floats


def runge_kutta(solver: str, n: int) -> RungeKutta:
    """Formula "RK45" or "DOP853" for n numbers."""
    from scipy.integrate import DOP853, RK45  # take longer to load than most starts

    kind: Any = {"RK45": RK45, "DOP853": DOP853}[solver]
    s, extra = kind.n_stages, len(getattr(kind, "C_EXTRA", ()))
    size = s + 1 + extra
    nodes, weights, errors = np.ones(size), np.zeros((size, size)), np.zeros((2, s + 1))
    nodes[:s], weights[s, :s], A = kind.C[:s], kind.B, kind.A[:s, :s]
    weights[:s, : A.shape[1]] = A
    if extra:
        nodes[s + 1 :], weights[s + 1 :] = kind.C_EXTRA, kind.A_EXTRA
        errors[:] = kind.E5, kind.E3
        dense = _of_eighth_order(kind, s, size)
    else:
        errors[0], dense = kind.E, _of_powers(kind.P)
    numbers = np.zeros(10)
    numbers[LONGEST], numbers[EXPONENT] = np.inf, -1.0 / (kind.error_estimator_order + 1)
    return RungeKutta(
        numbers=numbers, sizes=np.array([s, extra]), nodes=nodes, weights=weights, errors=errors,
        dense=dense, atol=np.zeros(n), y=np.zeros(n), y_old=np.zeros(n), trial=np.zeros(n),
        K=np.zeros((size, n)), polynomial=np.zeros((len(dense), n)),
    )  # fmt: skip


def _of_eighth_order(kind: Any, s: int, size: int) -> Floats:
    """Weights of the polynomial of DOP853: step, slopes at both ends, then its own."""
    step, first, last = np.zeros((3, size))
    step[:s], first[0], last[s] = kind.B, 1.0, 1.0
    return np.vstack([step, first - step, 2.0 * step - last - first, kind.D])


def _of_powers(P: Floats) -> Floats:
    """The same from weights (s + 1, m) of x, x^2, ..., x^m."""
    m = P.shape[1]
    powers, term = np.zeros((m, m)), np.array([1.0])
    for i in range(m):  # x, x (1 - x), x^2 (1 - x), ... in powers of x
        term = np.convolve(term, [0.0, 1.0] if i % 2 == 0 else [1.0, -1.0])
        powers[: len(term) - 1, i] = term[1:]
    return np.ascontiguousarray(np.linalg.solve(powers, P.T))


@kernel
def _smallest(t: float) -> float:
    """Shortest step at a time."""
    return float(10.0 * (np.nextafter(t, np.inf) - t))


@kernel
def place_first(rk: RungeKutta) -> float:
    """Trial state after a small step from y along K[0]; returns the step.

    Its rate goes to K[1]; then `set_first_step` (Hairer, Norsett and Wanner 1993, II.4).
    """
    d0 = _mean_size(rk, rk.y)
    d1 = _mean_size(rk, rk.K[0])
    h = 1e-6 if d0 < 1e-5 or d1 < 1e-5 else 0.01 * d0 / d1
    h = min(h, rk.numbers[END] - rk.numbers[T])
    for j in range(len(rk.y)):
        rk.trial[j] = rk.y[j] + h * rk.K[0, j]
    return h


@kernel
def set_first_step(rk: RungeKutta, h: float) -> None:
    """Choose the first step from the rates at its start and after `place_first`."""
    x = rk.numbers
    d1 = _mean_size(rk, rk.K[0])
    for j in range(len(rk.y)):
        rk.trial[j] = rk.K[1, j] - rk.K[0, j]
    d2 = _mean_size(rk, rk.trial) / h
    largest = max(d1, d2)
    guess = max(1e-6, 1e-3 * h) if largest <= 1e-15 else (0.01 / largest) ** (-x[EXPONENT])
    x[H] = min(min(100.0 * h, guess), min(x[END] - x[T], x[LONGEST]))


@kernel
def _mean_size(rk: RungeKutta, a: Floats) -> float:
    """Root of the mean square of numbers (n,) relative to the tolerances of y."""
    total, rtol = 0.0, rk.numbers[RTOL]
    for j in range(len(a)):
        total += (a[j] / (rk.atol[j] + abs(rk.y[j]) * rtol)) ** 2
    return float(np.sqrt(total / len(a)))


@kernel
def keep_rate(rk: RungeKutta) -> None:
    """Take the rate at the end of the last step for the start of the next."""
    last = rk.K[rk.sizes[STAGES]]
    for j in range(len(last)):
        rk.K[0, j] = last[j]


@kernel
def start_step(rk: RungeKutta) -> None:
    """Begin a step at T and y, whose rate is K[0]."""
    x = rk.numbers
    x[T_OLD], x[REJECTIONS] = x[T], 0.0
    x[H] = min(max(x[H], _smallest(x[T])), x[LONGEST])
    for j in range(len(rk.y)):
        rk.y_old[j] = rk.y[j]


@kernel
def place_trial(rk: RungeKutta) -> bool:
    """Begin a trial of the step; False if it would be shorter than the round-off of the time."""
    x = rk.numbers
    if x[H] < _smallest(x[T_OLD]):
        return False
    x[T_NEW] = min(x[T_OLD] + x[H], x[END])
    x[TRIAL] = x[H] = x[T_NEW] - x[T_OLD]
    return True


@kernel(fastmath=True)
def place_stage(rk: RungeKutta, i: int) -> float:
    """State of stage i in `trial`, from the rates before it; returns its time."""
    x = rk.numbers
    for j in range(len(rk.trial)):
        rk.trial[j] = 0.0
    for k in range(i):
        a = rk.weights[i, k]
        if a != 0.0:
            row = rk.K[k]
            for j in range(len(row)):
                rk.trial[j] += a * row[j]
    for j in range(len(rk.trial)):
        rk.trial[j] = rk.y_old[j] + x[TRIAL] * rk.trial[j]
    if i == rk.sizes[STAGES]:
        return float(x[T_NEW])
    return float(x[T_OLD] + rk.nodes[i] * x[TRIAL])


@kernel
def _error(rk: RungeKutta) -> float:
    """Error of the trial relative to the tolerances; the step is good below one."""
    rtol, stages = rk.numbers[RTOL], rk.sizes[STAGES]
    high = low = 0.0
    for j in range(len(rk.trial)):
        first = second = 0.0
        for k in range(stages + 1):
            first += rk.errors[0, k] * rk.K[k, j]
            second += rk.errors[1, k] * rk.K[k, j]
        scale = rk.atol[j] + max(abs(rk.y_old[j]), abs(rk.trial[j])) * rtol
        high += (first / scale) ** 2
        low += (second / scale) ** 2
    if high == 0.0 and low == 0.0:
        return 0.0
    size = np.sqrt((high + 0.01 * low) * len(rk.trial))
    return float(abs(rk.numbers[TRIAL]) * high / size)


@kernel
def accepted(rk: RungeKutta) -> bool:
    """Accept the trial whose stages are known, or shorten the step; sets the next one."""
    x, error = rk.numbers, _error(rk)
    factor = MAX_FACTOR if error == 0.0 else SAFETY * error ** x[EXPONENT]
    if not error < 1.0:  # also where it is no number
        x[H] *= factor if factor > MIN_FACTOR else MIN_FACTOR
        x[REJECTIONS] += 1.0
        return False
    x[H] *= min(factor, MAX_FACTOR if x[REJECTIONS] == 0.0 else 1.0)
    x[T] = x[T_NEW]
    for j in range(len(rk.y)):
        rk.y[j] = rk.trial[j]
    return True


@kernel(fastmath=True)
def set_polynomial(rk: RungeKutta) -> None:
    """States inside of the accepted step, from the rates of all stages."""
    for i in range(len(rk.dense)):
        row = rk.polynomial[i]
        for j in range(len(row)):
            row[j] = 0.0
        for k in range(rk.dense.shape[1]):
            a = rk.numbers[TRIAL] * rk.dense[i, k]
            if a != 0.0:
                rate = rk.K[k]
                for j in range(len(row)):
                    row[j] += a * rate[j]


@kernel(fastmath=True)
def interpolate(rk: RungeKutta, t: float, result: Floats) -> None:
    """State (n,) at a time inside of the accepted step, after `set_polynomial`."""
    at = (t - rk.numbers[T_OLD]) / rk.numbers[TRIAL]
    for j in range(len(result)):
        result[j] = 0.0
    for i in range(len(rk.polynomial) - 1, -1, -1):
        row, factor = rk.polynomial[i], at if i % 2 == 0 else 1.0 - at
        for j in range(len(result)):
            result[j] = (result[j] + row[j]) * factor
    for j in range(len(result)):
        result[j] += rk.y_old[j]
