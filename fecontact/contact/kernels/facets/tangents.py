"""Compiled consistent tangents of all points of a contact with the facets of an elastic body.

In the frame of the master a point Y moves against the frame by y = rho + theta x Y + A Phi_s e_s,
the facet under it by x = Phi e, its slopes by t_b = Phi_b e. With r = y - x, tau_b = n . t_b and
the matrix A_ab of `facet_projection`, projection point and normal change by

    dxi = S r + G tau,   S = A^-1 t^T,   G = g A^-1,     dn = -t a^-1 (tau + (n . x_ab) dxi) ,

and the force, with the anchor at x_c = Phi_c e, by

    dF = C_r r + K_t (y - x_c) + C_tau tau + D dw     (D dw: relative velocity at a fixed projection
    point)

where the laws give K_n, K_t, D, and M = dF/dn (`contact.kernels.point_slopes`):

    C_r = K_n + E S,   C_tau = E G - M t a^-1,   E = -M t a^-1 (n . x_ab) - D w_b .

These small matrices are formed point by point, J = (1, -Y~, A Phi_s, -Phi) and dF for the closed
points of a block; J^T dF is a product of BLAS. What remains is d(J^T) F: the moment dy x F, and
-(F . Phi_b) dxi_b on the master.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from fecontact.contact.kernels.block_laws import (
    ContactPoints,
    Laws,
    PointStates,
    named,
    slope_block,
)
from fecontact.contact.kernels.facets.blocks import leave
from fecontact.contact.kernels.facets.polynomials import (
    WORK,
    Face,
    Track,
    block_of,
    carried,
    fetch,
    named_face,
    named_track,
    positions_in,
)
from fecontact.contact.kernels.facets.projection import measure
from fecontact.contact.kernels.facets.search import FOUND
from fecontact.contact.kernels.facets.shapes import shape_functions
from fecontact.contact.kernels.facets.slopes import (
    CR,
    CT,
    FF,
    GT,
    HEIGHT,
    KT,
    LOCAL,
    NN,
    POSITION,
    SR,
    D,
    by_laws,
    slopes,
    turning,
)
from fecontact.contact.kernels.lanes import lanes, vector_at
from fecontact.contact.kernels.layout import BLOCK, GAP, P_GAP, P_RATE, SPEED, F, N, P, V, Y
from fecontact.contact.kernels.motion import (
    WIDTH,
    Points,
    SlaveMotion,
    StepStart,
    copy,
    copy_rows,
    deform_block,
    forth,
    relative_spin,
    see_positions,
    slide_block,
)
from fecontact.contact.kernels.point_slopes import slopes_by_normal_on_master, slopes_on_master
from fecontact.kernels.decorators import kernel
from fecontact.kernels.memory import take, take_integers, take_matrix
from fecontact.kernels.vectors import Three
from fecontact.typing import Floats, Integers

__all__ = ["GROUP", "facet_tangent_blocks", "facet_tangent_size", "pair_tangent_blocks"]

GROUP = 16
"""Blocks that share their sums."""
CHUNK = 32
"""Closed points whose rows are formed and multiplied at once: they fit the cache."""

B = BLOCK


class TangentJob(NamedTuple):
    """Length of the step, and groups of blocks from the first to before the last."""

    h: float
    first: int
    last: int


class FaceShapes(NamedTuple):
    """Nodes (f, k) of the facets, and shapes (n, 3, modes) of the nodes."""

    facets: Integers
    shapes: Floats


class TangentSums(NamedTuple):
    """Sums of the groups: of J^T dF and J^T D J (n, n), J^T F (n,), -F~ J (3, .) of the slave."""

    stiff: Floats
    damped: Floats
    loads: Floats
    turns: Floats


class Rows(NamedTuple):
    """Rows of closed points, three or two per point.

    J, dF by motion and D J (3, n), change of the local coordinates by motion (2, n), and -F . Phi_b
    (2, modes of the master).
    """

    J: Floats
    by_motion: Floats
    damped: Floats
    local: Floats
    pull: Floats


class Space(NamedTuple):
    """Rows of the points of a block, coefficients of their facets, and of the velocities there."""

    w: Floats
    c: Floats
    c_rate: Floats


@kernel(fastmath=True)
def _evaluate(
    contact: ContactPoints, face: Face, track: Track, motion: SlaveMotion, h: float, block: int,
    states: PointStates, space: Space,
) -> None:  # fmt: skip
    """Forces F of a block and the derivatives of its laws, in the frame of the master.

    The coefficients of the facets and of their velocities are left in the space.
    """
    (points, laws), (w, c, c_rate), frame = contact, space, motion.frame
    full, own = slice(block * B, block * B + B), slice(block * B, min(block * B + B, points.size))
    weights, gap = points.weights[full], points.gap[full]
    deform_block(points, block, motion.elastic, motion.rate, w)
    copy_rows(w, V, w[SPEED : SPEED + WIDTH])
    see_positions(frame, w)
    count = lanes(w)
    old, new = block_of(track.old, block, count), block_of(track.new, block, count)
    fetch(face, face.mesh.nodes, new.facet, c)
    fetch(face, face.rates, new.facet, c_rate)
    measure(c, new.local, new.state, w)
    copy(w[GAP : GAP + count], w[HEIGHT : HEIGHT + count])
    position = w[POSITION : POSITION + WIDTH]
    positions_in(c_rate, new.local, count, position)
    leave(frame, position, w)
    slide_block(frame, gap, w)
    carried(face, c, new.facet, old.facet, old.local, position)
    start = StepStart(position, old.normal, old.gap)
    slope_block(laws, h, frame, start, PointStates(states.z[own], states.status[own]), weights, w)
    slopes_on_master(weights, w)
    slopes_by_normal_on_master(weights, position, old.normal, w)


@kernel(fastmath=True)
def _sample(shapes: Floats, facet: Integers, N_: Floats, rows: int, out: Floats) -> None:
    """Phi of all modes at a position of a facet to the rows 0, 1, 2 of out; Phi_b follow."""
    out[: 3 * rows] = 0.0
    fours = len(facet) - len(facet) % 4
    for k in range(3):
        for a in range(0, fours, 4):
            x, y = shapes[facet[a], k], shapes[facet[a + 1], k]
            z, t = shapes[facet[a + 2], k], shapes[facet[a + 3], k]
            for b in range(rows):
                u, v, w, s = N_[b, a], N_[b, a + 1], N_[b, a + 2], N_[b, a + 3]
                to = out[3 * b + k]
                for j in range(len(to)):
                    to[j] += (u * x[j] + v * y[j]) + (w * z[j] + s * t[j])
        for a in range(fours, len(facet)):
            x = shapes[facet[a], k]
            for b in range(rows):
                to, u = out[3 * b + k], N_[b, a]
                for j in range(len(to)):
                    to[j] += u * x[j]


@kernel(fastmath=True)
def _slave_columns(
    points: Points, block: int, frame: Floats, closed: Integers, w: Floats, J: Floats
) -> None:
    """Columns 1, -Y~ and A Phi_s of J, three rows per closed point."""
    for p in range(len(closed)):
        x, y, z = vector_at(w, Y, closed[p])
        own = J[3 * p : 3 * p + 3]
        own[:, :6] = 0.0
        own[0, 0] = own[1, 1] = own[2, 2] = 1.0
        own[0, 4], own[0, 5], own[1, 5] = z, -y, x
        own[1, 3], own[2, 3], own[2, 4] = -z, y, -x
    for k in range(points.modes):
        at = (block * points.modes + k) * WIDTH
        shape = points.shapes[at : at + WIDTH]
        for p in range(len(closed)):
            x, y, z = vector_at(shape, 0, closed[p])
            for a in range(3):
                J[3 * p + a, 6 + k] = frame[3 * a] * x + frame[3 * a + 1] * y + frame[3 * a + 2] * z


@kernel(fastmath=True)
def _rows(m: Floats, spin: Three, speed: Three, out: Floats, rows: Rows) -> None:
    """Rows of one point, in which the columns of J of the slave are there."""
    J, R, DJ, X, L = rows
    own = J.shape[1] - L.shape[1]
    tau, anchor = out[12:14], out[9:12]
    for b in range(2):
        phi, f, n = out[3 + 3 * b : 6 + 3 * b], m[FF : FF + 3], m[NN : NN + 3]
        _combine(0.0, n[0], n[1], n[2], phi, tau[b])
        _combine(0.0, -f[0], -f[1], -f[2], phi, L[b])
    for a in range(3):
        _combine(0.0, -1.0 if a == 0 else 0.0, -1.0 if a == 1 else 0.0, -1.0 if a == 2 else 0.0,
                 out, J[a, own:])  # fmt: skip
    for a in range(3):
        d, r, k = m[D + 3 * a : D + 3 * a + 3], m[CR + 3 * a :], m[KT + 3 * a :]
        c0 = r[0] + k[0] + (d[1] * spin[2] - d[2] * spin[1])
        c1 = r[1] + k[1] + (d[2] * spin[0] - d[0] * spin[2])
        c2 = r[2] + k[2] + (d[0] * spin[1] - d[1] * spin[0])
        _combine(0.0, c0, c1, c2, J[:, :own], R[a, :own])
        R[a, 3] -= d[1] * speed[2] - d[2] * speed[1]
        R[a, 4] -= d[2] * speed[0] - d[0] * speed[2]
        R[a, 5] -= d[0] * speed[1] - d[1] * speed[0]
        _combine(0.0, -r[0], -r[1], -r[2], out, R[a, own:])
        _combine(1.0, -k[0], -k[1], -k[2], anchor, R[a, own:])
        _add_two(m[CT + 2 * a], m[CT + 2 * a + 1], tau, R[a, own:])
        _combine(0.0, d[0], d[1], d[2], J, DJ[a])
    for b in range(2):
        _combine(0.0, m[SR + 3 * b], m[SR + 3 * b + 1], m[SR + 3 * b + 2], J, X[b])
        _add_two(m[GT + 2 * b], m[GT + 2 * b + 1], tau, X[b, own:])


@kernel(fastmath=True)
def _combine(keep: float, a: float, b: float, c: float, rows: Floats, result: Floats) -> None:
    """Three rows, each times its factor, and `keep` (0 or 1) times what is there."""
    x, y, z = rows[0], rows[1], rows[2]
    if keep == 0.0:
        for j in range(len(result)):
            result[j] = a * x[j] + b * y[j] + c * z[j]
    else:
        for j in range(len(result)):
            result[j] += a * x[j] + b * y[j] + c * z[j]


@kernel(fastmath=True)
def _add_two(a: float, b: float, rows: Floats, result: Floats) -> None:
    """Add two rows, each times its factor."""
    x, y = rows[0], rows[1]
    for j in range(len(result)):
        result[j] += a * x[j] + b * y[j]


@kernel(fastmath=True)
def _loads(closed: Integers, w: Floats, J: Floats, load: Floats, turn: Floats) -> None:
    """Add J^T F of closed points to `load` (n,), -F~ J to `turn` (3, columns of the slave)."""
    own = turn.shape[1]
    for p in range(len(closed)):
        f0, f1, f2 = vector_at(w, F, closed[p])
        rows = J[3 * p : 3 * p + 3]
        _combine(1.0, f0, f1, f2, rows, load)
        _combine(1.0, 0.0, f2, -f1, rows[:, :own], turn[0])
        _combine(1.0, -f2, 0.0, f0, rows[:, :own], turn[1])
        _combine(1.0, f1, -f0, 0.0, rows[:, :own], turn[2])


@kernel(fastmath=True)
def _closed(size: int, w: Floats, numbers: Integers) -> int:
    """Find the points of a block that carry or begin to."""
    count = 0
    for i in range(size):
        if w[P + i] != 0.0 or w[P_GAP + i] != 0.0 or w[P_RATE + i] != 0.0:
            numbers[count] = i
            count += 1
    return count


@kernel(fastmath=True, allocates=True)
def _fill(
    face: FaceShapes, weights: Floats, track: Track, frame: Floats, closed: Integers, space: Space,
    rows: Rows,
) -> bool:  # fmt: skip
    """Rows of the closed points of a block; whether their forces know velocities."""
    (facets, shapes), (old, new), (w, c, c_rate) = face, track, space
    modes, count, spin = rows.pull.shape[1], facets.shape[1], forth(frame, relative_spin(frame))
    m, out = np.empty(LOCAL), np.empty((14, modes))
    t, w_b, N_, damped = np.empty((5, 3)), np.empty((5, 3)), np.empty((6, count)), False
    for p in range(len(closed)):
        i = closed[p]
        m[NN], m[NN + 1], m[NN + 2] = vector_at(w, N, i)
        m[FF], m[FF + 1], m[FF + 2] = vector_at(w, F, i)
        by_laws(weights[i], w, i, m)
        for k in range(9):
            damped |= m[D + k] != 0.0
        slopes(c, new.local, i, t)
        slopes(c_rate, new.local, i, w_b)
        height = w[HEIGHT + i] if new.state[i] == FOUND else 0.0
        turning(height, t, w_b, w, i, m)
        shape_functions(count, new.local[i], new.local[B + i], N_)
        _sample(shapes, facets[new.facet[i]], N_, 3, out)
        shape_functions(count, old.local[i], old.local[B + i], N_)
        _sample(shapes, facets[old.facet[i]], N_, 1, out[9:])
        speed = forth(frame, vector_at(w, SPEED, i))
        _rows(m, spin, speed, out, _rows_of(rows, p, 1))
    return damped


@kernel(fastmath=True)
def _rows_of(rows: Rows, first: int, count: int) -> Rows:
    """Rows of as many points, from the first on."""
    three_each = slice(3 * first, 3 * first + 3 * count)
    two_each = slice(2 * first, 2 * first + 2 * count)
    return Rows(
        rows.J[three_each], rows.by_motion[three_each], rows.damped[three_each],
        rows.local[two_each], rows.pull[two_each],
    )  # fmt: skip


@kernel(fastmath=True)
def _rows_in(work: Floats, n: int, modes: int) -> tuple[Rows, Floats]:
    """Rows of CHUNK points, and the memory behind them."""
    J, work = take_matrix(work, 3 * CHUNK, n)
    by_motion, work = take_matrix(work, 3 * CHUNK, n)
    damped, work = take_matrix(work, 3 * CHUNK, n)
    local, work = take_matrix(work, 2 * CHUNK, n)
    pull, work = take_matrix(work, 2 * CHUNK, modes)
    return Rows(J, by_motion, damped, local, pull), work


@kernel(fastmath=True, allocates=True)
def _add_products(rows: Rows, moves: bool, group: int, part: Floats, sums: TangentSums) -> None:
    """Add the products of rows to the sums of a group; `part` (n, n) is working space."""
    n, modes = part.shape[0], rows.pull.shape[1]
    np.dot(rows.J.T, rows.by_motion, part)
    sums.stiff[group] += part
    np.dot(rows.pull.T, rows.local, part[:modes])
    sums.stiff[group, n - modes :] += part[:modes]
    if moves:
        np.dot(rows.J.T, rows.damped, part)
        sums.damped[group] += part


@kernel(fastmath=True)
def facet_tangent_blocks(
    contact: ContactPoints, face: tuple[Face, Floats], track: Track, motion: SlaveMotion,
    job: TangentJob, states: PointStates, sums: TangentSums, work: Floats,
) -> bool:  # fmt: skip
    """Tangents of groups of blocks, with their sums.

    Motions are (rho, theta, e_s, e). `face` goes with the shapes of its nodes. The states stay.
    Returns True. `work` is working space (`facet_tangent_size`).
    """
    points, blocks = contact.points, len(contact.points.weights) // B
    numbers, work = take_integers(work, B)
    c, work = take(work, WORK)
    c_rate, work = take(work, WORK)
    rows, work = _rows_in(work, sums.stiff.shape[1], face[1].shape[2])
    part, w = take_matrix(work, sums.stiff.shape[1], sums.stiff.shape[1])
    space, shapes = Space(w, c, c_rate), FaceShapes(face[0].mesh.facets, face[1])
    for group in range(job.first, job.last):
        sums.stiff[group], sums.damped[group] = 0.0, 0.0
        sums.loads[group], sums.turns[group] = 0.0, 0.0
        for block in range(group * GROUP, min(group * GROUP + GROUP, blocks)):
            _evaluate(contact, face[0], track, motion, job.h, block, states, space)
            total = _closed(min(B, points.size - block * B), w, numbers)
            of_block = Track(block_of(track.old, block, B), block_of(track.new, block, B))
            weights = points.weights[block * B : block * B + B]
            for begin in range(0, total, CHUNK):
                closed = numbers[begin : min(begin + CHUNK, total)]
                own = _rows_of(rows, 0, len(closed))
                _slave_columns(points, block, motion.frame, closed, w, own.J)
                moves = _fill(shapes, weights, of_block, motion.frame, closed, space, own)
                _loads(closed, w, own.J, sums.loads[group], sums.turns[group])
                _add_products(own, moves, group, part, sums)
    return True


def facet_tangent_size(n: int, modes: int, laws: Laws) -> int:
    """Length of the working space of `facet_tangent_blocks`, for n motions, `modes` of the master.

    Points that carry, facets, rows of the points, sums, block.
    """
    return B + 2 * WORK + (11 * n + 2 * modes) * CHUNK + n * n + laws.working_size


@kernel(fastmath=True)
def pair_tangent_blocks(
    contact: tuple[Any, Any], face: tuple[Any, Floats], track: tuple[Any, Any],
    motion: tuple[Any, ...], job: tuple[float, int, int], states: tuple[Any, ...],
    sums: tuple[Any, ...], work: Floats,
) -> bool:  # fmt: skip
    """`facet_tangent_blocks` for Python, which hands plain tuples over faster than named ones."""
    return facet_tangent_blocks(
        named(contact), (named_face(face[0]), face[1]), named_track(track), SlaveMotion(*motion),
        TangentJob(*job), PointStates(*states), TangentSums(*sums), work,
    )  # fmt: skip
