"""Masing's rule: branches of a hysteresis loop from its first loading."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fecontact.typing import Floats

__all__ = ["masing"]


def masing(backbone: Callable[[Floats], Floats], path: Floats) -> Floats:
    """Answer to a path that rises from 0 to its largest value, falls to its smallest, and rises.

    After a reversal at (x*, y*) the branch is the first loading y_0, twice as large (Masing 1926):

        y = y* - 2 y_0((x* - x)/2),      y = -y* + 2 y_0((x* + x)/2)

    Parameters
    ----------
    backbone
        First loading y_0(x) for x >= 0, of arrays.
    path
        Values x of a cycle between -x* and x*.

    Examples
    --------
    A spring of stiffness 2 that slips at 1: the loop closes.

    >>> path = np.array([0.0, 0.5, 1.0, 0.5, 0.0, -0.5, -1.0, -0.5, 0.0, 0.5, 1.0])
    >>> masing(lambda x: np.minimum(2.0 * x, 1.0), path).tolist()
    [0.0, 1.0, 1.0, 0.0, -1.0, -1.0, -1.0, 0.0, 1.0, 1.0, 1.0]
    """
    turn, low = int(np.argmax(path)), int(np.argmin(path))
    first = backbone(path[: turn + 1])
    largest, peak = path[turn], first[-1]
    down = peak - 2.0 * backbone(0.5 * (largest - path[turn + 1 : low + 1]))
    up = -peak + 2.0 * backbone(0.5 * (largest + path[low + 1 :]))
    return np.concatenate([first, down, up])
