"""Reader of Gmsh files, versions 2.2 and 4.1, text and binary.

Memory goes with the size of the file, whatever numbers nodes and groups have, and a cell may belong
to several groups. Sections that are not needed (periodicity, data, comments) are passed over.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import meshio
import numpy as np
import numpy.typing as npt
from meshio.gmsh.common import _gmsh_to_meshio_order, _gmsh_to_meshio_type

from fecontact.errors import InputError
from fecontact.files.text import text_numbers, whole_numbers
from fecontact.mesh.cells import CELL_NODES
from fecontact.mesh.formats.numbering import Numbered
from fecontact.typing import Floats, Integers

__all__ = ["read_msh"]

GROUP = re.compile(r'^[ \t]*(\d+)[ \t]+(\d+)[ \t]+"(.*)"[ \t]*\r?$', re.MULTILINE)
BOUNDS = {0: 3, 1: 6, 2: 6, 3: 6}
"""Coordinates that describe an entity of a dimension."""

Groups = dict[tuple[int, int], Integers]
"""Dimension and number of an entity -> numbers of its physical groups."""


class _Numbers(ABC):
    """Numbers of a section, one after the other."""

    @abstractmethod
    def whole(self, count: int, wide: bool = False) -> Integers:
        """Next whole numbers; `wide` ones take 8 bytes in binary files."""

    @abstractmethod
    def real(self, count: int) -> Floats:
        """Next numbers."""

    @abstractmethod
    def points(self, count: int) -> tuple[Integers, Floats]:
        """Numbers and coordinates of nodes, version 2.2."""

    @abstractmethod
    def elements(self, max_count: int) -> tuple[int, Integers, int]:
        """Type, rows (number, tags, nodes) and count of tags of elements of one kind, 2.2."""

    @abstractmethod
    def close(self) -> None:
        """Check that the section ends here."""


@dataclass
class _Block:
    """Cells (c, n) by the numbers of their nodes in the file, and their groups.

    Groups have one row for each cell, or one row for all; 0 is none.
    """

    kind: str
    nodes: Integers
    groups: Integers


class _Text(_Numbers):
    """Numbers of a text section."""

    def __init__(self, body: bytes) -> None:
        self.numbers, self.position = text_numbers(body), 0

    def real(self, count: int) -> Floats:
        if not 0 <= count <= len(self.numbers) - self.position:
            raise ValueError("a section is shorter than its counts say")
        self.position += count
        return self.numbers[self.position - count : self.position]

    def whole(self, count: int, wide: bool = False) -> Integers:
        return whole_numbers(self.real(count))

    def points(self, count: int) -> tuple[Integers, Floats]:
        table = self.real(4 * count).reshape(-1, 4)
        return whole_numbers(table[:, 0]), table[:, 1:]

    def elements(self, max_count: int) -> tuple[int, Integers, int]:
        kind, tags = whole_numbers(self.real(3))[1:].tolist()
        self.position -= 3
        if tags < 0:
            raise ValueError(f"an element has {tags} tags")
        width = 3 + tags + _kind(kind)[1]
        available = min(max_count, (len(self.numbers) - self.position) // width)
        if available < 1:
            raise ValueError("a section is shorter than its counts say")
        count = window = 1
        while count == window < available:  # equal rows, twice as many each time
            window = min(2 * window, available)
            rows = self.numbers[self.position : self.position + window * width].reshape(-1, width)
            same = (rows[:, 1] == kind) & (rows[:, 2] == tags)
            count = window if same.all() else int(np.argmin(same))
        table = self.whole(count * width).reshape(count, width)
        return kind, np.delete(table, [1, 2], axis=1), tags

    def close(self) -> None:
        if self.position < len(self.numbers):
            raise ValueError("a section is longer than its counts say")


class _Binary(_Numbers):
    """Numbers of a binary section."""

    def __init__(self, data: bytes, position: int, order: str, end: bytes) -> None:
        self.data, self.position, self.order, self.end = data, position, order, end

    def _take(self, kind: str, count: int) -> npt.NDArray[Any]:
        dtype = np.dtype(self.order + kind)
        if not 0 <= count * dtype.itemsize <= len(self.data) - self.position:
            raise ValueError("a section is shorter than its counts say")
        found = np.frombuffer(self.data, dtype, count, self.position)
        self.position += count * dtype.itemsize
        return found

    def real(self, count: int) -> Floats:
        return self._take("f8", count).astype(float)

    def whole(self, count: int, wide: bool = False) -> Integers:
        return self._take("i8" if wide else "i4", count).astype(np.int64)

    def points(self, count: int) -> tuple[Integers, Floats]:
        rows = self._take("i4, " + self.order + "(3,)f8", count)
        return rows["f0"].astype(np.int64), rows["f1"].astype(float)

    def elements(self, max_count: int) -> tuple[int, Integers, int]:
        kind, count, tags = self.whole(3).tolist()
        if not (1 <= count <= max_count and tags >= 0):
            raise ValueError(f"{count} elements with {tags} tags follow each other")
        width = 1 + tags + _kind(kind)[1]
        return kind, self.whole(count * width).reshape(count, width), tags

    def close(self) -> None:
        if not self.data[self.position : self.position + 100].lstrip().startswith(self.end):
            raise ValueError("a section does not end where its counts say")


@dataclass
class _File:
    """Bytes of a file, and what its header says of them."""

    data: bytes
    version: str
    binary: bool
    order: str

    @staticmethod
    def of(data: bytes) -> _File:
        """Read the header."""
        head = re.match(rb"\s*\$MeshFormat\r?\n\s*(\S+) +(\d) +(\d+)\s*\n(....)?", data, re.DOTALL)
        if head is None:
            raise ValueError("it does not begin with $MeshFormat")
        version, binary = head[1].decode("ascii", "replace"), head[2] == b"1"
        if version not in ("2.2", "4.1") or head[3] != b"8":
            raise InputError(
                f"its format {version} with numbers of {int(head[3])} bytes is not read; save it "
                "as version 4.1 or 2.2"
            )
        little = not binary or head[4] == np.int32(1).astype("<i4").tobytes()
        return _File(data, version, binary, "<" if little else ">")

    def find(self, name: str) -> int | None:
        """Place after the line that begins a section."""
        found = re.search(rb"(?:^|\n)\$" + name.encode() + rb"[ \t]*\r?\n", self.data)
        return None if found is None else found.end()

    def text(self, name: str) -> bytes | None:
        """Content of a section."""
        start, end = self.find(name), f"$End{name}".encode()
        if start is None:
            return None
        stop = self.data.find(end, start)
        if stop < 0:
            raise ValueError(f"its section ${name} is cut off")
        if not self.binary and re.search(rb"\n\$" + name.encode() + rb"\s", self.data[stop:]):
            raise ValueError(f"it has two sections ${name}")
        return self.data[start:stop]

    def numbers(self, name: str) -> _Numbers | None:
        """Numbers of a section."""
        start = self.find(name)
        if start is None:
            return None
        if self.binary:
            return _Binary(self.data, start, self.order, f"$End{name}".encode())
        return _Text(self.text(name) or b"")

    def counted(self, name: str) -> tuple[int, _Numbers]:
        """Count in the first line of a section of version 2.2, and the numbers after it."""
        start = self.find(name)
        head = b"" if start is None else self.data[start : start + 64]
        line = re.match(rb"\s*(\d{1,15})\s*?\n", head)
        if start is None or line is None:
            raise ValueError(f"it has no section ${name} with a count")
        if self.binary:
            end = f"$End{name}".encode()
            return int(line[1]), _Binary(self.data, start + line.end(), self.order, end)
        return int(line[1]), _Text((self.text(name) or b"")[line.end() :])


def read_msh(path: Path) -> meshio.Mesh:
    """Points, cells and named groups of a Gmsh file."""
    file = _File.of(path.read_bytes())
    if file.find("PartitionedEntities") is not None:
        raise InputError("it is cut into partitions, which are not read; save it in one piece")
    tags, points = _nodes_22(file) if file.version == "2.2" else _nodes_41(file)
    blocks: dict[str, list[_Block]] = {}
    for block in _elements_22(file) if file.version == "2.2" else _elements_41(file):
        blocks.setdefault(block.kind, []).append(block)
    numbered = Numbered("node", tags)
    cells = {
        kind: _gmsh_to_meshio_order(kind, numbered.find(np.vstack([b.nodes for b in own])))
        for kind, own in blocks.items()
    }
    names = _physical_names(file)
    mesh = meshio.Mesh(points, list(cells.items()))
    mesh.field_data = {name: np.array(pairs) for name, pairs in names.items()}
    mesh.cell_sets = _sets(mesh, list(blocks.values()), names)
    return mesh


def _physical_names(file: _File) -> dict[str, list[tuple[int, int]]]:
    """Name -> number and dimension of its groups; the section is text in binary files too."""
    text = (file.text("PhysicalNames") or b"").decode()
    groups: dict[str, list[tuple[int, int]]] = {}
    for dim, tag, name in GROUP.findall(text):
        groups.setdefault(name, []).append((int(tag), int(dim)))
    return groups


def _sets(
    mesh: meshio.Mesh, blocks: list[list[_Block]], names: dict[str, list[tuple[int, int]]]
) -> dict[str, list[Integers]]:
    """Members of each group by type of cell; groups without a name get dimension and number."""
    name_of = {group: name for name, groups in names.items() for group in groups}
    parts: dict[str, list[list[Integers]]] = {}
    for index, (cells, own) in enumerate(zip(mesh.cells, blocks, strict=True)):
        first = 0
        for block in own:
            for tag in np.unique(block.groups[block.groups != 0]).tolist():
                name = name_of.get((tag, cells.dim), f"group_{cells.dim}d_{tag}")
                hit = np.broadcast_to((block.groups == tag).any(axis=1), len(block.nodes))
                lists = parts.setdefault(name, [[] for _ in blocks])
                lists[index].append(first + np.flatnonzero(hit))
            first += len(block.nodes)
    none = np.empty(0, dtype=np.int64)
    return {
        name: [np.unique(np.concatenate([none, *part])) for part in lists]
        for name, lists in parts.items()
    }


def _kind(number: int) -> tuple[str, int]:
    """Cell type and its number of nodes."""
    if number not in _gmsh_to_meshio_type:
        raise InputError(f"elements of type {number} are not supported")
    name = _gmsh_to_meshio_type[number]
    return name, CELL_NODES[name]


def _nodes_22(file: _File) -> tuple[Integers, Floats]:
    """Numbers and coordinates of the nodes, version 2.2."""
    count, numbers = file.counted("Nodes")
    nodes = numbers.points(count)
    numbers.close()
    return nodes


def _nodes_41(file: _File) -> tuple[Integers, Floats]:
    """Numbers and coordinates of the nodes, version 4.1: entity by entity."""
    numbers = _needed(file, "Nodes")
    blocks, total = numbers.whole(4, wide=True)[:2].tolist()
    tags, points = [np.empty(0, dtype=np.int64)], [np.empty((0, 3))]
    for _ in range(blocks):
        dim, _, parametric = numbers.whole(3).tolist()
        count = int(numbers.whole(1, wide=True)[0])
        if dim not in BOUNDS:
            raise ValueError(f"an entity has the dimension {dim}")
        width = 3 + (dim if parametric else 0)
        tags.append(numbers.whole(count, wide=True))
        points.append(numbers.real(count * width).reshape(count, width)[:, :3])
    numbers.close()
    if sum(map(len, tags)) != total:
        raise ValueError(f"it does not hold the {total} nodes that it declares")
    return np.concatenate(tags), np.concatenate(points)


def _needed(file: _File, name: str) -> _Numbers:
    numbers = file.numbers(name)
    if numbers is None:
        raise ValueError(f"it has no section ${name}")
    return numbers


def _elements_22(file: _File) -> Iterator[_Block]:
    """Cells, version 2.2: number, type, tags (the first is the group) and nodes of each."""
    total, numbers = file.counted("Elements")
    found: dict[str, list[Integers]] = {}
    count = 0
    while count < total:
        kind, rows, tags = numbers.elements(total - count)
        name, _ = _kind(kind)
        count += len(rows)
        groups = rows[:, 1] if tags else np.zeros(len(rows), dtype=np.int64)
        found.setdefault(name, []).append(np.column_stack([groups, rows[:, 1 + tags :]]))
    numbers.close()
    if count != total:
        raise ValueError(f"it does not hold the {total} elements that it declares")
    for name, parts in found.items():
        table = np.vstack(parts)
        yield _Block(name, table[:, 1:], table[:, :1])


def _elements_41(file: _File) -> Iterator[_Block]:
    """Cells, version 4.1: entity by entity, all in the groups of their entity."""
    groups, numbers = _entities(file), _needed(file, "Elements")
    blocks, total = numbers.whole(4, wide=True)[:2].tolist()
    none, found = np.zeros(1, dtype=np.int64), 0
    for _ in range(blocks):
        dim, tag, kind = numbers.whole(3).tolist()
        count = int(numbers.whole(1, wide=True)[0])
        name, nodes = _kind(kind)
        rows = numbers.whole(count * (nodes + 1), wide=True).reshape(count, nodes + 1)
        found += count
        yield _Block(name, rows[:, 1:], groups.get((dim, tag), none)[None])
    numbers.close()
    if found != total:
        raise ValueError(f"it does not hold the {total} elements that it declares")


def _entities(file: _File) -> Groups:
    """Physical groups of all entities; none if the file has no entities."""
    numbers = file.numbers("Entities")
    if numbers is None:
        return {}
    groups: Groups = {}
    for dim, count in enumerate(numbers.whole(4, wide=True).tolist()):
        for _ in range(count):
            tag = int(numbers.whole(1)[0])
            numbers.real(BOUNDS[dim])
            groups[dim, tag] = np.abs(numbers.whole(int(numbers.whole(1, wide=True)[0])))
            if dim:
                numbers.whole(int(numbers.whole(1, wide=True)[0]))
    numbers.close()
    return groups
