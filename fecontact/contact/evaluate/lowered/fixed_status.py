"""A contact pair between two events as compiled programs see it: status of its points given.

The record of the pair has, besides force, lost and supplied power, the `PARTS`: elastic slip z,
status and direction of slip of its points are given; rates of z, slip power and speed, and what
events look at come back, as in `contact.kernels.fixed_status`. Every task gives all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fecontact.contact.evaluate.compiled.rigid import compiled_rigid
from fecontact.contact.evaluate.lowered.memory import (
    LAWS,
    POINTS,
    laws_of,
    load_pair,
    outer_power,
    place_pair,
    points_of,
    state_size,
)
from fecontact.contact.evaluate.lowered.step import lowered_pair
from fecontact.contact.kernels.block_laws import ContactPoints, PointStates
from fecontact.contact.kernels.blocks import FORCE_SUMS, added
from fecontact.contact.kernels.fixed_status import (
    SIGNALS,
    FixedStatusResults,
    fixed_status_blocks,
)
from fecontact.kernels.arrays import viewed
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    FAILED,
    LOST,
    PARAMETERS,
    SUPPLIED,
    Lowered,
    Record,
    record,
)
from fecontact.kernels.memory import take, take_integers, take_matrix
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["PARTS", "lowered_fixed_status"]

PARTS = {"z": 3, "status": 1, "toward": 3, "totals": 2, "signals": SIGNALS}
"""Parts of the memory of a pair, one after the other, with the numbers of a point; z becomes its
rate."""
NUMBERS = sum(PARTS.values())


def _contact(pointer: Any, parameters: Any, task: float) -> float:
    """A contact pair on a rigid surface whose points keep their status."""
    p = viewed(parameters, PARAMETERS)
    return _evaluated(p, record(pointer, p))


@kernel(fastmath=True, allocates=True)
def _evaluated(p: Floats, w: Record) -> float:
    points, n = points_of(p), int(p[POINTS])
    contact = ContactPoints(points, laws_of(p, int(p[LAWS])))
    z, space = take_matrix(w.own, n, 3)
    status, space = take_integers(space, n)
    toward, space = take_matrix(space, n, 3)
    totals, space = take_matrix(space, n, 2)
    signals, space = take_matrix(space, SIGNALS, n)
    total, space = take(space, FORCE_SUMS + points.modes)
    at, space = place_pair(p, w, points, space)
    states, results = PointStates(z, status), FixedStatusResults(totals, signals, at.sums)
    if not fixed_status_blocks(contact, at.motion, states, toward, results, space):
        return FAILED
    added(at.sums, total)
    load_pair(w, at, total)
    w.head[LOST], w.head[SUPPLIED] = total[10], outer_power(w, total)
    return 0.0


def lowered_fixed_status(pair: ContactPair) -> Lowered | None:
    """A pair on a rigid surface with given status of its points; None if it has no such form."""
    over_steps, kernel_form = lowered_pair(pair), compiled_rigid(pair)
    if over_steps is None or kernel_form is None:
        return None
    points, laws = kernel_form.points, kernel_form.laws
    memory = NUMBERS * points.size + FORCE_SUMS + points.modes + state_size(pair, points)
    return Lowered(_contact, over_steps.parameters, memory + laws.working_size)
