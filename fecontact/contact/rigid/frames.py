"""Normal and two tangents of points, in which the conditions of rigid contacts are written."""

from __future__ import annotations

import numpy as np

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["fill_frame", "tangent_frames"]


def tangent_frames(normal: Floats) -> Floats:
    """Normal and two tangents (p, 3, 3) as rows; in plane problems one tangent is in the plane.

    Examples
    --------
    >>> (tangent_frames(np.array([[0.0, 0.0, 1.0]]))[0] + 0.0).tolist()
    [[0.0, 0.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]]
    """
    frames = np.empty((len(normal), 3, 3))
    _fill_frames(normal, frames)
    return frames


@kernel
def _fill_frames(normal: Floats, frames: Floats) -> None:
    for p in range(len(normal)):
        fill_frame(normal[p], frames[p])


@kernel
def fill_frame(n: Floats, frame: Floats) -> None:
    """Normal and tangents of one point; tangents from the axis that is farthest from the normal."""
    axis = 0
    for k in range(1, 3):
        if abs(n[k]) < abs(n[axis]):
            axis = k
    j, k = (axis + 1) % 3, (axis + 2) % 3
    size = np.hypot(n[j], n[k])
    frame[0, 0], frame[0, 1], frame[0, 2] = n[0], n[1], n[2]
    frame[1, axis], frame[1, j], frame[1, k] = 0.0, -n[k] / size, n[j] / size
    first = frame[1]
    frame[2, 0] = n[1] * first[2] - n[2] * first[1]
    frame[2, 1] = n[2] * first[0] - n[0] * first[2]
    frame[2, 2] = n[0] * first[1] - n[1] * first[0]
