"""Analytic contact patches with their quadrature: ring, annulus, rectangle, line, cap, cone wall.

Along straight sides and radii the rule is Gauss's, exact for polynomials of degree 2 n - 1; along
circles it is the trapezoidal rule, exact for harmonics below n. Integrals such as the clutch
torque int r p dA are therefore exact.
"""

from __future__ import annotations

import numpy as np

from fecontact.contact.surface.points import Surface
from fecontact.errors import (
    FINITE,
    NON_NEGATIVE,
    POSITIVE,
    Allowed,
    InputError,
    at_least,
    check,
    warn_unusual,
)
from fecontact.typing import Floats

__all__ = ["annulus", "cap", "cone_wall", "line", "rectangle", "ring"]

Vector = tuple[float, float, float]

LARGEST = 20.0
"""Distance in m from the origin of its body that no point of a contact patch has."""


def ring(radius: float, points: int = 24, height: float = 0.0) -> Surface:
    """Circle about the z axis; the periodic trapezoidal rule converges spectrally on it.

    Parameters
    ----------
    radius
        In m.
    points
        Number of quadrature points.
    height
        z coordinate of the circle in m.

    Examples
    --------
    >>> circle = ring(0.1, points=12)
    >>> round(circle.measure, 6)
    0.628319
    """
    check("ring radius", radius, POSITIVE, "m")
    check("ring points", points, at_least(3))
    positions = _around(np.array([radius]), np.array([height]), points)
    return _warn_large(Surface(positions, np.full(points, 2.0 * np.pi * radius / points)), "ring")


def annulus(
    inner: float, outer: float, points: tuple[int, int] = (4, 48), height: float = 0.0
) -> Surface:
    """Flat annulus about the z axis; `inner` = 0 is a disc.

    `points` are those along the radius and around.

    Examples
    --------
    >>> facing = annulus(0.06, 0.11)
    >>> bool(abs(facing.measure - np.pi * (0.11**2 - 0.06**2)) < 1e-15)
    True
    """
    check("annulus inner", inner, NON_NEGATIVE, "m")
    check("annulus outer", outer, Allowed(f"> {inner}", lambda x: x > inner), "m")
    _check_counts("annulus", points, around=True)
    r, w = _gauss(inner, outer, points[0])
    positions = _around(r, np.full_like(r, height), points[1])
    return _warn_large(
        Surface(positions, np.repeat(2.0 * np.pi * r * w / points[1], points[1])), "annulus"
    )


def rectangle(
    length: float, width: float, points: tuple[int, int] = (8, 8), height: float = 0.0
) -> Surface:
    """Rectangle |x| <= length/2, |y| <= width/2 at z = height; `points` along x and y."""
    check("rectangle length", length, POSITIVE, "m")
    check("rectangle width", width, POSITIVE, "m")
    _check_counts("rectangle", points)
    x, w_x = _gauss(-0.5 * length, 0.5 * length, points[0])
    y, w_y = _gauss(-0.5 * width, 0.5 * width, points[1])
    xy = np.stack(np.meshgrid(x, y, indexing="ij"), axis=-1).reshape(-1, 2)
    return _warn_large(
        Surface(np.column_stack([xy, np.full(len(xy), height)]), np.outer(w_x, w_y).ravel()),
        "rectangle",
    )


def line(start: Vector, end: Vector, points: int = 8) -> Surface:
    """Straight line of contact; the measure is its length."""
    a, b = np.asarray(start, dtype=float), np.asarray(end, dtype=float)
    length = float(np.linalg.norm(b - a))
    if not 0.0 < length < np.inf:
        raise InputError(f"invalid line from {start} to {end}: expected one with a length")
    check("line points", points, at_least(1))
    s, w = _gauss(0.0, 1.0, points)
    return _warn_large(Surface(a + s[:, None] * (b - a), length * w), "line")


def cap(
    radius: float, half_angle: float, points: tuple[int, int] = (6, 24), sign: float = 1.0
) -> Surface:
    """Cap of a sphere about the z axis, centre at the origin; `sign` -1 turns it to -z.

    `half_angle` between axis and rim in rad, at most pi; `points` along and around.
    """
    check("cap radius", radius, POSITIVE, "m")
    check("cap half_angle", half_angle, Allowed("in (0, pi]", lambda x: 0.0 < x <= np.pi), "rad")
    check("cap sign", sign, Allowed("1 or -1", lambda x: x in (1, -1)))
    _check_counts("cap", points, around=True)
    z, w = _gauss(np.cos(half_angle), 1.0, points[0])  # Archimedes: dA = 2 pi R^2 dz
    positions = radius * _around(np.sqrt(1.0 - z**2), sign * z, points[1])
    return _warn_large(
        Surface(positions, np.repeat(2.0 * np.pi * radius**2 * w / points[1], points[1])), "cap"
    )


def cone_wall(
    half_angle: float, bottom: float, top: float, points: tuple[int, int] = (6, 24)
) -> Surface:
    """Wall of the cone r = z tan(half_angle) about the z axis, from z = bottom to top (m)."""
    steep = Allowed("in (0, pi/2)", lambda x: 0.0 < x < 0.5 * np.pi)
    check("cone half_angle", half_angle, steep, "rad")
    check("cone bottom", bottom, NON_NEGATIVE, "m")
    check("cone top", top, Allowed(f"> {bottom}", lambda x: x > bottom), "m")
    _check_counts("cone wall", points, around=True)
    z, w = _gauss(bottom, top, points[0])
    r = z * np.tan(half_angle)
    weights = 2.0 * np.pi * r * w / np.cos(half_angle) / points[1]
    return _warn_large(
        Surface(_around(r, z, points[1]), np.repeat(weights, points[1])), "cone wall"
    )


def _warn_large(surface: Surface, name: str) -> Surface:
    """Warn of a patch that is larger than any machine."""
    size = float(np.abs(surface.points).max())
    if size > LARGEST:
        warn_unusual(
            f"{name}: a contact patch that reaches to {size:.4g} m is unusual",
            f"given in mm? Then write {size / 1e3:.4g}",
        )
    return surface


def _gauss(a: float, b: float, count: int) -> tuple[Floats, Floats]:
    """Points and weights of Gauss's rule between a and b."""
    check("lower limit", a, FINITE, "m")
    x, w = np.polynomial.legendre.leggauss(count)
    return 0.5 * (a + b) + 0.5 * (b - a) * x, 0.5 * (b - a) * w


def _around(r: Floats, z: Floats, count: int) -> Floats:
    """Points on circles of radii r at heights z, circle by circle."""
    angle = 2.0 * np.pi * np.arange(count) / count
    circle = np.column_stack([np.cos(angle), np.sin(angle), np.zeros(count)])
    positions = r[:, None, None] * circle
    positions[:, :, 2] = z[:, None]
    return positions.reshape(-1, 3)


def _check_counts(name: str, points: tuple[int, int], around: bool = False) -> None:
    if np.shape(points) != (2,):
        raise InputError(f"invalid {name} points = {points}: expected two numbers")
    check(f"{name} points[0]", points[0], at_least(1))
    check(f"{name} points[1]", points[1], at_least(3 if around else 1))
