"""Points of a body as compiled programs see them: their motion, its derivatives, and their loads.

The points move with shapes in a frame, or are those of the lower face of a disc that spins
(`body.points.disc_points`). Numbers of the points begin with

    kind, n_q, n, m, spin, free, ...       m shapes; spin in rad/s if it is prescribed;
                                           number of the dof of a free one, else -1

Vectors of points are in space. The motion is divided into that by v and that by a prescribed spin.
"""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from fecontact.body.lowered.marker import place_marker
from fecontact.body.lowered.record import MAPS, OMEGA, POSITION, ROTATION, SPIN, VELOCITY
from fecontact.kernels.arrays import after, part
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import Packing
from fecontact.kernels.memory import take, take_matrix
from fecontact.kernels.sums import dot_rows
from fecontact.kernels.vectors import Three, cross, three, turned, turned_back
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.reduction.harmonic import HarmonicModel, PlateShapes

__all__ = [
    "AT_FRAME",
    "FREE",
    "LEVER",
    "MODES",
    "ON_DISC",
    "SHAPES",
    "SPEED",
    "SPINS",
    "PointMaps",
    "PointSpace",
    "add_point_loads",
    "face_motion",
    "move_points",
    "pack_disc_points",
    "pack_frame_points",
    "point_frame",
    "point_space",
    "point_space_size",
    "pull_frame",
    "spin_of_points",
]

IN_FRAME, ON_DISC = range(2)
"""Kinds of points."""
MODES, SPEED, FREE, AT_FRAME, SHAPES = 3, 4, 5, 6, 7
LEVER = AT_FRAME
"""Where the numbers have what they say; of a disc the lever stands in place of the frame."""
SPINS = 12
"""Row of the maps of a frame record where those of the spin begin."""


class PointSpace(NamedTuple):
    """Working space of p points of a body with n dofs.

    Attributes
    ----------
    frame
        Frame record of the body.
    local, speed : (p, 3)
        Positions and velocities in the frame; of a disc relative to its hub, and normals.
    bent : (3 + m, 3 + m)
        Change of the loads in the frame by its rotation and by the m shapes.
    rows : (2, n)
        Rolled coordinates and rates of a disc.
    load : (6 + m,)
        Force in space, moment in the frame, and loads of the shapes.
    """

    frame: Floats
    local: Floats
    speed: Floats
    bent: Floats
    rows: Floats
    load: Floats


class PointMaps(NamedTuple):
    """Derivatives (3, n) of a point of a body: see `PointMotion`, and the rotation of its frame."""

    displacement: Floats
    jacobian: Floats
    d_velocity: Floats
    turn: Floats


def point_space_size(points: int, n: int, modes: int) -> int:
    """Length of a `PointSpace` with its `PointMaps`."""
    return MAPS + 15 * n + 6 * points + (3 + modes) ** 2 + 2 * n + 6 + modes + 12 * n


def pack_frame_points(packing: Packing, at_frame: int, spin: float, shapes: Floats) -> int:
    """Append the numbers of points with shapes (p, 3, m) in a frame; returns where they begin.

    A free spin is the last dof of the frame.
    """
    n_q, n = (int(packing.numbers[at_frame + i]) for i in (1, 2))
    free = n - 1 if np.isnan(spin) else -1
    given = 0.0 if np.isnan(spin) else spin
    start = packing.add([IN_FRAME, n_q, n, shapes.shape[2], given, free, at_frame])
    packing.add(shapes)
    return start


def pack_disc_points(
    packing: Packing, model: HarmonicModel, first: int, speed: float, free: bool,
    shapes: PlateShapes,
) -> int:  # fmt: skip
    """Append the numbers of points of the lower face of a disc, whose dofs come after `first`."""
    size = first + model.size
    lever = -0.5 * model.plate.thickness
    _, _, harmonic, sine = model.radial_tables
    start = packing.add(
        [ON_DISC, size, size, model.size, 0.0 if free else speed, first - 1 if free else -1, lever]
    )
    packing.extend([np.where(sine == 1, -harmonic, harmonic), shapes.value, shapes.gradient])
    return start


@kernel(fastmath=True)
def point_space(p: Floats, at: int, points: int, w: Floats) -> tuple[PointSpace, PointMaps, Floats]:
    """Working space, and the memory behind it."""
    n, m = int(p[at + 2]), int(p[at + MODES])
    frame, w = take(w, MAPS + 15 * n)
    local, w = take_matrix(w, points, 3)
    speed, w = take_matrix(w, points, 3)
    bent, w = take_matrix(w, 3 + m, 3 + m)
    rows, w = take_matrix(w, 2, n)
    load, w = take(w, 6 + m)
    displacement, w = take_matrix(w, 3, n)
    jacobian, w = take_matrix(w, 3, n)
    d_velocity, w = take_matrix(w, 3, n)
    turn, w = take_matrix(w, 3, n)
    maps = PointMaps(displacement, jacobian, d_velocity, turn)
    return PointSpace(frame, local, speed, bent, rows, load), maps, w


@kernel(fastmath=True)
def spin_of_points(p: Floats, at: int, t: float, q: Floats, v: Floats) -> tuple[float, float, int]:
    """Spin of the material in rad/s, its angle in rad, and the number of its dof, or -1."""
    free = int(p[at + FREE])
    if free < 0:
        return p[at + SPEED], p[at + SPEED] * t, free
    # a free spin is a coordinate of its own; rotations of four numbers come before it
    return v[free], q[free + len(q) - len(v)], free


@kernel(fastmath=True)
def point_frame(p: Floats, at: int, space: PointSpace, R: Floats) -> None:
    """Rotation (3, 3) of the axes in which the history of the points is kept."""
    for i in range(3):
        for j in range(3):
            if int(p[at]) == ON_DISC:
                R[i, j] = 1.0 if i == j else 0.0
            else:
                R[i, j] = space.frame[ROTATION + 3 * i + j]


@kernel(fastmath=True, shared=True)
def move_points(
    p: Floats, at: int, t: float, q: Floats, v: Floats, points: Floats, space: PointSpace,
    position: Floats, seen: Floats, spun: Floats,
) -> None:  # fmt: skip
    """Positions (p, 3) in space, velocities by v, and by a prescribed spin.

    `points` are the positions in the body at rest.
    """
    if int(p[at]) == ON_DISC:
        _move_on_disc(p, at, q, v, points, space, position, seen, spun)
    else:
        _move_in_frame(p, at, t, q, v, points, space, position, seen, spun)


@kernel(fastmath=True)
def _move_in_frame(
    p: Floats, at: int, t: float, q: Floats, v: Floats, points: Floats, space: PointSpace,
    position: Floats, seen: Floats, spun: Floats,
) -> None:  # fmt: skip
    f, m, spin = space.frame, int(p[at + MODES]), p[at + SPEED]
    place_marker(p, int(p[at + AT_FRAME]), t, q, v, f)
    e, rate, Phi = after(q, len(q) - m), after(v, len(v) - m), at + SHAPES
    for i in range(3):
        f[OMEGA + i] += f[SPIN + i]
    omega = f[OMEGA], f[OMEGA + 1], f[OMEGA + 2] - spin
    for i in range(len(points)):
        X, V = space.local[i], space.speed[i]
        for k in range(3):
            row = part(p, Phi + (3 * i + k) * m, m)
            X[k] = points[i, k] + dot_rows(row, e)
            V[k] = dot_rows(row, rate)
        x = X[0], X[1], X[2]
        lever, place = cross(omega, x), turned(f, ROTATION, x)
        u = turned(f, ROTATION, (lever[0] + V[0], lever[1] + V[1], lever[2] + V[2]))
        s = turned(f, ROTATION, (-spin * x[1], spin * x[0], 0.0))
        for k in range(3):
            position[i, k] = f[POSITION + k] + place[k]
            seen[i, k], spun[i, k] = f[VELOCITY + k] + u[k], s[k]
        V[0], V[1], V[2] = (
            V[0] - spin * x[1] + lever[0],
            V[1] + spin * x[0] + lever[1],
            V[2] + lever[2],
        )


@kernel(fastmath=True)
def _rolled(p: Floats, at: int, q: Floats, first: int, result: Floats) -> None:
    """Delta q: cosine and sine of a harmonic are neighbours."""
    m, k = int(p[at + MODES]), at + SHAPES
    for i in range(m):
        around = p[k + i]
        if around == 0.0:
            result[i] = 0.0
        else:
            result[i] = around * q[first + i + (1 if around > 0.0 else -1)]


@kernel(fastmath=True)
def _move_on_disc(
    p: Floats, at: int, q: Floats, v: Floats, points: Floats, space: PointSpace,
    position: Floats, seen: Floats, spun: Floats,
) -> None:  # fmt: skip
    """Kirchhoff's plate: Phi (q' + Omega Delta q) + Omega e_z x x; the normals go to `speed`."""
    m, free, lever = int(p[at + MODES]), int(p[at + FREE]), p[at + LEVER]
    first, value = len(q) - m, at + SHAPES + m
    gradient, rolled = value + m * len(points), space.rows[0]
    w, rate = after(q, first), after(v, first)
    _rolled(p, at, q, first, rolled)
    turning = v[free] if free >= 0 else 0.0
    for i in range(len(points)):
        W, slope_x = part(p, value + m * i, m), part(p, gradient + 2 * m * i, m)
        slope_y = part(p, gradient + 2 * m * i + m, m)
        wx, wy = dot_rows(slope_x, w), dot_rows(slope_y, w)
        n2 = 1.0 / sqrt(1.0 + wx * wx + wy * wy)
        n = -wx * n2, -wy * n2, n2
        X = space.local[i]
        X[0], X[1] = points[i, 0] + lever * n[0], points[i, 1] + lever * n[1]
        X[2] = points[i, 2] + lever * (n2 - 1.0) + dot_rows(W, w)
        a = dot_rows(W, rate), dot_rows(slope_x, rate), dot_rows(slope_y, rate)
        b = dot_rows(W, rolled), dot_rows(slope_x, rolled), dot_rows(slope_y, rolled)
        moved, carried = face_motion(n, lever, a), face_motion(n, lever, b)
        carried = carried[0] - X[1], carried[1] + X[0], carried[2]
        for k in range(3):
            hub, fast = (q[k], v[k]) if first > 0 else (0.0, 0.0)
            position[i, k], space.speed[i, k] = hub + X[k], n[k]
            seen[i, k] = fast + moved[k] + turning * carried[k]
            spun[i, k] = p[at + SPEED] * carried[k]


@kernel(fastmath=True)
def face_motion(n: Three, lever: float, bent: Three) -> Three:
    """Displacement W e_z - lever n_z (I - n n^T) grad W of the face, by value and slopes of W."""
    along, factor = n[0] * bent[1] + n[1] * bent[2], -lever * n[2]
    return (
        factor * (bent[1] - along * n[0]),
        factor * (bent[2] - along * n[1]),
        bent[0] - factor * along * n[2],
    )


@kernel(fastmath=True)
def pull_frame(f: Floats, n: int, F: Floats, moment: Floats, sign: float, force: Floats) -> None:
    """Add the generalised force of a force in space and a moment in the axes of a frame record."""
    for c in range(6):
        load = sign * (F[c] if c < 3 else moment[c - 3])
        for j in range(n):
            force[j] += load * f[MAPS + n * c + j]
        if c >= 3:
            for j in range(n):
                force[j] += load * f[MAPS + SPINS * n + n * (c - 3) + j]


@kernel(fastmath=True, shared=True)
def add_point_loads(p: Floats, at: int, space: PointSpace, forces: Floats, result: Floats) -> None:
    """Add the generalised force (n,) of forces (p, 3) in space, and keep its parts in `load`."""
    m, n, load, count = int(p[at + MODES]), int(p[at + 2]), space.load, len(forces)
    disc, f = int(p[at]) == ON_DISC, space.frame
    for k in range(6 + m):
        load[k] = 0.0
    for i in range(count):
        F, X = three(forces[i], 0), three(space.local[i], 0)
        if F[0] == 0.0 and F[1] == 0.0 and F[2] == 0.0:
            continue
        local = F if disc else turned_back(f, ROTATION, F)
        moment = cross(X, local)
        for k in range(3):
            load[k], load[3 + k] = load[k] + F[k], load[3 + k] + moment[k]
        if disc:
            value, lever = at + SHAPES + m, p[at + LEVER]
            gradient = value + m * count + 2 * m * i
            normal = three(space.speed[i], 0)
            along, factor = (
                normal[0] * F[0] + normal[1] * F[1] + normal[2] * F[2],
                -lever * normal[2],
            )
            gx, gy = factor * (F[0] - along * normal[0]), factor * (F[1] - along * normal[1])
            for k in range(m):
                load[6 + k] += p[value + m * i + k] * F[2]
                load[6 + k] += gx * p[gradient + k] + gy * p[gradient + m + k]
        else:
            Phi = at + SHAPES + 3 * i * m
            for k in range(m):
                bent = (
                    local[0] * p[Phi + k]
                    + local[1] * p[Phi + m + k]
                    + local[2] * p[Phi + 2 * m + k]
                )
                load[6 + k] += bent
    for k in range(m):
        result[n - m + k] += load[6 + k]
    if not disc:
        pull_frame(f, n, part(load, 0, 3), part(load, 3, 3), 1.0, result)
    elif n > m:
        free = int(p[at + FREE])
        for k in range(3):
            result[k] += load[k]
        if free >= 0:
            result[free] += load[5]
            for k in range(m):
                result[free] += load[6 + k] * space.rows[0, k]
