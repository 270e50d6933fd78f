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

from fecontact.analysis.branch import Branch
from fecontact.analysis.tracking import follow
from fecontact.errors import InputError
from fecontact.typing import Integers

__all__ = ["Critical", "coalescence", "critical_value"]


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
    branch: Branch, low: float, high: float, mode: int | None = None, relative: float = 1e-10
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
    at = _Followed(branch, start, np.array([mode]))

    def growth(value: float) -> float:
        return float(branch.at(value).modes.growth[at(value)[0]])

    ends = growth(low), growth(high)
    if not ends[0] * ends[1] < 0.0:
        raise InputError(
            f"no border between {low:.6g} and {high:.6g}: the growth rates at the ends are "
            f"{ends[0]:.3g} and {ends[1]:.3g} 1/s; choose ends on both sides, or, without damping, "
            "use coalescence"
        )
    return _root(branch, growth, at, low, high, relative)


def coalescence(branch: Branch, low: float, high: float, relative: float = 1e-12) -> Critical:
    """Value at which two undamped modes meet: the onset of flutter.

    The modes are the fastest growing one of the unstable end and the one nearest in frequency.
    """
    start = max((low, high), key=lambda value: branch.at(value).modes.leading_growth)
    modes = branch.at(start).modes
    distance = np.abs(modes.frequency - modes.leading_frequency)
    distance[modes.leading] = np.inf
    if not np.isfinite(distance).any():
        raise InputError("one mode alone cannot meet another: the system has a single mode")
    at = _Followed(branch, start, np.array([modes.leading, int(np.argmin(distance))]))

    def square(value: float) -> float:
        first, second = branch.at(value).modes.eigenvalues[at(value)]
        return float(((first - second) ** 2).real)

    ends = square(low), square(high)
    if not ends[0] * ends[1] < 0.0:
        raise InputError(
            f"no two modes meet between {low:.6g} and {high:.6g}; choose ends on both sides of the "
            "onset of flutter, or, with damping, use critical_value"
        )
    return _root(branch, square, at, low, high, relative)


class _Followed:
    """Numbers of some modes at any value, followed from the nearest value where they are known."""

    def __init__(self, branch: Branch, start: float, modes: Integers) -> None:
        self.branch, self.known = branch, {float(start): modes}

    def __call__(self, value: float) -> Integers:
        value = float(value)
        if value not in self.known:
            near = min(self.known, key=lambda known: abs(known - value))
            found = follow(self.branch, near, value, self.known[near])
            if np.any(found < 0):
                raise InputError(f"the mode ends between {near:.6g} and {value:.6g}")
            self.known[value] = found
        return self.known[value]


def _root(
    branch: Branch,
    function: Callable[[float], float],
    at: _Followed,
    low: float,
    high: float,
    relative: float,
) -> Critical:
    value = float(brentq(function, low, high, xtol=relative * abs(high - low), rtol=1e-15))
    mode = int(at(value)[0])
    return Critical(value, complex(branch.at(value).modes.eigenvalues[mode]), mode)
