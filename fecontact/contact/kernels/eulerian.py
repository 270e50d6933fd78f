"""Compiled time step of an `EulerianPair`: a rigid slave that spins through its points, on a plate.

The formulas are those of `PlateFace` and `contact.kinematics.transport`; the laws are those of
`contact.kernels.layout`, in whose working array the points are laid out block by block.

Results of a step, `total` (12,): force on the slave in space (3), three unused, its moment about
the origin of the slave in its frame (3), power of the forces on the relative velocity and of the
springs on what does not move with v, power of the dampers, slip work. They are those of
`contact.kernels.blocks`, but for the springs: they stand in space, and what turns does not load
them.
"""

from __future__ import annotations

from math import cos, pi
from typing import NamedTuple

import numpy as np

from fecontact.contact.kernels.block_laws import (
    Laws,
    fetch_history,
    keep_history,
    normal_loss,
    press_block,
    step_block,
    working_size,
)
from fecontact.contact.kernels.blocks import bristle_loss, count_slip
from fecontact.contact.kernels.layout import BLOCK, GAP, GAP_RATE, OLD_SLIP, SHIFT, F, N, P, U, Y, Z
from fecontact.contact.kernels.plate import (
    Plate,
    add_load,
    field_of,
    loads_of,
    projection_of,
    slopes_at,
)
from fecontact.kernels.calls import call_block
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = [
    "Frame",
    "Rolling",
    "begin_step",
    "end_step",
    "fill_block",
    "locate_points",
    "pass_along",
    "see_velocities",
    "try_step",
]

B = BLOCK


class Frame(NamedTuple):
    """Motion of the slave: its rotation, origin, velocity; `omega` of its material in its frame.

    `spin` is the prescribed part of the material's spin about z.
    """

    rotation: Floats
    origin: Floats
    velocity: Floats
    omega: Floats
    spin: float


class Rolling(NamedTuple):
    """An Eulerian contact with its history and working space.

    Attributes
    ----------
    plate, laws
        Master and laws.
    points, weights, size
        Places (p, 3) in the slave, weights (blocks * BLOCK,) and the largest coordinate.
    gap, gap_drift, gap_speed : (p,)
        Initial gaps, their rates as the material of the slave sees them, and those at the points,
        which stand in space.
    order, direction : (rings, n), (p, 2)
        Points along the rings, and cosine and sine of their angles.
    z, status, slip_totals, grip
        History; `grip` as in `contact.kernels.blocks`.
    position, projected, normal, distance : (p, 3), (p, 2), (p, 3), (p,)
        Points in space, their projection points, normals and gaps at the last step.
    motion : (2, p, 3)
        Relative velocities by v, and by spins and drift.
    before : (2, p, 3)
        Elastic slip, and half a step of slip, at the start of a step in the frame of the slave;
        then both where the material has carried them.
    turn, carry : (1,), (n,)
        Angle over a step and the circulant that shifts by it.
    field, rate, drift, load : (intervals, harmonics, 2, 4)
        Fields of the plate.
    rolled : (m,)
        Omega Delta q.
    total, force : (12,), (m,)
        Results.
    """

    plate: Plate
    laws: Laws
    points: Floats
    weights: Floats
    size: float
    gap: Floats
    gap_drift: Floats
    gap_speed: Floats
    order: Integers
    direction: Floats
    z: Floats
    status: Integers
    slip_totals: Floats
    grip: Floats
    position: Floats
    projected: Floats
    normal: Floats
    distance: Floats
    motion: Floats
    before: Floats
    turn: Floats
    carry: Floats
    field: Floats
    rate: Floats
    drift: Floats
    load: Floats
    rolled: Floats
    total: Floats
    force: Floats


@kernel
def locate_points(c: Rolling, frame: Frame, q: Floats) -> bool:
    """Points, projections, normals and gaps at plate coordinates q; False if one has no projection.

    The iteration for a projection point begins where the last one is, moved with the point.
    """
    field_of(c.plate, q, c.field)
    _rolled(c.plate, q, c.rolled)
    field_of(c.plate, c.rolled, c.drift)
    R, position, projected, good = frame.rotation, c.position, c.projected, True
    for i in range(len(c.points)):
        x, y, z = c.points[i, 0], c.points[i, 1], c.points[i, 2]
        projected[i, 0] -= position[i, 0]
        projected[i, 1] -= position[i, 1]
        for k in range(3):
            position[i, k] = frame.origin[k] + R[k, 0] * x + R[k, 1] * y + R[k, 2] * z
        projected[i, 0] += position[i, 0]
        projected[i, 1] += position[i, 1]
        distance = projection_of(
            c.plate.breaks, c.field, position[i], c.size, projected[i], c.normal[i]
        )
        good &= not np.isnan(distance)
        c.distance[i] = distance - c.plate.lever + c.gap[i]
    return good


@kernel
def _rolled(plate: Plate, q: Floats, result: Floats) -> None:
    """Omega Delta q: cosine and sine of a harmonic are neighbours."""
    for i in range(len(q)):
        k = plate.harmonic[i]
        if k == 0:
            result[i] = 0.0
        elif plate.sine[i]:
            result[i] = -plate.speed * k * q[i - 1]
        else:
            result[i] = plate.speed * k * q[i + 1]


@kernel
def _face_rates(c: Rolling, field: Floats, u: Floats) -> None:
    """Velocities (p, 3) of the face by a field of rates: W e_z - lever n_z (I - n n^T) W'."""
    breaks, projected, normal, lever = c.plate.breaks, c.projected, c.normal, c.plate.lever
    for i in range(len(u)):
        w, wx, wy = slopes_at(breaks, field, projected[i, 0], projected[i, 1])
        n0, n1, n2 = normal[i, 0], normal[i, 1], normal[i, 2]
        along, factor = n0 * wx + n1 * wy, -lever * n2
        u[i, 0], u[i, 1] = factor * (wx - along * n0), factor * (wy - along * n1)
        u[i, 2] = w - factor * along * n2


@kernel
def _seen(c: Rolling, frame: Frame, v: Floats) -> None:
    """Relative velocities by the velocities v of the plate and the slave alone."""
    field_of(c.plate, v, c.rate)
    u, points = c.motion[0], c.points
    _face_rates(c, c.rate, u)
    R, w0, w1, w2 = frame.rotation, frame.omega[0], frame.omega[1], frame.omega[2] - frame.spin
    for i in range(len(u)):
        x, y, z = points[i, 0], points[i, 1], points[i, 2]
        b0, b1, b2 = w1 * z - w2 * y, w2 * x - w0 * z, w0 * y - w1 * x
        for k in range(3):
            around = R[k, 0] * b0 + R[k, 1] * b1 + R[k, 2] * b2
            u[i, k] = frame.velocity[k] + around - u[i, k]


@kernel
def _turned(c: Rolling, frame: Frame) -> None:
    """Relative velocities that are not in v: prescribed spins, and Omega Delta q."""
    u, points, R, Omega = c.motion[1], c.points, frame.rotation, c.plate.speed
    _face_rates(c, c.drift, u)
    for i in range(len(u)):
        u[i, 0] -= Omega * c.position[i, 1]
        u[i, 1] += Omega * c.position[i, 0]
        for k in range(3):
            around = R[k, 1] * points[i, 0] - R[k, 0] * points[i, 1]
            u[i, k] = frame.spin * around - u[i, k]


@kernel
def see_velocities(c: Rolling, frame: Frame, v: Floats) -> None:
    """Relative velocities of the points, by v and by what is not in v."""
    _seen(c, frame, v)
    _turned(c, frame)


@kernel
def begin_step(c: Rolling, frame: Frame, v: Floats, h: float) -> None:
    """Remember z and h/2 of slip at the start of a step, at the points of the last one."""
    see_velocities(c, frame, v)
    R, normal, before = frame.rotation, c.normal, c.before
    seen, turned = c.motion[0], c.motion[1]
    for i in range(len(c.points)):
        n0, n1, n2 = normal[i, 0], normal[i, 1], normal[i, 2]
        u0, u1, u2 = seen[i, 0] + turned[i, 0], seen[i, 1] + turned[i, 1], seen[i, 2] + turned[i, 2]
        rate = n0 * u0 + n1 * u1 + n2 * u2
        u0, u1, u2 = u0 - rate * n0, u1 - rate * n1, u2 - rate * n2
        for k in range(3):
            before[0, i, k] = c.z[i, k]
            before[1, i, k] = 0.5 * h * (R[0, k] * u0 + R[1, k] * u1 + R[2, k] * u2)


@kernel
def _circulant(turn: float, carry: Floats) -> None:
    """Exact shift exp(-turn D) on n points of a ring: its first column (n,)."""
    n = len(carry)
    for j in range(n):
        total = 1.0
        for k in range(1, (n + 1) // 2):
            total += 2.0 * cos(k * (2.0 * pi * j / n - turn))
        if n % 2 == 0:
            total += 1.0 if j % 2 == 0 else -1.0
        carry[j] = total / n


@kernel
def _pass(
    order: Integers, direction: Floats, last: Floats, carry: Floats, before: Floats, turn: float
) -> None:
    """Carry vectors (2, p, 3) along the rings with the material."""
    if turn != last[0]:
        _circulant(turn, carry)
        last[0] = turn
    rings, n = order.shape
    local = np.empty((n, 3))
    for part in range(2):
        for ring in range(rings):
            for j in range(n):
                i = order[ring, j]
                c, s = direction[i, 0], direction[i, 1]
                x, y = before[part, i, 0], before[part, i, 1]
                local[j, 0], local[j, 1], local[j, 2] = (
                    c * x + s * y,
                    c * y - s * x,
                    before[part, i, 2],
                )
            for j in range(n):
                i, a, b, height = order[ring, j], 0.0, 0.0, 0.0
                for k in range(n):
                    fraction = carry[j - k if j >= k else j - k + n]
                    a += fraction * local[k, 0]
                    b += fraction * local[k, 1]
                    height += fraction * local[k, 2]
                c, s = direction[i, 0], direction[i, 1]
                before[part, i, 0], before[part, i, 1] = c * a - s * b, s * a + c * b
                before[part, i, 2] = height


@kernel
def pass_along(c: Rolling, turn: float) -> None:
    """Carry `before` along the rings with the material."""
    _pass(c.order, c.direction, c.turn, c.carry, c.before, turn)


@kernel
def fill_block(c: Rolling, R: Floats, h: float, first: int, last: int, w: Floats) -> float:
    """Lay points out in the working array; returns the power of springs on the spins."""
    normal, before, seen, turned = c.normal, c.before, c.motion[0], c.motion[1]
    brought = np.empty((2, 3))
    w[GAP : GAP + B] = 1.0
    for row in (GAP_RATE, P):
        w[row : row + B] = 0.0
    for row in (N, U, OLD_SLIP, SHIFT):
        w[row : row + 3 * B] = 0.0
    for i in range(first, last):
        at = i - first
        n0, n1, n2 = normal[i, 0], normal[i, 1], normal[i, 2]
        along = n0 * turned[i, 0] + n1 * turned[i, 1] + n2 * turned[i, 2]
        rate = n0 * seen[i, 0] + n1 * seen[i, 1] + n2 * seen[i, 2] + along
        w[GAP + at], w[GAP_RATE + at] = c.distance[i], rate + c.gap_drift[i]
        w[P + at] = along + c.gap_drift[i] - c.gap_speed[i]
        for part in range(2):
            x, y, z = before[part, i, 0], before[part, i, 1], before[part, i, 2]
            for k in range(3):
                brought[part, k] = R[k, 0] * x + R[k, 1] * y + R[k, 2] * z
            height = n0 * brought[part, 0] + n1 * brought[part, 1] + n2 * brought[part, 2]
            for k in range(3):
                brought[part, k] -= height * normal[i, k]
        for k in range(3):
            row = k * B + at
            slip = seen[i, k] + turned[i, k] - rate * normal[i, k]
            w[N + row], w[U + row], w[OLD_SLIP + row] = normal[i, k], slip, brought[0, k]
            w[Y + row] = c.position[i, k]
            w[SHIFT + row] = brought[1, k] + 0.5 * h * slip
            w[Z + row] = brought[0, k] + w[SHIFT + row]
    return _spring_power(c.laws, c.weights[first : first + B], w)


@kernel
def _spring_power(laws: Laws, weights: Floats, w: Floats) -> float:
    """Power of the springs against the part of the gap rates that is in P; GAP_RATE is restored."""
    total, along, rates = 0.0, w[P : P + B].copy(), w[GAP_RATE : GAP_RATE + B].copy()
    w[GAP_RATE : GAP_RATE + B] = 0.0
    call_block(laws.normal_step, w, laws.normal, 1.0)
    for i in range(B):
        total -= weights[i] * w[P + i] * along[i]
    w[GAP_RATE : GAP_RATE + B] = rates
    return total


@kernel
def end_step(c: Rolling, frame: Frame, v: Floats, h: float, turn: float) -> None:
    """Accept a step, with the sums of the energy audit; the points are placed before."""
    _step(c, frame, v, h, turn, c.slip_totals[:, :0], True)


@kernel
def try_step(c: Rolling, frame: Frame, v: Floats, h: float, turn: float, shown: Floats) -> None:
    """Try a step, without the audit; `shown` as in `contact_blocks`."""
    _step(c, frame, v, h, turn, shown, False)


@kernel
def _step(
    c: Rolling, frame: Frame, v: Floats, h: float, turn: float, shown: Floats, audits: bool
) -> None:
    """History at the end of a step, forces on slave and plate."""
    see_velocities(c, frame, v)
    pass_along(c, turn)
    c.load[:] = 0.0
    c.total[:] = 0.0
    laws, w = c.laws, np.empty(working_size(c.laws))
    still = np.zeros(B)
    for first in range(0, len(c.points), B):
        last = min(first + B, len(c.points))
        weights, own, seen = c.weights[first : first + B], slice(first, last), shown[first // B]
        status, slip_totals, grip = c.status[own], c.slip_totals[own], c.grip[own]
        fetch_history(laws, c.z[own], status, still, w)
        c.total[9] += fill_block(c, frame.rotation, h, first, last, w)
        press_block(laws, h, w)
        step_block(laws, h, weights, w, seen)
        keep_history(laws, weights, c.z[own], status, slip_totals, w)
        if audits:
            count_slip(status, weights, w, grip, slip_totals)
            c.total[11] += bristle_loss(weights, w, grip)
        if audits or len(seen) > 0:
            c.total[10] += normal_loss(laws, weights, w, seen)
        _gather(c, frame.rotation, first, last, w)
    loads_of(c.plate, c.load, c.force)


@kernel
def _gather(c: Rolling, R: Floats, first: int, last: int, w: Floats) -> None:
    """Add forces and moments of a block, and keep z in the frame of the slave."""
    breaks, lever, normal, points, total = (
        c.plate.breaks,
        c.plate.lever,
        c.normal,
        c.points,
        c.total,
    )
    for i in range(first, last):
        at = i - first
        f0, f1, f2 = w[F + at], w[F + B + at], w[F + 2 * B + at]
        total[9] += f0 * w[U + at] + f1 * w[U + B + at] + f2 * w[U + 2 * B + at]
        total[9] += c.weights[i] * w[P + at] * w[GAP_RATE + at]
        total[0] += f0
        total[1] += f1
        total[2] += f2
        for k in range(3):
            m, n = (k + 1) % 3, (k + 2) % 3
            g = R[0, n] * f0 + R[1, n] * f1 + R[2, n] * f2
            h = R[0, m] * f0 + R[1, m] * f1 + R[2, m] * f2
            total[6 + k] += points[i, m] * g - points[i, n] * h
            c.z[i, k] = R[0, k] * w[Z + at] + R[1, k] * w[Z + B + at] + R[2, k] * w[Z + 2 * B + at]
        n0, n1, n2 = normal[i, 0], normal[i, 1], normal[i, 2]
        along, factor = n0 * f0 + n1 * f1 + n2 * f2, -lever * n2
        gx, gy = factor * (f0 - along * n0), factor * (f1 - along * n1)
        add_load(breaks, c.projected[i, 0], c.projected[i, 1], f2, gx, gy, c.load)
