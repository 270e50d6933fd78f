"""Reissner-Mindlin plate: heterosis element on quadrilaterals, MITC7 on triangles.

    u = (z psi_x, z psi_y, w),     shear strain  gamma = grad w + psi
    U = 1/2 int kappa^T (h^3/12 Q) kappa + k gamma^T (h G) gamma dA
    kappa = (psi_x,x, psi_y,y, psi_x,y + psi_y,x)
    T = 1/2 int rho h w_t^2 + rho h^3/12 |psi_t|^2 dA

On quadrilaterals w lies in the eight-node serendipity space, the rotations in the nine-node space,
and the shear energy is integrated with 2 x 2 points (Hughes and Cohen 1978): no shear locking, and
no spurious zero-energy mode, which the nine-node element with the same rule has. Constant bending
is exact on parallelograms; on other cells the error vanishes under uniform refinement (energy:
order 6), so use smooth meshes for very thin plates. On triangles w is quadratic, the rotations have
a bubble more, and the shear strain is interpolated (`tied_shear`); constant bending is exact on all
straight triangles. Below h/L = 1e-4 round-off grows, because the rotary inertia falls with h^3:
take `KirchhoffPlate` there. Membrane motion (plane stress) is uncoupled in a flat plate; it is
added on request so that the body has all six rigid-body modes and the contact faces their in-plane
motion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from skfem import (
    Basis,
    ElementQuad2,
    ElementQuadS2,
    ElementTriP2,
    ElementTriP2B,
    ElementVector,
    MeshQuad,
    MeshQuad2,
    MeshTri,
)

from fecontact.errors import POSITIVE, InputError, check, one_of
from fecontact.fem._forms import assemble, assemble_values, operator_values, sample_matrix
from fecontact.fem.mass_field import MassField
from fecontact.fem.material import Elastic
from fecontact.fem.model import FESurface, Geometry
from fecontact.fem.plate.common import Plate
from fecontact.fem.plate.faces import face_cells
from fecontact.fem.plate.inertia import mindlin_mass_field, mindlin_rotation
from fecontact.fem.plate.membrane import gradient, resultant_matrices, square, strain, twice
from fecontact.fem.plate.tied_shear import tied_shear
from fecontact.fem.prestress import STRAINS
from fecontact.fem.spring import Spring
from fecontact.mesh.sets import boundary_facets
from fecontact.typing import Floats, Integers

__all__ = ["MINDLIN_SUPPORTS", "MindlinPlate"]

MINDLIN_SUPPORTS = ("simply_supported", "hard_simply_supported", "clamped")


def _deflection(w, psi, *membrane):  # type: ignore[no-untyped-def]
    return [np.asarray(w)]


def _slope(w, psi, *membrane):  # type: ignore[no-untyped-def]
    return [*w.grad]


def _turn(w, psi, *membrane):  # type: ignore[no-untyped-def]
    return [*psi]


def _turn_gradient(w, psi, *membrane):  # type: ignore[no-untyped-def]
    return gradient(psi)


def _curvature(w, psi, *membrane):  # type: ignore[no-untyped-def]
    return strain(psi)


def _shear(w, psi, *membrane):  # type: ignore[no-untyped-def]
    return [w.grad[0] + psi[0], w.grad[1] + psi[1]]


def _plane(w, psi, u):  # type: ignore[no-untyped-def]
    return [*u]


def _plane_gradient(w, psi, u):  # type: ignore[no-untyped-def]
    return gradient(u)


def _plane_strain(w, psi, u):  # type: ignore[no-untyped-def]
    return strain(u)


@dataclass(frozen=True)
class MindlinPlate(Plate):
    """Plate with shear deformation.

    Parameters
    ----------
    mesh
        Quadrilaterals or triangles (straight or quadratic sides) in the x-y plane, in m, with
        named edges.
    thickness
        In m: one value, or volume name -> value (the faces are stepped, the mid-plane is not).
    material
        Isotropic or orthotropic material, or volume name -> material; each cell in exactly one.
    supports
        Edge name -> "simply_supported" (w = 0 only, the soft support), "hard_simply_supported"
        (also no rotation along the edge; straight edges along x or y), "clamped". Prestress by
        inertia takes each supported edge as held in its plane too (`in_plane`).
    shear_factor
        k; 5/6, or pi^2/12 after Mindlin.
    membrane
        True adds the in-plane displacements of the mid-plane; supports hold them too.
    foundation
        Stiffness of an elastic foundation in N/m^3, against the deflection of the mid-plane;
        integrated exactly, while the spring `Foundation` acts at the contact points of a face.
    springs
        Springs to ground on the faces and at corners of cells, see `fecontact.fem.spring`.

    Examples
    --------
    >>> from skfem import MeshQuad
    >>> from fecontact.fem import STEEL
    >>> plate = MindlinPlate(MeshQuad().refined(2).with_defaults(), 0.1, STEEL, {"left": "clamped"})
    >>> plate.stiffness.shape
    (227, 227)
    """

    mesh: MeshQuad | MeshTri
    thickness: float | Mapping[str, float]
    material: Elastic | Mapping[str, Elastic]
    supports: Mapping[str, str] = field(default_factory=dict)
    shear_factor: float = 5.0 / 6.0
    membrane: bool = False
    foundation: float = 0.0
    springs: Sequence[Spring] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.mesh, MeshQuad | MeshTri):
            kind = type(self.mesh).__name__
            raise InputError(f"invalid mesh = {kind}: expected made of quadrilaterals or triangles")
        check("shear_factor", self.shear_factor, POSITIVE)
        self._check(one_of(MINDLIN_SUPPORTS))

    @cached_property
    def basis(self) -> Basis:
        """scikit-fem basis of (w, psi) or (w, psi, membrane), 3 x 3 points, on triangles 12."""
        if self._triangles:
            element = ElementTriP2() * ElementVector(ElementTriP2B())
            if self.membrane:
                element = element * ElementVector(ElementTriP2())
            return Basis(self.mesh, element, intorder=6)
        element = ElementQuadS2() * ElementVector(ElementQuad2())
        if self.membrane:
            element = element * ElementVector(ElementQuad2())
        return Basis(_serendipity(self.mesh), element, intorder=5)

    @cached_property
    def reduced_basis(self) -> Basis:
        """The same functions at 2 x 2 points: for the shear energy and for the faces.

        On triangles 6 points, for the faces.
        """
        return Basis(self.basis.mesh, self.basis.elem, intorder=4 if self._triangles else 3)

    @property
    def _triangles(self) -> bool:
        return isinstance(self.mesh, MeshTri)

    @cached_property
    def stiffness(self) -> sp.csr_array:
        """Stiffness matrix of all unknowns."""
        shear = self.shear_factor * self.section.shearing(self.reduced_basis)
        K = assemble(self.basis, _curvature, self.section.bending(self.basis))
        basis = self.reduced_basis
        strains = (tied_shear if self._triangles else operator_values)(basis, _shear)
        K = K + assemble_values(basis, strains, shear, strains)
        if self.membrane:
            K = K + assemble(self.basis, _plane_strain, self.section.stretching(self.basis))
        return sp.csr_array(K + self.spring_stiffness)

    @cached_property
    def mass(self) -> sp.csr_array:
        """Mass matrix of all unknowns, with rotary inertia."""
        rho_h, rotary = (
            density[..., None, None] * np.eye(2)
            for density in (self.section.surface_density, self.section.rotary_inertia)
        )
        M = assemble(self.basis, _deflection, rho_h[..., :1, :1])
        M = M + assemble(self.basis, _turn, rotary)
        return sp.csr_array(M + assemble(self.basis, _plane, rho_h) if self.membrane else M)

    def tension_stiffness(
        self, resultants: Floats | Sequence[float], strain: str = "green"
    ) -> sp.csr_array:
        """Stiffness (n, n) of the resultants N_x, N_y, N_xy in N/m, tension positive.

        All displacements u = (u + z psi, w) count, as in a solid with the stress N/h: the slopes
        of w with N, the gradients of psi with h^2/12 N, those of the membrane motion with N.

        Parameters
        ----------
        resultants
            One set (3,), or (3, cells, points) at the points of `basis`.
        strain
            In which the material is linear, "green" or "biot" (`prestress`). The second leaves out
            what the strains in the plane contribute; shear across it is small beside the slopes.
        """
        check("strain", strain, one_of(STRAINS))
        N = resultant_matrices(resultants, self.basis)
        second = (self.section.heights**2 / 12.0)[..., None, None]
        fields = [(_turn_gradient, _curvature, second)]
        if self.membrane:
            fields.append((_plane_gradient, _plane_strain, np.ones_like(second)))
        K = assemble(self.basis, _slope, N)
        for all_of, strains, factor in fields:
            K = K + assemble(self.basis, all_of, factor * twice(N))
            if strain == "biot":
                K = K - assemble(self.basis, strains, factor * square(N))
        return sp.csr_array(K)

    def geometric_stiffness(self, displacement: Floats, strain: str = "green") -> sp.csr_array:
        """Stiffness (n, n) of the in-plane stress that a static displacement (n,) causes."""
        if not self.membrane:
            raise InputError(
                "invalid geometric stiffness of a displacement: expected a plate with in-plane "
                "motion; set membrane=True, or use tension_stiffness or inertia_stiffness"
            )
        strains = sample_matrix(self.basis, _plane_strain) @ displacement
        N = self.section.stretching(self.basis) @ strains.reshape(*self.basis.dx.shape, 3, 1)
        return self.tension_stiffness(np.moveaxis(N[..., 0], -1, 0), strain)

    @cached_property
    def mass_field(self) -> MassField:
        """Mid-plane points and directors with their displacement."""
        section = self.section
        return mindlin_mass_field(self.basis, section.surface_density, section.heights)

    @cached_property
    def rotation(self) -> tuple[sp.csr_array, sp.csr_array]:
        """Raw rotation integrals (B, S) about z in the space-fixed frame (`plate_inertia`)."""
        return mindlin_rotation(self.basis, self.mass_field)

    @cached_property
    def free(self) -> Integers:
        """Unknowns that the supports leave free."""
        membrane = ["u^1^3", "u^2^3"] if self.membrane else []
        fixed = []
        for edge, kind in self.supports.items():
            names = ["u^1", *membrane]
            if kind == "clamped":
                names += ["u^1^2", "u^2^2"]
            elif kind == "hard_simply_supported":
                names.append(self._tangential_rotation(edge))
            fixed.append(self.basis.get_dofs(boundary_facets(self.mesh, edge)).all(names))
        everything = np.arange(self.basis.N)
        return np.setdiff1d(everything, np.concatenate([np.empty(0, dtype=int), *fixed]))

    @cached_property
    def geometry(self) -> Geometry:
        """Mid-plane: corners of the cells with their displacement."""
        corners = self.basis.nodal_dofs
        count = self.mesh.nvertices
        fields = {2: corners[0]}
        if self.membrane:
            fields |= {0: corners[3], 1: corners[4]}
        rows = np.concatenate([3 * np.arange(count) + axis for axis in fields])
        columns = np.concatenate(list(fields.values()))
        ones = np.ones(len(rows))
        shape = sp.csr_array((ones, (rows, columns)), shape=(3 * count, self.basis.N))
        points = np.column_stack([self.mesh.p[:, :count].T, np.zeros(count)])
        cell = "triangle" if self._triangles else "quad"
        return Geometry(points, {cell: np.asarray(self.mesh.t.T, dtype=np.int64)}, shape)

    def surface(self, name: str) -> FESurface:
        """Face "top" (z = h/2) or "bottom" (z = -h/2), or of one volume: "facing.top".

        Points are the 2 x 2 points of each cell, 6 on triangles.
        """
        side, cells = face_cells(self.mesh, name)
        basis = self.reduced_basis
        chosen = np.arange(basis.dx.size).reshape(basis.dx.shape)[cells].ravel()
        levels = np.broadcast_to(0.5 * side * self.section.heights, basis.dx.shape)
        points = np.column_stack([*basis.global_coordinates().reshape(2, -1), levels.ravel()])

        def motion(w, psi, *membrane):  # type: ignore[no-untyped-def]
            u = levels * psi + (membrane[0] if membrane else 0.0)
            return [*u, np.asarray(w)]

        normals = np.tile([0.0, 0.0, side], (len(chosen), 1))
        rows = (3 * chosen[:, None] + np.arange(3)).ravel()
        shape = sp.csr_array(sample_matrix(basis, motion)[rows])
        return FESurface(points[chosen], basis.dx.ravel()[chosen], normals, shape)

    def rigid_body_modes(self) -> Floats:
        """Heave and two tilts; with membrane motion all six: along x, y, z, about x, y, z."""
        x, y = np.nan_to_num(self.basis.doflocs)  # the bubbles have no place
        one = {name: (self._dof_names == name) * 1.0 for name in set(self.basis.elem.dofnames)}
        w, psi_x, psi_y = one["u^1"], one["u^1^2"], one["u^2^2"]
        tilts = np.column_stack([w, w * y - psi_y, psi_x - w * x])
        if not self.membrane:
            return tilts
        u, v = one["u^1^3"], one["u^2^3"]
        return np.column_stack([u, v, tilts, v * x - u * y])

    def _foundation_part(self) -> sp.csr_array:
        return assemble(self.basis, _deflection, np.ones((1, 1)))

    @cached_property
    def _dof_names(self) -> npt.NDArray[np.object_]:
        """Name of every unknown: u^1 is w, u^i^2 is psi_i, u^i^3 the membrane displacement."""
        basis, names = self.basis, np.empty(self.basis.N, dtype=object)
        rows = [*basis.nodal_dofs, *basis.facet_dofs, *basis.interior_dofs]
        for row, name in zip(rows, basis.elem.dofnames, strict=True):
            names[row] = name
        return names

    def _tangential_rotation(self, edge: str) -> str:
        """Name of the rotation along a straight edge that is parallel to x or y."""
        x, y = self.mesh.p[:, np.unique(self.mesh.facets[:, boundary_facets(self.mesh, edge)])]
        size = max(np.ptp(x), np.ptp(y))
        for extent, name in ((np.ptp(x), "u^2^2"), (np.ptp(y), "u^1^2")):
            if extent <= 1e-9 * size:
                return name
        raise InputError(
            f"invalid support of edge '{edge}' = hard_simply_supported: expected a straight edge "
            "parallel to x or y; use simply_supported"
        )


def _serendipity(mesh: MeshQuad) -> MeshQuad:
    """Mesh whose curved cells are eight-node maps, so that w contains the linear functions.

    Only the middle node of quadratic cells moves: to 1/2 sum of mid-sides - 1/4 sum of corners.
    """
    if not isinstance(mesh, MeshQuad2):
        return mesh
    x = mesh.doflocs.copy()
    dofs = mesh.dofs.element_dofs
    x[:, dofs[8]] = 0.5 * x[:, dofs[4:8]].sum(axis=1) - 0.25 * x[:, dofs[:4]].sum(axis=1)
    return replace(mesh, doflocs=x)
