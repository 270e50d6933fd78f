"""Statics of a system with stateful contact: bodies, joints, loads over time.

    0 = f(t, q) + sum J^T F + A^T lam,      0 = c(t, q)

Unknowns are the coordinates q, then the multipliers lam. Of a full finite-element body only those
of its contacts are kept, the others are condensed (`reduction.condensation`). The load parameter
is the time of the loads and of the prescribed motions, frames included; all velocities are zero.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import null_space

from fecontact.analysis.statics.condensed_part import CondensedPart, Layout, condensed_parts
from fecontact.analysis.statics.load_path import ContactResult, Increment, round_off
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
from fecontact.contact.evaluate import compiled_step as compiled_stepping
from fecontact.contact.evaluate.compiled_step import CompiledStep
from fecontact.contact.evaluate.eulerian import EulerianPair
from fecontact.contact.evaluate.step import ContactHistory, ContactStep
from fecontact.contact.kinematics.prescribed import PrescribedStart
from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.contact.kinematics.spinning import spins
from fecontact.contact.laws.base import history_width
from fecontact.contact.pair import ContactPair
from fecontact.errors import InputError, check_kind
from fecontact.system import State, System
from fecontact.typing import Floats, Integers

__all__ = ["StaticSystem"]


@dataclass(frozen=True, eq=False)
class StaticSystem:
    """A system whose load path is followed by `load_path`.

    Its contacts need stateful friction (`ElastoPlastic`), its constraints must bind positions
    and be independent of each other. Material that passes its contact points (a prescribed spin,
    `EulerianPair`) has no statics: it is refused. Full finite-element bodies (`FEBody`) may touch
    each other, rigid and reduced ones; on them act dead loads, not joints.

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
    >>> path = load_path(StaticSystem(system), [0.0, 1.0])
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
    >>> path = load_path(StaticSystem(system), [1.0])
    >>> pressure = path.increments[-1].contacts["contact"].pressure
    >>> round(float(pressure.min()), 3), round(float(pressure.max()), 3)
    (1000.0, 1000.0)
    """

    system: System
    _bare: System = field(init=False, repr=False)
    _small: System | None = field(init=False, repr=False)
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
        full = condensed_parts(self.system, self.pairs)
        kept = {name: part.kept for name, part in full.items()}
        layout = Layout.of(self.system, kept)
        small = [body for body in self.system.bodies if body.name not in full]
        acting = [i for i in others if not any(body.name in full for body in i.bodies)]
        indices = {
            pair.name: np.concatenate([np.r_[layout.v[b.name]] for b in pair.bodies]).astype(
                np.int64
            )
            for pair in self.pairs
        }
        nodal = {
            pair.name: NodalContact(pair, kept)
            for pair in self.pairs
            if any(body.name in full for body in pair.bodies)
        }
        rest = System(small, [*acting, *self.system.constraints]) if full and small else None
        object.__setattr__(self, "_bare", bare)
        object.__setattr__(self, "_small", rest if full else bare)
        object.__setattr__(self, "_indices", indices)
        object.__setattr__(self, "_full", full)
        object.__setattr__(self, "_nodal", nodal)
        object.__setattr__(self, "_layout", layout)

    @cached_property
    def pairs(self) -> tuple[ContactPair, ...]:
        """Contacts of the system."""
        return tuple(item for item in self.system.items if isinstance(item, ContactPair))

    def start(self) -> Increment:
        """Reference position, points that never touched."""
        rest = self.system.rest()
        x = np.concatenate([self._layout.reference, np.zeros(len(self.system.rows))])
        contacts = {}
        for pair in self.pairs:
            q, v = self._local(pair, x)
            fresh = ContactHistory.fresh(
                len(pair.surface.weights), history_width(pair.normal, pair.friction)
            )
            step = self._begin(pair, rest.t, q, v, fresh).at(rest.t, q, v, np.inf)
            if pair.name in self._nodal:
                self._check_nodal(pair, _reference(step))
            contacts[pair.name] = ContactResult.of(_reference(step), None)
        self._refuse_loose(contacts)
        return Increment(0.0, x, contacts, self._energy(self.state(0.0, x)))

    def _check_nodal(self, pair: ContactPair, step: ContactStep) -> None:
        """Refuse a full slave behind its master; warn of a penalty that does not fit."""
        if pair.slave.name in self._full:
            check_facing(pair.name, pair.surface.normals, step.kinematics)
        self._nodal[pair.name].judge(step)

    def _refuse_loose(self, contacts: dict[str, ContactResult]) -> None:
        """Refuse a full body that is free and touches nothing."""
        touching = {
            body.name
            for pair in self.pairs
            for body in pair.bodies
            if len(contacts[pair.name].closed)
        }
        for name, part in self._full.items():
            if any(part.body.free_translations) and name not in touching:
                raise InputError(
                    f"{name}: the body is free and touches nothing at the start; give a seat "
                    "that brings it into contact, or support it"
                )

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
        """The same along the translations of full bodies that no support holds."""
        n = self._layout.size

        def moved(step: Floats) -> _Balance:
            return self.at(before, t, self.move(before.x, step))

        def contacts(step: Floats) -> dict[str, ContactKinematics]:
            return {name: _reference(each).kinematics for name, each in moved(step).steps.items()}

        def force(step: Floats) -> Floats:
            return moved(step).residual[0]

        rays, loaded = [], False
        for name, part in self._full.items():
            load = part.load(t)
            loaded = loaded or bool(load.any())
            for axis, shift, free in zip(
                "xyz", part.translations.T, part.body.free_translations, strict=True
            ):
                step = np.zeros(n + len(self.system.rows))
                step[self._layout.v[name]] = shift
                if free:
                    rays.append(Ray(f"along {axis} of '{name}'", step, float(load @ shift)))
        check_held(Held(force, contacts, False), rays)
        small = self._small
        return loaded or bool(small and small.force(self._small_state(t, before.x)).any())

    def at(self, before: Increment, t: float, x: Floats) -> _Balance:
        """Forces at unknowns x."""
        steps = {}
        for pair in self.pairs:
            history = before.contacts[pair.name].history
            start = self._begin(pair, before.t, *self._local(pair, before.x), history)
            steps[pair.name] = start.at(t, *self._local(pair, x), np.inf)
        return _Balance(self, before, t, x, steps)

    def _begin(
        self, pair: ContactPair, t: float, q: Floats, v: Floats, history: ContactHistory
    ) -> Any:
        """Start of an increment; compiled where the pair has a kernel and its frames rest."""
        if pair.name in self._nodal:
            return self._nodal[pair.name].begin(t, q, v, history)
        if pair.in_prescribed_frame:
            return PrescribedStart.of(pair, t, q, v, history, static=True)
        return compiled_stepping.begin(pair, t, q, v, history)

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

    def _small_state(self, t: float, x: Floats) -> State:
        """State of the bodies that are not full."""
        names = [b.name for b in self.system.bodies if b.name not in self._full]
        q = np.concatenate([x[self._layout.q[name]] for name in names])
        n_q = len(x) - len(self.system.rows)
        v = sum(len(np.r_[self._layout.v[name]]) for name in names)
        return State(t, q, np.zeros(v), x[n_q:])

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
            f"{pair.name}: statics is not possible: {what}; use steady_state, or a ContactPair of "
            "bodies without spin"
        )


@dataclass(frozen=True, eq=False)
class _Balance:
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
        if self._small is not None:
            small, state = self._small
            rows, parts = small.constraint(state), small.forces(state)
            reaction = rows.jacobian.T @ state.lam
            force[layout.small] = parts.sum(axis=0) + reaction
            terms[layout.small] = np.abs(parts).sum(axis=0) + np.abs(reaction)
            violated = rows.value
        for name, part in problem._full.items():
            given, elastic = part.load(self.t), part.stiffness @ self.x[layout.q[name]]
            force[layout.v[name]] += given - elastic
            terms[layout.v[name]] += np.abs(given) + np.abs(elastic)
        for name, step in self.steps.items():
            force[problem._indices[name]] += step.force
            terms[problem._indices[name]] += np.abs(step.force)
        scaled = self._row_scale * violated
        size = float(np.hypot(np.linalg.norm(force), np.linalg.norm(scaled)))
        return np.concatenate([force, violated]), size, float(np.linalg.norm(terms))

    @property
    def round_off(self) -> float:
        """Round-off of the contact forces."""
        return sum(round_off(_reference(step)) for step in self.steps.values())

    def tangent(self, stuck: bool) -> Floats:
        """Derivative of force and rows by coordinates and multipliers."""
        layout, n = self.problem._layout, self.problem._layout.size
        m = len(self.problem.system.rows)
        K = np.zeros((n + m, n + m))
        if self._small is not None:
            small, state = self._small
            rows, own = small.constraint(state), layout.small
            K[np.ix_(own, own)] = small.tangents(state)[0] + rows.d_load(state.lam)
            K[n:, own], K[own, n:] = rows.jacobian, rows.jacobian.T
        for name, part in self.problem._full.items():
            K[layout.v[name], layout.v[name]] -= part.stiffness
        for name, step in self.steps.items():
            indices = self.problem._indices[name]
            change = (step.no_slip() if stuck else step).tangents()[0]
            if isinstance(change, np.ndarray):
                K[np.ix_(indices, indices)] += change
            else:
                entries = change.tocoo()
                K[indices[entries.row], indices[entries.col]] += entries.data
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
    def _small(self) -> tuple[System, State] | None:
        """Bodies that are not full, with their state."""
        small = self.problem._small
        return None if small is None else (small, self.problem._small_state(self.t, self.x))

    @property
    def _row_scale(self) -> float:
        """Stiffness in N/m that makes violated rows comparable with forces."""
        starts = [_reference(step).start for step in self.steps.values()]
        stiffness = [start.law.stiffness * start.pair.surface.measure for start in starts]
        return max(stiffness, default=1.0)
