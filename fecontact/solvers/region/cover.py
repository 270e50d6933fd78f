"""A rectangle of the complex plane, covered by discs in which all eigenvalues are known.

Each shift gives a disc. The lowest part of the rectangle that is not covered gets the next shift;
its height follows from the density of the eigenvalues found so far. Where a disc does not reach
the sides of its part, more shifts fill the gap, and a part that is too wide is split.

Discs overlap. An eigenvalue of a new disc that lies in a known one is paired with one found there,
each with one: pairs of equal eigenvalues stay two. One without a partner was missed before; it is
kept and counted.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from fecontact.errors import SolverError
from fecontact.typing import Complexes, Integers

__all__ = ["Box", "Disc", "Found", "cover"]

EQUAL = 1e-8
"""Distance relative to |z| up to which two eigenvalues of different discs are the same."""

NEAR = 1e-4
"""The same if their vectors are parallel too: eigenvalues of nearly defective pairs differ more."""

PARALLEL = 1e-3
"""Sine of the angle up to which two vectors are parallel."""

OVERLAP = 0.97
"""Fraction of a disc after which the next part begins."""


class Box(NamedTuple):
    """Rectangle of the complex plane, z = re + i im in 1/s."""

    low: float
    high: float
    bottom: float
    top: float

    @property
    def centre(self) -> complex:
        """Its centre."""
        return complex(0.5 * (self.low + self.high), 0.5 * (self.bottom + self.top))

    def inside(self, z: Complexes) -> Integers:
        """Indices of the values in it."""
        real = (z.real >= self.low) & (z.real <= self.high)
        return np.flatnonzero(real & (z.imag >= self.bottom) & (z.imag <= self.top))


@dataclass(frozen=True)
class Disc:
    """All eigenvalues z (k,) with |z - shift| < radius, their vectors (n, k), of unit length.

    `recovered` counts those that only a second run has found.
    """

    shift: complex
    radius: float
    z: Complexes
    vectors: Complexes
    recovered: int = 0


@dataclass
class Found:
    """Eigenvalues known so far, each once, with vectors and the discs they come from."""

    z: list[complex] = field(default_factory=list)
    vectors: list[Complexes] = field(default_factory=list)
    discs: list[Disc] = field(default_factory=list)
    missed: int = 0

    def add(self, disc: Disc) -> None:
        """Take what is new in a disc."""
        partner = self._partners(disc)
        for index in np.flatnonzero(partner < 0):
            z = complex(disc.z[index])
            known = [abs(z - each.shift) < OVERLAP * each.radius for each in self.discs]
            self.missed += any(known)
            self.z.append(z)
            self.vectors.append(disc.vectors[:, index])
        self.discs.append(disc)

    def settled(self) -> tuple[Complexes, Complexes]:
        """Eigenvalues (k,) and vectors (n, k); those of equal ones come from one and the same disc.

        Of two discs with another basis each, two vectors of an eigenspace may be the same.
        """
        z = np.array(self.z, dtype=complex)
        X = np.zeros((len(self.discs[0].vectors), len(z)), dtype=complex)
        for index, vector in enumerate(self.vectors):
            X[:, index] = vector
        left = set(range(len(z)))
        while left:
            first = min(left)
            own = np.flatnonzero(np.abs(z - z[first]) <= EQUAL * np.abs(z[first]))
            left -= {first, *own.tolist()}
            if len(own) < 2:
                continue
            for disc in self.discs:
                near = np.flatnonzero(np.abs(disc.z - z[first]) <= 2.0 * EQUAL * np.abs(z[first]))
                if len(near) == len(own):
                    z[own], X[:, own] = disc.z[near], disc.vectors[:, near]
                    break
        return z, X

    def _partners(self, disc: Disc) -> Integers:
        """Known eigenvalue that each of the disc is, or -1; the nearest pairs first."""
        partner = np.full(len(disc.z), -1, dtype=np.int64)
        if not self.z:
            return partner
        known = np.array(self.z)
        distance = np.abs(disc.z[:, None] - known)
        scale = np.abs(disc.z)[:, None] + 1e-6 * abs(disc.shift) + 1e-300
        taken: set[int] = set()
        rows, columns = np.nonzero(distance <= NEAR * scale)
        for at in np.argsort(distance[rows, columns], kind="stable"):
            i, j = int(rows[at]), int(columns[at])
            if partner[i] >= 0 or j in taken:
                continue
            same = distance[i, j] <= EQUAL * scale[i, 0]
            if same or _parallel(disc.vectors[:, i], self.vectors[j]):
                partner[i] = j
                taken.add(j)
        return partner


def _parallel(x: Complexes, y: Complexes) -> bool:
    return bool(np.linalg.norm(x - y * np.vdot(y, x)) <= PARALLEL)


def cover(box: Box, disc_at: Callable[[complex], Disc], max_shifts: int) -> Found:
    """Discs that cover a box, and their eigenvalues.

    Parameters
    ----------
    box
        The rectangle.
    disc_at
        Finds the eigenvalues about a shift.
    max_shifts
        Number of shifts after which the search is given up.
    """
    found, left = Found(), [box]
    height = box.top - box.bottom
    while left:
        left.sort(key=lambda part: -part.bottom)
        whole = left.pop()
        part = whole._replace(top=min(whole.top, whole.bottom + height))
        if len(found.discs) >= max_shifts:
            raise SolverError(
                f"{max_shifts} shifts do not cover the region: {len(found.z)} eigenvalues found "
                f"up to Im z = {whole.bottom:.6g} 1/s; take a smaller region, or more shifts"
            )
        disc = disc_at(_shift(part))
        found.add(disc)
        rest, height = _rest(whole, part, disc)
        left += rest
    return found


def _shift(part: Box) -> complex:
    """A shift in a part, beside its centre: eigenvalues of symmetric problems lie on middles."""
    width, height = part.high - part.low, part.top - part.bottom
    return part.centre + complex(0.0123 * width, 0.0117 * height)


def _rest(whole: Box, part: Box, disc: Disc) -> tuple[list[Box], float]:
    """What a disc leaves of a box, and the height of the next part."""
    shift, radius = disc.shift, disc.radius
    wide = max(part.high - shift.real, shift.real - part.low)
    if radius * OVERLAP <= wide * 1.02:
        width, height = part.high - part.low, part.top - part.bottom
        if max(width, height) <= 1e-9 * (abs(shift) + 1e-300):
            raise SolverError(f"too many eigenvalues about {shift:.6g} 1/s to tell them apart")
        return _split(whole, part), max(min(height, 2.0 * radius), 1e-300)
    half = float(np.sqrt((OVERLAP * radius) ** 2 - wide**2))
    low, high = shift.imag - half, shift.imag + half
    rest = []
    if low > whole.bottom:
        rest.append(whole._replace(top=min(low, whole.top)))
    if high < whole.top:
        rest.append(whole._replace(bottom=max(high, whole.bottom)))
    return rest, 1.9 * half


def _split(whole: Box, part: Box) -> list[Box]:
    """A part in two halves across its longer side, and what lies above it."""
    above = [whole._replace(bottom=part.top)] if part.top < whole.top else []
    if part.high - part.low >= part.top - part.bottom:
        middle = 0.5 * (part.low + part.high)
        return [part._replace(high=middle), part._replace(low=middle), *above]
    middle = 0.5 * (part.bottom + part.top)
    return [part._replace(top=middle), part._replace(bottom=middle), *above]
