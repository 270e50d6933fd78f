"""Harmonic balance of dry friction: closed forms, motion in time, random problems, folds."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, replace
from math import cos, inf, pi, sin, sqrt

import numpy as np
import pytest
from scipy.optimize import brentq

from fecontact.analysis.continuation import PathOptions, follow, solve_at
from fecontact.analysis.periodic.harmonic_balance import HarmonicBalance, harmonic_balance
from fecontact.analysis.periodic.harmonics import Harmonics
from fecontact.analysis.periodic.motion import Balance, SystemMotion
from fecontact.analysis.periodic.shooting import shoot
from fecontact.analysis.steady.equilibrium import steady_state
from fecontact.body import RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, RigidFace, Surface
from fecontact.contact.master.shape import Plane
from fecontact.errors import InputError, SolverError
from fecontact.integrate import simulate
from fecontact.joint import Bearing, Force, SpringDamper
from fecontact.joint.curve import Function
from fecontact.system import System

NONE = np.zeros(0)


@dataclass(frozen=True)
class Dry:
    """q'' + d q' + k q + alpha q^3 + stops beyond a gap + a bristle = F cos(omega t)."""

    omega: float
    load: float
    k: float = 1.0
    d: float = 0.05
    c: float = 100.0
    grip: float = 0.3
    beta: float = 0.0
    alpha: float = 0.0
    gap: float = inf
    stop: float = 0.0
    sizes = (1, 1, 0)
    points = np.zeros(1, dtype=int)

    @property
    def undamped(self):
        return self.beta == 0.0

    def limit(self, t, q, v):
        return np.array([self.grip / self.c]), np.zeros((1, 1)), np.zeros((1, 1))

    def residual(self, t, q, v, a, z, lam):
        now = self.evaluate(t, q, v, a, z, lam)
        return now.residual, now.rate, now.rows

    def evaluate(self, t, q, v, a, z, lam):
        q, v, a, z = float(q[0]), float(v[0]), float(a[0]), float(z[0])
        pull, sticks, rate, by_z = self.c * z, 1.0, v, 0.0
        if not self.undamped:
            pull += self.beta * v
            sticks = float(abs(pull) <= self.grip)
            pull = pull if sticks else np.copysign(self.grip, pull)
            rate = v if sticks else (pull - self.c * z) / self.beta
            by_z = (sticks - 1.0) * self.c / self.beta
        r = a + self.d * v + self.spring(q) + pull - self.load * cos(self.omega * t)
        slope = self.k + 3.0 * self.alpha * q**2 + self.stop * (abs(q) > self.gap)
        one, none = np.eye(1), np.zeros((0, 1))
        return Balance(
            np.array([r]), slope * one, (self.d + self.beta * sticks) * one, one,
            self.c * sticks * one, np.array([rate]), 0.0 * one, sticks * one, by_z * one,
            NONE, none, none,
        )  # fmt: skip

    def spring(self, q):
        over = max(abs(q) - self.gap, 0.0)
        return self.k * q + self.alpha * q**3 + (self.stop * over if q > 0.0 else -self.stop * over)

    def settled(self, periods=60, steps=1000):
        """Amplitude of the motion in time from rest: small steps with the return map."""
        h, limit = 2.0 * pi / self.omega / steps, self.grip / self.c
        q = v = z = 0.0
        for _ in range(periods):
            path = []
            for i in range(steps):
                load = self.load * cos(self.omega * i * h)
                v += h * (load - self.d * v - self.spring(q) - self.c * z)
                q += h * v
                z = min(max(z + h * v, -limit), limit)
                path.append(q)
        return 0.5 * (max(path) - min(path))


@pytest.mark.parametrize("ratio", [0.6, 0.8, 1.3])
def test_coulomb_friction_has_the_amplitude_of_den_hartog(ratio):
    # Den Hartog 1931: motion without stops, x0 k/P = sqrt(1/(1 - g^2)^2 - (F/P)^2 U^2),
    # U = sin(pi/g)/(g (1 + cos(pi/g))). A bristle that bends by r = F/c needs a time of the order
    # sqrt(r/x0) of the period to turn round, in which friction is less
    grip = 0.3
    U = sin(pi / ratio) / (ratio * (1.0 + cos(pi / ratio)))
    exact = sqrt(1.0 / (1.0 - ratio**2) ** 2 - (grip * U) ** 2)
    errors, guess = [], np.zeros((1, 1))
    for c in (1e2, 1e3):
        orbit = harmonic_balance(Dry(ratio, 1.0, d=0.0, c=c, grip=grip), guess, ratio, 19, 300)
        guess = orbit.series
        assert orbit.residual < 1e-8
        errors.append(abs(orbit.amplitude[0] / exact - 1.0) / sqrt(grip / c / exact))
    assert max(errors) < 1.0


def test_a_mass_that_stops_twice_a_period_moves_as_in_time():
    motion = Dry(0.3, 1.0, d=0.1, c=20.0, grip=0.7)
    orbit = harmonic_balance(motion, np.zeros((1, 1)), motion.omega, 15, samples=120)
    sticks = np.abs(orbit.z) < motion.grip / motion.c * (1.0 - 1e-9)
    assert sticks.mean() > 0.3
    assert orbit.amplitude[0] == pytest.approx(motion.settled(20), rel=5e-3)


def test_too_few_harmonics_are_told_by_the_force_they_leave():
    motion = Dry(0.35, 1.5, d=0.24, c=27.0, grip=1.0)
    few, more = (harmonic_balance(motion, np.zeros((1, 1)), motion.omega, n, 160) for n in (4, 19))
    exact = motion.settled(20)
    assert abs(few.amplitude[0] / exact - 1.0) > 0.2  # balanced, and far off
    assert few.residual < 1e-8
    assert few.truncation > 0.1
    assert abs(more.amplitude[0] / exact - 1.0) < 0.03
    assert more.truncation < 0.5 * few.truncation


def caughey(motion, size):
    """Dynamic stiffness of one harmonic of a given size: describing function of Caughey 1960."""
    theta = np.arccos(1.0 - 2.0 * motion.grip / (motion.c * size))
    in_phase = motion.c / pi * (theta - 0.5 * np.sin(2.0 * theta))
    loss = motion.c / pi * np.sin(theta) ** 2
    return motion.k - motion.omega**2 + in_phase + 1j * (motion.d * motion.omega + loss)


@pytest.mark.parametrize("samples", [120, 240])
def test_one_harmonic_of_an_undamped_jenkins_element_is_caugheys_function(samples):
    motion = Dry(1.3, 1.0, c=4.0, grip=0.2)
    orbit = harmonic_balance(motion, np.zeros((1, 1)), motion.omega, 1, samples=samples)
    size = np.hypot(*orbit.series[1:, 0])
    dynamic = caughey(motion, size)
    # four kinks of at most c x size each in the trapezoidal rule
    allowed = (8.0 / pi) * (2.0 * pi / samples) ** 2 / 12.0 * motion.c / abs(dynamic)
    assert size == pytest.approx(motion.load / abs(dynamic), rel=allowed)


def exact_harmonic(motion):
    """Cosine and sine (2,) by the function of Caughey, and most error of samples per h^2.

    The trapezoidal rule errs by j h^2 B_2(s)/2 at a kink s h behind a sample, with the jump j of
    the slope and |B_2| <= 1/6: here j = c x sin(theta) where slip begins. Where the motion turns
    between samples, the bristle is off by up to x h^2/8, for the angle theta. Both happen twice in
    a period and go with 1/pi into the force f of the first harmonic; df = J dx gives the motion.
    """
    size = brentq(
        lambda x: x * abs(caughey(motion, x)) - motion.load, 2.0 * motion.grip / motion.c, 10.0
    )
    theta = np.arccos(1.0 - 2.0 * motion.grip / (motion.c * size))
    force = motion.c * size * (np.sin(theta) / 6.0 + np.sin(0.5 * theta) / 2.0) / pi
    dynamic, near = caughey(motion, size), 1e-6 * size
    ahead, behind = ((size + d) * caughey(motion, size + d) for d in (near, -near))
    along, across = (ahead - behind) / (2.0 * near), 1j * dynamic
    least = np.linalg.svd([[z.real for z in (along, across)], [z.imag for z in (along, across)]])[1]
    swing = motion.load / dynamic
    return np.array([swing.real, -swing.imag]), force / least[-1]


def off_caughey(motion, samples=None):
    """Error of the first harmonic, what twice the samples would change, and most error by them."""
    exact, most = exact_harmonic(motion)
    orbit = harmonic_balance(motion, np.zeros((1, 1)), motion.omega, 1, samples)
    assert samples in (None, orbit.base.samples)
    scale, spacing = np.abs(orbit.series[1:]).max(), 2.0 * pi / orbit.base.samples
    error = np.abs(orbit.series[1:, 0] - exact).max()
    return error / scale, orbit.sampling, most * spacing**2 / scale


JENKINS = [
    Dry(omega, 1.0, c=c, grip=grip)
    for omega, c, grip in (
        (1.3, 4.0, 0.2), (1.3, 40.0, 0.4), (1.2, 10.0, 0.4), (0.8, 20.0, 0.3), (1.05, 10.0, 0.5),
        (1.05, 30.0, 0.7),
    )
]  # fmt: skip


def test_samples_are_found_that_are_enough():
    usual, found = (
        np.array([off_caughey(motion, samples) for motion in JENKINS]) for samples in (32, None)
    )
    assert usual[:, 0].max() > 0.05  # with the usual number
    assert (found[:, 0] <= found[:, 2]).all()
    assert found[:, 1].max() <= 1e-3


@pytest.mark.filterwarnings("ignore:samples")
def test_the_change_by_twice_the_samples_is_the_error():
    """On average over the places of kinks between samples; for one of them it may be anything.

    The error e_N goes with B_2(s), that of twice the samples with B_2(2 s)/4. Over all places s the
    mean squares of B_2(s) and of the change B_2(s) - B_2(2 s)/4 are as 1 to 15/16. A bristle that
    turns too late adds s^2 = B_2(s + 1/2) + 1/12, and of its mean the change has 3/4. So the change
    is 0.75 to 0.97 of the error in the mean square, here over 36 problems: +- 1/sqrt(2 36).
    """
    problems = [
        replace(each, omega=(1.0 + 0.004 * k) * each.omega) for each in JENKINS for k in range(6)
    ]
    error, told, most = np.array([off_caughey(each, 64) for each in problems]).T
    assert (error <= most).all()
    assert (told <= 1.25 * most).all()  # e_N and a quarter of it
    share, spread = (
        np.sqrt(np.mean((told / most) ** 2) / np.mean((error / most) ** 2)),
        1 / sqrt(72.0),
    )
    assert 0.75 * (1.0 - spread) < share < 0.97 * (1.0 + spread)


def test_too_few_samples_and_harmonics_are_said():
    motion, none = JENKINS[-1], np.zeros((1, 1))
    with pytest.warns(UserWarning, match=r"samples = 32 are too few: .*more samples"):
        coarse = harmonic_balance(motion, none, motion.omega, 1, 32)
    assert coarse.sampling > 0.05
    assert "samples = 32 are too few" in repr(coarse)
    rough = Dry(0.35, 1.5, d=0.24, c=27.0, grip=1.0)
    with pytest.warns(UserWarning, match=r"harmonics = 4 are too few: .*more harmonics"):
        short = harmonic_balance(rough, none, rough.omega, 4)
    assert "harmonics = 4 are too few" in f"{short}"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        fine = harmonic_balance(rough, none, rough.omega, 19)
    assert fine.advice == ()
    assert f"sampling {fine.sampling:.1e}" in repr(fine)


def ending(solve):
    """Message of a solver that fails; one may come back from far away."""
    try:
        assert solve().residual < 1e-8
    except SolverError as error:
        return str(error)
    return "guess"


@pytest.mark.parametrize("size", [1e200, 1e308])
def test_absurd_guesses_end_in_one_line(size):
    """Neither a raw error of numpy, nor its warnings, which are errors in these tests."""
    guess, fixed = np.array([[0.0], [size], [0.0]]), Dry(1.2, 1.0, c=10.0, grip=0.4, alpha=0.1)
    system = plane_motion(5.0)
    solvers = (
        lambda: harmonic_balance(fixed, guess, fixed.omega, 3),
        lambda: harmonic_balance(replace(fixed, beta=0.5), guess, fixed.omega, 3),
        lambda: harmonic_balance(system, size * np.ones((1, 3)), 8.0, 3),
        lambda: shoot(replace(fixed, beta=0.5), np.array([size, 0.0, 0.0]), 1.0),
        lambda: steady_state(system.system, size * np.ones(3), t=0.0),
    )
    for text in map(ending, solvers):
        assert "guess" in text
        assert "\n" not in text


def test_guesses_of_a_wrong_shape_are_refused():
    motion = Dry(1.2, 1.0)
    for wrong in (np.zeros(3), np.zeros((3, 2)), "none", np.array([[np.nan]])):
        with pytest.raises(InputError, match="guess"):
            harmonic_balance(motion, wrong, 1.2)
    with pytest.raises(InputError, match="invalid samples = 0"):
        harmonic_balance(motion, np.zeros((1, 1)), 1.2, samples=0)


@pytest.mark.parametrize("solve", ["harmonic balance", "shooting"])
def test_a_zero_guess_is_solved_in_any_unit(solve):
    """The equations are the same in metres and in 1e10 m, but for load and friction limit."""

    def amplitude(unit):
        motion = Dry(1.2, 1.0 * unit, c=10.0, grip=0.4 * unit, beta=0.5)
        if solve == "shooting":
            orbit = shoot(motion, np.zeros(3), 2.0 * pi / motion.omega, 40)
        else:
            orbit = harmonic_balance(motion, np.zeros((1, 1)), motion.omega, 3)
        assert orbit.residual < 1e-8
        return float(orbit.amplitude[0]) / unit

    assert amplitude(1e-10) == pytest.approx(amplitude(1.0), rel=1e-7)


def test_a_motion_of_parts_of_a_micrometre():
    """0.2 N on 2e6 N/m, with 0.1 N of friction, from a zero guess.

    Newton steps below 1e-9 m are not short beside it: what is left of the forces must tell.
    Reference: small steps in time. The damper of the bristle is small, omega beta/c = 0.2 %.
    """
    k = 2e6
    omega = 1.2 * sqrt(k)
    motion = Dry(omega, 0.2, k=k, d=0.1 * sqrt(k), c=k, grip=0.1, beta=1e-6 * k)
    orbit = harmonic_balance(motion, np.zeros((1, 1)), omega, 7)
    equations = HarmonicBalance(lambda _: motion, orbit.base, lambda _: omega)
    left = equations.evaluate(orbit.series.ravel(), 0.0)[0]
    assert np.abs(left).max() < 1e-9 * motion.load
    assert orbit.truncation < 0.02
    assert orbit.amplitude[0] == pytest.approx(motion.settled(100), rel=0.01)


def test_what_is_not_balanced_is_not_returned():
    """Equations whose steps are short, but whose residual stays."""

    class Jump:
        def evaluate(self, u, p):
            return np.where(u > 1.0, 1.0, -1.0) * (1.0 + np.abs(u - 1.0)), 1e10 * np.eye(1)

        def by_parameter(self, u, p, residual):
            return np.zeros(1)

        def imbalance(self, u, p, residual):
            from fecontact.solvers.imbalance import Imbalance

            return Imbalance(float(np.abs(residual).max()))

    with pytest.raises(SolverError, match="no convergence in 60 iterations"):
        solve_at(Jump(), np.ones(1), 0.0, size=1.0)


def test_all_numbers_of_samples_find_the_same_motion():
    motion = Dry(0.7, 1.0, c=20.0, grip=0.5)
    found = [
        float(harmonic_balance(motion, np.zeros((1, 1)), motion.omega, 9, samples=n).amplitude[0])
        for n in range(90, 98)
    ]
    np.testing.assert_allclose(found, motion.settled(), rtol=1.2e-2)  # the series is cut off


def problem(rng):
    """A random oscillator, its harmonics and samples, and a guess that may be far off."""
    motion = Dry(
        rng.uniform(0.3, 3.0), 10.0 ** rng.uniform(-1.0, 1.0), d=10.0 ** rng.uniform(-1.5, -0.5),
        c=10.0 ** rng.uniform(0.0, 2.0), grip=1.0,
    )  # fmt: skip
    harmonics = int(rng.integers(3, 10))
    samples = int(rng.integers(8 * harmonics, 14 * harmonics))
    guess = rng.choice([0.0, 0.01, 1.0, 10.0]) * rng.standard_normal((3, 1))
    return motion, harmonics, samples, guess


def tried(seeds):
    """Relative errors of the amplitudes against the motion in time; inf for a clear failure."""
    errors = []
    for seed in seeds:
        motion, harmonics, samples, guess = problem(np.random.default_rng(seed))
        try:
            orbit = harmonic_balance(motion, guess, motion.omega, harmonics, samples)
        except SolverError:
            errors.append(inf)
            continue
        assert orbit.residual < 1e-8
        errors.append(abs(orbit.amplitude[0] / motion.settled(100) - 1.0))
    return np.array(errors)


def test_random_problems_move_as_in_time():
    errors = tried(range(8))
    assert np.isfinite(errors).all()
    assert np.median(errors) < 3e-3
    assert errors.max() < 0.05


@pytest.mark.slow
def test_many_random_problems_move_as_in_time():
    errors = tried(range(100, 200))
    assert np.isfinite(errors).mean() >= 0.97
    found = errors[np.isfinite(errors)]
    assert np.median(found) < 3e-3
    assert (found > 0.05).mean() <= 0.05  # harmonics of free vibration in stick are cut off


def test_a_branch_passes_the_folds_of_a_mass_with_friction_stops_and_cubic_spring():
    def at(omega, beta=0.0):
        return Dry(omega, 0.6, d=0.1, c=10.0, grip=0.15, alpha=0.3, gap=0.8, stop=1.0, beta=beta)

    equations = HarmonicBalance(at, Harmonics(3, 28), lambda omega: omega)
    options = PathOptions(1.0, 1.9, size=1.0, longest=0.2, located=1e-2)
    path = follow(equations, np.array([0.0, 1.0, 0, 0, 0, 0, 0]), 1.0, options)
    assert path.message == "left the range of the parameter"
    assert path.parameter[-1] > 1.9
    assert len(path.of("fold")) >= 2
    assert path.residual < 1e-8
    omega = 1.45
    over = path.parameter > omega
    places = np.flatnonzero(over[1:] != over[:-1])
    assert len(places) == 3
    for place in places:  # upper, unstable and lower branch, against shooting
        near = min(path.points[place : place + 2], key=lambda point: abs(point.parameter - omega))
        orbit = equations.orbit(solve_at(equations, near.u, omega), omega)
        other = shoot(at(omega, beta=0.05), orbit.start, 2.0 * pi / omega, 40)
        assert orbit.amplitude[0] == pytest.approx(float(other.amplitude[0]), rel=0.02)
        assert other.multipliers.stable == (place != places[1])


def as_system(p):
    """The mass with friction, stops and cubic spring, of bodies, joints and contacts."""
    body, depth = RigidBody("mass", 1.0, ("ux",)), 1e-4
    floor = ContactPair(
        body, Surface(np.array([[0.0, 0.0, -depth]]), np.ones(1)), RigidFace(None, Plane()),
        PenaltyNormal(p.grip / 0.4 / depth), ElastoPlastic(0.4, p.c), name="floor",
    )  # fmt: skip
    walls = [
        ContactPair(
            body, Surface(np.zeros((1, 3)), np.ones(1)),
            RigidFace(None, Plane((side * p.gap, 0.0, 0.0), (-side, 0.0, 0.0))),
            PenaltyNormal(p.stop), ElastoPlastic(0.0, 1.0), name=f"wall {side:g}",
        )
        for side in (-1.0, 1.0)
    ]  # fmt: skip
    cubic = Function(lambda x: p.alpha * x**3, lambda x: 3.0 * p.alpha * x**2)
    swing = Function(lambda t: np.cos(p.omega * t), lambda t: -p.omega * np.sin(p.omega * t))
    items = [
        Bearing(body, p.k, 1e-9, p.d), Force(body, (p.load, 0.0, 0.0), factor=swing), floor, *walls,
        SpringDamper(None, body, cubic, point_a=(-100.0, 0.0, 0.0)),
    ]  # fmt: skip
    return SystemMotion(System([body], items))


def test_friction_stops_and_cubic_spring_swing_as_in_a_simulation():
    p = Dry(1.45, 0.6, d=0.1, c=10.0, grip=0.15, alpha=0.3, gap=0.8, stop=1.0)
    orbit = harmonic_balance(p, np.array([[0.0], [0.0], [1.3]]), p.omega, 9)
    assert orbit.amplitude[0] > 1.2 * p.gap
    system = as_system(p)
    bent = orbit.z[0] * system.directions[0]  # of the floor; walls have no friction
    start = system.state(0.0, orbit.q[0], orbit.v[0], bent)
    end = 2.0 * pi / p.omega
    found = simulate(system.system, end, start, "implicit", step=end / 150)
    expected = orbit.base.at(p.omega * found.t) @ orbit.series
    np.testing.assert_allclose(found.q, expected, atol=3e-3 * float(orbit.amplitude[0]))


def plane_motion(damping=0.0):
    """A mass on a plane that swings along both directions, as a system with contact."""
    body, ground = RigidBody("mass", 1.0, ("ux", "uy", "uz")), RigidBody("ground", 1.0, ())
    pair = ContactPair(
        body, Surface(np.array([[0.0, 0.0, -1e-3]]), np.ones(1)), RigidFace(ground, Plane()),
        PenaltyNormal(2e4), ElastoPlastic(0.4, 500.0, damping),
    )  # fmt: skip
    swing = Function(lambda t: np.cos(8.0 * t), lambda t: -8.0 * np.sin(8.0 * t))
    items = [Bearing(body, 100.0, 100.0, 1.0), Force(body, (20.0, 8.0, 5.0), factor=swing), pair]
    return SystemMotion(System([body, ground], items))


def test_derivative_of_the_return_map_by_all_unknowns(difference):
    motion, base = plane_motion(), Harmonics(1, 10)
    equations = HarmonicBalance(lambda _: motion, base, lambda _: 8.0)
    u = np.random.default_rng(2).standard_normal(base.size * 3) * np.tile([0.012, 0.012, 1e-4], 3)
    J = equations.evaluate(u, 0.0)[1]
    size = np.hypot(*equations.history(u, 0.0).z.T)
    limit = [motion.limit(t, *x)[0][0] for t, *x in zip(
        base.phase / 8.0, base.value @ u.reshape(3, 3), 8.0 * base.slope @ u.reshape(3, 3),
        strict=True)]  # fmt: skip
    slides = size > np.array(limit) * (1.0 - 1e-9)
    assert slides.any()
    assert not slides.all()
    found = difference(lambda x: equations.evaluate(x, 0.0)[0], u, np.full(len(u), 1e-8))
    np.testing.assert_allclose(found, J, atol=1e-6 * np.abs(J).max())


def test_derivative_of_the_return_map_by_the_frequency(difference):
    motion, base = Dry(0.0, 0.5, c=20.0, grip=0.4), Harmonics(3, 24)
    equations = HarmonicBalance(lambda _: motion, base, None)
    u = np.append(0.3 * np.random.default_rng(5).standard_normal(base.size), 1.3)
    J = equations.evaluate(u, 0.0)[1]
    found = difference(lambda x: equations.evaluate(x, 0.0)[0], u, np.full(len(u), 1e-7))
    np.testing.assert_allclose(found, J, atol=1e-6 * np.abs(J).max())


def test_system_and_formulas_have_the_same_orbit_without_damper():
    depth, motion = 1e-4, Dry(130.0, 60.0, k=1e4, d=20.0, c=4e4, grip=20.0)
    body, ground = RigidBody("mass", 1.0, ("ux",)), RigidBody("ground", 1.0, ())
    pair = ContactPair(
        body, Surface(np.array([[0.0, 0.0, -depth]]), np.ones(1)), RigidFace(ground, Plane()),
        PenaltyNormal(50.0 / depth), ElastoPlastic(0.4, motion.c),
    )  # fmt: skip
    swing = Function(lambda t: np.cos(130.0 * t), lambda t: -130.0 * np.sin(130.0 * t))
    items = [Bearing(body, 1e4, 1e-9, 20.0), Force(body, (60.0, 0.0, 0.0), factor=swing), pair]
    system = SystemMotion(System([body, ground], items))
    guess = harmonic_balance(motion, np.zeros((1, 1)), 130.0, 3, 32)
    found = harmonic_balance(system, guess.series, 130.0, 3, 32)
    np.testing.assert_allclose(found.series, guess.series, atol=1e-9 * float(guess.amplitude[0]))


def test_shooting_refuses_bristles_without_damper_and_mixtures_are_refused():
    with pytest.raises(InputError, match="invalid friction damping = 0 with shooting"):
        shoot(plane_motion(), np.zeros(8), 1.0)
    one, ground = RigidBody("one", 1.0, ("ux",)), RigidBody("ground", 1.0, ())
    pairs = [
        ContactPair(
            one, Surface(np.array([[0.0, 0.0, -1e-3]]), np.ones(1)), RigidFace(ground, Plane()),
            PenaltyNormal(1e4), ElastoPlastic(0.4, 500.0, damping), name=f"pad {damping:g}",
        )
        for damping in (0.0, 1.0)
    ]  # fmt: skip
    with pytest.raises(InputError, match="with and without damper"):
        SystemMotion(System([one, ground], [*pairs, Bearing(one, 1.0, 1.0)]))
