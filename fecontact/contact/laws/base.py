"""Bases of normal laws, friction laws and friction coefficients.

A law that gives the functions of one point (`contact.laws.point`) has all its forms from here:
arrays, and the addresses by which compiled contacts call it. A law may instead be written in Python
with arrays, by the methods below; contacts with such a law run in the reference backend.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fecontact.contact.kernels.layout import (
    BLOCK,
    GAP,
    GAP_BEFORE,
    GAP_RATE,
    L_P,
    L_SPEED,
    LIMIT,
    P_GAP,
    P_RATE,
    SHIFT,
    SLID,
    SPRING,
    STATES,
    STATUS,
    T_P,
    T_S,
    T_X,
    T_Z,
    WORK,
    F,
    P,
    U,
    Z,
)
from fecontact.contact.laws.arrays import Rows, matrices, over_points, rows_of
from fecontact.contact.laws.blocks import address, friction_rate_rows, normal_rate_rows
from fecontact.contact.laws.point import (
    CoefficientPoint,
    FrictionPoint,
    NormalPoint,
    StateVariable,
    vector,
)
from fecontact.contact.status import APART, SLIP, STICK
from fecontact.errors import InputError, SolverError, renamed, warn_caller
from fecontact.typing import Floats, Integers

__all__ = [
    "UNLIMITED",
    "Coefficient",
    "FrictionLaw",
    "FrictionRate",
    "FrictionStep",
    "FrictionTangent",
    "NormalLaw",
    "NormalRate",
    "NormalStep",
    "Pressure",
    "SlidingLaw",
    "Values",
    "friction_limit",
    "friction_pressure",
    "history_states",
    "history_width",
    "stateful",
]

B = BLOCK

UNLIMITED = 1e100
"""Friction coefficient at which no point slides, not even one pressed by round-off only."""

ELASTIC_SLIP = vector("elastic_slip")
"""The elastic slip in the history of a contact, in the frame of the master."""

Pressure = tuple[Floats, Floats, Floats]
"""Pressure, and its derivatives with respect to gap and gap rate, each (p,)."""
Values = tuple[Floats, Floats, Floats]
"""mu, dmu/d|s| and dmu/dp, each (p,)."""


class Coefficient:
    """Friction coefficient of points: `point` and `parameters`, or `values` in Python."""

    point: ClassVar[CoefficientPoint | None] = None

    @property
    def parameters(self) -> Floats:
        """Numbers that the functions of a point read."""
        return np.zeros(1)

    @property
    def constant(self) -> float | None:
        """Value of points that stick or slip at any speed and pressure, if there is one."""
        return None

    def values(self, speed: Floats, pressure: Floats, status: Integers) -> Values:
        """mu, dmu/d|s| and dmu/dp, each (p,)."""
        if self.constant is not None:
            flat = np.zeros(len(speed))
            return flat + self.constant, flat, flat
        assert self.point is not None
        mu, by_speed, by_pressure = over_points(
            address("coefficient", self.point, 0, 0), self.parameters, 0.0,
            rows_of((U, speed), (P, pressure), (STATUS, status)),
            [(LIMIT, 1), (L_SPEED, 1), (L_P, 1)], STATES,
        )  # fmt: skip
        return mu, by_speed, by_pressure


def friction_limit(
    coefficient: Coefficient, slip: Floats, pressure: Floats, status: Integers
) -> Values:
    """Friction limit mu p and its derivatives by speed and pressure; none under tension."""
    speed = np.linalg.norm(slip, axis=1)
    pushed = np.maximum(pressure, 0.0)
    mu, by_speed, by_pressure = coefficient.values(speed, pushed, status)
    slope = np.where(pressure >= 0.0, mu + by_pressure * pushed, 0.0)
    return mu * pushed, by_speed * pushed, slope


@dataclass(frozen=True)
class NormalStep:
    """Pressure and state at the end of a step; derivatives of p by the gap and its rate there."""

    pressure: Floats
    z: Floats
    by_gap: Floats
    by_rate: Floats


@dataclass(frozen=True)
class NormalRate:
    """Pressure (p,) and rates (p, m); derivatives by gap, gap rate and state.

    Those of the pressure are (p,), (p,) and (p, m), of the rates (p, m), (p, m) and (p, m, m).
    """

    pressure: Floats
    z_rate: Floats
    pressure_by: tuple[Floats, Floats, Floats]
    z_rate_by: tuple[Floats, Floats, Floats]


def _take_former_methods(law: type) -> None:
    for old, new in (("flow", "rate"), ("d_flow", "d_rate")):  # former names
        if old in vars(law):
            text = f"{law.__name__}.{old} is now called {new}"
            warn_caller(text, DeprecationWarning)
            setattr(law, new, vars(law)[old])


class NormalLaw:
    """Normal law: pressure from gap and gap rate, and from internal variables if it has any.

    `pressure` and `energy` are those of a contact at rest, for statics and steady states. An
    untouched surface has z = 0.
    """

    point: ClassVar[NormalPoint | None] = None
    states: ClassVar[tuple[StateVariable, ...]] = ()

    def __init_subclass__(cls) -> None:
        """Take methods with the names of earlier versions, with a warning."""
        _take_former_methods(cls)

    @property
    def parameters(self) -> Floats:
        """Numbers that the functions of a point read."""
        return np.zeros(1)

    @property
    def width(self) -> int:
        """Number m of internal variables of a point."""
        return sum(state.size for state in self.states)

    def pressure(self, gap: Floats, gap_rate: Floats) -> Pressure:
        """Pressure at rest, and its derivatives by gap and gap rate, in the shape of the gap."""
        given = rows_of((GAP, np.ravel(gap)), (GAP_RATE, np.ravel(gap_rate)))
        wanted = [(P, 1), (P_GAP, 1), (P_RATE, 1)]
        pressure, by_gap, by_rate = self._run("press", 0.0, given, wanted)
        shape = np.shape(gap)
        return pressure.reshape(shape), by_gap.reshape(shape), by_rate.reshape(shape)

    def energy(self, gap: Floats) -> Floats:
        """Stored energy in J/m^2 at rest, in the shape of the gap; its slope is -p."""
        stored = self._run("energy", 0.0, rows_of((GAP, np.ravel(gap))), [(WORK, 1)])[0]
        return stored.reshape(np.shape(gap))

    def step(
        self, z: Floats, gap_before: Floats, gap: Floats, gap_rate: Floats, h: float
    ) -> NormalStep:
        """Pressure and state after a step from `gap_before` to `gap`."""
        given = rows_of((GAP, gap), (GAP_RATE, gap_rate), (GAP_BEFORE, gap_before), (STATES, z))
        wanted = [(P, 1), (P_GAP, 1), (P_RATE, 1), (STATES, self.width)]
        pressure, by_gap, by_rate, new = self._run("normal_step", h, given, wanted)
        return NormalStep(pressure, new.reshape(z.shape), by_gap, by_rate)

    def rate(self, z: Floats, gap: Floats, gap_rate: Floats) -> NormalRate:
        """Pressure and rates of the state, with their derivatives."""
        m, n = self.width, len(gap)
        given = rows_of((GAP, gap), (GAP_RATE, gap_rate), (STATES, z))
        pressure, rate = self._run("normal_rate", 0.0, given, [(P, 1), (STATES, m)])
        to = STATES + m * B
        wanted = [(to, 2), (to + 2 * B, m), (to + (2 + m) * B, m), (to + (2 + 2 * m) * B, m),
                  (to + (2 + 3 * m) * B, m * m)]  # fmt: skip
        by, by_state, *rates = self._run("normal_d_rate", 0.0, given, wanted)
        by_gap, by_rate, rate_by_state = rates
        return NormalRate(
            pressure=pressure,
            z_rate=rate.reshape(z.shape),
            pressure_by=(by[:, 0], by[:, 1], by_state.reshape(z.shape)),
            z_rate_by=(
                by_gap.reshape(z.shape),
                by_rate.reshape(z.shape),
                rate_by_state if z.ndim == 1 else rate_by_state.reshape(n, m, m),
            ),
        )

    def balance(self, z: Floats, gap: Floats, gap_rate: Floats) -> tuple[Floats, Floats]:
        """Stored energy in J/m^2 and dissipated power in W/m^2, each (p,)."""
        given = rows_of((GAP, gap), (GAP_RATE, gap_rate), *([(STATES, z)] if self.states else []))
        stored, lost = self._run("balance", 0.0, given, [(WORK, 1), (SLID, 1)])
        return stored, lost

    def settled(self, z: Floats, gap: Floats) -> Floats:
        """State at the start of a motion, where it must fit the gap; by default as given."""
        return z

    def _run(
        self, task: str, h: float, given: tuple[Integers, Floats], wanted: list[tuple[int, int]]
    ) -> list[Floats]:
        assert self.point is not None
        size = STATES + (self.width + normal_rate_rows(self.width)) * B
        where = address(task, self.point, 0, self.width)
        return over_points(where, self.parameters, h, given, wanted, size)


@dataclass(frozen=True)
class FrictionStep:
    """Result of a time step: traction on the slave, new z, status, slip work per area in J/m^2."""

    traction: Floats
    z: Floats
    status: Integers
    work: Floats


@dataclass(frozen=True)
class FrictionRate:
    """Traction on the slave, rate of z, status, slip power per area in W/m^2.

    Rate and power are None if the law has none: sliding bristles without damper jump.
    """

    traction: Floats
    z_rate: Floats | None
    status: Integers
    power: Floats | None


@dataclass(frozen=True)
class FrictionTangent:
    """Derivatives of traction (r = 3) or rates (r = k) by z (p, r, k), s (p, r, 3) and p (p, r).

    In the time-discrete form z is the trial elastic slip, k = 3; `by_shift` is the derivative by dx
    at fixed trial, None if it is zero.
    """

    by_z: Floats
    by_slip: Floats
    by_pressure: Floats
    by_shift: Floats | None = None


class SlidingLaw:
    """Friction of points that slide: the form of steady states."""

    point: ClassVar[FrictionPoint | None] = None
    directed: ClassVar[bool] = True
    """Whether a point without slip has no direction, and is refused."""
    mu: float | Coefficient

    @cached_property
    def coefficient(self) -> Coefficient:
        """The friction coefficient as a law."""
        from fecontact.contact.laws.coefficient import coefficient_of

        return coefficient_of(self.mu)

    @property
    def parameters(self) -> Floats:
        """Numbers that the functions of a point read."""
        return np.zeros(1)

    def traction(self, pressure: Floats, slip: Floats) -> tuple[Floats, Floats, Floats]:
        """Traction (p, 3) of steady sliding, its derivatives by pressure (p, 3), slip (p, 3, 3)."""
        assert self.point is not None
        if self.directed and np.any((pressure > 0.0) & ~np.any(slip, axis=1)):
            raise SolverError(
                "no sliding state: a contact point has no slip velocity; give the two bodies "
                "different speeds, or keep the point off the axis about which they turn; a balance "
                "at rest is found by load_path, a motion by simulate, with ElastoPlastic friction"
            )
        limit, by_speed, by_pressure = friction_limit(
            self.coefficient, slip, pressure, np.full(len(pressure), SLIP)
        )
        given = rows_of(
            (P, pressure), (U, slip), (LIMIT, limit), (L_SPEED, by_speed), (L_P, by_pressure)
        )
        traction, by_p, by_slip = over_points(
            address("slide", self.point, 0, 0), self.parameters, 0.0, given,
            [(F, 3), (T_P, 3), (T_S, 9)], STATES,
        )  # fmt: skip
        return traction, by_p, matrices(by_slip, 3)


@renamed(flow="rate", d_flow="d_rate", stuck="no_slip")
class FrictionLaw(SlidingLaw):
    """Friction in time, time-discrete and continuous.

    A law sees points with the elastic slip z (its bristle), the slip velocity s and the pressure p,
    in space components along the surface. Over a time step h the slave moves by dx: the law gets
    the trial z_tr = z_n + dx. Its bristle stores c |z|^2/2 and loses b |z'|^2 per area.
    """

    states: ClassVar[tuple[StateVariable, ...]] = ()
    """The elastic slip, a vector, then any number of scalars."""
    sticks: ClassVar[bool] = True
    """Whether a static coefficient counts while a point sticks; else that of sliding always."""

    def __init_subclass__(cls) -> None:
        """Take methods with the names of earlier versions, with a warning."""
        _take_former_methods(cls)

    if TYPE_CHECKING:  # fields of some laws, properties of others

        @property
        def stiffness(self) -> float:
            """Stiffness c_t of the bristle per area, under a typical load; 0 without bristle."""

        @property
        def damping(self) -> float:
            """Damper beta_t of the bristle per area, under a typical load."""

    @property
    def width(self) -> int:
        """Number k of internal variables of a point; three at least, those of the elastic slip."""
        return 3 + sum(state.size for state in self.states if state.size == 1)

    @property
    def rateless(self) -> bool:
        """Whether the continuous law has no rate: sliding bristles without damper jump."""
        return False

    def no_slip(self) -> FrictionLaw:
        """The law of bristles that never yield, for elastic tangents."""
        raise InputError(
            f"{type(self).__name__}.no_slip is missing: expected a method that returns the law of "
            "bristles that never yield"
        )

    def bristle(self, pressure: Floats) -> tuple[Floats, Floats]:
        """Stiffness and damper (p,) under pressures."""
        stiffness, damping = self._run(
            "bristle", 1.0, rows_of((P, pressure)), [(SPRING, 1), (WORK, 1)]
        )
        return stiffness, damping

    def step(
        self,
        z: Floats,
        slip: Floats,
        pressure: Floats,
        status: Integers,
        h: float,
        shift: Floats | None = None,
    ) -> FrictionStep:
        """Time-discrete law from the trial elastic slip z = z_n + dx and the status at t_n.

        Other internal variables follow in z (p, k). `shift` is dx; without it dx = h s.
        """
        given = self._stepping(z, slip, pressure, status, h, shift, False)
        wanted = [(F, 3), (Z, 3), (STATUS, 1), (WORK, 1), (STATES, self.width - 3)]
        traction, new, new_status, work, *others = self._run("step", h, given, wanted)
        return FrictionStep(traction, _joined(new, others), new_status.astype(np.int64), work)

    def over_path(self, path: Floats, pressure: Floats, h: float = 1.0) -> list[FrictionStep]:
        """Steps of points that are moved along a given path, from bristles at rest that stick.

        Parameters
        ----------
        path
            Displacements (k, p, 3) in m along the surface at k times; each step goes to the next.
        pressure
            Constant pressures (p,).
        h
            Length of a step in s; the slip velocity is that of the step.

        Examples
        --------
        A bristle of 1000 N/m that slips at 0.4 N: pulled by 1 mm, and back.

        >>> from fecontact import ElastoPlastic
        >>> path = np.array([0.0, 1e-4, 1e-3, 9e-4])[:, None, None] * [[1.0, 0.0, 0.0]]
        >>> steps = ElastoPlastic(0.4, 1000.0).over_path(path, np.ones(1))
        >>> [round(float(-step.traction[0, 0]), 12) for step in steps]
        [0.1, 0.4, 0.3]
        """
        points = path.shape[1]
        z, status = np.zeros((points, self.width)), np.full(points, STICK, dtype=np.int64)
        steps = []
        for shift in np.diff(path, axis=0):
            trial = z + np.column_stack([shift, np.zeros((points, self.width - 3))])
            steps.append(self.step(trial, shift / h, pressure, status, h))
            z, status = steps[-1].z, steps[-1].status
        return steps

    def d_step(
        self,
        z: Floats,
        slip: Floats,
        pressure: Floats,
        status: Integers,
        h: float,
        shift: Floats | None = None,
    ) -> FrictionTangent:
        """Derivatives of the traction of `step`."""
        given = self._stepping(z, slip, pressure, status, h, shift, True)
        wanted = [(T_Z, 9), (T_S, 9), (T_P, 3), (T_X, 9)]
        by_z, by_slip, by_pressure, by_shift = self._run("d_step", h, given, wanted)
        return FrictionTangent(
            matrices(by_z, 3), matrices(by_slip, 3), by_pressure, matrices(by_shift, 3)
        )

    def rate(self, z: Floats, slip: Floats, pressure: Floats, status: Integers) -> FrictionRate:
        """Continuous law; a rateless one has a traction and no rate."""
        if self.rateless:
            held = self.step(z, slip, pressure, status, 1.0)
            return FrictionRate(held.traction, None, held.status, None)
        given = self._sliding(z, slip, pressure, status)
        wanted = [(F, 3), (Z, 3), (STATUS, 1), (WORK, 1), (STATES, self.width - 3)]
        traction, rate, new_status, power, *others = self._run("rate", 1.0, given, wanted)
        return FrictionRate(traction, _joined(rate, others), new_status.astype(np.int64), power)

    def d_rate(
        self, z: Floats, slip: Floats, pressure: Floats, status: Integers
    ) -> tuple[FrictionTangent, FrictionTangent]:
        """Derivatives of the traction and of the rates of `rate`."""
        if self.rateless:
            raise InputError(
                "invalid friction damping = 0 with the continuous law: expected > 0; time steps "
                "do without"
            )
        n, to = self.width, STATES + (self.width - 3) * B
        sizes = (3 * n, 9, 3, n * n, 3 * n, n)
        offsets = [to + B * sum(sizes[:k]) for k in range(len(sizes))]
        given = self._sliding(z, slip, pressure, status)
        wanted = list(zip(offsets, sizes, strict=True))
        t_z, t_s, t_p, r_z, r_s, r_p = self._run("d_rate", 1.0, given, wanted)
        return (
            FrictionTangent(matrices(t_z, 3), matrices(t_s, 3), t_p),
            FrictionTangent(matrices(r_z, n), matrices(r_s, n), r_p),
        )

    def _stepping(
        self, z: Floats, slip: Floats, pressure: Floats, status: Integers, h: float,
        shift: Floats | None, tangents: bool,
    ) -> tuple[Integers, Floats]:  # fmt: skip
        """Rows of a step; those of tangents tell points that are apart from those that touch."""
        if shift is None:
            shift = np.multiply(h, slip, out=np.zeros_like(slip), where=slip != 0.0)  # h may be inf
        return self._rows(z, slip, pressure, status, tangents, (SHIFT, shift))

    def _sliding(
        self, z: Floats, slip: Floats, pressure: Floats, status: Integers
    ) -> tuple[Integers, Floats]:
        """Rows in continuous time."""
        return self._rows(z, slip, pressure, status, True)

    def _rows(
        self, z: Floats, slip: Floats, pressure: Floats, status: Integers, tangents: bool,
        *more: Rows,
    ) -> tuple[Integers, Floats]:  # fmt: skip
        """Rows of points; with `tangents`, points that are apart are told from those that touch."""
        known = status if self.sticks else np.full(len(pressure), SLIP)
        limit, by_speed, by_pressure = friction_limit(self.coefficient, slip, pressure, known)
        apart = (pressure == APART) & tangents
        return rows_of(
            (P, np.where(apart, 0.0, pressure)), (LIMIT, limit), (L_SPEED, by_speed),
            (L_P, by_pressure), (U, slip), (Z, z[:, :3]), (STATUS, status),
            (P_GAP, np.where(apart, 0.0, 1.0)), (STATES, z[:, 3:]), *more,
        )  # fmt: skip

    def _run(
        self, task: str, h: float, given: tuple[Integers, Floats], wanted: list[tuple[int, int]]
    ) -> list[Floats]:
        if self.point is None:
            raise SolverError(f"{type(self).__name__} has no form of '{task}'")
        others = self.width - 3
        size = STATES + (others + friction_rate_rows(others)) * B
        where = address(task, self.point, others, 0)
        return over_points(where, self.parameters, h, given, wanted, size)


def _joined(slip: Floats, others: list[Floats]) -> Floats:
    """Internal variables (p, k): the elastic slip and the other ones."""
    columns = others[0]
    if columns.size == 0:
        return slip
    return np.column_stack([slip, columns])


def stateful(law: object) -> NormalLaw | None:
    """The normal law if it has internal variables."""
    return law if isinstance(law, NormalLaw) and law.states else None


def history_width(normal: object, friction: object) -> int:
    """Number of internal variables of a point: those of friction, then those of the normal law.

    A law that declares none and is not of this package has the elastic slip alone.
    """
    own = friction.width if isinstance(friction, FrictionLaw) else 3
    return own + (normal.width if isinstance(normal, NormalLaw) else 0)


def history_states(normal: object, friction: object) -> tuple[StateVariable, ...]:
    """Internal variables of a point in the order of its history, by their names in results.

    The elastic slip is the first; a law without friction history has none.
    """
    if not isinstance(friction, FrictionLaw):
        return ()
    declared = (*friction.states, *(normal.states if isinstance(normal, NormalLaw) else ()))
    others = [state for state in declared if state.size == 1]
    vectors = [state.name for state in declared if state.size > 1]
    if len(vectors) > 1:
        raise InputError(
            f"invalid states = {vectors}: expected one vector, the elastic slip, and scalars"
        )
    names = [ELASTIC_SLIP.name, *(state.name for state in others)]
    for name in names:
        if names.count(name) > 1:
            raise InputError(
                f"invalid states = {names}: expected different names, and '{name}' is there twice"
            )
    return (ELASTIC_SLIP, *others)


def friction_pressure(pressure: Pressure) -> Floats:
    """Pressure (p,) for the tangents of a friction law.

    A point that just touches may stick. An open one, whose pressure does not change either, may
    not: for the law it is `APART`.
    """
    return np.where(np.any(pressure, axis=0), pressure[0], APART)
