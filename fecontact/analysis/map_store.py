"""Files of a map: one per tile of points, complete or absent; an interrupted map goes on there."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from fecontact.analysis.map_points import MapPoint
from fecontact.errors import InputError
from fecontact.files import plain_file, read_npz, reading
from fecontact.typing import Integers

__all__ = ["MapStore"]

COLUMNS = ("growth", "frequency", "failure", "size", "q")
"""Arrays of a tile beside its places; all but the last have one entry for each."""


class MapStore:
    """Folder with `map.json`, which says what the map is, and one npz file per tile.

    Parameters
    ----------
    folder
        Made if needed.
    description
        What the points depend on: axes, grid, parameters. A folder that holds another map is
        refused.
    """

    def __init__(self, folder: Path, description: dict[str, Any]) -> None:
        self.folder = folder
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"map folder '{folder}' cannot be used ({error.strerror})") from error
        header, text = folder / "map.json", json.dumps(description, indent=2, sort_keys=True)
        if header.exists() and _content(header) != text.encode():
            raise InputError(
                f"map folder '{folder}' holds another map; choose another folder or remove it"
            )
        _write(header, text.encode())

    def load(self, tile: str, places: Integers) -> list[MapPoint] | None:
        """Points of a tile, or None if it is not there or not whole."""
        try:
            data = read_npz(self.folder / f"{tile}.npz")
        except InputError:
            return None
        if not _is_whole(data, places):
            return None
        growth, frequency, failure, size, q = (data[name] for name in COLUMNS)
        parts = np.split(q, np.cumsum(size)[:-1])
        return [
            MapPoint(float(g), float(f), part, str(text))
            for g, f, part, text in zip(growth, frequency, parts, failure, strict=True)
        ]

    def save(self, tile: str, places: Integers, points: Sequence[MapPoint]) -> None:
        """Write a tile; the file appears when it is complete."""
        final = self.folder / f"{tile}.npz"
        draft = final.with_suffix(".draft")
        with draft.open("wb") as stream:
            np.savez(
                stream,
                places=places,
                growth=[point.growth for point in points],
                frequency=[point.frequency for point in points],
                failure=np.array([point.failure for point in points], dtype=np.str_),
                size=[len(point.q) for point in points],
                q=np.concatenate([point.q for point in points]),
            )
        os.replace(draft, final)


def _is_whole(data: Mapping[str, npt.NDArray[Any]], places: Integers) -> bool:
    """Whether a tile holds one number of each kind for its places, and their coordinates."""
    if not data.keys() >= {"places", *COLUMNS} or not np.array_equal(data["places"], places):
        return False
    kinds = {name: data[name].dtype.kind for name in COLUMNS}
    one_each = all(data[name].shape == (len(places),) for name in COLUMNS[:-1])
    size, q = data["size"], data["q"]
    return (
        kinds == {"growth": "f", "frequency": "f", "failure": "U", "size": "i", "q": "f"}
        and one_each
        and bool(np.all(size >= 0))
        and q.shape == (int(size.sum()),)
        and bool(np.all(np.isfinite(q)))
    )


def _content(path: Path) -> bytes:
    """Bytes of the header; what cannot be read is another map."""
    with reading(path):
        return plain_file(path).read_bytes()


def _write(path: Path, content: bytes) -> None:
    draft = path.with_suffix(".draft")
    draft.write_bytes(content)
    os.replace(draft, path)
