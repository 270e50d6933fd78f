"""From what kernels show of the points, block by block, to the arrays of a report."""

from __future__ import annotations

from fecontact.contact.kernels.layout import (
    BLOCK,
    SHOWN_GAP,
    SHOWN_LOST,
    SHOWN_N,
    SHOWN_OLD_SLIP,
    SHOWN_P,
    SHOWN_SHIFT,
    SHOWN_SPRING,
    SHOWN_STORED,
    SHOWN_T,
    SHOWN_U,
    SHOWN_WORK,
    SHOWN_Y,
    SHOWN_Z,
)
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["report_points"]

B = BLOCK


@kernel(fastmath=True)
def report_points(
    shown: Floats, axes: tuple[Floats, Floats], weights: Floats, h: float,
    report: tuple[Floats, Floats, Floats, Floats],
) -> None:  # fmt: skip
    """Turn what p points show into space components, and sum their energies and losses.

    Parameters
    ----------
    shown : (blocks, SHOWN)
        As kernels leave it.
    axes : (3, 3), (3,)
        Axes and origin of the master.
    weights : (p,)
        Areas of the points.
    h
        Step in s whose end is shown; 0 for continuous time: z then stands in the rows of the old
        slip, and its rate in those of the new one.
    report
        Results: gap, pressure and slip power (3, p); normal, traction, slip velocity and position
        (4, p, 3); friction and forces of the dampers in N, changes of the elastic slip and slip
        over the step (4, p, 3); stored energy in J, power in W of the normal dampers, and of all
        dampers (3 or more,).
    """
    (R, origin), (numbers, vectors, bristles, sums) = axes, report
    stored = lost = damped = 0.0
    steps = h > 0.0
    per_time = 1.0 / h if steps else 1.0
    for i in range(len(weights)):
        row, k, area = shown[i // B], i % B, weights[i]
        numbers[0, i], numbers[1, i] = row[SHOWN_GAP + k], row[SHOWN_P + k]
        numbers[2, i] = area * row[SHOWN_WORK + k] * per_time
        stored += area * row[SHOWN_STORED + k]
        lost += area * row[SHOWN_LOST + k]
        spring = area * row[SHOWN_SPRING + k]
        for j in range(3):
            friction = area * _space(row, SHOWN_T + k, R, j)
            early, late = _space(row, SHOWN_OLD_SLIP + k, R, j), _space(row, SHOWN_Z + k, R, j)
            z, bend, slide = early, 0.0, 0.0
            if steps:
                z, bend = late, late - early
                for m in range(3):
                    slide += R[j, m] * _slid(row, k + m * B)
            damper = -(friction + spring * z)
            stored += 0.5 * spring * z * z
            damped += damper * (bend * per_time if steps else late)
            vectors[0, i, j] = _space(row, SHOWN_N + k, R, j)
            vectors[1, i, j] = _space(row, SHOWN_T + k, R, j)
            vectors[2, i, j] = _space(row, SHOWN_U + k, R, j)
            vectors[3, i, j] = origin[j] + _space(row, SHOWN_Y + k, R, j)
            bristles[0, i, j], bristles[1, i, j] = friction, damper
            bristles[2, i, j], bristles[3, i, j] = bend, slide
    sums[0], sums[1], sums[2] = stored, lost, lost + damped


@kernel(allocates=False)
def _slid(row: Floats, k: int) -> float:
    """What the elastic slip does not follow of a shift; exactly 0 where a point sticks."""
    return row[SHOWN_OLD_SLIP + k] + row[SHOWN_SHIFT + k] - row[SHOWN_Z + k]


@kernel(fastmath=True)
def _space(row: Floats, first: int, R: Floats, j: int) -> float:
    """Component j in space of the vector of a point, whose first number is at `first`."""
    return R[j, 0] * row[first] + R[j, 1] * row[first + B] + R[j, 2] * row[first + 2 * B]
