"""Compiled contact of points whose status is given (`contact.evaluate.fixed_status`)."""

from __future__ import annotations

from math import sqrt
from typing import Any, NamedTuple

from fecontact.contact.kernels.block_laws import (
    ContactPoints,
    Laws,
    PointStates,
    fetch_history,
    named,
)
from fecontact.contact.kernels.blocks import gather_forces, project_on_modes
from fecontact.contact.kernels.lanes import lanes
from fecontact.contact.kernels.layout import BLOCK, GAP, GAP_RATE, L_P, LIMIT, WORK, F, N, P, U, Z
from fecontact.contact.kernels.motion import (
    SlaveMotion,
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

__all__ = [
    "SIGNALS",
    "FixedStatusResults",
    "fixed_status_blocks",
    "fixed_status_rate",
    "pair_fixed_status_blocks",
]

B = BLOCK
SIGNALS = 13
"""Pressure, friction limit, |T|, cosine of the angle between -T and s, slide, speed, gap, and the
slip velocity and the traction T in the frame of the master."""


class FixedStatusResults(NamedTuple):
    """Slip power and speed (p, 2), what events look at (SIGNALS, p), and sums of the blocks."""

    slip_totals: Floats
    signals: Floats
    sums: Floats


@kernel
def fixed_status_rate(
    bristle: tuple[float, float],
    limit: Floats,
    status: Integers,
    toward: Floats,
    slip: Floats,
    z: Floats,
    results: tuple[Floats, Floats, Floats],
) -> None:
    """Traction, rate of z and slip power of all points; vectors (p, 3) in space components.

    The bristle has a stiffness and a damper.
    """
    (stiffness, damping), (traction, rate, power) = bristle, results
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
    signals: Floats, w: Floats,
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


@kernel(fastmath=True)
def fixed_status_blocks(
    contact: ContactPoints, motion: SlaveMotion, states: PointStates, toward: Floats,
    results: FixedStatusResults, w: Floats,
) -> bool:  # fmt: skip
    """Contact of all blocks, as `blocks.contact_blocks`; `toward` in the master's frame.

    z becomes its rate. The tenth sum is the power of the dampers. Returns False if a point lies
    where the surface has no normal. `w` is working space (`Laws.working_size`).
    """
    (points, laws), (slip_totals, signals, sums), good = contact, results, True
    frame, z = motion.frame, states.z
    for block in range(len(sums)):
        first, last = block * B, min(block * B + B, points.size)
        own, full = slice(first, last), slice(first, first + B)
        status, weights, gap = states.status[own], points.weights[full], points.gap[full]
        deform_block(points, block, motion.elastic, motion.rate, w)
        see_positions(frame, w)
        good &= distance(laws.shape, laws.shape_par, w)
        slide_block(frame, gap, w)
        fetch_history(laws, z[own], status, gap, w)
        _closed_pressure(laws, status, w)
        _signed_limit(laws, w)
        flatten_slip(w)
        lost = _fixed_status_map(
            laws, status, toward[own], weights, slip_totals[own], signals[:, own], w
        )
        for i in range(last - first):
            for k in range(3):
                z[first + i, k] = w[Z + k * B + i]
        gather_forces(weights, frame, w, sums[block])
        project_on_modes(points, block, w, sums[block])
        sums[block, 10] = lost
    return good


@kernel(fastmath=True)
def pair_fixed_status_blocks(
    contact: tuple[Any, Any], motion: tuple[Any, ...], states: tuple[Any, ...], toward: Floats,
    results: tuple[Any, ...], w: Floats,
) -> bool:  # fmt: skip
    """`fixed_status_blocks` for Python, which hands plain tuples over faster than named ones."""
    return fixed_status_blocks(
        named(contact), SlaveMotion(*motion), PointStates(*states), toward,
        FixedStatusResults(*results), w,
    )  # fmt: skip
