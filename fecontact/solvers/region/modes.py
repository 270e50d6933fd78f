"""All modes of a sparse quadratic problem in a band of frequencies and an interval of growth.

    (z^2 M + z D + K) x = 0,      low <= Re z <= high,      f_1 <= Im z / 2 pi <= f_2

The matrices are real and need no symmetry; M may be singular, as with multipliers. See `cover` for
how the region is covered, `shifted` and `arnoldi` for what happens at a shift.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from fecontact.errors import InputError, SingularError, SolverError, at_least, check
from fecontact.solvers.region.arnoldi import dominant
from fecontact.solvers.region.contour import missing_in
from fecontact.solvers.region.cover import Box, Disc, cover
from fecontact.solvers.region.shifted import Quadratic, Shifted
from fecontact.solvers.threads import one_thread
from fecontact.typing import Complexes, Floats

__all__ = ["QuadraticModes", "quadratic_modes"]

STEPS = 130
"""Steps of Arnoldi's method at a shift."""

MARGINAL = 1e-3
"""Growth in 1/s below which a mode is neither growing nor decaying."""

POOR = 1e-9
"""Backward error from which an eigenvalue is not accepted."""


@dataclass(frozen=True, eq=False)
class QuadraticModes:
    """Eigenvalues in a region, each as often as it counts, sorted by frequency.

    Attributes
    ----------
    z : (k,)
        Eigenvalues in 1/s with Im z >= 0; conjugates are not listed.
    right : (n, k)
        Vectors of unit length.
    residual : (k,)
        Backward error |Q(z) x| / ((|z|^2 |M| + |z| |D| + |K|) |x|) of the scaled problem.
    marginal : (k,)
        Whether |Re z| is below the given bound: neither growing nor decaying.
    shifts : (s,)
        Shifts in 1/s, one factorisation each.
    radii : (s,)
        Radius in 1/s about each shift within which no eigenvalue is missing.
    recovered
        Eigenvalues that the first search at a shift did not see and the second one did, such as
        the second of two equal ones.
    missing
        Result of the contour count: eigenvalues in the region beside z, 0 if z is complete; None
        if it was not asked for.
    """

    z: Complexes
    right: Complexes
    residual: Floats
    marginal: Any
    shifts: Complexes
    radii: Floats
    recovered: int
    missing: int | None = None

    @property
    def growth(self) -> Floats:
        """Growth rates in 1/s."""
        return self.z.real

    @property
    def frequency(self) -> Floats:
        """Frequencies in Hz."""
        return self.z.imag / (2.0 * np.pi)

    def __repr__(self) -> str:
        words = [
            f"{len(self.z)} modes from {len(self.shifts)} shifts",
            f"{int(np.count_nonzero(self.growth > 0.0))} grow",
            f"{int(np.count_nonzero(self.marginal))} marginal",
            f"largest residual {self.residual.max(initial=0.0):.1e}",
        ]
        if self.missing is not None:
            words.append(f"contour count: {self.missing} missing")
        return ", ".join(words)


def quadratic_modes(
    M: sp.csr_array,
    D: sp.csr_array,
    K: sp.csr_array,
    *,
    growth: tuple[float, float],
    frequency: tuple[float, float],
    marginal: float = MARGINAL,
    steps: int = STEPS,
    max_shifts: int = 200,
    contour: bool = False,
) -> QuadraticModes:
    """All eigenvalues of (z^2 M + z D + K) x = 0 in a rectangle, none lost, none doubled.

    Parameters
    ----------
    M, D, K
        Real sparse matrices (n, n): mass, D + G, K + N. Without symmetry; M may be singular.
    growth
        Lowest and highest Re z in 1/s.
    frequency
        Lowest and highest frequency in Hz; the lowest is not negative.
    marginal
        Growth in 1/s up to which a mode is marked as neither growing nor decaying.
    steps
        Steps of Arnoldi's method at a shift: more find more eigenvalues for one factorisation.
    max_shifts
        Shifts after which the search is given up with a `SolverError`.
    contour
        Count the eigenvalues once more by the argument principle (`contour.missing_in`), with
        many factorisations along the edge of the region.

    Raises
    ------
    SolverError
        If the region is not covered, or if an eigenvalue is poor; nothing incomplete is returned.

    Examples
    --------
    Two oscillators, one of which grows:

    >>> M, D, K = (sp.diags_array(d).tocsr() for d in ([1.0, 1.0], [-2.0, 2.0], [1e4, 4e4]))
    >>> modes = quadratic_modes(M, D, K, growth=(-0.5, 10.0), frequency=(1.0, 100.0))
    >>> [f"{z:.6f}" for z in modes.z]
    ['1.000000+99.995000j']
    """
    box = _box(growth, frequency)
    check("steps", steps, at_least(8))
    M, D, K = _checked(M, D, K)
    with one_thread(M.shape[0]):
        problem = Quadratic.of(M, D, K, max(abs(box.top), abs(box.low), abs(box.high)))
        found = cover(box, lambda shift: _disc(problem, shift, steps), max_shifts)
        z, X = found.settled()
        inside = box.inside(z)
        inside = inside[np.lexsort((z.real[inside], z.imag[inside]))]
        missing = missing_in(problem, box, _with_conjugates(z)) if contour else None
        residual = problem.residuals(z[inside], X[:, inside])
    if residual.max(initial=0.0) > POOR:
        worst = int(np.argmax(residual))
        raise SolverError(
            f"the eigenvalue near {z[inside][worst]:.6g} 1/s has a residual of "
            f"{residual[worst]:.1e}: take more steps or a smaller region"
        )
    own = X[:, inside] / problem.scale[:, None]
    return QuadraticModes(
        z=z[inside],
        right=own / np.linalg.norm(own, axis=0),
        residual=residual,
        marginal=np.abs(z[inside].real) < marginal,
        shifts=np.array([disc.shift for disc in found.discs]),
        radii=np.array([disc.radius for disc in found.discs]),
        recovered=found.missed + sum(disc.recovered for disc in found.discs),
        missing=missing,
    )


def _disc(problem: Quadratic, shift: complex, steps: int) -> Disc:
    """Eigenvalues about a shift; a shift that is an eigenvalue is moved a little."""
    try:
        operator = Shifted(problem, shift)
    except SingularError:
        operator = Shifted(problem, shift * (1.0 + 1e-6) + 1e-6j * problem.rate)
    found = dominant(operator, operator.size, steps, seed=0)
    radius = np.inf if found.above == 0.0 else 1.0 / found.above
    z, vectors = operator.shift + 1.0 / found.theta, operator.vectors(found.vectors)
    return Disc(operator.shift, radius, z, vectors, found.recovered)


def _with_conjugates(z: Complexes) -> Complexes:
    """Eigenvalues with the conjugates that were not found themselves."""
    mirrored = z[z.imag > 0.0].conj()
    distance = np.abs(mirrored[:, None] - z) if len(z) else np.zeros((len(mirrored), 0))
    new = ~np.any(distance <= 1e-8 * np.abs(mirrored)[:, None], axis=1)
    return np.concatenate([z, mirrored[new]])


def _box(growth: tuple[float, float], frequency: tuple[float, float]) -> Box:
    """The rectangle, or an `InputError`."""
    for name, given in (("growth", growth), ("frequency", frequency)):
        if len(given) != 2 or not np.isfinite(given).all() or not given[0] < given[1]:
            raise InputError(f"invalid {name} = {given}: expected two finite bounds, (low, high)")
    if frequency[0] < 0.0:
        raise InputError(
            f"invalid frequency = {frequency}: expected bounds from 0 on; conjugates have the same "
            "growth"
        )
    return Box(*growth, *(2.0 * np.pi * f for f in frequency))


def _checked(*given: sp.csr_array) -> tuple[sp.csr_array, ...]:
    """Matrices of one size with finite real numbers."""
    size = given[0].shape[0]
    for name, A in zip("MDK", given, strict=True):
        if A.shape != (size, size) or size < 1:
            raise InputError(f"invalid {name} of shape {A.shape}: expected ({size}, {size})")
        values: Any = sp.csr_array(A).data
        if np.iscomplexobj(values) or not np.isfinite(values).all():
            raise InputError(f"invalid {name}: expected finite real numbers")
    return tuple(sp.csr_array(A.astype(float)) for A in given)
