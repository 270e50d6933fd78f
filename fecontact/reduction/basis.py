"""Vibration modes, static shapes, and their union as a mass-orthonormal basis."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from fecontact.solvers.eigen import lowest_modes
from fecontact.solvers.linear import factorise
from fecontact.typing import Floats, Integers

__all__ = ["orthonormal", "static_shapes", "vibration_modes"]


def vibration_modes(
    K: sp.csr_array, M: sp.csr_array, free: Integers, count: int
) -> tuple[Floats, Floats]:
    """Lowest modes with the other unknowns held at zero; omega (count,), shapes (n, count)."""
    omega, X = lowest_modes(K[free][:, free], M[free][:, free], count)
    return omega, _expand(X, free, K.shape[0])


def static_shapes(K: sp.csr_array, free: Integers, loads: Floats) -> Floats:
    """Attachment modes: displacement under each column of `loads`, shape (n, columns)."""
    solve = factorise(K[free][:, free])
    return _expand(solve(np.ascontiguousarray(loads[free])), free, K.shape[0])


def orthonormal(M: sp.csr_array, shapes: Floats, tolerance: float = 1e-6) -> Floats:
    """Basis of the span of `shapes` with X^T M X = 1, rank controlled.

    Gram-Schmidt with re-orthogonalisation; a shape whose part outside the shapes before it is
    smaller than `tolerance` is dropped.
    """
    kept: list[Floats] = []
    for shape in shapes.T:
        x = shape / np.sqrt(shape @ (M @ shape))
        for _ in range(2):
            for other in kept:
                x = x - other * (other @ (M @ x))
        size = np.sqrt(x @ (M @ x))
        if size > tolerance:
            kept.append(x / size)
    return np.column_stack(kept)


def _expand(X: Floats, free: Integers, size: int) -> Floats:
    full = np.zeros((size, X.shape[1]))
    full[free] = X
    return full
