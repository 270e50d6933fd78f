"""Reissner-Mindlin plate on quadrilaterals, heterosis element.

    u = (z psi_x, z psi_y, w),     shear strain  gamma = grad w + psi
    U = 1/2 int D ((1 - nu) eps(psi):eps(psi) + nu (div psi)^2) + kappa G h |gamma|^2 dA
    T = 1/2 int rho h w_t^2 + rho h^3/12 |psi_t|^2 dA

w lies in the eight-node serendipity space, the rotations in the nine-node space, and the shear
energy is integrated with 2 x 2 points (Hughes and Cohen 1978): no shear locking, and no spurious
zero-energy mode, which the nine-node element with the same rule has. Constant bending is exact on
parallelograms; on other cells the error vanishes under uniform refinement (energy: order 6), so use
smooth meshes for very thin plates. Below h/L = 1e-4 round-off grows, because the rotary inertia
falls with h^3: take `KirchhoffPlate` there. Membrane motion (plane
stress) is uncoupled in a flat plate; it is added on request so that the body has all six rigid
motions and the contact faces their in-plane motion.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from skfem import (
    Basis,
    BilinearForm,
    ElementQuad2,
    ElementQuadS2,
    ElementVector,
    MeshQuad,
    MeshQuad2,
)
from skfem.helpers import ddot, div, dot, grad, sym_grad

from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, check, one_of
from fecontact.fem.mass_field import MassField
from fecontact.fem.material import Material
from fecontact.fem.model import FESurface, Geometry
from fecontact.fem.plate_faces import face_shape, face_side
from fecontact.fem.plate_inertia import mindlin_mass_field, mindlin_rotation
from fecontact.mesh.sets import boundary_facets
from fecontact.typing import Floats, Integers

__all__ = ["MINDLIN_SUPPORTS", "MindlinPlate"]

MINDLIN_SUPPORTS = ("simply_supported", "hard_simply_supported", "clamped")


def _plane_stress(u, v, nu):  # type: ignore[no-untyped-def]
    """(1 - nu) eps:eps' + nu tr eps tr eps': bending of unit D and, scaled, membrane."""
    return (1.0 - nu) * ddot(sym_grad(u), sym_grad(v)) + nu * div(u) * div(v)


@dataclass(frozen=True)
class MindlinPlate:
    """Plate of constant thickness with shear deformation.

    Parameters
    ----------
    mesh
        Quadrilaterals (straight or quadratic sides) in the x-y plane, in m, with named edges.
    thickness
        In m.
    material
        Isotropic material.
    supports
        Edge name -> "simply_supported" (w = 0 only, the soft support), "hard_simply_supported"
        (also no rotation along the edge; straight edges along x or y), "clamped".
    shear_factor
        kappa; 5/6, or pi^2/12 after Mindlin.
    membrane
        True adds the in-plane displacements of the mid-plane; supports hold them too.
    foundation
        Stiffness of an elastic bed in N/m^3.

    Examples
    --------
    >>> from skfem import MeshQuad
    >>> from fecontact.fem import STEEL
    >>> plate = MindlinPlate(MeshQuad().refined(2).with_defaults(), 0.1, STEEL, {"left": "clamped"})
    >>> plate.stiffness.shape
    (227, 227)
    """

    mesh: MeshQuad
    thickness: float
    material: Material
    supports: Mapping[str, str] = field(default_factory=dict)
    shear_factor: float = 5.0 / 6.0
    membrane: bool = False
    foundation: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.mesh, MeshQuad):
            kind = type(self.mesh).__name__
            raise InputError(f"mesh = {kind} is not possible: it must be made of quadrilaterals")
        check("thickness", self.thickness, POSITIVE, "m")
        check("shear_factor", self.shear_factor, POSITIVE)
        check("foundation", self.foundation, NON_NEGATIVE, "N/m^3")
        for edge, kind in self.supports.items():
            boundary_facets(self.mesh, edge)
            check(f"support of edge '{edge}'", kind, one_of(MINDLIN_SUPPORTS))

    @cached_property
    def basis(self) -> Basis:
        """scikit-fem basis of (w, psi) or (w, psi, membrane), 3 x 3 points."""
        element = ElementQuadS2() * ElementVector(ElementQuad2())
        if self.membrane:
            element = element * ElementVector(ElementQuad2())
        return Basis(_serendipity(self.mesh), element, intorder=5)

    @cached_property
    def reduced_basis(self) -> Basis:
        """The same functions at 2 x 2 points: for the shear energy and for the faces."""
        return Basis(self.basis.mesh, self.basis.elem, intorder=3)

    @cached_property
    def stiffness(self) -> sp.csr_array:
        """Stiffness matrix of all unknowns."""
        E, nu, h = self.material.young, self.material.poisson, self.thickness
        D = self.material.bending_stiffness(h)
        shear = self.shear_factor * E / (2.0 * (1.0 + nu)) * h

        @BilinearForm
        def bending(*args):  # type: ignore[no-untyped-def]
            u, v, _ = _split(args)
            energy = D * _plane_stress(u[1], v[1], nu)
            if self.membrane:
                energy = energy + 12.0 * D / h**2 * _plane_stress(u[2], v[2], nu)
            return energy

        @BilinearForm
        def shearing(*args):  # type: ignore[no-untyped-def]
            u, v, _ = _split(args)
            return shear * dot(grad(u[0]) + u[1], grad(v[0]) + v[1])

        matrix = bending.assemble(self.basis) + shearing.assemble(self.reduced_basis)
        return sp.csr_array(matrix + self.spring_stiffness if self.foundation else matrix)

    @cached_property
    def spring_stiffness(self) -> sp.csr_array:
        """Part of the foundation in the stiffness matrix."""

        @BilinearForm
        def bed(*args):  # type: ignore[no-untyped-def]
            u, v, _ = _split(args)
            return self.foundation * u[0] * v[0]

        return sp.csr_array(bed.assemble(self.basis))

    @cached_property
    def mass(self) -> sp.csr_array:
        """Mass matrix of all unknowns, with rotary inertia."""
        h, rho = self.thickness, self.material.density

        @BilinearForm
        def inertia(*args):  # type: ignore[no-untyped-def]
            u, v, _ = _split(args)
            momentum = rho * h * u[0] * v[0] + rho * h**3 / 12.0 * dot(u[1], v[1])
            return momentum + rho * h * dot(u[2], v[2]) if self.membrane else momentum

        return sp.csr_array(inertia.assemble(self.basis))

    @cached_property
    def mass_field(self) -> MassField:
        """Mid-plane points and directors with their displacement."""
        surface_density = self.material.density * self.thickness
        return mindlin_mass_field(self.basis, surface_density, self.thickness)

    @cached_property
    def rotation(self) -> tuple[sp.csr_array, sp.csr_array]:
        """Raw rotation integrals (B, S) about z in the space-fixed frame (`plate_inertia`)."""
        return mindlin_rotation(self.basis, self.mass_field)

    @cached_property
    def free(self) -> Integers:
        """Unknowns that the supports leave free."""
        membrane = ["u^1^3", "u^2^3"] if self.membrane else []
        fixed = []
        for edge, kind in self.supports.items():
            names = ["u^1", *membrane]
            if kind == "clamped":
                names += ["u^1^2", "u^2^2"]
            elif kind == "hard_simply_supported":
                names.append(self._tangential_rotation(edge))
            fixed.append(self.basis.get_dofs(boundary_facets(self.mesh, edge)).all(names))
        everything = np.arange(self.basis.N)
        return np.setdiff1d(everything, np.concatenate([np.empty(0, dtype=int), *fixed]))

    @cached_property
    def geometry(self) -> Geometry:
        """Mid-plane: corners of the cells with their displacement."""
        corners = self.basis.nodal_dofs
        count = self.mesh.nvertices
        fields = {2: corners[0]}
        if self.membrane:
            fields |= {0: corners[3], 1: corners[4]}
        rows = np.concatenate([3 * np.arange(count) + axis for axis in fields])
        columns = np.concatenate(list(fields.values()))
        ones = np.ones(len(rows))
        shape = sp.csr_array((ones, (rows, columns)), shape=(3 * count, self.basis.N))
        points = np.column_stack([self.mesh.p[:, :count].T, np.zeros(count)])
        return Geometry(points, {"quad": np.asarray(self.mesh.t.T, dtype=np.int64)}, shape)

    def surface(self, name: str) -> FESurface:
        """Face "top" (z = h/2) or "bottom" (z = -h/2), at the 2 x 2 points of each cell."""
        side, basis = face_side(name), self.reduced_basis
        height = 0.5 * side * self.thickness
        z = np.full(basis.dx.size, height)
        points = np.column_stack([*basis.global_coordinates().reshape(2, -1), z])
        values = []
        for local in basis.basis:
            w, *planes = (np.asarray(part).reshape(-1, len(z)) for part in local)
            plane = height * planes[0] + (planes[1] if self.membrane else 0.0)
            values.append(np.concatenate([plane, w]))
        cells = np.repeat(np.arange(self.mesh.nelements), basis.dx.shape[1])
        dofs = basis.element_dofs[:, cells]
        shape = face_shape(np.array(values), dofs, np.arange(len(z)), basis.N)
        return FESurface(points, basis.dx.ravel(), np.tile([0.0, 0.0, side], (len(z), 1)), shape)

    def rigid_motions(self) -> Floats:
        """Heave and two tilts; with membrane motion all six: along x, y, z, about x, y, z."""
        x, y = self.basis.doflocs
        one = {name: (self._dof_names == name) * 1.0 for name in set(self.basis.elem.dofnames)}
        w, psi_x, psi_y = one["u^1"], one["u^1^2"], one["u^2^2"]
        tilts = np.column_stack([w, w * y - psi_y, psi_x - w * x])
        if not self.membrane:
            return tilts
        u, v = one["u^1^3"], one["u^2^3"]
        return np.column_stack([u, v, tilts, v * x - u * y])

    @cached_property
    def _dof_names(self) -> npt.NDArray[np.object_]:
        """Name of every unknown: u^1 is w, u^i^2 is psi_i, u^i^3 the membrane displacement."""
        basis, names = self.basis, np.empty(self.basis.N, dtype=object)
        rows = [*basis.nodal_dofs, *basis.facet_dofs, *basis.interior_dofs]
        for row, name in zip(rows, basis.elem.dofnames, strict=True):
            names[row] = name
        return names

    def _tangential_rotation(self, edge: str) -> str:
        """Name of the rotation along a straight edge that is parallel to x or y."""
        x, y = self.mesh.p[:, np.unique(self.mesh.facets[:, boundary_facets(self.mesh, edge)])]
        size = max(np.ptp(x), np.ptp(y))
        for extent, name in ((np.ptp(x), "u^2^2"), (np.ptp(y), "u^1^2")):
            if extent <= 1e-9 * size:
                return name
        raise InputError(
            f"support of edge '{edge}' = hard_simply_supported is not possible: the edge must be "
            "straight and parallel to x or y; use simply_supported"
        )


def _split(args):  # type: ignore[no-untyped-def]
    """Trial fields, test fields and data of a form on the composite element."""
    half = (len(args) - 1) // 2
    return args[:half], args[half:-1], args[-1]


def _serendipity(mesh: MeshQuad) -> MeshQuad:
    """Mesh whose curved cells are eight-node maps, so that w contains the linear functions.

    Only the middle node of quadratic cells moves: to 1/2 sum of mid-sides - 1/4 sum of corners.
    """
    if not isinstance(mesh, MeshQuad2):
        return mesh
    x = mesh.doflocs.copy()
    dofs = mesh.dofs.element_dofs
    x[:, dofs[8]] = 0.5 * x[:, dofs[4:8]].sum(axis=1) - 0.25 * x[:, dofs[:4]].sum(axis=1)
    return replace(mesh, doflocs=x)
