"""Operating points along a parameter: steady state, linear model and modes at a value.

A branch keeps its points. Each new steady state starts from the nearest known one, and the
amplitudes of all points refer to one smooth basis: that of the first point, carried along by the
rotation that brings the new free motions nearest to it. Modes and matrices of different points can
so be compared.
"""

from __future__ import annotations

from bisect import bisect, insort
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TypeAlias

import numpy as np

from fecontact.analysis.stability.complex_modes import ComplexModes, complex_modes
from fecontact.analysis.stability.contributions import Contribution, contributions
from fecontact.analysis.stability.full.certificate import Certificate
from fecontact.analysis.stability.full.point import Models, certificate_of
from fecontact.analysis.stability.linearise import LinearModel, linearise
from fecontact.analysis.stability.power import PowerBalance, power_balance
from fecontact.analysis.stability.scope import Band
from fecontact.analysis.steady.equilibrium import SteadyState, steady_near, steady_state
from fecontact.errors import InputError, SolverError, warn_caller
from fecontact.solvers.threads import small_on_one_thread
from fecontact.system import State, System
from fecontact.system.variants.family import Family
from fecontact.typing import Floats

__all__ = [
    "AnyBranch",
    "Branch",
    "Linearised",
    "MatrixBranch",
    "OperatingPoint",
    "operating_point",
    "point_near",
]


@dataclass(frozen=True)
class Linearised:
    """A linear model with its modes."""

    model: LinearModel

    @cached_property
    def modes(self) -> ComplexModes:
        """Complex modes."""
        return complex_modes(self.model)


@dataclass(frozen=True, repr=False)
class OperatingPoint(Linearised):
    """A system in its steady state, on the flanks that carry the load, linearised.

    Printed, it says the verdict on its modes.

    Attributes
    ----------
    certificate
        Error estimates of the modes in the band against the full finite-element model, if asked
        for.
    """

    system: System
    steady: SteadyState
    certificate: Certificate | None = None

    @cached_property
    def contributions(self) -> tuple[Contribution, ...]:
        """Named terms of all items."""
        return contributions(self.system, self.steady.state, self.model.friction)

    def balance(self, mode: int | None = None) -> PowerBalance:
        """Balance of power of a mode, by default of the one in the band that grows fastest."""
        index = self.modes.leading if mode is None else mode
        return power_balance(self.model, self.contributions, self.modes, index)

    def __repr__(self) -> str:
        return repr(self.modes)


@small_on_one_thread
def operating_point(
    system: System,
    guess: Floats | State | None = None,
    friction: str = "coulomb",
    band: Band | None = None,
    certify: Models | bool = False,
    frame: str | None = None,
    repeats: int = 1,
    speed: float | None = None,
) -> OperatingPoint:
    """Find the steady state of a system and linearise it.

    Parameters
    ----------
    system, guess
        As in `steady_state`. With `frame` the guess may be a state near the steady turn, whose
        velocities are its speeds.
    friction, band
        As in `linearise`.
    certify
        Estimate the error of each eigenvalue in the band by the full finite-element model at its
        own steady state (`Certificate`), with one sparse factorisation for each mode. True: all
        elastic bodies, reduced in this process; or the finite-element models of those whose
        reduction is judged, by name.
    frame
        With a body that turns and is not one of revolution, the way: "rotating", "axisymmetric" or
        "floquet"; see `turning_point`.
    repeats, speed
        As in `turning_point`.
    """
    if frame is not None:
        from fecontact.analysis.turning.ways import turning_point

        _check_plain(frame, friction, certify)
        return turning_point(system, frame, band, repeats, speed, guess)
    q = guess.q if isinstance(guess, State) else guess
    point = _linearised(steady_state(system, q), friction, band)
    if certify is False:
        return point
    return replace(point, certificate=certificate_of(point, certify))


def _check_plain(frame: str, friction: str, certify: Models | bool) -> None:
    """Refuse what does not go with a turning frame."""
    if friction != "coulomb":
        raise InputError(
            f"invalid friction = {friction} with frame = {frame}: expected coulomb, sliding points"
        )
    if certify is not False:
        raise InputError(
            f"invalid certify with frame = {frame}: expected False; certify a point without a body "
            "that turns"
        )


@small_on_one_thread
def point_near(
    system: System, near: OperatingPoint, friction: str = "coulomb", band: Band | None = None
) -> OperatingPoint:
    """Operating point beside another one, whose amplitudes it takes; see `aligned`.

    Both systems have the same items: the other point has told whether time enters.
    """
    point = _linearised(_steady_near(system, near.steady.state.q), friction, band)
    if point.model.basis is None:
        return point
    return replace(point, model=aligned(point.model, near.model))


def _linearised(steady: SteadyState, friction: str, band: Band | None) -> OperatingPoint:
    model = linearise(steady.system, steady.state, friction, band)
    return OperatingPoint(model, steady.system, steady)


class Branch:
    """Operating points of a family of systems over one parameter.

    Parameters
    ----------
    build
        Makes the system for a value of the parameter; or, where `operating_point` has options or
        a guess of its own, its operating point.
    friction, band
        As in `linearise`.
    unloaded
        Whether points are allowed at which no contact carries load.
    """

    def __init__(
        self,
        build: Callable[[float], System | OperatingPoint],
        friction: str = "coulomb",
        band: Band | None = None,
        unloaded: bool = False,
    ) -> None:
        self.build, self.friction = build, friction
        self._family = Family(lambda system: system)
        self.band, self.unloaded = band, unloaded
        self.points: dict[float, OperatingPoint] = {}
        self._values: list[float] = []

    def at(self, value: float) -> OperatingPoint:
        """Operating point at a value of the parameter."""
        value = float(value)
        if value not in self.points:
            made, near = self.build(value), self._nearest(value)
            if isinstance(made, OperatingPoint):
                point = _judged_in(made, self.band)
            else:
                point = self._found(self._family(made), near)
            if not self.unloaded:
                point.model.scope.check_loaded()
            self.points[value] = point
            insort(self._values, value)
        return self.points[value]

    def _found(self, system: System, near: OperatingPoint | None) -> OperatingPoint:
        if near is None:
            return operating_point(system, None, self.friction, self.band)
        return point_near(system, near, self.friction, self.band)

    def _nearest(self, value: float) -> OperatingPoint | None:
        if not self.points:
            return None
        above = bisect(self._values, value)
        beside = self._values[max(above - 1, 0) : above + 1]
        return self.points[min(beside, key=lambda known: abs(known - value))]


def _steady_near(system: System, guess: Floats) -> SteadyState:
    """Steady state near a guess, or, as the neighbour may lie on another branch, without it."""
    try:
        found = steady_near(system, guess, check_time=False)
    except SolverError:
        found = steady_near(system, None, check_time=False)
    for text in found.advice:
        warn_caller(text)
    return found


def _judged_in(point: OperatingPoint, band: Band | None) -> OperatingPoint:
    """The point with the verdict of another band; None keeps it."""
    return replace(point, model=replace(point.model, scope=point.model.scope.within(band)))


class MatrixBranch:
    """Linear models over one parameter, given directly: matrices of an FE model, for example."""

    def __init__(self, model: Callable[[float], LinearModel]) -> None:
        self.model = model
        self.points: dict[float, Linearised] = {}

    def at(self, value: float) -> Linearised:
        """Linearised point at a value of the parameter."""
        value = float(value)
        if value not in self.points:
            self.points[value] = Linearised(self.model(value))
        return self.points[value]


def aligned(model: LinearModel, reference: LinearModel) -> LinearModel:
    """Return the model in the amplitudes that are nearest to those of a reference.

    Amplitudes after elimination of constraints are known up to a rotation T; it is chosen so that
    Z T is nearest to the reference's Z, and it is smooth along a branch.
    """
    Z, mass = model.basis, model.dof_mass
    if Z is None or mass is None or reference.basis is None or model.turned is None:
        return model
    if Z.shape != reference.basis.shape:
        return model
    U, _, Vt = np.linalg.svd(Z.T @ mass @ reference.basis)
    T = U @ Vt
    matrices = ("mass", "damping", "gyroscopic", "stiffness", "circulatory")
    turned = {name: T.T @ getattr(model, name) @ T for name in matrices}
    friction = model.friction
    if friction is not None:
        friction = replace(
            friction,
            force=T.T @ friction.force,
            by_position=friction.by_position @ T,
            by_rate=friction.by_rate @ T,
        )
    return replace(model, **turned, basis=Z @ T, turned=model.turned @ T, friction=friction)


AnyBranch: TypeAlias = Branch | MatrixBranch
"""Linearised points over a parameter."""
