"""Sparse symmetric factorisation, reused for many right-hand sides."""

from __future__ import annotations

from collections.abc import Callable

import scipy.sparse as sp
from scipy.sparse.linalg import splu

from fecontact.errors import SolverError
from fecontact.typing import Floats

__all__ = ["factorise"]


def factorise(A: sp.csr_array) -> Callable[[Floats], Floats]:
    """Factorise a sparse symmetric matrix once and return `solve(b)`.

    SuperLU in symmetric mode (minimum degree on A^T + A, no pivoting): several times faster and
    smaller on elastic plates than the default column ordering.

    Examples
    --------
    >>> import numpy as np
    >>> solve = factorise(sp.csr_array(np.diag([2.0, 4.0])))
    >>> solve(np.array([2.0, 2.0])).tolist()
    [1.0, 0.5]
    """
    try:
        lu = splu(
            sp.csc_array(A),
            permc_spec="MMD_AT_PLUS_A",
            diag_pivot_thresh=0.0,
            options={"SymmetricMode": True},
        )
    except RuntimeError as error:
        raise SolverError(
            "the matrix is singular: the body can move freely; fix an edge or use a free method"
        ) from error
    return lu.solve
