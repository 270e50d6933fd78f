"""A branch of solutions over a parameter: its points, special points, and how it is stepped."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from fecontact.errors import POSITIVE, InputError, at_least, check, renamed_keywords
from fecontact.typing import Floats

__all__ = ["BranchPoint", "Path", "PathOptions", "Special", "TestFunctions"]

LOCATED = 1e-8
"""Part of a step to which special points are located by default."""


@dataclass(frozen=True, eq=False)
class BranchPoint:
    """A point of a branch with its unit tangent (u', p') and its arc length.

    `residual` is what is left of the equations, relative to the terms that balance each other.
    """

    u: Floats
    parameter: float
    along: Floats
    parameter_along: float
    length: float
    iterations: int
    residual: float = 0.0


@dataclass(frozen=True, eq=False)
class Special:
    """A fold, or a zero of a test function."""

    kind: str
    point: BranchPoint


@dataclass(frozen=True, eq=False)
class Path:
    """Points of a branch in order, its special points, and why it ended."""

    points: tuple[BranchPoint, ...]
    special: tuple[Special, ...]
    message: str

    @property
    def parameter(self) -> Floats:
        """Values (k,) of the parameter."""
        return np.array([point.parameter for point in self.points])

    @property
    def u(self) -> Floats:
        """Unknowns (k, m)."""
        return np.array([point.u for point in self.points])

    @property
    def residual(self) -> float:
        """Largest residual of a point."""
        return max(point.residual for point in self.points)

    def plot(
        self,
        parameter: str = "parameter",
        panels: Mapping[str, Floats] | None = None,
        stable: npt.NDArray[np.bool_] | None = None,
        path: str | os.PathLike[str] | None = None,
    ) -> Any:
        """Matplotlib figure of quantities along the branch; written as PNG if `path` is given.

        Parameters
        ----------
        parameter
            Label of the abscissa.
        panels
            Ordinate label -> values (k,); by default the norm of the unknowns.
        stable : (k,)
            Unstable parts are dashed; by default none is.
        path
            File, or None.
        """
        from fecontact.view.branches import branch_panels
        from fecontact.view.plots import saved

        shown = {"|u|": np.linalg.norm(self.u, axis=1)} if panels is None else panels
        sound = np.ones(len(self.points), dtype=bool) if stable is None else stable
        marks = {
            f"{special.kind} at {special.point.parameter:.4g}": special.point.parameter
            for special in self.special
        }
        figure = branch_panels(self.parameter, shown, sound, parameter, marks=marks)
        return saved(figure, None if path is None else os.fspath(path))

    def of(self, kind: str) -> tuple[BranchPoint, ...]:
        """Special points of a kind, "fold" for example."""
        return tuple(special.point for special in self.special if special.kind == kind)


@renamed_keywords(most="max_points")
@dataclass(frozen=True)
class PathOptions:
    """Where a branch ends and how it is stepped; lengths are in the product of the module.

    Parameters
    ----------
    lowest, highest
        Range of the parameter; the branch ends where it leaves it.
    size
        Size of the unknowns, a number or (m,); by default the largest one at the start.
    step, longest, shortest
        First, longest and shortest arc length of a step.
    max_points
        Largest number of points.
    located
        Part of a step to which folds and other special points are located.
    corner
        Step below which a sharp turn is a corner of the branch, as of contacts that begin to slide
        or close, and is passed.
    """

    lowest: float
    highest: float
    size: float | Floats | None = None
    step: float = 0.02
    longest: float = 0.1
    shortest: float = 1e-8
    max_points: int = 200
    located: float = LOCATED
    corner: float = 1e-3

    def __post_init__(self) -> None:
        if not self.lowest < self.highest:
            raise InputError(f"invalid highest = {self.highest}: expected more than lowest")
        for name in ("step", "longest", "shortest", "located", "corner"):
            check(name, getattr(self, name), POSITIVE)
        check("max_points", self.max_points, at_least(2))


TestFunctions = Mapping[str, Callable[[BranchPoint], float]]
"""Kind -> function of a point whose zeros are special points."""
