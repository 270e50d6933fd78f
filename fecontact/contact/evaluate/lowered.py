"""A contact pair on a rigid surface as compiled programs see it, with its history.

The pair keeps in its record the history at the start of a step and that of the last trial:

    BEGIN     takes coordinates and velocities as those of the start of a step, and the forces of
              `grip` from space to the frame of the master
    FORCE     force at the end of a step h from there; TANGENTS: with derivatives; HELD: with those
              of bristles that never yield
    ADVANCE   accepts the step: its end is the start of the next one
    SHOW      force, and what the points do at the end of the step, for a report.

It is what `contact.evaluate.compiled_rigid` does for Python, by the same kernels over the points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

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
from fecontact.contact.evaluate.compiled_rigid import compiled_rigid
from fecontact.contact.evaluate.pair_slopes import pair_slopes, slopes_size
from fecontact.contact.kernels.block_laws import Laws
from fecontact.contact.kernels.blocks import ADVANCE as ADVANCE_POINTS
from fecontact.contact.kernels.blocks import FORCE_SUMS, PROJECT, STEP, added, contact_blocks
from fecontact.contact.kernels.layout import BLOCK, SHOWN
from fecontact.contact.kernels.motion import WIDTH, Points, relative_frame
from fecontact.contact.kernels.shown import report_points
from fecontact.contact.kernels.tangents import EXTRA, GROUP, tangent_blocks, tangent_size
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.kernels.arrays import after, integers, matrix, part, viewed
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    ADVANCE,
    BEGIN,
    BENT,
    FAILED,
    HELD,
    LOST,
    PARAMETERS,
    SHOW,
    SUPPLIED,
    TANGENTS,
    TIME,
    Lowered,
    Packing,
    Record,
    changed,
    record,
)
from fecontact.kernels.lowered import STEP as STEP_LENGTH
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["ANSWERS", "COLUMNS", "HELD_LAWS", "LAWS", "MASTER", "MEMORY", "MODES", "PARTS",
           "POINTS", "SLAVE", "History", "history_of", "history_parts", "laws_of", "load_pair",
           "lowered_pair", "pack_laws", "place_frames", "points_of", "relative_spin", "show_points",
           "turn_grip"]  # fmt: skip

SLAVE, MASTER, POINTS, MODES, COLUMNS, LAWS, HELD_LAWS, MEMORY = range(2, 10)
"""Parameters: where slave, master and laws begin, numbers of points, modes and columns of z, and
where the points begin."""


ANSWERS = ("begin", "kinematics", "point_motion", "gap", "gap_drift", "gap_rate", "transport")
"""What a class of one's own may not change if its pairs are to have this form."""


class History(NamedTuple):
    """What a pair keeps of its points: at the start of a step (`...0`), and at its trial end."""

    z0: Floats
    status0: Integers
    totals0: Floats
    grip: Floats
    anchor: Floats
    normal: Floats
    before: Floats
    z: Floats
    status: Integers
    totals: Floats
    total: Floats


PARTS = (*History._fields, "shown", "numbers", "vectors", "bristles", "sums")
"""Parts of the memory of a pair: its history, then what SHOW leaves, see `report_points`; behind
its sums the power in W of motion that is not in v."""


def history_parts(points: int, columns: int, modes: int) -> list[int]:
    """Lengths of the `PARTS`."""
    blocks = -(-points // BLOCK)
    own = [points * columns, points, 2 * points]
    projected = [blocks * WIDTH, blocks * WIDTH, blocks * BLOCK]
    seen = [blocks * SHOWN, 3 * points, 12 * points, 12 * points, 4]
    return [*own, 4 * points, *projected, *own, FORCE_SUMS + modes, *seen]


@kernel(fastmath=True)
def history_of(p: Floats, own: Floats) -> tuple[History, Floats]:
    """History in the memory of a pair, and the memory behind it."""
    n, k, modes = int(p[POINTS]), int(p[COLUMNS]), int(p[MODES])
    blocks = (n + BLOCK - 1) // BLOCK
    z0, a = n * k, n * k + n
    b = a + 2 * n
    c = b + 4 * n
    d = c + blocks * WIDTH
    e = d + blocks * WIDTH
    f = e + blocks * BLOCK
    g = f + n * k
    h, i = g + n, g + 3 * n
    end = i + FORCE_SUMS + modes
    return History(
        matrix(own, 0, n, k), integers(own, z0, a - z0), matrix(own, a, n, 2),
        matrix(own, b, n, 4), part(own, c, d - c), part(own, d, e - d), part(own, e, f - e),
        matrix(own, f, n, k), integers(own, g, h - g), matrix(own, h, n, 2), part(own, i, end - i),
    ), after(own, end)  # fmt: skip


@kernel(fastmath=True)
def points_of(p: Floats) -> Points:
    """Points in the parameters."""
    n, modes, at = int(p[POINTS]), int(p[MODES]), int(p[MEMORY])
    blocks = (n + BLOCK - 1) // BLOCK
    a = at + blocks * WIDTH
    b = a + blocks * WIDTH * modes
    c = b + blocks * BLOCK
    positions, shapes = part(p, at, a - at), part(p, a, b - a)
    return Points(n, modes, positions, shapes, part(p, b, c - b), part(p, c, blocks * BLOCK))


@kernel(fastmath=True)
def laws_of(p: Floats, at: int) -> Laws:
    """Numbers: 12 integers, then lengths and numbers of four groups of parameters."""
    a = at + 16
    b = a + int(p[at + 12])
    c = b + int(p[at + 13])
    d = c + int(p[at + 14])
    return Laws(
        int(p[at]), part(p, a, b - a), part(p, b, c - b), part(p, c, d - c),
        part(p, d, int(p[at + 15])),
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


@kernel(fastmath=True)
def _spun(f: Floats) -> None:
    """Angular velocity of the material, and of its maps, in place of that of the axes."""
    for i in range(3):
        f[OMEGA + i] += f[SPIN + i]


@kernel(allocates=False)
def place_frames(p: Floats, w: Record, f_s: Floats, f_m: Floats, frame: Floats) -> None:
    """Frames of slave and master, and the one seen from the other."""
    q_s, n_s = marker_sizes(p, int(p[SLAVE]))
    t = w.head[TIME]
    place_marker(p, int(p[SLAVE]), t, part(w.q, 0, q_s), part(w.v, 0, n_s), f_s)
    place_marker(p, int(p[MASTER]), t, after(w.q, q_s), after(w.v, n_s), f_m)
    _spun(f_s)
    _spun(f_m)
    relative_frame(
        matrix(f_s, ROTATION, 3, 3), part(f_s, POSITION, 3), part(f_s, VELOCITY, 3),
        part(f_s, OMEGA, 3), matrix(f_m, ROTATION, 3, 3), part(f_m, POSITION, 3),
        part(f_m, VELOCITY, 3), part(f_m, OMEGA, 3), frame,
    )  # fmt: skip


@kernel(fastmath=True)
def relative_spin(f_s: Floats, f_m: Floats, relative: Floats) -> None:
    """Angular velocity (3,) of the slave relative to the master, in its axes."""
    for i in range(3):
        relative[i] = f_s[OMEGA + i]
        for j in range(3):
            turned = 0.0
            for k in range(3):
                turned += f_s[ROTATION + 3 * k + i] * f_m[ROTATION + 3 * k + j]
            relative[i] -= turned * f_m[OMEGA + j]


@kernel(fastmath=True)
def _copied(history: History) -> None:
    """Take the history at the start of a step for its trial end."""
    for i in range(len(history.status)):
        history.status[i] = history.status0[i]
        history.totals[i, 0], history.totals[i, 1] = history.totals0[i, 0], history.totals0[i, 1]
        for k in range(history.z.shape[1]):
            history.z[i, k] = history.z0[i, k]


@kernel(fastmath=True)
def _pull(f: Floats, n: int, F: Floats, moment: Floats, sign: float, force: Floats) -> None:
    """Add the generalised force of a force in space and a moment in the axes of a frame."""
    for c in range(6):
        load = sign * (F[c] if c < 3 else moment[c - 3])
        for j in range(n):
            force[j] += load * f[MAPS + n * c + j]
        if c >= 3:
            for j in range(n):
                force[j] += load * f[MAPS + 12 * n + n * (c - 3) + j]


@kernel(fastmath=True)
def load_pair(p: Floats, w: Record, f_s: Floats, f_m: Floats, total: Floats, F: Floats) -> None:
    """Generalised force of the sums of all points; the power that is not that of v, in the head."""
    n_s = marker_sizes(p, int(p[SLAVE]))[1]
    first = n_s - int(p[MODES])
    for i in range(3):
        F[i] = 0.0
        for j in range(3):
            F[i] += f_m[ROTATION + 3 * i + j] * total[j]
    for j in range(len(w.force)):
        w.force[j] = 0.0
    _pull(f_s, n_s, F, part(total, 6, 3), 1.0, w.force)
    _pull(f_m, len(w.force) - n_s, F, part(total, 3, 3), -1.0, after(w.force, n_s))
    for k in range(int(p[MODES])):
        w.force[first + k] += total[FORCE_SUMS + k]


def _contact(pointer: Any, parameters: Any, task: float) -> float:
    """A contact pair on a rigid surface."""
    p = viewed(parameters, PARAMETERS)
    return _evaluated(p, record(pointer, p), int(task))


@kernel(fastmath=True)
def _evaluated(p: Floats, w: Record, task: int) -> float:
    history, seen = history_of(p, w.own)
    points, modes = points_of(p), int(p[MODES])
    (q_s, n_s), (_, n_m) = marker_sizes(p, int(p[SLAVE])), marker_sizes(p, int(p[MASTER]))
    blocks, size_s, size_m = len(points.weights) // BLOCK, MAPS + 15 * n_s, MAPS + 15 * n_m
    space = after(seen, blocks * SHOWN + 27 * points.size + 4)
    f_s, f_m = part(space, 0, size_s), part(space, size_s, size_m)
    space = after(space, size_s + size_m)
    frame, F = part(space, 0, 24), part(space, 24, 3)
    sums = matrix(space, 27, blocks, FORCE_SUMS + modes)
    space = after(space, 27 + blocks * (FORCE_SUMS + modes))
    place_frames(p, w, f_s, f_m, frame)
    held = task == HELD
    laws, h = laws_of(p, int(p[HELD_LAWS] if held else p[LAWS])), w.head[STEP_LENGTH]
    first_q, first = q_s - modes, n_s - modes
    elastic, rate = part(w.q, first_q, q_s - first_q), part(w.v, first, n_s - first)
    shown = matrix(seen, 0, blocks, SHOWN if task == SHOW else 0)
    kind = STEP
    z, status, totals = history.z, history.status, history.totals
    if task == BEGIN:
        kind = PROJECT
    elif task == ADVANCE:
        kind, z, status, totals = ADVANCE_POINTS, history.z0, history.status0, history.totals0
    else:
        _copied(history)
    good = contact_blocks(
        points, laws, elastic, rate, frame, kind, h, history.anchor, history.normal, history.before,
        z, status, totals, history.grip, sums, shown, 0, blocks, space,
    )  # fmt: skip
    if not good:
        return FAILED
    if task == BEGIN:
        turn_grip(part(f_m, ROTATION, 9), history.grip)
        return 0.0
    added(sums, history.total)
    load_pair(p, w, f_s, f_m, history.total, F)
    if task == ADVANCE:
        power = -history.total[9]
        for j in range(n_s + n_m):
            power += w.force[j] * w.v[j]
        w.head[LOST], w.head[SUPPLIED] = history.total[10], power
        w.head[BENT] = history.total[11]
        return 0.0
    if task == SHOW:
        _report(points, history.total[9], w, f_m, h, shown, after(seen, blocks * SHOWN))
    if task != TANGENTS and not held:
        return 0.0
    groups, m = (blocks + GROUP - 1) // GROUP, 6 + modes
    width = 2 * m + EXTRA
    slopes = part(space, 0, groups * m * width).reshape((groups, m, width))
    space = after(space, groups * m * width)
    relative = part(space, 0, 3)
    relative_spin(f_s, f_m, relative)
    tangent_blocks(
        points, laws, elastic, rate, frame, relative, h, history.anchor, history.normal,
        history.before, history.z0, history.status0, slopes, 0, groups, after(space, 3),
    )  # fmt: skip
    for group in range(1, groups):
        for i in range(m):
            for j in range(width):
                slopes[0, i, j] += slopes[group, i, j]
    loads = part(space, 0, 12)
    pair_slopes(slopes[0], f_s, f_m, n_s, n_m, modes, loads, after(space, 12), w.by_q, w.by_v)
    add_d_load(p, int(p[SLAVE]), part(w.q, 0, q_s), f_s, part(loads, 0, 6), 1.0, 0, w.by_q)
    add_d_load(p, int(p[MASTER]), after(w.q, q_s), f_m, after(loads, 6), 1.0, n_s, w.by_q)
    return 0.0


@kernel(fastmath=True)
def turn_grip(R: Floats, grip: Floats) -> None:
    """Forces of the dampers, the last columns of `grip`, in the frame of rotation R (9,)."""
    for i in range(len(grip)):
        x, y, z = grip[i, 1], grip[i, 2], grip[i, 3]
        for j in range(3):
            grip[i, 1 + j] = R[j] * x + R[3 + j] * y + R[6 + j] * z


@kernel(fastmath=True)
def show_points(
    points: Points, R: Floats, origin: Floats, h: float, shown: Floats, seen: Floats
) -> None:
    """Numbers, vectors, bristles and sums of what the points show, in the memory behind it.

    R (9,) and the origin are those of the master; the last of the sums is left to the caller.
    """
    n = points.size
    report_points(
        shown, matrix(R, 0, 3, 3), origin, part(points.weights, 0, n), h,
        matrix(seen, 0, 3, n), part(seen, 3 * n, 12 * n).reshape((4, n, 3)),
        part(seen, 15 * n, 12 * n).reshape((4, n, 3)), part(seen, 27 * n, 4),
    )  # fmt: skip


@kernel(fastmath=True)
def _report(
    points: Points, power: float, w: Record, f_m: Floats, h: float, shown: Floats, seen: Floats
) -> None:
    """What the points show, and the power of motion that is not in v."""
    show_points(points, part(f_m, ROTATION, 9), part(f_m, POSITION, 3), h, shown, seen)
    last = 27 * points.size + 3
    seen[last] = -power
    for j in range(len(w.force)):
        seen[last] += w.force[j] * w.v[j]


def lowered_pair(pair: ContactPair) -> Lowered | None:
    """A pair on a rigid surface with its history; None if a part has no such form."""
    if changed(pair, "lowered_steps", ANSWERS):
        return None
    kernel_form = compiled_rigid(pair)
    if kernel_form is None or not isinstance(pair.master, RigidFace):
        return None
    slave = as_body(pair.slave)
    points, laws = kernel_form.points, kernel_form.laws
    n_q = sum(len(body.reference()) for body in pair.bodies)
    packing = Packing(n_q, sum(len(body.dofs) for body in pair.bodies), *[0] * 8)
    at_slave = slave.pack_frame(packing)
    at_master = pack_marker(packing, pair.master.marker)
    if at_slave is None or at_master is None:
        return None
    at_laws, at_held = (pack_laws(packing, each) for each in (laws, kernel_form.no_slip_laws))
    at_points = packing.add(points.positions)
    packing.extend([points.shapes, points.weights, points.gap])
    numbers = packing.numbers
    numbers[2:10] = (
        at_slave, at_master, points.size, points.modes, pair.columns, at_laws, at_held, at_points
    )  # fmt: skip
    n_s = len(pair.slave.dofs)
    n_m = sum(len(body.dofs) for body in pair.bodies) - n_s
    blocks, m = len(points.weights) // BLOCK, 6 + points.modes
    memory = sum(history_parts(points.size, pair.columns, points.modes))
    memory += frame_size(n_s) + frame_size(n_m) + 27 + blocks * (FORCE_SUMS + points.modes)
    groups = -(-blocks // GROUP)
    tangents = (
        groups * m * (2 * m + EXTRA)
        + 3
        + max(tangent_size(points, laws), 12 + slopes_size(m, n_s + n_m))
    )
    memory += max(laws.working_size, tangents)
    return Lowered(_contact, numbers, memory)
