"""What the laws of one contact point are given, and what they answer.

A law is one file: its parameters (a frozen dataclass with checks), the declaration of its internal
variables, and scalar functions of one point with their derivatives. Arrays, compiled blocks, time
steps, continuous time, statics, linearisation and events all run these functions.

All functions take as first argument what `prepare(parameters, h)` returns: numbers that are the
same for all points of a step. Tuples `state` hold the internal variables that the law declares, but
for the elastic slip of friction, which is a vector and has a name of its own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from fecontact.contact.laws.algebra import Matrix, Vector
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.kernels.calls import inlined

__all__ = [
    "CoefficientPoint",
    "FrictionPoint",
    "FrictionRate",
    "FrictionRateSlopes",
    "FrictionSlopes",
    "FrictionStep",
    "LimitSlopes",
    "NormalPoint",
    "NormalRateSlopes",
    "Sliding",
    "StateVariable",
    "Stepping",
    "scalar",
    "status_of",
    "vector",
]

State = tuple[float, ...]


@dataclass(frozen=True)
class StateVariable:
    """Internal variable of a law: one number, or a vector along the surface.

    A vector is kept in the frame of the master and turns with it.
    """

    name: str
    size: int
    unit: str = ""


def scalar(name: str, unit: str = "") -> StateVariable:
    """Declare an internal variable that is a number."""
    return StateVariable(name, 1, unit)


def vector(name: str, unit: str = "m") -> StateVariable:
    """Declare an internal variable that is a vector along the surface: the elastic slip."""
    return StateVariable(name, 3, unit)


class Stepping(NamedTuple):
    """A point over a time step h, as a friction law sees it.

    `limit` is mu p; `trial` the elastic slip z_n + dx, `shift` the displacement dx of the slave
    along the master, `slip` the slip velocity at the end of the step.
    """

    pressure: float
    limit: float
    slip: Vector
    trial: Vector
    shift: Vector
    h: float
    status: int
    state: State


class Sliding(NamedTuple):
    """A point in continuous time with its elastic slip z, as a friction law sees it."""

    pressure: float
    limit: float
    slip: Vector
    z: Vector
    status: int
    state: State


class LimitSlopes(NamedTuple):
    """Derivatives of the friction limit by slip speed and pressure.

    `apart`: the point is open, and its pressure does not change either.
    """

    by_speed: float
    by_pressure: float
    apart: bool


class FrictionStep(NamedTuple):
    """End of a step: traction on the slave, internal variables, status, work and slip per area.

    `work` is what slip dissipates; `slid` the length of the slip, negative if the point sticks.
    """

    traction: Vector
    z: Vector
    state: State
    status: int
    work: float
    slid: float


class FrictionSlopes(NamedTuple):
    """Derivatives of the traction by trial, slip velocity, pressure, and shift at a fixed trial."""

    by_trial: Matrix
    by_slip: Matrix
    by_pressure: Vector
    by_shift: Matrix


class FrictionRate(NamedTuple):
    """Traction on the slave, rates of the internal variables, status, power and speed of slip."""

    traction: Vector
    z: Vector
    state: State
    status: int
    power: float
    speed: float


class FrictionRateSlopes(NamedTuple):
    """Derivatives of traction and rates, row by row: (3, n), (3, 3), (3,), (n, n), (n, 3), (n,).

    The n internal variables are the elastic slip and the other ones.
    """

    traction_by_state: tuple[float, ...]
    traction_by_slip: Matrix
    traction_by_pressure: Vector
    rate_by_state: tuple[float, ...]
    rate_by_slip: tuple[float, ...]
    rate_by_pressure: tuple[float, ...]


class NormalRateSlopes(NamedTuple):
    """Derivatives of pressure and rates by gap, gap rate and the m internal variables."""

    pressure_by_gap: float
    pressure_by_rate: float
    pressure_by_state: State
    rate_by_gap: State
    rate_by_rate: State
    rate_by_state: tuple[float, ...]


@inlined
def status_of(pressure: float, limit: float, slides: bool) -> int:
    """Status of a point; one that is pressed and has no friction slips."""
    if not pressure > 0.0:
        return OPEN
    return SLIP if (slides or not limit > 0.0) else STICK


@dataclass(frozen=True)
class CoefficientPoint:
    """Functions of a friction coefficient.

    prepare(parameters, h) -> k
    value(k, speed, pressure, sticks) -> mu, dmu/dspeed, dmu/dpressure
    """

    prepare: Callable[..., Any]
    value: Callable[..., tuple[float, float, float]]


@dataclass(frozen=True)
class NormalPoint:
    """Functions of a normal law.

    prepare(parameters, h) -> k
    press(k, gap, gap_rate) -> pressure, by gap, by gap rate       at rest, for steady states
    energy(k, gap) -> stored energy at rest
    step(k, gap, gap_rate, gap_before, state) -> pressure, by gap, by gap rate, state
    rate(k, gap, gap_rate, state) -> pressure, rates
    d_rate(k, gap, gap_rate, state) -> NormalRateSlopes
    balance(k, gap, gap_rate, state) -> stored energy, dissipated power

    A law without internal variables needs the first three only.
    """

    prepare: Callable[..., Any]
    press: Callable[..., tuple[float, float, float]]
    energy: Callable[..., float]
    step: Callable[..., Any] | None = None
    rate: Callable[..., Any] | None = None
    d_rate: Callable[..., NormalRateSlopes] | None = None
    balance: Callable[..., tuple[float, float]] | None = None


@dataclass(frozen=True)
class FrictionPoint:
    """Functions of a friction law.

    prepare(parameters, h) -> k
    bristle(k, pressure) -> stiffness c and damper b: it stores c |z|^2/2 and loses b |z'|^2
    slide(k, pressure, limit, slip, LimitSlopes) -> traction, by pressure, by slip   steady sliding
    step(k, Stepping) -> FrictionStep
    d_step(k, Stepping, LimitSlopes) -> FrictionSlopes
    rate(k, Sliding) -> FrictionRate
    d_rate(k, Sliding, LimitSlopes) -> FrictionRateSlopes
    """

    prepare: Callable[..., Any]
    bristle: Callable[..., tuple[float, float]]
    slide: Callable[..., tuple[Vector, Vector, Matrix]]
    step: Callable[..., FrictionStep]
    d_step: Callable[..., FrictionSlopes]
    rate: Callable[..., FrictionRate]
    d_rate: Callable[..., FrictionRateSlopes]
