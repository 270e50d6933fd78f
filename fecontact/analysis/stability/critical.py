"""Critical parameter values by root finding, not by a grid: the definition of a boundary.

A stability boundary is a value at which the first mode in the band begins to grow, or the last one
ceases to, or at which a growing mode enters or leaves the band. Where a mode crosses the boundary
its growth rate changes sign: Brent's method on the growth rate of a tracked mode. Without damping
two modes meet and part with opposite growth rates; before the meeting the growth rate is zero, so
it has no change of sign. There (z_1 - z_2)^2 is a smooth function of the parameter, negative while
the frequencies differ and positive once one of the modes grows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import brentq

from fecontact.analysis.stability.operating_point import AnyBranch
from fecontact.analysis.stability.tracking import follow, likeness
from fecontact.errors import InputError, SolverError, warning_once
from fecontact.typing import Floats, Integers

__all__ = ["Critical", "coalescence", "critical_value", "unstable_intervals"]

LEFT = 1e-6
"""Fraction of the growth rate at the unstable end that a mode may still have on a boundary."""


@dataclass(frozen=True)
class Critical:
    """Parameter value on the boundary, the eigenvalue there in 1/s and the index of its mode."""

    value: float
    eigenvalue: complex
    mode: int

    @property
    def frequency(self) -> float:
        """Frequency in Hz."""
        return self.eigenvalue.imag / (2.0 * np.pi)


@warning_once()
def critical_value(
    branch: AnyBranch, low: float, high: float, mode: int | None = None, relative: float = 1e-10
) -> Critical:
    """Value between `low` and `high` at which the growth rate of a mode is zero.

    Without a mode it is the stability boundary in the band: where one end is stable, no mode in
    the band grows between it and the boundary. A boundary may also be where a growing mode enters
    the band; it is found by halving, and the mode grows there.

    Parameters
    ----------
    branch
        The operating points.
    low, high
        Values on both sides of the boundary.
    mode
        Number of the mode at `low`; by default it is the fastest growing one of the unstable end.
    relative
        Tolerance, as a fraction of the distance of the two ends.
    """
    if not hasattr(branch, "at"):
        raise InputError(
            f"invalid branch = a {type(branch).__name__}: expected operating points over a "
            "parameter, such as Branch(build)"
        )
    if mode is not None:
        return _crossing(branch, low, high, low, mode, relative)
    stable, start = sorted((low, high), key=lambda value: branch.at(value).modes.leading_growth)
    left = LEFT * branch.at(start).modes.leading_growth
    found = _in_band(branch, stable, start, branch.at(start).modes.leading, relative)
    while branch.at(stable).modes.stable:
        modes = branch.at(found.value).modes  # another mode may still grow there
        others = modes.grows & modes.in_band & (modes.growth > left)
        others[found.mode] = False
        if not others.any():
            break
        lead = int(np.argmax(np.where(others, modes.growth, -np.inf)))
        found = _in_band(branch, stable, found.value, lead, relative)
    return found


def _in_band(
    branch: AnyBranch, stable: float, start: float, mode: int, relative: float
) -> Critical:
    """Value at which a mode in the band, known by its index at `start`, ceases to grow or leaves.

    A mode that grows and enters the band changes the verdict as one that begins to grow in it.
    """
    try:
        found = _crossing(branch, stable, start, start, mode, relative)
    except InputError:  # a mode that grows at both ends may be outside the band at one of them
        if branch.at(start).modes.stable or not branch.at(stable).modes.stable:
            raise
        found = _critical(branch, stable, int(follow(branch, start, stable, np.array([mode]))[0]))
        if branch.at(stable).modes.in_band[found.mode]:
            raise
    modes = branch.at(found.value).modes
    if modes.in_band[found.mode] or not modes.stable or branch.at(start).modes.stable:
        return found
    inside = _halved(branch, found.value, start)[1]
    return _critical(branch, inside, branch.at(inside).modes.leading)


def _crossing(
    branch: AnyBranch, low: float, high: float, start: float, mode: int, relative: float
) -> Critical:
    """Value between two at which a mode, known by its index at `start`, ceases to grow."""
    known = {float(start): mode}
    side = branch.at(start).modes.growth[mode] > 0.0

    def at(value: float) -> int:
        """Follow the mode from known points on the side of the start.

        Beyond the boundary it may meet its partner and cannot be told from it.
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
        (a, first), (b, last) = sorted(((low, ends[0]), (high, ends[1])))
        raise InputError(
            f"no boundary between {a:.6g} and {b:.6g}: the growth rates at the ends are "
            f"{first:.3g} and {last:.3g} 1/s; choose ends on both sides, or, without damping, "
            "use coalescence"
        )
    value = _root(growth, low, high, relative)
    return _critical(branch, value, at(value))


@warning_once()
def coalescence(branch: AnyBranch, low: float, high: float, relative: float = 1e-12) -> Critical:
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


@warning_once()
def unstable_intervals(branch: AnyBranch, values: Floats) -> list[tuple[float, float]]:
    """Intervals with a mode in the band that grows, ascending, between values of a branch.

    Each change between neighbouring values is found by `critical_value`; where no single mode
    crosses the boundary, as two that meet at the onset of divergence, by halving. The first and the
    last value, and values from which on there is no steady state, end an interval.
    """
    values = np.sort(np.asarray(values, dtype=float))
    unstable = [not branch.at(value).modes.stable for value in values]
    ends = [float(values[0])] if unstable and unstable[0] else []
    for (a, before), (b, after) in pairwise(zip(values, unstable, strict=True)):
        if before != after:
            ends.append(_boundary(branch, float(a), float(b)))
    if unstable and unstable[-1]:
        ends.append(float(values[-1]))
    return list(zip(ends[::2], ends[1::2], strict=True))


def _boundary(branch: AnyBranch, low: float, high: float) -> float:
    """Value between a stable and an unstable one at which the verdict changes."""
    try:
        return critical_value(branch, low, high).value
    except (InputError, SolverError):
        return sum(_halved(branch, low, high)) / 2.0


def _halved(
    branch: AnyBranch, low: float, high: float, relative: float = 1e-7
) -> tuple[float, float]:
    """Values close together, one stable and one not, between two of them; in their order.

    A value without a steady state is not unstable: it may end the interval of unstable ones.
    """

    def unstable(value: float) -> bool:
        try:
            return not branch.at(value).modes.stable
        except (InputError, SolverError):
            return False

    width, side = abs(high - low), unstable(low)
    while abs(high - low) > relative * width:
        middle = 0.5 * (low + high)
        low, high = (middle, high) if unstable(middle) == side else (low, middle)
    return low, high


def _root(function: Callable[[float], float], low: float, high: float, relative: float) -> float:
    return float(brentq(function, low, high, xtol=relative * abs(high - low), rtol=1e-15))


def _critical(branch: AnyBranch, value: float, mode: int) -> Critical:
    return Critical(value, complex(branch.at(value).modes.eigenvalues[mode]), mode)
