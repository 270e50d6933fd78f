"""The same solid with shape functions of one degree more: what its mesh leaves out.

Added to the shape functions of a cell are functions that vanish at all its vertices, one for each
edge and, for quadratic cells, one or two for each face (hierarchical basis; Szabo and Babuska,
Finite Element Analysis, 1991, ch. 6). With the barycentric coordinates L_a of a tetrahedron, and
s in 0..1 along the edge of a hexahedron times the linear functions across it,

    cell     edges                               faces
    tet1     L_a L_b
    tet2     L_a L_b (L_b - L_a)                 L_a L_b L_c
    hex1     s (1 - s)
    hexS2    s (1 - s) (2 s - 1)                 s (1 - s) t (1 - t)
    hex2     s (1 - s) (2 s - 1)                 s (1 - s) t (1 - t) times (2 s - 1), (2 t - 1)

Tetrahedra thus get the complete next degree. Each function is a product of linear ones. The odd
ones have a direction: from the smaller to the larger vertex number of the edge, and on a face
from its smallest vertex.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from skfem.refdom import RefTet

from fecontact.fem.model import Geometry
from fecontact.fem.solid._batched import Cells
from fecontact.fem.solid.body import ELEMENTS, ElasticSolid, SolidElement
from fecontact.mesh.sets import NodeSet
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from skfem.element import Element

__all__ = ["EnrichedSolid", "enriched"]

ORDERS = {"tet1": (2, 4), "tet2": (4, 6), "hex1": (5, 5), "hexS2": (7, 7), "hex2": (7, 7)}
"""Polynomial degrees to which stiffness and mass (and springs) are integrated, on straight cells
exactly."""

CURVED = 6
"""Degree for the stiffness of curved tetrahedra."""


def enriched(solid: ElasticSolid) -> EnrichedSolid:
    """Return a solid with the same mesh, material, supports and springs, of one degree more.

    Examples
    --------
    >>> from fecontact.fem import STEEL
    >>> from fecontact.mesh import block
    >>> bar = ElasticSolid(block(1.0, 0.1, 0.1, (4, 1, 1), cell="tet"), STEEL)
    >>> len(bar.free), len(enriched(bar).free)
    (243, 624)
    """
    return EnrichedSolid(solid.mesh, solid.material, solid.element, solid.supports, solid.springs)


@dataclass(frozen=True)
class EnrichedSolid(ElasticSolid):
    """Elastic solid with the functions of the module; its first nodes are those of the solid."""

    def __post_init__(self) -> None:
        """Nothing to check: the solid that it enriches has been."""

    @cached_property
    def kind(self) -> SolidElement:
        """Orders of integration of the enriched element."""
        stiffness, mass = ORDERS[self.element_name]
        coarse = ELEMENTS[self.element_name]
        curved = max(stiffness, CURVED)
        return replace(coarse, stiffness=stiffness, curved=curved, mass=mass, face=mass)

    @cached_property
    def cells(self) -> Cells:
        """Cells with the added functions, which have no place: zeros for nodes."""
        coarse, added = self.nodal_cells, self._added
        columns = [self._number(function) for function in added]
        numbers, signs = (np.column_stack(part) for part in zip(*columns, strict=True))
        connectivity = np.hstack([coarse.connectivity, numbers.astype(np.int32)])
        nodes = np.vstack([coarse.nodes, np.zeros((self._count - len(coarse.nodes), 3))])
        old = np.ones(coarse.connectivity.shape)
        return Cells(_Enriched(coarse.element, added), nodes, connectivity, np.hstack([old, signs]))

    @cached_property
    def geometry(self) -> Geometry:
        """Nodes of the solid without its cells; the added functions vanish there or between."""
        nodes = self.nodal_cells.nodes
        return Geometry(nodes, {}, sp.eye_array(3 * len(nodes), 3 * self._count).tocsr())

    def rigid_body_modes(self) -> Floats:
        """Rigid-body modes of the solid; the added functions take no part."""
        modes = super().rigid_body_modes()
        modes[3 * len(self.nodal_cells.nodes) :] = 0.0
        return modes

    def nodes_of(self, parts: NodeSet) -> Integers:
        """Nodes of the solid, and the added functions of the edges and facets of a part."""
        slots = np.arange(self._per_face)
        faces = self._first_face + self._per_face * parts.facets[:, None] + slots
        edges = self._first_edge + parts.edges
        return np.concatenate([super().nodes_of(parts), edges, faces.ravel()])

    @cached_property
    def _added(self) -> list[_Function]:
        return list(_functions(self.element_name, self.kind.element.refdom))

    @property
    def _per_face(self) -> int:
        return {"tet2": 1, "hexS2": 1, "hex2": 2}.get(self.element_name, 0)

    @property
    def _first_edge(self) -> int:
        return len(self.nodal_cells.nodes)

    @property
    def _first_face(self) -> int:
        return self._first_edge + int(self.mesh.nedges)

    @property
    def _count(self) -> int:
        """Number of all functions."""
        return self._first_face + self._per_face * int(self.mesh.nfacets)

    def _number(self, function: _Function) -> tuple[Integers, Floats]:
        """Global number and sign of an added function in each cell."""
        t = self.mesh.t
        if not function.face:
            start, end = function.corners
            sign = np.where(t[start] < t[end], 1.0, -1.0) if function.odd else np.ones(t.shape[1])
            return self._first_edge + self.mesh.t2e[function.entity], sign
        first = self._first_face + self._per_face * self.mesh.t2f[function.entity].astype(np.int64)
        if not function.odd:
            return first, np.ones(t.shape[1])
        slot, sign = _direction(t[list(function.corners)])
        return first + slot, sign


@dataclass(frozen=True)
class _Function:
    """Product of linear functions c + g . X on the unit cell.

    Attributes
    ----------
    factors : (k, 4)
        c and g of each factor.
    face, entity
        Whether it belongs to a face, and the number of the edge or face in the cell.
    corners
        Local vertices of the edge, or of the face in the order (0, 0), (1, 0), (1, 1), (0, 1) of
        the coordinate in which it is odd and the other one.
    odd
        Whether it changes its sign with the direction.
    """

    factors: Floats
    face: bool
    entity: int
    corners: tuple[int, ...]
    odd: bool

    def __call__(self, X: Floats) -> tuple[Floats, Floats]:
        """Values (q,) and derivatives (3, q) at the points X (3, q)."""
        linear = self.factors[:, :1] + self.factors[:, 1:] @ X
        others = [np.prod(np.delete(linear, k, axis=0), axis=0) for k in range(len(linear))]
        return np.prod(linear, axis=0), self.factors[:, 1:].T @ np.array(others)


class _Enriched:
    """Shape functions of an element followed by the added ones, as scikit-fem gives them."""

    def __init__(self, coarse: Element, added: list[_Function]) -> None:
        self.refdom, self._coarse, self._added = coarse.refdom, coarse, added
        positions = [self.refdom.p[:, list(function.corners)].mean(axis=1) for function in added]
        self.doflocs = np.vstack([coarse.doflocs, *positions])

    def lbasis(self, X: Floats, i: int) -> tuple[Floats, Floats]:
        """Values and derivatives of function i."""
        own = len(self._coarse.doflocs)
        return self._coarse.lbasis(X, i) if i < own else self._added[i - own](X)


def _functions(name: str, refdom: Any) -> Iterator[_Function]:
    """Added functions of an element: those of the edges, then those of the faces."""
    linear, positions = _linear(refdom), refdom.p.T
    odd = name not in ("tet1", "hex1")
    for k, (a, b) in enumerate(refdom.edges):
        if refdom is RefTet:
            factors = [linear[a], linear[b]] + [linear[b] - linear[a]] * odd
        else:
            up = positions[b] - positions[a]
            factors = [*_across(positions[[a, b]]), *_hump(up)] + [_ramp(up)] * odd
        yield _Function(np.array(factors), False, k, (a, b), odd)
    for k, corners in enumerate(refdom.facets if odd else ()):
        if refdom is RefTet:
            yield _Function(linear[corners], True, k, tuple(corners), False)
            continue
        for turn in range(2 if name == "hex2" else 1):
            a, b, c, d = corners if turn == 0 else (corners[i] for i in (0, 3, 2, 1))
            u, v = positions[b] - positions[a], positions[d] - positions[a]
            factors = [*_across(positions[list(corners)]), *_hump(u), *_hump(v)]
            factors += [_ramp(u)] * (name == "hex2")
            yield _Function(np.array(factors), True, k, (a, b, c, d), name == "hex2")


def _linear(refdom: Any) -> Floats:
    """Barycentric coordinates (4, 4) of the corners of a tetrahedron as c, g."""
    if refdom is not RefTet:
        return np.zeros((0, 4))
    return np.linalg.inv(np.vstack([np.ones(4), refdom.p]))


def _across(corners: Floats) -> list[Floats]:
    """Linear functions that are one on an edge or face of the cube, zero opposite."""
    fixed = np.flatnonzero(np.ptp(corners, axis=0) == 0.0)
    return [_affine(axis, 1.0 if corners[0, axis] else -1.0) for axis in fixed.tolist()]


def _hump(direction: Floats) -> list[Floats]:
    """The factors s and 1 - s along an axis of the cube."""
    axis = int(np.flatnonzero(direction)[0])
    return [_affine(axis, 1.0), _affine(axis, -1.0)]


def _ramp(direction: Floats) -> Floats:
    """The factor 2 s - 1, rising along the direction."""
    return np.concatenate([[-float(direction.sum())], 2.0 * direction])


def _affine(axis: int, slope: float) -> Floats:
    """Return x_axis for the slope 1, 1 - x_axis for the slope -1."""
    row = np.zeros(4)
    row[0], row[1 + axis] = 0.0 if slope > 0 else 1.0, slope
    return row


def _direction(corners: npt.NDArray[np.int32]) -> tuple[Integers, Floats]:
    """Slot 0 or 1 and sign of a function that is odd along the first side of its face.

    From the smallest vertex of the face two sides start. The side to the smaller neighbour has
    slot 0. The sign is that of the walk from the smallest vertex along the first side.

    Parameters
    ----------
    corners : (4, cells)
        Vertices of the face in the order of `_Function`.
    """
    least = np.argmin(corners, axis=0)
    along, across = np.array([1, 0, 3, 2])[least], np.array([3, 2, 1, 0])[least]
    cell = np.arange(corners.shape[1])
    slot = (corners[along, cell] > corners[across, cell]).astype(np.int64)
    sign = np.where((least == 0) | (least == 3), 1.0, -1.0)
    return slot, sign
