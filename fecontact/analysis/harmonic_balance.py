"""Periodic solutions by harmonic balance with alternating frequency and time.

    int r(t, q, q', q'', z) (1, cos k tau, sin k tau) d tau = 0,      tau = omega t

q is a Fourier series up to the harmonic H. The residual r of the motion is evaluated at samples of
a period, where the elastic slip z of contacts follows by marching (`periodic_history`), and is
projected back (Cameron and Griffin 1989). All derivatives are analytic. Constraint forces are
Fourier series too, and the constraints further equations (`constrained_motion`).

In forced motion omega is given. In a free one it is unknown; the phase condition is that the first
sine coefficient of one coordinate vanishes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

from fecontact.analysis.constrained_motion import ConstrainedMotion
from fecontact.analysis.continuation import TOLERANCE, solve_at
from fecontact.analysis.equations import Equations
from fecontact.analysis.harmonics import Harmonics
from fecontact.analysis.imbalance import Acting
from fecontact.analysis.motion import Motion, yielding
from fecontact.analysis.periodic_history import History, march
from fecontact.analysis.stepped import Relieved, stepped
from fecontact.errors import POSITIVE, SolverError, at_least, check
from fecontact.solvers.imbalance import Imbalance
from fecontact.typing import Floats

__all__ = ["HarmonicBalance", "HarmonicOrbit", "harmonic_balance"]

SOFTEST, FIRST = 2.0**-12, 0.1
"""First stiffness of bristles, and part of the way, where Newton's method fails from the guess."""

MOST_ON_THE_WAY = 25
"""Newton iterations on the way from easier equations."""

DIFFERENCE = 1e-7
"""Relative step of the difference by the parameter."""


@dataclass(frozen=True, eq=False)
class HarmonicOrbit:
    """A periodic motion: Fourier coefficients of its coordinates, angular frequency in rad/s.

    Attributes
    ----------
    series : (2 H + 1, n)
        Coefficients of q.
    forces : (2 H + 1, m)
        Coefficients of the constraint forces.
    residual
        What is left of the equations, relative to the forces that act.
    truncation
        Largest force at a sample that the harmonics left out would have to balance, relative to the
        forces that act: with 0.1 or more, ask for more harmonics.
    """

    base: Harmonics
    series: Floats
    omega: float
    history: History
    forces: Floats
    residual: float
    truncation: float

    @property
    def frequency(self) -> float:
        """In Hz."""
        return self.omega / (2.0 * np.pi)

    @property
    def t(self) -> Floats:
        """Times (N,) of the samples in s."""
        return self.base.phase / self.omega

    @property
    def q(self) -> Floats:
        """Coordinates (N, n) at the samples."""
        return self.base.value @ self.series

    @property
    def v(self) -> Floats:
        """Velocities (N, n) at the samples."""
        return self.omega * (self.base.slope @ self.series)

    @property
    def lam(self) -> Floats:
        """Constraint forces (N, m) at the samples."""
        return self.base.value @ self.forces

    @property
    def z(self) -> Floats:
        """Elastic slip (N, s) at the samples."""
        return self.history.z

    @property
    def amplitude(self) -> Floats:
        """Half the way (n,) between the extremes of each coordinate."""
        fine = self.base.at(np.linspace(0.0, 2.0 * np.pi, 16 * self.base.samples, endpoint=False))
        return np.asarray(0.5 * np.ptp(fine @ self.series, axis=0))

    @property
    def start(self) -> Floats:
        """State (q, v, z) at the phase 0, in one row."""
        return np.concatenate([self.q[0], self.v[0], self.z[0]])


@dataclass(eq=False)
class HarmonicBalance:
    """Equations of harmonic balance over a parameter, for `follow`.

    The unknowns are the coefficients of q and of the constraint forces, row by row, and in free
    motion omega.

    Parameters
    ----------
    motion
        Motion at a value of the parameter; constraints are of position level.
    base
        Harmonics and samples.
    omega
        Angular frequency in rad/s at a value of the parameter; None: free motion.
    phase
        Number of the coordinate whose first sine coefficient vanishes in free motion.
    periods
        Periods over which contacts are marched, the last one counts.
    softness
        Factor of the stiffness of bristles without damper; 1 but on the way to a solution.
    """

    motion: Callable[[float], Motion]
    base: Harmonics
    omega: Callable[[float], float] | None
    phase: int = 0
    periods: int = 2
    softness: float = 1.0
    _last: tuple[bytes, float, History] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        check("periods", self.periods, at_least(1))

    def by_parameter(self, u: Floats, parameter: float, residual: Floats) -> Floats:
        """Derivative of the residual by the parameter: a difference."""
        change = DIFFERENCE * (abs(parameter) or 1.0)
        return (self.evaluate(u, parameter + change)[0] - residual) / change

    def evaluate(self, u: Floats, parameter: float) -> tuple[Floats, Floats]:
        """Residual and its derivative by the unknowns."""
        series, omega = self._split(u, parameter)
        history = self.history(u, parameter)
        residual, by_series, by_omega = _projected(self.base, series, omega, history)
        if self.omega is not None:
            return residual, by_series
        m = len(residual)
        border = np.zeros((m + 1, m + 1))
        border[:m, :m], border[:m, m] = by_series, by_omega
        place = 2 * series.shape[1] + self.phase
        border[m, place] = 1.0
        return np.append(residual, u[place]), border

    def history(self, u: Floats, parameter: float) -> History:
        """Balances and elastic slip along the unknowns; the last ones are kept."""
        key = u.tobytes(), parameter
        if self._last is None or self._last[:2] != key:
            motion, at = _unbound(self.motion(parameter)), self._split(u, parameter)
            self._last = *key, march(motion, self.base, *at, self.periods, self.softness)
        return self._last[2]

    def imbalance(self, u: Floats, parameter: float, residual: Floats) -> Imbalance:
        """Residual relative to the forces that act in the period."""
        forces = residual[: self._split(u, parameter)[0].size].reshape(self.base.size, -1)
        return self._acting(u, parameter).imbalance(forces, self.motion(parameter).sizes[0])

    def _acting(self, u: Floats, parameter: float) -> Acting:
        """Forces that act in the period."""
        (series, omega), history = self._split(u, parameter), self.history(u, parameter)
        base = self.base
        motion = base.value @ series, omega * base.slope @ series, omega**2 * base.bend @ series
        return Acting.of(history.balances, *motion, history.z, 1.0 / omega)

    def orbit(self, u: Floats, parameter: float) -> HarmonicOrbit:
        """Motion of a solution."""
        series, omega = self._split(u, parameter)
        history = self.history(u, parameter)
        left = self.imbalance(u, parameter, self.evaluate(u, parameter)[0])
        n = self.motion(parameter).sizes[0]
        beyond = np.array([each.residual for each in history.balances])
        cut = self._acting(u, parameter).imbalance(beyond, n).residual
        q, forces = np.split(series, [n], axis=1)
        return HarmonicOrbit(self.base, q, omega, history, forces, left.residual, cut)

    def start(self, series: Floats, omega: float, parameter: float) -> Floats:
        """Unknowns for coefficients (2 H + 1, n) of q, with the best constraint forces."""
        motion = self.motion(parameter)
        if motion.sizes[2]:
            bound = ConstrainedMotion(motion)
            series = np.hstack([series, bound.supporting(self.base, series, omega)])
        return series.ravel() if self.omega is not None else np.append(series.ravel(), omega)

    def sizes(self, u: Floats, parameter: float) -> Floats:
        """Sizes of the unknowns for `PathOptions`: coordinates, constraint forces, omega."""
        n, _, m = self.motion(parameter).sizes
        series, omega = self._split(u, parameter)
        parts = np.split(np.abs(series), [n], axis=1)
        q, forces = (float(part.max(initial=0.0)) or 1.0 for part in parts)
        sizes = np.tile(np.repeat([q, forces], [n, m]), self.base.size)
        return sizes if self.omega is not None else np.append(sizes, abs(omega))

    def _split(self, u: Floats, parameter: float) -> tuple[Floats, float]:
        if self.omega is not None:
            return u.reshape(self.base.size, -1), self.omega(parameter)
        return u[:-1].reshape(self.base.size, -1), float(u[-1])


def harmonic_balance(
    motion: Motion, guess: Floats, omega: float, harmonics: int = 7, samples: int = 0,
    free: bool = False, phase: int = 0, periods: int = 2,
    tolerance: float = TOLERANCE,
) -> HarmonicOrbit:  # fmt: skip
    """Find a periodic motion from a guess.

    Parameters
    ----------
    motion
        Equations of motion.
    guess
        Fourier coefficients (k, n) of q in the order of `Harmonics`; missing rows are zero.
    omega
        Angular frequency in rad/s; in free motion a guess of it.
    harmonics, samples
        Highest harmonic, and samples of a period (by default eight per harmonic). The samples have
        to resolve bristles that swing from one limit to the other: elastic slip beyond
        mu p/c_t shows that they do not.
    free
        Whether the frequency is unknown.
    phase
        See `HarmonicBalance`.
    periods
        See `HarmonicBalance`.
    tolerance
        Last step of Newton's method, relative to the motion; see `solve_at`.

    Raises
    ------
    SolverError
        If no motion is found that balances, neither from the guess nor from easier equations.

    Examples
    --------
    Van der Pol's oscillator swings with the amplitude 2:

    >>> from fecontact.analysis.motion import Oscillator
    >>> def force(t, q, v):
    ...     slope = -1.0 - 0.2 * q * v
    ...     return 0.1 * (1.0 - q**2) * v - q, np.diag(slope), np.diag(0.1 * (1.0 - q**2))
    >>> guess = np.array([[0.0], [1.5], [0.0]])
    >>> orbit = harmonic_balance(Oscillator(np.eye(1), force), guess, 1.1, free=True)
    >>> round(float(orbit.amplitude[0]), 2), round(orbit.omega, 4)
    (2.0, 0.9994)
    """
    check("omega", omega, POSITIVE, "rad/s")
    base = Harmonics(harmonics, samples)
    u = np.zeros((base.size, motion.sizes[0]))
    rows = min(len(guess), len(u))
    u[:rows] = guess[:rows]
    given = None if free else (lambda _: omega)
    equations = HarmonicBalance(lambda _: motion, base, given, phase, periods)
    flat = equations.start(u, omega, 0.0)
    return equations.orbit(_solved(equations, flat, tolerance), 0.0)


def _solved(equations: HarmonicBalance, guess: Floats, tolerance: float) -> Floats:
    """Solution from a guess by Newton's method, and if that fails by way of easier equations.

    Bristles without damper start soft and grow stiff, under the same friction limit; of other
    motions the forces that the guess leaves unbalanced are taken away bit by bit.
    """
    try:
        return solve_at(equations, guess, 0.0, tolerance=tolerance)
    except SolverError as error:
        failure = error

    def easier(level: float) -> Equations:
        if yielding(equations.motion(0.0)) is not None:
            return replace(equations, softness=level)
        return Relieved(equations, guess, 0.0, level)

    def solve(level: float, u: Floats) -> Floats:
        sizes = equations.sizes(u, 0.0)
        return solve_at(easier(level), u, 0.0, sizes, tolerance, most=MOST_ON_THE_WAY)

    soft = yielding(equations.motion(0.0)) is not None
    try:
        return stepped(solve, guess, SOFTEST if soft else FIRST)
    except SolverError as error:
        raise SolverError(
            f"{failure}; nor is there a way from {'softer bristles' if soft else 'the guess'} "
            f"({error}); take more samples ({equations.base.samples} now) or another guess"
        ) from error


def _unbound(motion: Motion) -> Motion:
    """Constraint forces as coordinates, if there are any."""
    return ConstrainedMotion(motion) if motion.sizes[2] else motion


def _projected(
    base: Harmonics, series: Floats, omega: float, history: History
) -> tuple[Floats, Floats, Floats]:
    """Coefficients of the residual and their derivatives by the series and by omega."""
    P, count = base.project, series.size
    stacked = {
        name: np.array([getattr(each, name) for each in history.balances])
        for name in ("residual", "by_q", "by_v", "by_a", "by_z")
    }
    by_series = np.zeros((base.size, series.shape[1], base.size, series.shape[1]))
    for name, functions in (
        ("by_q", base.value), ("by_v", omega * base.slope), ("by_a", omega**2 * base.bend),
    ):  # fmt: skip
        by_series += np.einsum("jk,kab,ki->jaib", P, stacked[name], functions, optimize=True)
    flat = by_series.reshape(count, count)
    by_omega = np.einsum("kab,kb->ka", stacked["by_v"], base.slope @ series)
    by_omega += 2.0 * omega * np.einsum("kab,kb->ka", stacked["by_a"], base.bend @ series)
    if history.z.shape[1]:
        flat = flat + (P @ (stacked["by_z"] @ history.by_series).reshape(base.samples, -1)).reshape(
            count, count
        )
        by_omega += np.einsum("kas,ks->ka", stacked["by_z"], history.by_frequency)
    return (P @ stacked["residual"]).ravel(), flat, (P @ by_omega).ravel()
