"""Base of normal laws: pressure from gap and gap rate."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import numpy as np

from fecontact.contact.kernels.layout import (
    BLOCK,
    GAP,
    GAP_BEFORE,
    GAP_RATE,
    P_GAP,
    P_RATE,
    SLID,
    STATES,
    WORK,
    P,
)
from fecontact.contact.kernels.slope_rows import normal_slope_rows, slopes_at
from fecontact.contact.laws.base.arrays import over_points, rows_of
from fecontact.contact.laws.base.blocks import address
from fecontact.contact.laws.base.former import take_former_methods
from fecontact.contact.laws.point import NormalPoint, StateVariable
from fecontact.contact.status import APART
from fecontact.typing import Floats, Integers

__all__ = ["NormalLaw", "NormalRate", "NormalStep", "Pressure", "friction_pressure"]

B = BLOCK

Pressure = tuple[Floats, Floats, Floats]
"""Pressure, and its derivatives with respect to gap and gap rate, each (p,)."""


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


class NormalLaw:
    """Normal law: pressure from gap and gap rate, and from internal variables if it has any.

    `pressure` and `energy` are those of a contact at rest, for statics and steady states. An
    untouched surface has z = 0.
    """

    point: ClassVar[NormalPoint | None] = None
    states: ClassVar[tuple[StateVariable, ...]] = ()

    def __init_subclass__(cls) -> None:
        """Take methods with the names of earlier versions, with a warning."""
        take_former_methods(cls)

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
        rows = normal_slope_rows(slopes_at(0, m), m)
        wanted = [(at, (end - at) // B) for at, end in pairwise(rows)]
        p_gap, p_rate, by_state, *rates = self._run("normal_d_rate", 0.0, given, wanted)
        by_gap, by_rate, rate_by_state = rates
        return NormalRate(
            pressure=pressure,
            z_rate=rate.reshape(z.shape),
            pressure_by=(p_gap, p_rate, by_state.reshape(z.shape)),
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
        size = normal_slope_rows(slopes_at(0, self.width), self.width).end
        where = address(task, self.point, 0, self.width)
        return over_points(where, self.parameters, h, given, wanted, size)


def friction_pressure(pressure: Pressure) -> Floats:
    """Pressure (p,) for the tangents of a friction law.

    A point that just touches may stick. An open one, whose pressure does not change either, may
    not: for the law it is `APART`.
    """
    return np.where(np.any(pressure, axis=0), pressure[0], APART)
