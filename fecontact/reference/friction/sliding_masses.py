"""Linear oscillators on dry ground while all of them slide: a chain of matrix exponentials."""

from __future__ import annotations

from math import exp

import numpy as np
from scipy.linalg import expm
from scipy.optimize import brentq

from fecontact.errors import POSITIVE, SolverError, check
from fecontact.typing import Floats

__all__ = ["KickedMasses", "SlidingMasses"]


class SlidingMasses:
    """Rigid solution of x'' + B x' + C x = -limit sign(x'), from reversal to reversal.

    It holds while no mass sticks at its reversal; one that does is refused.

    Parameters
    ----------
    stiffness, damping
        Matrices C and B (n, n) per unit mass.
    limit
        Friction per unit mass in m/s^2.
    start
        Positions (n,) in m, at rest.

    Attributes
    ----------
    t, y
        Time reached, and positions and speeds (2 n,) there.
    reversals
        Their number so far.

    Examples
    --------
    One mass loses 2 limit/c of its amplitude in every half swing.

    >>> swing = SlidingMasses(np.eye(1), np.zeros((1, 1)), 1.0, [9.0])
    >>> bool(abs(swing.at(6.28)[0] - 5.0) < 1e-4), swing.reversals
    (True, 1)
    """

    def __init__(self, stiffness: Floats, damping: Floats, limit: float, start: Floats) -> None:
        check("limit", limit, POSITIVE, "m/s^2")
        self.C, self.B = np.asarray(stiffness), np.asarray(damping)
        n = self.n = len(self.C)
        self.limit, self.t, self.reversals = limit, 0.0, 0
        self.y = np.concatenate([start, np.zeros(n)])
        self.sign = np.sign(-self.C @ self.y[:n])
        self.matrix = np.zeros((2 * n + 1, 2 * n + 1))
        self.matrix[:n, n : 2 * n] = np.eye(n)
        self.matrix[n : 2 * n, : 2 * n] = np.hstack([-self.C, -self.B])

    def at(self, until: float, probe: float = 0.01) -> Floats:
        """Positions and speeds (2 n,) at a time; times must rise.

        Parameters
        ----------
        until
            Time in s.
        probe
            Reversals are sought in spans of this length in s.
        """
        while self.t < until:
            span = min(probe, until - self.t)
            turns = self.sign * self._after(span)[self.n :] < 0.0
            if not turns.any():
                self.y, self.t = self._after(span), self.t + span
                continue
            times = [self._root(int(i), span) for i in np.flatnonzero(turns)]
            first = int(np.flatnonzero(turns)[np.argmin(times)])
            self.y, self.t = self._after(min(times)), self.t + min(times)
            self.y[self.n + first] = 0.0
            self.reverse(first)
        return self.y

    def _root(self, mass: int, span: float) -> float:
        early = 1e-9 * span
        speed = [self._after(s)[self.n + mass] for s in (early, span)]
        if speed[0] * speed[1] >= 0.0:
            return early
        return float(brentq(lambda s: self._after(s)[self.n + mass], early, span, xtol=1e-14))

    def reverse(self, mass: int) -> None:
        """Turn the friction of a mass that has come to rest; refined where a law adds to it."""
        push = float((-self.C @ self.y[: self.n] - self.B @ self.y[self.n :])[mass])
        if abs(push) <= self.limit:
            raise SolverError(f"mass {mass + 1} sticks at t = {self.t:.6g} s; try a shorter time")
        self.sign[mass] = np.sign(push)
        self.reversals += 1

    def _after(self, span: float) -> Floats:
        n = self.n
        self.matrix[n : 2 * n, 2 * n] = -self.limit * self.sign
        return np.asarray((expm(span * self.matrix) @ np.append(self.y, 1.0))[: 2 * n])


class KickedMasses(SlidingMasses):
    """Two masses with the kicks of bristles that turn within the time `late` = 1/omega.

    At a reversal the friction R of a mass turns from one side to the other. On critically damped
    bristles this takes a time: with the pull F > R and s = omega t, unit mass,

        x' = (F + R) t e^-s,        T = R - (F + R) (1 - (1 - s) e^-s)

    until T = -R. The mass is then faster than a rigid one by (F + R) s^2 e^-s/omega; a start from
    rest gives the same with F in place of F + R.

    Parameters
    ----------
    stiffness, damping, limit, start
        As in `SlidingMasses`.
    late
        1/omega in s.

    Attributes
    ----------
    turns
        |x_1| at the reversals of the first mass.
    """

    def __init__(
        self, stiffness: Floats, damping: Floats, limit: float, start: Floats, late: float
    ) -> None:
        super().__init__(stiffness, damping, limit, start)
        self.late = late
        self.turns: list[float] = []
        push = np.abs(self.C @ self.y[: self.n])
        for mass in range(self.n):
            if push[mass] > limit:
                self._kick(mass, float(push[mass]), limit)

    def _kick(self, mass: int, pull: float, turn: float) -> None:
        """Speed of a mass at break-away, more than that of a rigid one, as if it had it at once."""
        s = brentq(lambda s: 1.0 - (1.0 - s) * exp(-s) - turn / pull, 0.0, 2.0, xtol=1e-14)
        self.y[self.n + mass] = self.sign[mass] * self.late * pull * s**2 * exp(-s)

    def reverse(self, mass: int) -> None:
        """Turn, and kick."""
        super().reverse(mass)
        if mass == 0:
            self.turns.append(abs(float(self.y[0])))
        push = abs(float((self.C @ self.y[: self.n] + self.B @ self.y[self.n :])[mass]))
        self._kick(mass, push + self.limit, 2.0 * self.limit)
