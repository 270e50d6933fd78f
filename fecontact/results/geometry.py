"""Geometry of bodies for pictures, and how it follows the motion.

    r = r_f + R (x + Phi e)

with the frame (r_f, R) of the body and its elastic coordinates e, the last m of its coordinates.
The frame is turned by a finite rotation, so nothing is stretched at large angles. A result file
holds the frames of all times; reading it needs no body.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from fecontact.body.base import as_body
from fecontact.body.drawing import mesh_content
from fecontact.errors import InputError
from fecontact.mesh.cells import CELL_NODES, CELL_TYPES
from fecontact.results.source import Array, Source
from fecontact.typing import Body, Floats, Integers

if TYPE_CHECKING:
    from skfem import Mesh

__all__ = ["BodyGeometry", "frame_of", "packed", "stored"]


@dataclass(frozen=True, eq=False)
class BodyGeometry:
    """Points and cells of a body, and the displacement shapes of its elastic coordinates.

    Attributes
    ----------
    body
        Name of the body; empty for what does not move.
    points : (n, 3)
        Positions in the frame of the body, undeformed, in m.
    cells
        meshio cell type -> nodes (c, corners).
    shapes : (n, 3, m)
        Displacement in the frame per elastic coordinate; m = 0 for a rigid body. Of a full
        finite-element body a sparse matrix (3 n, m).
    """

    body: str
    points: Floats
    cells: Mapping[str, Integers]
    shapes: Floats | sp.csr_array

    @staticmethod
    def of(
        body: Body, mesh: Mesh | None = None, offset: Floats | None = None, skin: bool = True
    ) -> BodyGeometry:
        """Geometry of a body.

        Parameters
        ----------
        body
            `ElasticBody`: its own mesh is drawn. `SpinningDisc`: a ring of its thickness, unless a
            mesh is given. `RigidBody`: needs a mesh.
        mesh
            Of a rigid body or a spinning disc.
        offset : (3,)
            Origin of the mesh in the frame of a rigid body, which has its origin in the centre of
            mass; by default the volume of the mesh has its centre there, as with
            `RigidBody.from_mesh`.
        skin
            Keep the outer faces of solid cells only.

        Examples
        --------
        >>> from fecontact.body import RigidBody
        >>> from fecontact.mesh import block
        >>> cube = BodyGeometry.of(RigidBody("cube", 1.0), block(0.1, 0.1, 0.1, cells=(2, 2, 2)))
        >>> len(cube.points), {kind: len(cells) for kind, cells in cube.cells.items()}
        (26, {'quad': 24})
        >>> cube.points.min().round(12).item()
        -0.05
        """
        whole = BodyGeometry(body.name, *as_body(body).geometry(mesh, offset))
        return whole.skin() if skin else whole

    @staticmethod
    def fixed(mesh: Mesh, skin: bool = True) -> BodyGeometry:
        """Geometry of the ground: it does not move."""
        points, cells = mesh_content(mesh)
        whole = BodyGeometry("", points, cells, np.zeros((len(points), 3, 0)))
        return whole.skin() if skin else whole

    def positions(self, frames: Floats, elastic: Floats, exaggeration: float = 1.0) -> Floats:
        """Positions (k, n, 3) in space.

        Parameters
        ----------
        frames : (k, 12)
            Frames as `frame_of` gives them.
        elastic : (k, m)
            Elastic coordinates.
        exaggeration
            Factor of the elastic displacement alone.
        """
        position, turn = frames[:, :3], frames[:, 3:].reshape(-1, 3, 3)
        n, shapes = len(self.points), self.shapes
        if isinstance(shapes, np.ndarray):
            bent = elastic @ shapes.reshape(3 * n, -1).T
        else:
            bent = (shapes @ elastic.T).T
        local = self.points + exaggeration * bent.reshape(-1, n, 3)
        return position[:, None] + local @ turn.transpose(0, 2, 1)

    @property
    def coordinates(self) -> int:
        """Number m of elastic coordinates."""
        return int(self.shapes.shape[-1])

    def skin(self) -> BodyGeometry:
        """Outer faces of solid cells, by their corners; other cells stay."""
        cells: dict[str, list[Integers]] = {}
        for kind, nodes in self.cells.items():
            for name, faces in _outer_faces(kind, nodes):
                cells.setdefault(name, []).append(faces)
        joined = {kind: np.concatenate(parts) for kind, parts in cells.items()}
        used, numbers = np.unique(
            np.concatenate([part.ravel() for part in joined.values()]), return_inverse=True
        )
        ends = np.cumsum([part.size for part in joined.values()])[:-1]
        renumbered = np.split(numbers.astype(np.int64), ends)
        own = {
            kind: part.reshape(joined[kind].shape)
            for kind, part in zip(joined, renumbered, strict=True)
        }
        rows = used if self.shapes.ndim == 3 else (3 * used[:, None] + np.arange(3)).ravel()
        return BodyGeometry(self.body, self.points[used], own, self.shapes[rows])


def frame_of(body: Body | None, t: float, q: Floats) -> Floats:
    """Frame (12,) of a body at coordinates q: origin, then rotation matrix by rows.

    Material of a rotor with prescribed spin, or with the dof "spin", turns by its angle; that
    of a spinning disc passes the points of its frame, which does not move.
    """
    origin, rotation = (np.zeros(3), np.eye(3)) if body is None else as_body(body).pose(t, q)
    return np.concatenate([origin, rotation.ravel()])


def packed(parts: Sequence[BodyGeometry]) -> tuple[list[dict[str, Any]], dict[str, Array]]:
    """Names for the `about` of a result file, and its fixed arrays."""
    names = [
        {"body": part.body, "cells": list(part.cells), "sparse": part.shapes.ndim == 2}
        for part in parts
    ]
    arrays: dict[str, Array] = {}
    for index, part in enumerate(parts):
        path = f"geometry/{index}"
        arrays |= {f"{path}/points": part.points}
        if isinstance(part.shapes, np.ndarray):
            arrays[f"{path}/shapes"] = part.shapes
        else:
            arrays |= _flat(f"{path}/shapes", part.shapes)
        arrays |= {f"{path}/cells/{kind}": cells for kind, cells in part.cells.items()}
    return names, arrays


def stored(run: Source) -> tuple[BodyGeometry, ...]:
    """Geometry that a run keeps."""
    found = []
    for index, record in enumerate(run.layout["geometry"]):
        path = f"geometry/{index}"
        cells = {kind: run.fixed(f"{path}/cells/{kind}") for kind in record["cells"]}
        points = run.fixed(f"{path}/points")
        shapes: Any = (
            _sparse(run, f"{path}/shapes")
            if record.get("sparse", False)
            else run.fixed(f"{path}/shapes")
        )
        _check_stored(f"{run.label} is damaged: '{path}'", points, shapes, cells)
        found.append(BodyGeometry(record["body"], points, cells, shapes))
    return tuple(found)


def _flat(path: str, shapes: sp.csr_array) -> dict[str, Array]:
    """Arrays of a sparse matrix."""
    parts: dict[str, Array] = {
        "data": shapes.data,
        "indices": shapes.indices,
        "indptr": shapes.indptr,
        "size": np.array(shapes.shape),
    }
    return {f"{path}/{name}": part for name, part in parts.items()}


def _sparse(run: Source, path: str) -> sp.csr_array:
    """Sparse matrix from its arrays."""
    data, indices, indptr, size = (
        run.fixed(f"{path}/{part}") for part in ("data", "indices", "indptr", "size")
    )
    try:
        return sp.csr_array((data, indices, indptr), shape=(int(size[0]), int(size[1])))
    except (ValueError, TypeError, IndexError) as error:
        raise InputError(f"{run.label} is damaged: '{path}' is no sparse matrix: {error}") from None


def _check_stored(what: str, points: Array, shapes: Any, cells: Mapping[str, Array]) -> None:
    """Refuse points, shapes and cells that do not fit each other."""
    fits = shapes.shape[:2] == points.shape and shapes.ndim == 3
    if shapes.ndim == 2:
        fits = shapes.shape[0] == points.size
    if points.shape != (len(points), 3) or not fits:
        raise InputError(f"{what} has points {points.shape} and shapes {shapes.shape}")
    for kind, nodes in cells.items():
        if nodes.dtype.kind not in "iu" or nodes.shape[1:] != (CELL_NODES.get(kind),):
            raise InputError(f"{what} has {kind} cells that are no table of whole numbers")
        if nodes.size and not 0 <= nodes.min() <= nodes.max() < len(points):
            raise InputError(f"{what} has {kind} cells with nodes that do not exist")


def _outer_faces(kind: str, nodes: Integers) -> list[tuple[str, Integers]]:
    """Faces (f, corners) that belong to one cell only; cells that are no solids as they are."""
    known: Any = CELL_TYPES.get(kind)
    if known is None or known.dim < 3:
        return [(kind, nodes)]
    corners = 3 if known.face_name.startswith("triangle") else 4
    faces = nodes[:, known.faces[:, :corners]].reshape(-1, corners)
    _, first, count = np.unique(
        np.sort(faces, axis=1), axis=0, return_index=True, return_counts=True
    )
    return [("triangle" if corners == 3 else "quad", faces[np.sort(first[count == 1])])]
