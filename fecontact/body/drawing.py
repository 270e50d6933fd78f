"""What a body looks like: points, cells, and the displacement shapes of its coordinates."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fecontact.body.volume import mass_properties
from fecontact.mesh.formats.writer import file_content
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    import scipy.sparse as sp
    from skfem import Mesh

__all__ = ["Drawing", "mesh_content", "rigid_drawing"]


class Drawing(NamedTuple):
    """Points (n, 3) in the frame of a body, cells by meshio type, shapes (n, 3, m).

    Shapes are displacements in the frame per elastic coordinate, the last m of the body; those of
    full finite-element bodies are a sparse matrix (3 n, m).
    """

    points: Floats
    cells: Mapping[str, Integers]
    shapes: Floats | sp.csr_array


def mesh_content(mesh: Mesh) -> tuple[Floats, dict[str, Integers]]:
    """Points and cells of a mesh."""
    content = file_content(mesh)
    return content.points, {content.kind.name: content.cells}


def rigid_drawing(mesh: Mesh, offset: Floats | None = None) -> Drawing:
    """Mesh of a rigid body with its origin at `offset`; by default the volume is centred."""
    points, cells = mesh_content(mesh)
    shift = -mass_properties(mesh, 1.0).centre if offset is None else np.asarray(offset)
    return Drawing(points + shift, cells, np.zeros((len(points), 3, 0)))
