"""Curves y(x) and motions s(t) of the package as numbers, for compiled programs.

The numbers begin with the kind. Of curves (`joint.curve`)

    STRAIGHT    start, gradient
    PIECEWISE   count, then left ends, values, slopes and areas of the pieces
    SINE        mean, amplitude, angular frequency, phase,

and of motions (`joint.motion_law`)

    SPEED       start, then the curve of the speed
    STEP        duration, start, low, high
    RUN_UP      speed, duration
    SPLINE      whether it repeats, count, last time, then left ends of its pieces, and their
                coefficients from the third power down, (4, count) .
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = [
    "PIECEWISE",
    "RUN_UP",
    "SINE",
    "SPEED",
    "SPLINE",
    "STEP",
    "STRAIGHT",
    "curve_at",
    "motion_at",
    "numbers_of",
]  # fmt: skip

STRAIGHT, PIECEWISE, SINE = range(3)
"""Kinds of curves."""
SPEED, STEP, RUN_UP, SPLINE = range(4)
"""Kinds of motions."""


def numbers_of(law: Any) -> Floats | None:
    """Numbers of a curve or a motion of the package; None for one that is written in Python.

    A class derived from one of the package counts as written in Python: it may change the law.
    """
    own = type(law).__dict__.get("lowered")
    return None if own is None else own(law)


@kernel(fastmath=True)
def _piece(p: Floats, first: int, count: int, x: float) -> int:
    """Last of `count` rising left ends that is not above x, or 0."""
    low, high = 0, count
    while high - low > 1:
        middle = (low + high) // 2
        if p[first + middle] <= x:
            low = middle
        else:
            high = middle
    return low


@kernel(fastmath=True)
def curve_at(p: Floats, at: int, x: float) -> tuple[float, float, float]:
    """Value, slope and integral from 0 of a curve."""
    if int(p[at]) == STRAIGHT:
        start, gradient = p[at + 1], p[at + 2]
        return start + gradient * x, gradient, (start + 0.5 * gradient * x) * x
    if int(p[at]) == SINE:
        mean, size, omega, phase = p[at + 1], p[at + 2], p[at + 3], p[at + 4]
        angle, wave = omega * x + phase, size / omega
        area = mean * x + wave * (cos(phase) - cos(angle))
        return mean + size * sin(angle), size * omega * cos(angle), area
    y, slope, area = _table_at(p, at, x)
    return y, slope, area - _table_at(p, at, 0.0)[2]


@kernel(fastmath=True)
def _table_at(p: Floats, at: int, x: float) -> tuple[float, float, float]:
    """Value, slope and primitive of a table."""
    count, first = int(p[at + 1]), at + 2
    i = _piece(p, first, count, x)
    h = x - p[first + i]
    y, slope = p[first + count + i], p[first + 2 * count + i]
    area = p[first + 3 * count + i] + (y + 0.5 * slope * h) * h
    return y + slope * h, slope, area


@kernel(fastmath=True)
def motion_at(p: Floats, at: int, t: float) -> tuple[float, float, float]:
    """Value, rate and acceleration of a motion."""
    kind = int(p[at])
    if kind == SPEED:
        speed, slope, way = curve_at(p, at + 2, t)
        return p[at + 1] + way, speed, slope
    if kind == STEP:
        duration, low, change = p[at + 1], p[at + 3], p[at + 4] - p[at + 3]
        x = min(1.0, max(0.0, (t - p[at + 2]) / duration))
        return (
            low + change * x**3 * (10.0 - 15.0 * x + 6.0 * x**2),
            change * 30.0 * (x * (1.0 - x)) ** 2 / duration,
            change * 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x) / duration**2,
        )
    if kind == RUN_UP:
        return _run_up_at(p[at + 1], p[at + 2], t)
    return _spline_at(p, at, t)


@kernel(fastmath=True)
def _run_up_at(speed: float, T: float, t: float) -> tuple[float, float, float]:
    if t >= T:
        return speed * (t - T / 2), speed, 0.0
    if t <= 0.0:
        return 0.0, 0.0, 0.0
    w, k = 2.0 * pi / T, speed / T
    turn = w * t
    return (
        k * (0.5 * t**2 + (cos(turn) - 1.0) / w**2),
        k * (t - sin(turn) / w),
        k * (1.0 - cos(turn)),
    )


@kernel(fastmath=True)
def _spline_at(p: Floats, at: int, t: float) -> tuple[float, float, float]:
    repeats, count, last, first = p[at + 1] > 0.0, int(p[at + 2]), p[at + 3], at + 4
    begin, beyond = p[first], 0.0
    if repeats:
        inner = begin + (t - begin) % (last - begin)
    else:
        inner = min(last, max(begin, t))
        beyond = t - inner
    i = _piece(p, first, count, inner)
    c, x = first + count + i, inner - p[first + i]
    a, b, d = p[c], p[c + count], p[c + 2 * count]
    rate = (3.0 * a * x + 2.0 * b) * x + d
    value = ((a * x + b) * x + d) * x + p[c + 3 * count]
    return value + rate * beyond, rate, 6.0 * a * x + 2.0 * b if beyond == 0.0 else 0.0
