"""Writer of input files for CalculiX and Abaqus.

CalculiX reads at most 20 characters per number, 16 numbers per line, and continues a line that
ends with a comma. Plane meshes are written as shells, lines as beams; the centre nodes of 9-node
and 27-node cells are left out (S8 and C3D20 have none).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

import numpy as np

from fecontact.mesh.formats.abaqus import ALL_CELLS, ALL_NODES
from fecontact.mesh.formats.writer import FileContent
from fecontact.typing import Integers

__all__ = ["write_inp"]

ELEMENTS = {
    "line": ("B31", 2),
    "triangle": ("S3", 3),
    "quad": ("S4", 4),
    "tetra": ("C3D4", 4),
    "hexahedron": ("C3D8", 8),
    "triangle6": ("S6", 6),
    "quad9": ("S8", 8),
    "tetra10": ("C3D10", 10),
    "hexahedron27": ("C3D20", 20),
}
"""Cell type -> element type and number of nodes."""


def write_inp(file: Path, content: FileContent) -> None:
    """Write nodes, elements, sets of elements, and a node set for each surface.

    The surfaces of solids are also written as `*SURFACE`, face by face.
    """
    element, size = ELEMENTS[content.kind.name]
    cells = content.cells[:, :size]
    used = np.unique(cells)
    number_of = np.zeros(len(content.points), dtype=np.int64)
    number_of[used] = 1 + np.arange(len(used))
    with file.open("w", encoding="utf-8") as out:
        out.write(f"** mesh written by fecontact, SI units\n*NODE, NSET={ALL_NODES}\n")
        for k, x in enumerate(content.points[used].tolist(), start=1):
            out.write(f"{k}, {x[0]:.11e}, {x[1]:.11e}, {x[2]:.11e}\n")
        out.write(f"*ELEMENT, TYPE={element}, ELSET={ALL_CELLS}\n")
        for k, nodes in enumerate(number_of[cells].tolist(), start=1):
            _write_row(out, [k, *nodes])
        for name, members in content.volumes.items():
            _write_set(out, f"*ELSET, ELSET={name}", members + 1)
        for name, faces in content.surfaces.items():
            nodes_of_surface = number_of[np.unique(content.faces(name))]
            _write_set(out, f"*NSET, NSET={name}", nodes_of_surface[nodes_of_surface > 0])
            if content.kind.dim == 3:
                out.write(f"*SURFACE, NAME={name}, TYPE=ELEMENT\n")
                out.writelines(f"{cell + 1}, S{face + 1}\n" for cell, face in faces.tolist())


def _write_set(out: TextIO, keyword: str, numbers: Integers) -> None:
    """Write a set, 12 numbers per line."""
    out.write(keyword + "\n")
    rows = np.split(numbers, range(12, len(numbers), 12))
    out.writelines(", ".join(map(str, row.tolist())) + "\n" for row in rows)


def _write_row(out: TextIO, numbers: Iterable[int]) -> None:
    """Write one element, continued after 16 numbers."""
    words = [str(number) for number in numbers]
    out.write(", ".join(words[:16]) + (",\n" if len(words) > 16 else "\n"))
    if len(words) > 16:
        out.write(", ".join(words[16:]) + "\n")
