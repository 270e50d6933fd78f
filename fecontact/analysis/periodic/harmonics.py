"""Truncated Fourier series of a period at even samples of the phase tau = omega t.

q(tau) = c_0 + sum_k (c_k cos(k tau) + s_k sin(k tau)),      k = 1 .. H

The coefficients are rows in the order c_0, c_1, s_1, c_2, s_2, ...
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from fecontact.errors import InputError, at_least, check
from fecontact.typing import Floats

__all__ = ["Harmonics"]

PER_HARMONIC = 8
"""Samples per harmonic by default: products of three series are free of aliasing."""


@dataclass(frozen=True)
class Harmonics:
    """Fourier functions up to a harmonic, at samples of the phase.

    Parameters
    ----------
    highest
        H.
    samples
        Number N of samples, at least 2 H + 1.

    Examples
    --------
    >>> base = Harmonics(2)
    >>> series = np.array([[1.0], [0.0], [3.0], [0.0], [0.0]])
    >>> bool(np.allclose(base.value @ series, 1.0 + 3.0 * np.sin(base.phase)[:, None]))
    True
    >>> bool(np.allclose(base.project @ (base.value @ series), series))
    True
    """

    highest: int
    samples: int = 0

    def __post_init__(self) -> None:
        check("harmonics", self.highest, at_least(1))
        if self.samples == 0:
            object.__setattr__(self, "samples", max(32, PER_HARMONIC * self.highest))
        if self.samples <= 2 * self.highest:
            raise InputError(
                f"invalid samples = {self.samples}: expected > 2 harmonics = {2 * self.highest}"
            )

    @property
    def size(self) -> int:
        """Number 2 H + 1 of functions."""
        return 2 * self.highest + 1

    @cached_property
    def phase(self) -> Floats:
        """Phases (N,)."""
        return np.asarray(2.0 * np.pi * np.arange(self.samples) / self.samples)

    @cached_property
    def value(self) -> Floats:
        """Functions (N, 2 H + 1)."""
        return self.at(self.phase)

    @cached_property
    def slope(self) -> Floats:
        """Derivative by the phase (N, 2 H + 1)."""
        return self.value @ self.turned

    @cached_property
    def bend(self) -> Floats:
        """Second derivative by the phase (N, 2 H + 1)."""
        return self.slope @ self.turned

    @cached_property
    def turned(self) -> Floats:
        """Coefficients of the derivative by coefficients, (2 H + 1, 2 H + 1)."""
        matrix = np.zeros((self.size, self.size))
        for k in range(1, self.highest + 1):
            matrix[2 * k - 1, 2 * k], matrix[2 * k, 2 * k - 1] = k, -k
        return matrix

    @cached_property
    def project(self) -> Floats:
        """Coefficients by samples (2 H + 1, N)."""
        matrix = 2.0 / self.samples * self.value.T
        matrix[0] *= 0.5
        return matrix

    @property
    def step(self) -> float:
        """Phase between two samples."""
        return 2.0 * np.pi / self.samples

    def integral(self, values: Floats) -> Floats:
        """Integral over the phase of what swings in values (N, ...) at the samples; of mean zero.

        Examples
        --------
        >>> base = Harmonics(3)
        >>> bool(np.allclose(base.integral(1.0 + np.cos(2.0 * base.phase)),
        ...                  0.5 * np.sin(2.0 * base.phase)))
        True
        """
        waves = np.fft.rfft(values, axis=0)
        factor = 1.0 / np.maximum(np.arange(len(waves)), 1)
        factor[0] = 0.0
        if self.samples % 2 == 0:
            factor[-1] = 0.0
        waves *= -1j * factor.reshape(-1, *[1] * (values.ndim - 1))
        return np.asarray(np.fft.irfft(waves, self.samples, axis=0))

    def at(self, phase: Floats) -> Floats:
        """Functions (k, 2 H + 1) at phases (k,)."""
        angles = np.outer(phase, np.arange(1, self.highest + 1))
        pairs = np.stack([np.cos(angles), np.sin(angles)], axis=2).reshape(len(phase), -1)
        return np.hstack([np.ones((len(phase), 1)), pairs])
