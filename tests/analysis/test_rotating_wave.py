"""Rotating wave of the elastic friction disc: derivative, turn by a point, motion in time."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import expm

from fecontact.analysis.periodic.motion import SystemMotion
from fecontact.analysis.periodic.rotating_wave import (
    RotatingWave,
    rotating_wave,
    rotation_generators,
    turn_of,
)
from fecontact.body import RigidBody
from fecontact.case.registry import load_module
from fecontact.errors import InputError
from fecontact.integrate import simulate
from fecontact.joint import Bearing
from fecontact.system import State, System

GUESS = np.array(
    [
        5.10e-04,
        -2.59e-29,
        -4.08e-04,
        -1.24e-02,
        1.62e-02,
        -3.26e-02,
        -9.78e-04,
        -1.19e-03,
        1.33e-04,
        6.30e-06,
        7.34e-05,
        -1.96e-04,
    ]
)
OMEGA = 7791.0


def motion_of(points):
    case = load_module("jehle/elastic_disc_in_time")
    system, steady = case.sliding(replace(case.InTime(), ring_points=points), "Ritz")
    return SystemMotion(system, steady)


def guess_of(motion):
    v = OMEGA * rotation_generators(motion)[0] @ GUESS
    return motion.packed(motion.system.sliding(State(0.0, GUESS, v)))


@pytest.fixture(scope="module")
def wave():
    motion = motion_of(36)
    return motion, rotating_wave(motion.system, guess_of(motion), OMEGA, "clutch.uy", motion)


def test_a_wave_turns_in_time_as_a_whole(wave):
    motion, found = wave
    period = 1.0 / found.frequency
    start = motion.state(0.0, found.q, found.v, found.z)
    end = 1.4 * period
    moved = simulate(motion.system, end, start, "explicit", end, step=period / 800)
    turned = expm(found.omega * end * rotation_generators(motion)[0]) @ found.q
    assert np.abs(moved.q[-1] - turned).max() < 5e-3 * np.abs(found.q).max()
    assert found.stable


def test_wave_opens_and_closes_the_contact(wave):
    motion, found = wave
    report = motion.system.rate_form(motion.state(0.0, found.q, found.v, found.z)).reports()
    (contact,) = report.values()
    share = np.mean(contact.pressure == 0.0)
    assert 0.3 < share < 0.6


def test_derivative_by_all_unknowns(difference):
    motion = motion_of(9)
    equations = RotatingWave(lambda _: motion, 1)
    guess = guess_of(motion)
    u = np.concatenate([0.3 * guess[:12], guess[24:], [OMEGA]])  # closed everywhere
    _, J = equations.evaluate(u, 0.0)
    sizes = equations.sizes(u, 0.0)
    found = difference(lambda x: equations.evaluate(x, 0.0)[0], u, 1e-4 * sizes)
    for rows in (slice(0, 12), slice(12, 30)):
        error = (found - J)[rows] * sizes
        assert np.abs(error).max() < 1e-7 * np.linalg.norm(J[rows] * sizes)


def test_balance_is_the_same_one_point_further():
    motion = motion_of(12)
    turn = turn_of(motion)
    assert turn.parts == 12
    power = np.linalg.matrix_power(turn.matrix, 12)
    np.testing.assert_allclose(power, np.eye(len(power)), atol=1e-12)
    x, S = guess_of(motion), turn.matrix
    a, n = OMEGA**2 * GUESS, 12
    r, rate, _ = motion.residual(0.0, x[:n], x[n : 2 * n], a, x[2 * n :], np.zeros(0))
    y = S @ x
    r_next, rate_next, _ = motion.residual(
        0.0, y[:n], y[n : 2 * n], S[:n, :n] @ a, y[2 * n :], np.zeros(0)
    )
    np.testing.assert_allclose(r_next, S[:n, :n] @ r, atol=1e-10 * np.abs(r).max())
    turned = S[2 * n :, 2 * n :] @ rate
    np.testing.assert_allclose(rate_next, turned, atol=1e-9 * np.abs(rate).max())


def test_bodies_without_symmetry_are_refused():
    one = RigidBody("rotor", 1.0, ("ux",))
    with pytest.raises(InputError, match="not axisymmetric"):
        rotation_generators(SystemMotion(System([one], [Bearing(one, 1.0, 1.0)])))
    turned = RigidBody("rotor", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0))
    with pytest.raises(InputError, match="without rz"):
        rotation_generators(SystemMotion(System([turned], [])))
