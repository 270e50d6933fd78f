"""Compiled backend of Moreau's method: one loop over the steps between two outputs.

It knows systems without constraints whose contacts are points on rigid surfaces, without a normal
law. A step that it cannot solve, or whose forces fail, is left to the general backend, which finds
a solution by other means or says what is wrong.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from fecontact.errors import SolverError
from fecontact.integrate.moreau.audit import MoreauAudit
from fecontact.integrate.moreau.general import GeneralBackend, rigid_contacts
from fecontact.integrate.moreau.impact import LAWS
from fecontact.integrate.moreau.kernels import march as loop
from fecontact.integrate.moreau.kernels.motion import COUNTERS, STEPS, Motion, Options
from fecontact.integrate.moreau.kernels.rows import SIZE
from fecontact.integrate.moreau.tables import (
    coupled_blocks,
    packed_contacts,
    packed_moves,
    packed_smooth,
    refused,
)
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics
from fecontact.solvers.contact_graph.problem import empty_graph
from fecontact.system import State, System
from fecontact.typing import Integers

if TYPE_CHECKING:
    from fecontact.integrate.moreau.method import Moreau

__all__ = ["CompiledBackend"]

GLANCE = 0.1
"""Time in s between looks at a signal to stop."""
AT_ONCE = 1 << 20
"""Most steps between looks at a signal to stop."""


class CompiledBackend:
    """A motion on its way.

    Parameters
    ----------
    options, system
        The method, and what moves.
    start
        Where it is.
    statistics
        Counters.
    """

    def __init__(
        self, options: Moreau, system: System, start: Point, statistics: Statistics
    ) -> None:
        contacts = rigid_contacts(system)
        if system.rows:
            raise refused(system.constraints[0].name, "is a constraint")
        self.options, self.system, self.statistics = options, system, statistics
        moves, blocks = packed_moves(system), coupled_blocks(system)
        packed = packed_contacts(system, contacts, blocks)
        state = system.history_layout.filled(start.state)
        self.audit = MoreauAudit(system, contacts, state)
        self.contacts = packed.contacts
        self.smooth = packed_smooth(system, self.audit.audit, blocks)
        conditions, width = len(self.contacts.contact), self.contacts.table[:, SIZE].max(initial=1)
        self.graph = empty_graph(
            conditions, int(width), system.size, packed.dofs, packed.parameters
        )
        self.motion = _motion(len(state.q), system.size, conditions, moves)
        self._options = Options(
            float(options.theta), list(LAWS).index(options.impact), float(options.tolerance),
            options.sweeps, bool(options.project),
        )  # fmt: skip
        self._limit = 16
        self._put(start)

    @property
    def t(self) -> float:
        """Time in s."""
        return float(self.motion.time[0])

    def advance(self, goal: float, steps: int) -> None:
        """Do some steps, at most as many as given, towards a goal."""
        assert self.options.step is not None
        before, most = self.motion.counts.copy(), min(steps, self._limit)
        started = perf_counter()
        done = loop.march(
            self.motion, self.contacts, self.graph, self.smooth, self._options,
            float(self.options.step), goal, most,
        )  # fmt: skip
        if perf_counter() - started > 0.5 * GLANCE:
            self._limit = max(1, self._limit // 2)
        elif most == self._limit:
            self._limit = min(2 * self._limit, AT_ONCE)
        self._count(self.motion.counts - before)
        if done == loop.UNDONE:
            general = GeneralBackend(self.options, self.system, self.point(), self.statistics)
            general.advance(goal, 1)
            self._put(general.point())

    def accelerate(self, start: Point) -> None:
        """Take the accelerations of a step from the start, as at all later points."""
        own, self.statistics = self.statistics, Statistics()
        first = self.audit.audit.last
        try:
            self.advance(np.inf, 1)
            acceleration = self.motion.a.copy()
        except SolverError:  # the step itself tells it, after the start
            acceleration = start.acceleration
        self.statistics, self.audit.audit.last = own, first
        self._put(start._replace(acceleration=acceleration))

    def point(self) -> Point:
        """The state with energies and what a restart needs."""
        state = self._state()
        audit = self._settle(state)
        resume = np.concatenate([self.motion.residual, audit.numbers])
        return Point(state, self.motion.a.copy(), resume, audit.lines())

    def _state(self) -> State:
        q, v, own = self.motion.q.copy(), self.motion.v.copy(), self.contacts
        z, slip_totals = own.z.ravel().copy(), own.slip_totals.ravel().copy()
        return State(self.t, q, v, np.zeros(0), z, own.status.copy(), slip_totals)

    def _settle(self, state: State) -> MoreauAudit:
        """The audit with what the loop has summed up."""
        audit, sums = self.audit.audit, self.smooth
        for i in audit.carried:
            strain = audit.strain(i, state)
            sums.given[i] += strain - self.strain[i]
            self.strain[i] = strain
        audit.works, audit.lost = sums.works.copy(), sums.lost.copy()
        audit.given = sums.given.copy()
        forces = np.zeros((len(self.system.items) + 1, self.system.size))
        forces[self._item, sums.dof] = sums.force
        power = sums.power
        lost, given = power[:, 0].copy(), np.append(power[:, 1], 0.0)
        audit.last = replace(audit.last, state=state, forces=forces, lost=lost, given=given)
        return self.audit

    def _put(self, point: Point) -> None:
        """Go on from a point."""
        motion, contacts, sums = self.motion, self.contacts, self.smooth
        state = self.system.history_layout.filled(point.state)
        motion.q[:], motion.v[:] = state.q, state.v
        motion.a[:], motion.time[:] = point.acceleration, state.t
        contacts.z[:], contacts.status[:] = state.z.reshape(-1, 3), state.status
        contacts.slip_totals[:] = state.slip_totals.reshape(-1, 2)
        audit = self.audit.audit
        motion.residual[:] = 0.0
        if len(point.resume):
            motion.residual[:] = point.resume[0]
            audit.resume(point.resume[1:])
        else:
            audit.works[:] = audit.lost[:] = audit.given[:] = 0.0
        sums.works[:], sums.lost[:], sums.given[:] = audit.works, audit.lost, audit.given
        sums.force[:] = audit.last.forces[self._item, sums.dof]
        sums.power[:, 0] = audit.last.lost
        sums.power[:, 1] = audit.last.given[:-1]
        self.strain = {i: audit.strain(i, state) for i in audit.carried}

    @cached_property
    def _item(self) -> Integers:
        """Item of each force in the sums."""
        return np.repeat(np.arange(len(self.system.items)), np.diff(self.smooth.first))

    def _count(self, more: Integers) -> None:
        """Add the counters of the loop to those of the run."""
        own = self.statistics
        for name, count in zip(COUNTERS, more.tolist(), strict=True):
            setattr(own, name, getattr(own, name) + count)
        own.compiled += int(more[STEPS])


def _motion(n_q: int, n: int, m: int, moves: tuple[Integers, Integers]) -> Motion:
    """Arrays of `march` for a system with m contact conditions."""
    plain, turns = moves
    shapes = {
        "q": (n_q,), "v": (n,), "a": (n,), "time": (1,), "residual": (1,), "middle": (n_q,),
        "new_q": (n_q,), "other_q": (n_q,), "speed": (n,), "shift": (n,), "load": (n,),
        "free": (n,), "path": (n,), "new_v": (n,), "restitution": (m,), "hit": (m, 3),
        "change": (n,), "struck": (m, 3), "struck_mean": (m, 3), "struck_mu": (m,),
        "pushed": (m, 3), "pushed_mean": (m, 3), "pushed_along": (m, 3), "pushed_mu": (m,),
    }  # fmt: skip
    counts, kept = np.zeros((2, len(COUNTERS)), dtype=np.int64)
    arrays = {name: np.zeros(shape) for name, shape in shapes.items()}
    return Motion(plain=plain, turns=turns, counts=counts, kept=kept, **arrays)
