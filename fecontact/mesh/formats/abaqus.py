"""Reader of Abaqus and CalculiX input files: nodes, elements, sets and surfaces.

meshio's own reader knows no `*SURFACE` and mixes up the element sets when an `*ELEMENT` block has
none, so the few keywords of a mesh are read here. Set names do not depend on upper and lower
case; the spelling of the first use is kept.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import meshio
import numpy as np

from fecontact.errors import InputError, warn_caller
from fecontact.files import check_expansion
from fecontact.files.text import whole_numbers
from fecontact.mesh.cells import CELL_TYPES, CORNERS
from fecontact.mesh.formats.deck import Card, Deck, Options
from fecontact.mesh.formats.numbering import Numbered
from fecontact.typing import Floats, Integers

__all__ = [
    "ALL_CELLS",
    "ALL_NODES",
    "MESH_KEYWORDS",
    "DeckContent",
    "cell_name",
    "mesh_of_content",
    "read_inp",
]

MATERIAL_KEYWORDS = ("ELASTIC", "DENSITY")

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

ONE_PART = "give one part without instances"
SHOWN = 200
"""Longest text of materials in a message."""


@dataclass
class DeckContent:
    """What the keywords of the file define, with the file's own numbers."""

    file: Path
    nodes: list[Floats] = field(default_factory=list)
    elements: dict[str, list[Integers]] = field(default_factory=dict)
    sets: dict[tuple[str, str], list[Integers]] = field(default_factory=dict)
    surfaces: dict[str, dict[tuple[str, str], None]] = field(default_factory=dict)
    constants: list[str] = field(default_factory=list)
    spelling: dict[str, str] = field(default_factory=dict)
    used: int = 0

    def add(self, kind: str, name: str, *numbers: Integers) -> None:
        """Add members to a node set ("NSET") or an element set ("ELSET")."""
        self.spelling.setdefault(name.upper(), name)
        self.sets.setdefault((kind, name.upper()), []).extend(numbers)

    def members(self, kind: str, label: str) -> Integers:
        """Members of a set, or the single number that stands in its place."""
        if label.isdigit():
            return np.array([int(label)])
        if (kind, label.upper()) not in self.sets:
            raise InputError(f"{kind} '{label}' is used but not defined before")
        parts = self.sets[kind, label.upper()]
        parts[:] = [np.unique(np.concatenate(parts))]
        self.spend(len(parts[0]))
        return parts[0]

    def spend(self, count: int) -> None:
        """Count members of sets: sets of sets must not grow beyond what the file can mean."""
        self.used += count
        check_expansion(self.file, 8 * self.used)


def read_inp(file: Path) -> meshio.Mesh:
    """Content of an .inp file; the faces of a `*SURFACE` become cells of lower dimension."""
    content = DeckContent(file)
    for card in Deck(file).cards():
        if card.keyword in MESH_KEYWORDS:
            MESH_KEYWORDS[card.keyword](content, card.options, card.lines)
        if card.keyword in MATERIAL_KEYWORDS:
            _keep_constants(card, content)
    _warn_of_unread(content.constants)
    return mesh_of_content(content)


def mesh_of_content(content: DeckContent, only: str | None = None) -> meshio.Mesh:
    """Mesh with its sets and surfaces; with `only` a cell type, what belongs to such cells."""
    if not content.nodes or not content.elements:
        raise InputError("it has no *NODE or no *ELEMENT")
    table = np.vstack(content.nodes)
    tables = {kind: np.vstack(parts) for kind, parts in content.elements.items()}
    if only is not None:
        tables = {only: tables[only]}
        table = table[np.isin(table[:, 0], tables[only][:, 1:])]
    nodes = Numbered("node", whole_numbers(table[:, 0]), ONE_PART)
    elements = Numbered("element", np.concatenate([e[:, 0] for e in tables.values()]), ONE_PART)
    blocks = [(kind, nodes.find(e[:, 1:])) for kind, e in tables.items()]
    blocks = [(kind, _ends_first(table[:, 1:], c) if kind == "line3" else c) for kind, c in blocks]
    faces = _Faces(blocks, elements, only is not None)
    cell_sets: dict[str, dict[int, Integers]] = {}
    point_sets: dict[str, Integers] = {}
    for kind, key in content.sets:
        if key in (ALL_NODES.upper(), ALL_CELLS.upper()):
            continue
        members, name = content.members(kind, key), content.spelling[key]
        if only is not None:
            members = np.intersect1d(members, (nodes if kind == "NSET" else elements).numbers)
        if kind == "NSET" and (len(members) or only is None):
            point_sets[name] = nodes.find(members)
        elif len(members) or only is None:
            cell_sets[name] = dict(faces.by_block(elements.find(members)))
    for key, labels in content.surfaces.items():
        name = content.spelling[key]
        found = faces.of_surface(name, labels, content)
        if found or only is None:
            cell_sets.setdefault(name, {}).update(found)
    none = np.empty(0, dtype=np.int64)
    blocks += faces.blocks()
    every = range(len(blocks))
    return meshio.Mesh(
        table[:, 1:],
        blocks,
        point_sets=point_sets,
        cell_sets={name: [m.get(k, none) for k in every] for name, m in cell_sets.items()},
    )


class _Faces:
    """Faces of surfaces, in one block of cells for each number of corners."""

    def __init__(
        self, blocks: list[tuple[str, Integers]], elements: Numbered, chosen: bool = False
    ) -> None:
        self._blocks, self._elements, self._chosen = list(blocks), elements, chosen
        self._first = np.cumsum([0] + [len(cells) for _, cells in blocks])
        self._faces: dict[int, list[Integers]] = {size: [] for size in _FACE_NAMES}
        self._count = dict.fromkeys(_FACE_NAMES, 0)

    def by_block(self, cells: Integers) -> Iterator[tuple[int, Integers]]:
        """Split cell numbers into those of each block."""
        block = np.searchsorted(self._first, cells, side="right") - 1
        for k in np.unique(block):
            yield int(k), cells[block == k] - self._first[k]

    def of_surface(
        self, name: str, labels: Iterable[tuple[str, str]], content: DeckContent
    ) -> dict[int, Integers]:
        """Add the faces of a surface; number of their block -> their places in it."""
        own: dict[int, list[Integers]] = {}
        for face in sorted({face for _, face in labels}):
            parts = [content.members("ELSET", label) for label, side in labels if side == face]
            members = np.unique(np.concatenate(parts))
            if self._chosen:
                members = np.intersect1d(members, self._elements.numbers)
            for k, cells in self.by_block(self._elements.find(members)):
                corners = _face_corners(name, *self._blocks[k], face)[cells]
                size = corners.shape[1]
                index = len(self._blocks) + list(self._faces).index(size)
                own.setdefault(index, []).append(self._count[size] + np.arange(len(corners)))
                self._faces[size].append(corners)
                self._count[size] += len(corners)
        return {index: np.concatenate(parts) for index, parts in own.items()}

    def blocks(self) -> list[tuple[str, Integers]]:
        """Blocks of faces, some of them empty."""
        return [
            (_FACE_NAMES[corners], np.vstack([np.empty((0, corners), dtype=np.int64), *parts]))
            for corners, parts in self._faces.items()
        ]


def _read_nodes(content: DeckContent, options: Options, lines: list[str]) -> None:
    """Read `*NODE`: number and up to three coordinates per line."""
    rows = [line.strip().rstrip(",").split(",") for line in lines]
    if not rows or {len(row) for row in rows} - {len(rows[0])} or not 2 <= len(rows[0]) <= 4:
        raise InputError("invalid *NODE: expected lines of a number and one to three coordinates")
    table = np.array(rows, dtype=np.float64)
    padded = np.zeros((len(table), 4))
    padded[:, : table.shape[1]] = table
    content.nodes.append(padded)
    if "NSET" in options:
        content.add("NSET", options["NSET"], whole_numbers(table[:, 0]))


def _read_elements(content: DeckContent, options: Options, lines: list[str]) -> None:
    """Read `*ELEMENT`: number and nodes, on one or several lines."""
    kind = cell_name(options.get("TYPE", ""))
    rows = [line.replace(",", " ").split() for line in lines]
    size = NODES[kind] + 1
    ends = np.cumsum([0] + [len(row) for row in rows])
    begins_a_line = np.isin(np.arange(0, ends[-1], size), ends)
    if ends[-1] % size or not begins_a_line.all():
        raise InputError(f"an element of type {options['TYPE']} does not have {size - 1} nodes")
    table = np.array([word for row in rows for word in row], dtype=np.int64).reshape(-1, size)
    content.elements.setdefault(kind, []).append(table)
    if "ELSET" in options:
        content.add("ELSET", options["ELSET"], table[:, 0])


def _read_set(kind: str, content: DeckContent, options: Options, lines: list[str]) -> None:
    """Read `*NSET` or `*ELSET`: numbers, names of other sets, or ranges."""
    rows = [[word.strip() for word in line.split(",") if word.strip()] for line in lines]
    if kind not in options:
        raise InputError(f"*{kind} has no name: give {kind}=name")
    if "GENERATE" in options:
        content.add(kind, options[kind], *(_generated(content, row) for row in rows))
        return
    words = dict.fromkeys(word for row in rows for word in row)
    numbers = np.array([int(word) for word in words if word.isdigit()], dtype=np.int64)
    named = [content.members(kind, word) for word in words if not word.isdigit()]
    content.add(kind, options[kind], numbers, *named)


def _generated(content: DeckContent, row: list[str]) -> Integers:
    """Numbers from the first to the last by a step."""
    first, last, step = [int(word) for word in row] + [1] * (3 - len(row))
    if not (last >= first and step >= 1):
        raise InputError(f"a set from {first} to {last} by {step} has no members")
    content.spend((last - first) // step + 1)
    return np.arange(first, last + 1, step)


def _read_surface(content: DeckContent, options: Options, lines: list[str]) -> None:
    """Read `*SURFACE`: faces of elements, or nodes if the type says so."""
    rows = [[word.strip() for word in line.split(",")] for line in lines]
    if "NAME" not in options:
        raise InputError("*SURFACE has no NAME=name")
    if options.get("TYPE", "ELEMENT").upper() == "NODE":
        labels = dict.fromkeys(row[0] for row in rows)
        content.add("NSET", options["NAME"], *(content.members("NSET", label) for label in labels))
    else:
        name = options["NAME"].upper()
        content.spelling.setdefault(name, options["NAME"])
        faces = content.surfaces.setdefault(name, {})
        faces |= {(row[0], row[1].upper() if len(row) > 1 else ""): None for row in rows}


def _read_instance(content: DeckContent, options: Options, lines: list[str]) -> None:
    """Refuse an `*INSTANCE` that moves its part: translation and rotation are not read."""
    if any(float(word) for line in lines for word in line.split(",") if word.strip()):
        raise InputError(
            f"instance '{options.get('NAME', '')}' is translated or rotated, which is not read; "
            "export the part where it stands, as a flat file or as an orphan mesh"
        )


def _keep_constants(card: Card, content: DeckContent) -> None:
    """Keep the first numbers of `*ELASTIC` or `*DENSITY`, for the message that names them."""
    words = (word.strip() for word in ",".join(card.lines[:1]).split(","))
    content.constants.append(f"*{card.keyword} {', '.join(word for word in words if word)}")


def _warn_of_unread(constants: list[str]) -> None:
    """Warn that the materials of a deck are not used; its units are not known."""
    if constants:
        given = "; ".join(dict.fromkeys(constants))
        warn_caller(
            f"the material of the deck is not read: {textwrap.shorten(given, SHOWN)}; give it in "
            "SI units, material=Material(...) (command line --material, or --young, --poisson and "
            "--density), or take read_deck, which reads materials and sections"
        )


def _ends_first(points: Floats, lines: Integers) -> Integers:
    """Quadratic lines in the order of meshio, the middle node last.

    Abaqus, CalculiX and Gmsh put it between the ends, meshio writes it last; it is the node that
    is nearest to the two others.
    """
    indices = points[lines]
    distances = np.linalg.norm(indices[:, :, None] - indices[:, None], axis=-1).sum(axis=2)
    middle = distances.argmin(axis=1)[:, None]
    ends = lines[np.arange(3) != middle].reshape(-1, 2)
    return np.hstack([ends, np.take_along_axis(lines, middle, axis=1)])


def cell_name(element: str) -> str:
    """Return the meshio name of an element type."""
    for pattern, names in FAMILIES.items():
        match = re.match(pattern, element.upper())
        if match and int(match[1]) in names:
            return names[int(match[1])]
    raise InputError(f"elements of type '{element}' are not supported")


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

MESH_KEYWORDS: dict[str, Callable[[DeckContent, Options, list[str]], None]] = {
    "INSTANCE": _read_instance,
    "NODE": _read_nodes,
    "ELEMENT": _read_elements,
    "NSET": partial(_read_set, "NSET"),
    "ELSET": partial(_read_set, "ELSET"),
    "SURFACE": _read_surface,
}
