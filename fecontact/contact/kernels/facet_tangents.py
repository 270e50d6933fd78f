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

from typing import Any

import numpy as np

from fecontact.contact.kernels.block_laws import Laws, slope_block
from fecontact.contact.kernels.facet_blocks import leave
from fecontact.contact.kernels.facet_polynomials import (
    WORK,
    Face,
    PointsOnFacets,
    carried,
    fetch,
    positions_in,
)
from fecontact.contact.kernels.facet_projection import measure
from fecontact.contact.kernels.facet_shapes import shape_functions
from fecontact.contact.kernels.facet_slopes import (
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
    three,
    turning,
)
from fecontact.contact.kernels.facets import FOUND
from fecontact.contact.kernels.lanes import lanes
from fecontact.contact.kernels.layout import BLOCK, GAP, P_GAP, P_RATE, SPEED, F, N, P, V, Y
from fecontact.contact.kernels.motion import (
    WIDTH,
    Points,
    copy,
    copy_rows,
    deform_block,
    see_positions,
    slide_block,
)
from fecontact.contact.kernels.point_slopes import slopes_by_normal_on_master, slopes_on_master
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["GROUP", "facet_tangent_blocks", "facet_tangent_size", "pair_tangent_blocks"]

GROUP = 16
"""Blocks that share their sums."""
CHUNK = 32
"""Closed points whose rows are formed and multiplied at once: they fit the cache."""

B = BLOCK


@kernel(fastmath=True)
def _evaluate(
    points: Points, laws: Laws, face: Face, block: int, elastic: Floats, rate: Floats,
    frame: Floats, h: float, old: PointsOnFacets, new: PointsOnFacets, z: Floats,
    status: Integers,
    w: Floats, c: Floats, c_rate: Floats,
) -> None:  # fmt: skip
    """Forces F of a block and the derivatives of its laws, in the frame of the master.

    The coefficients of the facets and of their velocities are left in `c` and `c_rate`.
    """
    first = block * B
    full, wide = slice(first, first + B), slice(3 * first, 3 * first + WIDTH)
    local, before = (
        new.local[2 * first : 2 * first + 2 * B],
        old.local[2 * first : 2 * first + 2 * B],
    )
    deform_block(points, block, elastic, rate, w)
    copy_rows(w, V, w[SPEED : SPEED + WIDTH])
    see_positions(frame, w)
    count = lanes(w)
    facet, old_facet = new.facet[first : first + count], old.facet[first : first + count]
    fetch(face, face.nodes, facet, c)
    fetch(face, face.rates, facet, c_rate)
    measure(c, local, new.state[full], w)
    copy(w[GAP : GAP + count], w[HEIGHT : HEIGHT + count])
    positions_in(c_rate, local, count, w[POSITION : POSITION + WIDTH])
    leave(frame, w[POSITION : POSITION + WIDTH], w)
    slide_block(frame, points.gap[full], w)
    carried(face, c, facet, old_facet, before, w[POSITION : POSITION + WIDTH])
    slope_block(
        laws, h, frame, w[POSITION : POSITION + WIDTH], old.normal[wide], old.gap[full], z, status,
        points.weights[full], w,
    )  # fmt: skip
    slopes_on_master(points.weights[full], w)
    slopes_by_normal_on_master(
        points.weights[full], w[POSITION : POSITION + WIDTH], old.normal[wide], w
    )


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
        x, y, z = three(w, Y, closed[p])
        own = J[3 * p : 3 * p + 3]
        own[:, :6] = 0.0
        own[0, 0] = own[1, 1] = own[2, 2] = 1.0
        own[0, 4], own[0, 5], own[1, 5] = z, -y, x
        own[1, 3], own[2, 3], own[2, 4] = -z, y, -x
    for k in range(points.modes):
        at = (block * points.modes + k) * WIDTH
        shape = points.shapes[at : at + WIDTH]
        for p in range(len(closed)):
            x, y, z = three(shape, 0, closed[p])
            for a in range(3):
                J[3 * p + a, 6 + k] = frame[3 * a] * x + frame[3 * a + 1] * y + frame[3 * a + 2] * z


@kernel(fastmath=True)
def _rows(
    m: Floats, spin: Floats, speed: tuple[float, float, float], out: Floats,
    J: Floats, R: Floats, DJ: Floats, X: Floats, L: Floats,
) -> None:  # fmt: skip
    """Rows of one point: J of the master, dF by motion, D J, dxi, and -F . Phi_b."""
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
def _loads(m: Floats, J: Floats, load: Floats, turn: Floats) -> None:
    """Add J^T F of a point to `load` (n,), and -F~ J to `turn` (3, columns of the slave)."""
    f0, f1, f2 = m[FF], m[FF + 1], m[FF + 2]
    own = turn.shape[1]
    _combine(1.0, f0, f1, f2, J, load)
    _combine(1.0, 0.0, f2, -f1, J[:, :own], turn[0])
    _combine(1.0, -f2, 0.0, f0, J[:, :own], turn[1])
    _combine(1.0, f1, -f0, 0.0, J[:, :own], turn[2])


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
    face: Face, shapes: Floats, weights: Floats, old: PointsOnFacets, new: PointsOnFacets,
    block: int, frame: Floats,
    spin: Floats, closed: Integers, w: Floats, c: Floats, c_rate: Floats,
    J: Floats, R: Floats, DJ: Floats, X: Floats, L: Floats, load: Floats, turn: Floats,
) -> bool:  # fmt: skip
    """Rows of the closed points of a block; whether their forces know velocities."""
    first, modes, count = block * B, L.shape[1], face.facets.shape[1]
    local = new.local[2 * first : 2 * first + 2 * B]
    before = old.local[2 * first : 2 * first + 2 * B]
    m, out = np.empty(LOCAL), np.empty((14, modes))
    t, w_b, N_, damped = np.empty((5, 3)), np.empty((5, 3)), np.empty((6, count)), False
    for p in range(len(closed)):
        i = closed[p]
        m[NN], m[NN + 1], m[NN + 2] = three(w, N, i)
        m[FF], m[FF + 1], m[FF + 2] = three(w, F, i)
        by_laws(weights[i], w, i, m)
        for k in range(9):
            damped |= m[D + k] != 0.0
        slopes(c, local, i, t)
        slopes(c_rate, local, i, w_b)
        height = w[HEIGHT + i] if new.state[first + i] == FOUND else 0.0
        turning(height, t, w_b, w, i, m)
        shape_functions(count, local[i], local[B + i], N_)
        _sample(shapes, face.facets[new.facet[first + i]], N_, 3, out)
        shape_functions(count, before[i], before[B + i], N_)
        _sample(shapes, face.facets[old.facet[first + i]], N_, 1, out[9:])
        x, y, z = three(w, SPEED, i)
        speed = (
            frame[0] * x + frame[1] * y + frame[2] * z,
            frame[3] * x + frame[4] * y + frame[5] * z,
            frame[6] * x + frame[7] * y + frame[8] * z,
        )
        own, two = slice(3 * p, 3 * p + 3), slice(2 * p, 2 * p + 2)
        _rows(m, spin, speed, out, J[own], R[own], DJ[own], X[two], L[two])
        _loads(m, J[own], load, turn)
    return damped


@kernel(fastmath=True, allocates=True)
def facet_tangent_blocks(
    points: Points, laws: Laws, face: Face, shapes: Floats, elastic: Floats, rate: Floats,
    frame: Floats, spin: Floats, h: float, old: PointsOnFacets, new: PointsOnFacets, z: Floats,
    status: Integers,
    stiff: Floats, damped: Floats, loads: Floats, turns: Floats,
    first: int, last: int, work: Floats,
) -> bool:  # fmt: skip
    """Tangents of the groups of blocks from `first` to before `last`, with their sums.

    Motions are (rho, theta, e_s, e); `spin` is the angular velocity of the slave relative to the
    master. Sums (groups, ...): of J^T dF and J^T D J (n, n), of J^T F (n,) and of -F~ J (3, .) of
    the slave's columns. z and status stay. Returns True. `work` is working space
    (`facet_tangent_size`).
    """
    modes, n, blocks = shapes.shape[2], stiff.shape[1], len(points.weights) // B
    numbers, c, c_rate = work[:B].view(np.int64), work[B : B + WORK], work[B + WORK : B + 2 * WORK]
    begin = B + 2 * WORK
    middle = begin + 11 * CHUNK * n
    end = middle + 2 * CHUNK * modes
    rows, L = work[begin:middle].reshape(-1, n), work[middle:end].reshape(2 * CHUNK, modes)
    J, R, DJ = rows[: 3 * CHUNK], rows[3 * CHUNK : 6 * CHUNK], rows[6 * CHUNK : 9 * CHUNK]
    X, part, w = rows[9 * CHUNK :], work[end : end + n * n].reshape(n, n), work[end + n * n :]
    for group in range(first, last):
        stiff[group], damped[group], loads[group], turns[group] = 0.0, 0.0, 0.0, 0.0
        for block in range(group * GROUP, min(group * GROUP + GROUP, blocks)):
            own = slice(block * B, min(block * B + B, points.size))
            full = slice(block * B, block * B + B)
            _evaluate(points, laws, face, block, elastic, rate, frame, h, old, new,
                      z[own], status[own], w, c, c_rate)  # fmt: skip
            total = _closed(own.stop - own.start, w, numbers)
            for begin in range(0, total, CHUNK):
                closed = numbers[begin : min(begin + CHUNK, total)]
                own_rows, two = 3 * len(closed), 2 * len(closed)
                _slave_columns(points, block, frame, closed, w, J)
                moves = _fill(
                    face, shapes, points.weights[full], old, new, block, frame, spin, closed,
                    w, c, c_rate, J, R, DJ, X, L, loads[group], turns[group],
                )  # fmt: skip
                np.dot(J[:own_rows].T, R[:own_rows], part)
                stiff[group] += part
                np.dot(L[:two].T, X[:two], part[:modes])
                stiff[group, n - modes :] += part[:modes]
                if moves:
                    np.dot(J[:own_rows].T, DJ[:own_rows], part)
                    damped[group] += part
    return True


def facet_tangent_size(n: int, modes: int, laws: Laws) -> int:
    """Length of the working space of `facet_tangent_blocks`, for n motions, `modes` of the master.

    Points that carry, facets, rows of the points, sums, block.
    """
    return B + 2 * WORK + (11 * n + 2 * modes) * CHUNK + n * n + laws.working_size


@kernel(fastmath=True, allocates=True)
def pair_tangent_blocks(
    points: tuple[Any, ...], laws: tuple[Any, ...], face: tuple[Any, ...], shapes: Floats,
    elastic: Floats, rate: Floats, frame: Floats, spin: Floats, h: float, old: tuple[Any, ...],
    new: tuple[Any, ...], z: Floats, status: Integers, stiff: Floats, damped: Floats, loads: Floats,
    turns: Floats, first: int, last: int, work: Floats,
) -> bool:  # fmt: skip
    """`facet_tangent_blocks` for Python, which hands plain tuples over faster than named ones."""
    return facet_tangent_blocks(
        Points(*points), Laws(*laws), Face(*face), shapes, elastic, rate, frame, spin, h,
        PointsOnFacets(*old), PointsOnFacets(*new), z, status, stiff, damped, loads, turns,
        first, last, work,
    )  # fmt: skip
