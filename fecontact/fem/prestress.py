"""Static states and the geometric stiffness of their stress.

    K u = f,     sigma = C eps(u),     K_sigma,ab = int grad N_a . sigma grad N_b dV  1

K_sigma belongs to dead loads and small strains: the body vibrates about the stressed state with
K + K_sigma. It is linear in the load, so the state of a unit load is enough.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from fecontact.errors import InputError
from fecontact.fem._batched import VOIGT, Chunk, block_diagonal
from fecontact.fem.model import FEModel
from fecontact.fem.rigid import determinate_support, free_rigid_motions
from fecontact.solvers.linear import factorise
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.fem.solid import ElasticSolid

__all__ = ["geometric_stiffness", "inertia_relief", "static_displacement"]

BALANCED = 1e-9
"""Work of a load on a rigid motion, relative to the largest that it could do, that counts as 0."""

ROUND_OFF = 1e-12
"""What is left of a load, relative to its size, that counts as nothing."""


def static_displacement(model: FEModel, load: Floats) -> Floats:
    """Displacement u (n,) or (n, k) under static loads of that shape; K u = f if free to move.

    A body that can still move rigidly must be loaded in equilibrium (`inertia_relief`). It is then
    held at a few unknowns that take no reaction, and the answer is the one with no rigid motion
    (orthogonal to it in the mass product).
    """
    K, free = model.stiffness, model.free
    R = free_rigid_motions(model)
    if R.shape[1]:
        largest = np.multiply.outer(np.abs(R).max(axis=0), np.abs(load).sum(axis=0))
        imbalance = np.abs(R.T @ load) / largest.clip(np.finfo(float).tiny)
        if imbalance.max() > BALANCED:
            raise InputError(
                f"load is not in equilibrium on a body that can move freely (imbalance "
                f"{imbalance.max():.1e}); fix a surface or balance the load"
            )
    loose = np.setdiff1d(free, free[determinate_support(R[free])])
    u = np.zeros(load.shape)
    u[loose] = factorise(K[loose][:, loose])(np.ascontiguousarray(load[loose]))
    return u - R @ (R.T @ (model.mass @ u))


def inertia_relief(model: FEModel, load: Floats) -> Floats:
    """Load (n,) or (n, k) less the inertia of the rigid acceleration that it gives to the body."""
    R = free_rigid_motions(model)
    left = load - model.mass @ (R @ (R.T @ load))
    size = np.linalg.norm(load, axis=0)
    return np.where(np.linalg.norm(left, axis=0) > ROUND_OFF * size, left, 0.0)


def geometric_stiffness(solid: ElasticSolid, displacement: Floats) -> sp.csr_array:
    """Stiffness of the stress that a displacement (n,) causes, shape (n, n), symmetric."""
    u = displacement.reshape(-1, 3)
    connectivity = solid.cells.connectivity

    def form(chunk: Chunk) -> Floats:
        c, q, _, a = chunk.gradients.shape
        slope = chunk.gradients @ u[connectivity[chunk.cells]][:, None]  # du_i/dx_k as [k, i]
        strain = _voigt_strain(slope)
        stress = (solid.elasticity(chunk) @ strain[..., None])[..., 0][..., VOIGT]
        right = (stress * chunk.volumes[..., None, None]) @ chunk.gradients
        left = chunk.gradients.reshape(c, 3 * q, a).transpose(0, 2, 1)
        matrices = left @ right.reshape(c, 3 * q, a)
        return 0.5 * (matrices + matrices.transpose(0, 2, 1))

    return block_diagonal(solid.cells.scalar_matrix(solid.stiffness_order, form))


def _voigt_strain(slope: Floats) -> Floats:
    """Strains (..., 6) of displacement gradients (..., 3, 3), shear doubled."""
    doubled = slope + slope.swapaxes(-1, -2)
    normal = np.diagonal(slope, axis1=-2, axis2=-1)
    shear = doubled[..., [1, 0, 0], [2, 2, 1]]
    return np.concatenate([normal, shear], axis=-1)
