"""A contact pair whose points all slide on a rigid surface, as compiled programs see it.

It is what `contact.evaluate.sliding` does in Python: force, and with the task TANGENTS its
derivatives. As there, neither energy nor power is told apart from the work of the force.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.body.lowered import frame_size, marker_sizes
from fecontact.contact.evaluate.compiled_laws import sliding_laws
from fecontact.contact.evaluate.compiled_points import packed_points
from fecontact.contact.evaluate.lowered import (
    LAWS,
    SLAVE,
    laws_of,
    load_pair,
    points_of,
    relative_spin,
)
from fecontact.contact.evaluate.lowered_rate import (
    SLOPES,
    add_up,
    pair_frames,
    pull_slopes,
    rate_numbers,
)
from fecontact.contact.evaluate.pair_slopes import slopes_size
from fecontact.contact.kernels.blocks import FORCE_SUMS, added
from fecontact.contact.kernels.layout import BLOCK
from fecontact.contact.kernels.sliding import (
    sliding_blocks,
    sliding_size,
    sliding_tangent_blocks,
)
from fecontact.contact.kernels.tangents import EXTRA, GROUP
from fecontact.kernels.arrays import after, part, viewed
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
    points, laws, directed = points_of(p), laws_of(p, int(p[LAWS])), p[int(p[SLOPES])] > 0.0
    (q_s, n_s), modes, blocks = marker_sizes(p, int(p[SLAVE])), points.modes, len(points.weights)
    blocks //= BLOCK
    at, space = pair_frames(p, w, blocks, w.own)
    elastic, rate = part(w.q, q_s - modes, modes), part(w.v, n_s - modes, modes)
    w.head[LOST] = w.head[STORED] = w.head[SUPPLIED] = 0.0
    if task != TANGENTS:
        if not sliding_blocks(points, laws, directed, elastic, rate, at.relative, at.sums, space):
            return FAILED
        added(at.sums, at.total)
        load_pair(p, w, at.slave, at.master, at.total, at.force)
        return 0.0
    m, groups = 6 + modes, (blocks + GROUP - 1) // GROUP
    width = 2 * m + EXTRA
    tangents = part(space, 0, groups * m * width).reshape((groups, m, width))
    space = after(space, groups * m * width)
    relative, loads, space = part(space, 0, 3), part(space, 3, 12), after(space, 15)
    relative_spin(at.slave, at.master, relative)
    if not sliding_tangent_blocks(
        points, laws, directed, elastic, rate, at.relative, relative, at.sums, tangents, space
    ):
        return FAILED
    added(at.sums, at.total)
    load_pair(p, w, at.slave, at.master, at.total, at.force)
    add_up(tangents)
    pull_slopes(p, w, at, tangents[0], loads, space)
    return 0.0


def lowered_sliding(pair: ContactPair) -> Lowered | None:
    """A pair of points that slide on a rigid surface; None if a part has no such form."""
    turning_gaps = np.any(pair.gap_rate(0.0)) or np.any(pair.gap_drift(0.0))
    if turning_gaps or changed(pair, "lowered", ANSWERS):
        return None
    laws = sliding_laws(pair.master, pair.normal, pair.friction)
    if laws is None:
        return None
    points = packed_points(pair.surface)
    numbers = rate_numbers(pair, points, laws, (float(pair.friction.directed),))
    if numbers is None:
        return None
    n, n_s, blocks = int(numbers[1]), len(pair.slave.dofs), len(points.weights) // BLOCK
    size = 6 + points.modes
    memory = frame_size(n_s) + frame_size(n - n_s) + 27 + (1 + blocks) * (FORCE_SUMS + points.modes)
    tangents = -(-blocks // GROUP) * size * (2 * size + EXTRA) + 15
    tangents += max(sliding_size(points, laws), slopes_size(size, n))
    return Lowered(_sliding, numbers, memory + max(laws.working_size, tangents))
