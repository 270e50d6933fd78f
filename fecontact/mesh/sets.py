"""Look-up of named surfaces."""

from __future__ import annotations

import numpy as np
from skfem import Mesh

from fecontact.errors import unknown
from fecontact.typing import Integers

__all__ = ["boundary_facets"]


def boundary_facets(mesh: Mesh, name: str) -> Integers:
    """Facet numbers of a named surface (an edge of a plate, a face of a solid).

    Examples
    --------
    >>> from fecontact.mesh import annulus
    >>> len(boundary_facets(annulus(0.08, 0.12, 2, 12), "outer"))
    12
    """
    known = mesh.boundaries or {}
    if name not in known:
        raise unknown("surface", name, known)
    return np.asarray(known[name], dtype=np.int64)
