"""VTK files for ParaView, written without a graphics library.

A mode is written as one `.vtu` file with the real and imaginary displacement, and as a series over
one period that plays in ParaView: open the `.pvd` file and apply "Warp By Vector". A series is a
`.pvd` file that names one `.vtu` file per time, which ParaView and PyVista play.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

import meshio
import numpy as np
from skfem import MeshHex, MeshTri

from fecontact.drafts import draft_of, write_file
from fecontact.fem.model import Geometry
from fecontact.typing import Complexes, Floats, Integers

__all__ = [
    "Frame",
    "Shape",
    "hexahedra",
    "phase_displacement",
    "read_times",
    "shape_of",
    "triangles",
    "write_frames",
    "write_modes",
    "write_phases",
]


@dataclass(frozen=True)
class Shape:
    """Geometry of one or several bodies: points (n, 3), cells by meshio type, body per cell."""

    points: Floats
    cells: Sequence[tuple[str, Integers]]
    body: Sequence[Integers]


class Frame(NamedTuple):
    """One moment of a motion: time in s, points (n, 3), and fields of the points."""

    time: float
    points: Floats
    fields: Mapping[str, Floats | Integers]


def hexahedra(parts: Sequence[MeshHex]) -> Shape:
    """Join hexahedral meshes to one shape; the cells carry the number of their part."""
    order = [0, 3, 6, 2, 1, 5, 7, 4]  # corners of scikit-fem in the order of VTK
    cells, bodies, start = [], [], 0
    for index, mesh in enumerate(parts):
        cells.append(("hexahedron", start + mesh.t[order].T))
        bodies.append(np.full(mesh.nelements, index))
        start += mesh.nvertices
    points = np.hstack([mesh.p for mesh in parts]).T
    return Shape(np.ascontiguousarray(points), cells, bodies)


def phase_displacement(mode: Complexes, phase: float) -> Floats:
    """Displacement (n, 3) of a complex mode at a phase angle: Re(u e^{i phase})."""
    return np.real(mode * np.exp(1j * phase))


def shape_of(geometry: Geometry) -> Shape:
    """Shape of the geometry of a finite-element body."""
    cells = list(geometry.cells.items())
    return Shape(geometry.points, cells, [np.zeros(len(c), dtype=int) for _, c in cells])


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
    moments = (
        Frame(
            frame / frames,
            shape.points,
            {"displacement": phase_displacement(mode, 2.0 * np.pi * frame / frames)},
        )
        for frame in range(frames)
    )
    return write_frames(path, shape, moments)


def write_frames(path: Path, shape: Shape, frames: Iterable[Frame]) -> list[Path]:
    """Write a motion as `.pvd` with one `.vtu` per frame in a folder of its name.

    The frames of an earlier series of this name are removed. Returns all files, the `.pvd` first.
    """
    folder = path.with_suffix("")
    folder.mkdir(parents=True, exist_ok=True)
    for stale in (path, *folder.glob("[0-9]*.vtu")):
        stale.unlink(missing_ok=True)
    files, entries = [path], []
    for index, frame in enumerate(frames):
        file = folder / f"{index:04d}.vtu"
        _write(file, replace(shape, points=frame.points), frame.fields)
        files.append(file)
        relative = quoteattr(f"{folder.name}/{file.name}")
        entries.append(f'    <DataSet timestep="{float(frame.time)!r}" file={relative}/>')
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
    write_file(path, text.encode())
    return files


def read_times(path: Path) -> list[tuple[float, Path]]:
    """Times and files of a `.pvd` series, in the order of time."""
    entries = ElementTree.parse(path).getroot().findall("./Collection/DataSet")
    frames = [(float(e.get("timestep", "0")), path.parent / e.get("file", "")) for e in entries]
    return sorted(frames)


def _write(path: Path, shape: Shape, fields: Mapping[str, Floats | Integers]) -> None:
    mesh = meshio.Mesh(
        shape.points, list(shape.cells), point_data=dict(fields), cell_data={"body": shape.body}
    )
    with contextlib.redirect_stdout(io.StringIO()), draft_of(path) as draft:
        mesh.write(draft)
