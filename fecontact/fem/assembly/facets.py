"""Facets of a solid with their nodes in one order, and the flat pieces that are clipped.

A facet is the image of the unit triangle or square under its shape functions, linear or quadratic.
For clipping a quadratic one is cut in four pieces between its nodes; a piece has straight edges,
and its own coordinates are those of the facet, scaled and shifted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from skfem import ElementQuad1, ElementQuad2, ElementQuadS2, ElementTriP1, ElementTriP2

from fecontact.fem.solid.body import ElasticSolid
from fecontact.mesh.sets import boundary_facets
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from skfem.element import Element

__all__ = ["Facets", "Pieces", "solid_facets"]

FACES: dict[str, type[Element]] = {
    "tet1": ElementTriP1,
    "tet2": ElementTriP2,
    "hex1": ElementQuad1,
    "hexS2": ElementQuadS2,
    "hex2": ElementQuad2,
}
CORNERS = {
    3: ((0.0, 0.0), (1.0, 0.0), (0.0, 1.0)),
    4: ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)),
}
HALF = 0.5
ON_FACE = 1e-9
"""Distance from a face of the unit cell below which a node lies on it."""


@dataclass(frozen=True)
class Pieces:
    """Flat pieces of facets.

    Attributes
    ----------
    facet : (s,)
        Facet of each piece.
    corners : (s, c, 3)
        Positions of its corners.
    origin, steps : (s, 2), (s, 2, 2)
        Coordinates in the facet: xi = origin + steps @ own, own on the unit triangle or square.
    """

    facet: Integers
    corners: Floats
    origin: Floats
    steps: Floats

    @cached_property
    def centre(self) -> Floats:
        """Middle (s, 3)."""
        return self.corners.mean(axis=1)

    @cached_property
    def area_vector(self) -> Floats:
        """Area times normal (s, 3), of the mean plane."""
        around = np.cross(self.corners, np.roll(self.corners, -1, axis=1))
        return 0.5 * np.asarray(around.sum(axis=1))

    @cached_property
    def radius(self) -> Floats:
        """Distance (s,) of the farthest corner from the middle."""
        return np.linalg.norm(self.corners - self.centre[:, None], axis=2).max(axis=1)


@dataclass(frozen=True)
class Facets:
    """Facets of one body.

    Attributes
    ----------
    element
        Shape functions on the unit triangle or square.
    nodes : (f, a)
        Nodes of the body, in the order of the element, corners first.
    positions : (n, 3)
        Of all nodes of the body.
    outward : (f,)
        Sign of the cross product of the two coordinate lines against the outward normal.
    """

    element: Element
    nodes: Integers
    positions: Floats
    outward: Floats

    @property
    def corner_count(self) -> int:
        """3 or 4."""
        return 3 if self.element.refdom.name == "Triangular" else 4

    def values(self, xi: Floats) -> Floats:
        """Shape functions (..., a) at coordinates (..., 2)."""
        return _values(self.element, xi)

    def corner_values(self, xi: Floats) -> Floats:
        """Linear shape functions of the corners, (..., 3 or 4)."""
        return _values(ElementTriP1() if self.corner_count == 3 else ElementQuad1(), xi)

    def hierarchical(self, xi: Floats) -> Floats:
        """Linear functions of the corners, then those of the other nodes, (..., a)."""
        middles = self.values(xi)[..., self.corner_count :]
        return np.concatenate([self.corner_values(xi), middles], axis=-1)

    @cached_property
    def ends(self) -> tuple[tuple[int, ...], ...]:
        """For each node after the corners the corners whose mean it has on the linear facet."""
        linear = self.corner_values(self.element.doflocs[self.corner_count :])
        return tuple(tuple(np.flatnonzero(row > 1e-12).tolist()) for row in linear)

    @cached_property
    def pieces(self) -> Pieces:
        """Flat pieces: one for a linear facet, four for a quadratic one."""
        local = np.array(CORNERS[self.corner_count])
        split = self.nodes.shape[1] > self.corner_count
        origins, steps = _quarters(self.corner_count) if split else ([(0.0, 0.0)], [np.eye(2)])
        corners = [
            self.values(np.asarray(o) + local @ np.asarray(s).T) @ self.positions[self.nodes]
            for o, s in zip(origins, steps, strict=True)
        ]
        count, kinds = len(self.nodes), len(origins)
        return Pieces(
            np.repeat(np.arange(count), kinds),
            np.stack(corners, axis=1).reshape(count * kinds, self.corner_count, 3),
            np.tile(np.array(origins, dtype=float), (count, 1)),
            np.tile(np.array(steps, dtype=float), (count, 1, 1)),
        )


def solid_facets(solid: ElasticSolid, name: str) -> Facets:
    """Facets of a named surface of a solid."""
    mesh, cells = solid.mesh, solid.nodal_cells
    numbers = boundary_facets(mesh, name)
    element = FACES[solid.element_name]()
    refdom, owner = cells.element.refdom, mesh.f2t[0, numbers]
    local = np.argmax(mesh.t2f[:, owner] == numbers, axis=0)
    nodes = np.empty((len(numbers), len(element.doflocs)), dtype=np.int64)
    outward = np.empty(len(numbers))
    for k in np.unique(local):
        corners = refdom.p[:, refdom.facets[k]]
        sides = np.column_stack([corners[:, 1] - corners[:, 0], corners[:, -1] - corners[:, 0]])
        normal, inner = np.cross(*sides.T), refdom.p.mean(axis=1)
        arms = cells.element.doflocs - corners[:, 0]
        on = np.flatnonzero(np.abs(arms @ normal) < ON_FACE)
        own = arms[on] @ np.linalg.pinv(sides).T
        distance = np.abs(own[None] - element.doflocs[:, None]).sum(axis=2)
        order = on[distance.argmin(axis=1)]
        here = local == k
        nodes[here] = cells.connectivity[owner[here]][:, order]
        outward[here] = np.sign(normal @ (corners.mean(axis=1) - inner))
    return Facets(element, nodes, solid.nodes, outward * _handed(solid, owner))


def _handed(solid: ElasticSolid, cells: Integers) -> Floats:
    """Sign of the Jacobian of cells at their middle."""
    slopes = np.array(
        [solid.kind.element().lbasis(np.full((3, 1), 0.25), i)[1][:, 0]
         for i in range(solid.nodal_cells.connectivity.shape[1])]
    )  # fmt: skip
    nodes = solid.nodes[solid.nodal_cells.connectivity[cells]]
    return np.sign(np.linalg.det(np.einsum("cai,ak->cik", nodes, slopes)))


def _values(element: Element, xi: Floats) -> Floats:
    X = np.moveaxis(np.asarray(xi, dtype=float), -1, 0)
    count = len(element.doflocs)
    return np.stack(
        [np.broadcast_to(element.lbasis(X, i)[0], X.shape[1:]) for i in range(count)], -1
    )


def _quarters(corners: int) -> tuple[list[tuple[float, float]], list[Floats]]:
    """Origins and steps of the four pieces of a unit triangle or square."""
    half = HALF * np.eye(2)
    if corners == 3:
        return [(0.0, 0.0), (HALF, 0.0), (0.0, HALF), (HALF, HALF)], [half, half, half, -half]
    return [(0.0, 0.0), (HALF, 0.0), (0.0, HALF), (HALF, HALF)], [half] * 4
