"""Compiled contact of all points with a rigid surface: one pass over the shapes, block by block.

For a block of points the motion X = x + Phi e, V = Phi e' is formed in the frame of the slave,
taken to the frame of the master,

    Y = A X + b,      U = A V + C X + d        (relative velocity),

the laws give the forces F, and Phi^T A^T F is added up while the block of Phi is still in the
cache: Phi is read from memory once. Every block writes its own sums, which are added in their
order; so results do not depend on the number of threads.

Sums of a block: force (3) and moment about the master's origin (3) in its frame, moment about the
slave's origin (3) in the slave's frame, power of F on the relative velocity; of RATE and ADVANCE
the power of the normal dampers, of ADVANCE what those of the bristles take; then Phi^T A^T F.
"""

from __future__ import annotations

from functools import partial
from math import sqrt
from typing import Any, NamedTuple

from fecontact.contact.kernels.block_laws import (
    ContactPoints,
    Laws,
    PointStates,
    fetch_history,
    keep_history,
    keep_rates,
    named,
    normal_loss,
    press_block,
    rate_block,
    step_block,
    trial_block,
)
from fecontact.contact.kernels.lanes import lanes
from fecontact.contact.kernels.layout import (
    BLOCK,
    DISTANCE,
    GAP_RATE,
    OLD_SLIP,
    SLID,
    SPRING,
    WORK,
    F,
    N,
    P,
    U,
    V,
    X,
    Y,
    Z,
)
from fecontact.contact.kernels.motion import (
    WIDTH,
    Points,
    SlaveMotion,
    StepStart,
    copy,
    copy_rows,
    deform_block,
    keep_projection,
    see_positions,
    slide_block,
    start_of,
    turn_back,
)
from fecontact.contact.kernels.shapes import distance
from fecontact.contact.status import OPEN, STICK
from fecontact.kernels.arrays import after, part
from fecontact.kernels.calls import inlined
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = [
    "ADVANCE",
    "FORCE_SUMS",
    "PROJECT",
    "RATE",
    "SMALLEST",
    "STEP",
    "BlockResults",
    "Job",
    "added",
    "bristle_loss",
    "contact_blocks",
    "count_slip",
    "gather_forces",
    "loaded",
    "pair_blocks",
    "project_on_modes",
]

STEP, ADVANCE, RATE, PROJECT = range(4)
"""What to evaluate: a trial or accepted step, the continuous law, or only the projections."""

SMALLEST = 1e-300
"""Friction of a stuck point that carries none: its sign tells that it sticks."""

FORCE_SUMS = 12
"""Sums of a block before those of the modes."""

B = BLOCK


class Job(NamedTuple):
    """What to evaluate (STEP, ADVANCE, RATE, PROJECT), over which time, and of which blocks."""

    kind: int
    h: float
    first: int
    last: int


class BlockResults(NamedTuple):
    """Slip work and path (p, 2), friction and damper forces (p, 4), sums, and what points show.

    `sums` and `shown` have a row for each block; `shown` (blocks, SHOWN) has no columns if nobody
    asks.
    """

    slip_totals: Floats
    grip: Floats
    sums: Floats
    shown: Floats


@kernel(fastmath=True)
def count_slip(
    status: Integers, weights: Floats, w: Floats, grip: Floats, slip_totals: Floats
) -> None:
    """Slip work of a step with the mean friction of both ends, also where points close or open.

    The first column of `grip` is the friction of points at the start of the step, negative where
    they stuck: there friction rises to the limit before they slip, or falls to it while they do.
    It is replaced. `slip_totals` has the friction at the end.
    """
    for i in range(len(status)):
        now = _friction(weights[i], w, i)
        before = grip[i, 0] if grip[i, 0] >= 0.0 else max(-grip[i, 0], now)
        path = weights[i] * w[WORK + i] / (now if now > 0.0 else 1.0)
        if status[i] == OPEN:
            path = max(w[SLID + i], 0.0)
        slip_totals[i, 0] += 0.5 * (before - now) * path
        grip[i, 0] = now if status[i] != STICK else -max(now, SMALLEST)


@kernel(fastmath=True)
def _friction(area: float, w: Floats, i: int) -> float:
    """Size of the friction of point i in N."""
    push, total = area * w[P + i], 0.0
    for k in range(3):
        total += (w[F + k * B + i] - push * w[N + k * B + i]) ** 2
    return sqrt(total)


@kernel(fastmath=True)
def bristle_loss(weights: Floats, w: Floats, grip: Floats) -> float:
    """Energy that the dampers of the bristles take: mean of both ends of d = -(T + c z) along dz.

    The last columns of `grip` are A d at the start of the step; they are replaced.
    """
    loss = 0.0
    for i in range(len(grip)):
        for k in range(3):
            row = k * B + i
            bent = w[SPRING + i] * w[Z + row]
            d = weights[i] * (w[P + i] * w[N + row] - bent) - w[F + row]
            loss += 0.5 * (grip[i, 1 + k] + d) * (w[Z + row] - w[OLD_SLIP + row])
            grip[i, 1 + k] = d
    return loss


@kernel(fastmath=True)
def gather_forces(weights: Floats, frame: Floats, w: Floats, total: Floats) -> None:
    """Sums of the forces of a block; the force in the slave's frame replaces V."""
    f0 = f1 = f2 = m0 = m1 = m2 = s0 = s1 = s2 = power = 0.0
    a, b, c = frame[0], frame[1], frame[2]
    d, e, f = frame[3], frame[4], frame[5]
    g, h, k = frame[6], frame[7], frame[8]
    for i in range(lanes(w)):
        x, y, z = w[F + i], w[F + B + i], w[F + 2 * B + i]
        p, q, r = w[Y + i], w[Y + B + i], w[Y + 2 * B + i]
        f0, f1, f2 = f0 + x, f1 + y, f2 + z
        m0, m1, m2 = m0 + (q * z - r * y), m1 + (r * x - p * z), m2 + (p * y - q * x)
        power += x * w[U + i] + y * w[U + B + i] + z * w[U + 2 * B + i]
        power += weights[i] * w[P + i] * w[GAP_RATE + i]
        x, y, z = a * x + d * y + g * z, b * x + e * y + h * z, c * x + f * y + k * z
        w[V + i], w[V + B + i], w[V + 2 * B + i] = x, y, z
        p, q, r = w[X + i], w[X + B + i], w[X + 2 * B + i]
        s0, s1, s2 = s0 + (q * z - r * y), s1 + (r * x - p * z), s2 + (p * y - q * x)
    total[0], total[1], total[2] = f0, f1, f2
    total[3], total[4], total[5] = m0, m1, m2
    total[6], total[7], total[8], total[9] = s0, s1, s2, power


@kernel(fastmath=True)
def project_on_modes(points: Points, block: int, w: Floats, total: Floats) -> None:
    """Phi^T F of a block, F in V."""
    modes, at, result = points.modes, block * WIDTH * points.modes, after(total, FORCE_SUMS)
    shapes = part(points.shapes, at, WIDTH * modes)
    for k in range(modes):
        result[k] = 0.0
    if lanes(w) == B:
        _project(WIDTH, modes, after(w, V), shapes, result)
        return
    for at in range(0, WIDTH, B):
        _project(lanes(w), modes, after(w, V + at), after(shapes, at), result)


@partial(inlined, allocates=False)
def _project(length: int, modes: int, force: Floats, shapes: Floats, result: Floats) -> None:
    """Add Phi^T F of as many neighbours; see `contact.kernels.motion`."""
    fours = modes - modes % 4
    for k in range(0, fours, 4):
        four, a, b, c, d = after(shapes, k * WIDTH), 0.0, 0.0, 0.0, 0.0
        for i in range(length):
            f = force[i]
            a += f * four[i]
            b += f * four[WIDTH + i]
            c += f * four[2 * WIDTH + i]
            d += f * four[3 * WIDTH + i]
        result[k] += a
        result[k + 1] += b
        result[k + 2] += c
        result[k + 3] += d
    for k in range(fours, modes):
        one, a = after(shapes, k * WIDTH), 0.0
        for i in range(length):
            a += force[i] * one[i]
        result[k] += a


@kernel(fastmath=True)
def _keep_start(laws: Laws, frame: Floats, gap: Floats, start: StepStart, w: Floats) -> None:
    """Keep what the next step starts from."""
    keep_projection(w, DISTANCE, gap, start)
    if laws.moves_with_slave:
        copy_rows(w, U, start.anchor)
        turn_back(frame, lanes(w), start.anchor)


@kernel(fastmath=True, shared=True)
def contact_blocks(
    contact: ContactPoints, motion: SlaveMotion, job: Job, start: StepStart, states: PointStates,
    results: BlockResults, w: Floats,
) -> bool:  # fmt: skip
    """Contact of some blocks, with their sums.

    STEP: over a time step h; states and slip_totals are replaced by those at its end. ADVANCE: so
    are what the step starts from and the grip. RATE: the continuous law; z becomes its rate,
    slip_totals the slip power and speed, status the new one. PROJECT: only what a step starts from.
    Returns False if a point lies where the surface has no normal. `w` is working space
    (`Laws.working_size`).
    """
    points, laws = contact.points, contact.laws
    frame, task, h = motion.frame, job.kind, job.h
    slip_totals, grip = results.slip_totals, results.grip
    for block in range(job.first, job.last):
        own = slice(block * B, min(block * B + B, points.size))
        full, begin = slice(block * B, block * B + B), start_of(start, block)
        weights, gap = points.weights[full], points.gap[full]
        z, status = states.z[own], states.status[own]
        total, seen = results.sums[block], results.shown[block]
        deform_block(points, block, motion.elastic, motion.rate, w)
        see_positions(frame, w)
        if not distance(laws.shape, laws.shape_par, w):
            return False
        slide_block(frame, gap, w)
        if task == PROJECT:
            _keep_start(laws, frame, gap, begin, w)
            continue
        fetch_history(laws, z, status, begin.gap, w)
        if task == RATE:
            total[10] = normal_loss(laws, weights, w, seen)
            total[11] = rate_block(laws, frame, weights, w, seen)
            keep_rates(laws, weights, z, status, slip_totals[own], w)
        else:
            press_block(laws, h, w)
            trial_block(laws, h, frame, begin, w)
            if task == ADVANCE:
                _keep_start(laws, frame, gap, begin, w)
            step_block(laws, h, weights, w, seen)
            if task == ADVANCE:
                total[11] = bristle_loss(weights, w, grip[own])
            if laws.moves_with_slave:
                turn_back(frame, lanes(w), part(w, Z, WIDTH))
            keep_history(laws, weights, z, status, slip_totals[own], w)
        if task == ADVANCE:
            count_slip(status, weights, w, grip[own], slip_totals[own])
            total[10] = normal_loss(laws, weights, w, seen)
        if task == STEP and len(seen) > 0:
            normal_loss(laws, weights, w, seen)
        gather_forces(weights, frame, w, total)
        project_on_modes(points, block, w, total)
    return True


@kernel(fastmath=True)
def pair_blocks(
    contact: tuple[Any, Any], motion: tuple[Any, ...], job: tuple[Any, ...],
    start: tuple[Any, ...], states: tuple[Any, ...], results: tuple[Any, ...], w: Floats,
) -> bool:  # fmt: skip
    """`contact_blocks` for Python, which hands plain tuples over faster than named ones."""
    return contact_blocks(
        named(contact), SlaveMotion(*motion), Job(*job), StepStart(*start), PointStates(*states),
        BlockResults(*results), w,
    )  # fmt: skip


@kernel(allocates=False)
def loaded(sums: Floats, rotation: Floats, total: Floats, load: Floats) -> None:
    """Add up the sums of the blocks; load (6 + m,): force in space, moment and Phi^T F."""
    added(sums, total)
    for i in range(3):
        load[i] = 0.0
        for k in range(3):
            load[i] += rotation[i, k] * total[k]
        load[3 + i] = total[6 + i]
    copy(after(total, FORCE_SUMS), after(load, 6))


@kernel(allocates=False)
def added(sums: Floats, total: Floats) -> None:
    """Add up the sums of the blocks in their order."""
    total[:] = 0.0
    for block in range(len(sums)):
        for k in range(len(total)):
            total[k] += sums[block, k]
