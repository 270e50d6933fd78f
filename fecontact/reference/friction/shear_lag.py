"""Elastic bar on a frictional plane, pulled at its end: the shear-lag bar."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.optimize import brentq

from fecontact.reference.friction.hysteresis import masing
from fecontact.typing import Floats

__all__ = ["ShearLagBar"]


@dataclass(frozen=True)
class ShearLagBar:
    """Bar on bristles with a friction limit per length.

    With lambda = sqrt(k/(E A)) the loaded end slips over l, where

        F   = q (l + tanh(lambda (L - l))/lambda)
        u_0 = q/k + (q l/(E A)) (tanh(lambda (L - l))/lambda + l/2)

    Parameters
    ----------
    length
        L in m.
    axial
        E A in N.
    friction
        Largest friction q per length, in N/m.
    decay_length
        1/lambda in m.
    """

    length: float
    axial: float
    friction: float
    decay_length: float

    @property
    def bristles(self) -> float:
        """Stiffness k = E A lambda^2 of the bristles per length, in N/m^2."""
        return self.axial / self.decay_length**2

    def pull(self, slip: float) -> float:
        """Force that makes a length slip."""
        d = self.decay_length
        return float(self.friction * (slip + d * np.tanh((self.length - slip) / d)))

    def slip_length(self, force: float) -> float:
        """Length that slips under a force at first loading."""
        if force <= self.pull(0.0):
            return 0.0
        return float(brentq(lambda x: self.pull(x) - force, 0.0, self.length, xtol=1e-15))

    def backbone(self, force: float) -> float:
        """Displacement of the loaded end at first loading."""
        d, q, EA = self.decay_length, self.friction, self.axial
        slip = self.slip_length(force)
        lag = d * np.tanh((self.length - slip) / d)
        if slip == 0.0:
            return float(force / (self.bristles * lag))
        return float(q / self.bristles + q * slip / EA * (lag + 0.5 * slip))

    def reloading(self, force: float, max_force: float) -> float:
        """Displacement on the way up from -max_force, by Masing's rule."""
        return 2.0 * self.backbone(0.5 * (max_force + force)) - self.backbone(max_force)

    def cycle(self, forces: Floats) -> Floats:
        """Displacements over a first loading to the largest force, back, and up again."""
        return masing(np.vectorize(self.backbone), forces)

    def cycle_work(self, max_force: float) -> float:
        """Energy lost in J in a cycle between -max_force and max_force."""
        forces = np.linspace(-max_force, max_force, 2001)
        return 2.0 * float(np.trapezoid(forces, [self.reloading(f, max_force) for f in forces]))
