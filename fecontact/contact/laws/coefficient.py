"""Friction coefficient: constant, with a static value, Stribeck, tables over speed and pressure.

A coefficient is mu(|s|, p), with another value for points that stick, and has its derivatives by
speed and pressure. The static value is a property of the status, not of the speed: it is the limit
while a point sticks and until it breaks away (Stamm 4.73, read with a status that lasts).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from math import exp, isnan
from numbers import Real
from typing import Any, ClassVar

import numpy as np

from fecontact.contact.laws.base import Coefficient, friction_limit
from fecontact.contact.laws.point import CoefficientPoint
from fecontact.contact.status import SLIP, STICK
from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, check, numbers, shown, warn_unusual
from fecontact.kernels.calls import inlined
from fecontact.typing import Floats

__all__ = [
    "Coefficient",
    "Coulomb",
    "FrictionTable",
    "Stribeck",
    "coefficient_of",
    "friction_limit",
    "refuse_pressure",
    "refuse_static",
]

LARGEST = 5.0
"""Friction coefficient above which it was hardly meant so."""

ENDLESS = 1e4
"""Friction coefficient from which on it stands for points that never slide."""

PRESSURES: Floats = np.geomspace(1e-3, 1e12, 16)
"""Pressures in Pa at which the coefficients at rest are compared."""

FINE_PRESSURES: Floats = np.geomspace(1e-3, 1e12, 301)
"""Pressures in Pa at which a coefficient over pressure is told from others."""


def _same(parameters: Floats, h: float) -> Floats:
    """Parameters as they are."""
    return parameters


def _coulomb(k: Floats, speed: float, pressure: float, sticks: bool) -> tuple[float, float, float]:
    """Kinetic or static coefficient."""
    return (k[1] if sticks else k[0]), 0.0, 0.0


@dataclass(frozen=True)
class Coulomb(Coefficient):
    """Kinetic coefficient mu, and a static one for points that stick.

    Examples
    --------
    >>> law = Coulomb(0.35, static=0.55)
    >>> law.values(np.zeros(2), np.ones(2), np.array([1, 2]))[0].tolist()
    [0.55, 0.35]
    """

    point: ClassVar[CoefficientPoint] = CoefficientPoint(_same, _coulomb)
    mu: float
    static: float | None = None

    def __post_init__(self) -> None:
        check("mu", self.mu, NON_NEGATIVE)
        _check_static(self.static, self.mu)
        _warn_percent(self.mu)

    @cached_property
    def parameters(self) -> Floats:
        """Kinetic and static coefficient."""
        return np.array([self.mu, self.mu if self.static is None else self.static], dtype=float)

    @property
    def constant(self) -> float | None:
        """The coefficient, unless the static one differs."""
        return float(self.mu) if self.static in (None, self.mu) else None


def _stribeck(k: Floats, speed: float, pressure: float, sticks: bool) -> tuple[float, float, float]:
    """Falling exponential and viscous rise; the static value while a point sticks."""
    if sticks:
        return k[1], 0.0, 0.0
    ratio = speed / k[2]
    power = ratio ** (k[3] - 1.0)
    fall = (k[1] - k[0]) * exp(-power * ratio)
    slope = k[4] - fall * k[3] / k[2] * power
    return k[0] + fall + k[4] * speed, slope, 0.0


@dataclass(frozen=True)
class Stribeck(Coefficient):
    """Falling, then rising coefficient: mu + (static - mu) exp(-(|s|/v_s)^delta) + viscous |s|.

    While a point sticks, the limit is the static value at any speed.

    Parameters
    ----------
    mu, static
        Coefficient of fast sliding without its viscous part, and at rest.
    speed
        v_s in m/s.
    exponent
        delta, at least 1: the slope at rest is then finite.
    viscous
        Rise with the speed in s/m.
    """

    point: ClassVar[CoefficientPoint] = CoefficientPoint(_same, _stribeck)
    mu: float
    static: float
    speed: float
    exponent: float = 1.0
    viscous: float = 0.0

    def __post_init__(self) -> None:
        check("mu", self.mu, NON_NEGATIVE)
        _check_static(self.static, self.mu)
        _warn_percent(self.mu)
        check("Stribeck speed", self.speed, POSITIVE, "m/s")
        check("viscous", self.viscous, NON_NEGATIVE, "s/m")
        if not 1.0 <= self.exponent < np.inf:
            raise InputError(f"invalid Stribeck exponent = {self.exponent}: expected >= 1")

    @cached_property
    def parameters(self) -> Floats:
        """Coefficients, speed, exponent and viscous rise."""
        return np.array(
            [self.mu, self.static, self.speed, self.exponent, self.viscous], dtype=float
        )


def _table(parameters: Floats, h: float) -> tuple[float, Floats, Floats, Floats]:
    """Static value, or nan for that of the table at rest; grids and table, row by row."""
    rows, columns = int(parameters[1]), int(parameters[2])
    a, b = 3 + rows, 3 + rows + columns
    return parameters[0], parameters[3:a], parameters[a:b], parameters[b : b + rows * columns]


def _tabled(k: Any, speed: float, pressure: float, sticks: bool) -> tuple[float, float, float]:
    """Bilinear value and its slopes, those towards higher speed and pressure at a knot."""
    static, speeds, pressures, table = k
    if sticks and not isnan(static):
        return static, 0.0, 0.0
    i, x, dx = _cell(speeds, 0.0 if sticks else speed)
    j, y, dy = _cell(pressures, pressure)
    wide = len(pressures)
    here, there = wide * i, wide * min(i + 1, len(speeds) - 1)
    j_next = min(j + 1, wide - 1)
    low = (1.0 - x) * table[here + j] + x * table[there + j]
    high = (1.0 - x) * table[here + j_next] + x * table[there + j_next]
    rise = (1.0 - y) * (table[there + j] - table[here + j])
    rise += y * (table[there + j_next] - table[here + j_next])
    mu = (1.0 - y) * low + y * high
    return mu, (0.0 if sticks else dx * rise), dy * (high - low)


@inlined
def _cell(grid: Floats, x: float) -> tuple[int, float, float]:
    """Cell of a rising grid, position in it (0..1) and its slope; constant beyond the ends."""
    if len(grid) == 1:
        return 0, 0.0, 0.0
    k = min(max(int(np.searchsorted(grid, x, side="right")) - 1, 0), len(grid) - 2)
    width = grid[k + 1] - grid[k]
    slope = 1.0 / width if (x >= grid[0] and x < grid[-1]) else 0.0
    return k, min(max((x - grid[k]) / width, 0.0), 1.0), slope


@dataclass(frozen=True, eq=False)
class FrictionTable(Coefficient):
    """Bilinear table of mu over speed and, if given, pressure; constant beyond its ends.

    At a knot the derivatives are those towards higher speed and pressure.

    Parameters
    ----------
    speeds
        In m/s, rising, the first one 0.
    coefficients
        mu, shape (speeds,), or (speeds, pressures).
    pressures
        In Pa, rising.
    static
        Limit of sticking points; by default that of the table at rest.
    """

    point: ClassVar[CoefficientPoint] = CoefficientPoint(_table, _tabled)
    speeds: Floats
    coefficients: Floats = field(repr=False)
    pressures: Floats | None = None
    static: float | None = None

    def __post_init__(self) -> None:
        _check_grid("speeds", self.speeds, 2)
        if self.pressures is not None:
            _check_grid("pressures", self.pressures, 1)
        if self.speeds[0] != 0.0:
            raise InputError(f"mu table: invalid first speed = {self.speeds[0]} m/s: expected 0")
        shape = self._table.shape
        if shape != (len(self.speeds), len(self._pressures)):
            raise InputError(
                f"mu table: invalid coefficients of shape {np.shape(self.coefficients)}: expected "
                "that of the speeds and pressures"
            )
        if not np.isfinite(self._table).all() or np.any(self._table < 0.0):
            raise InputError("mu table: invalid values: expected finite ones >= 0")
        _check_static(self.static, float(self._table[0].max()))

    @cached_property
    def parameters(self) -> Floats:
        """Static value, sizes, grids and table."""
        static = np.nan if self.static is None else self.static
        sizes = len(self.speeds), len(self._pressures)
        return np.concatenate(
            [[static, *sizes], self.speeds, self._pressures, self._table.ravel()]
        ).astype(float)

    @cached_property
    def _pressures(self) -> Floats:
        return np.zeros(1) if self.pressures is None else np.asarray(self.pressures, dtype=float)

    @cached_property
    def _table(self) -> Floats:
        table = numbers("mu table: coefficients", self.coefficients)
        return table[:, None] if table.ndim == 1 else table


def coefficient_of(mu: Any) -> Coefficient:
    """A number, Python's or numpy's, is Coulomb's coefficient; a law stays as it is."""
    if isinstance(mu, Real):
        return Coulomb(float(mu))
    if isinstance(mu, type) or not callable(getattr(mu, "values", None)):
        given = shown(mu) if isinstance(mu, type) else repr(mu)
        raise InputError(
            f"invalid mu = {given}: expected a number >= 0 or a law such as Coulomb(mu)"
        )
    law: Coefficient = mu
    return law


def refuse_static(coefficient: Coefficient, where: str, name: str = "") -> None:
    """Refuse a static value that a law or a method would never use, or could not."""
    rest = np.zeros_like(PRESSURES)
    sticks, slides = (
        coefficient.values(rest, PRESSURES, np.full(len(rest), status))[0]
        for status in (STICK, SLIP)
    )
    if np.any(sticks != slides):
        i = int(np.argmax(np.abs(sticks - slides)))
        raise InputError(
            f"{name}invalid static mu = {sticks[i]} with {where}: expected that of sliding at "
            f"rest, {slides[i]}; take a Stribeck law that falls from the static value"
        )


def refuse_pressure(coefficient: Coefficient, where: str) -> None:
    """Refuse a coefficient over pressure where forces have none."""
    speeds = np.concatenate([[0.0], np.geomspace(1e-6, 1e3, 37)])
    for status in (STICK, SLIP):
        for speed in speeds:
            at = np.full(len(FINE_PRESSURES), speed)
            mu = coefficient.values(at, FINE_PRESSURES, np.full(len(at), status))[0]
            if np.ptp(mu) > 0.0:
                raise InputError(
                    f"invalid friction = {type(coefficient).__name__} over pressure: expected a "
                    f"coefficient over speed alone {where}"
                )


def _check_grid(name: str, grid: Floats, least: int) -> None:
    values = numbers(f"mu table: {name}", grid)
    if values.ndim != 1 or len(values) < least or not np.isfinite(values).all():
        raise InputError(
            f"mu table: invalid {name} = {grid}: expected at least {least} finite numbers"
        )
    if np.any(np.diff(values) <= 0.0):
        raise InputError(f"mu table: invalid {name} = {grid}: expected rising values")


def _warn_percent(mu: float) -> None:
    """Warn of a coefficient that no pair of materials has."""
    if LARGEST < mu < ENDLESS:
        warn_unusual(
            f"mu = {mu:g} is unusual: dry pairs have 0.05 to 1.5",
            f"given in percent? Then write {mu / 100.0:g}",
        )


def _check_static(static: float | None, kinetic: float) -> None:
    if static is not None:
        check("static mu", static, NON_NEGATIVE)
        if static < kinetic:
            raise InputError(f"invalid static mu = {static}: expected at least mu = {kinetic}")
