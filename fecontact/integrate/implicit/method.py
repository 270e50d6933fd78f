"""Generalised-alpha method with Newton's method, fixed or error-controlled step.

The equations of a step are in `alpha`. The method is of order 2 in q, v and lam and damps fast
vibrations by rho_inf per step. The acceleration-like a_n belongs to the time
t_n + (alpha_m - alpha_f) h: it starts there, and follows a change of the step; otherwise lam and v'
would fall to order 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from fecontact.contact.evaluate.compiled.step import in_reference_form
from fecontact.contact.report import ContactReport
from fecontact.errors import POSITIVE, Allowed, InputError, SolverError, check, one_of
from fecontact.integrate.audit import EnergyAudit
from fecontact.integrate.control import Scale, StepBudget, step_factor
from fecontact.integrate.implicit.alpha import AlphaWeights, Level, StepEquations
from fecontact.integrate.implicit.compiled import CompiledSteps, not_compiled
from fecontact.integrate.implicit.corrector import Corrector
from fecontact.integrate.implicit.limits import KINK, KINK_ORDER, KINK_STEP, ORDER, WORTH
from fecontact.integrate.moreau.row_basis import RowBasis, row_basis
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics
from fecontact.system import State, System
from fecontact.system.constraints.one_sided import OneSidedWatch
from fecontact.system.dofs import Dofs
from fecontact.typing import Floats

__all__ = ["AlphaRun", "Implicit"]

BACKENDS = ("auto", "compiled", "general")
FRACTION = Allowed("from 0 to 1", lambda x: 0.0 <= x <= 1.0)
CONFLICT = 1e-5
"""Gap of a redundant constraint row that contradicts the others."""
OTHER_ASSEMBLY = 0.5
"""Rotation in rad by which the constraints may correct a step; a flipped link needs more."""
SHORTEST = 1e-9
"""Shortest step, relative to the longest one so far."""
AHEAD = 0.01
"""Time at which v' is looked up before the first step, in steps."""
MOMENT = 1e-6
"""First look ahead in s, if the start tells no time."""
NOTICED = 1.0
"""Time in s within which a pull of a one-sided constraint must change the speeds to count."""
UNSOLVED = 0.5
"""Factor of a step that did not converge."""
MAX_PARTS = 1024
"""Parts into which a fixed step may be split where contacts change."""


@dataclass(frozen=True)
class Implicit(StepBudget):
    """Generalised-alpha method with fixed or error-controlled step.

    With a fixed step it is the method for stiff elements (bearings, stops, elastic bodies): it is
    stable for any step, and vibrations that are much faster than the step fade by rho_inf per
    step. Error control bounds the local error of all positions and velocities, also of those that
    constraints drive, so that v' and lam are good to about rtol^(2/3); hence it also resolves the
    ringing of stiff elements with steps as short as that needs. For smooth motions at tight
    tolerances `projected` is cheaper.

    Where contact points open, close, stick or begin to slide, the motion has a kink inside a step
    that no formula of order 2 sees; the error of that step and of the next, which looks back over
    it, is of order 1 in the step. It is made once, so 10 times the tolerance is allowed for it, and
    a step of 1e-4 of the longest one so far is taken in any case. A drop from static to kinetic
    friction comes up to one step late; this counts as an error too. A step that does not converge
    is halved; a fixed one with contacts too, and grows back afterwards. Nothing depends on the time
    that is left, so a continued run does not either.

    Parameters
    ----------
    rho_inf
        Factor per step of vibrations that are much faster than the step, 0 to 1.
    step
        Fixed step in s, shortened to hit the output times; None: the step follows from the error.
    rtol, atol
        Local error of positions (rotations: of 1 rad) and velocities, relative and absolute.
    backend
        "auto": the compiled loop between outputs where a system has one (contact pairs on rigid
        surfaces, no joints or laws of time written in Python), else the general one, which takes
        every system; with constraints it has the program of the system for all but these and the
        contacts. All give the same motion. "compiled" or "general" ask for one of them.
    max_steps
        See `StepBudget`.
    """

    rho_inf: float = 0.8
    step: float | None = None
    rtol: float = 1e-6
    atol: float = 1e-9
    backend: str = "auto"

    def __post_init__(self) -> None:
        super().__post_init__()
        check("rtol", self.rtol, POSITIVE)
        check("atol", self.atol, POSITIVE)
        if self.step is not None:
            check("step", self.step, POSITIVE, "s")
        check("rho_inf", self.rho_inf, FRACTION)
        check("backend", self.backend, one_of(BACKENDS))

    def points(
        self, system: System, start: Point, goals: Floats, every: bool, statistics: Statistics
    ) -> Iterator[Point]:
        """Yield the start, then each step, or the points at the goals."""
        with in_reference_form(self.starts_apart(system)):
            run = AlphaRun(self, system, start, statistics)
        yield start if len(start.resume) else run.point
        compiled = self._compiled(run)
        if compiled is not None:
            yield from compiled.points(goals, every)
            return
        for goal in goals:
            while run.last.state.t < goal:
                run.advance(float(goal))
                if every:
                    yield run.output()
            if not every:
                yield run.output()

    def starts_apart(self, system: System) -> bool:
        """Whether the kernels of contacts serve for nothing but the start: the loop has others."""
        return self.backend != "general" and not not_compiled(system)

    def _compiled(self, run: AlphaRun) -> CompiledSteps | None:
        """Return the compiled loop; None if the general one is to be taken."""
        if self.backend == "general":
            return None
        why = not_compiled(run.system)
        if why and self.backend == "compiled":
            raise InputError(f"invalid backend = compiled for {why}: expected 'auto' or 'general'")
        return None if why else CompiledSteps(run)


class AlphaRun:
    """The loop over the steps; `last` is the last accepted one, h the next step to try.

    `longest` is the longest step so far: the scale of time that the motion itself tells.
    """

    h: float
    longest: float

    def __init__(
        self, options: Implicit, system: System, start: Point, statistics: Statistics
    ) -> None:
        self.options, self.system, self.statistics = options, system, statistics
        self.weights = AlphaWeights.of(options.rho_inf)
        self._no_rows = row_basis(
            np.eye(system.size), np.zeros((0, system.size)), np.zeros(0, bool)
        )
        self.dofs = Dofs(system)
        # of systems without constraints the general loop is the reference
        fast = system.rows and options.backend != "general"
        self.program = system.step_program() if fast else None
        self.scale = Scale(self.dofs, start.state)
        self.corrector = Corrector(self.scale, statistics)
        self.one_sided = OneSidedWatch(system, NOTICED)
        now = system.rate_form(start.state)
        self.reports: Mapping[str, ContactReport] = now.reports()
        self.audit = EnergyAudit(system, start.state, now.forces, self.reports)
        if len(start.resume):
            self.last = self._resumed(start)
        else:
            self.one_sided.see(start.state)
            self.h = self.longest = options.step or self._first_step(start)
            self.last = self._first(start)

    @property
    def point(self) -> Point:
        """The last accepted point."""
        last, scale = self.last, self.scale
        resume = np.concatenate(
            [
                [self.longest, self.h, last.h, last.kinked],
                *(last.rate_change, last.a, scale.q, scale.v),
                list(self.one_sided.largest.values()),
                self.audit.numbers,
            ]
        )
        return Point(last.state, last.rate, resume, self.audit.lines(self.reports), self.reports)

    def output(self) -> Point:
        """The last point, from which a restart goes on in the same way: with a new tangent."""
        self.corrector.forget()
        return self.point

    def _resumed(self, start: Point) -> Level:
        """Level of a point of an earlier run, and the step and sizes that belong to it."""
        n, numbers, sided = self.system.size, start.resume, len(self.one_sided.largest)
        own = 4 + 4 * n + sided
        if len(numbers) != own + len(self.audit.numbers):
            raise InputError("restart: the point belongs to another system")
        self.longest, self.h, h, kinked = numbers[:4].tolist()
        change, a, self.scale.q, self.scale.v = numbers[4 : 4 + 4 * n].reshape(4, n).copy()
        largest = numbers[own - sided : own].tolist()
        self.one_sided.largest = dict(zip(self.one_sided.largest, largest, strict=True))
        self.audit.resume(numbers[own:])
        return self.level_at(start.state, start.acceleration, change, a, h, bool(kinked))

    def advance(self, goal: float) -> None:
        """One accepted step, not beyond the goal."""
        while True:
            self.statistics.within(self.options.max_steps, self.last.state.t)
            left = goal - self.last.state.t
            parts = max(1, int(np.ceil(left / self.h * (1.0 - 1e-9))))
            even = parts <= 2 or self.options.step is not None
            h = left / parts if even else self.h
            try:
                level = self.step(goal if parts == 1 else self.last.state.t + h)
            except SolverError as failure:
                self._shorten(h, UNSOLVED, str(failure))
                continue
            if self._accurate(level):
                break
        self._check_rows(level)
        self.one_sided.see(level.state)
        self._accept(level)

    def _accurate(self, level: Level) -> bool:
        """Whether a step is accurate enough; the next step, or a shorter one, follows from it."""
        options = self.options
        if options.step is not None:
            self.h = min(2.0 * self.h, options.step)
            return True
        kinked = level.kinked or self.last.kinked
        dq, dv = self.local_error(level)
        if level.kinked:
            late = 0.5 * level.h * self._drop(level)
            dq, dv = np.abs(dq) + 0.5 * level.h * late, np.abs(dv) + late
        error = self.scale.error(dq, dv, options.rtol, options.atol)
        error, order = (error / KINK, KINK_ORDER) if kinked else (error, ORDER + 1)
        if error > 1.0 and not (kinked and level.h <= KINK_STEP * self.longest):
            self._shorten(level.h, step_factor(error, order), "the error is too large")
            return False
        factor = step_factor(error, order)
        self.h = level.h * (1.0 if 1.0 < factor < WORTH else factor)
        return True

    def _drop(self, level: Level) -> Floats:
        """Size (n,) of the jump of v' that a new status brings: a point that lets go loses mu_s.

        The law takes the status of the start of a step, so the drop comes up to a step late.
        """
        old = replace(level.state, status=self.last.state.status)
        jump = self.system.loaded_force(level.state) - self.system.loaded_force(old)
        if not jump.any():
            return jump
        return np.abs(np.linalg.solve(self.system.mass_matrix(level.state.q), jump))

    def _accept(self, level: Level) -> None:
        assert level.end is not None
        self.longest = max(self.longest, level.h)
        self.scale.see(level.state)
        self.statistics.steps += 1
        reports = {name: step.report() for name, step in level.end.steps.items()}
        self.statistics.switched(self.last.state.status, level.state.status)
        state, self.reports = self.audit.step(level.path, level.end.forces, level.state, reports)
        self.last = replace(level, state=state)

    def local_error(self, level: Level) -> tuple[Floats, Floats]:
        """Local errors (n,) of positions and velocities of a step.

        The step, with its correction onto the constraints, is compared with the integral of the
        parabola through v' at the last three times; a rotation vector adds h^3/12 omega x omega'
        (Magnus). Dofs that move along the constraints and those that constraints drive count
        alike: the latter are where they should be, but v' and with it lam follow from their
        history, and a jump to another assembly of the mechanism shows here.
        """
        last, w, h = self.last, self.weights, level.h
        ratio = h / last.h
        bend = (level.rate_change - ratio * last.rate_change) * ratio / (1.0 + ratio)
        slope = level.rate_change - bend
        a0 = last.a_for(h)
        turn = self.dofs.commutator(last.state.v, last.rate)
        v = last.rate + slope / 2 + bend / 3
        q = last.rate / 2 + slope / 6 + bend / 12 + h / 12 * turn
        dv = h * ((1.0 - w.gamma) * a0 + w.gamma * level.a - v)
        dq = h**2 * ((0.5 - w.beta) * a0 + w.beta * level.a - q) + level.correction
        return dq, dv

    def _shorten(self, h: float, factor: float, why: str) -> None:
        where = f"t = {self.last.state.t:.6g} s, step {h:.3g} s: {why}"
        fixed, self.h = self.options.step, factor * h
        if fixed is not None and not (self.system.history_layout and self.h > fixed / MAX_PARTS):
            raise SolverError(f"{where}; try a smaller step, or step=None for error control")
        if self.h < SHORTEST * self.longest:
            raise SolverError(f"{where}; look for a jump of a force there, or try a larger rtol")
        self.statistics.rejected += 1

    def _first(self, start: Point) -> Level:
        """Level 0, with the change of v' in a step from a short look ahead."""
        rate, change = start.acceleration, self._change_ahead(start, AHEAD * self.h) / AHEAD
        a = rate + self.weights.shift * change
        return self.level_at(start.state, rate, change, a, self.h)

    def _first_step(self, start: Point) -> float:
        """First step of an error-controlled run, from the rates at the start.

        Hairer, Norsett and Wanner, Solving Ordinary Differential Equations I, II.4: the step at
        which a term of order 3 with the rates at the start would be a hundredth of the tolerance.
        """
        v, a, options = start.state.v, start.acceleration, self.options

        def size(dq: Floats, dv: Floats) -> float:
            return self.scale.error(dq, dv, options.rtol, options.atol)

        now, rate = size(self.scale.q, v), size(v, a)
        ahead = 0.01 * now / rate if min(now, rate) > 1e-5 else MOMENT
        bend = size(ahead * a, self._change_ahead(start, ahead)) / ahead
        largest = max(rate, bend)
        return min(100.0 * ahead, (0.01 / largest) ** (1.0 / 3.0)) if largest > 1e-15 else ahead

    def _change_ahead(self, start: Point, ahead: float) -> Floats:
        """Change (n,) of v' in a short time."""
        system, state, rate = self.system, start.state, start.acceleration
        q = system.move(state.q, ahead * state.v + 0.5 * ahead**2 * rate)
        later = State(state.t + ahead, q, state.v + ahead * rate)
        if system.history_layout:
            later = system.begin(state).at(later, ahead).committed()
        self.statistics.evaluations += 1
        return system.accelerations(later)[0] - rate

    def level_at(
        self, state: State, rate: Floats, change: Floats, a: Floats, h: float, kinked: bool = False
    ) -> Level:
        """Level without a correction onto the constraints."""
        still, met = np.zeros(self.system.size), np.zeros(len(self.system.rows))
        basis = self.basis(state)
        return Level(state, rate, change, a, h, basis, still, met, still, None, kinked)

    def basis(self, state: State) -> RowBasis:
        """Combinations of the constraint rows for the step from a state."""
        if not self.system.rows:
            return self._no_rows
        rows = self.system.constraint(state).jacobian
        return row_basis(self.system.mass_matrix(state.q), rows, self.system.position_rows)

    def step(self, t: float) -> Level:
        """Solve the step to the time t by Newton's method."""
        equations = StepEquations(self.system, self.dofs, self.weights, self.last, t, self.program)
        y = self.corrector.solve(equations)
        turned = np.abs(equations.correction(y)[self.dofs.angles]).max(initial=0.0)
        if turned > OTHER_ASSEMBLY:
            raise SolverError(
                f"the constraints turn a body by {turned:.2g} rad off its path: the mechanism may "
                "jump to another assembly"
            )
        return self._level(equations, y)

    def _level(self, equations: StepEquations, y: Floats) -> Level:
        rate, end = equations.rate(y), equations.step
        state = end.committed() if self.system.history_layout else end.state
        return Level(
            state=state,
            rate=rate,
            rate_change=rate - self.last.rate,
            a=equations.a1(y),
            h=equations.h,
            basis=self.basis(state),
            correction=equations.correction(y),
            gap=equations.gap(),
            path=equations.path(y),
            begun=self.system.begin(state, self.program),
            kinked=bool(np.any(state.status != self.last.state.status)),
            end=end,
        )

    def _check_rows(self, level: Level) -> None:
        """Raise if redundant rows contradict the others."""
        if level.gap.max(initial=0.0) > CONFLICT:
            worst = int(np.argmax(level.gap))
            raise SolverError(
                f"t = {level.state.t:.6g} s: the constraint row '{self.system.rows[worst]}' "
                f"contradicts the others (open by {level.gap[worst]:.1e}); remove it, or correct "
                "its position or prescribed motion"
            )
