"""Equilibrium along a path of loads: increments, Newton's method, halving.

A problem says how its forces balance at a load parameter t, from the contact history of the last
increment. Each increment is solved by Newton's method with line search, first with the elastic
tangent (all closed points stick), then with the consistent one. If that fails, the increment is
halved. An increment that does not balance is never returned; that of a contact so stiff that
round-off leaves more than the fraction `UNBALANCED` of the forces is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, repeat, takewhile
from pathlib import Path
from typing import Literal

import numpy as np

from fecontact.analysis.statics.increment import Increment, StaticProblem
from fecontact.analysis.statics.recorded import Recorded, Storing, resumed
from fecontact.analysis.statics.system_path import StaticBalance, StaticSystem
from fecontact.analysis.steady.plausible import warn_never_closed, warn_no_load
from fecontact.body.fe_body import FEBody
from fecontact.contact.plausibility import deep
from fecontact.errors import (
    Allowed,
    InputError,
    SolverError,
    at_least,
    check,
    numbers,
    renamed_keywords,
    warn_caller,
)
from fecontact.interrupts import out_of_kernels, part_of, raise_swallowed
from fecontact.joint.base import Wrench
from fecontact.results.geometry import BodyGeometry
from fecontact.results.progress import track
from fecontact.results.result import Result
from fecontact.solvers.newton import newton
from fecontact.system import System
from fecontact.system.validity.deformed import deformed_much
from fecontact.typing import Floats

__all__ = ["LoadPath", "LoadPathError", "load_path"]

TOLERANCE = 1e-8
"""Fraction of the balancing forces below which an increment counts as balanced."""

UNBALANCED = 1e-4
"""Fraction of the largest forces of the path that round-off may leave unbalanced."""

NO_LOAD = 1e-9
"""Forces in N up to which a path counts as one without load: there is but round-off to balance."""


@dataclass(frozen=True, eq=False)
class LoadPath:
    """Increments of a path; `complete` is False if it was interrupted.

    `recorded` has the records of a system, from which `result` is made.
    """

    increments: Sequence[Increment]
    complete: bool = True
    recorded: Recorded | None = field(default=None, repr=False)

    @cached_property
    def result(self) -> Result:
        """The path as a result like those of `simulate`: histories, contact fields, plots, VTK."""
        if self.recorded is None or not self.increments:
            raise InputError("invalid load path: expected increments of a System")
        return self.recorded.result(self.increments, self.complete)

    @renamed_keywords(number="index")
    def displacement(self, body: FEBody, index: int = -1) -> Floats:
        """Displacement of all unknowns of a full body at an increment, moved supports included."""
        if self.recorded is None:
            raise InputError("invalid load path: expected increments of a System")
        return self.recorded.problem.displacement(self.increments[index], body)

    @renamed_keywords(number="index")
    def reaction(self, joint: str, index: int = -1) -> Wrench:
        """Force and moment of a joint on its body b at an increment, in space components."""
        if self.recorded is None:
            raise InputError("invalid load path: expected increments of a System")
        return self.recorded.problem.reaction(self.increments[index], joint)

    @renamed_keywords(number="index")
    def plot(
        self,
        path: str | Path,
        index: int = -1,
        exaggeration: float | Literal["auto"] = "auto",
    ) -> str | None:
        """Write a picture of an increment as PNG: deformed bodies, pressure of the contact points.

        Bodies without a mesh of their own are drawn if `load_path` got their geometry. Returns
        None, or the reason why this machine cannot draw. Other plots are those of `result`.
        """
        from fecontact.view.statics import path_picture

        return path_picture(self, path, index, exaggeration)

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
    problem: System | StaticProblem,
    loads: Sequence[float] | Floats,
    *,
    halvings: int = 6,
    tolerance: float = TOLERANCE,
    callback: Callable[[Increment], None] | None = None,
    store: str | Path | None = None,
    restart: LoadPath | Result | str | Path | None = None,
    geometry: Sequence[BodyGeometry] = (),
    overwrite: bool = False,
) -> LoadPath:
    """Follow the equilibrium of a system along load parameters.

    Parameters
    ----------
    problem
        A `System`, of full finite-element bodies, reduced and rigid ones; see `StaticSystem`, which
        may be given too, or another problem that answers as `StaticProblem` asks.
    loads
        Load parameters t of the increments, in the order in which they are applied: the time of
        loads and prescribed motions.
    halvings
        How often an increment that fails may be halved.
    tolerance
        Fraction of the balancing forces that may be left.
    callback
        Called with each increment as soon as it is found, to write or to draw it.
    store
        Result file to write while the path goes on; `Result.load` reads it.
    restart
        A path of the same system, its result or result file, to go on from its last increment. A
        file is continued in place, unless `store` names another.
    geometry
        Bodies for pictures, which go to the result.
    overwrite
        Whether an existing file may be replaced.

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
    if isinstance(problem, System):
        problem = StaticSystem(problem)
    if not hasattr(problem, "start"):
        raise InputError(f"load_path: invalid {type(problem).__name__}: expected a System")
    check("halvings", halvings, at_least(0))
    check("tolerance", tolerance, Allowed("> 0 and < 1", lambda x: 0.0 < x < 1.0))
    levels = numbers("loads", loads, ("k",))
    if not len(levels):
        raise InputError(f"invalid loads = {loads}: expected at least one")
    recorded: Recorded | None = None
    before, earlier = problem.start(), None
    if isinstance(problem, StaticSystem):
        if isinstance(restart, LoadPath):
            restart = restart.result
        if restart is not None:
            before, earlier, store = resumed(problem, restart, store)
        options = {"halvings": halvings, "tolerance": tolerance}
        recorded = Recorded(problem, options, geometry, store, earlier, overwrite)
    elif store is not None or restart is not None:
        raise InputError(f"load_path: invalid {type(problem).__name__}: expected a System to store")
    _check_first(problem, before, levels)

    def advance(before: Increment, t: float) -> Increment:
        return _advance(problem, before, t, halvings, tolerance)

    path = _followed(advance, before, levels, recorded, callback)
    if path.complete:
        _refuse_round_off(path.increments, max(tolerance, UNBALANCED))
        _warn_idle(path.increments)
        _warn_deep(problem, path.increments)
        _warn_deformed(problem, path.increments)
    return path


def _followed(
    advance: Callable[[Increment, float], Increment],
    before: Increment,
    levels: Floats,
    recorded: Recorded | None,
    callback: Callable[[Increment], None] | None,
) -> LoadPath:
    """Increments along load parameters; those so far if the user interrupts."""
    done: list[Increment] = []
    with Storing(recorded) as add:
        try:
            with out_of_kernels():
                for t in track(levels, "load steps"):
                    before = advance(before, float(t))
                    done.append(before)
                    add(before)
                    raise_swallowed()
                    if callback is not None:
                        callback(before)
        except KeyboardInterrupt:
            add.end("interrupted", "interrupted; restart continues the path")
            return part_of(LoadPath(done, False, recorded))
        except SolverError as error:
            add.end("failed", str(error))
            raise LoadPathError(
                f"no equilibrium after {len(done)} of {len(levels)} increments, at t = {t:g}: "
                f"{error}; apply the load in smaller increments, or support the body if it slides "
                "away",
                LoadPath(done, False, recorded),
            ) from error
        add.end("finished")
    return LoadPath(done, True, recorded)


def _check_first(problem: StaticProblem, before: Increment, levels: Floats) -> None:
    """Refuse a path whose first load nothing can balance."""
    if isinstance(problem, StaticSystem):
        try:
            any(problem.check_first(before, float(t)) for t in levels)
        except SolverError as error:
            raise LoadPathError(f"no equilibrium: {error}", LoadPath([], complete=False)) from None


def _warn_deep(problem: StaticProblem, done: Sequence[Increment]) -> None:
    """Warn of points that are pressed in by more than small deformations allow."""
    if not isinstance(problem, StaticSystem):
        return
    for name, within in problem.pressed_into.items():
        lowest = min((each.contacts[name].gap.min() for each in done), default=0.0)
        text = deep(name, lowest, within)
        if text:
            warn_caller(text)


def _warn_deformed(problem: StaticProblem, done: Sequence[Increment]) -> None:
    """Warn of bodies that are deformed by more than small deformations allow."""
    if isinstance(problem, StaticSystem):
        looked_at = max(done, key=lambda each: abs(each.energy)), done[-1]
        states = [problem.state(each.t, each.x) for each in looked_at]
        for text in deformed_much(problem.system, states):
            warn_caller(text)


def _warn_idle(done: Sequence[Increment]) -> None:
    """Warn of a path without load, or along which no contact touches."""
    if any(len(found.closed) for each in done for found in each.contacts.values()):
        return
    warn = warn_no_load if max(each.forces for each in done) <= NO_LOAD else warn_never_closed
    warn(list(done[-1].contacts))


def _refuse_round_off(done: Sequence[Increment], fraction: float) -> None:
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
        return _newton(problem, before, t, tolerance, no_slip_first=True)
    except SolverError:
        return _newton(problem, before, t, tolerance, no_slip_first=False)


def _newton(
    problem: StaticProblem, before: Increment, t: float, tolerance: float, no_slip_first: bool
) -> Increment:
    at = _latest(lambda x: problem.at(before, t, x))

    def residual(x: Floats) -> tuple[Floats, float, float]:
        force, size, scale = at(x).residual
        return force, size, scale + at(x).round_off / tolerance

    no_slip = chain([no_slip_first], repeat(False))
    answer = newton(
        residual,
        lambda x: at(x).tangent(next(no_slip)),
        before.x,
        move=problem.move,
        tolerance=tolerance,
    )
    _, left, forces = at(answer.x).residual
    found = at(answer.x).increment()
    return replace(found, iterations=answer.iterations, forces=forces, imbalance=left)


def _latest(evaluate: Callable[[Floats], StaticBalance]) -> Callable[[Floats], StaticBalance]:
    """Keep the last evaluation, as Newton asks for it several times."""
    last: list[tuple[Floats, StaticBalance]] = []

    def at(x: Floats) -> StaticBalance:
        if not last or last[0][0] is not x:
            last[:] = [(x, evaluate(x))]
        return last[0][1]

    return at
