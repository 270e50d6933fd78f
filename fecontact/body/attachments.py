"""Where an elastic body can be held: nodes, middles of nodes, named surfaces."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from scipy.spatial import cKDTree

from fecontact.body.marker import Point, Vector, rigid_fit
from fecontact.body.points.elastic_points import ElasticPoints
from fecontact.body.shared import shared
from fecontact.errors import InputError, numbers, warn_caller
from fecontact.fem.mean_motion import fit_rows
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from fecontact.fem.model import Geometry
    from fecontact.reduction import ReducedModel

__all__ = ["Attachments", "Fit", "Held", "Nodes"]

SAME_POINT = 1e-9
"""Distance, relative to the size of the body, up to which a point counts as a node."""
DOUBTFUL = 0.1
"""Error of the answer to a force or moment at an interface from which on a warning names it."""


class Fit(NamedTuple):
    """Position (3,), shapes of displacement and rotation (3, m), and whether all is defined."""

    position: Floats
    displacement: Floats
    rotation: Floats
    defined: bool


class Held(NamedTuple):
    """Position (3,) held by k nodes (k,), and the rows (6, 3 k) of its motion in that of the nodes.

    `defined` says whether the nodes define all rotations.
    """

    position: Floats
    nodes: Integers
    rows: Floats
    defined: bool


@dataclass(frozen=True, eq=False)
class Nodes:
    """Nodes of a finite-element geometry, found by position or by name.

    Parameters
    ----------
    name
        Of the body, for messages.
    geometry
        Nodes and cells.
    points
        Named positions.
    """

    name: str
    geometry: Geometry
    points: Mapping[str, Vector]

    def named(self, point: Point) -> bool:
        """Whether a point is given by coordinates or by a name of a position, not of a surface."""
        return not isinstance(point, str) or point in self.points

    def held(self, point: Point) -> Held:
        """Node at a position, or the nodes of which it is the middle: the axis of a section.

        The rotation at a node is fitted to the nodes of the cells around it; a position between
        nodes moves as they do.
        """
        given = self.points[point] if isinstance(point, str) else point
        position = numbers(f"{self.name}: point", given, (3,))
        distance, node = self._tree.query(position)
        if distance <= self._tolerance:
            around = self._around(int(node))
            _, rows, defined = fit_rows(self.geometry.points[around], np.ones(len(around)))
            rows[:3] = np.kron(around == node, np.eye(3))
            return Held(position, around, rows, defined)
        found = self._tree.query_ball_point(position, distance + self._tolerance)
        near = np.asarray(found, dtype=np.int64)
        centre, rows, defined = fit_rows(self.geometry.points[near], np.ones(len(near)))
        if np.linalg.norm(centre - position) > self._tolerance:
            raise self._no_node(position)
        return Held(centre, near, rows, defined)

    def at(self, points: Floats) -> Integers:
        """Indices of the nodes at positions (p, 3)."""
        distance, node = (np.asarray(found) for found in self._tree.query(points))
        if np.max(distance, initial=0.0) > self._tolerance:
            raise self._no_node(points[int(np.argmax(distance))])
        return node

    def near(self, point: Vector) -> Vector:
        """Position of the node that is nearest to a point."""
        position = numbers(f"{self.name}: point", point, (3,))
        x, y, z = self._tree.data[self._tree.query(position)[1]].tolist()
        return x, y, z

    def _around(self, node: int) -> Integers:
        """Nodes of the cells at a node."""
        cells = self.geometry.cells.values()
        near = [connectivity[(connectivity == node).any(axis=1)].ravel() for connectivity in cells]
        return np.unique(np.concatenate(near))

    def _no_node(self, position: Floats) -> InputError:
        nearest = self._tree.data[self._tree.query(position)[1]]
        return InputError(
            f"{self.name}: invalid point {position.tolist()}: expected a node or the middle of "
            f"some; the nearest node is {nearest.tolist()}"
        )

    @cached_property
    def _tolerance(self) -> float:
        return SAME_POINT * float(np.ptp(self._tree.data, axis=0).max())

    @cached_property
    def _tree(self) -> cKDTree:
        return shared(self.geometry, "tree", lambda: cKDTree(self.geometry.points))


@dataclass(frozen=True, eq=False)
class Attachments:
    """Nodes and surfaces of a reduced model, with the shapes of its elastic coordinates.

    Parameters
    ----------
    name
        Of the body, for messages.
    model
        Reduced body.
    points
        Named positions.
    """

    name: str
    model: ReducedModel
    points: Mapping[str, Vector]

    @cached_property
    def node_shapes(self) -> Floats:
        """Elastic displacement shapes (nodes, 3, m) of all nodes."""
        return shared(self.model, "node shapes", self._node_shapes)

    def _node_shapes(self) -> Floats:
        elastic = self.model.basis[:, self.model.rigid :]
        return np.asarray(self.model.geometry.shape @ elastic).reshape(-1, 3, elastic.shape[1])

    def _surface_points(self, name: str) -> ElasticPoints:
        surface = self.model.surface(name)
        shape = surface.shape.reshape(len(surface.points), 3, -1)
        return ElasticPoints.of(surface.points, shape[:, :, self.model.rigid :])

    def shapes(self, points: str | Floats | ElasticPoints) -> ElasticPoints:
        """Points with their elastic displacement shapes.

        Of a named surface, a named point, or nodes given by coordinates (p, 3); points that
        already have their shapes are returned as they are.
        """
        if isinstance(points, ElasticPoints):
            return points
        if isinstance(points, str) and points in self.points:
            points = np.array([self.points[points]], dtype=float)
        if isinstance(points, str):
            return shared(self.model, ("points", points), partial(self._surface_points, points))
        points = numbers(f"{self.name}: points", points, ("p", 3))
        return ElasticPoints.of(points, self.node_shapes[self.nodes.at(points)])

    def fit(self, point: Point) -> Fit:
        """Rigid motion of the body at a node, in the middle of nodes, or of a named surface."""
        if not self.nodes.named(point):
            return self._fit_of_interface(str(point))
        held = self.nodes.held(point)
        shapes = self.node_shapes[held.nodes]
        motion = held.rows @ shapes.reshape(held.rows.shape[1], -1)
        return Fit(held.position, motion[:3], motion[3:], held.defined)

    def named_load(self, name: str, fixed: bool, dofs: int) -> Floats:
        """Load (dofs,) that the finite-element body has by name, on the last, elastic ones.

        In a frame that moves it must be in balance: its force and moment would be those of the
        supports, of which the frame knows nothing.
        """
        load = self.model.named_load(name)
        if not fixed and load.resultant.any():
            raise InputError(
                f"{self.name}: invalid load '{name}' in a moving frame: expected one without force "
                "and moment, such as a preload; take frame='fixed', or a Force at an interface"
            )
        elastic = load.force[self.model.rigid :]
        return np.concatenate([np.zeros(dofs - len(elastic)), elastic])

    def _fit_of_interface(self, name: str) -> Fit:
        """Rigid motion of a contact surface, or of another interface that joints may hold."""
        if name in self.model.surfaces:
            surface = self.model.surface(name)
            return Fit(*rigid_fit(surface.points, surface.weights, self.shapes(name)[1]))
        found = self.model.interface(name)
        error = found.compliance.energy_error
        if error > DOUBTFUL:
            warn_caller(
                f"{self.name}: the reduced body answers loads on '{name}' with an error of up to "
                f"{error:.0%}: reduce it with joints='{name}'"
            )
        motion = found.motion[:, self.model.rigid :]
        return Fit(found.position, motion[:3], motion[3:], found.defined)

    @cached_property
    def nodes(self) -> Nodes:
        """Nodes by position and name."""
        return Nodes(self.name, self.model.geometry, self.points)
