"""Statics of a system with contact that remembers: bodies, joints, loads over time.

    0 = f(t, q) + sum J^T F + A^T lam,      0 = c(t, q)

Unknowns are the coordinates q, then the multipliers lam. The load parameter is the time of the
loads and of the prescribed motions, frames included; all velocities are zero.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from scipy.linalg import null_space

from fecontact.analysis.statics.load_path import ContactResult, Increment, round_off
from fecontact.analysis.steady.plausible import check_normals, check_system
from fecontact.contact.evaluate import compiled_step as fused_stepping
from fecontact.contact.evaluate.compiled_step import FusedStep
from fecontact.contact.evaluate.eulerian import EulerianPair
from fecontact.contact.evaluate.step import ContactHistory, ContactStep
from fecontact.contact.kinematics.prescribed import TimedStart
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

    Its contacts need friction with memory (`ElastoPlastic`), its constraints must bind positions
    and be independent of each other. Material that passes its contact points (a prescribed spin,
    `EulerianPair`) has no statics: it is refused.

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
    """

    system: System
    _bare: System = field(init=False, repr=False)
    _places: dict[str, Integers] = field(init=False, repr=False)

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
        slices = self.system.slices
        places = {
            pair.name: np.concatenate([np.r_[slices[b.name]] for b in pair.bodies]).astype(np.int64)
            for pair in self.pairs
        }
        object.__setattr__(self, "_bare", bare)
        object.__setattr__(self, "_places", places)

    @cached_property
    def pairs(self) -> tuple[ContactPair, ...]:
        """Contacts of the system."""
        return tuple(item for item in self.system.items if isinstance(item, ContactPair))

    def start(self) -> Increment:
        """Reference position, points that never touched."""
        rest = self.system.rest()
        contacts = {}
        for pair in self.pairs:
            q, v = self.system.local(pair, rest)
            fresh = ContactHistory.fresh(
                len(pair.surface.weights), history_width(pair.normal, pair.friction)
            )
            step = self._begin(pair, rest.t, q, v, fresh).at(rest.t, q, v, np.inf)
            contacts[pair.name] = ContactResult.of(_ordinary(step), None)
        x = np.concatenate([rest.q, np.zeros(len(self.system.rows))])
        return Increment(0.0, x, contacts, self._energy(rest))

    @property
    def pressed_into(self) -> dict[str, tuple[float, str]]:
        """Contact name -> smallest length in m that it is pressed into, and what it is."""
        return {pair.name: pair.pressed_into for pair in self.pairs}

    def check_first(self, before: Increment, t: float) -> bool:
        """Raise if a slave lies behind its master, or if a load pulls contacts apart."""
        state = self.state(t, before.x)
        check_normals(self.system, state)
        rows = self.system.constraint(state).jacobian
        check_system(self.system, state, null_space(rows) if len(rows) else None, sliding=False)
        return bool(self._bare.force(state).any())

    def at(self, before: Increment, t: float, x: Floats) -> _Balance:
        """Forces at coordinates and multipliers x."""
        state, earlier = self.state(t, x), self.state(before.t, before.x)
        steps = {}
        for pair in self.pairs:
            history = before.contacts[pair.name].history
            q, v = self.system.local(pair, earlier)
            start = self._begin(pair, before.t, q, v, history)
            steps[pair.name] = start.at(t, *self.system.local(pair, state), np.inf)
        return _Balance(self, before, state, x, steps)

    @staticmethod
    def _begin(pair: ContactPair, t: float, q: Floats, v: Floats, history: ContactHistory) -> Any:
        """Start of an increment; compiled where the pair has a kernel and its frames rest."""
        if pair.timed:
            return TimedStart.of(pair, t, q, v, history, static=True)
        return fused_stepping.begin(pair, t, q, v, history)

    def move(self, x: Floats, step: Floats) -> Floats:
        """Coordinates and multipliers after a step."""
        n_q, n = len(x) - len(self.system.rows), self.system.size
        return np.concatenate([self.system.move(x[:n_q], step[:n]), x[n_q:] + step[n:]])

    def state(self, t: float, x: Floats) -> State:
        """State of the system from unknowns."""
        n_q = len(x) - len(self.system.rows)
        return State(t, x[:n_q], np.zeros(self.system.size), x[n_q:])

    def _energy(self, state: State) -> float:
        return float(self._bare.energies(state).total)


def _ordinary(step: Any) -> ContactStep:
    """The step item by item, for what each point does."""
    return step if isinstance(step, ContactStep) else step.ordinary


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
    state: State
    x: Floats
    steps: dict[str, ContactStep | FusedStep]

    @cached_property
    def residual(self) -> tuple[Floats, float, float]:
        """Imbalance and violated rows; sizes are forces and, as forces, rows."""
        bare = self.problem._bare
        rows = bare.constraint(self.state)
        parts = bare.forces(self.state)
        reaction = rows.jacobian.T @ self.state.lam
        force, terms = parts.sum(axis=0) + reaction, np.abs(parts).sum(axis=0) + np.abs(reaction)
        for name, step in self.steps.items():
            force[self.problem._places[name]] += step.force
            terms[self.problem._places[name]] += np.abs(step.force)
        violated = self._row_scale * rows.value
        size = float(np.hypot(np.linalg.norm(force), np.linalg.norm(violated)))
        return np.concatenate([force, rows.value]), size, float(np.linalg.norm(terms))

    @property
    def round_off(self) -> float:
        """Round-off of the contact forces."""
        return sum(round_off(_ordinary(step)) for step in self.steps.values())

    def tangent(self, stuck: bool) -> Floats:
        """Derivative of force and rows by coordinates and multipliers."""
        bare = self.problem._bare
        rows = bare.constraint(self.state)
        K = bare.tangents(self.state)[0] + rows.d_load(self.state.lam)
        for name, step in self.steps.items():
            place = np.ix_(self.problem._places[name], self.problem._places[name])
            K[place] += (step.no_slip() if stuck else step).tangents()[0]
        A = rows.jacobian
        return np.block([[K, A.T], [A, np.zeros((len(A), len(A)))]])

    def increment(self) -> Increment:
        """Accept the trial."""
        contacts = {
            name: ContactResult.of(_ordinary(step), self.before.contacts[name])
            for name, step in self.steps.items()
        }
        return Increment(self.state.t, self.x, contacts, self.problem._energy(self.state))

    @property
    def _row_scale(self) -> float:
        """Stiffness in N/m that makes violated rows comparable with forces."""
        starts = [_ordinary(step).start for step in self.steps.values()]
        stiffness = [start.law.stiffness * start.pair.surface.measure for start in starts]
        return max(stiffness, default=1.0)
