"""Moreau's time stepping: the measure differential inclusion with impacts and set-valued friction.

One theta step from (q, v) under the linearised smooth forces (Waltersberger 4.5 to 4.20; theta = 1
is his scheme), with the contact position q_c = q + (1 - theta) h v and d = v_1 - v:

    (M - theta^2 h^2 K - theta h D) d = h (f + K s) + A^T Lam + J^T L,    K = df/dq,  D = df/dv
    s = theta h v - (1 - theta) h v_before,     A d = -(A v - b)/theta
    q_1 = q + h ((1 - theta) v + theta v_1)

All at q_c; L are the impulses of contacts whose gap at q_c is closed, plastic, on velocity level:
u_n1 >= 0 at the end of the step. Contacts that approach with restitution have their impact just
before the step (`integrate.moreau.impact`). A rebound that the forces of the same step push back
is not resolved: it is left out, and the contact stops at once. Stopped after a way out of h u_n/2
instead, it would gain the energy of springs there, with each impact (omega h)^2/4 times what it
had. Positions are of second order for theta = 1/2 as long as no contact opens, closes, begins to
stick or slip, or turns its slip: friction opposes the slip at the end of the step. Else first
order. A free vibration is damped at the rate (theta - 1/2) omega^2 h, not at all for theta = 1/2.
Coefficients over speed are taken at the mean slip, weighted by theta, which keeps the order; a
contact that sticks has its static coefficient, one whose slip turns by more than a right angle came
to rest in between (`solvers.friction_curve`). No event is located; a penetration stays
unless `project` removes it. Where friction is so high that rigid contacts have no force while they
slide, or several (Painleve), impulses still exist: the velocities jump, or one of several motions
is taken. Such steps are counted and told in the message.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from fecontact.contact.rigid.contact import RigidContact
from fecontact.errors import POSITIVE, Allowed, InputError, SolverError, at_least, check, one_of
from fecontact.integrate.control import StepBudget
from fecontact.integrate.moreau.audit import MoreauAudit, Push
from fecontact.integrate.moreau.friction import Coefficients, friction_curve
from fecontact.integrate.moreau.impact import LAWS, impact
from fecontact.integrate.moreau.normal import NormalForces
from fecontact.integrate.moreau.rows import ClosedContact, ClosedRows
from fecontact.integrate.moreau.step import StepEquation
from fecontact.results.point import Point
from fecontact.results.result import Result
from fecontact.results.statistics import Statistics
from fecontact.solvers.complementarity import solve_contacts
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["Moreau", "contact_residuals"]

THETA = Allowed("between 0.5 and 1", lambda x: 0.5 <= x <= 1.0)
LAST = 1e-6
"""Fraction of a step that is not worth a step of its own before an output time."""

SLOW = 1e-12
"""Approach in m/s that is the round-off of a contact at rest, and no impact."""

LEFT = 1e-10
"""Depth in m that a correction of positions leaves, so that the contact stays closed."""

HELD = 1e-12
"""Fraction of the largest mobility below which a contact cannot move and is left where it is."""

CORRECTIONS = 5


@dataclass(frozen=True)
class Moreau(StepBudget):
    """Time stepping for rigid contacts.

    Parameters
    ----------
    step
        Time step in s; must be given. The step before an output time may be shorter.
    theta
        1/2 (no numerical damping) to 1 (implicit).
    impact
        Law of contacts with restitution: "newton", "poisson" or "sequential" (a sequence of more
        than 1000 impacts is cut off; what still approaches then stops plastically).
    tolerance
        Residual of complementarity and friction cone, relative to the velocities of the contacts.
    sweeps
        Limit of the sweeps of the contact solver.
    project
        Remove penetrations after each step by the shortest motion in the metric of M.
    max_steps
        See `StepBudget`.
    """

    step: float | None = None
    theta: float = 0.5
    impact: str = "newton"
    tolerance: float = 1e-10
    sweeps: int = 2000
    project: bool = False

    def __post_init__(self) -> None:
        if self.step is None:
            raise InputError("invalid step = None: expected a fixed step in s with method 'moreau'")
        super().__post_init__()
        check("step", float(self.step), POSITIVE, "s")
        check("theta", float(self.theta), THETA)
        check("impact", self.impact, one_of(LAWS))
        check("tolerance", float(self.tolerance), POSITIVE)
        check("sweeps", self.sweeps, at_least(1))

    def points(
        self, system: System, start: Point, goals: Floats, every: bool, statistics: Statistics
    ) -> Iterator[Point]:
        """Yield the start, then each step, or the points at the goals."""
        run = MoreauRun(self, system, start, statistics)
        if not len(start.resume):
            run.acceleration = self._first(system, start)
        yield run.point()
        assert self.step is not None
        for goal in goals.tolist():
            while run.state.t < goal:
                statistics.within(self.max_steps, run.state.t)
                t = run.state.t + self.step
                run.advance(goal if t > goal - LAST * self.step else t)
                if every or run.state.t == goal:
                    yield run.point()

    def _first(self, system: System, start: Point) -> Floats:
        """Accelerations (n,) at the start: the mean of a step from there, as at all later points.

        The forces of rigid contacts are no function of the state: only a step tells them.
        """
        trial = MoreauRun(self, system, start, Statistics())
        assert self.step is not None
        try:
            trial.advance(start.state.t + self.step)
        except SolverError:  # the step itself tells it, after the start
            return start.acceleration
        return trial.acceleration


def contact_residuals(motion: Result) -> Floats:
    """Largest residual (k,) of the contact conditions in all steps of a motion up to each time.

    Relative to the velocities of the contacts.
    """
    if motion.method != "moreau":
        raise InputError(
            f"invalid method = {motion.method} for contact residuals: expected 'moreau'"
        )
    return motion.resume[:, 0]


class MoreauRun:
    """A motion on its way."""

    def __init__(
        self, options: Moreau, system: System, start: Point, statistics: Statistics
    ) -> None:
        self.options, self.system, self.statistics = options, system, statistics
        wrong = [i.name for i in system.stateful_contacts if not isinstance(i, RigidContact)]
        if wrong:
            raise InputError(
                f"method 'moreau' has set-valued friction, not bristles ({', '.join(wrong)}): take "
                "a RigidContact, or method 'implicit'"
            )
        self.contacts = [i for i in system.stateful_contacts if isinstance(i, RigidContact)]
        self.state, self.acceleration = start.state, start.acceleration
        self.audit = MoreauAudit(system, self.contacts, start.state)
        self.residual = 0.0
        if len(start.resume):
            self.residual = float(start.resume[0])
            self.audit.resume(start.resume[1:])

    def point(self) -> Point:
        """The state with energies and what a restart needs."""
        resume = np.concatenate([[self.residual], self.audit.numbers])
        return Point(self.state, self.acceleration, resume, self.audit.lines())

    def advance(self, t: float) -> None:
        """One step to the time t."""
        system, before, theta = self.system, self.state, self.options.theta
        h = t - before.t
        middle = system.move(before.q, (1.0 - theta) * h * before.v)
        here = replace(before, t=before.t + (1.0 - theta) * h, q=middle)
        normal = NormalForces(system, self.contacts, here)
        rows = self._closed(here, normal)
        try:
            rows, v, hit, (push, d, lam) = self._resolved(here, rows, normal, h)
        except SolverError as error:
            raise SolverError(f"t = {before.t:.6g} s: {error}") from error
        path = h * (v + theta * d)
        if not np.isfinite(path).all():
            raise SolverError(
                f"t = {t:.6g} s: the forces are not finite; look for a jump of a force there, or "
                "try a smaller step"
            )
        q = system.move(before.q, path)
        after = State(t, q, v + d, lam, before.z, before.status, before.slip_totals)
        after, moved = self._on_constraints(after)
        after = self.audit.step(rows, [hit, push], path + moved, after, h)
        self.acceleration = (after.v - before.v) / h
        self.state = after
        self.statistics.steps += 1

    def _resolved(
        self, here: State, rows: ClosedRows, normal: NormalForces, h: float
    ) -> tuple[ClosedRows, Floats, Push, tuple[Push, Floats, Floats]]:
        """Impact and step: rows, velocities after the impact, its impulses, those of the step.

        Contacts that rebound and are pushed within the same step have no rebound.
        """
        theta, start = self.options.theta, here
        while True:
            v, hit = self._hit(start, rows)
            here = replace(start, t=start.t + (2.0 * theta - 1.0) * h, v=v)
            shift = h * (theta * v - (1.0 - theta) * start.v)
            pushed = self._pushed(here, rows, normal, shift, h, hit.impulses)
            back = (rows.normal >= 0) & (rows.restitution > 0.0)
            n = rows.normal[back]
            leaves = (rows.jacobian @ v + rows.drift)[n] > SLOW
            back[back] = leaves & (pushed[0].impulses[n] > 0.0) & (hit.impulses[n] > 0.0)
            if not back.any():
                return rows, v, hit, pushed
            rows = replace(rows, restitution=np.where(back, 0.0, rows.restitution))

    def _closed(self, here: State, normal: NormalForces) -> ClosedRows:
        """Rows of the contacts that are closed at a position."""
        system, parts = self.system, []
        for contact in self.contacts:
            conditions = contact.conditions(here.t, *system.local(contact, here))
            pressed = normal.pressed(contact)
            parts.append(ClosedContact.of(contact, conditions, pressed))
        self.statistics.evaluations += 1
        return ClosedRows.of(system, parts)

    def _hit(self, here: State, rows: ClosedRows) -> tuple[Floats, Push]:
        """Velocities after the impact of contacts that approach, and its impulses."""
        u = rows.jacobian @ here.v + rows.drift
        rigid = rows.normal >= 0
        hits = (u[rows.normal] < -SLOW) & rigid & (rows.restitution > 0.0)
        if not hits.any():
            return here.v, Push.none(len(u), len(rows))
        response = self._response(here, rows)
        curve = friction_curve(self.system, here, rows, u, 0.0, 1.0)
        problem = rows.problem(rows.jacobian @ response, u, curve=curve).some(rigid)
        jump = impact(
            self.options.impact, problem, rows.restitution[rigid], self.options.tolerance,
            self.options.sweeps,
        )  # fmt: skip
        self._count(jump.residual, jump.sweeps)
        self.statistics.impacts += 1
        v = here.v + response @ jump.impulses
        after = rows.jacobian @ v + rows.drift
        mean = 0.5 * (u + after)
        friction = Coefficients(rows, 0.0).sliding(after, jump.impulses)
        return v, Push(jump.impulses, np.zeros(len(rows)), mean, mean, friction, 0.0)

    def _pushed(
        self, here: State, rows: ClosedRows, normal: NormalForces, shift: Floats, h: float,
        struck: Floats,
    ) -> tuple[Push, Floats, Floats]:  # fmt: skip
        """Contact impulses of the step after those of an impact, change of v, multipliers."""
        system, theta, v = self.system, self.options.theta, here.v
        force, by_q, by_v = system.evaluate(here, normal.known(here))
        matrix = system.mass_matrix(here.q) - h * theta * (h * theta * by_q + by_v)
        A, target = np.zeros((0, system.size)), np.zeros(0)
        if system.rows:
            bound = system.constraint(here)
            A, target = bound.jacobian, -bound.rate / theta
        equation = StepEquation(matrix, A, target)
        load = h * (force + by_q @ shift)
        free, response = equation.solve(load, rows.jacobian)
        self.statistics.factorisations += 1
        u = rows.jacobian @ v + rows.drift
        W, b = rows.jacobian @ response, u + rows.jacobian @ free
        L = rows.guess(system, here, h)
        curve = friction_curve(system, here, rows, u, h, theta, struck)
        friction = Coefficients(rows, h).sliding(u, L)
        self.statistics.paradoxes += rows.paradox(W, u, friction)
        given, d = np.zeros(len(rows)), free
        for last in normal.rounds(len(rows)):
            given = normal.impulses(rows, shift + theta**2 * h * d, theta * d, h, given)
            if len(rows):
                problem = rows.problem(W, b, given, curve)
                found = solve_contacts(problem, L, self.options.tolerance, self.options.sweeps)
                L, d, friction = found.value, free + response @ found.value, found.friction
                self._count(found.residual, found.sweeps)
            if normal.settled(rows, given, last):
                break
        lam = equation.multipliers(load + rows.jacobian.T @ L, d) / h
        change = rows.jacobian @ d
        return Push(L, given, u + 0.5 * change, u + theta * change, friction, h), d, lam

    def _on_constraints(self, after: State) -> tuple[State, Floats]:
        """State after a step, put back on constraints and out of penetrations, and its way (n,).

        The work on this way is made or lost by the method.
        """
        system, way = self.system, np.zeros(self.system.size)
        if self.options.project:
            for _ in range(CORRECTIONS):
                out = self._way_out(after)
                if not out.any():
                    break
                after, way = replace(after, q=system.move(after.q, out)), way + out
        if system.rows:
            found = system.consistent(after)
            way = way + found.moved
            after = replace(after, q=found.state.q, v=found.state.v)
        return after, way

    def _way_out(self, state: State) -> Floats:
        """Shortest motion (n,) out of the penetrations of rigid contacts."""
        system, parts = self.system, []
        for contact in self.contacts:
            own = contact.conditions(state.t, *system.local(contact, state))
            deep = replace(own, gap=own.gap + 2.0 * LEFT)
            if contact.normal is None:
                part = ClosedContact.of(contact, deep, own.gap)
                parts.append(replace(part, kept=slice(0, 1)))
        rows = ClosedRows.of(system, parts)
        if not len(rows):
            return np.zeros(system.size)
        gaps = np.concatenate([part.conditions.gap[part.closed] for part in parts]) - LEFT
        response = self._response(state, rows)
        W = rows.jacobian @ response
        problem = rows.problem(W, gaps).some(np.diag(W) > HELD * np.diag(W).max())
        try:
            found = solve_contacts(problem, None, 1e-6, self.options.sweeps)
        except SolverError as error:
            raise SolverError(
                f"t = {state.t:.6g} s: the penetrations of {len(rows)} contacts, up to "
                f"{-gaps.min():.1e} m, cannot be removed together; try project=False, a smaller "
                "step, or a start without penetrations"
            ) from error
        return np.asarray(response @ found.value)

    def _response(self, state: State, rows: ClosedRows) -> Floats:
        """Change (n, r) of the velocities per impulse of the rows, in no time."""
        system = self.system
        A = system.constraint(state).jacobian if system.rows else np.zeros((0, system.size))
        equation = StepEquation(system.mass_matrix(state.q), A, np.zeros(len(A)))
        return equation.solve(np.zeros(system.size), rows.jacobian)[1]

    def _count(self, residual: float, sweeps: int) -> None:
        self.residual = max(self.residual, residual)
        self.statistics.iterations += sweeps
