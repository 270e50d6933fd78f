"""Energy audit of a motion: where the energy went, and what the method lost.

Along the discrete motion each item's generalised force does the work W_i = sum f_i . ds, by the
trapezoidal rule over accepted steps ds of the dofs. With the kinetic energy K of the dofs
and the work W_c of constraint forces,

    numerical = sum W_i + W_c - change of K          dissipated by the method
    residual  = sum (W_i + change of stored energy + dissipated - supplied), with W_c - supplied

Both are zero for the exact motion and fall with the square of the step in smooth phases. The
dampers of bristles take the mean of their force along the change of the elastic slip, slip takes
the mean friction along its path: the same rule as for the work of the force. Loads
without a potential, drives and frames of prescribed motion supply energy, constraints of prescribed
motion the power lam . b of c' = A v - b, and a potential that depends on time its change at rest.
The mass matrix of a floating elastic body depends on q: half of v . M' v counts to the work of its
inertia forces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

import numpy as np

from fecontact.body.base import as_body
from fecontact.contact.report import Bristling, ContactReport
from fecontact.contact.status import OPEN, STICK
from fecontact.results.point import LaterReports
from fecontact.system import State, System
from fecontact.system.assembly import Assembly
from fecontact.typing import (
    Answers,
    Floats,
    Integers,
    supporting,
    supports,
)

__all__ = [
    "EnergyAudit",
    "Instant",
    "Stored",
    "energy_lines",
    "points_of",
    "stored_energies",
    "with_contacts",
]

JOLT = 4.0
"""Friction of a first touch, relative to that after a step, which the step does not resolve."""
MOMENT = 1e-6
"""Time in s over which a potential is differenced."""


Reports = Mapping[str, ContactReport]
Stored: TypeAlias = Callable[[State, Reports], Floats]
"""`stored_energies` of a system."""


def stored_energies(system: System, state: State, reports: Reports) -> Floats:
    """Kinetic, strain, potential and contact energy, slip work, and v . M v/2 in J, (6,)."""
    t, kinetic, moving = state.t, 0.0, 0.0
    known = {i.name: i.kinetic_energy(*system.local(i, state), t) for i in system.kinetic}
    for body in system.bodies:
        q, v = system.local(body, state)
        own = 0.5 * float(v @ body.mass_matrix(q) @ v)
        kinetic += known.get(body.name, own)
        moving += own
    strain = sum(i.strain_energy(system.local(i, state)[0]) for i in system.straining)
    potential = sum(i.energy(t, *system.local(i, state)) for i in system.storing)
    return with_contacts(kinetic, strain, potential, moving, state, reports)


def with_contacts(
    kinetic: float, strain: float, potential: float, moving: float, state: State, reports: Reports
) -> Floats:
    """`stored_energies` from those of the items and v . M v/2."""
    if isinstance(reports, LaterReports):
        contact = reports.energy
    else:
        contact = sum(report.energy for report in reports.values())
    slip = float(state.slip_totals[::2].sum())
    return np.array([kinetic, strain, potential, contact, slip, moving])


def energy_lines(
    first: Floats, now: Floats, works: Floats, lost: Floats | float, given: Floats | float
) -> Floats:
    """Lines of the audit (..., 9) in the order of `results.audit.LINES`; of many instants at once.

    Parameters
    ----------
    first, now : (6,), (..., 6)
        `stored_energies` at the start of the motion and now.
    works : (..., items + 1)
        Work of each item since the start, and of the constraint forces.
    lost, given : (...)
        Energy that dampers took and that loads, drives and prescribed motions supplied.
    """
    change = now - first
    slip, work = change[..., 4], works.sum(axis=-1)
    numerical = work - change[..., 5]
    residual = work + change[..., 1:4].sum(axis=-1) + slip + lost - given
    # a frame of prescribed motion: its part of the kinetic energy is supplied
    supplied = given + change[..., 0] - change[..., 5]
    sums = np.stack([slip, np.asarray(lost), supplied, numerical, residual], axis=-1)
    return np.concatenate([now[..., :4], sums], axis=-1)


@dataclass(frozen=True)
class Instant:
    """What the audit needs at the end of a step.

    Attributes
    ----------
    state
        With its multipliers.
    forces : (items + 1, n)
        Force of each item, then of all constraints.
    lost, bent, given : (items,), (items,), (items + 1,)
        Dissipated power in W, its part of the dampers of bristles, and supplied power, by
        constraints too.
    points : (5, p)
        Size of friction of all contact points and force of their dampers in N, and pressure.
    """

    state: State
    forces: Floats
    lost: Floats
    bent: Floats
    given: Floats
    points: Floats

    @staticmethod
    def of(system: Assembly, state: State, forces: Floats, reports: Reports) -> Instant:
        """Powers of all items at a state, from their forces (items, n)."""
        powers = {name: (r.damping_power, r.supplied_power) for name, r in reports.items()}
        now = Instant.along(system, state, forces, powers)
        bent = np.zeros(len(system.items))
        for name, report in reports.items():
            i = system.item_indices[name]
            bent[i] = 0.0 if report.bristles is None else now.lost[i] - report.bristles.lost
        return replace(now, bent=bent, points=points_of(reports))

    @staticmethod
    def along(
        system: Assembly, state: State, forces: Floats, powers: Mapping[str, tuple[float, float]]
    ) -> Instant:
        """The same with lost and supplied power of the contacts alone: nothing of their points."""
        lost, bent = np.zeros((2, len(system.items)))
        given, binding = np.zeros(len(system.items) + 1), np.zeros(system.size)
        if system.rows:
            rows = system.constraint(state)
            binding = rows.jacobian.T @ state.lam
            given[-1] = binding @ state.v - state.lam @ rows.rate
        forces = np.vstack([forces, binding])
        for i, item in system.dissipating:
            lost[i] = item.dissipated_power(state.t, *system.local(item, state))
        for name, own in powers.items():
            lost[system.item_indices[name]], given[system.item_indices[name]] = own
        for item in supporting(system.items, "supplied_power"):
            i = system.item_indices[item.name]
            given[i] = item.supplied_power(state.t, *system.local(item, state))
        for i, body in enumerate(system.bodies):
            part, (q, v) = system.slices[body.name], system.local(body, state)
            forces[i, part] += 0.5 * body.d_inertia(q, v) @ v
        return Instant(state, forces, lost, bent, given, np.zeros((5, 0)))


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
        self.stored: Stored = partial(stored_energies, system)
        self.first = self.stored(start, reports)
        self.works = np.zeros(len(system.items) + 1)
        self.lost, self.given = np.zeros(len(system.items)), np.zeros(len(system.items) + 1)
        self._contacts = [
            (name, system.item_indices[name], part)
            for name, part in system.history_layout.status.items()
        ]
        bodies = len(system.bodies)
        answers = [
            supports(item, "energy") or supports(item, "dissipated_power") for item in system.items
        ]
        stateful = [item.name in system.history_layout.names for item in system.items]
        # items that know the power of their drive; of the other bodies that a prescribed motion
        # carries their own balance tells what they take
        self.spun = [i for i, item in enumerate(system.items) if supports(item, "supplied_power")]
        self.carried = [
            i for i, body in enumerate(system.bodies) if as_body(body).driven and i not in self.spun
        ]
        # all work of loads without a potential is supplied
        self.loads = np.array(
            [i >= bodies and not (answers[i] or stateful[i]) for i in range(len(answers))]
        )
        self._potentials = [
            (system.item_indices[item.name], item)
            for item in supporting(system.items[bodies:], "energy")
            if item.name not in system.history_layout.names
            and system.item_indices[item.name] not in self.spun
        ]

    def step(
        self, path: Floats, forces: Floats, state: State, reports: Reports
    ) -> tuple[State, dict[str, ContactReport]]:
        """Add an accepted step (n,) of the dofs to a state, with the forces of all items.

        Returns the state with the slip work of the step in its totals, and the reports with its
        mean power: that of the mean friction of both ends. The law alone knows the end only: an
        error of first order.
        """
        now = Instant.of(self.system, state, forces, reports)
        before = self._settled(now)
        h, slip_totals, found = state.t - before.state.t, state.slip_totals.copy(), dict(reports)
        lost = 0.5 * h * (before.lost - before.bent + now.lost - now.bent)
        for name, i, part in self._contacts:
            bristles = reports[name].bristles
            if bristles is None:
                continue
            first, last = before.points[:, part], now.points[:, part]
            lost[i] += 0.5 * float(np.sum((first[1:4] + last[1:4]) * bristles.bend.T))
            slip = _slip_work(bristles, first[0], before.state.status[part], state.status[part])
            slip_totals[::2][part] = before.state.slip_totals[::2][part] + slip
            found[name] = reports[name].slipping(slip / h)
        now = replace(now, state=replace(state, slip_totals=slip_totals))
        work = 0.5 * (before.forces + now.forces) @ path
        given = 0.5 * h * (before.given + now.given)
        given[:-1] = self.supplied(work[:-1], lost, given[:-1], before.state, now.state)
        for i, item in self._potentials:
            given[i] += self._shift(item, before.state, now.state)
        self.works += work
        self.lost += lost
        self.given += given
        self.last = now
        return now.state, found

    def supplied(
        self, work: Floats, lost: Floats, given: Floats, before: State, now: State
    ) -> Floats:
        """Supplied energy (items,) of a part of the motion, from `given` of contacts and drives.

        The work of loads without a potential, and what bodies of prescribed motion take.
        """
        result = given.copy()
        result[self.loads] = work[self.loads]
        for i in self.carried:
            result[i] = work[i] + lost[i] + self.strain(i, now) - self.strain(i, before)
        return result

    def powers(self, now: Instant) -> Floats:
        """Powers in W: of each item's force and of the constraints, lost, given; (3 items + 2,).

        Their integrals are the `sums`: the audit of methods that integrate them with the motion.
        """
        power, given = now.forces @ now.state.v, now.given.copy()
        given[:-1][self.loads] = power[:-1][self.loads]
        for i, item in self._potentials:
            early, late = (replace(now.state, t=now.state.t + dt) for dt in (-MOMENT, MOMENT))
            given[i] += self._shift(item, early, late) / (2.0 * MOMENT)
        for i in self.carried:
            body = self.system.bodies[i]
            q, v = self.system.local(body, now.state)
            known = supports(body, "elastic_force")
            elastic = as_body(body).elastic_force(q) @ v if known else 0.0
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
        self.last = now

    def lines(self, reports: Reports) -> Floats:
        """Lines of the audit (9,) after the last step."""
        now = self.stored(self.last.state, reports)
        return energy_lines(
            self.first, now, self.works, float(self.lost.sum()), float(self.given.sum())
        )

    @property
    def numbers(self) -> Floats:
        """All that must be kept to continue, flat."""
        last = self.last
        sums = (self.first, self.works, self.lost, self.given)
        now = (last.forces.ravel(), last.lost, last.bent, last.given, last.points.ravel())
        return np.concatenate([*sums, *now])

    def resume(self, numbers: Floats) -> None:
        """Continue from the `numbers` of an audit that ended in the same state."""
        items, n = len(self.system.items), self.system.size
        sizes = [6, items + 1, items, items + 1, (items + 1) * n, items, items, items + 1]
        parts = np.split(numbers, np.cumsum(sizes))
        self.first, self.works, self.lost, self.given = (part.copy() for part in parts[:4])
        forces, (lost, bent, given, points) = parts[4].reshape(items + 1, n), parts[5:]
        self.last = Instant(self.last.state, forces, lost, bent, given, points.reshape(5, -1))

    def _settled(self, now: Instant) -> Instant:
        """The last instant; of bristles that bend within a step of their first touch, the new one.

        Bristles without history that start at a speed s carry b s at once (LuGre), which lasts as
        long as they take to bend: if less than a step, it is not the friction of the step.
        """
        before = self.last
        for _, i, part in self._contacts:
            first, last = (x.points[:, part].sum(axis=1) for x in (before, now))
            jolts, pressed = first[0] > JOLT * last[0] > 0.0, JOLT * last[4] > first[4]
            if jolts and pressed and np.all(before.state.status[part] == OPEN):
                forces, given, points = (
                    x.copy() for x in (before.forces, before.given, before.points)
                )
                forces[i], given[i] = now.forces[i], now.given[i]
                points[:, part] = now.points[:, part]
                before = replace(before, forces=forces, given=given, points=points)
        return before

    def _shift(self, item: Answers, before: State, now: State) -> float:
        """Change of a potential by time alone over a step, at the mean of both ends."""
        changes = []
        for state in (now, before):
            q, v = self.system.local(item, state)
            changes.append(item.energy(now.t, q, v) - item.energy(before.t, q, v))
            if changes[0] == 0.0:
                return 0.0
        return 0.5 * sum(changes)

    def strain(self, index: int, state: State) -> float:
        """Strain energy of a body in J."""
        body = self.system.bodies[index]
        return as_body(body).strain_energy(self.system.local(body, state)[0])


def points_of(reports: Reports) -> Floats:
    """Size of friction, force of the dampers and pressure (5, p) of all contact points."""
    result, first = np.zeros((5, sum(len(report.gap) for report in reports.values()))), 0
    for report in reports.values():
        own = result[:, first : first + len(report.gap)]
        first += len(report.gap)
        if report.bristles is not None:
            own[0] = np.sqrt(np.square(report.bristles.friction).sum(axis=1))
            own[1:4], own[4] = report.bristles.damper.T, report.pressure
    return result


def _slip_work(bristles: Bristling, first: Floats, before: Integers, now: Integers) -> Floats:
    """Slip work (p,) of a step in J, with the mean size of the friction at both ends.

    Friction at the end alone is of first order, twice too much where a point closes, and nothing
    where one opens; its direction turns with the slip. `first` is the friction at the start,
    `before` and `now` are the status.
    """
    last = np.linalg.norm(bristles.friction, axis=1)
    mean = np.ones(len(last))
    # friction of a stuck point rises to the limit before it slips, or falls to it while it does
    slides = (last > 0.0) & ((before != STICK) | (first > last))
    np.divide(0.5 * (first + last), last, out=mean, where=slides)
    work = -mean * np.sum(bristles.friction * bristles.slide, axis=1)
    opened = (now == OPEN) & (before != OPEN)
    return work + np.where(opened, 0.5 * first * np.linalg.norm(bristles.slide, axis=1), 0.0)
