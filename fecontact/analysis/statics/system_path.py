"""Statics of a system with stateful contact: bodies, joints, loads over time.

    0 = f(t, q) + sum J^T F + A^T lam,      0 = c(t, q)

Unknowns are the coordinates q, then the multipliers lam. Of a full finite-element body only those
of its contacts are kept, and the shapes of what else holds it; the others are condensed
(`statics.condensed_part`). Joints and loads then act on the markers of full bodies and on the
coordinates of the others, y_l = C y + c(t) (`statics.marker_body`). The load parameter
is the time of the loads and of the prescribed motions, frames included; all velocities are zero.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from scipy.linalg import null_space

from fecontact.analysis.statics.balance import StaticBalance
from fecontact.analysis.statics.increment import ContactResult, Increment
from fecontact.analysis.statics.model import StaticModel, reference_step
from fecontact.analysis.steady.plausible import (
    Held,
    Ray,
    check_facing,
    check_held,
    check_normals,
    check_system,
)
from fecontact.body.fe_body import FEBody
from fecontact.body.rigid import TRANSLATIONS
from fecontact.contact.eulerian_pair import EulerianPair
from fecontact.contact.evaluate.step import ContactHistory, ContactStep
from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.contact.kinematics.spinning import spins
from fecontact.contact.laws.base import history_width
from fecontact.contact.pair import ContactPair
from fecontact.errors import InputError, check_kind, unknown
from fecontact.joint.base import Joint, Wrench
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["StaticBalance", "StaticSystem"]


@dataclass(frozen=True, eq=False)
class StaticSystem:
    """Statics of a system, whose load path is followed by `load_path`.

    `load_path` makes it of a system; made once it serves several paths.

    Its contacts need stateful friction (`ElastoPlastic`), its constraints must bind positions
    and be independent of each other. Material that passes its contact points (a prescribed spin,
    `EulerianPair`) has no statics: it is refused. Full finite-element bodies (`FEBody`) may touch
    each other, rigid and reduced ones, and be joined to them.

    Examples
    --------
    A block pressed on the ground with 10 N and pulled: its bristles bend.

    >>> from fecontact.analysis import load_path
    >>> from fecontact.body import RigidBody
    >>> from fecontact.contact import PenaltyNormal, Surface
    >>> from fecontact.contact.laws.elasto_plastic import ElastoPlastic
    >>> from fecontact.contact.master.rigid_face import RigidFace
    >>> from fecontact.contact.master.shape import Plane
    >>> from fecontact.joint import Force, ramp
    >>> block = RigidBody("block", 1.0, ("ux", "uz"))
    >>> foot = Surface(np.zeros((1, 3)), np.ones(1))
    >>> contact = ContactPair(block, foot, RigidFace(None, Plane()), PenaltyNormal(1e6),
    ...                       ElastoPlastic(0.5, 1e6))
    >>> pull = Force(block, (4.0, 0.0, 0.0), name="pull", factor=ramp(1.0))
    >>> system = System([block], [contact, Force(block, (0.0, 0.0, -10.0)), pull])
    >>> path = load_path(system, [0.0, 1.0])
    >>> path.x[-1].round(9).tolist()
    [4e-06, -1e-05]

    A cork cube of 1 m on the ground, pressed on its top: p = 1 kPa in all points.

    >>> from fecontact.body import FEBody
    >>> from fecontact.contact import fe_surface
    >>> from fecontact.fem import ElasticSolid, Material
    >>> from fecontact.joint import SurfaceLoad
    >>> from fecontact.mesh import block
    >>> solid = ElasticSolid(block(1.0, 1.0, 1.0), Material(1e6, 0.0, 200.0))
    >>> cube = FEBody("cube", solid, seat=(0.0, 0.0, -1e-5))
    >>> contact = ContactPair(cube, fe_surface(cube, "z_min"), RigidFace(None, Plane()),
    ...                       PenaltyNormal(1e8), ElastoPlastic(0.5, 1e8))
    >>> system = System([cube], [contact, SurfaceLoad(cube, "z_max", pressure=1e3)])
    >>> path = load_path(system, [1.0])
    >>> pressure = path.increments[-1].contacts["contact"].pressure
    >>> round(float(pressure.min()), 3), round(float(pressure.max()), 3)
    (1000.0, 1000.0)
    """

    system: System
    _model: StaticModel = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_kind("StaticSystem: system", self.system, System)
        for constraint in self.system.constraints:
            if constraint.level != "position":
                raise InputError(
                    f"constraint '{constraint.name}' binds velocities; statics needs positions"
                )
        for item in self.system.items:
            if isinstance(item, ContactPair):
                _refuse_spin(item)
        object.__setattr__(self, "_model", StaticModel.of(self.system))

    @property
    def pairs(self) -> tuple[ContactPair, ...]:
        """Contacts of the system."""
        return self._model.pairs

    def start(self) -> Increment:
        """Reference position, points that never touched."""
        x = np.concatenate([self._model.layout.reference, np.zeros(len(self.system.rows))])
        steps = {pair.name: self._stand(pair, 0.0, x, self._fresh(pair)) for pair in self.pairs}
        for pair in self.pairs:
            if pair.name in self._model.nodal:
                self._check_nodal(pair, steps[pair.name])
        contacts = {name: ContactResult.of(step, None) for name, step in steps.items()}
        self._refuse_loose(x, contacts)
        return Increment(0.0, x, contacts, self._model.energy(self.state(0.0, x)))

    def standing(self, t: float, x: Floats, histories: Mapping[str, ContactHistory]) -> Increment:
        """Increment with given unknowns and contact histories, from which a path goes on."""
        contacts = {}
        for pair in self.pairs:
            kept = histories.get(pair.name, self._fresh(pair))
            found = ContactResult.of(self._stand(pair, t, x, kept), None)
            contacts[pair.name] = replace(found, history=kept, slip_work=kept.slip_totals[:, 0])
        return Increment(t, x, contacts, self._model.energy(self.state(t, x)))

    def _stand(
        self, pair: ContactPair, t: float, x: Floats, history: ContactHistory
    ) -> ContactStep:
        """A contact that does not move."""
        q, v = self._model.local(pair, x)
        return reference_step(self._model.begin(pair, t, q, v, history).at(t, q, v, np.inf))

    def _fresh(self, pair: ContactPair) -> ContactHistory:
        """History of points that never touched."""
        width = history_width(pair.normal, pair.friction)
        return ContactHistory.fresh(len(pair.surface.weights), width)

    def _check_nodal(self, pair: ContactPair, step: ContactStep) -> None:
        """Refuse a full slave behind its master; warn of a penalty that does not fit."""
        if pair.slave.name in self._model.full:
            check_facing(pair.name, pair.surface.normals, step.kinematics)
        self._model.nodal[pair.name].judge(step)

    def _refuse_loose(self, x: Floats, contacts: dict[str, ContactResult]) -> None:
        """Refuse a full body that is free, touches nothing, and is held by nothing else."""
        touching = {
            body.name
            for pair in self.pairs
            for body in pair.bodies
            if len(contacts[pair.name].closed)
        }
        for name, part in self._model.full.items():
            if name in touching or not any(part.body.free_translations):
                continue
            shifts = self._model.shifts(name)[:, part.body.free_translations]
            if not self._model.resisted(x, shifts).all():
                raise InputError(
                    f"{name}: the body is free and touches nothing at the start; give a seat "
                    "that brings it into contact, or hold it by supports, joints or springs"
                )

    @property
    def pressed_into(self) -> dict[str, tuple[float, str]]:
        """Contact name -> smallest length in m that it is pressed into, and what it is."""
        return {pair.name: pair.pressed_into for pair in self.pairs}

    def check_first(self, before: Increment, t: float) -> bool:
        """Raise if a slave lies behind its master, or if a load pulls contacts apart."""
        if self._model.full:
            return self._check_full(before, t)
        state = self.state(t, before.x)
        check_normals(self.system, state)
        rows = self.system.constraint(state).jacobian
        check_system(self.system, state, null_space(rows) if len(rows) else None, sliding=False)
        return bool(self._model.bare.force(state).any())

    def _check_full(self, before: Increment, t: float) -> bool:
        """The same along the translations of bodies that no support holds."""

        def moved(step: Floats) -> StaticBalance:
            return self.at(before, t, self.move(before.x, step))

        def contacts(step: Floats) -> dict[str, ContactKinematics]:
            steps = moved(step).steps
            return {name: reference_step(each).kinematics for name, each in steps.items()}

        def force(step: Floats) -> Floats:
            return moved(step).residual[0]

        given = self._model.given(before.x, t)
        names, steps = self._translations()
        held = self._model.resisted(before.x, steps)
        touching = {body.name for pair in self.pairs for body in pair.bodies}
        none = np.zeros(len(self.system.rows))
        rays = [
            Ray(f"along {axis} of '{name}'", np.append(step, none), float(given @ step),
                touches=name in touching)
            for (name, axis), step, free in zip(names, steps.T, ~held, strict=True)
            if free
        ]  # fmt: skip
        check_held(Held(force, contacts, False), rays)
        return bool(given.any())

    def _translations(self) -> tuple[list[tuple[str, str]], Floats]:
        """Translations of bodies that no support holds: name and axis, and steps (n, k)."""
        names, steps = [], [np.zeros((self._model.layout.size, 0))]
        for body in self.system.bodies:
            shifts = np.zeros((self._model.layout.size, 3))
            if body.name in self._model.full:
                shifts = self._model.shifts(body.name)
                free = np.array(self._model.full[body.name].body.free_translations)
            else:
                first, dofs = self._model.layout.v[body.name].start, list(body.dofs)
                free = np.array([axis in dofs for axis in TRANSLATIONS])
                for i in np.flatnonzero(free):
                    shifts[first + dofs.index(TRANSLATIONS[i]), i] = 1.0
            names += [(body.name, "xyz"[i]) for i in np.flatnonzero(free)]
            steps.append(shifts[:, free])
        return names, np.hstack(steps)

    def at(self, before: Increment, t: float, x: Floats) -> StaticBalance:
        """Forces at unknowns x."""
        steps = {}
        for pair in self.pairs:
            history = before.contacts[pair.name].history
            start = self._model.begin(pair, before.t, *self._model.local(pair, before.x), history)
            steps[pair.name] = start.at(t, *self._model.local(pair, x), np.inf)
        return StaticBalance(self._model, before, t, x, steps)

    def move(self, x: Floats, step: Floats) -> Floats:
        """Unknowns after a step."""
        return self._model.move(x, step)

    def state(self, t: float, x: Floats) -> State:
        """State of the system from unknowns, with all unknowns of full bodies."""
        return self._model.state(t, x)

    def displacement(self, increment: Increment, body: FEBody) -> Floats:
        """Displacement of all unknowns of the model of a full body, moved supports included."""
        part = self._model.full[body.name]
        return part.all_unknowns(increment.t, increment.x[self._model.layout.q[body.name]])

    def support_shift(self, increment: Increment, body: FEBody, points: Floats) -> Floats:
        """Displacement (p, 3) of nodes of a full body, given by position, that supports move."""
        shift = self._model.full[body.name].supports_at(increment.t)
        if not shift.any():
            return np.zeros_like(points)
        return np.asarray(body.model.geometry.shape @ shift).reshape(-1, 3)[body.nodes.at(points)]

    def reaction(self, increment: Increment, name: str) -> Wrench:
        """Force and moment of a joint on its body b, at its point, in space components."""
        known = {joint.name: joint for joint in self.system.constraints if isinstance(joint, Joint)}
        if name not in known:
            raise unknown("joint", name, known)
        acting = self._model.bare if self._model.acting is None else self._model.acting
        state = self._model.acting_state(increment.t, increment.x)
        joint: Any = next(each for each in acting.constraints if each.name == name)
        q, lam = acting.local(joint, state)[0], state.lam[acting.row_slices[name]]
        return Wrench(*joint.reaction(q, lam, t=increment.t))


def _refuse_spin(pair: ContactPair) -> None:
    """Statics has no material that passes the points."""
    spinning = [body.name for body in pair.bodies if spins(body)]
    if spinning or isinstance(pair, EulerianPair):
        what = f"'{spinning[0]}' spins" if spinning else "it is an EulerianPair"
        raise InputError(
            f"{pair.name}: invalid contact in statics, as {what}: expected a ContactPair of bodies "
            "without spin; or use steady_state"
        )
