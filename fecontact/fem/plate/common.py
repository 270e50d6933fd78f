"""What Kirchhoff and Mindlin plates share: sections, springs to ground, stress in the plane.

The stress resultants N of the mid-plane, given or from the in-plane body of the plate, change its
stiffness by (Timoshenko and Gere, Theory of Elastic Stability, ch. 8)

    K_sigma,ij = int N_x w_i,x w_j,x + N_y w_i,y w_j,y + N_xy (w_i,x w_j,y + w_i,y w_j,x) dA .

Tension (N > 0) stiffens. The resultants come from

- numbers: `tension_stiffness((N_x, N_y, N_xy))`,
- edge forces: a `Membrane` on the same mesh, with supports of its own or those of the plate
  (`plate.in_plane`); `static_displacement` under its `edge_load`, then `resultants(u, plate.basis)`
  give N at the points that `tension_stiffness` takes,
- the inertia of a moving frame: `inertia_stiffness`, for the floating frame and spinning discs.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from fecontact.errors import NON_NEGATIVE, Allowed, check
from fecontact.fem.material import Elastic
from fecontact.fem.mean_motion import edge_lines
from fecontact.fem.model import FESurface, Geometry
from fecontact.fem.plate.faces import face_names
from fecontact.fem.plate.membrane import Membrane
from fecontact.fem.plate.section import PlateSection
from fecontact.fem.prestress import inertia_relief, static_displacement
from fecontact.fem.spring import Spring, spring_matrix
from fecontact.mesh.sets import boundary_facets
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from skfem import Basis, Mesh

__all__ = ["Plate"]


class Plate(ABC):
    """Flat body in the x-y plane; a subclass adds its bending theory."""

    mesh: Mesh
    thickness: float | Mapping[str, float]
    material: Elastic | Mapping[str, Elastic]
    supports: Mapping[str, str]
    foundation: float
    springs: Sequence[Spring]

    @property
    @abstractmethod
    def basis(self) -> Basis:
        """scikit-fem basis of the bending unknowns."""

    @property
    @abstractmethod
    def geometry(self) -> Geometry:
        """Mid-plane with its displacement."""

    @abstractmethod
    def surface(self, name: str) -> FESurface:
        """Face "top" or "bottom", or that of one volume: "facing.top"."""

    @abstractmethod
    def tension_stiffness(
        self, resultants: Floats | Sequence[float], strain: str = "green"
    ) -> sp.csr_array:
        """Stiffness (n, n) of the resultants N_x, N_y, N_xy in N/m, tension positive.

        Parameters
        ----------
        resultants
            One set (3,), or (3, cells, points) at the points of `basis`.
        strain
            In which the material is linear, "green" or "biot" (`prestress`).
        """

    @abstractmethod
    def _foundation_part(self) -> sp.csr_array:
        """Form int w_i w_j dA."""

    @cached_property
    def section(self) -> PlateSection:
        """Stiffness and mass per area of each cell."""
        return PlateSection(self.mesh, self.thickness, self.material)

    @cached_property
    def spring_stiffness(self) -> sp.csr_array:
        """Part of the foundation and the springs in the stiffness matrix."""
        springs = spring_matrix(self, self.springs)
        return (
            sp.csr_array(springs + self.foundation * self._foundation_part())
            if self.foundation
            else springs
        )

    @cached_property
    def in_plane(self) -> Membrane:
        """Plane-stress body on the same cells; supported edges and springs hold it in x and y.

        That holds for each kind of support, also for `simply_supported`; for an edge that can slide
        in the plane, take a `Membrane` with its own supports and `tension_stiffness`. Springs hold
        the mid-plane: what a spring on one face bends is left out of the static state.
        """
        held, springs = dict.fromkeys(self.supports, "xy"), [s.in_plane() for s in self.springs]
        return Membrane(self.basis.mesh, self.thickness, self.material, held, springs)

    @property
    def interfaces(self) -> dict[str, FESurface]:
        """Faces and named edges, where joints may hold."""
        edges = edge_lines(self.mesh, self.geometry)
        return edges | {name: self.surface(name) for name in face_names(self.mesh)}

    @cached_property
    def joining_parts(self) -> dict[str, Integers]:
        """Unknowns of the named edges, where the plate may be joined to other bodies."""
        edges = {name: boundary_facets(self.mesh, name) for name in self.mesh.boundaries or {}}
        return {name: self.basis.get_dofs(facets).all() for name, facets in edges.items()}

    def inertia_stiffness(
        self, offset: Floats, slope: Floats, strain: str = "green"
    ) -> sp.csr_array:
        """Stiffness (n, n) of the in-plane stress in a frame with the acceleration field a(x).

            a = offset + slope x,    load -rho a per volume,

        a disc that spins with Omega about z: offset = 0, slope = -Omega^2 diag(1, 1, 0). A plate
        that can move freely in its plane is in equilibrium with its rigid acceleration.

        Parameters
        ----------
        offset, slope
            (3,) in m/s^2 and (3, 3) in 1/s^2.
        strain
            In which the material is linear, "green" or "biot" (`prestress`).
        """
        return self.tension_stiffness(self.inertia_resultants(offset, slope), strain)

    def inertia_resultants(self, offset: Floats, slope: Floats) -> Floats:
        """Resultants N_x, N_y, N_xy (3, c, q) at the points of `basis` for `inertia_stiffness`."""
        factors = np.concatenate([offset[:2], slope[:2, :2].ravel()])
        return np.asarray(np.tensordot(factors, self._unit_resultants, axes=1))

    @cached_property
    def _unit_resultants(self) -> Floats:
        """Resultants (6, 3, c, q) of unit accelerations: two offsets, four slopes."""
        plane, units = self.in_plane, np.eye(6)
        loads = [plane.inertia_load(unit[:2], unit[2:].reshape(2, 2)) for unit in units]
        balanced = inertia_relief(plane, np.column_stack(loads))
        return plane.resultants(static_displacement(plane, balanced), self.basis)

    def _check(self, supports: Allowed) -> None:
        """Check what all plates are given."""
        check("foundation", self.foundation, NON_NEGATIVE, "N/m^3")
        for edge, kind in self.supports.items():
            boundary_facets(self.mesh, edge)
            check(f"support of edge '{edge}'", kind, supports)
        self.section  # noqa: B018  # checks materials and thicknesses
