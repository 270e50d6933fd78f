"""Derivatives of the motion of points of a body, and of their loads (`moving_points`)."""

from __future__ import annotations

from fecontact.body.lowered.marker import add_d_load
from fecontact.body.lowered.moving_points import (
    AT_FRAME,
    FREE,
    LEVER,
    MODES,
    ON_DISC,
    SHAPES,
    SPEED,
    SPINS,
    PointMaps,
    PointSpace,
    face_motion,
)
from fecontact.body.lowered.record import MAPS, OMEGA, ROTATION
from fecontact.kernels.arrays import part
from fecontact.kernels.decorators import kernel
from fecontact.kernels.vectors import Three, cross, dot, three, turned, turned_back
from fecontact.typing import Floats

__all__ = ["differentiate_loads", "differentiate_points"]

STEPS, CHANGES = 0, 6
"""Rows of the maps of a frame record."""


@kernel(fastmath=True)
def _put(A: Floats, j: int, x: Three) -> None:
    A[0, j], A[1, j], A[2, j] = x


@kernel(fastmath=True)
def _mapped(f: Floats, n: int, row: int, j: int) -> Three:
    """Column j of three rows of the maps of a frame record."""
    at = MAPS + row * n + j
    return f[at], f[at + n], f[at + 2 * n]


@kernel(fastmath=True)
def _plus(a: Three, b: Three) -> Three:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel(fastmath=True, shared=True)
def differentiate_points(
    p: Floats, at: int, i: int, v: Floats, space: PointSpace, maps: PointMaps
) -> None:
    """Derivatives of the motion of point i, after `move_points`."""
    if int(p[at]) == ON_DISC:
        _differentiate_on_disc(p, at, i, v, space, maps)
        return
    f, m, n = space.frame, int(p[at + MODES]), int(p[at + 2])
    x, u, omega = three(space.local[i], 0), three(space.speed[i], 0), three(f, OMEGA)
    Phi = at + SHAPES + 3 * i * m
    for j in range(n):
        theta = _mapped(f, n, STEPS + 3, j)
        material = _plus(theta, _mapped(f, n, SPINS, j))
        step, change = _mapped(f, n, STEPS, j), _mapped(f, n, CHANGES, j)
        moved, rate = cross(theta, x), cross(material, x)
        carried = _plus(cross(_mapped(f, n, CHANGES + 3, j), x), cross(theta, u))
        k = j - (n - m)
        if k >= 0:
            shape = p[Phi + k], p[Phi + m + k], p[Phi + 2 * m + k]
            moved, rate = _plus(moved, shape), _plus(rate, shape)
            carried = _plus(carried, cross(omega, shape))
        _put(maps.displacement, j, _plus(step, turned(f, ROTATION, moved)))
        _put(maps.jacobian, j, _plus(step, turned(f, ROTATION, rate)))
        _put(maps.d_velocity, j, _plus(change, turned(f, ROTATION, carried)))
        _put(maps.turn, j, turned(f, ROTATION, theta))


@kernel(fastmath=True)
def _tilted(n: Three, d_n: Three, a: Three) -> Three:
    """Derivative of n_z (I - n n^T) a at a fixed vector a."""
    along = n[0] * a[0] + n[1] * a[1] + n[2] * a[2]
    turn = d_n[0] * a[0] + d_n[1] * a[1] + d_n[2] * a[2]
    return (
        d_n[2] * (a[0] - along * n[0]) - n[2] * (d_n[0] * along + n[0] * turn),
        d_n[2] * (a[1] - along * n[1]) - n[2] * (d_n[1] * along + n[1] * turn),
        d_n[2] * (a[2] - along * n[2]) - n[2] * (d_n[2] * along + n[2] * turn),
    )


@kernel(fastmath=True)
def _d_normal(n: Three, gx: float, gy: float) -> Three:
    """Change of the normal of a face with the slopes: -n_z (I - n n^T) grad W."""
    along = n[0] * gx + n[1] * gy
    return -n[2] * (gx - along * n[0]), -n[2] * (gy - along * n[1]), n[2] * along * n[2]


@kernel(fastmath=True)
def _differentiate_on_disc(
    p: Floats, at: int, i: int, v: Floats, space: PointSpace, maps: PointMaps
) -> None:
    m, n, free, lever = int(p[at + MODES]), int(p[at + 2]), int(p[at + FREE]), p[at + LEVER]
    first, around, value = n - m, at + SHAPES, at + SHAPES + m
    slopes = value + m * len(space.local) + 2 * m * i
    value += m * i
    Omega = p[at + SPEED] if free < 0 else v[free]
    normal, rolled = three(space.speed[i], 0), space.rows[0]
    ux = uy = 0.0
    for k in range(m):
        rate = v[first + k] + Omega * rolled[k]
        ux, uy = ux + p[slopes + k] * rate, uy + p[slopes + m + k] * rate
    for j in range(first):
        unit = 1.0 if j == 0 else 0.0, 1.0 if j == 1 else 0.0, 1.0 if j == 2 else 0.0
        _put(maps.displacement, j, unit)
        _put(maps.jacobian, j, unit)
    for j in range(n):
        _put(maps.d_velocity, j, (0.0, 0.0, 0.0))
        _put(maps.turn, j, (0.0, 0.0, 0.0))
    turn = -space.local[i, 1], space.local[i, 0], 0.0
    for k in range(m):
        gx, gy = p[slopes + k], p[slopes + m + k]
        shape = face_motion(normal, lever, (p[value + k], gx, gy))
        _put(maps.displacement, first + k, shape)
        _put(maps.jacobian, first + k, shape)
        bent = _tilted(normal, _d_normal(normal, gx, gy), (ux, uy, 0.0))
        _add(maps.d_velocity, first + k, (
            -lever * bent[0] - Omega * shape[1], -lever * bent[1] + Omega * shape[0],
            -lever * bent[2],
        ))  # fmt: skip
        other = p[around + k]  # (Phi Delta): row k of Delta has one number
        if other != 0.0:
            by = Omega * other
            _add(maps.d_velocity, first + k + (1 if other > 0.0 else -1), (
                by * shape[0], by * shape[1], by * shape[2],
            ))  # fmt: skip
        turn = (
            turn[0] + shape[0] * rolled[k], turn[1] + shape[1] * rolled[k],
            turn[2] + shape[2] * rolled[k],
        )  # fmt: skip
    if free >= 0:
        _put(maps.jacobian, free, turn)


@kernel(fastmath=True)
def _add(A: Floats, j: int, x: Three) -> None:
    A[0, j] += x[0]
    A[1, j] += x[1]
    A[2, j] += x[2]


@kernel(fastmath=True, shared=True)
def differentiate_loads(
    p: Floats, at: int, q: Floats, v: Floats, space: PointSpace, maps: PointMaps, forces: Floats,
    by_q: Floats,
) -> None:  # fmt: skip
    """Add the derivative of the generalised force along a step at fixed forces.

    It comes after `add_point_loads`; rows and columns of the body are the first of `by_q`.
    """
    if int(p[at]) == ON_DISC:
        _d_disc_loads(p, at, space, forces, by_q)
        return
    f, m, n, bent = space.frame, int(p[at + MODES]), int(p[at + 2]), space.bent
    bent[:] = 0.0
    for i in range(len(forces)):
        F = three(forces[i], 0)
        if F[0] == 0.0 and F[1] == 0.0 and F[2] == 0.0:
            continue
        x, local, Phi = (
            three(space.local[i], 0),
            turned_back(f, ROTATION, F),
            at + SHAPES + 3 * i * m,
        )
        for a in range(3):
            unit = 1.0 if a == 0 else 0.0, 1.0 if a == 1 else 0.0, 1.0 if a == 2 else 0.0
            back = cross(local, unit)
            _add(bent, a, cross(x, back))
            for k in range(m):
                shape = p[Phi + k], p[Phi + m + k], p[Phi + 2 * m + k]
                bent[3 + k, a] += dot(shape, back)
        for k in range(m):
            _add(bent, 3 + k, cross((p[Phi + k], p[Phi + m + k], p[Phi + 2 * m + k]), local))
    _map_bent(f, m, n, bent, maps.turn, by_q)
    add_d_load(p, int(p[at + AT_FRAME]), q, f, part(space.load, 0, 6), 1.0, 0, by_q)


@kernel(fastmath=True)
def _map_bent(f: Floats, m: int, n: int, bent: Floats, rows: Floats, by_q: Floats) -> None:
    """Take the change of the loads in the frame to the dofs; `rows` (3, n) is working space."""
    for a in range(3):
        for j in range(n):
            theta = _mapped(f, n, STEPS + 3, j)
            rows[a, j] = bent[a, 0] * theta[0] + bent[a, 1] * theta[1] + bent[a, 2] * theta[2]
        for k in range(m):
            rows[a, n - m + k] += bent[a, 3 + k]
    for i in range(n):
        pull = _plus(_mapped(f, n, STEPS + 3, i), _mapped(f, n, SPINS, i))
        if pull[0] != 0.0 or pull[1] != 0.0 or pull[2] != 0.0:
            for j in range(n):
                by_q[i, j] += pull[0] * rows[0, j] + pull[1] * rows[1, j] + pull[2] * rows[2, j]
    for k in range(m):
        for j in range(n):
            theta = _mapped(f, n, STEPS + 3, j)
            own = bent[3 + k]
            by_q[n - m + k, j] += own[0] * theta[0] + own[1] * theta[1] + own[2] * theta[2]


@kernel(fastmath=True)
def _d_disc_loads(p: Floats, at: int, space: PointSpace, forces: Floats, by_q: Floats) -> None:
    m, n, free, lever = int(p[at + MODES]), int(p[at + 2]), int(p[at + FREE]), p[at + LEVER]
    first, around, rolled = n - m, at + SHAPES, space.rows[0]
    gradient = at + SHAPES + m + m * len(forces)
    for i in range(len(forces)):
        F, normal = three(forces[i], 0), three(space.speed[i], 0)
        if F[0] == 0.0 and F[1] == 0.0 and F[2] == 0.0:
            continue
        slopes = gradient + 2 * m * i
        ux = uy = 0.0
        for k in range(m):
            ux, uy = ux + p[slopes + k] * rolled[k], uy + p[slopes + m + k] * rolled[k]
        for j in range(m):
            gx, gy = p[slopes + j], p[slopes + m + j]
            d_n = _d_normal(normal, gx, gy)
            bent = _tilted(normal, d_n, F)
            for k in range(m):
                pulled = p[slopes + k] * bent[0] + p[slopes + m + k] * bent[1]
                by_q[first + k, first + j] -= lever * pulled
            if free >= 0:
                shape = face_motion(normal, lever, (p[around + m + m * i + j], gx, gy))
                turn = _tilted(normal, d_n, (ux, uy, 0.0))
                pulled = F[1] * shape[0] - F[0] * shape[1]
                pulled -= lever * (F[0] * turn[0] + F[1] * turn[1] + F[2] * turn[2])
                by_q[free, first + j] += pulled
                other = p[around + j]
                if other != 0.0:
                    work = other * (F[0] * shape[0] + F[1] * shape[1] + F[2] * shape[2])
                    by_q[free, first + j + (1 if other > 0.0 else -1)] += work
