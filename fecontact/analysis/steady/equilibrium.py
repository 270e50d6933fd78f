"""Steady states: the forces balance while the system rests or runs at constant speed.

    0 = f(t, q, v) + A^T lam,      0 = c(t, q),      0 = A v - b(t)

Unknowns are steps y along the motions that the constraints leave, dq = Z y with A Z = 0; after each
step the coordinates return to the constraints. Where Newton's method fails, pseudo-time steps bring
the system closer first (`solvers.relaxation`): contacts close, and those that lift off open. The
multipliers are those of the best balance, so redundant constraints are no difficulty. Rigid gears
press and cannot pull: the flanks that carry the load are found.

Velocities are zero, or those by which drives turn coordinates on which nothing depends: A v = b
and K v = 0, K the derivative of the forces. If none are, there is no steady state; nor if forces
or prescribed speeds change with time along that motion.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.analysis.steady.explicit_time import check_later, moves_on
from fecontact.analysis.steady.flanks import with_changed_flanks
from fecontact.analysis.steady.plausible import (
    check_normals,
    check_system,
    no_slip,
    only_friction,
    resting,
    warn_no_load,
)
from fecontact.contact.report import ContactStatus
from fecontact.errors import SolverError, check_kind, numbers, overflow_as_error, warn_caller
from fecontact.solvers.newton import NewtonResult, newton
from fecontact.solvers.relaxation import relaxed
from fecontact.solvers.threads import small_on_one_thread
from fecontact.system import State, System
from fecontact.system.constraints.metric import RowMetric, row_metric
from fecontact.system.constraints.one_sided import pulling
from fecontact.system.constraints.projection import Projector
from fecontact.system.constraints.rows import Constraints
from fecontact.system.round_off import lost_in_positions
from fecontact.system.validity.deep import pressed_deep
from fecontact.system.validity.deformed import deformed_much
from fecontact.typing import Floats, supporting, supports

__all__ = ["SteadyState", "balanced", "elastic_terms", "steady_near", "steady_state"]

STEADY = 1e-8
"""Fraction of |A| |v|^2 up to which the motion that constraints ask for counts as unaccelerated."""

ROUNDING = 2.0 * float(np.finfo(float).eps)
"""Relative round-off of positions, from which gaps are differences."""

ROUNDED = 1e-4
"""Fraction of the forces that round-off may leave unbalanced."""

UNBALANCED = 0.1
"""Fraction of all forces from which a first guess is looked at for what can never balance."""

RUNAWAY = 1e3
"""Growth of all forces from the first guess on from which what is left is compared with those."""

LEFT = 1e-6
"""Fraction of the forces at the first guess that may be left there."""

CYCLIC = 1e-10
"""Fraction of |K| |v| up to which a motion does not change the forces, in the mass metric."""


@dataclass(frozen=True)
class SteadyState:
    """Steady state with what each contact does, and the counters of the solver.

    Attributes
    ----------
    system
        The system to which the state belongs: its gears are on the flanks that carry the load.
    residual
        Imbalance, relative to the acting forces.
    round_off
        Where it exceeds the tolerance of 1e-11: what the round-off of positions, times stiffness,
        may leave of the forces (at most `ROUNDED`). The balance is as good as numbers allow.
    """

    system: System
    state: State
    residual: float
    iterations: int
    round_off: float = 0.0

    @cached_property
    def contacts(self) -> Mapping[str, ContactStatus]:
        """What the points of each contact do."""
        return {
            item.name: item.status(*self.system.local(item, self.state), self.state.t)
            for item in supporting(self.system.items, "status")
        }

    @cached_property
    def deep(self) -> tuple[str, ...]:
        """In words, the contacts whose points are pressed in deep."""
        return pressed_deep(self.system, [self.state])

    @cached_property
    def advice(self) -> tuple[str, ...]:
        """What makes the state doubtful: points pressed in deep, bodies strained or turned much."""
        return (*self.deep, *deformed_much(self.system, [self.state]))


@small_on_one_thread
def steady_state(
    system: System, guess: Floats | None = None, t: float | None = None
) -> SteadyState:
    """Find the coordinates at which all forces balance, by Newton with exact tangents.

    Parameters
    ----------
    system
        In steady sliding its coordinates rest while its bodies spin.
    guess
        First guess of the coordinates, the reference position by default.
    t
        Time in s at which the forces balance, whatever they do later: a start, or a load that
        changes slowly. By default the state is steady: a system whose forces or prescribed speeds
        change with time is refused.

    Raises
    ------
    SolverError
        If there is no convergence, if constraints cannot be met, if they ask for accelerations, or
        if teeth would pull on either flank; an unbalanced state is never returned.

    Examples
    --------
    The given flank is a guess; the one that carries the load is found:

    >>> from fecontact.body import RigidBody
    >>> from fecontact.joint import GearMesh, GearPair, TorsionSpring, Torque
    >>> one = RigidBody("one", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0))
    >>> two = RigidBody("two", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0), position=(0.16, 0.0, 0.0))
    >>> mesh = GearMesh(one, two, GearPair((20, 40), base_radius=0.05, distance=0.16), "front")
    >>> load = Torque(one, (0.0, 0.0, -80.0)), TorsionSpring(None, two, 1e3)
    >>> steady_state(System([one, two], [mesh, *load])).system.rows
    ('gear mesh.rear',)
    """
    found = balanced(system, guess, 0.0 if t is None else t)
    for text in found.advice:
        warn_caller(text)
    if t is None:
        check_later(found.system, found.state, elastic_terms(found.system, found.state.q))
    return found


def steady_near(system: System, guess: Floats | None, check_time: bool) -> SteadyState:
    """Steady state of one of many systems that have the same items, without another guess.

    Whether forces change with time is asked if `check_time`, as at the first of them. Where
    something moves on, what it reaches depends on the parameters: there it is asked each time.
    """
    found = balanced(system, guess, 0.0)
    if check_time or moves_on(found.system, found.state):
        check_later(found.system, found.state, elastic_terms(found.system, found.state.q))
    return found


def balanced(system: System, guess: Floats | None, t: float) -> SteadyState:
    """State at which the forces balance at a time; gears that pull change to their other flank."""
    check_kind("system", system, System)
    if guess is not None:
        guess = numbers("guess", guess, (len(system.reference),))
    tried = set[tuple[str, ...]]()
    while system.rows not in tried:
        tried.add(system.rows)
        with overflow_as_error(lambda: _absurd(guess)):
            found = _balanced(system, guess, t)
        wrong = pulling(system, found.state)
        if not wrong:
            return found
        system = with_changed_flanks(system, wrong)
    names = ", ".join(f"'{name}'" for name in wrong)
    raise SolverError(
        f"{names} would pull on either flank: no choice of flanks presses; use ElasticGearMesh"
    )


def _absurd(guess: Floats | None) -> str:
    """Why numbers overflow on the way to a balance."""
    if guess is None:
        return "the forces are not finite on the way to a balance: impossible values?"
    return (
        "the forces are not finite from the guess (largest value "
        f"{np.abs(guess).max(initial=0.0):.1e}): give a guess near the balance, or none"
    )


def _balanced(system: System, guess: Floats | None, t: float) -> SteadyState:
    """State at which the forces balance at a time; one-sided constraints may pull.

    Numbers may overflow: the caller keeps numpy silent and looks at what is returned.
    """
    balance = _Balance(system, _Constrained(system, t))
    constraints = balance.constraints
    first = constraints.met(system.rest().q if guess is None else guess)
    check_normals(system, constraints.at(first).state)
    forces, (_, *sizes) = balance.at(first)
    if not np.isfinite(sizes).all():
        raise SolverError(_absurd(guess))
    if _nothing_acts(system, forces, sizes[1], lambda: balance.noise(first)):
        warn_no_load([item.name for item in supporting(system.items, "status")])
        return SteadyState(system, constraints.at(first).balanced(system), 0.0, 0)
    try:
        _check_first(system, constraints.at(first), *sizes)
        answer = _solved(
            balance.residual,
            lambda q: constraints.at(q).tangent(system),
            first,
            lambda q: constraints.at(q).inertia(system),
            constraints.move,
            balance.noise,
        )
        _refuse_runaway(sizes[1], *balance.residual(answer.x)[1:])
    except SolverError as error:
        raise _explained(system, constraints.at(first), error) from None
    _refuse_round_off(answer)
    state = constraints.at(answer.x).balanced(system)
    return SteadyState(system, state, answer.residual, answer.iterations, answer.round_off)


class _Balance:
    """Balance of the forces at coordinates, along the motions that the constraints leave."""

    def __init__(self, system: System, constraints: _Constrained) -> None:
        self.system, self.constraints = system, constraints
        self._inverse_mass = system.inverse_mass
        self._elastic = supporting(system.bodies, "elastic_force")
        self._latest: dict[bytes, tuple[Floats, tuple[Floats, float, float]]] = {}

    def at(self, q: Floats) -> tuple[Floats, tuple[Floats, float, float]]:
        """Forces of the items, and the residual.

        Those of the last point are kept: start and end of the search are asked for again.
        """
        key = q.tobytes()
        if key not in self._latest:
            self._latest.clear()
            forces = self.system.forces(self.constraints.at(q).state)
            self._latest[key] = forces, self._imbalance(q, forces)
        return self._latest[key]

    def residual(self, q: Floats) -> tuple[Floats, float, float]:
        """What is left along the free motions, its size, and that of the terms."""
        return self.at(q)[1]

    def _imbalance(self, q: Floats, forces: Floats) -> tuple[Floats, float, float]:
        point = self.constraints.at(q)
        total = forces.sum(axis=0)
        terms = np.abs(forces).sum(axis=0)
        if self._elastic:
            terms += elastic_terms(self.system, point.state.q)
        if point.metric is not None:
            lam = point.metric.support(total)
            terms += np.abs(point.metric.jacobian).T @ np.abs(lam)
            total = total + point.metric.jacobian.T @ lam
        return point.along(total), self._size(total), self._size(terms)

    def noise(self, q: Floats) -> float:
        """Size of the round-off of the forces."""
        return self._size(_round_off(self.system, self.constraints.at(q).state))

    def _size(self, force: Floats) -> float:
        """Size sqrt(f^T M^-1 f): forces of all bodies on one scale."""
        return float(np.sqrt(force @ self._inverse_mass @ force))


def _refuse_runaway(first: float, left: float, terms: float) -> None:
    """Refuse a state so far away that its forces dwarf those of the start, by their levers alone.

    Whatever is left is small beside them there, also a load that nothing balances.
    """
    if terms > RUNAWAY * first and left > LEFT * first:
        raise SolverError(
            f"no convergence: the state runs away to where forces are {terms / first:.1e} times "
            f"those of the start, and {left / first:.1e} of the latter stays unbalanced"
        )


def _refuse_round_off(answer: NewtonResult) -> None:
    """Refuse a balance of which round-off may leave too much."""
    if answer.round_off > ROUNDED:
        raise SolverError(
            "a contact or a spring is too stiff: round-off of the positions leaves "
            f"{answer.round_off:.1e} of the forces unbalanced (allowed is {ROUNDED:.0e}); choose a "
            "softer penalty, for example with penalty_for(), a joint instead of the spring, or a "
            "larger load"
        )


def _nothing_acts(system: System, forces: Floats, terms: float, noise: Callable[[], float]) -> bool:
    """Whether no force acts but that of contacts whose gaps are zero up to round-off.

    `forces` (items, n) are those of the items, `terms` their size, `noise` that of round-off.

    Bodies that touch without a load are pressed by the round-off of their positions, at random:
    nothing that could balance.
    """
    if terms == 0.0:
        return True
    contacts = np.array([supports(item, "status") for item in system.items])
    return not forces[~contacts].any() and terms <= noise()


def _check_first(system: System, point: _Point, imbalance: float, terms: float) -> None:
    """Refuse what has no balance near a first guess, unless it is almost balanced there."""
    if imbalance > UNBALANCED * terms:
        check_system(system, point.state, point.basis)


def _explained(system: System, first: _Point, error: SolverError) -> SolverError:
    """Name the contacts that have no slip, or the directions that friction alone holds."""
    still = resting(system, first.state)
    if still and "no slip" in str(error):
        return no_slip(still)
    held: list[str] = []
    with suppress(SolverError):  # a look beside the first guess may leave the model
        held = only_friction(system, first.state, first.basis)
    if not held or "nothing holds" in str(error):
        return error
    return SolverError(
        f"{error}; only friction acts {', '.join(held)}: add a spring or a joint (Bearing, Bushing)"
    )


def _solved(
    residual: Callable[[Floats], tuple[Floats, float, float]],
    tangent: Callable[[Floats], Floats],
    start: Floats,
    inertia: Callable[[Floats], Floats],
    move: Callable[[Floats, Floats], Floats],
    round_off: Callable[[Floats], float],
) -> NewtonResult:
    """Newton's method, and where it fails a second time from a relaxed state.

    If there is no balance either way, the first failure is the reason.
    """
    try:
        return newton(residual, tangent, start, move=move, round_off=round_off)
    except SolverError as error:
        try:
            closer = relaxed(residual, tangent, start, inertia, move=move)
            return newton(residual, tangent, closer, move=move, round_off=round_off)
        except SolverError:
            raise SolverError(
                f"{error}; or there is no steady state, as of a clutch that locks itself or of a "
                "load that no contact carries"
            ) from None


def _round_off(system: System, state: State) -> Floats:
    """Round-off (n,) of the forces: that of positions and coordinates, times the stiffness."""
    lost = lost_in_positions(system, state)
    if len(state.q) == system.size:  # coordinates that are increment of the dofs too
        lost += np.abs(system.evaluate(state)[1]) @ np.abs(state.q)
    return ROUNDING * lost


def elastic_terms(system: System, q: Floats) -> Floats:
    """Sizes (n,) of the elastic forces, which balance inertia forces of the same body."""
    terms = np.zeros(system.size)
    for body in supporting(system.bodies, "elastic_force"):
        force = body.elastic_force(q[system.q_slices[body.name]])
        terms[system.slices[body.name]] = np.abs(force)
    return terms


@dataclass(frozen=True)
class _Point:
    """Coordinates on the constraints; without constraints there is no metric and Z = I."""

    state: State
    rows: Constraints
    metric: RowMetric | None
    basis: Floats | None

    def along(self, force: Floats) -> Floats:
        """Force Z^T f along the free motions."""
        return force if self.basis is None else self.basis.T @ force

    def balanced(self, system: System) -> State:
        """Return the state with its multipliers, or raise if the constraints accelerate it."""
        if self.metric is None:
            return self.state
        v = self.state.v
        allowed = STEADY * self.metric.largest(v) * np.abs(v).max()
        wrong = np.flatnonzero(np.abs(self.rows.bias) > allowed)
        if len(wrong):
            names = ", ".join(system.rows[i] for i in wrong)
            raise SolverError(
                f"no steady state: the constraints ask for accelerations ({names}), as a law of "
                "motion does, or a body that is led on a circle; put an elastic body that spins "
                "into a TurningFrame or use a SpinningDisc, or simulate"
            )
        force, K, _ = self.derivatives(system)
        K, speed = self.metric.scaled_matrix(K), self.metric.factor.T @ v
        change = np.abs(K @ speed)
        if change.max() > CYCLIC * np.linalg.norm(K) * np.linalg.norm(speed):
            name = system.coordinates[int(np.argmax(change))]
            raise SolverError(
                f"no steady state: the prescribed motion changes the force on {name}; drive only "
                "coordinates on which no force depends, or simulate"
            )
        return State(self.state.t, self.state.q, v, self.metric.support(force))

    def tangent(self, system: System) -> Floats:
        """Derivative of Z^T (f + A^T lam) along the free motions; velocities follow A v = b."""
        _, K, df_dv = self.derivatives(system)
        if self.metric is None or self.basis is None:
            return K
        turned = self.metric.step(self.rows.d_rate() @ self.basis)
        return self.basis.T @ (K @ self.basis - df_dv @ turned)

    def inertia(self, system: System) -> Floats:
        """Mass matrix of the free motions."""
        mass = system.mass_matrix(self.state.q)
        return mass if self.basis is None else self.basis.T @ mass @ self.basis

    def running(self, system: System) -> Floats:
        """Velocities with A v = b that leave the forces along the free motions as they are."""
        Z, K = self.basis, self.derivatives(system)[1]
        if Z is None:
            return self.state.v
        follow = np.linalg.lstsq(Z.T @ K @ Z, -Z.T @ K @ self.state.v, rcond=None)[0]
        return self.state.v + Z @ follow

    def derivatives(self, system: System) -> tuple[Floats, Floats, Floats]:
        """Force f, K = df/dq + d(A^T lam)/dq and df/dv."""
        force, df_dq, df_dv = system.evaluate(self.state)
        if self.metric is None:
            return force, df_dq, df_dv
        return force, df_dq + self.rows.d_load(self.metric.support(force)), df_dv


class _Constrained:
    """Points on the constraints; the last one is kept, as Newton asks for it several times."""

    def __init__(self, system: System, t: float) -> None:
        self.system, self.t = system, t
        self._last: tuple[bytes, _Point] | None = None

    @cached_property
    def projector(self) -> Projector:
        """Leads back to the constraints."""
        return Projector(self.system)

    def met(self, q: Floats) -> Floats:
        """Coordinates near some that fulfil the constraints."""
        if not self.system.constraints:
            return q
        return self.projector.position(State(self.t, q, np.zeros(self.system.size)))

    def at(self, q: Floats) -> _Point:
        """Velocities, rows and free motions at coordinates that fulfil the constraints."""
        key = q.tobytes()
        if self._last is None or self._last[0] != key:
            self._last = key, self._evaluate(q)
        return self._last[1]

    def move(self, q: Floats, step: Floats) -> Floats:
        """Coordinates after a step (k,) of the free motions, back on the constraints."""
        point, system = self.at(q), self.system
        if point.basis is None:
            return system.move(q, step)
        moved = State(self.t, system.move(q, point.basis @ step), np.zeros(system.size))
        return self.projector.position(moved)

    def _evaluate(self, q: Floats) -> _Point:
        system = self.system
        state = State(self.t, q, np.zeros(system.size))
        if not system.constraints:
            return _Point(state, system.constraint(state), None, None)
        point = self._with(State(self.t, q, self.projector.velocity(state)))
        if not point.state.v.any():
            return point
        return self._with(State(self.t, q, point.running(system)))

    def _with(self, state: State) -> _Point:
        rows = self.system.constraint(state)
        metric = row_metric(self.system.mass_matrix(state.q), rows.jacobian)
        return _Point(state, rows, metric, metric.null_space())
