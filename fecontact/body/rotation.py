"""Rotations: unit quaternions, body-fixed increments, and the small algebra they need.

A rotation matrix R takes body components to space components. A small body-fixed rotation theta
changes it to R exp(theta~), with theta~ a = theta x a; the angular velocity omega is body-fixed
too, R' = R omega~. Quaternions are (scalar, vector). All functions but `cross_matrix` are compiled
and take float arrays of one vector, quaternion or matrix.

Examples
--------
>>> quarter = np.array([1.0, 0.0, 0.0, 1.0])  # 90 degrees about z; the length does not matter
>>> (quaternion_matrix(quarter) @ [1.0, 0.0, 0.0]).round(12).tolist()
[0.0, 1.0, 0.0]
"""

from __future__ import annotations

from math import cos, sin, sqrt

import numpy as np

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = [
    "cross",
    "cross_matrix",
    "product",
    "product_with_transpose",
    "quaternion_matrix",
    "quaternion_product",
    "quaternion_rate",
    "rotated",
    "rotation_increment",
    "skew",
    "times",
    "times_transpose",
]


def cross_matrix(a: Floats) -> Floats:
    """Matrices a~ (..., 3, 3) with a~ b = a x b, for vectors a (..., 3)."""
    matrix = np.zeros((*a.shape, 3))
    matrix[..., 0, 1], matrix[..., 0, 2], matrix[..., 1, 2] = -a[..., 2], a[..., 1], -a[..., 0]
    return matrix - np.swapaxes(matrix, -1, -2)


@kernel
def cross(a: Floats, b: Floats) -> Floats:
    """Cross product of two vectors (3,)."""
    c = np.empty(3)
    c[0] = a[1] * b[2] - a[2] * b[1]
    c[1] = a[2] * b[0] - a[0] * b[2]
    c[2] = a[0] * b[1] - a[1] * b[0]
    return c


@kernel
def skew(a: Floats) -> Floats:
    """Matrix a~ with a~ b = a x b."""
    A = np.zeros((3, 3))
    A[0, 1], A[0, 2], A[1, 2] = -a[2], a[1], -a[0]
    A[1, 0], A[2, 0], A[2, 1] = a[2], -a[1], a[0]
    return A


@kernel
def product(A: Floats, B: Floats) -> Floats:
    """Matrix product A B of small matrices, by plain loops."""
    C = np.zeros((A.shape[0], B.shape[1]))
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            for j in range(B.shape[1]):
                C[i, j] += A[i, k] * B[k, j]
    return C


@kernel
def times(A: Floats, b: Floats) -> Floats:
    """Product A b of a small matrix and a vector."""
    c = np.zeros(A.shape[0])
    for i in range(A.shape[0]):
        for k in range(A.shape[1]):
            c[i] += A[i, k] * b[k]
    return c


@kernel
def product_with_transpose(A: Floats, B: Floats) -> Floats:
    """Matrix product A^T B of small matrices."""
    C = np.zeros((A.shape[1], B.shape[1]))
    for i in range(A.shape[1]):
        for k in range(A.shape[0]):
            for j in range(B.shape[1]):
                C[i, j] += A[k, i] * B[k, j]
    return C


@kernel
def times_transpose(A: Floats, b: Floats) -> Floats:
    """Product A^T b of a small matrix and a vector."""
    c = np.zeros(A.shape[1])
    for i in range(A.shape[1]):
        for k in range(A.shape[0]):
            c[i] += A[k, i] * b[k]
    return c


@kernel
def rotation_increment(theta: Floats) -> Floats:
    """Unit quaternion (scalar, vector) of the rotation vector theta."""
    angle = sqrt(theta[0] ** 2 + theta[1] ** 2 + theta[2] ** 2)
    half = 0.5 * angle
    factor = 0.5 if angle == 0.0 else sin(half) / angle
    p = np.empty(4)
    p[0] = cos(half)
    for i in range(3):
        p[1 + i] = factor * theta[i]
    return p


@kernel
def quaternion_product(a: Floats, b: Floats) -> Floats:
    """Product a o b of quaternions (scalar, vector)."""
    c = np.empty(4)
    c[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3]
    c[1] = a[0] * b[1] + b[0] * a[1] + (a[2] * b[3] - a[3] * b[2])
    c[2] = a[0] * b[2] + b[0] * a[2] + (a[3] * b[1] - a[1] * b[3])
    c[3] = a[0] * b[3] + b[0] * a[3] + (a[1] * b[2] - a[2] * b[1])
    return c


@kernel
def quaternion_matrix(p: Floats) -> Floats:
    """Rotation matrix of a quaternion of any length: 1 + 2 (p_0 p~ + p~ p~) / |p|^2."""
    square = p[0] ** 2 + p[1] ** 2 + p[2] ** 2 + p[3] ** 2
    turn = skew(p[1:])
    R = product(turn, turn)
    for i in range(3):
        for j in range(3):
            R[i, j] = (2.0 / square) * (p[0] * turn[i, j] + R[i, j])
        R[i, i] += 1.0
    return R


@kernel
def quaternion_rate(p: Floats, omega: Floats) -> Floats:
    """Rate p' = p o (0, omega)/2 for a body-fixed angular velocity."""
    rate = np.zeros(4)
    for i in range(3):
        rate[1 + i] = 0.5 * omega[i]
    return quaternion_product(p, rate)


@kernel
def rotated(p: Floats, theta: Floats) -> Floats:
    """Quaternion after a body-fixed rotation by theta, of unit length."""
    result = quaternion_product(p, rotation_increment(theta))
    length = sqrt(result[0] ** 2 + result[1] ** 2 + result[2] ** 2 + result[3] ** 2)
    for i in range(4):
        result[i] /= length
    return result
