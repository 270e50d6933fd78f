"""Compiled contact of all points with the facets of an elastic body, block by block.

As `contact.kernels.blocks`, with a surface that moves: in the frame of the master the positions Y
of the slave points are projected on the deformed facets, and the material there has the velocity N
Phi e'. The nodes of the master are moved before, and loaded after: their shapes are stored as
those of the slave points. The forces of all points are kept; `spread` adds them up on the nodes in
the order of the points, so that results do not depend on the number of threads.
"""

from __future__ import annotations

from typing import Any

from fecontact.contact.kernels.block_laws import (
    Laws,
    fetch_history,
    keep_history,
    keep_rates,
    normal_loss,
    press_block,
    rate_block,
    step_block,
)
from fecontact.contact.kernels.blocks import (
    FORCE_SUMS,
    PROJECT,
    RATE,
    STEP,
    gather_forces,
    loaded,
    project_on_modes,
)
from fecontact.contact.kernels.facet_polynomials import (
    WORK,
    Face,
    PointsOnFacets,
    carried,
    spread,
    velocities,
    weigh,
)
from fecontact.contact.kernels.facet_projection import Starts, project, start_facets
from fecontact.contact.kernels.lanes import lanes, use_lanes
from fecontact.contact.kernels.layout import (
    BLOCK,
    GAP,
    ROWS,
    F,
    N,
    V,
    X,
)
from fecontact.contact.kernels.motion import (
    Points,
    copy_rows,
    deform_block,
    see_positions,
    slide_block,
    try_slip,
)
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = [
    "facet_blocks",
    "facet_size",
    "leave",
    "load_bodies",
    "load_size",
    "move_nodes",
    "pair_blocks",
]

B = BLOCK
WIDTH = 3 * BLOCK


@kernel(fastmath=True)
def facet_blocks(
    points: Points, laws: Laws, face: Face, starts: Starts, elastic: Floats, rate: Floats,
    frame: Floats, task: int, h: float, old: PointsOnFacets, new: PointsOnFacets,
    z: Floats, status: Integers, slip_totals: Floats, force: Floats, sums: Floats, shown: Floats,
    blocks: Integers, work: Floats,
) -> bool:  # fmt: skip
    """Contact of some blocks, with their sums (blocks, ...), projection points and forces.

    STEP: over a time step h from the projection points `old`; z, status and slip_totals are
    replaced by those at its end. RATE: the continuous law; z becomes its rate, slip_totals the slip
    power and speed. PROJECT: only the projection points, with normals and gaps, which the other
    tasks do not keep. The number of a block is negated, -1 - block, if the nearest facets of some
    of its points must be looked up before; nothing of it is changed then, and False is returned.
    `shown` as in `contact_blocks`. `work` is working space (`facet_size`).
    """
    known, begin = True, WORK + WIDTH
    end = begin + face.facets.shape[1] * B
    c, moved, parts, w = work[:WORK], work[WORK:begin], work[begin:end], work[end:]
    middle = 1.0 / 3.0 if face.boundary.shape[1] == 3 else 0.0
    for k in range(len(blocks)):
        block = blocks[k]
        full, own = (
            slice(block * B, block * B + B),
            slice(block * B, min(block * B + B, points.size)),
        )
        wide = slice(block * WIDTH, block * WIDTH + WIDTH)
        deform_block(points, block, elastic, rate, w)
        used = slice(block * B, block * B + lanes(w))
        facet, local = new.facet[used], new.local[2 * block * B : 2 * block * B + 2 * B]
        see_positions(frame, w)
        if not start_facets(starts, face.centres, block, w, facet):
            blocks[k], known = -1 - block, False
            continue
        before = old.local[2 * block * B : 2 * block * B + 2 * B] if task == STEP else local
        for i in range(lanes(w)):
            same = task == STEP and old.facet[block * B + i] == facet[i]
            local[i] = before[i] if same else middle
            local[B + i] = before[B + i] if same else middle
        project(face, w, facet, new.state[used], local, c)
        if task == PROJECT:
            copy_rows(w, N, new.normal[wide])
            for i in range(lanes(w)):
                new.gap[block * B + i] = w[GAP + i] + points.gap[block * B + i]
            continue
        weights, statuses, total = points.weights[full], status[own], sums[block]
        seen = shown[block]
        weigh(face.shape, local, lanes(w), parts)
        velocities(face, facet, parts, moved)
        leave(frame, moved, w)
        slide_block(frame, points.gap[full], w)
        fetch_history(laws, z[own], statuses, old.gap[full], w)
        if task == RATE:
            total[10] = normal_loss(laws, weights, w, seen)
            total[11] = rate_block(laws, frame, weights, w, seen)
            keep_rates(laws, weights, z[own], statuses, slip_totals[own], w)
        else:
            press_block(laws, h, w)
            carried(face, c, facet, old.facet[used], before, moved)
            try_slip(moved, old.normal[wide], w)
            step_block(laws, h, weights, w, seen)
            keep_history(laws, weights, z[own], statuses, slip_totals[own], w)
        if task == STEP and len(seen) > 0:
            normal_loss(laws, weights, w, seen)
        copy_rows(w, F, force[wide])
        gather_forces(weights, frame, w, total)
        project_on_modes(points, block, w, total)
    return known


def facet_size(face: Face, laws: Laws) -> int:
    """Length of the working space of `facet_blocks`: facets, velocities, their weights, block."""
    return WORK + WIDTH + face.facets.shape[1] * B + laws.working_size


@kernel(fastmath=True)
def pair_blocks(
    points: tuple[Any, ...], laws: tuple[Any, ...], face: tuple[Any, ...], starts: tuple[Any, ...],
    elastic: Floats, rate: Floats, frame: Floats, task: int, h: float, old: tuple[Any, ...],
    new: tuple[Any, ...], z: Floats, status: Integers, slip_totals: Floats, force: Floats,
    sums: Floats,
    shown: Floats, blocks: Integers, work: Floats,
) -> bool:  # fmt: skip
    """`facet_blocks` for Python, which hands plain tuples over faster than named ones."""
    return facet_blocks(
        Points(*points), Laws(*laws), Face(*face), Starts(*starts), elastic, rate, frame, task, h,
        PointsOnFacets(*old), PointsOnFacets(*new), z, status, slip_totals, force, sums, shown,
        blocks, work,
    )  # fmt: skip


@kernel(fastmath=True)
def move_nodes(
    points: tuple[Any, ...], elastic: Floats, rate: Floats, positions: Floats, rates: Floats,
    w: Floats,
) -> None:  # fmt: skip
    """Places x + Phi e and velocities Phi e' (n, 4) of the nodes of the master."""
    nodes = Points(*points)
    for first in range(0, nodes.size, B):
        deform_block(nodes, first // B, elastic, rate, w)
        for i in range(min(B, nodes.size - first)):
            x, v = positions[first + i], rates[first + i]
            x[0], x[1], x[2] = w[X + i], w[X + B + i], w[X + 2 * B + i]
            v[0], v[1], v[2] = w[V + i], w[V + B + i], w[V + 2 * B + i]


def load_size(nodes: Points, face: Face) -> int:
    """Length of the working space of `load_bodies`: sums of modes, weights, block of nodes."""
    return FORCE_SUMS + nodes.modes + face.facets.shape[1] * B + ROWS * B


@kernel(fastmath=True)
def load_bodies(
    size: int, points: tuple[Any, ...], face: tuple[Any, ...], projected: tuple[Any, ...],
    force: Floats, on_nodes: Floats, rotation: Floats, sums: Floats, total: Floats, load: Floats,
    other: Floats, work: Floats,
) -> None:  # fmt: skip
    """Add up the sums of the blocks, see `loaded`; `other` (6 + m,) is the load of the master.

    Shapes of nodes far from the contact are not read. `work` is working space (`load_size`).
    """
    _load(
        size, Points(*points), Face(*face), PointsOnFacets(*projected), force, on_nodes,
        rotation, sums, total, load, other, work,
    )  # fmt: skip


@kernel(fastmath=True)
def _load(
    size: int, nodes: Points, face: Face, projected: PointsOnFacets, force: Floats,
    on_nodes: Floats,
    rotation: Floats, sums: Floats, total: Floats, load: Floats, other: Floats, work: Floats,
) -> None:  # fmt: skip
    """`load_bodies` of named tuples."""
    begin = FORCE_SUMS + nodes.modes
    end = begin + face.facets.shape[1] * B
    own, parts, w = work[:begin], work[begin:end], work[end:]
    loaded(sums, rotation, total, load)
    for i in range(3):
        other[i], other[3 + i] = -load[i], -total[3 + i]
    other[6:] = 0.0
    spread(size, face.shape, face.facets, projected, force, parts, on_nodes)
    for first in range(0, nodes.size, B):
        use_lanes(nodes.size - first, w)
        w[V : V + WIDTH], carries = 0.0, False
        for i in range(min(B, nodes.size - first)):
            f = on_nodes[first + i]
            w[V + i], w[V + B + i], w[V + 2 * B + i] = f[0], f[1], f[2]
            carries |= f[0] != 0.0 or f[1] != 0.0 or f[2] != 0.0
        if carries:
            project_on_modes(nodes, first // B, w, own)
            for k in range(nodes.modes):
                other[6 + k] -= own[FORCE_SUMS + k]


@kernel(fastmath=True)
def leave(frame: Floats, moved: Floats, w: Floats) -> None:
    """Subtract velocities (3 * BLOCK,) of the master's material, turned to the slave's frame."""
    a, b, c = frame[0], frame[1], frame[2]
    d, e, f = frame[3], frame[4], frame[5]
    g, h, k = frame[6], frame[7], frame[8]
    for i in range(lanes(w)):
        x, y, z = moved[i], moved[B + i], moved[2 * B + i]
        w[V + i] -= a * x + d * y + g * z
        w[V + B + i] -= b * x + e * y + h * z
        w[V + 2 * B + i] -= c * x + f * y + k * z
