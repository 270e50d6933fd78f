"""In-plane motion of a flat plate: plane stress with quadratic elements.

    int rho h u'' . v + eps(v) : h Q eps(u) dA = load,      N = h Q eps(u)

The stress resultants N (N_x, N_y, N_xy in N/m) stiffen or soften the plate that carries them,

    K_sigma,ij = int grad u_i . N grad u_j dA    for each displacement component,

so a plate asks for this body even if its own unknowns leave out the motion in its plane.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from skfem import (
    Basis,
    ElementQuad2,
    ElementTriP2,
    ElementVector,
    FacetBasis,
    Mesh,
    MeshQuad,
    MeshTri,
)

from fecontact.errors import InputError
from fecontact.fem._forms import assemble, sample_matrix
from fecontact.fem.material import Elastic
from fecontact.fem.model import FESurface, Geometry
from fecontact.fem.plate.faces import face_cells
from fecontact.fem.plate.section import PlateSection
from fecontact.fem.spring import Spring, spring_matrix
from fecontact.mesh.sets import boundary_facets
from fecontact.typing import Floats, Integers

__all__ = ["Membrane", "gradient", "resultant_matrices", "square", "strain", "twice"]


def _displacement(u):  # type: ignore[no-untyped-def]
    return [u[0], u[1]]


def _in_space(u):  # type: ignore[no-untyped-def]
    return [u[0], u[1], 0.0 * u[0]]


def gradient(u):  # type: ignore[no-untyped-def]
    """Rows u_x,x  u_x,y  u_y,x  u_y,y of a plane vector field."""
    return [*u.grad[0], *u.grad[1]]


def strain(u):  # type: ignore[no-untyped-def]
    """Rows u_x,x  u_y,y  u_x,y + u_y,x of a plane vector field."""
    return [u.grad[0, 0], u.grad[1, 1], u.grad[0, 1] + u.grad[1, 0]]


@dataclass(frozen=True)
class Membrane:
    """Plane-stress body on triangles or quadrilaterals in the x-y plane.

    Parameters
    ----------
    mesh
        With named edges; curved sides of second-order cells are followed.
    thickness, material
        As those of a plate: one value, or volume name -> value.
    supports
        Edge name -> directions held at zero: "x", "y" or "xy".
    springs
        Springs to ground on the faces "top" and "bottom", which move as the mid-plane, and at
        vertices.

    Examples
    --------
    >>> from fecontact.fem import STEEL
    >>> from fecontact.fem.prestress import static_displacement
    >>> strip = Membrane(MeshTri().refined(1).with_defaults(), 0.01, STEEL, {"left": "x"})
    >>> u = static_displacement(strip, strip.edge_load({"right": (5e3, 0.0)}))
    >>> bool(np.allclose(strip.resultants(u)[0], 5e3))
    True
    """

    mesh: Mesh
    thickness: float | Mapping[str, float]
    material: Elastic | Mapping[str, Elastic]
    supports: Mapping[str, str] = field(default_factory=dict)
    springs: Sequence[Spring] = ()

    def __post_init__(self) -> None:
        if not isinstance(self.mesh, MeshTri | MeshQuad):
            kind = type(self.mesh).__name__
            raise InputError(f"invalid mesh = {kind}: expected made of triangles or quadrilaterals")
        for edge, directions in self.supports.items():
            boundary_facets(self.mesh, edge)
            if not directions or any(letter not in "xy" for letter in directions):
                raise InputError(
                    f"invalid support of edge '{edge}' = {directions!r}: expected letters of x, y"
                )
        self.section  # noqa: B018  # checks materials and thicknesses

    @cached_property
    def section(self) -> PlateSection:
        """Stiffness and mass per area."""
        return PlateSection(self.mesh, self.thickness, self.material)

    @cached_property
    def basis(self) -> Basis:
        """scikit-fem basis of the displacements; unknowns are those of nodes."""
        return Basis(self.mesh, self._element, intorder=5)

    @property
    def _element(self) -> ElementVector:
        scalar = ElementTriP2() if isinstance(self.mesh, MeshTri) else ElementQuad2()
        return ElementVector(scalar)

    @cached_property
    def stiffness(self) -> sp.csr_array:
        """Stiffness matrix of all unknowns."""
        stretching = assemble(self.basis, strain, self.section.stretching(self.basis))
        return sp.csr_array(stretching + self.spring_stiffness)

    @cached_property
    def spring_stiffness(self) -> sp.csr_array:
        """Part of the springs in the stiffness matrix."""
        return spring_matrix(_Faces(self), self.springs)

    @cached_property
    def mass(self) -> sp.csr_array:
        """Mass matrix of all unknowns."""
        density = self.section.surface_density[..., None, None]
        return assemble(self.basis, _displacement, density * np.eye(2))

    @cached_property
    def free(self) -> Integers:
        """Unknowns that the supports leave free."""
        held = [np.empty(0, dtype=np.int64)]
        for edge, directions in self.supports.items():
            dofs = self.basis.get_dofs(boundary_facets(self.mesh, edge))
            held.append(dofs.all([f"u^{'xy'.index(letter) + 1}" for letter in directions]))
        return np.setdiff1d(np.arange(self.basis.N), np.concatenate(held))

    @cached_property
    def geometry(self) -> Geometry:
        """Corners of the cells with their displacement."""
        count = self.mesh.nvertices
        columns = self.basis.nodal_dofs
        rows = 3 * np.arange(count) + np.arange(2)[:, None]
        entries = (np.ones(rows.size), (rows.ravel(), columns.ravel()))
        shape = sp.csr_array(sp.coo_array(entries, shape=(3 * count, self.basis.N)))
        points = np.column_stack([self.mesh.p[:, :count].T, np.zeros(count)])
        kind = "triangle" if isinstance(self.mesh, MeshTri) else "quad"
        return Geometry(points, {kind: np.asarray(self.mesh.t.T, dtype=np.int64)}, shape)

    def surface(self, name: str) -> FESurface:
        """Gauss points of a named edge; weights are lengths in m."""
        facets = boundary_facets(self.mesh, name)
        edge = FacetBasis(self.mesh, self._element, facets=facets, intorder=5)
        level = np.zeros(edge.dx.size)
        points = np.column_stack([*edge.global_coordinates().reshape(2, -1), level])
        normals = np.column_stack([*np.asarray(edge.normals).reshape(2, -1), level])
        return FESurface(points, edge.dx.ravel(), normals, sample_matrix(edge, _in_space))

    def rigid_body_modes(self) -> Floats:
        """Translations along x and y and the rotation about z, shape (n, 3)."""
        still = np.zeros((2, 2))
        turn = np.array([[0.0, -1.0], [1.0, 0.0]])
        motions = [(np.eye(2)[0], still), (np.eye(2)[1], still), (np.zeros(2), turn)]
        return np.column_stack([self.linear_field(*motion) for motion in motions])

    def linear_field(self, offset: Floats, slope: Floats) -> Floats:
        """Unknowns (n,) of the displacement offset + slope x, with (2,) and (2, 2)."""
        values = offset[:, None] + slope @ self.basis.doflocs
        unknowns = np.empty(self.basis.N)
        for rows in (self.basis.nodal_dofs, self.basis.facet_dofs, self.basis.interior_dofs):
            for axis, row in enumerate(rows):
                unknowns[row] = values[axis, row]
        return unknowns

    def edge_load(self, tractions: Mapping[str, tuple[float, float]]) -> Floats:
        """Load (n,) of forces per length in N/m on named edges."""
        load = np.zeros(self.basis.N)
        for name, traction in tractions.items():
            edge = self.surface(name)
            load += edge.shape.T @ np.multiply.outer(edge.weights, [*traction, 0.0]).ravel()
        return load

    def inertia_load(self, offset: Floats, slope: Floats) -> Floats:
        """Load (n,) on a body in a frame with the acceleration a = offset + slope x: -rho h a."""
        return np.asarray(-(self.mass @ self.linear_field(offset, slope)))

    def resultants(self, displacement: Floats, basis: Basis | None = None) -> Floats:
        """Stress resultants N_x, N_y, N_xy in N/m at the points of a basis on the same mesh.

        Displacements (n,) give (3, c, q), several ones (n, k) give (k, 3, c, q).
        """
        rule = self.basis.quadrature if basis is None else basis.quadrature
        points = Basis(self.mesh, self._element, quadrature=rule)
        strains = (sample_matrix(points, strain) @ displacement).reshape(*points.dx.shape, 3, -1)
        N = (self.section.stretching(points) @ strains).transpose(3, 2, 0, 1)
        return np.asarray(N if displacement.ndim == 2 else N[0])


@dataclass(frozen=True)
class _Faces:
    """What springs see of a membrane: its faces, while its own surfaces are edges."""

    membrane: Membrane

    @property
    def geometry(self) -> Geometry:
        return self.membrane.geometry

    def surface(self, name: str) -> FESurface:
        """Face at z = +-h/2, which moves as the mid-plane."""
        membrane, basis = self.membrane, self.membrane.basis
        side, cells = face_cells(membrane.mesh, name)
        chosen = np.arange(basis.dx.size).reshape(basis.dx.shape)[cells].ravel()
        levels = np.broadcast_to(0.5 * side * membrane.section.heights, basis.dx.shape)
        points = np.column_stack([*basis.global_coordinates().reshape(2, -1), levels.ravel()])
        normals = np.tile([0.0, 0.0, side], (len(chosen), 1))
        rows = (3 * chosen[:, None] + np.arange(3)).ravel()
        shape = sp.csr_array(sample_matrix(basis, _in_space)[rows])
        return FESurface(points[chosen], basis.dx.ravel()[chosen], normals, shape)


def resultant_matrices(resultants: Floats | Sequence[float], basis: Basis) -> Floats:
    """Matrices N (c, q, 2, 2) of N_x, N_y, N_xy, given once (3,) or per point (3, c, q)."""
    given = np.asarray(resultants, dtype=float)
    shape = (3, *basis.dx.shape)
    if given.shape not in ((3,), shape):
        raise InputError(
            f"invalid resultants of shape {given.shape}: expected N_x, N_y, N_xy once or at the "
            f"quadrature points of the plate, {shape}"
        )
    if not np.all(np.isfinite(given)):
        raise InputError("invalid resultants: expected finite numbers")
    full = np.broadcast_to(given.reshape(3, *given.shape[1:] or (1, 1)), shape)
    return np.moveaxis(full[[0, 2, 2, 1]], 0, -1).reshape(*shape[1:], 2, 2)


def twice(N: Floats) -> Floats:
    """Matrices (c, q, 4, 4) with N (c, q, 2, 2) for each of two displacement components."""
    return np.einsum("ij,cqkl->cqikjl", np.eye(2), N).reshape(*N.shape[:2], 4, 4)


def square(N: Floats) -> Floats:
    """Matrices (c, q, 3, 3) of the form N : eps eps in the rows of `strain`, for N (c, q, 2, 2)."""
    result = np.zeros((*N.shape[:2], 3, 3))
    result[..., 0, 0], result[..., 1, 1] = N[..., 0, 0], N[..., 1, 1]
    result[..., :2, 2] = result[..., 2, :2] = 0.5 * N[..., 0, 1, None]
    result[..., 2, 2] = 0.25 * np.trace(N, axis1=-2, axis2=-1)
    return result
