"""Markers as compiled programs see them: numbers in, motion out.

The numbers of a marker begin with its kind and the sizes of its body,

    kind, n_q, n, then those of its kind        (`pack_marker`).

`place_marker` writes its motion into a frame record (`body.lowered.record`).
"""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np

from fecontact.body.lowered.elastic_marker import (
    add_d_elastic_load,
    pack_elastic,
    place_elastic,
)
from fecontact.body.lowered.frame import quaternion_rotation
from fecontact.body.lowered.record import ANGLE, MAPS, OMEGA, POSITION, ROTATION, SPIN, VELOCITY
from fecontact.body.marker import ElasticMarker, GroundMarker, HubMarker, Marker, RigidMarker
from fecontact.kernels.arrays import after, part
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import Packing
from fecontact.typing import Floats

__all__ = [
    "add_d_load",
    "marker_sizes",
    "pack_elastic_frame",
    "pack_marker",
    "place_marker",
    "spin_angle",
]

GROUND, RIGID, ELASTIC = range(3)
"""Kinds of markers: at rest, on a rigid body or hub, on an elastic body."""
AT = 3
"""Where the numbers of a kind begin."""

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
    if isinstance(marker, ElasticMarker):
        return pack_elastic(packing, marker, ELASTIC)
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


@kernel(fastmath=True, shared=True)
def place_marker(p: Floats, at: int, t: float, q: Floats, v: Floats, f: Floats) -> None:
    """Motion of a marker at time t and coordinates and velocities of its body."""
    k, n = at + AT, len(v)
    for i in range(MAPS + 15 * n):
        f[i] = 0.0
    kind = int(p[at])
    if kind == GROUND:
        for i in range(3):
            f[POSITION + i] = p[k + i]
        for i in range(9):
            f[ROTATION + i] = p[k + 3 + i]
    elif kind == RIGID:
        _place_rigid(p, k, n, q, v, f)
    else:
        place_elastic(p, k, t, q, v, f)


@kernel(fastmath=True)
def _place_rigid(p: Floats, k: int, n: int, q: Floats, v: Floats, f: Floats) -> None:
    a, b, c, own = int(p[k]), int(p[k + 1]), int(p[k + 2]), int(p[k + 4])
    moves, x, E = k + DIRECTIONS, k + POINT, k + FRAME
    axes = moves + 3 * a
    spin_axis = axes + 3 * b
    R = part(f, ROTATION, 9)
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
            own_axis = part(p, axes + j, 2 * b + 1)
            f[step + n * i + a + j] = _row_cross(R, i, X, Y, Z, own_axis, b)
            f[change + n * i + a + j] = _row_cross(R, i, u0, u1, u2, own_axis, b)
            f[step + n * (3 + i) + a + j] = (
                p[E + i] * own_axis[0] + p[E + 3 + i] * own_axis[b] + p[E + 6 + i] * own_axis[2 * b]
            )
            if b == 1:
                f[ANGLE + i] = f[step + n * (3 + i) + a] * q[a]
        if c:
            f[step + n * i + a + b] = _row_cross(R, i, X, Y, Z, after(p, spin_axis), 1)
            f[MAPS + 12 * n + n * i + own - 1] = p[E + 6 + i]
    _in_marker_axes(p, E, R)


@kernel(fastmath=True)
def _in_marker_axes(p: Floats, E: int, R: Floats) -> None:
    """R E in place."""
    for i in range(3):
        x, y, z = R[3 * i], R[3 * i + 1], R[3 * i + 2]
        for j in range(3):
            R[3 * i + j] = x * p[E + j] + y * p[E + 3 + j] + z * p[E + 6 + j]


@kernel(fastmath=True, shared=True)
def add_d_load(
    p: Floats, at: int, q: Floats, f: Floats, load: Floats, sign: float, first: int, by_q: Floats,
) -> None:  # fmt: skip
    """Add the derivative of interpolation^T (force, moment) along a step, at a fixed load (6,).

    `f` is the frame record of the marker, `first` where the dofs of its body begin in by_q.
    """
    kind = int(p[at])
    if kind == RIGID:
        _add_d_rigid_load(p, at + AT, q, load, sign, first, by_q)
    elif kind == ELASTIC:
        add_d_elastic_load(p, at + AT, f, load, sign, first, by_q)


@kernel(fastmath=True)
def _add_d_rigid_load(
    p: Floats, k: int, q: Floats, load: Floats, sign: float, first: int, by_q: Floats
) -> None:
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


@kernel(fastmath=True)
def spin_angle(p: Floats, at: int, t: float, q: Floats) -> float:
    """Angle about z of the material relative to the marker: a free spin, or a prescribed one."""
    if int(p[at]) != RIGID:
        return 0.0
    k = at + AT
    return q[int(p[k + 3]) - 1] if int(p[k + 2]) else t * p[k + 5]
