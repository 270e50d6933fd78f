"""Kirchhoff plate on a triangular mesh.

    U = D/2 int (lap w)^2 - 2 (1 - nu) (w_xx w_yy - w_xy^2) dA,     T = rho h/2 int w_t^2 dA

(Jehle 3.35 in Cartesian coordinates; the twist term is the corrected one.) The element is
Morley's: quadratic, nonconforming, unknowns w at the vertices and the normal slope at the mid of
each edge. A simply supported curved edge is constrained at its vertices only; a conforming
element with w = 0 along the whole polygon would converge to a wrong answer (Babuska's paradox).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from skfem import Basis, BilinearForm, ElementTriMorley, MeshTri
from skfem.helpers import dd, ddot, trace

from fecontact.errors import POSITIVE, check, one_of
from fecontact.fem.material import Material
from fecontact.mesh.sets import boundary_facets
from fecontact.typing import Integers

__all__ = ["SUPPORTS", "KirchhoffPlate"]

SUPPORTS = ("simply_supported", "clamped")


@BilinearForm
def _curvature(u, v, w):  # type: ignore[no-untyped-def]
    """Bending form of unit stiffness: (1 - nu) H:H' + nu tr H tr H'."""
    return (1.0 - w.poisson) * ddot(dd(u), dd(v)) + w.poisson * trace(dd(u)) * trace(dd(v))


@BilinearForm
def _product(u, v, w):  # type: ignore[no-untyped-def]
    return u * v


@BilinearForm
def _rate(u, v, w):  # type: ignore[no-untyped-def]
    """Form v D u, with the rotation derivative D = x d/dy - y d/dx."""
    return v * (w.x[0] * u.grad[1] - w.x[1] * u.grad[0])


@BilinearForm
def _rate_product(u, v, w):  # type: ignore[no-untyped-def]
    x, y = w.x
    return (x * u.grad[1] - y * u.grad[0]) * (x * v.grad[1] - y * v.grad[0])


@dataclass(frozen=True)
class KirchhoffPlate:
    """Thin plate of constant thickness on a triangular mesh with named edges.

    Parameters
    ----------
    mesh
        Triangles in the x-y plane, in m.
    thickness
        In m.
    material
        Isotropic material.
    supports
        Edge name -> "simply_supported" or "clamped"; other edges are free.

    Examples
    --------
    >>> from fecontact.fem import STEEL
    >>> from fecontact.mesh import annulus
    >>> plate = KirchhoffPlate(annulus(0.08, 0.12), 0.005, STEEL, {"outer": "simply_supported"})
    >>> plate.mass.shape == plate.stiffness.shape
    True
    """

    mesh: MeshTri
    thickness: float
    material: Material
    supports: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check("thickness", self.thickness, POSITIVE, "m")
        for edge, kind in self.supports.items():
            boundary_facets(self.mesh, edge)
            check(f"support of edge '{edge}'", kind, one_of(SUPPORTS))

    @cached_property
    def basis(self) -> Basis:
        """scikit-fem basis; the element caches per mesh, hence a new one for each plate."""
        return Basis(self.mesh, ElementTriMorley(), intorder=4)

    @cached_property
    def stiffness(self) -> sp.csr_array:
        """Stiffness matrix of all unknowns."""
        D = self.material.bending_stiffness(self.thickness)
        return sp.csr_array(D * _curvature.assemble(self.basis, poisson=self.material.poisson))

    @cached_property
    def mass(self) -> sp.csr_array:
        """Mass matrix of all unknowns."""
        return self._surface_density * sp.csr_array(_product.assemble(self.basis))

    @cached_property
    def rotation(self) -> tuple[sp.csr_array, sp.csr_array]:
        """Raw rotation integrals B_ij = int rho h w_i D w_j and S_ij = int rho h D w_i D w_j.

        B is skew only up to the error of the mesh, because the polygon is not a circle.
        """
        B = self._surface_density * sp.csr_array(_rate.assemble(self.basis))
        S = self._surface_density * sp.csr_array(_rate_product.assemble(self.basis))
        return B, S

    @cached_property
    def free(self) -> Integers:
        """Unknowns that the supports leave free."""
        names = {"simply_supported": ["u"], "clamped": ["u", "u_n"]}
        fixed = [
            self.basis.get_dofs(boundary_facets(self.mesh, edge)).all(names[kind])
            for edge, kind in self.supports.items()
        ]
        everything = np.arange(self.basis.N)
        return np.setdiff1d(everything, np.concatenate([np.empty(0, dtype=int), *fixed]))

    @property
    def _surface_density(self) -> float:
        return self.material.density * self.thickness
