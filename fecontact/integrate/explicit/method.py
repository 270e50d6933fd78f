"""Central differences with return mapping: the fast method.

Positions live at the steps, velocities between them:

    q_n+1 = q_n + h v_n+1/2
    M (v_n+1/2 - v_n-1/2) = h f(q_n, (v_n-1/2 + v_n+1/2)/2) + h f_contact(q_n, v_n-1/2 + h/2 a_n-1)

Velocity terms of bodies and elements (damping, gyroscopic) are trapezoidal with a matrix that is
factorised once; lagged ones would feed vibrations. Contacts go by their return mapping once per
step. The method is of order 2 and stable up to the bound of `explicit_bound`.

Two backends give the same motion. "compiled": one compiled loop. For bodies with constant mass and
linear forces (elastic bodies in a fixed frame, spinning discs, rigid bodies with at most one axis
of rotation, linear springs, dampers and constant loads) and the contacts of
`contact.evaluate.compiled.rigid`, or those of `contact.evaluate.compiled.on_slave`, it knows
matrices (`explicit.compiled`); for all other items, and pairs on rigid surfaces, it is one over the
program of the system (`explicit.lowered`), which also takes constraints: rigid bodies welded to
others follow them, and other joints are held by projection (`explicit.held`). "general": the same
formulas over any system, in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import TypeAlias

import numpy as np

from fecontact.errors import POSITIVE, InputError, SolverError, check, one_of
from fecontact.integrate.control import StepBudget
from fecontact.integrate.explicit.bound import StepLimits
from fecontact.integrate.explicit.compiled import CompiledBackend
from fecontact.integrate.explicit.general import GeneralBackend
from fecontact.integrate.explicit.lowered import LoweredBackend
from fecontact.integrate.stepped import not_stepped
from fecontact.results.audit import LINES
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics
from fecontact.system import System
from fecontact.system.constraints.one_sided import OneSidedWatch
from fecontact.typing import Floats

__all__ = ["BACKENDS", "Crossed", "Explicit", "look_between"]

Crossed = Callable[[Point, Point], bool]
"""Whether an event function changes its sign between two points."""

BACKENDS = ("auto", "compiled", "general")
CREATED = 100.0
"""Energy that the method may have made, relative to what was there or supplied.

Near the bound the energies at the steps swing by such factors without growing.
"""


ROUND_OFF = 4.0 * np.finfo(float).eps
"""Intervals between outputs that differ by less, relative to the time, have the same step."""
MAX_AT_ONCE = 16
LOOK = 0.5
"""Steps between looks at the event functions, at most, and their time relative to the bound: a
sixth of the period of the fastest vibration."""


Backend: TypeAlias = CompiledBackend | LoweredBackend | GeneralBackend
"""The loop over the steps."""


@dataclass(frozen=True)
class Explicit(StepBudget):
    """Central difference method with a fixed step.

    Parameters
    ----------
    step
        In s, shortened a little to hit the output times; by default that of `explicit_bound`: a
        32nd of the stability bound, less where a contact is going to strike.
    backend
        "compiled" or "general"; "auto" takes the compiled one where it is possible.
    max_steps
        See `StepBudget`; a run that needs more does not begin.
    """

    step: float | None = None
    backend: str = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        check("backend", self.backend, one_of(BACKENDS))
        if self.step is not None:
            check("step", self.step, POSITIVE, "s")

    def points(
        self, system: System, start: Point, goals: Floats, every: bool, statistics: Statistics,
        crossed: Crossed | None = None,
    ) -> Iterator[Point]:  # fmt: skip
        """Yield the start, then each step, or the points at the goals.

        With `crossed` also the steps of the blocks in which it sees an event, see `look_between`.
        """
        backend = self.chosen(system, start, statistics)
        h = self._step(backend.limits, float(goals[-1] - start.state.t))
        first, one_sided = backend.point(), OneSidedWatch(system, float(goals[-1] - start.state.t))
        one_sided.see(first.state)
        yield first
        t = start.state.t
        for goal in goals.tolist():
            parts = max(1, int(np.ceil((goal - t) / h * (1.0 - 1e-9))))
            if abs(goal - t - parts * backend.h) > ROUND_OFF * abs(goal):
                backend.change_step((goal - t) / parts)
            ends = [t + (k + 1) * (goal - t) / parts for k in range(parts - 1)] + [goal]
            for _ in self._between(backend, ends, every, crossed):
                yield self._watched(backend.point(), first, backend, one_sided)
            yield self._watched(backend.point(), first, backend, one_sided)
            t = goal

    def _between(
        self, backend: Backend, ends: list[float], every: bool, crossed: Crossed | None
    ) -> Iterator[None]:
        """Go along the ends of steps to the last of them, stop at each that is to be seen."""
        if crossed is not None and isinstance(backend, CompiledBackend):
            yield from look_between(backend, ends, crossed)
        elif every or crossed is not None:
            for t in ends[:-1]:
                backend.advance(1, t, True)
                yield
            backend.advance(1, ends[-1], True)
        else:
            backend.advance(len(ends), ends[-1], True)

    def chosen(self, system: System, start: Point, statistics: Statistics) -> Backend:
        """Backend for a system at a start."""
        if self.backend == "general":
            return GeneralBackend(system, start, statistics)
        try:
            if not system.rows:
                return CompiledBackend(system, start, statistics)
            return LoweredBackend(system, start, statistics)
        except InputError:
            if not system.rows and not not_stepped(system):
                return LoweredBackend(system, start, statistics)
            if self.backend == "compiled":
                raise
        return GeneralBackend(system, start, statistics)

    def _step(self, limits: StepLimits, span: float) -> float:
        h = limits.default if self.step is None else self.step
        if self.max_steps is not None and span / h > self.max_steps * (1.0 + 1e-9):
            raise SolverError(
                f"{span:.3g} s need {span / h:.3g} steps of {h:.3g} s, more than max_steps = "
                f"{self.max_steps}; try a larger budget, or method 'implicit'"
            )
        if h > limits.bound:
            raise InputError(
                f"invalid step = {h} s: expected at most {limits.bound:.3g} s, the stability "
                "bound of the explicit method"
            )
        return h

    def _watched(
        self, point: Point, first: Point, backend: Backend, one_sided: OneSidedWatch
    ) -> Point:
        """The point, unless the method blows up or a constraint pulls that can only press."""
        before, now = (dict(zip(LINES, p.energies.tolist(), strict=True)) for p in (first, point))
        there = sum(abs(before[name]) for name in ("kinetic", "strain", "contact"))
        there += abs(now["potential"] - before["potential"]) + abs(now["supplied"])
        made = -now["numerical"] - now["residual"]
        if not isfinite(made) or made > CREATED * there:
            raise SolverError(
                f"t = {point.state.t:.6g} s: the explicit method gains energy with the step "
                f"{backend.h:.3g} s (bound at the start {backend.limits.bound:.3g} s); try a "
                "smaller step, or method 'implicit'"
            )
        one_sided.see(point.state)
        return point


def look_between(backend: CompiledBackend, ends: list[float], crossed: Crossed) -> Iterator[None]:
    """Go along the ends of steps in blocks; go again, step by step, through those with an event.

    The motion is that without events, to the last bit. Yields at the start of such a block and
    after each of its steps, but not at the last end. Two crossings of one function within a block
    are not seen, as two within a step are not.
    """
    block = int(np.clip(LOOK * backend.limits.bound / backend.h, 1, MAX_AT_ONCE))
    before = backend.glance()
    for done in range(0, len(ends), block):
        part, kept = ends[done : done + block], backend.kept()
        backend.advance(len(part), part[-1])
        after = backend.glance()
        if crossed(before, after):
            backend.go_back(kept)
            if done:
                yield
            for t in part:
                backend.advance(1, t)
                if t < ends[-1]:
                    yield
        before = after
