"""Statics of a system with stateful contact: bodies, joints, loads over time.

    0 = f(t, q) + sum J^T F + A^T lam,      0 = c(t, q)

Unknowns are the coordinates q, then the multipliers lam. Of a full finite-element body only those
of its contacts are kept, and the shapes of what else holds it; the others are condensed
(`statics.condensed_part`). Joints and loads then act on the markers of full bodies and on the
coordinates of the others, y_l = C y + c(t) (`statics.marker_body`). The load parameter
is the time of the loads and of the prescribed motions, frames included; all velocities are zero.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from scipy.linalg import null_space

from fecontact.analysis.statics.condensed_part import CondensedPart, Layout, condensed_parts
from fecontact.analysis.statics.increment import ContactResult, Increment, round_off
from fecontact.analysis.statics.marker_body import rebound
from fecontact.analysis.statics.nodal_contact import NodalContact, NodalStep
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
from fecontact.contact.evaluate.compiled_step import CompiledStep
from fecontact.contact.evaluate.step import ContactHistory, ContactStart, ContactStep
from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.contact.kinematics.spinning import spins
from fecontact.contact.laws.base import history_width
from fecontact.contact.pair import ContactPair
from fecontact.errors import InputError, check_kind, unknown
from fecontact.joint.base import Joint, Wrench
from fecontact.system import State, System
from fecontact.typing import Floats, Integers

__all__ = ["StaticBalance", "StaticSystem"]

SMALL = 1e-9
"""Violation of a constraint row per length of a step that counts as none."""


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
    _bare: System = field(init=False, repr=False)
    _acting: System | None = field(init=False, repr=False)
    _indices: dict[str, Integers] = field(init=False, repr=False)
    _full: dict[str, CondensedPart] = field(init=False, repr=False)
    _nodal: dict[str, NodalContact] = field(init=False, repr=False)
    _layout: Layout = field(init=False, repr=False)

    def __post_init__(self) -> None:
        check_kind("StaticSystem: system", self.system, System)
        items = self.system.items[len(self.system.bodies) :]
        others = [item for item in items if not isinstance(item, ContactPair)]
        for constraint in self.system.constraints:
            if constraint.level != "position":
                raise InputError(
                    f"constraint '{constraint.name}' binds velocities; statics needs positions"
                )
        for pair in self.pairs:
            _refuse_spin(pair)
        bare = System(self.system.bodies, [*others, *self.system.constraints])
        full, acting = condensed_parts(self.system, self.pairs)
        layout = Layout.of(self.system, full)
        kept = {name: part.kept for name, part in full.items()}
        sizes = {name: part.size for name, part in full.items()}
        indices = {
            pair.name: np.concatenate([np.r_[layout.v[b.name]] for b in pair.bodies]).astype(
                np.int64
            )
            for pair in self.pairs
        }
        nodal = {
            pair.name: NodalContact(pair, kept, sizes)
            for pair in self.pairs
            if any(body.name in full for body in pair.bodies)
        }
        object.__setattr__(self, "_bare", bare)
        object.__setattr__(self, "_indices", indices)
        object.__setattr__(self, "_full", full)
        object.__setattr__(self, "_nodal", nodal)
        object.__setattr__(self, "_layout", layout)
        object.__setattr__(self, "_acting", self._on_markers(acting) if full else bare)

    def _on_markers(self, acting: Sequence[Any]) -> System | None:
        """Bodies that are not full and markers of those that are, with what acts on them."""
        stands_for = {
            id(part.body): part.markers for part in self._full.values() if part.markers is not None
        }
        own = [
            stands_for.get(id(body), body)
            for body in self.system.bodies
            if id(body) in stands_for or not self._is_full(body)
        ]
        items = [rebound(item, stands_for) for item in (*acting, *self.system.constraints)]
        return System(own, items) if own else None

    def _is_full(self, body: Any) -> bool:
        return body.name in self._full

    @cached_property
    def _spread(self) -> sp.csr_array:
        """C (l, n): dofs of bodies that are not full, and markers of those that are."""
        layout, rows = self._layout, [sp.csr_array((0, self._layout.size))]
        for body in () if self._acting is None else self._acting.bodies:
            part = layout.v[body.name]
            own = self._full[body.name].marker_motion if self._is_full(body) else None
            width = part.stop - part.start
            block: Any = sp.eye_array(width) if own is None else sp.csr_array(own)
            after = layout.size - part.stop
            zeros = [sp.csr_array((block.shape[0], n)) for n in (part.start, after)]
            rows.append(sp.hstack([zeros[0], block, zeros[1]]))
        return sp.csr_array(sp.vstack(rows, format="csr"))

    @cached_property
    def pairs(self) -> tuple[ContactPair, ...]:
        """Contacts of the system."""
        return tuple(item for item in self.system.items if isinstance(item, ContactPair))

    def start(self) -> Increment:
        """Reference position, points that never touched."""
        x = np.concatenate([self._layout.reference, np.zeros(len(self.system.rows))])
        steps = {pair.name: self._stand(pair, 0.0, x, self._fresh(pair)) for pair in self.pairs}
        for pair in self.pairs:
            if pair.name in self._nodal:
                self._check_nodal(pair, steps[pair.name])
        contacts = {name: ContactResult.of(step, None) for name, step in steps.items()}
        self._refuse_loose(x, contacts)
        return Increment(0.0, x, contacts, self._energy(self.state(0.0, x)))

    def standing(self, t: float, x: Floats, histories: Mapping[str, ContactHistory]) -> Increment:
        """Increment with given unknowns and contact histories, from which a path goes on."""
        contacts = {}
        for pair in self.pairs:
            kept = histories.get(pair.name, self._fresh(pair))
            found = ContactResult.of(self._stand(pair, t, x, kept), None)
            contacts[pair.name] = replace(found, history=kept, slip_work=kept.slip_totals[:, 0])
        return Increment(t, x, contacts, self._energy(self.state(t, x)))

    def _stand(
        self, pair: ContactPair, t: float, x: Floats, history: ContactHistory
    ) -> ContactStep:
        """A contact that does not move."""
        q, v = self._local(pair, x)
        return _reference(self._begin(pair, t, q, v, history).at(t, q, v, np.inf))

    def _fresh(self, pair: ContactPair) -> ContactHistory:
        """History of points that never touched."""
        width = history_width(pair.normal, pair.friction)
        return ContactHistory.fresh(len(pair.surface.weights), width)

    def _check_nodal(self, pair: ContactPair, step: ContactStep) -> None:
        """Refuse a full slave behind its master; warn of a penalty that does not fit."""
        if pair.slave.name in self._full:
            check_facing(pair.name, pair.surface.normals, step.kinematics)
        self._nodal[pair.name].judge(step)

    def _refuse_loose(self, x: Floats, contacts: dict[str, ContactResult]) -> None:
        """Refuse a full body that is free, touches nothing, and is held by nothing else."""
        touching = {
            body.name
            for pair in self.pairs
            for body in pair.bodies
            if len(contacts[pair.name].closed)
        }
        for name, part in self._full.items():
            if name in touching or not any(part.body.free_translations):
                continue
            shifts = self._shifts(name)[:, part.body.free_translations]
            if not self._resisted(x, shifts).all():
                raise InputError(
                    f"{name}: the body is free and touches nothing at the start; give a seat "
                    "that brings it into contact, or hold it by supports, joints or springs"
                )

    def _shifts(self, name: str) -> Floats:
        """Steps of the unknowns (n, 3) per translation of a full body along x, y, z."""
        result = np.zeros((self._layout.size, 3))
        result[self._layout.v[name]] = self._full[name].translations
        return result

    def _resisted(self, x: Floats, steps: Floats) -> npt.NDArray[np.bool_]:
        """Whether joints or springs resist steps (n, k) of the unknowns, by row or stiffness."""
        if self._acting is None:
            return np.zeros(steps.shape[1], dtype=bool)
        state, moved = self._acting_state(0.0, x), self._spread @ steps
        rows = self._acting.constraint(state).jacobian @ moved
        force = self._acting.tangents(state)[0] @ moved
        none = np.finfo(float).tiny
        return np.asarray((np.abs(rows).max(axis=0, initial=0.0) > SMALL)
                          | (np.abs(force).max(axis=0, initial=0.0) > none))  # fmt: skip

    @property
    def pressed_into(self) -> dict[str, tuple[float, str]]:
        """Contact name -> smallest length in m that it is pressed into, and what it is."""
        return {pair.name: pair.pressed_into for pair in self.pairs}

    def check_first(self, before: Increment, t: float) -> bool:
        """Raise if a slave lies behind its master, or if a load pulls contacts apart."""
        if self._full:
            return self._check_full(before, t)
        state = self.state(t, before.x)
        check_normals(self.system, state)
        rows = self.system.constraint(state).jacobian
        check_system(self.system, state, null_space(rows) if len(rows) else None, sliding=False)
        return bool(self._bare.force(state).any())

    def _check_full(self, before: Increment, t: float) -> bool:
        """The same along the translations of bodies that no support holds."""

        def moved(step: Floats) -> StaticBalance:
            return self.at(before, t, self.move(before.x, step))

        def contacts(step: Floats) -> dict[str, ContactKinematics]:
            return {name: _reference(each).kinematics for name, each in moved(step).steps.items()}

        def force(step: Floats) -> Floats:
            return moved(step).residual[0]

        given = self._given(before.x, t)
        names, steps = self._translations()
        held = self._resisted(before.x, steps)
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

    def _given(self, x: Floats, t: float) -> Floats:
        """Forces (n,) on the unknowns but those of contacts and of deformation."""
        force = np.zeros(self._layout.size)
        if self._acting is not None:
            force += self._spread.T @ self._acting.force(self._acting_state(t, x))
        for name, part in self._full.items():
            force[self._layout.v[name]] += part.load(t)
        return force

    def _translations(self) -> tuple[list[tuple[str, str]], Floats]:
        """Translations of bodies that no support holds: name and axis, and steps (n, k)."""
        names, steps = [], [np.zeros((self._layout.size, 0))]
        for body in self.system.bodies:
            shifts = np.zeros((self._layout.size, 3))
            if body.name in self._full:
                shifts = self._shifts(body.name)
                free = np.array(self._full[body.name].body.free_translations)
            else:
                first, dofs = self._layout.v[body.name].start, list(body.dofs)
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
            start = self._begin(pair, before.t, *self._local(pair, before.x), history)
            steps[pair.name] = start.at(t, *self._local(pair, x), np.inf)
        return StaticBalance(self, before, t, x, steps)

    def _begin(
        self, pair: ContactPair, t: float, q: Floats, v: Floats, history: ContactHistory
    ) -> Any:
        """Start of an increment; compiled where the pair has a kernel and its frames rest."""
        if pair.name in self._nodal:
            return self._nodal[pair.name].begin(t, q, v, history)
        if pair.in_prescribed_frame:
            return ContactStart.of(pair, t, q, v, history, at_rest=True)
        return pair.begin(t, q, v, history)

    def _local(self, pair: ContactPair, x: Floats) -> tuple[Floats, Floats]:
        """Unknowns of the bodies of a contact, and zero velocities."""
        q = np.concatenate([x[self._layout.q[body.name]] for body in pair.bodies])
        return q, np.zeros(len(self._indices[pair.name]))

    def move(self, x: Floats, step: Floats) -> Floats:
        """Unknowns after a step."""
        layout = self._layout
        moved = [b.move(x[layout.q[b.name]], step[layout.v[b.name]]) for b in self.system.bodies]
        n_q, n = len(x) - len(self.system.rows), layout.size
        return np.concatenate([*moved, x[n_q:] + step[n:]])

    def state(self, t: float, x: Floats) -> State:
        """State of the system from unknowns, with all unknowns of full bodies."""
        layout, full = self._layout, self._full
        q = [
            full[b.name].displacement(t, x[layout.q[b.name]])
            if b.name in full
            else x[layout.q[b.name]]
            for b in self.system.bodies
        ]
        n_q = len(x) - len(self.system.rows)
        return State(t, np.concatenate(q), np.zeros(self.system.size), x[n_q:])

    def displacement(self, increment: Increment, body: FEBody) -> Floats:
        """Displacement of all unknowns of the model of a full body, moved supports included."""
        part = self._full[body.name]
        return part.all_unknowns(increment.t, increment.x[self._layout.q[body.name]])

    def support_shift(self, increment: Increment, body: FEBody, points: Floats) -> Floats:
        """Displacement (p, 3) of nodes of a full body, given by position, that supports move."""
        shift = self._full[body.name].supports_at(increment.t)
        if not shift.any():
            return np.zeros_like(points)
        return np.asarray(body.model.geometry.shape @ shift).reshape(-1, 3)[body.nodes.at(points)]

    def reaction(self, increment: Increment, name: str) -> Wrench:
        """Force and moment of a joint on its body b, at its point, in space components."""
        known = {joint.name: joint for joint in self.system.constraints if isinstance(joint, Joint)}
        if name not in known:
            raise unknown("joint", name, known)
        acting = self._bare if self._acting is None else self._acting
        state = self._acting_state(increment.t, increment.x)
        joint: Any = next(each for each in acting.constraints if each.name == name)
        q, lam = acting.local(joint, state)[0], state.lam[acting.row_slices[name]]
        return Wrench(*joint.reaction(q, lam, t=increment.t))

    def _acting_state(self, t: float, x: Floats) -> State:
        """State of the bodies that are not full, and of the markers of those that are."""
        parts = []
        for body in () if self._acting is None else self._acting.bodies:
            own = x[self._layout.q[body.name]]
            if self._is_full(body):
                part = self._full[body.name]
                own = part.marker_motion @ own + part.marker_shift(t)
            parts.append(own)
        n_q = len(x) - len(self.system.rows)
        q = np.concatenate([np.zeros(0), *parts])
        return State(t, q, np.zeros(self._spread.shape[0]), x[n_q:])

    def _energy(self, state: State) -> float:
        return float(self._bare.energies(state).total)


def _reference(step: Any) -> ContactStep:
    """The step item by item, for what each point does."""
    return step if isinstance(step, ContactStep) else step.reference


def _refuse_spin(pair: ContactPair) -> None:
    """Statics has no material that passes the points."""
    spinning = [body.name for body in pair.bodies if spins(body)]
    if spinning or isinstance(pair, EulerianPair):
        what = f"'{spinning[0]}' spins" if spinning else "it is an EulerianPair"
        raise InputError(
            f"{pair.name}: invalid contact in statics, as {what}: expected a ContactPair of bodies "
            "without spin; or use steady_state"
        )


@dataclass(frozen=True, eq=False)
class StaticBalance:
    """Forces of a system at trial unknowns."""

    problem: StaticSystem
    before: Increment
    t: float
    x: Floats
    steps: dict[str, ContactStep | CompiledStep | NodalStep]

    @cached_property
    def residual(self) -> tuple[Floats, float, float]:
        """Imbalance and violated rows; sizes are forces and, as forces, rows."""
        problem, layout = self.problem, self.problem._layout
        force, terms = np.zeros((2, layout.size))
        violated = np.zeros(0)
        if self._acting is not None:
            acting, state = self._acting
            rows, C = acting.constraint(state), problem._spread
            parts = np.vstack([acting.forces(state), rows.jacobian.T @ state.lam])
            on_unknowns = C.T @ parts.T
            force += on_unknowns.sum(axis=1)
            terms += np.abs(on_unknowns).sum(axis=1)
            violated = rows.value
        for name, part in problem._full.items():
            given, elastic = part.load(self.t), part.stiffness @ self.x[layout.q[name]]
            force[layout.v[name]] += given - elastic
            terms[layout.v[name]] += np.abs(given) + np.abs(elastic)
        for name, step in self.steps.items():
            np.add.at(force, problem._indices[name], step.force)
            np.add.at(terms, problem._indices[name], np.abs(step.force))
        scaled = self._row_scale * violated
        size = float(np.hypot(np.linalg.norm(force), np.linalg.norm(scaled)))
        return np.concatenate([force, violated]), size, float(np.linalg.norm(terms))

    @property
    def round_off(self) -> float:
        """Round-off of the contact forces."""
        return sum(round_off(_reference(step)) for step in self.steps.values())

    def tangent(self, no_slip: bool) -> Floats:
        """Derivative of force and rows by coordinates and multipliers."""
        layout, n = self.problem._layout, self.problem._layout.size
        m = len(self.problem.system.rows)
        K = np.zeros((n + m, n + m))
        if self._acting is not None:
            acting, state = self._acting
            rows, C = acting.constraint(state), self.problem._spread
            own = acting.tangents(state)[0] + rows.d_load(state.lam)
            K[:n, :n] = C.T @ (C.T @ own.T).T
            K[n:, :n] = (C.T @ rows.jacobian.T).T
            K[:n, n:] = K[n:, :n].T
        for name, part in self.problem._full.items():
            K[layout.v[name], layout.v[name]] -= part.stiffness
        for name, step in self.steps.items():
            indices = self.problem._indices[name]
            change = (step.no_slip() if no_slip else step).tangents()[0]
            entries = sp.coo_array(change)
            at = indices[entries.row], indices[entries.col]
            summed = sp.csr_array(sp.coo_array((entries.data, at), shape=K.shape)).tocoo()
            K[summed.row, summed.col] += summed.data
        return K

    def increment(self) -> Increment:
        """Accept the trial."""
        contacts = {
            name: ContactResult.of(_reference(step), self.before.contacts[name])
            for name, step in self.steps.items()
        }
        state = self.problem.state(self.t, self.x)
        return Increment(self.t, self.x, contacts, self.problem._energy(state))

    @cached_property
    def _acting(self) -> tuple[System, State] | None:
        """What acts beside contacts and dead loads on full bodies, with its state."""
        acting = self.problem._acting
        return None if acting is None else (acting, self.problem._acting_state(self.t, self.x))

    @property
    def _row_scale(self) -> float:
        """Stiffness in N/m that makes violated rows comparable with forces.

        That of markers of full bodies, which follow their joints, else of the contacts. One far
        larger would let the line search shorten steps for violations that are of second order.
        """
        starts = [_reference(step).start for step in self.steps.values()]
        stiffness = [start.law.stiffness * start.pair.surface.measure for start in starts]
        full = [part.marker_stiffness for part in self.problem._full.values()]
        return max(full, default=0.0) or max(stiffness, default=1.0)
