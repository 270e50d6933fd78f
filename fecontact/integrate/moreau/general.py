"""General backend of Moreau's method: any system, step by step in Python."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from fecontact.contact.rigid.contact import RigidContact
from fecontact.errors import InputError, SolverError
from fecontact.integrate.moreau.audit import MoreauAudit, Push
from fecontact.integrate.moreau.friction import Coefficients, friction_curve
from fecontact.integrate.moreau.impact import impact
from fecontact.integrate.moreau.limits import CORRECTIONS, HELD, LAST, LEFT, PUSHED, SLOW
from fecontact.integrate.moreau.normal import NormalForces
from fecontact.integrate.moreau.rows import ClosedContact, ClosedRows
from fecontact.integrate.moreau.step import StepEquation
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics
from fecontact.solvers.complementarity import solve_contacts
from fecontact.system import State, System
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.integrate.moreau.method import Moreau

__all__ = ["GeneralBackend", "rigid_contacts"]


class GeneralBackend:
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
        self.options, self.system, self.statistics = options, system, statistics
        self.contacts = rigid_contacts(system)
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

    @property
    def t(self) -> float:
        """Time in s."""
        return self.state.t

    def advance(self, goal: float, steps: int) -> None:
        """Do a step, or the last part of one before the goal."""
        assert self.options.step is not None
        t = self.t + self.options.step
        self.step_to(goal if t > goal - LAST * self.options.step else t)

    def accelerate(self, start: Point) -> None:
        """Take the accelerations of a step from the start, as at all later points.

        The forces of rigid contacts are no function of the state: only a step tells them.
        """
        trial = GeneralBackend(self.options, self.system, start, Statistics())
        try:
            trial.advance(np.inf, 1)
        except SolverError:  # the step itself tells it, after the start
            return
        self.acceleration = trial.acceleration

    def step_to(self, t: float) -> None:
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
            least = PUSHED * np.abs(pushed[0].impulses).max(initial=0.0)
            back[back] = leaves & (pushed[0].impulses[n] > least) & (hit.impulses[n] > 0.0)
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


def rigid_contacts(system: System) -> list[RigidContact]:
    """Contacts of a system; those with bristles are refused."""
    wrong = [i.name for i in system.stateful_contacts if not isinstance(i, RigidContact)]
    if wrong:
        raise InputError(
            f"method 'moreau' has set-valued friction, not bristles ({', '.join(wrong)}): take "
            "a RigidContact, or method 'implicit'"
        )
    return [i for i in system.stateful_contacts if isinstance(i, RigidContact)]
