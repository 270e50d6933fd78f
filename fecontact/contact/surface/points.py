"""Slave surfaces: points with weights, and what is known of them before the bodies move.

A surface of an elastic body carries the displacement shapes Phi of its points. Its initial gap, a
length per point, is added to the distance from the master: run-out, waviness or a conical facing
need no mesh of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from skfem import Mesh

from fecontact.body.elastic import ElasticBody
from fecontact.body.points.elastic_points import ElasticPoints
from fecontact.body.volume import mass_properties
from fecontact.contact.master.elastic_facets import elastic_facets
from fecontact.contact.master.facets import Facets, mesh_facets
from fecontact.contact.surface.gap_fields import GapField, check_waves
from fecontact.errors import InputError, at_least, check, check_kind, numbers, one_of
from fecontact.typing import Floats

__all__ = ["Surface", "elastic_surface", "mesh_surface", "outward"]

POINTS = ("quadrature", "nodes")
RIGID = "surfaces of a rigid body are those of mesh_surface, annulus, rectangle ..."


@dataclass(frozen=True, eq=False)
class Surface:
    """Quadrature points of a body and their measure.

    The measure is an area in m^2, or a length in m for a line of contact; the laws are then per
    unit of area or of length.

    Attributes
    ----------
    points : (p, 3)
        In m: in a rigid body relative to its centre of mass, in an elastic one those of the mesh.
    weights : (p,)
        Measure of each point, positive.
    shapes : (p, 3, m) or None
        Displacement per elastic coordinate of the body.
    gap : (p,) or float
        Initial gap in m: what is missing (> 0) or in excess (< 0) on the surface.
    normals : (p, 3) or None
        Unit normals out of the body, in its axes, if they are known: a master that looks the same
        way is found before a balance is searched for.
    """

    points: Floats
    weights: Floats
    shapes: Floats | None = None
    gap: Floats | float = 0.0
    normals: Floats | None = None

    def __post_init__(self) -> None:
        for name in ("points", "weights"):
            object.__setattr__(self, name, numbers(f"surface: {name}", getattr(self, name)))
        count = self.points.shape[0] if self.points.ndim else 0
        if self.points.shape != (count, 3) or self.weights.shape != (count,):
            raise InputError(
                f"invalid surface with points {self.points.shape} and weights "
                f"{self.weights.shape}: expected (p, 3) and (p,)"
            )
        finite = np.isfinite(self.points).all() and np.isfinite(self.weights).all()
        if not (count and finite and np.min(self.weights) > 0.0):
            smallest, largest = min(self.weights, default=np.inf), max(self.weights, default=0.0)
            raise InputError(
                f"invalid surface of {count} points with smallest weight {smallest} and largest "
                f"{largest}: expected points at finite positions, each with a positive area"
            )
        if self.shapes is not None:
            shapes = numbers("surface: shapes", self.shapes, (count, 3, "m"))
            object.__setattr__(self, "shapes", shapes)
        object.__setattr__(self, "gap", self._gap(self.gap))
        if self.normals is not None:
            normals = numbers("surface: normals", self.normals, (count, 3))
            object.__setattr__(self, "normals", normals)

    def _gap(self, given: Floats | float) -> Floats | float:
        """Initial gap of the points, or one of all."""
        gap, count = numbers("initial gap", given), len(self.weights)
        if gap.shape not in ((), (count,)) or not np.isfinite(gap).all():
            raise InputError(
                f"invalid initial gap of shape {gap.shape}: expected one finite number for each "
                f"of the {count} points"
            )
        return gap if gap.ndim else float(gap)

    @property
    def measure(self) -> float:
        """Total area or length."""
        return float(self.weights.sum())

    @cached_property
    def material(self) -> Floats | ElasticPoints:
        """The points as a body takes them."""
        return self.points if self.shapes is None else ElasticPoints.of(self.points, self.shapes)

    def with_gap(self, gap: GapField | Floats | float) -> Surface:
        """Surface with a further initial gap in m, given per point or as a function of them.

        Only the values at the points are kept: waves that they do not resolve look like longer
        ones. Those of `waviness` are refused, others must be known to be long enough.

        Examples
        --------
        >>> flat = Surface(np.array([[0.1, 0.0, 0.0], [0.2, 0.0, 0.0]]), np.ones(2))
        >>> flat.with_gap(lambda x: 1e-3 * x[:, 0]).gap.tolist()
        [0.0001, 0.0002]
        """
        if callable(gap):
            check_waves(gap, self.points)
            gap = gap(self.points)
        return replace(self, gap=self.gap + self._gap(gap))


def elastic_surface(
    body: ElasticBody, name: str, points: str = "quadrature", parts: int | None = None
) -> Surface:
    """Named surface of an elastic body, with the displacement shapes of its points.

    On plates and beams the shapes contain the rotation times the offset of the face.

    Parameters
    ----------
    body
        Its frame may be free, fixed or prescribed.
    name
        Contact surface of its model.
    points
        "quadrature": the points of the model. "nodes": the nodes of the facets (`mesh_surface`).
    parts
        Gauss points of the facets, each divided in parts x parts pieces: a finer rule for a master
        whose mesh divides the surface in another way. Not with "nodes".
    """
    check_kind("elastic_surface: body", body, ElasticBody, RIGID)
    check("points", points, one_of(POINTS))
    if points == "nodes" and parts is not None:
        raise InputError(
            f'invalid parts = {parts} with points="nodes": expected points="quadrature", for which '
            "parts divide the facets"
        )
    if points == "quadrature" and parts is None:
        positions, shapes = body.attachments.shapes(name)
        on = body.model.surface(name)
        return Surface(positions, on.weights, shapes, normals=on.normals)
    facets, shapes = elastic_facets(body, name)
    if points == "nodes":
        index, weights = facets.nodal(f"surface '{name}' of {body.name}")
        positions, shapes = facets.nodes[index], shapes[index]
        normals = None
    else:
        check("parts", parts, at_least(1))
        positions, weights = facets.quadrature(parts or 1)
        shapes = facets.spread(facets.rule(parts or 1)[0], shapes)
        normals = outward(facets, parts or 1)
    return Surface(positions, weights, ElasticPoints.of(positions, shapes).shapes, normals=normals)


def outward(facets: Facets, parts: int = 1) -> Floats:
    """Unit normals (p, 3) of facets at their quadrature points."""
    local = facets.rule(parts)[0]
    facet = np.repeat(np.arange(len(facets.connectivity)), len(local))
    area = facets.normals(facet, np.tile(local, (len(facets.connectivity), 1)))
    return np.asarray(area / np.linalg.norm(area, axis=1)[:, None])


def mesh_surface(
    mesh: Mesh, name: str, points: str = "quadrature", centre: Floats | None = None
) -> Surface:
    """Named surface of a volume mesh, for a rigid body.

    Parameters
    ----------
    mesh
        Tetrahedra or hexahedra with named surfaces.
    name
        Surface.
    points
        "quadrature": Gauss points of the facets. "nodes": their nodes, with the weights
        int N_a dA; of triangles with 6 nodes the mid-nodes only. Facets with 8 nodes are refused:
        their corners have negative weights.
    centre
        Origin of the points; without it the centre of mass of the mesh, as in
        `RigidBody.from_mesh`.

    Examples
    --------
    >>> from fecontact.mesh import block
    >>> top = mesh_surface(block(0.3, 0.2, 0.1), "z_max")
    >>> round(top.measure, 9), round(float(top.points[0, 2]), 9)
    (0.06, 0.05)
    """
    check_kind("mesh_surface: mesh", mesh, Mesh)
    check("points", points, one_of(POINTS))
    facets = mesh_facets(mesh, name)
    if points == "nodes":
        index, weights = facets.nodal(f"surface '{name}'")
        positions, normals = facets.nodes[index], None
    else:
        positions, weights = facets.quadrature()
        normals = outward(facets)
    origin = mass_properties(mesh, 1.0).centre if centre is None else centre
    moved = positions - numbers("mesh_surface: centre", origin, (3,))
    return Surface(moved, weights, normals=normals)
