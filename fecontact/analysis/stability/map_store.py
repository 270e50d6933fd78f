"""Files of a map: one per tile of points, complete or absent; an interrupted map goes on there.

A folder belongs to one map: its axes and grid, the settings, and the fingerprints of the systems
at the corners and at the centre of the plane. What was computed with other systems is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fecontact.analysis.stability.map_points import MapPoint
from fecontact.analysis.stability.operating_point import OperatingPoint
from fecontact.drafts import draft_of, write_file
from fecontact.errors import InputError, SolverError
from fecontact.files import plain_file, read_npz, reading
from fecontact.results.fingerprint import differences, fingerprint
from fecontact.system import System
from fecontact.typing import Integers

__all__ = ["MapStore", "fingerprints"]

HEADER = "map.json"
TILE = re.compile(r"(seed|level\d+-\d+)-\d+\.npz")
"""Names of the files of a map beside its header."""
NUMBERS = ("growth", "frequency", "beyond", "beyond_frequency", "valid_to")
KINDS = dict.fromkeys(NUMBERS, "f") | {"failure": "U", "size": "i", "q": "f"}
"""Arrays of a tile beside its grid points, and their kinds; all but q have one entry for each."""
SHOWN = 3
"""Differences of two maps in a message."""
UNREADABLE = (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError)
"""What a description that was not written here may end in; an `InputError` is a ValueError."""


def fingerprints(
    build: Callable[[float, float], System | OperatingPoint],
    points: Mapping[str, tuple[float, float]],
) -> dict[str, Any]:
    """Fingerprints of the systems at named points of the plane, or why there is none."""
    found: dict[str, Any] = {}
    for name, (x, y) in points.items():
        try:
            made = build(x, y)
            found[name] = fingerprint(made.system if isinstance(made, OperatingPoint) else made)
        except (InputError, SolverError) as error:
            found[name] = {"no system": str(error)}
    return found


class MapStore:
    """Folder with `map.json`, which says what the map is, and one npz file per tile.

    Parameters
    ----------
    folder
        Made if needed.
    settings
        What the points depend on beside the systems: axes, grid, band.
    systems
        Fingerprints at some points, see `fingerprints`.
    fresh
        Whether what the folder holds is removed; else a folder with another map is refused.
    """

    def __init__(
        self,
        folder: Path,
        settings: Mapping[str, Any],
        systems: Mapping[str, Any],
        fresh: bool = False,
    ) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"map folder '{folder}' cannot be used ({error.strerror})") from error
        text = json.dumps({"settings": settings, "systems": systems}, indent=2, sort_keys=True)
        if fresh:
            self._clear()
        changes = self._changes(json.loads(text))
        if changes:
            more = f", and {len(changes) - SHOWN} more" if len(changes) > SHOWN else ""
            raise InputError(
                f"map folder '{folder}' holds another map: {', '.join(changes[:SHOWN])}{more}; "
                "start anew (--fresh, fresh=True) or choose another folder"
            )
        write_file(folder / HEADER, text.encode())

    def load(self, tile: str, grid_points: Integers) -> list[MapPoint] | None:
        """Points of a tile, or None if it is not there or not whole."""
        try:
            data = read_npz(self.folder / f"{tile}.npz")
        except InputError:
            return None
        if not _is_whole(data, grid_points):
            return None
        parts = np.split(data["q"], np.cumsum(data["size"])[:-1])
        rows = zip(*(data[name].tolist() for name in NUMBERS), strict=True)
        return [
            MapPoint(q=q, failure=str(failure), **dict(zip(NUMBERS, row, strict=True)))
            for q, failure, row in zip(parts, data["failure"], rows, strict=True)
        ]

    def save(self, tile: str, grid_points: Integers, points: Sequence[MapPoint]) -> None:
        """Write a tile; the file appears when it is complete."""
        final = self.folder / f"{tile}.npz"
        columns: dict[str, Any] = {
            name: [getattr(point, name) for point in points] for name in NUMBERS
        }
        with draft_of(final) as draft, draft.open("wb") as stream:
            np.savez(
                stream,
                places=grid_points,
                failure=np.array([point.failure for point in points], dtype=np.str_),
                size=[len(point.q) for point in points],
                q=np.concatenate([point.q for point in points]),
                **columns,
            )

    def _changes(self, now: Mapping[str, Any]) -> list[str]:
        """What differs between the map of the folder and one that is asked for, in words."""
        header = self.folder / HEADER
        if not header.exists():
            return ["it has no map.json beside its points"] if any(self._tiles()) else []
        try:
            return _compared(json.loads(_content(header)), now)
        except UNREADABLE:
            return ["its map.json does not say of which systems"]

    def _clear(self) -> None:
        for path in [*self._tiles(), self.folder / HEADER]:
            path.unlink(missing_ok=True)

    def _tiles(self) -> list[Path]:
        return [path for path in self.folder.iterdir() if TILE.fullmatch(path.name)]


def _compared(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """Differences of two descriptions: settings, and the first point whose systems differ."""
    lines = differences(_flat(then["settings"]), _flat(now["settings"]))
    for point, system in now["systems"].items():
        own = differences(dict(then["systems"].get(point, {})), system)
        lines += [f"{line} (at {point})" for line in own]
        if own:  # the other points mostly say the same
            break
    return lines


def _flat(settings: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """Nested settings as "name.part" -> number or text."""
    flat: dict[str, Any] = {}
    for name, value in settings.items():
        if isinstance(value, Mapping):
            flat |= _flat(value, f"{before}{name}.")
        else:
            whole = isinstance(value, int | float) and not isinstance(value, bool)
            flat[f"{before}{name}"] = float(value) if whole else str(value)
    return flat


def _is_whole(data: Mapping[str, npt.NDArray[Any]], grid_points: Integers) -> bool:
    """Whether a tile holds one number of each kind for its grid points, and their coordinates."""
    if not data.keys() >= {"places", *KINDS} or not np.array_equal(data["places"], grid_points):
        return False
    kinds = {name: data[name].dtype.kind for name in KINDS}
    one_each = all(data[name].shape == (len(grid_points),) for name in KINDS if name != "q")
    size, q = data["size"], data["q"]
    return (
        kinds == KINDS
        and one_each
        and bool(np.all(size >= 0))
        and q.shape == (sum(size.tolist()),)
        and bool(np.all(np.isfinite(q)))
    )


def _content(path: Path) -> bytes:
    """Bytes of the header."""
    with reading(path):
        return plain_file(path).read_bytes()
