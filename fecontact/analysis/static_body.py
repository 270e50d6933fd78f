"""Statics of a finite-element body in contact with a rigid surface that is moved.

    K_s u = sum k_i(t) f_i + S^T F(x + S u - d(t))

S takes the contact unknowns u to the points x, F are the contact forces with memory of friction,
d is the displacement of the rigid surface. The points are independent of each other but for the
elastic body, so the tangent K_s - S^T (dF/dx) S needs only 3 x 3 blocks of each point.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from fecontact.analysis.condensed import Condensed
from fecontact.analysis.load_path import ContactResult, Increment, round_off
from fecontact.body.rigid import TRANSLATIONS, RigidBody
from fecontact.contact.approach import Approach
from fecontact.contact.elasto_plastic import ElastoPlastic
from fecontact.contact.layer import columns_of
from fecontact.contact.normal import NormalLaw
from fecontact.contact.rigid_face import RigidFace
from fecontact.contact.shape import Shape
from fecontact.contact.stepping import ContactHistory, ContactStep, StepStart
from fecontact.contact.surface import Surface
from fecontact.typing import Floats

__all__ = ["StaticBody"]

NONE, STILL = np.zeros(0), np.zeros(3)

CARRIER = RigidBody("points", 1.0, TRANSLATIONS)
"""A body that only translates: the derivative of each of its points is that by its position."""


@dataclass(frozen=True, eq=False)
class FreePoints:
    """Points that move one by one against a rigid surface; their positions are given."""

    surface: Surface
    master: RigidFace
    normal: NormalLaw
    friction: ElastoPlastic
    name: str = "contact"

    def approach(self, q: Floats, v: Floats) -> Approach:
        """Kinematics of points at positions q (3 p,); derivatives of each by its own position."""
        x = q.reshape(-1, 3)
        motion = CARRIER.motion(STILL, STILL, x)
        return Approach(motion, self.master.project(x, NONE, NONE))

    def of_master(self, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """The rigid surface has no coordinates."""
        return NONE, NONE


@dataclass(frozen=True, eq=False)
class StaticBody:
    """A condensed body on a rigid surface, whose load path is followed by `load_path`.

    Parameters
    ----------
    body
        Condensed finite-element body, or matching pair of bodies.
    shape
        Rigid surface, in space.
    normal, friction
        The contact laws.
    motion
        Displacement d(t) (3,) of the rigid surface in m over the load parameter; at rest if None.
    loads
        Pairs of a load (m,) on the contact unknowns and its factor over the load parameter; see
        `Interior.load` and `Interior.support_motion`.
    """

    body: Condensed
    shape: Shape
    normal: NormalLaw
    friction: ElastoPlastic
    motion: Callable[[float], Sequence[float] | Floats] | None = None
    loads: Sequence[tuple[Floats, Callable[[float], float]]] = ()
    points: FreePoints = field(init=False, repr=False)

    def __post_init__(self) -> None:
        face = RigidFace(None, self.shape)
        points = FreePoints(self.body.surface, face, self.normal, self.friction)
        object.__setattr__(self, "points", points)

    def start(self) -> Increment:
        """Undeformed, points that never touched."""
        u = np.zeros(len(self.body.stiffness))
        x = self.positions(0.0, u)
        fresh = ContactHistory.fresh(len(self.body.surface.weights), columns_of(self.normal))
        step = StepStart.of(self.points, x, NONE, fresh).at(x, NONE, np.inf)
        return Increment(0.0, u, {"contact": ContactResult.of(step, None)}, 0.0)

    def at(self, before: Increment, t: float, x: Floats) -> _Balance:
        """Forces at contact unknowns x."""
        history = before.contacts["contact"].history
        earlier = self.positions(before.t, before.x)
        start = StepStart.of(self.points, earlier, NONE, history)
        return _Balance(self, before, t, x, start.at(self.positions(t, x), NONE, np.inf))

    def move(self, x: Floats, step: Floats) -> Floats:
        """Contact unknowns after a step."""
        return x + step

    def positions(self, t: float, u: Floats) -> Floats:
        """Positions (3 p,) of the contact points relative to the rigid surface."""
        x = self.body.surface.points + (self.body.lift @ u).reshape(-1, 3)
        if self.motion is not None:
            x = x - np.asarray(self.motion(t))
        return x.ravel()

    def load(self, t: float) -> Floats:
        """Given load (m,)."""
        total = np.zeros(len(self.body.stiffness))
        for vector, factor in self.loads:
            total += factor(t) * vector
        return total


@dataclass(frozen=True, eq=False)
class _Balance:
    """Forces of a body at trial displacements."""

    problem: StaticBody
    before: Increment
    t: float
    u: Floats
    step: ContactStep

    @cached_property
    def residual(self) -> tuple[Floats, float, float]:
        """Load and contact less elastic force."""
        body, given = self.problem.body, self.problem.load(self.t)
        elastic, contact = body.stiffness @ self.u, body.lift.T @ self.step.point_force.ravel()
        force = given + contact - elastic
        terms = np.abs(given) + np.abs(contact) + np.abs(elastic)
        return force, float(np.linalg.norm(force)), float(np.linalg.norm(terms))

    @property
    def round_off(self) -> float:
        """Round-off of the contact forces."""
        return round_off(self.step)

    def tangent(self, stuck: bool) -> Floats:
        """Derivative (m, m) of the residual."""
        step, lift = self.step, self.problem.body.lift
        if stuck:
            step = replace(step, start=step.start.stuck())
        blocks = step.d_force()[0]
        p = len(blocks)
        D = sp.bsr_array((blocks, np.arange(p), np.arange(p + 1)), shape=(3 * p, 3 * p))
        return (lift.T @ (D @ lift)).toarray() - self.problem.body.stiffness

    def increment(self) -> Increment:
        """Accept the trial."""
        result = ContactResult.of(self.step, self.before.contacts["contact"])
        energy = 0.5 * float(self.u @ self.problem.body.stiffness @ self.u)
        return Increment(self.t, self.u, {"contact": result}, energy)
