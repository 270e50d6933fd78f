"""Reader of legacy VTK files, text and binary: unstructured grids and their cell arrays."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import meshio
import numpy as np
import numpy.typing as npt

from fecontact.errors import InputError
from fecontact.files.text import text_numbers, whole_numbers
from fecontact.mesh.formats.vtk_cells import Arrays, is_name, mesh_of_cells

__all__ = ["read_vtk"]

TYPES = {
    "char": "i1", "signed_char": "i1", "unsigned_char": "u1", "short": "i2", "unsigned_short": "u2",
    "int": "i4", "unsigned_int": "u4", "long": "i8", "unsigned_long": "u8", "vtktypeint64": "i8",
    "vtktypeint32": "i4", "vtkidtype": "i8", "float": "f4", "double": "f8",
}  # fmt: skip
ATTRIBUTES = {"VECTORS": 3, "NORMALS": 3, "TENSORS": 9, "TENSORS6": 6}
"""Arrays with a fixed number of components."""
KEYWORD = re.compile(rb"\n[ \t]*[A-Za-z]")

Numbers = npt.NDArray[Any]


@dataclass
class _Grid:
    """What the sections of a file define."""

    parts: dict[str, Numbers] = field(default_factory=dict)
    arrays: Arrays = field(default_factory=dict)
    of_cells: bool = False
    count: int = 0


@dataclass
class _Source:
    """Bytes of a file and a place in them."""

    data: bytes
    position: int = 0
    text: bool = True

    def line(self) -> list[str]:
        """Words of the next line that is not empty; none at the end."""
        while self.position < len(self.data):
            stop = self.data.find(b"\n", self.position)
            stop = len(self.data) if stop < 0 else stop
            words = self.data[self.position : stop].decode("utf-8", "replace").split()
            self.position = stop + 1
            if words:
                return words
        return []

    def numbers(self, count: int, kind: str) -> Numbers:
        """Next numbers of a type; in binary files the first byte is the highest."""
        if kind.lower() not in TYPES:
            raise ValueError(f"numbers of type '{kind}' are not read")
        dtype = np.dtype(">" + TYPES[kind.lower()])
        if self.text:
            found = KEYWORD.search(self.data, max(self.position - 1, 0))
            stop = len(self.data) if found is None else found.start() + 1
            body, self.position = self.data[self.position : stop], stop
            numbers = text_numbers(body)
            if len(numbers) != count:
                raise ValueError(f"{len(numbers)} numbers in place of {count}")
            return numbers
        if not 0 <= count * dtype.itemsize <= len(self.data) - self.position:
            raise ValueError("a section is shorter than its counts say")
        self.position += count * dtype.itemsize
        return np.frombuffer(self.data, dtype, count, self.position - count * dtype.itemsize)

    def skip_metadata(self) -> None:
        """Pass over the lines up to the next empty one."""
        found = re.compile(rb"\n[ \t]*\r?\n").search(self.data, max(self.position - 1, 0))
        self.position = len(self.data) if found is None else found.end()


def read_vtk(path: Path) -> meshio.Mesh:
    """Points, cells and named parts of a legacy VTK file."""
    source, grid = _Source(path.read_bytes()), _Grid()
    if not source.data.startswith(b"# vtk DataFile Version"):
        raise ValueError("it does not begin with '# vtk DataFile Version'")
    source.position = source.data.find(b"\n", source.data.find(b"\n") + 1) + 1  # version and title
    mode = " ".join(source.line()).upper()
    if mode not in ("ASCII", "BINARY") or source.line()[:2] != ["DATASET", "UNSTRUCTURED_GRID"]:
        raise InputError("it is no unstructured grid; save it as one")
    source.text = mode == "ASCII"
    words = source.line()
    while words:
        _read_section(source, grid, words)
        words = source.line()
    missing = {"points", "nodes", "ends", "types"} - grid.parts.keys()
    if missing:
        raise ValueError(f"it has no {min(missing)}")
    points = grid.parts["points"].astype(float).reshape(-1, 3)
    nodes, ends, types = (grid.parts[name] for name in ("nodes", "ends", "types"))
    return mesh_of_cells(points, nodes, ends, types, grid.arrays)


def _read_section(source: _Source, grid: _Grid, words: list[str]) -> None:
    """Read a section that begins with the given words."""
    keyword, counts = words[0].upper(), [int(w) for w in words[1:3] if w.isdecimal()]
    if keyword == "POINTS":
        _once(grid, "points", source.numbers(3 * counts[0], words[2]))
    elif keyword == "CELLS":
        _read_cells(source, grid, *counts)
    elif keyword == "CELL_TYPES":
        _once(grid, "types", source.numbers(counts[0], "int"))
    elif keyword in ("POINT_DATA", "CELL_DATA"):
        grid.of_cells, grid.count = keyword == "CELL_DATA", counts[0]
    elif keyword == "METADATA":
        source.skip_metadata()
    elif keyword == "FIELD":
        for _ in range(int(words[2])):
            _read_array(source, grid, source.line())
    elif keyword == "LOOKUP_TABLE":
        source.numbers(4 * int(words[2]), "unsigned_char")
    elif keyword == "COLOR_SCALARS":
        source.numbers(grid.count * int(words[2]), "unsigned_char")
    else:
        _read_attribute(source, grid, words)


def _once(grid: _Grid, name: str, numbers: Numbers) -> None:
    if name in grid.parts:
        raise ValueError(f"it has two sections of {name}")
    grid.parts[name] = numbers


def _read_cells(source: _Source, grid: _Grid, first: int, second: int) -> None:
    """Nodes of the cells: with ends apart from version 5 on, before with a count for each."""
    position = source.position
    words = source.line()
    if words[:1] == ["OFFSETS"]:
        offsets = source.numbers(first, words[1])
        words = source.line()
        if words[:1] != ["CONNECTIVITY"] or not len(offsets) or offsets[0] != 0:
            raise ValueError("its cells do not begin at 0")
        _once(grid, "ends", offsets[1:])
        _once(grid, "nodes", source.numbers(second, words[1]))
        return
    source.position = position
    table = whole_numbers(source.numbers(second, "int"))
    starts = np.empty(first, dtype=np.int64) if first <= len(table) else None
    if starts is None:
        raise ValueError(f"it has fewer numbers than its {first} cells")
    at = 0
    rows = table.tolist()
    for cell in range(first):
        if not (at < len(rows) and 0 <= rows[at] < len(rows) - at):
            raise ValueError(f"cell {cell} ends beyond the last one")
        starts[cell] = at
        at += rows[at] + 1
    if at != len(rows):
        raise ValueError("there are numbers after the last cell")
    keep = np.ones(len(table), dtype=bool)
    keep[starts] = False
    _once(grid, "ends", np.cumsum(table[starts]))
    _once(grid, "nodes", table[keep])


def _read_array(source: _Source, grid: _Grid, words: list[str]) -> None:
    """Read an array of a field: name, components, length, type."""
    if words[:1] == ["METADATA"]:
        source.skip_metadata()
        words = source.line()
    name, components, length, kind = words
    values = source.numbers(int(components) * int(length), kind)
    if grid.of_cells and is_name(name):
        grid.arrays[name] = values


def _read_attribute(source: _Source, grid: _Grid, words: list[str]) -> None:
    """Read a single array: keyword, name, type."""
    keyword, name, kind = words[0].upper(), words[1], words[2]
    if keyword == "SCALARS":
        components = int(words[3]) if len(words) > 3 else 1
        position = source.position
        if source.line()[:1] != ["LOOKUP_TABLE"]:
            source.position = position
    elif keyword == "TEXTURE_COORDINATES":
        components, kind = int(words[2]), words[3]
    elif keyword in ATTRIBUTES:
        components = ATTRIBUTES[keyword]
    else:
        raise ValueError(f"its section '{keyword[:30]}' is not known")
    values = source.numbers(components * grid.count, kind)
    if grid.of_cells and is_name(name):
        grid.arrays[name] = values
