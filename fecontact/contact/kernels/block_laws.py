"""The laws of one block of points in their order, for every kernel that knows gaps and normals.

A kernel finds gap G, gap rate, normal N and slip velocity U of its points on its own surface; from
there on all go the same way: pressure, friction limit, then slip. Rows of the working array are
those of `contact.kernels.laws`, with derivatives those of `contact.kernels.slopes`; below follow
SPEED, in which a kernel keeps elastic velocities, and OLD, the elastic slip at the start of the
step.
"""

from __future__ import annotations

from typing import NamedTuple

from fecontact.contact.kernels.families import REGULARISED, friction_map, friction_slopes
from fecontact.contact.kernels.laws import (
    BLOCK,
    LIMIT,
    PATH,
    RATE,
    P,
    Z,
    flow_map,
    friction_limit,
    pressure,
)
from fecontact.contact.kernels.layers import (
    ADHESIVE,
    SOLID,
    layer_flow,
    layer_slopes,
    layer_step,
    slacken,
    slacken_slopes,
)
from fecontact.contact.kernels.motion import WIDTH, copy, fetch_slip, flatten_slip, try_slip
from fecontact.contact.kernels.slopes import LAW_ROWS, limit_slopes, pressure_slopes
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = [
    "OLD",
    "SLOPE_ROWS",
    "SPEED",
    "Laws",
    "flow_block",
    "normal_loss",
    "press_block",
    "slope_block",
    "step_block",
]

B = BLOCK
SPEED, OLD = BLOCK * LAW_ROWS, BLOCK * (LAW_ROWS + 3)
SLOPE_ROWS = LAW_ROWS + 6
"""Rows of the working array of tangents."""


class Laws(NamedTuple):
    """Surface, normal law and friction law, as `contact.kernels.laws` reads them."""

    shape: int
    shape_par: Floats
    normal: int
    normal_par: Floats
    breaks: Floats
    cubics: Floats
    friction: int
    friction_par: Floats
    speeds: Floats
    pressures: Floats
    table: Floats
    stiffness: float
    damping: float
    family: int
    family_par: Floats


@kernel(fastmath=True)
def press_block(
    laws: Laws, flows: bool, h: float, before: Floats, z: Floats, mode: Integers, w: Floats
) -> None:
    """Pressure, friction limit and slip of the points, over a step h from the gaps `before`.

    The states of layers with memory in z become new ones; in continuous time (`flows`) rates.
    """
    if laws.normal < SOLID:
        pressure(laws.normal, laws.normal_par, laws.breaks, laws.cubics, w)
    elif flows:
        layer_flow(laws.normal, laws.normal_par, z, w)
    else:
        layer_step(laws.normal, laws.normal_par, h, before, z, w)
    limits = laws.friction, laws.friction_par, laws.speeds, laws.pressures, laws.table
    friction_limit(*limits, laws.family < REGULARISED, mode, w)
    if laws.normal == ADHESIVE:
        slacken(w)
    fetch_slip(z, w)


@kernel(fastmath=True)
def step_block(
    laws: Laws, h: float, mode: Integers, wear: Floats, weights: Floats, w: Floats
) -> None:
    """Forces F, slip Z, modes and wear at the end of a step, from the trial slip."""
    friction_map(
        laws.family, laws.family_par, laws.stiffness, laws.damping, h, w, mode, wear, weights
    )


@kernel(fastmath=True)
def flow_block(laws: Laws, mode: Integers, wear: Floats, weights: Floats, w: Floats) -> float:
    """Forces F and rates of the slip in continuous time; power of the normal dampers.

    Layers with memory are left out of it: their losses follow from their states.
    """
    flatten_slip(w)
    flow_map(laws.stiffness, laws.damping, w, mode, wear, weights)
    return 0.0 if laws.normal >= SOLID else normal_loss(laws, weights, w)


@kernel(fastmath=True)
def normal_loss(laws: Laws, weights: Floats, w: Floats) -> float:
    """Power of the normal dampers: (p at rest - p) g'; P stays."""
    power = 0.0
    for i in range(B):
        power -= weights[i] * w[P + i] * w[RATE + i]
        w[PATH + i], w[LIMIT + i] = w[RATE + i], w[P + i]
        w[RATE + i] = 0.0
    pressure(laws.normal, laws.normal_par, laws.breaks, laws.cubics, w)
    for i in range(B):
        power += weights[i] * w[P + i] * w[PATH + i]
        w[RATE + i], w[P + i] = w[PATH + i], w[LIMIT + i]
    return power


@kernel(fastmath=True)
def slope_block(
    laws: Laws, h: float, anchor: Floats, old: Floats, before: Floats, z: Floats, mode: Integers,
    wear: Floats, weights: Floats, w: Floats,
) -> None:  # fmt: skip
    """Forces F at the end of a step and the derivatives of all laws.

    `anchor` and `old` are foot and normal at its start; z stays.
    """
    if laws.normal >= SOLID:
        layer_slopes(laws.normal, laws.normal_par, h, before, z, w)
    else:
        pressure(laws.normal, laws.normal_par, laws.breaks, laws.cubics, w)
        pressure_slopes(laws.normal, laws.normal_par, laws.breaks, laws.cubics, w)
    limits = laws.friction, laws.friction_par, laws.speeds, laws.pressures, laws.table
    friction_limit(*limits, laws.family < REGULARISED, mode, w)
    limit_slopes(*limits, laws.family < REGULARISED, mode, w)
    if laws.normal == ADHESIVE:
        slacken_slopes(w)
    fetch_slip(z, w)
    copy(w[Z : Z + WIDTH], w[OLD : OLD + WIDTH])
    try_slip(anchor, old, w)
    friction_slopes(laws.family, laws.family_par, laws.stiffness, laws.damping, h, w)
    step_block(laws, h, mode, wear, weights, w)
