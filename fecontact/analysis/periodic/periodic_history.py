"""Elastic slip of contacts along a prescribed periodic motion, with its exact derivative.

The rates z' = Z(t, q, v, z) are integrated over a given number of periods from unbent bristles, by
backward differences of second order at the N samples of a period,

    (3 z_k - 4 z_k-1 + z_k-2)/(2 h) = Z(t_k, q_k, v_k, z_k),      h = 2 pi/(omega N).

The last period counts. Friction that is independent of the rate has closed its loop after one
period, as a reversal wipes out what was before it (Masing); the damper of the bristles forgets
within beta/c_t. The derivative by the harmonics is that of the algorithm, over all periods.

Bristles without damper have no rate; from sample to sample their return map holds (`undamped`),

    z_k = z_tr min(1, r_k/|z_tr|),      z_tr = z_k-1 + x_k - x_k-1,      r = mu p/c_t,

where x is the integral of the slip velocity, exact for its series at the samples. What is between
two samples is missed only where the slip turns back, an error of second order. The march starts
from bristles that are straight in the mean: points that never slide carry no force in the mean.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.analysis.periodic.harmonics import Harmonics
from fecontact.analysis.periodic.motion import Balance, Motion, YieldingMotion, yielding
from fecontact.errors import SolverError
from fecontact.typing import Floats

__all__ = ["History", "march"]

MAX_ITERATIONS = 30
TOLERANCE = 1e-11
"""Last correction of z, relative to the largest z so far."""
NOT_FINITE = (
    "the elastic slip along the motion is not finite: give a guess of the size of the motion"
)
FAST = 0.2
"""Fall of the corrections at which a tangent is kept."""


@dataclass(frozen=True, eq=False)
class History:
    """Balances at the samples of the last period, z (N, s), and its derivatives.

    Attributes
    ----------
    by_series : (N, s, (2 H + 1) n)
        Derivative by the coefficients of q, row by row.
    by_frequency : (N, s)
        Derivative by omega, of motions that do not depend on time.
    """

    balances: list[Balance]
    z: Floats
    by_series: Floats
    by_frequency: Floats


def march(
    motion: Motion,
    base: Harmonics,
    series: Floats,
    frequency: float,
    periods: int,
    stiffness_factor: float = 1.0,
) -> History:
    """March along q = series over the periods, at the angular frequency in rad/s.

    Bristles without damper may be softer by a factor, under the same friction limit.
    """
    undamped = yielding(motion)
    if undamped is not None:
        return _Return(undamped, base, series, frequency, stiffness_factor).run(periods)
    return _March(motion, base, series, frequency).run(periods)


class _Return:
    """Bristles without damper: their return map from sample to sample."""

    def __init__(
        self,
        motion: YieldingMotion,
        base: Harmonics,
        series: Floats,
        omega: float,
        stiffness_factor: float,
    ) -> None:
        self.motion, self.base, self.omega, self.stiffness_factor = (
            motion,
            base,
            omega,
            stiffness_factor,
        )
        q, v = base.value @ series, omega * (base.slope @ series)
        a = omega**2 * (base.bend @ series)
        self.v, self.given = v, list(zip(base.phase / omega, q, v, a, strict=True))
        self.points, none = motion.points, np.zeros(0)
        still = np.zeros(motion.sizes[1])
        self.free = [motion.evaluate(*each, still, none) for each in self.given]
        limits = [motion.limit(*each[:3]) for each in self.given]
        self.limit, by_q, by_v = (np.array(part) for part in zip(*limits, strict=True))
        self.limit_by = self._by_unknowns(by_q, by_v)

    def run(self, periods: int) -> History:
        """All samples of all periods."""
        base, none = self.base, np.zeros(0)
        slip = self.stiffness_factor * np.array([each.rate for each in self.free]) / self.omega
        change = self._by_unknowns(
            np.array([each.z_rate_by_q for each in self.free]),
            np.array([each.z_rate_by_v for each in self.free]),
        )
        change *= self.stiffness_factor / self.omega
        change[:, :, -1] -= slip / self.omega
        position, position_by = (np.tensordot(base.integral, part, 1) for part in (slip, change))
        drift, drift_by = (part.mean(axis=0) * base.step for part in (slip, change))
        z, dz = position[-1], position_by[-1]
        found, found_by = list[Floats](), list[Floats]()
        for step in range(periods * base.samples):
            k = step % base.samples
            trial = z + (position[k] - position[k - 1] + drift)
            z, dz = self._returned(k, trial, dz + (position_by[k] - position_by[k - 1] + drift_by))
            found.append(z)
            found_by.append(dz)
        last, by = np.array(found[-base.samples :]), np.array(found_by[-base.samples :])
        if not np.isfinite(last).all():
            raise SolverError(NOT_FINITE)
        balances = [
            self.motion.evaluate(*each, z, none) for each, z in zip(self.given, last, strict=True)
        ]
        return History(balances, last, by[:, :, :-1], by[:, :, -1])

    def _returned(self, k: int, trial: Floats, change: Floats) -> tuple[Floats, Floats]:
        """Elastic slip (s,) within its limit, and its change (s, columns) with that of the trial.

        The kink |z_tr| = r belongs to stick.
        """
        limit, at = self.limit[k], self.points
        size = np.sqrt(np.bincount(at, trial**2, minlength=len(limit)))
        slides = size > limit
        if not slides.any():
            return trial, change
        fraction = np.where(slides, limit / np.where(slides, size, 1.0), 1.0)[at]
        e = np.where(slides, 1.0 / np.where(slides, size, 1.0), 0.0)[at] * trial
        along = np.zeros((len(limit), change.shape[1]))
        np.add.at(along, at, e[:, None] * change)
        turned = fraction[:, None] * (change - e[:, None] * along[at])
        return fraction * trial, turned + e[:, None] * self.limit_by[k][at]

    def _by_unknowns(self, by_q: Floats, by_v: Floats) -> Floats:
        """Derivative (N, s, columns) by the series and, last, by omega, from those by q and v."""
        base, omega = self.base, self.omega
        by = np.einsum("kj,ksn->ksjn", base.value, by_q)
        by += np.einsum("kj,ksn->ksjn", omega * base.slope, by_v)
        faster = np.einsum("ksn,kn->ks", by_v, self.v / omega)
        return np.concatenate([by.reshape(*by.shape[:2], -1), faster[:, :, None]], axis=2)


class _March:
    kept: Floats | None

    def __init__(self, motion: Motion, base: Harmonics, series: Floats, omega: float) -> None:
        self.motion, self.base, self.series, self.omega = motion, base, series, omega
        self.q, self.v = base.value @ series, omega * (base.slope @ series)
        self.a = omega**2 * (base.bend @ series)
        self.slow = base.samples * omega / (4.0 * np.pi)  # 1/(2 h)
        self.size, self.kept = 0.0, None

    def run(self, periods: int) -> History:
        samples, (n, s, _) = self.base.samples, self.motion.sizes
        columns = self.base.size * n + 1
        z = [np.zeros(s), np.zeros(s)]
        dz = [np.zeros((s, columns)), np.zeros((s, columns))]
        balances = list[Balance]()
        for step in range(periods * samples if s else samples):
            k = step % samples
            new, balance = self._solved(k, z[-1], z[-2])
            dz.append(self._changed(k, balance, new, z[-1], z[-2], dz[-1], dz[-2]))
            z.append(new)
            balances.append(balance)
        last = np.array(dz[-samples:]).reshape(samples, s, columns)
        return History(balances[-samples:], np.array(z[-samples:]), last[:, :, :-1], last[:, :, -1])

    def _solved(self, k: int, z1: Floats, z2: Floats) -> tuple[Floats, Balance]:
        """Solve one step by Newton's method; the last tangent is kept while it converges fast."""
        given = self.base.phase[k] / self.omega, self.q[k], self.v[k], self.a[k]
        z, none = 2.0 * z1 - z2, np.zeros(0)
        if not len(z):
            return z, self.motion.evaluate(*given, z, none)
        before = 0.0 if self.kept is None else np.inf
        for _ in range(MAX_ITERATIONS):
            if self.kept is None or before == 0.0:
                self.kept = self._matrix(self.motion.evaluate(*given, z, none))
            rate = self.motion.residual(*given, z, none)[1]
            change = np.linalg.solve(self.kept, rate - self.slow * (3.0 * z - 4.0 * z1 + z2))
            z, size = z + change, float(np.abs(change).max())
            if not np.isfinite(size):
                raise SolverError(NOT_FINITE)
            self.size = max(self.size, float(np.abs(z).max()))
            if size <= TOLERANCE * self.size:
                balance = self.motion.evaluate(*given, z, none)
                self.kept = self._matrix(balance)
                return z, balance
            before = size if size <= FAST * before else 0.0
        raise SolverError(
            "the bristles find no balance along the motion: take more samples or a closer guess"
        )

    def _matrix(self, balance: Balance) -> Floats:
        return 3.0 * self.slow * np.eye(len(balance.rate)) - balance.z_rate_by_z

    def _changed(
        self, k: int, now: Balance, z: Floats, z1: Floats, z2: Floats, dz1: Floats, dz2: Floats
    ) -> Floats:
        """Derivative (s, columns) of the new z by the series and, last, by the frequency."""
        if not len(z):
            return dz1
        base = self.base
        right = self.slow * (4.0 * dz1 - dz2)
        right[:, :-1] += np.kron(base.value[k], now.z_rate_by_q)
        right[:, :-1] += self.omega * np.kron(base.slope[k], now.z_rate_by_v)
        right[:, -1] += now.z_rate_by_v @ (self.v[k] / self.omega)
        right[:, -1] -= self.slow / self.omega * (3.0 * z - 4.0 * z1 + z2)
        return np.asarray(np.linalg.solve(self._matrix(now), right), dtype=float)
