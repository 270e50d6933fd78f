"""What an HDF5 file is made of: the walk that `fecontact.files.hdf5` does in a child process.

HDF5 can keep the bytes of a dataset in any other file (external storage), compose it from datasets
of other files (virtual datasets), and lead a name to another file (external links) or to another
place (soft links). A reader of such a file would open whatever its author names and hand it on. A
packed piece of a dataset can also be larger than the dataset says. All of these are refused.

The child reads paths, one JSON text per line, and answers each with a line.
"""

from __future__ import annotations

import json
import math
import signal
import sys
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import h5py
from h5py import h5d, h5t, h5z

from fecontact.files.superblock import UnmarkedFile, is_marked

__all__ = ["READY", "answer", "declared_bytes", "main"]

MEMORY = 4 << 30
"""Address space of the child in bytes."""
READY = "ready"
"""First line of the child."""
MAX_DEEP = 32
"""Levels of groups."""


class RefusedError(Exception):
    """A file holds what is not read."""


def answer(path: str) -> dict[str, Any]:
    """Bytes that a file declares, or why it is refused or damaged."""
    try:
        with h5py.File(UnmarkedFile(Path(path)) if is_marked(Path(path)) else path, "r") as file:
            return {"bytes": declared_bytes(file)}
    except RefusedError as error:
        return {"refused": str(error)}
    except Exception as error:
        lines = str(error).strip().splitlines()
        return {"damaged": lines[0] if lines else type(error).__name__}


def declared_bytes(file: Any) -> int:
    """Sum of the sizes of all datasets of an open file.

    Links must be hard, datasets plain numbers or one text, stored in the file itself and packed by
    the filters of HDF5, if at all.
    """
    for name in file.attrs:
        file.attrs[name]
    return sum(_bytes_of(item) for item in _datasets(file, set(), 0))


def _datasets(group: Any, seen: set[int], depth: int) -> Iterator[Any]:
    """All datasets, each once: hard links may lead back to a group above."""
    if depth > MAX_DEEP:
        raise RefusedError("its groups are nested too deep")
    for name in list(group.id):
        if group.id.links.get_info(name).type != h5py.h5l.TYPE_HARD:
            path = f"{group.name.rstrip('/')}/{name.decode(errors='replace')}"
            raise RefusedError(f"'{path}' is a link to another place; copy the data into the file")
        item = group[name]
        address = h5py.h5o.get_info(item.id).addr
        if address in seen:
            continue
        seen.add(address)
        if isinstance(item, h5py.Group):
            yield from _datasets(item, seen, depth + 1)
        elif isinstance(item, h5py.Dataset):
            yield item


def _bytes_of(data: Any) -> int:
    """Bytes that a dataset declares; it must hold plain numbers, in this file."""
    properties, kind = data.id.get_create_plist(), data.id.get_type()
    layout = properties.get_layout()
    if layout == h5d.VIRTUAL or properties.get_external_count():
        raise RefusedError(
            f"the data of '{data.name}' lie in another file; copy them into the file"
        )
    used = [properties.get_filter(i)[0] for i in range(properties.get_nfilters())]
    text = kind.get_class() == h5t.STRING and data.shape == ()
    plain = kind.get_class() in (h5t.INTEGER, h5t.FLOAT, h5t.ENUM)
    known = {h5z.FILTER_DEFLATE, h5z.FILTER_SHUFFLE, h5z.FILTER_FLETCHER32}
    if not set(used) <= known or len(set(used)) < len(used):
        raise RefusedError(f"'{data.name}' is packed by a method that is not known")
    if not (plain or text):
        raise RefusedError(f"'{data.name}' does not hold plain numbers")
    if text:
        return len(data[()])
    if layout == h5d.CHUNKED:
        piece = math.prod(properties.get_chunk()) * kind.get_size()
        _check_pieces(data, piece, used)
        return max(data.size * kind.get_size(), piece)
    if data.size:
        data[(0,) * data.ndim]
    return int(data.size) * int(kind.get_size())


def _check_pieces(data: Any, piece: int, filters: list[int]) -> None:
    """Walk through all pieces of a dataset; a packed one must unpack to the size of a piece."""
    stored: list[Any] = []
    data.id.chunk_iter(stored.append)
    if h5z.FILTER_DEFLATE not in filters:
        return
    deflate = filters.index(h5z.FILTER_DEFLATE)
    expected = piece + 4 * filters[:deflate].count(h5z.FILTER_FLETCHER32)  # a checksum each
    for info in stored:
        if info.filter_mask & (1 << deflate):
            continue
        _, content = data.id.read_direct_chunk(info.chunk_offset)
        unpacked = zlib.decompressobj().decompress(content, expected + 1)
        if len(unpacked) != expected:
            raise RefusedError(f"a piece of '{data.name}' is not as large as it should be")


def _bound() -> None:
    """Bound the memory of this process, and leave Ctrl-C to its parent."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def main() -> None:
    """Answer each line of the standard input until it ends."""
    _bound()
    print(READY, flush=True)
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), flush=True)
