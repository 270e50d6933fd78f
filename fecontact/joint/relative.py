"""Relative coordinates of two bodies, and the derivatives that force elements need."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from fecontact.joint._kernels import d_log_rate, log_rate
from fecontact.typing import Floats

__all__ = ["Relative", "d_log_rate", "log_rate"]


@dataclass(frozen=True)
class Relative:
    """k relative coordinates s of two bodies with n dofs in all.

    Derivatives are taken along increment of the dofs (`Body.move`).

    Attributes
    ----------
    value, rate : (k,)
        s and s'.
    jacobian : (k, n)
        Derivative of s along a step, and of s' by the velocities v.
    d_rate
        Function without arguments: derivative (k, n) of s' along a step, at fixed v.
    d_load
        Function of loads (k,): derivative (n, n) of jacobian^T load along a step, at fixed load.
    """

    value: Floats
    rate: Floats
    jacobian: Floats
    d_rate: Callable[[], Floats]
    d_load: Callable[[Floats], Floats]

    def mapped(self, matrix: Floats) -> Relative:
        """Coordinates matrix @ s, with a constant matrix (m, k)."""
        return Relative(
            matrix @ self.value,
            matrix @ self.rate,
            matrix @ self.jacobian,
            lambda: matrix @ self.d_rate(),
            lambda load: self.d_load(matrix.T @ load),
        )

    def shifted(self, origin: Floats) -> Relative:
        """Coordinates s - origin."""
        return replace(self, value=self.value - origin)

    @staticmethod
    def stacked(parts: Sequence[Relative]) -> Relative:
        """Coordinates of all parts, one after the other."""
        ends = np.cumsum([len(part.value) for part in parts])[:-1]

        def d_load(load: Floats) -> Floats:
            loads = zip(parts, np.split(load, ends), strict=True)
            return np.sum([part.d_load(own) for part, own in loads], axis=0)

        return Relative(
            np.concatenate([part.value for part in parts]),
            np.concatenate([part.rate for part in parts]),
            np.concatenate([part.jacobian for part in parts]),
            lambda: np.concatenate([part.d_rate() for part in parts]),
            d_load,
        )
