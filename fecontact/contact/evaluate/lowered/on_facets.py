"""A contact pair on facets of an elastic body as compiled programs see it, with its history.

Tasks and parts of the memory are those of `contact.evaluate.lowered.step`; behind the parts stand
the cache of the search for facets and the projection points at the start of a step. It is what
`contact.evaluate.compiled.facets` does for Python, by the same kernels over the points.

Numbers of the facets: nodes of a facet, facets, nodes, corners, modes, length of the lists of
neighbours, whether facets are sharp; then the arrays of `Face` that do not change, the nodes of the
face as `Points`, and their shapes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from fecontact.body.base import as_body
from fecontact.body.lowered import (
    MAPS,
    POSITION,
    ROTATION,
    add_d_load,
    frame_size,
    marker_sizes,
    place_marker,
)
from fecontact.body.lowered.moving_points import pull_frame
from fecontact.contact.evaluate.compiled.facets import CompiledFacets, compiled_facets
from fecontact.contact.evaluate.lowered.facet_slopes import (
    FacetSums,
    facet_pair_slopes,
    facet_slopes_size,
)
from fecontact.contact.evaluate.lowered.memory import (
    LAWS,
    MASTER,
    OTHER,
    SLAVE,
    frame_of,
    laws_of,
    outer_power,
    pack_laws,
    points_of,
    spun,
)
from fecontact.contact.evaluate.lowered.pair_slopes import PairFrames
from fecontact.contact.evaluate.lowered.step import (
    ANSWERS,
    History,
    copy_history,
    history_of,
    history_parts,
    show_points,
    turn_grip,
)
from fecontact.contact.kernels.block_laws import ContactPoints, PointStates
from fecontact.contact.kernels.blocks import ADVANCE as ADVANCE_POINTS
from fecontact.contact.kernels.blocks import FORCE_SUMS, PROJECT
from fecontact.contact.kernels.blocks import STEP as STEP_POINTS
from fecontact.contact.kernels.facets.blocks import (
    BodyLoads,
    FacetJob,
    FacetResults,
    facet_blocks,
    facet_size,
    load_face,
    load_size,
    place_nodes,
)
from fecontact.contact.kernels.facets.polynomials import Face, PointsOnFacets, Track
from fecontact.contact.kernels.facets.projection import NEIGHBOURS, Starts, look_near
from fecontact.contact.kernels.facets.search import FacetMesh
from fecontact.contact.kernels.facets.tangents import (
    GROUP,
    TangentJob,
    TangentSums,
    facet_tangent_blocks,
    facet_tangent_size,
)
from fecontact.contact.kernels.layout import BLOCK, SHOWN
from fecontact.contact.kernels.motion import WIDTH, Points, SlaveMotion, copy, relative_frame
from fecontact.contact.master.elastic_face import ElasticFace
from fecontact.kernels.arrays import after, integers, matrix, part, viewed
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    ADVANCE,
    BEGIN,
    BENT,
    HELD,
    LOST,
    PARAMETERS,
    SHOW,
    STEP,
    SUPPLIED,
    TANGENTS,
    TIME,
    Lowered,
    Packing,
    Record,
    changed,
    record,
)
from fecontact.kernels.memory import take, take_integers, take_matrix
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["lowered_on_facets"]

FACETS = 10
"""Parameter of a pair behind those of `memory`: where the facets begin."""
NODES_OF, COUNT, NODES, CORNERS, SHAPES, AROUND, ANGULAR, TABLES = range(8)
KNOWN = 20260.5
"""First number of a cache that is in use; any other was there before."""


class Kept(NamedTuple):
    """What stays from task to task: the cache of the search, and projections of a step's start."""

    known: Floats
    starts: Starts
    old: PointsOnFacets


class Moved(NamedTuple):
    """The pair at the coordinates of its record, with what is found there.

    Attributes
    ----------
    frames, motion
        Frames of both bodies, and the slave seen from the master.
    face, nodes, shapes
        Facets at their positions, nodes of the face with their shapes, also as (n, 3, m).
    new
        Projection points.
    force, on_nodes
        Forces of the points, and those on the nodes.
    sums, loads
        Sums of the blocks; their sum, and loads of both bodies.
    blocks
        Numbers of the blocks.
    """

    frames: PairFrames
    motion: SlaveMotion
    face: Face
    nodes: Points
    shapes: Floats
    new: PointsOnFacets
    force: Floats
    on_nodes: Floats
    sums: Floats
    loads: BodyLoads
    blocks: Integers


def _contact(pointer: Any, parameters: Any, task: float) -> float:
    """A contact pair on facets."""
    p = viewed(parameters, PARAMETERS)
    return _evaluated(p, record(pointer, p), int(task))


@kernel(fastmath=True, allocates=True)
def _evaluated(p: Floats, w: Record, task: int) -> float:
    """Fill in the record for a task."""
    (history, own), points = history_of(p, w.own), points_of(p)
    blocks = len(points.weights) // BLOCK
    shown, seen = take_matrix(own, blocks, SHOWN)
    kept, space = _kept(blocks * BLOCK, after(seen, 27 * points.size + 4))
    at, space = _moved(p, w, points, space)
    contact = ContactPoints(points, laws_of(p, int(p[OTHER] if task == HELD else p[LAWS])))
    rows = matrix(shown, 0, blocks, SHOWN if task == SHOW else 0)
    _run(contact, w.head[STEP], task, kept, at, history, rows, space)
    if task in (BEGIN, ADVANCE):
        _keep(at.new, kept.old)
    if task == BEGIN:
        turn_grip(part(at.frames.master, ROTATION, 9), history.grip)
        return 0.0
    _load(w, points, at, space)
    total = at.loads.total
    if task == ADVANCE:
        w.head[LOST], w.head[SUPPLIED] = total[10], outer_power(w, total)
        w.head[BENT] = total[11]
    elif task == SHOW:
        f = at.frames.master
        R, origin = part(f, ROTATION, 9), part(f, POSITION, 3)
        show_points(points, R, origin, w.head[STEP], shown, seen)
        seen[27 * points.size + 3] = outer_power(w, total)
    elif task in (TANGENTS, HELD):
        _differentiate(p, w, contact, kept, at, history.now, space)
    return 0.0


@kernel(fastmath=True)
def _projections(count: int, w: Floats) -> tuple[PointsOnFacets, Floats]:
    """Arrays for the projection points of so many points, and the memory behind them."""
    facet, w = take_integers(w, count)
    state, w = take_integers(w, count)
    local, w = take(w, 2 * count)
    normal, w = take(w, 3 * count)
    gap, w = take(w, count)
    return PointsOnFacets(facet, state, local, normal, gap), w


@kernel(fastmath=True)
def _kept(count: int, w: Floats) -> tuple[Kept, Floats]:
    """What stays, and the memory behind it; a new cache knows no point."""
    known, w = take(w, 1)
    positions, w = take(w, 3 * count)
    near, w = take(w, count)
    wide, w = take(w, count)
    facets = integers(w, 0, NEIGHBOURS * count).reshape((count, NEIGHBOURS))
    old, w = _projections(count, after(w, NEIGHBOURS * count))
    if known[0] != KNOWN:
        known[0] = KNOWN
        positions[:] = 0.0
        near[:] = wide[:] = -1.0
        facets[:] = -1
    return Kept(known, Starts(positions, near, wide, facets), old), w


@kernel(fastmath=True)
def _face(p: Floats, w: Floats) -> tuple[Face, Points, Floats, Floats]:
    """Facets with room for their nodes, nodes and shapes; and the memory behind."""
    at = int(p[FACETS])
    k, f, n = int(p[at + NODES_OF]), int(p[at + COUNT]), int(p[at + NODES])
    corners, m, around = int(p[at + CORNERS]), int(p[at + SHAPES]), int(p[at + AROUND])
    rest, blocks = after(p, at + TABLES), (n + BLOCK - 1) // BLOCK
    members, rest = integers(rest, 0, k * f).reshape((f, k)), after(rest, k * f)
    first, rest = take_integers(rest, f + 1)
    near, rest = take_integers(rest, around)
    boundary, rest = integers(rest, 0, corners * f).reshape((f, corners)), after(rest, corners * f)
    sharp, rest = take_integers(rest, f)
    shape, rest = take_matrix(rest, k, 9)
    centres, rest = take_matrix(rest, f, 3)
    positions, rest = take(rest, blocks * WIDTH)
    blocked, rest = take(rest, blocks * WIDTH * m)
    weights, rest = take(rest, blocks * BLOCK)
    gap, rest = take(rest, blocks * BLOCK)
    nodes, w = take_matrix(w, n, 4)
    rates, w = take_matrix(w, n, 4)
    mesh = FacetMesh(nodes, members, first, near, boundary, sharp)
    face = Face(mesh, rates, shape, centres, p[at + ANGULAR] > 0.0)
    shapes = part(rest, 0, 3 * n * m).reshape((n, 3, m))
    return face, Points(n, m, positions, blocked, weights, gap), shapes, w


@kernel(fastmath=True, allocates=True)
def _moved(p: Floats, w: Record, points: Points, space: Floats) -> tuple[Moved, Floats]:
    """The pair at the coordinates of its record, and the memory behind it."""
    (q_s, n_s), (q_m, n_m) = marker_sizes(p, int(p[SLAVE])), marker_sizes(p, int(p[MASTER]))
    blocks, modes, t = len(points.weights) // BLOCK, points.modes, w.head[TIME]
    face, nodes, shapes, space = _face(p, space)
    f_s, space = take(space, MAPS + 15 * n_s)
    f_m, space = take(space, MAPS + 15 * n_m)
    frame, space = take(space, 24)
    new, space = _projections(blocks * BLOCK, space)
    force, space = take(space, blocks * WIDTH)
    on_nodes, space = take_matrix(space, nodes.size, 4)
    sums, space = take_matrix(space, blocks, FORCE_SUMS + modes)
    total, space = take(space, FORCE_SUMS + modes)
    slave, space = take(space, 6 + modes)
    master, space = take(space, 6 + nodes.modes)
    numbers, space = take_integers(space, blocks)
    place_marker(p, int(p[SLAVE]), t, part(w.q, 0, q_s), part(w.v, 0, n_s), f_s)
    place_marker(p, int(p[MASTER]), t, after(w.q, q_s), after(w.v, n_s), f_m)
    spun(f_s)
    spun(f_m)
    relative_frame(frame_of(f_s), frame_of(f_m), frame)
    elastic, rate = part(w.q, q_s - modes, modes), part(w.v, n_s - modes, modes)
    bent, bent_rate = after(w.q, q_s + q_m - nodes.modes), after(w.v, n_s + n_m - nodes.modes)
    place_nodes(nodes, bent, bent_rate, face.mesh.nodes, face.rates, space)
    motion = SlaveMotion(elastic, rate, frame)
    return Moved(
        PairFrames(f_s, f_m, n_s, n_m), motion, face, nodes, shapes, new, force, on_nodes, sums,
        BodyLoads(total, slave, master), numbers,
    ), space  # fmt: skip


@kernel(fastmath=True, allocates=True, shared=True)
def _run(
    contact: ContactPoints, h: float, task: int, kept: Kept, at: Moved, history: History,
    shown: Floats, space: Floats,
) -> None:  # fmt: skip
    """Evaluate the points for a task; facets that are not known to be near are looked up."""
    kind, states, totals = STEP_POINTS, history.end, history.totals
    if task == BEGIN:
        kind = PROJECT
    elif task == ADVANCE:
        kind, states, totals = ADVANCE_POINTS, history.now, history.totals0
    else:
        copy_history(history)
    results = FacetResults(totals, at.force, at.sums, shown, history.grip)
    search = kept.starts, Track(kept.old, at.new)
    for block in range(len(at.blocks)):
        at.blocks[block] = block
    left, done = at.blocks, False
    while not done:
        job = FacetJob(kind, h, left)
        done = facet_blocks(contact, at.face, search, at.motion, job, states, results, space)
        if not done:
            count = 0
            for k in range(len(left)):
                if left[k] < 0:
                    left[count] = -1 - left[k]
                    count += 1
            left = left[:count]
            look_near(at.face.centres, kept.starts)


@kernel(fastmath=True)
def _keep(new: PointsOnFacets, old: PointsOnFacets) -> None:
    """Let projection points be those of the start of a step."""
    for i in range(len(new.gap)):
        old.facet[i], old.state[i], old.gap[i] = new.facet[i], new.state[i], new.gap[i]
    copy(new.local, old.local)
    copy(new.normal, old.normal)


@kernel(fastmath=True, allocates=True)
def _load(w: Record, points: Points, at: Moved, space: Floats) -> None:
    """Generalised force of the forces of all points."""
    f_s, f_m, n_s, n_m = at.frames
    forces = points.size, at.force, at.on_nodes
    R = matrix(f_m, ROTATION, 3, 3)
    load_face(at.nodes, at.face, at.new, forces, R, at.sums, at.loads, space)
    for j in range(n_s + n_m):
        w.force[j] = 0.0
    slave, master, modes = at.loads.slave, at.loads.master, points.modes
    pull_frame(f_s, n_s, part(slave, 0, 3), part(slave, 3, 3), 1.0, w.force)
    pull_frame(f_m, n_m, part(master, 0, 3), part(master, 3, 3), 1.0, after(w.force, n_s))
    for k in range(modes):
        w.force[n_s - modes + k] += slave[6 + k]
    for k in range(at.nodes.modes):
        w.force[n_s + n_m - at.nodes.modes + k] += master[6 + k]


@kernel(fastmath=True, allocates=True, shared=True)
def _differentiate(
    p: Floats,
    w: Record,
    contact: ContactPoints,
    kept: Kept,
    at: Moved,
    states: PointStates,
    space: Floats,
) -> None:
    """Derivatives of the force."""
    points, own = contact.points, 6 + contact.points.modes
    n, blocks = own + at.nodes.modes, len(at.blocks)
    groups = (blocks + GROUP - 1) // GROUP
    stiff, space = part(space, 0, groups * n * n), after(space, groups * n * n)
    damped, space = part(space, 0, groups * n * n), after(space, groups * n * n)
    loads, space = take_matrix(space, groups, n)
    turns, space = part(space, 0, groups * 3 * own), after(space, groups * 3 * own)
    six, space = take(space, 6)
    of_groups = TangentSums(
        stiff.reshape((groups, n, n)), damped.reshape((groups, n, n)), loads,
        turns.reshape((groups, 3, own)),
    )  # fmt: skip
    job = TangentJob(w.head[STEP], 0, groups)
    track = Track(kept.old, at.new)
    facet_tangent_blocks(
        contact, (at.face, at.shapes), track, at.motion, job, states, of_groups, space
    )
    K, D, load, turn = of_groups.stiff[0], of_groups.damped[0], loads[0], of_groups.turns[0]
    for group in range(1, groups):
        K += of_groups.stiff[group]
        D += of_groups.damped[group]
        load += loads[group]
        turn += of_groups.turns[group]
    for i in range(3):
        for j in range(own):
            K[3 + i, j] += turn[i, j]
        for j in range(6, own):
            K[j, 3 + i] += turn[i, j]
    frames, sums = at.frames, FacetSums(K, D, load)
    facet_pair_slopes(frames, points.modes, sums, six, space, w.by_q, w.by_v)
    q = part(w.q, 0, marker_sizes(p, int(p[SLAVE]))[0])
    add_d_load(p, int(p[SLAVE]), q, frames.slave, six, 1.0, 0, w.by_q)


def _pack(pair: ContactPair, form: CompiledFacets) -> Floats | None:
    """Parameters of a pair; None if a body has no such form."""
    face, points = pair.master, form.points
    assert isinstance(face, ElasticFace)
    n_q = sum(len(body.reference()) for body in pair.bodies)
    packing = Packing(n_q, sum(len(body.dofs) for body in pair.bodies), *[0] * 9)
    at_slave = as_body(pair.slave).pack_frame(packing)
    at_master = as_body(face.body).pack_frame(packing)
    if at_slave is None or at_master is None:
        return None
    at_laws, at_other = pack_laws(packing, form.laws), pack_laws(packing, form.no_slip_laws)
    at_points = packing.add(points.positions)
    packing.extend([points.shapes, points.weights, points.gap])
    mesh, nodes = form.face.mesh, form.nodes
    sizes = [*mesh.facets.shape[::-1], nodes.size, mesh.boundary.shape[1], nodes.modes]
    at_facets = packing.add([*sizes, len(mesh.around), float(form.face.angular)])
    for numbers in (mesh.facets, mesh.first, mesh.around, mesh.boundary, mesh.sharp):
        packing.add(np.ascontiguousarray(numbers, dtype=np.int64).view(float))
    packing.extend([form.face.shape, form.face.centres, nodes.positions, nodes.shapes])
    packing.extend([nodes.weights, nodes.gap, form.shapes])
    result = packing.numbers
    result[2:11] = (
        at_slave, at_master, points.size, points.modes, pair.columns, at_laws, at_other, at_points,
        at_facets,
    )  # fmt: skip
    return result


def _memory(pair: ContactPair, form: CompiledFacets) -> int:
    """Length of what a pair keeps to itself."""
    points, nodes, blocks = form.points, form.nodes, len(form.points.weights) // BLOCK
    count, modes, others = blocks * BLOCK, points.modes, nodes.modes
    own, n = 6 + modes, 6 + modes + others
    dofs, n_s = sum(len(body.dofs) for body in pair.bodies), len(pair.slave.dofs)
    groups = -(-blocks // GROUP)
    kept = 1 + (5 + NEIGHBOURS + 8) * count
    moved = 12 * nodes.size + frame_size(n_s) + frame_size(dofs - n_s) + 24 + 11 * count
    moved += (blocks + 1) * (FORCE_SUMS + modes) + n + 6 + blocks
    tangents = groups * (2 * n * n + n + 3 * own) + 6
    tangents += max(facet_tangent_size(n, others, form.laws), facet_slopes_size(n, dofs))
    work = max(facet_size(form.face, form.laws), load_size(nodes, form.face), tangents)
    parts = sum(history_parts(points.size, pair.columns, modes))
    return parts + kept + moved + work


def lowered_on_facets(pair: ContactPair) -> Lowered | None:
    """A pair on facets with its history; None if a part has no such form."""
    if changed(pair, "lowered_steps", ANSWERS) or not isinstance(pair.master, ElasticFace):
        return None
    form = compiled_facets(pair)
    numbers = None if form is None else _pack(pair, form)
    if form is None or numbers is None:
        return None
    return Lowered(_contact, numbers, _memory(pair, form))
