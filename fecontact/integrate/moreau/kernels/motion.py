"""Arrays and options of the compiled loop of Moreau's method."""

from __future__ import annotations

from typing import NamedTuple

from fecontact.kernels.arrays import Bundle
from fecontact.typing import Floats, Integers

__all__ = ["COUNTERS", "Motion", "Options"]

COUNTERS = ("steps", "iterations", "factorisations", "evaluations", "impacts", "paradoxes")
"""Names of the counters in `Statistics`; sweeps are iterations."""
STEPS, SWEEPS, FACTORISATIONS, EVALUATIONS, IMPACTS, PARADOXES = range(6)


class Motion(Bundle):
    """Arrays of the motion of n dofs with m contact conditions.

    Attributes
    ----------
    q, v, a
        Coordinates, velocities, and mean accelerations.
    time, residual : (1,)
        Time in s, and the largest residual so far.
    plain, turns
        See `system.program.kernels.moved`.
    middle, new_q, other_q
        Coordinates of the contacts, at the end of the step, and working space.
    speed, shift, load, free, path, new_v : (n,)
        Velocities after the impact; s; load; change of v without contacts; path; velocities at the
        end.
    counts, kept
        Counters, now and before the step.
    restitution : (m,), hit : (m, 3), change : (n,)
        Of an impact: coefficients, velocities, and change of v.
    struck, struck_mean : (m, 3), struck_mu : (m,)
        Impulses of the impact, mean velocities, and coefficients.
    pushed, pushed_mean, pushed_along : (m, 3), pushed_mu : (m,)
        Those of the step, with the velocities of the path.
    """

    q: Floats
    v: Floats
    a: Floats
    time: Floats
    residual: Floats
    plain: Integers
    turns: Integers
    middle: Floats
    new_q: Floats
    other_q: Floats
    speed: Floats
    shift: Floats
    load: Floats
    free: Floats
    path: Floats
    new_v: Floats
    counts: Integers
    kept: Integers
    restitution: Floats
    hit: Floats
    change: Floats
    struck: Floats
    struck_mean: Floats
    struck_mu: Floats
    pushed: Floats
    pushed_mean: Floats
    pushed_along: Floats
    pushed_mu: Floats


class Options(NamedTuple):
    """Options of the method; `impact` is the number of the law."""

    theta: float
    impact: int
    tolerance: float
    sweeps: int
    project: bool
