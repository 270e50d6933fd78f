"""Compiled consistent tangents of all points of a contact with a rigid surface.

In the frame of the master the force of a point depends on its place Y and relative velocity W
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

from fecontact.contact.kernels.block_laws import Laws, slope_block
from fecontact.contact.kernels.lanes import lanes
from fecontact.contact.kernels.layout import (
    BEND,
    BLOCK,
    GAP_RATE,
    OLD,
    P_GAP,
    P_RATE,
    SPEED,
    T_P,
    T_S,
    T_X,
    T_Z,
    F,
    N,
    P,
    U,
    V,
    X,
    Y,
)
from fecontact.contact.kernels.motion import (
    WIDTH,
    Points,
    copy_rows,
    deform_block,
    see_positions,
    slide_block,
    turn_back,
)
from fecontact.contact.kernels.shapes import SPHERE, curvature, distance
from fecontact.contact.kernels.slave_slopes import (
    IDENTITY,
    D,
    E,
    K,
    M,
    slopes_by_normal,
    slopes_on_slave,
)
from fecontact.contact.kernels.slip import turn_divisor
from fecontact.kernels.arrays import after, integers, matrix, part
from fecontact.kernels.calls import inlined
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["EXTRA", "GROUP", "pair_tangent_blocks", "tangent_blocks", "tangent_size"]

GROUP = 16
"""Blocks that share their sums."""
EXTRA = 7
"""Columns of the sums beside those of the tangents: J^T F~, J^T D V~, J^T F."""

B = BLOCK


@kernel(fastmath=True)
def _evaluate(
    points: Points, laws: Laws, block: int, elastic: Floats, rate: Floats, frame: Floats, h: float,
    anchor: Floats, old: Floats, before: Floats, z: Floats, status: Integers, w: Floats,
) -> bool:  # fmt: skip
    """Forces F of a block and the derivatives K, D in the frame of the master."""
    first = block * B
    weights = part(points.weights, first, B)
    deform_block(points, block, elastic, rate, w)
    copy_rows(w, V, part(w, SPEED, WIDTH))
    see_positions(frame, w)
    if not distance(laws.shape, laws.shape_par, w):
        return False
    slide_block(frame, part(points.gap, first, B), w)
    slope_block(laws, h, frame, anchor, old, before, z, status, weights, w)
    if laws.moves_with_slave:
        slopes_on_slave(h, weights, w)
    else:
        _flat_blocks(weights, w)
    if laws.shape >= SPHERE:
        curvature(laws.shape, laws.shape_par, w)
        if laws.moves_with_slave:
            slopes_by_normal(weights, w)
            _bent_blocks(w)
        else:
            _curved_blocks(weights, anchor, old, w)
    return True


@kernel(fastmath=True)
def _bent_blocks(w: Floats) -> None:
    """Add what the turning of the normal does to bristles that move with the slave: M n'."""
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
def _flat_blocks(weights: Floats, w: Floats) -> None:
    """Derivatives at a fixed normal: A ((n + T_p) p_g n^T + T_z (1 - n n^T)), likewise by W."""
    for row in range(3):
        n_row, of_row = after(w, N + row * B), after(w, T_P + row * B)
        at = 3 * row * B
        z0, s0, x0 = after(w, T_Z + at), after(w, T_S + at), after(w, T_X + at)
        k0, d0 = after(w, K + at), after(w, D + at)
        for i in range(lanes(w)):
            n0, n1, n2 = w[N + i], w[N + B + i], w[N + 2 * B + i]
            push, area = n_row[i] + of_row[i], weights[i]
            a, b = z0[i] + x0[i], z0[B + i] + x0[B + i]
            c = z0[2 * B + i] + x0[2 * B + i]
            along = push * w[P_GAP + i] - (a * n0 + b * n1 + c * n2)
            k0[i] = area * (a + along * n0)
            k0[B + i] = area * (b + along * n1)
            k0[2 * B + i] = area * (c + along * n2)
            a, b, c = s0[i], s0[B + i], s0[2 * B + i]
            along = push * w[P_RATE + i] - (a * n0 + b * n1 + c * n2)
            d0[i] = area * (a + along * n0)
            d0[B + i] = area * (b + along * n1)
            d0[2 * B + i] = area * (c + along * n2)


@kernel(fastmath=True)
def _curved_blocks(weights: Floats, anchor: Floats, old: Floats, w: Floats) -> None:
    """Add what the turning of the normal does: A M n', with d = Y - anchor, n_o the old normal.

    M = p - g' T_s - t T_z - (n . d) T_d + u_1 W^T - T_d n d^T - T_z (n + n_o) y^T
    T_d = T_z + T_x,
    u_1 = (n + T_p) p_g' - T_s n,   y = (z_n - t n_o)/(1 + n . n_o),   t = n . z_n/(1 + n . n_o)
    """
    for row in range(3):
        n_row, of_row = after(w, N + row * B), after(w, T_P + row * B)
        at = 3 * row * B
        z0, s0, x0 = after(w, T_Z + at), after(w, T_S + at), after(w, T_X + at)
        k0 = after(w, K + at)
        own0, own1, own2 = IDENTITY[row]
        for i in range(lanes(w)):
            n0, n1, n2 = w[N + i], w[N + B + i], w[N + 2 * B + i]
            o0, o1, o2 = old[i], old[B + i], old[2 * B + i]
            d0, d1, d2 = w[Y + i], w[Y + B + i], w[Y + 2 * B + i]
            d0, d1, d2 = d0 - anchor[i], d1 - anchor[B + i], d2 - anchor[2 * B + i]
            y0, y1, y2 = w[OLD + i], w[OLD + B + i], w[OLD + 2 * B + i]
            apart = 1.0 / turn_divisor(n0 * o0 + n1 * o1 + n2 * o2)
            t = (n0 * y0 + n1 * y1 + n2 * y2) * apart
            y0, y1, y2 = (y0 - t * o0) * apart, (y1 - t * o1) * apart, (y2 - t * o2) * apart
            rate, p = w[GAP_RATE + i], w[P + i]
            v0, v1, v2 = (
                w[U + i] + rate * n0,
                w[U + B + i] + rate * n1,
                w[U + 2 * B + i] + rate * n2,
            )
            a, b, c = z0[i], z0[B + i], z0[2 * B + i]
            e, f, g = s0[i], s0[B + i], s0[2 * B + i]
            u1 = (n_row[i] + of_row[i]) * w[P_RATE + i] - (e * n0 + f * n1 + g * n2)
            u3 = a * (n0 + o0) + b * (n1 + o1) + c * (n2 + o2)
            m0 = p * own0 - rate * e - t * a + u1 * v0 - u3 * y0
            m1 = p * own1 - rate * f - t * b + u1 * v1 - u3 * y1
            m2 = p * own2 - rate * g - t * c + u1 * v2 - u3 * y2
            a, b, c = a + x0[i], b + x0[B + i], c + x0[2 * B + i]
            u2, q = a * n0 + b * n1 + c * n2, n0 * d0 + n1 * d1 + n2 * d2
            m0, m1, m2 = m0 - q * a - u2 * d0, m1 - q * b - u2 * d1, m2 - q * c - u2 * d2
            xx, xy, xz = w[BEND + i], w[BEND + B + i], w[BEND + 2 * B + i]
            yy, yz, zz = w[BEND + 3 * B + i], w[BEND + 4 * B + i], w[BEND + 5 * B + i]
            k0[i] += weights[i] * (m0 * xx + m1 * xy + m2 * xz)
            k0[B + i] += weights[i] * (m0 * xy + m1 * yy + m2 * yz)
            k0[2 * B + i] += weights[i] * (m0 * xz + m1 * yz + m2 * zz)


@kernel(fastmath=True)
def _turn_blocks(moves_with_slave: bool, frame: Floats, relative: Floats, w: Floats) -> None:
    """K, D and E to the frame of the slave, A^T K A, with K + D r~; F as well."""
    count = lanes(w)
    for at in (K, D, E):
        if at == E and not moves_with_slave:
            continue
        for row in range(3):  # row of K A
            turn_back(frame, count, after(w, at + 3 * row * B))
        for column in range(3):
            _turn_apart(frame, count, part(w, at + column * B, 7 * B))
    turn_back(frame, count, part(w, F, 3 * B))
    r0, r1, r2 = relative[0], relative[1], relative[2]
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


@kernel(fastmath=True, allocates=True, shared=True)
def tangent_blocks(
    points: Points, laws: Laws, elastic: Floats, rate: Floats, frame: Floats, relative: Floats,
    h: float, anchor: Floats, old: Floats, before: Floats, z: Floats, status: Integers,
    sums: Floats, first: int, last: int, work: Floats,
) -> bool:  # fmt: skip
    """Tangents of the groups from `first` to before `last`, with their sums.

    Sums (groups, 6 + m, 2 (6 + m) + 7): J^T C J, J^T F~, J^T D V~, J^T F, J^T D J. z and status
    stay. Returns False if a point has no normal. `work` is working space (`tangent_size`).
    """
    n, blocks = 6 + points.modes, len(points.weights) // B
    middle, end = B + n * WIDTH, B + (2 * n + EXTRA) * WIDTH
    numbers, left = integers(work, 0, B), part(work, B, middle - B)
    right = part(work, middle, end - middle)
    product, w = part(work, end, n * (n + EXTRA)), after(work, end + n * (n + EXTRA))
    for group in range(first, last):
        total = sums[group]
        total[:] = 0.0
        for block in range(group * GROUP, min(group * GROUP + GROUP, blocks)):
            own = slice(block * B, min(block * B + B, points.size))
            projected = slice(block * WIDTH, block * WIDTH + WIDTH)
            if not _evaluate(points, laws, block, elastic, rate, frame, h, anchor[projected],
                             old[projected],
                             part(before, block * B, B), z[own], status[own],
                             w):  # fmt: skip
                return False
            count, damped = _closed(own.stop - own.start, w, numbers)
            if count == 0:
                continue
            _turn_blocks(laws.moves_with_slave, frame, relative, w)
            width = 3 * count
            J = matrix(left, 0, n, width)
            CJ = matrix(right, 0, n + EXTRA, width)
            _pack(laws.moves_with_slave, w, numbers[:count], J)
            _shapes(points, block, numbers[:count], J)
            _times(K, w, J, CJ[:n])
            _loads(w, CJ[n:])
            if laws.moves_with_slave:
                _rotated(w, CJ[n:])
            result = matrix(product, 0, n, n + EXTRA)
            np.dot(J, CJ.T, result)
            total[:, : n + EXTRA] += result
            if damped:
                DJ, result = CJ[:n], matrix(product, 0, n, n)
                _times(D, w, J, DJ)
                np.dot(J, DJ.T, result)
                total[:, n + EXTRA :] += result
    return True


def tangent_size(points: Points, laws: Laws) -> int:
    """Length of the working space of `tangent_blocks`: points that carry, J, C J, sums, block."""
    n = 6 + points.modes
    return B + (2 * n + EXTRA) * WIDTH + n * (n + EXTRA) + laws.working_size


@kernel(fastmath=True, allocates=True)
def pair_tangent_blocks(
    points: tuple[Any, ...], laws: tuple[Any, ...], elastic: Floats, rate: Floats, frame: Floats,
    relative: Floats, h: float, anchor: Floats, old: Floats, before: Floats, z: Floats,
    status: Integers, sums: Floats, first: int, last: int, work: Floats,
) -> bool:  # fmt: skip
    """`tangent_blocks` for Python, which hands plain tuples over faster than named ones."""
    return tangent_blocks(
        Points(*points), Laws(*laws), elastic, rate, frame, relative, h, anchor, old, before, z,
        status, sums, first, last, work,
    )  # fmt: skip
