"""From a mesh to the content of a mesh file: cells, facets of named surfaces, names."""

from __future__ import annotations

from dataclasses import dataclass

import meshio
import numpy as np
from skfem import Mesh

from fecontact.errors import InputError
from fecontact.mesh.cells import CellType, cell_type_of, left_handed
from fecontact.typing import Floats, Integers

__all__ = ["FileContent", "file_content", "gmsh_groups", "vtk_arrays"]


@dataclass(frozen=True)
class FileContent:
    """A mesh in the node order of files.

    Attributes
    ----------
    kind
        Cell type.
    points : (n, 3)
        Nodes in m.
    cells : (c, k)
        Nodes of the cells, right-handed.
    surfaces
        Name -> pairs (cell, number of its face), shape (f, 2).
    volumes
        Name -> cells.
    """

    kind: CellType
    points: Floats
    cells: Integers
    surfaces: dict[str, Integers]
    volumes: dict[str, Integers]

    def faces(self, name: str) -> Integers:
        """Nodes of the faces of a named surface."""
        return self._nodes(self.surfaces[name])

    def _nodes(self, faces: Integers) -> Integers:
        cell, face = faces.T
        nodes: Integers = self.cells[cell[:, None], self.kind.faces[face]]
        return nodes


def file_content(mesh: Mesh) -> FileContent:
    """Nodes, cells and names of a mesh in the order of files."""
    kind = cell_type_of(mesh)
    points = np.zeros((mesh.p.shape[1], 3))
    points[:, : kind.dim] = mesh.p.T
    cells = mesh.dofs.element_dofs[kind.local].T.astype(np.int64)
    turned = left_handed(kind, mesh.p.T, cells)
    cells[turned] = cells[turned][:, kind.mirror]
    surfaces = {
        name: _faces(mesh, kind, cells, np.asarray(facets, dtype=np.int64))
        for name, facets in (mesh.boundaries or {}).items()
    }
    volumes = {
        name: np.asarray(members, dtype=np.int64)
        for name, members in (mesh.subdomains or {}).items()
    }
    return FileContent(kind, points, cells, surfaces, volumes)


def gmsh_groups(content: FileContent) -> meshio.Mesh:
    """Content with physical groups: one for each surface and each volume."""
    twice = set(content.surfaces) & set(content.volumes)
    tag = np.zeros(len(content.cells), dtype=np.int64)
    names = {}
    for number, (name, members) in enumerate(content.volumes.items(), start=1):
        if name in twice or tag[members].any():
            raise InputError(
                f"volume '{name}' cannot be saved as Gmsh group: its name or one of its cells is "
                "used twice; save the mesh as .vtu or .inp"
            )
        tag[members] = number
        names[name] = np.array([number, content.kind.dim])
    blocks, tags = [(content.kind.name, content.cells)], [tag]
    for number, name in enumerate(content.surfaces, start=len(names) + 1):
        faces = content.faces(name)
        blocks.append((content.kind.face_name, faces))
        tags.append(np.full(len(faces), number))
        names[name] = np.array([number, content.kind.dim - 1])
    data = {"gmsh:physical": tags, "gmsh:geometrical": tags}
    return meshio.Mesh(content.points, blocks, cell_data=data, field_data=names)


def vtk_arrays(content: FileContent) -> meshio.Mesh:
    """Content with one array of zeros and ones for each name, over cells and named facets."""
    blocks = [(content.kind.name, content.cells)]
    faces_of_cell = len(content.kind.faces)
    keys = {name: f[:, 0] * faces_of_cell + f[:, 1] for name, f in content.surfaces.items()}
    every = np.unique(np.concatenate([*keys.values(), np.empty(0, dtype=np.int64)]))
    if len(every):
        faces = np.column_stack([every // faces_of_cell, every % faces_of_cell])
        blocks.append((content.kind.face_name, content._nodes(faces)))
    cell_numbers = np.arange(len(content.cells))
    data = {}
    for name, members in content.volumes.items():
        data[f"volume:{name}"] = [np.isin(cell_numbers, members), np.zeros(len(every))]
    for name, key in keys.items():
        data[f"surface:{name}"] = [np.zeros(len(cell_numbers)), np.isin(every, key)]
    arrays = {
        name: [flag.astype(np.int32) for flag in flags[: len(blocks)]]
        for name, flags in data.items()
    }
    return meshio.Mesh(content.points, blocks, cell_data=arrays)


def _faces(mesh: Mesh, kind: CellType, cells: Integers, facets: Integers) -> Integers:
    """Pairs (cell, number of its face) of the given facets."""
    owner = mesh.f2t[0, facets].astype(np.int64)
    corners = np.sort(mesh.facets[:, facets], axis=0).T
    candidates = np.sort(cells[owner][:, kind.faces[:, : corners.shape[1]]], axis=2)
    face = (candidates == corners[:, None]).all(axis=2).argmax(axis=1)
    return np.column_stack([owner, face])
