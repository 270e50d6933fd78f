"""Frequencies of circular plates without a hole: Kirchhoff and Mindlin, by Bessel determinants.

With n nodal diameters each part of the motion obeys  lap f = s f,  f = J_n or I_n of sqrt|s| r.

Kirchhoff: w of s = -b^2 and +b^2, b^4 = rho h omega^2/D.

Mindlin (Mindlin and Deresiewicz 1954), u = (z psi, w), S = kappa G h, J = rho h^3/12:

    psi = sum_j sigma_j grad w_j + curl H,    sigma_j = -(1 + rho h omega^2/(S s_j))
    D s^2 + omega^2 (J + D rho h/S) s - rho h omega^2 (1 - J omega^2/S) = 0     (s_1 < 0 < s_2)
    s_3 = 2 (S - J omega^2)/(D (1 - nu))
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.special import ive, jv

from fecontact.errors import NON_NEGATIVE, POISSON, POSITIVE, at_least, check, one_of
from fecontact.reference.structures.roots import ascending_roots
from fecontact.typing import Floats

__all__ = ["PLATE_EDGES", "SHEAR_FACTOR", "circular_plate_frequencies"]

PLATE_EDGES = ("free", "simply_supported", "clamped")
SHEAR_FACTOR = np.pi**2 / 12.0


def circular_plate_frequencies(
    radius: float,
    thickness: float,
    young: float,
    poisson: float,
    density: float,
    nodal_diameters: int,
    count: int = 1,
    *,
    edge: str = "free",
    theory: str = "kirchhoff",
    shear_factor: float = SHEAR_FACTOR,
) -> Floats:
    """Lowest elastic frequencies in Hz of one number of nodal diameters; rigid modes left out.

    A simply supported Mindlin edge is hard: w = 0, radial moment 0, no twist along the edge.

    Examples
    --------
    >>> E, nu, rho, h = 12 * (1 - 0.3**2), 0.3, 1.0, 1.0        # D = rho h = 1
    >>> f = circular_plate_frequencies(1.0, h, E, nu, rho, 0, 1, edge="clamped")
    >>> (2 * np.pi * f).round(4).tolist()
    [10.2158]
    """
    for name, value in (("radius", radius), ("thickness", thickness), ("young", young)):
        check(name, value, POSITIVE)
    check("poisson", poisson, POISSON)
    check("density", density, POSITIVE, "kg/m^3")
    check("nodal_diameters", nodal_diameters, at_least(0))
    check("count", count, at_least(1))
    check("edge", edge, one_of(PLATE_EDGES))
    check("theory", theory, one_of(("kirchhoff", "mindlin")))
    check("shear_factor", shear_factor, NON_NEGATIVE)
    D = young * thickness**3 / (12.0 * (1.0 - poisson**2))
    unit = np.sqrt(D / (density * thickness)) / radius**2
    if theory == "kirchhoff":
        determinant, end = _kirchhoff, np.inf
    else:
        shear = D * 2.0 * (1.0 + poisson) / (shear_factor * young * thickness * radius**2)
        rotary = (thickness / radius) ** 2 / 12.0
        end = (shear * rotary) ** -0.25

        def determinant(b: Floats, n: int, nu: float, edge: str) -> Floats:
            return _mindlin(b, n, nu, edge, shear, rotary)

    b = ascending_roots(
        lambda x: determinant(x, nodal_diameters, poisson, edge),
        count,
        start=1.0,
        step=0.05,
        end=end,
    )
    return b**2 * unit / (2.0 * np.pi)


@dataclass(frozen=True)
class _Radial:
    """A Bessel function and its derivatives at r = 1, scaled to stay bounded."""

    value: Floats
    first: Floats
    second: Floats
    third: Floats


def _bessel(n: int, s: Floats) -> _Radial:
    """Regular solution of f'' + f'/r - n^2 f/r^2 = s f at r = 1; s of one sign."""
    x = np.sqrt(np.abs(s))
    if np.all(s <= 0.0):
        value, first = jv(n, x), 0.5 * x * (jv(n - 1, x) - jv(n + 1, x))
    else:
        value, first = ive(n, x), 0.5 * x * (ive(n - 1, x) + ive(n + 1, x))
    second = s * value - first + n**2 * value
    third = s * first - second + first + n**2 * (first - 2.0 * value)
    return _Radial(value, first, second, third)


def _kirchhoff(b: Floats, n: int, nu: float, edge: str) -> Floats:
    """Determinant (2 x 2) of the thin plate of unit radius."""
    columns = []
    for f in (_bessel(n, -(b**2)), _bessel(n, b**2)):
        moment = f.second + nu * (f.first - n**2 * f.value)
        lap_slope = f.third + f.second - f.first - n**2 * (f.first - 2.0 * f.value)
        force = lap_slope - (1.0 - nu) * n**2 * (f.first - f.value)
        rows = {
            "clamped": (f.value, f.first / b),
            "simply_supported": (f.value, moment / b**2),
            "free": (moment / b**2, force / b**3),
        }[edge]
        columns.append(rows)
    return columns[0][0] * columns[1][1] - columns[0][1] * columns[1][0]


def _mindlin(b: Floats, n: int, nu: float, edge: str, shear: float, rotary: float) -> Floats:
    """Determinant (3 x 3; 2 x 2 for n = 0) in units R = D = rho h = 1, 1/S = shear, J = rotary."""
    square = b**4
    middle = square * (rotary + shear)
    root = np.sqrt(middle**2 + 4.0 * square * (1.0 - rotary * shear * square))
    columns = []
    for s in (-0.5 * (middle + root), np.maximum(0.5 * (root - middle), 1e-12)):
        f, sigma = _bessel(n, s), -(1.0 + square * shear / s)
        R, dR = sigma * f.first, sigma * f.second
        T, dT = -n * sigma * f.value, -n * sigma * (f.first - f.value)
        columns.append(_edge_rows(edge, n, nu, b, _Column(f.value, f.first, R, dR, T, dT)))
    if n > 0:
        f = _bessel(n, 2.0 * np.maximum(1.0 / shear - rotary * square, 1e-12) / (1.0 - nu))
        R, dR = n * f.value, n * (f.first - f.value)
        none = np.zeros_like(b)
        twisting = _Column(none, none, R, dR, -f.first, -f.second)
        columns.append(_edge_rows(edge, n, nu, b, twisting))
    matrix = np.moveaxis(np.array(columns), -1, 0)
    return np.linalg.det(matrix)


class _Column(NamedTuple):
    """Deflection and slope of one solution, its rotations and their derivatives."""

    w: Floats
    slope: Floats
    radial: Floats
    d_radial: Floats
    around: Floats
    d_around: Floats


def _edge_rows(edge: str, n: int, nu: float, b: Floats, column: _Column) -> list[Floats]:
    """Edge conditions of one solution."""
    w, slope, R, dR, T, dT = column
    moment = (dR + nu * (R + n * T)) / b**2
    twist = (dT - T - n * R) / b**2
    rows = {
        "clamped": [w, R / b, T / b],
        "simply_supported": [w, moment, T / b],
        "free": [moment, (slope + R) / b, twist],
    }[edge]
    return rows if n > 0 else rows[:2]
