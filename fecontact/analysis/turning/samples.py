"""Equations of motion at instants of a turn, in the coordinates of a `Description`.

    r = B^T (M a - f),      a = B (w' + E w),      w = B^-1 v,

and small motions about them, y = Z eta with the motions Z that the constraints leave,

    delta w = Z eta' + W eta,      W = Gamma Z - A^+ (A Gamma + D) Z,
    M eta'' + C eta' + K eta = 0,
    C = Z^T (M (W + E Z) - f_v Z),
    K = Z^T (M (W' + E W) + d(M a)/dq Z - (f_q + d(A^T lam)/dq) Z - f_v W) .

With the velocities of constraints of velocity level, A^+ (A Gamma + D) Z, only speeds change.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fecontact.analysis.turning.description import Description
from fecontact.system import State
from fecontact.system.constraints.metric import RowMetric, row_metric
from fecontact.system.loaded import loaded_system
from fecontact.typing import Floats

__all__ = ["Motions", "Moved", "Sample", "free_motions", "moved", "sampled", "small_motions_of"]


@dataclass(frozen=True)
class Moved:
    """Coordinates of a motion over a period at instants (S,), evenly, and its states.

    Attributes
    ----------
    t : (S,)
        Times.
    y, accelerations : (S, n)
        Coordinates, and accelerations v' of the dofs.
    """

    t: Floats
    y: Floats
    states: tuple[State, ...]
    accelerations: Floats
    turns: tuple[Floats, ...]


class Sample(NamedTuple):
    """Forces and matrices of all n dofs at an instant, in the coordinates y.

    Attributes
    ----------
    force, inertia : (n,)
        f and M a.
    acting : (n,)
        Sum of the sizes of all forces.
    mass, by_q, by_v, by_inertia : (n, n)
        M, df/dq, df/dv and d(M a)/dq.
    metric, turned : RowMetric or None, (m, n)
        Constraint rows A, and D, the derivative of their rates along a step.
    value : (m,)
        What is left of the constraints of position level.
    """

    force: Floats
    inertia: Floats
    acting: Floats
    mass: Floats
    by_q: Floats
    by_v: Floats
    by_inertia: Floats
    carried: Floats
    metric: RowMetric | None
    turned: Floats
    value: Floats

    @property
    def lam(self) -> Floats:
        """Multipliers that balance the constraints best."""
        if self.metric is None:
            return np.zeros(0)
        return self.metric.support(self.force - self.inertia)

    @property
    def left(self) -> Floats:
        """Residual f - M a (n,)."""
        return self.force - self.inertia


class Motions(NamedTuple):
    """Matrices (S, k, k) of small motions at the instants, and W (S, n, k)."""

    mass: Floats
    by_rate: Floats
    by_position: Floats
    turned: Floats


def moved(description: Description, t: Floats, y: Floats, period: float) -> Moved:
    """States of a motion with period, given at even instants; one instant: y rests."""
    rates = differentiated(y, period)
    states = tuple(description.state(*each) for each in zip(t, y, rates, strict=True))
    turns = tuple(description.turn(each) for each in t)
    w = np.array([B.T @ state.v for B, state in zip(turns, states, strict=True)])
    inner = differentiated(w, period) + w @ description.generator.T
    a = np.array([B @ each for B, each in zip(turns, inner, strict=True)])
    return Moved(t, y, states, a, turns)


def differentiated(x: Floats, period: float) -> Floats:
    """Derivative by time of periodic samples (S, ...), S odd: exact for (S - 1)/2 harmonics.

    Examples
    --------
    >>> t = 2.0 * np.pi * np.arange(5) / 5
    >>> rate = differentiated(np.sin(2 * t)[:, None], 2 * np.pi)[:, 0]
    >>> bool(np.allclose(rate, 2 * np.cos(2 * t)))
    True
    """
    if len(x) == 1:
        return np.zeros_like(x)
    waves = 2j * np.pi * np.fft.rfftfreq(len(x), period / len(x))
    spectrum = np.fft.rfft(x, axis=0) * waves.reshape(-1, *(1,) * (x.ndim - 1))
    return np.asarray(np.fft.irfft(spectrum, len(x), axis=0))


def sampled(description: Description, at: Moved, i: int, linear: bool = False) -> Sample:
    """Evaluate the equations at one instant.

    For small motions (`linear`) points that touch and carry nothing are open.
    """
    state, B, a = at.states[i], at.turns[i], at.accelerations[i]
    system = loaded_system(description.system, state) if linear else description.system
    force, by_q, by_v = system.evaluate(state)
    acting = np.abs(system.forces(state) @ B).sum(axis=0)
    M = system.mass_matrix(state.q)
    inertia, by_inertia = B.T @ (M @ a), system.d_inertia(state.q, a)
    mass = B.T @ M @ B
    metric, turned, value = None, np.zeros((0, len(B))), np.zeros(0)
    if system.constraints:
        rows = system.constraint(state)
        metric, turned, value = row_metric(mass, rows.jacobian @ B), rows.d_rate() @ B, rows.value
        lam = metric.support(B.T @ force - inertia)
        by_q = by_q + rows.d_load(lam)
    return Sample(
        B.T @ force, inertia, acting + np.abs(inertia), mass, B.T @ by_q @ B, B.T @ by_v @ B,
        B.T @ by_inertia @ B, description.carried(float(at.t[i]), state.v), metric, turned, value,
    )  # fmt: skip


def free_motions(samples: list[Sample]) -> tuple[Floats, float]:
    """Motions Z (n, k) that the constraints leave in the mean, and how far they turn away.

    Z^T M Z = I with the mean mass. The second answer is the largest sine of an angle between the
    rows of a sample and those of the mean.
    """
    first, mass = samples[0], np.mean([s.mass for s in samples], axis=0)
    if first.metric is None:
        return np.eye(len(first.mass)), 0.0
    metrics = [s.metric for s in samples if s.metric is not None]
    L = np.linalg.cholesky(mass)
    spans = [
        np.linalg.qr(np.linalg.solve(L, m.jacobian.T * m.weights) @ m.left)[0] for m in metrics
    ]
    values, directions = np.linalg.eigh(np.mean([V @ V.T for V in spans], axis=0))
    free = directions[:, : len(values) - metrics[0].rank]
    away = max(float(np.linalg.norm(free.T @ V, 2)) if free.size else 0.0 for V in spans)
    return np.asarray(np.linalg.solve(L.T, free)), away


def small_motions_of(samples: list[Sample], Z: Floats, generator: Floats, period: float) -> Motions:
    """Matrices of small motions y = Z eta at all instants."""
    W = np.array([_turned(s, Z) for s in samples])
    W_rate = differentiated(W, period)
    M = np.array([Z.T @ s.mass @ Z for s in samples])
    C = [Z.T @ (s.mass @ (w + generator @ Z) - s.by_v @ Z) for s, w in zip(samples, W, strict=True)]
    K = [
        Z.T @ (s.mass @ (w_rate + generator @ w) + (s.by_inertia - s.by_q) @ Z - s.by_v @ w)
        for s, w, w_rate in zip(samples, W, W_rate, strict=True)
    ]
    return Motions(M, np.array(C), np.array(K), W)


def _turned(sample: Sample, Z: Floats) -> Floats:
    """W (n, k): velocities of the amplitudes beside Z eta'."""
    W = sample.carried @ Z
    if sample.metric is None:
        return W
    return W - sample.metric.step(sample.metric.jacobian @ W + sample.turned @ Z)
