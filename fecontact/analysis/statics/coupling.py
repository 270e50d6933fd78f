"""Contacts of finite-element bodies in the unknowns of the bodies.

The kinematics of a contact need places q only: those of the slave points and, on another body,
those of the nodes of its facets. Forces and their derivatives by q belong to single points and
single facets, and the bodies take them over by a sparse matrix L,

    q = X + L u - d(t),      f = L^T Q(q),      df/du = L^T (dQ/dq) L .
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import pi, sqrt

import numpy as np
import scipy.sparse as sp

from fecontact.body.rigid import TRANSLATIONS, RigidBody
from fecontact.contact.evaluate.step import ContactHistory, ContactStep, StepStart
from fecontact.contact.kinematics.relative import Approach
from fecontact.contact.laws.base import NormalLaw, history_width
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.laws.penalty import PenaltyNormal
from fecontact.contact.master.nodal_face import NodalFace, NodalProjection
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.patch.hertz import ContactModuli
from fecontact.contact.stiffness import check_penalty
from fecontact.contact.surface.points import Surface
from fecontact.typing import Floats, Integers

__all__ = ["Coupling", "FacetPoints", "FreePoints", "Motion"]

NONE, STILL = np.zeros(0), np.zeros(3)

CARRIER = RigidBody("points", 1.0, TRANSLATIONS)
"""A body that only translates: the derivative of each of its points is that by its position."""

Motion = Callable[[float], Sequence[float] | Floats]


@dataclass(frozen=True, eq=False)
class FreePoints:
    """Points that move one by one against a rigid surface; q are their places (3 p,)."""

    surface: Surface
    master: RigidFace
    normal: NormalLaw
    friction: ElastoPlastic
    name: str = "contact"

    def approach(self, q: Floats, v: Floats) -> Approach:
        """Kinematics; derivatives of each point by its own place."""
        x = q.reshape(-1, 3)
        motion = CARRIER.motion(STILL, STILL, x)
        return Approach(motion, self.master.project(x, NONE, NONE), self.surface.gap)

    def of_master(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """The rigid surface has no coordinates."""
        return NONE, NONE

    def load(self, step: ContactStep) -> Floats:
        """Forces Q (3 p,)."""
        return step.point_force.ravel()

    def d_load(self, step: ContactStep) -> sp.csr_array:
        """Derivative (3 p, 3 p) of the forces by the places."""
        blocks = step.d_force()[0]
        p = len(blocks)
        D = sp.bsr_array((blocks, np.arange(p), np.arange(p + 1)), shape=(3 * p, 3 * p))
        return sp.csr_array(D)


@dataclass(frozen=True, eq=False)
class FacetPoints:
    """Points against facets with free nodes; q are the places of points and nodes (3 p + 3 n,)."""

    surface: Surface
    master: NodalFace
    normal: NormalLaw
    friction: ElastoPlastic
    name: str = "contact"

    def holding(self, facet: Integers) -> FacetPoints:
        """Points that keep the facets (p,) on which they are; see `NodalFace`."""
        return replace(self, master=NodalFace(self.master.facets, facet))

    def approach(self, q: Floats, v: Floats) -> Approach:
        """Kinematics; derivatives by the own place and the nodes of the facets concerned."""
        x = q[: self._size].reshape(-1, 3)
        motion = CARRIER.motion(STILL, STILL, x)
        return Approach(motion, self.master.project(x, q[self._size :], NONE), self.surface.gap)

    def of_master(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Places of the nodes."""
        return q[self._size :], NONE

    def load(self, step: ContactStep) -> Floats:
        """Forces Q (3 p + 3 n,) on points and nodes."""
        force, at = step.point_force, _on_facets(step)
        on_nodes = np.einsum("pin,pi->pn", at.jacobian, force)[:, : 3 * at.members.shape[1]]
        rows = self._of_nodes(at.members)
        length = self._size + 3 * len(self.master.facets.nodes)
        result = -np.bincount(rows.ravel(), on_nodes.ravel(), minlength=length).astype(float)
        result[: self._size] += force.ravel()
        return np.asarray(result)

    def d_load(self, step: ContactStep) -> sp.csr_array:
        """Derivative (3 p + 3 n, 3 p + 3 n) of the forces by the places."""
        d_force, at = step.d_force()[0], _on_facets(step)
        d_nodes = at.jacobian.transpose(0, 2, 1) @ d_force
        d_nodes += at.d_load(step.point_force, step.approach.slave.jacobian)
        nodes = self._of_nodes(at.members)
        d_nodes = d_nodes[:, : nodes.shape[1]]
        start = self._of_nodes(self.master.facets.connectivity[step.start.anchor[:, 0].astype(int)])
        own = np.arange(self._size).reshape(-1, 3)
        values = np.concatenate([d_force, -d_nodes], axis=1)
        rows = np.concatenate([own, nodes], axis=1)[:, :, None]
        columns = np.concatenate([own, nodes, start], axis=1)[:, None, :]
        rows, columns = (np.broadcast_to(each, values.shape) for each in (rows, columns))
        active = np.broadcast_to((step.pressure[0] > 0.0)[:, None, None], values.shape)
        length = self._size + 3 * len(self.master.facets.nodes)
        entries = (values[active], (rows[active], columns[active]))
        return sp.csr_array(sp.coo_array(entries, shape=(length, length)))

    @cached_property
    def _size(self) -> int:
        """Number of slave places 3 p."""
        return 3 * len(self.surface.weights)

    def _of_nodes(self, members: Integers) -> Integers:
        """Numbers (p, 3 k) in q of the coordinates of nodes (p, k)."""
        return (self._size + 3 * members[:, :, None] + np.arange(3)).reshape(len(members), -1)


@dataclass(frozen=True, eq=False)
class Coupling:
    """A contact with the matrix that takes it to the unknowns u of all bodies.

    Attributes
    ----------
    pair
        Kinematics and laws.
    places
        X, the places q of the undeformed bodies.
    lift : (len(q), m) sparse
        L.
    motion
        Displacement d(t) (3,) in m of a rigid surface; at rest if None.
    partners
        Elastic constants of the two bodies, by which a penalty is judged; None if not known.
    """

    pair: FreePoints | FacetPoints
    places: Floats
    lift: sp.csr_array
    motion: Motion | None = None
    partners: ContactModuli | None = None

    def fresh(self, u: Floats) -> ContactStep:
        """Points that never touched, at load parameter 0."""
        history = ContactHistory.fresh(
            len(self.pair.surface.weights), history_width(self.pair.normal, self.pair.friction)
        )
        return self.step(history, (0.0, u), (0.0, u))

    def step(
        self, history: ContactHistory, before: tuple[float, Floats], now: tuple[float, Floats]
    ) -> ContactStep:
        """Contact at load parameter and unknowns `now`, after those of `before`."""
        start = StepStart.of(self.pair, self._at(*before), NONE, history)
        if isinstance(self.pair, FacetPoints):
            start = replace(start, pair=self.pair.holding(start.anchor[:, 0].astype(np.int64)))
        return start.at(self._at(*now), NONE, np.inf)

    def judge(self, step: ContactStep) -> None:
        """Warn of a penalty too soft or too stiff for the bodies (`check_penalty`).

        The contact is as large as the surface, its cells as the finest area of a node: the smallest
        weight of a point times the points of a node. A layer of given thickness is no penalty, and
        one on a surface that supports hold adds to nothing.
        """
        law, surface = self.pair.normal, self.pair.surface
        if not isinstance(law, PenaltyNormal) or np.isfinite(law.thickness):
            return
        squares = self.lift[: 3 * len(surface.weights)].power(2)
        own, along = squares.sum(axis=0), squares.T @ step.approach.normal.ravel() ** 2
        nodes = float(np.sum(along[own > 0.0] / own[own > 0.0]))  # each n_x^2 + n_y^2 + n_z^2
        if self.partners is None or nodes == 0.0:
            return
        weights = surface.weights
        radius, cell = sqrt(surface.measure / pi), sqrt(weights.min() * len(weights) / nodes)
        check_penalty(law.stiffness, self.partners, radius, cell, self.pair.name)

    def force(self, step: ContactStep) -> Floats:
        """Force (m,) on the unknowns."""
        return np.asarray(self.lift.T @ self.pair.load(step))

    def tangent(self, step: ContactStep) -> sp.csr_array:
        """Derivative (m, m) of the force by the unknowns."""
        return sp.csr_array(self.lift.T @ (self.pair.d_load(step) @ self.lift))

    def _at(self, t: float, u: Floats) -> Floats:
        """Places q at a load parameter, relative to the rigid surface."""
        q = self.places + self.lift @ u
        if self.motion is not None:
            q = q - np.tile(np.asarray(self.motion(t), dtype=float), len(q) // 3)
        return q


def _on_facets(step: ContactStep) -> NodalProjection:
    """Projection of a step of `FacetPoints`."""
    projection = step.approach.projection
    assert isinstance(projection, NodalProjection)
    return projection
