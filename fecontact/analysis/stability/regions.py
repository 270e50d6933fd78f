"""Unstable regions of a stability map, with frequency and mechanism."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from fecontact.analysis.stability.maps import Build, Cell, GridPoint, StabilityMap
from fecontact.analysis.stability.mechanism import mechanism
from fecontact.analysis.stability.operating_point import OperatingPoint, operating_point
from fecontact.errors import InputError, SolverError, renamed, warning_once

__all__ = ["Region", "regions"]

JUMP = 0.2
"""Relative difference of frequencies between neighbours that parts two regions."""


@renamed(places="grid_points")
@dataclass(frozen=True)
class Region:
    """A connected unstable region.

    Attributes
    ----------
    kind
        "flutter", "divergence" or "failed".
    grid_points
        Its points on the finest grid.
    area
        Fraction of the map.
    growth
        Largest growth rate in 1/s.
    at
        Parameter values there.
    centre
        Parameter values at its centre of area.
    frequency
        Lowest and highest frequency in Hz.
    mechanism
        What feeds the mode at that point; of a failed region the reason at one of its points.
    valid
        Whether all its modes are within the validity of the elastic bodies.
    """

    kind: str
    grid_points: frozenset[GridPoint]
    area: float
    growth: float
    at: tuple[float, float]
    centre: tuple[float, float]
    frequency: tuple[float, float]
    mechanism: str
    valid: bool = True


@warning_once()
def regions(result: StabilityMap, build: Build | None = None) -> list[Region]:
    """Find the unstable regions, the largest first.

    Parameters
    ----------
    result
        The map.
    build
        As for the map, to name the mechanism at the point of the largest growth rate; without it
        mechanisms stay empty.
    """
    groups = _connected(result)
    areas = {grid_point: 0.0 for group in groups for grid_point in group}
    for cell in result.cells:
        for grid_point in cell.corners:
            if grid_point in areas:
                areas[grid_point] += 0.25 * cell.size**2
    total = float(np.prod(result.shape))
    found = []
    for group in groups:
        weights = np.array([areas[grid_point] for grid_point in group])
        values = np.array([result.value(grid_point) for grid_point in group])
        x, y = weights @ values / weights.sum()
        measure = float(weights.sum()) / total, (float(x), float(y))
        found.append(_region(result, group, *measure, build))
    return sorted(found, key=lambda region: (-region.area, region.at))


def _region(
    result: StabilityMap,
    group: frozenset[GridPoint],
    area: float,
    centre: tuple[float, float],
    build: Build | None,
) -> Region:
    first = result.points[min(group)]
    if first.label == "failed":
        nan = float("nan")
        at = result.value(min(group))
        return Region("failed", group, area, nan, at, centre, (nan, nan), first.failure)
    lead = max(sorted(group), key=lambda grid_point: result.points[grid_point].growth)
    frequencies = [result.points[grid_point].frequency for grid_point in group]
    cause = ""
    if build is not None:
        try:
            found = build(*result.value(lead))
            if not isinstance(found, OperatingPoint):
                found = operating_point(found, result.points[lead].q, band=result.band)
            cause = mechanism(found.balance())
        except (InputError, SolverError) as error:
            cause = f"unknown: {error}"
    point = result.points[lead]
    span = (min(frequencies), max(frequencies))
    at = result.value(lead)
    valid = all(result.points[p].frequency <= result.points[p].valid_to for p in group)
    return Region(point.label, group, area, point.growth, at, centre, span, cause, valid)


def _connected(result: StabilityMap) -> list[frozenset[GridPoint]]:
    """Groups of points that are not stable, connected along the edges of the cells."""
    root: dict[GridPoint, GridPoint] = {
        grid_point: grid_point
        for grid_point, point in result.points.items()
        if point.label != "stable"
    }

    def find(grid_point: GridPoint) -> GridPoint:
        while root[grid_point] != grid_point:
            root[grid_point] = root[root[grid_point]]
            grid_point = root[grid_point]
        return grid_point

    for cell in result.cells:
        for a, b in _edges(result, cell):
            if a in root and b in root and _alike(result, a, b):
                root[find(a)] = find(b)
    groups: dict[GridPoint, set[GridPoint]] = {}
    for grid_point in root:
        groups.setdefault(find(grid_point), set()).add(grid_point)
    return [frozenset(group) for group in groups.values()]


def _edges(result: StabilityMap, cell: Cell) -> list[tuple[GridPoint, GridPoint]]:
    """Neighbours along the edges of a cell, with points of finer neighbours between corners."""
    pairs: list[tuple[GridPoint, GridPoint]] = []
    corners = cell.corners
    for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
        step = np.sign(np.subtract(b, a))
        line = [(int(a[0] + k * step[0]), int(a[1] + k * step[1])) for k in range(cell.size + 1)]
        known = [grid_point for grid_point in line if grid_point in result.points]
        pairs.extend(pairwise(known))
    return pairs


def _alike(result: StabilityMap, a: GridPoint, b: GridPoint) -> bool:
    first, second = result.points[a], result.points[b]
    if first.label != second.label:
        return False
    if first.label != "flutter":
        return True
    return abs(first.frequency - second.frequency) <= JUMP * max(first.frequency, second.frequency)
