"""Unreduced finite-element body in a static contact problem.

The body is condensed on the nodes of its contact surfaces, once for all increments (see
`reduction.condensation`). Loads act anywhere, supports may be moved.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from fecontact.analysis.statics.condensed import Chosen
from fecontact.contact.master.elastic_facets import solid_facets
from fecontact.contact.master.facets import Facets
from fecontact.contact.surface.points import Surface, outward
from fecontact.errors import InputError, unknown
from fecontact.fem.model import FEModel
from fecontact.mesh.cells import CELL_TYPES
from fecontact.reduction.condensation import Interior, eliminate
from fecontact.typing import Floats

__all__ = ["FEBody", "Load"]

Load = tuple[Floats, Callable[[float], float]]
"""A vector over all unknowns of a body, and its factor over the load parameter."""


FREE = 1e-10
"""Force of a translation, relative to the stiffness, below which a body is free."""


@dataclass(frozen=True, eq=False)
class FEBody:
    """A solid with contact surfaces.

    Parameters
    ----------
    name
        Name in messages.
    model
        Finite-element solid; without supports it is free, and contact has to hold it.
    surfaces
        Names of its surfaces that take part in contacts, as slave, as master or as both.
    forces
        Loads: a force (n,) in N on all unknowns, and its factor.
    support_motions
        Displacements (n,) in m of unknowns that supports hold, and their factor.
    near
        Function of points (f, 3): facets with a centre there may touch; by default all.
    seat
        Displacement (3,) in m of the first guess. A free body under load must begin in contact,
        or nothing holds it; the result does not depend on the depth.
    """

    name: str
    model: FEModel
    surfaces: Sequence[str]
    forces: Sequence[Load] = ()
    support_motions: Sequence[Load] = ()
    near: Callable[[Floats], Chosen] | None = None
    seat: tuple[float, float, float] = (0.0, 0.0, 0.0)
    stiffness: Floats = field(init=False, repr=False)
    interior: Interior = field(init=False, repr=False)

    def __post_init__(self) -> None:
        kinds = {CELL_TYPES[kind].dim for kind in self.model.geometry.cells if kind in CELL_TYPES}
        if kinds != {3}:
            raise InputError(
                f"{self.name}: contact of unreduced bodies needs a solid of volume cells; reduce "
                "plates and beams and use StaticSystem"
            )
        nodes = np.unique(np.concatenate([f.connectivity.ravel() for f in self.faces.values()]))
        rows = self.model.geometry.shape[(3 * nodes[:, None] + np.arange(3)).ravel()]
        stiffness, interior = eliminate(self.model, np.unique(sp.csr_array(rows).indices))
        object.__setattr__(self, "stiffness", stiffness)
        object.__setattr__(self, "interior", interior)

    @cached_property
    def faces(self) -> dict[str, Facets]:
        """Surface name -> its facets that may touch."""
        found = {}
        for name in self.surfaces:
            on, title = self.model.surface(name), f"'{name}' of {self.name}"
            facets = solid_facets(self.model.geometry, on.points, on.normals, title)
            chosen = np.ones(len(facets.centres), bool)
            if self.near is not None:
                chosen = self.near(facets.centres)
            found[name] = Facets(facets.nodes, np.ascontiguousarray(facets.connectivity[chosen]))
        return found

    def face(self, name: str) -> Facets:
        """Facets of a named surface."""
        if name not in self.faces:
            raise unknown(f"contact surface of {self.name}", name, self.faces)
        return self.faces[name]

    @cached_property
    def lift(self) -> sp.csr_array:
        """Displacement (3 nodes, m) of all nodes of the mesh per contact unknown."""
        return sp.csr_array(self.model.geometry.shape[:, self.interior.contact])

    def points(self, name: str, parts: int = 1) -> tuple[Surface, sp.csr_array]:
        """Gauss points of the facets of a surface, and their displacement (3 p, m).

        Each facet is divided in parts x parts pieces.
        """
        facets = self.face(name)
        N = facets.sample(facets.rule(parts)[0])[:, 0]
        q, k = N.shape
        count = len(facets.connectivity)
        columns = np.repeat(facets.connectivity, q, axis=0).ravel()
        shape = (count * q, len(facets.nodes))
        values = np.tile(N.ravel(), count)
        weights = sp.csr_array((values, columns, k * np.arange(count * q + 1)), shape)
        lift = sp.kron(weights, sp.eye_array(3), format="csr") @ self.lift
        places, areas = facets.quadrature(parts)
        surface = Surface(places, areas, normals=outward(facets, parts))
        return surface, sp.csr_array(lift)

    def start(self) -> Floats:
        """Contact unknowns (m,) of the first guess."""
        translations = self.model.rigid_motions()[self.interior.contact, :3]
        return np.asarray(translations @ np.asarray(self.seat, dtype=float))

    @cached_property
    def is_free(self) -> bool:
        """Whether the whole body can be moved without a force."""
        return bool(self.free_translations.any())

    @cached_property
    def free_translations(self) -> Floats:
        """Contact unknowns (m, 3) per translation along x, y, z; zero where a support holds it."""
        shift = self.model.rigid_motions()[self.interior.contact, :3]
        size = np.linalg.norm(self.stiffness) * np.linalg.norm(shift, axis=0)
        free = np.linalg.norm(self.stiffness @ shift, axis=0) < FREE * size
        return np.asarray(shift * free)

    def load(self, t: float) -> Floats:
        """Load (m,) on the contact unknowns."""
        return self._loads @ np.array([factor(t) for _, factor in self._terms])

    def energy(self, t: float, u: Floats) -> float:
        """Strain energy in J."""
        full = self.displacement(t, u)
        return 0.5 * float(full @ (self.interior.stiffness @ full))

    def displacement(self, t: float, u: Floats) -> Floats:
        """Displacement (n,) of all unknowns, from that of the contact unknowns (m,)."""
        held = sum((f(t) * d for d, f in self.support_motions), np.zeros(len(self._zero)))
        force = sum((f(t) * load for load, f in self.forces), -(self.interior.stiffness @ held))
        return held + self.interior.displacement(u, force)

    @property
    def _zero(self) -> Floats:
        return np.zeros(self.interior.stiffness.shape[0])

    @property
    def _terms(self) -> list[Load]:
        return [*self.forces, *self.support_motions]

    @cached_property
    def _loads(self) -> Floats:
        """Loads (m, k) on the contact unknowns at factor 1."""
        columns = [self.interior.load(force) for force, _ in self.forces]
        columns += [self.interior.support_motion(move) for move, _ in self.support_motions]
        return np.array(columns).reshape(len(columns), len(self.stiffness)).T
