"""Histories and fields as columns of a CSV file."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from fecontact.drafts import draft_of
from fecontact.results.source import Array
from fecontact.typing import Floats

__all__ = ["write_columns"]


def write_columns(path: str | Path, histories: Mapping[str, Array]) -> None:
    """Write histories and fields, first the time, as columns with their names."""
    columns: dict[str, Floats] = {}
    for name, values in histories.items():
        columns |= _columns(name, values)
    table = np.column_stack(list(columns.values()))
    header = ",".join(f'"{name}"' if "," in name else name for name in columns)
    with draft_of(path) as draft:
        np.savetxt(draft, table, "%.17g", ",", header=header, comments="", encoding="utf-8")


def _columns(name: str, values: Array) -> dict[str, Floats]:
    """Columns of a history or field."""
    if values.ndim == 1:
        return {name: values}
    if values.ndim == 2 and values.shape[1] == 3 and name.endswith("force"):
        return {f"{name}.{axis}": values[:, i] for i, axis in enumerate("xyz")}
    parts: dict[str, Floats] = {}
    for index in range(values.shape[1]):
        own = values[:, index]
        axes = {"": own} if own.ndim == 1 else {f".{a}": own[:, i] for i, a in enumerate("xyz")}
        parts |= {f"{name}[{index}]{axis}": column for axis, column in axes.items()}
    return parts
