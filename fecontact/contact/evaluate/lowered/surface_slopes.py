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
from fecontact.contact.kernels.plate.tangents import INPUTS, OUTPUTS, PlateLocal, plate_point
from fecontact.contact.kernels.shapes import SPHERE, curvature
from fecontact.kernels.arrays import after, matrix, part
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import Record
from fecontact.kernels.vectors import Three, cross, three, turned, turned_back
from fecontact.typing import Floats

__all__ = ["differentiate_surface"]

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
def _times(A: Floats, at: int, x: Three) -> Three:
    """Three columns of A (3, ...), from the given one on, times x."""
    a, b, c = A[0], A[1], A[2]
    return (
        a[at] * x[0] + a[at + 1] * x[1] + a[at + 2] * x[2],
        b[at] * x[0] + b[at + 1] * x[1] + b[at + 2] * x[2],
        c[at] * x[0] + c[at + 1] * x[1] + c[at + 2] * x[2],
    )


@kernel(fastmath=True)
def _column(A: Floats, j: int) -> Three:
    return A[0, j], A[1, j], A[2, j]


@kernel(fastmath=True)
def _put(A: Floats, j: int, x: Three) -> None:
    A[0, j], A[1, j], A[2, j] = x


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
def _differentiate_rigid(
    p: Floats, at: tuple[int, int], w: Record, c: Rolling, local: Floats, free: int,
    points: tuple[PointSpace, PointMaps], space: SurfaceSpace,
) -> None:  # fmt: skip
    (ps, maps), rows = points, after(c.work, WIDTH)
    marker, moment, bends = int(p[at[1] + 1]), space.moment, c.laws.shape >= SPHERE
    q_s, n_s = int(p[at[0] + 1]), int(p[at[0] + 2])
    moment[:] = 0.0
    for first in range(0, len(space.seat), B):
        last = min(first + B, len(space.seat))
        if bends:
            seat_block(c, first, last, space.seat, rows)
            curvature(c.laws.shape, c.laws.shape_par, rows)
        for i in range(first, last):
            if not _moves(local[i]):
                continue
            differentiate_points(p, at[0], i, w.v, ps, maps)
            _slope_matrix(space, local[i], three(c.normal[i], 0), bends, i - first, rows)
            _point_on_rigid(
                local[i], three(c.force[i], 0), three(c.normal[i], 0), i, free, maps, space
            )
            _add_products(space.rates, space.by_q, w.by_q)
            _add_products(space.rates, space.by_v, w.by_v)
    _turn_surface(space, w, n_s)
    add_d_load(p, marker, after(w.q, q_s), space.frame, space.load, -1.0, n_s, w.by_q)


@kernel(fastmath=True)
def _slope_matrix(
    space: SurfaceSpace, local: Floats, n: Three, bends: bool, lane: int, w: Floats
) -> None:
    """Derivative (3, 3) by the position relative to the surface, at fixed velocities, to `slope`.

    A = f_g n^T + f_n n' - f_v omega~, with the curvature n' and the spin omega of the surface.
    """
    f, A = space.frame, space.slope
    for j in range(3):
        unit = 1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0
        inner = turned_back(f, ROTATION, unit)
        bent = 0.0, 0.0, 0.0
        if bends:
            xx, xy, xz = w[BEND + lane], w[BEND + B + lane], w[BEND + 2 * B + lane]
            yy, yz, zz = w[BEND + 3 * B + lane], w[BEND + 4 * B + lane], w[BEND + 5 * B + lane]
            x, y, z = inner
            bent = xx * x + xy * y + xz * z, xy * x + yy * y + yz * z, xz * x + yz * y + zz * z
            bent = turned(f, ROTATION, bent)
        carried = turned(f, ROTATION, cross(three(f, OMEGA), inner))
        for k in range(3):
            A[k, j] = local[k, 0] * n[j]
            for i in range(3):
                A[k, j] += local[k, 1 + i] * bent[i] - local[k, 4 + i] * carried[i]


@kernel(fastmath=True)
def _point_on_rigid(
    local: Floats, F: Three, n: Three, i: int, free: int, maps: PointMaps, space: SurfaceSpace
) -> None:  # fmt: skip
    """Change (3, N) of a force by steps and velocities, to `by_q` and `by_v`; and of the moment."""
    f, rates = space.frame, space.rates
    n_s, inner = maps.jacobian.shape[1], turned_back(f, ROTATION, F)
    n_m, y = rates.shape[1] - n_s, three(space.seat[i], 0)
    for j in range(n_s):
        step, spun = _column(maps.displacement, j), 1.0 if j == free else 0.0
        change = _sum(
            _times(space.slope, 0, step), _times(local, 4, _column(maps.d_velocity, j)),
            _times(local, 7, _column(maps.turn, j)),
        )  # fmt: skip
        _put(space.by_q, j, _sum(change, (
            spun * local[0, 10], spun * local[1, 10], spun * local[2, 10]
        ), NOTHING))  # fmt: skip
        _put(rates, j, _column(maps.jacobian, j))
        _add(space.moment, j, cross(turned_back(f, ROTATION, step), inner))
    for k in range(n_m):
        j, theta, spin = n_s + k, _mapped(f, n_m, 3, k), _mapped(f, n_m, 12, k)
        step = _carried(f, y, _mapped(f, n_m, 0, k), theta)
        rate = _carried(f, y, _mapped(f, n_m, 0, k), _sum(theta, spin, NOTHING))
        around = cross(theta, cross(three(f, OMEGA), y))
        change = _sum(
            _carried(f, y, _mapped(f, n_m, 6, k), _mapped(f, n_m, 9, k)),
            turned(f, ROTATION, (-around[0], -around[1], -around[2])), NOTHING,
        )  # fmt: skip
        normal = turned(f, ROTATION, cross(theta, turned_back(f, ROTATION, n)))
        _put(space.by_q, j, _sum(
            _times(space.slope, 0, step), _times(local, 4, change), _times(local, 1, normal),
        ))  # fmt: skip
        _put(rates, j, rate)
        arm = cross(turned_back(f, ROTATION, step), inner)
        _add(space.moment, j, _sum(arm, cross(y, cross(inner, theta)), NOTHING))
    for j in range(n_s + n_m):
        _put(space.by_v, j, _times(local, 4, _column(rates, j)))


@kernel(fastmath=True)
def _carried(f: Floats, y: Three, step: Three, turn: Three) -> Three:
    """Motion of a point relative to a surface that moves it by -(step + R (turn x y))."""
    moved = turned(f, ROTATION, cross(turn, y))
    return -step[0] - moved[0], -step[1] - moved[1], -step[2] - moved[2]


@kernel(fastmath=True)
def _add(A: Floats, j: int, x: Three) -> None:
    A[0, j] += x[0]
    A[1, j] += x[1]
    A[2, j] += x[2]


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


@kernel(fastmath=True, allocates=True)
def _differentiate_plate(
    p: Floats, at: int, w: Record, c: Rolling, local: Floats, free: int,
    points: tuple[PointSpace, PointMaps], space: SurfaceSpace,
) -> None:  # fmt: skip
    (ps, maps), face, inputs = points, space.plate, space.inputs
    inputs[:] = 0.0
    out = matrix(inputs, 0, OUTPUTS, INPUTS)
    d = PlateLocal(
        matrix(inputs, OUTPUTS * INPUTS, 2, INPUTS),
        matrix(inputs, (OUTPUTS + 2) * INPUTS, 3, INPUTS),
        matrix(inputs, (OUTPUTS + 5) * INPUTS, 3, INPUTS),
        part(inputs, (OUTPUTS + 8) * INPUTS, INPUTS),
    )
    n_s, rows = maps.jacobian.shape[1], space.by_q
    for i in range(len(local)):
        if not _moves(local[i]):
            continue
        differentiate_points(p, at, i, w.v, ps, maps)
        shapes_at(face.plate, face.projected[i, 0], face.projected[i, 1], space.shapes)
        plate_point(c, face, i, local[i], d, out)
        _point_on_plate(out, free, maps, space)
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
def _point_on_plate(out: Floats, free: int, maps: PointMaps, space: SurfaceSpace) -> None:
    """Change (8, N) of the force of a point, and of what loads the plate, by all dofs."""
    n_s, plate, W = maps.jacobian.shape[1], space.plate.plate, space.shapes
    for r in range(OUTPUTS):
        C, by_q, by_v = out[r], space.by_q[r], space.by_v[r]
        for j in range(n_s):
            change = C[15] if j == free else 0.0
            rate = 0.0
            for k in range(3):
                change += C[k] * maps.displacement[k, j] + C[3 + k] * maps.d_velocity[k, j]
                change += C[12 + k] * maps.turn[k, j]
                rate += C[3 + k] * maps.jacobian[k, j]
            by_q[j], by_v[j] = change, rate
        for k in range(W.shape[1]):
            by_q[n_s + k] = C[6] * W[0, k] + C[7] * W[1, k] + C[8] * W[2, k]
            by_v[n_s + k] = C[9] * W[0, k] + C[10] * W[1, k] + C[11] * W[2, k]
        for k in range(W.shape[1]):  # rates of the shapes by the spin of the plate
            around = plate.speed * plate.harmonic[k] * by_v[n_s + k]
            if plate.harmonic[k] == 0:
                continue
            if plate.sine[k]:
                by_q[n_s + k - 1] -= around
            else:
                by_q[n_s + k + 1] += around
