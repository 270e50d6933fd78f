"""Displacement gradients of cells from the displacements of their nodes.

The gradient H of a cell is that of the affine motion nearest to its nodes. On cells without volume
(plates, lines) H is known along the cell alone; normals are taken to stay normal and of their
length, so that a slope of a plate is a rotation and no strain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.typing import Floats

__all__ = ["CellGradients"]

FLAT = 1e-10
"""Second moments of a cell below this fraction of its largest are zero."""


@dataclass(frozen=True)
class CellGradients:
    """Weights of the displacements of the nodes in the gradients of cells of one type.

    Attributes
    ----------
    weights : (c, k, 3)
        H_ij is the sum of u_ki w_kj over the nodes of a cell.
    normal : (c, 3, 3) or None
        Projector on the directions in which a cell has no extent; None if all have volume.
    """

    weights: Floats
    normal: Floats | None

    @classmethod
    def of(cls, points: Floats) -> CellGradients:
        """Weights of cells with nodes (c, k, 3)."""
        x = points - points.mean(axis=1, keepdims=True)
        moments, axes = np.linalg.eigh(x.swapaxes(1, 2) @ x)
        spanned = moments > FLAT * moments[:, -1:]
        inverse = np.divide(1.0, moments, out=np.zeros_like(moments), where=spanned)
        turned = axes.swapaxes(1, 2)
        normal = None if spanned.all() else (axes * ~spanned[:, None]) @ turned
        return cls(x @ ((axes * inverse[:, None]) @ turned), normal)

    def __call__(self, displacement: Floats) -> Floats:
        """Gradients du_i/dx_j (c, 3, 3) of displacements (c, k, 3)."""
        H = displacement.swapaxes(1, 2) @ self.weights
        return np.asarray(H if self.normal is None else H - (self.normal @ H).swapaxes(1, 2))
