"""What every finite-element body answers: the one protocol of beams, plates and solids.

M u'' + K u = f,      u: all unknowns of the body, some held at zero by supports
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Protocol

from fecontact.fem.solid.cell_gradients import CellGradients
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    import scipy.sparse as sp

__all__ = ["FEModel", "FESurface", "Geometry"]


@dataclass(frozen=True)
class FESurface:
    """Points of a named surface with the displacement they get from the unknowns.

    Attributes
    ----------
    points : (p, 3)
        Reference positions in m.
    weights : (p,)
        Area in m^2 (length in m for a line); they add up to the measure of the surface.
    normals : (p, 3)
        Outward unit normals.
    shape : (3 p, n) sparse
        Displacement of the points, components x, y, z of one point after the other, per unknown.
        For plates and beams it contains the rotation times the offset of the surface.
    """

    points: Floats
    weights: Floats
    normals: Floats
    shape: sp.csr_array


@dataclass(frozen=True)
class Geometry:
    """Nodes and cells for pictures, with the displacement of the nodes.

    Attributes
    ----------
    points : (nodes, 3)
        Reference positions in m.
    cells
        meshio cell type -> connectivity (cells, corners).
    shape : (3 nodes, n) sparse
        Displacement of the nodes, x, y, z of one node after the other, per unknown.
    """

    points: Floats
    cells: dict[str, Integers]
    shape: sp.csr_array

    @cached_property
    def gradients(self) -> dict[str, CellGradients]:
        """Cell type -> displacement gradients of its cells."""
        return {kind: CellGradients.of(self.points[cells]) for kind, cells in self.cells.items()}


class FEModel(Protocol):
    """A finite-element body: matrices of all unknowns, supports, surfaces, geometry.

    A body may offer more, and those who need it ask for it by name:

    - `mass_field` (`MassField`): where its mass is, for shape integrals and rotating frames;
    - `geometric_stiffness(displacement, strain)` or `inertia_stiffness(offset, slope, strain)`:
      stiffness of the stress of a static displacement, or of the inertia loads
      -rho (offset + slope x), for a material that is linear in a strain (`prestress.STRAINS`);
    - `interfaces`: its named surfaces, edges and curves, where joints may hold (`mean_motion`);
    - `joining_parts`: unknowns of named edges or stations, as an interface to other bodies;
    - `spring_stiffness`: the part of springs to ground in its stiffness.
    """

    @property
    def stiffness(self) -> sp.csr_array:
        """Stiffness matrix (n, n), symmetric."""
        ...

    @property
    def mass(self) -> sp.csr_array:
        """Consistent mass matrix (n, n), symmetric positive definite on the free unknowns."""
        ...

    @property
    def free(self) -> Integers:
        """Unknowns that the supports leave free, sorted."""
        ...

    @property
    def geometry(self) -> Geometry:
        """Nodes and cells for pictures and for inertia integrals."""
        ...

    def surface(self, name: str) -> FESurface:
        """Contact points of a named surface."""
        ...

    def rigid_body_modes(self) -> Floats:
        """Rigid-body modes (n, r) in the unknowns, regardless of supports; r <= 6."""
        ...
