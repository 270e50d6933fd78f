"""Motion of a block of contact points: from the frame of the slave to that of the master.

The positions X = x + Phi e and velocities V = Phi e' in the frame of the slave are taken to the
frame of the master, Y = A X + b, U = A V + C X + d; then normals, gaps, slip velocity and trial
slip. Rows of the working array are those of `contact.kernels.layout`.
"""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

from fecontact.contact.kernels.lanes import lanes, use_lanes
from fecontact.contact.kernels.layout import (
    BLOCK,
    DISTANCE,
    GAP,
    GAP_RATE,
    HALF,
    OLD,
    OLD_SLIP,
    SHIFT,
    N,
    U,
    V,
    X,
    Y,
    Z,
)
from fecontact.contact.kernels.slip import turn_divisor
from fecontact.kernels.arrays import after, matrix, part
from fecontact.kernels.calls import inlined
from fecontact.kernels.decorators import kernel
from fecontact.kernels.vectors import Three
from fecontact.typing import Floats

__all__ = [
    "WIDTH",
    "Points",
    "SlaveMotion",
    "StepStart",
    "bring_slip",
    "copy",
    "copy_rows",
    "deform_block",
    "flatten_slip",
    "forth",
    "keep_projection",
    "relative_frame",
    "relative_spin",
    "see_positions",
    "slide_block",
    "start_of",
    "try_slip",
    "turn_back",
    "turn_slip",
]

B = BLOCK
WIDTH = 3 * BLOCK
Frame = tuple[Floats, Floats, Floats, Floats]


class Points(NamedTuple):
    """Points of a slave, block by block and padded with copies of the last one of no weight.

    Attributes
    ----------
    size, modes
        Number of points and of shapes.
    positions, shapes : (blocks * 3 * BLOCK,), (blocks * modes * 3 * BLOCK,)
        Per block, and mode: all x, then all y, then all z.
    weights, gap : (blocks * BLOCK,)
        Measure of each point, and its initial gap.
    """

    size: int
    modes: int
    positions: Floats
    shapes: Floats
    weights: Floats
    gap: Floats


class SlaveMotion(NamedTuple):
    """Elastic coordinates of a slave, their rates, and its frame as seen from that of the master.

    `frame` (24,) is that of `relative_frame`.
    """

    elastic: Floats
    rate: Floats
    frame: Floats


class StepStart(NamedTuple):
    """What a step starts from: positions of the points, normals there, and gaps.

    In the frame of the master, (blocks * 3 * BLOCK,) as `Points.positions`, gaps (blocks * BLOCK,).
    Of bristles that move with the slave `anchor` is the slip velocity, in its frame.
    """

    anchor: Floats
    normal: Floats
    gap: Floats


@kernel(fastmath=True)
def start_of(start: StepStart, block: int) -> StepStart:
    """What a step starts from, of one block."""
    return StepStart(
        part(start.anchor, block * WIDTH, WIDTH),
        part(start.normal, block * WIDTH, WIDTH),
        part(start.gap, block * B, B),
    )


@kernel(fastmath=True)
def copy(values: Floats, result: Floats) -> None:
    """Copy numbers to another place; the assignment of a slice would make an array in between."""
    for i in range(len(result)):
        result[i] = values[i]


@kernel(fastmath=True)
def copy_rows(w: Floats, at: int, result: Floats) -> None:
    """Copy the three rows of a vector to an array (3 * BLOCK,)."""
    for row in range(0, WIDTH, B):
        copy(after(w, at + row), part(result, row, lanes(w)))


@kernel(fastmath=True)
def deform_block(points: Points, block: int, elastic: Floats, rate: Floats, w: Floats) -> None:
    """X = x + Phi e and V = Phi e' of the points of a block, which are the lanes from then on."""
    use_lanes(points.size - block * B, w)
    modes, at = points.modes, block * WIDTH
    positions = part(points.positions, at, WIDTH)
    shapes = part(points.shapes, at * modes, (at + WIDTH) * modes - at * modes)
    if lanes(w) == B:
        _deform(WIDTH, modes, positions, shapes, elastic, rate, after(w, X), after(w, V))
        return
    for at in range(0, WIDTH, B):
        x, v = after(w, X + at), after(w, V + at)
        _deform(lanes(w), modes, after(positions, at), after(shapes, at), elastic, rate, x, v)


@partial(inlined, allocates=False)
def _deform(
    length: int, modes: int, positions: Floats, shapes: Floats, elastic: Floats, rate: Floats,
    x: Floats, v: Floats,
) -> None:  # fmt: skip
    """Motion of as many neighbours; modes are WIDTH apart in `shapes`.

    Compiled twice, for a constant length and for any: shapes are what takes the time.
    """
    fours = modes - modes % 4
    for i in range(length):
        x[i] = positions[i]
        v[i] = 0.0
    for k in range(0, fours, 4):
        a, b, c, d = elastic[k], elastic[k + 1], elastic[k + 2], elastic[k + 3]
        e, f, g, h = rate[k], rate[k + 1], rate[k + 2], rate[k + 3]
        four = after(shapes, k * WIDTH)
        for i in range(length):
            s0, s1, s2, s3 = four[i], four[WIDTH + i], four[2 * WIDTH + i], four[3 * WIDTH + i]
            x[i] += (a * s0 + b * s1) + (c * s2 + d * s3)
            v[i] += (e * s0 + f * s1) + (g * s2 + h * s3)
    for k in range(fours, modes):
        one = after(shapes, k * WIDTH)
        for i in range(length):
            x[i] += elastic[k] * one[i]
            v[i] += rate[k] * one[i]


@kernel(fastmath=True)
def see_positions(frame: Floats, w: Floats) -> None:
    """Positions Y in the frame of the master."""
    a, b, c, p = frame[0], frame[1], frame[2], frame[9]
    d, e, f, q = frame[3], frame[4], frame[5], frame[10]
    g, h, k, r = frame[6], frame[7], frame[8], frame[11]
    for i in range(lanes(w)):
        x, y, z = w[X + i], w[X + B + i], w[X + 2 * B + i]
        w[Y + i] = a * x + b * y + c * z + p
        w[Y + B + i] = d * x + e * y + f * z + q
        w[Y + 2 * B + i] = g * x + h * y + k * z + r


@kernel(fastmath=True)
def slide_block(frame: Floats, gap: Floats, w: Floats) -> None:
    """Gap rate, slip velocity U, and the gap with its initial part (without it: DISTANCE)."""
    a, b, c = frame[0], frame[1], frame[2]
    d, e, f = frame[3], frame[4], frame[5]
    g, h, k = frame[6], frame[7], frame[8]
    l0, l1, l2, p = frame[12], frame[13], frame[14], frame[21]
    m0, m1, m2, q = frame[15], frame[16], frame[17], frame[22]
    n0, n1, n2, r = frame[18], frame[19], frame[20], frame[23]
    for i in range(lanes(w)):
        x, y, z = w[X + i], w[X + B + i], w[X + 2 * B + i]
        u, v, t = w[V + i], w[V + B + i], w[V + 2 * B + i]
        s0 = (a * u + b * v + c * t) + (l0 * x + l1 * y + l2 * z + p)
        s1 = (d * u + e * v + f * t) + (m0 * x + m1 * y + m2 * z + q)
        s2 = (g * u + h * v + k * t) + (n0 * x + n1 * y + n2 * z + r)
        x, y, z = w[N + i], w[N + B + i], w[N + 2 * B + i]
        rate = x * s0 + y * s1 + z * s2
        w[GAP_RATE + i] = rate
        w[U + i], w[U + B + i], w[U + 2 * B + i] = s0 - rate * x, s1 - rate * y, s2 - rate * z
        w[DISTANCE + i] = w[GAP + i]
        w[GAP + i] += gap[i]


@kernel(fastmath=True)
def try_slip(anchor: Floats, old: Floats, w: Floats) -> None:
    """From z in Z the trial slip Z = Q z + (I - n n^T)(y - anchor); Q z to OLD_SLIP."""
    for i in range(lanes(w)):
        n0, n1, n2 = w[N + i], w[N + B + i], w[N + 2 * B + i]
        o0, o1, o2 = old[i], old[B + i], old[2 * B + i]
        z0, z1, z2 = w[Z + i], w[Z + B + i], w[Z + 2 * B + i]
        x0, x1, x2 = w[Y + i], w[Y + B + i], w[Y + 2 * B + i]
        x0, x1, x2 = x0 - anchor[i], x1 - anchor[B + i], x2 - anchor[2 * B + i]
        path = n0 * x0 + n1 * x1 + n2 * x2
        fraction = (n0 * z0 + n1 * z1 + n2 * z2) / turn_divisor(n0 * o0 + n1 * o1 + n2 * o2)
        z0, z1, z2 = z0 - fraction * (o0 + n0), z1 - fraction * (o1 + n1), z2 - fraction * (o2 + n2)
        w[OLD_SLIP + i], w[OLD_SLIP + B + i], w[OLD_SLIP + 2 * B + i] = z0, z1, z2
        x0, x1, x2 = x0 - path * n0, x1 - path * n1, x2 - path * n2
        w[SHIFT + i], w[SHIFT + B + i], w[SHIFT + 2 * B + i] = x0, x1, x2
        w[Z + i], w[Z + B + i], w[Z + 2 * B + i] = z0 + x0, z1 + x1, z2 + x2


@kernel(fastmath=True)
def bring_slip(h: float, frame: Floats, before: Floats, w: Floats) -> None:
    """Trial slip of bristles that stand on the slave, z in Z and slip velocities `before` there.

    Z = (I - n n^T) A (z + h/2 s_n) + h/2 s; the part of z to OLD_SLIP, the vectors before they are
    laid in the tangent plane to OLD and HALF.
    """
    turn_slip(frame, w)
    for k in range(0, 3 * B, B):
        a, b, c = frame[k // B * 3], frame[k // B * 3 + 1], frame[k // B * 3 + 2]
        for i in range(lanes(w)):
            x, y, z = before[i], before[B + i], before[2 * B + i]
            w[HALF + k + i] = 0.5 * h * (a * x + b * y + c * z)
            w[OLD + k + i] = w[Z + k + i] + w[HALF + k + i]
    for i in range(lanes(w)):
        n0, n1, n2 = w[N + i], w[N + B + i], w[N + 2 * B + i]
        z = n0 * w[Z + i] + n1 * w[Z + B + i] + n2 * w[Z + 2 * B + i]
        both = n0 * w[OLD + i] + n1 * w[OLD + B + i] + n2 * w[OLD + 2 * B + i]
        w[OLD_SLIP + i], w[OLD_SLIP + B + i] = w[Z + i] - z * n0, w[Z + B + i] - z * n1
        w[OLD_SLIP + 2 * B + i] = w[Z + 2 * B + i] - z * n2
        s0 = w[HALF + i] - (both - z) * n0 + 0.5 * h * w[U + i]
        s1 = w[HALF + B + i] - (both - z) * n1 + 0.5 * h * w[U + B + i]
        s2 = w[HALF + 2 * B + i] - (both - z) * n2 + 0.5 * h * w[U + 2 * B + i]
        w[SHIFT + i], w[SHIFT + B + i], w[SHIFT + 2 * B + i] = s0, s1, s2
        w[Z + i], w[Z + B + i] = w[OLD_SLIP + i] + s0, w[OLD_SLIP + B + i] + s1
        w[Z + 2 * B + i] = w[OLD_SLIP + 2 * B + i] + s2


@kernel(fastmath=True)
def turn_slip(frame: Floats, w: Floats) -> None:
    """Z from the frame of the slave to that of the master."""
    a, b, c = frame[0], frame[1], frame[2]
    d, e, f = frame[3], frame[4], frame[5]
    g, h, k = frame[6], frame[7], frame[8]
    for i in range(lanes(w)):
        x, y, z = w[Z + i], w[Z + B + i], w[Z + 2 * B + i]
        w[Z + i] = a * x + b * y + c * z
        w[Z + B + i] = d * x + e * y + f * z
        w[Z + 2 * B + i] = g * x + h * y + k * z


@inlined
def turn_back(frame: Floats, count: int, v: Floats) -> None:
    """Vectors (3 * BLOCK,) in as many lanes, from the frame of the master to that of the slave."""
    a, b, c = frame[0], frame[1], frame[2]
    d, e, f = frame[3], frame[4], frame[5]
    g, h, k = frame[6], frame[7], frame[8]
    for i in range(count):
        x, y, z = v[i], v[B + i], v[2 * B + i]
        v[i] = a * x + d * y + g * z
        v[B + i] = b * x + e * y + h * z
        v[2 * B + i] = c * x + f * y + k * z


@kernel(fastmath=True)
def flatten_slip(w: Floats) -> None:
    """Part of Z in the tangent plane."""
    for i in range(lanes(w)):
        n0, n1, n2 = w[N + i], w[N + B + i], w[N + 2 * B + i]
        along = n0 * w[Z + i] + n1 * w[Z + B + i] + n2 * w[Z + 2 * B + i]
        w[Z + i] -= along * n0
        w[Z + B + i] -= along * n1
        w[Z + 2 * B + i] -= along * n2


@kernel(fastmath=True)
def keep_projection(w: Floats, row: int, gap: Floats, start: StepStart) -> None:
    """Keep positions Y of the points, normals there, and gaps: distances in a row and `gap`."""
    for i in range(lanes(w)):
        start.gap[i] = w[row + i] + gap[i]
    copy_rows(w, Y, start.anchor)
    copy_rows(w, N, start.normal)


@kernel(allocates=False)
def relative_frame(moving: Frame, seen_from: Frame, frame: Floats) -> None:
    """A, b, C, d (24,) of Y = A X + b and U = A V + C X + d.

    Frames of slave and master are rotation, origin, velocity and angular velocity; C = A omega~ -
    spin~ A and d = R^T (v_slave - v_master) - spin x b.
    """
    slave, origin, velocity, omega = moving
    master, position, drift, spin = seen_from
    A, b = matrix(frame, 0, 3, 3), part(frame, 9, 3)
    C, d = matrix(frame, 12, 3, 3), part(frame, 21, 3)
    for i in range(3):
        b[i] = d[i] = 0.0
        for k in range(3):
            b[i] += master[k, i] * (origin[k] - position[k])
            d[i] += master[k, i] * (velocity[k] - drift[k])
        for j in range(3):
            A[i, j] = 0.0
            for k in range(3):
                A[i, j] += master[k, i] * slave[k, j]
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        d[i] -= spin[j] * b[k] - spin[k] * b[j]
        for m in range(3):
            n, o = (m + 1) % 3, (m + 2) % 3
            C[i, m] = A[i, n] * omega[o] - A[i, o] * omega[n]
            C[i, m] -= spin[j] * A[k, m] - spin[k] * A[j, m]


@kernel(fastmath=True)
def forth(frame: Floats, x: Three) -> Three:
    """A x: from the frame of the slave to that of the master."""
    return (
        frame[0] * x[0] + frame[1] * x[1] + frame[2] * x[2],
        frame[3] * x[0] + frame[4] * x[1] + frame[5] * x[2],
        frame[6] * x[0] + frame[7] * x[1] + frame[8] * x[2],
    )


@kernel(fastmath=True)
def relative_spin(frame: Floats) -> Three:
    """Angular velocity r of the slave relative to the master, in its axes: r~ = A^T C."""
    r0 = r1 = r2 = 0.0
    for i in range(0, 9, 3):
        r0 += frame[i + 2] * frame[13 + i]
        r1 += frame[i] * frame[14 + i]
        r2 += frame[i + 1] * frame[12 + i]
    return r0, r1, r2
