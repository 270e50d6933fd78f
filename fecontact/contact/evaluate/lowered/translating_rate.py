"""Contact pairs of bodies that cannot turn, on a plane, in continuous time.

Tasks, laws and memory are those of `contact.evaluate.lowered.rate`, which does the same for bodies
that turn; the motion is that of `contact.evaluate.lowered.translating`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fecontact.contact.evaluate.compiled.rigid import compiled_rigid
from fecontact.contact.evaluate.lowered.memory import COLUMNS, LAWS, OTHER, laws_of, points_of
from fecontact.contact.evaluate.lowered.rate import (
    RATE_ANSWERS,
    RateMemory,
    rate_memory,
    rate_parts,
    rate_slopes,
    slope_addresses,
)
from fecontact.contact.evaluate.lowered.translating import (
    MOTION,
    add_slopes,
    place_points,
    pull_forces,
    translating_numbers,
)
from fecontact.contact.kernels.block_laws import (
    ContactPoints,
    fetch_history,
    keep_rates,
    normal_loss,
    rate_block,
)
from fecontact.contact.kernels.lanes import lanes, use_lanes
from fecontact.contact.kernels.rate_tangents import (
    DerivativeLaws,
    flat_rate_tangents,
    law_slopes_size,
)
from fecontact.kernels.arrays import matrix, part, viewed
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
from fecontact.kernels.memory import take, take_matrix
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
    """Fill in the record for a task."""
    points, columns, n = points_of(p), int(p[COLUMNS]), len(w.v)
    contact = ContactPoints(points, laws_of(p, int(p[LAWS])))
    memory, own = rate_memory(points.size, columns, w.own)
    slopes, space = rate_slopes(points.size, columns, n, own)
    sums, space = take(space, 18)
    pull, b = take_matrix(space, 3, columns)
    use_lanes(points.size, b)
    place_points(p, w, points, lanes(b), b)
    fetch_history(contact.laws, memory.given.z, memory.given.status, points.gap, b)
    if task in (TANGENTS, RATES):
        at, G = int(p[OTHER]), matrix(p, int(p[MOTION]), 3, n)
        derivatives = DerivativeLaws(int(p[at]), int(p[at + 1]))
        flat_rate_tangents(contact, derivatives, G, memory.rate, memory.slip_rates, pull, slopes, b)
    else:
        _rates(w, contact, memory, b)
    pull_forces(p, w, points, b)
    if task == TANGENTS:
        add_slopes(p, w, points, sums, b)


@kernel(fastmath=True)
def _rates(w: Record, contact: ContactPoints, memory: RateMemory, b: Floats) -> None:
    """Forces of the points, the rates of their internal variables, and the powers."""
    (points, laws), nothing, rate = contact, part(b, 0, 0), memory.rate
    lost = normal_loss(laws, points.weights, b, nothing)
    lost += rate_block(laws, nothing, points.weights, b, nothing)
    w.head[LOST], w.head[SUPPLIED] = lost, 0.0
    keep_rates(laws, points.weights, rate.z, rate.status, memory.slip_rates, b)


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
