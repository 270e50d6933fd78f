"""Laws s(t) of prescribed motion, in m or rad over time in s, with rate and acceleration.

Each class is a `MotionLaw`: `value(t)`, `rate(t)`, `acceleration(t)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import cos, pi, sin
from typing import TYPE_CHECKING, Literal

import numpy as np

from fecontact.body.prescribed import MotionLaw
from fecontact.errors import FINITE, POSITIVE, InputError, check, one_of
from fecontact.joint.curve import Curve, curve_through
from fecontact.kernels.curves import RUN_UP, SPEED, SPLINE, STEP, numbers_of
from fecontact.typing import Floats

if TYPE_CHECKING:
    from scipy.interpolate import CubicSpline

__all__ = ["MotionFunction", "MotionLaw", "MotionTable", "RunUp", "SmoothStep", "Speed"]

ENDS: dict[str, Literal["clamped", "natural", "periodic"]] = {
    "rest": "clamped",
    "extend": "natural",
    "repeat": "periodic",
}
"""End conditions of a table, and their names in scipy."""

OFFSETS = np.arange(-3, 4)
FIRST = np.array([-1.0, 9.0, -45.0, 0.0, 45.0, -9.0, 1.0]) / 60.0
SECOND = np.array([2.0, -27.0, 270.0, -490.0, 270.0, -27.0, 2.0]) / 180.0
"""Central differences of sixth order for first and second derivatives."""


@dataclass(frozen=True, eq=False)
class Speed:
    """Motion of given speed: s = start + (integral of the speed from 0 to t).

    Parameters
    ----------
    speed
        Constant speed, or a curve of it over time: a `ramp`, a `Table`, a `Function`. The
        acceleration jumps where the curve has a corner. Zero holds the start.
    start
        s at t = 0.

    Examples
    --------
    >>> from fecontact.joint.curve import ramp
    >>> run_up = Speed(ramp(2.0, high=100.0))
    >>> run_up.value(3.0), run_up.rate(3.0), run_up.acceleration(1.0)
    (200.0, 100.0, 50.0)
    """

    speed: float | Curve
    start: float = 0.0
    _curve: Curve = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check("speed: start", self.start, FINITE)
        object.__setattr__(self, "_curve", curve_through("speed: speed", self.speed))

    def value(self, t: float) -> float:
        """Return s(t)."""
        return self.start + self._curve.integral(t)

    def rate(self, t: float) -> float:
        """Return s'(t)."""
        return self._curve.value(t)

    def acceleration(self, t: float) -> float:
        """Return s''(t)."""
        return self._curve.slope(t)

    def lowered(self) -> Floats | None:
        """Numbers of the motion for compiled programs; None if its curve is written in Python."""
        curve = numbers_of(self._curve)
        return None if curve is None else np.concatenate([[SPEED, self.start], curve])


@dataclass(frozen=True)
class SmoothStep:
    """Motion from rest at `low` to rest at `high`, with continuous acceleration.

        s = low + (high - low) (10 x^3 - 15 x^4 + 6 x^5),      x = (t - start) / duration

    Parameters
    ----------
    duration, start
        In s.
    low, high
        First and last value.

    Examples
    --------
    >>> SmoothStep(2.0, high=0.1).value(1.0)
    0.05
    """

    duration: float
    start: float = 0.0
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        check("step: duration", self.duration, POSITIVE, "s")
        check("step: start", self.start, FINITE, "s")
        check("step: low", self.low, FINITE)
        check("step: high", self.high, FINITE)

    def value(self, t: float) -> float:
        """Return s(t)."""
        x = self._part(t)
        return self.low + (self.high - self.low) * x**3 * (10.0 - 15.0 * x + 6.0 * x**2)

    def rate(self, t: float) -> float:
        """Return s'(t)."""
        x = self._part(t)
        return (self.high - self.low) * 30.0 * (x * (1.0 - x)) ** 2 / self.duration

    def acceleration(self, t: float) -> float:
        """Return s''(t)."""
        x = self._part(t)
        shape = 60.0 * x * (1.0 - x) * (1.0 - 2.0 * x)
        return (self.high - self.low) * shape / self.duration**2

    def lowered(self) -> Floats:
        """Numbers of the motion for compiled programs."""
        return np.array([STEP, self.duration, self.start, self.low, self.high], dtype=float)

    def _part(self, t: float) -> float:
        return min(1.0, max(0.0, (t - self.start) / self.duration))


@dataclass(frozen=True)
class RunUp:
    """Motion from rest to a constant speed, with continuous acceleration (Kane et al. 1987).

        s = v/T (t^2/2 + (T/2 pi)^2 (cos(2 pi t/T) - 1)),       s' = v from T on

    Parameters
    ----------
    speed
        v in rad/s or m/s.
    duration
        T in s.

    Examples
    --------
    >>> law = RunUp(6.0, 15.0)
    >>> law.value(15.0), law.rate(20.0)
    (45.0, 6.0)
    """

    speed: float
    duration: float

    def __post_init__(self) -> None:
        check("run-up: speed", self.speed, FINITE)
        check("run-up: duration", self.duration, POSITIVE, "s")

    def value(self, t: float) -> float:
        """Return s(t)."""
        T, w = self.duration, 2.0 * pi / self.duration
        if t >= T:
            return self.speed * (t - T / 2)
        return self.speed / T * (t**2 / 2 + (cos(w * t) - 1) / w**2) if t > 0.0 else 0.0

    def rate(self, t: float) -> float:
        """Return s'(t)."""
        T, w = self.duration, 2.0 * pi / self.duration
        if t >= T:
            return self.speed
        return self.speed / T * (t - sin(w * t) / w) if t > 0.0 else 0.0

    def acceleration(self, t: float) -> float:
        """Return s''(t)."""
        T, w = self.duration, 2.0 * pi / self.duration
        return self.speed / T * (1.0 - cos(w * t)) if 0.0 < t < T else 0.0

    def lowered(self) -> Floats:
        """Numbers of the motion for compiled programs."""
        return np.array([RUN_UP, self.speed, self.duration], dtype=float)


@dataclass(frozen=True, eq=False)
class MotionTable:
    """Motion through given points, by a cubic spline: s, s' and s'' are continuous inside.

    Parameters
    ----------
    t, s
        Times in s, increasing, and values.
    ends
        "rest": the motion starts and ends with speed zero and holds outside the table (s'' jumps
        at its ends); "extend": it goes on at constant speed, s'' is zero at the ends; "repeat": the
        table is one period, its first and last value are equal.

    Examples
    --------
    >>> shake = MotionTable((0.0, 1.0, 2.0, 3.0, 4.0), (0.0, 1.0, 0.0, -1.0, 0.0), ends="repeat")
    >>> round(shake.value(401.0), 12)
    1.0
    """

    t: Sequence[float]
    s: Sequence[float]
    ends: str = "rest"

    def __post_init__(self) -> None:
        check("motion table: ends", self.ends, one_of(ENDS))
        if len(self.t) != len(self.s) or len(self.t) < 2:
            raise InputError(
                f"motion table: invalid {len(self.t)} t and {len(self.s)} s: expected as many t as "
                "s, at least two"
            )
        for value in (*self.t, *self.s):
            check("motion table: entry", value, FINITE)
        if np.any(np.diff(self.t) <= 0.0):
            raise InputError(f"motion table: invalid t = {tuple(self.t)}: expected rising values")
        if self.ends == "repeat" and self.s[0] != self.s[-1]:
            raise InputError(
                f"motion table: invalid s from {self.s[0]} to {self.s[-1]} of a table that "
                "repeats: expected equal first and last values"
            )

    def value(self, t: float) -> float:
        """Return s(t)."""
        inner = self._inner(t)
        return float(self._spline(inner) + self._spline(inner, 1) * self._beyond(t, inner))

    def rate(self, t: float) -> float:
        """Return s'(t)."""
        return float(self._spline(self._inner(t), 1))

    def acceleration(self, t: float) -> float:
        """Return s''(t)."""
        inner = self._inner(t)
        return float(self._spline(inner, 2)) if self._beyond(t, inner) == 0.0 else 0.0

    def lowered(self) -> Floats:
        """Numbers of the motion for compiled programs."""
        t, c = self._spline.x, self._spline.c
        head = [SPLINE, self.ends == "repeat", len(t) - 1, t[-1]]
        return np.concatenate([head, t[:-1], c.ravel()])

    def _inner(self, t: float) -> float:
        """Time inside the table."""
        first, last = self.t[0], self.t[-1]
        if self.ends == "repeat":
            return first + (t - first) % (last - first)
        return min(last, max(first, t))

    def _beyond(self, t: float, inner: float) -> float:
        """Time outside the table."""
        return 0.0 if self.ends == "repeat" else t - inner

    @cached_property
    def _spline(self) -> CubicSpline:
        from scipy.interpolate import CubicSpline  # takes longer to load than most starts

        return CubicSpline(self.t, self.s, bc_type=ENDS[self.ends])


@dataclass(frozen=True, eq=False)
class MotionFunction:
    """Motion given by a Python function.

    Parameters
    ----------
    function
        s(t).
    first, second
        s'(t) and s''(t). A missing one is formed by the central difference of sixth order of the
        function, s'' of s' where that is given. With the step h and motions of the angular
        frequency w its relative truncation error is (w h)^6 / 140 or less. Round-off adds 2 e / h
        to a first and 6 e / h^2 to a second derivative, e = 2.2e-16 (max|s| + |t| max|s'|).
    step
        h in s.

    Examples
    --------
    >>> import math
    >>> shaker = MotionFunction(lambda t: 1e-3 * math.sin(100.0 * t))
    >>> round(shaker.rate(0.0), 9), round(shaker.acceleration(math.pi / 200.0), 6)
    (0.1, -10.0)
    """

    function: Callable[[float], float]
    first: Callable[[float], float] | None = None
    second: Callable[[float], float] | None = None
    step: float = 1e-4

    def __post_init__(self) -> None:
        check("motion function: step", self.step, POSITIVE, "s")
        if not callable(self.function):
            raise InputError(
                f"motion function: invalid function = {self.function}: expected a function of time"
            )

    def value(self, t: float) -> float:
        """Return s(t)."""
        return float(self.function(t))

    def rate(self, t: float) -> float:
        """Return s'(t)."""
        if self.first is not None:
            return float(self.first(t))
        return self._difference(self.function, FIRST, t) / self.step

    def acceleration(self, t: float) -> float:
        """Return s''(t)."""
        if self.second is not None:
            return float(self.second(t))
        if self.first is not None:
            return self._difference(self.first, FIRST, t) / self.step
        return self._difference(self.function, SECOND, t) / self.step**2

    def _difference(self, function: Callable[[float], float], weights: Floats, t: float) -> float:
        return float(weights @ [function(t + k * self.step) for k in OFFSETS])
