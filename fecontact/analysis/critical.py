"""Critical parameter values by root finding, not by a grid.

Where a mode crosses the border its growth rate changes sign: Brent's method on the growth rate of a
tracked mode. Without damping two modes meet and part with opposite growth rates; before the meeting
the growth rate is zero, so it has no change of sign. There (z_1 - z_2)^2 is a smooth function of
the parameter, negative while the frequencies differ and positive once one of the modes grows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from fecontact.analysis.branch import Points
from fecontact.analysis.study import Sweep
from fecontact.analysis.tracking import follow, likeness
from fecontact.errors import InputError, SolverError
from fecontact.typing import Integers

__all__ = ["Critical", "coalescence", "critical_value", "refined_intervals"]


NEAR = 1e-3
"""Share of an interval within which a border counts as found although points on it fail."""


@dataclass(frozen=True)
class Critical:
    """Parameter value on the border, the eigenvalue there in 1/s and the number of its mode."""

    value: float
    eigenvalue: complex
    mode: int

    @property
    def frequency(self) -> float:
        """Frequency in Hz."""
        return self.eigenvalue.imag / (2.0 * np.pi)


def critical_value(
    branch: Points, low: float, high: float, mode: int | None = None, relative: float = 1e-10
) -> Critical:
    """Value between `low` and `high` at which the growth rate of a mode is zero.

    Parameters
    ----------
    branch
        The operating points.
    low, high
        Values on both sides of the border.
    mode
        Number of the mode at `low`; by default it is the fastest growing one of the unstable end.
    relative
        Tolerance, as a share of the distance of the two ends.
    """
    start = low
    if mode is None:
        start = max((low, high), key=lambda value: branch.at(value).modes.leading_growth)
        mode = branch.at(start).modes.leading
    known = {float(start): mode}
    side = branch.at(start).modes.growth[mode] > 0.0

    def at(value: float) -> int:
        """Follow the mode from known points on the side of the start.

        Beyond the border it may meet its partner and cannot be told from it.
        """
        if value not in known:
            near = min(known, key=lambda other: abs(other - value))
            found = int(follow(branch, near, value, np.array([known[near]]))[0])
            if (branch.at(value).modes.growth[found] > 0.0) != side:
                return found
            known[value] = found
        return known[value]

    def growth(value: float) -> float:
        return float(branch.at(value).modes.growth[at(value)])

    ends = growth(low), growth(high)
    if not ends[0] * ends[1] < 0.0:
        raise InputError(
            f"no border between {low:.6g} and {high:.6g}: the growth rates at the ends are "
            f"{ends[0]:.3g} and {ends[1]:.3g} 1/s; choose ends on both sides, or, without damping, "
            "use coalescence"
        )
    value = _root(growth, low, high, relative)
    return _critical(branch, value, at(value))


def coalescence(branch: Points, low: float, high: float, relative: float = 1e-12) -> Critical:
    """Value at which two undamped modes meet: the onset of flutter.

    The modes are the fastest growing one of the unstable end and the one nearest in frequency.
    """
    start = max((low, high), key=lambda value: branch.at(value).modes.leading_growth)
    modes = branch.at(start).modes
    distance = np.abs(modes.frequency - modes.leading_frequency)
    distance[modes.leading] = np.inf
    if not np.isfinite(distance).any():
        raise InputError("one mode alone cannot meet another: the system has a single mode")
    pair = np.array([modes.leading, int(np.argmin(distance))])
    known = {float(start): pair}

    def at(value: float) -> Integers:
        """Return the two modes most alike the pair of a known point, whichever is which."""
        if value not in known:
            near = min(known, key=lambda other: abs(other - value))
            alike = likeness(branch.at(near), branch.at(value))[known[near]].sum(axis=0)
            known[value] = np.argsort(-alike, kind="stable")[:2]
        return known[value]

    def square(value: float) -> float:
        first, second = branch.at(value).modes.eigenvalues[at(value)]
        return float(((first - second) ** 2).real)

    ends = square(low), square(high)
    if not ends[0] * ends[1] < 0.0:
        raise InputError(
            f"no two modes meet between {low:.6g} and {high:.6g}; choose ends on both sides of the "
            "onset of flutter, or, with damping, use critical_value"
        )
    value = _root(square, low, high, relative)
    return _critical(branch, value, int(at(value)[0]))


def refined_intervals(branch: Points, study: Sweep) -> list[tuple[float, float]]:
    """Return the unstable intervals of a sweep with their borders found by `critical_value`.

    An end of the sweep stays. Where no single mode crosses the border, as two that meet at the
    onset of divergence, the interval is halved; where points fail there, the interpolated value
    stays.
    """
    known = np.sort(study.values[np.isfinite(study.growth)])

    def border(value: float) -> float:
        place = int(np.searchsorted(known, value))
        if place in (0, len(known)) or value in known:
            return value
        ends = float(known[place - 1]), float(known[place])
        for search in (critical_value, _halved):
            try:
                found = search(branch, *ends)
            except (InputError, SolverError):
                continue
            return found if isinstance(found, float) else found.value
        return value

    return [(border(low), border(high)) for low, high in study.unstable]


def _halved(branch: Points, low: float, high: float, relative: float = 1e-7) -> float:
    """Value between two at which the largest growth rate changes its sign, by halving.

    At the border itself there may be no steady state: a point that fails ends the search, if it
    is near.
    """

    def unstable(value: float) -> bool:
        return branch.at(value).modes.leading_growth > 0.0

    width, side = abs(high - low), unstable(low)
    while abs(high - low) > relative * width:
        middle = 0.5 * (low + high)
        try:
            alike = unstable(middle) == side
        except SolverError:
            if abs(high - low) < NEAR * width:
                break
            raise
        low, high = (middle, high) if alike else (low, middle)
    return 0.5 * (low + high)


def _root(function: Callable[[float], float], low: float, high: float, relative: float) -> float:
    return float(brentq(function, low, high, xtol=relative * abs(high - low), rtol=1e-15))


def _critical(branch: Points, value: float, mode: int) -> Critical:
    return Critical(value, complex(branch.at(value).modes.eigenvalues[mode]), mode)
