"""Rates and explicit steps of a run in continuous time by the compiled program of its system."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fecontact.body.base import as_body
from fecontact.contact.kernels.fixed_status import SIGNALS
from fecontact.errors import SolverError
from fecontact.integrate.rate import equations, march
from fecontact.integrate.rate.limits import endless_step, failed_step
from fecontact.kernels.lowered import FORCE, POWERS
from fecontact.solvers.dense import lu_factorise
from fecontact.solvers.runge_kutta import END, LONGEST, RTOL, T_OLD, T, interpolate, runge_kutta
from fecontact.system import System
from fecontact.system.dofs import Dofs
from fecontact.system.program import Program
from fecontact.system.program import rates as layout
from fecontact.system.program.kernels import moved
from fecontact.system.rate import SystemRateTangents
from fecontact.typing import Floats, Integers, supports

if TYPE_CHECKING:
    from fecontact.integrate.rate.ode import OdeRun

__all__ = ["COMPILED", "CompiledRates", "CompiledSteps", "contacts_in_time", "equations_of",
           "without_program"]  # fmt: skip

COMPILED = ("DOP853", "RK45")
"""Solvers that have compiled steps."""
SHORT = "Required step size is less than spacing between numbers."
PAUSE = 256
"""Steps between looks at a signal to stop."""


def without_program(system: System, audit: bool) -> str:
    """Why the rates of a system are not compiled, apart from its contacts; empty if they may be."""
    if system.rows:
        return f"constraint '{system.constraints[0].name}'"
    if audit and any(
        as_body(body).driven and not supports(body, "supplied_power") for body in system.bodies
    ):
        return "the energy audit of bodies that a prescribed motion carries"
    return "" if _moves(system) else "bodies that move in a way of their own"


def _moves(system: System) -> bool:
    """Whether coordinates move as the kernels move them, seen at a random state."""
    dofs, rest = Dofs(system), system.rest().q
    step, v = np.random.default_rng(0).standard_normal((2, system.size))
    probe = np.empty_like(rest)
    moved(rest, step, *dofs.moves, probe)
    found = np.empty_like(rest)
    equations.coordinate_rates(*dofs.moves, probe, v, found)
    return np.allclose(probe, system.move(rest, step), rtol=0.0, atol=1e-12) and np.allclose(
        found, system.rate(probe, v), rtol=0.0, atol=1e-12
    )


def contacts_in_time(system: System, program: Program) -> Integers:
    """Contacts that follow the continuous law, as `Equations` has them."""
    known = layout.contact_table(system, program)
    result = np.full((len(known), equations.COLUMNS), -1, dtype=np.int64)
    names = (
        "ROW", "POINTS", "STATES", "FIRST_Z", "Z", "STATUS", "RATE", "NEW_STATUS", "FORCE_BY_Z",
        "RATE_BY_Q", "RATE_BY_V", "RATE_BY_Z",
    )  # fmt: skip
    for name in names:
        result[:, getattr(equations, name)] = known[:, getattr(layout, name)]
    result[:, equations.FIRST] = known[:, layout.FIRST_POINT]
    result[:, equations.TOTALS] = known[:, layout.SLIP_RATES]
    return result


def equations_of(
    run: OdeRun, program: Program, contacts: Integers, audit: bool
) -> equations.Equations:
    """The program of the system of a run as its kernels see it; `audit`: with all powers."""
    system, n, points = run.system, run.system.size, int(contacts[:, equations.POINTS].sum())
    loads, supplying = np.zeros((2, len(system.items)), dtype=np.int64)
    loads[:], supplying[run.audit.spun] = run.audit.loads, 1
    mass = program.mass_matrix(system.rest().q)
    factors, pivots = mass.copy(), np.zeros(n, dtype=np.int64)
    lu_factorise(factors, pivots)
    plain, turns = run.dofs.moves
    ends = run.ends.tolist()
    tasks = np.full(len(program.table), FORCE)
    changing = np.zeros(len(program.table), dtype=np.int64)
    if audit:
        _ask_powers(system, program, supplying, tasks, changing)
        stateful = contacts[:, equations.ROW]
        tasks[stateful], changing[stateful] = (
            FORCE,
            0,
        )  # they tell their powers with the force
    return equations.Equations(
        table=program.table, indices=program.indices, work=program.work, moving=program.moving,
        tasks=tasks, time_dependent=changing, loads=loads, supplying=supplying, plain=plain,
        turns=turns,
        contacts=contacts, sizes=np.array([ends[0], n, ends[2], ends[3], audit], dtype=np.int64),
        mass=program.mass, matrix=mass, factors=factors, pivots=pivots,
        forces=np.zeros((len(system.items), n)), force=np.zeros(n),
        lost=np.zeros(len(system.items)), given=np.zeros(len(system.items)),
        status=np.zeros(points, dtype=np.int64), toward=np.zeros((points, 3)),
        signals=np.zeros((SIGNALS, points)), new_status=np.zeros(points, dtype=np.int64),
    )  # fmt: skip


def _ask_powers(
    system: System, program: Program, supplying: Integers, tasks: Integers, changing: Integers
) -> None:
    """Ask the rows of a program for their powers, and mark potentials that depend on time."""
    bodies = len(system.bodies)
    for i, summand in enumerate(program.summands):
        if supports(summand, "dissipated_power") or (i < bodies and supplying[i]):
            tasks[i] = POWERS
        potential = supports(summand, "energy") and not supports(summand, "supplied_power")
        changing[i] = i >= bodies and potential and program.lowered[i].time_dependent


class CompiledRates:
    """Rates of a run by the program of its system, and their derivatives.

    Attributes
    ----------
    program, equations
        The program, and what its kernels work on.
    new_status : (p,)
        Status of all points that follows from the last state.
    """

    def __init__(self, run: OdeRun) -> None:
        self.run, self.program = run, run.system.rate_program()
        table = contacts_in_time(run.system, self.program)
        self.equations = equations_of(run, self.program, table, audit=True)
        n, z = run.system.size, run.ends[2] - run.ends[1]
        shapes = {
            "force_by_q": (n, n), "force_by_v": (n, n), "force_by_z": (n, z),
            "z_rate_by_q": (z, n), "z_rate_by_v": (z, n), "z_rate_by_z": (z, z),
        }  # fmt: skip
        self._by = equations.Tangents(**{name: np.zeros(x) for name, x in shapes.items()})

    @staticmethod
    def of(run: OdeRun) -> tuple[CompiledRates | None, str]:
        """Rates of a run; None and the reason if they are not compiled."""
        why = without_program(run.system, audit=True)
        if not why and not layout.has_rates(run.system):
            names = [item.name for item in run.system.stateful_contacts]
            why = f"contacts {', '.join(map(repr, names))}"
        return (None, why) if why else (CompiledRates(run), "")

    @property
    def new_status(self) -> Integers:
        """Status of all points that follows from the last state."""
        return self.equations.new_status.copy()

    def at(self, t: float, y: Floats) -> Floats:
        """Rates of all that is integrated."""
        self.equations.status[:] = self.run.status
        result = np.empty_like(y)
        self._check(equations.rates(self.equations, t, y, result), t, y)
        return result

    def tangents(self, t: float, y: Floats) -> SystemRateTangents:
        """Derivatives of forces and rates at a state."""
        self.equations.status[:] = self.run.status
        self._check(equations.tangents(self.equations, t, y, self._by), t, y)
        by = self._by
        return SystemRateTangents(
            by.force_by_q.copy(), by.force_by_v.copy(), by.force_by_z.copy(),
            by.z_rate_by_q.copy(), by.z_rate_by_v.copy(), by.z_rate_by_z.copy(),
        )  # fmt: skip

    def _check(self, failed: int, t: float, y: Floats) -> None:
        if failed:
            refuse(self.run, self.program, failed, t, y)


def refuse(run: OdeRun, program: Program, failed: int, t: float, y: Floats) -> None:
    """Raise what an item that fails has to say."""
    run.law(run.state_at(t, y))
    q, v, _ = np.split(y, run.ends[:2])
    if failed <= len(program.table):
        program.check(failed, program.table, t, q, v)
    raise SolverError(f"t = {t:.6g} s: the system cannot be evaluated")


class CompiledSteps:
    """Compiled steps of a run; to the run it is a solver as scipy's are.

    Attributes
    ----------
    equations, pace, steps
        What the kernels work on: the system, accuracy and counters, the Runge-Kutta pair.
    """

    def __init__(self, run: OdeRun, program: Program, own: equations.Equations) -> None:
        self.run, self.program, self.equations = run, program, own
        size = int(run.ends[-1])
        self.steps = runge_kutta(run.options.solver, size)
        numbers = np.zeros(6)
        numbers[[march.RTOL, march.ATOL]] = run.options.rtol, run.options.atol
        numbers[march.FRACTION] = run.fraction
        self.pace = march.Pace(
            numbers=numbers, counts=np.zeros(3, dtype=np.int64), state=np.zeros(size),
            rate=np.zeros(size),
        )  # fmt: skip
        self._stepped = False

    @property
    def t(self) -> float:
        """Time reached by the steps."""
        return float(self.steps.numbers[T])

    @property
    def t_old(self) -> float:
        """Start of the last step."""
        return float(self.steps.numbers[T_OLD])

    @property
    def y(self) -> Floats:
        """State at the end of the last step."""
        return self.steps.y.copy()

    @property
    def step_size(self) -> float | None:
        """Length of the last step."""
        return self.t - self.t_old if self._stepped else None

    @property
    def status(self) -> str:
        """Whether the end of the motion is reached, as scipy's solvers tell it."""
        return "running" if self.t < self.run.end else "finished"

    def begin(self, t: float, y: Floats, first: float | None, rtol: float, atol: Floats) -> None:
        """Start anew at a state, with a first step if it is known."""
        steps, options, x = self.steps, self.run.options, self.pace.numbers
        steps.numbers[[T, END, RTOL]] = t, self.run.end, rtol
        steps.numbers[LONGEST] = options.step or np.inf
        steps.y[:], steps.atol[:], self._stepped = y, atol, False
        x[march.LARGEST] = self.run.largest
        self._prepare()
        if not march.begin(self.equations, self.pace, steps, first or 0.0):
            self._raise(t, y)
        self._count()

    def advance(self, goal: float) -> None:
        """Steps up to the first one that reaches the goal."""
        run = self.run
        self._prepare()
        why = march.PAUSED
        while why == march.PAUSED:
            run.statistics.within(run.options.max_steps, self.t)
            left, budget = PAUSE, run.options.max_steps
            if budget is not None:
                left = min(left, budget - run.statistics.steps - run.statistics.rejected)
            why = self._march(goal, left)
            self._count()
            if why == march.PAUSED:
                self.settle()
        self._stepped = True
        if why != march.REACHED:
            self._fail(why)
        run.largest = float(self.pace.numbers[march.LARGEST])

    def settle(self) -> None:
        """After a step: unit quaternions, and what the next one starts with."""
        if not march.settle(self.equations, self.pace, self.steps):
            self._raise(self.t, self.steps.y)
        self._count()

    def dense_output(self) -> CompiledSteps:
        """States inside of the last step."""
        if not march.dense_output(self.equations, self.pace, self.steps):
            self._raise(self.t, self.steps.y)
        self._count()
        return self

    def __call__(self, t: float) -> Floats:
        """State at a time inside of the last step, after `dense_output`."""
        result = np.empty(len(self.steps.y))
        interpolate(self.steps, float(t), result)
        return result

    def _prepare(self) -> None:
        """Take over what the steps start with from the run."""
        self.pace.numbers[march.FORCE] = np.abs(self.run.audit.last.forces).max(initial=0.0)
        self.equations.status[:] = self.run.status

    def _march(self, goal: float, most: int) -> int:
        return march.march(self.equations, self.pace, self.steps, goal, most)

    def _count(self) -> None:
        """Add the counters of the loop to those of the run."""
        counts, statistics = self.pace.counts, self.run.statistics
        statistics.steps += int(counts[march.STEPS])
        statistics.compiled += int(counts[march.STEPS])
        statistics.evaluations += int(counts[march.EVALUATIONS])
        counts[[march.STEPS, march.EVALUATIONS]] = 0

    def _fail(self, why: int) -> None:
        """Raise what is wrong with the last step."""
        if why == march.BROKEN:
            self._raise(self.t, self.steps.trial)
        raise endless_step(self.t) if why == march.MANY else failed_step(self.t, SHORT)

    def _raise(self, t: float, y: Floats) -> None:
        """Raise what an item that fails has to say."""
        refuse(self.run, self.program, int(self.pace.counts[march.FAILED]), t, y)
