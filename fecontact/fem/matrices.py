"""Bodies of other FE programs: stiffness and mass matrices with a list of their unknowns.

What to export. K and M of the unsupported body, all unknowns in one numbering; for each unknown
its node and component (0, 1, 2: displacement in x, y, z; 3, 4, 5: rotation about x, y, z); the
node coordinates in m; the nodes of the contact surfaces, best with their facets. SI units: a body
in mm, t, N has K in N/mm (multiply by 1e3) and M in t (multiply by 1e3).

- CalculiX: `*FREQUENCY, SOLVER=MATRIXSTORAGE` writes `job.sti`, `job.mas` (row, column, value of
  the upper triangle, from 1) and `job.dof` (lines `node.component`, from 1); read them with numpy
  and complete the triangle by its transpose. `tests/fem/test_matrices_calculix.py` does it.
- Abaqus: a step with `*MATRIX GENERATE, STIFFNESS, MASS` and `*MATRIX OUTPUT, STIFFNESS, MASS`
  writes lines node, component, node, component, value. Its `.mtx` files are not Matrix Market.
- Ansys: `*SMAT,K,D,IMPORT,FULL,file.full,STIFF` and `*EXPORT,K,MMF,K.mtx` write Matrix Market;
  supported unknowns are left out; `*VEC,map,I,IMPORT,FULL,file.full,BACK` gives their order.
- Anything in Python: `scipy.io.mmwrite("K.mtx", K)` or `scipy.sparse.save_npz("K.npz", K)`.

Only the CalculiX and Python routes are run by our tests.

Supports and multi-point constraints must not be eliminated: give supports here, and tie parts
before the export.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.sparse.linalg import eigsh

from fecontact.errors import InputError, unknown
from fecontact.fem.matrix_file import read_matrix, real_matrix
from fecontact.fem.model import FESurface, Geometry
from fecontact.fem.spring import Spring, spring_matrix
from fecontact.typing import Floats, Integers

__all__ = ["MatrixModel", "NodeSurface", "read_matrix"]

SYMMETRIC_TO = 1e-8
"""Largest asymmetry of a matrix, relative to its largest entry."""


@dataclass(frozen=True)
class NodeSurface:
    """Surface given by nodes, each with its fraction of the area.

    Parameters
    ----------
    nodes : (p,)
        Node numbers, from 0.
    weights : (p,)
        Areas in m^2.
    normals : (p, 3)
        Outward normals; scaled to unit length.
    offsets : (p, 3)
        Vector from the node to the surface in m, for beams and shells with rotations; zero
        unless given.
    """

    nodes: Integers
    weights: Floats
    normals: Floats
    offsets: Floats | None = None

    def __post_init__(self) -> None:
        p = len(self.nodes)
        given = {"weights": (self.weights, (p,)), "normals": (self.normals, (p, 3))}
        if self.offsets is not None:
            given["offsets"] = (self.offsets, (p, 3))
        for name, (values, shape) in given.items():
            _check_array(f"surface {name}", values, shape)
        if p == 0 or np.min(self.weights) < 0.0 or np.sum(self.weights) <= 0.0:
            raise InputError("invalid surface weights: expected >= 0, some > 0")
        if np.min(np.linalg.norm(self.normals, axis=1)) == 0.0:
            raise InputError("invalid surface normals: expected none that is zero")

    @staticmethod
    def from_facets(points: Floats, facets: Integers) -> NodeSurface:
        """Areas and normals from triangles (f, 3) or quadrilaterals (f, 4) of node numbers.

        Seen from outside, the nodes of a facet run counter-clockwise. Each triangle gives a third
        of its area to its nodes; a quadrilateral is the mean of its two splits in triangles.
        """
        facets = np.asarray(facets)
        _check_node_numbers("facets", facets, len(points))
        if facets.ndim != 2 or facets.shape[1] not in (3, 4) or not len(facets):
            raise InputError(
                f"invalid facets of shape {facets.shape}: expected (f, 3) triangles or (f, 4) "
                "quadrilaterals; split facets of second order at their middle nodes"
            )
        corners = facets.shape[1]
        splits = [(0, 1, 2)] if corners == 3 else [(0, 1, 2), (0, 2, 3), (0, 1, 3), (1, 2, 3)]
        triangles = np.concatenate([facets[:, list(split)] for split in splits])
        a, b, c = (points[triangles[:, i]] for i in range(3))
        vectors = np.cross(b - a, c - a) / (2.0 if corners == 3 else 4.0)
        nodes, position = np.unique(triangles, return_inverse=True)
        position = position.reshape(triangles.shape)
        weights, normals = np.zeros(len(nodes)), np.zeros((len(nodes), 3))
        for i in range(3):
            np.add.at(weights, position[:, i], np.linalg.norm(vectors, axis=1) / 3.0)
            np.add.at(normals, position[:, i], vectors)
        length = np.linalg.norm(normals, axis=1)
        if np.min(length) <= 1e-9 * np.max(weights):
            raise InputError(
                f"facets at node {nodes[np.argmin(length)]} have no common normal: they are "
                "degenerate or do not run the same way round"
            )
        return NodeSurface(nodes, weights, normals / length[:, None])


@dataclass(frozen=True, eq=False)
class MatrixModel:
    """Finite-element body from given matrices; answers the protocol `FEModel`.

    Parameters
    ----------
    stiffness, mass
        Symmetric sparse matrices (n, n) of the unsupported body, SI units (`read_matrix`).
    nodes : (nodes, 3)
        Coordinates in m.
    unknowns : (n, 2)
        Node (from 0) and component (0..2 displacement, 3..5 rotation) of each unknown.
    surfaces
        Name -> `NodeSurface`, or the facets of the surface (`NodeSurface.from_facets`).
    supports
        Indices of the unknowns that are held; see `at`.
    cells
        Cells for pictures: meshio type -> node numbers.
    springs
        Springs to ground, see `fecontact.fem.spring`; they are added to `stiffness`.

    Attributes
    ----------
    spring_stiffness
        Part of the springs in `stiffness`.

    Examples
    --------
    A rod of two masses and one spring:

    >>> K, M = sp.csr_array([[1.0, -1.0], [-1.0, 1.0]]), sp.eye_array(2)
    >>> rod = MatrixModel(K, M, np.array([[0.0, 0, 0], [1, 0, 0]]), np.array([[0, 0], [1, 0]]))
    >>> rod.rigid_body_modes().tolist()
    [[1.0], [1.0]]
    """

    stiffness: sp.csr_array
    mass: sp.csr_array
    nodes: Floats
    unknowns: Integers
    surfaces: Mapping[str, NodeSurface | Integers] = field(default_factory=dict)
    supports: Sequence[int] | Integers = ()
    cells: Mapping[str, Integers] = field(default_factory=dict)
    springs: InitVar[Sequence[Spring]] = ()
    spring_stiffness: sp.csr_array = field(init=False)

    def __post_init__(self, springs: Sequence[Spring]) -> None:
        for name in ("stiffness", "mass"):
            object.__setattr__(self, name, _symmetric(name, getattr(self, name)))
        if self.stiffness.shape != self.mass.shape:
            raise InputError(
                f"invalid mass of shape {self.mass.shape}: expected that of the stiffness, "
                f"{self.stiffness.shape}"
            )
        _check_array("nodes", self.nodes, (len(self.nodes), 3))
        self._check_unknowns()
        self._check_supports()
        _check_positive_mass(self.mass[self.free][:, self.free], self.free)
        lowest = np.argmin(self.stiffness.diagonal())
        if self.stiffness.diagonal()[lowest] < 0.0:
            raise InputError(f"stiffness is negative on the diagonal, at unknown {lowest}")
        for name, surface in self.surfaces.items():
            numbers = surface.nodes if isinstance(surface, NodeSurface) else surface
            self._check_nodes(f"surface '{name}'", numbers)
        for kind, numbers in self.cells.items():
            self._check_nodes(f"{kind} cells", numbers)
        object.__setattr__(self, "spring_stiffness", spring_matrix(self, springs))
        object.__setattr__(self, "stiffness", sp.csr_array(self.stiffness + self.spring_stiffness))

    @cached_property
    def free(self) -> Integers:
        """Unknowns that the supports leave free."""
        held = np.asarray(self.supports, dtype=np.int64)
        return np.setdiff1d(np.arange(len(self.unknowns)), held)

    @cached_property
    def geometry(self) -> Geometry:
        """Nodes and cells; a node without displacement unknowns stays where it is."""
        every = np.arange(len(self.nodes))
        return Geometry(self.nodes, dict(self.cells), self._displacement(every, None))

    def at(self, nodes: Integers, components: Sequence[int] = (0, 1, 2, 3, 4, 5)) -> Integers:
        """Indices of the unknowns with the given components at the given nodes."""
        self._check_nodes("at", nodes)
        node, component = self.unknowns.T
        return np.flatnonzero(np.isin(node, nodes) & np.isin(component, list(components)))

    def surface(self, name: str) -> FESurface:
        """Contact points of a named surface: its nodes, moved by their offsets."""
        if name not in self.surfaces:
            raise unknown("surface", name, self.surfaces)
        s = self.surfaces[name]
        if not isinstance(s, NodeSurface):
            s = NodeSurface.from_facets(self.nodes, s)
        offsets = 0.0 if s.offsets is None else s.offsets
        normals = s.normals / np.linalg.norm(s.normals, axis=1, keepdims=True)
        shape = self._displacement(s.nodes, s.offsets)
        return FESurface(self.nodes[s.nodes] + offsets, s.weights, normals, shape)

    @property
    def interfaces(self) -> dict[str, FESurface]:
        """Named surfaces, where joints may hold."""
        return {name: self.surface(name) for name in self.surfaces}

    def rigid_body_modes(self) -> Floats:
        """Return translations along and rotations about x, y, z, as far as they move the body."""
        node, component = self.unknowns.T
        x, axes = self.nodes[node], np.eye(3)
        columns = [np.where(component == i, 1.0, 0.0) for i in range(3)]
        for i in range(3):
            turned = np.cross(axes[i], x)[np.arange(len(x)), component % 3]
            columns.append(np.where(component < 3, turned, component == i + 3))
        modes = np.column_stack(columns)
        return modes[:, np.any(modes != 0.0, axis=0)]

    def _displacement(self, nodes: Integers, offsets: Floats | None) -> sp.csr_array:
        """Displacement (3 p, n) of points at the nodes, u + theta x offset."""
        index = np.full((len(self.nodes), 6), -1)
        index[self.unknowns[:, 0], self.unknowns[:, 1]] = np.arange(len(self.unknowns))
        blocks = np.zeros((len(nodes), 3, 6))
        blocks[:, :, :3] = np.eye(3)
        if offsets is not None:
            blocks[:, :, 3:] = np.stack([np.cross(e, offsets) for e in np.eye(3)], axis=2)
        column = np.broadcast_to(index[nodes][:, None, :], blocks.shape)
        row = np.broadcast_to(np.arange(3 * len(nodes)).reshape(-1, 3, 1), blocks.shape)
        used = (column >= 0) & (blocks != 0.0)
        shape = (3 * len(nodes), len(self.unknowns))
        return sp.csr_array((blocks[used], (row[used], column[used])), shape=shape)

    def _check_unknowns(self) -> None:
        _check_array("unknowns", self.unknowns, (self.stiffness.shape[0], 2))
        self._check_nodes("unknowns", self.unknowns[:, 0])
        if np.any((self.unknowns[:, 1] < 0) | (self.unknowns[:, 1] > 5)):
            raise InputError("invalid component of an unknown: expected 0 to 5")
        pairs, count = np.unique(self.unknowns, axis=0, return_counts=True)
        if np.any(count > 1):
            node, component = pairs[np.argmax(count)]
            raise InputError(f"node {node} component {component} occurs twice in unknowns")

    def _check_supports(self) -> None:
        held = np.asarray(self.supports)
        whole = not held.size or held.dtype.kind in "iu"
        if not whole or np.any((held < 0) | (held >= len(self.unknowns))):
            raise InputError(
                f"invalid supports: expected unknowns from 0 to {len(self.unknowns) - 1}"
            )

    def _check_nodes(self, name: str, numbers: Integers) -> None:
        _check_node_numbers(name, numbers, len(self.nodes))


def _check_node_numbers(name: str, numbers: Integers, nodes: int) -> None:
    """Refuse numbers that are no nodes; numpy would count -1 from the end."""
    numbers = np.asarray(numbers)
    if numbers.size and numbers.dtype.kind not in "iu":
        raise InputError(f"{name} has node numbers of type {numbers.dtype}: give whole numbers")
    if np.any((numbers < 0) | (numbers >= nodes)):
        raise InputError(f"{name} has a node number outside 0 to {nodes - 1}: count from 0")


def _check_array(name: str, values: Floats | Integers, shape: tuple[int, ...]) -> None:
    if np.shape(values) != shape:
        raise InputError(f"invalid {name} of shape {np.shape(values)}: expected {shape}")
    if not np.all(np.isfinite(values)):
        raise InputError(f"{name} has entries that are not finite numbers")


def _symmetric(name: str, matrix: sp.csr_array) -> sp.csr_array:
    A = real_matrix(name, sp.csr_array(matrix))
    if A.shape[0] != A.shape[1] or A.shape[0] == 0:
        raise InputError(f"invalid {name} of shape {A.shape}: expected a square matrix")
    if not np.all(np.isfinite(A.data)):
        raise InputError(f"{name} has entries that are not finite numbers")
    defect, largest = abs(A - A.T).max(), abs(A).max()
    if defect > SYMMETRIC_TO * largest:
        raise InputError(
            f"{name} is not symmetric: entries differ by {defect / largest:.1e} of the largest; "
            "if the file holds one triangle, add its transpose"
        )
    return sp.csr_array(0.5 * (A + A.T))


def _check_positive_mass(M: sp.csr_array, free: Integers) -> None:
    """Refuse a mass matrix that is not positive definite, by its lowest scaled eigenvalue."""
    diagonal = M.diagonal()
    if len(free) and np.min(diagonal) <= 0.0:
        raise InputError(
            f"mass is not positive definite: unknown {free[np.argmin(diagonal)]} has the mass "
            f"{np.min(diagonal):.3g}; condense unknowns without mass or give them some"
        )
    scale = sp.diags_array(1.0 / np.sqrt(diagonal))
    scaled = scale @ M @ scale
    if len(free) <= 400:
        lowest = np.min(np.linalg.eigvalsh(scaled.toarray()), initial=1.0)
    else:
        start = np.random.default_rng(0).standard_normal(len(free))
        lowest = eigsh(scaled, 1, which="SA", tol=1e-2, v0=start, return_eigenvectors=False)[0]
    if lowest <= 1e-10:
        raise InputError(
            f"mass is not positive definite: its lowest scaled eigenvalue is {lowest:.1e}"
        )
