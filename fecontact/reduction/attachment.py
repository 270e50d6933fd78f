"""Residual attachment modes: the static response to contact loads that the kept modes lack.

For loads P the kept modes V, V^T M V = 1, V^T K V = diag(omega^2), miss the displacement

    D = (K+ - V omega^-2 V^T) P,      E = P^T D = D^T K D    of the compliance   F = P^T K+ P.

Rubin's method adds D to the basis with its mass (AIAA J. 13 (1975) 995); MacNeal's neglects that
mass (Comput. Struct. 1 (1971) 581), which is the quasi-static reduction of Waltersberger
(W 5.64-5.67): the residual flexibility E then acts at once, without a coordinate.

Not all of D matters. The eigenvectors of E c = lambda F c are load combinations whose residuals
are orthogonal in energy, and lambda is the part of the strain energy under the load P c that
the modes miss. Keeping all with lambda > tolerance^2 leaves, for every load in the span of P, an
error in the energy norm of at most `tolerance`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from fecontact.typing import Floats

__all__ = ["Residual", "compliance_spectrum", "residual", "residual_attachment"]

DEPENDENT = 1e-10
"""Load combinations of smaller relative compliance count as linearly dependent."""


@dataclass(frozen=True)
class Residual:
    """Quasi-static part of a reduced body under load amplitudes lambda.

    Attributes
    ----------
    labels
        Names of the loads.
    shapes : (n, loads)
        Displacement D of the unknowns per unit amplitude, beyond the kept modes.
    compliance : (loads, loads)
        E = P^T D, symmetric, not negative.
    participation : (m, loads)
        Generalised forces Phi^T P on the kept coordinates.
    """

    labels: tuple[str, ...]
    shapes: Floats
    compliance: Floats
    participation: Floats


def residual(V: Floats, omega: Floats, P: Floats, U: Floats) -> tuple[Floats, Floats]:
    """Residual displacement D (n, loads) and compliance E (loads, loads); U = K+ P."""
    D = U - V @ ((V.T @ P) / omega[:, None] ** 2)
    E = P.T @ D
    return D, 0.5 * (E + E.T)


def residual_attachment(V: Floats, omega: Floats, P: Floats, U: Floats, tolerance: float) -> Floats:
    """Residual shapes that matter for the loads P, as few as `tolerance` allows, (n, kept)."""
    D, E = residual(V, omega, P, U)
    parts, loads = compliance_spectrum(E, P.T @ U)
    return D @ loads[:, parts > tolerance**2]


def compliance_spectrum(E: Floats, F: Floats) -> tuple[Floats, Floats]:
    """Solve E c = lambda F c on the range of F: lambda ascending, c with c^T F c = 1.

    The loads are first scaled to unit compliance; combinations of them that cause no
    displacement (dependent loads, or loads that a free body follows rigidly) are left out.
    """
    diagonal = np.diag(F)
    acting = diagonal > DEPENDENT * np.max(diagonal, initial=0.0)
    scale = np.where(acting, 1.0 / np.sqrt(np.where(acting, diagonal, 1.0)), 0.0)
    values, vectors = la.eigh(0.5 * (F + F.T) * np.outer(scale, scale))
    kept = values > DEPENDENT * np.max(values, initial=0.0)
    range_of_F = scale[:, None] * vectors[:, kept] / np.sqrt(values[kept])
    if not np.any(kept):
        return np.zeros(0), range_of_F
    parts, turn = la.eigh(range_of_F.T @ E @ range_of_F)
    return parts, range_of_F @ turn
