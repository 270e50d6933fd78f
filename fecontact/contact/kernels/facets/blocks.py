"""Compiled contact of all points with the facets of an elastic body, block by block.

As `contact.kernels.blocks`, with a surface that moves: in the frame of the master the positions Y
of the slave points are projected on the deformed facets, and the material there has the velocity N
Phi e'. The nodes of the master are moved before, and loaded after: their shapes are stored as
those of the slave points. The forces of all points are kept; `spread` adds them up on the nodes in
the order of the points, so that results do not depend on the number of threads.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from fecontact.contact.kernels.block_laws import (
    ContactPoints,
    Laws,
    PointStates,
    fetch_history,
    keep_history,
    keep_rates,
    named,
    normal_loss,
    press_block,
    rate_block,
    step_block,
)
from fecontact.contact.kernels.blocks import (
    ADVANCE,
    FORCE_SUMS,
    PROJECT,
    RATE,
    STEP,
    bristle_loss,
    count_slip,
    gather_forces,
    loaded,
    project_on_modes,
)
from fecontact.contact.kernels.facets.polynomials import (
    WORK,
    Face,
    PointsOnFacets,
    Track,
    block_of,
    carried,
    named_face,
    named_track,
    spread,
    velocities,
    weigh,
)
from fecontact.contact.kernels.facets.projection import Starts, project, start_facets
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
    WIDTH,
    Points,
    SlaveMotion,
    copy_rows,
    deform_block,
    see_positions,
    slide_block,
    try_slip,
)
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = [
    "FacetJob",
    "FacetResults",
    "facet_blocks",
    "facet_size",
    "leave",
    "load_bodies",
    "load_face",
    "load_size",
    "move_nodes",
    "pair_blocks",
    "place_nodes",
]

B = BLOCK


class FacetJob(NamedTuple):
    """What to evaluate (as `blocks.Job`), over which time, and the numbers of the blocks."""

    kind: int
    h: float
    blocks: Integers


class FacetResults(NamedTuple):
    """Slip work and path (p, 2), forces (blocks * 3 * BLOCK,), sums, what points show, and grip.

    `grip` (p, 4) is that of `BlockResults`, and so are `sums` and `shown`, which have a row for
    each block; of one block they are the row.
    """

    slip_totals: Floats
    force: Floats
    sums: Floats
    shown: Floats
    grip: Floats


class BodyLoads(NamedTuple):
    """Sums of all blocks, and loads of slave and master: force in space, moment, Phi^T F."""

    total: Floats
    slave: Floats
    master: Floats


class Space(NamedTuple):
    """Working space of a block: facets, velocities, weights of their nodes, rows of the points."""

    c: Floats
    moved: Floats
    weights: Floats
    w: Floats


@kernel(fastmath=True)
def facet_blocks(
    contact: ContactPoints, face: Face, search: tuple[Starts, Track], motion: SlaveMotion,
    job: FacetJob, states: PointStates, results: FacetResults, work: Floats,
) -> bool:  # fmt: skip
    """Contact of some blocks, with their sums, projection points and forces.

    STEP: over a time step h from the old projection points; states and slip_totals are replaced by
    those at its end. ADVANCE: so is the grip. RATE: the continuous law; z becomes its rate,
    slip_totals the slip power and speed. PROJECT: only the projection points, with normals and
    gaps, which RATE does not keep. The number of a block is negated, -1 - block, if the nearest
    facets of some of its points must be looked up before; nothing of it is changed then, and False
    is returned. `work` is working space (`facet_size`).
    """
    (points, laws), (starts, track), frame, known = contact, search, motion.frame, True
    begin = WORK + WIDTH
    end = begin + face.mesh.facets.shape[1] * B
    space = Space(work[:WORK], work[WORK:begin], work[begin:end], work[end:])
    w, moved = space.w, space.moved
    for k in range(len(job.blocks)):
        block = job.blocks[k]
        deform_block(points, block, motion.elastic, motion.rate, w)
        see_positions(frame, w)
        old, new = block_of(track.old, block, lanes(w)), block_of(track.new, block, lanes(w))
        if not start_facets(starts, face.centres, block, w, new.facet):
            job.blocks[k], known = -1 - block, False
            continue
        _find(face, old, new, job.kind in (STEP, ADVANCE), space)
        full = slice(block * B, block * B + B)
        own = slice(block * B, min(block * B + B, points.size))
        if job.kind != RATE:
            _keep(points.gap[full], new, w)
        if job.kind == PROJECT:
            continue
        weights, of_block = points.weights[full], _of_block(results, block, points.size)
        held = PointStates(states.z[own], states.status[own])
        weigh(face.shape, new.local, lanes(w), space.weights)
        velocities(face, new.facet, space.weights, moved)
        leave(frame, moved, w)
        slide_block(frame, points.gap[full], w)
        fetch_history(laws, held.z, held.status, old.gap, w)
        if job.kind == RATE:
            _rate(laws, frame, weights, held, of_block, w)
        else:
            tracked, accepts = Track(old, new), job.kind == ADVANCE
            _step(laws, job.h, weights, face, tracked, held, of_block, accepts, space)
        copy_rows(w, F, of_block.force)
        gather_forces(weights, frame, w, of_block.sums)
        project_on_modes(points, block, w, of_block.sums)
    return known


@kernel(fastmath=True)
def _find(
    face: Face, old: PointsOnFacets, new: PointsOnFacets, follows: bool, space: Space
) -> None:
    """Projections of a block; those of a step begin where the points were on the same facet."""
    w, local = space.w, new.local
    middle = 1.0 / 3.0 if face.mesh.boundary.shape[1] == 3 else 0.0
    before = old.local if follows else local
    for i in range(lanes(w)):
        same = follows and old.facet[i] == new.facet[i]
        local[i] = before[i] if same else middle
        local[B + i] = before[B + i] if same else middle
    project(face, w, new.facet, new.state, local, space.c)


@kernel(fastmath=True)
def _keep(gap: Floats, new: PointsOnFacets, w: Floats) -> None:
    """Keep normals, and gaps with their initial part."""
    copy_rows(w, N, new.normal)
    for i in range(lanes(w)):
        new.gap[i] = w[GAP + i] + gap[i]


@kernel(fastmath=True)
def _of_block(results: FacetResults, block: int, size: int) -> FacetResults:
    """Results of one block."""
    own = slice(block * B, min(block * B + B, size))
    wide = slice(block * WIDTH, block * WIDTH + WIDTH)
    return FacetResults(
        results.slip_totals[own], results.force[wide], results.sums[block],
        results.shown[block], results.grip[own],
    )  # fmt: skip


@kernel(fastmath=True)
def _rate(
    laws: Laws, frame: Floats, weights: Floats, states: PointStates, results: FacetResults,
    w: Floats,
) -> None:  # fmt: skip
    """The continuous law of a block."""
    seen, sums = results.shown, results.sums
    sums[10] = normal_loss(laws, weights, w, seen)
    sums[11] = rate_block(laws, frame, weights, w, seen)
    keep_rates(laws, weights, states.z, states.status, results.slip_totals, w)


@kernel(fastmath=True)
def _step(
    laws: Laws, h: float, weights: Floats, face: Face, track: Track, states: PointStates,
    results: FacetResults, accepts: bool, space: Space,
) -> None:  # fmt: skip
    """A time step of a block."""
    (old, new), moved, w = track, space.moved, space.w
    press_block(laws, h, w)
    carried(face, space.c, new.facet, old.facet, old.local, moved)
    try_slip(moved, old.normal, w)
    step_block(laws, h, weights, w, results.shown)
    if accepts:
        results.sums[11] = bristle_loss(weights, w, results.grip)
    keep_history(laws, weights, states.z, states.status, results.slip_totals, w)
    if accepts:
        count_slip(states.status, weights, w, results.grip, results.slip_totals)
        results.sums[10] = normal_loss(laws, weights, w, results.shown)
    elif len(results.shown) > 0:
        normal_loss(laws, weights, w, results.shown)


def facet_size(face: Face, laws: Laws) -> int:
    """Length of the working space of `facet_blocks`: facets, velocities, their weights, block."""
    return WORK + WIDTH + face.mesh.facets.shape[1] * B + laws.working_size


@kernel(fastmath=True)
def pair_blocks(
    contact: tuple[Any, Any], face: tuple[Any, ...], search: tuple[Any, Any],
    motion: tuple[Any, ...], job: tuple[Any, ...], states: tuple[Any, ...],
    results: tuple[Any, ...], work: Floats,
) -> bool:  # fmt: skip
    """`facet_blocks` for Python, which hands plain tuples over faster than named ones."""
    return facet_blocks(
        named(contact), named_face(face), (Starts(*search[0]), named_track(search[1])),
        SlaveMotion(*motion), FacetJob(*job), PointStates(*states), FacetResults(*results), work,
    )  # fmt: skip


@kernel(fastmath=True)
def move_nodes(
    points: tuple[Any, ...], elastic: Floats, rate: Floats, positions: Floats, rates: Floats,
    w: Floats,
) -> None:  # fmt: skip
    """`place_nodes` of plain tuples."""
    place_nodes(Points(*points), elastic, rate, positions, rates, w)


@kernel(fastmath=True)
def place_nodes(
    nodes: Points, elastic: Floats, rate: Floats, positions: Floats, rates: Floats, w: Floats
) -> None:
    """Positions x + Phi e and velocities Phi e' (n, 4) of the nodes of the master."""
    for first in range(0, nodes.size, B):
        deform_block(nodes, first // B, elastic, rate, w)
        for i in range(min(B, nodes.size - first)):
            x, v = positions[first + i], rates[first + i]
            x[0], x[1], x[2] = w[X + i], w[X + B + i], w[X + 2 * B + i]
            v[0], v[1], v[2] = w[V + i], w[V + B + i], w[V + 2 * B + i]


def load_size(nodes: Points, face: Face) -> int:
    """Length of the working space of `load_bodies`: sums of modes, weights, block of nodes."""
    return FORCE_SUMS + nodes.modes + face.mesh.facets.shape[1] * B + ROWS * B


@kernel(fastmath=True)
def load_bodies(
    nodes: tuple[Any, ...], face: tuple[Any, ...], projected: tuple[Any, ...],
    forces: tuple[int, Floats, Floats], rotation: Floats, sums: Floats, loads: tuple[Any, ...],
    work: Floats,
) -> None:  # fmt: skip
    """Add up the sums of the blocks, see `loaded`, and the forces on the master.

    `forces` are the number of the points, their forces, and those on the nodes, which are found
    here. Shapes of nodes far from the contact are not read. `work` is working space (`load_size`).
    """
    load_face(
        Points(*nodes), named_face(face), PointsOnFacets(*projected), forces, rotation, sums,
        BodyLoads(*loads), work,
    )  # fmt: skip


@kernel(fastmath=True)
def load_face(
    nodes: Points, face: Face, projected: PointsOnFacets, forces: tuple[int, Floats, Floats],
    rotation: Floats, sums: Floats, loads: BodyLoads, work: Floats,
) -> None:  # fmt: skip
    """`load_bodies` of named tuples."""
    (size, force, on_nodes), (total, load, other) = forces, loads
    begin = FORCE_SUMS + nodes.modes
    end = begin + face.mesh.facets.shape[1] * B
    own, weights, w = work[:begin], work[begin:end], work[end:]
    loaded(sums, rotation, total, load)
    for i in range(3):
        other[i], other[3 + i] = -load[i], -total[3 + i]
    other[6:] = 0.0
    spread(face, size, projected, force, weights, on_nodes)
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
