"""Ascending roots of a frequency equation that is given as a smooth function."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.optimize import brentq

from fecontact.errors import SolverError
from fecontact.typing import Floats

__all__ = ["ascending_roots"]

CHUNK = 400
"""Samples evaluated at once."""


def ascending_roots(
    function: Callable[[Floats], Floats],
    count: int,
    *,
    start: float,
    step: float,
    end: float = np.inf,
) -> Floats:
    """Lowest `count` roots above `start`, found by sign changes on a grid of width `step`.

    Two roots closer than `step` would hide each other: choose it well below the known spacing.

    Examples
    --------
    >>> ascending_roots(np.sin, 2, start=1.0, step=0.1).round(6).tolist()
    [3.141593, 6.283185]
    """
    roots: list[float] = []
    low = start
    while len(roots) < count and low < end:
        x = np.minimum(low + step * np.arange(CHUNK + 1), end)
        values = function(x)
        for i in np.flatnonzero(values[:-1] * values[1:] < 0.0):
            roots.append(brentq(lambda s: function(np.array([s]))[0], x[i], x[i + 1], xtol=1e-14))
        low = x[-1]
    if len(roots) < count:
        raise SolverError(
            f"only {len(roots)} of {count} frequencies lie below the cut-off; ask for fewer"
        )
    return np.array(roots[:count])
