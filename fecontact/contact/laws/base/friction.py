"""Bases of friction laws: of points that slide, and of bristles in time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from fecontact.contact.kernels.layout import (
    BLOCK,
    L_P,
    L_SPEED,
    LIMIT,
    P_GAP,
    SHIFT,
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
from fecontact.contact.kernels.slope_rows import friction_slope_rows, slopes_at
from fecontact.contact.laws.base.arrays import Rows, matrices, over_points, rows_of
from fecontact.contact.laws.base.blocks import address
from fecontact.contact.laws.base.former import take_former_methods
from fecontact.contact.laws.base.limit import Coefficient, friction_limit
from fecontact.contact.laws.point import FrictionPoint, StateVariable
from fecontact.contact.status import APART, SLIP, STICK
from fecontact.errors import InputError, SolverError, renamed
from fecontact.typing import Floats, Integers

__all__ = ["FrictionLaw", "FrictionRate", "FrictionStep", "FrictionTangent", "SlidingLaw"]

B = BLOCK


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
        take_former_methods(cls)

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
        n, rows = self.width, friction_slope_rows(slopes_at(self.width - 3, 0), self.width - 3)
        given = self._sliding(z, slip, pressure, status)
        wanted = [(at, (end - at) // B) for at, end in pairwise(rows)]
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
        size = friction_slope_rows(slopes_at(others, 0), others).end
        where = address(task, self.point, others, 0)
        return over_points(where, self.parameters, h, given, wanted, size)


def _joined(slip: Floats, others: list[Floats]) -> Floats:
    """Internal variables (p, k): the elastic slip and the other ones."""
    columns = others[0]
    if columns.size == 0:
        return slip
    return np.column_stack([slip, columns])
