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
from typing import NamedTuple

import numpy as np

from fecontact.analysis.periodic.compiled_motion import (
    FAST,
    MAX_ITERATIONS,
    NOT_FINITE,
    NOT_FOUND,
    TOLERANCE,
)
from fecontact.analysis.periodic.harmonics import Harmonics
from fecontact.analysis.periodic.instants import balances, compiled_form, slips
from fecontact.analysis.periodic.motion import Balance, Balances, Motion, YieldingMotion, yielding
from fecontact.contact.laws.algebra import Vector, times
from fecontact.contact.laws.point import LimitSlopes, Stepping
from fecontact.contact.laws.yielding import yield_slopes, yield_step
from fecontact.errors import SolverError
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats, Integers

__all__ = ["History", "march"]


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

    balances: Balances
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
        self, motion: YieldingMotion, base: Harmonics, series: Floats, omega: float,
        stiffness_factor: float,
    ) -> None:  # fmt: skip
        self.motion, self.base, self.omega = motion, base, omega
        self.stiffness_factor = stiffness_factor
        q, v = base.value @ series, omega * (base.slope @ series)
        a = omega**2 * (base.bend @ series)
        self.v, self.given = v, (base.phase / omega, q, v, a)
        self.slips = slips(motion, *self.given[:3])

    def run(self, periods: int) -> History:
        """All samples of all periods."""
        base, free = self.base, self.slips
        slip = self.stiffness_factor * free.rate / self.omega
        change = self._by_unknowns(free.by_q, free.by_v)
        change *= self.stiffness_factor / self.omega
        change[:, :, -1] -= slip / self.omega
        position, position_by = (base.integral(part) for part in (slip, change))
        drift, drift_by = (part.mean(axis=0) * base.step for part in (slip, change))
        last, by = np.empty_like(position), np.empty_like(position_by)
        limit = Varied(free.limit, self._by_unknowns(free.limit_by_q, free.limit_by_v))
        return_map(
            Varied(position, position_by), Varied(drift, drift_by), limit,
            self.motion.points.astype(np.int64), periods, Varied(last, by),
        )  # fmt: skip
        if not np.isfinite(last).all():
            raise SolverError(NOT_FINITE)
        found = balances(self.motion, *self.given, last)
        return History(found, last, by[:, :, :-1], by[:, :, -1])

    def _by_unknowns(self, by_q: Floats, by_v: Floats) -> Floats:
        """Derivative (N, s, columns) by the series and, last, by omega, from those by q and v."""
        base, omega = self.base, self.omega
        by = base.value[:, None, :, None] * by_q[:, :, None, :]
        by += (omega * base.slope)[:, None, :, None] * by_v[:, :, None, :]
        faster = np.einsum("ksn,kn->ks", by_v, self.v / omega)
        return np.concatenate([by.reshape(*by.shape[:2], -1), faster[:, :, None]], axis=2)


class Varied(NamedTuple):
    """Numbers over the samples of a period, and their derivatives by the unknowns."""

    value: Floats
    by: Floats


@kernel
def return_map(
    position: Varied, drift: Varied, limit: Varied, points: Integers, periods: int, slip: Varied
) -> None:
    """Elastic slip (N, s) within its limit over the last period, and its change (N, s, columns).

    It starts from the last position. `points` (s,) are the contact points of the components, one
    after the other. The law is that of a time step, for a spring of 1 without damper.
    """
    (x, x_by), (shift, shift_by), (limits, limits_by) = position, drift, limit
    (count, s), (z, dz) = x.shape, slip
    z[-1], dz[-1] = x[-1], x_by[-1]
    for step in range(periods * count):
        k = step % count
        for i in range(s):
            z[k, i] = z[k - 1, i] + (x[k, i] - x[k - 1, i] + shift[i])
            for j in range(dz.shape[2]):
                moved = x_by[k, i, j] - x_by[k - 1, i, j] + shift_by[i, j]
                dz[k, i, j] = dz[k - 1, i, j] + moved
        i = 0
        while i < s:
            p, m = points[i], 1
            while i + m < s and points[i + m] == p:
                m += 1
            _yielded(limits[k, p], limits_by[k, p], i, m, z[k], dz[k])
            i += m


@kernel
def _yielded(
    limit: float, limit_by: Floats, first: int, size: int, z: Floats, dz: Floats
) -> None:  # fmt: skip
    """End of a step of a point, and its derivatives, in place of the trial slip and its own."""
    trial = _components(z, first, size)
    none = (0.0, 0.0, 0.0)
    end = yield_step(1.0, 0.0, 0.0, 1.0, Stepping(0.0, limit, none, trial, none, 1.0, 0, (0.0,)))
    by = yield_slopes(1.0, 0.0, 0.0, limit, none, trial, LimitSlopes(0.0, 1.0, False))
    for a in range(size):
        z[first + a] = end.z[a]
    for j in range(dz.shape[1]):
        moved = _components(dz[:, j], first, size)
        turned, stretched = times(by.by_trial, moved), by.by_pressure
        for a in range(size):
            dz[first + a, j] = -turned[a] - stretched[a] * limit_by[j]


@kernel
def _components(values: Floats, first: int, size: int) -> Vector:
    """One to three numbers of a point as a vector."""
    y = values[first + 1] if size > 1 else 0.0
    return values[first], y, values[first + 2] if size > 2 else 0.0


class _March:
    kept: Floats | None

    def __init__(self, motion: Motion, base: Harmonics, series: Floats, omega: float) -> None:
        self.motion, self.base, self.series, self.omega = motion, base, series, omega
        self.q, self.v = base.value @ series, omega * (base.slope @ series)
        self.a = omega**2 * (base.bend @ series)
        self.slow = base.samples * omega / (4.0 * np.pi)  # 1/(2 h)
        self.size, self.kept = 0.0, None

    def run(self, periods: int) -> History:
        """All samples of all periods."""
        compiled = compiled_form(self.motion)
        if compiled is not None:
            found = compiled.march(self.base, self.series, self.omega, periods)
            if found is not None:
                return History(*found)
        samples, (n, s, _) = self.base.samples, self.motion.sizes
        columns = self.base.size * n + 1
        z = [np.zeros(s), np.zeros(s)]
        dz = [np.zeros((s, columns)), np.zeros((s, columns))]
        passed = list[Balance]()
        for step in range(periods * samples if s else samples):
            k = step % samples
            new, balance = self._solved(k, z[-1], z[-2])
            dz.append(self._changed(k, balance, new, z[-1], z[-2], dz[-1], dz[-2]))
            z.append(new)
            passed.append(balance)
        last = np.array(dz[-samples:]).reshape(samples, s, columns)
        last_period = Balances.of(passed[-samples:])
        return History(last_period, np.array(z[-samples:]), last[:, :, :-1], last[:, :, -1])

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
        raise SolverError(NOT_FOUND)

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
