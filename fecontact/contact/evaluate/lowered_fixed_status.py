"""A contact pair between two events as compiled programs see it: status of its points given.

The record of the pair has, besides force, lost and supplied power, the `PARTS`: elastic slip z,
status and direction of slip of its points are given; rates of z, slip power and speed, and what
events look at come back, as in `contact.kernels.fixed_status`. Every task gives all of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fecontact.body.lowered import MAPS, frame_size, marker_sizes
from fecontact.contact.evaluate.compiled_rigid import compiled_rigid
from fecontact.contact.evaluate.lowered import (
    LAWS,
    MASTER,
    MODES,
    POINTS,
    SLAVE,
    laws_of,
    load_pair,
    lowered_pair,
    place_frames,
    points_of,
)
from fecontact.contact.kernels.blocks import FORCE_SUMS, added
from fecontact.contact.kernels.fixed_status import SIGNALS, fixed_status_blocks
from fecontact.contact.kernels.layout import BLOCK
from fecontact.kernels.arrays import after, integers, matrix, part, viewed
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
    points, modes, n = points_of(p), int(p[MODES]), int(p[POINTS])
    (q_s, n_s), (_, n_m) = marker_sizes(p, int(p[SLAVE])), marker_sizes(p, int(p[MASTER]))
    z, status = matrix(w.own, 0, n, 3), integers(w.own, 3 * n, n)
    toward = matrix(w.own, 4 * n, n, 3)
    totals, signals = matrix(w.own, 7 * n, n, 2), matrix(w.own, 9 * n, SIGNALS, n)
    space = after(w.own, NUMBERS * n)
    blocks, size_s, size_m = len(points.weights) // BLOCK, MAPS + 15 * n_s, MAPS + 15 * n_m
    f_s, f_m = part(space, 0, size_s), part(space, size_s, size_m)
    space = after(space, size_s + size_m)
    frame, F, total = part(space, 0, 24), part(space, 24, 3), part(space, 27, FORCE_SUMS + modes)
    space = after(space, 27 + FORCE_SUMS + modes)
    sums = matrix(space, 0, blocks, FORCE_SUMS + modes)
    space = after(space, blocks * (FORCE_SUMS + modes))
    place_frames(p, w, f_s, f_m, frame)
    elastic, rate = part(w.q, q_s - modes, modes), part(w.v, n_s - modes, modes)
    if not fixed_status_blocks(
        points, laws_of(p, int(p[LAWS])), elastic, rate, frame, status, toward, z, totals, signals,
        sums, space,
    ):  # fmt: skip
        return FAILED
    added(sums, total)
    load_pair(p, w, f_s, f_m, total, F)
    power = -total[9]
    for j in range(n_s + n_m):
        power += w.force[j] * w.v[j]
    w.head[LOST], w.head[SUPPLIED] = total[10], power
    return 0.0


def lowered_fixed_status(pair: ContactPair) -> Lowered | None:
    """A pair on a rigid surface with given status of its points; None if it has no such form."""
    over_steps, kernel_form = lowered_pair(pair), compiled_rigid(pair)
    if over_steps is None or kernel_form is None:
        return None
    points, laws = kernel_form.points, kernel_form.laws
    n_s = len(pair.slave.dofs)
    n_m = sum(len(body.dofs) for body in pair.bodies) - n_s
    blocks, width = len(points.weights) // BLOCK, FORCE_SUMS + points.modes
    memory = NUMBERS * points.size + frame_size(n_s) + frame_size(n_m) + 27 + (blocks + 1) * width
    return Lowered(_contact, over_steps.parameters, memory + laws.working_size)
