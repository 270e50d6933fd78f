"""Normal laws: pressure from gap and gap rate."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol, runtime_checkable

import numpy as np
from scipy.interpolate import PchipInterpolator, PPoly

from fecontact.contact.status import APART
from fecontact.errors import NON_NEGATIVE, POISSON, POSITIVE, InputError, check, numbers
from fecontact.typing import Floats

__all__ = [
    "HasThickness",
    "NormalLaw",
    "PenaltyNormal",
    "PowerNormal",
    "TableNormal",
    "gripping",
    "winkler_layer",
]

LEAST_DEPTH = 1e-100
"""Compression in m whose powers are still numbers."""
Pressure = tuple[Floats, Floats, Floats]
"""Pressure, and its derivatives with respect to gap and gap rate, each (p,)."""


class NormalLaw(Protocol):
    """Normal law without memory."""

    def pressure(self, gap: Floats, gap_rate: Floats) -> Pressure:
        """Pressure, and its derivatives with respect to gap and gap rate, each (p,)."""
        ...

    def energy(self, gap: Floats) -> Floats:
        """Stored energy (p,) in J/m^2; its slope is -p of a gap at rest."""
        ...


@runtime_checkable
class HasThickness(Protocol):
    """A normal law of a layer; a point that starts deeper than it is refused."""

    @property
    def thickness(self) -> float:
        """Thickness in m; infinite if it does not matter."""
        ...


@dataclass(frozen=True)
class PenaltyNormal:
    """Unilateral spring-damper without tension (Jehle 2.41).

        p = max(0, -(c_n g + d_n g'))   where g <= 0,   else 0

    At the kinks, where a point just touches or the damper takes the last of the pressure, the
    derivatives are those of the closed contact: Newton's method then finds the contact from a
    touching start.

    Parameters
    ----------
    stiffness
        c_n in N/m^3 on an area, in N/m^2 on a line.
    damping
        d_n in N s/m^3 on an area, in N s/m^2 on a line.
    thickness
        Of the layer in m: motion does not start with points that are pressed through it.

    Examples
    --------
    >>> law = PenaltyNormal(stiffness=100.0)
    >>> p, _, _ = law.pressure(np.array([-0.01, 0.01]), np.zeros(2))
    >>> p.tolist()
    [1.0, 0.0]
    """

    stiffness: float
    damping: float = 0.0
    thickness: float = np.inf

    def __post_init__(self) -> None:
        check("contact stiffness", self.stiffness, POSITIVE)
        check("contact damping", self.damping, NON_NEGATIVE)
        if not self.thickness > 0.0:
            raise InputError(f"thickness = {self.thickness} m is not possible: it must be > 0")

    def pressure(self, gap: Floats, gap_rate: Floats) -> Pressure:
        """Pressure, and its derivatives with respect to gap and gap rate, each (p,)."""
        trial = -(self.stiffness * gap + self.damping * gap_rate)
        closed = (gap <= 0.0) & (trial >= 0.0)
        return (
            np.where(closed, trial, 0.0),
            np.where(closed, -self.stiffness, 0.0),
            np.where(closed, -self.damping, 0.0),
        )

    def energy(self, gap: Floats) -> Floats:
        """Stored energy c_n g^2/2 (p,)."""
        return np.asarray(0.5 * self.stiffness * np.minimum(gap, 0.0) ** 2)


@dataclass(frozen=True)
class PowerNormal:
    """Power law with damping, without tension: Hertz, Hunt and Crossley.

        p = max(0, k d^n + b(d) d'),      d = -g >= 0

    At the kinks, where a point just touches or the damper takes the last of the pressure, the
    derivatives are those of the closed contact. Root damping with 1 < n < 3 has none by the gap
    where a moving point touches: there its part is 0.

    Parameters
    ----------
    stiffness
        k in N/m^n of a point (per area or length for surfaces and lines).
    exponent
        n >= 1; 3/2 for Hertz's contact of two curved bodies.
    hunt_crossley
        alpha in s/m: b = alpha k d^n. The force is continuous at impact, and the restitution falls
        with the impact speed (Stamm 2.21, 2.22).
    root_damping
        kappa in kg^(1/2) for a point: b = kappa sqrt(c) with the secant stiffness c = k d^(n-1);
        kappa = 2 D sqrt(m) for a damping ratio D of the mass m (Waehrisch 4.2).
    """

    stiffness: float
    exponent: float = 1.5
    hunt_crossley: float = 0.0
    root_damping: float = 0.0

    def __post_init__(self) -> None:
        check("contact stiffness", self.stiffness, POSITIVE)
        check("hunt_crossley", self.hunt_crossley, NON_NEGATIVE, "s/m")
        check("root_damping", self.root_damping, NON_NEGATIVE)
        if not 1.0 <= self.exponent < np.inf:
            raise InputError(f"contact exponent = {self.exponent} is not possible: it must be >= 1")

    def pressure(self, gap: Floats, gap_rate: Floats) -> Pressure:
        """Pressure, and its derivatives with respect to gap and gap rate, each (p,)."""
        n, root = self.exponent, np.sqrt(self.stiffness) * self.root_damping
        depth = np.maximum(-gap, 0.0)
        spring = self.stiffness * depth**n
        slope = n * self.stiffness * depth ** (n - 1.0)
        b = self.hunt_crossley * spring + root * depth ** (0.5 * (n - 1.0))
        steep = np.maximum(depth, LEAST_DEPTH) ** (0.5 * (n - 3.0))
        steep = np.where((depth > 0.0) | (n == 3.0), steep, 0.0)
        d_b = self.hunt_crossley * slope + 0.5 * (n - 1.0) * root * steep
        trial = spring - b * gap_rate
        closed = (gap <= 0.0) & (trial >= 0.0)
        return (
            np.where(closed, trial, 0.0),
            np.where(closed, -slope + d_b * gap_rate, 0.0),
            np.where(closed, -b, 0.0),
        )

    def energy(self, gap: Floats) -> Floats:
        """Stored energy k d^(n + 1)/(n + 1) (p,)."""
        power = self.exponent + 1.0
        return np.asarray(self.stiffness / power * np.maximum(-gap, 0.0) ** power)


@dataclass(frozen=True, eq=False)
class TableNormal:
    """Nonlinear facing: pressure over compression by a monotone cubic through a table.

        p = max(0, f(d) + b d'),      d = -g >= 0

    Beyond the table the slope of its end continues; motion that starts there gives a warning. The
    slope does not jump at the knots; at the kinks of `PenaltyNormal` it is that of the closed
    contact.

    Parameters
    ----------
    compressions
        d in m, rising from 0.
    pressures
        f in Pa, rising from 0.
    damping
        b in N s/m^3.
    """

    compressions: Floats
    pressures: Floats
    damping: float = 0.0

    def __post_init__(self) -> None:
        check("contact damping", self.damping, NON_NEGATIVE)
        for name in ("compressions", "pressures"):
            values = numbers(f"facing table: {name}", getattr(self, name))
            rises = values.ndim == 1 and len(values) > 1 and np.all(np.diff(values) > 0.0)
            if not (rises and values[0] == 0.0 and np.isfinite(values).all()):
                raise InputError(f"facing table: {name} = {values} must rise from 0")
        if len(self.compressions) != len(self.pressures):
            raise InputError(
                f"facing table: {len(self.compressions)} compressions and {len(self.pressures)} "
                "pressures; they must be as many"
            )

    def pressure(self, gap: Floats, gap_rate: Floats) -> Pressure:
        """Pressure, and its derivatives with respect to gap and gap rate, each (p,)."""
        depth, end = np.maximum(-gap, 0.0), float(self.compressions[-1])
        inside = np.minimum(depth, end)
        slope = self._slope(inside)
        trial = self._curve(inside) + slope * (depth - inside) - self.damping * gap_rate
        closed = (gap <= 0.0) & (trial >= 0.0)
        return (
            np.where(closed, trial, 0.0),
            np.where(closed, -slope, 0.0),
            np.where(closed, -self.damping, 0.0),
        )

    def energy(self, gap: Floats) -> Floats:
        """Stored energy (p,): the integral of the table."""
        depth, end = np.maximum(-gap, 0.0), float(self.compressions[-1])
        inside = np.minimum(depth, end)
        beyond = depth - inside
        tail = self._curve(end) * beyond + 0.5 * self._slope(end) * beyond**2
        return np.asarray(self._integral(inside) + tail)

    @cached_property
    def _curve(self) -> PchipInterpolator:
        return PchipInterpolator(self.compressions, self.pressures)

    @cached_property
    def _slope(self) -> PchipInterpolator:
        return self._curve.derivative()

    @cached_property
    def _integral(self) -> PPoly:
        return self._curve.antiderivative()


def gripping(pressure: Pressure) -> Floats:
    """Pressure (p,) for the tangents of a friction law.

    A point that just touches may stick. An open one, whose pressure does not change either, may
    not: for the law it is `APART`.
    """
    return np.where(np.any(pressure, axis=0), pressure[0], APART)


def winkler_layer(
    modulus: float, thickness: float, poisson: float = 0.0, loss: float = 0.0
) -> PenaltyNormal:
    """Thin elastic layer bonded to the body: c_n = E_c/t, E_c = E (1 - nu)/((1 + nu)(1 - 2 nu)).

    Parameters
    ----------
    modulus
        Young's modulus E of the layer in Pa.
    thickness
        t in m, small against the contact.
    poisson
        The layer cannot spread sideways, so its constrained modulus counts.
    loss
        Retardation time in s: d_n = loss c_n.

    Examples
    --------
    >>> winkler_layer(modulus=1e9, thickness=1e-3).stiffness
    1000000000000.0
    """
    check("layer modulus", modulus, POSITIVE, "Pa")
    check("layer thickness", thickness, POSITIVE, "m")
    check("layer poisson", poisson, POISSON)
    check("layer loss", loss, NON_NEGATIVE, "s")
    constrained = modulus * (1.0 - poisson) / ((1.0 + poisson) * (1.0 - 2.0 * poisson))
    stiffness = constrained / thickness
    return PenaltyNormal(stiffness, loss * stiffness, thickness)
