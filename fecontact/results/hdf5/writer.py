"""Append-only result file: readable while the run goes on, whole after a crash.

Records are gathered in memory (`Rows`) and written about once a second: first the rows, then the
number of complete records. A crash between the two leaves rows that nobody counts. The file appears
under its name only when its structure is complete. A file whose writer died is not opened for
writing again: its complete records are copied to a new file, which then takes its place.

Before anything is written, the space for it is reserved on the disk: a full disk is found out while
the file is in order.
"""

from __future__ import annotations

import io
import json
import os
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import h5py
import numpy as np

from fecontact.drafts import not_written
from fecontact.errors import InputError
from fecontact.results.hdf5.file import (
    FORMAT,
    VERSION,
    Array,
    Header,
    StoredRun,
    refuse_foreign,
)
from fecontact.results.hdf5.lock import WriterLock
from fecontact.results.hdf5.rows import Record, Rows, as_arrays

__all__ = ["Writer", "discard"]

Lists = Mapping[str, Array]
"""Rows (e, columns) that came since the record before, by the name of their list."""
NO_LISTS: Lists = {}
Derive = Callable[[Mapping[str, Array]], dict[str, Array]]
"""Makes parts (k, ...) of records from the other parts."""

EVERY_S = 1.0
"""Time between two writings to the file."""
MAX_BYTES, MAX_ROWS = 32 << 20, 4096
"""Size and number of the records in memory at which they are written earlier."""
CHUNK_BYTES, CHUNK_ROWS = 1 << 16, 512
LONG_CHUNK_BYTES = 1 << 18
"""Size of the pieces of a part in the file; of a run that is known to be long the larger one."""
SPARE_BYTES = 1 << 20
"""Room for the index of HDF5."""
PACKED_BYTES = 1 << 10
"""Smallest row that is worth compressing."""
STATUS, MESSAGE = "S16", "S1000"


class Writer:
    """Writes records to a new file.

    Parameters
    ----------
    path
        Result file.
    header
        What the file says once.
    first
        Record whose parts, shapes and types are those of all records; it is not written.
    earlier
        Run whose complete records begin the file; it may be the file itself.
    overwrite
        Whether an existing result may be replaced; any other file never is.
    compress
        Compress parts with many numbers, one record at a time; costs time.
    expected
        About how many records will come, if it is known.
    derive
        Makes the parts of many records that follow from the others, as readings of sensors: they
        are worked out batch by batch, when the records are written. The first record has them too.

    Raises
    ------
    InputError
        If the file exists, is being written by another run, or cannot be written.
    """

    def __init__(
        self,
        path: str | Path,
        header: Header,
        first: Record,
        *,
        earlier: StoredRun | None = None,
        overwrite: bool = False,
        compress: bool = False,
        expected: int = 0,
        derive: Derive = lambda parts: {},
    ) -> None:
        self.path, self._derive = Path(path), derive
        own = earlier is not None and _same_file(earlier.path, self.path)
        self._lock = WriterLock(self.path)
        self._part = self.path.with_name(f".{self.path.name}.part")
        self._written, self._broken = time.monotonic(), False
        self.complete = 0
        parts = as_arrays(first)
        row = sum(part.nbytes for part in parts.values())
        self._batch = Rows(parts, max(1, min(MAX_ROWS, MAX_BYTES // max(1, row))))
        self._listed = [NO_LISTS] * self._batch.size
        try:
            if self.path.exists() and not (own or overwrite):
                raise InputError(
                    f"file '{self.path}' exists; choose another name, overwrite=True to replace "
                    "it, or restart to continue it"
                )
            if self.path.exists():
                refuse_foreign(self.path)
            self._file = self._begin(header, parts, compress, expected)
            if earlier is not None:
                self._copy(earlier)
            self._waiting = self.complete, 0  # number of the first record in the batch, and of all
            self._file.swmr_mode = True
            self._file.flush()
            os.replace(self._part, self.path)
        except (OSError, InputError) as error:
            self._abandon()
            raise self._refused(error) from error
        except BaseException:
            self._abandon()
            raise

    def append(self, record: Record, lists: Lists = NO_LISTS) -> None:
        """Add a record, and the rows of its lists since the one before, by name.

        It reaches the file within about a second of further records.
        """
        if self._broken:
            raise InputError(f"file '{self.path}' cannot be written any more")
        if self._waiting[1] == self._batch.size:  # an earlier flush was interrupted
            self.flush()
        first, count = self._waiting
        self._batch.put(count, record)
        self._listed[count] = lists
        self._waiting = first, count + 1  # last: what is interrupted before does not count
        if count + 1 == self._batch.size or time.monotonic() - self._written > EVERY_S:
            self.flush()

    def flush(self) -> None:
        """Write the records in memory; may be interrupted and called again.

        A record that was counted before the interruption is not written a second time.
        """
        first, count = self._waiting
        new = self.complete - first
        try:
            if new < count:
                parts = self._batch.parts(new, count)
                self._extend(parts | self._derive(parts), self._listed[new:count])
        except OSError as error:
            self._broken = True
            self._waiting = self.complete, 0
            raise self._refused(error) from error
        self._waiting, self._written = (self.complete, 0), time.monotonic()

    def close(self, status: str, message: str = "", lists: Lists = NO_LISTS) -> None:
        """Write what is left, and how the run ended; a closed file stays as it is.

        Rows of lists that came after the last record are not counted with any.
        """
        if not self._file.id.valid:
            return
        try:
            if not self._broken:
                self.flush()
                if any(len(part) for part in lists.values()):
                    self._add_rest(lists)
        finally:
            try:
                self._file["status"][()] = status.encode()
                self._file["message"][()] = message.encode()[: int(MESSAGE[1:])]
                self._file.close()
            except (OSError, RuntimeError) as error:
                if not self._broken:
                    raise self._refused(error) from error
            finally:
                self._lock.release()

    def _begin(
        self, header: Header, first: dict[str, Array], compress: bool, expected: int
    ) -> h5py.File:
        """New file with its structure, under another name.

        It is made in memory: HDF5 does not survive a disk that is full while it makes a file.
        """
        image = io.BytesIO()
        with h5py.File(image, "w", libver="latest") as file:
            file.attrs["format"], file.attrs["version"] = FORMAT, VERSION
            file["about"] = json.dumps(header.about)
            fixed, records = file.create_group("fixed"), file.create_group("records")
            for name, array in header.fixed.items():
                fixed[name] = array
            for name, part in first.items():
                _dataset(records, name, part, compress, expected)
            lists = file.create_group("lists")
            for name, columns in header.lists.items():
                _dataset(lists, name, np.zeros(columns))
                _dataset(lists, f"{name}_until", np.zeros(()))
            file["complete"] = np.int64(0)
            file.create_dataset("status", data=np.bytes_("running"), dtype=STATUS)
            file.create_dataset("message", data=np.bytes_(""), dtype=MESSAGE)
        self._part.write_bytes(image.getbuffer())
        # no cache of chunks: rows come in batches, which go to the file as they are
        self._file = h5py.File(self._part, "r+", libver="latest", rdcc_nbytes=0)
        self._parts = {name: self._file["records"][name] for name in first}
        lists = self._file["lists"]
        self._lists = {name: (lists[name], lists[f"{name}_until"]) for name in header.lists}
        self._reserve(0, 0)
        return self._file

    def _copy(self, earlier: StoredRun) -> None:
        """Take over the complete records of another file.

        Numbers that it has not, as it was written before they were stored, are nan. What follows
        from the others is worked out again: sensors may be other ones than those of the file.
        """
        shapes = {name: part.shape[1:] for name, part in self._parts.items()}
        new = shapes.keys() - earlier.shapes.keys() | {"sensors"}
        kept = {name: shape for name, shape in earlier.shapes.items() if name != "sensors"}
        odd = [name for name, shape in kept.items() if shapes.get(name) != shape]
        odd += [name for name in new if name in shapes and self._parts[name].dtype.kind != "f"]
        if odd:
            raise InputError(
                f"file '{earlier.path}' cannot be continued: the sizes of its records differ "
                f"({', '.join(sorted(odd))})"
            )
        for start in range(0, earlier.complete, CHUNK_ROWS):
            rows = slice(start, min(start + CHUNK_ROWS, earlier.complete))
            count = rows.stop - rows.start
            parts = {
                name: np.full((count, *shapes[name]), np.nan) if name in new
                else earlier.records(name, rows)
                for name in self._parts
            }  # fmt: skip
            listed = {
                name: earlier.list_rows(name, found.shape[1], rows)
                for name, (found, _) in self._lists.items()
            }
            parts |= self._derive(parts)
            self._extend(parts, [{name: listed[name][i] for name in listed} for i in range(count)])

    def _extend(self, rows: Mapping[str, Array], lists: Sequence[Lists]) -> None:
        """Write rows after the complete ones, and those of their lists; then count them."""
        count = len(next(iter(rows.values())))
        end = self.complete + count
        new = {
            name: [part.get(name, np.zeros((0, found.shape[1]))) for part in lists]
            for name, (found, _) in self._lists.items()
        }
        self._reserve(end, sum(part.nbytes for parts in new.values() for part in parts))
        for name, (found, until) in self._lists.items():
            first = int(until[self.complete - 1]) if self.complete else 0
            ends = first + np.cumsum([len(part) for part in new[name]])
            _append(found, first, np.vstack(new[name]))
            _append(until, self.complete, ends.astype(float))
        for name, part in self._parts.items():
            _append(part, self.complete, rows[name])
        self._file.flush()
        self._file["complete"][()] = end
        self._file.flush()
        self.complete = end

    def _add_rest(self, lists: Lists) -> None:
        """Write rows of lists after the last record."""
        try:
            self._reserve(self.complete, sum(part.nbytes for part in lists.values()))
            for name, part in lists.items():
                found, until = self._lists[name]
                first = int(until[self.complete - 1]) if self.complete else 0
                _append(found, first, part)
        except OSError as error:
            raise self._refused(error) from error

    def _reserve(self, end: int, listed: int) -> None:
        """Take the space on the disk for rows up to `end` and bytes of lists, or raise.

        It raises while nothing is written.
        """
        if not hasattr(os, "posix_fallocate"):  # pragma: no cover
            return
        need = SPARE_BYTES + listed
        for part in (*self._parts.values(), *(until for _, until in self._lists.values())):
            chunk = part.chunks
            new = -(-end // chunk[0]) - -(-self.complete // chunk[0])
            need += new * int(np.prod(chunk)) * part.dtype.itemsize
        identifier = self._file.id
        os.posix_fallocate(identifier.get_vfd_handle(), 0, identifier.get_filesize() + need)

    def _refused(self, error: Exception) -> InputError:
        if isinstance(error, InputError):
            return error
        kept = f"; its {self.complete} records are kept" if self.complete else ""
        return InputError(f"{not_written(self.path, error)}{kept}")

    def _abandon(self) -> None:
        """Leave no trace of a file that could not be begun."""
        file = getattr(self, "_file", None)
        try:
            if file is not None:
                file.close()
        except (OSError, RuntimeError):
            pass
        self._part.unlink(missing_ok=True)
        self._lock.release()


def discard(path: Path) -> None:
    """Remove a result file, unless another run writes to it."""
    lock = WriterLock(path)
    path.unlink(missing_ok=True)
    lock.release()


def _append(data: h5py.Dataset, first: int, rows: Array) -> None:
    """Let rows follow the first ones; indexing a dataset takes several times as long."""
    identifier, origin = data.id, (first, *(0 for _ in rows.shape[1:]))
    identifier.set_extent((first + len(rows), *rows.shape[1:]))
    if rows.size:
        there = identifier.get_space()
        there.select_hyperslab(origin, rows.shape)
        identifier.write(h5py.h5s.create_simple(rows.shape), there, np.ascontiguousarray(rows))


def _dataset(
    group: h5py.Group, name: str, part: Array, compress: bool = False, expected: int = 0
) -> h5py.Dataset:
    """Rows of a part, none so far; a part without numbers gets rows without numbers.

    What is behind the last row of a chunk is not filled.
    """
    row = max(1, part.size) * part.dtype.itemsize
    packed = compress and row >= PACKED_BYTES
    chunk = LONG_CHUNK_BYTES if expected * row > 4 * LONG_CHUNK_BYTES else CHUNK_BYTES
    count = 1 if packed else min(max(1, chunk // row), CHUNK_ROWS)
    return group.create_dataset(
        name,
        shape=(0, *part.shape),
        maxshape=(None, *(size or None for size in part.shape)),
        chunks=(count, *(size or 1 for size in part.shape)),
        dtype=part.dtype,
        fill_time="never",
        **({"compression": "gzip", "compression_opts": 1, "shuffle": True} if packed else {}),
    )


def _same_file(a: Path, b: Path) -> bool:
    return a.exists() and b.exists() and a.samefile(b)
