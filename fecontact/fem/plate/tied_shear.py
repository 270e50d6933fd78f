"""Shear strain of a triangular Mindlin plate that does not lock: the MITC7 element.

Bathe, Brezzi and Cho, Comput. Struct. 32 (1989) 797-814. The deflection is quadratic, the
rotations are quadratic with a cubic bubble. The shear strain enters the energy not as it is but
interpolated by fewer functions,

    R gamma in P1^2 + span{(x y, -x^2), (y^2, -x y)}      (rotated Raviart-Thomas, 8 functions),

with the same tangential components at two Gauss points of each edge and the same means over the
cell. Gradients of quadratic functions are in this space, so that a thin plate can bend without
shear. On curved cells all this holds for the covariant components J^T gamma on the unit triangle.
"""

from __future__ import annotations

import numpy as np
from skfem import Basis
from skfem.quadrature import get_quadrature
from skfem.refdom import RefTri

from fecontact.fem._forms import Operator, operator_values
from fecontact.typing import Floats, Integers

__all__ = ["tied_shear"]

MEAN = 5
"""Polynomial degree to which the means over the cell are exact."""


def tied_shear(basis: Basis, shear: Operator) -> tuple[Integers, Floats]:
    """Shape functions k with shear, and their interpolated strains (c, q, 2, k).

    Parameters
    ----------
    basis
        scikit-fem basis of the plate with its quadrature.
    shear
        Operator that gives the strains gamma_x, gamma_y of a shape function.
    """
    samples, functionals = _functionals()
    sampled = Basis(basis.mesh, basis.elem, quadrature=(samples, np.ones(samples.shape[1])))
    functions, strains = operator_values(sampled, shear)
    J = np.moveaxis(sampled.mapping.DF(samples), (0, 1), (-2, -1))
    covariant = np.swapaxes(J, -1, -2) @ strains
    c, s, _, k = covariant.shape
    coefficients = np.linalg.solve(
        functionals @ _fields(samples).reshape(2 * s, 8), functionals
    ) @ covariant.reshape(c, 2 * s, k)
    X = basis.quadrature[0]
    values = (_fields(X).reshape(-1, 8) @ coefficients).reshape(c, -1, 2, k)
    J = np.moveaxis(basis.mapping.DF(X), (0, 1), (-2, -1))
    return functions, np.linalg.solve(np.swapaxes(J, -1, -2), values)


def _fields(X: Floats) -> Floats:
    """The eight vector fields at points (2, s) of the unit triangle, shape (s, 2, 8)."""
    x, y = X
    one, zero = np.ones_like(x), np.zeros_like(x)
    first = [one, x, y, zero, zero, zero, x * y, y * y]
    second = [zero, zero, zero, one, x, y, -x * x, -x * y]
    return np.stack([np.array(first), np.array(second)]).transpose(2, 0, 1)


def _functionals() -> tuple[Floats, Floats]:
    """Points (2, s), and the eight functionals of fields given there, shape (8, 2 s)."""
    corners = np.array([[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
    gauss = 0.5 + np.array([-0.5, 0.5]) / np.sqrt(3.0)
    inside, weights = get_quadrature(RefTri, MEAN)
    positions, rows = [], []
    for a, b in ((0, 1), (1, 2), (0, 2)):
        tangent = corners[:, b] - corners[:, a]
        for t in gauss:
            positions.append(corners[:, a] + t * tangent)
            rows.append(tangent)
    count = len(positions) + len(weights)
    functionals = np.zeros((8, count, 2))
    functionals[np.arange(6), np.arange(6)] = rows
    functionals[6, 6:, 0] = functionals[7, 6:, 1] = weights
    return np.column_stack([*positions, inside]), functionals.reshape(8, 2 * count)
