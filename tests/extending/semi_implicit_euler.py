"""Integrator from outside of the package: semi-implicit Euler, for systems without constraints."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

import fecontact as fc


@dataclass(frozen=True)
class SemiImplicitEuler(fc.StepBudget):
    """First order: v_1 = v + h M^-1 f(t, q, v), q_1 = q + h v_1.

    Parameters
    ----------
    step
        In s; steps are shortened to end at the goals.
    """

    step: float = 1e-3

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.step > 0.0:
            raise fc.InputError(f"invalid step = {self.step} s: expected > 0")

    def points(
        self,
        system: fc.System,
        start: fc.MotionPoint,
        goals: fc.Floats,
        every: bool,
        statistics: fc.Statistics,
    ) -> Iterator[fc.MotionPoint]:
        """Yield the start, then the goals, and if `every` all steps too."""
        if system.rows or system.history_layout:
            raise fc.InputError("invalid method = 'semi_implicit_euler': expected no constraints")
        point = start
        yield point
        for goal in goals.tolist():
            while point.state.t < goal:
                statistics.within(self.max_steps, point.state.t)
                state = point.state
                end = goal if state.t + 1.5 * self.step > goal else state.t + self.step
                h, force = end - state.t, system.evaluate(state)[0]
                a = np.asarray(np.linalg.solve(system.mass_matrix(state.q), force), dtype=float)
                v = state.v + h * a
                state = replace(state, t=end, q=system.move(state.q, h * v), v=v)
                point = fc.MotionPoint(state, a)
                statistics.steps += 1
                statistics.evaluations += 1
                if every or end == goal:
                    yield point
