"""Event-driven method: smooth laws between switches of contact points, which are located exactly.

Each point is open, sticks, slips or slides (`integrate.events.automaton`); while no point
switches, the equations are smooth and one of scipy's solvers integrates them as in
`integrate.rate.ode`, or the compiled loop of `events.march` with the same formulas. After each step
the event functions of all points are tested, at its end and at places inside it. The first event is
located by bracketing on the dense output of the step, to tau = 100 U (|t| + h) (Stamm 5.45), and
its right end is taken: the event has happened there. All points with an event at this time switch
at once, each for itself, so their order does not matter; then the solver starts anew. A point that
fired is watched by other functions afterwards; events of one point are at least tau apart.

What happens and ends between two tests is not seen: `tests` and `step` bound the time between them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from fecontact.contact.status import GROSS, OPEN, SLIP, STICK
from fecontact.contact.stiffness import DROP_ANGLE
from fecontact.errors import (
    NON_NEGATIVE,
    POSITIVE,
    InputError,
    SolverError,
    at_least,
    check,
    one_of,
)
from fecontact.integrate.audit import Instant, stored_energies
from fecontact.integrate.events.automaton import Booleans, dip, fired
from fecontact.integrate.events.compiled import CompiledSolver, not_compiled
from fecontact.integrate.events.contacts import EventContacts, Seen, initial_contacts, seen_by
from fecontact.integrate.events.march import CLOSE
from fecontact.integrate.rate.ode import BRISTLE, KEEPS_OWN_STATE, Ode, OdeRun
from fecontact.results.point import NOTHING, Point
from fecontact.results.statistics import Statistics
from fecontact.results.switches import NO_SWITCHES
from fecontact.system import State, System, SystemRate
from fecontact.typing import Floats, Integers

__all__ = ["Events"]

SOLVERS = ("Radau", "BDF", "DOP853", "RK45")
BACKENDS = ("auto", "compiled", "general")
MAX_AT_ONCE, AT_ONCE = 1000, 1e-7
"""Instants with events in a fraction of the time that are no motion but a chatter."""
OVERLOAD = 0.1
"""Fraction of the largest friction limit by which a point that begins to stick may pass its own."""
MAX_SLOW = 20
"""Times that a point may break away without ever being faster than eps."""


@dataclass(frozen=True)
class Events(Ode):
    """Integration from event to event of elasto-plastic contacts with `PenaltyNormal`.

    Parameters
    ----------
    solver
        "Radau" or "BDF" (stiff: stiff bristles, long stick), "DOP853" or "RK45" (not stiff).
    rtol, atol
        Local error of coordinates, velocities and elastic slip (there 1e-4 atol).
    step
        Longest step in s.
    tests
        Tests for events per step, at equal distances.
    speed
        eps in m/s: slower points that slow down stick. By default 100 atol. It should be above the
        error rtol |v| of velocities (else steps lead past the rest, and the friction with which a
        point begins to stick has the direction of the error) and below 2 a/omega, with the
        deceleration a of the slip and the frequency omega of the bristles (Stamm 5.71,
        `contact.regularise`): else points stick and slip in turn, unless a static coefficient
        holds them (Stamm 5.75).
    angle
        psi_k in rad (Stamm 5.76): points whose friction opposes their slip up to this angle, and
        whose bristle carries it up to this fraction, run in gross slip, in which the bristle
        follows the friction. 0: all slide with a bristle of their own.
    audit
        Keep the energy audit, which costs about as much as the motion.
    backend
        "auto": with solver "DOP853" or "RK45" a compiled loop from event to event where a system
        has one (no constraints, contact pairs on rigid surfaces; with the audit no bodies that a
        prescribed motion carries), else the general one by scipy's solvers, which takes every
        system. Both take the same steps up to round-off. "compiled" or "general" ask for one of
        them.
    """

    rtol: float = 1e-8
    tests: int = 4
    speed: float | None = None
    angle: float = DROP_ANGLE
    audit: bool = True
    backend: str = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        check("solver", self.solver, one_of(SOLVERS))
        check("tests", self.tests, at_least(1))
        if self.speed is not None:
            check("speed", self.speed, POSITIVE, "m/s")
        check("angle", self.angle, NON_NEGATIVE, "rad")
        check("backend", self.backend, one_of(BACKENDS))

    @property
    def eps(self) -> float:
        """Speed in m/s below which points may stick."""
        return 100.0 * self.atol if self.speed is None else self.speed

    def points(
        self, system: System, start: Point, goals: Floats, every: bool, statistics: Statistics
    ) -> Iterator[Point]:
        """Yield the start, then each step and event, or the points at the goals."""
        run = EventRun(self, system, start, float(goals[-1]), statistics)
        yield run.point(run.solver.t, run.solver.y)
        left = goals
        while run.t < run.end:
            run.advance_to(-np.inf if every else float(left[0]))
            inside, left = left[left < run.t], left[left >= run.t]
            if len(inside):
                between = run.between()
                yield from (run.point(float(t), between(t)) for t in inside)
            run.settle()
            if every or run.t in left:
                yield run.point(run.t, run.solver.y)
                left = left[left > run.t]


class EventRun(OdeRun):
    """The solver, the contacts of the current status, and what they did at the last step.

    Attributes
    ----------
    t
        Time reached: the end of the last step, or its first event.
    """

    steps: CompiledSolver | None

    def __init__(
        self, options: Events, system: System, start: Point, end: float, statistics: Statistics
    ) -> None:
        points = system.history_layout.sizes[1]
        resume, rest = start.resume, None
        if len(resume):
            resume, rest = resume[: len(resume) - points], resume[len(resume) - points :]
        self.keep_audit, self.tests = options.audit, options.tests
        self.compiled = self._is_compiled(options, system)
        self.dense: Any = None
        self.contacts, state = initial_contacts(
            system, start.state, rest, options.eps, options.angle, BRISTLE * options.atol
        )
        super().__init__(
            options, system, start._replace(state=state, resume=resume), end, statistics
        )
        if not len(resume):
            rates = self.law(state)
            shown, reports = self.contacts.shown(seen_by(rates)), self.contacts.reports(rates)
            self.audit.first = stored_energies(system, shown, reports)
        self.t, self.event = state.t, np.zeros((points, 3), dtype=bool)
        self.functions = self.contacts.functions(self.look(self.contacts, state))
        self.recent, self.slow = np.full(MAX_AT_ONCE, -np.inf), np.zeros(points, dtype=int)
        self.limit, self.log = 0.0, [NO_SWITCHES]
        self.origin = state.t

    def _compiled_rates(self) -> None:
        """None: the compiled loop evaluates them itself."""

    def law(self, state: State) -> SystemRate:
        """Forces and rates with the current status."""
        return self.contacts.rate_form(state)

    @staticmethod
    def _is_compiled(options: Events, system: System) -> bool:
        """Whether the compiled loop does the steps."""
        if options.backend == "general":
            return False
        why = not_compiled(system, options.solver, options.audit)
        if why and options.backend == "compiled":
            raise InputError(f"invalid backend = compiled for {why}: expected 'auto' or 'general'")
        return not why

    def _solver(self, t: float, y: Floats, first: float | None) -> Any:
        if not self.compiled:
            return super()._solver(t, y, first)
        self.steps = self.steps or CompiledSolver(self)
        self.steps.begin(t, y, first, *self._tolerances(y))
        return self.steps

    def look(self, contacts: EventContacts, state: State) -> Seen:
        """What events look at, of contacts at a state."""
        if self.steps is not None:
            return self.steps.look(contacts, state, self._packed(state, self.audit.sums))
        return seen_by(contacts.rate_form(state))

    def powers(self, state: State, rates: SystemRate) -> Floats:
        """Powers of the energy audit; zero if none is kept."""
        if not self.keep_audit:
            return np.zeros(len(self.audit.sums))
        now = Instant.of(self.system, state, rates.forces, {})
        for name, (lost, given) in self.contacts.powers(rates).items():
            i = self.system.item_indices[name]
            now.lost[i], now.given[i] = lost, given
        return self.audit.powers(now)

    def advance_to(self, goal: float) -> None:
        """One step of the solver, up to its first event; compiled ones up to an event or a goal."""
        if self.steps is not None:
            self.steps.advance(goal)
            self.dense = None
        else:
            self.advance()

    def advance(self, goal: float = -np.inf) -> None:
        """One step of the solver, up to its first event."""
        super().advance()
        self.dense = None
        for t, now in self._tests():
            self.t = t
            self.event = fired(self.functions, now)
            if self.event.any():
                self._locate(now)
                return
        self.functions = now

    def _tests(self) -> Iterator[tuple[float, Floats]]:
        """Times inside the last step and its end, and the event functions there.

        Where the parabola through three tests dips below zero, its lowest place is tested too.
        """
        solver, seen = self.solver, [self.functions]
        times = np.linspace(solver.t_old, solver.t, self.tests + 1).tolist()
        for k, t in enumerate(times[1:], start=1):
            y = solver.y if t == solver.t else self.between()(t)
            seen.append(self._functions(t, y))
            dips = dip(*seen[-3:]) if k > 1 else None
            if dips is not None:
                low = times[k - 1] + dips * (t - times[k - 1])
                yield low, self._functions(low, self.between()(low))
            yield t, seen[-1]

    def between(self) -> Any:
        """State over time within the last step."""
        if self.dense is None:
            self.dense = self.solver.dense_output()
        return self.dense

    def settle(self) -> None:
        """After a step: switch what fired; back on the constraints, unit quaternions."""
        if self.event.any():
            self._switch()
            return
        if self.steps is not None:
            self.steps.take()
            return
        solver = self.solver
        if self.options.solver not in KEEPS_OWN_STATE:
            state = self._on_constraints(self._state(solver.t, solver.y))
            solver.y = self._packed(state, solver.y[self.ends[3] :])
        seen = self.look(self.contacts, self._state(solver.t, solver.y))
        self.slow[seen.signals[5] > self.contacts.eps] = 0
        self.contacts = self.contacts.accepted(seen)
        self.functions = self._functions(solver.t, solver.y)
        if solver.status == "running" and self.options.solver not in KEEPS_OWN_STATE:
            solver.f = self.rate(solver.t, solver.y)

    def point(self, t: float, y: Floats) -> Point:
        """State with accelerations and energies."""
        state = self._on_constraints(self._state(t, y))
        rates = self.law(state)
        acceleration, lam = self.system.accelerations(state, self.rank, rates.force)
        state = replace(self.contacts.shown(seen_by(rates)), lam=lam)
        self.contacts = self.contacts.having_shown(state)
        reports, sums = self.contacts.reports(rates), self._relaxed(t, y[self.ends[3] :])
        self.audit.arrive(Instant.of(self.system, state, rates.forces, reports), sums)
        h = self.solver.step_size or 0.0
        resume = np.concatenate([[h], self.audit.first, sums, self.contacts.lengths(t)])
        energies = self.audit.lines(reports) if self.keep_audit else NOTHING
        switches, self.log = np.vstack(self.log), [NO_SWITCHES]
        return Point(state, acceleration, resume, energies, reports, switches)

    def _functions(self, t: float, y: Floats) -> Floats:
        """Event functions (p, 3) with the current status."""
        return self.contacts.functions(self.look(self.contacts, self._state(t, y)))

    def _relaxed(self, t: float, sums: Floats) -> Floats:
        """Sums of the audit, with what open layers lost since the last event."""
        result, items = sums.copy(), len(self.system.items)
        result[items + 1 : 2 * items + 1] += self.contacts.relaxed(t)
        return result

    def _on_constraints(self, state: State) -> State:
        """State with unit quaternions, on the constraints."""
        system = self.system
        state = replace(state, q=system.move(state.q, np.zeros(system.size)))
        if not system.rows:
            return state
        found = system.consistent(state).state
        self.one_sided.see(found)
        return replace(state, q=found.q, v=found.v)

    def _locate(self, last: Floats) -> None:
        """Move the time reached back to just behind the first event.

        The bracket is narrowed on the least of all functions, each relative to its size, by the
        Illinois method with every third step a bisection. Functions that are negative from the
        start and do not fall are left out.
        """
        between = self.between()
        low, high = float(self.solver.t_old), self.t
        first, now = self.functions, last
        watched = (first >= 0.0) | self.event
        size = np.maximum(np.abs(first), np.abs(last))
        size = np.where(watched & (size > 0.0), size, np.inf)
        a, b = float((np.maximum(first, 0.0) / size).min()), float((last / size).min())
        tau, count, side = CLOSE * (abs(high) + high - low), 0, 0
        while high - low > tau:
            count += 1
            fraction = 0.5 if count % 3 == 0 or a == 0.0 else a / (a - b)
            edge = 0.4 * tau / (high - low)
            t = low + (high - low) * min(max(fraction, edge), 1.0 - edge)
            values = self._functions(t, between(t))
            c = float((values / size).min())
            if (fired(first, values) & watched).any():
                a = 0.5 * a if side > 0 else a
                high, b, now, side = t, min(c, -np.finfo(float).tiny), values, 1
            else:
                b = 0.5 * b if side < 0 else b
                low, a, side = t, max(c, 0.0), -1
        self.t, self.event = high, self._together(high, fired(first, now), first) & watched

    def _together(self, t: float, event: Booleans, first: Floats) -> Booleans:
        """Events (p, 3) at an instant with those that the error of the step cannot tell from them.

        The instants of a step are known up to its local error, rtol of its length. Without this,
        round-off decides whether points that do the same switch at once or one after the other,
        and the second may not switch at all once the first has. They switch at the first instant:
        at a later one the first point would go on behind its event, and slip backwards.
        """
        step = self.solver.t - self.solver.t_old
        later = min(t + self.options.rtol * step, self.solver.t)
        values = self._functions(later, self.between()(later))
        return np.asarray(event | fired(first, values))

    def _switch(self) -> None:
        """Switch all points that fired, and start the solver anew."""
        y = self.solver.y if self.t == self.solver.t else self.between()(self.t)
        seen = self.look(self.contacts, self._on_constraints(self._state(self.t, y)))
        before, sums = self.contacts.status, self._relaxed(self.t, y[self.ends[3] :])
        self.contacts, state = self.contacts.switched(seen, self.event, self.look)
        self.status, speed = self.contacts.status, seen.signals[5]
        seen = self.look(self.contacts, state)
        self.functions = self.contacts.functions(seen)
        self._count(before, self.status)
        self.log.append(_rows(self.t, before, self.status))
        self._guard(before, speed)
        self._refuse_overload(seen, (self.status == STICK) & (before == GROSS))
        self.event = np.zeros_like(self.event)
        self.factorised = self.statistics.factorisations
        self.solver = self._solver(self.t, self._packed(state, sums), None)

    def _count(self, before: Integers, after: Integers) -> None:
        statistics, new = self.statistics, after[before != after]
        statistics.events += 1
        statistics.to_open += int(np.count_nonzero(new == OPEN))
        statistics.to_stick += int(np.count_nonzero(new == STICK))
        statistics.to_slip += int(np.count_nonzero(new == SLIP))
        statistics.to_gross_slip += int(np.count_nonzero(new == GROSS))

    def _refuse_overload(self, seen: Seen, new: Booleans) -> None:
        """Raise a `SolverError` if points that begin to stick carry far more than friction can.

        A bristle has no more energy than the slip gave it. If the dampers alone, beta eps, are
        above the limit, it cannot balance them: such points do not stick by the law.
        """
        limit, grip = seen.signals[1:3]
        self.limit = max(self.limit, float(limit.max(initial=0.0)))
        over = float((grip - limit)[new].max(initial=0.0))
        if over > OVERLOAD * self.limit > 0.0:
            raise SolverError(
                f"t = {self.t:.6g} s: a point that slows down to speed = {self.contacts.eps:.3g} "
                f"m/s and sticks there would carry {over / self.limit:.2g} times its friction "
                "limit in the damper of its bristle; try a smaller speed with a smaller atol"
            )

    def _guard(self, before: Integers, speed: Floats) -> None:
        """Raise a `SolverError` if points switch to and fro and the motion does not go on.

        A point that sticks comes to rest, and then is pulled away faster than eps. One that breaks
        away again and again and is always slower cannot come to rest: eps is too large (Stamm
        5.71).
        """
        breaks = (before == STICK) & ((self.status == SLIP) | (self.status == GROSS))
        self.slow = np.where(speed <= self.contacts.eps, self.slow + breaks, 0)
        if self.slow.max(initial=0) >= MAX_SLOW:
            raise SolverError(
                f"t = {self.t:.6g} s: a point sticks and slips in turn, {MAX_SLOW} times, always "
                f"slower than speed = {self.contacts.eps:.3g} m/s; try a smaller speed with a "
                "smaller atol, or softer bristles"
            )
        self.recent = np.append(self.recent[1:], self.t)
        if self.t - self.recent[0] < AT_ONCE * (self.end - self.origin):
            raise SolverError(
                f"t = {self.t:.6g} s: {MAX_AT_ONCE} events in {self.t - self.recent[0]:.1e} s: "
                "points switch to and fro; try another atol or speed, or damped layers"
            )


def _rows(t: float, before: Integers, after: Integers) -> Floats:
    """Changes of points at a time, as `results.switches` lists them."""
    points = np.flatnonzero(before != after)
    return np.column_stack([np.full(len(points), t), points, before[points], after[points]])
