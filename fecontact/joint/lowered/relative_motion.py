"""Compiled relative motion of two frames, in steps of the frames.

A step of two frames a and b has 12 components: displacement of a in space, rotation of a in its own
components, then those of b; the twist is its rate. Parts s of the relative motion are those of
`joint._kernels`; with d = x_b - x_a, Q = R_a^T R_b, P = [0, -1, 0, Q] and columns c of a step

    distance      l = |d|,     G = [-e, 0, e, 0],           e = d/l
    displacement  r = R_a^T d, G = [-R_a^T, r~, R_a^T, 0]
    direction     p = Q e,     G_c = P_c x p
    rotation      theta,       G_c = A(theta) P_c
    angular velocity           G_c = P_c .

`relative_motion` gives s, s' = G twist and G; `second_motion` adds sum l_i dG_i (12, 12) for given
loads l, and the derivative of s' along a step. Along a step dP_c = P x Q_c on the rotations of b.
"""

from __future__ import annotations

from math import atan2, sqrt

from fecontact.body.lowered import ANGLE, OMEGA, POSITION, ROTATION, SPIN, VELOCITY
from fecontact.joint._kernels import log_factors
from fecontact.kernels.decorators import kernel
from fecontact.kernels.vectors import Three, cross, dot, three, turned, turned_back
from fecontact.typing import Floats

__all__ = [
    "ANGULAR_VELOCITY",
    "DIRECTION",
    "DISPLACEMENT",
    "DISTANCE",
    "RELATIVE_ROTATION",
    "relative_motion",
    "second_motion",
]

DISTANCE, DISPLACEMENT, DIRECTION, RELATIVE_ROTATION, ANGULAR_VELOCITY = range(5)
"""Parts of a relative motion."""


@kernel(fastmath=True)
def _column(f: Floats, j: int) -> Three:
    """Axis j of a frame in space."""
    return f[ROTATION + j], f[ROTATION + 3 + j], f[ROTATION + 6 + j]


@kernel(fastmath=True)
def _relative_column(a: Floats, b: Floats, c: int) -> Three:
    """Column c of P = [0, -1, 0, Q]."""
    if c >= 9:
        return turned_back(a, ROTATION, _column(b, c - 9))
    if 3 <= c < 6:
        return (-1.0 if c == 3 else 0.0, -1.0 if c == 4 else 0.0, -1.0 if c == 5 else 0.0)
    return 0.0, 0.0, 0.0


@kernel(fastmath=True)
def _spins(f: Floats, material: bool) -> Three:
    """Angular velocity of a frame, or of its material."""
    w = three(f, OMEGA)
    if material:
        return w[0] + f[SPIN], w[1] + f[SPIN + 1], w[2] + f[SPIN + 2]
    return w


@kernel(fastmath=True)
def _velocity(a: Floats, b: Floats, material: bool) -> tuple[Three, Three]:
    """Relative angular velocity psi = Q omega_b - omega_a, and Q omega_b."""
    own, other = _spins(a, material), _spins(b, material)
    x, y = _relative_column(a, b, 9), _relative_column(a, b, 10)
    z = _relative_column(a, b, 11)
    carried = (
        x[0] * other[0] + y[0] * other[1] + z[0] * other[2],
        x[1] * other[0] + y[1] * other[1] + z[1] * other[2],
        x[2] * other[0] + y[2] * other[1] + z[2] * other[2],
    )
    return (carried[0] - own[0], carried[1] - own[1], carried[2] - own[2]), carried


@kernel(fastmath=True)
def _put(G: Floats, row: int, c: int, value: Three) -> None:
    """Column c of three rows."""
    G[row, c], G[row + 1, c], G[row + 2, c] = value


@kernel(fastmath=True)
def relative_motion(
    p: Floats, at: int, common: bool, a: Floats, b: Floats, values: Floats, G: Floats
) -> int:
    """Values and rates (2 rows,) of all parts, and their Jacobians G (rows, 12).

    `p` has the number of parts, of coordinates and of rows, then kind and direction of each part.
    Returns 1 if they see the spin of the material, 0 if not, -1 if the ends of a distance coincide.
    """
    row, spinning = 0, 0
    for part in range(int(p[at])):
        kind, e = int(p[at + 3 + 4 * part]), three(p, at + 4 + 4 * part)
        count = 1 if kind == DISTANCE else 3
        for i in range(count):
            for c in range(12):
                G[row + i, c] = 0.0
        if kind == DISTANCE:
            if not _distance(a, b, row, values, G):
                return -1
        elif kind == DISPLACEMENT:
            _displacement(a, b, row, values, G)
        else:
            spinning = max(spinning, 1 if kind == ANGULAR_VELOCITY else 0)
            _rotations(kind, e, common, a, b, row, values, G)
        row += count
    return spinning


@kernel(fastmath=True)
def _apart(a: Floats, b: Floats, at: int) -> Three:
    """Difference of two vectors of the frame records."""
    return b[at] - a[at], b[at + 1] - a[at + 1], b[at + 2] - a[at + 2]


@kernel(fastmath=True)
def _distance(a: Floats, b: Floats, row: int, values: Floats, G: Floats) -> bool:
    d, rate = _apart(a, b, POSITION), _apart(a, b, VELOCITY)
    length = sqrt(dot(d, d))
    if length == 0.0:
        return False
    values[2 * row], values[2 * row + 1] = length, dot(d, rate) / length
    for i in range(3):
        G[row, i], G[row, 6 + i] = -d[i] / length, d[i] / length
    return True


@kernel(fastmath=True)
def _displacement(a: Floats, b: Floats, row: int, values: Floats, G: Floats) -> None:
    r = turned_back(a, ROTATION, _apart(a, b, POSITION))
    rate = turned_back(a, ROTATION, _apart(a, b, VELOCITY))
    turned = cross(r, three(a, OMEGA))
    for i in range(3):
        values[2 * (row + i)], values[2 * (row + i) + 1] = r[i], rate[i] + turned[i]
        for j in range(3):
            G[row + i, j], G[row + i, 6 + j] = -a[ROTATION + 3 * j + i], a[ROTATION + 3 * j + i]
    G[row, 4], G[row, 5], G[row + 1, 5] = -r[2], r[1], -r[0]
    G[row + 1, 3], G[row + 2, 3], G[row + 2, 4] = r[2], -r[1], r[0]


@kernel(fastmath=True)
def _rotations(
    kind: int, e: Three, common: bool, a: Floats, b: Floats, row: int, values: Floats, G: Floats
) -> None:
    """Direction, rotation or angular velocity."""
    psi, _ = _velocity(a, b, kind == ANGULAR_VELOCITY)
    value, rate, p, theta = (0.0, 0.0, 0.0), psi, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if kind == DIRECTION:
        p = value = _direction(a, b, e)
        rate = cross(psi, p)
    elif kind == RELATIVE_ROTATION and common:
        value = _apart(a, b, ANGLE)
    elif kind == RELATIVE_ROTATION:
        theta = value = _rotation_vector(a, b)
        rate = log_times(theta, psi)
    for i in range(3):
        values[2 * (row + i)], values[2 * (row + i) + 1] = value[i], rate[i]
    for k in range(6):
        c = 3 + k if k < 3 else 6 + k
        P = _relative_column(a, b, c)
        if kind == DIRECTION:
            _put(G, row, c, cross(P, p))
        elif kind == RELATIVE_ROTATION and not common:
            _put(G, row, c, log_times(theta, P))
        else:
            _put(G, row, c, P)


@kernel(fastmath=True)
def _direction(a: Floats, b: Floats, e: Three) -> Three:
    """Direction e of b seen from a."""
    return turned_back(a, ROTATION, turned(b, ROTATION, e))


@kernel(fastmath=True)
def _rotation_vector(a: Floats, b: Floats) -> Three:
    """Rotation vector of Q = R_a^T R_b, length <= pi, by its quaternion (Shepperd 1978)."""
    x, y = _relative_column(a, b, 9), _relative_column(a, b, 10)
    z = _relative_column(a, b, 11)
    trace = x[0] + y[1] + z[2]
    if trace >= x[0] and trace >= y[1] and trace >= z[2]:
        s, u, v, w = 1.0 + trace, y[2] - z[1], z[0] - x[2], x[1] - y[0]
    elif x[0] >= y[1] and x[0] >= z[2]:
        s, u, v, w = y[2] - z[1], 1.0 + 2.0 * x[0] - trace, x[1] + y[0], z[0] + x[2]
    elif y[1] >= z[2]:
        s, u, v, w = z[0] - x[2], x[1] + y[0], 1.0 + 2.0 * y[1] - trace, y[2] + z[1]
    else:
        s, u, v, w = x[1] - y[0], z[0] + x[2], y[2] + z[1], 1.0 + 2.0 * z[2] - trace
    length = sqrt(u * u + v * v + w * w)
    if length == 0.0:
        return 0.0, 0.0, 0.0
    factor = 2.0 * atan2(length, abs(s)) / length
    if s < 0.0:
        factor = -factor
    return factor * u, factor * v, factor * w


@kernel(fastmath=True)
def log_times(theta: Three, a: Three) -> Three:
    """A(theta) a with theta' = A omega: a - theta x a/2 + c theta x (theta x a)."""
    c = log_factors(dot(theta, theta))[0]
    once = cross(theta, a)
    twice = cross(theta, once)
    return (
        a[0] - 0.5 * once[0] + c * twice[0],
        a[1] - 0.5 * once[1] + c * twice[1],
        a[2] - 0.5 * once[2] + c * twice[2],
    )


@kernel(fastmath=True)
def _d_log_times(theta: Three, a: Three, g: Three) -> Three:
    """Derivative of A(theta) a along g, at fixed a."""
    c, slope = log_factors(dot(theta, theta))
    along, half = dot(theta, g), cross(g, a)
    once = cross(theta, a)
    twice, first = cross(theta, once), cross(g, once)
    second = cross(theta, half)
    return (
        -0.5 * half[0] + c * (first[0] + second[0]) + slope * along * twice[0],
        -0.5 * half[1] + c * (first[1] + second[1]) + slope * along * twice[1],
        -0.5 * half[2] + c * (first[2] + second[2]) + slope * along * twice[2],
    )


@kernel(fastmath=True)
def second_motion(
    p: Floats, at: int, common: bool, a: Floats, b: Floats, loads: Floats, H: Floats, D: Floats
) -> None:
    """Subtract sum l_i dG_i from H (12, 12); D (rows, 12) are the derivatives of the rates."""
    row = 0
    for part in range(int(p[at])):
        kind, e = int(p[at + 3 + 4 * part]), three(p, at + 4 + 4 * part)
        count = 1 if kind == DISTANCE else 3
        for i in range(count):
            for c in range(12):
                D[row + i, c] = 0.0
        if kind == DISTANCE:
            _second_distance(a, b, loads[row], H, D[row])
        elif kind == DISPLACEMENT:
            _second_displacement(a, b, three(loads, row), row, H, D)
        else:
            _second_rotations(kind, e, common, a, b, three(loads, row), row, H, D)
        row += count


@kernel(fastmath=True)
def _second_distance(a: Floats, b: Floats, load: float, H: Floats, D: Floats) -> None:
    d, rate = _apart(a, b, POSITION), _apart(a, b, VELOCITY)
    length = sqrt(dot(d, d))
    for i in range(3):
        for j in range(3):
            across = ((1.0 if i == j else 0.0) - d[i] * d[j] / length**2) / length
            D[j] -= across * rate[i]
            D[6 + j] += across * rate[i]
            H[i, j] -= load * across
            H[6 + i, 6 + j] -= load * across
            H[i, 6 + j] += load * across
            H[6 + i, j] += load * across


@kernel(fastmath=True)
def _second_displacement(a: Floats, b: Floats, load: Three, row: int, H: Floats, D: Floats) -> None:
    r, omega = turned_back(a, ROTATION, _apart(a, b, POSITION)), three(a, OMEGA)
    rate = turned_back(a, ROTATION, _apart(a, b, VELOCITY))
    for j in range(3):
        turned = cross(load, three(a, ROTATION + 3 * j))
        for s in range(3):
            H[6 + j, 3 + s] -= turned[s]
            H[j, 3 + s] += turned[s]
    for c in range(9):
        if c < 3:
            g = three(a, ROTATION + 3 * c)
            g = (-g[0], -g[1], -g[2])
        elif c < 6:
            axis = (1.0 if c == 3 else 0.0, 1.0 if c == 4 else 0.0, 1.0 if c == 5 else 0.0)
            g = cross(r, axis)
        else:
            g = three(a, ROTATION + 3 * (c - 6))
        pulled, change = cross(load, g), cross(g, omega)
        for j in range(3):
            H[3 + j, c] -= pulled[j]
        if 3 <= c < 6:
            more = cross(rate, axis)
            change = change[0] + more[0], change[1] + more[1], change[2] + more[2]
        _put(D, row, c, change)


@kernel(fastmath=True)
def _second_rotations(
    kind: int, e: Three, common: bool, a: Floats, b: Floats, load: Three, row: int, H: Floats,
    D: Floats,
) -> None:  # fmt: skip
    """Second derivatives of a direction, a rotation or an angular velocity.

    d(P_c) along step s is P_s x Q_c for the rotations c of b, else zero.
    """
    logs = kind == RELATIVE_ROTATION and not common
    psi, carried = _velocity(a, b, kind == ANGULAR_VELOCITY)
    p, theta, pulled, sign = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), load, 1.0
    if kind == DIRECTION:
        p, sign = _direction(a, b, e), -1.0
        pulled = cross(load, p)
    if logs:
        theta = _rotation_vector(a, b)
        pulled = log_times((-theta[0], -theta[1], -theta[2]), load)  # A^T load
    for k in range(6):
        s = 3 + k if k < 3 else 6 + k
        P = _relative_column(a, b, s)
        turned = cross(P, carried)
        g = P
        if kind == DIRECTION:
            g = cross(P, p)
            x, y = cross(psi, g), cross(p, turned)
            turned = x[0] - y[0], x[1] - y[1], x[2] - y[2]
        if logs:
            g = log_times(theta, P)
            x, y = _d_log_times(theta, psi, g), log_times(theta, turned)
            turned = x[0] + y[0], x[1] + y[1], x[2] + y[2]
        _put(D, row, s, turned)
        for m in range(6):
            c = 3 + m if m < 3 else 6 + m
            other = _relative_column(a, b, c)
            total = 0.0
            if kind == DIRECTION:
                total += dot(load, cross(other, g))
            if logs:
                total += dot(load, _d_log_times(theta, other, g))
            if c >= 9:
                total += sign * dot(pulled, cross(P, other))
            H[c, s] -= total
