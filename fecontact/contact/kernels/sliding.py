"""Compiled contact of points that all slide on a rigid surface, and its derivatives.

Pressure at rest, friction limit and traction of sliding follow from position and velocity of a
point alone. So the derivatives by them are those of a time step (`contact.kernels.point_slopes`) in
which nothing depends on the trial slip.
"""

from __future__ import annotations

from fecontact.contact.kernels.block_laws import ContactPoints, Laws, join_forces
from fecontact.contact.kernels.blocks import gather_forces, project_on_modes
from fecontact.contact.kernels.lanes import lanes
from fecontact.contact.kernels.layout import BLOCK, OLD, SPEED, STATUS, T_X, T_Z, P, U, V
from fecontact.contact.kernels.motion import (
    WIDTH,
    Points,
    SlaveMotion,
    copy_rows,
    deform_block,
    see_positions,
    slide_block,
)
from fecontact.contact.kernels.point_slopes import slopes_by_normal_on_master, slopes_on_master
from fecontact.contact.kernels.shapes import SPHERE, curvature, distance
from fecontact.contact.kernels.tangents import (
    GROUP,
    add_tangents,
    bent_blocks,
    block_at,
    tangent_size,
)
from fecontact.contact.status import SLIP
from fecontact.kernels.arrays import after, part
from fecontact.kernels.calls import call_block
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["sliding_blocks", "sliding_size", "sliding_tangent_blocks"]

B = BLOCK


def sliding_size(points: Points, laws: Laws) -> int:
    """Length of the working space of `sliding_tangent_blocks`."""
    return tangent_size(points, laws) + WIDTH


@kernel(fastmath=True)
def _slid(
    contact: ContactPoints, directed: bool, block: int, motion: SlaveMotion, w: Floats
) -> bool:
    """Forces F of a block; False if a point has no normal, or a `directed` law no direction."""
    (points, laws), frame = contact, motion.frame
    deform_block(points, block, motion.elastic, motion.rate, w)
    copy_rows(w, V, part(w, SPEED, WIDTH))
    see_positions(frame, w)
    if not distance(laws.shape, laws.shape_par, w):
        return False
    slide_block(frame, part(points.gap, block * B, B), w)
    for i in range(lanes(w)):
        w[STATUS + i] = float(SLIP)
    call_block(laws.normal_rate, w, laws.normal, 0.0)
    call_block(laws.limit, w, laws.coefficient, 0.0)
    call_block(laws.rate, w, laws.friction, 0.0)
    if directed:
        for i in range(min(B, points.size - block * B)):
            still = w[U + i] == 0.0 and w[U + B + i] == 0.0 and w[U + 2 * B + i] == 0.0
            if still and w[P + i] > 0.0:
                return False
    join_forces(part(points.weights, block * B, B), w)
    return True


@kernel(fastmath=True)
def _slopes(laws: Laws, weights: Floats, none: Floats, w: Floats) -> None:
    """Derivatives K and D of the forces by position and velocity."""
    for row in range(0, 3 * WIDTH, B):
        for i in range(lanes(w)):
            w[T_Z + row + i] = w[T_X + row + i] = 0.0
    slopes_on_master(weights, w)
    if laws.shape >= SPHERE:
        for row in range(0, WIDTH, B):
            for i in range(lanes(w)):
                w[OLD + row + i] = 0.0
        curvature(laws.shape, laws.shape_par, w)
        none[:] = 0.0
        slopes_by_normal_on_master(weights, none, none, w)
        bent_blocks(w)


@kernel(fastmath=True, shared=True)
def sliding_blocks(
    contact: ContactPoints, directed: bool, motion: SlaveMotion, loads: Floats, w: Floats
) -> bool:
    """Sums of the forces of all blocks, as in `blocks.contact_blocks`; False as `_slid`."""
    points, frame = contact.points, motion.frame
    for block in range(len(loads)):
        if not _slid(contact, directed, block, motion, w):
            return False
        gather_forces(part(points.weights, block * B, B), frame, w, loads[block])
        project_on_modes(points, block, w, loads[block])
    return True


@kernel(fastmath=True, allocates=True, shared=True)
def sliding_tangent_blocks(
    contact: ContactPoints, directed: bool, motion: SlaveMotion, loads: Floats, sums: Floats,
    work: Floats,
) -> bool:  # fmt: skip
    """The same, and sums of the derivatives as in `tangents.tangent_blocks`."""
    (points, laws), frame = contact, motion.frame
    none, work = part(work, 0, WIDTH), after(work, WIDTH)
    w = after(work, block_at(points))
    sums[:] = 0.0
    for block in range(len(loads)):
        weights = part(points.weights, block * B, B)
        if not _slid(contact, directed, block, motion, w):
            return False
        gather_forces(weights, frame, w, loads[block])
        project_on_modes(points, block, w, loads[block])
        _slopes(laws, weights, none, w)
        add_tangents(points, False, block, frame, work, w, sums[block // GROUP])
    return True
