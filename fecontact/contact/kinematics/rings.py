"""Rings of contact points through which material passes: exact shift and derivative along them.

The points of an axisymmetric surface do not turn with its material. A vector field z on a ring that
the material carries along with the speed Omega obeys z_t + Omega D z = 0, where D = d/dphi acts on
the cylindrical components: the vectors turn with the material. On n equally spaced points D is the
spectral derivative, and after the turn theta = Omega t

    z(theta) = exp(-theta D) z(0),      harmonic k times exp(-i k theta),

an exact shift. D is skew, so the shift keeps sum |z|^2: what the bristles store travels and is not
lost. The highest harmonic of an even n has no derivative on its points; it stays.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.contact.surface.points import Surface
from fecontact.errors import InputError
from fecontact.typing import Complexes, Floats, Integers

__all__ = ["Rings"]

SAME = 1e-9
"""Positions and weights that differ less, relative to the size, are the same."""


@dataclass(frozen=True, eq=False)
class Rings:
    """Points of a surface, ordered along rings about the z axis.

    Attributes
    ----------
    order : (rings, n)
        Indices of the points of each ring, in the sense of phi.
    angle : (p,)
        phi of each point.

    Examples
    --------
    A field that points outward everywhere stays as it is; one that points along x turns.

    >>> from fecontact.contact.surface.patches import ring
    >>> circle = ring(0.1, points=12)
    >>> rings = Rings.of(circle, "facing")
    >>> outward = 10.0 * circle.points
    >>> bool(np.allclose(rings.shifted(outward, 0.3), outward))
    True
    >>> along_x = np.tile([1.0, 0.0, 0.0], (12, 1))
    >>> rings.shifted(along_x, 0.3)[0].round(6).tolist() == [0.955336, 0.29552, 0.0]
    True
    """

    order: Integers
    angle: Floats

    @staticmethod
    def of(surface: Surface, name: str) -> Rings:
        """Find the rings of a surface; other surfaces are refused."""
        x, size = surface.points, float(np.abs(surface.points).max())
        radius, angle = np.hypot(x[:, 0], x[:, 1]), np.arctan2(x[:, 1], x[:, 0])
        angle = np.where(angle < -SAME, angle + 2.0 * np.pi, angle)
        positions = np.round(np.column_stack([radius, x[:, 2]]) / (SAME * size))
        _, first, ring = np.unique(positions, axis=0, return_index=True, return_inverse=True)
        ring = np.argsort(np.argsort(first))[ring.ravel()]
        counts = np.bincount(ring)
        if counts.min() != counts.max() or counts[0] < 3:
            raise _refused(name, f"it has rings of {counts.min()} to {counts.max()} points")
        order = np.lexsort((angle, ring)).reshape(len(counts), -1)
        steps = np.diff(angle[order], axis=1, append=angle[order[:, :1]] + 2.0 * np.pi)
        if np.abs(steps - 2.0 * np.pi / counts[0]).max() > 1e3 * SAME:
            raise _refused(name, "its points are not equally spaced")
        weights = surface.weights[order]
        if np.ptp(weights, axis=1).max() > 1e3 * SAME * weights.max():
            raise _refused(name, "the weights on a ring differ")
        return Rings(order, angle)

    def shifted(self, z: Floats, turn: float) -> Floats:
        """Vectors (p, 3) or values (p,) after the material has turned by an angle in rad."""
        return self._filtered(z, np.exp(np.complex128(-1j * turn) * self._harmonics))

    def nearest(self, values: Integers, before: float, now: float) -> Integers:
        """Values (p,) of the material that is next to the points, from one angle to another.

        Both angles count from the same position, so that many small turns add up.
        """
        n = self.order.shape[1]
        positions = [math.floor(angle * n / (2.0 * math.pi) + 0.5) for angle in (before, now)]
        result = np.empty_like(values)
        result[self.order] = np.roll(values[self.order], positions[1] - positions[0], axis=1)
        return result

    def derivative(self, z: Floats) -> Floats:
        """D z of vectors (p, 3) or values (p,)."""
        return self._filtered(z, np.complex128(1j) * self._harmonics)

    @cached_property
    def matrix(self) -> Floats:
        """D as a matrix (3 p, 3 p), in the order of z.ravel()."""
        size = 3 * self.order.size
        units = np.eye(size).reshape(size, -1, 3)
        return np.column_stack([self.derivative(unit).ravel() for unit in units])

    @cached_property
    def _harmonics(self) -> Floats:
        """Harmonics of the real transform, (n//2 + 1, 1)."""
        n = self.order.shape[1]
        k = np.arange(n // 2 + 1.0)
        if n % 2 == 0:
            k[-1] = 0.0
        return k[:, None]

    @cached_property
    def _axes(self) -> Floats:
        """Cylindrical unit vectors of the points, (p, 3, 3), columns."""
        c, s = np.cos(self.angle), np.sin(self.angle)
        axes = np.zeros((len(c), 3, 3))
        axes[:, 0, 0], axes[:, 1, 0] = c, s
        axes[:, 0, 1], axes[:, 1, 1] = -s, c
        axes[:, 2, 2] = 1.0
        return axes

    def _filtered(self, z: Floats, factor: Complexes) -> Floats:
        """Multiply the harmonics of values, or of the cylindrical components of vectors."""
        if z.ndim == 1:
            return self._multiplied(z[:, None], factor)[:, 0]
        local = self._multiplied(np.einsum("pij,pi->pj", self._axes, z), factor)
        return np.einsum("pij,pj->pi", self._axes, local)

    def _multiplied(self, values: Floats, factor: Complexes) -> Floats:
        n = self.order.shape[1]
        result = np.empty_like(values)
        spectrum = factor * np.fft.rfft(values[self.order], axis=1)
        result[self.order] = np.fft.irfft(spectrum, n, axis=1)
        return result


def _refused(name: str, why: str) -> InputError:
    return InputError(
        f"{name}: invalid contact points of a surface that spins through them: expected those of "
        f"ring() or annulus() about the z axis; {why}"
    )
