"""Hertz-Mindlin point: stiffness, limit, and oblique impact against the equations of the source."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.body import RigidBody
from fecontact.contact import (
    ContactModuli,
    ContactPair,
    ContactRate,
    HertzPoint,
    MindlinFriction,
    Plane,
    RigidFace,
    StepStart,
    Surface,
)
from fecontact.contact.evaluate.step import ContactHistory
from fecontact.contact.status import SLIP, STICK
from fecontact.errors import InputError
from fecontact.integrate import simulate
from fecontact.system import System

STEEL, R, MU, KAPPA = ContactModuli(210e9, 0.3), 0.01, 0.2, 0.02
BALL = HertzPoint(STEEL, R)
LAW = MindlinFriction(BALL, MU, 100.0, KAPPA)
MASS = 4.0 / 3.0 * np.pi * R**3 * 7850.0


def one(*values):
    return np.array([values])


@pytest.mark.parametrize("force", [1.0, 100.0, 4000.0])
def test_stiffness_and_limit(force):
    """c_x = 4 G a/(2 - nu) under any load (Waehrisch 3.16), b_x = kappa sqrt(c_x), limit mu N."""
    shear, a = 210e9 / 2.6, (0.75 * force * R / STEEL.modulus) ** (1 / 3)
    c = 4.0 * shear * a / 1.7
    z, still, p, status = (
        one(1e-9, 0.0, 0.0),
        np.zeros((1, 3)),
        np.array([force]),
        np.array([STICK]),
    )
    step = LAW.step(z, still, p, status, 1e-6)
    assert step.status.item() == STICK
    assert step.traction[0, 0] == pytest.approx(-c * 1e-9, rel=1e-12)
    slow = LAW.step(0.0 * z, one(1e-6, 0.0, 0.0), p, status, 1e-6)
    assert slow.traction[0, 0] == pytest.approx(-KAPPA * np.sqrt(c) * 1e-6, rel=1e-12)
    far = LAW.step(1e5 * z, still, p, status, 1e-6)
    assert far.status.item() == SLIP
    assert np.linalg.norm(far.traction) == pytest.approx(MU * force, rel=1e-12)


def test_a_spring_that_stiffens_gives_more_than_it_got():
    """Why the law is not declared passive: bent under a small load, released under a large one."""
    law, x, status = MindlinFriction(BALL, 10.0, 100.0), one(1e-7, 0.0, 0.0), np.array([STICK])
    stored = [law.bristle(np.array([N]))[0].item() * 0.5 * x[0, 0] ** 2 for N in (10.0, 1000.0)]
    held = law.step(x, np.zeros((1, 3)), np.array([1000.0]), status, 1e-3)
    assert 0.5 * -held.traction[0, 0] * x[0, 0] == pytest.approx(stored[1])
    assert stored[1] > 4.0 * stored[0]


def source_motion(speeds, end):
    """Ball as a mass point by the formulas of Waehrisch 3.4, 3.16, 4.2 to 4.6, written out."""
    E, G = 210e9 / (2 * (1 - 0.3**2)), 1.0 / (2 * (2 - 0.3) / (4 * 210e9 / 2.6))

    def rate(t, y):
        d, d_rate = -y[1], -y[3]
        if d <= 0.0:
            return [y[2], y[3], 0.0, 0.0, 0.0]
        c_z = 4 / 3 * E * np.sqrt(R * d)
        normal = max(0.0, c_z * d + KAPPA * np.sqrt(c_z) * d_rate)
        c_x = 2 * G * (0.75 * normal * R / E) ** (1 / 3)
        b_x = KAPPA * np.sqrt(c_x)
        trial = c_x * y[4] + b_x * y[2]
        drag = np.clip(trial, -MU * normal, MU * normal)
        bent = (drag - c_x * y[4]) / b_x if b_x > 0.0 else 0.0
        return [y[2], y[3], -drag / MASS, normal / MASS, bent]

    return solve_ivp(rate, (0.0, end), [0.0, 1e-9, *speeds, 0.0], method="Radau", rtol=1e-8,
                     atol=1e-14, max_step=end / 50)  # fmt: skip


@pytest.fixture(scope="module")
def pair():
    ball = RigidBody("ball", MASS, ("ux", "uz"))
    normal = BALL.law(root_damping=KAPPA)
    return ContactPair(ball, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane()),
                       normal, LAW)  # fmt: skip


@pytest.mark.parametrize("along", [0.005, 0.1])
def test_oblique_impact(pair, along):
    """The pair in continuous time rebounds as the equations of the source, slow and fast."""
    end, status = 1.5e-4, np.array([STICK])

    def rate(t, y):
        rates = ContactRate.of(pair, y[:2], y[2:4], y[None, 4:], status)
        return np.r_[y[2:4], rates.force / MASS, rates.z_rate[0]]

    start = np.array([0.0, 1e-9, along, -0.1, 0.0, 0.0, 0.0])
    found = solve_ivp(rate, (0.0, end), start, method="Radau", rtol=1e-6, atol=1e-12,
                      max_step=end / 30).y[2:4, -1]  # fmt: skip
    exact = source_motion((along, -0.1), end).y[2:4, -1]
    np.testing.assert_allclose(found, exact, atol=2e-5 * 0.1)
    assert 0.0 < exact[1] < 0.1


@pytest.mark.parametrize("method", ["explicit", "implicit", "ode"])
def test_vertical_drop(pair, method):
    """A ball without shear: the tangential element carries nothing and the rebound is exact."""
    system = System([pair.slave], [pair])
    start = system.state(q={"ball.uz": 1e-9}, v={"ball.uz": -0.1})
    motion = simulate(system, 1.5e-4, start, method, 1.5e-5)
    exact = source_motion((0.0, -0.1), 1.5e-4).y[3, -1]
    assert motion.v[-1, 1] == pytest.approx(exact, rel=1e-3)
    np.testing.assert_array_equal(motion.v[:, 0], 0.0)
    np.testing.assert_array_equal(motion.z, 0.0)


def test_time_steps_tend_to_the_motion(pair):
    """Steps of the return map with explicit motion: first order to the same rebound."""
    exact, errors = source_motion((0.02, -0.1), 1.5e-4).y[2:4, -1], []
    for n in (150, 600):
        q, v, h = np.array([0.0, 1e-9]), np.array([0.02, -0.1]), 1.5e-4 / n
        history = ContactHistory.fresh(1)
        for _ in range(n):
            step = StepStart.of(pair, q, v, history).at(q + h * v, v, h)
            q, history = q + h * v, step.history
            v = v + h * step.force / MASS
        errors.append(np.abs(v - exact).max())
    assert errors[1] < 0.35 * errors[0]
    assert errors[1] < 2e-3


def test_bad_input():
    with pytest.raises(InputError, match="load = 0"):
        MindlinFriction(BALL, 0.3, 0.0)
    with pytest.raises(InputError, match="mu = -1"):
        MindlinFriction(BALL, -1.0, 1.0)
    with pytest.raises(InputError, match="ball = None"):
        MindlinFriction(None, 0.3, 1.0)
