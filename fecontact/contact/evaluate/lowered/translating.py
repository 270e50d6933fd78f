"""Contact pairs of bodies that cannot turn, on a plane, as compiled programs see them.

In the axes of the master nothing turns: positions and velocities of the points are

    Y = Y_0 + G q,      U = G v        and the dofs get        f = G^T F,

the normal n is the same everywhere, and the tangents are G^T K G and G^T D G with the sums K and D
over the points. Tasks, laws and memory are those of `contact.evaluate.lowered.step`, which does the
same for bodies that turn. The rows of the points stay in the memory: a step that is accepted where
its force has been evaluated last is not evaluated again.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.body.base import as_body
from fecontact.contact.evaluate.compiled.rigid import CompiledRigid, compiled_rigid
from fecontact.contact.evaluate.lowered.memory import (
    COLUMNS,
    LAWS,
    OTHER,
    laws_of,
    pack_laws,
    points_of,
)
from fecontact.contact.evaluate.lowered.step import (
    ANSWERS,
    History,
    history_of,
    history_parts,
    show_points,
    turn_grip,
)
from fecontact.contact.kernels.block_laws import (
    ContactPoints,
    fetch_history,
    normal_loss,
    press_block,
    slope_block,
    step_block,
)
from fecontact.contact.kernels.blocks import bristle_loss, count_slip
from fecontact.contact.kernels.lanes import lanes, use_lanes
from fecontact.contact.kernels.layout import (
    BLOCK,
    DISTANCE,
    GAP,
    GAP_RATE,
    OLD_SLIP,
    P_GAP,
    P_RATE,
    SHIFT,
    SHOWN,
    SHOWN_Y,
    SLID,
    STATES,
    STATUS,
    WORK,
    F,
    N,
    P,
    U,
    Y,
    Z,
)
from fecontact.contact.kernels.motion import WIDTH, Points, keep_projection
from fecontact.contact.kernels.point_slopes import D, K, slopes_on_master
from fecontact.contact.kernels.shapes import PLANE
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.kernels.arrays import after, matrix, part, viewed
from fecontact.kernels.calls import inlined
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    ADVANCE,
    BEGIN,
    BENT,
    HELD,
    LOST,
    PARAMETERS,
    SHOW,
    STEP,
    SUPPLIED,
    TANGENTS,
    Lowered,
    Packing,
    Record,
    changed,
    record,
)
from fecontact.kernels.memory import take
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = [
    "MOTION",
    "add_slopes",
    "lowered_translating_pair",
    "place_points",
    "pull_forces",
    "translating_numbers",
]

MOTION = 10
"""Parameter: where G (3, n) begins; behind it the axes of the master (3, 3), where its origin is at
rest, and how it moves (3, n)."""
B = BLOCK
NOWHERE = -1.0
"""Step of an evaluation that there has not been."""


def _translating(pointer: Any, parameters: Any, task: float) -> float:
    """A contact pair of bodies that cannot turn, on a plane."""
    p = viewed(parameters, PARAMETERS)
    _evaluated(p, record(pointer, p), int(task))
    return 0.0


@kernel(fastmath=True)
def _evaluated(p: Floats, w: Record, task: int) -> None:
    history, seen = history_of(p, w.own)
    points, n = points_of(p), len(w.v)
    space = after(seen, SHOWN + 27 * points.size + 4)
    last, space = take(space, 1 + 2 * n)
    sums, b = take(space, 18)
    if task == BEGIN:
        last[0] = NOWHERE
        use_lanes(points.size, b)
        place_points(p, w, points, lanes(b), b)
        keep_projection(b, DISTANCE, points.gap, history.start)
        _try(history.start.anchor, b, lanes(b))  # so lanes behind the points have numbers too
        turn_grip(part(p, int(p[MOTION]) + 3 * n, 9), history.grip)
        return
    contact = ContactPoints(points, laws_of(p, int(p[OTHER] if task == HELD else p[LAWS])))
    if task != ADVANCE or not _is_last(w, last):
        shown = part(seen, 0, SHOWN if task == SHOW else 0)
        _press(p, w, contact, history, shown, b)
        _keep_last(w, last)
    if task == ADVANCE:
        _advance(w, contact, history, b)
        last[0] = NOWHERE
    elif task == SHOW:
        normal_loss(contact.laws, points.weights, b, part(seen, 0, SHOWN))
        _show(p, w, points, sums, seen)
    elif task in (TANGENTS, HELD):
        _slopes(p, w, contact, history, sums, b)
        last[0] = NOWHERE


@kernel(fastmath=True)
def _is_last(w: Record, last: Floats) -> bool:
    """Whether the last evaluation was that of this step, at these coordinates and velocities."""
    n = len(w.v)
    same = last[0] == w.head[STEP]
    for j in range(n):
        same = same and last[1 + j] == w.q[j] and last[1 + n + j] == w.v[j]
    return same


@kernel(fastmath=True)
def _keep_last(w: Record, last: Floats) -> None:
    n = len(w.v)
    last[0] = w.head[STEP]
    for j in range(n):
        last[1 + j], last[1 + n + j] = w.q[j], w.v[j]


@kernel(fastmath=True)
def place_points(p: Floats, w: Record, points: Points, count: int, b: Floats) -> None:
    """Paths, normals, gaps, gap rate and slip velocity of the first lanes.

    Y is the path G q alone: the places Y_0 far away would take its last digits.
    """
    n, G, plane = len(w.v), int(p[MOTION]), int(p[LAWS]) + 16
    x = y = z = u = v = s = 0.0
    for j in range(n):
        g0, g1, g2 = p[G + j], p[G + n + j], p[G + 2 * n + j]
        x, y, z = x + g0 * w.q[j], y + g1 * w.q[j], z + g2 * w.q[j]
        u, v, s = u + g0 * w.v[j], v + g1 * w.v[j], s + g2 * w.v[j]
    n0, n1, n2, offset = p[plane], p[plane + 1], p[plane + 2], p[plane + 3]
    rate = n0 * u + n1 * v + n2 * s
    u, v, s = u - rate * n0, v - rate * n1, s - rate * n2
    for i in range(count):
        y0, y1, y2 = points.positions[i], points.positions[B + i], points.positions[2 * B + i]
        b[Y + i], b[Y + B + i], b[Y + 2 * B + i] = x, y, z
        b[N + i], b[N + B + i], b[N + 2 * B + i] = n0, n1, n2
        b[U + i], b[U + B + i], b[U + 2 * B + i] = u, v, s
        b[GAP_RATE + i] = rate
        b[DISTANCE + i] = (n0 * y0 + n1 * y1 + n2 * y2 - offset) + (n0 * x + n1 * y + n2 * z)
        b[GAP + i] = b[DISTANCE + i] + points.gap[i]


@kernel(fastmath=True)
def _try(anchor: Floats, b: Floats, count: int) -> None:
    """Trial slip (I - n n^T)(z + y - anchor); see `contact.kernels.motion.try_slip`."""
    for i in range(count):
        n0, n1, n2 = b[N + i], b[N + B + i], b[N + 2 * B + i]
        z0, z1, z2 = b[Z + i], b[Z + B + i], b[Z + 2 * B + i]
        x0, x1 = b[Y + i] - anchor[i], b[Y + B + i] - anchor[B + i]
        x2 = b[Y + 2 * B + i] - anchor[2 * B + i]
        along, path = n0 * z0 + n1 * z1 + n2 * z2, n0 * x0 + n1 * x1 + n2 * x2
        z0, z1, z2 = z0 - along * n0, z1 - along * n1, z2 - along * n2
        x0, x1, x2 = x0 - path * n0, x1 - path * n1, x2 - path * n2
        b[OLD_SLIP + i], b[OLD_SLIP + B + i], b[OLD_SLIP + 2 * B + i] = z0, z1, z2
        b[SHIFT + i], b[SHIFT + B + i], b[SHIFT + 2 * B + i] = x0, x1, x2
        b[Z + i], b[Z + B + i], b[Z + 2 * B + i] = z0 + x0, z1 + x1, z2 + x2


@partial(inlined, allocates=False)
def _press(
    p: Floats, w: Record, contact: ContactPoints, history: History, shown: Floats, b: Floats
) -> None:
    """Force at the end of a step, and the history there."""
    (points, laws), h = contact, w.head[STEP]
    place_points(p, w, points, points.size, b)
    fetch_history(laws, history.now.z, history.now.status, history.start.gap, b)
    press_block(laws, h, b)
    _try(history.start.anchor, b, points.size)
    step_block(laws, h, points.weights, b, shown)
    pull_forces(p, w, points, b)
    _keep_end(p, points, history, b)


@kernel(fastmath=True)
def pull_forces(p: Floats, w: Record, points: Points, b: Floats) -> None:
    """Generalised force G^T F of the forces of the points."""
    n, G = len(w.v), int(p[MOTION])
    f0 = f1 = f2 = 0.0
    for i in range(points.size):
        f0, f1, f2 = f0 + b[F + i], f1 + b[F + B + i], f2 + b[F + 2 * B + i]
    for j in range(n):
        w.force[j] = p[G + j] * f0 + p[G + n + j] * f1 + p[G + 2 * n + j] * f2


@partial(inlined, allocates=False)
def _keep_end(p: Floats, points: Points, history: History, b: Floats) -> None:
    """History at the trial end of a step."""
    for i in range(points.size):
        z = history.end.z[i]
        z[0], z[1], z[2] = b[Z + i], b[Z + B + i], b[Z + 2 * B + i]
        for k in range(3, int(p[COLUMNS])):
            z[k] = b[STATES + (k - 3) * B + i]
        history.end.status[i] = int(b[STATUS + i])
        slid = b[SLID + i] if b[P + i] > 0.0 and b[SLID + i] >= 0.0 else 0.0
        history.totals[i, 0] = history.totals0[i, 0] + points.weights[i] * b[WORK + i]
        history.totals[i, 1] = history.totals0[i, 1] + slid


@partial(inlined, allocates=False)
def _advance(w: Record, contact: ContactPoints, history: History, b: Floats) -> None:
    """Let the trial end be the start of the next step; lost energies."""
    (points, laws), now, end, start = contact, history.now, history.end, history.start
    for i in range(points.size):
        now.status[i] = end.status[i]
        history.totals0[i, 0], history.totals0[i, 1] = history.totals[i, 0], history.totals[i, 1]
        for k in range(end.z.shape[1]):
            now.z[i, k] = end.z[i, k]
        for k in range(3):
            start.anchor[k * B + i] = b[Y + k * B + i]
        start.gap[i] = b[GAP + i]
    weights = points.weights
    w.head[BENT] = bristle_loss(weights, b, history.grip)
    count_slip(now.status, weights, b, history.grip, history.totals0)
    w.head[LOST] = normal_loss(laws, weights, b, part(b, 0, 0))
    w.head[SUPPLIED] = 0.0


@kernel(fastmath=True)
def _show(p: Floats, w: Record, points: Points, origin: Floats, seen: Floats) -> None:
    """Leave what the points do, for a report; `origin` is working space."""
    n, axes = len(w.v), int(p[MOTION]) + 3 * len(w.v)
    for i in range(3):
        origin[i] = p[axes + 9 + i]
        for j in range(n):
            origin[i] += p[axes + 12 + n * i + j] * w.q[j]
    shown, own = matrix(seen, 0, 1, SHOWN), after(seen, SHOWN)
    for k in range(0, WIDTH, B):
        for i in range(points.size):
            seen[SHOWN_Y + k + i] += points.positions[k + i]
    show_points(points, part(p, axes, 9), origin, w.head[STEP], shown, own)
    own[27 * points.size + 3] = 0.0


@kernel(fastmath=True)
def _slopes(
    p: Floats, w: Record, contact: ContactPoints, history: History, sums: Floats, b: Floats
) -> None:
    """Derivatives of the force."""
    (points, laws), h = contact, w.head[STEP]
    slope_block(laws, h, part(b, 0, 0), history.start, history.now, points.weights, b)
    slopes_on_master(points.weights, b)
    add_slopes(p, w, points, sums, b)


@kernel(fastmath=True)
def add_slopes(p: Floats, w: Record, points: Points, sums: Floats, b: Floats) -> None:
    """Derivatives G^T K G and G^T D G, with the sums over the points that carry or begin to."""
    n, G = len(w.v), int(p[MOTION])
    for k in range(9):
        sums[k] = sums[9 + k] = 0.0
        for i in range(points.size):
            if b[P + i] != 0.0 or b[P_GAP + i] != 0.0 or b[P_RATE + i] != 0.0:
                sums[k] += b[K + k * B + i]
                sums[9 + k] += b[D + k * B + i]
    for j in range(n):
        for kind in range(2):
            at, to = 9 * kind, w.by_q if kind == 0 else w.by_v
            g0, g1, g2 = p[G + j], p[G + n + j], p[G + 2 * n + j]
            for i in range(n):
                to[i, j] = 0.0
                for a in range(3):
                    pulled = sums[at + 3 * a] * g0 + sums[at + 3 * a + 1] * g1
                    to[i, j] += p[G + n * a + i] * (pulled + sums[at + 3 * a + 2] * g2)


def translating_numbers(
    pair: ContactPair, form: CompiledRigid, pack_more: Callable[[Packing], int]
) -> Floats | None:
    """Parameters of a pair of bodies that cannot turn, on a plane; None if it is none.

    `pack_more` appends numbers of one's own: where they begin stands at `OTHER`.
    """
    if not isinstance(pair.master, RigidFace) or form.points.modes:
        return None
    slave, master = as_body(pair.slave).frame_parts(), pair.master.marker.frame_parts()
    if slave is None or master is None or not (slave.translates and master.translates):
        return None
    if form.points.size > BLOCK or form.laws.moves_with_slave or form.laws.shape != PLANE:
        return None
    axes = master.frame
    shift = np.hstack([slave.shift, np.zeros_like(master.shift)])
    carried = np.hstack([np.zeros_like(slave.shift), master.shift])
    n = shift.shape[1]
    packing = Packing(n, n, *[0] * 9)
    at_laws, at_more = pack_laws(packing, form.laws), pack_more(packing)
    start = axes.T @ (slave.origin + slave.point - master.origin - master.point)
    turned = axes.T @ slave.frame @ form.points.positions.reshape(3, BLOCK)
    at_points = packing.add(turned + start[:, None])
    packing.extend([form.points.shapes, form.points.weights, form.points.gap])
    at_maps = packing.add(axes.T @ (shift - carried))
    packing.extend([axes, master.origin + master.point, carried])
    numbers, size = packing.numbers, form.points.size
    numbers[2:11] = 0, 0, size, 0, pair.columns, at_laws, at_more, at_points, at_maps
    return numbers


def lowered_translating_pair(pair: ContactPair) -> Lowered | None:
    """A pair of bodies that cannot turn, on a plane; None if it is none."""
    form = None if changed(pair, "lowered_steps", ANSWERS) else compiled_rigid(pair)
    if form is None:
        return None
    held = form.no_slip_laws
    numbers = translating_numbers(pair, form, lambda packing: pack_laws(packing, held))
    if numbers is None:
        return None
    memory = sum(history_parts(form.points.size, pair.columns, 0)) + 19 + 2 * int(numbers[1])
    return Lowered(_translating, numbers, memory + form.laws.working_size)
