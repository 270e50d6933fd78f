"""A contact pair on a rigid surface in continuous time, as compiled programs see it.

Internal variables and status stand in the memory of its record, as given; beside them are

    FORCE      the rates of the internal variables, slip power and speed, the resulting status; and
               in the head the power of the dampers, and that of motion which is not in v
    RATES      the same but for the powers of the head, the derivatives of rates and force by the
               history, those of the rates by q and v, and the friction limit with its own
    TANGENTS   also the derivatives of the force by q and v.

It is what `contact.evaluate.rate` does in Python, by the kernels of `contact.evaluate.lowered`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from fecontact.body.base import as_body
from fecontact.body.lowered import MAPS, add_d_load, frame_size, marker_sizes, pack_marker
from fecontact.contact.evaluate.compiled_rigid import compiled_rigid
from fecontact.contact.evaluate.lowered import (
    COLUMNS,
    LAWS,
    MASTER,
    MODES,
    POINTS,
    SLAVE,
    laws_of,
    load_pair,
    pack_laws,
    place_frames,
    points_of,
    relative_spin,
)
from fecontact.contact.evaluate.pair_slopes import pair_slopes, relative_motions, slopes_size
from fecontact.contact.kernels.block_laws import Laws
from fecontact.contact.kernels.blocks import FORCE_SUMS, RATE, added, contact_blocks
from fecontact.contact.kernels.layout import BLOCK
from fecontact.contact.kernels.motion import Points
from fecontact.contact.kernels.rate_tangents import (
    Motions,
    RateSlopes,
    rate_tangent_blocks,
    rate_tangent_size,
)
from fecontact.contact.kernels.tangents import EXTRA, GROUP
from fecontact.contact.laws.base import FrictionLaw, NormalLaw
from fecontact.contact.laws.blocks import address
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.kernels.arrays import after, integers, matrix, part, viewed
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    FAILED,
    LOST,
    PARAMETERS,
    RATES,
    SUPPLIED,
    TANGENTS,
    Lowered,
    Packing,
    Record,
    changed,
    record,
)
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = [
    "RATE_ANSWERS",
    "RATE_PARTS",
    "SLOPES",
    "PairFrames",
    "add_up",
    "lowered_rate",
    "pair_frames",
    "pull_slopes",
    "rate_memory",
    "rate_numbers",
    "rate_parts",
    "rate_slopes",
    "slope_addresses",
]

SLOPES = 8
"""Parameter: where the addresses of the derivatives of friction law and normal law stand."""

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
    """Given history of the points, and their rates."""

    z: Floats
    status: Integers
    rate: Floats
    slip_rates: Floats
    new_status: Integers


@kernel(fastmath=True)
def rate_memory(points: int, columns: int, own: Floats) -> tuple[RateMemory, Floats]:
    """Given history and its rates, and the memory behind them."""
    z = points * columns
    a, b = z + points, 2 * z + points
    c = b + 2 * points
    memory = RateMemory(
        matrix(own, 0, points, columns), integers(own, z, points),
        matrix(own, a, points, columns), matrix(own, b, points, 2), integers(own, c, points),
    )  # fmt: skip
    return memory, after(own, c + points)


@kernel(fastmath=True)
def rate_slopes(points: int, columns: int, n: int, own: Floats) -> tuple[RateSlopes, Floats]:
    """Derivatives in the memory behind the rates, and the memory behind them."""
    z, wide = points * columns, points * n
    a = points + wide
    b = a + wide
    c = b + n * z
    d = c + z * n
    e = d + z * n
    slopes = RateSlopes(
        part(own, 0, points), matrix(own, points, points, n), matrix(own, a, points, n),
        matrix(own, b, n, z), matrix(own, c, z, n), matrix(own, d, z, n),
        matrix(own, e, z, columns),
    )  # fmt: skip
    return slopes, after(own, e + z * columns)


@kernel(fastmath=True)
def _given(memory: RateMemory) -> None:
    """Take the history where its rates are to be."""
    for i in range(len(memory.status)):
        memory.new_status[i] = memory.status[i]
        for k in range(memory.z.shape[1]):
            memory.rate[i, k] = memory.z[i, k]


def _contact_rate(pointer: Any, parameters: Any, task: float) -> float:
    """A contact pair on a rigid surface in continuous time."""
    p = viewed(parameters, PARAMETERS)
    return _evaluated(p, record(pointer, p), int(task))


class PairFrames(NamedTuple):
    """Frames of slave and master, the one seen from the other, and the sums of the forces."""

    slave: Floats
    master: Floats
    relative: Floats
    force: Floats
    total: Floats
    sums: Floats


@kernel(fastmath=True)
def pair_frames(p: Floats, w: Record, blocks: int, space: Floats) -> tuple[PairFrames, Floats]:
    """Place the frames in the memory, and return that behind them."""
    (_, n_s), (_, n_m) = marker_sizes(p, int(p[SLAVE])), marker_sizes(p, int(p[MASTER]))
    a, width = MAPS + 15 * n_s, FORCE_SUMS + int(p[MODES])
    b = a + MAPS + 15 * n_m
    c = b + 27 + width
    frames = PairFrames(
        part(space, 0, a), part(space, a, b - a), part(space, b, 24), part(space, b + 24, 3),
        part(space, b + 27, width), matrix(space, c, blocks, width),
    )  # fmt: skip
    place_frames(p, w, frames.slave, frames.master, frames.relative)
    return frames, after(space, c + blocks * width)


@kernel(fastmath=True, allocates=True)
def _evaluated(p: Floats, w: Record, task: int) -> float:
    points, laws, columns = points_of(p), laws_of(p, int(p[LAWS])), int(p[COLUMNS])
    memory, own = rate_memory(int(p[POINTS]), columns, w.own)
    slopes, space = rate_slopes(int(p[POINTS]), columns, len(w.force), own)
    blocks = len(points.weights) // BLOCK
    at, space = pair_frames(p, w, blocks, space)
    if task in (TANGENTS, RATES):
        good = _differentiated(p, w, points, laws, memory, slopes, at, task == TANGENTS, space)
        return 0.0 if good else FAILED
    q_s, n_s = marker_sizes(p, int(p[SLAVE]))
    elastic = part(w.q, q_s - points.modes, points.modes)
    rate = part(w.v, n_s - points.modes, points.modes)
    _given(memory)
    none = part(space, 0, 0)
    if not contact_blocks(
        points, laws, elastic, rate, at.relative, RATE, 1.0, none, none, points.gap, memory.rate,
        memory.new_status, memory.slip_rates, matrix(space, 0, 0, 4), at.sums,
        matrix(space, 0, blocks, 0), 0, blocks, space,
    ):  # fmt: skip
        return FAILED
    added(at.sums, at.total)
    load_pair(p, w, at.slave, at.master, at.total, at.force)
    w.head[LOST], w.head[SUPPLIED] = at.total[10] + at.total[11], -at.total[9]
    for j in range(len(w.force)):
        w.head[SUPPLIED] += w.force[j] * w.v[j]
    return 0.0


@kernel(fastmath=True, allocates=True)
def _differentiated(
    p: Floats, w: Record, points: Points, laws: Laws, memory: RateMemory, slopes: RateSlopes,
    at: PairFrames, all_of_it: bool, space: Floats,
) -> bool:  # fmt: skip
    """Force, rates and their derivatives; `all_of_it`: also those of the force by q and v."""
    (q_s, n_s), (_, n_m) = marker_sizes(p, int(p[SLAVE])), marker_sizes(p, int(p[MASTER]))
    modes, blocks = points.modes, len(at.sums)
    n, m, groups = n_s + n_m, 6 + modes, (blocks + GROUP - 1) // GROUP
    width = 2 * m + EXTRA
    tangents = part(space, 0, groups * m * width).reshape((groups, m, width))
    space = after(space, groups * m * width)
    relative, loads = part(space, 0, 3), part(space, 3, 12)
    motions = Motions(
        matrix(space, 15, 6, n), matrix(space, 15 + 6 * n, 6, n), matrix(space, 15 + 12 * n, 6, n)
    )
    space = after(space, 15 + 18 * n)
    relative_spin(at.slave, at.master, relative)
    relative_motions(at.slave, at.master, n_s, n_m, motions.motion, motions.speed, motions.rates)
    address = int(p[SLOPES])
    if not rate_tangent_blocks(
        points, laws, int(p[address]), int(p[address + 1]), part(w.q, q_s - modes, modes),
        part(w.v, n_s - modes, modes), at.relative, relative, motions, n_s - modes, memory.z,
        memory.status, (memory.rate, memory.new_status, memory.slip_rates), at.sums, all_of_it,
        tangents, slopes, space,
    ):  # fmt: skip
        return False
    added(at.sums, at.total)
    load_pair(p, w, at.slave, at.master, at.total, at.force)
    if all_of_it:
        add_up(tangents)
        pull_slopes(p, w, at, tangents[0], loads, space)
    return True


@kernel(fastmath=True)
def add_up(tangents: Floats) -> None:
    """Sums of all groups of blocks to those of the first."""
    groups, m, width = tangents.shape
    for group in range(1, groups):
        for i in range(m):
            for j in range(width):
                tangents[0, i, j] += tangents[group, i, j]


@kernel(fastmath=True)
def pull_slopes(
    p: Floats, w: Record, at: PairFrames, sums: Floats, loads: Floats, space: Floats
) -> None:
    """Derivatives of the generalised force from the sums over the points; space for 12 loads."""
    (q_s, n_s), (_, n_m) = marker_sizes(p, int(p[SLAVE])), marker_sizes(p, int(p[MASTER]))
    modes = int(p[MODES])
    pair_slopes(sums, at.slave, at.master, n_s, n_m, modes, loads, space, w.by_q, w.by_v)
    add_d_load(p, int(p[SLAVE]), part(w.q, 0, q_s), at.slave, part(loads, 0, 6), 1.0, 0, w.by_q)
    add_d_load(p, int(p[MASTER]), after(w.q, q_s), at.master, after(loads, 6), 1.0, n_s, w.by_q)


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


def rate_numbers(
    pair: ContactPair, points: Points, laws: Laws, addresses: tuple[float, ...]
) -> Floats | None:
    """Parameters of a pair; None if one of its bodies has no compiled frame."""
    n_q, n = (
        sum(len(x) for x in part)
        for part in zip(*((body.reference(), body.dofs) for body in pair.bodies), strict=True)
    )
    packing = Packing(n_q, n, *[0] * 8)
    assert isinstance(pair.master, RigidFace)
    at_slave = as_body(pair.slave).pack_frame(packing)
    at_master = pack_marker(packing, pair.master.marker)
    if at_slave is None or at_master is None:
        return None
    at_laws = pack_laws(packing, laws)
    at_slopes = packing.add(addresses)
    at_points = packing.add(points.positions)
    packing.extend([points.shapes, points.weights, points.gap])
    numbers = packing.numbers
    numbers[2:10] = (
        at_slave, at_master, points.size, points.modes, pair.columns, at_laws, at_slopes, at_points
    )  # fmt: skip
    return numbers


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
    numbers = rate_numbers(pair, points, laws, addresses)
    if numbers is None:
        return None
    n = int(numbers[1])
    n_s = len(pair.slave.dofs)
    blocks, size = len(points.weights) // BLOCK, 6 + points.modes
    memory = sum(rate_parts(points.size, pair.columns, n)) + frame_size(n_s) + frame_size(n - n_s)
    memory += 27 + (1 + blocks) * (FORCE_SUMS + points.modes)
    tangents = -(-blocks // GROUP) * size * (2 * size + EXTRA) + 15 + 18 * n
    tangents += max(rate_tangent_size(points, laws), slopes_size(size, n))
    memory += max(laws.working_size, tangents)
    return Lowered(_contact_rate, numbers, memory)
