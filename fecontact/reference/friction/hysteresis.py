"""Hysteresis: Masing's rule for branches of a loop, work of a spring with a slider."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from fecontact.typing import Floats

__all__ = ["jenkins_work", "masing"]


def jenkins_work(amplitude: Floats, stiffness: float, limit: float) -> Floats:
    """Work in J that a spring with a slider dissipates between two turning points.

        W = 2 R (X - R/C)      for X > R/C, nothing below

    Parameters
    ----------
    amplitude
        X in m, half the distance of the turning points.
    stiffness, limit
        C of the spring in N/m, R of the slider in N (Jenkins 1962).

    Examples
    --------
    >>> jenkins_work(np.array([0.5, 1.0, 2.0]), stiffness=2.0, limit=2.0).tolist()
    [0.0, 0.0, 4.0]
    """
    return np.asarray(2.0 * limit * np.maximum(amplitude - limit / stiffness, 0.0))


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
