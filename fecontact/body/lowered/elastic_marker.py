"""Markers on elastic bodies as compiled programs see them.

Numbers of a marker, after its kind and the sizes of its body: number m of elastic coordinates,
where the numbers of its frame begin, origin, point, axes E, then Phi (3, m) and Psi (3, m). With
the rotation theta = Psi e and T of omega = T theta',

    interpolation = [1, -R X~, R Phi; 0, E^T exp(theta~)^T, E^T T Psi] ,

without the first six columns where the frame is no coordinate (`body._kernels.elastic_marker`).
"""

from __future__ import annotations

from math import cos, sin, sqrt

from fecontact.body._kernels import exp_factors
from fecontact.body.lowered.frame import (
    FREE,
    STATE,
    TURN,
    TURN_RATE,
    U_RATE,
    U,
    frame_state,
    pack_frame,
    quaternion_rotation,
)
from fecontact.body.lowered.record import (
    FRAME,
    LOCAL,
    MAPS,
    OMEGA,
    POSITION,
    ROTATION,
    VELOCITY,
)
from fecontact.body.marker import ElasticMarker
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import Packing
from fecontact.kernels.sums import dot_rows
from fecontact.kernels.vectors import Three, cross, dot, three, turned, turned_back
from fecontact.typing import Floats

__all__ = ["add_d_elastic_load", "pack_elastic", "place_elastic"]

ORIGIN, POINT, AXES, SHAPES = 2, 5, 8, 17
"""Where the numbers of an elastic marker have what they say."""

PLACE, ANGLES, EXP = LOCAL, LOCAL + 3, LOCAL + 6
"""Where a frame record has X, theta and exp(theta~)."""
TURNED = FRAME + TURN
"""Where a frame record has the rotation R of the frame."""


def pack_elastic(packing: Packing, marker: ElasticMarker, kind: int) -> int | None:
    """Append the numbers of a marker; None if the motion of its frame is written in Python."""
    m = marker.displacement.shape[1]
    if marker.carrier is None:
        return None
    at_frame = pack_frame(packing, marker.carrier, marker.origin)
    if at_frame is None:
        return None
    free = marker.carrier == "free"
    start = packing.add([kind, 7 * free + m, 6 * free + m, m, at_frame])
    packing.extend([marker.origin, marker.point, marker.frame])
    packing.extend([marker.displacement, marker.rotation])
    return start


@kernel(fastmath=True)
def _shapes_times(p: Floats, at: int, m: int, x: Floats) -> Three:
    """Shapes (3, m) whose numbers begin at `at`, times x (m,)."""
    return dot_rows(x, p[at:]), dot_rows(x, p[at + m :]), dot_rows(x, p[at + 2 * m :])


@kernel(fastmath=True)
def _add_row(p: Floats, at: int, m: int, row: Three, result: Floats) -> None:
    """Add row . shapes (3, m) to the first m numbers of the result."""
    a, b, c = row
    x, y, z = p[at : at + m], p[at + m : at + 2 * m], p[at + 2 * m : at + 3 * m]
    for j in range(m):
        result[j] += a * x[j] + b * y[j] + c * z[j]


@kernel(fastmath=True)
def _rate_transposed(theta: Three, e: Three) -> Three:
    """T(theta)^T e = e + b theta x e + c theta x (theta x e)."""
    b, c, _, _ = exp_factors(dot(theta, theta))
    once = cross(theta, e)
    twice = cross(theta, once)
    return (
        e[0] + b * once[0] + c * twice[0],
        e[1] + b * once[1] + c * twice[1],
        e[2] + b * once[2] + c * twice[2],
    )


@kernel(fastmath=True)
def _d_rate_transposed(theta: Three, a: Three, e: Three) -> Three:
    """Transposed derivative of T(theta) a by theta, times e; see `body._kernels.d_exp_rate`."""
    square, along = dot(theta, theta), dot(theta, a)
    b, c, db, dc = exp_factors(square)
    side = cross(e, a)
    own = dc * (along * dot(theta, e) - square * dot(a, e)) - db * dot(cross(theta, a), e)
    own -= 2.0 * c * dot(a, e)
    tilt = c * dot(theta, e)
    return (
        b * side[0] + c * along * e[0] + tilt * a[0] + own * theta[0],
        b * side[1] + c * along * e[1] + tilt * a[1] + own * theta[1],
        b * side[2] + c * along * e[2] + tilt * a[2] + own * theta[2],
    )


@kernel(fastmath=True)
def _axis(p: Floats, k: int, i: int) -> Three:
    """Axis i of the marker in the components of the frame."""
    at = k + AXES + i
    return p[at], p[at + 3], p[at + 6]


@kernel(fastmath=True)
def place_elastic(p: Floats, k: int, t: float, q: Floats, v: Floats, f: Floats) -> None:
    """Motion of a marker; f is zero but for what is written here."""
    m, Phi, n = int(p[k]), k + SHAPES, len(v)
    Psi = Phi + 3 * m
    free = frame_state(p, int(p[k + 1]), t, q, v, f[FRAME : FRAME + STATE])
    e, rate = len(q) - m, n - m
    omega = three(f, FRAME + TURN_RATE)
    shift, theta = _shapes_times(p, Phi, m, q[e:]), _shapes_times(p, Psi, m, q[e:])
    for i in range(3):
        f[PLACE + i], f[ANGLES + i] = p[k + POINT + i] + shift[i], theta[i]
    X, moved = three(f, PLACE), _shapes_times(p, Phi, m, v[rate:])
    lever = cross(omega, X)
    relative = lever[0] + moved[0], lever[1] + moved[1], lever[2] + moved[2]
    angle = sqrt(dot(theta, theta))
    half = 0.5 if angle == 0.0 else sin(0.5 * angle) / angle
    quaternion_rotation(
        cos(0.5 * angle), half * theta[0], half * theta[1], half * theta[2], f[EXP : EXP + 9]
    )
    seen, twisted = turned_back(f, EXP, omega), _shapes_times(p, Psi, m, v[rate:])
    place, speed = turned(f, TURNED, X), turned(f, TURNED, relative)
    step, change = MAPS, MAPS + 6 * n
    for i in range(3):
        f[POSITION + i] = p[k + ORIGIN + i] + f[FRAME + U + i] + place[i]
        f[VELOCITY + i] = f[FRAME + U_RATE + i] + speed[i]
        axis, R = _axis(p, k, i), three(f, TURNED + 3 * i)
        own = turned(f, EXP, axis)  # axis of the marker in the frame
        space, to_marker = turned(f, TURNED, own), _rate_transposed(theta, axis)
        f[ROTATION + i], f[ROTATION + 3 + i], f[ROTATION + 6 + i] = space
        f[OMEGA + i] = dot(own, omega) + dot(to_marker, twisted)
        turning = _rate_transposed(theta, cross(axis, seen))
        bent = _d_rate_transposed(theta, twisted, axis)
        both = turning[0] + bent[0], turning[1] + bent[1], turning[2] + bent[2]
        _add_row(p, Phi, m, R, f[step + n * i + rate :])
        _add_row(p, Phi, m, cross(R, omega), f[change + n * i + rate :])
        _add_row(p, Psi, m, to_marker, f[step + n * (3 + i) + rate :])
        _add_row(p, Psi, m, both, f[change + n * (3 + i) + rate :])
        if free:
            _put_row(f, step + n * i + 3, cross(X, R))
            _put_row(f, change + n * i + 3, cross(relative, R))
            _put_row(f, step + n * (3 + i) + 3, own)
            f[step + n * i + i] = 1.0


@kernel(fastmath=True)
def _put_row(f: Floats, at: int, row: Three) -> None:
    f[at], f[at + 1], f[at + 2] = row


@kernel(fastmath=True)
def add_d_elastic_load(
    p: Floats, k: int, f: Floats, load: Floats, sign: float, first: int, by_q: Floats
) -> None:
    """Add the derivative of interpolation^T (force, moment) along a step, at a fixed load (6,)."""
    m, Phi, kind = int(p[k]), k + SHAPES, int(p[int(p[k + 1])])
    Psi, rate = Phi + 3 * m, first + (6 if kind == FREE else 0)
    theta = three(f, ANGLES)
    axes, moment = (_axis(p, k, 0), _axis(p, k, 1), _axis(p, k, 2)), three(load, 3)
    own = (
        sign * (axes[0][0] * moment[0] + axes[1][0] * moment[1] + axes[2][0] * moment[2]),
        sign * (axes[0][1] * moment[0] + axes[1][1] * moment[1] + axes[2][1] * moment[2]),
        sign * (axes[0][2] * moment[0] + axes[1][2] * moment[1] + axes[2][2] * moment[2]),
    )
    back = -theta[0], -theta[1], -theta[2]
    for i in range(m if dot(own, own) > 0.0 else 0):
        shape = -p[Psi + i], -p[Psi + m + i], -p[Psi + 2 * m + i]
        _add_row(p, Psi, m, _d_rate_transposed(back, own, shape), by_q[rate + i, rate:])
    if kind != FREE:
        return
    F, X = turned_back(f, TURNED, (sign * load[0], sign * load[1], sign * load[2])), three(f, PLACE)
    for i in range(3):
        unit = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0)
        row, turn = by_q[first + 3 + i], first + 3
        arm, side = cross(cross(unit, X), F), cross(F, unit)
        for j in range(3):
            row[turn + j] += arm[j]
        _add_row(p, Phi, m, side, row[rate:])
        lever = _rate_transposed(theta, cross(own, three(f, EXP + 3 * i)))
        _add_row(p, Psi, m, lever, row[rate:])
    for i in range(m):
        pulled = cross((p[Phi + i], p[Phi + m + i], p[Phi + 2 * m + i]), F)
        for j in range(3):
            by_q[rate + i, first + 3 + j] += pulled[j]
