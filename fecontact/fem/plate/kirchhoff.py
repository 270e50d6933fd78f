"""Kirchhoff plate on a triangular mesh.

    U = 1/2 int kappa^T (h^3/12 Q) kappa dA,   T = 1/2 int rho h w_t^2 dA,
    kappa = (w_xx, w_yy, 2 w_xy)

(isotropic: D/2 int (lap w)^2 - 2 (1 - nu) (w_xx w_yy - w_xy^2) dA, Jehle 3.35 in Cartesian
coordinates with the twist term corrected; Q of other materials: `plate_section`). The element is
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

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from skfem import Basis, ElementTriMorley, ElementTriP1, MeshTri

from fecontact.errors import InputError, check, one_of, renamed
from fecontact.fem._forms import assemble
from fecontact.fem.mass_field import MassField
from fecontact.fem.material import Elastic
from fecontact.fem.model import FESurface, Geometry
from fecontact.fem.plate.common import Plate
from fecontact.fem.plate.faces import face_cells, face_shape
from fecontact.fem.plate.inertia import kirchhoff_mass_field
from fecontact.fem.plate.membrane import resultant_matrices
from fecontact.fem.plate.taut import warn_if_taut
from fecontact.fem.prestress import STRAINS
from fecontact.fem.spring import Spring
from fecontact.mesh.sets import boundary_facets
from fecontact.typing import Floats, Integers

__all__ = ["SUPPORTS", "KirchhoffPlate"]

SUPPORTS = ("simply_supported", "clamped")


def _curvature(w):  # type: ignore[no-untyped-def]
    return [w.hess[0, 0], w.hess[1, 1], 2.0 * w.hess[0, 1]]


def _deflection(w):  # type: ignore[no-untyped-def]
    return [np.asarray(w)]


def _slope(w):  # type: ignore[no-untyped-def]
    return [w.grad[0], w.grad[1]]


@renamed(rigid_motions="rigid_body_modes")
@dataclass(frozen=True)
class KirchhoffPlate(Plate):
    """Thin plate on a triangular mesh with named edges.

    Parameters
    ----------
    mesh
        Triangles in the x-y plane, in m.
    thickness
        In m: one value, or volume name -> value (the faces are stepped, the mid-plane is not).
    material
        Isotropic or orthotropic material, or volume name -> material; each cell in exactly one.
    supports
        Edge name -> "simply_supported" or "clamped"; other edges are free. Prestress by inertia
        takes each supported edge as held in its plane too (`in_plane`).
    foundation
        Stiffness of an elastic foundation in N/m^3, against the deflection of the mid-plane;
        integrated exactly, while the spring `Foundation` acts at the contact points of a face.
    springs
        Springs to ground on the faces and at vertices, see `fecontact.fem.spring`.

    Examples
    --------
    >>> from fecontact.fem import STEEL
    >>> from fecontact.mesh import annulus
    >>> plate = KirchhoffPlate(annulus(0.08, 0.12), 0.005, STEEL, {"outer": "simply_supported"})
    >>> plate.mass.shape == plate.stiffness.shape
    True
    """

    mesh: MeshTri
    thickness: float | Mapping[str, float]
    material: Elastic | Mapping[str, Elastic]
    supports: Mapping[str, str] = field(default_factory=dict)
    foundation: float = 0.0
    springs: Sequence[Spring] = ()

    def __post_init__(self) -> None:
        if type(self.mesh) is not MeshTri:
            raise InputError(
                f"invalid mesh of {type(self.mesh).__name__} for this plate: expected straight "
                "triangles in the x-y plane"
            )
        self._check(one_of(SUPPORTS))

    @cached_property
    def basis(self) -> Basis:
        """scikit-fem basis; the element caches per mesh, hence a new one for each plate."""
        return Basis(self.mesh, ElementTriMorley(), intorder=4)

    @cached_property
    def stiffness(self) -> sp.csr_array:
        """Stiffness matrix of all unknowns."""
        bending = assemble(self.basis, _curvature, self.section.bending(self.basis))
        return sp.csr_array(bending + self.spring_stiffness)

    @cached_property
    def mass(self) -> sp.csr_array:
        """Mass matrix of all unknowns, without rotary inertia."""
        return assemble(self.basis, _deflection, self._density)

    @cached_property
    def mass_field(self) -> MassField:
        """Mid-plane points with their displacement, and the rigid thickness."""
        section = self.section
        return kirchhoff_mass_field(self.basis, section.surface_density, section.heights)

    @cached_property
    def rotation(self) -> tuple[sp.csr_array, sp.csr_array]:
        """Raw rotation integrals B_ij = int rho h w_i D w_j and S_ij = int rho h D w_i D w_j.

        B is skew only up to the error of the mesh, because the polygon is not a circle.
        """
        x, y = self.basis.global_coordinates()

        def rate(w):  # type: ignore[no-untyped-def]
            """D w, with the rotation derivative D = x d/dy - y d/dx."""
            return [x * w.grad[1] - y * w.grad[0]]

        B = assemble(self.basis, _deflection, self._density, rate)
        S = assemble(self.basis, rate, self._density)
        return B, S

    def tension_stiffness(
        self, resultants: Floats | Sequence[float], strain: str = "green"
    ) -> sp.csr_array:
        """Stiffness (n, n) of the resultants N_x, N_y, N_xy in N/m, tension positive.

        The slopes are those of the linear function between the vertices: with the own slopes of
        Morley's element, which jump along the edges, a plate whose tension outweighs its bending
        stiffness converges to a wrong answer (Wang, Xu and Hu, J. Comput. Math. 24, 2006). Where
        tension outweighs bending on the size of a cell, a warning says so (`taut`).

        Parameters
        ----------
        resultants
            One set (3,), or (3, cells, points) at the points of `basis`.
        strain
            "green" or "biot" (`prestress`): the same for slopes, which strain nothing.
        """
        check("strain", strain, one_of(STRAINS))
        linear = Basis(self.mesh, ElementTriP1(), quadrature=self.basis.quadrature)
        K = sp.coo_array(assemble(linear, _slope, resultant_matrices(resultants, linear)))
        warn_if_taut(self.section, self.basis, np.asarray(resultants))
        vertices = self.basis.nodal_dofs[0]
        entries = (vertices[K.row], vertices[K.col])
        return sp.csr_array(sp.coo_array((K.data, entries), shape=self.mass.shape))

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
        """Face "top" (z = h/2) or "bottom" (z = -h/2), or of one volume: "facing.top".

        Points are the mids of the edges. The displacement is u = (-z grad w, w); w of the two
        adjacent triangles is averaged, and so is their thickness if both belong to the face.
        """
        side, cells = face_cells(self.mesh, name)
        used, edges = np.unique(self.mesh.t2f[:, cells].ravel(), return_inverse=True)
        weights = np.asarray(np.bincount(edges, self._edge_basis.dx[cells].T.ravel()), dtype=float)
        sums = np.bincount(edges, np.tile(self.section.heights[cells, 0], 3))
        levels = 0.5 * side * sums / np.bincount(edges)
        mids = self.mesh.p[:, self.mesh.facets[:, used]].mean(axis=1)
        points = np.column_stack([*mids, levels])
        factors = np.column_stack([-levels, -levels, np.ones(len(used))])
        rows = self._edge_motion[(3 * used[:, None] + np.arange(3)).ravel()]
        shape = sp.csr_array(sp.diags_array(factors.ravel()) @ rows)
        return FESurface(points, weights, np.tile([0.0, 0.0, side], (len(used), 1)), shape)

    def rigid_body_modes(self) -> Floats:
        """Heave and the tilts about x and y: w = 1, y, -x."""
        slopes, edges = self.basis.facet_dofs[0], 3 * np.arange(self.mesh.nfacets)
        normal_x, normal_y = (self._edge_motion[edges + axis, slopes] for axis in (0, 1))
        x, y = self.mesh.p
        modes = np.zeros((self.basis.N, 3))
        modes[self.basis.nodal_dofs[0]] = np.column_stack([np.ones_like(x), y, -x])
        modes[slopes, 1:] = np.column_stack([normal_y, -normal_x])
        return modes

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

    def _foundation_part(self) -> sp.csr_array:
        return assemble(self.basis, _deflection, np.ones((1, 1)))

    @property
    def _density(self) -> Floats:
        """Mass per area of each cell as a form takes it, (c, 1, 1, 1)."""
        return self.section.surface_density[..., None, None]
