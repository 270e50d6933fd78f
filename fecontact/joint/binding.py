"""Rows from which joints are built, each a relative coordinate of two markers that is held at zero.

With the displacement r of point b seen from body a and Q = R_a^T R_b (Keppler, table 3.1)

    held point       d_i . r = 0                 d_i fixed in a
    held axis        d_i . Q e = 0               d_i fixed in a, e fixed in b
    held rotation    d_i . log Q = 0
    held length      |x_b - x_a| - l = 0

A multiplier is the force or moment on body b along its row; body a gets the opposite one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from fecontact.joint.marker import PairMotion
from fecontact.joint.relative import Relative, log_rate
from fecontact.typing import Floats

__all__ = ["Binding", "HeldAxis", "HeldLength", "HeldPoint", "HeldRotation"]

Wrench = tuple[Floats, Floats]
"""Force on body b and moment about its point, in components of body a."""


class Binding(Protocol):
    """A few rows of a joint."""

    @property
    def rows(self) -> tuple[str, ...]:
        """Names of the rows."""
        ...

    def relative(self, motion: PairMotion) -> Relative:
        """Return what is held at zero."""
        ...

    def wrench(self, motion: PairMotion, lam: Floats) -> Wrench:
        """Return the load on body b from the multipliers of the rows."""
        ...


@dataclass(frozen=True)
class HeldPoint:
    """Displacement of point b from point a along directions (k, 3) of body a."""

    rows: tuple[str, ...]
    directions: Floats

    def relative(self, motion: PairMotion) -> Relative:
        """Displacements (k,) in m."""
        return motion.displacement().mapped(self.directions)

    def wrench(self, motion: PairMotion, lam: Floats) -> Wrench:
        """Force along the directions."""
        return lam @ self.directions, np.zeros(3)


@dataclass(frozen=True)
class HeldAxis:
    """An axis of body b stays perpendicular to directions (k, 3) of body a.

    The axis may turn by any angle about itself. If it is perpendicular to two directions, it may
    also point the other way: that second position is half a turn away.
    """

    rows: tuple[str, ...]
    directions: Floats
    axis: Floats

    def relative(self, motion: PairMotion) -> Relative:
        """Cosines (k,) of the angles between axis and directions."""
        return motion.direction(self.axis).mapped(self.directions)

    def wrench(self, motion: PairMotion, lam: Floats) -> Wrench:
        """Moment p x (sum of lam_i d_i), p the axis seen from body a."""
        return np.zeros(3), np.cross(motion.direction(self.axis).value, lam @ self.directions)


@dataclass(frozen=True)
class HeldRotation:
    """Rotation vector of body b relative to body a along directions (k, 3) of body a.

    It has no second zero; it jumps at half a turn.
    """

    rows: tuple[str, ...]
    directions: Floats

    def relative(self, motion: PairMotion) -> Relative:
        """Angles (k,) in rad."""
        return motion.rotation().mapped(self.directions)

    def wrench(self, motion: PairMotion, lam: Floats) -> Wrench:
        """Moment conjugate to the rotation vector; along the directions at zero rotation."""
        return np.zeros(3), log_rate(motion.rotation().value).T @ (lam @ self.directions)


@dataclass(frozen=True)
class HeldLength:
    """Distance of the points."""

    rows: tuple[str, ...]
    length: float

    def relative(self, motion: PairMotion) -> Relative:
        """Elongation (1,) in m."""
        return motion.distance().shifted(np.array([self.length]))

    def wrench(self, motion: PairMotion, lam: Floats) -> Wrench:
        """Force along the line from a to b; a tensile rod has lam < 0."""
        return lam[0] * motion.displacement().value / motion.distance().value[0], np.zeros(3)
