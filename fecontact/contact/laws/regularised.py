"""Coulomb friction smoothed over the slip speed, for comparison with laws that stick.

    T = -mu p f(|s|/v_d) s/|s|,      f(x) = (2/pi) arctan x  or  tanh x

It has no memory and slides under any load.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from fecontact.contact.laws.coefficient import (
    Coefficient,
    coefficient_of,
    friction_limit,
    refuse_static,
)
from fecontact.contact.laws.friction import FrictionFlow, FrictionStep, FrictionTangent
from fecontact.contact.status import OPEN, SLIP
from fecontact.errors import POSITIVE, check, one_of
from fecontact.typing import Floats, Integers

__all__ = ["RegularisedCoulomb"]


@dataclass(frozen=True)
class RegularisedCoulomb:
    """Coulomb friction smoothed over the speed v_d in m/s; "arctan" (Jehle) or "tanh" (Keppler).

    A static coefficient is refused: the law never sticks.
    """

    mu: float | Coefficient
    speed: float
    form: str = "arctan"
    needs_shift: ClassVar[bool] = True
    stiffness: ClassVar[float] = 0.0
    damping: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        check("regularisation speed", self.speed, POSITIVE, "m/s")
        check("form", self.form, one_of(("arctan", "tanh")))
        refuse_static(self.coefficient, "regularised friction, which never sticks")

    @cached_property
    def coefficient(self) -> Coefficient:
        """The friction coefficient as a law."""
        return coefficient_of(self.mu)

    def bristle(self, pressure: Floats) -> tuple[Floats, Floats]:
        """Stiffness and damper (p,), the same under all pressures."""
        return np.full_like(pressure, self.stiffness), np.full_like(pressure, self.damping)

    def traction(self, pressure: Floats, slip: Floats) -> tuple[Floats, Floats, Floats]:
        """Traction (p, 3), its derivatives with respect to pressure (p, 3) and slip (p, 3, 3)."""
        speed = np.linalg.norm(slip, axis=1)
        slides = np.full(len(speed), SLIP)
        limit, by_speed, by_pressure = friction_limit(self.coefficient, slip, pressure, slides)
        x = speed / self.speed
        if self.form == "arctan":
            f, slope = 2.0 / np.pi * np.arctan(x), 2.0 / np.pi / (1.0 + x**2)
        else:
            f, slope = np.tanh(x), 1.0 / np.cosh(np.minimum(x, 300.0)) ** 2
        moving = speed > 0.0
        e = slip / np.where(moving, speed, 1.0)[:, None]
        slope = slope / self.speed
        across = limit * np.where(moving, f / np.where(moving, speed, 1.0), slope)
        along = limit * slope + by_speed * f
        outer = e[:, :, None] * e[:, None, :]
        return (
            -(limit * f)[:, None] * e,
            -(by_pressure * f)[:, None] * e,
            (across - along)[:, None, None] * outer - across[:, None, None] * np.eye(3),
        )

    def step(
        self,
        z: Floats,
        slip: Floats,
        pressure: Floats,
        mode: Integers,
        h: float,
        shift: Floats | None = None,
    ) -> FrictionStep:
        """Traction at the end of a step; the bristle stays straight."""
        traction, new = self.traction(pressure, slip)[0], np.where(pressure > 0.0, SLIP, OPEN)
        work = -np.sum(traction * (h * slip if shift is None else shift), axis=1)
        return FrictionStep(traction, np.zeros_like(z), new, work)

    def d_step(
        self,
        z: Floats,
        slip: Floats,
        pressure: Floats,
        mode: Integers,
        h: float,
        shift: Floats | None = None,
    ) -> FrictionTangent:
        """Derivatives of the traction."""
        _, by_pressure, by_slip = self.traction(pressure, slip)
        return FrictionTangent(np.zeros_like(by_slip), by_slip, by_pressure)

    def flow(self, z: Floats, slip: Floats, pressure: Floats, mode: Integers) -> FrictionFlow:
        """Traction; there is no state."""
        traction = self.traction(pressure, slip)[0]
        power = -np.sum(traction * slip, axis=1)
        return FrictionFlow(traction, np.zeros_like(z), np.where(pressure > 0.0, SLIP, OPEN), power)

    def d_flow(
        self, z: Floats, slip: Floats, pressure: Floats, mode: Integers
    ) -> tuple[FrictionTangent, FrictionTangent]:
        """Derivatives of the traction; the rate is zero."""
        by = self.d_step(z, slip, pressure, mode, 1.0)
        return by, FrictionTangent(
            by.by_z, np.zeros_like(by.by_slip), np.zeros_like(by.by_pressure)
        )

    def stuck(self) -> RegularisedCoulomb:
        """The law itself: it never sticks."""
        return self
