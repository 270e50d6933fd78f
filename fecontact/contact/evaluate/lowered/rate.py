"""A contact pair on a rigid surface in continuous time, as compiled programs see it.

Internal variables and status stand in the memory of its record, as given; beside them are

    FORCE      the rates of the internal variables, slip power and speed, the resulting status; and
               in the head the power of the dampers, and that of motion which is not in v
    RATES      the same but for the powers of the head, the derivatives of rates and force by the
               history, those of the rates by q and v, and the friction limit with its own
    TANGENTS   also the derivatives of the force by q and v.

It is what `contact.evaluate.rate` does in Python, by the kernels of time steps.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from fecontact.contact.evaluate.compiled.rigid import compiled_rigid
from fecontact.contact.evaluate.lowered.memory import (
    COLUMNS,
    LAWS,
    OTHER,
    POINTS,
    PairState,
    differentiate_pair,
    laws_of,
    load_pair,
    outer_power,
    pack_pair,
    place_pair,
    points_of,
    state_size,
    take_slopes,
    tangents_size,
)
from fecontact.contact.evaluate.lowered.pair_slopes import relative_motions
from fecontact.contact.kernels.block_laws import ContactPoints, Laws, PointStates
from fecontact.contact.kernels.blocks import (
    FORCE_SUMS,
    RATE,
    BlockResults,
    Job,
    added,
    contact_blocks,
)
from fecontact.contact.kernels.motion import StepStart
from fecontact.contact.kernels.rate_tangents import (
    DerivativeLaws,
    Motions,
    RateResults,
    RateSlopes,
    rate_tangent_blocks,
    rate_tangent_size,
)
from fecontact.contact.laws.base import FrictionLaw, NormalLaw
from fecontact.contact.laws.base.blocks import address
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.kernels.arrays import after, matrix, part, viewed
from fecontact.kernels.calls import inlined
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    FAILED,
    LOST,
    PARAMETERS,
    RATES,
    SUPPLIED,
    TANGENTS,
    Lowered,
    Record,
    changed,
    record,
)
from fecontact.kernels.memory import take, take_integers, take_matrix
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = [
    "RATE_ANSWERS",
    "RATE_PARTS",
    "RateMemory",
    "lowered_rate",
    "rate_memory",
    "rate_parts",
    "rate_slopes",
    "slope_addresses",
]

RATE_ANSWERS = ("rate", "kinematics", "point_motion", "gap", "gap_drift", "gap_rate", "transport")
"""What a class of one's own may not change if its pairs are to have this form."""

RATE_PARTS = ("z", "status", "rate", "slip_rates", "new_status", *RateSlopes._fields)
"""Parts of the memory of a pair: the given history, then what the tasks leave."""


def rate_parts(points: int, columns: int, dofs: int) -> list[int]:
    """Lengths of the `RATE_PARTS`."""
    z, wide = points * columns, points * dofs
    slopes = [points, wide, wide, dofs * z, z * dofs, z * dofs, z * columns]
    return [z, points, z, 2 * points, points, *slopes]


class RateMemory(NamedTuple):
    """History as given, and its rates."""

    given: PointStates
    rate: PointStates
    slip_rates: Floats


@partial(inlined, allocates=False)
def rate_memory(points: int, columns: int, own: Floats) -> tuple[RateMemory, Floats]:
    """Given history and its rates, and the memory behind them."""
    z, own = take_matrix(own, points, columns)
    status, own = take_integers(own, points)
    rate, own = take_matrix(own, points, columns)
    slip_rates, own = take_matrix(own, points, 2)
    new_status, own = take_integers(own, points)
    return RateMemory(PointStates(z, status), PointStates(rate, new_status), slip_rates), own


@partial(inlined, allocates=False)
def rate_slopes(points: int, columns: int, n: int, own: Floats) -> tuple[RateSlopes, Floats]:
    """Derivatives in the memory behind the rates, and the memory behind them."""
    z = points * columns
    limit, own = take(own, points)
    limit_by_q, own = take_matrix(own, points, n)
    limit_by_v, own = take_matrix(own, points, n)
    force_by_z, own = take_matrix(own, n, z)
    rate_by_q, own = take_matrix(own, z, n)
    rate_by_v, own = take_matrix(own, z, n)
    rate_by_z, own = take_matrix(own, z, columns)
    slopes = RateSlopes(limit, limit_by_q, limit_by_v, force_by_z, rate_by_q, rate_by_v, rate_by_z)
    return slopes, own


@kernel(fastmath=True)
def _given(memory: RateMemory) -> None:
    """Take the history where its rates are to be."""
    z, rate = memory.given.z, memory.rate.z
    for i in range(len(z)):
        memory.rate.status[i] = memory.given.status[i]
        for k in range(z.shape[1]):
            rate[i, k] = z[i, k]


def _contact_rate(pointer: Any, parameters: Any, task: float) -> float:
    """A contact pair on a rigid surface in continuous time."""
    p = viewed(parameters, PARAMETERS)
    return _evaluated(p, record(pointer, p), int(task))


@kernel(fastmath=True, allocates=True)
def _evaluated(p: Floats, w: Record, task: int) -> float:
    """Fill in the record for a task."""
    points, n, columns = points_of(p), int(p[POINTS]), int(p[COLUMNS])
    contact = ContactPoints(points, laws_of(p, int(p[LAWS])))
    memory, own = rate_memory(n, columns, w.own)
    slopes, space = rate_slopes(n, columns, len(w.force), own)
    total, space = take(space, FORCE_SUMS + points.modes)
    at, space = place_pair(p, w, points, space)
    room, space = take_slopes(points.modes, len(at.sums), task == TANGENTS, space)
    if task in (TANGENTS, RATES):
        good = _differentiated(p, contact, at, memory, room, slopes, space)
    else:
        good = _rated(contact, at, memory, space)
    if not good:
        return FAILED
    added(at.sums, total)
    load_pair(w, at, total)
    if task == TANGENTS:
        differentiate_pair(p, w, at.frames, room, space)
    elif task != RATES:
        w.head[LOST], w.head[SUPPLIED] = total[10] + total[11], outer_power(w, total)
    return 0.0


@partial(inlined, allocates=False)
def _rated(contact: ContactPoints, at: PairState, memory: RateMemory, space: Floats) -> bool:
    """Rates and forces; False if a point has no normal."""
    _given(memory)
    blocks, none = len(at.sums), part(space, 0, 0)
    nobody = matrix(space, 0, blocks, 0)
    results = BlockResults(memory.slip_rates, matrix(space, 0, 0, 4), at.sums, nobody)
    start, job = StepStart(none, none, contact.points.gap), Job(RATE, 1.0, 0, blocks)
    good: bool = contact_blocks(contact, at.motion, job, start, memory.rate, results, space)
    return good


@kernel(fastmath=True, allocates=True)
def _differentiated(
    p: Floats, contact: ContactPoints, at: PairState, memory: RateMemory, tangents: Floats,
    slopes: RateSlopes, space: Floats,
) -> bool:  # fmt: skip
    """Forces, rates and their derivatives; False if a point has no normal."""
    n, first = at.frames.n_s + at.frames.n_m, at.frames.n_s - contact.points.modes
    motion, space = take_matrix(space, 6, n)
    speed, space = take_matrix(space, 6, n)
    rates, space = take_matrix(space, 6, n)
    motions = Motions(motion, speed, rates)
    relative_motions(at.frames, motions)
    addresses = after(p, int(p[OTHER]))
    derivatives = DerivativeLaws(int(addresses[0]), int(addresses[1]))
    z, status = memory.rate
    results = RateResults(z, status, memory.slip_rates, at.sums, tangents)
    good: bool = rate_tangent_blocks(
        contact, derivatives, at.motion, (motions, first), memory.given, results, slopes, space
    )
    return good


def slope_addresses(pair: ContactPair, laws: Laws) -> tuple[int, int] | None:
    """Derivatives of friction law and normal law; None of bristles without a rate."""
    normal, friction = pair.normal, pair.friction
    if not isinstance(friction, FrictionLaw) or friction.rateless:
        return None
    assert isinstance(normal, NormalLaw)
    assert friction.point is not None
    assert normal.point is not None
    f, m = laws.friction_states, laws.normal_states
    layer = address("normal_d_rate", normal.point, f, m) if m else 0
    return address("d_rate", friction.point, f, m), layer


def lowered_rate(pair: ContactPair) -> Lowered | None:
    """A pair on a rigid surface in continuous time; None if a part has no such form."""
    if changed(pair, "lowered_rate", RATE_ANSWERS):
        return None
    form = compiled_rigid(pair)
    if form is None or not isinstance(pair.master, RigidFace) or form.laws.moves_with_slave:
        return None
    addresses = slope_addresses(pair, form.laws)
    if addresses is None:
        return None
    points, laws = form.points, form.laws
    numbers = pack_pair(pair, points, laws, lambda packing: packing.add(addresses))
    if numbers is None:
        return None
    n = int(numbers[1])
    memory = sum(rate_parts(points.size, pair.columns, n)) + FORCE_SUMS + points.modes
    memory += state_size(pair, points)
    tangents = tangents_size(points, n, 18 * n + rate_tangent_size(points, laws))
    return Lowered(_contact_rate, numbers, memory + max(laws.working_size, tangents))
