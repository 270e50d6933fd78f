"""The result file and how it is read.

Layout, version 1. Attributes of the root: `format`, `version`. `about`: JSON text with names,
system and method. `fixed/...`: arrays that do not change in time. `records/...`: one row per output
time in each. `lists/...`: rows that come between output times, and how many there are at each:
switches of contact points, user events. `complete`: number of rows that are whole; rows after it
are ignored. `status` and `message`: how the run ended.

The file is written with HDF5's single writer, multiple readers. While its writer lives it is opened
here as such a reader; if its writer was killed, see `superblock`. It is open only while it is
read.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import h5py
import numpy as np

from fecontact.errors import InputError, unknown
from fecontact.files import check_hdf5, plain_file, reading
from fecontact.files.superblock import UnmarkedFile, is_marked
from fecontact.results.hdf5.lock import is_being_written
from fecontact.results.point import STATE, Crossing
from fecontact.results.source import Array
from fecontact.results.switches import COLUMNS
from fecontact.system.state import State

__all__ = ["FORMAT", "VERSION", "Array", "Header", "StoredRun", "refuse_foreign"]

FORMAT = "fecontact simulation"
VERSION = 2
RENAMED = {"mode": "status", "wear": "slip_totals"}
"""Records that files of version 1 have under other names."""


@dataclass(frozen=True)
class Header:
    """What a result file says once: JSON record `about`, arrays by name, columns of its lists."""

    about: Mapping[str, Any]
    fixed: Mapping[str, Array] = field(default_factory=dict)
    lists: Mapping[str, int] = field(default_factory=lambda: {"switches": COLUMNS})


@dataclass(frozen=True)
class StoredRun:
    """Complete records of a result file at the moment it was loaded.

    Attributes
    ----------
    path
        The file.
    about
        Names, system, method.
    complete
        Number k of complete records.
    status, message
        "running", "finished", "interrupted", "failed", or "killed": the file says running, but
        nobody writes to it any more.
    shapes
        Shape of one row of each record.
    stored_as
        Names of records in the file, where they are others than now.
    """

    path: Path
    about: dict[str, Any]
    complete: int
    status: str
    message: str
    shapes: dict[str, tuple[int, ...]]
    fixed_names: tuple[str, ...]
    stored_as: dict[str, str] = field(default_factory=dict)

    @staticmethod
    def load(path: str | Path) -> StoredRun:
        """Read what is in a file; anything but a result file of a known version is refused."""
        path = Path(path)
        with opened(path) as file:
            _check_format(file, path)
            complete = operator.index(file["complete"][()])  # first: rows may follow while we look
            records = _datasets(file["records"])
            short = [name for name, data in records.items() if len(data) < complete]
            if complete < 0 or short:
                what = f"'{short[0]}' is shorter than {complete} records" if short else "no records"
                raise InputError(f"file '{path}' is damaged: {what}")
            about = json.loads(file["about"].asstr()[()])
            if not isinstance(about, dict):
                raise InputError(f"file '{path}' is damaged: 'about' is no record")
            names = {name: _name_now(name) for name in records}
            return StoredRun(
                path,
                about,
                complete,
                _status(path, file["status"][()].decode()),
                file["message"][()].decode(errors="replace"),
                {names[name]: data.shape[1:] for name, data in records.items()},
                tuple(_datasets(file["fixed"])),
                {now: name for name, now in names.items() if now != name},
            )

    def fixed(self, name: str) -> Array:
        """Array that does not change in time."""
        if name not in self.fixed_names:
            raise unknown("array", name, self.fixed_names)
        with opened(self.path) as file:
            return np.asarray(file["fixed"][name][()])

    def records(self, name: str, rows: slice = slice(None)) -> Array:
        """Rows (k, ...) of a record; rows are counted among the complete ones."""
        if name not in self.shapes:
            raise unknown("record", name, self.shapes)
        start, stop, step = rows.indices(self.complete)
        with opened(self.path) as file:
            stored = file["records"][self.stored_as.get(name, name)]
            return np.asarray(stored[start : max(start, stop) : step])

    def record(self, index: int = -1) -> dict[str, Array]:
        """All parts of one record; -1 is the last complete one."""
        row = index % self.complete
        with opened(self.path) as file:
            records = file["records"]
            return {
                name: np.asarray(records[self.stored_as.get(name, name)][row])
                for name in self.shapes
            }

    def listed(self, rows: slice = slice(None)) -> list[Array]:
        """Located switches (e, 4) of contact points in the time before each of these records.

        They are counted among the complete ones, without gaps. A file that was written before they
        were stored has none.
        """
        return self.list_rows("switches", COLUMNS, rows)

    def list_rows(
        self, name: str, columns: int, rows: slice = slice(None), rest: bool = False
    ) -> list[Array]:
        """Rows (e, columns) of a list before each of these records; as `listed`.

        With `rest` those after the last record come with it.
        """
        start, stop, _ = rows.indices(self.complete)
        count = max(0, stop - start)
        with opened(self.path) as file:
            if "lists" not in file or name not in file["lists"]:
                return [np.zeros((0, columns))] * count
            until = np.asarray(file["lists"][f"{name}_until"][: start + count], dtype=float)
            ends = np.concatenate([[0.0], until])
            found = file["lists"][name]
            rises = np.isfinite(ends).all() and np.all(np.diff(ends) >= 0.0)
            fits = len(until) == start + count and found.shape[1:] == (columns,)
            if not (rises and fits and ends[-1] <= len(found)):
                raise InputError(f"{self.label} is damaged: its lists do not fit its records")
            last = len(found) if rest else int(ends[-1])
            ends = ends[start:].astype(int)
            found = np.asarray(found[ends[0] : last], dtype=float)
        return np.split(found, ends[1:-1] - ends[0]) if count else []

    def crossings(self) -> tuple[Crossing, ...]:
        """User events that happened, in order of time."""
        names = self.about.get("events", [])
        sizes = [int(np.prod(self.shapes.get(part, (0,)))) for part in STATE]
        whole = self.status not in ("running", "killed")  # others may have half a row at the end
        rows = self.list_rows("events", 1 + sum(sizes), rest=whole)
        try:
            return tuple(Crossing.of(row, names, sizes) for part in rows for row in part)
        except InputError as error:
            raise InputError(f"{self.label}: {error}") from error

    @property
    def label(self) -> str:
        """How messages call the run."""
        return f"file '{self.path}'"

    @property
    def layout(self) -> dict[str, Any]:
        """What the columns of the records mean; all of `about`."""
        return self.about

    @property
    def validity(self) -> dict[str, float]:
        """Body -> frequency in Hz up to which it is valid at the start of the motion."""
        return dict(self.about.get("validity", {}))

    def state(self, index: int = -1) -> State:
        """State of a record."""
        missing = set(STATE) - self.shapes.keys()
        if missing:
            raise InputError(f"{self.label} is damaged: no records '{min(missing)}'")
        record = self.record(index)
        return State(
            t=float(record["t"]),
            q=record["q"],
            v=record["v"],
            lam=record["lam"],
            z=record["z"],
            status=record["status"].astype(np.int64),
            slip_totals=record["slip_totals"],
        )


@contextmanager
def opened(path: Path) -> Iterator[h5py.File]:
    """Open a result file as a reader; what cannot be read is an `InputError`."""
    path = plain_file(path)
    with reading(path, words="is damaged or no result file"), _file(path) as file:
        yield file


def _file(path: Path) -> h5py.File:
    """Open a file that is closed, still being written, or left by a killed writer.

    A file that is being written grows on this machine, by our own hand, and is not looked through.
    """
    marked = is_marked(path)
    if marked and is_being_written(path):
        return h5py.File(path, "r", libver="latest", swmr=True)
    check_hdf5(path)
    return h5py.File(UnmarkedFile(path) if marked else path, "r")


def refuse_foreign(path: Path) -> None:
    """Raise an `InputError` unless a file is a result: only such a one may be replaced."""
    try:
        with opened(path) as file:
            _check_format(file, path)
    except InputError as error:
        raise InputError(f"{error}; it is not replaced") from error


def _check_format(file: h5py.File, path: Path) -> None:
    found = file.attrs.get("format", "unknown")
    if found != FORMAT:
        raise InputError(f"file '{path}' holds no simulation: its format is '{found}'")
    version = int(file.attrs["version"])
    if not 1 <= version <= VERSION:
        raise InputError(
            f"file '{path}' has version {version}, this program reads 1 to {VERSION}: "
            "update fecontact"
        )


def _datasets(group: h5py.Group) -> dict[str, h5py.Dataset]:
    """All datasets below a group, by their path in it."""
    found: dict[str, h5py.Dataset] = {}

    def collect(name: str, item: Any) -> None:
        if isinstance(item, h5py.Dataset):
            found[name] = item

    group.visititems(collect)
    return found


def _name_now(name: str) -> str:
    """Name of a record, or of a field of a contact, in this version."""
    group, slash, last = name.rpartition("/")
    return group + slash + RENAMED.get(last, last)


def _status(path: Path, stored: str) -> str:
    return "killed" if stored == "running" and not is_being_written(path) else stored
