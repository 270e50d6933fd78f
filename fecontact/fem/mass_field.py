r"""Where the mass of a finite-element body is, and how it moves: every inertia integral from it.

    int rho f g dV = sum_ab m_ab f_a g_b        for f, g out of 1, x, and the displacement u

The sum runs over mass points and directors. A mass point has the values 1, x_a, u(x_a). A director
is what changes across a section: a beam moves by u + y u_y + z u_z, a plate by u + z u_z, so the
director of z has the values 0, e_z, u_z and the weight int rho z^2. With it the inertia of a beam
or plate is that of the three-dimensional body whose sections stay plane (Cosserat's picture).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from fecontact.fem.model import FEModel
from fecontact.fem.solid._batched import block_diagonal
from fecontact.typing import Floats, Integers

__all__ = ["MassField", "join_fields", "mass_field", "scattered"]


@dataclass(frozen=True)
class MassField:
    """Mass points and directors of a body.

    Attributes
    ----------
    unit : (p,)
        Value of the function 1: one for points, zero for directors.
    position : (p, 3)
        Position of points in m; unit vector of directors, whose weight is then in kg m^2.
    mass : (p, p) sparse
        Weights m_ab, symmetric: nodal masses of a solid, else diagonal.
    shape : (3 p, n) sparse
        Displacement x, y, z of one point or director after the other, per unknown of the body.
    """

    unit: Floats
    position: Floats
    mass: sp.csr_array
    shape: sp.csr_array

    def form(self, P: Floats) -> sp.csr_array:
        """Form int rho u_i . P u_j dV (n, n) for a matrix P (3, 3); P = 1: the mass matrix."""
        return sp.csr_array(self.shape.T @ (block_diagonal(self.mass, P) @ self.shape))

    def inertia_load(self, offset: Floats, slope: Floats) -> Floats:
        """Load -int rho u_i . (offset + slope x) dV (n,) in an accelerated frame.

        Parameters
        ----------
        offset, slope
            (3,) in m/s^2 and (3, 3) in 1/s^2.
        """
        acceleration = np.multiply.outer(self.unit, offset) + self.position @ slope.T
        return np.asarray(self.shape.T @ -(self.mass @ acceleration).ravel())


def mass_field(model: FEModel) -> MassField | None:
    """Mass field that the model offers by its property `mass_field`, or that of a nodal solid.

    None means: the model offers none, and its unknowns are not three displacements per node of
    `model.geometry`, or its mass matrix couples them.
    """
    offered = getattr(model, "mass_field", None)
    if isinstance(offered, MassField):
        return offered
    unknowns = _nodal_unknowns(model)
    if unknowns is None:
        return None
    scalar = _scalar_mass(model.mass, unknowns)
    if scalar is None:
        return None
    points = model.geometry.points
    return MassField(np.ones(len(points)), points, scalar, sp.csr_array(model.geometry.shape))


def join_fields(*parts: MassField) -> MassField:
    """Mass field of all parts together."""
    return MassField(
        unit=np.concatenate([part.unit for part in parts]),
        position=np.concatenate([part.position for part in parts]),
        mass=sp.csr_array(sp.block_diag([part.mass for part in parts])),
        shape=sp.csr_array(sp.vstack([part.shape for part in parts])),
    )


def scattered(unit: float, position: Floats, weights: Floats, shape: sp.csr_array) -> MassField:
    """Mass points (unit = 1) or directors (unit = 0) with weights (p,) of their own."""
    mass = sp.csr_array(sp.diags_array(weights))
    return MassField(np.full(len(weights), unit), position, mass, shape)


def _nodal_unknowns(model: FEModel) -> Integers | None:
    """Unknown numbers (nodes, 3) of the displacements of the nodes, if there are no others."""
    shape = sp.csr_array(model.geometry.shape)
    n = shape.shape[1]
    one_each = shape.shape[0] == n and np.array_equal(shape.indptr, np.arange(n + 1))
    if not (one_each and np.all(shape.data == 1.0) and len(np.unique(shape.indices)) == n):
        return None
    return shape.indices.astype(np.int64).reshape(-1, 3)


def _scalar_mass(M: sp.csr_array, unknowns: Integers) -> sp.csr_array | None:
    """Mass matrix of the nodes if M is the same for x, y, z and couples none of them."""
    x, y, z = unknowns.T
    scalar = M[x][:, x]
    negligible = 1e-12 * np.max(np.abs(M.diagonal()))
    same = (abs(scalar - M[i][:, i]).max() for i in (y, z))
    coupled = (abs(M[i][:, j]).max() for i, j in ((x, y), (y, z), (z, x)))
    return scalar if max(*same, *coupled) <= negligible else None
