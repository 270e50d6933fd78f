r"""Inertia shape integrals of a floating-frame body, consistent with its FE mass matrix.

A material point of the body is at r = r_0 + A (x + Phi(x) q), with the frame's angular velocity
omega in body axes. Its kinetic energy contains the mass only through the integrals

    m, \int rho x, \int rho Phi_i, J_0 = \int rho (x.x 1 - x x^T),   \int rho x x Phi_i,
    J_1i = \int rho (2 x.Phi_i 1 - x Phi_i^T - Phi_i x^T),
    \int rho Phi_i x Phi_j,    J_2ij = \int rho (Phi_i.Phi_j 1 - Phi_i Phi_j^T), symmetric in ij,

with which the mass matrix of (r_0', omega, q') is exact to all orders in q (Shabana, Dynamics
of Multibody Systems, ch. 5; Schwertassek and Wallrapp, Dynamik flexibler Mehrkoerpersysteme).
All of them are sums over the mass field of the body (`fem.mass_field`), from the same integration
points as its mass matrix: nothing is lumped. What the mass matrix of a theory neglects, the shapes
neglect too: in Euler-Bernoulli beams and Kirchhoff plates sections do not carry momentum when they
turn by bending. The undeformed body has its true inertia tensor, thickness and sections included.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.fem.mass_field import mass_field
from fecontact.fem.model import FEModel
from fecontact.typing import Floats

__all__ = ["InertiaIntegrals", "inertia_integrals"]

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


def inertia_integrals(model: FEModel, Phi: Floats) -> InertiaIntegrals | None:
    """Integrals for the shapes Phi (n, m), or None if the model has no mass field.

    Solids, beams and plates have one, and so have user matrices with three displacements per node
    and a mass matrix that does not couple them (`fem.mass_field`).
    """
    field = mass_field(model)
    if field is None:
        return None
    m = Phi.shape[1]
    values = np.column_stack([field.unit, field.position])  # of 1, x, y, z
    shapes = np.asarray(field.shape @ Phi).reshape(len(values), 3 * m)
    weighted = field.mass @ shapes
    gram = values.T @ (field.mass @ values)
    first = (field.unit @ weighted).reshape(3, m)
    mixed = (field.position.T @ weighted).reshape(3, 3, m)  # int rho x_a Phi_b
    second = (shapes.T @ weighted).reshape(3, m, 3, m).transpose(0, 2, 1, 3)
    return InertiaIntegrals(
        mass=float(gram[0, 0]),
        first_moment=gram[1:, 0],
        inertia=_tensor(gram[1:, 1:]),
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
