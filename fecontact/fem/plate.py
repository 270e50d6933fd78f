"""Kirchhoff plate on a triangular mesh.

    U = D/2 int (lap w)^2 - 2 (1 - nu) (w_xx w_yy - w_xy^2) dA,     T = rho h/2 int w_t^2 dA

(Jehle 3.35 in Cartesian coordinates; the twist term is the corrected one.) The element is
Morley's: quadratic, nonconforming, unknowns w at the vertices and the normal slope at the mid of
each edge. A simply supported curved edge is constrained at its vertices only; a conforming
element with w = 0 along the whole polygon would converge to a wrong answer (Babuska's paradox).

The gradient of a Morley function jumps along the edges, but not at their mids: there the normal
slope is an unknown and the tangential one the difference of two vertices. The contact points of the
faces are therefore the mids of the edges; with a third of the area of the adjacent triangles as
weight they integrate quadratic functions exactly. The slopes there have an error of second order in
the cell size (measured in the tests); membrane motion is absent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from skfem import Basis, BilinearForm, ElementTriMorley, MeshTri
from skfem.helpers import dd, ddot, trace

from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, check, one_of
from fecontact.fem.mass_field import MassField
from fecontact.fem.material import Material
from fecontact.fem.model import FESurface, Geometry
from fecontact.fem.plate_faces import face_shape, face_side
from fecontact.fem.plate_inertia import kirchhoff_mass_field
from fecontact.mesh.sets import boundary_facets
from fecontact.typing import Floats, Integers

__all__ = ["SUPPORTS", "KirchhoffPlate"]

SUPPORTS = ("simply_supported", "clamped")


@BilinearForm
def _curvature(u, v, w):  # type: ignore[no-untyped-def]
    """Bending form of unit stiffness: (1 - nu) H:H' + nu tr H tr H'."""
    return (1.0 - w.poisson) * ddot(dd(u), dd(v)) + w.poisson * trace(dd(u)) * trace(dd(v))


@BilinearForm
def _product(u, v, w):  # type: ignore[no-untyped-def]
    return u * v


@BilinearForm
def _rate(u, v, w):  # type: ignore[no-untyped-def]
    """Form v D u, with the rotation derivative D = x d/dy - y d/dx."""
    return v * (w.x[0] * u.grad[1] - w.x[1] * u.grad[0])


@BilinearForm
def _rate_product(u, v, w):  # type: ignore[no-untyped-def]
    x, y = w.x
    return (x * u.grad[1] - y * u.grad[0]) * (x * v.grad[1] - y * v.grad[0])


@dataclass(frozen=True)
class KirchhoffPlate:
    """Thin plate of constant thickness on a triangular mesh with named edges.

    Parameters
    ----------
    mesh
        Triangles in the x-y plane, in m.
    thickness
        In m.
    material
        Isotropic material.
    supports
        Edge name -> "simply_supported" or "clamped"; other edges are free.
    foundation
        Stiffness of an elastic bed in N/m^3.

    Examples
    --------
    >>> from fecontact.fem import STEEL
    >>> from fecontact.mesh import annulus
    >>> plate = KirchhoffPlate(annulus(0.08, 0.12), 0.005, STEEL, {"outer": "simply_supported"})
    >>> plate.mass.shape == plate.stiffness.shape
    True
    """

    mesh: MeshTri
    thickness: float
    material: Material
    supports: Mapping[str, str] = field(default_factory=dict)
    foundation: float = 0.0

    def __post_init__(self) -> None:
        if type(self.mesh) is not MeshTri:
            raise InputError(
                f"a mesh of {type(self.mesh).__name__} is not possible for this plate: it must "
                "consist of straight triangles in the x-y plane"
            )
        check("thickness", self.thickness, POSITIVE, "m")
        check("foundation", self.foundation, NON_NEGATIVE, "N/m^3")
        for edge, kind in self.supports.items():
            boundary_facets(self.mesh, edge)
            check(f"support of edge '{edge}'", kind, one_of(SUPPORTS))

    @cached_property
    def basis(self) -> Basis:
        """scikit-fem basis; the element caches per mesh, hence a new one for each plate."""
        return Basis(self.mesh, ElementTriMorley(), intorder=4)

    @cached_property
    def stiffness(self) -> sp.csr_array:
        """Stiffness matrix of all unknowns."""
        D = self.material.bending_stiffness(self.thickness)
        bending = D * _curvature.assemble(self.basis, poisson=self.material.poisson)
        return sp.csr_array(bending + self.spring_stiffness if self.foundation else bending)

    @cached_property
    def spring_stiffness(self) -> sp.csr_array:
        """Part of the foundation in the stiffness matrix."""
        return self.foundation * sp.csr_array(_product.assemble(self.basis))

    @cached_property
    def mass(self) -> sp.csr_array:
        """Mass matrix of all unknowns."""
        return self._surface_density * sp.csr_array(_product.assemble(self.basis))

    @cached_property
    def mass_field(self) -> MassField:
        """Mid-plane points with their displacement, and the rigid thickness."""
        return kirchhoff_mass_field(self.basis, self._surface_density, self.thickness)

    @cached_property
    def rotation(self) -> tuple[sp.csr_array, sp.csr_array]:
        """Raw rotation integrals B_ij = int rho h w_i D w_j and S_ij = int rho h D w_i D w_j.

        B is skew only up to the error of the mesh, because the polygon is not a circle.
        """
        B = self._surface_density * sp.csr_array(_rate.assemble(self.basis))
        S = self._surface_density * sp.csr_array(_rate_product.assemble(self.basis))
        return B, S

    @cached_property
    def free(self) -> Integers:
        """Unknowns that the supports leave free."""
        names = {"simply_supported": ["u"], "clamped": ["u", "u_n"]}
        fixed = [
            self.basis.get_dofs(boundary_facets(self.mesh, edge)).all(names[kind])
            for edge, kind in self.supports.items()
        ]
        everything = np.arange(self.basis.N)
        return np.setdiff1d(everything, np.concatenate([np.empty(0, dtype=int), *fixed]))

    @cached_property
    def geometry(self) -> Geometry:
        """Mid-plane: vertices with their deflection."""
        count = self.mesh.nvertices
        entries = (np.ones(count), (3 * np.arange(count) + 2, self.basis.nodal_dofs[0]))
        shape = sp.csr_array(sp.coo_array(entries, shape=(3 * count, self.basis.N)))
        points = np.column_stack([self.mesh.p.T, np.zeros(count)])
        return Geometry(points, {"triangle": np.asarray(self.mesh.t.T, dtype=np.int64)}, shape)

    def surface(self, name: str) -> FESurface:
        """Face "top" (z = h/2) or "bottom" (z = -h/2), at the mids of all edges.

        The displacement is u = (-z grad w, w); w of the two adjacent triangles is averaged.
        """
        side, count = face_side(name), self.mesh.nfacets
        height = 0.5 * side * self.thickness
        thirds = self._edge_basis.dx.T.ravel()
        weights = np.asarray(np.bincount(self.mesh.t2f.ravel(), thirds, count), dtype=float)
        mids = self.mesh.p[:, self.mesh.facets].mean(axis=1)
        points = np.column_stack([*mids, np.full(count, height)])
        factors = sp.diags_array(np.tile([-height, -height, 1.0], count))
        normals = np.tile([0.0, 0.0, side], (count, 1))
        return FESurface(points, weights, normals, sp.csr_array(factors @ self._edge_motion))

    def rigid_motions(self) -> Floats:
        """Heave and the tilts about x and y: w = 1, y, -x."""
        slopes, edges = self.basis.facet_dofs[0], 3 * np.arange(self.mesh.nfacets)
        normal_x, normal_y = (self._edge_motion[edges + axis, slopes] for axis in (0, 1))
        x, y = self.mesh.p
        motions = np.zeros((self.basis.N, 3))
        motions[self.basis.nodal_dofs[0]] = np.column_stack([np.ones_like(x), y, -x])
        motions[slopes, 1:] = np.column_stack([normal_y, -normal_x])
        return motions

    @cached_property
    def _edge_basis(self) -> Basis:
        """The basis at the mids of the three edges of each triangle."""
        mids = np.array([[0.5, 0.5, 0.0], [0.0, 0.5, 0.5]])
        return Basis(self.mesh, self.basis.elem, quadrature=(mids, np.full(3, 1.0 / 6.0)))

    @cached_property
    def _edge_motion(self) -> sp.csr_array:
        """Slopes w_x, w_y and deflection w at the edge mids, rows of one edge after the other.

        Each side of an inner edge counts one half.
        """
        edge = self.mesh.t2f.T
        sides = np.bincount(edge.ravel())[edge]
        local = (functions[0] for functions in self._edge_basis.basis)
        values = np.array([[f.grad[0], f.grad[1], np.asarray(f)] for f in local]) / sides
        dofs = np.repeat(self.basis.element_dofs, 3, axis=1)
        return face_shape(values.reshape(6, 3, -1), dofs, edge.ravel(), self.basis.N)

    @property
    def _surface_density(self) -> float:
        return self.material.density * self.thickness
