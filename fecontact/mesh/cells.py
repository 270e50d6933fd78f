"""Cell types of mesh files and their scikit-fem counterparts.

Files follow the node order of VTK and meshio: corners, then mid-nodes of the edges, then centres
of the faces, then the centre of the cell. All permutations between the two worlds are found by
comparing node positions in the reference cell.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from meshio._common import num_nodes_per_cell
from skfem import (
    Mesh,
    MeshHex1,
    MeshHex2,
    MeshLine1,
    MeshQuad1,
    MeshQuad2,
    MeshTet1,
    MeshTet2,
    MeshTri1,
    MeshTri2,
)

from fecontact.typing import Floats, Integers

__all__ = ["CELL_NODES", "CELL_TYPES", "CORNERS", "CellType", "cell_type_of", "left_handed"]

CELL_NODES: dict[str, int] = dict(num_nodes_per_cell)
"""Number of nodes by meshio name, for all cells that files may hold."""

CORNERS = {"vertex": 1, "line": 2, "triangle": 3, "quad": 4, "tetra": 4, "hexahedron": 8}
"""Number of corners by meshio name without its number of nodes."""

_CORNER_POSITIONS = {
    "line": "0 1",
    "triangle": "00 10 01",
    "quad": "00 10 11 01",
    "tetra": "000 100 010 001",
    "hexahedron": "000 100 110 010 001 101 111 011",
}
_EDGES = {
    "line": "01",
    "triangle": "01 12 20",
    "quad": "01 12 23 30",
    "tetra": "01 12 20 03 13 23",
    "hexahedron": "01 12 23 30 45 56 67 74 04 15 26 37",
}
_CENTRES = {"quad": "0123", "hexahedron": "0374 1265 0154 2376 0123 4567 01234567"}
# in the order S1, S2, ... of Abaqus and CalculiX; counter-clockwise when seen from outside
_FACES = {
    "line": "0 1",
    "triangle": "01 12 20",
    "quad": "01 12 23 30",
    "tetra": "021 013 123 032",
    "hexahedron": "0321 4567 0154 1265 2376 0473",
}
_FACE_SHAPE = {"line": "vertex", "triangle": "line", "quad": "line", "tetra": "triangle"}


@dataclass(frozen=True, eq=False)
class CellType:
    """A cell type of a file.

    Attributes
    ----------
    name
        Name in meshio.
    mesh
        scikit-fem mesh it becomes; its linear parent is `linear`.
    nodes : (n, d)
        Reference positions of the nodes in the order of the file.
    local : (n,)
        Number of each node in the scikit-fem element.
    mirror : (n,)
        Permutation of the nodes that turns the cell inside out.
    faces : (f, m)
        Nodes of each face, in the order of the file for the cell type `face_name`.
    """

    name: str
    mesh: type[Mesh]
    linear: type[Mesh]
    nodes: Floats
    local: Integers
    mirror: Integers
    faces: Integers
    face_name: str

    @property
    def corners(self) -> int:
        """Number of corners."""
        return CORNERS[self.name.rstrip("0123456789")]

    @property
    def dim(self) -> int:
        """Dimension of the cell."""
        return int(self.nodes.shape[1])

    @property
    def complete(self) -> bool:
        """Whether the file gives all nodes of the scikit-fem element."""
        return len(self.nodes) == len(self.mesh.elem.doflocs)


def cell_type_of(mesh: Mesh) -> CellType:
    """Cell type under which a mesh is written."""
    return next(kind for kind in CELL_TYPES.values() if kind.mesh is type(mesh) and kind.complete)


def left_handed(kind: CellType, points: Floats, cells: Integers) -> Integers:
    """Cells whose reference axes, at the first corner, form a left-handed frame."""
    unit = [int(np.flatnonzero((kind.nodes == axis).all(axis=1))[0]) for axis in np.eye(kind.dim)]
    axes = points[cells[:, unit]] - points[cells[:, :1]]
    return np.flatnonzero(np.linalg.det(axes) < 0)


def _cell_type(
    name: str, mesh: type[Mesh], linear: type[Mesh], edges: bool, centres: bool
) -> CellType:
    """Cell type with mid-nodes on the edges and with nodes at the centres, or without."""
    shape = name.rstrip("0123456789")
    corners = np.array(
        [[float(c) for c in position] for position in _CORNER_POSITIONS[shape].split()]
    )
    groups = (_EDGES[shape] if edges else "") + " " + (_CENTRES.get(shape, "") if centres else "")
    extra = [corners[_digits(group)].mean(axis=0) for group in groups.split()]
    nodes = np.vstack([corners, *extra])
    positions = np.asarray(mesh.elem.doflocs).reshape(len(mesh.elem.doflocs), -1)
    if shape == "hexahedron":  # scikit-fem starts from the opposite corner
        positions = 1.0 - positions
    mirrored = 1.0 - nodes if shape == "line" else nodes.copy()
    mirrored[:, :2] = mirrored[:, 1::-1]
    faces = [_face_nodes(nodes, _digits(face), edges, centres) for face in _FACES[shape].split()]
    return CellType(
        name=name,
        mesh=mesh,
        linear=linear,
        nodes=nodes,
        local=_matches(positions, nodes),
        mirror=_matches(nodes, mirrored),
        faces=np.array(faces),
        face_name=_face_name(shape, edges, centres),
    )


def _digits(text: str) -> list[int]:
    """Corner numbers written one after the other."""
    return [int(c) for c in text]


def _matches(positions: Floats, wanted: Floats) -> Integers:
    """Row of `positions` at which each row of `wanted` is found."""
    distance = np.abs(positions[None] - wanted[:, None]).max(axis=2)
    rows: Integers = distance.argmin(axis=1)
    return rows


def _face_nodes(nodes: Floats, corners: list[int], edges: bool, centres: bool) -> list[int]:
    """Corners of a face followed by its mid-nodes and its centre."""
    positions = []
    if edges and len(corners) > 1:
        ends = corners[1:] + corners[:1] if len(corners) > 2 else corners[1:]
        positions += [nodes[[a, b]].mean(axis=0) for a, b in zip(corners, ends, strict=False)]
    if centres and len(corners) == 4:
        positions.append(nodes[corners].mean(axis=0))
    return corners + (_matches(nodes, np.array(positions)).tolist() if positions else [])


def _face_name(shape: str, edges: bool, centres: bool) -> str:
    """Return the meshio name of the faces."""
    if shape == "hexahedron":
        return "quad9" if centres else "quad8" if edges else "quad"
    face = _FACE_SHAPE[shape]
    return {"line": "line3", "triangle": "triangle6"}.get(face, face) if edges else face


CELL_TYPES = {
    name: _cell_type(name, mesh, linear, edges, centres)
    for name, mesh, linear, edges, centres in (
        ("line", MeshLine1, MeshLine1, False, False),
        ("triangle", MeshTri1, MeshTri1, False, False),
        ("quad", MeshQuad1, MeshQuad1, False, False),
        ("tetra", MeshTet1, MeshTet1, False, False),
        ("hexahedron", MeshHex1, MeshHex1, False, False),
        ("triangle6", MeshTri2, MeshTri1, True, False),
        ("quad8", MeshQuad2, MeshQuad1, True, False),
        ("quad9", MeshQuad2, MeshQuad1, True, True),
        ("tetra10", MeshTet2, MeshTet1, True, False),
        ("hexahedron20", MeshHex2, MeshHex1, True, False),
        ("hexahedron27", MeshHex2, MeshHex1, True, True),
    )
}
"""meshio name -> cell type, for all cells that can be computed on."""
