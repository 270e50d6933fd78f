"""Division of a line into cells: uniform, geometric, or refined towards given positions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from fecontact.errors import (
    POSITIVE,
    Allowed,
    InputError,
    at_least,
    check,
    renamed,
    renamed_keywords,
)
from fecontact.typing import Floats, Integers

__all__ = ["Grading", "Towards", "divisions"]


@renamed(places="positions")
@renamed_keywords(places="positions")
@dataclass(frozen=True)
class Towards:
    """Cells that shrink towards given positions, for example towards the edge of a contact.

    The cell size grows linearly with the distance d to the nearest position,
    h(d) = h(0) (1 + (ratio - 1) d / d_max), and every position becomes a node.

    Parameters
    ----------
    positions
        Coordinates in the direction that is divided (m; rad for an angle).
    ratio
        Size of the largest cell over size of the smallest, in the limit of many cells.
    """

    positions: tuple[float, ...]
    ratio: float = 5.0

    def __post_init__(self) -> None:
        check("Towards.ratio", self.ratio, Allowed("> 1", lambda x: x > 1))
        if not self.positions:
            raise InputError("invalid Towards.positions = (): expected one position or more")


Grading: TypeAlias = float | Towards
"""Size of the last cell over size of the first cell (1: uniform), or positions to refine at."""


def divisions(start: float, end: float, cells: int, grading: Grading = 1.0) -> Floats:
    """Coordinates of the nodes of a divided line, from `start` to `end`, shape (cells + 1,).

    A number as grading gives cells in geometric progression, h_i = h_0 q^i with
    q = grading^(1 / (cells - 1)).

    Examples
    --------
    >>> divisions(0.0, 7.0, 3, grading=4.0).round(12).tolist()
    [0.0, 1.0, 3.0, 7.0]
    >>> divisions(0.0, 1.0, 4, Towards((0.5,), ratio=3.0)).round(3).tolist()
    [0.0, 0.317, 0.5, 0.683, 1.0]
    """
    check("cells", cells, at_least(1))
    if isinstance(grading, Towards):
        return _towards(start, end, cells, grading)
    check("grading", grading, POSITIVE)
    if cells == 1 or grading == 1:
        return np.linspace(start, end, cells + 1)
    growth = np.log(grading) / (cells - 1)
    fraction = np.expm1(growth * np.arange(cells + 1)) / np.expm1(growth * cells)
    x: Floats = start + (end - start) * fraction
    x[-1] = end
    return x


def _towards(start: float, end: float, cells: int, grading: Towards) -> Floats:
    """Nodes that equidistribute 1 / h(d), piece by piece between the positions."""
    positions = np.unique(np.asarray(grading.positions, dtype=float))
    if not np.all((positions >= start) & (positions <= end)):
        raise InputError(
            f"invalid Towards.positions = {grading.positions}: expected all between {start} and "
            f"{end}"
        )
    breaks = np.unique([start, *positions, end])
    is_position = np.isin(breaks, positions)
    a, b = breaks[:-1], breaks[1:]
    two_sided = is_position[:-1] & is_position[1:]
    reach = np.where(two_sided, 0.5 * (b - a), b - a)
    k = (grading.ratio - 1.0) / reach.max()
    count = np.log1p(k * reach)  # number of cells from the position to the reach, up to a factor
    fractions = _fractions(np.where(two_sided, 2.0, 1.0) * count, cells)
    x = [np.array([start])]
    for i, n in enumerate(fractions):
        level = np.arange(1, n + 1) / n * count[i] * (2 if two_sided[i] else 1)
        if not is_position[i]:  # refined towards the right end only
            piece = b[i] - np.expm1(count[i] - level) / k
        else:
            near_a = a[i] + np.expm1(np.minimum(level, count[i])) / k
            near_b = b[i] - np.expm1(np.maximum(2 * count[i] - level, 0.0)) / k
            piece = np.where(level <= count[i], near_a, near_b) if two_sided[i] else near_a
        piece[-1] = b[i]
        x.append(piece)
    return np.concatenate(x)


def _fractions(weights: Floats, cells: int) -> Integers:
    """Split a number of cells in proportion to weights, at least one each."""
    pieces = len(weights)
    if cells < pieces:
        raise InputError(
            f"invalid cells = {cells}: expected >= {pieces}, one for each piece between positions"
        )
    ideal = (cells - pieces) * weights / weights.sum()
    fractions: Integers = 1 + np.floor(ideal).astype(np.int64)
    missing = cells - int(fractions.sum())
    fractions[np.argsort(fractions - ideal, kind="stable")[:missing]] += 1
    return fractions
