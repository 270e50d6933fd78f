"""Force elements: a law between relative coordinates s of two bodies and the loads on them.

    f = -G^T load(t, s, s'),      G = ds/dq,      s' = G v

The tangents are exact: they contain the change of G at fixed load (geometric stiffness) and the
change of s' with the position.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from fecontact.body.rigid import RigidBody
from fecontact.joint.marker import MarkerPair
from fecontact.joint.relative import Relative
from fecontact.typing import Floats, Tangents

__all__ = ["ForceElement", "Law", "Viscoelastic"]

Law = tuple[Floats, Floats, Floats]
"""Load (k,) and its derivatives (k, k) by s and by s'."""


class ForceElement(ABC):
    """An item between two bodies, given by its relative coordinates and its law."""

    pair: MarkerPair

    @abstractmethod
    def relative(self, q: Floats, v: Floats) -> Relative:
        """Relative coordinates s (k,) with their derivatives."""

    @abstractmethod
    def load(self, t: float, s: Floats, rate: Floats) -> Law:
        """Load that resists s, with its derivatives."""

    @property
    def bodies(self) -> tuple[RigidBody, ...]:
        """The bodies a and b without the ground."""
        return self.pair.bodies

    def force(self, t: float, q: Floats, v: Floats) -> Floats:
        """Generalised force on both bodies."""
        relative = self.relative(q, v)
        return -relative.jacobian.T @ self.load(t, relative.value, relative.rate)[0]

    def tangents(self, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of `force`."""
        relative = self.relative(q, v)
        G = relative.jacobian
        load, by_s, by_rate = self.load(t, relative.value, relative.rate)
        change = G.T @ (by_s @ G + by_rate @ relative.d_rate())
        return -change - relative.d_load(load), -G.T @ by_rate @ G


class Viscoelastic(ForceElement):
    """A force element that stores energy and dissipates power."""

    @abstractmethod
    def potential(self, s: Floats) -> float:
        """Energy in J of the load at s' = 0."""

    def energy(self, t: float, q: Floats, v: Floats) -> float:
        """Stored energy in J."""
        return self.potential(self.relative(q, v).value)

    def dissipated_power(self, t: float, q: Floats, v: Floats) -> float:
        """Power in W of the load beyond the one at s' = 0; not negative."""
        relative = self.relative(q, v)
        s, rate = relative.value, relative.rate
        return float(rate @ (self.load(t, s, rate)[0] - self.load(t, s, 0.0 * rate)[0]))
