"""Equilibrium along a path of loads: increments, Newton's method, halving.

A problem says how its forces balance at a load parameter t, from the contact history of the last
increment. Each increment is solved by Newton's method with line search, first with the elastic
tangent (all closed points stick), then with the consistent one. If that fails, the increment is
halved. An increment that does not balance is never returned; that of a contact so stiff that
round-off leaves more than the share `UNBALANCED` of the forces is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, repeat, takewhile
from typing import Protocol, runtime_checkable

import numpy as np

from fecontact.analysis.steady.plausible import warn_never_closed, warn_no_load
from fecontact.contact.depth import deep
from fecontact.contact.evaluate.step import ContactHistory, ContactStep
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.errors import (
    Allowed,
    InputError,
    SolverError,
    at_least,
    check,
    numbers,
    warn_caller,
)
from fecontact.interrupts import out_of_kernels, part_of, raise_swallowed
from fecontact.results.progress import track
from fecontact.solvers.newton import newton
from fecontact.typing import Floats, Integers

__all__ = [
    "Balance",
    "ContactResult",
    "Increment",
    "LoadPath",
    "LoadPathError",
    "StaticProblem",
    "load_path",
    "round_off",
]

TOLERANCE = 1e-8
"""Share of the balancing forces below which an increment counts as balanced."""

UNBALANCED = 1e-4
"""Share of the largest forces of the path that round-off may leave unbalanced."""

NO_LOAD = 1e-9
"""Forces in N up to which a path counts as one without load: there is but round-off to balance."""

ROUNDING = 10.0 * float(np.finfo(float).eps)
"""Relative round-off of positions, from which gaps and elastic slips are differences."""


def round_off(step: ContactStep) -> float:
    """Round-off in N of the contact forces: that of the positions times the stiffness.

    Positions are those from which the step started: a trial that flies away must not be excused.
    """
    stiffness = np.abs(step.pressure[1]) + step.start.law.stiffness * (step.pressure[0] > 0.0)
    position = np.linalg.norm(step.start.position, axis=1)
    return ROUNDING * float(np.linalg.norm(step.start.pair.surface.weights * stiffness * position))


@dataclass(frozen=True, eq=False)
class ContactResult:
    """Contact at the end of an increment.

    Attributes
    ----------
    gap, pressure : (p,)
        In m and Pa.
    traction : (p, 3)
        Friction traction on the slave in Pa.
    status : (p,)
        OPEN, STICK, SLIP.
    slip_work : (p,)
        Energy in J that slip has dissipated since the start of the path.
    bristle_energy
        Energy in J that the tangential bristles store.
    force : (3,)
        Sum of all forces on the slave in N.
    history
        From which the next increment starts.
    """

    gap: Floats
    pressure: Floats
    traction: Floats
    status: Integers
    slip_work: Floats
    bristle_energy: float
    force: Floats
    history: ContactHistory

    @staticmethod
    def of(step: ContactStep, before: ContactResult | None) -> ContactResult:
        """Take the results of a step, and add its slip work to that of the path."""
        earlier = 0.0 if before is None else before.slip_work
        weights = step.start.pair.surface.weights
        spring, _ = step.start.law.bristle(step.pressure[0])
        energy = 0.5 * float(weights @ (spring * np.sum(step.friction.z**2, axis=1)))
        return ContactResult(
            gap=step.kinematics.gap,
            pressure=step.pressure[0],
            traction=step.friction.traction,
            status=step.friction.status,
            slip_work=earlier + step.slip_work,
            bristle_energy=energy,
            force=step.point_force.sum(axis=0),
            history=step.history,
        )

    @property
    def closed(self) -> Integers:
        """Numbers of the points in contact."""
        return np.flatnonzero(self.status != OPEN)

    @property
    def sticking(self) -> Integers:
        """Numbers of the points that stick."""
        return np.flatnonzero(self.status == STICK)

    @property
    def sliding(self) -> Integers:
        """Numbers of the points that slide."""
        return np.flatnonzero(self.status == SLIP)


@dataclass(frozen=True, eq=False)
class Increment:
    """Equilibrium at one load.

    Attributes
    ----------
    t
        Load parameter.
    x
        Unknowns of the problem.
    contacts
        Contact name -> what its points do.
    energy
        Energy in J stored in bodies, joints and loads; without the contacts.
    iterations
        Newton iterations, of all parts if the increment was halved.
    forces, imbalance
        Size in N of the terms that balance each other, and of what is left.
    """

    t: float
    x: Floats
    contacts: Mapping[str, ContactResult]
    energy: float
    iterations: int = 0
    forces: float = 0.0
    imbalance: float = 0.0

    @property
    def residual(self) -> float:
        """Imbalance relative to the forces; 0 without any."""
        return self.imbalance / self.forces if self.forces > 0.0 else 0.0


class Balance(Protocol):
    """Forces of a problem at trial unknowns."""

    @property
    def residual(self) -> tuple[Floats, float, float]:
        """Residual (n,), its size, and the size of the terms that balance each other."""
        ...

    @property
    def round_off(self) -> float:
        """Size of the residual that round-off may leave."""
        ...

    def tangent(self, stuck: bool) -> Floats:
        """Derivative (n, n) of the residual; stuck: as if no closed point slid."""
        ...

    def increment(self) -> Increment:
        """Accept the trial."""
        ...


class StaticProblem(Protocol):
    """Bodies with contact whose forces balance at any load parameter."""

    def start(self) -> Increment:
        """State before the first load, without contact history."""
        ...

    def at(self, before: Increment, t: float, x: Floats) -> Balance:
        """Forces at unknowns x, after the given increment."""
        ...

    def move(self, x: Floats, step: Floats) -> Floats:
        """Unknowns after a step."""
        ...


@runtime_checkable
class HasChecks(Protocol):
    """A problem that sees what can never balance, and knows what its contacts press on."""

    def check_first(self, before: Increment, t: float) -> bool:
        """Raise if nothing balances the load at t; else return whether there is one."""
        ...

    @property
    def pressed_into(self) -> Mapping[str, tuple[float, str]]:
        """Contact name -> smallest length in m that it is pressed into, and what it is."""
        ...


@dataclass(frozen=True, eq=False)
class LoadPath:
    """Increments of a path; `complete` is False if it was interrupted."""

    increments: Sequence[Increment]
    complete: bool = True

    @cached_property
    def t(self) -> Floats:
        """Load parameters (k,)."""
        return np.array([each.t for each in self.increments])

    @cached_property
    def x(self) -> Floats:
        """Unknowns (k, n)."""
        return np.array([each.x for each in self.increments])

    def force(self, name: str = "contact") -> Floats:
        """Contact forces (k, 3) on the slave in N."""
        return np.array([each.contacts[name].force for each in self.increments])

    def slip_work(self, name: str = "contact") -> Floats:
        """Dissipated energy (k,) of a contact since the start, in J."""
        return np.array([each.contacts[name].slip_work.sum() for each in self.increments])


class LoadPathError(SolverError):
    """An increment has no equilibrium; `path` holds those before it."""

    def __init__(self, message: str, path: LoadPath) -> None:
        super().__init__(message)
        self.path = path


def load_path(
    problem: StaticProblem,
    loads: Sequence[float] | Floats,
    *,
    halvings: int = 6,
    tolerance: float = TOLERANCE,
    callback: Callable[[Increment], None] | None = None,
) -> LoadPath:
    """Follow the equilibrium along load parameters.

    Parameters
    ----------
    problem
        A `StaticSystem`, or another problem that answers as `StaticProblem` asks.
    loads
        Load parameters t of the increments, in the order in which they are applied.
    halvings
        How often an increment that fails may be halved.
    tolerance
        Share of the balancing forces that may be left.
    callback
        Called with each increment as soon as it is found, to write or to draw it.

    Returns
    -------
    LoadPath
        One increment for each load. If the user interrupts, those computed so far.

    Raises
    ------
    LoadPathError
        If an increment finds no equilibrium: there is none, or the increments are too large. If
        round-off of a very stiff contact leaves too much of the forces unbalanced.
    """
    if not hasattr(problem, "start"):
        raise InputError(
            f"load_path: invalid {type(problem).__name__}: expected a StaticSystem(system)"
        )
    check("halvings", halvings, at_least(0))
    check("tolerance", tolerance, Allowed("> 0 and < 1", lambda x: 0.0 < x < 1.0))
    levels = numbers("loads", loads, ("k",))
    if not len(levels):
        raise InputError(f"loads = {loads} is not possible: there must be at least one")
    done: list[Increment] = []
    before = problem.start()
    _check_first(problem, before, levels)
    try:
        with out_of_kernels():
            for t in track(levels, "load steps"):
                before = _advance(problem, before, float(t), halvings, tolerance)
                done.append(before)
                raise_swallowed()
                if callback is not None:
                    callback(before)
    except KeyboardInterrupt:
        return part_of(LoadPath(done, complete=False))
    except SolverError as error:
        raise LoadPathError(
            f"no equilibrium after {len(done)} of {len(levels)} increments, at t = {t:g}: {error}; "
            "apply the load in smaller increments, or support the body if it slides away",
            LoadPath(done, complete=False),
        ) from error
    _refuse_round_off(done, max(tolerance, UNBALANCED))
    _warn_idle(done)
    _warn_deep(problem, done)
    return LoadPath(done)


def _check_first(problem: StaticProblem, before: Increment, levels: Floats) -> None:
    """Refuse a path whose first load nothing can balance."""
    if isinstance(problem, HasChecks):
        try:
            any(problem.check_first(before, float(t)) for t in levels)
        except SolverError as error:
            raise LoadPathError(f"no equilibrium: {error}", LoadPath([], complete=False)) from None


def _warn_deep(problem: StaticProblem, done: list[Increment]) -> None:
    """Warn of points that are pressed in by more than small deformations allow."""
    if not isinstance(problem, HasChecks):
        return
    for name, within in problem.pressed_into.items():
        lowest = np.array([each.contacts[name].gap.min() for each in done])
        text = deep(name, lowest, within)
        if text:
            warn_caller(text)


def _warn_idle(done: list[Increment]) -> None:
    """Warn of a path without load, or along which no contact touches."""
    if any(len(found.closed) for each in done for found in each.contacts.values()):
        return
    warn = warn_no_load if max(each.forces for each in done) <= NO_LOAD else warn_never_closed
    warn(list(done[-1].contacts))


def _refuse_round_off(done: list[Increment], fraction: float) -> None:
    """Refuse more imbalance than the largest forces of a path excuse, unless it has no load."""
    left, forces = max(each.imbalance for each in done), max(each.forces for each in done)
    if forces > NO_LOAD and left > fraction * forces:
        raise LoadPathError(
            f"the contact is too stiff: round-off of the positions leaves {left:.2g} N unbalanced, "
            f"{left / forces:.1e} of the forces (allowed is {fraction:.0e}); "
            "choose a softer penalty, "
            "for example with penalty_for()",
            LoadPath(
                list(takewhile(lambda each: each.imbalance <= fraction * forces, done)), False
            ),
        )


def _advance(
    problem: StaticProblem, before: Increment, t: float, halvings: int, tolerance: float
) -> Increment:
    """Next increment, in halves if need be."""
    try:
        return _solve(problem, before, t, tolerance)
    except SolverError:
        if halvings == 0 or t == before.t:
            raise
    middle = _advance(problem, before, 0.5 * (before.t + t), halvings - 1, tolerance)
    end = _advance(problem, middle, t, halvings - 1, tolerance)
    return replace(end, iterations=end.iterations + middle.iterations)


def _solve(problem: StaticProblem, before: Increment, t: float, tolerance: float) -> Increment:
    """Newton's method from the last increment; without the elastic tangent if that fails."""
    try:
        return _newton(problem, before, t, tolerance, stuck_first=True)
    except SolverError:
        return _newton(problem, before, t, tolerance, stuck_first=False)


def _newton(
    problem: StaticProblem, before: Increment, t: float, tolerance: float, stuck_first: bool
) -> Increment:
    at = _latest(lambda x: problem.at(before, t, x))

    def residual(x: Floats) -> tuple[Floats, float, float]:
        force, size, scale = at(x).residual
        return force, size, scale + at(x).round_off / tolerance

    stuck = chain([stuck_first], repeat(False))
    answer = newton(
        residual,
        lambda x: at(x).tangent(next(stuck)),
        before.x,
        move=problem.move,
        tolerance=tolerance,
    )
    _, left, forces = at(answer.x).residual
    found = at(answer.x).increment()
    return replace(found, iterations=answer.iterations, forces=forces, imbalance=left)


def _latest(evaluate: Callable[[Floats], Balance]) -> Callable[[Floats], Balance]:
    """Keep the last evaluation, as Newton asks for it several times."""
    last: list[tuple[Floats, Balance]] = []

    def at(x: Floats) -> Balance:
        if not last or last[0][0] is not x:
            last[:] = [(x, evaluate(x))]
        return last[0][1]

    return at
