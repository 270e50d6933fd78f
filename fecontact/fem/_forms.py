"""Batched integrals on a scikit-fem basis: int L_i^T C R_j dA for all cells at once.

L and R are what a form makes of the shape functions: strains, gradients, displacements. The
matrices of all cells come from one batched matrix product; evaluating a form per pair of shape
functions takes many times longer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from skfem import Basis

__all__ = ["Operator", "assemble", "assemble_values", "operator_values", "sample_matrix"]

Operator = Callable[..., list[Floats]]
"""Rows that a form takes of the fields of one shape function, each (c, q)."""


def operator_values(basis: Basis, operator: Operator) -> tuple[Integers, Floats]:
    """Shape functions k that the operator does not turn to zero, and its rows, (c, q, s, k)."""
    functions, rows = [], []
    for i, fields in enumerate(basis.basis):
        values = np.array(operator(*fields))
        if np.any(values):
            functions.append(i)
            rows.append(values)
    stacked = np.stack(rows, axis=-1).transpose(1, 2, 0, 3)
    return np.array(functions), np.ascontiguousarray(stacked)


def assemble(
    basis: Basis, left: Operator, stiffness: Floats, right: Operator | None = None
) -> sp.csr_array:
    """Matrix int L_i^T C R_j dA of all unknowns; R = L unless given.

    Parameters
    ----------
    basis
        scikit-fem basis with its quadrature.
    left, right
        What the form makes of a shape function: s rows.
    stiffness
        C, broadcast to (c, q, s, s).
    """
    first = operator_values(basis, left)
    second = first if right is None else operator_values(basis, right)
    return assemble_values(basis, first, stiffness, second)


def assemble_values(
    basis: Basis,
    left: tuple[Integers, Floats],
    stiffness: Floats,
    right: tuple[Integers, Floats],
) -> sp.csr_array:
    """As `assemble`, from shape functions and their rows as `operator_values` gives them."""
    (rows, L), (columns, R) = left, right
    c, q, s, _ = L.shape
    weighted = (stiffness * basis.dx[..., None, None]) @ R
    matrices = L.reshape(c, q * s, -1).transpose(0, 2, 1) @ weighted.reshape(c, q * s, -1)
    i, j = basis.element_dofs[rows].T, basis.element_dofs[columns].T
    entries = (np.repeat(i, len(columns), axis=1).ravel(), np.tile(j, len(rows)).ravel())
    shape = (basis.N, basis.N)
    return sp.csr_array(sp.coo_array((matrices.ravel(), entries), shape=shape))


def sample_matrix(basis: Basis, operator: Operator) -> sp.csr_array:
    """Matrix (c q s, n) that takes the unknowns to the rows at the quadrature points."""
    functions, values = operator_values(basis, operator)
    count = values[..., 0].size
    rows = np.broadcast_to(np.arange(count).reshape(*values.shape[:3], 1), values.shape)
    columns = np.broadcast_to(basis.element_dofs[functions].T[:, None, None, :], values.shape)
    used = values != 0.0
    entries = (values[used], (rows[used], columns[used]))
    return sp.csr_array(sp.coo_array(entries, shape=(count, basis.N)))
