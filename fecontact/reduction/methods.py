"""Elastic shapes of each reduction method, mass-orthonormal and orthogonal to rigid-body modes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import scipy.linalg as la

from fecontact.errors import InputError
from fecontact.fem.model import FEModel
from fecontact.reduction.attachment import residual_attachment
from fecontact.reduction.basis import orthonormal, ritz
from fecontact.reduction.craig_bampton import (
    characteristic_modes,
    constraint_modes,
    fixed_interface,
)
from fecontact.reduction.estimate import StaticResponse
from fecontact.reduction.flexibility import Flexibility, Progress, silent
from fecontact.typing import Floats, Integers

__all__ = ["ElasticBasis", "craig_bampton_basis", "modal_basis", "with_attachment"]


PAIR = 1e-3
"""Relative distance of the frequencies of a pair, such as the cosine and sine modes of a ring."""


@dataclass(frozen=True)
class ElasticBasis:
    """Shapes Phi (n, m) with Phi^T M Phi = 1 and Phi^T K Phi = diag(omega^2).

    The first `exact` shapes are modes of the body; `next_frequency` is that of the first mode
    left out, in rad/s.
    """

    omega: Floats
    shapes: Floats
    exact: int
    next_frequency: float


def modal_basis(flexibility: Flexibility, modes: int) -> ElasticBasis:
    """Vibration modes, and the frequency of the next one; a pair is not cut, but completed."""
    spare = min(2, flexibility.elastic_count - modes)
    omega, V = flexibility.modes(modes + max(spare, 0))
    if modes and spare > 0 and omega[modes] < (1.0 + PAIR) * omega[modes - 1]:
        modes += 1
    next_frequency = float(omega[modes]) if modes < len(omega) else np.inf
    return ElasticBasis(omega[:modes], V[:, :modes], modes, next_frequency)


def with_attachment(
    model: FEModel,
    rigid: Floats,
    basis: ElasticBasis,
    responses: Sequence[StaticResponse],
    tolerance: float,
    cutoff: float = np.inf,
) -> ElasticBasis:
    """Widen a basis by residual attachment modes, orthogonal in mass and stiffness.

    Exact modes stay as they are (Rubin); approximate ones are turned together with the new
    shapes, which makes all of them more accurate. Of these, shapes with a frequency above
    `cutoff` in rad/s are left out.
    """
    if not responses:
        return basis
    P = np.hstack([response.forces for response in responses])
    U = np.hstack([response.displacement for response in responses])
    layer = la.block_diag(*(response.layer * response.gram for response in responses))
    attachment = residual_attachment(basis.shapes, basis.omega, P, U, layer, tolerance)
    new = orthonormal(model.mass, attachment, np.hstack([rigid, basis.shapes]))
    exact, approximate = np.split(basis.shapes, [basis.exact], axis=1)
    omega, X = ritz(model.stiffness, np.hstack([approximate, new]))
    kept = omega <= cutoff
    return replace(
        basis,
        omega=np.concatenate([basis.omega[: basis.exact], omega[kept]]),
        shapes=np.hstack([exact, X[:, kept]]),
    )


def craig_bampton_basis(
    model: FEModel,
    rigid: Floats,
    interface: Integers,
    modes: int,
    interface_modes: int | None = None,
    progress: Progress = silent,
) -> ElasticBasis:
    """Fixed-interface, inertia-relief and constraint modes, turned to approximate free modes."""
    if not len(interface):
        raise InputError("the Craig-Bampton method needs an interface with free unknowns")
    fixed = fixed_interface(model, interface, progress)
    modal = modal_basis(fixed, modes)
    progress(f"constraint modes, {len(interface)} interface unknowns")
    Psi = constraint_modes(model, fixed, interface)
    if interface_modes is not None:
        Psi = characteristic_modes(model, Psi, interface_modes)
    relief = fixed.static(model.mass @ rigid)
    shapes = np.hstack([modal.shapes, relief, Psi])
    omega, X = ritz(model.stiffness, orthonormal(model.mass, shapes, rigid))
    return ElasticBasis(omega, X, 0, modal.next_frequency)
