"""Two-parameter stability maps with a refined boundary.

A seed grid is evaluated completely. Cells whose corners do not agree (stable, flutter, divergence,
failed) are divided into four, level by level; where a boundary leaves a divided cell through an
edge, the neighbour is divided too. The boundary is so known to the resolution of the finest grid at
the cost of the points along it. An island smaller than a cell of the seed grid may be missed: the
seed grid is part of the answer.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

import fecontact
from fecontact.analysis.stability.map_points import MapPoint, evaluate_points
from fecontact.analysis.stability.map_store import MapStore, fingerprints
from fecontact.analysis.stability.operating_point import OperatingPoint
from fecontact.analysis.stability.scope import Band, checked_band
from fecontact.errors import (
    InputError,
    at_least,
    check,
    check_kind,
    renamed,
    warn_caller,
    warning_once,
)
from fecontact.results.progress import track
from fecontact.system import System
from fecontact.typing import Floats

__all__ = ["Cell", "MapAxis", "StabilityMap", "map_store", "stability_map"]

TILE = 48
"""Points of a tile: what is computed by one worker in turn, and written at once."""

GridPoint = tuple[int, int]
Build = Callable[[float, float], System | OperatingPoint]
Said = list[tuple[str, type[Warning]]]
Job = tuple[Build, list[tuple[float, float]], list[Floats | None], Band | None, bool]


@dataclass(frozen=True)
class MapAxis:
    """Name and range of a parameter."""

    name: str
    low: float
    high: float

    def __post_init__(self) -> None:
        if not (np.isfinite([self.low, self.high]).all() and self.low < self.high):
            raise InputError(f"invalid {self.name} = {self.low}:{self.high}: expected low < high")


@dataclass(frozen=True)
class Cell:
    """Square of the map: lower left corner and size, in steps of the finest grid."""

    i: int
    j: int
    size: int

    @property
    def corners(self) -> tuple[GridPoint, GridPoint, GridPoint, GridPoint]:
        """Corners, counter-clockwise."""
        i, j, s = self.i, self.j, self.size
        return (i, j), (i + s, j), (i + s, j + s), (i, j + s)

    @property
    def middles(self) -> tuple[GridPoint, GridPoint, GridPoint, GridPoint]:
        """Middles of the edges, counter-clockwise from the lower one."""
        i, j, s, h = self.i, self.j, self.size, self.size // 2
        return (i + h, j), (i + s, j + h), (i + h, j + s), (i, j + h)

    @property
    def children(self) -> tuple[Cell, Cell, Cell, Cell]:
        """The four quarters."""
        h = self.size // 2
        return (
            Cell(self.i, self.j, h),
            Cell(self.i + h, self.j, h),
            Cell(self.i, self.j + h, h),
            Cell(self.i + h, self.j + h, h),
        )


@renamed(border="boundary")
@dataclass
class StabilityMap:
    """Result of `stability_map`.

    Attributes
    ----------
    x, y
        The axes.
    seed
        Cells of the seed grid along x and y.
    levels
        How often a cell may be halved.
    points
        Point of the finest grid -> what was found there.
    cells
        The cells that are not divided.
    band
        Lowest and highest frequency in Hz of the verdicts; None: at each point up to the validity
        of its bodies.
    """

    x: MapAxis
    y: MapAxis
    seed: tuple[int, int]
    levels: int
    points: dict[GridPoint, MapPoint] = field(default_factory=dict)
    cells: list[Cell] = field(default_factory=list)
    band: Band | None = None

    def plot(
        self,
        regions: Sequence[Any] = (),
        labels: tuple[str, str] | None = None,
        path: str | Path | None = None,
    ) -> Any:
        """Matplotlib figure of the map, its boundary and `regions` (`instability_regions`).

        The labels of the axes are by default the names of the parameters. Written as PNG if `path`
        is given.
        """
        from fecontact.view.plots import saved
        from fecontact.view.stability import map_plot

        return saved(map_plot(self, regions, labels), path)

    @property
    def shape(self) -> tuple[int, int]:
        """Cells of the finest grid along x and y."""
        return self.seed[0] << self.levels, self.seed[1] << self.levels

    @property
    def evaluations(self) -> int:
        """Number of points that were evaluated."""
        return len(self.points)

    @property
    def failures(self) -> dict[tuple[float, float], str]:
        """Parameter values -> reason, of the points that failed."""
        return {self.value(p): point.failure for p, point in self.points.items() if point.failure}

    @property
    def valid_to(self) -> float:
        """Frequency in Hz up to which all bodies are valid at all points."""
        return min((point.valid_to for point in self.points.values()), default=np.inf)

    @property
    def beyond(self) -> dict[tuple[float, float], tuple[float, float]]:
        """Parameter values -> largest growth rate in 1/s outside the band, and its frequency in Hz.

        Only points at which such a mode grows are in it.
        """
        return {
            self.value(p): (point.beyond, point.beyond_frequency)
            for p, point in self.points.items()
            if point.beyond > 0.0
        }

    @property
    def growing_beyond(self) -> str:
        """Sentence on the modes that grow outside the band; empty if none does."""
        if not self.beyond:
            return ""
        fastest, frequency = max(self.beyond.values())
        return (
            f"outside the band modes grow at {len(self.beyond)} of {self.evaluations} points, "
            f"up to {fastest:+.4g} 1/s at {frequency:.5g} Hz"
        )

    def value(self, grid_point: GridPoint) -> tuple[float, float]:
        """Parameter values at a point of the finest grid."""
        (nx, ny), (i, j) = self.shape, grid_point
        x = self.x.low + (self.x.high - self.x.low) * i / nx
        y = self.y.low + (self.y.high - self.y.low) * j / ny
        return x, y

    def uniform(self, cell: Cell) -> bool:
        """Whether the corners of a cell, and what is known on its edges, agree."""
        known = {self.points[grid_point].label for grid_point in cell.corners}
        if cell.size > 1:
            known |= {self.points[p].label for p in cell.middles if p in self.points}
        return len(known) == 1

    def labels(self) -> np.ndarray[Any, np.dtype[np.str_]]:
        """Labels (nx + 1, ny + 1) on the finest grid; inside a cell those of its corners.

        Inside a cell that is not uniform, which is one of the finest, there are no points.
        """
        grid = np.full((self.shape[0] + 1, self.shape[1] + 1), "", dtype="<U10")
        for cell in self.cells:
            part = np.s_[cell.i : cell.i + cell.size + 1, cell.j : cell.j + cell.size + 1]
            if cell.size > 1:
                grid[part] = self.points[cell.corners[0]].label
        for grid_point, point in self.points.items():
            grid[grid_point] = point.label
        return grid

    def boundary(self) -> Floats:
        """Segments (s, 2, 2) of the stability boundary, from growth rates along cell edges."""
        segments: list[list[tuple[float, float]]] = []
        for cell in self.cells:
            ends = [grid_point for grid_point, on_boundary in self.outline(cell) if on_boundary]
            segments.extend([ends[k], ends[k + 1]] for k in range(0, len(ends) - 1, 2))
        return np.array(segments).reshape(-1, 2, 2)

    def outline(self, cell: Cell) -> Iterator[tuple[tuple[float, float], bool]]:
        """Corners of the unstable part of a cell in turn; True for those on the boundary."""
        corners = cell.corners
        for a, b in zip(corners, (*corners[1:], corners[0]), strict=True):
            low, high = self.points[a].growth, self.points[b].growth
            if low > 0.0:
                yield self.value(a), False
            if np.isfinite(low + high) and (low > 0.0) != (high > 0.0):
                fraction = low / (low - high)
                (xa, ya), (xb, yb) = self.value(a), self.value(b)
                yield (xa + fraction * (xb - xa), ya + fraction * (yb - ya)), True


@warning_once()
def stability_map(
    build: Build,
    x: MapAxis,
    y: MapAxis,
    *,
    seed: tuple[int, int] = (16, 16),
    levels: int = 4,
    jobs: int = 1,
    store: Path | str | MapStore | None = None,
    about: Mapping[str, Any] | None = None,
    progress: str = "stability map",
    band: Band | None = None,
    unloaded: bool = False,
    fresh: bool = False,
) -> StabilityMap:
    """Map the stability over two parameters.

    Parameters
    ----------
    build
        Makes the system for values of the two parameters; or, where `operating_point` has
        options or a guess of its own, its operating point.
    x, y
        The parameters.
    seed
        Cells of the seed grid along x and y.
    levels
        Halvings of the cells at the boundary: 4 levels on 16 cells are as fine as 256 cells.
    jobs
        Processes; -1 takes all cores. The result does not depend on their number.
    store
        Folder in which the points are kept; an interrupted map goes on there without computing
        any tile twice. A folder with the points of other systems is refused, see `map_store`.
    about
        What else the systems depend on, for the description in the store.
    progress
        Text of the progress bar.
    band
        As in `linearise`.
    unloaded
        Whether points at which no contact carries load get a verdict; else they fail.
    fresh
        Whether points that the folder holds already are removed.
    """
    for axis, given in (("x", x), ("y", y)):
        check_kind(axis, given, MapAxis, "MapAxis(name, low, high)")
    for name, number in (("seed", min(seed)), ("levels", levels + 1)):
        check(name, number, at_least(1))
    result = StabilityMap(x, y, seed, levels, band=None if band is None else checked_band(band))
    if isinstance(store, Path | str):
        store = map_store(
            Path(store), build, x, y, seed=seed, levels=levels, about=about, band=band,
            unloaded=unloaded, fresh=fresh,
        )  # fmt: skip
    evaluate = _Evaluation(build, result, store, jobs, progress, unloaded)
    size = 1 << levels
    cells = [Cell(i * size, j * size, size) for j in range(seed[1]) for i in range(seed[0])]
    evaluate(_in_rows(cells), "seed")
    for level in range(levels):
        cells = _refined(result, cells, size >> level, evaluate, f"level{level + 1}")
    result.cells = cells
    return result


def map_store(
    folder: Path,
    build: Build,
    x: MapAxis,
    y: MapAxis,
    *,
    seed: tuple[int, int] = (16, 16),
    levels: int = 4,
    about: Mapping[str, Any] | None = None,
    band: Band | None = None,
    unloaded: bool = False,
    fresh: bool = False,
) -> MapStore:
    """Folder for the points of a map, with the same parameters as `stability_map`.

    The folder notes the systems at the four corners and at the centre of the plane, by all their
    numbers (`results.fingerprint`). If it holds points of others, what differs is said.

    Raises
    ------
    InputError
        If the folder holds another map, unless `fresh`.
    """
    settings = {
        "x": {"name": x.name, "low": x.low, "high": x.high},
        "y": {"name": y.name, "low": y.low, "high": y.high},
        "seed": {"x": seed[0], "y": seed[1]},
        "levels": levels,
        "band": "validity" if band is None else list(checked_band(band)),
        "unloaded": unloaded,
        "about": dict(about or {}),
        "program": fecontact.__version__,
    }
    grid_points = {f"{x.name} = {a:.6g}, {y.name} = {b:.6g}": (a, b) for a, b in _probes(x, y)}
    return MapStore(folder, settings, fingerprints(build, grid_points), fresh)


def _probes(x: MapAxis, y: MapAxis) -> list[tuple[float, float]]:
    """Centre and corners of the plane."""
    corners = [(a, b) for b in (y.low, y.high) for a in (x.low, x.high)]
    return [(0.5 * (x.low + x.high), 0.5 * (y.low + y.high)), *corners]


def _refined(
    result: StabilityMap,
    cells: list[Cell],
    size: int,
    evaluate: _Evaluation,
    name: str,
) -> list[Cell]:
    """Divide cells of a size that are not uniform, and then those that this shows not to be."""
    candidates = [cell for cell in cells if cell.size == size]
    others = [cell for cell in cells if cell.size != size]
    round_ = 0
    while divided := [cell for cell in candidates if not result.uniform(cell)]:
        h = size // 2
        new = {
            p: cell.corners[0]
            for cell in divided
            for p in (*cell.middles, (cell.i + h, cell.j + h))
        }
        in_rows = sorted(new, key=lambda point: point[::-1])  # neighbours share most of a system
        evaluate({p: new[p] for p in in_rows}, f"{name}-{round_}")
        others.extend(child for cell in divided for child in cell.children)
        gone = set(divided)
        candidates = [cell for cell in candidates if cell not in gone]
        round_ += 1
    return candidates + others


def _in_rows(cells: Iterable[Cell]) -> dict[GridPoint, GridPoint | None]:
    """Corners of the seed grid, row by row, to and fro: each point has a neighbour before it."""
    grid_points = {grid_point for cell in cells for grid_point in cell.corners}
    rows = sorted({j for _, j in grid_points})
    order = [
        grid_point
        for index, row in enumerate(rows)
        for grid_point in sorted((p for p in grid_points if p[1] == row), reverse=bool(index % 2))
    ]
    return dict.fromkeys(order)


class _Evaluation:
    """Evaluates grid points in tiles, in processes, and keeps them."""

    def __init__(
        self,
        build: Build,
        result: StabilityMap,
        store: MapStore | None,
        jobs: int,
        progress: str,
        unloaded: bool,
    ) -> None:
        self.build, self.result, self.store = build, result, store
        self.jobs, self.progress, self.unloaded = jobs, progress, unloaded

    def __call__(self, grid_points: Mapping[GridPoint, GridPoint | None], name: str) -> None:
        """Evaluate new grid points, each from the state at a known one or at the one before."""
        points = self.result.points
        new = [grid_point for grid_point in grid_points if grid_point not in points]
        tiles = {f"{name}-{k // TILE}": new[k : k + TILE] for k in range(0, len(new), TILE)}
        missing = {}
        for tile, members in tiles.items():
            found = None if self.store is None else self.store.load(tile, np.array(members))
            if found is None:
                missing[tile] = members
            else:
                points.update(zip(members, found, strict=True))
        work = (self._job(members, grid_points) for members in missing.values())
        running = track(self._run(work), f"{self.progress}, {name}", total=len(missing))
        for (tile, members), found in zip(missing.items(), running, strict=True):
            points.update(zip(members, found, strict=True))
            if self.store is not None:
                self.store.save(tile, np.array(members), found)

    def _job(
        self, members: list[GridPoint], grid_points: Mapping[GridPoint, GridPoint | None]
    ) -> Job:
        guesses = [self._guess(grid_points[grid_point]) for grid_point in members]
        values = [self.result.value(grid_point) for grid_point in members]
        return self.build, values, guesses, self.result.band, self.unloaded

    def _guess(self, near: GridPoint | None) -> Floats | None:
        if near is None or self.result.points[near].failure:
            return None
        return self.result.points[near].q

    def _run(self, work: Iterable[Job]) -> Iterator[list[MapPoint]]:
        if self.jobs == 1:
            return (evaluate_points(*job) for job in work)
        from joblib import Parallel, delayed  # type: ignore[import-untyped]

        parallel = Parallel(n_jobs=self.jobs, return_as="generator", batch_size=1)
        return map(_said_here, parallel(delayed(_evaluated)(*job) for job in work))


def _evaluated(*job: Any) -> tuple[list[MapPoint], Said]:
    """Points of a tile, and the warnings of the process that evaluates it."""
    with warnings.catch_warnings(record=True) as said, warning_once():
        points = evaluate_points(*job)
    return points, [(str(each.message), each.category) for each in said]


def _said_here(found: tuple[list[MapPoint], Said]) -> list[MapPoint]:
    """Points of a tile; its warnings are given in this process."""
    points, said = found
    for text, category in said:
        warn_caller(text, category)
    return points
