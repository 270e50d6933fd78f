"""Friction coefficient: constant, with static memory, Stribeck, tables over speed and pressure.

A coefficient answers mu(|s|, p, mode) with its derivatives by speed and pressure. The static value
is a property of the mode, not of the speed: it is the limit while a point sticks and until it
breaks away (Stamm 4.73, read with state memory).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from numbers import Real
from typing import Any, Protocol

import numpy as np

from fecontact.contact.status import SLIP, STICK
from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, check, numbers, shown, warn_unusual
from fecontact.typing import Floats, Integers

__all__ = [
    "Coefficient",
    "Coulomb",
    "FrictionTable",
    "Stribeck",
    "coefficient_of",
    "friction_limit",
    "refuse_static",
]

LARGEST = 5.0
"""Friction coefficient above which it was hardly meant so."""

ENDLESS = 1e4
"""Friction coefficient from which on it stands for points that never slide."""

PRESSURES: Floats = np.geomspace(1e-3, 1e12, 16)
"""Pressures in Pa at which the coefficients at rest are compared."""
Values = tuple[Floats, Floats, Floats]
"""mu, dmu/d|s| and dmu/dp, each (p,)."""


class Coefficient(Protocol):
    """Friction coefficient of points."""

    def values(self, speed: Floats, pressure: Floats, mode: Integers) -> Values:
        """mu, dmu/d|s| and dmu/dp, each (p,)."""
        ...


@dataclass(frozen=True)
class Coulomb:
    """Kinetic coefficient mu, and a static one for points that stick.

    Examples
    --------
    >>> law = Coulomb(0.35, static=0.55)
    >>> law.values(np.zeros(2), np.ones(2), np.array([1, 2]))[0].tolist()
    [0.55, 0.35]
    """

    mu: float
    static: float | None = None

    def __post_init__(self) -> None:
        check("mu", self.mu, NON_NEGATIVE)
        _check_static(self.static, self.mu)
        _warn_percent(self.mu)

    def values(self, speed: Floats, pressure: Floats, mode: Integers) -> Values:
        """mu, dmu/d|s| and dmu/dp, each (p,)."""
        zero = np.zeros_like(speed)
        if self.static is None:
            return np.full_like(speed, self.mu), zero, zero
        return np.where(mode == STICK, self.static, self.mu), zero, zero


@dataclass(frozen=True)
class Stribeck:
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
            raise InputError(
                f"Stribeck exponent = {self.exponent} is not possible: it must be >= 1"
            )

    def values(self, speed: Floats, pressure: Floats, mode: Integers) -> Values:
        """mu, dmu/d|s| and dmu/dp, each (p,)."""
        ratio = speed / self.speed
        fall = (self.static - self.mu) * np.exp(-(ratio**self.exponent))
        slope = -fall * self.exponent / self.speed * ratio ** (self.exponent - 1.0)
        mu = self.mu + fall + self.viscous * speed
        sticks = mode == STICK
        slope = np.where(sticks, 0.0, slope + self.viscous)
        return np.where(sticks, self.static, mu), slope, np.zeros_like(speed)


@dataclass(frozen=True, eq=False)
class FrictionTable:
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

    speeds: Floats
    coefficients: Floats = field(repr=False)
    pressures: Floats | None = None
    static: float | None = None

    def __post_init__(self) -> None:
        _check_grid("speeds", self.speeds, 2)
        if self.pressures is not None:
            _check_grid("pressures", self.pressures, 1)
        if self.speeds[0] != 0.0:
            raise InputError(
                f"mu table: speeds start at {self.speeds[0]} m/s; they must start at 0"
            )
        shape = self._table.shape
        if shape != (len(self.speeds), len(self._pressures)):
            raise InputError(
                f"mu table: coefficients have the shape {np.shape(self.coefficients)}; it must be "
                "that of the speeds and pressures"
            )
        if not np.isfinite(self._table).all() or np.any(self._table < 0.0):
            raise InputError("mu table: values must be finite and >= 0")
        _check_static(self.static, float(self._table[0].max()))

    def values(self, speed: Floats, pressure: Floats, mode: Integers) -> Values:
        """mu, dmu/d|s| and dmu/dp, each (p,)."""
        i, x, dx = _cell(np.asarray(self.speeds, dtype=float), speed)
        j, y, dy = _cell(self._pressures, pressure)
        table = self._table
        j_next = np.minimum(j + 1, table.shape[1] - 1)
        low = (1.0 - x) * table[i, j] + x * table[i + 1, j]
        high = (1.0 - x) * table[i, j_next] + x * table[i + 1, j_next]
        along_low, along_high = (
            table[i + 1, j] - table[i, j],
            table[i + 1, j_next] - table[i, j_next],
        )
        mu = (1.0 - y) * low + y * high
        by_speed = dx * ((1.0 - y) * along_low + y * along_high)
        by_pressure = dy * (high - low)
        sticks = mode == STICK
        rest = (1.0 - y) * table[0, j] + y * table[0, j_next]
        rest_slope = dy * (table[0, j_next] - table[0, j])
        if self.static is not None:
            rest, rest_slope = np.full_like(mu, self.static), np.zeros_like(mu)
        return (
            np.where(sticks, rest, mu),
            np.where(sticks, 0.0, by_speed),
            np.where(sticks, rest_slope, by_pressure),
        )

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
            f"mu = {given} is not possible: it must be a number >= 0 or a law such as Coulomb(mu)"
        )
    law: Coefficient = mu
    return law


def friction_limit(
    coefficient: Coefficient, slip: Floats, pressure: Floats, mode: Integers
) -> Values:
    """Friction limit mu p and its derivatives by speed and pressure; none under tension."""
    speed = np.linalg.norm(slip, axis=1)
    pushed = np.maximum(pressure, 0.0)
    mu, by_speed, by_pressure = coefficient.values(speed, pushed, mode)
    slope = np.where(pressure >= 0.0, mu + by_pressure * pushed, 0.0)
    return mu * pushed, by_speed * pushed, slope


def refuse_static(coefficient: Coefficient, where: str, name: str = "") -> None:
    """Refuse a static value that a law or a method would never use, or could not."""
    rest = np.zeros_like(PRESSURES)
    sticks, slides = (
        coefficient.values(rest, PRESSURES, np.full(len(rest), mode))[0] for mode in (STICK, SLIP)
    )
    if np.any(sticks != slides):
        i = int(np.argmax(np.abs(sticks - slides)))
        raise InputError(
            f"{name}static mu = {sticks[i]} above {slides[i]} at rest is not possible with "
            f"{where}: take a Stribeck law that falls from the static value"
        )


def _check_grid(name: str, grid: Floats, least: int) -> None:
    values = numbers(f"mu table: {name}", grid)
    if values.ndim != 1 or len(values) < least or not np.isfinite(values).all():
        raise InputError(
            f"mu table: {name} = {grid} is not possible: they must be at least {least} finite "
            "numbers"
        )
    if np.any(np.diff(values) <= 0.0):
        raise InputError(f"mu table: {name} = {grid} is not possible: they must rise")


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
            raise InputError(
                f"static mu = {static} is not possible: it must be at least mu = {kinetic}"
            )


def _cell(grid: Floats, x: Floats) -> tuple[Integers, Floats, Floats]:
    """Cell, place in it (0..1) and its slope; constant beyond the ends."""
    if len(grid) == 1:
        return np.zeros(len(x), dtype=np.int64), np.zeros_like(x), np.zeros_like(x)
    cell = np.clip(np.searchsorted(grid, x, side="right") - 1, 0, len(grid) - 2)
    width = grid[cell + 1] - grid[cell]
    inside = (x >= grid[0]) & (x < grid[-1])
    place = np.clip((x - grid[cell]) / width, 0.0, 1.0)
    return cell, place, np.where(inside, 1.0 / width, 0.0)
