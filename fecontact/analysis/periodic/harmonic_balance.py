"""Periodic solutions by harmonic balance with alternating frequency and time.

    int r(t, q, q', q'', z) (1, cos k tau, sin k tau) d tau = 0,      tau = omega t

q is a Fourier series up to the harmonic H. The residual r of the motion is evaluated at samples of
a period, where the elastic slip z of contacts follows by marching (`periodic_history`), and is
projected back (Cameron and Griffin 1989). All derivatives are analytic. Constraint forces are
Fourier series too, and the constraints further equations (`constrained_motion`).

In forced motion omega is given. In a free one it is unknown; the phase condition is that the first
sine coefficient of one coordinate vanishes.

Kinks of the forces, where contacts slip or close, have harmonics of any height: N samples take the
harmonic N - k for k (aliasing). How much that is, twice the samples say: their residual R at a
solution u of N samples, and with it the first step of Newton's method, dR/du du = -R, by which
the motion would change. N is doubled until that is small.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from fecontact.analysis.continuation import TOLERANCE, solve_at
from fecontact.analysis.equations import Equations
from fecontact.analysis.imbalance import Acting
from fecontact.analysis.periodic.constrained_motion import ConstrainedMotion
from fecontact.analysis.periodic.harmonics import Harmonics
from fecontact.analysis.periodic.homotopy import Relieved, stepped
from fecontact.analysis.periodic.motion import (
    Motion,
    beyond_validity,
    kept_motions,
    yielding,
)
from fecontact.analysis.periodic.periodic_history import History, march
from fecontact.errors import (
    POSITIVE,
    SolverError,
    at_least,
    check,
    numbers,
    overflow_as_error,
    renamed,
    renamed_keywords,
    warn_caller,
)
from fecontact.solvers.imbalance import Imbalance
from fecontact.solvers.threads import small_on_one_thread
from fecontact.typing import Floats

__all__ = ["HarmonicBalance", "HarmonicOrbit", "harmonic_balance"]

SOFTEST, FIRST = 2.0**-12, 0.1
"""First stiffness of bristles, and part of the way, where Newton's method fails from the guess."""

MAX_ON_THE_WAY = 25
"""Newton iterations on the way from easier equations."""

DIFFERENCE = 1e-7
"""Relative step of the difference by the parameter."""

SAMPLED, MAX_DOUBLINGS = 1e-3, 4
"""Change of the motion by twice the samples from which on they are doubled, and how often."""

COARSE, TRUNCATED = 0.01, 0.05
"""Change of the motion by twice the samples, and force of the harmonics left out, that are told."""


@dataclass(frozen=True, eq=False, repr=False)
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
        forces that act; with more than 0.05 the result asks for more harmonics.
    sampling
        Change of the motion, and of a free frequency, that twice the samples would bring, relative
        to the largest amplitude; with more than 0.01 the result asks for more samples.
    beyond
        What is said of a frequency beyond the validity of the bodies; else empty.
    """

    base: Harmonics
    series: Floats
    omega: float
    history: History
    forces: Floats
    residual: float
    truncation: float
    sampling: float
    beyond: str = ""

    @property
    def advice(self) -> tuple[str, ...]:
        """What makes the motion doubtful: too few modes of a body, harmonics or samples."""
        base, texts = self.base, [self.beyond] * bool(self.beyond)
        if self.truncation > TRUNCATED:
            texts.append(
                f"harmonics = {base.highest} are too few: those left out would balance "
                f"{self.truncation:.2g} of the acting forces (truncation; good is "
                f"< {TRUNCATED:g}); take more harmonics"
            )
        if not self.sampling <= COARSE:
            texts.append(
                f"samples = {base.samples} are too few: twice as many would change the motion by "
                f"{self.sampling:.2g} of its amplitude (sampling; good is < {COARSE:g}); take more "
                "samples"
            )
        return tuple(texts)

    def __repr__(self) -> str:
        base = self.base
        text = (
            f"periodic motion at {self.frequency:.6g} Hz: {base.highest} harmonics, {base.samples} "
            f"samples, residual {self.residual:.1e}, truncation {self.truncation:.1e}, sampling "
            f"{self.sampling:.1e}"
        )
        return "; ".join([text, *self.advice])

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


@renamed(softness="stiffness_factor")
@renamed_keywords(softness="stiffness_factor")
@dataclass(eq=False)
class HarmonicBalance:
    """Equations of harmonic balance over a parameter, for `follow`.

    The unknowns are the coefficients of q and of the constraint forces, row by row, and in free
    motion omega.

    Parameters
    ----------
    motion
        Motion at a value of the parameter, see `Shooting`; constraints are of position level.
    base
        Harmonics and samples.
    omega
        Angular frequency in rad/s at a value of the parameter; None: free motion.
    phase
        Number of the coordinate whose first sine coefficient vanishes in free motion.
    periods
        Periods over which contacts are marched, the last one counts.
    stiffness_factor
        Factor of the stiffness of bristles without damper; 1 but on the way to a solution.
    """

    motion: Callable[[float], Motion]
    base: Harmonics
    omega: Callable[[float], float] | None
    phase: int = 0
    periods: int = 2
    stiffness_factor: float = 1.0
    _last: tuple[bytes, float, History] | None = field(default=None, init=False, repr=False)

    def __post_init__(self) -> None:
        check("periods", self.periods, at_least(1))
        self.motion = kept_motions(self.motion)

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
        bordered = np.zeros((m + 1, m + 1))
        bordered[:m, :m], bordered[:m, m] = by_series, by_omega
        index = 2 * series.shape[1] + self.phase
        bordered[m, index] = 1.0
        return np.append(residual, u[index]), bordered

    def history(self, u: Floats, parameter: float) -> History:
        """Balances and elastic slip along the unknowns; the last ones are kept."""
        key = u.tobytes(), parameter
        if self._last is None or self._last[:2] != key:
            motion, at = _unbound(self.motion(parameter)), self._split(u, parameter)
            self._last = *key, march(motion, self.base, *at, self.periods, self.stiffness_factor)
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

    @cached_property
    def finer(self) -> HarmonicBalance:
        """The same equations with twice the samples."""
        return replace(self, base=Harmonics(self.base.highest, 2 * self.base.samples))

    def sampling(self, u: Floats, parameter: float) -> float:
        """Change of a solution by twice the samples, see `HarmonicOrbit`; inf if it is not known.

        The constraint forces are left out.
        """
        try:
            residual, by_u = self.finer.evaluate(u, parameter)
            step = np.asarray(np.linalg.solve(by_u, -residual), dtype=float)
        except (SolverError, np.linalg.LinAlgError):  # no march along u, or a fold
            return np.inf
        n = self.motion(parameter).sizes[0]
        (series, omega), (change, faster) = (self._split(x, parameter) for x in (u, step))
        swing = float(np.abs(series[1:, :n]).max()) or float(np.abs(series[0, :n]).max()) or 1.0
        return max(
            float(np.abs(change[:, :n]).max()) / swing,
            0.0 if self.omega is not None else abs(faster / omega),
        )

    def orbit(self, u: Floats, parameter: float) -> HarmonicOrbit:
        """Motion of a solution; there is a warning for each part of its `advice`."""
        series, omega = self._split(u, parameter)
        history = self.history(u, parameter)
        left = self.imbalance(u, parameter, self.evaluate(u, parameter)[0])
        n = self.motion(parameter).sizes[0]
        cut = self._acting(u, parameter).imbalance(history.balances.residual, n).residual
        q, forces = np.split(series, [n], axis=1)
        finer = self.sampling(u, parameter)
        fast = beyond_validity(self.motion(parameter), omega / (2.0 * np.pi))
        found = HarmonicOrbit(self.base, q, omega, history, forces, left.residual, cut, finer, fast)
        for text in found.advice:
            warn_caller(text)
        return found

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


@small_on_one_thread
def harmonic_balance(
    motion: Motion, guess: Floats, omega: float, harmonics: int = 7,
    samples: int | None = None, free: bool = False, phase: int = 0, periods: int = 2,
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
    harmonics
        Highest harmonic. Too few are told by `HarmonicOrbit.truncation`, and by a warning.
    samples
        Samples of a period. By default (None) there are eight per harmonic, at least 32, and they
        are doubled up to four times until twice as many would change the motion by less than 1e-3
        of its amplitude (or `tolerance`, if that is more). A given number stays;
        `HarmonicOrbit.sampling` and a warning tell whether it is too small.
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
        If no motion is found that balances, neither from the guess nor from easier equations, or
        if the forces at the guess are not finite.

    Examples
    --------
    Van der Pol's oscillator swings with the amplitude 2:

    >>> from fecontact.analysis.periodic.motion import Oscillator
    >>> def force(t, q, v):
    ...     slope = -1.0 - 0.2 * q * v
    ...     return 0.1 * (1.0 - q**2) * v - q, np.diag(slope), np.diag(0.1 * (1.0 - q**2))
    >>> guess = np.array([[0.0], [1.5], [0.0]])
    >>> orbit = harmonic_balance(Oscillator(np.eye(1), force), guess, 1.1, free=True)
    >>> round(float(orbit.amplitude[0]), 2), round(orbit.omega, 4)
    (2.0, 0.9994)
    >>> orbit.base.samples, orbit.sampling < 1e-3, orbit.truncation < 1e-3
    (56, True, True)
    """
    check("omega", omega, POSITIVE, "rad/s")
    if samples is not None:
        check("samples", samples, at_least(1))
    base = Harmonics(harmonics, samples or 0)
    given = None if free else (lambda _: omega)
    equations = HarmonicBalance(lambda _: motion, base, given, phase, periods)
    first = _started(equations, numbers("guess", guess, ("k", motion.sizes[0])), omega)
    u = _solved(equations, first, tolerance)
    if samples is None:
        equations, u = _sampled(equations, u, tolerance)
    return equations.orbit(u, 0.0)


def _started(equations: HarmonicBalance, guess: Floats, omega: float) -> Floats:
    """Unknowns of a guess, at which the equations must be finite."""
    series = np.zeros((equations.base.size, guess.shape[1]))
    rows = min(len(guess), len(series))
    series[:rows] = guess[:rows]
    absurd = (
        f"the forces at the guess are not finite (largest coefficient {np.abs(series).max():.1e}, "
        f"omega = {omega:.1e} rad/s): give a guess of the size of the motion"
    )
    with overflow_as_error(absurd):
        u = equations.start(series, omega, 0.0)
        if not all(np.isfinite(part).all() for part in equations.evaluate(u, 0.0)):
            raise SolverError(absurd)
    return u


def _sampled(
    equations: HarmonicBalance, u: Floats, tolerance: float
) -> tuple[HarmonicBalance, Floats]:
    """Samples twice as many until that changes the solution no more, as far as Newton's goes."""
    for _ in range(MAX_DOUBLINGS):
        if equations.sampling(u, 0.0) <= max(SAMPLED, tolerance):
            break
        try:
            u = solve_at(equations.finer, u, 0.0, tolerance=tolerance)
        except SolverError:
            break
        equations = equations.finer
    return equations, u


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
            return replace(equations, stiffness_factor=level)
        return Relieved(equations, guess, 0.0, level)

    def solve(level: float, u: Floats) -> Floats:
        sizes = equations.sizes(u, 0.0)
        return solve_at(easier(level), u, 0.0, sizes, tolerance, max_iterations=MAX_ON_THE_WAY)

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
    P, now, slope = base.project, history.balances, omega * base.slope
    by_series = now.by_q[:, :, None, :] * base.value[:, None, :, None]
    by_series += now.by_v[:, :, None, :] * slope[:, None, :, None]
    by_series += now.by_a[:, :, None, :] * (omega**2 * base.bend)[:, None, :, None]
    flat = by_series.reshape(base.samples, series.shape[1], -1)
    by_omega = np.einsum("kab,kb->ka", now.by_v, base.slope @ series)
    by_omega += 2.0 * omega * np.einsum("kab,kb->ka", now.by_a, base.bend @ series)
    if history.z.shape[1]:
        flat += now.by_z @ history.by_series
        by_omega += np.einsum("kas,ks->ka", now.by_z, history.by_frequency)
    tangent = (P @ flat.reshape(base.samples, -1)).reshape(series.size, series.size)
    return (P @ now.residual).ravel(), tangent, (P @ by_omega).ravel()
