"""Surfaces under points of any body, as compiled programs see them: rigid ones, and plates.

Positions and velocities of the points (`body.lowered.moving_points`) are known in space. A surface
gives normals, gaps and relative velocities (`see_surface`), takes the forces (`load_surface`), and
knows how both change (`surface_slopes`). Its numbers begin with its kind,

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
    frame_size,
    pack_marker,
    place_marker,
)
from fecontact.body.lowered.moving_points import pull_frame
from fecontact.contact.kernels.eulerian import Rolling
from fecontact.contact.kernels.lanes import lanes, use_lanes
from fecontact.contact.kernels.layout import BLOCK, GAP, N, Y
from fecontact.contact.kernels.motion import WIDTH
from fecontact.contact.kernels.plate.field import Plate
from fecontact.contact.kernels.plate.points import (
    PlateSurface,
    leave_plate,
    load_plate,
    locate_points,
)
from fecontact.contact.kernels.plate.tangents import INPUTS, OUTPUTS
from fecontact.contact.kernels.shapes import distance
from fecontact.contact.master.base import Master
from fecontact.contact.master.plate_face import PlateFace
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.kernels.arrays import after, integers, part
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import TIME, Packing, Record
from fecontact.kernels.memory import take, take_matrix
from fecontact.kernels.vectors import Three, cross, three, turned, turned_back
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = [
    "ON_PLATE",
    "SurfaceSpace",
    "load_surface",
    "pack_surface",
    "seat_block",
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
    moment, steps : (3, N)
        Change of the moment on it; displacement of a point relative to it.
    changes, speeds : (7, N)
        Change of gap, normal and relative velocity of a point by steps, and by velocities.
    load : (6,)
        Its load.
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
    steps: Floats
    changes: Floats
    speeds: Floats
    load: Floats
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
    fixed = frame_size(n - own) + 3 * points + 20 * n + 6 + 16 * n + (OUTPUTS + 9) * INPUTS
    if not isinstance(pair.master, PlateFace):
        return fixed
    intervals, m, _ = pair.master.plate.cubics.shape
    harmonics = int(pair.master.plate.harmonic.max(initial=0)) + 1
    return fixed + 8 * m + 2 * points + 4 * intervals * harmonics * 8


@kernel(fastmath=True)
def _plate_of(p: Floats, at: int, points: int, kind: int, w: Floats) -> tuple[PlateSurface, Floats]:
    """Plate in the parameters, with its working space; without numbers if there is none."""
    plated = kind == ON_PLATE
    intervals = int(p[at + INTERVALS]) if plated else 0
    m, harmonics = (int(p[at + SIZE]), int(p[at + HARMONICS])) if plated else (0, 0)
    speed, lever = (p[at + SPEED], p[at + LEVER]) if plated else (0.0, 0.0)
    extent = p[at + EXTENT] if plated else 0.0
    breaks, cubics = at + TABLES, at + TABLES + intervals + 1
    harmonic = cubics + 4 * intervals * m
    tables = part(p, cubics, 4 * intervals * m).reshape((intervals, m, 4))
    plate = Plate(
        part(p, breaks, intervals + 1), tables,
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
    steps, w = take_matrix(w, 3, n)
    changes, w = take_matrix(w, 7, n)
    speeds, w = take_matrix(w, 7, n)
    load, w = take(w, 6)
    by_q, w = take_matrix(w, OUTPUTS, n)
    by_v, w = take_matrix(w, OUTPUTS, n)
    inputs, w = take_matrix(w, OUTPUTS + 9, INPUTS)
    plate, w = _plate_of(p, at, points, kind, w)
    shapes, w = take_matrix(w, 6, len(plate.force))
    return SurfaceSpace(
        frame, seat, moment, steps, changes, speeds, load, by_q, by_v, shapes, inputs, plate
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
        if not seat_block(c, first, last, seat, w):
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
def seat_block(c: Rolling, first: int, last: int, seat: Floats, w: Floats) -> bool:
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
