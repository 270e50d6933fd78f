"""What lowered contact pairs share: their numbers, their frames, and the loads of their points.

A pair has the parameters

    n_q, n, slave, master, points, modes, columns, laws, other, memory

that say where slave, master, laws and points begin, the numbers of points, of modes and of columns
of z; `other` is where something else begins that a form needs. Bodies, laws and points follow.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fecontact.body.base import as_body
from fecontact.body.lowered import (
    MAPS,
    OMEGA,
    POSITION,
    ROTATION,
    SPIN,
    VELOCITY,
    add_d_load,
    frame_size,
    marker_sizes,
    pack_marker,
    place_marker,
)
from fecontact.body.lowered.moving_points import pull_frame
from fecontact.contact.evaluate.lowered.pair_slopes import PairFrames, pair_slopes, slopes_size
from fecontact.contact.kernels.block_laws import Laws
from fecontact.contact.kernels.blocks import FORCE_SUMS
from fecontact.contact.kernels.layout import BLOCK
from fecontact.contact.kernels.motion import WIDTH, Points, SlaveMotion, relative_frame
from fecontact.contact.kernels.tangents import EXTRA, GROUP
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.kernels.arrays import after, matrix, part
from fecontact.kernels.calls import inlined
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import TIME, Packing, Record
from fecontact.kernels.memory import take, take_matrix
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = [
    "COLUMNS",
    "LAWS",
    "MASTER",
    "MEMORY",
    "MODES",
    "OTHER",
    "POINTS",
    "SLAVE",
    "PairState",
    "differentiate_pair",
    "frame_of",
    "gaps_turn",
    "laws_of",
    "load_pair",
    "outer_power",
    "pack_laws",
    "pack_pair",
    "place_pair",
    "points_of",
    "spun",
    "state_size",
    "take_slopes",
    "tangents_size",
]

SLAVE, MASTER, POINTS, MODES, COLUMNS, LAWS, OTHER, MEMORY = range(2, 10)
"""Parameters of a pair."""


class PairState(NamedTuple):
    """A pair at the coordinates of its record.

    Frames of its bodies, the motion of the slave seen from the master, the force in space, and
    room for the sums of its blocks.
    """

    frames: PairFrames
    motion: SlaveMotion
    force: Floats
    sums: Floats


def gaps_turn(pair: ContactPair) -> bool:
    """Whether initial gaps turn past the points."""
    return bool(np.any(pair.gap_rate(0.0)) or np.any(pair.gap_drift(0.0)))


@partial(inlined, allocates=False)
def points_of(p: Floats) -> Points:
    """Points in the parameters."""
    n, modes, rest = int(p[POINTS]), int(p[MODES]), after(p, int(p[MEMORY]))
    blocks = (n + BLOCK - 1) // BLOCK
    positions, rest = take(rest, blocks * WIDTH)
    shapes, rest = take(rest, blocks * WIDTH * modes)
    weights, rest = take(rest, blocks * BLOCK)
    return Points(n, modes, positions, shapes, weights, part(rest, 0, blocks * BLOCK))


@partial(inlined, allocates=False)
def laws_of(p: Floats, at: int) -> Laws:
    """Numbers: 12 integers, then lengths and numbers of four groups of parameters."""
    shape, rest = take(after(p, at + 16), int(p[at + 12]))
    normal, rest = take(rest, int(p[at + 13]))
    coefficient, rest = take(rest, int(p[at + 14]))
    return Laws(
        int(p[at]), shape, normal, coefficient, part(rest, 0, int(p[at + 15])),
        int(p[at + 1]), int(p[at + 2]), int(p[at + 3]), int(p[at + 4]), int(p[at + 5]),
        int(p[at + 6]), int(p[at + 7]), int(p[at + 8]), int(p[at + 9]),
        p[at + 10] > 0.0, p[at + 11] > 0.0,
    )  # fmt: skip


def pack_laws(packing: Packing, laws: Laws) -> int:
    """Append laws, see `laws_of`; returns where they begin."""
    groups = laws.shape_par, laws.normal, laws.coefficient, laws.friction
    start = packing.add([laws.shape, *laws[5:]])
    packing.add([len(group) for group in groups])
    packing.extend(groups)
    return start


def pack_pair(
    pair: ContactPair, points: Points, laws: Laws, pack_other: Callable[[Packing], int]
) -> Floats | None:
    """Parameters of a pair on a rigid surface; None if a body has no such form.

    `pack_other` appends what the form needs besides, and returns where it begins.
    """
    assert isinstance(pair.master, RigidFace)
    n_q = sum(len(body.reference()) for body in pair.bodies)
    packing = Packing(n_q, sum(len(body.dofs) for body in pair.bodies), *[0] * 8)
    at_slave = as_body(pair.slave).pack_frame(packing)
    at_master = pack_marker(packing, pair.master.marker)
    if at_slave is None or at_master is None:
        return None
    at_laws, at_other = pack_laws(packing, laws), pack_other(packing)
    at_points = packing.add(points.positions)
    packing.extend([points.shapes, points.weights, points.gap])
    numbers = packing.numbers
    numbers[2:10] = (
        at_slave, at_master, points.size, points.modes, pair.columns, at_laws, at_other, at_points
    )  # fmt: skip
    return numbers


@kernel(fastmath=True)
def spun(f: Floats) -> None:
    """Angular velocity of the material, and of its maps, in place of that of the axes."""
    for i in range(3):
        f[OMEGA + i] += f[SPIN + i]


@partial(inlined, allocates=False)
def place_pair(p: Floats, w: Record, points: Points, space: Floats) -> tuple[PairState, Floats]:
    """Frames of slave and master, and the one seen from the other; and the memory behind them."""
    (q_s, n_s), (_, n_m) = marker_sizes(p, int(p[SLAVE])), marker_sizes(p, int(p[MASTER]))
    modes, t = points.modes, w.head[TIME]
    f_s, space = take(space, MAPS + 15 * n_s)
    f_m, space = take(space, MAPS + 15 * n_m)
    frame, space = take(space, 24)
    force, space = take(space, 3)
    sums, space = take_matrix(space, len(points.weights) // BLOCK, FORCE_SUMS + modes)
    place_marker(p, int(p[SLAVE]), t, part(w.q, 0, q_s), part(w.v, 0, n_s), f_s)
    place_marker(p, int(p[MASTER]), t, after(w.q, q_s), after(w.v, n_s), f_m)
    spun(f_s)
    spun(f_m)
    relative_frame(frame_of(f_s), frame_of(f_m), frame)
    elastic, rate = part(w.q, q_s - modes, modes), part(w.v, n_s - modes, modes)
    frames, motion = PairFrames(f_s, f_m, n_s, n_m), SlaveMotion(elastic, rate, frame)
    return PairState(frames, motion, force, sums), space


@partial(inlined, allocates=False)
def frame_of(f: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Rotation, origin, velocity and angular velocity."""
    return matrix(f, ROTATION, 3, 3), part(f, POSITION, 3), part(f, VELOCITY, 3), part(f, OMEGA, 3)


def state_size(pair: ContactPair, points: Points) -> int:
    """Length of the memory of a `PairState`."""
    n_s = len(pair.slave.dofs)
    n_m = sum(len(body.dofs) for body in pair.bodies) - n_s
    blocks = len(points.weights) // BLOCK
    return frame_size(n_s) + frame_size(n_m) + 27 + blocks * (FORCE_SUMS + points.modes)


@partial(inlined, allocates=False)
def load_pair(w: Record, at: PairState, total: Floats) -> None:
    """Generalised force of the sums of all points."""
    (f_s, f_m, n_s, n_m), F, modes = at.frames, at.force, len(total) - FORCE_SUMS
    for i in range(3):
        F[i] = 0.0
        for j in range(3):
            F[i] += f_m[ROTATION + 3 * i + j] * total[j]
    for j in range(n_s + n_m):
        w.force[j] = 0.0
    pull_frame(f_s, n_s, F, part(total, 6, 3), 1.0, w.force)
    pull_frame(f_m, n_m, F, part(total, 3, 3), -1.0, after(w.force, n_s))
    for k in range(modes):
        w.force[n_s - modes + k] += total[FORCE_SUMS + k]


@partial(inlined, allocates=False)
def outer_power(w: Record, total: Floats) -> float:
    """Power in W of motion that is not in v."""
    power = -total[9]
    for j in range(len(w.force)):
        power += w.force[j] * w.v[j]
    return power


@partial(inlined, allocates=False)
def take_slopes(modes: int, blocks: int, wanted: bool, space: Floats) -> tuple[Floats, Floats]:
    """Room for the sums of `tangent_blocks`, of no groups if they are not wanted."""
    m = 6 + modes
    groups, width = (blocks + GROUP - 1) // GROUP if wanted else 0, 2 * m + EXTRA
    sums = part(space, 0, groups * m * width).reshape((groups, m, width))
    return sums, after(space, groups * m * width)


@kernel(fastmath=True)
def differentiate_pair(
    p: Floats, w: Record, frames: PairFrames, sums: Floats, space: Floats
) -> None:
    """Derivatives of the force from the sums of `tangent_blocks`, of which the first is changed."""
    total = sums[0]
    for group in range(1, len(sums)):
        for i in range(total.shape[0]):
            for j in range(total.shape[1]):
                total[i, j] += sums[group, i, j]
    loads, space = take(space, 12)
    (f_s, f_m, n_s, _), (q_s, _) = frames, marker_sizes(p, int(p[SLAVE]))
    pair_slopes(total, frames, loads, space, w.by_q, w.by_v)
    add_d_load(p, int(p[SLAVE]), part(w.q, 0, q_s), f_s, part(loads, 0, 6), 1.0, 0, w.by_q)
    add_d_load(p, int(p[MASTER]), after(w.q, q_s), f_m, after(loads, 6), 1.0, n_s, w.by_q)


def tangents_size(points: Points, n: int, of_points: int) -> int:
    """Length of the memory of the derivatives of a pair with n dofs.

    `of_points` is what the kernel of the points needs.
    """
    m, groups = 6 + points.modes, -(-len(points.weights) // (BLOCK * GROUP))
    return groups * m * (2 * m + EXTRA) + max(of_points, 12 + slopes_size(m, n))
