"""Markers and rigid bodies as compiled programs see them: numbers in, motion out.

The numbers of a marker begin with its kind and the sizes of its body,

    kind, n_q, n, then those of its kind        (`pack_marker`).

`place_marker` writes its motion into a frame record f of `frame_size` numbers: position, velocity,
rotation, omega, spin and angle as in `MarkerMotion`, then its maps (6, n), (6, n) and (3, n):
interpolation, its derivative, and that of the spin.
"""

from __future__ import annotations

from math import cos, sin, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from fecontact.body.marker import GroundMarker, HubMarker, Marker, RigidMarker
from fecontact.kernels.calls import viewed
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    LOST,
    PARAMETERS,
    POWERS,
    STORED,
    TANGENTS,
    Lowered,
    Packing,
    item_address,
    record,
)
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.body.rigid import RigidBody

__all__ = [
    "ANGLE",
    "MAPS",
    "OMEGA",
    "POSITION",
    "ROTATION",
    "SPIN",
    "VELOCITY",
    "add_d_load",
    "frame_size",
    "marker_sizes",
    "pack_elastic_frame",
    "pack_marker",
    "place_marker",
    "quaternion_rotation",
    "rigid_body",
]

GROUND, RIGID = range(2)
"""Kinds of markers: at rest, on a rigid body or hub."""
AT = 3
"""Where the numbers of a kind begin."""

POSITION, VELOCITY, ROTATION, OMEGA, SPIN, ANGLE, MAPS = 0, 3, 6, 15, 18, 21, 24
"""Where a frame record has what it says; rotations row by row."""

ORIGIN, POINT, FRAME, DIRECTIONS = 6, 9, 12, 21
"""Of a rigid marker: before the origin are the numbers of translations, rotations and spins, those
of coordinates and dofs of the rigid body alone, and the prescribed spin."""


def pack_marker(packing: Packing, marker: Marker) -> int | None:
    """Append the numbers of a marker; returns where they begin, None if it has no such form."""
    if isinstance(marker, GroundMarker):
        start = packing.add([GROUND, 0, 0])
        packing.extend([marker.home, marker.frame])
        return start
    if isinstance(marker, RigidMarker):
        return _pack_rigid(packing, marker, 0)
    if isinstance(marker, HubMarker):
        return _pack_rigid(packing, marker.rigid, marker.elastic)
    return None


def pack_elastic_frame(packing: Packing, free: bool, origin: Floats, modes: int) -> int:
    """Append the numbers of the frame of an elastic body, free or at rest; returns their place."""
    n_q, n, count = (7, 6, 3) if free else (0, 0, 0)
    start = packing.add([RIGID, n_q + modes, n + modes])
    packing.add([count, count, 0, n_q, n, 0.0])
    packing.extend([origin, np.zeros(3), np.eye(3)])
    packing.extend([np.eye(3)[:, :count], np.eye(3)[:, :count]])
    return start


def _pack_rigid(packing: Packing, marker: RigidMarker, elastic: int) -> int:
    body = marker.body
    a, b, c = (part.shape[1] for part in (body.directions, body.axes, body.spin_axis))
    n_q, n = len(body.reference()), len(body.dofs)
    start = packing.add([RIGID, n_q + elastic, n + elastic])
    packing.add([a, b, c, n_q, n, body.spin])
    packing.extend([body.origin, marker.point, marker.frame])
    packing.extend([body.directions, body.axes, body.spin_axis])
    return start


@kernel(fastmath=True)
def marker_sizes(p: Floats, at: int) -> tuple[int, int]:
    """Number of coordinates and of dofs of the body of a marker."""
    return int(p[at + 1]), int(p[at + 2])


def frame_size(n: int) -> int:
    """Length of the frame record of a marker on a body with n dofs."""
    return MAPS + 15 * n


@kernel(fastmath=True)
def quaternion_rotation(a: float, b: float, c: float, d: float, f: Floats) -> None:
    """Rotation matrix (9,) of a quaternion of any length."""
    k = 2.0 / (a * a + b * b + c * c + d * d)
    f[0], f[1], f[2] = 1.0 - k * (c * c + d * d), k * (b * c - a * d), k * (b * d + a * c)
    f[3], f[4], f[5] = k * (b * c + a * d), 1.0 - k * (b * b + d * d), k * (c * d - a * b)
    f[6], f[7], f[8] = k * (b * d - a * c), k * (c * d + a * b), 1.0 - k * (b * b + c * c)


@kernel(fastmath=True)
def _turned(p: Floats, k: int, a: int, b: int, q: Floats, R: Floats) -> None:
    """Rotation (9,) of a rigid body; `k` is where its axes begin."""
    if b == 0:
        for i in range(9):
            R[i] = 1.0 if i % 4 == 0 else 0.0
    elif b == 1:
        half = 0.5 * q[a]
        s = sin(half)
        quaternion_rotation(cos(half), s * p[k], s * p[k + 1], s * p[k + 2], R)
    else:
        quaternion_rotation(q[a], q[a + 1], q[a + 2], q[a + 3], R)


@kernel(fastmath=True)
def _row_cross(R: Floats, i: int, x: float, y: float, z: float, axis: Floats, step: int) -> float:
    """Component i of R (axis x (x, y, z)), with the components of the axis `step` apart."""
    u, v, w = axis[0], axis[step], axis[2 * step]
    r = 3 * i
    return R[r] * (v * z - w * y) + R[r + 1] * (w * x - u * z) + R[r + 2] * (u * y - v * x)


@kernel(fastmath=True)
def place_marker(p: Floats, at: int, q: Floats, v: Floats, f: Floats) -> None:
    """Motion of a marker at coordinates and velocities of its body."""
    k, n = at + AT, len(v)
    for i in range(MAPS + 15 * n):
        f[i] = 0.0
    if int(p[at]) == GROUND:
        for i in range(3):
            f[POSITION + i] = p[k + i]
        for i in range(9):
            f[ROTATION + i] = p[k + 3 + i]
        return
    _place_rigid(p, k, n, q, v, f)


@kernel(fastmath=True)
def _place_rigid(p: Floats, k: int, n: int, q: Floats, v: Floats, f: Floats) -> None:
    a, b, c, own = int(p[k]), int(p[k + 1]), int(p[k + 2]), int(p[k + 4])
    moves, x, E = k + DIRECTIONS, k + POINT, k + FRAME
    axes = moves + 3 * a
    spin_axis = axes + 3 * b
    R = f[ROTATION : ROTATION + 9]
    _turned(p, axes, a, b, q, R)
    spin = v[own - 1] if c else p[k + 5]
    w0 = w1 = w2 = 0.0
    for j in range(b):
        w0 += p[axes + j] * v[a + j]
        w1 += p[axes + b + j] * v[a + j]
        w2 += p[axes + 2 * b + j] * v[a + j]
    X, Y, Z = p[x], p[x + 1], p[x + 2]
    s2 = w2 + spin
    u0, u1, u2 = w1 * Z - s2 * Y, s2 * X - w0 * Z, w0 * Y - w1 * X  # velocity in the body
    step, change = MAPS, MAPS + 6 * n
    for i in range(3):
        f[POSITION + i] = p[k + ORIGIN + i] + R[3 * i] * X + R[3 * i + 1] * Y + R[3 * i + 2] * Z
        f[VELOCITY + i] = R[3 * i] * u0 + R[3 * i + 1] * u1 + R[3 * i + 2] * u2
        f[OMEGA + i] = p[E + i] * w0 + p[E + 3 + i] * w1 + p[E + 6 + i] * w2
        f[SPIN + i] = spin * p[E + 6 + i]
        for j in range(a):
            f[POSITION + i] += p[moves + a * i + j] * q[j]
            f[VELOCITY + i] += p[moves + a * i + j] * v[j]
            f[step + n * i + j] = p[moves + a * i + j]
        for j in range(b):
            own_axis = p[axes + j : axes + j + 2 * b + 1]
            f[step + n * i + a + j] = _row_cross(R, i, X, Y, Z, own_axis, b)
            f[change + n * i + a + j] = _row_cross(R, i, u0, u1, u2, own_axis, b)
            f[step + n * (3 + i) + a + j] = (
                p[E + i] * own_axis[0] + p[E + 3 + i] * own_axis[b] + p[E + 6 + i] * own_axis[2 * b]
            )
            if b == 1:
                f[ANGLE + i] = f[step + n * (3 + i) + a] * q[a]
        if c:
            f[step + n * i + a + b] = _row_cross(R, i, X, Y, Z, p[spin_axis:], 1)
            f[MAPS + 12 * n + n * i + own - 1] = p[E + 6 + i]
    _in_marker_axes(p, E, R)


@kernel(fastmath=True)
def _in_marker_axes(p: Floats, E: int, R: Floats) -> None:
    """R E in place."""
    for i in range(3):
        x, y, z = R[3 * i], R[3 * i + 1], R[3 * i + 2]
        for j in range(3):
            R[3 * i + j] = x * p[E + j] + y * p[E + 3 + j] + z * p[E + 6 + j]


@kernel(fastmath=True)
def add_d_load(
    p: Floats, at: int, q: Floats, v: Floats, load: Floats, sign: float, first: int, by_q: Floats,
) -> None:  # fmt: skip
    """Add the derivative of interpolation^T (force, moment) along a step, at a fixed load (6,).

    `first` is where the dofs of the body begin in by_q.
    """
    if int(p[at]) == GROUND:
        return
    k = at + AT
    a, b, c = int(p[k]), int(p[k + 1]), int(p[k + 2])
    moves, x = k + DIRECTIONS, k + POINT
    axes = moves + 3 * a
    X, Y, Z = p[x], p[x + 1], p[x + 2]
    if b == 0 or (X == 0.0 and Y == 0.0 and Z == 0.0):
        return
    f0, f1, f2 = _in_body(p, axes, a, b, q, load)
    for j in range(b):
        u, v0, t = p[axes + j], p[axes + b + j], p[axes + 2 * b + j]
        # X x (F x axis)
        g0, g1, g2 = f1 * t - f2 * v0, f2 * u - f0 * t, f0 * v0 - f1 * u
        h0, h1, h2 = Y * g2 - Z * g1, Z * g0 - X * g2, X * g1 - Y * g0
        for i in range(b):
            m = p[axes + i] * h0 + p[axes + b + i] * h1 + p[axes + 2 * b + i] * h2
            by_q[first + a + i, first + a + j] += sign * m
        if c:
            s = axes + 3 * b
            m = p[s] * h0 + p[s + 1] * h1 + p[s + 2] * h2
            by_q[first + a + b, first + a + j] += sign * m


@kernel(fastmath=True)
def _in_body(
    p: Floats, axes: int, a: int, b: int, q: Floats, load: Floats
) -> tuple[float, float, float]:
    """Force in the components of the body: R^T F, by rotating it back."""
    if b == 1:
        half = -0.5 * q[a]
        s, w = sin(half), cos(half)
        x, y, z = s * p[axes], s * p[axes + 1], s * p[axes + 2]
    else:
        scale = 1.0 / sqrt(q[a] ** 2 + q[a + 1] ** 2 + q[a + 2] ** 2 + q[a + 3] ** 2)
        w, x, y, z = scale * q[a], -scale * q[a + 1], -scale * q[a + 2], -scale * q[a + 3]
    f0, f1, f2 = load[0], load[1], load[2]
    c0, c1, c2 = y * f2 - z * f1 + w * f0, z * f0 - x * f2 + w * f1, x * f1 - y * f0 + w * f2
    return (
        f0 + 2.0 * (y * c2 - z * c1),
        f1 + 2.0 * (z * c0 - x * c2),
        f2 + 2.0 * (x * c1 - y * c0),
    )


def _rigid_body(pointer: Any, parameters: Any, task: float) -> float:
    """Gyroscopic moment -omega x (J omega + J_p Omega e_z) of a rigid body.

    Parameters: translations a, rotations b, spins c, prescribed spin, axes, spin axis, inertia.
    """
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    gyroscopic_moment(p, w.v, w.force, w.by_v, task == TANGENTS)
    if task == TANGENTS:
        for i in range(len(w.v)):
            for j in range(len(w.v)):
                w.by_q[i, j] = 0.0
    if task == POWERS:
        w.head[LOST], w.head[STORED] = 0.0, 0.0
    return 0.0


@kernel(fastmath=True)
def gyroscopic_moment(p: Floats, v: Floats, force: Floats, by_v: Floats, tangents: bool) -> None:
    """Moment H x omega with H = J omega + J_p Omega e_z, and its derivative by v."""
    n, a, b, c = len(v), int(p[2]), int(p[3]), int(p[4])
    axes, J = 6, 6 + 3 * (b + c)
    for i in range(n):
        force[i] = 0.0
        for j in range(n if tangents else 0):
            by_v[i, j] = 0.0
    if b == 0:
        return
    w0 = w1 = w2 = 0.0
    for j in range(b):
        w0 += p[axes + j] * v[a + j]
        w1 += p[axes + b + j] * v[a + j]
        w2 += p[axes + 2 * b + j] * v[a + j]
    h0 = p[J] * w0 + p[J + 1] * w1 + p[J + 2] * w2
    h1 = p[J + 3] * w0 + p[J + 4] * w1 + p[J + 5] * w2
    h2 = p[J + 6] * w0 + p[J + 7] * w1 + p[J + 8] * w2
    h2 += p[J + 8] * (v[n - 1] if c else p[5])
    m0, m1, m2 = h1 * w2 - h2 * w1, h2 * w0 - h0 * w2, h0 * w1 - h1 * w0
    for i in range(b):
        force[a + i] = p[axes + i] * m0 + p[axes + b + i] * m1 + p[axes + 2 * b + i] * m2
    if not tangents:
        return
    for j in range(b + c):
        if j < b:
            x, y, z = p[axes + j], p[axes + b + j], p[axes + 2 * b + j]
            d0 = p[J] * x + p[J + 1] * y + p[J + 2] * z
            d1 = p[J + 3] * x + p[J + 4] * y + p[J + 5] * z
            d2 = p[J + 6] * x + p[J + 7] * y + p[J + 8] * z
        else:
            x = y = z = 0.0
            d0, d1, d2 = p[J + 2], p[J + 5], p[J + 8]
        m0 = d1 * w2 - d2 * w1 + h1 * z - h2 * y
        m1 = d2 * w0 - d0 * w2 + h2 * x - h0 * z
        m2 = d0 * w1 - d1 * w0 + h0 * y - h1 * x
        column = a + j if j < b else n - 1
        for i in range(b):
            moment = p[axes + i] * m0 + p[axes + b + i] * m1 + p[axes + 2 * b + i] * m2
            by_v[a + i, column] = moment


def rigid_body(body: RigidBody, inertia: Floats, mass: Floats) -> Lowered:
    """A rigid body with its inertia tensor and mass matrix."""
    a, b, c = (part.shape[1] for part in (body.directions, body.axes, body.spin_axis))
    packing = Packing(len(body.reference()), len(body.dofs), a, b, c, body.spin)
    packing.extend([body.axes, body.spin_axis, inertia])
    return Lowered(item_address(_rigid_body), packing.numbers, mass=mass, timed=False)
