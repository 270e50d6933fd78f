"""VTK files for ParaView, written without a graphics library.

A mode is written as one `.vtu` file with the real and imaginary displacement, and as a series over
one period that plays in ParaView: open the `.pvd` file and apply "Warp By Vector".
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import quoteattr

import meshio
import numpy as np
from skfem import MeshHex, MeshTri

from fecontact.typing import Complexes, Floats, Integers

__all__ = ["Shape", "hexahedra", "phase_displacement", "triangles", "write_modes", "write_phases"]


@dataclass(frozen=True)
class Shape:
    """Geometry of one or several bodies: points (n, 3), cells by meshio type, body per cell."""

    points: Floats
    cells: Sequence[tuple[str, Integers]]
    body: Sequence[Integers]


def hexahedra(parts: Sequence[MeshHex]) -> Shape:
    """Join hexahedral meshes to one shape; the cells carry the number of their part."""
    order = [0, 3, 6, 2, 1, 5, 7, 4]  # corners of scikit-fem in the order of VTK
    cells, bodies, start = [], [], 0
    for number, mesh in enumerate(parts):
        cells.append(("hexahedron", start + mesh.t[order].T))
        bodies.append(np.full(mesh.nelements, number))
        start += mesh.nvertices
    points = np.hstack([mesh.p for mesh in parts]).T
    return Shape(np.ascontiguousarray(points), cells, bodies)


def phase_displacement(mode: Complexes, phase: float) -> Floats:
    """Displacement (n, 3) of a complex mode at a phase angle: Re(u e^{i phase})."""
    return np.real(mode * np.exp(1j * phase))


def triangles(mesh: MeshTri) -> Shape:
    """Shape of a plane triangular mesh at z = 0."""
    points = np.column_stack([mesh.p[0], mesh.p[1], np.zeros(mesh.nvertices)])
    return Shape(points, [("triangle", mesh.t.T)], [np.zeros(mesh.nelements, dtype=int)])


def write_modes(path: Path, shape: Shape, modes: Mapping[str, Floats | Complexes]) -> None:
    """Write modes (n, 3): a real one as field `name`, a complex one as `name real`, `name imag`."""
    fields: dict[str, Floats] = {}
    for name, mode in modes.items():
        if np.isrealobj(mode):
            fields[name] = np.ascontiguousarray(mode.real)
        else:
            fields[f"{name} real"] = np.ascontiguousarray(mode.real)
            fields[f"{name} imag"] = np.ascontiguousarray(mode.imag)
    _write(path, shape, fields)


def write_phases(path: Path, shape: Shape, mode: Complexes, frames: int = 24) -> list[Path]:
    """Write one period of a complex mode as `.pvd` with one `.vtu` per frame; return all files."""
    folder = path.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    files, entries = [path], []
    for frame in range(frames):
        file = folder / f"{frame:03d}.vtu"
        displacement = phase_displacement(mode, 2.0 * np.pi * frame / frames)
        _write(file, shape, {"displacement": displacement})
        files.append(file)
        relative = quoteattr(f"{folder.name}/{file.name}")
        entries.append(f'    <DataSet timestep="{frame / frames:.6f}" file={relative}/>')
    text = "\n".join(
        [
            '<?xml version="1.0"?>',
            '<VTKFile type="Collection" version="0.1" byte_order="LittleEndian">',
            "  <Collection>",
            *entries,
            "  </Collection>",
            "</VTKFile>",
            "",
        ]
    )
    path.write_text(text, encoding="utf-8")
    return files


def _write(path: Path, shape: Shape, fields: Mapping[str, Floats]) -> None:
    mesh = meshio.Mesh(
        shape.points, list(shape.cells), point_data=dict(fields), cell_data={"body": shape.body}
    )
    with contextlib.redirect_stdout(io.StringIO()):
        mesh.write(path)
