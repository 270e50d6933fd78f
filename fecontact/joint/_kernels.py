"""Compiled kernels: relative coordinates of two frames a and b, with two derivatives.

A step of the frames has 12 components: displacement of a in space, rotation of a in its own
components, then the same of b; the twist (12,) is its rate. A coordinate s is a row

    [ s, s', G (12), D (12), H (12 x 12) ],    G = ds/dstep,   s' = G twist,
    H[c, j] = derivative of G[c] along step j,   D = derivative of s' along a step = twist^T H .

Everything is linear in the row: coordinates are combined by adding rows. With d = x_b - x_a,
Q = R_a^T R_b and the relative rotation P = [0, -1, 0, Q],

    displacement   r = R_a^T d,     dr = [-R_a^T, r~, R_a^T, 0] step
    direction      p = Q e,         dp = -p~ P step,          dQ = (P step)~ Q
    rotation       theta = log Q,   dtheta = A(theta) P step
    distance       l = |d|,         dl = [-e, 0, e, 0] step,  e = d/l .
"""

from __future__ import annotations

from math import atan2, sqrt, tan

import numpy as np

from fecontact.body.rotation import cross, product, skew, times
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = [
    "D_RATE",
    "JACOBIAN",
    "SECOND",
    "WIDTH",
    "angular_velocity",
    "d_log_rate",
    "direction",
    "displacement",
    "distance",
    "element",
    "log_factors",
    "log_rate",
    "rotation",
    "rotation_vector",
]

WIDTH = 170
JACOBIAN, D_RATE, SECOND = slice(2, 14), slice(14, 26), slice(26, WIDTH)
TURNS = (3, 4, 5, 9, 10, 11)
"""Steps that turn a frame."""
SMALL_ANGLE = 0.2


@kernel
def log_factors(square: float) -> tuple[float, float]:
    """c(phi) and c'(phi)/phi of `log_rate`, phi^2 = `square`; by series for small angles."""
    if square < SMALL_ANGLE**2:
        c = 1 / 12 + square / 720 + square**2 / 30240 + square**3 / 1209600
        slope = 1 / 360 + square / 7560 + square**2 / 201600 + square**3 / 5987520
        return c, slope
    phi = sqrt(square)
    cot = 1.0 / tan(0.5 * phi)
    c = (1.0 - 0.5 * phi * cot) / square
    change = -0.5 * cot + 0.25 * phi * (1.0 + cot**2)
    return c, (change / phi - 2.0 * c) / square


@kernel
def log_rate(theta: Floats) -> Floats:
    """Matrix A (3, 3) with theta' = A omega, for the rotation exp(theta~) and omega in space.

    A = 1 - theta~/2 + c theta~^2 with c = (1 - (phi/2) cot(phi/2)) / phi^2, phi = |theta|, the
    inverse of the tangent of the exponential (Bullo and Murray 1995). A^T is A(-theta).
    """
    turn = skew(theta)
    c = log_factors(theta[0] ** 2 + theta[1] ** 2 + theta[2] ** 2)[0]
    result = c * product(turn, turn) - 0.5 * turn
    for i in range(3):
        result[i, i] += 1.0
    return result


@kernel
def d_log_rate(theta: Floats, a: Floats) -> Floats:
    """Derivative (3, 3) of A(theta) a by theta, at fixed a."""
    dot = theta[0] * a[0] + theta[1] * a[1] + theta[2] * a[2]
    square = theta[0] ** 2 + theta[1] ** 2 + theta[2] ** 2
    c, slope = log_factors(square)
    twice = theta * dot - a * square
    result = 0.5 * skew(a)
    for i in range(3):
        result[i, i] += c * dot
        for j in range(3):
            result[i, j] += c * (theta[i] * a[j] - 2.0 * a[i] * theta[j])
            result[i, j] += slope * twice[i] * theta[j]
    return result


@kernel
def rotation_vector(Q: Floats) -> Floats:
    """Rotation vector of a rotation matrix, length <= pi, by its quaternion (Shepperd 1978)."""
    trace = Q[0, 0] + Q[1, 1] + Q[2, 2]
    p = np.empty(4)
    k = int(np.argmax(np.array([trace, Q[0, 0], Q[1, 1], Q[2, 2]])))
    if k == 0:
        p[0] = 1.0 + trace
        p[1], p[2], p[3] = Q[2, 1] - Q[1, 2], Q[0, 2] - Q[2, 0], Q[1, 0] - Q[0, 1]
    else:
        i = k - 1
        j, m = (i + 1) % 3, (i + 2) % 3
        p[0] = Q[m, j] - Q[j, m]
        p[1 + i] = 1.0 + 2.0 * Q[i, i] - trace
        p[1 + j] = Q[j, i] + Q[i, j]
        p[1 + m] = Q[m, i] + Q[i, m]
    if p[0] < 0.0:
        p = -p
    length = sqrt(p[1] ** 2 + p[2] ** 2 + p[3] ** 2)
    if length == 0.0:
        return np.zeros(3)
    return (2.0 * atan2(length, p[0]) / length) * p[1:]


@kernel
def finish(rows: Floats, twist: Floats) -> Floats:
    """Fill s' = G twist and D = twist^T H; the derivatives G and H are there."""
    for i in range(len(rows)):
        for c in range(12):
            rate = twist[c]
            if rate != 0.0:
                rows[i, 1] += rows[i, 2 + c] * rate
                for j in range(12):
                    rows[i, 14 + j] += rate * rows[i, 26 + 12 * c + j]
    return rows


@kernel
def displacement(x_a: Floats, R_a: Floats, x_b: Floats, twist: Floats) -> Floats:
    """Position of b seen from a, rows (3, 170)."""
    rows = np.zeros((3, WIDTH))
    r = times(R_a.T, x_b - x_a)
    rows[:, 0] = r
    rows[:, 2:5] = -R_a.T
    rows[:, 5:8] = skew(r)
    rows[:, 8:11] = R_a.T
    for j in range(3):
        turned = skew(R_a[j])
        for i in range(3):
            for s in range(3):
                rows[i, 26 + 12 * (6 + j) + 3 + s] = turned[i, s]
                rows[i, 26 + 12 * j + 3 + s] = -turned[i, s]
    for s in range(12):
        change = skew(rows[:, 2 + s])
        for i in range(3):
            for j in range(3):
                rows[i, 26 + 12 * (3 + j) + s] = change[i, j]
    return finish(rows, twist)


@kernel
def relative_rotation(Q: Floats) -> tuple[Floats, Floats]:
    """P (3, 12) and its derivative (3, 12, 12) along a step."""
    P, dP = np.zeros((3, 12)), np.zeros((3, 12, 12))
    for i in range(3):
        P[i, 3 + i] = -1.0
    P[:, 9:] = Q
    for j in range(3):
        for s in TURNS:
            dP[:, 9 + j, s] = cross(P[:, s], Q[:, j])
    return P, dP


@kernel
def angular_velocity(Q: Floats, value: Floats, twist: Floats) -> Floats:
    """Relative rotation psi' = P twist, rows (3, 170), with given values."""
    rows = np.zeros((3, WIDTH))
    P, dP = relative_rotation(Q)
    rows[:, 0] = value
    rows[:, 2:14] = P
    rows[:, 26:] = dP.reshape((3, 144))
    return finish(rows, twist)


@kernel
def direction(Q: Floats, e: Floats, twist: Floats) -> Floats:
    """Direction e of b seen from a, rows (3, 170)."""
    rows = np.zeros((3, WIDTH))
    P, dP = relative_rotation(Q)
    p = times(Q, e)
    G = -product(skew(p), P)
    rows[:, 0] = p
    rows[:, 2:14] = G
    for c in TURNS:
        for s in TURNS:
            change = cross(P[:, c], G[:, s]) - cross(p, dP[:, c, s])
            for i in range(3):
                rows[i, 26 + 12 * c + s] = change[i]
    return finish(rows, twist)


@kernel
def rotation(Q: Floats, twist: Floats) -> Floats:
    """Rotation vector of b relative to a, rows (3, 170)."""
    rows = np.zeros((3, WIDTH))
    P, dP = relative_rotation(Q)
    theta = rotation_vector(Q)
    A = log_rate(theta)
    G = product(A, P)
    rows[:, 0] = theta
    rows[:, 2:14] = G
    for c in TURNS:
        change = product(d_log_rate(theta, P[:, c]), G) + product(A, dP[:, c])
        for i in range(3):
            rows[i, 26 + 12 * c : 26 + 12 * c + 12] = change[i]
    return finish(rows, twist)


@kernel
def distance(x_a: Floats, x_b: Floats, twist: Floats) -> Floats:
    """Distance of a and b, row (1, 170); zero where they coincide."""
    rows = np.zeros((1, WIDTH))
    d = x_b - x_a
    length = sqrt(d[0] ** 2 + d[1] ** 2 + d[2] ** 2)
    if length == 0.0:
        return rows
    e = d / length
    rows[0, 0] = length
    rows[0, 2:5] = -e
    rows[0, 8:11] = e
    for i in range(3):
        for j in range(3):
            across = ((1.0 if i == j else 0.0) - e[i] * e[j]) / length
            rows[0, 26 + 12 * i + j] = across
            rows[0, 26 + 12 * (6 + i) + 6 + j] = across
            rows[0, 26 + 12 * i + 6 + j] = -across
            rows[0, 26 + 12 * (6 + i) + j] = -across
    return finish(rows, twist)


@kernel
def element(
    rows: Floats,
    load: Floats,
    by_s: Floats,
    by_rate: Floats,
    interpolation: Floats,
    d_interpolation: Floats,
    load_interpolation: Floats,
) -> tuple[Floats, Floats, Floats, Floats]:
    """Generalised force -L^T w (n,) of a law, its derivatives by q and v (n, n), and w (12,).

    w = G^T load is the load on the frames, L = `load_interpolation`. The derivative by q is that at
    fixed L; its change at fixed w is left to the bodies.
    """
    k = len(load)
    w, by_step, by_twist = np.zeros(12), np.zeros((12, 12)), np.zeros((12, 12))
    for i in range(k):
        for c in range(12):
            w[c] += rows[i, 2 + c] * load[i]
            for j in range(12):
                by_step[c, j] -= load[i] * rows[i, 26 + 12 * c + j]
        for m in range(k):
            stiffness, damping = by_s[i, m], by_rate[i, m]
            if stiffness == 0.0 and damping == 0.0:
                continue
            for c in range(12):
                g = rows[i, 2 + c]
                if g != 0.0:
                    for j in range(12):
                        by_step[c, j] -= g * stiffness * rows[m, 2 + j]
                        by_step[c, j] -= g * damping * rows[m, 14 + j]
                        by_twist[c, j] -= g * damping * rows[m, 2 + j]
    across = np.ascontiguousarray(load_interpolation.T)
    by_q = across @ (by_step @ interpolation + by_twist @ d_interpolation)
    return -(across @ w), by_q, across @ (by_twist @ load_interpolation), w
