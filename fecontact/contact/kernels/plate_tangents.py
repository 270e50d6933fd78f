"""Compiled tangents of the contact of a rigid slave with a spinning plate, over a time step.

Per point, forces and loads change with 19 local numbers: motion of the slave's frame (dr in space,
dtheta in its own components), deflection and slopes of the plate at the fixed projection point, the
same of the velocities, and the angle by which the slave's material has passed,

    d(F, M, plate load) = C (dr, dtheta, dw, dw_x, dw_y,  dr', domega, dw', dw'_x, dw'_y, da) .

C (12, 19) contains the laws, the motion of the projection point X and the turning of the normal,

    (I + grad w grad w^T - H hess w) dX = dx_xy + (dz - dw) grad w + H d(grad w),
    dn = -n_z (I - n n^T) (d(grad w) + hess w dX),      dg = n . dx - n_z dw .

The shapes of the plate take it to the coordinates. The formulas are those of `PlateFace` and
`contact.kinematics.transport`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.contact.kernels.block_laws import (
    fetch_history,
    press_block,
    step_block,
    working_size,
)
from fecontact.contact.kernels.eulerian import (
    Frame,
    Rolling,
    fill_block,
    pass_along,
    see_velocities,
)
from fecontact.contact.kernels.layout import (
    BLOCK,
    P_GAP,
    P_RATE,
    T_P,
    T_S,
    T_X,
    T_Z,
    F,
    P,
)
from fecontact.contact.kernels.plate import bends_at, shapes_at, slopes_at
from fecontact.kernels.calls import call_block
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["ANGLE", "FIELD", "INPUTS", "SPEED", "PlateTangents", "plate_tangents"]

B = BLOCK
INPUTS, OUTPUTS = 19, 12
MOVE, TURN, FIELD, SPEED, SPIN, RATE, ANGLE = 0, 3, 6, 9, 12, 15, 18
"""First columns of C: dr, dtheta, (dw, slopes), dr', domega, (dw', slopes), angle."""
RIGID = 6
"""Rows of C of force and moment; behind them those of value, slopes and curvatures of shapes."""


class PlateTangents(NamedTuple):
    """Sums over all points.

    Attributes
    ----------
    rigid : (6, 19)
        Force in space and moment in the frame of the slave by the local numbers of the slave.
    rigid_by_plate : (2, 6, m)
        The same by coordinates and velocities of the plate.
    plate_by_rigid : (m, 19)
        Load on the plate by the local numbers of the slave.
    plate : (2, m, m)
        Load on the plate by its coordinates and velocities.
    """

    rigid: Floats
    rigid_by_plate: Floats
    plate_by_rigid: Floats
    plate: Floats


class Local(NamedTuple):
    """Derivatives (rows, 19) at one point, working space.

    Position, projection point, normal, relative velocity, slip, trial, shift, force; `out` is C.
    """

    x: Floats
    projected: Floats
    normal: Floats
    velocity: Floats
    slip: Floats
    trial: Floats
    shift: Floats
    force: Floats
    gap: Floats
    gap_rate: Floats
    out: Floats


@kernel
def _cross(a: Floats, b: Floats, result: Floats) -> None:
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        result[i] = a[j] * b[k] - a[k] * b[j]


@kernel
def _tilt(n: Floats, a: Floats, d_n: Floats, column: int, result: Floats) -> None:
    """Derivative of n_z (I - n n^T) a at a fixed vector a, for a column of the derivative of n."""
    along = n[0] * a[0] + n[1] * a[1] + n[2] * a[2]
    turned = d_n[0, column] * a[0] + d_n[1, column] * a[1] + d_n[2, column] * a[2]
    for i in range(3):
        straight = a[i] - n[i] * along
        result[i] = d_n[2, column] * straight - n[2] * (d_n[i, column] * along + n[i] * turned)


@kernel
def _flat(n: Floats, a: Floats, d_n: Floats, d_a: Floats, column: int, result: Floats) -> None:
    """Derivative of (I - n n^T) a."""
    along = n[0] * a[0] + n[1] * a[1] + n[2] * a[2]
    turned = 0.0
    for i in range(3):
        turned += d_n[i, column] * a[i] + n[i] * d_a[i]
    for i in range(3):
        result[i] = d_a[i] - n[i] * turned - along * d_n[i, column]


@kernel
def _move_local(c: Rolling, frame: Frame, i: int, d: Local) -> None:
    """Derivatives of position, projection point, normal, gap and relative velocity of a point."""
    R, n, position, projected, lever = (
        frame.rotation,
        c.normal[i],
        c.position[i],
        c.projected[i],
        c.plate.lever,
    )
    w, wx, wy = slopes_at(c.plate.breaks, c.field, projected[0], projected[1])
    xx, xy, yy = bends_at(c.plate.breaks, c.field, projected[0], projected[1])
    height = position[2] - w
    t00, t11 = 1.0 + wx * wx - height * xx, 1.0 + wy * wy - height * yy
    t01 = wx * wy - height * xy
    det = t00 * t11 - t01 * t01
    _, ax, ay = slopes_at(c.plate.breaks, c.rate, projected[0], projected[1])
    _, bx, by = slopes_at(c.plate.breaks, c.drift, projected[0], projected[1])
    axx, axy, ayy = bends_at(c.plate.breaks, c.rate, projected[0], projected[1])
    bxx, bxy, byy = bends_at(c.plate.breaks, c.drift, projected[0], projected[1])
    ax, ay, axx, axy, ayy = ax + bx, ay + by, axx + bxx, axy + bxy, ayy + byy
    tilt, unit, arm = np.array([ax, ay, 0.0]), np.zeros(3), np.empty(3)
    swing, turned = np.empty(3), np.empty(3)
    u, Omega = c.motion[0, i] + c.motion[1, i], c.plate.speed
    rate = n[0] * u[0] + n[1] * u[1] + n[2] * u[2]
    _cross(frame.omega, c.points[i], swing)
    d.x[:] = 0.0
    d.velocity[:] = 0.0
    for k in range(3):
        unit[:] = 0.0
        unit[k] = 1.0
        d.x[k, MOVE + k] = d.velocity[k, SPEED + k] = 1.0
        _cross(unit, c.points[i], arm)
        _cross(unit, swing, turned)
        for row in range(3):
            for m in range(3):
                d.x[row, TURN + k] += R[row, m] * arm[m]
                d.velocity[row, SPIN + k] += R[row, m] * arm[m]
                d.velocity[row, TURN + k] += R[row, m] * turned[m]
    for col in range(INPUTS):
        lift = d.x[2, col] - (1.0 if col == FIELD else 0.0)
        sx, sy = 1.0 if col == FIELD + 1 else 0.0, 1.0 if col == FIELD + 2 else 0.0
        a = d.x[0, col] + lift * wx + height * sx
        b = d.x[1, col] + lift * wy + height * sy
        X, Y = (t11 * a - t01 * b) / det, (t00 * b - t01 * a) / det
        d.projected[0, col], d.projected[1, col] = X, Y
        sx, sy = sx + xx * X + xy * Y, sy + xy * X + yy * Y
        along = n[0] * sx + n[1] * sy
        d.normal[0, col] = -n[2] * (sx - n[0] * along)
        d.normal[1, col] = -n[2] * (sy - n[1] * along)
        d.normal[2, col] = n[2] * n[2] * along
        d.gap[col] = n[0] * d.x[0, col] + n[1] * d.x[1, col] + n[2] * lift
        # velocity of the face: its field moves with the projection point
        value = (1.0 if col == RATE else 0.0) + ax * X + ay * Y
        sx = (1.0 if col == RATE + 1 else 0.0) + axx * X + axy * Y
        sy = (1.0 if col == RATE + 2 else 0.0) + axy * X + ayy * Y
        _tilt(n, tilt, d.normal, col, turned)
        along = n[0] * sx + n[1] * sy
        turned[0] += n[2] * (sx - n[0] * along)
        turned[1] += n[2] * (sy - n[1] * along)
        turned[2] -= n[2] * n[2] * along
        d.velocity[0, col] -= -lever * turned[0] - Omega * d.x[1, col]
        d.velocity[1, col] -= -lever * turned[1] + Omega * d.x[0, col]
        d.velocity[2, col] -= value - lever * turned[2]
        d.gap_rate[col] = 0.0
        for k in range(3):
            d.gap_rate[col] += n[k] * d.velocity[k, col] + d.normal[k, col] * u[k]
        for k in range(3):
            d.slip[k, col] = d.velocity[k, col] - d.gap_rate[col] * n[k] - rate * d.normal[k, col]


@kernel
def _slip_local(
    c: Rolling, R: Floats, h: float, i: int, part: int, spun: Floats, result: Floats, d: Local
) -> None:
    """Derivative of the trial (part 0) or of the shift (part 1): carried vectors and slip."""
    n, kept, unit = c.normal[i], np.empty(3), np.zeros(3)
    arm, space, d_space, turned = np.empty(3), np.zeros(3), np.empty(3), np.empty(3)
    for k in range(3):
        kept[k] = c.before[1, i, k] + (c.before[0, i, k] if part == 0 else 0.0)
    for row in range(3):
        for m in range(3):
            space[row] += R[row, m] * kept[m]
    for col in range(INPUTS):
        d_space[:] = 0.0
        if TURN <= col < TURN + 3:
            unit[:] = 0.0
            unit[col - TURN] = 1.0
            _cross(unit, kept, arm)
        elif col == ANGLE:
            arm[:] = spun[part, i]
        else:
            arm[:] = 0.0
        for row in range(3):
            for m in range(3):
                d_space[row] += R[row, m] * arm[m]
        _flat(n, space, d.normal, d_space, col, turned)
        for k in range(3):
            result[k, col] = turned[k] + 0.5 * h * d.slip[k, col]


@kernel
def _force_local(c: Rolling, i: int, at: int, w: Floats, d: Local) -> None:
    """Derivative of the force of a point."""
    n, area, p = c.normal[i], c.weights[i], w[P + at]
    for col in range(INPUTS):
        d_p = w[P_GAP + at] * d.gap[col] + w[P_RATE + at] * d.gap_rate[col]
        for k in range(3):
            total = (n[k] + w[T_P + k * B + at]) * d_p + p * d.normal[k, col]
            for m in range(3):
                row = (3 * k + m) * B + at
                total += w[T_S + row] * d.slip[m, col] + w[T_Z + row] * d.trial[m, col]
                total += w[T_X + row] * d.shift[m, col]
            d.force[k, col] = area * total


@kernel
def _outputs(c: Rolling, R: Floats, i: int, at: int, w: Floats, d: Local) -> None:
    """C of a point from the derivative of its force, with the follower terms."""
    n, lever, xi = c.normal[i], c.plate.lever, c.points[i]
    force, own, arm, turned = np.empty(3), np.zeros(3), np.empty(3), np.empty(3)
    unit, moment = np.zeros(3), np.empty(3)
    for k in range(3):
        force[k] = w[F + k * B + at]
    for k in range(3):
        for m in range(3):
            own[k] += R[m, k] * force[m]
    along = n[0] * force[0] + n[1] * force[1] + n[2] * force[2]
    gx, gy = -lever * n[2] * (force[0] - along * n[0]), -lever * n[2] * (force[1] - along * n[1])
    for col in range(INPUTS):
        for k in range(3):
            d.out[k, col] = d.force[k, col]
            arm[k] = 0.0
            for m in range(3):
                arm[k] += R[m, k] * d.force[m, col]
        if TURN <= col < TURN + 3:
            unit[:] = 0.0
            unit[col - TURN] = 1.0
            _cross(unit, own, turned)
            for k in range(3):
                arm[k] -= turned[k]
        _cross(xi, arm, moment)
        _tilt(n, force, d.normal, col, turned)
        change = 0.0
        for k in range(3):
            d.out[3 + k, col] = moment[k]
            change += n[k] * d.force[k, col]
        X, Y = d.projected[0, col], d.projected[1, col]
        d.out[6, col] = d.force[2, col]
        d.out[7, col] = force[2] * X - lever * (
            turned[0] + n[2] * (d.force[0, col] - change * n[0])
        )
        d.out[8, col] = force[2] * Y - lever * (
            turned[1] + n[2] * (d.force[1, col] - change * n[1])
        )
        d.out[9, col] = gx * X
        d.out[10, col] = gx * Y + gy * X
        d.out[11, col] = gy * Y


@kernel
def _add(out: Floats, shapes: Floats, mixed: Floats, sums: PlateTangents) -> None:
    """Add C of a point, taken to the coordinates by the shapes (6, m) there."""
    count = shapes.shape[1]
    for k in range(RIGID):
        for col in range(INPUTS):
            sums.rigid[k, col] += out[k, col]
        for j in range(count):
            for part in range(2):
                first = RATE if part else FIELD
                total = 0.0
                for m in range(3):
                    total += out[k, first + m] * shapes[m, j]
                sums.rigid_by_plate[part, k, j] += total
    for j in range(count):
        for col in range(INPUTS):
            total = 0.0
            for m in range(6):
                total += shapes[m, j] * out[RIGID + m, col]
            mixed[col] = total
            sums.plate_by_rigid[j, col] -= total
        for part in range(2):
            first = RATE if part else FIELD
            a, b, g = mixed[first], mixed[first + 1], mixed[first + 2]
            for m in range(count):
                sums.plate[part, j, m] -= a * shapes[0, m] + b * shapes[1, m] + g * shapes[2, m]


@kernel
def plate_tangents(
    c: Rolling, frame: Frame, v: Floats, h: float, turn: float, spun: Floats, sums: PlateTangents
) -> None:
    """Tangents of a step; the points are placed, `before` is that of its start.

    `spun` (2, p, 3) is the derivative of the carried vectors by the angle of the spin.
    """
    see_velocities(c, frame, v)
    pass_along(c, turn)
    laws, w, still = c.laws, np.empty(working_size(c.laws)), np.zeros(B)
    d = Local(
        np.zeros((3, INPUTS)), np.zeros((2, INPUTS)), np.zeros((3, INPUTS)), np.zeros((3, INPUTS)),
        np.zeros((3, INPUTS)), np.zeros((3, INPUTS)), np.zeros((3, INPUTS)), np.zeros((3, INPUTS)),
        np.zeros(INPUTS), np.zeros(INPUTS), np.zeros((OUTPUTS, INPUTS)),
    )  # fmt: skip
    shapes, mixed = np.empty((6, len(c.plate.harmonic))), np.empty(INPUTS)
    for each in (sums.rigid, sums.plate_by_rigid):
        each[:] = 0.0
    for each in (sums.rigid_by_plate, sums.plate):
        each[:] = 0.0
    for first in range(0, len(c.points), B):
        last = min(first + B, len(c.points))
        own = slice(first, last)
        fetch_history(laws, c.z[own], c.status[own], still, w)
        fill_block(c, frame.rotation, h, first, last, w)
        press_block(laws, h, w)
        call_block(laws.slopes, w, laws.friction, h)
        step_block(laws, h, c.weights[first : first + B], w, w[:0])
        for i in range(first, last):
            at = i - first
            if w[P + at] == 0.0 and w[P_GAP + at] == 0.0 and w[P_RATE + at] == 0.0:
                continue
            _move_local(c, frame, i, d)
            _slip_local(c, frame.rotation, h, i, 0, spun, d.trial, d)
            _slip_local(c, frame.rotation, h, i, 1, spun, d.shift, d)
            _force_local(c, i, at, w, d)
            _outputs(c, frame.rotation, i, at, w, d)
            shapes_at(c.plate, c.projected[i, 0], c.projected[i, 1], shapes)
            _add(d.out, shapes, mixed, sums)
