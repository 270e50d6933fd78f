"""Harmonic balance: Duffing, van der Pol, and a Jenkins element on a system with contact."""

from __future__ import annotations

from dataclasses import dataclass
from math import pi

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import minimize_scalar
from scipy.special import ellipk

from fecontact.analysis.continuation import PathOptions, follow
from fecontact.analysis.periodic.harmonic_balance import HarmonicBalance, harmonic_balance
from fecontact.analysis.periodic.harmonics import Harmonics
from fecontact.analysis.periodic.motion import Balance, Oscillator, SystemMotion
from fecontact.body import RigidBody
from fecontact.contact import ContactPair, Coulomb, ElastoPlastic, PenaltyNormal, RigidFace, Surface
from fecontact.contact.master.shape import Plane
from fecontact.errors import InputError
from fecontact.joint import Bearing, DofCoordinate, Force, PrescribedMotion, Speed
from fecontact.joint.curve import Function
from fecontact.system import System

ALPHA = 0.8


def duffing(omega, damping, load):
    """q'' + d q' + q + alpha q^3 = F cos(omega t)."""

    def force(t, q, v):
        f = load * np.cos(omega * t) - damping * v - q - ALPHA * q**3
        return f, np.diag(-1.0 - 3.0 * ALPHA * q**2), np.diag(np.full(1, -damping))

    return Oscillator(np.eye(1), force)


def response(damping, load, options):
    base = Harmonics(1)
    equations = HarmonicBalance(lambda w: duffing(w, damping, load), base, lambda w: w)
    u = np.zeros(base.size)
    u[1] = load / (1.0 - options.lowest**2)
    return follow(equations, u, options.lowest, options)


def test_one_harmonic_of_duffing_is_the_closed_form_with_both_folds():
    damping, load = 0.05, 0.2
    options = PathOptions(0.4, 2.5, size=1.0, longest=0.05)
    path = response(damping, load, options)
    amplitude, omega = np.hypot(path.u[:, 1], path.u[:, 2]), path.parameter
    backbone = 1.0 + 0.75 * ALPHA * amplitude**2
    balance = (backbone - omega**2) ** 2 + (damping * omega) ** 2
    np.testing.assert_allclose(amplitude**2 * balance, load**2, rtol=1e-9)
    # the right flank omega^2(A) of the closed form has its least value at one fold, its largest
    # beyond that at the other, near the peak

    def flank(A):
        middle = 1.0 + 0.75 * ALPHA * A**2 - damping**2 / 2.0
        root = middle**2 - (1.0 + 0.75 * ALPHA * A**2) ** 2 + (load / A) ** 2
        return middle + np.sqrt(root)

    exact = {"xatol": 1e-13}
    low = minimize_scalar(flank, bounds=(0.3, 1.0), method="bounded", options=exact)
    peak = amplitude.max() * (1.0 - 1e-4)
    high = minimize_scalar(
        lambda A: -flank(A), bounds=(low.x, peak), method="bounded", options=exact
    )
    folds = sorted(point.parameter for point in path.of("fold"))
    np.testing.assert_allclose(folds, np.sqrt([low.fun, -high.fun]), rtol=1e-8)


def test_backbone_of_duffing_is_the_elliptic_integral():
    # a weak self-excitation holds the amplitude; the frequency is that of free vibration
    weak = 1e-3

    def force(t, q, v):
        f = -q - ALPHA * q**3 + weak * (1.0 - q**2) * v
        slope = -1.0 - 3.0 * ALPHA * q**2 - 2.0 * weak * q * v
        return f, np.diag(slope), np.diag(weak * (1.0 - q**2))

    guess = np.array([[0.0], [2.0], [0.0]])
    orbit = harmonic_balance(Oscillator(np.eye(1), force), guess, 1.8, 11, free=True)
    A = float(orbit.amplitude[0])
    assert A > 1.5
    m = ALPHA * A**2 / (2.0 * (1.0 + ALPHA * A**2))
    exact = pi * np.sqrt(1.0 + ALPHA * A**2) / (2.0 * ellipk(m))
    assert orbit.omega == pytest.approx(exact, rel=2e-6)


def test_van_der_pol_at_mu_1_has_the_published_period():
    # T = 6.6632868593... and amplitude 2.00861986087... (Andersen and Geer 1982; Buonomo 1998)
    def force(t, q, v):
        return (1 - q**2) * v - q, np.diag(-1.0 - 2.0 * q * v), np.diag(1.0 - q**2)

    guess = np.array([[0.0], [2.0], [0.0]])
    orbit = harmonic_balance(Oscillator(np.eye(1), force), guess, 0.95, 25, free=True)
    assert 2.0 * pi / orbit.omega == pytest.approx(6.6632868593231, rel=1e-9)
    assert orbit.amplitude[0] == pytest.approx(2.00861986087, rel=1e-5)


def test_harmonic_balance_of_duffing_is_the_motion_in_time():
    omega, damping, load = 1.3, 0.2, 0.9
    motion = duffing(omega, damping, load)
    orbit = harmonic_balance(motion, np.array([[0.0], [1.0], [1.0]]), omega, 11)

    def rate(t, y):
        return [y[1], motion.force(t, y[:1], y[1:])[0][0]]

    end, start = 10 * 2.0 * pi / omega, [*orbit.q[0], *orbit.v[0]]
    found = solve_ivp(rate, (0.0, end), start, method="DOP853", rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(found.y[:, -1], [orbit.q[0, 0], orbit.v[0, 0]], atol=1e-6)


STIFFNESS, BRISTLE, LIMIT, DAMPING = 1e4, 4e4, 20.0, 20.0


@dataclass
class Jenkins:
    """Mass of 1 kg on a spring, a damper and a bristle that slips at 20 N, on moving ground."""

    omega: float
    load: float
    beta: float = 1e-3
    speed: float = 0.0
    sizes = (1, 1, 0)

    def residual(self, t, q, v, a, z, lam):
        now = self.evaluate(t, q, v, a, z, lam)
        return now.residual, now.rate, now.rows

    def evaluate(self, t, q, v, a, z, lam):
        pull = BRISTLE * z + self.beta * (v - self.speed)
        sticks = np.abs(pull) <= LIMIT
        force = np.where(sticks, pull, LIMIT * np.sign(pull))
        rate = np.where(sticks, v - self.speed, (force - BRISTLE * z) / self.beta)
        load = self.load * np.cos(self.omega * t)
        one, none = np.eye(1), np.zeros((0, 1))
        return Balance(
            a + DAMPING * v + STIFFNESS * q + force - load, STIFFNESS * one,
            (DAMPING + self.beta * sticks) * one, one, BRISTLE * sticks * one,
            rate, 0.0 * one, sticks * one, -BRISTLE / self.beta * ~sticks * one,
            np.zeros(0), none, none,
        )  # fmt: skip


def system_of(p: Jenkins, mu=0.4):
    """The same as a system with a contact pair."""
    body, ground = RigidBody("mass", 1.0, ("ux",)), RigidBody("ground", 1.0, ("ux",))
    depth = 1e-4
    pair = ContactPair(
        body,
        Surface(np.array([[0.0, 0.0, -depth]]), np.ones(1)),
        RigidFace(ground, Plane()),
        PenaltyNormal(LIMIT / 0.4 / depth),
        ElastoPlastic(mu, BRISTLE, p.beta),
    )
    swing = Function(lambda t: np.cos(p.omega * t), lambda t: -p.omega * np.sin(p.omega * t))
    items = [
        Bearing(body, STIFFNESS, 1e-9, DAMPING, name="spring"),
        Force(body, (p.load, 0.0, 0.0), factor=swing),
        pair,
        PrescribedMotion(DofCoordinate(ground, "ux"), Speed(p.speed), name="drive"),
    ]
    return SystemMotion(System([body, ground], items))


@pytest.mark.parametrize("z", [2e-4, 6e-4])
def test_a_system_with_a_contact_has_the_balance_of_a_jenkins_element(z):
    formulas = Jenkins(130.0, 60.0, beta=5.0, speed=0.1)
    motion = system_of(formulas)
    assert motion.sizes == (1, 2, 0)
    along = motion.directions[0]
    q, v, a = np.array([[1e-3], [0.2], [3.0]])
    lone = formulas.evaluate(0.002, q, v, a, np.array([z]), np.zeros(0))
    found = motion.evaluate(0.002, q, v, a, z * along, np.zeros(0))
    np.testing.assert_allclose(found.residual, lone.residual, rtol=1e-9)
    for name in ("by_q", "by_v", "by_a"):
        np.testing.assert_allclose(getattr(found, name), getattr(lone, name), rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.by_z @ along, lone.by_z[:, 0], rtol=1e-9)
    np.testing.assert_allclose(along @ found.rate, lone.rate[0], rtol=1e-9)
    np.testing.assert_allclose(along @ found.z_rate_by_v, lone.z_rate_by_v[0], atol=1e-9)
    np.testing.assert_allclose(along @ found.z_rate_by_z @ along, lone.z_rate_by_z[0, 0], rtol=1e-9)


@pytest.mark.parametrize("samples", [60, 120, 240])
def test_one_harmonic_of_a_jenkins_element_is_caugheys_describing_function(samples):
    omega, load = 130.0, 60.0
    guess = np.array([[0.0], [5e-3], [0.0]])
    orbit = harmonic_balance(Jenkins(omega, load), guess, omega, 1, samples=samples)
    size = np.hypot(*orbit.series[1:, 0])
    slip = LIMIT / BRISTLE
    assert size > 2.0 * slip
    theta = np.arccos(1.0 - 2.0 * slip / size)
    in_phase = BRISTLE / pi * (theta - 0.5 * np.sin(2.0 * theta))
    loss = BRISTLE / pi * np.sin(theta) ** 2
    dynamic = STIFFNESS - omega**2 + in_phase + 1j * (DAMPING * omega + loss)
    # the loop has four kinks of at most BRISTLE x size each: the trapezoidal rule errs by h^2/12 of
    # each, the backward differences by about as much again
    h, ratio = 2.0 * pi / samples, BRISTLE / abs(dynamic)
    assert size == pytest.approx(load / abs(dynamic), rel=(8.0 / pi) * h**2 / 12.0 * ratio)


def test_the_loop_closes_in_two_periods():
    omega, guess = 130.0, np.array([[0.0], [5e-3], [0.0]])
    two, three = (
        harmonic_balance(Jenkins(omega, 60.0), guess, omega, 3, samples=64, periods=k)
        for k in (2, 3)
    )
    np.testing.assert_allclose(two.z, three.z, atol=1e-9 * np.abs(two.z).max())


@pytest.mark.slow
def test_system_and_formulas_have_the_same_orbit():
    formulas, guess = Jenkins(130.0, 60.0), np.array([[0.0], [5e-3], [0.0]])
    one, other = (
        harmonic_balance(motion, guess, 130.0, 5, samples=80)
        for motion in (formulas, system_of(formulas))
    )
    np.testing.assert_allclose(one.series, other.series, atol=1e-9 * float(one.amplitude[0]))


@pytest.mark.parametrize("free", [True, False])
def test_derivative_by_all_unknowns(difference, free):
    rng = np.random.default_rng(3)
    motion = Jenkins(0.0, 5.0, beta=5.0, speed=0.1)
    base = Harmonics(3, 24)
    given = None if free else (lambda _: 100.0)
    equations = HarmonicBalance(lambda _: motion, base, given)
    u = 1e-3 * rng.standard_normal(base.size)
    if free:
        u = np.append(u, 100.0)
    _, J = equations.evaluate(u, 0.0)
    step = 1e-7 * np.abs(equations.sizes(u, 0.0))
    found = difference(lambda x: equations.evaluate(x, 0.0)[0], u, step)
    for block in (np.s_[:, : base.size], np.s_[:, base.size :]):
        if J[block].size:
            assert np.abs(found - J)[block].max() < 1e-7 * np.linalg.norm(J[block])


def test_refusals():
    with pytest.raises(InputError, match="static mu"):
        system_of(Jenkins(100.0, 1.0), mu=Coulomb(0.3, static=0.5))
    with pytest.raises(InputError, match="samples = 4"):
        Harmonics(2, 4)
    with pytest.raises(InputError, match="omega = -1"):
        harmonic_balance(duffing(1.0, 0.1, 0.1), np.zeros((1, 1)), -1.0)
    with pytest.raises(InputError, match="unknown free coordinate"):
        system_of(Jenkins(100.0, 1.0)).index("ground.ux")
