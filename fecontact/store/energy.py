"""Energy audit of a motion: where the energy went, and what the method lost.

Along the discrete motion each item's generalised force does the work W_i = sum f_i . ds, by the
trapezoidal rule over accepted steps ds of the freedoms. With the kinetic energy K of the freedoms
and the work W_c of constraint forces,

    numerical = sum W_i + W_c - change of K          dissipated by the method
    residual  = sum (W_i + change of stored energy + dissipated - supplied), with W_c - supplied

Both are zero for the exact motion and fall with the square of the step in smooth phases
(the residual of Dupont's law with the step). Loads
without a potential, drives and frames of prescribed motion supply energy, constraints of prescribed
motion the power lam . b of c' = A v - b, and a potential that depends on time its change at rest.
The mass matrix of a floating elastic body depends on q: half of v . M' v counts to the work of its
inertia forces.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from fecontact.contact._kernels import OPEN, STICK
from fecontact.system import State, System
from fecontact.system.assembly import Assembly
from fecontact.typing import (
    Body,
    ContactReport,
    Floats,
    HasDissipation,
    HasElasticForce,
    HasEnergy,
    HasKineticEnergy,
    HasStrainEnergy,
    HasSupply,
    Item,
)

__all__ = ["LINES", "EnergyAudit", "Instant", "energy_lines", "stored_energies"]

LINES = (
    "kinetic", "strain", "potential", "contact",
    "slip", "damping", "supplied", "numerical", "residual",
)  # fmt: skip
"""Lines of the audit in J: stored energies, then sums since the start of the motion."""

MOMENT = 1e-6
"""Time in s over which a potential is differenced."""


class StoringItem(Item, HasEnergy, Protocol):
    """An item with a potential."""


Reports = Mapping[str, ContactReport]


def stored_energies(system: System, state: State, reports: Reports) -> Floats:
    """Kinetic, strain, potential and contact energy, slip work, and v . M v/2 in J, (6,)."""
    now, kinetic, moving = system.energies(state), 0.0, 0.0
    for body in system.bodies:
        q, v = system.local(body, state)
        own = 0.5 * float(v @ body.mass_matrix(q) @ v)
        kinetic += now.kinetic.get(body.name, own)
        moving += own
    strain, potential = sum(now.strain.values()), sum(now.potential.values())
    contact = sum(report.energy for report in reports.values())
    return np.array([kinetic, strain, potential, contact, float(state.wear[::2].sum()), moving])


def energy_lines(first: Floats, now: Floats, works: Floats, lost: float, given: float) -> Floats:
    """Lines of the audit (9,) in the order of `LINES`.

    Parameters
    ----------
    first, now : (6,)
        `stored_energies` at the start of the motion and now.
    works : (items + 1,)
        Work of each item since the start, and of the constraint forces.
    lost, given
        Energy that dampers took and that loads, drives and prescribed motions supplied.
    """
    change = now - first
    slip, work = change[4], float(works.sum())
    numerical = work - change[5]
    residual = work + change[1:4].sum() + slip + lost - given
    # a frame of prescribed motion: its part of the kinetic energy is supplied
    supplied = given + change[0] - change[5]
    return np.array([*now[:4], slip, lost, supplied, numerical, residual])


@dataclass(frozen=True)
class Instant:
    """What the audit needs at the end of a step.

    Attributes
    ----------
    state
        With its multipliers.
    forces : (items + 1, n)
        Force of each item, then of all constraints.
    lost, given : (items,), (items + 1,)
        Dissipated and supplied power in W, the latter by constraints too.
    points : (5, p)
        Size of friction and pressure of all contact points, then their `ContactReport.balance`.
    """

    state: State
    forces: Floats
    lost: Floats
    given: Floats
    points: Floats

    @staticmethod
    def of(system: Assembly, state: State, forces: Floats, reports: Reports) -> Instant:
        """Powers of all items at a state, from their forces (items, n)."""
        lost = np.zeros(len(system.items))
        given, binding = np.zeros(len(system.items) + 1), np.zeros(system.size)
        if system.rows:
            rows = system.constraint(state)
            binding = rows.jacobian.T @ state.lam
            given[-1] = binding @ state.v - state.lam @ rows.rate
        forces = np.vstack([forces, binding])
        for i, item in system.dissipating:
            lost[i] = item.dissipated_power(state.t, *system.local(item, state))
        numbers = {item.name: i for i, item in enumerate(system.items)} if reports else {}
        for name, report in reports.items():
            i = numbers[name]
            lost[i], given[i] = report.damping_power, report.supplied_power
        for i, body in enumerate(system.bodies):
            if hasattr(body, "supplied_power") and isinstance(body, HasSupply):
                given[i] = body.supplied_power(state.t, *system.local(body, state))
            part, own = system.slices[body.name], system.local(body, state)
            forces[i, part] += 0.5 * body.d_inertia(own[0], own[1]) @ own[1]
        points = [_points(report) for report in reports.values()]
        return Instant(state, forces, lost, given, np.hstack(points or [np.zeros((5, 0))]))


class EnergyAudit:
    """Sums works and powers over the accepted steps of a motion.

    Parameters
    ----------
    system
        What moves.
    start, reports
        Where it starts, and what its contacts do there.
    forces
        Force of each item at the start, (items, n).
    """

    def __init__(self, system: System, start: State, forces: Floats, reports: Reports) -> None:
        self.system = system
        self.last = Instant.of(system, start, forces, reports)
        self.first = stored_energies(system, start, reports)
        self.works = np.zeros(len(system.items) + 1)
        self.lost, self.given = np.zeros(len(system.items)), np.zeros(len(system.items) + 1)
        self.slip = 0.0
        numbers = {item.name: i for i, item in enumerate(system.items)}
        self._contacts = [(numbers[name], part) for name, part in system.memory.mode.items()]
        bodies = len(system.bodies)
        answers = [isinstance(item, HasEnergy | HasDissipation) for item in system.items]
        remember = [item.name in system.memory.names for item in system.items]
        self._driven = np.array([_driven(body) for body in system.bodies], dtype=bool)
        # their own balance tells what they take; it needs powers along the motion
        self._spun = [i for i, body in enumerate(system.bodies) if isinstance(body, HasSupply)]
        # all work of loads without a potential is supplied
        self._loads = np.array(
            [i >= bodies and not (answers[i] or remember[i]) for i in range(len(answers))]
        )
        self._potentials = [
            (i, item)
            for i, item in enumerate(system.items)
            if i >= bodies and isinstance(item, HasEnergy) and not remember[i]
        ]

    def step(self, path: Floats, forces: Floats, state: State, reports: Reports) -> None:
        """Add an accepted step (n,) of the freedoms to a state, with the forces of all items."""
        before, now = self.last, Instant.of(self.system, state, forces, reports)
        h = state.t - before.state.t
        work = 0.5 * (before.forces + now.forces) @ path
        given = 0.5 * h * (before.given + now.given)
        lost = 0.5 * h * (before.lost + now.lost)
        for i, part in self._contacts:
            lost[i] += _released(before.points[:, part], now.points[:, part], h)
        spun = given[:-1][self._spun]
        given[:-1] = self.supplied(work[:-1], lost, given[:-1], before.state, now.state)
        given[:-1][self._spun] = spun
        for i, item in self._potentials:
            given[i] += self._shift(item, before.state, now.state)
        self.slip += _slip_work(before, now)
        self.works += work
        self.lost += lost
        self.given += given
        self.last = now

    def supplied(
        self, work: Floats, lost: Floats, given: Floats, before: State, now: State
    ) -> Floats:
        """Supplied energy (items,) of a part of the motion, from `given` of the contacts.

        The work of loads without a potential, and what bodies of prescribed motion take.
        """
        result = given.copy()
        result[self._loads] = work[self._loads]
        for i in np.flatnonzero(self._driven).tolist():
            strain = self._strain(i, now) - self._strain(i, before)
            result[i] = work[i] + lost[i] + strain
        return result

    def powers(self, now: Instant) -> Floats:
        """Powers in W: of each item's force and of the constraints, lost, given; (3 items + 2,).

        Their integrals are the `sums`: the audit of methods that integrate them with the motion.
        """
        power, given = now.forces @ now.state.v, now.given.copy()
        given[:-1][self._loads] = power[:-1][self._loads]
        for i, item in self._potentials:
            early, late = (replace(now.state, t=now.state.t + dt) for dt in (-MOMENT, MOMENT))
            given[i] += self._shift(item, early, late) / (2.0 * MOMENT)
        for i in set(np.flatnonzero(self._driven).tolist()) - set(self._spun):
            body = self.system.bodies[i]
            q, v = self.system.local(body, now.state)
            elastic = body.elastic_force(q) @ v if isinstance(body, HasElasticForce) else 0.0
            given[i] = power[i] + now.lost[i] - elastic
        return np.concatenate([power, now.lost, given])

    @property
    def sums(self) -> Floats:
        """Works, losses and supplies so far (3 items + 2,) in J."""
        return np.concatenate([self.works, self.lost, self.given])

    def arrive(self, now: Instant, sums: Floats) -> None:
        """Take over a state and the integrals of `powers` up to it."""
        items = len(self.system.items)
        self.works, self.lost, self.given = np.split(sums.copy(), [items + 1, 2 * items + 1])
        self.slip = float(now.state.wear[::2].sum()) - self.first[4]
        self.last = now

    def lines(self, reports: Reports) -> Floats:
        """Lines of the audit (9,) after the last step."""
        now = stored_energies(self.system, self.last.state, reports)
        now[4] = self.first[4] + self.slip
        return energy_lines(
            self.first, now, self.works, float(self.lost.sum()), float(self.given.sum())
        )

    @property
    def numbers(self) -> Floats:
        """All that must be kept to continue, flat."""
        last = self.last
        sums = (self.first, self.works, self.lost, self.given)
        now = (last.forces.ravel(), last.lost, last.given, last.points.ravel())
        return np.concatenate([[self.slip], *sums, *now])

    def resume(self, numbers: Floats) -> None:
        """Continue from the `numbers` of an audit that ended in the same state."""
        items, n = len(self.system.items), self.system.size
        sizes = [6, items + 1, items, items + 1, (items + 1) * n, items, items + 1]
        self.slip = float(numbers[0])
        parts = np.split(numbers[1:], np.cumsum(sizes))
        self.first, self.works, self.lost, self.given = (part.copy() for part in parts[:4])
        forces, (lost, given, points) = parts[4].reshape(items + 1, n), parts[5:]
        self.last = Instant(self.last.state, forces, lost, given, points.reshape(5, -1))

    def _shift(self, item: StoringItem, before: State, now: State) -> float:
        """Change of a potential by time alone over a step, at the mean of both ends."""
        changes = []
        for state in (now, before):
            q, v = self.system.local(item, state)
            changes.append(item.energy(now.t, q, v) - item.energy(before.t, q, v))
            if changes[0] == 0.0:
                return 0.0
        return 0.5 * sum(changes)

    def _strain(self, number: int, state: State) -> float:
        body = self.system.bodies[number]
        if hasattr(body, "strain_energy") and isinstance(body, HasStrainEnergy):
            return body.strain_energy(self.system.local(body, state)[0])
        return 0.0


def _points(report: ContactReport) -> Floats:
    """Friction, pressure and balance (5, p) of the points of a contact."""
    grip, balance = np.linalg.norm(report.traction, axis=1), report.balance
    if not balance.shape[1]:
        balance = np.zeros((3, len(grip)))
    return np.vstack([grip, report.pressure, balance])


def _slip_work(before: Instant, now: Instant) -> float:
    """Slip work of a step in J, with the mean friction of both ends.

    The wear of a step is its slip path times the friction at its end: of first order alone, twice
    too much where a point closes, and nothing where one opens. The trapezoidal rule agrees with
    that of the work of the force.
    """
    work = now.state.wear[::2] - before.state.wear[::2]
    first, last = before.points[0], now.points[0]
    mean = np.ones(len(work))  # impulses wear without a traction
    slides = (last > 0.0) & (before.state.mode != STICK)  # a stuck point slips at the end
    np.divide(0.5 * (first + last), last, out=mean, where=slides)
    opened = (now.state.mode == OPEN) & (before.state.mode != OPEN)
    return float(mean @ work + 0.5 * first[opened] @ now.points[4, opened])


def _released(before: Floats, now: Floats, h: float) -> float:
    """Correction in J of the losses of free points over a step.

    Dampers hold a point that let go until its springs are slack: whatever they stored is lost,
    however long the step is beside that time.
    """
    free = ~np.any(before[:2], axis=0) & ~np.any(now[:2], axis=0)
    stored, power = before[2] - now[2], 0.5 * h * (before[3] + now[3])
    return float((stored - power)[free].sum())


def _driven(body: Body) -> bool:
    """Whether the frame of a body moves as prescribed, or its spin is kept up."""
    if not isinstance(body, HasKineticEnergy):
        return True
    return getattr(body, "frame", "free") not in ("free", "fixed")
