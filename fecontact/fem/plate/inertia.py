"""Mass field and rotation integrals of plates.

Mindlin's plate moves by (u, v, w) + z (psi_x, psi_y, 0); the director of z has the weight
int rho z^2 dz = rho h^3/12 per area. Kirchhoff's theory neglects the momentum of the turning
normal, so its director is rigid: it counts in the inertia tensor of the undeformed plate only.

Seen in the space-fixed frame, about z, with D = x d/dy - y d/dx on Cartesian components,

    B_ij = int rho W_i . D W_j dV,     S_ij = int rho D W_i . D W_j dV .
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy.sparse as sp
from skfem import Basis, BilinearForm, ElementTriP1

from fecontact.fem.mass_field import MassField, join_fields, scattered
from fecontact.fem.plate.faces import face_shape
from fecontact.fem.solid._batched import block_diagonal
from fecontact.typing import Floats

__all__ = ["kirchhoff_mass_field", "mindlin_mass_field", "mindlin_rotation", "vertex_rotation"]

Value = Callable[[Any], Floats]
"""What to take of a shape function: its values, or those of D, shape (..., cells, points)."""


def kirchhoff_mass_field(
    basis: Basis, surface_density: float | Floats, thickness: float | Floats
) -> MassField:
    """Mid-plane points that move by w, and one rigid director.

    Parameters
    ----------
    basis
        Of w, at the points that integrate the mass matrix.
    surface_density, thickness
        rho h in kg/m^2 and h in m: one value, or (cells, 1).
    """
    mass, second = _weights(basis, surface_density, thickness)
    zero = np.zeros((2, len(mass)))
    values = np.array([[*zero, np.asarray(f[0]).ravel()] for f in basis.basis])
    normal = sp.csr_array((3, basis.N))
    return join_fields(
        scattered(1.0, _mid_plane(basis), mass, _shape(basis, values)),
        scattered(0.0, np.array([[0.0, 0.0, 1.0]]), second.sum(keepdims=True), normal),
    )


def mindlin_mass_field(
    basis: Basis, surface_density: float | Floats, thickness: float | Floats
) -> MassField:
    """Mid-plane points that move by (u, v, w), and directors that move by the rotations psi.

    `basis` has the fields w, psi and, if there is membrane motion, (u, v).
    """
    mass, second = _weights(basis, surface_density, thickness)
    middle, director = _mindlin_shapes(basis, np.asarray)
    normals = np.tile([0.0, 0.0, 1.0], (len(second), 1))
    return join_fields(
        scattered(1.0, _mid_plane(basis), mass, middle), scattered(0.0, normals, second, director)
    )


def mindlin_rotation(basis: Basis, field: MassField) -> tuple[sp.csr_array, sp.csr_array]:
    """Raw rotation integrals (B, S) about z; `field` is the mass field of the plate."""
    x, y = np.asarray(basis.global_coordinates())

    def rate(f: Any) -> Floats:
        return np.asarray(x * f.grad[..., 1, :, :] - y * f.grad[..., 0, :, :])

    rates = sp.csr_array(sp.vstack(_mindlin_shapes(basis, rate)))
    weighted = block_diagonal(field.mass) @ rates
    return sp.csr_array(field.shape.T @ weighted), sp.csr_array(rates.T @ weighted)


def vertex_rotation(basis: Basis, field: MassField) -> sp.csr_array:
    """Integrals B of functions that are linear between the vertices of a triangular mesh.

    They tell whether a Kirchhoff plate is axisymmetric: the own B of Morley's functions is not skew
    on any mesh, because they jump along the edges.
    """
    linear = Basis(basis.mesh, ElementTriP1(), quadrature=basis.quadrature)
    density = field.mass.diagonal()[: basis.dx.size].reshape(basis.dx.shape) / basis.dx
    return sp.csr_array(_rate.assemble(linear, density=density))


@BilinearForm
def _rate(u, v, w):  # type: ignore[no-untyped-def]
    """Form rho v D u."""
    return w.density * v * (w.x[0] * u.grad[1] - w.x[1] * u.grad[0])


def _weights(
    basis: Basis, surface_density: float | Floats, thickness: float | Floats
) -> tuple[Floats, Floats]:
    """Mass and second moment int rho z^2 of the integration points."""
    mass = np.asarray(surface_density * basis.dx)
    return mass.ravel(), np.asarray(mass * np.square(thickness) / 12.0).ravel()


def _mid_plane(basis: Basis) -> Floats:
    x, y = np.asarray(basis.global_coordinates()).reshape(2, -1)
    return np.column_stack([x, y, np.zeros_like(x)])


def _mindlin_shapes(basis: Basis, value: Value) -> list[sp.csr_array]:
    """Matrices (3 p, n) of the mid-plane and of the directors."""
    middle, director = [], []
    zero = np.zeros((2, basis.dx.size))
    for local in basis.basis:
        w, psi, *membrane = (value(f).reshape(-1, basis.dx.size) for f in local)
        middle.append(np.concatenate([membrane[0] if membrane else zero, w]))
        director.append(np.concatenate([psi, zero[:1]]))
    return [_shape(basis, np.array(values)) for values in (middle, director)]


def _shape(basis: Basis, values: Floats) -> sp.csr_array:
    """Displacement (3 p, n) from values (k, 3, p) of the local functions at all points."""
    dofs = np.repeat(basis.element_dofs, basis.dx.shape[1], axis=1)
    return face_shape(values, dofs, np.arange(basis.dx.size), basis.N)
