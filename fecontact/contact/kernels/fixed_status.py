"""Compiled contact of points whose status is given (`contact.evaluate.fixed_status`)."""

from __future__ import annotations

from math import sqrt
from typing import Any

from fecontact.contact.kernels.block_laws import Laws, fetch_history
from fecontact.contact.kernels.blocks import gather_forces, project_on_modes
from fecontact.contact.kernels.lanes import lanes
from fecontact.contact.kernels.layout import BLOCK, GAP, GAP_RATE, L_P, LIMIT, WORK, F, N, P, U, Z
from fecontact.contact.kernels.motion import (
    Points,
    deform_block,
    flatten_slip,
    see_positions,
    slide_block,
)
from fecontact.contact.kernels.shapes import distance
from fecontact.contact.laws.yielding import fixed_rate
from fecontact.contact.status import OPEN
from fecontact.kernels.calls import call_block
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["SIGNALS", "fixed_status_blocks", "fixed_status_rate", "pair_fixed_status_blocks"]

B = BLOCK
SIGNALS = 13
"""Pressure, friction limit, |T|, cosine of the angle between -T and s, slide, speed, gap, and the
slip velocity and the traction T in the frame of the master."""


@kernel
def fixed_status_rate(
    stiffness: float,
    damping: float,
    limit: Floats,
    status: Integers,
    toward: Floats,
    slip: Floats,
    z: Floats,
    traction: Floats,
    rate: Floats,
    power: Floats,
) -> None:
    """Traction, rate of z and slip power of all points; vectors (p, 3) in space components."""
    for i in range(len(limit)):
        s = (slip[i, 0], slip[i, 1], slip[i, 2])
        bent = (z[i, 0], z[i, 1], z[i, 2])
        sense = (toward[i, 0], toward[i, 1], toward[i, 2])
        T, r, _ = fixed_rate(stiffness, damping, limit[i], status[i], sense, s, bent)
        power[i] = 0.0
        for k in range(3):
            traction[i, k], rate[i, k] = T[k], r[k]
            power[i] -= T[k] * (s[k] - r[k])


@kernel
def _fixed_status_map(
    laws: Laws, status: Integers, toward: Floats, weights: Floats, slip_totals: Floats,
    signals: Floats,
    w: Floats,
) -> float:  # fmt: skip
    """Forces F, rates of z in Z, slip power and speed, signals of a block; power of its dampers."""
    lost = 0.0
    for k in range(0, 3 * B, B):
        for i in range(lanes(w)):
            w[F + k + i] = 0.0
    for i in range(len(status)):
        s = (w[U + i], w[U + B + i], w[U + 2 * B + i])
        z = (w[Z + i], w[Z + B + i], w[Z + 2 * B + i])
        sense = (toward[i, 0], toward[i, 1], toward[i, 2])
        limit, pressed = w[LIMIT + i], w[P + i]
        T, r, slide = fixed_rate(laws.friction[0], laws.friction[1], limit, status[i], sense, s, z)
        power = grip = speed = along = 0.0
        for k in range(3):
            w[F + k * B + i] = weights[i] * (pressed * w[N + k * B + i] + T[k])
            w[Z + k * B + i] = r[k]
            power -= T[k] * (s[k] - r[k])
            grip += T[k] * T[k]
            speed += s[k] * s[k]
            along -= T[k] * s[k]
            lost += weights[i] * laws.friction[1] * r[k] * r[k]
        if status[i] != OPEN:
            lost += weights[i] * laws.normal[1] * w[GAP_RATE + i] ** 2
        grip, speed = sqrt(grip), sqrt(speed)
        slip_totals[i, 0] = weights[i] * power
        slip_totals[i, 1] = slide
        signals[0, i] = -(laws.normal[0] * w[GAP + i] + laws.normal[1] * w[GAP_RATE + i])
        signals[1, i], signals[2, i] = limit, grip
        signals[3, i] = along / (grip * speed) if grip * speed > 0.0 else -1.0
        signals[4, i] = slide
        signals[5, i], signals[6, i] = speed, w[GAP + i]
        signals[7, i], signals[8, i], signals[9, i] = s
        signals[10, i], signals[11, i], signals[12, i] = T
    return lost


@kernel(fastmath=True)
def _closed_pressure(laws: Laws, status: Integers, w: Floats) -> None:
    """Pressure of closed points, also where it would pull; none of open ones."""
    for i in range(lanes(w)):
        w[P + i] = 0.0
    for i in range(len(status)):
        if status[i] != OPEN:
            w[P + i] = -(laws.normal[0] * w[GAP + i] + laws.normal[1] * w[GAP_RATE + i])


@kernel(fastmath=True)
def _signed_limit(laws: Laws, w: Floats) -> None:
    """Friction limit mu p, negative under tension, where mu is that of no pressure."""
    for i in range(lanes(w)):
        w[WORK + i] = w[P + i]
        w[P + i] = max(w[P + i], 0.0)
    call_block(laws.limit, w, laws.coefficient, 1.0)
    for i in range(lanes(w)):
        w[P + i] = w[WORK + i]
        if w[P + i] < 0.0:
            w[LIMIT + i] = w[L_P + i] * w[P + i]


@kernel(fastmath=True, allocates=True)
def fixed_status_blocks(
    points: Points, laws: Laws, elastic: Floats, rate: Floats, frame: Floats, status: Integers,
    toward: Floats, z: Floats, slip_totals: Floats, signals: Floats, sums: Floats, w: Floats,
) -> bool:  # fmt: skip
    """Contact of all blocks, as `blocks.contact_blocks`; `toward` in the master's frame.

    z becomes its rate, slip_totals (p, 2) slip power and speed, signals (13, p) what events look
    at. The tenth sum is the power of the dampers. Returns False if a point lies where the surface
    has no normal. `w` is working space (`Laws.working_size`).
    """
    good = True
    for block in range(len(sums)):
        first, last = block * B, min(block * B + B, points.size)
        own, weights = status[first:last], points.weights[first : first + B]
        deform_block(points, block, elastic, rate, w)
        see_positions(frame, w)
        good &= distance(laws.shape, laws.shape_par, w)
        slide_block(frame, points.gap[first : first + B], w)
        fetch_history(laws, z[first:last], own, points.gap[first : first + B], w)
        _closed_pressure(laws, own, w)
        _signed_limit(laws, w)
        flatten_slip(w)
        lost = _fixed_status_map(
            laws,
            own,
            toward[first:last],
            weights,
            slip_totals[first:last],
            signals[:, first:last],
            w,
        )
        for i in range(last - first):
            for k in range(3):
                z[first + i, k] = w[Z + k * B + i]
        gather_forces(weights, frame, w, sums[block])
        project_on_modes(points, block, w, sums[block])
        sums[block, 10] = lost
    return good


@kernel(fastmath=True, allocates=True)
def pair_fixed_status_blocks(
    points: tuple[Any, ...], laws: tuple[Any, ...], elastic: Floats, rate: Floats, frame: Floats,
    status: Integers, toward: Floats, z: Floats, slip_totals: Floats, signals: Floats, sums: Floats,
    w: Floats,
) -> bool:  # fmt: skip
    """`fixed_status_blocks` for Python, which hands plain tuples over faster than named ones."""
    return fixed_status_blocks(
        Points(*points), Laws(*laws), elastic, rate, frame, status, toward, z, slip_totals,
        signals, sums, w,
    )  # fmt: skip
