"""Files of a map: one per tile of points, complete or absent; an interrupted map goes on there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from fecontact.analysis.map_points import MapPoint
from fecontact.drafts import draft_of, write_file
from fecontact.errors import InputError
from fecontact.typing import Integers

__all__ = ["MapStore"]


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
        if header.exists() and header.read_text(encoding="utf-8") != text:
            raise InputError(
                f"map folder '{folder}' holds another map; choose another folder or remove it"
            )
        write_file(header, text.encode())

    def load(self, tile: str, places: Integers) -> list[MapPoint] | None:
        """Points of a tile, or None if it is not there or not whole."""
        try:
            with np.load(self.folder / f"{tile}.npz", allow_pickle=False) as data:
                if not np.array_equal(data["places"], places):
                    return None
                columns = [data[name] for name in ("growth", "frequency", "failure", "size", "q")]
        except (OSError, ValueError, KeyError, EOFError, BadZipFile):
            return None
        growth, frequency, failure, size, q = columns
        parts = np.split(q, np.cumsum(size)[:-1])
        return [
            MapPoint(float(g), float(f), part, str(text))
            for g, f, part, text in zip(growth, frequency, parts, failure, strict=True)
        ]

    def save(self, tile: str, places: Integers, points: Sequence[MapPoint]) -> None:
        """Write a tile; the file appears when it is complete."""
        final = self.folder / f"{tile}.npz"
        with draft_of(final) as draft, draft.open("wb") as stream:
            np.savez(
                stream,
                places=places,
                growth=[point.growth for point in points],
                frequency=[point.frequency for point in points],
                failure=np.array([point.failure for point in points], dtype=np.str_),
                size=[len(point.q) for point in points],
                q=np.concatenate([point.q for point in points]),
            )
