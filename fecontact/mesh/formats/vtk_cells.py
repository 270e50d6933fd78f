"""Cells of VTK files, both kinds of them."""

from __future__ import annotations

from typing import Any

import meshio
import numpy as np
import numpy.typing as npt
from meshio._vtk_common import vtk_to_meshio_order, vtk_to_meshio_type

from fecontact.errors import InputError
from fecontact.files.text import whole_numbers
from fecontact.mesh.cells import CELL_NODES
from fecontact.typing import Floats, Integers

__all__ = ["is_name", "mesh_of_cells"]

Arrays = dict[str, npt.NDArray[Any]]
CODED = "skfem:"
NAMES = ("surface:", "volume:", "gmsh:physical", CODED)
"""Beginnings of the names of cell arrays that tell of surfaces and volumes; others are not read."""
EMPTY = 0
"""Cell type of VTK without nodes."""


def is_name(name: str) -> bool:
    """Whether a cell array tells of a surface or a volume."""
    return name.startswith(NAMES)


def mesh_of_cells(
    points: Floats,
    connectivity: npt.NDArray[Any],
    ends: npt.NDArray[Any],
    types: npt.NDArray[Any],
    arrays: Arrays,
) -> meshio.Mesh:
    """Mesh with one block for each type of cell.

    Parameters
    ----------
    points : (n, 3)
        Nodes.
    connectivity
        Nodes of all cells, one after the other.
    ends, types : (c,)
        End of each cell in `connectivity`, and its type.
    arrays
        One number per cell, by name.
    """
    nodes, stops, kinds = (whole_numbers(a) for a in (connectivity, ends, types))
    sizes = np.diff(stops, prepend=0)
    if len(stops) != len(kinds) or np.any(sizes < 0) or sizes.sum() != len(nodes):
        raise ValueError("ends and types of the cells do not fit their nodes")
    arrays = {n: a if n.startswith(CODED) else whole_numbers(a) for n, a in arrays.items()}
    short = [name for name, array in arrays.items() if array.shape != kinds.shape]
    if short:
        raise ValueError(f"the array '{short[0]}' does not have one number for each cell")
    blocks, chosen = list[tuple[str, Integers]](), list[Integers]()
    for kind in np.unique(kinds[kinds != EMPTY]).tolist():
        members = np.flatnonzero(kinds == kind)
        name, size = _kind(kind)
        if np.any(sizes[members] != size):
            raise ValueError(f"a cell of type {name} does not have {size} nodes")
        order = vtk_to_meshio_order(kind)
        local = np.arange(size) if order is None else order
        blocks.append((name, nodes[(stops[members] - size)[:, None] + local]))
        chosen.append(members)
    return meshio.Mesh(
        points,
        blocks,
        cell_data={name: [array[m] for m in chosen] for name, array in arrays.items()},
    )


def _kind(number: int) -> tuple[str, int]:
    """Cell type and its number of nodes."""
    name = vtk_to_meshio_type.get(number)
    if name not in CELL_NODES:
        raise InputError(f"cells of VTK type {number} are not supported")
    return name, CELL_NODES[name]
