"""Eigenvalues near a shift that belong to given approximate left and right vectors.

With right and left vectors V and U (n, p) of the operator S, theta = 1/(z - shift),

    theta:  eigenvalues of (U^H V)^-1 U^H S V,      V <- S V,   U <- S^H U .

The error of theta is the product of those of V and U; each step divides both by the ratio of the
next |theta| to the wanted one. p = 2 takes a pair of close eigenvalues as one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.linalg as la

from fecontact.solvers.region.shifted import Shifted
from fecontact.typing import Complexes

__all__ = ["TwoSided", "two_sided"]

STEPS = 8
"""Most steps with one factorisation."""

SETTLED = 0.02
"""Change of an eigenvalue in a step, relative to its distance from the start, that ends it."""

ROUND_OFF = 1e-13
"""Change relative to |z| that is round-off."""


class TwoSided(NamedTuple):
    """Eigenvalues z (p,) with what is known of them.

    Attributes
    ----------
    change
        Change of their mean in the last step in 1/s: what may be left.
    settled
        Whether that is small beside the distance from the start, for each of the p.
    likeness
        What the vectors have in common with the given ones, from 0 to 1.
    """

    z: Complexes
    change: float
    settled: bool
    likeness: float


def two_sided(operator: Shifted, starts: Complexes, right: Complexes, left: Complexes) -> TwoSided:
    """Eigenvalues that grow out of p starts (p,), with vectors (n, p) of the given problem."""
    V = np.stack([operator.right_start(x, z) for x, z in zip(right.T, starts, strict=True)], axis=1)
    U = np.stack([operator.left_start(y, z) for y, z in zip(left.T, starts, strict=True)], axis=1)
    first = _orthonormal(U), _orthonormal(V)
    U, V = first
    z, change, settled = np.asarray(starts), np.inf, False
    image = np.stack([operator(v) for v in V.T], axis=1)
    for _ in range(STEPS):
        U = _orthonormal(np.stack([operator.adjoint(u) for u in U.T], axis=1))
        V = _orthonormal(image)
        image = np.stack([operator(v) for v in V.T], axis=1)
        theta: Any = la.eigvals(la.solve(U.conj().T @ V, U.conj().T @ image))
        new: Any = _matched(operator.shift + 1.0 / theta, z)
        step = np.abs(new - z)
        change = float(abs(np.mean(new) - np.mean(z)))
        settled = bool(np.all(step <= SETTLED * np.abs(new - starts) + ROUND_OFF * np.abs(new)))
        z = new
        if settled:
            break
    return TwoSided(z, change, settled, _likeness(*first, U, V))


def _orthonormal(V: Complexes) -> Complexes:
    return np.asarray(la.qr(V, mode="economic")[0])


def _matched(new: Complexes, old: Complexes) -> Complexes:
    """New values in the order of the old ones, of two the nearer choice."""
    if len(new) == 2:
        straight = np.abs(new - old).sum()
        if np.abs(new[::-1] - old).sum() < straight:
            return new[::-1]
    return new


def _likeness(U_0: Complexes, V_0: Complexes, U: Complexes, V: Complexes) -> float:
    """Two-sided product of subspaces, |det U_0^H V det U^H V_0 / (det U_0^H V_0 det U^H V)|."""
    own = [abs(la.det(A.conj().T @ B)) for A, B in ((U_0, V), (U, V_0), (U_0, V_0), (U, V))]
    if own[2] * own[3] == 0.0:
        return 0.0
    ratio = float(own[0] * own[1] / (own[2] * own[3]))
    return min(ratio, 1.0 / ratio) if ratio > 0.0 else 0.0
