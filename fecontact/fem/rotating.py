"""Rotating solids, in their own frame and, if axisymmetric, in the space-fixed frame.

In the frame that turns with the body at constant Omega about the axis e,

    M u'' + Omega G u' + (K + Omega^2 K_sigma - Omega^2 N) u = Omega^2 f_c + load
    G = 2 int rho W^T (e x W) dV,   N = int rho W^T P W dV,   f_c = int rho W^T P (x - o) dV

with P = 1 - e e^T. K_sigma is the geometric stiffness of the centrifugal stress. For an
axisymmetric body described in the space-fixed frame, v = Omega e x x + u_t + Omega D u with
D u = ((e x x) . grad) u on Cartesian components, the raw integrals are

    B_ij = int rho W_i . D W_j dV,    S_ij = int rho D W_i . D W_j dV

    M u'' + Omega (B - B^T) u' + (K + Omega^2 K_sigma - Omega^2 S) u = Omega^2 f_c + load .
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import norm

from fecontact.errors import POSITIVE, InputError, check
from fecontact.fem._batched import Chunk, block_diagonal
from fecontact.fem.prestress import geometric_stiffness, static_displacement
from fecontact.fem.solid import ElasticSolid
from fecontact.typing import Floats

__all__ = ["RotatingSolid"]

NOT_SKEW = 0.1
"""Largest |B + B^T| / |B| of an axisymmetric body; a ring of 12 straight cells has up to 0.097."""


@dataclass(frozen=True)
class RotatingSolid:
    """Matrices of a solid that turns about an axis; those with Omega^2 are per unit Omega^2.

    Parameters
    ----------
    solid
        The body. Its supports turn with it.
    axis, origin
        Direction of the axis and a point on it, in m.
    """

    solid: ElasticSolid
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        check("length of the rotation axis", float(np.linalg.norm(self.axis)), POSITIVE)

    @cached_property
    def coriolis(self) -> sp.csr_array:
        """G = 2 int rho W^T (e x W), skew; times Omega u'."""
        return block_diagonal(self.solid.scalar_mass, 2.0 * self._cross)

    @cached_property
    def spin_softening(self) -> sp.csr_array:
        """N = int rho W^T P W, subtracted from the stiffness times Omega^2."""
        return block_diagonal(self.solid.scalar_mass, -self._cross @ self._cross)

    @cached_property
    def centrifugal_load(self) -> Floats:
        """f_c = int rho W^T P (x - o), shape (n,); the load is Omega^2 f_c."""
        arm = self.solid.nodes - np.asarray(self.origin)
        return (self.solid.scalar_mass @ (arm @ -self._cross @ self._cross)).ravel()

    @cached_property
    def centrifugal_stiffness(self) -> sp.csr_array:
        """K_sigma of the centrifugal stress of unit speed; the body may be free."""
        u = static_displacement(self.solid, self.centrifugal_load)
        return geometric_stiffness(self.solid, u)

    @cached_property
    def rotation(self) -> tuple[sp.csr_array, sp.csr_array]:
        """Raw integrals (B, S) of an axisymmetric body in the space-fixed frame.

        B is skew only up to the error of the mesh, because a polygon is not a circle; a body that
        is not axisymmetric is refused by it.
        """
        cells, order = self.solid.cells, self.solid.kind.mass
        B = cells.scalar_matrix(order, lambda chunk: self._rates(chunk)[0])
        S = cells.scalar_matrix(order, lambda chunk: self._rates(chunk)[1])
        defect = float(norm(B + B.T) / norm(B))
        if defect > NOT_SKEW:
            raise InputError(
                f"rotation in the space-fixed frame needs a body axisymmetric about its axis: "
                f"|B + B^T| / |B| = {defect:.2g}, allowed is {NOT_SKEW}; use the matrices of the "
                "turning frame, or more or curved cells around if the body is axisymmetric"
            )
        return block_diagonal(B), block_diagonal(S)

    def _rates(self, chunk: Chunk) -> tuple[Floats, Floats]:
        """Cell matrices int rho N_a D N_b and int rho D N_a D N_b."""
        speed = (chunk.points - np.asarray(self.origin)) @ self._cross.T
        rate = (speed[..., None, :] @ chunk.gradients)[..., 0, :]
        weighted = rate * (chunk.volumes * self.solid.density(chunk))[..., None]
        return chunk.values.T @ weighted, rate.swapaxes(-1, -2) @ weighted

    @property
    def _cross(self) -> Floats:
        """Matrix of e x."""
        x, y, z = np.asarray(self.axis) / np.linalg.norm(self.axis)
        return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
