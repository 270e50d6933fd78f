"""Periods with contacts that close: order of the steps, and derivatives through the jump."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis.periodic.closing import Closing
from fecontact.analysis.periodic.motion import Balance, SystemMotion
from fecontact.analysis.periodic.one_period import pass_period
from fecontact.body import RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, RigidFace, Surface
from fecontact.contact.master.shape import Plane
from fecontact.joint import DofCoordinate, Force, PrescribedMotion, Speed
from fecontact.system import System

STIFFNESS, DAMPING, WEIGHT = 1e4, 40.0, 10.0
HEIGHT, DROP, END = 0.01, -0.5, 0.03


class Ball(Closing):
    """Ball of 1 kg above a damped spring, which jumps when the ball arrives."""

    sizes = (1, 0, 0)

    def residual(self, t, q, v, a, z, lam):
        now = self.evaluate(t, q, v, a, z, lam)
        return now.residual, now.rate, now.rows

    def evaluate(self, t, q, v, a, z, lam):
        push = -(STIFFNESS * q + DAMPING * v)
        closed = (q <= 0.0) & (push >= 0.0)
        one, none = np.eye(1), np.zeros(0)
        wide, tall = np.zeros((0, 1)), np.zeros((1, 0))
        return Balance(
            a + WEIGHT - closed * push, STIFFNESS * closed * one, DAMPING * closed * one, one,
            tall, none, wide, wide, np.zeros((0, 0)), none, wide, wide,
        )  # fmt: skip

    def bound(self, t, q, v):
        return np.zeros(0), np.zeros((0, 2))

    def gaps(self, t, q):
        return q

    def gap_change(self, t, q, number):
        return np.ones(1), 0.0


def ball_on_a_system(axis):
    """The same as a system, on ground that is driven along or, with its axis, away."""
    body, ground = RigidBody("ball", 1.0, ("uz",)), RigidBody("ground", 1.0, (axis,))
    spring = PenaltyNormal(STIFFNESS, DAMPING)
    point = Surface(np.zeros((1, 3)), np.ones(1))
    items = [
        ContactPair(
            body, point, RigidFace(ground, Plane()), spring, ElastoPlastic(0.3, 1e4, 100.0)
        ),
        Force(body, (0.0, 0.0, -WEIGHT)),
        PrescribedMotion(DofCoordinate(ground, axis), Speed(-0.1), name="drive"),
    ]
    return SystemMotion(System([body, ground], items))


def landed(height, speed):
    """Closed form: fall, then a damped oscillator about its rest, which stays closed."""
    fall = (speed + np.sqrt(speed**2 + 2.0 * WEIGHT * height)) / WEIGHT
    decay, rest, left = 0.5 * DAMPING, -WEIGHT / STIFFNESS, END - fall
    omega = np.sqrt(STIFFNESS - decay**2)
    sine = (speed - WEIGHT * fall - decay * rest) / omega
    fade, phase = np.exp(-decay * left), omega * left
    x = fade * (-rest * np.cos(phase) + sine * np.sin(phase))
    swing = fade * omega * (rest * np.sin(phase) + sine * np.cos(phase))
    return np.array([rest + x, swing - decay * x])


START = np.array([HEIGHT, DROP])


def test_steps_keep_their_third_order_where_a_damped_spring_closes():
    exact = landed(HEIGHT, DROP)
    assert exact[0] < 0.0
    errors = [
        np.abs(pass_period(Ball(), START, END, steps, linear=False).x[-1] - exact).max()
        for steps in (10, 20, 40)
    ]
    assert np.log2(errors[0] / errors[1]) > 2.5
    assert np.log2(errors[1] / errors[2]) > 2.7


def test_derivatives_have_the_jump_in_them(difference):
    by, size = pass_period(Ball(), START, END, 20), np.array([1e-6, 1e-4])
    by_start = difference(
        lambda x: pass_period(Ball(), x, END, 20, linear=False).x[-1], START, size
    )
    np.testing.assert_allclose(by.by_start, by_start, rtol=1e-6)
    by_period = difference(
        lambda T: pass_period(Ball(), START, T[0], 20, linear=False).x[-1],
        np.array([END]), np.array([1e-6]),
    )  # fmt: skip
    np.testing.assert_allclose(by.by_period, by_period[:, 0], rtol=1e-6)
    exact = difference(lambda x: landed(*x), START, size)
    coarse, fine = (
        np.abs(pass_period(Ball(), START, END, steps).by_start - exact).max() for steps in (20, 40)
    )
    assert np.log2(coarse / fine) > 2.5


def test_gaps_of_a_system():
    motion, q, t = ball_on_a_system("uz"), np.array([0.02]), 0.3
    assert motion.gaps(t, q) == pytest.approx([0.05])
    by_q, by_t = motion.gap_change(t, q, 0)
    np.testing.assert_allclose(by_q, [1.0], rtol=1e-9)
    assert by_t == pytest.approx(0.1)


def test_a_system_falls_as_the_ball():
    motion = ball_on_a_system("ux")
    start = np.concatenate([START, np.zeros(motion.sizes[1])])
    found, alone = pass_period(motion, start, END, 20), pass_period(Ball(), START, END, 20)
    np.testing.assert_allclose(found.x[-1, :2], alone.x[-1], rtol=1e-8)
    np.testing.assert_allclose(found.by_start[:2, :2], alone.by_start, rtol=1e-6)
