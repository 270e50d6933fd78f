"""Derivatives of contact forces on the surfaces of `seen_surface`, from those of the points."""

from __future__ import annotations

from fecontact.body.lowered import MAPS, OMEGA, ROTATION, add_d_load
from fecontact.body.lowered.moving_point_slopes import differentiate_points
from fecontact.body.lowered.moving_points import PointMaps, PointSpace
from fecontact.contact.evaluate.lowered.seen_surface import ON_PLATE, SurfaceSpace, seat_block
from fecontact.contact.kernels.eulerian import LOCAL, Rolling
from fecontact.contact.kernels.layout import BEND, BLOCK
from fecontact.contact.kernels.motion import WIDTH
from fecontact.contact.kernels.plate.field import shapes_at
from fecontact.contact.kernels.plate.tangents import (
    INPUTS,
    OUTPUTS,
    PlateLocal,
    move_local,
    plate_point,
)
from fecontact.contact.kernels.shapes import SPHERE, curvature
from fecontact.kernels.arrays import after, matrix, part
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import Record
from fecontact.kernels.vectors import Three, cross, three, turned, turned_back
from fecontact.typing import Floats

__all__ = ["by_changes", "change_of_point", "differentiate_surface", "start_changes"]

B = BLOCK
NOTHING = (0.0, 0.0, 0.0)


@kernel(fastmath=True, allocates=True, shared=True)
def differentiate_surface(
    p: Floats, at: tuple[int, int], w: Record, c: Rolling, local: Floats, free: int,
    points: tuple[PointSpace, PointMaps], space: SurfaceSpace,
) -> None:  # fmt: skip
    """Write the derivatives of all forces on slave and surface, but for those at fixed forces.

    That on the slave is left to its points; what turns a surface under its load is here.

    Parameters
    ----------
    at
        Where the numbers of the points of the slave, and of the surface, begin.
    local : (p, 3, LOCAL)
        Derivatives of the forces, by `slope_points`.
    free
        Number of the dof of a free spin of the slave, or -1.
    """
    w.by_q[:], w.by_v[:] = 0.0, 0.0
    if int(p[at[1]]) == ON_PLATE:
        _differentiate_plate(p, at[0], w, c, local, free, points, space)
    else:
        _differentiate_rigid(p, at, w, c, local, free, points, space)


@kernel(fastmath=True)
def _moves(local: Floats) -> bool:
    """Whether a force changes at all."""
    found = False
    for k in range(3):
        for j in range(LOCAL):
            found = found or local[k, j] != 0.0
    return found


@kernel(fastmath=True)
def _column(A: Floats, j: int) -> Three:
    return A[0, j], A[1, j], A[2, j]


@kernel(fastmath=True)
def _sum(a: Three, b: Three, c: Three) -> Three:
    return a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]


@kernel(fastmath=True)
def _mapped(f: Floats, n: int, row: int, j: int) -> Three:
    at = MAPS + row * n + j
    return f[at], f[at + n], f[at + 2 * n]


@kernel(fastmath=True)
def _add_products(rows: Floats, right: Floats, result: Floats) -> None:
    """Add rows^T right, both of three rows."""
    for i in range(rows.shape[1]):
        a, b, c, to = rows[0, i], rows[1, i], rows[2, i], result[i]
        x, y, z = right[0], right[1], right[2]
        for j in range(len(to)):
            to[j] += a * x[j] + b * y[j] + c * z[j]


@kernel(fastmath=True)
def by_changes(
    local: Floats, free: int, maps: PointMaps, changes: Floats, speeds: Floats,
    by_q: Floats, by_v: Floats,
) -> None:  # fmt: skip
    """Derivatives (rows, N) by the dofs of what changes with the local numbers, (rows, LOCAL).

    `changes` (7, N) are those of gap, normal and relative velocity by steps, `speeds` (7, N) those
    by velocities.
    """
    n_s = maps.turn.shape[1]
    for r in range(len(local)):
        by, of_q, of_v = local[r], by_q[r], by_v[r]
        for j in range(len(of_q)):
            total = by[0] * changes[0, j]
            for m in range(1, 7):
                total += by[m] * changes[m, j]
            of_q[j] = total
            of_v[j] = by[4] * speeds[4, j] + by[5] * speeds[5, j] + by[6] * speeds[6, j]
        for j in range(n_s):
            of_q[j] += by[7] * maps.turn[0, j] + by[8] * maps.turn[1, j] + by[9] * maps.turn[2, j]
        if free >= 0:
            of_q[free] += by[10]


@kernel(fastmath=True, allocates=True)
def start_changes(
    p: Floats, at: int, first: int, last: int, c: Rolling, space: SurfaceSpace
) -> None:
    """Prepare `change_of_point` for a block of points: the curvature of a rigid surface."""
    if int(p[at]) != ON_PLATE and c.laws.shape >= SPHERE:
        rows = after(c.work, WIDTH)
        seat_block(c, first, last, space.seat, rows)
        curvature(c.laws.shape, c.laws.shape_par, rows)


@kernel(fastmath=True, allocates=True, shared=True)
def change_of_point(
    p: Floats, at: int, i: int, c: Rolling, maps: PointMaps, space: SurfaceSpace
) -> None:
    """Write how gap, normal and relative velocity of a point change, to `changes` and `speeds`.

    Its own motion is in `maps`; on a plate the shapes there are left in `shapes`.
    """
    if int(p[at]) == ON_PLATE:
        face, rows = space.plate, space.inputs
        shapes_at(face.plate, face.projected[i, 0], face.projected[i, 1], space.shapes)
        move_local(c, face, i, _plate_local(rows))
        first = (OUTPUTS + 2) * INPUTS
        _map_inputs(matrix(rows, first, 7, INPUTS), -1, maps, space, space.changes, space.speeds)
    else:
        rows, bends = after(c.work, WIDTH), c.laws.shape >= SPHERE
        _change_on_rigid(three(c.normal[i], 0), i, bends, maps, space, rows)


@kernel(fastmath=True)
def _bent(bends: bool, lane: int, f: Floats, x: Three, w: Floats) -> Three:
    """Change n' x of the normal of a rigid surface, by the curvature in the rows of a lane."""
    if not bends:
        return NOTHING
    a, b, c = turned_back(f, ROTATION, x)
    xx, xy, xz = w[BEND + lane], w[BEND + B + lane], w[BEND + 2 * B + lane]
    yy, yz, zz = w[BEND + 3 * B + lane], w[BEND + 4 * B + lane], w[BEND + 5 * B + lane]
    return turned(f, ROTATION, (
        xx * a + xy * b + xz * c, xy * a + yy * b + yz * c, xz * a + yz * b + zz * c
    ))  # fmt: skip


@kernel(fastmath=True)
def _change_on_rigid(
    n: Three, i: int, bends: bool, maps: PointMaps, space: SurfaceSpace, w: Floats
) -> None:  # fmt: skip
    f, y, n_s = space.frame, three(space.seat[i], 0), maps.turn.shape[1]
    omega, normal = three(f, OMEGA), turned_back(f, ROTATION, n)
    n_m = space.steps.shape[1] - n_s
    for j in range(n_s + n_m):
        k, turn = j - n_s, NOTHING
        if k < 0:
            step, rate = _column(maps.displacement, j), _column(maps.jacobian, j)
            change = _column(maps.d_velocity, j)
        else:
            theta, spin = _mapped(f, n_m, 3, k), _mapped(f, n_m, 12, k)
            step = _carried(f, y, _mapped(f, n_m, 0, k), theta)
            rate = _carried(f, y, _mapped(f, n_m, 0, k), _sum(theta, spin, NOTHING))
            change = _carried(f, y, _mapped(f, n_m, 6, k), _mapped(f, n_m, 9, k))
            around = turned(f, ROTATION, cross(theta, cross(omega, y)))
            change = change[0] - around[0], change[1] - around[1], change[2] - around[2]
            turn = turned(f, ROTATION, cross(theta, normal))
        passed = turned(f, ROTATION, cross(omega, turned_back(f, ROTATION, step)))
        change = change[0] - passed[0], change[1] - passed[1], change[2] - passed[2]
        space.changes[0, j] = n[0] * step[0] + n[1] * step[1] + n[2] * step[2]
        tilt = _sum(turn, _bent(bends, i % B, f, step, w), NOTHING)
        for m in range(3):
            space.changes[1 + m, j], space.changes[4 + m, j] = tilt[m], change[m]
            space.speeds[4 + m, j], space.steps[m, j] = rate[m], step[m]


@kernel(fastmath=True, allocates=True)
def _differentiate_rigid(
    p: Floats, at: tuple[int, int], w: Record, c: Rolling, local: Floats, free: int,
    points: tuple[PointSpace, PointMaps], space: SurfaceSpace,
) -> None:  # fmt: skip
    (ps, maps), marker, n_s = points, int(p[at[1] + 1]), int(p[at[0] + 2])
    by_q, by_v = matrix(space.by_q, 0, 3, len(w.v)), matrix(space.by_v, 0, 3, len(w.v))
    rates = matrix(space.speeds, 4 * len(w.v), 3, len(w.v))
    space.moment[:] = 0.0
    for i in range(len(local)):
        if i % B == 0:
            start_changes(p, at[1], i, min(i + B, len(local)), c, space)
        if not _moves(local[i]):
            continue
        differentiate_points(p, at[0], i, w.v, ps, maps)
        change_of_point(p, at[1], i, c, maps, space)
        by_changes(local[i], free, maps, space.changes, space.speeds, by_q, by_v)
        _add_products(rates, by_q, w.by_q)
        _add_products(rates, by_v, w.by_v)
        _add_moments(three(c.force[i], 0), i, n_s, space)
    _turn_surface(space, w, n_s)
    q_m = after(w.q, int(p[at[0] + 1]))
    add_d_load(p, marker, q_m, space.frame, space.load, -1.0, n_s, w.by_q)


@kernel(fastmath=True)
def _add_moments(F: Three, i: int, n_s: int, space: SurfaceSpace) -> None:
    """Add the change of the moment of a force on a rigid surface, in its axes."""
    f, y, inner = space.frame, three(space.seat[i], 0), turned_back(space.frame, ROTATION, F)
    n_m = space.steps.shape[1] - n_s
    for j in range(n_s + n_m):
        arm = cross(turned_back(f, ROTATION, _column(space.steps, j)), inner)
        if j >= n_s:
            theta = _mapped(f, n_m, 3, j - n_s)
            arm = _sum(arm, cross(y, cross(inner, theta)), NOTHING)
        for k in range(3):
            space.moment[k, j] += arm[k]


@kernel(fastmath=True)
def _carried(f: Floats, y: Three, step: Three, turn: Three) -> Three:
    """Motion of a point relative to a surface that moves it by -(step + R (turn x y))."""
    moved = turned(f, ROTATION, cross(turn, y))
    return -step[0] - moved[0], -step[1] - moved[1], -step[2] - moved[2]


@kernel(fastmath=True)
def _turn_surface(space: SurfaceSpace, w: Record, n_s: int) -> None:
    """Add the change of the moment on the surface."""
    f, moment, n_m = space.frame, space.moment, len(w.v) - n_s
    for k in range(n_m):
        spun = _sum(_mapped(f, n_m, 3, k), _mapped(f, n_m, 12, k), NOTHING)
        for j in range(len(w.v)):
            w.by_q[n_s + k, j] -= (
                spun[0] * moment[0, j] + spun[1] * moment[1, j] + spun[2] * moment[2, j]
            )


@kernel(fastmath=True)
def _plate_local(inputs: Floats) -> PlateLocal:
    """Derivatives of projection point, gap, normal and velocity, behind those of the loads."""
    first = OUTPUTS * INPUTS
    return PlateLocal(
        matrix(inputs, first, 2, INPUTS), matrix(inputs, first + 3 * INPUTS, 3, INPUTS),
        matrix(inputs, first + 6 * INPUTS, 3, INPUTS), part(inputs, first + 2 * INPUTS, INPUTS),
    )  # fmt: skip


@kernel(fastmath=True, allocates=True)
def _differentiate_plate(
    p: Floats, at: int, w: Record, c: Rolling, local: Floats, free: int,
    points: tuple[PointSpace, PointMaps], space: SurfaceSpace,
) -> None:  # fmt: skip
    (ps, maps), face, inputs = points, space.plate, space.inputs
    inputs[:] = 0.0
    out, d = matrix(inputs, 0, OUTPUTS, INPUTS), _plate_local(inputs)
    n_s, rows = maps.jacobian.shape[1], space.by_q
    for i in range(len(local)):
        if not _moves(local[i]):
            continue
        differentiate_points(p, at, i, w.v, ps, maps)
        shapes_at(face.plate, face.projected[i, 0], face.projected[i, 1], space.shapes)
        plate_point(c, face, i, local[i], d, out)
        _map_inputs(out, free, maps, space, rows, space.by_v)
        _add_products(maps.jacobian, rows, w.by_q)
        _add_products(maps.jacobian, space.by_v, w.by_v)
        for k in range(len(face.force)):
            _add_six(space.shapes, k, rows, w.by_q[n_s + k])
            _add_six(space.shapes, k, space.by_v, w.by_v[n_s + k])


@kernel(fastmath=True)
def _add_six(shapes: Floats, k: int, rows: Floats, result: Floats) -> None:
    """Subtract what loads shape k by its value, slopes and curvatures; see `plate_point`."""
    a, b, c = shapes[0, k], shapes[1, k], shapes[2, k]
    d, e, f = shapes[3, k], shapes[4, k], shapes[5, k]
    x, y, z, u, v, t = rows[2], rows[3], rows[4], rows[5], rows[6], rows[7]
    for j in range(len(result)):
        result[j] -= (a * x[j] + b * y[j] + c * z[j]) + (d * u[j] + e * v[j] + f * t[j])


@kernel(fastmath=True)
def _map_inputs(
    inputs: Floats, free: int, maps: PointMaps, space: SurfaceSpace, by_q: Floats, by_v: Floats
) -> None:
    """Change (rows, N) by all dofs of what changes with the numbers of a point (rows, 16)."""
    n_s, plate, W = maps.jacobian.shape[1], space.plate.plate, space.shapes
    for r in range(len(inputs)):
        C, of_q, of_v = inputs[r], by_q[r], by_v[r]
        for j in range(n_s):
            change = C[15] if j == free else 0.0
            rate = 0.0
            for k in range(3):
                change += C[k] * maps.displacement[k, j] + C[3 + k] * maps.d_velocity[k, j]
                change += C[12 + k] * maps.turn[k, j]
                rate += C[3 + k] * maps.jacobian[k, j]
            of_q[j], of_v[j] = change, rate
        for k in range(W.shape[1]):
            of_q[n_s + k] = C[6] * W[0, k] + C[7] * W[1, k] + C[8] * W[2, k]
            of_v[n_s + k] = C[9] * W[0, k] + C[10] * W[1, k] + C[11] * W[2, k]
        for k in range(W.shape[1]):  # rates of the shapes by the spin of the plate
            around = plate.speed * plate.harmonic[k] * of_v[n_s + k]
            if plate.harmonic[k] == 0:
                continue
            if plate.sine[k]:
                of_q[n_s + k - 1] -= around
            else:
                of_q[n_s + k + 1] += around
