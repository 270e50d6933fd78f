"""Compiled kernels of markers on bodies.

All arrays are float64 and contiguous. Matrices named `interpolation` (6, n) take the velocities of
a body to the velocity of a marker in space and to its angular velocity in marker components;
`d_interpolation` (6, n) is the derivative of these six along an increment of the dofs, at fixed
velocities.
"""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np

from fecontact.body.rotation import (
    cross,
    product,
    product_with_transpose,
    quaternion_matrix,
    rotation_increment,
    skew,
    times,
    times_transpose,
)
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = [
    "d_exp_rate",
    "elastic_d_load",
    "elastic_marker",
    "exp_rate",
    "gyroscopic",
    "rigid_d_load",
    "rigid_marker",
    "rotation_of",
]

SMALL_ANGLE = 0.2


@kernel
def rotation_of(turn: Floats, axes: Floats) -> Floats:
    """Rotation matrix of the coordinates of a rigid body: none, an angle, or a quaternion."""
    if len(turn) == 0:
        return np.eye(3)
    if len(turn) == 1:
        theta = np.empty(3)
        for i in range(3):
            theta[i] = turn[0] * axes[i, 0]
        return quaternion_matrix(rotation_increment(theta))
    return quaternion_matrix(turn)


@kernel
def _put(block: Floats, sign: float, result: Floats, row: int, column: int) -> None:
    """Write a block into a matrix."""
    for i in range(block.shape[0]):
        for j in range(block.shape[1]):
            result[row + i, column + j] = sign * block[i, j]


@kernel
def gyroscopic(
    v: Floats, a: int, axes: Floats, J: Floats, spin: float, spin_axis: Floats
) -> tuple[Floats, Floats]:
    """Moment -omega x (J omega + J_p Omega e_z) in all n dofs (n,), and its derivative by v.

    `a` is the number of translations; Omega is the last velocity if `spin_axis` has a column.
    """
    b, n = axes.shape[1], len(v)
    force, by_v = np.zeros(n), np.zeros((n, n))
    omega = times(axes, v[a : a + b])
    momentum = times(J, omega)
    momentum[2] += J[2, 2] * (v[n - 1] if spin_axis.shape[1] else spin)
    moment = times_transpose(axes, cross(momentum, omega))
    by_omega, turned = skew(momentum), product(skew(omega), J)
    for i in range(3):
        for j in range(3):
            by_omega[i, j] -= turned[i, j]
    _put(product_with_transpose(axes, product(by_omega, axes)), 1.0, by_v, a, a)
    polar = np.empty(3)
    for i in range(3):
        polar[i] = J[i, 2]
    by_spin = times_transpose(axes, cross(polar, omega))
    for i in range(b):
        force[a + i] = moment[i]
        if spin_axis.shape[1]:
            by_v[a + i, n - 1] = by_spin[i]
    return force, by_v


@kernel
def rigid_marker(
    q: Floats,
    v: Floats,
    origin: Floats,
    directions: Floats,
    axes: Floats,
    spin: Floats,
    spin_axis: Floats,
    point: Floats,
    E: Floats,
) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats]:
    """Marker on a rigid body: position, velocity, rotation, omega, and both interpolations.

    The velocities are those along `directions` (3, a), about `axes` (3, b), and the spin about
    `spin_axis` (3, c), c = 0 or 1; `spin` is the whole spin, which moves material only. The last
    c columns of the rows of omega are zero: the frame does not spin.
    """
    a, b, n = directions.shape[1], axes.shape[1], len(v)
    last = len(q) - spin_axis.shape[1]
    R = rotation_of(q[a:last], axes)
    omega = times(axes, v[a : a + b])
    for i in range(3):
        omega[i] += spin[i]
    around = cross(omega, point)
    interpolation, d_interpolation = np.zeros((6, n)), np.zeros((6, n))
    lever, own_axes = skew(point), product_with_transpose(E, axes)
    _put(directions, 1.0, interpolation, 0, 0)
    _put(product(R, product(lever, axes)), -1.0, interpolation, 0, a)
    _put(product(R, product(lever, spin_axis)), -1.0, interpolation, 0, a + b)
    _put(own_axes, 1.0, interpolation, 3, a)
    _put(product(R, product(skew(around), axes)), -1.0, d_interpolation, 0, a)
    position, velocity = times(directions, q[:a]), times(directions, v[:a])
    arm, swing = times(R, point), times(R, around)
    for i in range(3):
        position[i] = origin[i] + position[i] + arm[i]
        velocity[i] += swing[i]
    omega = times(own_axes, v[a : a + b])
    return position, velocity, product(R, E), omega, interpolation, d_interpolation


@kernel
def rigid_d_load(
    q: Floats,
    n: int,
    directions: Floats,
    axes: Floats,
    spin_axis: Floats,
    point: Floats,
    force: Floats,
) -> Floats:
    """Derivative (n, n) of interpolation^T (force, moment) along a step: that of the force."""
    a, b = directions.shape[1], axes.shape[1]
    R = rotation_of(q[a : len(q) - spin_axis.shape[1]], axes)
    lever = product(product(skew(point), skew(times_transpose(R, force))), axes)
    result = np.zeros((n, n))
    _put(product_with_transpose(axes, lever), 1.0, result, a, a)
    _put(product_with_transpose(spin_axis, lever), 1.0, result, a + b, a)
    return result


@kernel
def exp_factors(square: float) -> tuple[float, float, float, float]:
    """Factors b, c of T = 1 - b theta~ + c theta~^2, and b'/phi, c'/phi, phi^2 = `square`.

    b = (1 - cos phi)/phi^2, c = (phi - sin phi)/phi^3; by their series for small angles.
    """
    x = square
    if x < SMALL_ANGLE**2:
        b = 1 / 2 - x / 24 + x**2 / 720 - x**3 / 40320 + x**4 / 3628800
        c = 1 / 6 - x / 120 + x**2 / 5040 - x**3 / 362880 + x**4 / 39916800
        db = -1 / 12 + x / 180 - x**2 / 6720 + x**3 / 453600
        dc = -1 / 60 + x / 1260 - x**2 / 60480 + x**3 / 4989600
        return b, c, db, dc
    phi = sqrt(x)
    b, c = (1.0 - cos(phi)) / x, (phi - sin(phi)) / (x * phi)
    return b, c, (sin(phi) / phi - 2.0 * b) / x, (b - 3.0 * c) / x


@kernel
def exp_rate(theta: Floats) -> Floats:
    """Matrix T with omega = T theta', omega body-fixed, for the rotation exp(theta~)."""
    turn = skew(theta)
    b, c, _, _ = exp_factors(theta[0] ** 2 + theta[1] ** 2 + theta[2] ** 2)
    result = c * product(turn, turn) - b * turn
    for i in range(3):
        result[i, i] += 1.0
    return result


@kernel
def d_exp_rate(theta: Floats, a: Floats) -> Floats:
    """Derivative (3, 3) of T(theta) a by theta, at fixed a."""
    dot = theta[0] * a[0] + theta[1] * a[1] + theta[2] * a[2]
    square = theta[0] ** 2 + theta[1] ** 2 + theta[2] ** 2
    b, c, db, dc = exp_factors(square)
    once, twice = cross(theta, a), theta * dot - a * square
    result = b * skew(a)
    for i in range(3):
        result[i, i] += c * dot
        for j in range(3):
            result[i, j] += c * (theta[i] * a[j] - 2.0 * a[i] * theta[j])
            result[i, j] += (dc * twice[i] - db * once[i]) * theta[j]
    return result


@kernel
def elastic_marker(
    q: Floats,
    v: Floats,
    origin: Floats,
    point: Floats,
    Phi: Floats,
    Psi: Floats,
    E: Floats,
) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats]:
    """Marker on an elastic body: position, velocity, rotation, omega, and both interpolations.

    q = (u, quaternion, e) and v = (u', omega, e') hold the frame; Phi (3, m) and Psi (3, m) are the
    displacement and the rotation vector of the marker, in frame components, per coordinate e.
    """
    n, R = len(v), quaternion_matrix(q[3:7])
    omega, e, rate = v[3:6], q[7:], v[6:]
    X, theta = point + times(Phi, e), times(Psi, e)
    relative = cross(omega, X) + times(Phi, rate)
    turned, T = quaternion_matrix(rotation_increment(theta)), exp_rate(theta)
    seen = times(turned.T, omega)
    interpolation, d_interpolation = np.zeros((6, n)), np.zeros((6, n))
    for i in range(3):
        interpolation[i, i] = 1.0
    interpolation[:3, 3:6] = -product(R, skew(X))
    interpolation[:3, 6:] = product(R, Phi)
    d_interpolation[:3, 3:6] = -product(R, skew(relative))
    d_interpolation[:3, 6:] = product(product(R, skew(omega)), Phi)
    to_marker = product(E.T, T)
    interpolation[3:, 3:6] = product(E.T, turned.T)
    interpolation[3:, 6:] = product(to_marker, Psi)
    change = product(skew(seen), T) + d_exp_rate(theta, times(Psi, rate))
    d_interpolation[3:, 6:] = product(product(E.T, change), Psi)
    position, velocity = origin + q[:3] + times(R, X), v[:3] + times(R, relative)
    return (
        position,
        velocity,
        product(product(R, turned), E),
        times(interpolation[3:], v),
        interpolation,
        d_interpolation,
    )


@kernel
def elastic_d_load(
    q: Floats, point: Floats, Phi: Floats, Psi: Floats, E: Floats, force: Floats, moment: Floats
) -> Floats:
    """Derivative (n, n) of interpolation^T (force, moment) along a step, at a fixed load."""
    m = Phi.shape[1]
    R, e = quaternion_matrix(q[3:7]), q[7:]
    crossed = skew(times(R.T, force))
    result = np.zeros((6 + m, 6 + m))
    result[3:6, 3:6] = product(skew(point + times(Phi, e)), crossed)
    result[3:6, 6:] = -product(crossed, Phi)
    result[6:, 3:6] = product(Phi.T, crossed)
    theta, own = times(Psi, e), times(E, moment)
    lever = product(
        quaternion_matrix(rotation_increment(theta)), product(skew(own), exp_rate(theta))
    )
    result[3:6, 6:] -= product(lever, Psi)
    result[6:, 6:] = -product(Psi.T, product(d_exp_rate(-theta, own), Psi))
    return result
