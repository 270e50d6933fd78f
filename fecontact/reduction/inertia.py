r"""Inertia shape integrals of a floating-frame body, from the consistent FE mass matrix.

A material point of the body is at r = r_0 + A (x + Phi(x) q), with the frame's angular velocity
omega in body axes. Its kinetic energy contains the mass only through the integrals

    m, \int rho x, \int rho Phi_i, J_0 = \int rho (x.x 1 - x x^T),   \int rho x x Phi_i,
    J_1i = \int rho (2 x.Phi_i 1 - x Phi_i^T - Phi_i x^T),
    \int rho Phi_i x Phi_j,    J_2ij = \int rho (Phi_i.Phi_j 1 - Phi_i Phi_j^T), symmetric in ij,

with which the mass matrix of (r_0', omega, q') is exact to all orders in q (Shabana, Dynamics
of Multibody Systems, ch. 5; Schwertassek and Wallrapp, Dynamik flexibler Mehrkoerpersysteme).
For a nodal solid body (three displacements per node) all of them follow from the scalar mass
matrix of the nodes, \int rho N_a N_b: nothing is lumped.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from fecontact.fem.model import FEModel
from fecontact.typing import Floats, Integers

__all__ = ["InertiaIntegrals", "inertia_integrals", "nodal_unknowns"]

_PERMUTATION = np.zeros((3, 3, 3))
_PERMUTATION[[0, 1, 2], [1, 2, 0], [2, 0, 1]] = 1.0
_PERMUTATION[[0, 2, 1], [2, 1, 0], [1, 0, 2]] = -1.0


@dataclass(frozen=True)
class InertiaIntegrals:
    """Integrals over the body; about the origin and axes of the reference configuration.

    Attributes
    ----------
    mass : float
        Total mass in kg.
    first_moment : (3,)
        Integral of rho x.
    inertia : (3, 3)
        Inertia tensor J_0 of the undeformed body about the origin.
    translation : (3, m)
        Integral of rho Phi.
    rotation : (3, m)
        Integral of rho x x Phi (cross product).
    inertia_first : (3, 3, m)
        Change J_1 of the inertia tensor, linear in q.
    coupling : (3, m, m)
        Integral of rho Phi_i x Phi_j, skew in i, j.
    inertia_second : (3, 3, m, m)
        Change J_2 of the inertia tensor, quadratic in q.
    """

    mass: float
    first_moment: Floats
    inertia: Floats
    translation: Floats
    rotation: Floats
    inertia_first: Floats
    coupling: Floats
    inertia_second: Floats

    def first_moment_at(self, q: Floats) -> Floats:
        """Integral of rho (x + Phi q), shape (3,)."""
        return self.first_moment + self.translation @ q

    def inertia_at(self, q: Floats) -> Floats:
        """Inertia tensor of the deformed body about the origin, shape (3, 3)."""
        return self.inertia + self.inertia_first @ q + self.inertia_second @ q @ q

    def mass_matrix(self, q: Floats) -> Floats:
        """Mass matrix (6 + m, 6 + m) of (velocity of the origin, omega, q'), body axes."""
        moment, rotation = (
            self.first_moment_at(q),
            self.rotation + np.einsum("aij,i->aj", self.coupling, q),
        )
        arm = np.cross(np.eye(3), moment)  # omega -> omega x moment, transposed
        return np.block(
            [
                [self.mass * np.eye(3), arm.T, self.translation],
                [arm, self.inertia_at(q), rotation],
                [self.translation.T, rotation.T, np.eye(len(q))],
            ]
        )


def nodal_unknowns(model: FEModel) -> Integers | None:
    """Unknown numbers (nodes, 3) of the displacements of the nodes, if there are no others."""
    shape = sp.csr_array(model.geometry.shape)
    n = shape.shape[1]
    one_each = shape.shape[0] == n and np.array_equal(shape.indptr, np.arange(n + 1))
    if not (one_each and np.all(shape.data == 1.0) and len(np.unique(shape.indices)) == n):
        return None
    return shape.indices.astype(np.int64).reshape(-1, 3)


def inertia_integrals(model: FEModel, Phi: Floats) -> InertiaIntegrals | None:
    """Integrals for the shapes Phi (n, m), or None if the body is not a nodal solid.

    None means: the unknowns are not three displacements per node of `model.geometry`, or the
    mass matrix couples them. Beams and plates are such bodies: products of displacement
    components do not follow from their mass matrix.
    """
    unknowns = nodal_unknowns(model)
    scalar = None if unknowns is None else _scalar_mass(model.mass, unknowns)
    if scalar is None or unknowns is None:
        return None
    points, m = model.geometry.points, Phi.shape[1]
    field = Phi[unknowns].reshape(len(points), 3 * m)
    weighted = scalar @ field
    first = (np.ones(len(points)) @ weighted).reshape(3, m)
    mixed = (points.T @ weighted).reshape(3, 3, m)  # int rho x_a Phi_b
    second = (field.T @ weighted).reshape(3, m, 3, m).transpose(0, 2, 1, 3)
    second_points = points.T @ (scalar @ points)
    return InertiaIntegrals(
        mass=float(scalar.sum()),
        first_moment=np.asarray(points.T @ (scalar @ np.ones(len(points)))),
        inertia=_tensor(second_points),
        translation=first,
        rotation=np.einsum("abc,bcj->aj", _PERMUTATION, mixed),
        inertia_first=_tensor(mixed + mixed.swapaxes(0, 1)),
        coupling=np.einsum("abc,bcij->aij", _PERMUTATION, second),
        inertia_second=_tensor(0.5 * (second + second.swapaxes(0, 1))),
    )


def _tensor(moments: Floats) -> Floats:
    """Inertia tensor trace(S) 1 - S of second moments S (3, 3, ...)."""
    identity = np.eye(3).reshape(3, 3, *(1,) * (moments.ndim - 2))
    return np.asarray(np.trace(moments) * identity - moments)


def _scalar_mass(M: sp.csr_array, unknowns: Integers) -> sp.csr_array | None:
    """Mass matrix of the nodes if M is the same for x, y, z and couples none of them."""
    x, y, z = unknowns.T
    scalar = M[x][:, x]
    negligible = 1e-12 * np.max(np.abs(M.diagonal()))
    same = (abs(scalar - M[i][:, i]).max() for i in (y, z))
    coupled = (abs(M[i][:, j]).max() for i, j in ((x, y), (y, z), (z, x)))
    return scalar if max(*same, *coupled) <= negligible else None
