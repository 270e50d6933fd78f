"""A contact pair whose points all slide on a rigid surface, as compiled programs see it.

It is what `contact.evaluate.sliding` does in Python: force, and with the task TANGENTS its
derivatives. As there, neither energy nor power is told apart from the work of the force.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fecontact.contact.evaluate.compiled.laws import sliding_laws
from fecontact.contact.evaluate.compiled.points import packed_points
from fecontact.contact.evaluate.lowered.memory import (
    LAWS,
    OTHER,
    differentiate_pair,
    gaps_turn,
    laws_of,
    load_pair,
    pack_pair,
    place_pair,
    points_of,
    state_size,
    take_slopes,
    tangents_size,
)
from fecontact.contact.kernels.block_laws import ContactPoints
from fecontact.contact.kernels.blocks import FORCE_SUMS, added
from fecontact.contact.kernels.sliding import (
    sliding_blocks,
    sliding_size,
    sliding_tangent_blocks,
)
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.kernels.arrays import viewed
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    FAILED,
    LOST,
    PARAMETERS,
    STORED,
    SUPPLIED,
    TANGENTS,
    Lowered,
    Record,
    changed,
    record,
)
from fecontact.kernels.memory import take
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["lowered_sliding"]

ANSWERS = ("force", "tangents", "sliding", "kinematics", "point_motion", "gap", "gap_drift",
           "gap_rate")  # fmt: skip
"""What a class of one's own may not change if its pairs are to have this form."""


def _sliding(pointer: Any, parameters: Any, task: float) -> float:
    """A contact pair of points that slide on a rigid surface."""
    p = viewed(parameters, PARAMETERS)
    return _evaluated(p, record(pointer, p), int(task))


@kernel(fastmath=True, allocates=True)
def _evaluated(p: Floats, w: Record, task: int) -> float:
    """Fill in the record for a task."""
    points, directed = points_of(p), p[int(p[OTHER])] > 0.0
    contact = ContactPoints(points, laws_of(p, int(p[LAWS])))
    total, space = take(w.own, FORCE_SUMS + points.modes)
    at, space = place_pair(p, w, points, space)
    room, space = take_slopes(points.modes, len(at.sums), task == TANGENTS, space)
    w.head[LOST] = w.head[STORED] = w.head[SUPPLIED] = 0.0
    if task == TANGENTS:
        good = sliding_tangent_blocks(contact, directed, at.motion, at.sums, room, space)
    else:
        good = sliding_blocks(contact, directed, at.motion, at.sums, space)
    if not good:
        return FAILED
    added(at.sums, total)
    load_pair(w, at, total)
    if task == TANGENTS:
        differentiate_pair(p, w, at.frames, room, space)
    return 0.0


def lowered_sliding(pair: ContactPair) -> Lowered | None:
    """A pair of points that slide on a rigid surface; None if a part has no such form."""
    if gaps_turn(pair) or changed(pair, "lowered", ANSWERS):
        return None
    if not isinstance(pair.master, RigidFace):
        return None
    laws = sliding_laws(pair.master, pair.normal, pair.friction)
    if laws is None:
        return None
    points = packed_points(pair.surface)
    directed = [float(pair.friction.directed)]
    numbers = pack_pair(pair, points, laws, lambda packing: packing.add(directed))
    if numbers is None:
        return None
    memory = state_size(pair, points) + FORCE_SUMS + points.modes
    tangents = tangents_size(points, int(numbers[1]), sliding_size(points, laws))
    return Lowered(_sliding, numbers, memory + max(laws.working_size, tangents))
