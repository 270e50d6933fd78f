"""Contact pairs point by point, as compiled programs see them.

So are all pairs but those of frames on rigid surfaces whose bristles stand on the master. Slaves
are bodies whose points move with shapes in a frame, and discs that spin
(`body.lowered.moving_points`); masters are rigid surfaces and plates (`seen_surface`). Points and
history are those of `contact.kernels.eulerian`. The first ten numbers of a pair are those of
`memory`; behind them, from MEMORY on,

    rings, springs in space (0 or 1), then weights, points, gaps, order of the rings, directions
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fecontact.body.base import as_body
from fecontact.body.lowered.moving_point_slopes import differentiate_loads
from fecontact.body.lowered.moving_points import (
    PointMaps,
    PointSpace,
    add_point_loads,
    move_points,
    pack_frame_points,
    point_space,
    point_space_size,
)
from fecontact.contact.evaluate.lowered.memory import (
    MASTER,
    MEMORY,
    POINTS,
    SLAVE,
    pack_laws,
)
from fecontact.contact.evaluate.lowered.seen_surface import (
    SurfaceSpace,
    load_surface,
    pack_surface,
    see_surface,
    surface_space,
    surface_space_size,
)
from fecontact.contact.evaluate.lowered.surface_slopes import differentiate_surface
from fecontact.contact.kernels.block_laws import Laws, PointStates
from fecontact.contact.kernels.eulerian import LOCAL, Rolling, rolling_size
from fecontact.contact.kernels.layout import BLOCK, ROWS
from fecontact.kernels.arrays import after, integers, matrix, part
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import TIME, Packing, Record, changed
from fecontact.kernels.memory import take, take_matrix
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.kinematics.transport import Transport
    from fecontact.contact.pair import ContactPair

__all__ = [
    "Carried",
    "Held",
    "Spaces",
    "contact_of",
    "differentiate",
    "load",
    "pack_rolling",
    "rings_of",
    "rolling_memory",
    "see",
    "spaces_of",
]

MOTION = ("point_motion", "located", "frame_motion", "spin_frame")
"""What a class of one's own may not change if its points are to have this form."""
RINGS, IN_SPACE, TABLES = range(3)
"""Numbers from MEMORY on: how many rings, or one for each point; whether springs stand in space."""


class Held(NamedTuple):
    """History of the points that a kernel works on, with slip work and path, and friction forces.

    `gap` (blocks * BLOCK,) are the gaps at the start of a step.
    """

    states: PointStates
    totals: Floats
    grip: Floats
    gap: Floats


class Carried(NamedTuple):
    """Angle (1,) over a step, and the circulant (n,) that carries along a ring by it."""

    turn: Floats
    carry: Floats


class Spaces(NamedTuple):
    """Working space of points and surface, and derivatives (p, 3, LOCAL) of the forces."""

    points: PointSpace
    maps: PointMaps
    surface: SurfaceSpace
    local: Floats


def pack_rolling(
    pair: ContactPair, laws: Laws, transport: Transport | None,
    pack_other: Callable[[Packing], int],
) -> Floats | None:  # fmt: skip
    """Parameters of a pair; None if slave or master has no such form.

    `transport` is that of its history, if it has one; `pack_other` appends what the form needs
    besides, and returns where it begins.
    """
    body, surface = as_body(pair.slave), pair.surface
    if changed(body, "pack_points", MOTION):
        return None
    n_q = sum(len(each.reference()) for each in pair.bodies)
    packing = Packing(n_q, sum(len(each.dofs) for each in pair.bodies), *[0] * 8)
    count = len(surface.points)
    shapes = np.zeros((count, 3, 0)) if surface.shapes is None else surface.shapes
    at_slave = body.pack_points(packing, surface.material)
    if at_slave is None:
        at_frame = body.pack_frame(packing)
        if at_frame is None:
            return None
        at_slave = pack_frame_points(packing, at_frame, body.material_spin, shapes)
    extent = float(np.abs(surface.points).max(initial=0.0))
    at_master = pack_surface(packing, pair.master, extent)
    if at_master is None:
        return None
    at_laws, at_other = pack_laws(packing, laws), pack_other(packing)
    at_contact = _pack_contact(packing, pair, transport)
    numbers = packing.numbers
    numbers[2:10] = (
        at_slave, at_master, count, shapes.shape[2], pair.columns, at_laws, at_other, at_contact
    )  # fmt: skip
    return numbers


def _pack_contact(packing: Packing, pair: ContactPair, transport: Transport | None) -> int:
    points = np.ascontiguousarray(pair.surface.points, dtype=float)
    count, rings = len(points), None if transport is None else transport.rings
    order = np.arange(count)[:, None] if rings is None else rings.order
    in_space = transport is not None and transport.springs_in_space
    start = packing.add([len(order), float(in_space)])
    weights = np.zeros(-(-count // BLOCK) * BLOCK)
    weights[:count] = pair.surface.weights
    angle = np.arctan2(points[:, 1], points[:, 0])
    gaps = np.broadcast_to(np.asarray(pair.gap(0.0), dtype=float), count)
    packing.extend([weights, points, gaps])
    packing.add(np.ascontiguousarray(order, dtype=np.int64).view(float))
    packing.add(np.column_stack([np.cos(angle), np.sin(angle)]))
    return start


def rolling_memory(pair: ContactPair, laws: Laws) -> int:
    """Length of the working space of `contact_of` and `spaces_of`."""
    count, n_s = pair.points, len(pair.slave.dofs)
    modes = 0 if pair.surface.shapes is None else pair.surface.shapes.shape[2]
    disc = as_body(pair.slave).pack_points(Packing(), pair.surface.material) is not None
    m = n_s if disc else modes
    of_contact = 22 * count + 12 + 3 * count + rolling_size(laws)
    return (
        of_contact + point_space_size(count, n_s, m) + surface_space_size(pair) + 3 * LOCAL * count
    )


@kernel(fastmath=True)
def rings_of(p: Floats) -> int:
    """How many rings there are."""
    return int(p[int(p[MEMORY]) + RINGS])


@kernel(fastmath=True)
def contact_of(
    p: Floats, laws: Laws, held: Held, carried: Carried, more: int, w: Floats
) -> tuple[Rolling, Floats]:
    """Points of a pair with working space, `more` than a block needs; and the memory behind it."""
    at, n = int(p[MEMORY]), int(p[POINTS])
    rings, in_space = rings_of(p), p[at + IN_SPACE] > 0.0
    blocks, rest = (n + BLOCK - 1) // BLOCK, after(p, at + TABLES)
    weights, rest = take(rest, blocks * BLOCK)
    points, rest = take_matrix(rest, n, 3)
    gap, rest = take(rest, n)
    order = integers(rest, 0, n).reshape((rings, n // rings))
    direction = matrix(rest, n, n, 2)
    drift, w = take(w, n)
    speed, w = take(w, n)
    position, w = take_matrix(w, n, 3)
    normal, w = take_matrix(w, n, 3)
    distance, w = take(w, n)
    motion, w = take(w, 6 * n)
    before, w = take(w, 6 * n)
    force, w = take_matrix(w, n, 3)
    total, w = take(w, 12)
    for i in range(n):
        drift[i] = speed[i] = 0.0
    size = (3 + ROWS + laws.friction_states + laws.normal_states) * BLOCK + more
    work, w = take(w, size)
    (states, totals, grip, gap_before), (turn, carry) = held, carried
    return Rolling(
        laws, weights, in_space, points, gap, drift, speed, order, direction, states.z,
        states.status, totals, grip, position, normal, distance, motion.reshape((2, n, 3)),
        before.reshape((2, n, 3)), gap_before, turn, carry, force, total, work,
    ), w  # fmt: skip


@kernel(fastmath=True)
def spaces_of(p: Floats, w: Floats) -> Spaces:
    """Working space of points and surface."""
    slave, n = int(p[SLAVE]), int(p[POINTS])
    points, maps, w = point_space(p, slave, n, w)
    own = int(p[1]) - int(p[slave + 2])
    surface, w = surface_space(p, int(p[MASTER]), n, (own, int(p[1])), w)
    return Spaces(points, maps, surface, part(w, 0, 3 * LOCAL * n).reshape((n, 3, LOCAL)))


@kernel(fastmath=True, allocates=True)
def see(p: Floats, w: Record, c: Rolling, spaces: Spaces) -> bool:
    """Place the points; False if one has no normal."""
    slave, t = int(p[SLAVE]), w.head[TIME]
    sizes = int(p[slave + 1]), int(p[slave + 2])
    move_points(
        p, slave, t, part(w.q, 0, sizes[0]), part(w.v, 0, sizes[1]), c.points, spaces.points,
        c.position, c.motion[0], c.motion[1],
    )  # fmt: skip
    good: bool = see_surface(p, int(p[MASTER]), w, sizes, c, spaces.surface)
    return good


@kernel(fastmath=True, allocates=True)
def load(p: Floats, w: Record, c: Rolling, spaces: Spaces) -> None:
    """Generalised force of the forces of the points."""
    slave = int(p[SLAVE])
    for j in range(len(w.force)):
        w.force[j] = 0.0
    add_point_loads(p, slave, spaces.points, c.force, w.force)
    load_surface(p, int(p[MASTER]), c, spaces.surface, after(w.force, int(p[slave + 2])))


@kernel(fastmath=True, allocates=True)
def differentiate(p: Floats, w: Record, c: Rolling, spaces: Spaces, free: int) -> None:
    """Derivatives of the generalised force, after `load`, from those of the points in `local`."""
    slave = int(p[SLAVE])
    n_q, n = int(p[slave + 1]), int(p[slave + 2])
    points = spaces.points, spaces.maps
    differentiate_surface(
        p, (slave, int(p[MASTER])), w, c, spaces.local, free, points, spaces.surface
    )
    differentiate_loads(p, slave, part(w.q, 0, n_q), part(w.v, 0, n), *points, c.force, w.by_q)
