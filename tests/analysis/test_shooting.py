"""Shooting: van der Pol, Mathieu, Duffing, a Jenkins element, and a pendulum with a constraint."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from scipy.special import mathieu_a, mathieu_b

from fecontact.analysis.continuation import PathOptions, follow
from fecontact.analysis.periodic.harmonic_balance import harmonic_balance
from fecontact.analysis.periodic.motion import Balance, Oscillator, SystemMotion
from fecontact.analysis.periodic.one_period import pass_period
from fecontact.analysis.periodic.shooting import Shooting, shoot
from fecontact.body import RigidBody
from fecontact.errors import InputError, SolverError
from fecontact.joint import Bearing, Distance, Force, Gravity
from fecontact.joint.curve import Function
from fecontact.system import System

STANDARD_GRAVITY = 9.80665
VAN_DER_POL = 6.6632868593231301896996820305  # Andersen and Geer 1982, mu = 1


def van_der_pol(t, q, v):
    return (1 - q**2) * v - q, np.diag(-1.0 - 2.0 * q * v), np.diag(1.0 - q**2)


def test_period_of_van_der_pol_converges_with_the_third_power_of_the_step():
    motion, start = Oscillator(np.eye(1), van_der_pol), np.array([2.0, 0.0])
    errors = [
        abs(shoot(motion, start, 6.6, steps, free=True).period - VAN_DER_POL)
        for steps in (100, 200)
    ]
    assert errors[1] < 1e-4
    assert np.log2(errors[0] / errors[1]) > 2.7


def test_multiplier_of_van_der_pol_converges_with_the_third_power_of_the_step():
    # Liouville: the product of the multipliers is exp of the integral of the divergence, here along
    # the series of harmonic balance
    motion = Oscillator(np.eye(1), van_der_pol)
    series = harmonic_balance(motion, np.array([[0.0], [2.0], [0.0]]), 0.95, 15, free=True)
    exact = np.exp(np.mean(1.0 - series.q**2) / series.frequency)
    orbits = [shoot(motion, np.array([2.0, 0.0]), 6.66, n, free=True) for n in (60, 120)]
    errors = [abs(orbit.multipliers.values[0] / exact - 1.0) for orbit in orbits]
    assert np.log2(errors[0] / errors[1]) > 2.5
    for orbit in orbits:
        assert orbit.multipliers.shift == pytest.approx(1.0, abs=1e-6)
        assert orbit.multipliers.stable


def test_period_doubling_of_mathieus_equation():
    # q'' + (a - 2 k cos 2t) q = 0 has a multiplier -1 at the characteristic values b_1, a_1
    k = 0.3

    def at(a):
        def force(t, q, v):
            stiffness = a - 2.0 * k * np.cos(2.0 * t)
            return -stiffness * q, -np.diag(np.full(1, stiffness)), np.zeros((1, 1))

        return Oscillator(np.eye(1), force)

    def flips(steps):
        equations = Shooting(at, steps, lambda a: pi)
        options = PathOptions(0.5, 1.6, size=1.0, step=0.3, longest=0.4)
        path = follow(equations, np.zeros(2), 0.5, options, tests={"flip": equations.flip})
        return np.array([point.parameter for point in path.of("flip")])

    exact = np.array([mathieu_b(1, k), mathieu_a(1, k)])
    coarse, fine = (np.abs(flips(steps) - exact) for steps in (12, 24))
    assert np.log2(coarse / fine).min() > 2.8  # the steps are of third order


@pytest.mark.slow
def test_folds_of_duffing_have_a_multiplier_1():
    damping, load, alpha = 0.1, 0.3, 0.8

    def at(omega):
        def force(t, q, v):
            f = load * np.cos(omega * t) - damping * v - q - alpha * q**3
            return f, np.diag(-1.0 - 3.0 * alpha * q**2), np.diag(np.full(1, -damping))

        return Oscillator(np.eye(1), force)

    equations = Shooting(at, 24, lambda omega: 2.0 * pi / omega)
    options = PathOptions(1.0, 1.9, size=1.0, longest=0.2)
    path = follow(equations, np.array([0.8, 0.4]), 1.0, options)
    folds = path.of("fold")
    assert len(folds) == 2
    for fold in folds:
        values = equations.multipliers(fold.u, fold.parameter).values
        assert np.abs(values - 1.0).min() < 1e-6
    between = [p for p in path.points if folds[0].length < p.length < folds[1].length]
    middle = between[len(between) // 2]
    assert not equations.multipliers(middle.u, middle.parameter).stable
    assert equations.multipliers(path.points[0].u, 1.0).stable


class Jenkins:
    """x'' + 20 x' + 1e4 x + bristle (4e4 N/m, 20 N) = 60 cos(130 t), on ground that moves."""

    sizes = (1, 1, 0)

    def __init__(self, beta=1.0, load=60.0, speed=0.0):
        self.beta, self.load, self.speed = beta, load, speed

    def residual(self, t, q, v, a, z, lam):
        now = self.evaluate(t, q, v, a, z, lam)
        return now.residual, now.rate, now.rows

    def evaluate(self, t, q, v, a, z, lam):
        pull = 4e4 * z + self.beta * (v - self.speed)
        sticks = np.abs(pull) <= 20.0
        force = np.where(sticks, pull, 20.0 * np.sign(pull))
        rate = np.where(sticks, v - self.speed, (force - 4e4 * z) / self.beta)
        load = self.load * np.cos(130.0 * t)
        one, none = np.eye(1), np.zeros((0, 1))
        return Balance(
            a + 20.0 * v + 1e4 * q + force - load, 1e4 * one, (20.0 + self.beta * sticks) * one,
            one, 4e4 * sticks * one, rate, 0.0 * one, sticks * one,
            -4e4 / self.beta * ~sticks * one, np.zeros(0), none, none,
        )  # fmt: skip


@pytest.mark.parametrize("motion", [Oscillator(np.eye(1), van_der_pol), Jenkins(load=0.0)])
def test_derivatives_by_start_and_period(difference, motion):
    size = sum(motion.sizes) + 1
    start, period = np.array([1.2e-3, 0.3, 2e-4])[:size], 0.05
    passed = pass_period(motion, start, period, 12)
    by_start = difference(
        lambda x: pass_period(motion, x, period, 12, linear=False).x[-1], start, 1e-4 * start
    )
    by_period = difference(
        lambda T: pass_period(motion, start, T[0], 12, linear=False).x[-1],
        np.array([period]), np.array([1e-5 * period]),
    )  # fmt: skip
    for row in range(size):
        norm = np.linalg.norm(passed.by_start[row])
        assert np.abs(by_start[row] - passed.by_start[row]).max() < 1e-7 * norm
    np.testing.assert_allclose(by_period[:, 0], passed.by_period, rtol=1e-6)


def test_shooting_and_harmonic_balance_agree_on_a_jenkins_element():
    period = 2.0 * pi / 130.0
    guess = np.array([[0.0], [5e-3], [0.0]])
    series = harmonic_balance(Jenkins(0.02), guess, 130.0, 9, samples=120)
    orbit = shoot(Jenkins(0.02), series.start, period, 120)
    assert orbit.amplitude[0] == pytest.approx(series.amplitude[0], rel=2e-3)
    assert orbit.multipliers.stable
    assert np.abs(orbit.z).max() == pytest.approx(20.0 / 4e4, rel=1e-3)


LENGTH, DRAG, PUSH, SWING = 0.5, 0.4, 2.5, 3.0


def pendulum_on_a_rod():
    """Bob of 1 kg on a massless rod, with a damper and a horizontal push."""
    bob = RigidBody("bob", 1.0, ("ux", "uz"), position=(0.0, 0.0, -LENGTH))
    swing = Function(lambda t: np.cos(SWING * t), lambda t: -SWING * np.sin(SWING * t))
    items = [
        Gravity([bob]),
        Bearing(bob, 1e-12, 1e-12, DRAG, DRAG),
        Force(bob, (PUSH, 0.0, 0.0), factor=swing),
        Distance(None, bob, point_b=(0.0, 0.0, 0.0), point_a=(0.0, 0.0, 0.0), name="rod"),
    ]
    return SystemMotion(System([bob], items))


def pendulum_by_its_angle():
    def force(t, q, v):
        push, sin, cos = PUSH * np.cos(SWING * t) / LENGTH, np.sin(q), np.cos(q)
        f = -STANDARD_GRAVITY / LENGTH * sin - DRAG * v + push * cos
        slope = -STANDARD_GRAVITY / LENGTH * cos - push * sin
        return f, np.diag(slope), np.diag(np.full(1, -DRAG))

    return Oscillator(np.eye(1), force)


def swings(steps):
    """Pendulum by its angle and on its rod, and the bob at the start."""
    period = 2.0 * pi / SWING
    angle = shoot(pendulum_by_its_angle(), np.array([0.5, 0.0]), period, steps)
    q, v = angle.q[0, 0], angle.v[0, 0]
    at = LENGTH * np.array([np.sin(q), 1.0 - np.cos(q)])
    start = np.concatenate([1.01 * at, LENGTH * v * np.array([np.cos(q), np.sin(q)])])
    return angle, shoot(pendulum_on_a_rod(), start, period, steps)


def test_multipliers_with_a_constraint_are_those_of_the_independent_coordinate():
    assert pendulum_on_a_rod().sizes == (2, 0, 1)
    both = [swings(steps) for steps in (20, 40)]
    for angle, rod in both:
        length = np.hypot(rod.q[0, 0], LENGTH - rod.q[0, 1])
        assert length == pytest.approx(LENGTH, rel=1e-9)
        assert LENGTH * np.sin(np.abs(angle.q).max()) > 0.1
        assert len(rod.multipliers.values) == 2
    # Liouville: the damper alone shrinks the phase space; the steps are of third order. With a
    # constraint of speeds (index 2) methods of stage order 1 are of second order
    values = [[np.sort_complex(orbit.multipliers.values) for orbit in pair] for pair in both]
    apart = [np.abs(rod - angle).max() for angle, rod in values]
    shrunk = np.exp(-DRAG * 2.0 * pi / SWING)
    product = [abs(np.prod(rod.multipliers.values).real / shrunk - 1.0) for _, rod in both]
    assert np.log2(product[0] / product[1]) > 2.5
    assert np.log2(apart[0] / apart[1]) > 1.7


def test_refusals():
    motion = Oscillator(np.eye(1), van_der_pol)
    with pytest.raises(InputError, match="period = 0"):
        shoot(motion, np.zeros(2), 0.0)
    with pytest.raises(InputError, match="steps = 2"):
        shoot(motion, np.zeros(2), 1.0, 2)
    with pytest.raises(SolverError, match=r"more steps|nearer|no direction"):
        shoot(motion, np.array([0.0, 0.0]), 6.0, 50, free=True)
