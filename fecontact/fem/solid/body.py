"""Three-dimensional elastic solid on tetrahedra or hexahedra.

    int rho w . u'' + eps(w) : C eps(u) dV = load,      eps = sym grad u

Unknown 3 a + i is the displacement of node a in direction i. The geometry is isoparametric: a
mesh with curved second-order cells is followed by the quadratic elements.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from skfem import ElementHex1, ElementHex2, ElementHexS2, ElementTetP1, ElementTetP2, Mesh
from skfem.assembly import Dofs
from skfem.refdom import RefHex, RefTet

from fecontact.errors import InputError, check, one_of
from fecontact.fem.mass_field import MassField
from fecontact.fem.material import Elastic
from fecontact.fem.mean_motion import points_of_nodes
from fecontact.fem.model import FESurface, Geometry
from fecontact.fem.parts import cell_elasticity, cell_parts
from fecontact.fem.prestress import geometric_stiffness
from fecontact.fem.solid._batched import Cells, Chunk, block_diagonal, inverse3, shape_functions
from fecontact.fem.solid._faces import nodal_faces, quadrature_faces
from fecontact.fem.solid.locking import warn_if_locking
from fecontact.fem.spring import Spring, spring_matrix
from fecontact.mesh.sets import NodeSet, boundary_facets, node_sets, supporting_parts
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from skfem.element import Element

__all__ = ["ELEMENTS", "ElasticSolid"]


@dataclass(frozen=True)
class SolidElement:
    """Element with the polynomial degrees that its integrals are exact for.

    `stiffness` is the usual full rule (as C3D4, C3D10, C3D8, C3D20 of CalculiX and Abaqus);
    `curved` integrates a constant stress exactly on curved cells; `mass` is exact on straight
    cells; `face` is for the contact points.
    """

    element: type[Element]
    stiffness: int
    curved: int
    mass: int
    face: int
    meshio: str


ELEMENTS = {
    "tet1": SolidElement(ElementTetP1, 1, 1, 2, 2, "tetra"),
    "tet2": SolidElement(ElementTetP2, 2, 5, 5, 4, "tetra10"),
    "hex1": SolidElement(ElementHex1, 3, 3, 5, 3, "hexahedron"),
    "hexS2": SolidElement(ElementHexS2, 5, 5, 7, 5, "hexahedron20"),
    "hex2": SolidElement(ElementHex2, 5, 5, 7, 5, "hexahedron27"),
}
"""Linear and quadratic elements; hexS2 has 20 nodes, hex2 has 27."""

DIRECTIONS = "xyz"


@dataclass(frozen=True)
class ElasticSolid:
    """Elastic solid with named surfaces, supports and springs to ground.

    Parameters
    ----------
    mesh
        scikit-fem tetrahedra or hexahedra, first or second order, in m.
    material
        One material, or subdomain name -> material; each cell in exactly one of them.
    element
        One of `ELEMENTS`; a linear one drops the curvature of the mesh and is far too stiff in
        bending. Without it, quadratic: tet2, hex2 on second-order hexahedra, else hexS2.
    supports
        Name of a surface, or of a curve or point of the mesh file -> directions held at zero, e.g.
        "xyz" or "clamped", "z". A support on a line or a point is a hinge: the load there makes a
        stress peak without end, so that a finer mesh gives there, slowly, ever larger
        displacements (Kelvin); frequencies of thin bodies hardly notice.
    springs
        Springs to ground, see `fecontact.fem.spring`.

    Examples
    --------
    >>> from fecontact.fem import STEEL
    >>> from fecontact.mesh import solid_annulus
    >>> ring = solid_annulus(0.06, 0.11, 0.0, 0.002, radial=2, circumferential=12)
    >>> solid = ElasticSolid(ring, STEEL, supports={"inner": "clamped"})
    >>> solid.stiffness.shape, len(solid.free)
    ((684, 684), 504)
    """

    mesh: Mesh
    material: Elastic | Mapping[str, Elastic]
    element: str | None = None
    supports: Mapping[str, str] = field(default_factory=dict)
    springs: Sequence[Spring] = ()

    def __post_init__(self) -> None:
        if self.mesh.refdom not in (RefTet, RefHex):
            raise InputError(
                f"invalid mesh of {type(self.mesh).__name__} for a solid: expected tetrahedra or "
                "hexahedra"
            )
        if self.element is not None:
            fitting = [k for k, e in ELEMENTS.items() if e.element.refdom is self.mesh.refdom]
            check("element", self.element, one_of(fitting))
        for name, directions in self.supports.items():
            supporting_parts(self.mesh, name)
            _components(name, directions)
        self.parts  # noqa: B018  # every cell must have one material
        warn_if_locking(self.mesh, self.element_name)

    @cached_property
    def element_name(self) -> str:
        """Key of the element in use in `ELEMENTS`."""
        if self.element is not None:
            return self.element
        if self.mesh.refdom is RefTet:
            return "tet2"
        return "hex2" if self.mesh.elem is ElementHex2 else "hexS2"

    @cached_property
    def kind(self) -> SolidElement:
        """Element in use."""
        return ELEMENTS[self.element_name]

    @property
    def stiffness_order(self) -> int:
        """Polynomial degree to which the elastic energy is integrated."""
        curved = self.mesh.elem in (ElementTetP2, ElementHex2)
        return self.kind.curved if curved else self.kind.stiffness

    @cached_property
    def numbering(self) -> Dofs:
        """scikit-fem numbering of the nodes."""
        return Dofs(self.mesh, self.kind.element())

    @property
    def cells(self) -> Cells:
        """Cells that are integrated over."""
        return self.nodal_cells

    @cached_property
    def nodal_cells(self) -> Cells:
        """Isoparametric cells; the nodes lie where the mesh maps them."""
        connectivity = self.numbering.element_dofs.T.astype(np.int32)
        element = self.kind.element()
        positions = np.moveaxis(self.mesh._mapping().F(element.doflocs.T), 0, -1)
        nodes = np.full((self.numbering.N, 3), np.nan)
        nodes[connectivity] = positions
        unused = np.count_nonzero(np.isnan(nodes[:, 0]))
        if unused:
            raise InputError(f"mesh has {unused} nodes that belong to no cell; remove them")
        return Cells(element, nodes, connectivity)

    @property
    def nodes(self) -> Floats:
        """Node positions (nodes, 3) in m."""
        return self.cells.nodes

    @cached_property
    def stiffness(self) -> sp.csr_array:
        """Stiffness matrix with the springs."""
        K = self.cells.elastic_matrix(self.stiffness_order, self.elasticity)
        return sp.csr_array(K + self.spring_stiffness) if self.springs else K

    @cached_property
    def spring_stiffness(self) -> sp.csr_array:
        """Part of the springs in the stiffness matrix."""
        return spring_matrix(self, self.springs)

    @cached_property
    def mass(self) -> sp.csr_array:
        """Consistent mass matrix."""
        return block_diagonal(self.scalar_mass)

    @cached_property
    def scalar_mass(self) -> sp.csr_array:
        """Nodal mass matrix m_ab = int rho N_a N_b dV; the mass matrix is m (x) 1."""

        def form(chunk: Chunk) -> Floats:
            products = chunk.values[:, :, None] * chunk.values[:, None, :]
            dm = chunk.volumes * self.density(chunk)
            return (dm @ products.reshape(len(products), -1)).reshape(-1, *products.shape[1:])

        return self.cells.scalar_matrix(self.kind.mass, form)

    @cached_property
    def mass_field(self) -> MassField:
        """Nodes with their masses and displacements."""
        ones, shape = np.ones(len(self.nodes)), sp.eye_array(3 * len(self.nodes)).tocsr()
        return MassField(ones, self.nodes, self.scalar_mass, shape)

    @cached_property
    def free(self) -> Integers:
        """Unknowns that the supports leave free, sorted."""
        held = np.zeros((len(self.nodes), 3), dtype=bool)
        for name, directions in self.supports.items():
            nodes = self.nodes_of(supporting_parts(self.mesh, name))
            held[np.ix_(nodes, np.array(_components(name, directions)))] = True
        return np.flatnonzero(~held.ravel())

    def nodes_of(self, parts: NodeSet) -> Integers:
        """Nodes on the vertices, edges and facets of a part of the mesh."""
        own = self.numbering
        dofs = own.nodal_dofs, own.edge_dofs, own.facet_dofs
        entities = parts.vertices, parts.edges, parts.facets
        found = [d[:, on].ravel() for d, on in zip(dofs, entities, strict=True) if len(d)]
        return np.concatenate(found)

    @cached_property
    def geometry(self) -> Geometry:
        """All nodes; cells in the corner order of VTK and meshio, right-handed."""
        n = 3 * len(self.nodes)
        return Geometry(self.nodes, {self.kind.meshio: self._vtk_cells()}, sp.eye_array(n).tocsr())

    def surface(self, name: str, points: str = "quadrature") -> FESurface:
        """Contact points of a named surface.

        Parameters
        ----------
        name
            Named boundary of the mesh.
        points
            "quadrature": Gauss points of the faces, exact for smooth pressures. "nodes": the
            nodes of the faces with the weights int N_a dA; on tet2 the mid-nodes only, on hexS2
            refused, as its corners have negative ones.
        """
        check("points", points, one_of(("quadrature", "nodes")))
        facets = boundary_facets(self.mesh, name)
        which = (self.mesh, self.cells, facets, self.kind.face)
        nodal = points == "nodes"
        found = nodal_faces(*which, f"surface '{name}'") if nodal else quadrature_faces(*which)
        positions, weights, normals, shape = found
        return FESurface(positions, weights, normals, block_diagonal(shape))

    @property
    def interfaces(self) -> dict[str, FESurface]:
        """Named surfaces, and named curves and points by their nodes, where joints may hold."""
        outside, found = self.mesh.f2t[1] < 0, {}
        for name, sets in node_sets(self.mesh).items():
            nodes = np.unique(self.nodes_of(sets))
            found[name] = points_of_nodes(self.geometry, nodes, np.ones(len(nodes)))
        for name, facets in (self.mesh.boundaries or {}).items():
            if len(facets) and outside[np.asarray(facets)].all():
                found[name] = self.surface(name)
        return found

    def geometric_stiffness(
        self, displacement: Floats, strain: str = "green"
    ) -> sp.csr_array | sp.bsr_array:
        """Stiffness (n, n) of the stress that a static displacement (n,) causes.

        `strain` is that in which the material is linear: "green" or "biot" (`prestress`).
        """
        return geometric_stiffness(self, displacement, strain)

    def rigid_body_modes(self) -> Floats:
        """Three translations and three rotations about the origin, shape (n, 6)."""
        x, y, z = self.nodes.T
        R = np.zeros((len(self.nodes), 3, 6))
        R[:, [0, 1, 2], [0, 1, 2]] = 1.0
        R[:, 1, 3], R[:, 2, 3] = -z, y
        R[:, 2, 4], R[:, 0, 4] = -x, z
        R[:, 0, 5], R[:, 1, 5] = -y, x
        return R.reshape(-1, 6)

    def elasticity(self, chunk: Chunk) -> Floats:
        """Voigt matrices of the cells of a chunk."""
        parts, part_of_cell = self.parts
        return cell_elasticity(parts, part_of_cell[chunk.cells], chunk.points)

    def density(self, chunk: Chunk) -> Floats:
        """Densities of the cells of a chunk, shape (c, 1)."""
        parts, part_of_cell = self.parts
        densities = np.array([part.density for part in parts])
        return densities[part_of_cell[chunk.cells], None]

    @cached_property
    def parts(self) -> tuple[list[Elastic], Integers]:
        """Materials, and the index of the material of each cell."""
        return cell_parts(self.mesh, self.material, "material")

    def _vtk_cells(self) -> Integers:
        """Connectivity in VTK order; left-handed cells are written mirrored."""
        positions = self.cells.element.doflocs
        vtk = _vtk_reference(self.kind.meshio)
        order, mirrored = (
            np.abs(positions - reference[:, None]).sum(axis=-1).argmin(axis=1)
            for reference in (vtk, vtk[:, [1, 0, 2]])
        )
        _, slopes = shape_functions(self.cells.element, positions.mean(axis=0)[:, None])
        det = inverse3(slopes[0] @ self.nodes[self.cells.connectivity])[1]
        cells = self.cells.connectivity[:, order].astype(np.int64)
        cells[det < 0] = self.cells.connectivity[det < 0][:, mirrored]
        return cells


def _components(name: str, directions: str) -> list[int]:
    """Numbers of the directions that a support holds."""
    letters = DIRECTIONS if directions == "clamped" else directions
    if not letters or any(letter not in DIRECTIONS for letter in letters):
        raise InputError(
            f"invalid support of '{name}' = {directions!r}: expected 'clamped' or made of the "
            "letters x, y, z"
        )
    return [DIRECTIONS.index(letter) for letter in letters]


def _vtk_reference(kind: str) -> Floats:
    """Node positions on the unit cell in VTK order: corners, edges, faces, centre."""
    if kind.startswith("tetra"):
        corners = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
        edges = [(0, 1), (1, 2), (0, 2), (0, 3), (1, 3), (2, 3)]
        middle = [corners[list(e)].mean(axis=0) for e in edges] if kind == "tetra10" else []
        return np.array([*corners, *middle])
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], dtype=float)
    corners = np.vstack([np.column_stack([square, np.full(4, z)]) for z in (0.0, 1.0)])
    ring = [(0, 1), (1, 2), (2, 3), (3, 0)]
    edges = [*ring, *((a + 4, b + 4) for a, b in ring), *((a, a + 4) for a in range(4))]
    middle = [corners[list(e)].mean(axis=0) for e in edges]
    faces = [
        [0, 0.5, 0.5],
        [1, 0.5, 0.5],
        [0.5, 0, 0.5],
        [0.5, 1, 0.5],
        [0.5, 0.5, 0],
        [0.5, 0.5, 1],
    ]
    extra = {"hexahedron": [], "hexahedron20": middle, "hexahedron27": [*middle, *faces, [0.5] * 3]}
    return np.array([*corners, *extra[kind]])
