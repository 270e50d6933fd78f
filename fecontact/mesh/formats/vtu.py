"""Reader of VTU files: text, binary and appended data, packed by zlib or LZMA.

The XML must have no document type: its entities could grow without bound or name other files.
Packed data are unpacked to the size that they declare, and not beyond.
"""

from __future__ import annotations

import base64
import lzma
import re
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

import meshio
import numpy as np
import numpy.typing as npt

from fecontact.errors import InputError
from fecontact.files import check_expansion
from fecontact.files.text import text_numbers, whole_numbers
from fecontact.mesh.formats.vtk_cells import Arrays, is_name, mesh_of_cells

__all__ = ["read_vtu"]

TYPES = {
    f"{kind}{bits}": f"{letter}{bits // 8}"
    for kind, letter, sizes in (
        ("Int", "i", (8, 16, 32, 64)),
        ("UInt", "u", (8, 16, 32, 64)),
        ("Float", "f", (32, 64)),
    )
    for bits in sizes
}
PACKERS = ("", "vtkZLibDataCompressor", "vtkLZMADataCompressor")
APPENDED = re.compile(rb"<AppendedData[^>]*>")
MAX_DEEP = 64
LZMA_MEMORY = 1 << 28

Numbers = npt.NDArray[Any]


def read_vtu(path: Path) -> meshio.Mesh:
    """Points, cells and named parts of a VTU file."""
    root, appended = _parsed(path.read_bytes())
    grids = root.findall("UnstructuredGrid")
    if root.tag != "VTKFile" or len(grids) != 1:
        raise InputError("it is no unstructured grid; save it as one")
    source = _Source.of(path, root, appended)
    pieces = [_Piece.of(source, piece) for piece in grids[0].findall("Piece")]
    if not pieces:
        raise ValueError("it has no piece")
    first_point = np.cumsum([0] + [len(piece.points) for piece in pieces])
    first_node = np.cumsum([0] + [len(piece.nodes) for piece in pieces])
    for piece in pieces:
        if piece.nodes.size and not 0 <= piece.nodes.min() <= piece.nodes.max() < len(piece.points):
            raise InputError("a cell has a node that does not exist")
        if piece.arrays.keys() != pieces[0].arrays.keys():
            raise ValueError("its pieces have different arrays")
    return mesh_of_cells(
        np.concatenate([piece.points for piece in pieces]),
        np.concatenate([piece.nodes + k for piece, k in zip(pieces, first_point, strict=False)]),
        np.concatenate([piece.ends + k for piece, k in zip(pieces, first_node, strict=False)]),
        np.concatenate([piece.types for piece in pieces]),
        {name: np.concatenate([p.arrays[name] for p in pieces]) for name in pieces[0].arrays},
    )


def _parsed(data: bytes) -> tuple[Element, bytes]:
    """Tree of the XML, and the bytes of the appended data after their mark."""
    found = APPENDED.search(data)
    appended = b""
    if found is not None:
        start = data.find(b"_", found.end())
        appended = data[start + 1 :] if start >= 0 else b""
        data = data[: found.end()] + (b"" if found[0].endswith(b"/>") else b"</AppendedData>")
        data += b"</VTKFile>"
    builder, depth = TreeBuilder(), [0]

    def start_element(tag: str, attributes: dict[str, str]) -> None:
        depth[0] += 1
        if depth[0] > MAX_DEEP:
            raise ValueError("its elements are nested too deep")
        builder.start(tag, attributes)

    def end_element(tag: str) -> None:
        depth[0] -= 1
        builder.end(tag)

    def refuse(*_: object) -> None:
        raise InputError("it has a document type (DOCTYPE), which no VTU file needs")

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse
    parser.StartElementHandler = start_element
    parser.EndElementHandler = end_element
    parser.CharacterDataHandler = builder.data
    parser.Parse(data, True)
    return builder.close(), appended


@dataclass
class _Source:
    """How the arrays of a file are stored."""

    path: Path
    appended: bytes
    raw: bool
    order: str
    header: np.dtype[Any]
    packer: str
    declared: int = 0

    @staticmethod
    def of(path: Path, root: Element, appended: bytes) -> _Source:
        """Read the attributes of the file."""
        order = {"LittleEndian": "<", "BigEndian": ">"}[root.get("byte_order", "LittleEndian")]
        header = np.dtype(order + TYPES[root.get("header_type", "UInt32")])
        packer, section = root.get("compressor", ""), root.find("AppendedData")
        if packer not in PACKERS:
            raise InputError(f"its compressor '{packer}' is not known; save it with zlib")
        raw = section is not None and section.get("encoding", "base64") == "raw"
        return _Source(path, appended, raw, order, header, packer)

    def array(self, item: Element) -> Numbers:
        """Numbers of a `DataArray`."""
        if item.get("type") not in TYPES:
            raise ValueError(f"numbers of type '{item.get('type')}' are not read")
        dtype = np.dtype(self.order + TYPES[item.get("type", "")])
        style, text = item.get("format", "ascii"), item.text or ""
        if style == "ascii":
            numbers = text_numbers(text)
            return numbers if dtype.kind == "f" else whole_numbers(numbers)
        if style == "appended":
            position = int(item.get("offset", ""))
            if not 0 <= position < len(self.appended):
                raise ValueError(f"its appended data do not reach {position}")
            content = memoryview(self.appended)[position:]
            stream = _Raw(content) if self.raw else _Base64(bytes(content))
        elif style == "binary":
            stream = _Base64(text.strip().encode("ascii"))
        else:
            raise ValueError(f"the format '{style}' is not known")
        return np.frombuffer(self._bytes(stream), dtype)

    def _bytes(self, stream: _Raw | _Base64) -> bytes:
        """Content of an array, unpacked."""
        if not self.packer:
            return stream.sized(self.header)
        size = self.header.itemsize
        blocks = int(np.frombuffer(stream.peek(size), self.header)[0])
        sizes = np.frombuffer(stream.take(size * (3 + blocks)), self.header).tolist()
        _, whole, last, *packed = sizes
        lengths = [whole] * blocks
        if last and blocks:
            lengths[-1] = last
        self.declared += sum(lengths)
        check_expansion(self.path, self.declared)
        content, position, parts = stream.take(sum(packed)), 0, []
        for length, count in zip(lengths, packed, strict=True):
            parts.append(self._unpacked(content[position : position + count], length))
            position += count
        return b"".join(parts)

    def _unpacked(self, content: bytes, length: int) -> bytes:
        """One block, which must have the length that it declares."""
        if self.packer == "vtkLZMADataCompressor":
            unpacked = lzma.LZMADecompressor(memlimit=LZMA_MEMORY).decompress(content, length + 1)
        else:
            unpacked = zlib.decompressobj().decompress(content, length + 1)
        if len(unpacked) != length:
            raise ValueError("a packed block does not have the length that it declares")
        return unpacked


class _Raw:
    """Bytes that are read one after the other."""

    def __init__(self, content: memoryview) -> None:
        self.content, self.position = content, 0

    def peek(self, count: int) -> bytes:
        """Next bytes."""
        if not 0 <= count <= len(self.content) - self.position:
            raise ValueError("an array is shorter than it declares")
        return bytes(self.content[self.position : self.position + count])

    def take(self, count: int) -> bytes:
        """Next bytes, and go on behind them."""
        found = self.peek(count)
        self.position += count
        return found

    def sized(self, header: np.dtype[Any]) -> bytes:
        """Bytes after their number."""
        return self.take(int(np.frombuffer(self.take(header.itemsize), header)[0]))


class _Base64:
    """Bytes in base64; each `take` begins a new group of letters."""

    def __init__(self, content: bytes) -> None:
        self.content, self.position = content, 0

    def peek(self, count: int) -> bytes:
        """Next bytes."""
        letters = 4 * -(-count // 3)
        if not 0 <= letters <= len(self.content) - self.position:
            raise ValueError("an array is shorter than it declares")
        return base64.b64decode(self.content[self.position : self.position + letters])[:count]

    def take(self, count: int) -> bytes:
        """Next bytes, and go on behind their letters."""
        found = self.peek(count)
        self.position += 4 * -(-count // 3)
        return found

    def sized(self, header: np.dtype[Any]) -> bytes:
        """Bytes after their number, which is in the same letters or in its own."""
        size, own = header.itemsize, self.content[self.position :][: 4 * -(-header.itemsize // 3)]
        count = int(np.frombuffer(self.peek(size), header)[0])
        if b"=" in own:
            self.take(size)
            return self.take(count)
        return self.take(size + count)[size:]


@dataclass
class _Piece:
    """Points and cells of a piece."""

    points: Numbers
    nodes: Numbers
    ends: Numbers
    types: Numbers
    arrays: Arrays

    @staticmethod
    def of(source: _Source, piece: Element) -> _Piece:
        """Read a piece; its counts must be those of its arrays."""
        cells = {item.get("Name", ""): item for item in piece.findall("Cells/DataArray")}
        named = {item.get("Name", ""): item for item in piece.findall("CellData/DataArray")}
        point_arrays = piece.findall("Points/DataArray")
        if len(point_arrays) != 1 or {"connectivity", "offsets", "types"} - cells.keys():
            raise ValueError("a piece has no points or no cells")
        points = source.array(point_arrays[0]).astype(float)
        nodes, ends, types = (
            whole_numbers(source.array(cells[name]))
            for name in ("connectivity", "offsets", "types")
        )
        counts = [int(piece.get(f"NumberOf{name}", "")) for name in ("Points", "Cells")]
        if [3 * counts[0], counts[1], counts[1]] != [points.size, ends.size, types.size]:
            raise ValueError(f"a piece does not have the {counts} points and cells it declares")
        arrays = {name: source.array(item) for name, item in named.items() if is_name(name)}
        return _Piece(points.reshape(-1, 3), nodes, ends, types, arrays)
