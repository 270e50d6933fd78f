"""Error estimates of a reduced body: bounds, not guesses.

Static.  The reduced displacement under a load is the projection of the full one in the energy
norm. For all loads P c of a family at once, the largest relative error is therefore the root of
the largest eigenvalue of

    (F - F_r) c = lambda (F + s G) c,   F = P^T K+ P full, F_r reduced compliance,

with the Gram matrix G of the tractions and the compliance s of a layer on the surface (see
`attachment`), through which the load acts: the layer has no error, but its part in the energy.
Likewise for the displacement u + s t of the loaded side of the layer in its mean square. For loads
of the family the true error never exceeds these numbers (factor 1, up to round-off). With s = 0
each load is compared with the response of the body alone, however small. Only combinations whose
responses cancel to 1e-5 are not judged: round-off, which grows as the condition of K, hides them.
The missing compliance in m/Pa, mean-square displacement error per mean-square traction, is the
absolute counterpart and knows no layer.

Frequencies.  K+ M is self-adjoint in the mass product. Hence for each reduced frequency theta with
shape y there is a frequency omega of the full model with

    |theta^2 / omega^2 - 1| <= | theta^2 K+ M y - y |_M       (Krylov-Weinstein; factor 1).

Dynamic.  Let the basis contain the modes below omega_c exactly, rho be the part of the static
response (energy norm) that those modes miss, eps the static error of the whole basis. The rest of
the basis is orthogonal to the modes, K - omega^2 M is positive there for omega < omega_c, and
Cea's lemma with the static response as candidate gives, with x = omega / omega_c,

    |u - u_r|_K <= ( rho x^2 / (1 - x^2) + eps / sqrt(1 - x^2) ) |u_static| ,

|u_static|^2 = c^T (F + s G) c. The frequency where this reaches the tolerance is the validity
frequency.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING

import numpy as np

from fecontact.fem.model import FESurface
from fecontact.reduction.attachment import acting, compliance_spectrum
from fecontact.reduction.flexibility import Flexibility
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    import scipy.sparse as sp

__all__ = [
    "ContactCompliance",
    "StaticResponse",
    "contact_compliance",
    "frequency_errors",
    "traction_gram",
    "valid_fraction",
]


@dataclass(frozen=True)
class StaticResponse:
    """Traction fields of a contact surface, their nodal forces P and the full answer U = K+ P.

    Attributes
    ----------
    tractions
        Named fields in Pa, each of shape (p, 3).
    gram : (loads, loads)
        Integrals of t_i . t_j over the surface.
    forces, displacement : (n, loads)
        P and U.
    layer
        Compliance s in m/Pa of the layer on the surface.
    """

    tractions: dict[str, Floats]
    gram: Floats
    forces: Floats
    displacement: Floats
    layer: float = 0.0

    def of(self, labels: Container[str]) -> StaticResponse:
        """Part of the response that belongs to the named fields."""
        chosen = np.flatnonzero([label in labels for label in self.tractions])
        fields = {label: t for label, t in self.tractions.items() if label in labels}
        gram = self.gram[np.ix_(chosen, chosen)]
        forces, displacement = self.forces[:, chosen], self.displacement[:, chosen]
        return StaticResponse(fields, gram, forces, displacement, self.layer)


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
        Largest error of the displacement in the energy norm, relative to the static response of
        body and layer, over all loads.
    surface_error
        Largest error of the surface displacement in the mean square, relative to the
        displacement of the loaded side of the layer, over all loads.
    missed_by_modes
        Largest part (as `energy_error`) that the exact modes of the basis alone would miss.
    largest, missing
        Largest compliance of the surface and largest error of it in m/Pa: mean-square
        displacement per mean-square traction, over all loads; without the layer.
    layer
        Compliance in m/Pa of the layer on the surface that the relative errors include.
    """

    labels: tuple[str, ...]
    full: Floats
    reduced: Floats
    energy_error: float
    surface_error: float
    missed_by_modes: float
    largest: float
    missing: float
    layer: float = 0.0


def contact_compliance(
    surface: FESurface,
    response: StaticResponse,
    omega: Floats,
    Phi: Floats,
    exact: int,
    families: Sequence[Container[str]],
) -> list[ContactCompliance]:
    """Compare the full static response with that of the elastic shapes Phi, frequencies omega.

    The first `exact` of the shapes are modes of the full body. One answer for each of the
    families, given by the labels of their load shapes.
    """
    weights = np.repeat(surface.weights, 3)[:, None]
    loads = weights * np.column_stack([t.ravel() for t in response.tractions.values()])
    moved, shape = surface.shape @ response.displacement, surface.shape @ Phi
    generalised = shape.T @ loads
    answers = generalised / omega[:, None] ** 2
    full, missed = loads.T @ moved, moved - shape @ answers
    by_modes = generalised[:exact].T @ answers[:exact]
    labels = tuple(response.tractions)
    grams = _Grams(
        response.gram,
        full,
        generalised.T @ answers,
        full - by_modes,
        moved.T @ (weights * moved),
        missed.T @ (weights * missed),
    )
    chosen = [np.flatnonzero([label in family for label in labels]) for family in families]
    return [grams.compliance(labels, numbers, response.layer) for numbers in chosen]


@dataclass(frozen=True)
class _Grams:
    """Matrices (loads, loads): products of tractions, compliances, products of displacements."""

    traction: Floats
    full: Floats
    reduced: Floats
    beyond_modes: Floats
    seen: Floats
    missed: Floats

    def compliance(
        self, labels: Sequence[str], numbers: Integers, layer: float
    ) -> ContactCompliance:
        """Errors over all combinations of the numbered loads."""
        part = {f.name: getattr(self, f.name)[np.ix_(numbers, numbers)] for f in fields(self)}
        g = _Grams(**part)
        through = g.seen + layer * (g.full + g.full.T) + layer**2 * g.traction
        static = g.full + layer * g.traction
        on = np.ix_(acting(g.full), acting(g.full))
        return ContactCompliance(
            labels=tuple(labels[i] for i in numbers),
            full=g.full,
            reduced=g.reduced,
            energy_error=_worst((g.full - g.reduced)[on], static[on]),
            surface_error=_worst(g.missed[on], through[on]),
            missed_by_modes=_worst(g.beyond_modes[on], static[on]),
            largest=_worst(g.seen, g.traction),
            missing=_worst(g.missed, g.traction),
            layer=layer,
        )


def traction_gram(surface: FESurface, tractions: dict[str, Floats]) -> Floats:
    """Integrals of t_i . t_j over the surface, shape (fields, fields)."""
    vectors = np.column_stack([field.ravel() for field in tractions.values()])
    return np.asarray(vectors.T @ (np.repeat(surface.weights, 3)[:, None] * vectors))


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
