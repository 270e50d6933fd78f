"""Vectors (x, y, z) and matrices of nine numbers, row by row, for the functions of one point.

They are written for the compiler, which takes them apart, and run as plain Python too.
"""

from __future__ import annotations

from math import sqrt

from fecontact.kernels.calls import inlined

__all__ = [
    "NO_MATRIX",
    "NO_VECTOR",
    "Matrix",
    "Vector",
    "add",
    "combine",
    "dot",
    "norm",
    "outer",
    "plus_unit",
    "product",
    "scale",
    "scale_matrix",
    "subtract",
    "sum_matrices",
    "times",
    "unit",
]

Vector = tuple[float, float, float]
Matrix = tuple[float, float, float, float, float, float, float, float, float]

NO_VECTOR: Vector = (0.0, 0.0, 0.0)
NO_MATRIX: Matrix = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@inlined
def dot(a: Vector, b: Vector) -> float:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def norm(a: Vector) -> float:
    """Length |a|."""
    return sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@inlined
def unit(a: Vector) -> Vector:
    """Direction a/|a|; the zero vector has none."""
    size = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])
    inverse = 1.0 / (size if size > 0.0 else 1.0)
    return a[0] * inverse, a[1] * inverse, a[2] * inverse


@inlined
def scale(factor: float, a: Vector) -> Vector:
    """Multiple of a vector."""
    return factor * a[0], factor * a[1], factor * a[2]


@inlined
def add(a: Vector, b: Vector) -> Vector:
    """Sum a + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined
def subtract(a: Vector, b: Vector) -> Vector:
    """Difference a - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined
def combine(f: float, a: Vector, g: float, b: Vector) -> Vector:
    """Sum f a + g b."""
    return f * a[0] + g * b[0], f * a[1] + g * b[1], f * a[2] + g * b[2]


@inlined
def outer(factor: float, a: Vector, b: Vector) -> Matrix:
    """Matrix factor a b^T."""
    x, y, z = factor * a[0], factor * a[1], factor * a[2]
    return (
        x * b[0], x * b[1], x * b[2], y * b[0], y * b[1], y * b[2], z * b[0], z * b[1], z * b[2]
    )  # fmt: skip


@inlined
def plus_unit(factor: float, a: Matrix) -> Matrix:
    """Sum factor 1 + A."""
    return (
        a[0] + factor, a[1], a[2], a[3], a[4] + factor, a[5], a[6], a[7], a[8] + factor
    )  # fmt: skip


@inlined
def scale_matrix(f: float, a: Matrix) -> Matrix:
    """Multiple of a matrix."""
    return (
        f * a[0], f * a[1], f * a[2], f * a[3], f * a[4], f * a[5], f * a[6], f * a[7], f * a[8]
    )  # fmt: skip


@inlined
def sum_matrices(a: Matrix, b: Matrix) -> Matrix:
    """Sum A + B."""
    return (
        a[0] + b[0], a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5],
        a[6] + b[6], a[7] + b[7], a[8] + b[8],
    )  # fmt: skip


@inlined
def times(a: Matrix, b: Vector) -> Vector:
    """Product A b."""
    return (
        a[0] * b[0] + a[1] * b[1] + a[2] * b[2],
        a[3] * b[0] + a[4] * b[1] + a[5] * b[2],
        a[6] * b[0] + a[7] * b[1] + a[8] * b[2],
    )


@inlined
def product(a: Matrix, b: Matrix) -> Matrix:
    """Product A B."""
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
        a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
        a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
        a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )
