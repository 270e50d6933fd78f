"""Static condensation of a finite-element model on some of its unknowns.

Only the kept unknowns c, those of the contact nodes, take part in a nonlinear solution; the others,
i, follow:

    K_s = K_cc - K_ci K_ii^-1 K_ic,      f_s = f_c - K_ci K_ii^-1 f_i

K_ii is factorised once for all increments. The condensation is exact in statics, and a body may
be free: its kept unknowns hold it while the others are eliminated.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from fecontact.errors import InputError
from fecontact.fem.material import Material
from fecontact.fem.model import FEModel, FESurface, Geometry
from fecontact.fem.solid.body import ElasticSolid
from fecontact.solvers.linear import Factorisation, factorise
from fecontact.typing import Floats, Integers

__all__ = ["Condensed", "Interior", "condense", "eliminate"]

COLUMNS = 128
"""Right-hand sides solved at a time; it bounds the memory."""


@dataclass(frozen=True, eq=False)
class Interior:
    """The eliminated unknowns of a condensed body: loads on them, and their displacement."""

    stiffness: sp.csr_array
    coupling: sp.csr_array
    solve: Factorisation
    contact: Integers
    inner: Integers

    def load(self, force: Floats) -> Floats:
        """Load f_s (m,) on the contact unknowns of a force (n,) on all unknowns."""
        return force[self.contact] - self.coupling.T @ self.solve(force[self.inner])

    def support_motion(self, displacement: Floats) -> Floats:
        """Load f_s (m,) of displaced supports: displacement (n,), zero at free unknowns."""
        return self.load(-(self.stiffness @ displacement))

    def displacement(self, u: Floats, force: Floats | None = None) -> Floats:
        """Displacement (n,) of all unknowns from that of the contact unknowns (m,)."""
        result = np.zeros(self.stiffness.shape[0])
        result[self.contact] = u
        inner = -(self.coupling @ u) if force is None else force[self.inner] - self.coupling @ u
        result[self.inner] = self.solve(inner)
        return result


def eliminate(model: FEModel, kept: Integers) -> tuple[Floats, Interior]:
    """Stiffness K_s of some unknowns of a body, as far as they are free; the others follow."""
    contact = np.intersect1d(model.free, kept)
    inner = np.setdiff1d(model.free, kept)
    K = sp.csr_array(model.stiffness)
    coupling = sp.csr_array(K[inner][:, contact])
    nothing = Factorisation("none", 0, lambda right: right)
    solve = factorise(sp.csr_array(K[inner][:, inner])) if len(inner) else nothing
    stiffness = K[contact][:, contact].toarray()
    for first in range(0, len(contact), COLUMNS):
        part = slice(first, first + COLUMNS)
        stiffness[:, part] -= coupling.T @ solve(coupling[:, part].toarray())
    return 0.5 * (stiffness + stiffness.T), Interior(K, coupling, solve, contact, inner)


@dataclass(frozen=True, eq=False)
class Condensed:
    """Contact surface of an elastic body with its exact static stiffness, as a model of its own.

    An `FEBody` takes it as any `FEModel`. It has neither mass nor mesh: it serves statics.

    Attributes
    ----------
    on
        Points with weights, normals and their displacement per contact unknown.
    matrix : (m, m)
        K_s in N/m.
    unknowns : (m,)
        Indices of the contact unknowns in the finite-element model.
    materials
        Of the body, then of one that it meets, if they are known.
    rigid : (m, r) or None
        Rigid-body modes; None if it is held.
    """

    on: FESurface
    matrix: Floats
    unknowns: Integers
    materials: tuple[Material, ...] = ()
    rigid: Floats | None = None

    def against(self, other: Condensed) -> Condensed:
        """Stiffness of the relative displacement of two bodies with the same contact mesh.

        The same forces act on both, in opposite directions: K = K_1 (K_1 + K_2)^-1 K_2.
        """
        same = self.matrix.shape == other.matrix.shape
        if not same or abs(self.on.shape - other.on.shape).max() > 1e-9:
            raise InputError(
                "two contact surfaces have different meshes: a matching pair needs the same nodes "
                "and points on both"
            )
        K = self.matrix @ np.linalg.solve(self.matrix + other.matrix, other.matrix)
        both = self.materials + other.materials if self.materials and other.materials else ()
        return Condensed(self.on, 0.5 * (K + K.T), self.unknowns, both)

    def mirrored(self, axis: int = 2) -> Condensed:
        """Mirror image of the body at the plane of contact, e.g. its twin on the other side."""
        sign = np.where(self.unknowns % 3 == axis, -1.0, 1.0)
        return replace(self, matrix=sign[:, None] * self.matrix * sign)

    @cached_property
    def stiffness(self) -> sp.csr_array:
        """K_s as a sparse matrix."""
        return sp.csr_array(self.matrix)

    @property
    def mass(self) -> sp.csr_array:
        """None: zero."""
        return sp.csr_array(self.matrix.shape)

    @cached_property
    def free(self) -> Integers:
        """All unknowns."""
        return np.arange(len(self.matrix), dtype=np.int64)

    @property
    def geometry(self) -> Geometry:
        """The points of contact alone, without cells."""
        return Geometry(self.on.points, {}, self.on.shape)

    def surface(self, name: str) -> FESurface:
        """The contact surface, under any name."""
        return self.on

    def rigid_body_modes(self) -> Floats:
        """Rigid-body modes (m, r); those of a body that is held are zero here."""
        return np.zeros((len(self.matrix), 3)) if self.rigid is None else self.rigid


def condense(
    model: FEModel,
    surface: str | FESurface,
    near: Callable[[Floats], npt.NDArray[np.bool_]] | None = None,
) -> tuple[Condensed, Interior]:
    """Condense a body on a contact surface.

    Parameters
    ----------
    model
        Finite-element body.
    surface
        Its contact surface: a name, or points of it, for example `solid.surface("top", "nodes")`.
    near
        Function of points (p, 3): which of them may come into contact; by default all.

    Returns
    -------
    Condensed, Interior
        What contact needs, and what loads and pictures need.
    """
    face = model.surface(surface) if isinstance(surface, str) else surface
    chosen = np.ones(len(face.points), dtype=bool) if near is None else near(face.points)
    if not chosen.any():
        raise InputError("contact surface: none of its points was chosen by `near`")
    shape = sp.csr_array(face.shape[np.repeat(chosen, 3)])
    stiffness, interior = eliminate(model, np.unique(shape.indices))
    interpolation = sp.csr_array(shape[:, interior.contact])
    on = FESurface(face.points[chosen], face.weights[chosen], face.normals[chosen], interpolation)
    material = model.material if isinstance(model, ElasticSolid) else None
    materials = (material,) if isinstance(material, Material) else ()
    held = len(model.free) < model.stiffness.shape[0]
    rigid = None if held else model.rigid_body_modes()[interior.contact]
    return Condensed(on, stiffness, interior.contact, materials, rigid), interior
