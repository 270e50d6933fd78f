"""What a time step and the continuous form of an Eulerian contact share."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from fecontact.body.rotation import cross_matrix
from fecontact.contact.approach import Approach, Change
from fecontact.contact.elasto_plastic import ElastoPlastic, FrictionTangent
from fecontact.contact.eulerian_rings import Rings
from fecontact.contact.eulerian_slave import SlaveFrame
from fecontact.contact.normal import NormalLaw
from fecontact.contact.surface import Surface
from fecontact.typing import Floats

__all__ = ["EulerianPoints", "Spun"]


class Spun(Protocol):
    """What the forms need of a pair; an `EulerianPair` is one."""

    @property
    def surface(self) -> Surface:
        """Points with weights."""
        ...

    @property
    def normal(self) -> NormalLaw:
        """Law of the pressure."""
        ...

    @property
    def law(self) -> ElastoPlastic:
        """Law of the traction."""
        ...

    @property
    def rings(self) -> Rings | None:
        """Rings of the points; None if no material passes them."""
        ...

    def approach(self, q: Floats, v: Floats, t: float = 0.0) -> Approach:
        """Kinematics of all points."""
        ...

    def frame(self, q: Floats, v: Floats) -> SlaveFrame:
        """Frame of the history."""
        ...


@dataclass(frozen=True, eq=False)
class EulerianPoints:
    """The points of a pair at a state: pressure, and how vectors of the slave's frame move."""

    pair: Spun
    approach: Approach
    frame: SlaveFrame

    @cached_property
    def pressure(self) -> tuple[Floats, Floats, Floats]:
        """Pressure (p,) and its derivatives by gap and gap rate."""
        return self.pair.normal.pressure(self.approach.gap, self.approach.gap_rate)

    def load(self, traction: Floats) -> Floats:
        """Forces F (p, 3) on the slave."""
        weights = self.pair.surface.weights[:, None]
        return weights * (self.pressure[0][:, None] * self.approach.normal + traction)

    def d_traction(self, law: FrictionTangent, change: Change, d_z: Floats) -> Floats:
        """Change of the tractions (p, 3, N), from that of the elastic slip."""
        by_pressure = law.by_pressure[:, :, None] * self.d_pressure(change)[:, None, :]
        return np.asarray(by_pressure + law.by_slip @ change.slip + law.by_z @ d_z)

    def d_load(self, change: Change, d_traction: Floats) -> Floats:
        """Change of the forces F (p, 3, N)."""
        result = d_traction + self.pressure[0][:, None, None] * change.normal
        result += self.approach.normal[:, :, None] * self.d_pressure(change)[:, None, :]
        return self.pair.surface.weights[:, None, None] * result

    def d_pressure(self, change: Change) -> Floats:
        """Change of the pressure (p, N)."""
        _, by_gap, by_rate = self.pressure
        return by_gap[:, None] * change.gap + by_rate[:, None] * change.gap_rate

    def flat(self, space: Floats) -> Floats:
        """Part (p, 3) along the surface of vectors in space."""
        n = self.approach.normal
        return space - np.einsum("pi,pi->p", n, space)[:, None] * n

    def d_flat(self, space: Floats, further: Floats | None = None) -> Floats:
        """Its derivative (p, 3, N) along a step, for vectors that turn with the slave.

        `further` (p, 3, s) is what else changes them, per freedom of the slave.
        """
        n, d_n = self.approach.normal, self.approach.by_q.normal
        own = -cross_matrix(space) @ self.frame.turning
        if further is not None:
            own = own + further
        d_space = np.zeros_like(d_n)
        d_space[:, :, : own.shape[2]] = own
        along = space[:, None, :] @ d_n + n[:, None, :] @ d_space
        height = np.einsum("pi,pi->p", n, space)[:, None, None]
        return d_space - n[:, :, None] * along - height * d_n
