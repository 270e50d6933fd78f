"""Compiled derivatives of contact forces on a plate, and of the load of the plate, point by point.

Force and load of a point change with 16 numbers: position and velocity of the slave's point,
deflection and slopes of the plate at the fixed projection point, the same of the velocities, the
rotation of the slave and the angle by which its material has passed,

    d(F, slope loads, curvature loads) = C (dx, dv, dw, dw_x, dw_y, dw', dw'_x, dw'_y, dtheta, da) .

C (8, 16) contains the laws (`contact.kernels.eulerian.slope_points`), the motion of the projection
point X and the turning of the normal,

    (I + grad w grad w^T - H hess w) dX = dx_xy + (dz - dw) grad w + H d(grad w),
    dn = -n_z (I - n n^T) (d(grad w) + hess w dX),      dg = n . dx - n_z dw .

The value loads are F_z. Jacobian of the slave and shapes of the plate take force and loads to the
generalised forces, J^T C. The formulas are those of `PlateFace`.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.contact.kernels.eulerian import Rolling
from fecontact.contact.kernels.plate.field import bends_at, shapes_at, slopes_at
from fecontact.contact.kernels.plate.points import PlateSurface
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["INPUTS", "OUTPUTS", "PlateLocal", "move_local", "plate_point", "plate_slopes", "tilt"]

INPUTS, OUTPUTS = 16, 8
POSITION, VELOCITY, FIELD, RATE, TURN = 0, 3, 6, 9, 12
"""First columns of C: position and velocity of the point, deflection with its slopes, their rates,
rotation of the slave with the angle of its spin."""


class PlateLocal(NamedTuple):
    """Derivatives (rows, 16) at one point, working space."""

    projected: Floats
    normal: Floats
    velocity: Floats
    gap: Floats


@kernel
def tilt(n: Floats, a: Floats, d_n: Floats, column: int, result: Floats) -> None:
    """Derivative of n_z (I - n n^T) a at a fixed vector a, for a column of the derivative of n."""
    along = n[0] * a[0] + n[1] * a[1] + n[2] * a[2]
    turned = d_n[0, column] * a[0] + d_n[1, column] * a[1] + d_n[2, column] * a[2]
    for i in range(3):
        straight = a[i] - n[i] * along
        result[i] = d_n[2, column] * straight - n[2] * (d_n[i, column] * along + n[i] * turned)


@kernel
def move_local(c: Rolling, face: PlateSurface, i: int, d: PlateLocal) -> None:
    """Derivatives of projection point, normal, gap and relative velocity of a point."""
    breaks, lever, Omega = face.plate.breaks, face.plate.lever, face.plate.speed
    n, x, y = c.normal[i], face.projected[i, 0], face.projected[i, 1]
    w, wx, wy = slopes_at(breaks, face.field, x, y)
    xx, xy, yy = bends_at(breaks, face.field, x, y)
    height = c.position[i, 2] - w
    t00, t11 = 1.0 + wx * wx - height * xx, 1.0 + wy * wy - height * yy
    t01 = wx * wy - height * xy
    det = t00 * t11 - t01 * t01
    _, ax, ay = slopes_at(breaks, face.rate, x, y)
    _, bx, by = slopes_at(breaks, face.drift, x, y)
    axx, axy, ayy = bends_at(breaks, face.rate, x, y)
    bxx, bxy, byy = bends_at(breaks, face.drift, x, y)
    ax, ay, axx, axy, ayy = ax + bx, ay + by, axx + bxx, axy + bxy, ayy + byy
    slant, turned = np.array([ax, ay, 0.0]), np.empty(3)
    for col in range(TURN):
        dx, dy = 1.0 if col == POSITION else 0.0, 1.0 if col == POSITION + 1 else 0.0
        lift = (1.0 if col == POSITION + 2 else 0.0) - (1.0 if col == FIELD else 0.0)
        sx, sy = 1.0 if col == FIELD + 1 else 0.0, 1.0 if col == FIELD + 2 else 0.0
        a, b = dx + lift * wx + height * sx, dy + lift * wy + height * sy
        X, Y = (t11 * a - t01 * b) / det, (t00 * b - t01 * a) / det
        d.projected[0, col], d.projected[1, col] = X, Y
        sx, sy = sx + xx * X + xy * Y, sy + xy * X + yy * Y
        along = n[0] * sx + n[1] * sy
        d.normal[0, col] = -n[2] * (sx - n[0] * along)
        d.normal[1, col] = -n[2] * (sy - n[1] * along)
        d.normal[2, col] = n[2] * n[2] * along
        d.gap[col] = n[0] * dx + n[1] * dy + n[2] * lift
        # velocity of the face: its field moves with the projection point
        value = (1.0 if col == RATE else 0.0) + ax * X + ay * Y
        sx = (1.0 if col == RATE + 1 else 0.0) + axx * X + axy * Y
        sy = (1.0 if col == RATE + 2 else 0.0) + axy * X + ayy * Y
        tilt(n, slant, d.normal, col, turned)
        along = n[0] * sx + n[1] * sy
        d.velocity[0, col] = lever * (turned[0] + n[2] * (sx - n[0] * along)) + Omega * dy
        d.velocity[1, col] = lever * (turned[1] + n[2] * (sy - n[1] * along)) - Omega * dx
        d.velocity[2, col] = lever * (turned[2] - n[2] * n[2] * along) - value
    for k in range(3):
        d.velocity[k, VELOCITY + k] += 1.0


@kernel
def _forces(local: Floats, d: PlateLocal, out: Floats) -> None:
    """Rows of the force in C, from its derivatives by the local numbers of `slope_points`."""
    for k in range(3):
        by = local[k]
        for col in range(TURN):
            total = by[0] * d.gap[col]
            for m in range(3):
                total += by[1 + m] * d.normal[m, col] + by[4 + m] * d.velocity[m, col]
            out[k, col] = total
        for m in range(4):
            out[k, TURN + m] = by[7 + m]


@kernel
def _loads(c: Rolling, face: PlateSurface, i: int, d: PlateLocal, out: Floats) -> None:
    """Rows of the load in C, with what follows the projection point and the normal."""
    n, force, lever, turned = c.normal[i], c.force[i], face.plate.lever, np.empty(3)
    along = n[0] * force[0] + n[1] * force[1] + n[2] * force[2]
    gx, gy = -lever * n[2] * (force[0] - along * n[0]), -lever * n[2] * (force[1] - along * n[1])
    for col in range(INPUTS):
        X, Y = d.projected[0, col], d.projected[1, col]
        tilt(n, force, d.normal, col, turned)
        change = n[0] * out[0, col] + n[1] * out[1, col] + n[2] * out[2, col]
        out[3, col] = force[2] * X - lever * (turned[0] + n[2] * (out[0, col] - change * n[0]))
        out[4, col] = force[2] * Y - lever * (turned[1] + n[2] * (out[1, col] - change * n[1]))
        out[5, col], out[6, col], out[7, col] = gx * X, gx * Y + gy * X, gy * Y


@kernel
def plate_point(
    c: Rolling, face: PlateSurface, i: int, local: Floats, d: PlateLocal, out: Floats
) -> None:
    """C (8, 16) of a point, from the derivatives of its force by `slope_points`."""
    move_local(c, face, i, d)
    _forces(local, d, out)
    _loads(c, face, i, d, out)


@kernel
def _pull(c: Floats, jacobian: Floats, shapes: Floats, left: Floats) -> None:
    """Generalised forces J^T C (16, N): of the slave, then of the plate."""
    n, m = jacobian.shape[1], shapes.shape[1]
    for col in range(INPUTS):
        to = left[col]
        a, b, d = c[0, col], c[1, col], c[2, col]
        for j in range(n):
            to[j] = a * jacobian[0, j] + b * jacobian[1, j] + d * jacobian[2, j]
        x, y, xx, xy, yy = c[3, col], c[4, col], c[5, col], c[6, col], c[7, col]
        for j in range(m):
            bent = xx * shapes[3, j] + xy * shapes[4, j] + yy * shapes[5, j]
            to[n + j] = -(d * shapes[0, j] + x * shapes[1, j] + y * shapes[2, j] + bent)


@kernel
def plate_slopes(
    c: Rolling, face: PlateSurface, closed: Integers, local: Floats, jacobian: Floats,
    shapes: Floats, left: Floats, turned: Floats,
) -> None:  # fmt: skip
    """Derivatives of the generalised forces by the numbers of each closed point.

    Parameters
    ----------
    c, face
        The contact, and its plate.
    closed : (k,)
        Points that carry, or begin to.
    local : (p, 3, LOCAL)
        Derivatives of the forces, by `slope_points`.
    jacobian : (k, 3, n)
        That of the slave's points.
    shapes : (k, 3, m)
        They become value and slopes of the plate's shapes.
    left : (4, k, 3, N)
        They become J^T C by position, velocity, field and rate.
    turned : (N, 4)
        It becomes the sum of J^T C by the rotation of the slave and the angle of its spin.
    """
    d = PlateLocal(
        np.zeros((2, INPUTS)), np.zeros((3, INPUTS)), np.zeros((3, INPUTS)), np.zeros(INPUTS)
    )
    out, all_shapes = np.empty((OUTPUTS, INPUTS)), np.empty((6, shapes.shape[2]))
    pulled = np.empty((INPUTS, len(turned)))
    turned[:] = 0.0
    for k in range(len(closed)):
        i = closed[k]
        shapes_at(face.plate, face.projected[i, 0], face.projected[i, 1], all_shapes)
        plate_point(c, face, i, local[i], d, out)
        _pull(out, jacobian[k], all_shapes, pulled)
        for part in range(4):
            for row in range(3):
                left[part, k, row] = pulled[3 * part + row]
        for part in range(4):
            for j in range(len(turned)):
                turned[j, part] += pulled[TURN + part, j]
        shapes[k] = all_shapes[:3]
