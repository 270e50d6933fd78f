"""Floquet modes of M(t) eta'' + C(t) eta' + K(t) eta = 0 with the period P.

The states x = (omega_0 eta, eta') obey x' = A(t) x. Steps of the length h go by Magnus' expansion
of order 4 (Iserles and Norsett 1999; Blanes et al. 2009, eq. 253), exact for constant coefficients
however stiff they are,

    x_1 = exp(h (A_1 + A_2)/2 + sqrt(3) h^2 [A_2, A_1]/12) x_0

with A at the Gauss points t + (1/2 -+ sqrt(3)/6) h, from the Fourier series of the samples. The
eigenvalues mu of the product over a period are the multipliers, z = log(mu)/P the exponents, whose
imaginary part is known up to multiples of 2 pi/P. With the periodic part p of a mode,
x = p exp(z t), it is resolved by the mean frequency that the mode shows over the period,

    Im z near Im (sum eta^H M eta') / (sum eta^H M eta) .
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt

import numpy as np
import scipy.linalg as la

from fecontact.analysis.turning.samples import Motions
from fecontact.errors import SolverError
from fecontact.solvers.quadratic import left_and_right
from fecontact.typing import Complexes, Floats

__all__ = ["FloquetModes", "floquet_modes"]

FIRST, MOST = 32, 2048
"""Steps of a period: first and largest number."""

AGREED = 1e-3, 1e-5
"""Change of log(mu) from twice the steps: part of log|mu|, and beside it."""

CONVERGED = 1e-9
"""Change of the monodromy matrix from twice the steps, relative to its size, that is none: two
multipliers that meet, as on a boundary, change with its square root."""

CONSTANT = 1e-12
"""Relative change of the matrices within a period that is round-off."""

LOST = 1e-11
"""Multipliers below this fraction of the largest are round-off."""


@dataclass(frozen=True, eq=False)
class FloquetModes:
    """Modes of a linear system with periodic coefficients, Im z >= 0, sorted by frequency.

    Attributes
    ----------
    exponents : (m,)
        z in 1/s, resolved by the shapes.
    multipliers : (2 k,)
        All of them, the largest first.
    shapes : (k, m)
        Mean of eta exp(-z t) over the period.
    left : (k, m)
        Velocity part of the left vectors of the monodromy matrix.
    constant : (m,)
        Fraction of the mode's squares, in the metric of M, that is in the mean shape.
    lost
        Number of modes that fade within a period down to round-off: they are not in the list.
    steps
        Steps of the period.
    """

    exponents: Complexes
    multipliers: Complexes
    shapes: Complexes
    left: Complexes
    constant: Floats
    lost: int
    steps: int


def floquet_modes(motions: Motions, period: float) -> FloquetModes:
    """Modes of small motions given at S even instants of a period, S odd.

    Raises
    ------
    SolverError
        If the exponents still change with the number of steps.
    """
    if max(_changes(part) for part in motions[:3]) <= CONSTANT:
        motions = Motions(*(part.mean(axis=0, keepdims=True) for part in motions))
    steps, before = max(FIRST, 2 * len(motions.mass)), None
    while steps <= MOST:
        with np.errstate(over="ignore", invalid="ignore"):  # too few steps for fast modes
            maps, rate = _maps(motions, period, steps)
            total = _product(maps)
        now = total if np.isfinite(total).all() else None
        if before is not None and now is not None and _agree(before, now):
            return _found(motions, period, maps, rate, now)
        steps, before = 2 * steps, now
    raise SolverError(
        f"the exponents of the period still change from {MOST // 2} to {MOST} steps: fast modes "
        "see strong changes of stiffness; give repeats= for a shorter period, or simulate"
    )


def _changes(part: Floats) -> float:
    """Largest change of matrices (S, k, k), relative to their size."""
    return float(np.abs(part - part[0]).max() / (np.abs(part[0]).max() or 1.0))


def _agree(one: Floats, two: Floats) -> bool:
    """Whether monodromy matrices agree, or the exponents of all multipliers but round-off."""
    if np.linalg.norm(two - one) <= CONVERGED * np.linalg.norm(two):
        return True
    before, after = np.linalg.eigvals(one), np.linalg.eigvals(two)
    kept, known = after[np.abs(after) > LOST * np.abs(after).max()], before[np.abs(before) > 0.0]
    change = np.min(np.abs(kept[:, None] / known - 1.0), axis=1)
    return bool(np.all(change <= AGREED[0] * np.abs(np.log(np.abs(kept))) + AGREED[1]))


def _product(maps: Floats) -> Floats:
    """Map of all steps."""
    total = np.eye(maps.shape[1])
    for each in maps:
        total = each @ total
    return total


def _found(
    motions: Motions, period: float, maps: Floats, rate: float, total: Floats
) -> FloquetModes:
    """Modes from the maps of the steps and their product."""
    count = motions.mass.shape[1]
    mu, left, right = left_and_right(total)
    order = np.argsort(-np.abs(mu), kind="stable")
    mu, left, right = mu[order], left[:, order], right[:, order]
    kept = np.abs(mu) > LOST * np.abs(mu[0])
    z, shapes, constant = _resolved(motions, period, maps, rate, mu[kept], right[:, kept])
    chosen = np.flatnonzero(z.imag >= 0.0)
    chosen = chosen[np.lexsort((z[chosen].real, z[chosen].imag))]
    return FloquetModes(
        z[chosen], mu, shapes[:, chosen], left[count:, kept][:, chosen], constant[chosen],
        int(np.count_nonzero(~kept)) // 2, len(maps),
    )  # fmt: skip


def _maps(motions: Motions, period: float, steps: int) -> tuple[Floats, float]:
    """Maps (steps, 2 k, 2 k) of the steps, and the frequency omega_0 of the states."""
    K = -np.linalg.solve(motions.mass, motions.by_position)
    C = -np.linalg.solve(motions.mass, motions.by_rate)
    k, h = K.shape[1], period / steps
    rate = sqrt(float(np.linalg.norm(K.mean(axis=0), 2))) or 1.0
    maps = np.empty((steps, 2 * k, 2 * k))
    weights = [_interpolation(len(K), (np.arange(steps) + c) / steps) for c in _GAUSS]
    for j in range(steps):
        A = np.zeros((2, 2 * k, 2 * k))
        A[:, :k, k:] = rate * np.eye(k)
        for i in range(2):
            A[i, k:, :k] = np.tensordot(weights[i][j], K, 1) / rate
            A[i, k:, k:] = np.tensordot(weights[i][j], C, 1)
        bracket = A[1] @ A[0] - A[0] @ A[1]
        maps[j] = la.expm(0.5 * h * (A[0] + A[1]) + sqrt(3.0) / 12.0 * h**2 * bracket)
        if len(K) == 1:
            maps[1:] = maps[0]
            break
    return maps, rate


_GAUSS = (0.5 - sqrt(3.0) / 6.0, 0.5 + sqrt(3.0) / 6.0)


def _interpolation(samples: int, phase: Floats) -> Floats:
    """Weights (p, S) of the trigonometric interpolation at parts of the period.

    Examples
    --------
    >>> weights = _interpolation(5, np.array([0.3]))
    >>> t = 2.0 * np.pi * np.arange(5) / 5
    >>> bool(abs(weights[0] @ np.cos(2.0 * t) - np.cos(1.2 * np.pi)) < 1e-14)
    True
    """
    half = samples // 2
    away = 2.0 * np.pi * (phase[:, None] - np.arange(samples) / samples)
    orders = np.arange(1, half + 1)
    return np.asarray((1.0 + 2.0 * np.cos(away[..., None] * orders).sum(axis=-1)) / samples)


def _resolved(
    motions: Motions, period: float, maps: Floats, rate: float, mu: Complexes, right: Complexes
) -> tuple[Complexes, Complexes, Floats]:
    """Exponents with their true frequency, mean shapes, and their fraction of all squares."""
    k, steps, M = motions.mass.shape[1], len(maps), motions.mass.mean(axis=0)
    z = np.log(mu) / period
    x, states = right, np.empty((steps, *right.shape), dtype=complex)
    for j, each in enumerate(maps):
        states[j] = x * np.exp(-z * (period * j / steps))
        x = each @ x
    eta, speed = states[:, :k] / rate, states[:, k:]
    M_eta = np.einsum("ij,sjm->sim", M, eta)
    squares = np.einsum("sim,sim->m", M_eta.conj(), eta).real
    seen = np.einsum("sim,sim->m", M_eta.conj(), speed) / squares
    z = z + 2j * np.pi / period * np.round((seen - z).imag * period / (2.0 * np.pi))
    turn = np.exp(-2j * np.pi * np.outer(np.arange(steps) / steps, np.round(
        (z - np.log(mu) / period).imag * period / (2.0 * np.pi)
    )))  # fmt: skip
    mean = np.einsum("sm,sim->im", turn, eta) / steps
    constant = np.einsum("im,ij,jm->m", mean.conj(), M, mean).real * steps / squares
    sizes = np.sqrt(np.einsum("im,ij,jm->m", mean.conj(), M, mean).real)
    return z, mean / np.where(sizes, sizes, 1.0), constant
