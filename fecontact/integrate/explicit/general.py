"""General backend of the explicit method: any system, step by step in Python.

Forces of bodies and elements at the mid-step velocity come from their values and tangents at the
extrapolated velocity w = v_n-1/2 + h/2 a_n-1, with D = -df/dv:

    (M + h/2 D) (v_n+1/2 - v_n-1/2) = h (f(q_n, w) - D (v_n-1/2 - w)) .

For linear forces this is the trapezoidal rule. Constraints hold as in `explicit.held`.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fecontact.errors import InputError, SolverError
from fecontact.integrate.audit import EnergyAudit
from fecontact.integrate.explicit.bound import StepLimits, step_limits
from fecontact.integrate.explicit.held import HeldRows, free_motions
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["GeneralBackend"]


class GeneralBackend:
    """The motion at t_n; `half` is the velocity half a step ahead."""

    def __init__(self, system: System, start: Point, statistics: Statistics) -> None:
        self.system, self.statistics = system, statistics
        self.state = system.history_layout.filled(start.state)
        self.half, self.a, self.h = self.state.v.copy(), start.acceleration.copy(), 0.0
        by_q, _ = self._tangents(self.state)
        self.held = HeldRows(system, self.state) if system.rows else None
        rates = system.rate_form(self.state)
        self.reports = rates.reports()
        self.audit = EnergyAudit(system, self.state, rates.forces, self.reports)
        basis, stiffness = free_motions(system, self.state) if self.held else (None, 0.0)
        self.limits = step_limits(system, self.state, stiffness - by_q, np.zeros_like(by_q), basis)
        if len(start.resume):
            n = system.size
            if len(start.resume) != 3 + n + len(self.audit.numbers):
                raise InputError("restart: the point belongs to another system or backend")
            self.h, *limits = start.resume[:3].tolist()
            self.limits = StepLimits(*limits)
            self.half = start.resume[3 : n + 3].copy()
            self.audit.resume(start.resume[n + 3 :])

    def change_step(self, h: float) -> None:
        """Go on with steps of length h."""
        if abs(h - self.h) > 1e-12 * h:
            self.half = self.half + 0.5 * (h - self.h) * self.a
            self.h = h

    def advance(self, steps: int, t: float, output: bool = False) -> None:
        """Do steps of length h, the last of which ends at t; each has what a point needs."""
        begin = t - steps * self.h
        for k in range(steps):
            self._step(t if k == steps - 1 else begin + (k + 1) * self.h)

    def point(self) -> Point:
        """Where the motion is."""
        resume = np.concatenate([[self.h, *self.limits], self.half, self.audit.numbers])
        return Point(
            self.state, self.a.copy(), resume, self.audit.lines(self.reports), self.reports
        )

    def _step(self, t: float) -> None:
        system, h = self.system, self.h
        path = h * self.half
        if self.held:
            path = self.held.closed(t, self.state.q, path)
            self.half = path / h
        near = self.half + 0.5 * h * self.a
        trial = replace(self.state, t=t, q=system.move(self.state.q, path), v=near)
        with np.errstate(over="ignore", invalid="ignore"):
            step = system.begin(self.state).at(trial, h)
            forces = step.forces
            _, by_v = self._tangents(trial)
            M = system.mass_matrix(trial.q)
            right = forces.sum(axis=0) + by_v @ (self.half - near)
        if not np.isfinite(right).all():
            raise SolverError(
                f"t = {t:.6g} s: the forces are not finite with the step {h:.3g} s (bound at the "
                f"start {self.limits.bound:.3g} s); try a smaller step"
            )
        state = replace(step.committed(), v=self._kicked(trial, M - 0.5 * h * by_v, right))
        if self.held:
            state = replace(state, lam=self.lam)
        reports = {name: own.report() for name, own in step.steps.items()}
        self.statistics.switched(self.state.status, state.status)
        self.state, self.reports = self.audit.step(path, forces, state, reports)
        self.statistics.steps += 1
        self.statistics.evaluations += 1
        self.statistics.factorisations += 1

    def _kicked(self, trial: State, matrix: Floats, force: Floats) -> Floats:
        """Velocities at the end of the step; `half` goes half a step on."""
        h, before, held = self.h, self.half, self.held
        if held is None:
            self.a = np.asarray(np.linalg.solve(matrix, force), dtype=float)
        else:
            held.arrive(trial)
            self.a, self.lam = held.solve(matrix, force)
        self.half, v = before + h * self.a, before + 0.5 * h * self.a
        if held is not None:
            change, later = held.corrections(v - trial.v)
            v, self.half = v + change, self.half + later
        return v

    def _tangents(self, state: State) -> tuple[Floats, Floats]:
        """Derivatives by q and v of the forces of all items without history."""
        n = self.system.size
        none = {
            item.name: (np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1)))
            for item in self.system.stateful_contacts
        }
        _, by_q, by_v = self.system.evaluate(state, none)
        return by_q.reshape(n, n), by_v.reshape(n, n)
