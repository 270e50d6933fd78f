"""Parameter studies: one steady state and its complex modes per value."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from fecontact.analysis.stability.complex_modes import ComplexModes
from fecontact.analysis.stability.critical import unstable_intervals
from fecontact.analysis.stability.operating_point import Branch
from fecontact.analysis.stability.scope import Band, Mask
from fecontact.errors import InputError, SolverError, numbers, warning_once
from fecontact.results.progress import track
from fecontact.solvers.threads import one_thread
from fecontact.system import System
from fecontact.typing import Floats

__all__ = ["Sweep", "sweep"]


@dataclass(frozen=True)
class Sweep:
    """Complex modes over one parameter; verdicts are those in the band of the modes.

    Attributes
    ----------
    values : (n,)
        Parameter values.
    modes
        Modes at each value, None where there is no steady state or no verdict.
    failures
        Index -> reason.
    branch
        The operating points, from which boundaries are found.
    """

    values: Floats
    modes: Sequence[ComplexModes | None]
    failures: dict[int, str]
    branch: Branch

    @cached_property
    def growth(self) -> Floats:
        """Largest growth rate in the band at each value, NaN where there is none."""
        return np.array([np.nan if m is None else m.leading_growth for m in self.modes])

    @cached_property
    def frequency(self) -> Floats:
        """Frequency in Hz of the mode with the largest growth rate in the band."""
        return np.array([np.nan if m is None else m.leading_frequency for m in self.modes])

    @cached_property
    def grows(self) -> Mask:
        """Values (n,) at which a mode in the band grows."""
        return np.array([m is not None and not m.stable for m in self.modes], dtype=bool)

    @cached_property
    def unstable(self) -> list[tuple[float, float]]:
        """Intervals of the parameter in which a mode in the band grows, ascending.

        Boundaries are found by root finding, as `critical_value` does, not by the values; those
        without a steady state are passed over. It costs some operating points per boundary.
        """
        known = [m is not None for m in self.modes]
        with one_thread():
            return unstable_intervals(self.branch, self.values[known])

    def plot(
        self,
        parameter: str = "parameter",
        label: str = "growth",
        marks: Mapping[str, float] | None = None,
        path: str | Path | None = None,
    ) -> Any:
        """Matplotlib figure of largest growth rate and its frequency over the parameter.

        `parameter` is the label of the abscissa, `marks` are named values of it. Written as PNG if
        `path` is given.
        """
        from fecontact.view.plots import saved, sweep_plot

        return saved(sweep_plot({label: self}, parameter, marks), path)

    @property
    def beyond(self) -> dict[float, str]:
        """Value -> what grows outside the band there."""
        found = zip(self.values.tolist(), self.modes, strict=True)
        return {value: m.growing_beyond for value, m in found if m and len(m.beyond)}


@warning_once()
def sweep(
    build: Callable[[float], System],
    values: Sequence[float] | Floats,
    label: str,
    friction: str = "coulomb",
    band: Band | None = None,
    unloaded: bool = False,
) -> Sweep:
    """Analyse a system at each parameter value, each steady state started from its neighbour's.

    A value without a steady state, or at which no contact carries load, is recorded with its
    reason and the sweep goes on.

    Parameters
    ----------
    build
        Makes the system for a value.
    values
        Parameter values, in an order along which the state changes little.
    label
        Text of the progress bar.
    friction, band, unloaded
        As in `Branch`.
    """
    given = numbers("sweep: values", values, ("n",))
    branch = Branch(build, friction, band, unloaded)
    modes: list[ComplexModes | None] = []
    failures: dict[int, str] = {}
    with one_thread():
        for index, value in enumerate(track(given.tolist(), label)):
            try:
                found = branch.at(value).modes
                found.leading  # noqa: B018  # refuses an empty band
            except (InputError, SolverError) as error:
                modes.append(None)
                failures[index] = str(error)
                continue
            modes.append(found)
    return Sweep(given, modes, failures, branch)
