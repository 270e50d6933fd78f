"""Compiled steps of a system in continuous time, by an explicit Runge-Kutta pair.

The equations are those of `integrate.rate.equations`, the formulas those of `solvers.runge_kutta`,
error control and quaternions as in `integrate.rate.ode`.
"""

from __future__ import annotations

from fecontact.integrate.rate.equations import (
    COORDINATES,
    DOF_COUNT,
    SLIPS,
    SUMS,
    Equations,
    kinetic_energy,
    rates,
)
from fecontact.integrate.rate.limits import LEAST, MAX_EVALUATIONS
from fecontact.kernels.arrays import Bundle, part
from fecontact.kernels.decorators import kernel
from fecontact.solvers import runge_kutta as rk_kernels
from fecontact.solvers.runge_kutta import (
    END,
    EXTRA,
    STAGES,
    RungeKutta,
    T,
    accepted,
    keep_rate,
    place_first,
    place_stage,
    place_trial,
    set_first_step,
    set_polynomial,
    start_step,
)
from fecontact.system.program.kernels import moved
from fecontact.typing import Floats, Integers

__all__ = [
    "ATOL",
    "BROKEN",
    "DENSE",
    "EVALUATIONS",
    "FAILED",
    "FORCE",
    "FRACTION",
    "LARGEST",
    "MANY",
    "PAUSED",
    "REACHED",
    "RTOL",
    "SHORT",
    "STEPS",
    "Pace",
    "begin",
    "dense_output",
    "evaluate",
    "march",
    "normalise",
    "one_step",
    "settle",
]

REACHED, PAUSED, SHORT, MANY, BROKEN = range(5)
"""Why a loop ends: at its goal, for a look at signals, at a step below the round-off of the time,
at one that takes too many evaluations; at an item that fails."""
RTOL, ATOL, FORCE, FRACTION, LARGEST, DENSE = range(6)
"""Numbers: tolerances, largest force, fraction of the energies in the tolerance, largest energy so
far, whether the polynomial of the step is known."""
STEPS, EVALUATIONS, FAILED = range(3)
"""Counters of steps and evaluations; the row that failed."""


class Pace(Bundle):
    """Accuracy and counters of the steps, and working space (y,) for a state and its rate."""

    numbers: Floats
    counts: Integers
    state: Floats
    rate: Floats


@kernel
def evaluate(s: Equations, pace: Pace, t: float, y: Floats, result: Floats) -> bool:
    """Rates; False if an item fails."""
    pace.counts[EVALUATIONS] += 1
    pace.counts[FAILED] = rates(s, t, y, result)
    return pace.counts[FAILED] == 0


@kernel
def begin(s: Equations, pace: Pace, rk: RungeKutta, h: float) -> bool:
    """Begin at T and y, with a first step h (0: to be chosen); False if an item fails."""
    x = rk.numbers
    pace.numbers[DENSE] = 0.0
    if not evaluate(s, pace, x[T], rk.y, rk.K[0]):
        return False
    x[rk_kernels.H] = min(h, x[END] - x[T])
    if h > 0.0 or x[END] == x[T]:
        return True
    h = place_first(rk)
    if not evaluate(s, pace, x[T] + h, rk.trial, rk.K[1]):
        return False
    set_first_step(rk, h)
    return True


@kernel
def one_step(s: Equations, pace: Pace, rk: RungeKutta) -> int:
    """One step; REACHED if all is well."""
    count = pace.counts[EVALUATIONS] + MAX_EVALUATIONS
    pace.numbers[DENSE] = 0.0
    start_step(rk)
    while place_trial(rk):
        for i in range(1, rk.sizes[STAGES] + 1):
            t = place_stage(rk, i)
            if pace.counts[EVALUATIONS] >= count:
                return MANY
            if not evaluate(s, pace, t, rk.trial, rk.K[i]):
                return BROKEN
        if accepted(rk):
            pace.counts[STEPS] += 1
            _set_energy_error(s, pace, rk)
            return REACHED
    return SHORT


@kernel
def _set_energy_error(s: Equations, pace: Pace, rk: RungeKutta) -> None:
    """Allowed error of energies, see `OdeRun`: rtol of the largest one, and atol times forces."""
    n_q, n, slips, sums = s.sizes[COORDINATES], s.sizes[DOF_COUNT], s.sizes[SLIPS], s.sizes[SUMS]
    x = pace.numbers
    largest = max(x[LARGEST], kinetic_energy(s, part(rk.y, 0, n_q), part(rk.y, n_q, n)))
    for j in range(slips, sums, 2):
        largest = max(largest, abs(rk.y[j]))
    for j in range(sums, len(rk.y)):
        largest = max(largest, abs(rk.y[j]))
    x[LARGEST] = largest
    error = x[FRACTION] * max(x[RTOL] * largest, max(x[ATOL] * x[FORCE], LEAST))
    for j in range(slips, sums, 2):
        rk.atol[j] = error
    for j in range(sums, len(rk.y)):
        rk.atol[j] = error


@kernel
def dense_output(s: Equations, pace: Pace, rk: RungeKutta) -> bool:
    """States inside of the last step, once; False if an item fails."""
    if pace.numbers[DENSE] > 0.0:
        return True
    for i in range(rk.sizes[STAGES] + 1, rk.sizes[STAGES] + 1 + rk.sizes[EXTRA]):
        t = place_stage(rk, i)
        if not evaluate(s, pace, t, rk.trial, rk.K[i]):
            return False
    set_polynomial(rk)
    pace.numbers[DENSE] = 1.0
    return True


@kernel
def normalise(s: Equations, pace: Pace, rk: RungeKutta) -> None:
    """Quaternions of unit length at the end of the last step."""
    n_q, n = s.sizes[COORDINATES], s.sizes[DOF_COUNT]
    if not len(s.turns):
        return
    still = part(pace.rate, 0, n)
    for j in range(n):
        still[j] = 0.0
    moved(part(rk.y, 0, n_q), still, s.plain, s.turns, part(pace.state, 0, n_q))
    for j in range(n_q):
        rk.y[j] = pace.state[j]


@kernel
def settle(s: Equations, pace: Pace, rk: RungeKutta) -> bool:
    """After a step: quaternions, and the rate at the start of the next; False if an item fails."""
    pace.numbers[DENSE] = 0.0
    if not len(s.turns):
        keep_rate(rk)
        return True
    normalise(s, pace, rk)
    return evaluate(s, pace, rk.numbers[T], rk.y, rk.K[0])


@kernel
def march(s: Equations, pace: Pace, rk: RungeKutta, goal: float, most: int) -> int:
    """Steps up to the first one that reaches the goal; at most so many.

    The last step is left as it is found: who shows something inside of it settles it.
    """
    while True:
        why = one_step(s, pace, rk)
        if why != REACHED or rk.numbers[T] >= goal:
            return why
        most -= 1
        if most <= 0:
            return PAUSED
        if not settle(s, pace, rk):
            return BROKEN
