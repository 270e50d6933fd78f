"""A contact pair on a rigid surface as compiled programs see it, with its history.

The pair keeps in its record the history at the start of a step and that of the last trial:

    BEGIN     takes coordinates and velocities as those of the start of a step, and the forces of
              `grip` from space to the frame of the master
    FORCE     force at the end of a step h from there; TANGENTS: with derivatives; HELD: with those
              of bristles that never yield
    ADVANCE   accepts the step: its end is the start of the next one
    SHOW      force, and what the points do at the end of the step, for a report.

It is what `contact.evaluate.compiled.rigid` does for Python, by the same kernels over the points.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from fecontact.body.lowered import POSITION, ROTATION
from fecontact.contact.evaluate.compiled.rigid import compiled_rigid
from fecontact.contact.evaluate.lowered.memory import (
    COLUMNS,
    LAWS,
    MODES,
    OTHER,
    POINTS,
    PairState,
    differentiate_pair,
    laws_of,
    load_pair,
    outer_power,
    pack_laws,
    pack_pair,
    place_pair,
    points_of,
    state_size,
    take_slopes,
    tangents_size,
)
from fecontact.contact.kernels.block_laws import ContactPoints, PointStates
from fecontact.contact.kernels.blocks import ADVANCE as ADVANCE_POINTS
from fecontact.contact.kernels.blocks import (
    FORCE_SUMS,
    PROJECT,
    STEP,
    BlockResults,
    Job,
    added,
    contact_blocks,
)
from fecontact.contact.kernels.layout import BLOCK, SHOWN
from fecontact.contact.kernels.motion import WIDTH, Points, StepStart
from fecontact.contact.kernels.shown import report_points
from fecontact.contact.kernels.tangents import tangent_blocks, tangent_size
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.kernels.arrays import after, matrix, part, viewed
from fecontact.kernels.calls import inlined
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
    Lowered,
    Record,
    changed,
    record,
)
from fecontact.kernels.lowered import STEP as STEP_LENGTH
from fecontact.kernels.memory import take, take_integers, take_matrix
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = [
    "ANSWERS",
    "PARTS",
    "History",
    "copy_history",
    "history_of",
    "history_parts",
    "lowered_pair",
    "show_points",
    "turn_grip",
]

ANSWERS = ("begin", "kinematics", "point_motion", "gap", "gap_drift", "gap_rate", "transport")
"""What a class of one's own may not change if its pairs are to have this form."""


class History(NamedTuple):
    """What a pair keeps of its points: at the start of a step (`...0`), and at its trial end."""

    now: PointStates
    totals0: Floats
    grip: Floats
    start: StepStart
    end: PointStates
    totals: Floats
    total: Floats


PARTS = (
    "z0", "status0", "totals0", "grip", "anchor", "normal", "before", "z", "status", "totals",
    "total", "shown", "numbers", "vectors", "bristles", "sums",
)  # fmt: skip
"""Parts of the memory of a pair: its history, then what SHOW leaves, see `report_points`; behind
its sums the power in W of motion that is not in v."""


def history_parts(points: int, columns: int, modes: int) -> list[int]:
    """Lengths of the `PARTS`."""
    blocks = -(-points // BLOCK)
    own = [points * columns, points, 2 * points]
    projected = [blocks * WIDTH, blocks * WIDTH, blocks * BLOCK]
    seen = [blocks * SHOWN, 3 * points, 12 * points, 12 * points, 4]
    return [*own, 4 * points, *projected, *own, FORCE_SUMS + modes, *seen]


@partial(inlined, allocates=False)
def history_of(p: Floats, own: Floats) -> tuple[History, Floats]:
    """History in the memory of a pair, and the memory behind it."""
    n, k, blocks = int(p[POINTS]), int(p[COLUMNS]), (int(p[POINTS]) + BLOCK - 1) // BLOCK
    z0, own = take_matrix(own, n, k)
    status0, own = take_integers(own, n)
    totals0, own = take_matrix(own, n, 2)
    grip, own = take_matrix(own, n, 4)
    anchor, own = take(own, blocks * WIDTH)
    normal, own = take(own, blocks * WIDTH)
    before, own = take(own, blocks * BLOCK)
    z, own = take_matrix(own, n, k)
    status, own = take_integers(own, n)
    totals, own = take_matrix(own, n, 2)
    total, own = take(own, FORCE_SUMS + int(p[MODES]))
    start, now = StepStart(anchor, normal, before), PointStates(z0, status0)
    return History(now, totals0, grip, start, PointStates(z, status), totals, total), own


@partial(inlined, allocates=False)
def copy_history(history: History) -> None:
    """Take the history at the start of a step for its trial end."""
    z0, z, totals0, totals = history.now.z, history.end.z, history.totals0, history.totals
    for i in range(len(z)):
        history.end.status[i] = history.now.status[i]
        totals[i, 0], totals[i, 1] = totals0[i, 0], totals0[i, 1]
        for k in range(z.shape[1]):
            z[i, k] = z0[i, k]


def _contact(pointer: Any, parameters: Any, task: float) -> float:
    """A contact pair on a rigid surface."""
    p = viewed(parameters, PARAMETERS)
    return _evaluated(p, record(pointer, p), int(task))


@kernel(fastmath=True)
def _evaluated(p: Floats, w: Record, task: int) -> float:
    """Fill in the record for a task."""
    (history, own), points = history_of(p, w.own), points_of(p)
    blocks = len(points.weights) // BLOCK
    shown, seen = take_matrix(own, blocks, SHOWN)
    at, space = place_pair(p, w, points, after(seen, 27 * points.size + 4))
    contact = ContactPoints(points, laws_of(p, int(p[OTHER] if task == HELD else p[LAWS])))
    if not _pressed(contact, w, at, history, task, shown, space):
        return FAILED
    if task == BEGIN:
        turn_grip(part(at.frames.master, ROTATION, 9), history.grip)
        return 0.0
    total = history.total
    added(at.sums, total)
    load_pair(w, at, total)
    if task == ADVANCE:
        w.head[LOST], w.head[SUPPLIED] = total[10], outer_power(w, total)
        w.head[BENT] = total[11]
    elif task == SHOW:
        _report(points, w, at, total, shown, seen)
    elif task in (TANGENTS, HELD):
        slopes, space = take_slopes(points.modes, blocks, True, space)
        tangent_blocks(
            contact, at.motion, w.head[STEP_LENGTH], history.start, history.now, (0, len(slopes)),
            slopes, space,
        )  # fmt: skip
        differentiate_pair(p, w, at.frames, slopes, space)
    return 0.0


@partial(inlined, allocates=False)
def _pressed(
    contact: ContactPoints, w: Record, at: PairState, history: History, task: int, shown: Floats,
    space: Floats,
) -> bool:  # fmt: skip
    """Evaluate the points for a task; False if one lies where the surface has no normal."""
    kind, blocks = STEP, len(shown)
    states, totals = history.end, history.totals
    if task == BEGIN:
        kind = PROJECT
    elif task == ADVANCE:
        kind, states, totals = ADVANCE_POINTS, history.now, history.totals0
    else:
        copy_history(history)
    seen = matrix(shown, 0, blocks, SHOWN if task == SHOW else 0)
    results = BlockResults(totals, history.grip, at.sums, seen)
    job = Job(kind, w.head[STEP_LENGTH], 0, blocks)
    good: bool = contact_blocks(contact, at.motion, job, history.start, states, results, space)
    return good


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
    report = (
        matrix(seen, 0, 3, n), part(seen, 3 * n, 12 * n).reshape((4, n, 3)),
        part(seen, 15 * n, 12 * n).reshape((4, n, 3)), part(seen, 27 * n, 4),
    )  # fmt: skip
    report_points(shown, (matrix(R, 0, 3, 3), origin), part(points.weights, 0, n), h, report)


@kernel(fastmath=True)
def _report(
    points: Points, w: Record, at: PairState, total: Floats, shown: Floats, seen: Floats
) -> None:
    """What the points show, and the power of motion that is not in v."""
    f, h = at.frames.master, w.head[STEP_LENGTH]
    show_points(points, part(f, ROTATION, 9), part(f, POSITION, 3), h, shown, seen)
    seen[27 * points.size + 3] = outer_power(w, total)


def lowered_pair(pair: ContactPair) -> Lowered | None:
    """A pair on a rigid surface with its history; None if a part has no such form."""
    if changed(pair, "lowered_steps", ANSWERS):
        return None
    form = compiled_rigid(pair)
    if form is None or not isinstance(pair.master, RigidFace):
        return None
    points, laws, no_slip = form.points, form.laws, form.no_slip_laws
    numbers = pack_pair(pair, points, laws, lambda packing: pack_laws(packing, no_slip))
    if numbers is None:
        return None
    memory = sum(history_parts(points.size, pair.columns, points.modes))
    memory += state_size(pair, points)
    n = sum(len(body.dofs) for body in pair.bodies)
    tangents = tangents_size(points, n, tangent_size(points, laws))
    return Lowered(_contact, numbers, memory + max(laws.working_size, tangents))
