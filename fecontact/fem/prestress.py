"""Static states and the geometric stiffness of their stress.

    K u = f,     sigma = C eps(u),     q^T K_sigma q = int sigma : E_2 dV

K_sigma belongs to dead loads and small strains: the body vibrates about the stressed state with
K + K_sigma. It is linear in the load, so the state of a unit load is enough. E_2 is twice the part
of the strain that is quadratic in the displacement gradient H = eps + W (W: rotation). It depends
on the strain in which the material is taken as linear:

    "green", E = (F^T F - 1)/2:     E_2 = H^T H                 the classical K_sigma
    "biot",  U - 1, F = R U:        E_2 = H^T H - eps eps = W^T W + eps W - W eps

They differ by int sigma : eps eps, which is to the elastic stiffness as the static strain is to 1:
of no weight where a body vibrates about a state of small strain. But only with the second a bar
that is stretched without rotation is as stiff as before, as a linear elastic bar is; the floating
frame takes it (`body.floating.inertia`). For strains that are small beside the rotations both are
W^T W (Novozhilov, Foundations of the Nonlinear Theory of Elasticity, 1953).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fecontact.errors import InputError, check, one_of
from fecontact.fem.model import FEModel
from fecontact.fem.rigid import determinate_support, free_rigid_body_modes
from fecontact.fem.solid._batched import PAIRS, VOIGT, Chunk, block_diagonal, pair_tensor
from fecontact.solvers.linear import factorise
from fecontact.typing import Floats

if TYPE_CHECKING:
    import scipy.sparse as sp

    from fecontact.fem.solid.body import ElasticSolid

__all__ = ["STRAINS", "geometric_stiffness", "inertia_relief", "static_displacement"]

STRAINS = ("green", "biot")
"""Strains in which a material may be linear, see above."""

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
    R = free_rigid_body_modes(model)
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
    R = free_rigid_body_modes(model)
    left = load - model.mass @ (R @ (R.T @ load))
    size = np.linalg.norm(load, axis=0)
    return np.where(np.linalg.norm(left, axis=0) > ROUND_OFF * size, left, 0.0)


def geometric_stiffness(
    solid: ElasticSolid, displacement: Floats, strain: str = "green"
) -> sp.csr_array | sp.bsr_array:
    """Stiffness of the stress that a displacement (n,) causes, shape (n, n), symmetric.

    That of Biot's strain couples the components of nodes and is stored in blocks of 3 x 3.
    """
    check("strain", strain, one_of(STRAINS))
    u = displacement.reshape(-1, 3)
    cells, order = solid.cells, solid.stiffness_order

    def stress(chunk: Chunk) -> Floats:
        """Stress (c, q, 6) in the order of Voigt."""
        slope = chunk.gradients @ u[cells.connectivity[chunk.cells]][:, None]  # du_i/dx_k: [k, i]
        return np.asarray((solid.elasticity(chunk) @ _voigt_strain(slope)[..., None])[..., 0])

    def form(chunk: Chunk) -> Floats:
        c, q, _, a = chunk.gradients.shape
        sigma = stress(chunk)[..., VOIGT]
        right = (sigma * chunk.volumes[..., None, None]) @ chunk.gradients
        left = chunk.gradients.reshape(c, 3 * q, a).transpose(0, 2, 1)
        matrices = left @ right.reshape(c, 3 * q, a)
        return 0.5 * (matrices + matrices.transpose(0, 2, 1))

    if strain == "biot":
        return cells.gradient_matrix(order, lambda chunk: np.tensordot(stress(chunk), _BIOT, 1))
    return block_diagonal(cells.scalar_matrix(order, form))


def _voigt_strain(slope: Floats) -> Floats:
    """Strains (..., 6) of displacement gradients (..., 3, 3), shear doubled."""
    doubled = slope + slope.swapaxes(-1, -2)
    normal = np.diagonal(slope, axis1=-2, axis2=-1)
    shear = doubled[..., [1, 0, 0], [2, 2, 1]]
    return np.concatenate([normal, shear], axis=-1)


def _biot_tensors() -> Floats:
    """Tensors (6, 18, 3) of H^T H - eps eps, in the form of `pair_tensor`, per stress of Voigt."""
    units = (np.arange(6)[:, None, None] == VOIGT) * 1.0  # stresses
    strains = units * np.where(np.eye(3), 1.0, 0.5)  # shear strains are doubled
    products = np.einsum("sab,vbc,wca->svw", units, strains, strains)
    squares = 0.5 * (products + products.swapaxes(1, 2))  # sigma : eps eps, forms of Voigt
    slopes = np.zeros((6, 3, len(PAIRS), 3))  # sigma_kl where the components i and j are the same
    slopes[:, :, [i == j for i, j in PAIRS]] = units[:, :, None]
    return np.asarray(slopes.reshape(6, 18, 3) - pair_tensor(squares))


_BIOT = _biot_tensors()
