"""Rotations: unit quaternions, body-fixed increments.

A rotation matrix R takes body components to space components. A small body-fixed rotation theta
changes it to R exp(theta~), with theta~ a = theta x a; the angular velocity omega is body-fixed
too, R' = R omega~. Quaternions are (scalar, vector).
"""

from __future__ import annotations

import numpy as np

from fecontact.typing import Floats

__all__ = ["cross_matrix", "quaternion_matrix", "quaternion_rate", "rotated", "rotation_increment"]


def cross_matrix(a: Floats) -> Floats:
    """Matrices a~ (..., 3, 3) with a~ b = a x b, for vectors a (..., 3)."""
    matrix = np.zeros((*a.shape, 3))
    matrix[..., 0, 1], matrix[..., 0, 2], matrix[..., 1, 2] = -a[..., 2], a[..., 1], -a[..., 0]
    return matrix - np.swapaxes(matrix, -1, -2)


def quaternion_matrix(p: Floats) -> Floats:
    """Rotation matrix of a quaternion; its length does not matter.

    Examples
    --------
    >>> quarter = np.array([1.0, 0.0, 0.0, 1.0])  # 90 degrees about z
    >>> (quaternion_matrix(quarter) @ [1.0, 0.0, 0.0]).round(12).tolist()
    [0.0, 1.0, 0.0]
    """
    p = p / np.linalg.norm(p)
    turn = cross_matrix(p[1:])
    return np.eye(3) + 2.0 * p[0] * turn + 2.0 * turn @ turn


def quaternion_rate(p: Floats, omega: Floats) -> Floats:
    """Rate p' = p o (0, omega)/2 for a body-fixed angular velocity."""
    return 0.5 * _product(p, np.concatenate([[0.0], omega]))


def rotation_increment(theta: Floats) -> Floats:
    """Unit quaternion of the rotation vector theta."""
    angle = float(np.linalg.norm(theta))
    half_sinc = 0.5 * np.sinc(0.5 * angle / np.pi)
    return np.concatenate([[np.cos(0.5 * angle)], half_sinc * theta])


def rotated(p: Floats, theta: Floats) -> Floats:
    """Quaternion after a body-fixed rotation by theta, of unit length."""
    result = _product(p, rotation_increment(theta))
    return result / np.linalg.norm(result)


def _product(a: Floats, b: Floats) -> Floats:
    scalar = a[0] * b[0] - a[1:] @ b[1:]
    return np.concatenate([[scalar], a[0] * b[1:] + b[0] * a[1:] + np.cross(a[1:], b[1:])])
