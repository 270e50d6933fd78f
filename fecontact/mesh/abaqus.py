"""Reader of Abaqus and CalculiX input files: nodes, elements, sets and surfaces.

meshio's own reader knows no `*SURFACE` and mixes up the element sets when an `*ELEMENT` block has
none, so the few keywords of a mesh are read here. Set names do not depend on upper and lower
case; the spelling of the first use is kept.
"""

from __future__ import annotations

import re
import textwrap
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import meshio
import numpy as np

from fecontact.errors import InputError
from fecontact.mesh.cells import CELL_TYPES, CORNERS
from fecontact.typing import Floats, Integers

__all__ = ["ALL_CELLS", "ALL_NODES", "read_inp"]

ALL_NODES, ALL_CELLS = "Nall", "Eall"
"""Conventional names of the sets of everything; they name no part and are not kept."""

FAMILIES = {
    r"C3D(\d+)": {
        4: "tetra",
        6: "wedge",
        8: "hexahedron",
        10: "tetra10",
        15: "wedge15",
        20: "hexahedron20",
    },
    r"(?:CPS|CPE|CAX|M3D|STRI|S|R3D)(\d)": {3: "triangle", 4: "quad", 6: "triangle6", 8: "quad8"},
    r"(?:B2|B3)(\d)": {1: "line", 2: "line3"},
    r"(?:T2D|T3D)(\d)": {2: "line", 3: "line3"},
}
"""Element type -> meshio cell type, by the number in its name."""

NODES = {"line3": 3, "wedge": 6, "wedge15": 15} | {
    name: len(kind.nodes) for name, kind in CELL_TYPES.items()
}
"""Number of nodes of all cell types that can be read, also of those that are refused later."""

SHOWN = 200
"""Longest text of materials in a message."""

Options = dict[str, str]


@dataclass
class _Numbered:
    """Items with the numbers that the file gives them."""

    what: str
    numbers: Integers

    def __post_init__(self) -> None:
        self._order = np.argsort(self.numbers, kind="stable")
        self._sorted = self.numbers[self._order]
        if np.any(np.diff(self._sorted) == 0):
            raise InputError(f"{self.what} numbers occur twice; give one part without instances")

    def find(self, numbers: Integers) -> Integers:
        """Positions of the items with the given numbers."""
        place = np.searchsorted(self._sorted, numbers).clip(max=len(self._sorted) - 1)
        missing = np.ravel(numbers[self._sorted[place] != numbers])
        if len(missing):
            raise InputError(f"{self.what} {missing[0]} is used but not defined")
        found: Integers = self._order[place]
        return found


@dataclass
class _Input:
    """What the keywords of the file define, with the file's own numbers."""

    nodes: list[Floats] = field(default_factory=list)
    elements: list[tuple[str, Integers]] = field(default_factory=list)
    sets: dict[tuple[str, str], Integers] = field(default_factory=dict)
    surfaces: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    constants: list[str] = field(default_factory=list)
    spelling: dict[str, str] = field(default_factory=dict)

    def add(self, kind: str, name: str, numbers: Integers) -> None:
        """Add members to a node set ("NSET") or an element set ("ELSET")."""
        key = kind, name.upper()
        self.spelling.setdefault(name.upper(), name)
        self.sets[key] = np.concatenate([self.sets.get(key, numbers[:0]), numbers])

    def members(self, kind: str, label: str) -> Integers:
        """Members of a set, or the single number that stands in its place."""
        if label.isdigit():
            return np.array([int(label)])
        if (kind, label.upper()) not in self.sets:
            raise InputError(f"{kind} '{label}' is used but not defined before")
        return self.sets[kind, label.upper()]


def read_inp(file: Path) -> meshio.Mesh:
    """Content of an .inp file; the faces of a `*SURFACE` become cells of lower dimension."""
    content = _Input()
    for keyword, options, lines in _keywords(file):
        if keyword in _READERS:
            _READERS[keyword](content, options, lines)
    _warn_of_unread(content.constants)
    if not content.nodes or not content.elements:
        raise InputError("it has no *NODE or no *ELEMENT")
    table = np.vstack(content.nodes)
    nodes = _Numbered("node", table[:, 0].astype(np.int64))
    elements = _Numbered("element", np.concatenate([e[:, 0] for _, e in content.elements]))
    blocks = [(kind, nodes.find(e[:, 1:])) for kind, e in content.elements]
    first = np.cumsum([0] + [len(e) for _, e in blocks])
    cell_sets: dict[str, dict[int, Integers]] = {}
    point_sets: dict[str, Integers] = {}
    for (kind, name), members in content.sets.items():
        if name in (ALL_NODES.upper(), ALL_CELLS.upper()):
            continue
        if kind == "NSET":
            point_sets[content.spelling[name]] = nodes.find(members)
        else:
            cell_sets[content.spelling[name]] = dict(_by_block(elements.find(members), first))
    for key, faces in content.surfaces.items():
        name = content.spelling[key]
        for face in sorted({face for _, face in faces}):
            labels = [content.members("ELSET", label) for label, own in faces if own == face]
            for block, cells in _by_block(elements.find(np.concatenate(labels)), first):
                corners = _face_corners(name, *blocks[block], face)[cells]
                cell_sets.setdefault(name, {})[len(blocks)] = np.arange(len(cells))
                blocks.append((_FACE_NAMES[corners.shape[1]], corners))
    none = np.empty(0, dtype=np.int64)
    every = range(len(blocks))
    return meshio.Mesh(
        table[:, 1:],
        blocks,
        point_sets=point_sets,
        cell_sets={name: [m.get(k, none) for k in every] for name, m in cell_sets.items()},
    )


def _keywords(file: Path) -> Iterator[tuple[str, Options, list[str]]]:
    """Keyword, options and data lines, one keyword after the other; follows `*INCLUDE`."""
    keyword, options, lines = "", Options(), list[str]()
    for line in file.read_text().splitlines():
        if line.startswith("**") or not line.strip():
            continue
        if not line.startswith("*"):
            lines.append(line)
            continue
        yield keyword, options, lines
        words = [word.partition("=") for word in line[1:].split(",")]
        keyword = words[0][0].strip().upper()
        options = {key.strip().upper(): value.strip() for key, _, value in words[1:]}
        lines = []
        if keyword == "INCLUDE":
            yield from _keywords(file.parent / options["INPUT"])
    yield keyword, options, lines


def _read_nodes(content: _Input, options: Options, lines: list[str]) -> None:
    """Read `*NODE`: number and up to three coordinates per line."""
    table = np.array([line.strip().rstrip(",").split(",") for line in lines], dtype=np.float64)
    padded = np.zeros((len(table), 4))
    padded[:, : table.shape[1]] = table
    content.nodes.append(padded)
    if "NSET" in options:
        content.add("NSET", options["NSET"], table[:, 0].astype(np.int64))


def _read_elements(content: _Input, options: Options, lines: list[str]) -> None:
    """Read `*ELEMENT`: number and nodes, on one or several lines."""
    kind = _cell_name(options.get("TYPE", ""))
    words = " ".join(lines).replace(",", " ").split()
    table = np.array(words, dtype=np.int64).reshape(-1, NODES[kind] + 1)
    content.elements.append((kind, table))
    if "ELSET" in options:
        content.add("ELSET", options["ELSET"], table[:, 0])


def _read_set(kind: str, content: _Input, options: Options, lines: list[str]) -> None:
    """Read `*NSET` or `*ELSET`: numbers, names of other sets, or ranges."""
    rows = [[word.strip() for word in line.split(",") if word.strip()] for line in lines]
    if "GENERATE" in options:
        ranges = [[int(word) for word in row] for row in rows]
        parts = [np.arange(r[0], r[1] + 1, r[2] if len(r) > 2 else 1) for r in ranges]
    else:
        words = [word for row in rows for word in row]
        parts = [np.array([int(word) for word in words if word.isdigit()], dtype=np.int64)]
        parts += [content.members(kind, word) for word in words if not word.isdigit()]
    content.add(kind, options[kind], np.concatenate(parts))


def _read_surface(content: _Input, options: Options, lines: list[str]) -> None:
    """Read `*SURFACE`: faces of elements, or nodes if the type says so."""
    rows = [[word.strip() for word in line.split(",")] for line in lines]
    if options.get("TYPE", "ELEMENT").upper() == "NODE":
        nodes = [content.members("NSET", row[0]) for row in rows]
        content.add("NSET", options["NAME"], np.concatenate(nodes))
    else:
        name = options["NAME"].upper()
        content.spelling.setdefault(name, options["NAME"])
        faces = content.surfaces.setdefault(name, [])
        faces += [(row[0], row[1].upper() if len(row) > 1 else "") for row in rows]


def _read_instance(content: _Input, options: Options, lines: list[str]) -> None:
    """Refuse an `*INSTANCE` that moves its part: translation and rotation are not read."""
    if any(float(word) for line in lines for word in line.split(",") if word.strip()):
        raise InputError(
            f"instance '{options.get('NAME', '')}' is translated or rotated, which is not read; "
            "export the part where it stands, as a flat file or as an orphan mesh"
        )


def _keep_constants(keyword: str, content: _Input, options: Options, lines: list[str]) -> None:
    """Keep the first numbers of `*ELASTIC` or `*DENSITY`, for the message that names them."""
    words = (word.strip() for word in ",".join(lines[:1]).split(","))
    content.constants.append(f"*{keyword} {', '.join(word for word in words if word)}")


def _warn_of_unread(constants: list[str]) -> None:
    """Warn that the materials of a deck are not used; its units are not known."""
    if constants:
        given = "; ".join(dict.fromkeys(constants))
        warnings.warn(
            f"the material of the deck is not read: {textwrap.shorten(given, SHOWN)}; give it in "
            "SI units, material=Material(...) (command line --material, or --young, --poisson and "
            "--density)",
            stacklevel=5,
        )


def _cell_name(element: str) -> str:
    """Return the meshio name of an element type."""
    for pattern, names in FAMILIES.items():
        match = re.match(pattern, element.upper())
        if match and int(match[1]) in names:
            return names[int(match[1])]
    raise InputError(f"elements of type '{element}' are not supported")


def _by_block(cells: Integers, first: Integers) -> Iterator[tuple[int, Integers]]:
    """Split cell numbers into blocks that start at the given numbers."""
    block = np.searchsorted(first, cells, side="right") - 1
    for k in np.unique(block):
        yield int(k), cells[block == k] - first[k]


def _face_corners(surface: str, kind: str, nodes: Integers, face: str) -> Integers:
    """Corner nodes of the face with the label S1, S2, ... of all cells of a block."""
    labels = [f"S{k + 1}" for k in range(len(CELL_TYPES[kind].faces))] if kind in CELL_TYPES else []
    if face not in labels:
        raise InputError(
            f"surface '{surface}' uses the face '{face}' of {kind} cells; "
            f"supported: {', '.join(labels) or 'none'}"
        )
    faces = CELL_TYPES[kind].faces[labels.index(face)]
    return nodes[:, faces[: CORNERS[CELL_TYPES[kind].face_name.rstrip("0123456789")]]]


_FACE_NAMES = {1: "vertex", 2: "line", 3: "triangle", 4: "quad"}

_READERS: dict[str, Callable[[_Input, Options, list[str]], None]] = {
    "INSTANCE": _read_instance,
    "NODE": _read_nodes,
    "ELEMENT": _read_elements,
    "NSET": partial(_read_set, "NSET"),
    "ELSET": partial(_read_set, "ELSET"),
    "SURFACE": _read_surface,
    "ELASTIC": partial(_keep_constants, "ELASTIC"),
    "DENSITY": partial(_keep_constants, "DENSITY"),
}
