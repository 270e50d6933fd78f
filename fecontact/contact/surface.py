"""Contact surfaces as points with weights."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.errors import POSITIVE, at_least, check
from fecontact.typing import Floats

__all__ = ["Surface", "ring"]


@dataclass(frozen=True, eq=False)
class Surface:
    """Quadrature points (p, 3) relative to the body's centre, and their measure (p,).

    The measure is an area in m^2, or a length in m for a line of contact; the laws are then per
    unit of area or of length.
    """

    points: Floats
    weights: Floats

    @property
    def measure(self) -> float:
        """Total area or length."""
        return float(self.weights.sum())


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
    angle = 2.0 * np.pi * np.arange(points) / points
    xyz = np.column_stack([radius * np.cos(angle), radius * np.sin(angle), np.full(points, height)])
    return Surface(xyz, np.full(points, 2.0 * np.pi * radius / points))
