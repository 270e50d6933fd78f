"""Damping models: each gives a viscous matrix C for full (sparse) or reduced (dense) M and K.

    Rayleigh      C = alpha M + beta K             zeta(omega) = alpha/(2 omega) + beta omega/2
    modal         C = M Phi diag(2 zeta_i omega_i) Phi^T M        zeta_i given mode by mode
    structural    K (1 + i eta); its viscous equivalent C = eta K / omega_0 at one frequency

Stiffness-proportional damping is Rayleigh with alpha = 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol, TypeAlias

import numpy as np
import scipy.linalg as la
import scipy.sparse as sp

from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, check, warn_unusual
from fecontact.typing import Complexes, Floats

__all__ = ["Damping", "ModalDamping", "RayleighDamping", "StructuralDamping"]

Matrix: TypeAlias = "Floats | sp.csr_array"
"""A dense or sparse symmetric matrix."""


class Damping(Protocol):
    """A linear damping model."""

    def matrix(self, M: Matrix, K: Matrix) -> Matrix:
        """Return the viscous damping matrix C (n, n) in N s/m."""
        ...


def _warn_percent(name: str, zeta: float) -> None:
    """Warn of a mode that would not vibrate."""
    if zeta > 1.0:
        warn_unusual(
            f"{name} = {zeta:g} is unusual: above 1 a mode does not vibrate, steel has 0.001",
            f"given in percent? Then write {zeta / 100.0:g}",
        )


@dataclass(frozen=True)
class RayleighDamping:
    """C = alpha M + beta K, alpha in 1/s, beta in s.

    Examples
    --------
    >>> damping = RayleighDamping.from_ratios((100.0, 0.01), (1000.0, 0.01))
    >>> round(damping.ratio(100.0), 12), round(damping.ratio(1000.0), 12)
    (0.01, 0.01)
    """

    alpha: float = 0.0
    beta: float = 0.0

    def __post_init__(self) -> None:
        check("alpha", self.alpha, NON_NEGATIVE, "1/s")
        check("beta", self.beta, NON_NEGATIVE, "s")

    @classmethod
    def from_ratios(
        cls, first: tuple[float, float], second: tuple[float, float]
    ) -> RayleighDamping:
        """Fit two damping ratios, each given as (frequency in Hz, ratio)."""
        omega = 2.0 * np.pi * np.array([first[0], second[0]])
        check("lower frequency", float(omega.min()), POSITIVE, "Hz")
        if omega[0] == omega[1]:
            raise InputError("invalid frequencies of the two ratios: expected different ones")
        rows = np.column_stack([0.5 / omega, 0.5 * omega])
        for frequency, zeta in (first, second):
            _warn_percent(f"damping ratio at {frequency:g} Hz", zeta)
        alpha, beta = np.linalg.solve(rows, [first[1], second[1]])
        return cls(float(alpha), float(beta))

    def ratio(self, frequency: float) -> float:
        """Damping ratio at a frequency in Hz."""
        omega = 2.0 * np.pi * frequency
        return 0.5 * (self.alpha / omega + self.beta * omega)

    def matrix(self, M: Matrix, K: Matrix) -> Matrix:
        """C = alpha M + beta K, sparse if M and K are."""
        return self.alpha * M + self.beta * K


@dataclass(frozen=True)
class ModalDamping:
    """A damping ratio for each mode of K x = omega^2 M x, for reduced (dense) matrices.

    Attributes
    ----------
    ratios
        Damping ratios of the modes in ascending order of frequency; the last one also holds for
        all modes above. Rigid-body modes (omega = 0) count and stay undamped.
    """

    ratios: tuple[float, ...]

    def __post_init__(self) -> None:
        if not self.ratios:
            raise InputError("invalid ratios = (): expected at least one damping ratio")
        for k, zeta in enumerate(self.ratios, 1):
            check(f"damping ratio of mode {k}", zeta, NON_NEGATIVE)
            _warn_percent(f"damping ratio of mode {k}", zeta)

    def matrix(self, M: Matrix, K: Matrix) -> Floats:
        """C = M Phi diag(2 zeta omega) Phi^T M with all modes of M and K."""
        if sp.issparse(M) or sp.issparse(K):
            raise InputError(
                "invalid sparse matrix with modal damping: expected a dense one, as it needs all "
                "modes; reduce the body first"
            )
        squares, Phi = la.eigh(K, M)
        zeta = np.full(len(squares), self.ratios[-1])
        given = min(len(squares), len(self.ratios))
        zeta[:given] = self.ratios[:given]
        MPhi = M @ Phi
        return (MPhi * (2.0 * zeta * np.sqrt(np.maximum(squares, 0.0)))) @ MPhi.T


@dataclass(frozen=True)
class StructuralDamping:
    """Hysteretic damping: loss factor eta, the same energy loss per cycle at all frequencies.

    In the frequency domain use `complex_stiffness`. In time only a viscous equivalent exists; it
    has the right loss at `frequency` (Hz), more above and less below.
    """

    loss_factor: float
    frequency: float

    def __post_init__(self) -> None:
        check("loss_factor", self.loss_factor, NON_NEGATIVE)
        _warn_percent("loss_factor", self.loss_factor)
        check("frequency", self.frequency, POSITIVE, "Hz")

    def complex_stiffness(self, K: Matrix) -> Complexes | sp.csr_array:
        """K (1 + i eta)."""
        return K * np.complex128(1.0 + 1.0j * self.loss_factor)

    def matrix(self, M: Matrix, K: Matrix) -> Matrix:
        """Viscous equivalent C = eta K / (2 pi f)."""
        return K * (self.loss_factor / (2.0 * np.pi * self.frequency))
