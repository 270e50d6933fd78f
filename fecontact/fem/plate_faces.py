"""What plates share: the names of their faces and the shape matrix of face points."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from fecontact.errors import unknown
from fecontact.typing import Floats, Integers

__all__ = ["SIDES", "face_shape", "face_side"]

SIDES = {"top": 1.0, "bottom": -1.0}


def face_side(name: str) -> float:
    """Return +1 for the top face, -1 for the bottom face."""
    if name not in SIDES:
        raise unknown("surface", name, SIDES)
    return SIDES[name]


def face_shape(values: Floats, dofs: Integers, point: Integers, size: int) -> sp.csr_array:
    """Displacement of points from the values of shape functions; equal entries add up.

    Parameters
    ----------
    values : (k, 3, s)
        Displacement of k functions in s samples.
    dofs : (k, s)
        Unknown of each function in each sample.
    point : (s,)
        Point that each sample contributes to.
    size
        Number of unknowns.

    Returns
    -------
    (3 p, size) sparse
    """
    rows = np.broadcast_to(3 * point + np.arange(3)[:, None], values.shape)
    columns = np.broadcast_to(dofs[:, None, :], values.shape)
    count = 3 * (int(point.max()) + 1)
    used = values != 0.0
    entries = (values[used], (rows[used], columns[used]))
    return sp.csr_array(sp.coo_array(entries, shape=(count, size)))
