"""Inertia of a floating body from its shape integrals and its geometric stiffness.

The integrals of `reduction.inertia` become moments int rho Phi_a Phi_b of the elastic shapes; the
geometric stiffness adds 12 affine shapes to them (see `body.floating.inertia`).
"""

from __future__ import annotations

from functools import partial

import numpy as np

from fecontact.body.floating.inertia import FloatingInertia
from fecontact.body.rotation import cross_matrix
from fecontact.body.shared import shared
from fecontact.errors import InputError
from fecontact.reduction.inertia import InertiaIntegrals
from fecontact.reduction.reduced import ReducedModel
from fecontact.typing import Floats

__all__ = ["floating_inertia", "inertia_of"]

AXIAL = -cross_matrix(np.eye(3))
"""Permutation symbol: (a x b)_k = sum_ij AXIAL_kij a_i b_j."""


def inertia_of(name: str, model: ReducedModel, geometric_stiffness: bool) -> FloatingInertia:
    """Inertia of a reduced model in a moving frame, one for all bodies that have the model.

    Refused if the model has no integrals; `name` is that of the body.
    """
    if model.inertia is None:
        raise InputError(
            f"{name}: invalid model in a moving frame: expected one with inertia "
            "integrals; reduce a solid, plate or beam with floating_frame=True"
        )
    if geometric_stiffness and model.geometric is None:
        why = [note for note in model.provenance.notes if "geometric stiffness" in note]
        raise InputError(
            f"{name}: {(why or ['the model has no geometric stiffness'])[0]}; reduce an "
            "ElasticSolid with floating_frame=True, or set geometric_stiffness=False"
        )
    geometric = model.geometric if geometric_stiffness else None
    make = partial(floating_inertia, model.inertia, geometric, model.rigid)
    return shared(model, ("inertia", geometric_stiffness), make)


def floating_inertia(
    integrals: InertiaIntegrals, geometric: Floats | None = None, rigid: int = 0
) -> FloatingInertia:
    """Inertia of the elastic coordinates, those after `rigid`.

    `geometric` (12, m, m) is the stiffness per unit inertia load (`reduction.UNIT_LOADS`).
    """
    e = slice(rigid, None)
    J_1, J_2 = integrals.inertia_first[..., e], integrals.inertia_second[..., e, e]
    mixed = _moments(J_1, integrals.rotation[:, e])  # int rho x_a Phi_b
    shapes = _moments(2.0 * J_2, integrals.coupling[:, e, e])  # int rho Phi_a Phi_b
    first, m = integrals.translation[:, e], mixed.shape[2]
    B = np.zeros((0, m, m))
    if geometric is not None:
        gram = np.empty((4, 4))  # of 1, x, y, z
        gram[0] = gram[:, 0] = np.r_[integrals.mass, integrals.first_moment]
        gram[1:, 1:] = _moments(2.0 * integrals.inertia, np.zeros(3))
        B = _affine_shortening(gram, geometric[:, e, e])
        first, mixed, shapes = _with_affine(gram, first, mixed, shapes)
    G = np.einsum("cab,abij->cij", AXIAL, shapes)
    J_second = _tensor(shapes + shapes.swapaxes(0, 1)).reshape(9, *G.shape[1:])
    return FloatingInertia(
        mass=integrals.mass,
        first_moment=integrals.first_moment,
        inertia=integrals.inertia,
        translation=first,
        rotation=np.einsum("cab,abi->ci", AXIAL, mixed),
        inertia_first=_tensor(mixed + mixed.swapaxes(0, 1)),
        gram=np.einsum("aaij->ij", shapes),
        second=np.concatenate([G, J_second]).reshape(-1, G.shape[1]),
        shortening=B,
    )


def _affine_shortening(gram: Floats, K: Floats) -> Floats:
    """Amplitudes B (12, m, m) of the fields e_a psi_l, psi = (1, x, y, z), that have moments K."""
    xx, yy, zz, xy, yz, zx = K[6:]
    trace = -0.5 * (xx + yy + zz)
    double = np.array([[xx + trace, 0.5 * xy, 0.5 * zx],
                       [0.5 * xy, yy + trace, 0.5 * yz],
                       [0.5 * zx, 0.5 * yz, zz + trace]])  # fmt: skip
    # int rho x_l Psi_a; the skew part is that of int rho x x Psi
    moments = np.empty((3, 4, *xx.shape))
    moments[:, 0] = K[:3]
    moments[:, 1:] = (double + 0.5 * np.einsum("cla,cij->laij", AXIAL, K[3:6])).swapaxes(0, 1)
    amplitudes = np.einsum("lk,akij->alij", np.linalg.inv(gram), moments)
    return amplitudes.reshape(12, *xx.shape)


def _with_affine(
    gram: Floats, first: Floats, mixed: Floats, shapes: Floats
) -> tuple[Floats, Floats, Floats]:
    """Moments int rho Phi_a, int rho x_a Phi_b, int rho Phi_a Phi_b with the fields e_a psi_l."""
    m, one = first.shape[1], np.eye(3)
    with_psi = np.concatenate([first[None], mixed])  # int rho psi_l Phi_a, (4, 3, m)
    both = np.empty((3, 3, m + 12, m + 12))
    both[:, :, :m, :m] = shapes
    both[:, :, :m, m:] = np.einsum("lai,bc->abicl", with_psi, one).reshape(3, 3, m, 12)
    both[:, :, m:, :m] = both[:, :, :m, m:].transpose(1, 0, 3, 2)
    both[:, :, m:, m:] = np.einsum("ac,bd,lk->abcldk", one, one, gram).reshape(3, 3, 12, 12)
    affine = np.einsum("bc,kl->kbcl", one, gram).reshape(4, 3, 12)  # int rho psi_k (e_c psi_l)_b
    return (
        np.concatenate([first, affine[0]], axis=1),
        np.concatenate([mixed, affine[1:]], axis=2),
        both,
    )


def _moments(tensor: Floats, vector: Floats) -> Floats:
    """Moments Z (3, 3, ...) from the tensor trace(Y) 1 - Y, Y = Z + Z^T, and the axial vector."""
    identity = np.eye(3).reshape(3, 3, *(1,) * (tensor.ndim - 2))
    symmetric = 0.5 * np.trace(tensor) * identity - tensor
    return np.asarray(0.5 * (symmetric + np.einsum("cab,c...->ab...", AXIAL, vector)))


def _tensor(moments: Floats) -> Floats:
    """Inertia tensor trace(Y) 1 - Y of moments Y (3, 3, ...)."""
    identity = np.eye(3).reshape(3, 3, *(1,) * (moments.ndim - 2))
    return np.asarray(np.trace(moments) * identity - moments)
