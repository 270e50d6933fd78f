"""Compiled consistent tangents of all points of a contact with a rigid surface.

In the frame of the master the force of a point depends on its position Y and relative velocity W
alone: anchor, old normal and old slip rest there. With n' = dn/dY, the laws give

    g = n,   s = W - g' n,   z_tr = Q z_n + (1 - n n^T)(Y - anchor)
    dF/dY, dF/dW = A (n dp + p dn + T_p dp + T_s ds + T_z dz_tr)        (3, 3) per point,

which are turned to the frame of the slave. There a point moves by J = (1, -X~, Phi), and

    sum J^T (C J),   C = dF/dY + dF/dW r~   and   sum J^T (D J),   D = dF/dW

are products of BLAS over the closed points of a block; r is the angular velocity of the slave
relative to the master. Every group of blocks has its own sums, added in their order.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fecontact.contact.kernels.block_laws import (
    ContactPoints,
    Laws,
    PointStates,
    named,
    slope_block,
)
from fecontact.contact.kernels.lanes import lanes
from fecontact.contact.kernels.layout import (
    BEND,
    BLOCK,
    P_GAP,
    P_RATE,
    SPEED,
    F,
    P,
    V,
    X,
)
from fecontact.contact.kernels.motion import (
    WIDTH,
    Points,
    SlaveMotion,
    StepStart,
    copy_rows,
    deform_block,
    relative_spin,
    see_positions,
    slide_block,
    start_of,
    turn_back,
)
from fecontact.contact.kernels.point_slopes import (
    D,
    E,
    K,
    M,
    slopes_by_normal_on_master,
    slopes_by_normal_on_slave,
    slopes_on_master,
    slopes_on_slave,
)
from fecontact.contact.kernels.shapes import SPHERE, curvature, distance
from fecontact.kernels.arrays import after, integers, matrix, part
from fecontact.kernels.calls import inlined
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["EXTRA", "GROUP", "add_tangents", "bent_blocks", "block_at", "pair_tangent_blocks",
           "tangent_blocks", "tangent_size"]  # fmt: skip

GROUP = 16
"""Blocks that share their sums."""
EXTRA = 7
"""Columns of the sums beside those of the tangents: J^T F~, J^T D V~, J^T F."""

B = BLOCK


@kernel(fastmath=True)
def _evaluate(
    contact: ContactPoints, block: int, motion: SlaveMotion, h: float, start: StepStart,
    states: PointStates, w: Floats,
) -> bool:  # fmt: skip
    """Forces F of a block and the derivatives K, D in the frame of the master."""
    points, laws, frame, first = contact.points, contact.laws, motion.frame, block * B
    weights, begin = part(points.weights, first, B), start_of(start, block)
    own = slice(first, min(first + B, points.size))
    deform_block(points, block, motion.elastic, motion.rate, w)
    copy_rows(w, V, part(w, SPEED, WIDTH))
    see_positions(frame, w)
    if not distance(laws.shape, laws.shape_par, w):
        return False
    slide_block(frame, part(points.gap, first, B), w)
    of_block = PointStates(states.z[own], states.status[own])
    slope_block(laws, h, frame, begin, of_block, weights, w)
    if laws.moves_with_slave:
        slopes_on_slave(h, weights, w)
    else:
        slopes_on_master(weights, w)
    if laws.shape >= SPHERE:
        curvature(laws.shape, laws.shape_par, w)
        if laws.moves_with_slave:
            slopes_by_normal_on_slave(weights, w)
        else:
            slopes_by_normal_on_master(weights, begin.anchor, begin.normal, w)
        bent_blocks(w)
    return True


@kernel(fastmath=True)
def bent_blocks(w: Floats) -> None:
    """Add what the turning of the normal does: M n'."""
    for row in range(3):
        k0, m0 = after(w, K + 3 * row * B), after(w, M + 3 * row * B)
        for i in range(lanes(w)):
            a, b, c = m0[i], m0[B + i], m0[2 * B + i]
            xx, xy, xz = w[BEND + i], w[BEND + B + i], w[BEND + 2 * B + i]
            yy, yz, zz = w[BEND + 3 * B + i], w[BEND + 4 * B + i], w[BEND + 5 * B + i]
            k0[i] += a * xx + b * xy + c * xz
            k0[B + i] += a * xy + b * yy + c * yz
            k0[2 * B + i] += a * xz + b * yz + c * zz


@kernel(fastmath=True)
def _turn_blocks(moves_with_slave: bool, frame: Floats, w: Floats) -> None:
    """K, D and E to the frame of the slave, A^T K A, with K + D r~; F as well."""
    count, (r0, r1, r2) = lanes(w), relative_spin(frame)
    for at in (K, D, E):
        if at == E and not moves_with_slave:
            continue
        for row in range(3):  # row of K A
            turn_back(frame, count, after(w, at + 3 * row * B))
        for column in range(3):
            _turn_apart(frame, count, part(w, at + column * B, 7 * B))
    turn_back(frame, count, part(w, F, 3 * B))
    for row in range(3):
        k, d = after(w, K + 3 * row * B), after(w, D + 3 * row * B)
        for i in range(count):
            x, y, z = d[i], d[B + i], d[2 * B + i]
            k[i] += y * r2 - z * r1
            k[B + i] += z * r0 - x * r2
            k[2 * B + i] += x * r1 - y * r0


@inlined
def _turn_apart(frame: Floats, count: int, v: Floats) -> None:
    """`turn_back` of vectors whose components are three rows apart."""
    a, b, c = frame[0], frame[1], frame[2]
    d, e, f = frame[3], frame[4], frame[5]
    g, h, k = frame[6], frame[7], frame[8]
    for i in range(count):
        x, y, z = v[i], v[3 * B + i], v[6 * B + i]
        v[i] = a * x + d * y + g * z
        v[3 * B + i] = b * x + e * y + h * z
        v[6 * B + i] = c * x + f * y + k * z


@kernel(fastmath=True)
def _pack(moves_with_slave: bool, w: Floats, closed: Integers, left: Floats) -> None:
    """Move the closed points of all rows of w to the front; J = (1, -X~) of them to `left`."""
    count = len(closed)
    if closed[count - 1] >= count:
        for row in (F, X, SPEED, K, K + 3 * B, K + 6 * B, D, D + 3 * B, D + 6 * B):
            for k in range(3):
                _front(part(w, row + k * B, B), closed)
        for k in range(9 if moves_with_slave else 0):
            _front(part(w, E + k * B, B), closed)
    for k in range(6):
        for i in range(3 * count):
            left[k, i] = 0.0
    for i in range(count):
        x, y, z = w[X + i], w[X + B + i], w[X + 2 * B + i]
        left[0, i] = left[1, count + i] = left[2, 2 * count + i] = 1.0
        left[3, count + i], left[3, 2 * count + i] = -z, y
        left[4, i], left[4, 2 * count + i] = z, -x
        left[5, i], left[5, count + i] = -y, x


@kernel(fastmath=True)
def _front(row: Floats, closed: Integers) -> None:
    for i in range(len(closed)):
        row[i] = row[closed[i]]


@kernel(fastmath=True)
def _shapes(points: Points, block: int, closed: Integers, left: Floats) -> None:
    """Phi of the closed points of a block, one row of `left` per mode."""
    count = len(closed)
    for k in range(points.modes):
        at = (block * points.modes + k) * WIDTH
        shape, to = part(points.shapes, at, WIDTH), left[6 + k]
        if count == B:
            for i in range(WIDTH):
                to[i] = shape[i]
        else:
            for a in range(3):
                for i in range(count):
                    to[a * count + i] = shape[a * B + closed[i]]


@kernel(fastmath=True)
def _times(at: int, w: Floats, left: Floats, right: Floats) -> None:
    """Rows C J of `right` from the rows J of `left`, with the blocks C at `at`."""
    count = left.shape[1] // 3
    for k in range(len(left)):
        x, y, z = left[k, :count], left[k, count : 2 * count], left[k, 2 * count :]
        for a in range(3):
            c, to = after(w, at + 3 * a * B), right[k, a * count : (a + 1) * count]
            for i in range(count):
                to[i] = c[i] * x[i] + c[B + i] * y[i] + c[2 * B + i] * z[i]


@kernel(fastmath=True)
def _loads(w: Floats, right: Floats) -> None:
    """Rows F~, D V~ and F of `right`."""
    count = right.shape[1] // 3
    right[:3] = 0.0
    for i in range(count):
        x, y, z = w[F + i], w[F + B + i], w[F + 2 * B + i]
        right[0, count + i], right[0, 2 * count + i] = z, -y
        right[1, i], right[1, 2 * count + i] = -z, x
        right[2, i], right[2, count + i] = y, -x
        right[6, i], right[6, count + i], right[6, 2 * count + i] = x, y, z
    for a in range(3):
        d = D + 3 * a * B
        for i in range(count):
            x, y, z = w[d + i], w[d + B + i], w[d + 2 * B + i]
            u, v, t = w[SPEED + i], w[SPEED + B + i], w[SPEED + 2 * B + i]
            right[3, a * count + i] = y * t - z * v
            right[4, a * count + i] = z * u - x * t
            right[5, a * count + i] = x * v - y * u


@kernel(fastmath=True)
def _rotated(w: Floats, right: Floats) -> None:
    """Subtract E from the rows D V~ of `right`: both go with the relative rotation."""
    count = right.shape[1] // 3
    for a in range(3):
        e = E + 3 * a * B
        for i in range(count):
            right[3, a * count + i] -= w[e + i]
            right[4, a * count + i] -= w[e + B + i]
            right[5, a * count + i] -= w[e + 2 * B + i]


@kernel(fastmath=True)
def _closed(size: int, w: Floats, numbers: Integers) -> tuple[int, bool]:
    """Find the points of a block that carry or begin to; whether their forces know velocities."""
    count, damped = 0, False
    for i in range(size):
        if w[P + i] != 0.0 or w[P_GAP + i] != 0.0 or w[P_RATE + i] != 0.0:
            numbers[count] = i
            count += 1
            for k in range(0 if damped else 9):
                damped |= w[D + k * B + i] != 0.0
    return count, damped


@kernel(fastmath=True)
def block_at(points: Points) -> int:
    """Where the working array of a block begins, behind what `add_tangents` needs."""
    n = 6 + points.modes
    return B + (2 * n + EXTRA) * WIDTH + n * (n + EXTRA)


@kernel(fastmath=True)
def add_tangents(
    points: Points, moves_with_slave: bool, block: int, frame: Floats, work: Floats, w: Floats,
    total: Floats,
) -> None:  # fmt: skip
    """Add to the sums those of the derivatives K and D of a block, in the frame of the master."""
    n = 6 + points.modes
    middle, end = B + n * WIDTH, B + (2 * n + EXTRA) * WIDTH
    numbers, left = integers(work, 0, B), part(work, B, middle - B)
    right = part(work, middle, end - middle)
    product = part(work, end, n * (n + EXTRA))
    count, damped = _closed(min(B, points.size - block * B), w, numbers)
    if count == 0:
        return
    _turn_blocks(moves_with_slave, frame, w)
    width = 3 * count
    J = matrix(left, 0, n, width)
    CJ = matrix(right, 0, n + EXTRA, width)
    _pack(moves_with_slave, w, numbers[:count], J)
    _shapes(points, block, numbers[:count], J)
    _times(K, w, J, CJ[:n])
    _loads(w, CJ[n:])
    if moves_with_slave:
        _rotated(w, CJ[n:])
    result = matrix(product, 0, n, n + EXTRA)
    _multiply(J, CJ, result)
    _add_columns(result, 0, total)
    if damped:
        DJ, result = CJ[:n], matrix(product, 0, n, n)
        _times(D, w, J, DJ)
        _multiply(J, DJ, result)
        _add_columns(result, n + EXTRA, total)


@kernel(fastmath=True, allocates=True, shared=True)
def _multiply(left: Floats, right: Floats, result: Floats) -> None:
    """Product of a matrix with the transpose of another, by BLAS."""
    np.dot(left, right.T, result)


@inlined
def _add_columns(columns: Floats, first: int, total: Floats) -> None:
    """Add to the columns of the sums from the first on."""
    for i in range(len(columns)):
        for j in range(columns.shape[1]):
            total[i, first + j] += columns[i, j]


@kernel(fastmath=True, shared=True)
def tangent_blocks(
    contact: ContactPoints, motion: SlaveMotion, h: float, start: StepStart, states: PointStates,
    groups: tuple[int, int], sums: Floats, work: Floats,
) -> bool:  # fmt: skip
    """Tangents of the groups from the first to before the last, with their sums.

    Sums (groups, 6 + m, 2 (6 + m) + 7): J^T C J, J^T F~, J^T D V~, J^T F, J^T D J. The states stay.
    Returns False if a point has no normal. `work` is working space (`tangent_size`).
    """
    points, turns = contact.points, contact.laws.moves_with_slave
    blocks, w = len(points.weights) // B, after(work, block_at(points))
    for group in range(groups[0], groups[1]):
        total = sums[group]
        total[:] = 0.0
        for block in range(group * GROUP, min(group * GROUP + GROUP, blocks)):
            if not _evaluate(contact, block, motion, h, start, states, w):
                return False
            add_tangents(points, turns, block, motion.frame, work, w, total)
    return True


def tangent_size(points: Points, laws: Laws) -> int:
    """Length of the working space of `tangent_blocks`: points that carry, J, C J, sums, block."""
    n = 6 + points.modes
    return B + (2 * n + EXTRA) * WIDTH + n * (n + EXTRA) + laws.working_size


@kernel(fastmath=True)
def pair_tangent_blocks(
    contact: tuple[Any, Any], motion: tuple[Any, ...], h: float, start: tuple[Any, ...],
    states: tuple[Any, ...], groups: tuple[int, int], sums: Floats, work: Floats,
) -> bool:  # fmt: skip
    """`tangent_blocks` for Python, which hands plain tuples over faster than named ones."""
    return tangent_blocks(
        named(contact), SlaveMotion(*motion), h, StepStart(*start), PointStates(*states), groups,
        sums, work,
    )  # fmt: skip
