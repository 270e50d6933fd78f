"""A contact pair whose points all slide, point by point, as compiled programs see it.

It answers as `contact.evaluate.lowered.sliding`, for the slaves and masters of `rolling`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fecontact.contact.evaluate.compiled.laws import sliding_laws
from fecontact.contact.evaluate.lowered.memory import LAWS, OTHER, gaps_turn, laws_of
from fecontact.contact.evaluate.lowered.rolling import (
    Carried,
    Held,
    contact_of,
    differentiate,
    load,
    pack_rolling,
    rolling_memory,
    see,
    spaces_of,
)
from fecontact.contact.evaluate.lowered.sliding import ANSWERS
from fecontact.contact.kernels.block_laws import PointStates
from fecontact.contact.kernels.eulerian import slide_points, slope_sliding
from fecontact.kernels.arrays import integers, matrix, part, viewed
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
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["lowered_sliding_points"]


def _sliding(pointer: Any, parameters: Any, task: float) -> float:
    """A contact pair of points that slide."""
    p = viewed(parameters, PARAMETERS)
    return _evaluated(p, record(pointer, p), int(task))


@kernel(fastmath=True, allocates=True)
def _evaluated(p: Floats, w: Record, task: int) -> float:
    """Fill in the record for a task."""
    directed = p[int(p[OTHER])] > 0.0
    w.head[LOST] = w.head[STORED] = w.head[SUPPLIED] = 0.0
    none, nobody = part(w.own, 0, 0), matrix(w.own, 0, 0, 4)
    held = Held(PointStates(nobody, integers(w.own, 0, 0)), nobody, nobody, none)
    c, space = contact_of(p, laws_of(p, int(p[LAWS])), held, Carried(none, none), 0, w.own)
    spaces = spaces_of(p, space)
    if not see(p, w, c, spaces):
        return FAILED
    if task == TANGENTS:
        good = slope_sliding(c, directed, spaces.local)
    else:
        good = slide_points(c, directed)
    if not good:
        return FAILED
    load(p, w, c, spaces)
    if task == TANGENTS:
        differentiate(p, w, c, spaces, -1)
    return 0.0


def lowered_sliding_points(pair: ContactPair) -> Lowered | None:
    """A pair of points that slide; None if a part has no such form."""
    if gaps_turn(pair) or changed(pair, "lowered", ANSWERS):
        return None
    laws = sliding_laws(pair.master, pair.normal, pair.friction)
    if laws is None:
        return None
    directed = [float(pair.friction.directed)]
    numbers = pack_rolling(pair, laws, None, lambda packing: packing.add(directed))
    return None if numbers is None else Lowered(_sliding, numbers, rolling_memory(pair, laws))
