"""Characteristic curves y(x): straight, tabulated, a sine, or any function with derivative."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import cos, sin
from typing import Protocol, runtime_checkable

import numpy as np

from fecontact.errors import FINITE, POSITIVE, InputError, check, invalid, one_of
from fecontact.kernels.curves import PIECEWISE, SINE, STRAIGHT
from fecontact.typing import Floats

__all__ = ["Curve", "Function", "Line", "Sine", "Table", "curve_through", "ramp"]

ENDS = ("extend", "hold")


@runtime_checkable
class Curve(Protocol):
    """A scalar curve: force over elongation, torque over speed, factor over time."""

    def value(self, x: float) -> float:
        """Return y(x)."""
        ...

    def slope(self, x: float) -> float:
        """Return y'(x)."""
        ...

    def integral(self, x: float) -> float:
        """Return the integral of y from 0 to x."""
        ...


@dataclass(frozen=True)
class Line:
    """Straight line y = start + gradient x."""

    gradient: float = 0.0
    start: float = 0.0

    def __post_init__(self) -> None:
        check("line: gradient", self.gradient, FINITE)
        check("line: start", self.start, FINITE)

    def value(self, x: float) -> float:
        """Return y(x)."""
        return self.start + self.gradient * x

    def slope(self, x: float) -> float:
        """Return the gradient."""
        return self.gradient

    def integral(self, x: float) -> float:
        """Return the integral of y from 0 to x."""
        return (self.start + 0.5 * self.gradient * x) * x

    def lowered(self) -> Floats:
        """Numbers of the line for compiled programs."""
        return np.array([STRAIGHT, self.start, self.gradient], dtype=float)


@dataclass(frozen=True, eq=False)
class Table:
    """Piecewise straight curve through given points.

    Parameters
    ----------
    x, y
        Points, x increasing.
    ends
        Outside the table "extend" the first and last piece, or "hold" the first and last value.

    Examples
    --------
    >>> motor = Table((0.0, 100.0, 200.0), (50.0, 50.0, 0.0))
    >>> motor.value(150.0), motor.slope(150.0), motor.integral(200.0)
    (25.0, -0.5, 7500.0)
    """

    x: Sequence[float]
    y: Sequence[float]
    ends: str = "extend"

    def __post_init__(self) -> None:
        check("table: ends", self.ends, one_of(ENDS))
        if len(self.x) != len(self.y) or len(self.x) < 2:
            raise InputError(
                f"table: invalid {len(self.x)} x and {len(self.y)} y: expected as many x as y, at "
                "least two"
            )
        for value in (*self.x, *self.y):
            check("table: entry", value, FINITE)
        if np.any(np.diff(self.x) <= 0.0):
            raise InputError(f"table: invalid x = {tuple(self.x)}: expected rising values")

    def value(self, x: float) -> float:
        """Return y(x)."""
        i = self._piece(x)
        return float(self._y[i] + self._slopes[i] * (x - self._x[i]))

    def slope(self, x: float) -> float:
        """Return y'(x); at a point of the table that of the piece to its right."""
        return float(self._slopes[self._piece(x)])

    def integral(self, x: float) -> float:
        """Return the integral of y from 0 to x."""
        return self._primitive(x) - self._primitive(0.0)

    def lowered(self) -> Floats:
        """Numbers of the table for compiled programs."""
        parts = self._x, self._y, self._slopes, self._areas
        return np.concatenate([[PIECEWISE, len(self._x)], *parts])

    def _primitive(self, x: float) -> float:
        i = self._piece(x)
        h = x - self._x[i]
        return float(self._areas[i] + (self._y[i] + 0.5 * self._slopes[i] * h) * h)

    def _piece(self, x: float) -> int:
        """Piece that holds x; the first and the last reach to infinity."""
        return int(np.searchsorted(self._x[1:], x, side="right"))

    @cached_property
    def _x(self) -> Floats:
        """Left ends of the pieces; the first piece is measured from the first point."""
        return np.concatenate([[self.x[0]], self.x]).astype(float)

    @cached_property
    def _y(self) -> Floats:
        return np.concatenate([[self.y[0]], self.y]).astype(float)

    @cached_property
    def _slopes(self) -> Floats:
        inner = np.diff(self.y) / np.diff(self.x)
        outer = (inner[0], inner[-1]) if self.ends == "extend" else (0.0, 0.0)
        return np.concatenate([[outer[0]], inner, [outer[1]]])

    @cached_property
    def _areas(self) -> Floats:
        pieces = 0.5 * np.diff(self.x) * (self._y[1:-1] + self._y[2:])
        return np.concatenate([[0.0, 0.0], np.cumsum(pieces)])


@dataclass(frozen=True)
class Sine:
    """Harmonic curve y = mean + amplitude sin(omega x + phase).

    Parameters
    ----------
    amplitude, mean
        In the unit of y.
    omega
        Angular frequency in rad per unit of x: rad/s over time.
    phase
        In rad; pi/2 makes it a cosine.

    Examples
    --------
    >>> shaking = Sine(2.0, omega=50.0)
    >>> shaking.value(0.0), shaking.slope(0.0)
    (0.0, 100.0)
    """

    amplitude: float
    omega: float
    phase: float = 0.0
    mean: float = 0.0

    def __post_init__(self) -> None:
        check("sine: omega", self.omega, POSITIVE, "rad/s")
        for name in ("amplitude", "phase", "mean"):
            check(f"sine: {name}", getattr(self, name), FINITE)

    def value(self, x: float) -> float:
        """Return y(x)."""
        return self.mean + self.amplitude * sin(self.omega * x + self.phase)

    def slope(self, x: float) -> float:
        """Return y'(x)."""
        return self.amplitude * self.omega * cos(self.omega * x + self.phase)

    def integral(self, x: float) -> float:
        """Return the integral of y from 0 to x."""
        wave = cos(self.phase) - cos(self.omega * x + self.phase)
        return self.mean * x + self.amplitude / self.omega * wave

    def lowered(self) -> Floats:
        """Numbers of the curve for compiled programs."""
        return np.array([SINE, self.mean, self.amplitude, self.omega, self.phase], dtype=float)


@dataclass(frozen=True)
class Function:
    """Any Python function with its derivative; the integral is computed by quadrature."""

    function: Callable[[float], float]
    derivative: Callable[[float], float]

    def value(self, x: float) -> float:
        """Return y(x)."""
        return float(self.function(x))

    def slope(self, x: float) -> float:
        """Return y'(x)."""
        return float(self.derivative(x))

    def integral(self, x: float) -> float:
        """Return the integral of y from 0 to x."""
        from scipy.integrate import quad  # takes longer to load than most starts

        return float(quad(self.function, 0.0, x, epsabs=0.0, epsrel=1e-10)[0])


def curve_through(
    name: str, given: float | Curve, line: Callable[[float], Line] = lambda y: Line(start=y)
) -> Curve:
    """Return a given curve, or the line of a given number, by default the constant.

    Anything else is an `InputError`.
    """
    if isinstance(given, (int, float, np.integer)):
        check(name, given, FINITE)
        return line(float(given))
    if isinstance(given, Curve):
        return given
    raise InputError(
        f"{invalid(name)} = {given}: expected a number or a curve (Line, Table, Sine, Function)"
    )


def ramp(duration: float, start: float = 0.0, low: float = 0.0, high: float = 1.0) -> Table:
    """Curve over time that rises from `low` to `high` from time `start` on, in s, then holds.

    Examples
    --------
    >>> ramp(2.0, start=1.0).value(1.5)
    0.25
    """
    if not duration > 0.0:
        raise InputError(f"ramp: invalid duration = {duration} s: expected > 0")
    return Table((start, start + duration), (low, high), ends="hold")
