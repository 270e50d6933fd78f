"""Rigid bodies in large rotation: kinematics, tangents, conservation, precession."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from fecontact.body import DOFS, RigidBody
from fecontact.body.rotation import cross_matrix, quaternion_matrix, rotated
from fecontact.joint import Bearing, Force
from fecontact.system import State, System

SUBSETS = [
    DOFS,
    ("ux", "uy", "uz"),
    ("uz", "rz"),
    ("rx",),
    ("ux", "ry"),
    ("rx", "ry", "rz"),
]
seeds = st.integers(0, 2**32 - 1)


def body_of(dofs):
    tensor = np.array([[0.3, 0.02, -0.01], [0.02, 0.25, 0.03], [-0.01, 0.03, 0.2]])
    return RigidBody("body", 2.0, dofs, inertia=tensor, position=(0.1, -0.2, 0.3))


def random_state(body, seed):
    rng = np.random.default_rng(seed)
    n = len(body.dofs)
    q = body.move(body.reference(), rng.uniform(-2.0, 2.0, n))
    return q, rng.uniform(-3.0, 3.0, n), rng.standard_normal((4, 3)), rng


@given(axis=st.tuples(*[st.floats(-3, 3)] * 3))
def test_quaternion_against_the_exponential(axis):
    from scipy.linalg import expm

    theta = np.array(axis)
    R = quaternion_matrix(rotated(np.array([1.0, 0.0, 0.0, 0.0]), theta))
    np.testing.assert_allclose(R, expm(cross_matrix(theta)), atol=1e-12)


@pytest.mark.parametrize("dofs", SUBSETS, ids=lambda f: "+".join(f))
@given(seed=seeds)
def test_motion_of_points(difference, dofs, seed):
    body = body_of(dofs)
    q, v, points, rng = random_state(body, seed)
    motion = body.point_motion(q, v, points)
    n = len(dofs)
    forces = rng.standard_normal((4, 3))

    def along(value):
        return difference(lambda s: value(body.move(q, s)).ravel(), np.zeros(n), np.full(n, 1e-2))

    expected = along(lambda a: body.point_motion(a, v, points).position)
    np.testing.assert_allclose(motion.jacobian.reshape(12, n), expected, atol=1e-9)
    expected = along(lambda a: body.point_motion(a, v, points).velocity)
    np.testing.assert_allclose(motion.d_velocity.reshape(12, n), expected, atol=1e-9)
    expected = along(
        lambda a: np.einsum("pij,pi->j", body.point_motion(a, v, points).jacobian, forces)
    )
    np.testing.assert_allclose(motion.d_load(forces), expected, atol=1e-9)
    np.testing.assert_allclose(motion.velocity, motion.jacobian @ v, atol=1e-12)


@pytest.mark.parametrize("dofs", SUBSETS, ids=lambda f: "+".join(f))
@given(seed=seeds)
def test_rate_follows_the_step(dofs, seed):
    """q' of `rate` is the derivative of `move` along v."""
    body = body_of(dofs)
    q, v, _, _ = random_state(body, seed)
    h = 1e-5
    expected = (body.move(q, h * v) - body.move(q, -h * v)) / (2 * h)
    np.testing.assert_allclose(body.rate(q, v), expected, atol=1e-8)


@pytest.mark.parametrize("dofs", SUBSETS, ids=lambda f: "+".join(f))
@given(seed=seeds)
def test_tangents_of_body_bearing_and_force(difference, dofs, seed):
    body = body_of(dofs)
    q, v, points, _ = random_state(body, seed)
    items = (
        body,
        Bearing(body, 3.0, 5.0, 0.4, 0.7, offset=(0.1, 0.2, 0.3), point=tuple(points[0])),
        Force(body, (1.0, -2.0, 3.0), point=tuple(points[1])),
    )
    n = len(dofs)
    for item in items:
        by_q, by_v = item.tangents(0.0, q, v)
        expected = difference(
            lambda s, i=item: i.force(0.0, body.move(q, s), v), np.zeros(n), np.full(n, 1e-2)
        )
        np.testing.assert_allclose(by_q, expected, atol=1e-8)
        expected = difference(lambda a, i=item: i.force(0.0, q, a), v, np.full(n, 1e-1))
        np.testing.assert_allclose(by_v, expected, atol=1e-9)


def integrate(system, q, v, t_end, tolerance):
    """Integrate q' = T v, M v' = f by an explicit Runge-Kutta method of order 8."""
    size = len(q)

    def rate(t, y):
        a, b = y[:size], y[size:]
        force = system.force(State(t, a, b))
        return np.concatenate([system.rate(a, b), np.linalg.solve(system.mass_matrix(a), force)])

    answer = solve_ivp(rate, (0.0, t_end), np.concatenate([q, v]), "DOP853", rtol=tolerance,
                       atol=tolerance)  # fmt: skip
    return answer.y[:size], answer.y[size:]


def test_free_body_conserves_energy_and_momentum():
    """50 revolutions of a tumbling body; the long run of 1000 is the slow test below."""
    drift(revolutions=50)


@pytest.mark.slow
def test_free_body_over_1000_revolutions():
    drift(revolutions=1000)


def drift(revolutions):
    body = RigidBody("body", 2.0, DOFS, inertia=(0.1, 0.2, 0.25))
    v0 = np.array([1.0, -0.5, 0.2, 1.0, 6.0, 2.0])
    t_end = revolutions * 2 * np.pi / np.linalg.norm(v0[3:])
    errors = []
    for tolerance in (1e-8, 1e-10):
        q, v = integrate(System([body]), body.reference(), v0, t_end, tolerance)
        energy = [body.kinetic_energy(a, b) for a, b in ((q[:, 0], v0), (q[:, -1], v[:, -1]))]
        before, after = (body.momentum(q[:, i], v[:, i]) for i in (0, -1))
        errors.append(
            max(
                abs(energy[1] / energy[0] - 1.0),
                *(
                    np.linalg.norm(b - a) / np.linalg.norm(a)
                    for a, b in zip(before, after, strict=True)
                ),
            )
        )
    assert errors[1] < 1e-6
    assert errors[1] < 0.1 * errors[0]


def test_steady_precession_of_a_symmetric_top():
    """Fast top on its tip: slow precession from the exact quadratic for steady precession.

    (A - C) cos(theta) p^2 - C s p + m g l = 0 with spin s about the axis relative to the
    precessing frame, A about the tip.
    """
    m, length, g, C, A_c = 1.0, 0.1, 9.81, 0.004, 0.003
    A = A_c + m * length**2
    theta, spin = 0.4, 300.0
    p = min(np.roots([(A - C) * np.cos(theta), -C * spin, m * g * length]).real, key=abs)
    # the tip is held by a stiff, damped bearing at -length along the axis
    body = RigidBody("top", m, DOFS, inertia=(A_c, A_c, C))
    tilt = body.move(body.reference(), np.array([0, 0, 0, theta, 0, 0]))
    R = body.rotation(tilt)
    tilt[:3] = R @ [0, 0, length] - [0, 0, length]
    omega = R.T @ [0, 0, p] + [0, 0, spin]
    velocity = R @ np.cross(omega, [0, 0, length])
    system = System(
        [body],
        [
            Bearing(body, 1e5, 1e5, 30.0, 30.0, point=(0, 0, -length)),
            Force(body, (0, 0, -m * g), name="weight"),
        ],
    )
    t_end = 0.25 * np.pi / p
    q, _ = integrate(system, tilt, np.concatenate([velocity, omega]), t_end, 1e-9)
    axis = body.rotation(q[:, -1])[:, 2]
    start = R[:, 2]
    turned = np.arctan2(axis[1], axis[0]) - np.arctan2(start[1], start[0])
    assert turned % (2 * np.pi) == pytest.approx(p * t_end, rel=2e-3)
    assert np.arccos(axis[2]) == pytest.approx(theta, abs=2e-3)
