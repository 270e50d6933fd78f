"""Annular Kirchhoff plate in harmonic form: Fourier series in phi, Hermite elements in r.

    w(r, phi) = sum_k f_k(r) cos(k phi) + g_k(r) sin(k phi)

Each harmonic k has its own radial problem with the curvatures (Jehle 3.27, 3.35)

    kappa_rr = f'',   kappa_pp = f'/r - k^2 f/r^2,   kappa_rp = k (f'/r - f/r^2)

    U_k = c_k D/2 int kappa_rr^2 + kappa_pp^2 + 2 nu kappa_rr kappa_pp
                      + 2 (1 - nu) kappa_rp^2  r dr,           c_0 = 2 pi, c_k = pi

In a spinning disc the centrifugal membrane stress adds per Omega^2

    U_k = c_k h/2 int sigma_r f'^2 + sigma_phi k^2 f^2/r^2  r dr .

The circle is exact, the slopes are continuous, and the functions are closed under d/dphi.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp
from skfem import Basis, BilinearForm, ElementLineHermite, MeshLine

from fecontact.errors import NON_NEGATIVE, POSITIVE, at_least, check, one_of, unknown
from fecontact.fem.material import Material, check_isotropic
from fecontact.fem.plate.kirchhoff import SUPPORTS
from fecontact.mesh.ring import check_radii
from fecontact.reference.structures.rotating_disc import spinning_annulus_stress
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from scipy.interpolate import CubicHermiteSpline

__all__ = ["HarmonicPlate"]


@BilinearForm
def _curvature(u, v, w):  # type: ignore[no-untyped-def]
    r, k, nu = w.x[0], w.k, w.poisson

    def curvatures(f):  # type: ignore[no-untyped-def]
        slope = f.grad[0] / r
        return f.hess[0, 0], slope - k**2 * f / r**2, k * (slope - f / r**2)

    rr, pp, rp = curvatures(u)
    rr_, pp_, rp_ = curvatures(v)
    bending = rr * rr_ + pp * pp_ + nu * (rr * pp_ + pp * rr_)
    return (bending + 2.0 * (1.0 - nu) * rp * rp_) * r


@BilinearForm
def _product(u, v, w):  # type: ignore[no-untyped-def]
    return u * v * w.x[0]


@BilinearForm
def _tension(u, v, w):  # type: ignore[no-untyped-def]
    r, radial, hoop = w.x[0], w.radial, w.hoop
    return (radial * u.grad[0] * v.grad[0] + hoop * w.k**2 * u * v / r**2) * r


@dataclass(frozen=True)
class HarmonicPlate:
    """Annular thin plate, axisymmetric, resolved in Fourier harmonics.

    Parameters
    ----------
    inner_radius, outer_radius, thickness
        In m.
    material
        Isotropic material.
    supports
        Edge ("inner", "outer") -> "simply_supported" or "clamped"; other edges are free.
    elements
        Number of radial elements.
    held_in_plane
        Edges ("inner", "outer") that cannot grow under the centrifugal stress; others are free in
        the plane, whatever supports them against bending.

    Examples
    --------
    >>> from fecontact.fem import STEEL
    >>> plate = HarmonicPlate(0.08, 0.12, 0.005, STEEL, {"outer": "simply_supported"})
    >>> plate.stiffness(1).shape
    (34, 34)
    """

    inner_radius: float
    outer_radius: float
    thickness: float
    material: Material
    supports: Mapping[str, str] = field(default_factory=dict, hash=False)
    elements: int = 16
    held_in_plane: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check_radii(self.inner_radius, self.outer_radius)
        check("thickness", self.thickness, POSITIVE, "m")
        check("elements", self.elements, at_least(1))
        check_isotropic("material", self.material)
        for edge, kind in self.supports.items():
            if edge not in ("inner", "outer"):
                raise unknown("surface", edge, ("inner", "outer"))
            check(f"support of edge '{edge}'", kind, one_of(SUPPORTS))
        for edge in self.held_in_plane:
            check("held_in_plane", edge, one_of(("inner", "outer")))

    @cached_property
    def nodes(self) -> Floats:
        """Radii of the element ends."""
        return np.linspace(self.inner_radius, self.outer_radius, self.elements + 1)

    @cached_property
    def basis(self) -> Basis:
        """scikit-fem basis of the radial functions; unknowns f and f' at each node."""
        return Basis(MeshLine(self.nodes), ElementLineHermite(), intorder=12)

    @property
    def bending_stiffness(self) -> float:
        """D = E h^3 / (12 (1 - nu^2)) in N m."""
        return self.material.bending_stiffness(self.thickness)

    @property
    def total_mass(self) -> float:
        """Mass of the plate in kg."""
        area = np.pi * (self.outer_radius**2 - self.inner_radius**2)
        return float(self.material.density * self.thickness * area)

    @property
    def polar_inertia(self) -> float:
        """Moment of inertia about the axis, m (r_i^2 + r_o^2)/2, in kg m^2."""
        return 0.5 * self.total_mass * (self.inner_radius**2 + self.outer_radius**2)

    def curvature_form(self, k: int) -> sp.csr_array:
        """Bending form of unit stiffness for harmonic k; the stiffness is D times this."""
        check("harmonic k", k, NON_NEGATIVE)
        form = _curvature.assemble(self.basis, k=float(k), poisson=self.material.poisson)
        return sp.csr_array(circle_weight(k) * form)

    def stiffness(self, k: int) -> sp.csr_array:
        """Stiffness matrix of the radial unknowns of harmonic k."""
        return self.bending_stiffness * self.curvature_form(k)

    def mass(self, k: int) -> sp.csr_array:
        """Mass matrix of the radial unknowns of harmonic k."""
        scale = self.material.density * self.thickness * circle_weight(k)
        return sp.csr_array(scale * _product.assemble(self.basis))

    def geometric_stiffness(self, k: int) -> sp.csr_array:
        """Stiffness of harmonic k by the centrifugal stress, per Omega^2.

        In its own frame the spinning disc obeys M f'' + (K + Omega^2 K_sigma) f = 0: the rotation
        has no other effect on the transverse motion of a thin plate.
        """
        check("harmonic k", k, NON_NEGATIVE)
        radial, hoop = spinning_annulus_stress(
            self.basis.global_coordinates()[0],
            self.inner_radius,
            self.outer_radius,
            self.material.density,
            self.material.poisson,
            self.held_in_plane,
        )
        form = _tension.assemble(self.basis, k=float(k), radial=radial, hoop=hoop)
        return sp.csr_array(self.thickness * circle_weight(k) * form)

    @cached_property
    def free(self) -> Integers:
        """Radial unknowns that the supports leave free."""
        values, slopes = self.basis.nodal_dofs
        fixed = []
        for edge, kind in self.supports.items():
            end = 0 if edge == "inner" else -1
            fixed.append(values[end])
            if kind == "clamped":
                fixed.append(slopes[end])
        return np.setdiff1d(np.arange(self.basis.N), fixed)

    def radial_functions(self, coefficients: Floats) -> CubicHermiteSpline:
        """Functions f(r) of given unknowns, shape (n,) or (n, m), as one smooth spline."""
        from scipy.interpolate import CubicHermiteSpline  # takes longer to load than most starts

        values, slopes = self.basis.nodal_dofs
        return CubicHermiteSpline(self.nodes, coefficients[values], coefficients[slopes])

    def interpolate(self, value: Floats, slope: Floats) -> Floats:
        """Unknowns of the function with given value and slope at the nodes."""
        coefficients = np.empty(self.basis.N)
        values, slopes = self.basis.nodal_dofs
        coefficients[values] = value
        coefficients[slopes] = slope
        return coefficients

    def ring_loads(self, radius: float) -> Floats:
        """Load vectors of a line force and of a line couple on a circle, shape (n, 2).

        They are the values f(R) and f'(R) of the radial shape functions.
        """
        functions = self.radial_functions(np.eye(self.basis.N))
        return np.column_stack([functions(radius), functions(radius, 1)])


def circle_weight(k: int) -> float:
    """Integral of cos(k phi)^2 over the circle: 2 pi for k = 0, else pi."""
    return 2.0 * np.pi if k == 0 else np.pi
