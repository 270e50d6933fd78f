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

The compliances of the loads differ by many decades: a pressure that bends a plate of thickness h
and width L moves it (L/h)^4 times further than one that only squeezes it. Compared with its own
compliance every load counts, however stiff, and the shapes of the stiffest have frequencies of
MHz. In a contact the body works in series with a layer of compliance s in m/Pa, 1/c_n of the
contact law. Tractions with the Gram matrix G = int t_i . t_j dA then have the compliance F + s G,
and E c = lambda (F + s G) c keeps what matters beside the layer; s = 0 is the body alone.

Of V only its two orthogonalities are used: it may be any Ritz basis, such as that of Craig and
Bampton.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.linalg as la

from fecontact.typing import Floats, Integers

__all__ = ["Residual", "acting", "compliance_spectrum", "residual", "residual_attachment"]

DEPENDENT = 1e-10
"""Combinations of loads of unit compliance count as dependent if theirs is smaller than this."""

INERT = 1e-10
"""Part of a load that round-off may leave once the inertia forces balance it."""


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


def residual_attachment(
    V: Floats, omega: Floats, P: Floats, U: Floats, layer: Floats, tolerance: float
) -> Floats:
    """Residual shapes that matter for the loads P, as few as `tolerance` allows, (n, kept).

    `layer` is the compliance s G (loads, loads) of what lies on the contact surface.
    """
    D, E = residual(V, omega, P, U)
    F = P.T @ U
    on = acting(F)
    parts, loads = compliance_spectrum(E[np.ix_(on, on)], (F + layer)[np.ix_(on, on)])
    return D[:, on] @ loads[:, parts > tolerance**2]


def acting(F: Floats) -> Integers:
    """Numbers of the loads that deform the body, by their compliance F = P^T K+ P.

    A free plate follows a uniform pressure rigidly: the inertia forces balance it, and what
    round-off leaves of the load has at most the square of that part of the largest compliance.
    A stiff load is no such case; the squeezing of a plate has (h/L)^4 of it.
    """
    diagonal = np.diag(F)
    return np.flatnonzero(diagonal > INERT**2 * np.max(diagonal, initial=0.0))


def compliance_spectrum(E: Floats, F: Floats) -> tuple[Floats, Floats]:
    """Solve E c = lambda F c on the range of F: lambda ascending, c with c^T F c = 1.

    The loads are first scaled to unit compliance, each by its own. Combinations of them that
    nearly cancel (dependent loads) are left out; a load of zero compliance is, too.
    """
    diagonal = np.diag(F)
    scale = np.where(diagonal > 0.0, 1.0 / np.sqrt(np.where(diagonal > 0.0, diagonal, 1.0)), 0.0)
    values, vectors = la.eigh(0.5 * (F + F.T) * np.outer(scale, scale))
    kept = values > DEPENDENT * np.max(values, initial=0.0)
    range_of_F = scale[:, None] * vectors[:, kept] / np.sqrt(values[kept])
    if not np.any(kept):
        return np.zeros(0), range_of_F
    parts, turn = la.eigh(range_of_F.T @ E @ range_of_F)
    return parts, range_of_F @ turn
