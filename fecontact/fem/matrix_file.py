"""Sparse matrices from files of other programs: Matrix Market (.mtx) and scipy (.npz).

scipy's own readers end the process on a number that is cut off (.mtx) and on row pointers that are
none (.npz); here every index is looked at before a matrix is built from it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from fecontact.errors import InputError
from fecontact.files import check_expansion, plain_file, read_npz, reading
from fecontact.files.text import text_numbers, whole_numbers
from fecontact.typing import Floats, Integers

__all__ = ["read_matrix", "real_matrix"]

WHAT = "matrix file"
LONGEST_LINE = 1 << 16
VALUES = {"pattern": 0, "real": 1, "double": 1, "integer": 1, "unsigned-integer": 1, "complex": 2}
"""Numbers per entry by the field of a Matrix Market file."""
SYMMETRIES = {"general": 0.0, "symmetric": 1.0, "skew-symmetric": -1.0}
"""What the entries of the other triangle are multiplied by."""

Arrays = dict[str, npt.NDArray[Any]]
Entries = tuple[Integers, Integers, npt.NDArray[Any]]
"""Rows, columns (from 0) and values."""


def read_matrix(path: str | Path) -> sp.csr_array:
    """Read a sparse matrix from Matrix Market (.mtx) or scipy (.npz).

    Entries that occur several times are added, as scipy does. A file whose indices are not those of
    a matrix of its shape, or with numbers that are not finite, is refused.
    """
    path = Path(path)
    if path.suffix not in (".mtx", ".npz"):
        raise InputError(f"invalid {WHAT} '{path}': expected a name that ends in .mtx or .npz")
    plain_file(path, WHAT)
    with reading(path, WHAT):
        shape, entries = _market(path) if path.suffix == ".mtx" else _scipy(path)
        check_expansion(path, 8 * sum(shape), WHAT)
        return real_matrix(f"{WHAT} '{path}'", _built(shape, *entries))


def real_matrix(name: str, matrix: sp.csr_array) -> sp.csr_array:
    """Return the matrix in double precision; a complex one is refused."""
    if np.iscomplexobj(matrix):
        raise InputError(
            f"invalid {name} with complex entries: expected real ones; give the damping apart, as "
            "StructuralDamping for example"
        )
    return sp.csr_array(matrix.astype(float))


def _built(
    shape: tuple[int, int], rows: Integers, columns: Integers, values: npt.NDArray[Any]
) -> sp.csr_array:
    """Matrix of the entries, after a look at all of them."""
    if rows.shape != values.shape or columns.shape != values.shape or values.ndim != 1:
        raise ValueError("rows, columns and values of the entries differ in number")
    if values.dtype.kind not in "biufc":
        raise ValueError("its entries are no numbers")
    for name, numbers, size in (("row", rows, shape[0]), ("column", columns, shape[1])):
        wrong = np.flatnonzero((numbers < 0) | (numbers >= size))
        if len(wrong):
            raise ValueError(
                f"entry {wrong[0]} (from 0) is in {name} {numbers[wrong[0]]} of {size}"
            )
    if not np.all(np.isfinite(values)):
        raise ValueError("it has entries that are not finite numbers")
    return sp.csr_array(sp.coo_array((values, (rows, columns)), shape=shape))


def _market(path: Path) -> tuple[tuple[int, int], Entries]:
    """Shape and entries of a Matrix Market file."""
    with path.open("rb") as stream:
        kind, field, symmetry = _banner(stream)
        sizes = _sizes(stream, 3 if kind == "coordinate" else 2)
        body = stream.read()
    shape = (sizes[0], sizes[1])
    if symmetry != "general" and shape[0] != shape[1]:
        raise ValueError(f"it is {symmetry}, but its shape is {shape}")
    sign = SYMMETRIES[symmetry]
    if kind == "array":
        rows, columns = _dense_entries(shape, symmetry, len(body))
        values = _values(_table(body, len(rows), VALUES[field]))
    else:
        table = _table(body, sizes[2], 2 + VALUES[field])
        rows, columns = whole_numbers(table[:, 0]) - 1, whole_numbers(table[:, 1]) - 1
        values = _values(table[:, 2:])
    if not sign:
        return shape, (rows, columns, values)
    if np.any(rows < columns) and np.any(rows > columns):
        raise ValueError(f"it is {symmetry}, but has entries in both triangles")
    mirrored = np.flatnonzero(rows != columns)
    both = (
        np.concatenate([rows, columns[mirrored]]),
        np.concatenate([columns, rows[mirrored]]),
        np.concatenate([values, sign * values[mirrored]]),
    )
    return shape, both


def _banner(stream: BinaryIO) -> tuple[str, str, str]:
    """Kind, field and symmetry from the first line."""
    words = stream.readline(LONGEST_LINE).decode("ascii", "replace").lower().split()
    if len(words) != 5 or words[:2] != ["%%matrixmarket", "matrix"]:
        raise ValueError("its first line is none of Matrix Market")
    kind, field, symmetry = words[2:]
    if kind not in ("coordinate", "array") or field not in VALUES:
        raise ValueError(f"its kind '{kind} {field}' is not known")
    if symmetry == "hermitian" and field == "complex":
        symmetry = "general"  # complex entries are refused whatever the symmetry
    if symmetry not in SYMMETRIES or (kind == "array" and field == "pattern"):
        raise ValueError(f"its symmetry '{symmetry}' is not known")
    return kind, field, symmetry


def _sizes(stream: BinaryIO, count: int) -> list[int]:
    """Numbers of rows, columns and entries, after the comments."""
    line = stream.readline(LONGEST_LINE)
    while line.startswith(b"%") or (line and not line.strip()):
        line = stream.readline(LONGEST_LINE)
    sizes = [int(word) for word in line.split()]
    if len(sizes) != count or min(sizes) < 0:
        raise ValueError(f"its sizes '{line[:60].decode('ascii', 'replace').strip()}' are none")
    return sizes


def _table(body: bytes, rows: int, columns: int) -> Floats:
    """Numbers of a text as a table; each takes at least two bytes of it."""
    if 2 * rows * columns > len(body) + 1:
        raise ValueError(f"it is too short for the {rows} entries that it declares")
    numbers = text_numbers(body)
    if numbers.size != rows * columns:
        raise ValueError(f"it holds {numbers.size} numbers instead of {rows * columns}")
    return numbers.reshape(rows, columns)


def _values(table: Floats) -> npt.NDArray[Any]:
    """Values of the entries: ones, numbers, or real and imaginary parts."""
    if table.shape[1] == 2:
        return table[:, 0] + 1j * table[:, 1]
    return table[:, 0] if table.shape[1] else np.ones(len(table))


def _dense_entries(
    shape: tuple[int, int], symmetry: str, max_count: int
) -> tuple[Integers, Integers]:
    """Rows and columns of the entries of a dense matrix, column after column."""
    if shape[0] * shape[1] > 2 * max_count + 2:
        raise ValueError(f"it is too short for its shape {shape}")
    columns, rows = np.divmod(np.arange(shape[0] * shape[1]), max(shape[0], 1))
    lowest = {"general": -shape[1], "symmetric": 0, "skew-symmetric": 1}[symmetry]
    kept = rows - columns >= lowest
    return rows[kept], columns[kept]


def _scipy(path: Path) -> tuple[tuple[int, int], Entries]:
    """Shape and entries of a file of `scipy.sparse.save_npz`."""
    arrays = read_npz(path, WHAT)
    missing = {"format", "shape", "data"} - arrays.keys()
    if missing:
        raise ValueError(f"it is no sparse matrix of scipy: no '{min(missing)}'")
    kind, sizes = str(arrays["format"].astype("U")), _whole(arrays, "shape")
    if sizes.shape != (2,) or sizes.min() < 0 or kind not in _ENTRIES:
        raise ValueError(f"its format '{kind}' of shape {sizes.tolist()} is not known")
    shape = (int(sizes[0]), int(sizes[1]))
    return shape, _ENTRIES[kind](arrays, shape)


def _whole(arrays: Arrays, name: str) -> Integers:
    """Array of whole numbers by its name."""
    if name not in arrays or arrays[name].dtype.kind not in "iu":
        raise ValueError(f"its '{name}' are no whole numbers")
    return arrays[name].astype(np.int64)


def _compressed(arrays: Arrays, majors: int, count: int) -> tuple[Integers, Integers]:
    """Major and minor index of each entry; the pointers must rise from 0 to the end."""
    pointers, indices = _whole(arrays, "indptr"), _whole(arrays, "indices")
    rising = pointers.shape == (majors + 1,) and pointers[0] == 0 and np.all(np.diff(pointers) >= 0)
    if not rising or indices.shape != (count,) or pointers[-1] != count:
        raise ValueError("its row pointers 'indptr' do not rise from 0 to the number of entries")
    return np.repeat(np.arange(majors), np.diff(pointers)), indices


def _csr(arrays: Arrays, shape: tuple[int, int]) -> Entries:
    rows, columns = _compressed(arrays, shape[0], len(arrays["data"]))
    return rows, columns, arrays["data"]


def _csc(arrays: Arrays, shape: tuple[int, int]) -> Entries:
    columns, rows = _compressed(arrays, shape[1], len(arrays["data"]))
    return rows, columns, arrays["data"]


def _bsr(arrays: Arrays, shape: tuple[int, int]) -> Entries:
    """Blocks (b, r, c) by rows of blocks."""
    data = arrays["data"]
    if data.ndim != 3 or 0 in data.shape[1:] or shape[0] % data.shape[1]:
        raise ValueError(f"blocks of shape {data.shape} do not fit its shape {shape}")
    height, width = data.shape[1:]
    first, second = _compressed(arrays, shape[0] // height, len(data))
    rows = (first * height)[:, None, None] + np.arange(height)[:, None]
    columns = (second * width)[:, None, None] + np.arange(width)
    every = np.broadcast_arrays(rows, columns, data)
    return every[0].ravel(), every[1].ravel(), every[2].ravel()


def _coo(arrays: Arrays, shape: tuple[int, int]) -> Entries:
    if "coords" in arrays:
        rows, columns = _whole(arrays, "coords")
        return rows, columns, arrays["data"]
    return _whole(arrays, "row"), _whole(arrays, "col"), arrays["data"]


def _dia(arrays: Arrays, shape: tuple[int, int]) -> Entries:
    """Diagonals (d, n), each by its columns."""
    offsets, data = _whole(arrays, "offsets"), arrays["data"]
    if data.ndim != 2 or offsets.shape != data.shape[:1] or len(np.unique(offsets)) < len(offsets):
        raise ValueError(f"diagonals of shape {data.shape} do not fit offsets {offsets.shape}")
    columns = np.broadcast_to(np.arange(data.shape[1]), data.shape)
    rows = columns - offsets[:, None]
    inside = (rows >= 0) & (rows < shape[0]) & (columns < shape[1])
    return rows[inside], columns[inside], data[inside]


_ENTRIES = {"csr": _csr, "csc": _csc, "bsr": _bsr, "coo": _coo, "dia": _dia}
