"""Rotating bodies, in their own frame and, if axisymmetric, in the space-fixed frame.

In the frame that turns with the body at constant Omega about the axis e,

    M u'' + Omega G u' + (K + Omega^2 K_sigma - Omega^2 N) u = Omega^2 f_c + load
    G = 2 int rho W^T (e x W) dV,   N = int rho W^T P W dV,   f_c = int rho W^T P (x - o) dV

with P = 1 - e e^T. K_sigma is the geometric stiffness of the centrifugal stress. For an
axisymmetric body described in the space-fixed frame, v = Omega e x x + u_t + Omega D u with
D u = ((e x x) . grad) u on Cartesian components, the raw integrals are

    B_ij = int rho W_i . D W_j dV,    S_ij = int rho D W_i . D W_j dV

    M u'' + Omega (B - B^T) u' + (K + Omega^2 K_sigma - Omega^2 S) u = Omega^2 f_c + load .

Solids, Mindlin and Kirchhoff plates answer alike; beams have the matrices of their own frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import norm

from fecontact.errors import POSITIVE, InputError, check
from fecontact.fem.axisymmetry import check_axisymmetric
from fecontact.fem.mass_field import MassField, mass_field
from fecontact.fem.material import CylindricalAxes
from fecontact.fem.model import FEModel
from fecontact.fem.plate.inertia import vertex_rotation
from fecontact.fem.plate.kirchhoff import KirchhoffPlate
from fecontact.fem.plate.mindlin import MindlinPlate
from fecontact.fem.plate.taut import warn_of_fast_spin
from fecontact.fem.prestress import static_displacement
from fecontact.fem.solid._batched import Chunk, block_diagonal
from fecontact.fem.solid.body import ElasticSolid
from fecontact.typing import Floats

__all__ = ["RotatingBody"]

NOT_SKEW = 0.1
"""Largest |B + B^T| / |B| of an axisymmetric body; a ring of 12 straight cells has up to 0.097."""


@dataclass(frozen=True)
class RotatingBody:
    """Matrices of a body that turns about an axis; those with Omega^2 are per unit Omega^2.

    Parameters
    ----------
    model
        The body. Its supports turn with it.
    axis, origin
        Direction of the axis and a point on it, in m.

    Examples
    --------
    >>> from fecontact.fem import STEEL, KirchhoffPlate
    >>> from fecontact.mesh import annulus
    >>> disc = RotatingBody(KirchhoffPlate(annulus(0.05, 0.1, 2, 24), 0.002, STEEL))
    >>> B, S = disc.rotation
    >>> B.shape == disc.model.mass.shape
    True
    """

    model: FEModel
    axis: tuple[float, float, float] = (0.0, 0.0, 1.0)
    origin: tuple[float, float, float] = (0.0, 0.0, 0.0)

    def __post_init__(self) -> None:
        check("length of the rotation axis", float(np.linalg.norm(self.axis)), POSITIVE)

    @cached_property
    def coriolis(self) -> sp.csr_array:
        """G = 2 int rho W^T (e x W), skew; times Omega u'."""
        return self._field.form(2.0 * self._cross)

    @cached_property
    def spin_softening(self) -> sp.csr_array:
        """N = int rho W^T P W, subtracted from the stiffness times Omega^2."""
        return self._field.form(self._plane)

    @cached_property
    def centrifugal_load(self) -> Floats:
        """f_c = int rho W^T P (x - o), shape (n,); the load is Omega^2 f_c."""
        return self._field.inertia_load(self._plane @ self.origin, -self._plane)

    @cached_property
    def centrifugal_stiffness(self) -> sp.csr_array:
        """K_sigma of the centrifugal stress of unit speed; the body may be free."""
        if isinstance(self.model, KirchhoffPlate):
            N = self.model.inertia_resultants(self._plane @ self.origin, -self._plane)
            warn_of_fast_spin(self.model.section, self.model.basis, N)
        of_inertia = getattr(self.model, "inertia_stiffness", None)
        if of_inertia is not None:
            return sp.csr_array(of_inertia(self._plane @ self.origin, -self._plane))
        of_displacement = getattr(self.model, "geometric_stiffness", None)
        if of_displacement is None:
            raise InputError(
                f"invalid {type(self.model).__name__} with centrifugal stress: expected a model "
                "with geometric stiffness, a solid, plate or beam"
            )
        return sp.csr_array(of_displacement(static_displacement(self.model, self.centrifugal_load)))

    @cached_property
    def rotation(self) -> tuple[sp.csr_array, sp.csr_array]:
        """Raw integrals (B, S) of an axisymmetric solid or plate in the space-fixed frame.

        B is skew only up to the error of the mesh, because a polygon is not a circle (and Morley's
        functions jump); a body with more, or whose shape or material changes around the axis
        (`axisymmetry`), is refused. A plate turns about z through the origin. Supports and springs
        that are not the same all around stand still in space.
        """
        model = self.model
        if isinstance(model, ElasticSolid):
            check_axisymmetric(model.mesh, model.parts, self._about)
            B, S = self._of_solid(model)
            self._check_skew(B)
            return block_diagonal(B), block_diagonal(S)
        if isinstance(model, KirchhoffPlate | MindlinPlate):
            self._check_normal_axis()
            section = model.section
            check_axisymmetric(model.mesh, section.parts, self._about, section.heights[:, 0])
            B, S = model.rotation
            smooth = isinstance(model, MindlinPlate)
            self._check_skew(B if smooth else vertex_rotation(model.basis, self._field))
            return B, S
        raise InputError(
            f"invalid {type(model).__name__} in the space-fixed frame: expected an axisymmetric "
            "solid or plate; use the matrices of the turning frame"
        )

    def _of_solid(self, solid: ElasticSolid) -> tuple[sp.csr_array, sp.csr_array]:
        """Integrals (B, S) of the nodal functions, the same for each component."""

        def rates(chunk: Chunk) -> tuple[Floats, Floats]:
            """Cell matrices int rho N_a D N_b and int rho D N_a D N_b."""
            speed = (chunk.points - np.asarray(self.origin)) @ self._cross.T
            rate = (speed[..., None, :] @ chunk.gradients)[..., 0, :]
            weighted = rate * (chunk.volumes * solid.density(chunk))[..., None]
            return chunk.values.T @ weighted, rate.swapaxes(-1, -2) @ weighted

        cells, order = solid.cells, solid.kind.mass
        B = cells.scalar_matrix(order, lambda chunk: rates(chunk)[0])
        S = cells.scalar_matrix(order, lambda chunk: rates(chunk)[1])
        return B, S

    def _check_skew(self, B: sp.csr_array) -> None:
        """Refuse a body that is not axisymmetric."""
        defect = float(norm(B + B.T) / norm(B))
        if defect > NOT_SKEW:
            raise InputError(
                f"rotation in the space-fixed frame needs a body axisymmetric about its axis: "
                f"|B + B^T| / |B| = {defect:.2g}, allowed is {NOT_SKEW}; use the matrices of the "
                "turning frame, or more or curved cells around if the body is axisymmetric"
            )

    def _check_normal_axis(self) -> None:
        if np.any(self._cross[2]) or self._cross[1, 0] < 0.0 or np.any(self.origin[:2]):
            raise InputError(
                f"invalid axis = {self.axis}, origin = {self.origin} of a plate in the space-fixed "
                "frame: expected the z axis through the origin of the mesh"
            )

    @cached_property
    def _field(self) -> MassField:
        field = mass_field(self.model)
        if field is None:
            raise InputError(
                f"invalid {type(self.model).__name__} that rotates: expected a mass field, with "
                "three displacements per node and a mass matrix that does not couple them"
            )
        return field

    @property
    def _about(self) -> CylindricalAxes:
        return CylindricalAxes(self.axis, self.origin)

    @cached_property
    def _cross(self) -> Floats:
        """Matrix of e x."""
        x, y, z = np.asarray(self.axis) / np.linalg.norm(self.axis)
        return np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])

    @cached_property
    def _plane(self) -> Floats:
        """Projector P."""
        return np.asarray(-self._cross @ self._cross)
