"""Steps of the generalised-alpha method by the compiled loop (`implicit.march`), between outputs.

A stretch begins and ends at a level of the general method, which also does the steps that are not
ordinary. So restarts, outputs and messages are the same for both.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np

from fecontact.contact.evaluate.compiled_report import shown_report
from fecontact.contact.evaluate.lowered import PARTS, history_parts
from fecontact.contact.history import ContactHistory
from fecontact.contact.kernels.blocks import SMALLEST
from fecontact.contact.pair import ContactPair
from fecontact.contact.report import ContactReport
from fecontact.contact.status import STICK
from fecontact.errors import SolverError
from fecontact.integrate.audit import Instant, points_of, stored_energies, with_contacts
from fecontact.integrate.implicit import march as loop
from fecontact.integrate.implicit.alpha import Level
from fecontact.integrate.implicit.last_step import see_last_step
from fecontact.kernels.lowered import record_size
from fecontact.solvers.dense import lu_factorise
from fecontact.system import State, System
from fecontact.system.dofs import Dofs
from fecontact.system.program import Program
from fecontact.system.program.kernels import RECORDS, moved
from fecontact.typing import Floats, Integers, supports

if TYPE_CHECKING:
    from fecontact.integrate.implicit.method import AlphaRun

__all__ = ["CompiledSteps", "not_compiled"]

GLANCE = 0.1
"""Time in s between looks at a signal to stop."""
NEAR = 1e-3
"""Size in m and rad of the displacements at which energies are compared."""
UNLIMITED = 1 << 60


def not_compiled(system: System) -> str:
    """Why a system has no compiled loop; empty if it has one."""
    if system.rows:
        return f"constraint '{system.constraints[0].name}'"
    dofs, rest = Dofs(system), system.rest().q
    step = np.random.default_rng(0).standard_normal(system.size)
    probe = np.empty_like(rest)
    moved(rest, step, *dofs.moves, probe)
    if not np.allclose(probe, system.move(rest, step), rtol=0.0, atol=1e-12):
        return "bodies that move in a way of their own"
    for item in system.stateful_contacts:
        if not isinstance(item, ContactPair) or item.lowered_steps() is None:
            return f"contact '{item.name}'"
    return ""


@dataclass(frozen=True)
class _Contact:
    """A stateful contact in the working array: its parts by name, as slices."""

    item: ContactPair
    index: int
    parts: dict[str, slice]

    @staticmethod
    def of(system: System, program: Program, item: ContactPair) -> _Contact:
        """Where the history of a contact lies."""
        index = next(i for i, each in enumerate(program.summands) if each is item)
        n_q, n = (sum(len(x) for x in part) for part in _sizes(item))
        shapes = item.surface.shapes
        modes = 0 if shapes is None else shapes.shape[2]
        ends = np.cumsum([
            program.table[index, RECORDS] + record_size(n_q, n),
            *history_parts(item.points, item.columns, modes),
        ]).tolist()  # fmt: skip
        pairs = zip(PARTS, ends[:-1], ends[1:], strict=True)
        return _Contact(item, index, {name: slice(a, b) for name, a, b in pairs})

    @property
    def length(self) -> int:
        """Length of the history at the start of a step."""
        return self.parts["totals0"].stop - self.parts["z0"].start

    def report(self, work: Floats, kept: Floats, h: float) -> ContactReport:
        """What SHOW has left of a step h; `kept` is the history at its start."""
        p, names = self.item.points, ("numbers", "vectors", "bristles")
        numbers, vectors, bristles = (work[self.parts[name]].copy() for name in names)
        slip = work[self.parts["totals0"]] - kept[-2 * p :]
        numbers[2 * p :] = slip[::2] / h  # as the audit counts it
        return shown_report(
            self.status(work).copy(), numbers.reshape(3, p), vectors.reshape(4, p, 3),
            work[self.parts["sums"]], bristles.reshape(4, p, 3),
        )  # fmt: skip

    def write_grip(self, work: Floats, forces: Floats) -> None:
        """Write friction and forces of the dampers in space (4, p) at the start of a step."""
        grip, stuck = work[self.parts["grip"]].reshape(-1, 4), self.status(work) == STICK
        grip[:] = forces.T
        np.copyto(grip[:, 0], -np.maximum(forces[0], SMALLEST), where=stuck)

    def status(self, work: Floats) -> Integers:
        """Status (p,) at the start of a step."""
        return work[self.parts["status0"]].view(np.int64)

    def write(self, work: Floats, history: ContactHistory) -> None:
        """Write the history at the start of a step."""
        work[self.parts["z0"]] = history.z.ravel()
        self.status(work)[:] = history.status
        work[self.parts["totals0"]] = history.slip_totals.ravel()


def _sizes(item: ContactPair) -> tuple[list[Floats], list[tuple[str, ...]]]:
    return [body.reference() for body in item.bodies], [tuple(body.dofs) for body in item.bodies]


class CompiledSteps:
    """The compiled loop of a run of the general method."""

    def __init__(self, run: AlphaRun) -> None:
        self.run, self.system = run, run.system
        self.program = self.system.step_program()
        self.contacts = [
            _Contact.of(self.system, self.program, item)
            for item in self.system.stateful_contacts
            if isinstance(item, ContactPair)
        ]
        self.items = self._items()
        self.motion = self._motion()
        places = self.items.contacts[:, [loop.KEPT_HISTORY, loop.LENGTH]].tolist()
        self._kept = [self.items.kept[first : first + length] for first, length in places]
        self._limit = 16
        self._given: Level | None = None
        if self._tells():
            run.audit.stored = self._stored

    def advance(self, goal: float) -> None:
        """Steps up to the goal, or up to a step that the general method has done."""
        run, motion, statistics = self.run, self.motion, self.run.statistics
        self._take()
        budget = run.options.max_steps
        left = UNLIMITED if budget is None else budget - statistics.steps - statistics.rejected
        while True:
            started = perf_counter()
            why = loop.march(self.items, motion, goal, left, self._limit)
            if why == loop.PAUSED:
                quick = perf_counter() - started < 0.5 * GLANCE
                self._limit = min(2 * self._limit, 1 << 30) if quick else max(1, self._limit // 2)
                continue
            break
        if motion.counts[loop.STEPS]:
            self._give()
        self._count()
        if why == loop.BROKEN:
            raise SolverError(f"t = {motion.numbers[loop.T]:.6g} s: an item cannot be evaluated")
        if why != loop.ARRIVED:
            run.advance(goal)

    def _items(self) -> loop.Items:
        system, program, dofs = self.system, self.program, self.run.dofs
        rows, kept = [], 0
        for contact in self.contacts:
            parts = contact.parts
            rows.append(
                [contact.index, parts["status0"].start, parts["status"].start, contact.item.points,
                 parts["z0"].start, contact.length, kept]
            )  # fmt: skip
            kept += contact.length
        stateful = {contact.index for contact in self.contacts}
        bodies = len(system.bodies)
        dissipating, timed = np.zeros((2, len(program.table)), dtype=np.int64)
        for i, item in enumerate(program.summands):
            if i in stateful:
                continue
            dissipating[i] = supports(item, "dissipated_power")
            timed[i] = i >= bodies and supports(item, "energy") and program.lowered[i].timed
        audit = self.run.audit
        loads, driven, supplying = np.zeros((3, len(system.items)), dtype=np.int64)
        loads[:], driven[audit.carried], supplying[audit.spun] = audit.loads, 1, 1
        dissipating[:bodies] |= (driven | supplying)[:bodies]
        plain, turns = dofs.moves
        return loop.Items(
            table=program.table, indices=program.indices, work=program.work, moving=program.moving,
            plain=plain, turns=turns, contacts=np.array(rows, dtype=np.int64).reshape(-1, 7),
            kept=np.zeros(kept), dissipating=dissipating, timed=timed, loads=loads, driven=driven,
            supplying=supplying,
        )  # fmt: skip

    def _motion(self) -> loop.Motion:
        n, count, n_q = self.system.size, len(self.system.items), len(self.system.rest().q)
        mass = self.program.mass_matrix(self.run.last.state.q)
        factors, pivots = mass.copy(), np.zeros(n, dtype=np.int64)
        lu_factorise(factors, pivots)
        v, by_item = (n,), (count,)
        shapes = {
            "numbers": (16,), "q": (n_q,), "v": v, "a": v, "rate": v, "change": v, "scale_q": v,
            "scale_v": v, "tangent": (n, n), "by_q": (n, n), "by_v": (n, n), "forces": (count, n),
            "before": (count, n), "works": by_item, "lost": by_item, "given": by_item,
            "powers": (4, count), "q1": (n_q,), "q0": (n_q,), "rows": (loop.ROWS, n),
        }  # fmt: skip
        return loop.Motion(
            counts=np.zeros(loop.SWITCHES + 4, dtype=np.int64),
            angles=self.run.dofs.angles.astype(np.int64),
            mass=mass,
            mass_factors=factors,
            mass_pivots=pivots,
            pivots=np.zeros(n, dtype=np.int64),
            **{name: np.zeros(shape) for name, shape in shapes.items()},
        )

    def _take(self) -> None:
        """Begin at the level of the general method, with a new tangent as after any output."""
        if self.run.last is not self._given:
            self._take_level()
        self.motion.counts[:] = 0
        self.motion.numbers[loop.KEPT] = 0.0
        audit = self.run.audit
        for i in audit.carried:
            self.motion.powers[3, i] = audit.strain(i, self.run.last.state)
        points = audit.last.points
        for contact in self.contacts:
            own = self.system.history_layout.status[contact.item.name]
            contact.write_grip(self.program.work, points[:4, own])
        if self.contacts and not loop.begin(self.items, self.motion):
            raise SolverError("a contact point lies where its surface has no normal")

    def _take_level(self) -> None:
        """Take over level, audit and history of the general method."""
        run, motion, last = self.run, self.motion, self.run.last
        w, options, audit = run.weights, run.options, run.audit
        motion.numbers[:] = (
            last.state.t, run.h, run.longest, last.h, last.kinked, options.step or 0.0,
            options.rtol, options.atol, w.alpha_m, w.alpha_f, w.beta, w.gamma, 0.0,
            any(getattr(c.item.friction, "sticks", False) for c in self.contacts), np.inf, 0.0,
        )  # fmt: skip
        motion.q[:], motion.v[:], motion.a[:] = last.state.q, last.state.v, last.a
        motion.rate[:], motion.change[:] = last.rate, last.rate_change
        motion.scale_q[:], motion.scale_v[:] = run.scale.q, run.scale.v
        motion.before[:] = audit.last.forces[:-1]
        motion.works[:], motion.lost[:], motion.given[:] = (
            audit.works[:-1], audit.lost, audit.given[:-1],
        )  # fmt: skip
        motion.powers[0] = audit.last.lost - audit.last.bent
        motion.powers[1] = audit.last.given[:-1]
        state = self.system.history_layout.filled(last.state)
        for contact in self.contacts:
            history = self.system.history_layout.history(state, contact.item.name)
            contact.write(self.program.work, history)

    def _give(self) -> None:
        """Hand over the last step to the general method: level, reports and audit."""
        run, motion, x = self.run, self.motion, self.motion.numbers
        h, work, audit = float(x[loop.LAST_H]), self.program.work, run.audit
        if not see_last_step(self.items, motion):
            raise SolverError("a contact point lies where its surface has no normal")
        reports = {
            contact.item.name: contact.report(work, kept, h)
            for contact, kept in zip(self.contacts, self._kept, strict=True)
        }
        z, status, slip_totals = (
            np.concatenate([np.zeros(0), *(work[contact.parts[name]] for contact in self.contacts)])
            for name in ("z0", "status0", "totals0")
        )
        state = State(
            float(x[loop.T]), motion.q.copy(), motion.v.copy(), np.zeros(0), z,
            status.view(np.int64), slip_totals,
        )  # fmt: skip
        audit.works[:-1], audit.lost[:], audit.given[:-1] = motion.works, motion.lost, motion.given
        audit.last = self._instant(state, reports)
        run.reports, run.h, run.longest = reports, float(x[loop.H]), float(x[loop.LONGEST])
        run.scale.q, run.scale.v = motion.scale_q.copy(), motion.scale_v.copy()
        run.last = self._given = run.level_at(
            state, motion.rate.copy(), motion.change.copy(), motion.a.copy(), h,
            bool(x[loop.KINKED]),
        )  # fmt: skip

    def _instant(self, state: State, reports: Mapping[str, ContactReport]) -> Instant:
        """Forces and powers at the end of the last step, without those of the bristles' dampers."""
        lost, given = self.motion.powers[:2].copy()
        forces = np.vstack([self.motion.before, np.zeros(self.system.size)])
        none = np.zeros_like(lost)
        return Instant(state, forces, lost, none, np.append(given, 0.0), points_of(reports))

    def _stored(self, state: State, reports: Mapping[str, ContactReport]) -> Floats:
        """As `stored_energies`, by the program."""
        t, q, v = state.t, state.q, state.v
        moving = 0.5 * float(v @ self.program.mass_matrix(q) @ v)
        return with_contacts(moving, *self.program.stored(t, q, v), moving, state, reports)

    def _tells(self) -> bool:
        """Whether the program knows all energies, seen at a random state near by."""
        system, state = self.system, self.run.last.state
        path, v = np.random.default_rng(0).standard_normal((2, system.size))
        probe = replace(state, q=system.move(state.q, NEAR * path), v=state.v + v)
        found, expected = self._stored(probe, {}), stored_energies(system, probe, {})
        return np.allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())

    def _count(self) -> None:
        """Add the counters of the loop to those of the run."""
        counts, statistics = self.motion.counts.tolist(), self.run.statistics
        names = (
            "steps", "rejected", "iterations", "factorisations", "unbalanced", "evaluations",
            "events", "to_open", "to_stick", "to_slip", "to_gross_slip",
        )  # fmt: skip
        for name, count in zip(names, counts, strict=True):
            setattr(statistics, name, getattr(statistics, name) + count)
        statistics.compiled += counts[0]
