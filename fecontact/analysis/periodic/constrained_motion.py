"""A motion whose constraint forces count as coordinates, for harmonic balance.

    r(t, q, v, a, z) - A^T lam = 0,      c(t, q) = 0

Coordinates are (q, lam): the constraints are further equations of the same kind, without velocities
and accelerations. A Fourier series fulfils c = 0 itself, so nothing drifts, and the index of the
equations does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from fecontact.analysis.periodic.harmonics import Harmonics
from fecontact.analysis.periodic.motion import Balance, Motion, YieldingMotion, yielding
from fecontact.errors import InputError
from fecontact.typing import Floats, Integers

__all__ = ["ConstrainedMotion"]


@dataclass(frozen=True, eq=False)
class ConstrainedMotion(YieldingMotion):
    """Motion with the coordinates (q, lam) and no constraint rows.

    Parameters
    ----------
    motion
        With m constraints of position level.
    """

    motion: Motion

    def __post_init__(self) -> None:
        n, _, m = self.motion.sizes
        if len(self.motion.bound(0.0, np.zeros(n), np.zeros(n))[0]) < 2 * m:
            raise InputError(
                "harmonic balance needs constraints of position level: a row of speeds leaves the "
                "mean position open; use shooting"
            )

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Coordinates and constraint forces, internal variables, no rows."""
        n, s, m = self.motion.sizes
        return n + m, s, 0

    def residual(
        self, t: float, q: Floats, v: Floats, a: Floats, z: Floats, lam: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """(r - A^T lam, c), z' and nothing."""
        q, v, a, lam = self._split(q, v, a)
        r, rate, _ = self.motion.residual(t, q, v, a, z, lam)
        return np.concatenate([r, self._gaps(t, q, v)[0]]), rate, np.zeros(0)

    def evaluate(
        self, t: float, q: Floats, v: Floats, a: Floats, z: Floats, lam: Floats
    ) -> Balance:
        """All of it with derivatives."""
        q, v, a, lam = self._split(q, v, a)
        now, (c, A) = self.motion.evaluate(t, q, v, a, z, lam), self._gaps(t, q, v)
        m = len(lam)
        below, right = ((0, m), (0, 0)), ((0, 0), (0, m))
        return replace(
            now,
            residual=np.concatenate([now.residual, c]),
            by_q=np.block([[now.by_q, -now.rows_by_v.T], [A, np.zeros((m, m))]]),
            by_v=np.pad(now.by_v, (0, m)),
            by_a=np.pad(now.by_a, (0, m)),
            by_z=np.pad(now.by_z, below),
            z_rate_by_q=np.pad(now.z_rate_by_q, right),
            z_rate_by_v=np.pad(now.z_rate_by_v, right),
            rows=np.zeros(0),
            rows_by_q=np.zeros((0, len(q) + m)),
            rows_by_v=np.zeros((0, len(q) + m)),
            acting=None if now.acting is None else np.append(now.acting, np.abs(A) @ np.abs(q)),
        )

    def bound(self, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Nothing: the constraints are equations of the motion."""
        return np.zeros(0), np.zeros((0, 2 * len(q)))

    @property
    def undamped(self) -> bool:
        """Whether the bristles have no damper, see `YieldingMotion`."""
        return yielding(self.motion) is not None

    @property
    def points(self) -> Integers:
        """Contact point (s,) to which each component of z belongs."""
        return self._yielding.points

    def limit(self, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Largest elastic slip of the points, and its derivatives, of undamped bristles."""
        n, _, m = self.motion.sizes
        value, by_q, by_v = self._yielding.limit(t, q[:n], v[:n])
        right = ((0, 0), (0, m))
        return value, np.pad(by_q, right), np.pad(by_v, right)

    @property
    def _yielding(self) -> YieldingMotion:
        found = yielding(self.motion)
        assert found is not None
        return found

    def supporting(self, base: Harmonics, series: Floats, omega: float) -> Floats:
        """Coefficients (2 H + 1, m) of the forces that best support a series (2 H + 1, n) of q."""
        _, s, m = self.motion.sizes
        z, none, lam = np.zeros(s), np.zeros(m), np.zeros((base.samples, m))
        q, v = base.value @ series, omega * (base.slope @ series)
        a = omega**2 * (base.bend @ series)
        for k, t in enumerate(base.phase / omega):
            at = self.motion.evaluate(float(t), q[k], v[k], a[k], z, none)
            lam[k] = np.linalg.lstsq(at.rows_by_v.T, at.residual, rcond=None)[0]
        return base.project @ lam

    def _split(self, q: Floats, v: Floats, a: Floats) -> tuple[Floats, Floats, Floats, Floats]:
        n = self.motion.sizes[0]
        return q[:n], v[:n], a[:n], q[n:]

    def _gaps(self, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """Return c (m,) and A (m, n)."""
        n, _, m = self.motion.sizes
        values, by = self.motion.bound(t, q, v)
        return values[:m], by[:m, :n]
