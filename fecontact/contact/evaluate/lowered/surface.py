"""Surfaces under points of any body, as compiled programs see them: rigid ones, and plates.

Positions and velocities of the points (`body.lowered.points`) are known in space. A surface gives
normals, gaps and relative velocities (`see_surface`), takes the forces (`load_surface`), and knows
how both change (`differentiate_surface`). Its numbers begin with its kind,

    ON_RIGID, where those of its marker begin; its shape is that of the laws
    ON_PLATE, intervals, m, harmonics, speed, lever, size, then the arrays of `Plate`
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fecontact.body.lowered import (
    MAPS,
    OMEGA,
    POSITION,
    ROTATION,
    SPIN,
    VELOCITY,
    add_d_load,
    frame_size,
    marker_sizes,
    pack_marker,
    place_marker,
)
from fecontact.body.lowered.points import PointMaps, PointSpace, differentiate_points, pull_frame
from fecontact.contact.kernels.eulerian import LOCAL, Rolling
from fecontact.contact.kernels.lanes import lanes, use_lanes
from fecontact.contact.kernels.layout import BEND, BLOCK, GAP, N, Y
from fecontact.contact.kernels.motion import WIDTH
from fecontact.contact.kernels.plate.field import Plate, shapes_at
from fecontact.contact.kernels.plate.points import (
    PlateSurface,
    leave_plate,
    load_plate,
    locate_points,
)
from fecontact.contact.kernels.plate.tangents import INPUTS, OUTPUTS, PlateLocal, plate_point
from fecontact.contact.kernels.shapes import SPHERE, curvature, distance
from fecontact.contact.master.base import Master
from fecontact.contact.master.plate_face import PlateFace
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.kernels.arrays import after, integers, matrix, part
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import TIME, Packing, Record
from fecontact.kernels.memory import take, take_matrix
from fecontact.kernels.sums import add_one
from fecontact.kernels.vectors import Three, cross, three, turned, turned_back
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = [
    "SurfaceSpace",
    "differentiate_surface",
    "load_surface",
    "pack_surface",
    "see_surface",
    "surface_space",
    "surface_space_size",
]

ON_RIGID, ON_PLATE = range(2)
INTERVALS, SIZE, HARMONICS, SPEED, LEVER, EXTENT, TABLES = range(1, 8)
"""Numbers of a plate."""
B = BLOCK
NOTHING = (0.0, 0.0, 0.0)


class SurfaceSpace(NamedTuple):
    """Working space of a surface under p points, of a pair with N dofs.

    Attributes
    ----------
    frame, seat : (MAPS + 15 n,), (p, 3)
        Frame record of a rigid surface, and the points in its axes.
    moment, rates : (3, N)
        Change of the moment on it; relative velocity of a point by the velocities.
    load, slope : (6,), (3, 3)
        Its load; derivative of the force of a point by its position over the surface.
    by_q, by_v : (8, N)
        Change of the force of a point, and of what loads a plate.
    shapes, inputs : (6, m), (8 + 9, 16)
        Shapes of a plate at a point, and derivatives by its numbers.
    plate
        A plate.
    """

    frame: Floats
    seat: Floats
    moment: Floats
    rates: Floats
    load: Floats
    slope: Floats
    by_q: Floats
    by_v: Floats
    shapes: Floats
    inputs: Floats
    plate: PlateSurface


def pack_surface(packing: Packing, master: Master, extent: float) -> int | None:
    """Append the numbers of a surface; returns where they begin, None if it has no such form.

    `extent` is the largest coordinate of the points.
    """
    if isinstance(master, RigidFace):
        at = pack_marker(packing, master.marker)
        return None if at is None else packing.add([ON_RIGID, at])
    if not isinstance(master, PlateFace) or type(master) is not PlateFace:
        return None
    plate = master.plate
    intervals, m, _ = plate.cubics.shape
    harmonics = int(plate.harmonic.max(initial=0)) + 1
    start = packing.add([ON_PLATE, intervals, m, harmonics, plate.speed, plate.lever, extent])
    packing.extend([plate.breaks, plate.cubics])
    packing.extend(
        np.asarray(part, dtype=np.int64).view(float) for part in (plate.harmonic, plate.sine)
    )
    return start


def surface_space_size(pair: ContactPair) -> int:
    """Length of a `SurfaceSpace`."""
    own = len(pair.slave.dofs)
    n, points = sum(len(body.dofs) for body in pair.bodies), pair.points
    fixed = frame_size(n - own) + 3 * points + 6 * n + 15 + 16 * n + (OUTPUTS + 9) * INPUTS
    if not isinstance(pair.master, PlateFace):
        return fixed
    intervals, m, _ = pair.master.plate.cubics.shape
    harmonics = int(pair.master.plate.harmonic.max(initial=0)) + 1
    return fixed + 8 * m + 2 * points + 4 * intervals * harmonics * 8


@kernel(fastmath=True)
def _plate_of(
    p: Floats, at: int, points: int, kind: int, w: Floats
) -> tuple[PlateSurface, Floats]:
    """Plate in the parameters, with its working space; without numbers if there is none."""
    plated = kind == ON_PLATE
    intervals = int(p[at + INTERVALS]) if plated else 0
    m, harmonics = (int(p[at + SIZE]), int(p[at + HARMONICS])) if plated else (0, 0)
    speed, lever = (p[at + SPEED], p[at + LEVER]) if plated else (0.0, 0.0)
    extent = p[at + EXTENT] if plated else 0.0
    breaks, cubics = at + TABLES, at + TABLES + intervals + 1
    harmonic = cubics + 4 * intervals * m
    plate = Plate(
        part(p, breaks, intervals + 1), part(p, cubics, 4 * intervals * m).reshape((intervals, m, 4)),
        integers(p, harmonic, m), integers(p, harmonic + m, m), speed, lever,
    )  # fmt: skip
    size, shape = intervals * harmonics * 8, (intervals, harmonics, 2, 4)
    field, w = take(w, size)
    rate, w = take(w, size)
    drift, w = take(w, size)
    load, w = take(w, size)
    projected, w = take_matrix(w, points if plated else 0, 2)
    rolled, w = take(w, m)
    force, w = take(w, m)
    return PlateSurface(
        plate, extent, projected, field.reshape(shape), rate.reshape(shape), drift.reshape(shape),
        load.reshape(shape), rolled, force,
    ), w  # fmt: skip


@kernel(fastmath=True)
def surface_space(
    p: Floats, at: int, points: int, dofs: tuple[int, int], w: Floats
) -> tuple[SurfaceSpace, Floats]:
    """Working space of a surface with so many dofs, of a pair with so many, and what is behind."""
    kind, (own, n) = int(p[at]), dofs
    frame, w = take(w, MAPS + 15 * own)
    seat, w = take_matrix(w, points, 3)
    moment, w = take_matrix(w, 3, n)
    rates, w = take_matrix(w, 3, n)
    load, w = take(w, 6)
    slope, w = take_matrix(w, 3, 3)
    by_q, w = take_matrix(w, OUTPUTS, n)
    by_v, w = take_matrix(w, OUTPUTS, n)
    inputs, w = take_matrix(w, OUTPUTS + 9, INPUTS)
    plate, w = _plate_of(p, at, points, kind, w)
    shapes, w = take_matrix(w, 6, len(plate.force))
    return SurfaceSpace(
        frame, seat, moment, rates, load, slope, by_q, by_v, shapes, inputs, plate
    ), w


@kernel(fastmath=True, allocates=True, shared=True)
def see_surface(
    p: Floats, at: int, w: Record, sizes: tuple[int, int], c: Rolling, space: SurfaceSpace
) -> bool:
    """Normals, gaps and relative velocities of points whose positions and velocities are known.

    `sizes` are the numbers of coordinates and dofs of the slave. False if a point has no normal.
    """
    q, v = after(w.q, sizes[0]), after(w.v, sizes[1])
    if int(p[at]) == ON_RIGID:
        return _see_rigid(p, int(p[at + 1]), w.head[TIME], q, v, c, space)
    face = space.plate
    for i in range(len(c.points)):
        face.projected[i, 0], face.projected[i, 1] = c.position[i, 0], c.position[i, 1]
    if not locate_points(c, face, q):
        return False
    leave_plate(c, face, v)
    return True


@kernel(fastmath=True)
def _see_rigid(
    p: Floats, at: int, t: float, q: Floats, v: Floats, c: Rolling, space: SurfaceSpace
) -> bool:
    f, seat, w = space.frame, space.seat, after(c.work, WIDTH)
    place_marker(p, at, t, q, v, f)
    for k in range(3):
        f[OMEGA + k] += f[SPIN + k]
    omega = three(f, OMEGA)
    for first in range(0, len(seat), B):
        last = min(first + B, len(seat))
        for i in range(first, last):
            x = c.position[i]
            y = turned_back(f, ROTATION, (
                x[0] - f[POSITION], x[1] - f[POSITION + 1], x[2] - f[POSITION + 2],
            ))  # fmt: skip
            seat[i, 0], seat[i, 1], seat[i, 2] = y
            u = turned(f, ROTATION, cross(omega, y))
            for k in range(3):
                c.motion[0, i, k] -= f[VELOCITY + k] + u[k]
        if not _seat_block(c, first, last, seat, w):
            return False
        for i in range(first, last):
            n = turned(f, ROTATION, _row(w, N, i - first))
            c.normal[i, 0], c.normal[i, 1], c.normal[i, 2] = n
            c.distance[i] = w[GAP + i - first] + c.gap[i]
    return True


@kernel(fastmath=True)
def _row(w: Floats, at: int, i: int) -> Three:
    """Vector of a lane."""
    return w[at + i], w[at + B + i], w[at + 2 * B + i]


@kernel(fastmath=True)
def _seat_block(c: Rolling, first: int, last: int, seat: Floats, w: Floats) -> bool:
    """Distances and normals of a block of points in the axes of a rigid surface."""
    use_lanes(last - first, w)
    for i in range(lanes(w)):
        y = seat[min(first + i, last - 1)]
        w[Y + i], w[Y + B + i], w[Y + 2 * B + i] = y[0], y[1], y[2]
    good: bool = distance(c.laws.shape, c.laws.shape_par, w)
    return good


@kernel(fastmath=True, allocates=True, shared=True)
def load_surface(p: Floats, at: int, c: Rolling, space: SurfaceSpace, result: Floats) -> None:
    """Add the generalised force of -F on the surface."""
    if int(p[at]) == ON_PLATE:
        load_plate(c, space.plate)
        for k in range(len(space.plate.force)):
            result[k] -= space.plate.force[k]
        return
    f, load = space.frame, space.load
    for k in range(6):
        load[k] = 0.0
    for i in range(len(c.force)):
        F = three(c.force[i], 0)
        moment = cross(three(space.seat[i], 0), turned_back(f, ROTATION, F))
        for k in range(3):
            load[k], load[3 + k] = load[k] + F[k], load[3 + k] + moment[k]
    pull_frame(f, len(result), part(load, 0, 3), part(load, 3, 3), -1.0, result)


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
            _seat_block(c, first, last, space.seat, rows)
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
            for m in range(6):
                shape = -space.shapes[m, k]
                add_one(shape, rows[2 + m], w.by_q[n_s + k])
                add_one(shape, space.by_v[2 + m], w.by_v[n_s + k])


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
