"""How far a body is deformed: its largest strain and rotation relative to its frame.

The symmetric part of the displacement gradient H of a cell (`fem.solid.cell_gradients`) is its
strain, the skew part its rotation.
"""

from __future__ import annotations

from math import sqrt
from typing import NamedTuple

import numpy as np

from fecontact.fem.model import Geometry
from fecontact.typing import Floats, Integers

__all__ = ["Deformation", "largest_deformation", "most_deformed"]


class Deformation(NamedTuple):
    """Largest strain, as a fraction, and largest rotation in rad of all cells of a body."""

    strain: float
    rotation: float

    @staticmethod
    def largest(found: list[Deformation]) -> Deformation:
        """Largest strain and largest rotation of some."""
        strain, rotation = (max(values) for values in zip(*found, strict=True))
        return Deformation(strain, rotation)


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
    for kind, cells in geometry.cells.items():
        if not len(cells):
            continue
        H = geometry.gradients[kind](displacement[cells])
        turned = H.swapaxes(1, 2)
        strain = max(strain, _largest_eigenvalue(0.5 * (H + turned)))
        # the skew matrix of an angle a has the norm sqrt(2) a
        rotation = max(rotation, float(np.linalg.norm(H - turned, axis=(1, 2)).max()) / sqrt(8.0))
    return Deformation(strain, rotation)


def most_deformed(elastic: Floats, stiffness: Floats) -> Integers:
    """Rows of coordinates (k, m) with the most strain energy and the largest displacement."""
    weights = np.array([stiffness, np.ones_like(stiffness)])
    sizes = np.einsum("km,km,wm->wk", elastic, elastic, weights)
    return np.unique(np.argmax(np.where(np.isfinite(sizes), sizes, -1.0), axis=1))


def _largest_eigenvalue(E: Floats) -> float:
    """Largest size of an eigenvalue of symmetric matrices (c, 3, 3).

    It lies between |E|/sqrt(3) and |E|, |E| the Frobenius norm: few matrices can have it.
    """
    norm = np.linalg.norm(E, axis=(1, 2))
    if not np.isfinite(norm).all():
        return np.inf
    few = E[norm >= 0.57 * norm.max()]
    return float(np.abs(np.linalg.eigvalsh(few)).max())
