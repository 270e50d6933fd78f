"""Statics of several finite-element bodies with frictional contact between them.

Each body is condensed on its contact surfaces. Slave points of one are projected on the deformed
facets of another, or on a rigid surface; meshes need not match. A body may have several contacts,
and be slave in one and master in another. Strains are small; the contact follows the displaced
surfaces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp
from scipy.linalg import block_diag

from fecontact.analysis.statics.condensed import on_each_other, on_rigid
from fecontact.analysis.statics.coupling import Coupling, FacetPoints, FreePoints, Motion
from fecontact.analysis.statics.fe_body import FEBody
from fecontact.analysis.statics.load_path import Increment
from fecontact.analysis.statics.parts import StaticParts
from fecontact.analysis.steady.plausible import Ray
from fecontact.contact.laws.base import NormalLaw
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.nodal_face import NodalFace
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Shape
from fecontact.contact.surface.gap_fields import GapField
from fecontact.contact.surface.points import Surface
from fecontact.errors import InputError, at_least, check
from fecontact.typing import Floats

__all__ = ["FEContact", "StaticBodies"]


@dataclass(frozen=True, eq=False)
class FEContact:
    """Contact of a surface of one body with that of another, or with a rigid surface.

    Parameters
    ----------
    slave
        Body and name of the surface that carries the contact points.
    master
        Body and name of the surface on which they are projected, or a rigid shape in space.
    normal, friction
        The contact laws.
    name
        Name in the results.
    parts
        Gauss points of the slave: each facet is divided in parts x parts pieces. More points
        integrate the forces on facets of another mesh more exactly.
    gap
        Initial gap in m over the points of the slave.
    motion
        Displacement (3,) in m of a rigid shape over the load parameter.
    """

    slave: tuple[FEBody, str]
    master: tuple[FEBody, str] | Shape
    normal: NormalLaw
    friction: ElastoPlastic
    name: str = "contact"
    parts: int = 1
    gap: GapField | float = 0.0
    motion: Motion | None = None

    def __post_init__(self) -> None:
        check("parts", self.parts, at_least(1))
        if isinstance(self.master, tuple) and self.motion is not None:
            raise InputError(
                f"{self.name}: motion is that of a rigid shape; move the supports of the body "
                f"'{self.master[0].name}' instead"
            )
        if self.slave == self.master:
            raise InputError(f"{self.name}: a surface in contact with itself is not possible")

    @property
    def bodies(self) -> tuple[FEBody, ...]:
        """Body of the slave, then that of the master unless it is rigid."""
        partners = (self.slave, self.master)
        return tuple(each[0] for each in partners if isinstance(each, tuple))

    @cached_property
    def points(self) -> tuple[Surface, sp.csr_array]:
        """Points of the slave, and their displacement (3 p, m) per unknown of its body."""
        surface, lift = self.slave[0].points(self.slave[1], self.parts)
        return surface.with_gap(self.gap), lift


@dataclass(frozen=True, eq=False)
class StaticBodies(StaticParts):
    """Bodies and their contacts, whose load path is followed by `load_path`.

    Examples
    --------
    A cube of 1 m and one with finer cells on top, pressed together by 20 mm: p = d/(2 h/E + 1/c).

    >>> from fecontact.analysis import load_path
    >>> from fecontact.contact import PenaltyNormal
    >>> from fecontact.fem import ElasticSolid, Material
    >>> from fecontact.mesh import block
    >>> cork = Material(1e6, 0.0, 200.0)
    >>> low = ElasticSolid(block(1.0, 1.0, 1.0, (1, 1, 1)), cork, supports={"z_min": "clamped"})
    >>> high = ElasticSolid(block(1.0, 1.0, 1.0, (2, 2, 1)).translated((0.0, 0.0, 1.0)), cork,
    ...                     supports={"z_max": "clamped"})
    >>> down = np.where(high.nodes > 2.0 - 1e-9, [0.0, 0.0, -0.02], 0.0).ravel()
    >>> below = FEBody("below", low, ["z_max"])
    >>> above = FEBody("above", high, ["z_min"], support_motions=[(down, lambda t: t)])
    >>> contact = FEContact((above, "z_min"), (below, "z_max"), PenaltyNormal(1e9),
    ...                     ElastoPlastic(0.3, 1e9))
    >>> path = load_path(StaticBodies([below, above], [contact]), [1.0])
    >>> pressure = path.increments[-1].contacts["contact"].pressure
    >>> round(float(pressure.min())), round(float(pressure.max()))
    (9995, 9995)
    """

    bodies: Sequence[FEBody]
    contacts: Sequence[FEContact]

    def __post_init__(self) -> None:
        names = [contact.name for contact in self.contacts]
        if not names or len(set(names)) < len(names):
            raise InputError(f"contacts {names} are not possible: each needs a name of its own")
        names = [body.name for body in self.bodies]
        if len(set(names)) < len(names):
            raise InputError(f"bodies {names} are not possible: each needs a name of its own")
        for contact in self.contacts:
            for body in contact.bodies:
                if body not in self.bodies:
                    raise InputError(f"{contact.name}: body '{body.name}' is not in the problem")

    @cached_property
    def slices(self) -> dict[str, slice]:
        """Body name -> its part of the unknowns."""
        ends = np.cumsum([0, *(len(body.stiffness) for body in self.bodies)]).tolist()
        parts = zip(self.bodies, ends[:-1], ends[1:], strict=True)
        return {body.name: slice(a, b) for body, a, b in parts}

    @cached_property
    def stiffness(self) -> Floats:
        """Stiffness of all bodies, block by block."""
        return np.asarray(block_diag(*(body.stiffness for body in self.bodies)))

    @cached_property
    def couplings(self) -> dict[str, Coupling]:
        """Contacts in the unknowns of all bodies."""
        return {contact.name: self._coupling(contact) for contact in self.contacts}

    def start(self) -> Increment:
        """First guess; a free body that touches nothing there is refused."""
        first = super().start()
        touching = {
            body.name
            for contact in self.contacts
            for body in contact.bodies
            if len(first.contacts[contact.name].closed)
        }
        for body in self.bodies:
            if body.is_free and body.name not in touching:
                raise InputError(
                    f"{body.name}: the body is free and touches nothing at the start; give a seat "
                    "that brings it into contact, or support it"
                )
        return first

    def rays(self, t: float) -> list[Ray]:
        """Translations of bodies that no support holds."""
        found, load = [], self.load(t)
        for body in self.bodies:
            for axis, shift in zip("xyz", body.free_translations.T, strict=True):
                step = np.zeros(len(load))
                step[self.slices[body.name]] = shift
                if shift.any():
                    found.append(Ray(f"along {axis} of '{body.name}'", step, float(load @ step)))
        return found

    def guess(self) -> Floats:
        """Bodies on their seats."""
        return np.concatenate([body.start() for body in self.bodies])

    def load(self, t: float) -> Floats:
        """Loads of all bodies."""
        return np.concatenate([body.load(t) for body in self.bodies])

    def energy(self, t: float, u: Floats) -> float:
        """Strain energy of all bodies in J."""
        return sum(body.energy(t, u[self.slices[body.name]]) for body in self.bodies)

    def displacement(self, increment: Increment, body: FEBody) -> Floats:
        """Displacement (n,) of all unknowns of a body."""
        return body.displacement(increment.t, increment.x[self.slices[body.name]])

    def _coupling(self, contact: FEContact) -> Coupling:
        surface, lift = contact.points
        laws = (contact.normal, contact.friction, contact.name)
        slave = self._spread(contact.slave[0], lift)
        places = surface.points.ravel()
        if not isinstance(contact.master, tuple):
            points = FreePoints(surface, RigidFace(None, contact.master), *laws)
            partners = on_rigid(contact.slave[0].model)
            return Coupling(points, places, slave, contact.motion, partners)
        body, name = contact.master
        facets = body.face(name)
        pair = FacetPoints(surface, NodalFace(facets), *laws)
        both = sp.csr_array(sp.vstack([slave, self._spread(body, body.lift)]))
        partners = on_each_other(on_rigid(contact.slave[0].model), on_rigid(body.model))
        moved = np.concatenate([places, facets.nodes.ravel()])
        return Coupling(pair, moved, both, partners=partners)

    def _spread(self, body: FEBody, lift: sp.csr_array) -> sp.csr_array:
        """Columns of one body among those of all."""
        part, size = self.slices[body.name], len(self.stiffness)
        before = sp.csr_array((lift.shape[0], part.start))
        after = sp.csr_array((lift.shape[0], size - part.stop))
        return sp.csr_array(sp.hstack([before, lift, after]))
