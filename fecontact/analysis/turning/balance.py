"""Steady and periodic motions of a system that turns, in the coordinates of a `Description`.

A steady motion rests, y = const, so that along the free motions Z the forces balance in the mean
over the instants,

    0 = mean_i Z^T (f - M a)_i .

With one instant that is the balance in a frame that turns with everything. A periodic motion
balances at each of S instants, S odd, with the derivatives of its Fourier series (collocation);
Newton's method solves its linear equations by GMRES, preconditioned by the mean of the matrices.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.sparse.linalg import LinearOperator, gmres

from fecontact.analysis.steady.equilibrium import elastic_terms
from fecontact.analysis.turning.description import Description
from fecontact.analysis.turning.samples import (
    Motions,
    Moved,
    Sample,
    differentiated,
    free_motions,
    moved,
    sampled,
    small_motions_of,
)
from fecontact.errors import SolverError
from fecontact.solvers.newton import newton
from fecontact.solvers.relaxation import relaxed
from fecontact.typing import Floats

__all__ = ["Balanced", "balance_at_rest", "balance_of_period", "linear_motions"]

PASSES = 6
"""Times that the free motions are taken anew at the balance."""

MOVED = 1e-9
"""Change of the coordinates, in the metric of M, from pass to pass that is none."""

STEPS, TOLERANCE = 20, 1e-10
"""Newton steps of a periodic motion, and what may be left of the acting forces."""

LOOSE = 1e-10
"""Squared frequency of a direction, relative to the largest one, that is none."""

LINEAR = 1e-6
"""What GMRES leaves of a linear equation."""


@dataclass(frozen=True)
class Balanced:
    """A motion whose forces balance.

    Attributes
    ----------
    moved
        Its coordinates and states at the instants.
    residual
        Imbalance, relative to the acting forces.
    iterations
        Newton steps.
    away
        How far constraint rows turn in the frame, see `free_motions`.
    """

    description: Description
    period: float
    moved: Moved
    residual: float
    iterations: int
    away: float


def balance_at_rest(
    description: Description, period: float, instants: int, guess: Floats | None = None
) -> Balanced:
    """Coordinates at rest whose forces balance in the mean over instants of a period."""
    t = period * np.arange(instants) / instants
    y = np.zeros(description.system.size) if guess is None else guess
    iterations = 0
    for _ in range(PASSES):
        mean = _Mean(description, t, period, y)
        answer = _solved(mean)
        after = y + mean.Z @ answer[0] - mean.correction
        iterations += answer[2]
        change = float(np.sqrt((after - y) @ mean.mass @ (after - y)))
        y = after
        size = float(np.sqrt(y @ mean.mass @ y))
        if change <= MOVED * size or size == 0.0:
            break
    rows = np.tile(y, (instants, 1))
    return Balanced(
        description, period, moved(description, t, rows, period), answer[1], iterations, mean.away
    )


def _solved(mean: _Mean) -> tuple[Floats, float, int]:
    """Newton's method, and where it fails a second time from a relaxed state."""
    start = np.zeros(mean.Z.shape[1])
    try:
        answer = newton(mean.residual, mean.tangent, start)
    except SolverError as error:
        mean.check_turns_held(start)
        try:
            one = np.eye(len(start))
            closer = relaxed(mean.residual, mean.tangent, start, lambda _: one)
            answer = newton(mean.residual, mean.tangent, closer)
        except SolverError:
            raise SolverError(f"no steady turn: {error}") from None
    return answer.x, answer.residual, answer.iterations


class _Mean:
    """Balance in the mean, beside coordinates y_0: y = y_0 + Z xi."""

    def __init__(self, description: Description, t: Floats, period: float, start: Floats) -> None:
        self.description, self.t, self.period, self.start = description, t, period, start
        self._last: tuple[bytes, list[Sample]] | None = None
        first = self._samples(start)
        self.Z, self.away = free_motions(first)
        self.mass = np.mean([s.mass for s in first], axis=0)
        corrections = [s.metric.step(s.value) for s in first if s.metric is not None]
        self.correction = np.mean(corrections, axis=0) if corrections else np.zeros_like(start)

    def residual(self, xi: Floats) -> tuple[Floats, float, float]:
        """What is left along the free motions, its size, and that of the terms."""
        y = self.start + self.Z @ xi
        samples = self._samples(y)
        left = np.mean([s.left for s in samples], axis=0)
        acting = np.mean([s.acting for s in samples], axis=0)
        acting = acting + elastic_terms(self.description.system, self._moved(y).states[0].q)
        r = self.Z.T @ left
        size = float(np.linalg.norm(np.linalg.solve(np.linalg.cholesky(self.mass), acting)))
        return r, float(np.linalg.norm(r)), size

    def tangent(self, xi: Floats) -> Floats:
        """Derivative of the residual."""
        samples = self._samples(self.start + self.Z @ xi)
        E = self.description.generator
        return -small_motions_of(samples, self.Z, E, self.period).by_position.mean(axis=0)

    def check_turns_held(self, xi: Floats) -> None:
        """Raise if a torque about z acts on a body whose turn nothing holds."""
        system, K = self.description.system, self.tangent(xi)
        left = self.residual(xi)[0]
        _, stiffness, directions = np.linalg.svd(K)
        for direction in directions[stiffness < LOOSE * stiffness[0]]:
            size = np.sqrt(np.diag(self.mass)) * np.abs(self.Z @ direction)
            name = system.coordinates[int(np.argmax(size))]
            if name.endswith((".rz", ".spin")) and abs(direction @ left) > 0.0:
                raise SolverError(
                    f"no steady turn: nothing holds '{name}' against a torque about z; join the "
                    "body to a shaft, hold its speed by a drive or a gear, and close the teeth of "
                    "an elastic one in the guess"
                )

    def _moved(self, y: Floats) -> Moved:
        return moved(self.description, self.t, np.tile(y, (len(self.t), 1)), self.period)

    def _samples(self, y: Floats) -> list[Sample]:
        """Samples at coordinates; the last ones are kept: Newton's method asks twice."""
        if self._last is None or self._last[0] != y.tobytes():
            at = self._moved(y)
            found = [sampled(self.description, at, i) for i in range(len(self.t))]
            self._last = y.tobytes(), found
        return self._last[1]


def balance_of_period(start: Balanced, instants: int) -> Balanced:
    """Periodic motion near one that balances in the mean, at an odd number of instants."""
    description, period = start.description, start.period
    t, size = period * np.arange(instants) / instants, description.system.size
    y = np.broadcast_to(start.moved.y.mean(axis=0), (instants, size)).copy()
    for iteration in range(STEPS):
        at = moved(description, t, y, period)
        samples = [sampled(description, at, i) for i in range(instants)]
        Z, away = free_motions(samples)
        left = np.array([Z.T @ s.left for s in samples])
        acting = np.array([s.acting for s in samples]).mean(axis=0)
        acting += elastic_terms(description.system, at.states[0].q)
        residual = float(np.abs(left).max() / (np.linalg.norm(Z.T @ acting) or 1.0))
        if residual <= TOLERANCE:
            return Balanced(description, period, at, residual, iteration, away)
        motions = small_motions_of(samples, Z, description.generator, period)
        y = y + _step(motions, left, period) @ Z.T
    raise SolverError(
        f"no periodic motion: the imbalance stays at {residual:.1e} of the acting forces; take "
        "more instants, or simulate"
    )


def _step(motions: Motions, left: Floats, period: float) -> Floats:
    """Correction eta (S, k) with M eta'' + C eta' + K eta = r at all instants."""
    shape, count = left.shape, len(left)
    waves = 2j * np.pi * np.fft.rfftfreq(count, period / count)
    M, C, K = (part.mean(axis=0) for part in motions[:3])
    inverse = np.array([np.linalg.inv(w**2 * M + w * C + K) for w in waves])

    def product(flat: Floats) -> Floats:
        eta = flat.reshape(shape)
        rate = differentiated(eta, period)
        parts = differentiated(rate, period), rate, eta
        return np.asarray(
            sum(
                np.einsum("sij,sj->si", matrices, part)
                for matrices, part in zip(motions[:3], parts, strict=True)
            )
        ).ravel()

    def preconditioned(flat: Floats) -> Floats:
        spectrum = np.fft.rfft(flat.reshape(shape), axis=0)
        solved = np.einsum("hij,hj->hi", inverse, spectrum)
        return np.asarray(np.fft.irfft(solved, count, axis=0)).ravel()

    n = left.size
    operator = LinearOperator((n, n), matvec=product, dtype=float)
    inner = LinearOperator((n, n), matvec=preconditioned, dtype=float)
    found, failed = gmres(operator, left.ravel(), M=inner, rtol=LINEAR, restart=60, maxiter=5)
    if failed:
        raise SolverError("no periodic motion: its linear equations do not converge; simulate")
    return np.asarray(found.reshape(shape))


def linear_motions(found: Balanced) -> tuple[Balanced, Motions, Floats, list[Sample]]:
    """Matrices of small motions about a balance at its instants, Z (n, k), and the samples.

    The states of the balance get their multipliers.
    """
    at, description = found.moved, found.description
    samples = [sampled(description, at, i, linear=True) for i in range(len(at.t))]
    states = tuple(replace(x, lam=s.lam) for x, s in zip(at.states, samples, strict=True))
    found = replace(found, moved=replace(at, states=states))
    Z, _ = free_motions(samples)
    return found, small_motions_of(samples, Z, description.generator, found.period), Z, samples
