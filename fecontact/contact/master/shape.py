"""Smooth rigid surfaces by their signed distance, in the frame of the body that carries them.

A shape answers for points y the distance g to its surface, g > 0 outside the material, the unit
normal n = dg/dy that points out of the material, and the curvature dn/dy. The distance is exact,
so a normal force along n is conservative.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from fecontact.errors import FINITE, POSITIVE, Allowed, InputError, check, invalid, numbers
from fecontact.typing import Floats

__all__ = ["Cone", "Cylinder", "Distance", "Plane", "Ring", "Shape", "Sphere", "Torus"]

Vector = tuple[float, float, float]
X, Z = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
FLAT = np.diag([1.0, 1.0, 0.0])


@dataclass(frozen=True)
class Distance:
    """Signed distance g (p,), normal n (p, 3), curvature dn/dy (p, 3, 3).

    Points that lie beyond the boundary of the surface have g = inf.
    """

    gap: Floats
    normal: Floats
    curvature: Floats


class Shape(Protocol):
    """A surface given by its signed distance."""

    def distance(self, y: Floats) -> Distance:
        """Distance of points (p, 3)."""
        ...


@dataclass(frozen=True)
class Plane:
    """Half space below the plane through `point` with the outward normal `normal`.

    Examples
    --------
    >>> Plane().distance(np.array([[0.3, 0.1, 0.02]])).gap.tolist()
    [0.02]
    """

    point: Vector = (0.0, 0.0, 0.0)
    normal: Vector = (0.0, 0.0, 1.0)

    def __post_init__(self) -> None:
        numbers("plane: point", self.point, (3,))
        _direction("plane: normal", self.normal)

    def distance(self, y: Floats) -> Distance:
        """Distance of points (p, 3)."""
        n = _direction("plane: normal", self.normal)
        return Distance((y - self.point) @ n, np.tile(n, (len(y), 1)), np.zeros((len(y), 3, 3)))


@dataclass(frozen=True)
class Ring:
    """Flat annulus at z = height, material below; points beside it have no contact."""

    inner: float
    outer: float
    height: float = 0.0

    def __post_init__(self) -> None:
        check("ring: inner", self.inner, Allowed(">= 0", lambda x: x >= 0), "m")
        check("ring: outer", self.outer, Allowed(f"> {self.inner}", lambda x: x > self.inner), "m")
        check("ring: height", self.height, FINITE, "m")

    def distance(self, y: Floats) -> Distance:
        """Distance of points (p, 3)."""
        radius = np.hypot(y[:, 0], y[:, 1])
        beside = (radius < self.inner) | (radius > self.outer)
        gap = np.where(beside, np.inf, y[:, 2] - self.height)
        return Distance(gap, np.tile(Z, (len(y), 1)), np.zeros((len(y), 3, 3)))


@dataclass(frozen=True)
class Sphere:
    """Ball, or the hollow in a body (`hollow=True`), whose points lie inside it."""

    radius: float
    centre: Vector = (0.0, 0.0, 0.0)
    hollow: bool = False

    def __post_init__(self) -> None:
        check("sphere: radius", self.radius, POSITIVE, "m")
        numbers("sphere: centre", self.centre, (3,))

    def distance(self, y: Floats) -> Distance:
        """Distance of points (p, 3)."""
        return _round(y - self.centre, np.eye(3), self.radius, self.hollow, "sphere")


@dataclass(frozen=True)
class Cylinder:
    """Round bar along z, or a bore (`hollow=True`)."""

    radius: float
    hollow: bool = False

    def __post_init__(self) -> None:
        check("cylinder: radius", self.radius, POSITIVE, "m")

    def distance(self, y: Floats) -> Distance:
        """Distance of points (p, 3)."""
        return _round(y @ FLAT, FLAT, self.radius, self.hollow, "cylinder")


@dataclass(frozen=True)
class Cone:
    """Wall of a cone about z with its apex at the origin, opening upwards; hollow: a funnel.

    The wall is what counts: beyond the apex the distance is that to its tangent plane.

    Parameters
    ----------
    half_angle
        Between axis and wall, in rad, between 0 and pi/2.
    hollow
        Material outside: the contact partner lies in the funnel.
    """

    half_angle: float
    hollow: bool = False

    def __post_init__(self) -> None:
        between = Allowed("between 0 and pi/2", lambda x: 0.0 < x < 0.5 * np.pi)
        check("cone: half_angle", self.half_angle, between, "rad")

    def distance(self, y: Floats) -> Distance:
        """Distance of points (p, 3)."""
        around = _round(y @ FLAT, FLAT, 0.0, False, "cone")
        c, s = np.cos(self.half_angle), np.sin(self.half_angle)
        sign = -1.0 if self.hollow else 1.0
        return Distance(
            sign * (c * around.gap - s * y[:, 2]),
            sign * (c * around.normal - s * Z),
            sign * c * around.curvature,
        )


@dataclass(frozen=True)
class Torus:
    """Ring of round section about z: a rounded rim."""

    radius: float
    section: float

    def __post_init__(self) -> None:
        check("torus: radius", self.radius, POSITIVE, "m")
        within = Allowed(f"> 0 and <= radius = {self.radius}", lambda x: 0.0 < x <= self.radius)
        check("torus: section", self.section, within, "m")

    def distance(self, y: Floats) -> Distance:
        """Distance of points (p, 3)."""
        around = _round(y @ FLAT, FLAT, self.radius, False, "torus")
        r = around.gap[:, None] * around.normal + y[:, 2, None] * Z
        inner = (
            around.normal[:, :, None] * around.normal[:, None, :]
            + around.gap[:, None, None] * around.curvature
            + Z[:, None] * Z
        )
        size = np.linalg.norm(r, axis=1)
        _refuse_axis(_on_axis(size, self.section), "torus")
        n = r / size[:, None]
        across = (inner - n[:, :, None] * (n[:, None, :] @ inner)) / size[:, None, None]
        return Distance(size - self.section, n, across)


def _round(r: Floats, flat: Floats, radius: float, hollow: bool, name: str) -> Distance:
    """Distance from the surface |r| = radius; `flat` projects on the space of r.

    A point on the axis of a hollow is far from its wall: any normal will do.
    """
    size = np.linalg.norm(r, axis=1)
    centred = _on_axis(size, radius)
    if not hollow:
        _refuse_axis(centred, name)
    bend = np.where(centred, 0.0, 1.0 / np.where(centred, 1.0, size))
    n = np.where(centred[:, None], X, bend[:, None] * r)
    curvature = bend[:, None, None] * (flat - n[:, :, None] * n[:, None, :])
    sign = -1.0 if hollow else 1.0
    return Distance(sign * (size - radius), sign * n, sign * curvature)


def _on_axis(size: Floats, radius: float) -> npt.NDArray[np.bool_]:
    return size <= 1e-12 * max(radius, 1e-9)


def _refuse_axis(centred: npt.NDArray[np.bool_], name: str) -> None:
    if centred.any():
        raise InputError(f"a contact point lies on the axis of the {name}: it has no normal there")


def _direction(name: str, vector: Vector) -> Floats:
    """Unit vector of a direction, or an `InputError`."""
    given = numbers(name, vector, (3,))
    size = float(np.linalg.norm(given))
    if not size > 0.0:
        raise InputError(f"{invalid(name)} = {vector}: expected a direction that is not zero")
    return given / size
