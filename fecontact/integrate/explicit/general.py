"""General backend of the explicit method: any system without constraints, step by step in Python.

Forces of bodies and elements at the mid-step velocity come from their values and tangents at the
extrapolated velocity w = v_n-1/2 + h/2 a_n-1, with D = -df/dv:

    (M + h/2 D) (v_n+1/2 - v_n-1/2) = h (f(q_n, w) - D (v_n-1/2 - w)) .

For linear forces this is the trapezoidal rule.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from fecontact.errors import InputError, SolverError
from fecontact.integrate.audit import EnergyAudit
from fecontact.integrate.explicit.bound import StepLimits, step_limits
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
        rates = system.rate_form(self.state)
        self.reports = rates.reports()
        self.audit = EnergyAudit(system, self.state, rates.forces, self.reports)
        self.limits = step_limits(system, self.state, -by_q, np.zeros_like(by_q))
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
        path, near = h * self.half, self.half + 0.5 * h * self.a
        trial = replace(self.state, t=t, q=system.move(self.state.q, path), v=near)
        with np.errstate(over="ignore", invalid="ignore"):
            step = system.begin(self.state).at(trial, h)
            forces = step.forces
            _, by_v = self._tangents(trial)
            M = system.mass_matrix(trial.q)
            right = h * (forces.sum(axis=0) + by_v @ (self.half - near))
        if not np.isfinite(right).all():
            raise SolverError(
                f"t = {t:.6g} s: the forces are not finite with the step {h:.3g} s (bound at the "
                f"start {self.limits.bound:.3g} s); try a smaller step"
            )
        change = np.linalg.solve(M - 0.5 * h * by_v, right)
        self.a, self.half = change / h, self.half + change
        state = replace(step.committed(), v=self.half - 0.5 * change)
        reports = {name: own.report() for name, own in step.steps.items()}
        self.statistics.switched(self.state.status, state.status)
        self.state, self.reports = self.audit.step(path, forces, state, reports)
        self.statistics.steps += 1
        self.statistics.evaluations += 1
        self.statistics.factorisations += 1

    def _tangents(self, state: State) -> tuple[Floats, Floats]:
        """Derivatives by q and v of the forces of all items without history."""
        n = self.system.size
        none = {
            item.name: (np.zeros(1), np.zeros((1, 1)), np.zeros((1, 1)))
            for item in self.system.stateful_contacts
        }
        _, by_q, by_v = self.system.evaluate(state, none)
        return by_q.reshape(n, n), by_v.reshape(n, n)
