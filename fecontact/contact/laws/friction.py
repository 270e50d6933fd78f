"""What a friction law answers: traction, memory and their derivatives, for all points at once.

A law sees points with the elastic slip z (its bristle), the slip velocity s and the pressure p, in
space components along the surface. Over a time step h the slave moves by dx: the law gets the
trial z_tr = z_n + dx. Its bristle stores c |z|^2/2 and loses beta |z'|^2 per area.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol, runtime_checkable

from fecontact.contact.laws.coefficient import Coefficient
from fecontact.typing import Floats, Integers

__all__ = [
    "FrictionFlow",
    "FrictionLaw",
    "FrictionStep",
    "FrictionTangent",
    "SlidingLaw",
]

UNLIMITED = 1e100
"""Friction coefficient at which no point slides, not even one pressed by round-off only."""


@dataclass(frozen=True)
class FrictionStep:
    """Result of a time step: traction on the slave, new z, modes, slip work per area in J/m^2."""

    traction: Floats
    z: Floats
    mode: Integers
    work: Floats


@dataclass(frozen=True)
class FrictionFlow:
    """Traction on the slave, rate of z, modes, slip power per area in W/m^2.

    Rate and power are None if the law has none: sliding bristles without damper jump.
    """

    traction: Floats
    rate: Floats | None
    mode: Integers
    power: Floats | None


@dataclass(frozen=True)
class FrictionTangent:
    """Derivatives of a vector (p, 3), traction or rate, by z, s (p, 3, 3) and p (p, 3).

    In the time-discrete form z is the trial elastic slip; `by_shift` is the derivative by dx at
    fixed trial, None if it is zero.
    """

    by_z: Floats
    by_slip: Floats
    by_pressure: Floats
    by_shift: Floats | None = None


class SlidingLaw(Protocol):
    """Friction of points that slide, the form of steady states."""

    def traction(self, pressure: Floats, slip: Floats) -> tuple[Floats, Floats, Floats]:
        """Traction (p, 3), its derivatives with respect to pressure (p, 3) and slip (p, 3, 3)."""
        ...


@runtime_checkable
class FrictionLaw(SlidingLaw, Protocol):
    """Friction in time, time-discrete and continuous."""

    needs_shift: ClassVar[bool]
    """Whether the time-discrete law asks for dx beside the trial."""

    @property
    def stiffness(self) -> float:
        """Stiffness c_t of the bristle per area, under a typical load; 0 without bristle."""
        ...

    @property
    def damping(self) -> float:
        """Damper beta_t of the bristle per area, under a typical load."""
        ...

    def bristle(self, pressure: Floats) -> tuple[Floats, Floats]:
        """Stiffness and damper (p,) under pressures."""
        ...

    @property
    def coefficient(self) -> Coefficient:
        """The friction coefficient."""
        ...

    def step(
        self,
        z: Floats,
        slip: Floats,
        pressure: Floats,
        mode: Integers,
        h: float,
        shift: Floats | None = None,
    ) -> FrictionStep:
        """Time-discrete law from the trial elastic slip z = z_n + dx and the modes at t_n.

        `shift` is dx; without it dx = h s.
        """
        ...

    def d_step(
        self,
        z: Floats,
        slip: Floats,
        pressure: Floats,
        mode: Integers,
        h: float,
        shift: Floats | None = None,
    ) -> FrictionTangent:
        """Derivatives of the traction of `step`."""
        ...

    def flow(self, z: Floats, slip: Floats, pressure: Floats, mode: Integers) -> FrictionFlow:
        """Continuous law."""
        ...

    def d_flow(
        self, z: Floats, slip: Floats, pressure: Floats, mode: Integers
    ) -> tuple[FrictionTangent, FrictionTangent]:
        """Derivatives of the traction and of the rate of z of `flow`."""
        ...

    def stuck(self) -> FrictionLaw:
        """The law of bristles that never yield, for elastic tangents."""
        ...
