"""Solids of cells that cannot bend: a warning.

Bent by the curvature k, a linear hexahedron of edge a gets the shear strain k x instead of none:
in a plate of thickness h its stiffness is wrong by the factor 1 + G/E (a/h)^2. Linear tetrahedra
are worse. Quadratic tetrahedra lock where they are flat: their deflection is quadratic on a
triangle and its slope must be continuous across the edges, which leaves too few free shapes
(measured on annuli and strips: 1 to 4 % in frequency at a/h = 6, 15 % at 12, 140 % at 60, on cells
of an eighth of a wave). Quadratic hexahedra do not.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from fecontact.errors import warn_caller
from fecontact.mesh.quality import edge_to_thickness

if TYPE_CHECKING:
    from skfem import Mesh

__all__ = ["warn_if_locking"]

LIMITS = {"tet1": 0.25, "hex1": 0.6, "tet2": 8.0}
"""Edge over thickness of the body from which on an element is too stiff in bending."""

CURES = {
    "tet1": "take quadratic tetrahedra, element='tet2'",
    "hex1": "take quadratic hexahedra, element='hexS2'",
    "tet2": "take hexahedra, smaller cells or a plate",
}


def warn_if_locking(mesh: Mesh, element: str) -> None:
    """Warn of a solid whose cells are too long for its thickness."""
    limit = LIMITS.get(element)
    if limit is None:
        return
    ratio = edge_to_thickness(mesh)
    if ratio > limit:
        warn_caller(
            f"the edges of the {element} cells are {ratio:.3g} times the thickness of the body; "
            f"from {limit:g} on this element is too stiff in bending (locking), and frequencies "
            f"come out too high: {CURES[element]}; the mesh error of the modes tells how much "
            "(reduce_model(mesh_error=True), command line --mesh-error)"
        )
