"""How far a body is deformed: its largest strain and rotation relative to its frame.

The displacement gradient H of a cell is that of the affine motion nearest to its nodes. Its
symmetric part is the strain, its skew part the rotation. On cells without volume (plates, lines) H
is known along the cell alone; normals are taken to stay normal and of their length, so that a
slope of a plate is a rotation and no strain.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from fecontact.fem.model import Geometry
from fecontact.typing import Floats

__all__ = ["Deformation", "largest_deformation"]

FLAT = 1e-10
"""Second moments of a cell below this share of its largest are zero."""


class Deformation(NamedTuple):
    """Largest strain, as a share, and largest rotation in rad of all cells of a body."""

    strain: float
    rotation: float


def largest_deformation(geometry: Geometry, displacement: Floats) -> Deformation:
    """Deformation of a body whose nodes move by (nodes, 3).

    Examples
    --------
    A plate that is stretched by 1 % and tilted by 0.1:

    >>> import scipy.sparse as sp
    >>> square = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]])
    >>> plate = Geometry(square, {"quad": np.arange(4)[None]}, sp.eye_array(12).tocsr())
    >>> found = largest_deformation(plate, square * [0.01, 0.0, 0.0] + square[:, :1] * [0, 0, 0.1])
    >>> [round(value, 9) for value in found]
    [0.01, 0.1]
    """
    strain = rotation = 0.0
    for cells in geometry.cells.values():
        if not len(cells):
            continue
        H = _gradients(geometry.points[cells], displacement[cells])
        turned = H.swapaxes(1, 2)
        strain = max(strain, float(np.abs(np.linalg.eigvalsh(0.5 * (H + turned))).max()))
        # the skew matrix of an angle a has the norm sqrt(2) a
        rotation = max(rotation, float(np.linalg.norm(H - turned, axis=(1, 2)).max()) / sqrt(8.0))
    return Deformation(strain, rotation)


def _gradients(points: Floats, displacement: Floats) -> Floats:
    """Displacement gradients du_i/dx_j (c, 3, 3) of cells with nodes (c, k, 3)."""
    x, u = (field - field.mean(axis=1, keepdims=True) for field in (points, displacement))
    moments, axes = np.linalg.eigh(x.swapaxes(1, 2) @ x)
    spanned = moments > FLAT * moments[:, -1:]
    inverse = np.divide(1.0, moments, out=np.zeros_like(moments), where=spanned)
    H = u.swapaxes(1, 2) @ x @ ((axes * inverse[:, None]) @ axes.swapaxes(1, 2))
    normal = (axes * ~spanned[:, None]) @ axes.swapaxes(1, 2)
    return np.asarray(H - (normal @ H).swapaxes(1, 2))
