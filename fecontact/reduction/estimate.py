"""Error estimates of a reduced body: bounds, not guesses.

Static.  The reduced displacement under a load is the projection of the full one in the energy
norm. For all loads P c of a family at once, the largest relative error is therefore the root of
the largest eigenvalue of

    (F - F_r) c = lambda F c,      F = P^T K+ P full, F_r reduced compliance,

and likewise for the displacement of the contact surface in its mean square. For loads of the
family the true error never exceeds these numbers (factor 1, up to round-off). Each load is
compared with its own response, however small. Only combinations whose responses cancel to 1e-5
are not judged: round-off, which grows as the condition of K, hides them. The missing
compliance in m/Pa, mean-square displacement error per mean-square traction, is the absolute
counterpart: compare it with the compliance 1/c_n of the contact layer.

Frequencies.  K+ M is self-adjoint in the mass product. Hence for each reduced frequency theta with
shape y there is a frequency omega of the full model with

    |theta^2 / omega^2 - 1| <= | theta^2 K+ M y - y |_M       (Krylov-Weinstein; factor 1).

Dynamic.  Let the basis contain the modes below omega_c exactly, rho be the part of the static
response (energy norm) that those modes miss, eps the static error of the whole basis. The rest of
the basis is orthogonal to the modes, K - omega^2 M is positive there for omega < omega_c, and
Cea's lemma with the static response as candidate gives, with x = omega / omega_c,

    |u - u_r|_K <= ( rho x^2 / (1 - x^2) + eps / sqrt(1 - x^2) ) |u_static|_K .

The frequency where this reaches the tolerance is the validity frequency.
"""

from __future__ import annotations

from collections.abc import Container
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from fecontact.fem.model import FESurface
from fecontact.reduction.attachment import acting, compliance_spectrum
from fecontact.reduction.flexibility import Flexibility
from fecontact.typing import Floats

__all__ = [
    "ContactCompliance",
    "StaticResponse",
    "contact_compliance",
    "frequency_errors",
    "valid_fraction",
]


@dataclass(frozen=True)
class StaticResponse:
    """Traction fields of a contact surface, their nodal forces P and the full answer U = K+ P."""

    tractions: dict[str, Floats]
    forces: Floats
    displacement: Floats

    def of(self, labels: Container[str]) -> StaticResponse:
        """Part of the response that belongs to the named fields."""
        chosen = np.array([label in labels for label in self.tractions])
        fields = {label: t for label, t in self.tractions.items() if label in labels}
        return StaticResponse(fields, self.forces[:, chosen], self.displacement[:, chosen])


@dataclass(frozen=True)
class ContactCompliance:
    """Static compliance of a contact surface under a family of load shapes.

    Attributes
    ----------
    labels
        Names of the load shapes.
    full, reduced : (loads, loads)
        Compliance P^T u per unit amplitude (Pa), of the finite-element and the reduced body.
    energy_error
        Largest relative error of the displacement in the energy norm, over all loads.
    surface_error
        Largest relative error of the surface displacement in the mean square, over all loads.
    missed_by_modes
        Largest part (energy norm) that the exact modes of the basis alone would miss.
    largest, missing
        Largest compliance of the surface and largest error of it in m/Pa: mean-square
        displacement per mean-square traction, over all loads.
    """

    labels: tuple[str, ...]
    full: Floats
    reduced: Floats
    energy_error: float
    surface_error: float
    missed_by_modes: float
    largest: float
    missing: float


def contact_compliance(
    surface: FESurface, response: StaticResponse, omega: Floats, Phi: Floats, exact: int
) -> ContactCompliance:
    """Compare the full static response with that of the elastic shapes Phi, frequencies omega.

    The first `exact` of the shapes are modes of the full body.
    """
    P, U = response.forces, response.displacement
    generalised = Phi.T @ P
    answers = generalised / omega[:, None] ** 2
    full, reduced = P.T @ U, generalised.T @ answers
    by_modes = generalised[:exact].T @ answers[:exact]
    roots = np.repeat(np.sqrt(surface.weights), 3)[:, None]
    seen, missed, traction = (
        _gram(roots * field)
        for field in (
            surface.shape @ U,
            surface.shape @ (U - Phi @ answers),
            np.column_stack([t.ravel() for t in response.tractions.values()]),
        )
    )
    on = np.ix_(acting(full), acting(full))
    return ContactCompliance(
        labels=tuple(response.tractions),
        full=full,
        reduced=reduced,
        energy_error=_worst((full - reduced)[on], full[on]),
        surface_error=_worst(missed[on], seen[on]),
        missed_by_modes=_worst((full - by_modes)[on], full[on]),
        largest=_worst(seen, traction),
        missing=_worst(missed, traction),
    )


def _gram(X: Floats) -> Floats:
    """Inner products of the columns."""
    return np.asarray(X.T @ X)


def frequency_errors(
    flexibility: Flexibility, M: sp.csr_array, omega: Floats, Phi: Floats
) -> Floats:
    """Bound of |theta^2 / omega^2 - 1| for each elastic coordinate, shape (m,)."""
    defect = omega**2 * flexibility.static(M @ Phi) - Phi
    squares: Floats = np.einsum("ij,ij->j", defect, M @ defect)
    return np.sqrt(np.maximum(squares, 0.0))


def valid_fraction(missed_by_modes: float, energy_error: float, tolerance: float) -> float:
    """Largest x = omega / omega_c with rho x^2/(1 - x^2) + eps/sqrt(1 - x^2) <= tolerance.

    Examples
    --------
    >>> round(valid_fraction(1.0, 0.0, 0.05), 3)  # a body without any kept mode
    0.218
    >>> valid_fraction(0.3, 0.3, 0.05)  # modes alone, contact loads not represented
    0.0
    """
    rho, eps = missed_by_modes, energy_error
    if eps >= tolerance:
        return 0.0
    if rho > 1e-12:
        root = (np.sqrt(eps**2 + 4.0 * rho * (rho + tolerance)) - eps) / (2.0 * rho)
    else:
        root = tolerance / max(eps, 1e-12)
    return float(np.sqrt(max(0.0, 1.0 - 1.0 / root**2)))


def _worst(error: Floats, response: Floats) -> float:
    parts, _ = compliance_spectrum(error, response)
    return float(np.sqrt(max(0.0, np.max(parts, initial=0.0))))
