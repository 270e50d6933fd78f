"""A contact pair with bristles on its slave as compiled programs see it, with its history.

Tasks and parts of the memory are those of `contact.evaluate.lowered.step`; the anchors are slip
velocities, and behind the parts stand the angle of the spin at the start of a step, and what
carries the history along rings. It is what `contact.evaluate.compiled.on_slave` does for Python, by
the same kernels over the points.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fecontact.body.lowered.moving_points import point_frame, spin_of_points
from fecontact.contact.evaluate.compiled.laws import packed_laws, point_laws
from fecontact.contact.evaluate.lowered.memory import (
    LAWS,
    MODES,
    OTHER,
    POINTS,
    SLAVE,
    gaps_turn,
    laws_of,
    outer_power,
    pack_laws,
)
from fecontact.contact.evaluate.lowered.rolling import (
    Carried,
    Held,
    Spaces,
    contact_of,
    differentiate,
    load,
    pack_rolling,
    rings_of,
    rolling_memory,
    see,
    spaces_of,
)
from fecontact.contact.evaluate.lowered.step import (
    ANSWERS,
    History,
    copy_history,
    history_of,
    history_parts,
    show_points,
)
from fecontact.contact.kernels.block_laws import Laws
from fecontact.contact.kernels.eulerian import (
    Rolling,
    begin_step,
    carried_slopes,
    slope_points,
    step_points,
)
from fecontact.contact.kernels.layout import BLOCK, SHOWN
from fecontact.contact.kernels.motion import Points
from fecontact.contact.kernels.rings import carry_status
from fecontact.contact.kinematics.slip import OnSlave
from fecontact.contact.laws.base import FrictionLaw
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.kernels.arrays import after, matrix, part, viewed
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
    STEP,
    SUPPLIED,
    TANGENTS,
    TIME,
    Lowered,
    Record,
    changed,
    record,
)
from fecontact.kernels.memory import take, take_matrix
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["lowered_on_slave", "rolling_laws"]


def _contact(pointer: Any, parameters: Any, task: float) -> float:
    """A contact pair with bristles on its slave."""
    p = viewed(parameters, PARAMETERS)
    return _evaluated(p, record(pointer, p), int(task))


@kernel(fastmath=True, allocates=True)
def _evaluated(p: Floats, w: Record, task: int) -> float:
    """Fill in the record for a task."""
    (history, own), n = history_of(p, w.own), int(p[POINTS])
    shown, seen = take_matrix(own, len(history.start.gap) // BLOCK, SHOWN)
    spin, space = _spin_parts(n, n // rings_of(p), after(seen, 27 * n + 4))
    laws = laws_of(p, int(p[OTHER] if task == HELD else p[LAWS]))
    accepts = task in (BEGIN, ADVANCE)
    if not accepts:
        copy_history(history)
    states = history.now if accepts else history.end
    totals = history.totals0 if accepts else history.totals
    held = Held(states, totals, history.grip, history.start.gap)
    c, space = contact_of(p, laws, held, Carried(spin.turn, spin.carry), 0, space)
    spaces = spaces_of(p, space)
    if not see(p, w, c, spaces):
        return FAILED
    point_frame(p, int(p[SLAVE]), spaces.points, spin.R)
    if task == BEGIN:
        spin.turn[0] = np.nan
        _begin(p, w, c, history, spin)
    elif task in (TANGENTS, HELD):
        _differentiated(p, w, c, history, spin, spaces)
    else:
        rows = matrix(shown, 0, len(shown), SHOWN if task == SHOW else 0)
        turn = _passed(p, w, c, history, spin)
        step_points(c, spin.R, w.head[STEP], turn, rows, task == ADVANCE)
        load(p, w, c, spaces)
        if task == ADVANCE:
            w.head[LOST], w.head[SUPPLIED] = c.total[10], outer_power(w, c.total)
            w.head[BENT] = c.total[11]
            _begin(p, w, c, history, spin)
        elif task == SHOW:
            _report(w, c, shown, seen, spin)
    return 0.0


class Spin(NamedTuple):
    """Spin of the slave: its axes and what its material carries.

    Attributes
    ----------
    start, turn, carry : (1,), (1,), (n,)
        Angle at the start of a step; angle over it, and the circulant that carries by it along
        rings of n points.
    slopes, by_angle : (n,), (2, p, 3)
        Derivative of the circulant, and of what is carried.
    R : (3, 3)
        Axes of the elastic slip.
    origin : (3,)
        Of space.
    """

    start: Floats
    turn: Floats
    carry: Floats
    slopes: Floats
    by_angle: Floats
    R: Floats
    origin: Floats


@kernel(fastmath=True)
def _spin_parts(points: int, around: int, w: Floats) -> tuple[Spin, Floats]:
    """Parts of the memory, and what is behind them."""
    start, w = take(w, 1)
    turn, w = take(w, 1)
    carry, w = take(w, around)
    slopes, w = take(w, around)
    by_angle, w = take(w, 6 * points)
    R, w = take_matrix(w, 3, 3)
    origin, w = take(w, 3)
    return Spin(start, turn, carry, slopes, by_angle.reshape((2, points, 3)), R, origin), w


@kernel(fastmath=True)
def _spin(p: Floats, w: Record) -> tuple[float, float, int]:
    """Spin of the slave, its angle, and its dof."""
    at = int(p[SLAVE])
    n_q, n = int(p[at + 1]), int(p[at + 2])
    return spin_of_points(p, at, w.head[TIME], part(w.q, 0, n_q), part(w.v, 0, n))


@kernel(fastmath=True, allocates=True)
def _begin(p: Floats, w: Record, c: Rolling, history: History, spin: Spin) -> None:
    """Start of a step."""
    n = len(c.z)
    begin_step(c, spin.R)
    spin.start[0] = _spin(p, w)[1]
    for i in range(n):
        for k in range(3):
            history.start.anchor[3 * i + k] = c.before[1, i, k]
    for i in range(n, len(history.start.gap)):
        history.start.gap[i] = 1.0


@kernel(fastmath=True, allocates=True)
def _passed(p: Floats, w: Record, c: Rolling, history: History, spin: Spin) -> float:
    """Bring what a step starts from; returns the angle in rad by which the material passes."""
    for i in range(len(c.z)):
        for k in range(3):
            c.before[0, i, k], c.before[1, i, k] = c.z[i, k], history.start.anchor[3 * i + k]
    if len(spin.carry) == 1:
        return 0.0
    speed, angle, free = _spin(p, w)
    carry_status(c.order, spin.start[0], angle, c.status, spin.slopes)
    return angle - spin.start[0] if free >= 0 else w.head[STEP] * speed


@kernel(fastmath=True, allocates=True)
def _differentiated(
    p: Floats, w: Record, c: Rolling, history: History, spin: Spin, spaces: Spaces
) -> None:
    """Force at the end of a step and its derivatives."""
    h, free, turn = w.head[STEP], _spin(p, w)[2], _passed(p, w, c, history, spin)
    spin.by_angle[:] = 0.0
    if len(spin.carry) > 1 and free >= 0:
        carried_slopes(c, h, turn, spin.slopes, spin.by_angle)
    slope_points(c, spin.R, h, turn, spin.by_angle, spaces.local)
    load(p, w, c, spaces)
    differentiate(p, w, c, spaces, free)


@kernel(fastmath=True)
def _report(w: Record, c: Rolling, shown: Floats, seen: Floats, spin: Spin) -> None:
    """What the points show, in space, and the power of motion that is not in v."""
    none, R = part(c.work, 0, 0), spin.R
    for i in range(3):
        spin.origin[i] = 0.0
        for k in range(3):
            R[i, k] = 1.0 if i == k else 0.0
    points = Points(len(c.z), 0, none, none, c.weights, none)
    show_points(points, R.reshape(9), spin.origin, w.head[STEP], shown, seen)
    seen[27 * len(c.z) + 3] = outer_power(w, c.total)


def rolling_laws(pair: ContactPair, friction: FrictionLaw) -> Laws | None:
    """Laws of a pair with bristles on its slave, with the shape of a rigid surface."""
    if isinstance(pair.master, RigidFace):
        return packed_laws(pair.master, pair.normal, friction, moves_with_slave=True)
    return point_laws(pair.normal, friction, moves_with_slave=True)


def lowered_on_slave(pair: ContactPair) -> Lowered | None:
    """A pair with bristles on its slave and its history; None if a part has no such form."""
    if changed(pair, "lowered_steps", ANSWERS) or not isinstance(pair.friction, FrictionLaw):
        return None
    if not isinstance(pair.transport, OnSlave) or gaps_turn(pair):
        return None
    laws, no_slip = (rolling_laws(pair, law) for law in (pair.friction, pair.friction.no_slip()))
    if laws is None or no_slip is None:
        return None
    held = no_slip
    numbers = pack_rolling(pair, laws, pair.transport, lambda packing: pack_laws(packing, held))
    if numbers is None:
        return None
    rings, points = pair.transport.rings, pair.points
    around = 1 if rings is None else rings.order.shape[1]
    memory = sum(history_parts(points, pair.columns, int(numbers[MODES])))
    memory += 14 + 2 * around + 6 * points + rolling_memory(pair, laws)
    return Lowered(_contact, numbers, memory)
