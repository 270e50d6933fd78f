"""Straight beams as a divided line."""

from __future__ import annotations

import numpy as np
from skfem import MeshLine

from fecontact.errors import POSITIVE, at_least, check
from fecontact.mesh.grading import Grading, divisions

__all__ = ["beam"]


def beam(length: float, cells: int = 16, grading: Grading = 1.0) -> MeshLine:
    """Mesh of the line 0 <= x <= length (m) with the end points `start` and `end`.

    Examples
    --------
    >>> beam(0.4, cells=3, grading=4.0).p.round(4).tolist()
    [[0.0, 0.0571, 0.1714, 0.4]]
    """
    check("length", length, POSITIVE, "m")
    check("cells", cells, at_least(1))
    mesh = MeshLine(divisions(0.0, length, cells, grading)[None])
    return mesh.with_boundaries({"start": np.array([0]), "end": np.array([cells])})
