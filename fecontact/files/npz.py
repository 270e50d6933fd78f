"""numpy's .npz files without what can hurt: no objects, no array larger than its bytes.

`numpy.load` takes the memory that the header of an array declares before it looks for the data,
and inflates whatever is in the archive. Here the sizes are compared first.
"""

from __future__ import annotations

import math
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fecontact.files.plain import check_expansion, plain_file, reading

__all__ = ["read_npz"]

HEADERS = {
    (1, 0): np.lib.format.read_array_header_1_0,
    (2, 0): np.lib.format.read_array_header_2_0,
}
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
PLAIN = "biufcSU"
"""Kinds of numbers and texts; objects would be programs."""


def read_npz(path: str | Path, what: str = "file") -> dict[str, npt.NDArray[Any]]:
    """Arrays of an .npz file by name; a file that is not as it says is an `InputError`."""
    path = plain_file(path, what)
    with reading(path, what), zipfile.ZipFile(path) as archive:
        members = archive.infolist()
        names = [member.filename.removesuffix(".npy") for member in members]
        if len(set(names)) < len(names):
            raise ValueError("two arrays have the same name")
        check_expansion(path, sum(member.file_size for member in members), what)
        return {n: _array(archive, m) for n, m in zip(names, members, strict=True)}


def _array(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> npt.NDArray[Any]:
    """One array; its shape must fit the bytes of the member."""
    if member.compress_type not in METHODS:
        raise ValueError(f"'{member.filename}' is packed by an unknown method")
    with archive.open(member) as stream:
        version = np.lib.format.read_magic(stream)
        if version not in HEADERS:
            raise ValueError(f"'{member.filename}' has an unknown version {version}")
        shape, by_columns, dtype = HEADERS[version](stream)
        if dtype.kind not in PLAIN:
            raise ValueError(f"'{member.filename}' holds no plain numbers")
        size = math.prod(shape) * dtype.itemsize
        if min(shape, default=0) < 0 or stream.tell() + size != member.file_size:
            raise ValueError(f"'{member.filename}' is not as long as its shape {shape} says")
        content = stream.read()
    if len(content) != size:
        raise ValueError(f"'{member.filename}' is cut off")
    return np.frombuffer(content, dtype).reshape(shape, order="F" if by_columns else "C").copy()
