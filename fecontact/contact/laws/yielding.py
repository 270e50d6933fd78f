"""What the laws share whose bristles bend like springs and yield at the friction limit.

A law states the spring and damper of its bristles; the time-discrete form and the limit of steady
sliding follow (`contact.kernels.yielding.yielded`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property
from typing import ClassVar

import numpy as np

from fecontact.contact.kernels.yielding import return_map
from fecontact.contact.laws.coefficient import Coefficient, coefficient_of, friction_limit
from fecontact.contact.laws.friction import FrictionStep
from fecontact.contact.laws.sliding import CoulombSliding
from fecontact.errors import InputError
from fecontact.typing import Floats, Integers

__all__ = ["Yielding", "refuse_undamped"]


def refuse_undamped(damping: float) -> None:
    """Bristles without damper jump when they slide: the continuous law has no rate."""
    if damping == 0.0:
        raise InputError(
            "friction damping = 0 is not possible with the continuous law: it must be > 0; time "
            "steps do without"
        )


class Yielding(ABC):
    """A law with springs and dampers under a friction limit; `mu` is a number or a law."""

    mu: float | Coefficient
    needs_shift: ClassVar[bool] = True

    @cached_property
    def coefficient(self) -> Coefficient:
        """The friction coefficient as a law."""
        return coefficient_of(self.mu)

    @abstractmethod
    def bristle(self, pressure: Floats) -> tuple[Floats, Floats]:
        """Stiffness and damper (p,) under pressures."""

    def traction(self, pressure: Floats, slip: Floats) -> tuple[Floats, Floats, Floats]:
        """Traction of sliding points, the limit c_t -> infinity: as `CoulombSliding`."""
        return CoulombSliding(self.mu).traction(pressure, slip)

    def step(
        self,
        z: Floats,
        slip: Floats,
        pressure: Floats,
        mode: Integers,
        h: float,
        shift: Floats | None = None,
    ) -> FrictionStep:
        """Time-discrete law from the trial elastic slip z = z_n + dx and the modes at t_n."""
        limit = friction_limit(self.coefficient, slip, pressure, mode)[0]
        new, traction = np.array(z), np.empty_like(z)
        work, modes = np.empty_like(limit), np.empty(len(limit), dtype=np.int64)
        dx = h * slip if shift is None else shift
        return_map(
            *self.bristle(pressure), h, pressure, limit, slip, dx, new, traction, work, modes
        )
        return FrictionStep(traction, new, modes, work)
