"""Contacts of full finite-element bodies in statics, in the kept unknowns of the bodies.

Where a body is full, the kinematics of a contact need positions only: those of the slave points, or
those of the nodes of the master's facets. Forces and their derivatives by these positions belong to
single points and single facets, and a sparse matrix C takes them to the unknowns u of the bodies,

    q = X + C u,      f = C^T Q(q),      df/du = C^T (dQ/dq) C .

A rigid or reduced body on the other side takes part with its own dofs, where C is the identity.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import pi, sqrt
from typing import Any, cast

import numpy as np
import scipy.sparse as sp

from fecontact.body.base import as_body
from fecontact.body.rigid import TRANSLATIONS, RigidBody
from fecontact.contact.evaluate.step import ContactHistory, ContactStart, ContactStep
from fecontact.contact.kinematics.anchors import Anchors, OnMaster
from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.contact.laws.base import NormalLaw, SlidingLaw
from fecontact.contact.laws.penalty import PenaltyNormal
from fecontact.contact.master.base import along
from fecontact.contact.master.nodal_face import NodalFace
from fecontact.contact.pair import ContactPair
from fecontact.contact.patch.hertz import ContactModuli
from fecontact.contact.stiffness import check_penalty
from fecontact.contact.surface.points import Surface
from fecontact.errors import InputError
from fecontact.fem.material import Material
from fecontact.reduction.condensation import Condensed
from fecontact.typing import Floats, Integers

__all__ = ["NodalContact", "NodalStart", "NodalStep", "touched"]

STILL = np.zeros(3)

AT_ONCE = 32
"""Points whose followers are formed at a time."""

CARRIER = RigidBody("points", 1.0, TRANSLATIONS)
"""A body that only translates: the derivative of each of its points is that by its position."""


def touched(pair: ContactPair) -> Iterator[tuple[str, Integers]]:
    """Full bodies of a contact by name, with the dofs that move its points or its facets."""
    if _full(pair.slave):
        yield pair.slave.name, _columns(_interpolation(pair, pair.surface))
    for body in pair.master.bodies:
        if _full(body):
            yield body.name, _columns(_interpolation(pair, pair.master))


def _columns(interpolation: sp.csr_array) -> Integers:
    return np.unique(interpolation.indices).astype(np.int64)


def _full(body: Any) -> bool:
    return as_body(body).finite_elements is not None


def _interpolation(pair: ContactPair, side: Any) -> sp.csr_array:
    """Displacement of the positions of a full body, or an `InputError`."""
    interpolation = getattr(side, "interpolation", None)
    if interpolation is None:
        raise InputError(
            f"{pair.name}: invalid {type(side).__name__} of a full finite-element body: expected "
            "fe_surface(body, name) of a slave and FEFace(body, name) of a master"
        )
    return sp.csr_array(interpolation)


@dataclass(frozen=True, eq=False)
class LocalPair:
    """A contact in the positions q of its points and nodes where a body is full; a pair to a step.

    `master` is a `NodalFace` of a full master, else that of the pair.
    """

    pair: ContactPair
    master: Any

    @property
    def name(self) -> str:
        """Name of the contact."""
        return self.pair.name

    @property
    def surface(self) -> Surface:
        """Points with weights."""
        return self.pair.surface

    @property
    def normal(self) -> NormalLaw:
        """Law of the pressure."""
        return self.pair.normal

    @property
    def friction(self) -> SlidingLaw:
        """Law of the traction."""
        return self.pair.friction

    @cached_property
    def slave_full(self) -> bool:
        """Whether the slave points move one by one."""
        return _full(self.pair.slave)

    @property
    def master_full(self) -> bool:
        """Whether the nodes of the master move one by one."""
        return isinstance(self.master, NodalFace)

    @cached_property
    def sizes(self) -> tuple[int, int]:
        """Number of slave coordinates, and of slave dofs."""
        if self.slave_full:
            return (3 * self.pair.points,) * 2
        return len(self.pair.slave.reference()), len(self.pair.slave.dofs)

    def holding(self, facet: Integers) -> LocalPair:
        """Points that keep the facets (p,) on which they are; see `NodalFace`."""
        return replace(self, master=NodalFace(self.master.facets, facet))

    @cached_property
    def transport(self) -> OnMaster:
        """Bristles on the master."""
        return OnMaster(self.name, self.master, self.sizes[0])

    def kinematics(self, q: Floats, v: Floats, t: float = 0.0) -> ContactKinematics:
        """Kinematics; derivatives by the position of a point and the nodes concerned, or dofs."""
        own, of_master = q[: self.sizes[0]], q[self.sizes[0] :]
        if self.slave_full:
            motion: Any = CARRIER.motion(STILL, STILL, own.reshape(-1, 3))
        else:
            slave = as_body(self.pair.slave)
            points = slave.located(self.surface.material)
            motion = slave.point_motion(own, np.zeros(self.sizes[1]), points)
        still = np.zeros(sum(len(body.dofs) for body in self.master.bodies))
        return ContactKinematics(
            motion, self.master.project(motion.position, of_master, still), self.surface.gap
        )


@dataclass(frozen=True, eq=False)
class NodalContact:
    """A contact pair of which a body is full, in the kept unknowns of that body.

    Attributes
    ----------
    pair
        The contact.
    kept
        Body name -> its dofs that are unknowns.
    sizes
        Body name -> number of its unknowns: after the kept dofs come others that move no contact.
    """

    pair: ContactPair
    kept: Mapping[str, Integers]
    sizes: Mapping[str, int]

    def __post_init__(self) -> None:
        if self.pair.in_prescribed_frame:
            raise InputError(
                f"{self.pair.name}: invalid prescribed frame against a full finite-element body: "
                "expected a body whose dofs a PrescribedMotion moves"
            )

    @cached_property
    def local(self) -> LocalPair:
        """Kinematics and laws."""
        bodies = self.pair.master.bodies
        full = bool(bodies) and _full(bodies[0])
        master: Any = self.pair.master
        return LocalPair(self.pair, master.nodal if full else master)

    @cached_property
    def positions(self) -> Floats:
        """X where bodies are full, else zero."""
        pair, local = self.pair, self.local
        slave = pair.surface.points.ravel() if local.slave_full else np.zeros(local.sizes[0])
        if local.master_full:
            return np.concatenate([slave, local.master.facets.nodes.ravel()])
        return np.concatenate(
            [slave, np.zeros(sum(len(b.reference()) for b in pair.master.bodies))]
        )

    @cached_property
    def sides(self) -> list[sp.csr_array | None]:
        """Displacement of the positions of slave and master per unknown; None of those not full."""
        pair, local = self.pair, self.local
        slave = self._moved(pair.surface, pair.slave.name) if local.slave_full else None
        if not local.master_full:
            return [slave, None]
        return [slave, self._moved(pair.master, pair.master.bodies[0].name)]

    def _moved(self, side: Any, name: str) -> sp.csr_array:
        """Displacement of the positions of one side per unknown of its body."""
        own = _interpolation(self.pair, side)[:, self.kept[name]]
        others = sp.csr_array((own.shape[0], self.sizes[name] - own.shape[1]))
        return sp.csr_array(sp.hstack([own, others], format="csr"))

    @cached_property
    def spread(self) -> sp.csr_array:
        """C, from the unknowns to the positions and dofs."""
        dofs = [len(self.pair.slave.dofs), sum(len(b.dofs) for b in self.pair.master.bodies)]
        blocks = [
            sp.eye_array(n, format="csr") if side is None else side
            for side, n in zip(self.sides, dofs, strict=True)
        ]
        return sp.csr_array(sp.block_diag(blocks, format="csr"))

    def at(self, x: Floats) -> Floats:
        """Positions and coordinates q from the unknowns x of slave and master."""
        slave, master = self.sides
        split = self.local.sizes[0] if slave is None else slave.shape[1]
        moved = [
            own if side is None else side @ own
            for side, own in ((slave, x[:split]), (master, x[split:]))
        ]
        return np.asarray(self.positions + np.concatenate(moved))

    def begin(self, t: float, q: Floats, v: Floats, history: ContactHistory) -> NodalStart:
        """Start of an increment from the unknowns q."""
        start = ContactStart.of(self._pair, t, self.at(q), self._still, history)
        if self.local.master_full:
            held = _facets(start)
            start = replace(start, pair=cast("ContactPair", self.local.holding(held)))
        return NodalStart(self, start)

    @property
    def _pair(self) -> ContactPair:
        """The local pair; a step asks no more of it."""
        return cast("ContactPair", self.local)

    def judge(self, step: ContactStep) -> None:
        """Warn of a penalty too soft or too stiff for the bodies (`check_penalty`).

        The contact is as large as the surface, its cells as the finest area of a node: the smallest
        weight of a point times the points of a node. A layer of given thickness is no penalty, and
        one on a surface that supports hold adds to nothing.
        """
        law, surface, interpolation = self.pair.normal, self.pair.surface, self.sides[0]
        partners = self._partners
        if not isinstance(law, PenaltyNormal) or np.isfinite(law.thickness):
            return
        if interpolation is None or partners is None:
            return
        squares = interpolation.power(2)
        own, normal = squares.sum(axis=0), squares.T @ step.kinematics.normal.ravel() ** 2
        nodes = float(np.sum(normal[own > 0.0] / own[own > 0.0]))  # each n_x^2 + n_y^2 + n_z^2
        if nodes == 0.0:
            return
        weights = surface.weights
        radius, cell = sqrt(surface.measure / pi), sqrt(weights.min() * len(weights) / nodes)
        check_penalty(law.stiffness, partners, radius, cell, self.pair.name)

    @property
    def _partners(self) -> ContactModuli | None:
        """Elastic constants of a full slave and of what it meets; None if not known."""
        bodies = [self.pair.slave, *self.pair.master.bodies]
        full = [as_body(body).finite_elements for body in bodies]
        if full[0] is None or any(
            own is None and not as_body(body).rigid for own, body in zip(full, bodies, strict=True)
        ):
            return None
        materials = [_materials(own.model) for own in full if own is not None]
        known = [material for each in materials for material in each]
        if not all(materials) or len(known) > 2:
            return None
        one, *others = known
        young, poisson = (others[0].young, others[0].poisson) if others else (np.inf, 0.0)
        return ContactModuli(one.young, one.poisson, young, poisson)

    @cached_property
    def _still(self) -> Floats:
        return np.zeros(self.spread.shape[0])


@dataclass(frozen=True, eq=False)
class NodalStart:
    """Start of an increment."""

    contact: NodalContact
    start: ContactStart

    def at(self, t: float, q: Floats, v: Floats, h: float) -> NodalStep:
        """Contact at the unknowns q."""
        contact = self.contact
        return NodalStep(contact, self.start.at(t, contact.at(q), contact._still, h))


@dataclass(frozen=True, eq=False)
class NodalStep:
    """Contact at the end of an increment; `reference` has what each point does."""

    contact: NodalContact
    reference: ContactStep

    @cached_property
    def force(self) -> Floats:
        """Force on the unknowns of slave and master."""
        return np.asarray(self.contact.spread.T @ self.load)

    def no_slip(self) -> NodalStep:
        """The same with bristles that never yield."""
        return replace(self, reference=self.reference.no_slip())

    def tangents(self) -> tuple[sp.csr_array]:
        """Derivative of `force` by the unknowns."""
        C = self.contact.spread
        return (sp.csr_array(C.T @ (self._d_load @ C)),)

    @property
    def positions(self) -> Floats:
        """Positions of points and nodes where bodies are full, else coordinates."""
        return self.reference.q

    @property
    def load(self) -> Floats:
        """Forces Q on positions and dofs."""
        step, local = self.reference, self.contact.local
        force, at = step.point_force, step.kinematics
        own = force.ravel() if local.slave_full else at.slave.apply_transpose(force)
        if not local.master_full:
            return np.concatenate([own, -at.projection.apply_transpose(force)])
        projection: Any = at.projection
        members = projection.members
        on_nodes = np.einsum("pin,pi->pn", projection.jacobian, force)[:, : 3 * members.shape[1]]
        count = 3 * len(local.master.facets.nodes)
        nodes = np.bincount(_of_nodes(members).ravel(), on_nodes.ravel(), minlength=count)
        return np.concatenate([own, -nodes])

    @property
    def _d_load(self) -> sp.csr_array:
        """Derivative of Q by positions and dofs, from that of each point that presses."""
        step, local = self.reference, self.contact.local
        force, at = step.point_force, step.kinematics
        d_force = step.d_force()[0]
        p, split = len(force), local.sizes[1]
        own = np.arange(split).reshape(p, 3) if local.slave_full else _all(p, 0, split)
        J = at.slave.jacobian
        on_slave = d_force if local.slave_full else J.transpose(0, 2, 1) @ d_force
        projection: Any = at.projection
        size, followers = self.contact.spread.shape[0], []
        if not local.slave_full:
            followers.append((0, at.slave.d_load(force)))
        if local.master_full:
            rows = split + _of_nodes(projection.members)
            anchor = _facets(step.start)
            before = split + _of_nodes(local.master.facets.connectivity[anchor])
            columns = np.concatenate([own, rows, before], axis=1)
            on_master = projection.jacobian.transpose(0, 2, 1) @ d_force
            on_master += along(projection.d_load(force, J), at.slave.displacement)
            on_master = on_master[:, : rows.shape[1]]
        else:
            rows = _all(p, split, size - split)
            columns = np.concatenate([own, rows], axis=1)
            on_master = projection.jacobian.transpose(0, 2, 1) @ d_force
            if size > split:
                by_slave, by_master = _followed(at, force)
                on_master[:, :, :3] += by_slave
                followers.append((split, -by_master))
        values = np.concatenate([on_slave, -on_master], axis=1)
        active = np.flatnonzero(step.pressure[0] if local.master_full else np.any(step.pressure, 0))
        values = values[active]
        shape = values.shape
        i = np.broadcast_to(np.concatenate([own, rows], axis=1)[active][:, :, None], shape)
        j = np.broadcast_to(columns[active][:, None, :], shape)
        entries = (values.ravel(), (i.ravel(), j.ravel()))
        total = sp.csr_array(sp.coo_array(entries, shape=(size, size)))
        for first, block in followers:
            zeros = [sp.coo_array((n, n)) for n in (first, size - first - len(block))]
            total = sp.csr_array(total + sp.block_diag([zeros[0], block, zeros[1]]))
        return total


def _facets(start: ContactStart) -> Integers:
    """Facets (p,) on which the points were at the start of an increment."""
    assert isinstance(start.origin, Anchors)
    return start.origin.anchor[:, 0].astype(np.int64)


def _materials(model: Any) -> tuple[Material, ...]:
    """Isotropic materials of a model: one, of a matching pair two; none if not known."""
    if isinstance(model, Condensed):
        return model.materials
    material = getattr(model, "material", None)
    return (material,) if isinstance(material, Material) else ()


def _followed(at: ContactKinematics, force: Floats) -> tuple[Floats, Floats]:
    """Derivatives of the force on a rigid or reduced master at fixed point forces F (p, 3).

    By the position of each point (p, n, 3), and by the n dofs of the master (n, n), of all points.
    The master sums over points: several at a time have columns of their own.
    """
    projection: Any = at.projection
    n = projection.jacobian.shape[2]
    by_slave, by_master = np.zeros((len(force), n, 3)), np.zeros((n, n))
    active = np.flatnonzero(force.any(axis=1))
    for first in range(0, len(active), AT_ONCE):
        rows = active[first : first + AT_ONCE]
        own = np.arange(len(rows))
        moved = np.zeros((len(rows), 3, len(rows), 3))
        moved[own, :, own, :] = at.slave.displacement[rows]
        part = projection.part(rows).d_load(force[rows], moved.reshape(len(rows), 3, -1))
        by_slave[rows] = part[:, : 3 * len(rows)].reshape(n, -1, 3).transpose(1, 0, 2)
        by_master += part[:, 3 * len(rows) :]
    return by_slave, by_master


def _of_nodes(members: Integers) -> Integers:
    """Numbers (p, 3 k) of the coordinates of nodes (p, k)."""
    return (3 * members[:, :, None] + np.arange(3)).reshape(len(members), -1)


def _all(points: int, first: int, count: int) -> Integers:
    """The same numbers (p, n) for each point."""
    return np.broadcast_to(np.arange(first, first + count), (points, count))
