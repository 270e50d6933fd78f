"""Event-free method: scipy's ODE solvers on (q, v, z) with the continuous friction law.

    q' = T(q) v,      M v' = f(t, q, v, z) + A^T lam,      z' = Z(t, q, v, z)

Slip work and path, and the powers of the energy audit, are integrated along, to rtol of the largest
energy so far: a contact that let go moves freely while its springs relax, and steps that follow the
motion alone would stride over that. The law needs friction damping beta_t > 0: without it z has no
rate while a point slides. Statuses do not enter the equations unless
a coefficient depends on whether a point sticks (mu_s > mu_k): then each step is looked at in eight
places, ends where a point changes its status, and the solver starts anew there with the other
coefficient. A stick shorter than an eighth of a step may be missed: limit `step`, or take method
'implicit'. Slow and simple: a reference solution of the stepping methods.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.integrate import BDF, DOP853, LSODA, RK45, Radau

from fecontact.contact.base import Contact
from fecontact.errors import InputError, check, one_of
from fecontact.integrate.audit import EnergyAudit, Instant
from fecontact.integrate.control import StepBudget, check_solver
from fecontact.integrate.rate.compiled import COMPILED, CompiledRates, CompiledSteps
from fecontact.integrate.rate.equations import slopes_of_coordinates
from fecontact.integrate.rate.limits import (
    LEAST,
    MAX_EVALUATIONS,
    endless_step,
    failed_step,
)
from fecontact.integrate.rate.projected import rank_of
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics
from fecontact.system import State, System, SystemRate
from fecontact.system.constraints.metric import row_metric
from fecontact.system.constraints.one_sided import OneSidedWatch
from fecontact.system.dofs import Dofs
from fecontact.system.rate import SystemRateTangents
from fecontact.typing import Floats, Integers

__all__ = ["SOLVERS", "Ode", "OdeRun"]

SOLVERS: dict[str, Any] = {
    "Radau": Radau, "BDF": BDF, "LSODA": LSODA, "DOP853": DOP853, "RK45": RK45,
}  # fmt: skip
BACKENDS = ("auto", "compiled", "general")
IMPLICIT = ("Radau", "BDF", "LSODA")
KEEPS_OWN_STATE = ("BDF", "LSODA")
"""Solvers with a memory of many steps: their states cannot be put back on constraints."""

BRISTLE = 1e-4
"""Absolute tolerance of the elastic slip, relative to that of positions."""

LOOKS, LOCATED = 8, 1e-9
"""Looks at the status in a step, and accuracy of a change, relative to the time between them."""


@dataclass(frozen=True)
class Ode(StepBudget):
    """ODE solver on the continuous friction law, with the analytic Jacobian.

    With constraints the Jacobian leaves out the derivative of their bias (the terms quadratic in
    the velocities): it steers the iterations of the stiff solvers, never the result.

    Parameters
    ----------
    solver
        "Radau", "BDF" or "LSODA" (stiff), "DOP853" or "RK45" (not stiff). With constraints "Radau",
        "DOP853" or "RK45": their steps are projected on the constraints.
    rtol, atol
        Local error of coordinates, velocities and internal variables of contacts (1e-4 atol of
        those that are lengths, such as the elastic slip), and rtol of the energies.
    step
        Longest step in s.
    max_steps
        See `StepBudget`.
    backend
        "auto": rates and their derivatives by the compiled program of the system where it has them
        (no constraints, contact pairs on rigid surfaces, no bodies that a prescribed motion
        carries); "DOP853" and "RK45" then do all steps between two outputs in a compiled loop,
        unless a coefficient depends on whether a point sticks. "general": all in Python, the
        reference. Results are the same up to round-off. "compiled" refuses systems without.
    """

    solver: str = "Radau"
    rtol: float = 1e-7
    atol: float = 1e-10
    step: float | None = None
    backend: str = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        check_solver(self.solver, SOLVERS, self.rtol, self.atol, self.step)
        check("backend", self.backend, one_of(BACKENDS))

    def points(
        self, system: System, start: Point, goals: Floats, every: bool, statistics: Statistics
    ) -> Iterator[Point]:
        """Yield the start, then each step, or the points at the goals."""
        run = OdeRun(self, system, start, float(goals[-1]), statistics)
        yield run.point(run.solver.t, run.solver.y)
        left = goals
        while run.solver.status == "running":
            run.advance(-np.inf if every else float(left[0]))
            done = run.solver
            run.locate()
            now = run.solver.t
            inside, left = left[left < now], left[left >= now]
            if len(inside):
                between = done.dense_output()
                yield from (run.point(float(t), between(t)) for t in inside)
            if every or now in left:
                yield run.point(now, run.solver.y)
                left = left[left > now]
            run.settle()


class OdeRun:
    """The solver and the equations it integrates."""

    steps: CompiledSteps | None

    def __init__(
        self, options: Ode, system: System, start: Point, end: float, statistics: Statistics
    ) -> None:
        self.options, self.system, self.statistics, self.end = options, system, statistics, end
        if system.rows and options.solver in KEEPS_OWN_STATE:
            raise InputError(
                f"invalid solver = {options.solver} with constraints: expected 'Radau', 'DOP853' "
                "or 'RK45'"
            )
        self.dofs, self.factorised = Dofs(system), 0
        self.evaluated = statistics.evaluations
        state = start.state
        self.status, self.rank = state.status, rank_of(system, state)
        self.drops = any(_drops(item) for item in system.stateful_contacts)
        self.one_sided = OneSidedWatch(system, end - state.t)
        now = self.law(state)
        now.z_rate  # noqa: B018  # refuses friction without damping
        reports = now.reports()
        self.audit = EnergyAudit(system, state, now.forces, reports)
        sizes = [len(state.q), system.size, *np.array(system.history_layout.sizes)[[0, 2]]]
        sizes.append(len(self.audit.sums))
        self.ends = np.cumsum(sizes)
        z, slip_totals = self.ends[2:4]
        self.energies = np.r_[z:slip_totals:2, slip_totals : self.ends[4]]
        self.rates, self.steps = self._compiled_rates(), None
        self.fraction = np.sqrt(z / self.ends[4])  # solvers take the mean over all
        self.largest = 0.0
        first = None
        if len(start.resume):
            first, self.audit.first = float(start.resume[0]) or None, start.resume[1:7].copy()
            self.audit.arrive(self.audit.last, start.resume[7:])
        self.solver = self._solver(state.t, self._packed(state, self.audit.sums), first)

    def _compiled_rates(self) -> CompiledRates | None:
        """Rates by the program of the system, if it is asked for and has them."""
        if self.options.backend == "general":
            return None
        rates, why = CompiledRates.of(self)
        if why and self.options.backend == "compiled":
            raise InputError(f"invalid backend = compiled for {why}: expected 'auto' or 'general'")
        return rates

    def advance(self, goal: float = -np.inf) -> None:
        """One step of the solver; in the compiled loop steps up to a goal."""
        if isinstance(self.solver, CompiledSteps):
            self.solver.advance(goal)
            return
        self.statistics.within(self.options.max_steps, self.solver.t)
        self.evaluated = self.statistics.evaluations
        with np.errstate(over="ignore", invalid="ignore"):  # of a trial step that is too long
            message = self.solver.step()
        if self.solver.status == "failed":
            raise failed_step(self.solver.t, message)
        self.statistics.steps += 1
        if self.options.solver != "LSODA":  # it copies its tolerances
            self.solver.atol[self.energies] = self.fraction * self._energy_error(self.solver.y)
        self.statistics.factorisations = self.factorised + int(getattr(self.solver, "nlu", 0))

    def locate(self) -> None:
        """End the last step where a point first changes its status, if its coefficient drops."""
        if not self.drops:
            return
        early, late = self.solver.t_old, self.solver.t
        between, width = self.solver.dense_output(), (late - early) / LOOKS
        found = (t for t in np.linspace(early, late, LOOKS + 1)[1:] if self._changes(t, between(t)))
        late = next(found, None)
        if late is None:
            return
        early = late - width
        closest = max(LOCATED * width, 4.0 * np.spacing(late))  # short steps late in a motion
        while late - early > closest:
            middle = 0.5 * (early + late)
            early, late = (
                (early, middle) if self._changes(middle, between(middle)) else (middle, late)
            )
        y = between(late)
        self.status = self._seen(late, y)[0]
        if late < self.end:
            self.factorised = self.statistics.factorisations
            self.solver = self._solver(late, y, None)

    def _changes(self, t: float, y: Floats) -> bool:
        """Whether points have another status than that the solver works with."""
        return bool(np.any(self._seen(t, y)[0] != self.status))

    def _seen(self, t: float, y: Floats) -> tuple[Integers, Floats]:
        """Status of all points that follows from a state, and what the forces do there (n,)."""
        if self.rates is not None:
            accelerations = self.rates.at(t, y)[self.ends[0] : self.ends[1]]
            return self.rates.new_status, accelerations
        form = self.system.rate_form(self._state(t, y))
        return form.status, form.force

    def settle(self) -> None:
        """After a step: back on the constraints, unit quaternions, new status."""
        solver, system = self.solver, self.system
        if solver.status != "running":
            return
        if isinstance(solver, CompiledSteps):
            solver.settle()
            return
        if self.rates is not None and not (self.drops or len(self.dofs.turns)):
            return  # nothing that could change
        state = self._state(solver.t, solver.y)
        if self.options.solver not in KEEPS_OWN_STATE:
            state = replace(state, q=system.move(state.q, np.zeros(system.size)))
            if system.rows:
                state = system.consistent(state).state
                self.one_sided.see(state)
        y, jump = self._packed(state, solver.y[self.ends[3] :]), False
        status, before = self._seen(solver.t, y)
        if system.history_layout and np.any(status != self.status):
            self.status = status
            jump = not np.array_equal(before, self._seen(solver.t, y)[1])
        if jump:
            self.factorised = self.statistics.factorisations
            first = solver.step_size  # none yet: the solver was made anew at a change of status
            first = None if first is None else min(first, self.end - solver.t)
            self.solver = self._solver(solver.t, y, first)
        elif self.options.solver not in KEEPS_OWN_STATE:
            solver.y = y
            solver.f = self.rate(solver.t, y)

    def point(self, t: float, y: Floats) -> Point:
        """State with accelerations and energies."""
        state = self._state(t, y)
        state = replace(state, q=self.system.move(state.q, np.zeros(self.system.size)))
        if self.system.rows:
            found = self.system.consistent(state)
            state, acceleration = found.state, found.acceleration
            now = self.law(state)
        else:
            now = self.law(state)
            acceleration = self.system.accelerations(state, force=now.force)[0]
        state = replace(state, status=now.status)
        reports, sums = now.reports(), y[self.ends[3] :]
        self.audit.arrive(Instant.of(self.system, state, now.forces, reports), sums)
        h = self.solver.step_size or 0.0
        resume = np.concatenate([[h], self.audit.first, sums])
        return Point(state, acceleration, resume, self.audit.lines(reports))

    def rate(self, t: float, y: Floats) -> Floats:
        """Rates of all that is integrated."""
        self.statistics.evaluations += 1
        if self.statistics.evaluations > self.evaluated + MAX_EVALUATIONS:
            raise endless_step(self.solver.t)
        if not np.isfinite(y).all():
            return np.full_like(y, np.nan)  # the solver rejects the trial step and shortens it
        if self.rates is not None:
            return self.rates.at(t, y)
        system, state = self.system, self._state(t, y)
        rates = self.law(state)
        a, lam = system.accelerations(state, self.rank, rates.force)
        powers = self.powers(replace(state, lam=lam), rates)
        rate = system.rate(state.q, state.v)
        return np.concatenate([rate, a, rates.z_rate, rates.slip_rates, powers])

    def law(self, state: State) -> SystemRate:
        """Forces and rates at a state."""
        return self.system.rate_form(state)

    def powers(self, state: State, rates: SystemRate) -> Floats:
        """Powers of the energy audit."""
        return self.audit.powers(Instant.along(self.system, state, rates.forces, rates.powers()))

    def jacobian(self, t: float, y: Floats) -> Floats:
        """Derivative of `rate` without slip totals and powers, which follow the motion.

        Of the constraints the change of A^T lam along q counts, not that of their bias: enough for
        the solvers, which only iterate with it.
        """
        (q, v, z), state = self.ends[:3], self._state(t, y)
        by, turned = self._force_slopes(state, y)
        to_rate, by_q = self._coordinate_slopes(state)
        to_step = np.linalg.pinv(to_rate)
        J = np.zeros((len(y), len(y)))
        J[:q, :q] = by_q
        J[:q, q:v] = to_rate
        parts = [(by.force_by_q + turned) @ to_step, by.force_by_v, by.force_by_z]
        J[q:v, :z] = self._accelerated(state, np.hstack(parts))
        J[v:z, :z] = np.hstack([by.z_rate_by_q @ to_step, by.z_rate_by_v, by.z_rate_by_z])
        return J

    def _force_slopes(self, state: State, y: Floats) -> tuple[SystemRateTangents, Floats]:
        """Derivatives of forces and rates, and what M a and A^T lam add to that of the force."""
        if self.rates is not None:
            a = self.rates.at(state.t, y)[self.ends[0] : self.ends[1]]
            return self.rates.tangents(state.t, y), -self.rates.program.d_inertia(state.q, a)
        system, rates = self.system, self.law(state)
        a, lam = system.accelerations(state, self.rank, rates.force)
        turned = -system.d_inertia(state.q, a)
        if system.rows:
            turned += system.constraint_tangents(replace(state, lam=lam))[0]
        return rates.tangents(), turned

    def _coordinate_slopes(self, state: State) -> tuple[Floats, Floats]:
        """Derivatives of q' by v and by q: that of quaternions is linear in them."""
        q, v, rate = state.q, state.v, self.system.rate
        if self.rates is not None:
            by_v, by_q = np.zeros((len(q), len(v))), np.zeros((len(q), len(q)))
            slopes_of_coordinates(*self.dofs.moves, q, v, by_v, by_q)
            return by_v, by_q
        by_v = np.array([rate(q, e) for e in np.eye(self.system.size)]).T
        by_q, now = np.zeros((len(q), len(q))), rate(q, v)
        for k in np.setdiff1d(np.arange(len(q)), self.dofs.q_indices):
            unit = np.zeros(len(q))
            unit[k] = 1.0
            by_q[:, k] = rate(q + unit, v) - now
        return by_v, by_q

    def _accelerated(self, state: State, forces: Floats) -> Floats:
        """Accelerations (n, m) by forces (n, m) on the bound system."""
        M = (self.rates.program if self.rates else self.system).mass_matrix(state.q)
        free = _solved(M, forces)
        if self.system.rows:
            A = self.system.constraint(state).jacobian
            free -= row_metric(M, A, self.rank).step(A @ free)
        return free

    def _tolerances(self, y: Floats) -> tuple[float, Floats]:
        """Relative and absolute (n,) tolerances of the solver, which takes the mean over all."""
        _, v, z = self.ends[:3]
        atol = np.full(len(y), np.inf)  # slip paths follow the motion
        atol[:z] = self.options.atol
        atol[v:z][self.system.history_layout.lengths] *= BRISTLE
        atol[self.energies] = self._energy_error(y)
        return max(self.fraction * self.options.rtol, 3e-14), self.fraction * atol

    def _solver(self, t: float, y: Floats, first: float | None) -> Any:
        options, kind = self.options, SOLVERS[self.options.solver]
        rtol, atol = self._tolerances(y)
        if self.rates is not None and options.solver in COMPILED and not self.drops:
            if self.steps is None:
                self.steps = CompiledSteps(self, self.rates.program, self.rates.equations)
            self.steps.begin(t, y, first, rtol, atol)
            return self.steps
        extra: dict[str, Any] = {}
        if options.solver in IMPLICIT:
            extra["jac"] = self.jacobian
        with np.errstate(over="ignore", invalid="ignore"):  # of the look ahead for a first step
            return kind(
                self.rate, t, y, self.end, rtol=rtol, atol=atol, max_step=options.step or np.inf,
                first_step=first, **extra,
            )  # fmt: skip

    def _energy_error(self, y: Floats) -> float:
        """Allowed error of energies in J: rtol of the largest one, and atol times the forces."""
        q, v = self.ends[:2]
        M = (self.rates.program if self.rates else self.system).mass_matrix(y[:q])
        kinetic = 0.5 * y[q:v] @ M @ y[q:v]
        self.largest = max(self.largest, float(kinetic), float(np.abs(y[self.energies]).max()))
        force = float(np.abs(self.audit.last.forces).max(initial=0.0))
        return max(self.options.rtol * self.largest, self.options.atol * force, LEAST)

    def state_at(self, t: float, y: Floats) -> State:
        """State of what the solver integrates."""
        return self._state(t, y)

    def _state(self, t: float, y: Floats) -> State:
        q, v, z, slip_totals = self.ends[:4]
        return State(t, y[:q], y[q:v], z=y[v:z], status=self.status, slip_totals=y[z:slip_totals])

    def _packed(self, state: State, sums: Floats) -> Floats:
        return np.concatenate([state.q, state.v, state.z, state.slip_totals, sums])


def _drops(item: Contact) -> bool:
    """Whether the coefficient of a contact depends on whether a point sticks."""
    mu = getattr(getattr(item, "friction", None), "mu", None)
    return getattr(mu, "static", None) is not None


def _solved(M: Floats, force: Floats) -> Floats:
    return np.asarray(np.linalg.solve(M, force), dtype=float)
