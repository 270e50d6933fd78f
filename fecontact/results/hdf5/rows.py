"""Records that are not written yet, as rows in memory: one array per part, filled in place."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from fecontact.results.source import Array

__all__ = ["Record", "Rows", "as_arrays"]

Record = Mapping[str, npt.ArrayLike]
"""Parts of one output time by name; a part has the same shape in all records."""


def as_arrays(record: Record) -> dict[str, Array]:
    """Copy of a record; integers are kept, all else is float."""
    parts = {name: np.array(part) for name, part in record.items()}
    return {n: p if p.dtype.kind in "iu" else p.astype(float) for n, p in parts.items()}


class Rows:
    """A fixed number of rows of records, part by part.

    Single numbers of one type stand side by side in one table: a row of them is filled at once.

    Parameters
    ----------
    first
        Record whose parts, shapes and types are those of all records; it is not put anywhere.
    size
        Number of rows.
    """

    def __init__(self, first: Record, size: int) -> None:
        parts = as_arrays(first)
        self.size, self.names = size, frozenset(parts)
        numbers = {name: part.dtype for name, part in parts.items() if part.ndim == 0}
        kinds = dict.fromkeys(numbers.values())
        self._numbers = [[name for name in numbers if numbers[name] == kind] for kind in kinds]
        self._tables = [
            np.empty((size, len(names)), kind)
            for names, kind in zip(self._numbers, kinds, strict=True)
        ]
        self._arrays = {
            name: np.empty((size, *part.shape), part.dtype)
            for name, part in parts.items()
            if part.ndim
        }

    def put(self, row: int, record: Record) -> None:
        """Copy a record to a row.

        Raises
        ------
        ValueError
            If its parts or their shapes are not those of the first one.
        """
        if record.keys() != self.names:
            raise ValueError(f"a record has the parts {sorted(record)}, not {sorted(self.names)}")
        for names, table in zip(self._numbers, self._tables, strict=True):
            table[row] = [record[name] for name in names]
        for name, rows in self._arrays.items():
            part = np.asarray(record[name])
            if part.shape != rows.shape[1:]:
                raise ValueError(f"'{name}' has the shape {part.shape}, not {rows.shape[1:]}")
            rows[row] = part

    def parts(self, first: int, last: int) -> dict[str, Array]:
        """Rows (k, ...) of each part, as views."""
        found = {name: rows[first:last] for name, rows in self._arrays.items()}
        for names, table in zip(self._numbers, self._tables, strict=True):
            found |= {name: table[first:last, i] for i, name in enumerate(names)}
        return found
