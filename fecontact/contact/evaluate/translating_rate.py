"""Contact pairs of bodies that cannot turn, on a plane, in continuous time.

Tasks, laws and memory are those of `contact.evaluate.lowered_rate`, which does the same for bodies
that turn; the motion is that of `contact.evaluate.translating`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fecontact.contact.evaluate.compiled_rigid import compiled_rigid
from fecontact.contact.evaluate.lowered import COLUMNS, LAWS, laws_of, points_of
from fecontact.contact.evaluate.lowered_rate import (
    RATE_ANSWERS,
    SLOPES,
    RateMemory,
    rate_memory,
    rate_parts,
    rate_slopes,
    slope_addresses,
)
from fecontact.contact.evaluate.translating import (
    MOTION,
    add_slopes,
    place_points,
    pull_forces,
    translating_numbers,
)
from fecontact.contact.kernels.block_laws import (
    Laws,
    fetch_history,
    keep_rates,
    normal_loss,
    rate_block,
)
from fecontact.contact.kernels.lanes import lanes, use_lanes
from fecontact.contact.kernels.motion import Points
from fecontact.contact.kernels.rate_tangents import flat_rate_tangents, law_slopes_size
from fecontact.kernels.arrays import after, matrix, part, viewed
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
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
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["lowered_translating_rate"]


def _translating_rate(pointer: Any, parameters: Any, task: float) -> float:
    """A contact pair of bodies that cannot turn, on a plane, in continuous time."""
    p = viewed(parameters, PARAMETERS)
    _evaluated(p, record(pointer, p), int(task))
    return 0.0


@kernel(fastmath=True)
def _evaluated(p: Floats, w: Record, task: int) -> None:
    points, laws, columns, n = points_of(p), laws_of(p, int(p[LAWS])), int(p[COLUMNS]), len(w.v)
    memory, own = rate_memory(points.size, columns, w.own)
    slopes, space = rate_slopes(points.size, columns, n, own)
    sums, pull = part(space, 0, 18), matrix(space, 18, 3, columns)
    b = after(space, 18 + 3 * columns)
    use_lanes(points.size, b)
    place_points(p, w, points, lanes(b), b)
    fetch_history(laws, memory.z, memory.status, points.gap, b)
    if task in (TANGENTS, RATES):
        at, G = int(p[SLOPES]), matrix(p, int(p[MOTION]), 3, n)
        results = memory.rate, memory.new_status, memory.slip_rates
        flat_rate_tangents(points, laws, int(p[at]), int(p[at + 1]), G, results, pull, slopes, b)
    else:
        _rates(w, points, laws, memory, b)
    pull_forces(p, w, points, b)
    if task == TANGENTS:
        add_slopes(p, w, points, sums, b)


@kernel(fastmath=True)
def _rates(w: Record, points: Points, laws: Laws, memory: RateMemory, b: Floats) -> None:
    """Forces of the points, the rates of their internal variables, and the powers."""
    nothing, weights = part(b, 0, 0), points.weights
    lost = normal_loss(laws, weights, b, nothing)
    lost += rate_block(laws, nothing, weights, b, nothing)
    w.head[LOST], w.head[SUPPLIED] = lost, 0.0
    keep_rates(laws, weights, memory.rate, memory.new_status, memory.slip_rates, b)


def lowered_translating_rate(pair: ContactPair) -> Lowered | None:
    """A pair of bodies that cannot turn, on a plane, in continuous time; None if it is none."""
    form = None if changed(pair, "lowered_rate", RATE_ANSWERS) else compiled_rigid(pair)
    addresses = None if form is None else slope_addresses(pair, form.laws)
    if form is None or addresses is None:
        return None
    numbers = translating_numbers(pair, form, lambda packing: packing.add(addresses))
    if numbers is None:
        return None
    size, columns = form.points.size, pair.columns
    memory = sum(rate_parts(size, columns, int(numbers[1]))) + 18 + 3 * columns
    return Lowered(
        _translating_rate, numbers, memory + form.laws.working_size + law_slopes_size(form.laws)
    )
