"""What plates share: the names of their faces and the shape matrix of face points."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from fecontact.errors import unknown
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from skfem import Mesh

__all__ = ["SIDES", "face_cells", "face_names", "face_shape"]

SIDES = {"top": 1.0, "bottom": -1.0}


def face_cells(mesh: Mesh, name: str) -> tuple[float, Integers]:
    """Side of a face (+1 top, -1 bottom) and its cells: all, or those of a named volume.

    Examples
    --------
    >>> from skfem import MeshTri
    >>> mesh = MeshTri().with_subdomains({"facing": [1]})
    >>> side, cells = face_cells(mesh, "facing.bottom")
    >>> side, cells.tolist()
    (-1.0, [1])
    """
    owner, _, side = name.rpartition(".")
    parts = mesh.subdomains or {}
    if side not in SIDES or name.startswith(".") or (owner and owner not in parts):
        raise unknown("surface", name, face_names(mesh))
    cells = parts[owner] if owner else np.arange(mesh.nelements)
    return SIDES[side], np.unique(cells).astype(np.int64)


def face_names(mesh: Mesh) -> list[str]:
    """Names of the faces: of the plate, and of its named volumes."""
    return [*SIDES, *(f"{part}.{side}" for part in mesh.subdomains or {} for side in SIDES)]


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
