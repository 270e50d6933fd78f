"""Sampled signals: when they pass a level, and where they turn."""

from __future__ import annotations

import numpy as np

from fecontact.errors import InputError
from fecontact.typing import Floats, Integers

__all__ = ["crossings", "turning_points"]


def crossings(t: Floats, x: Floats, level: float = 0.0, falling: bool = False) -> Floats:
    """Times at which a signal rises through a level, or falls through it.

    Between two samples the signal is a straight line: t_k + (level - x_k)/(x_k+1 - x_k) h.

    Parameters
    ----------
    t, x
        Samples (k,).
    level
        In the unit of x.
    falling
        True for the other direction.

    Examples
    --------
    Two periods of a sine: it rises through zero in the middle.

    >>> t = np.linspace(0.05, 2.05, 401)
    >>> crossings(t, np.sin(2.0 * np.pi * t)).round(3).tolist()
    [1.0, 2.0]
    """
    if np.shape(t) != np.shape(x) or np.ndim(x) != 1:
        raise InputError(f"invalid signal of shape {np.shape(x)}: expected {np.shape(t)}, as t")
    above = (x - level) * (-1.0 if falling else 1.0)
    k = np.flatnonzero((above[:-1] < 0.0) & (above[1:] >= 0.0))
    return np.asarray(t[k] + (level - x[k]) / (x[k + 1] - x[k]) * (t[k + 1] - t[k]))


def turning_points(x: Floats) -> Integers:
    """Indices of the samples (k,) at which a signal turns round.

    Examples
    --------
    >>> turning_points(np.array([0.0, 2.0, 1.0, -1.0, 0.0])).tolist()
    [1, 3]
    """
    step = np.diff(x)
    return np.asarray(1 + np.flatnonzero(step[1:] * step[:-1] <= 0.0))
