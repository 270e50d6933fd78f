"""Order of the integrators against closed forms and against each other."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import ellipj

from fecontact.body import DOFS, RigidBody
from fecontact.integrate import simulate
from fecontact.integrate.implicit.method import AlphaRun, Implicit
from fecontact.joint.constraint import Spherical
from fecontact.joint.loads.load import Gravity
from fecontact.results.point import Point
from fecontact.results.statistics import Statistics
from fecontact.system import System

G = 9.81


def rates(errors):
    return np.log2(np.array(errors[:-1]) / np.array(errors[1:]))


def euler_top(t, J, omega):
    """Body-fixed angular velocity of a free rigid body, from (w1, 0, w3) at t = 0.

    For J1 > J2 > J3 and L^2 < 2 T J2 (Landau and Lifshitz, Mechanics, section 37).
    """
    J1, J2, J3 = J
    w1, w3 = omega
    p = w3 * np.sqrt((J2 - J3) * (J1 - J3) / (J1 * J2))
    m = w1**2 * J1 * (J1 - J2) / (w3**2 * J3 * (J2 - J3))
    sn, cn, dn, _ = ellipj(p * t, m)
    w2 = w1 * np.sqrt(J1 * (J1 - J3) / (J2 * (J2 - J3)))
    return np.array([w1 * cn, -w2 * sn, w3 * dn])


def free_body():
    body = RigidBody("body", 2.0, DOFS, inertia=(0.03, 0.02, 0.01))
    system = System([body])
    return system, system.state(v={"body.ux": 0.3, "body.rx": 1.0, "body.rz": 4.0})


def test_free_rigid_body_is_of_order_two():
    """Angular velocity against Jacobi's elliptic functions, orientation against `projected`."""
    system, start = free_body()
    exact = simulate(system, 1.0, start, "projected", rtol=1e-12, atol=1e-13)
    omega = euler_top(1.0, (0.03, 0.02, 0.01), (1.0, 4.0))
    np.testing.assert_allclose(exact.v[-1, 3:], omega, atol=1e-10)
    speed, turn = [], []
    for step in (0.04, 0.02, 0.01, 0.005):
        motion = simulate(system, 1.0, start, step=step)
        speed.append(np.linalg.norm(motion.v[-1, 3:] - omega))
        turn.append(np.linalg.norm(motion.q[-1, 3:] - exact.q[-1, 3:]))
        assert abs(np.linalg.norm(motion.q[-1, 3:]) - 1.0) < 1e-14
    assert np.all(abs(rates(speed) - 2.0) < 0.1)
    assert np.all(abs(rates(turn) - 2.0) < 0.1)


def test_tilting_rotor_is_of_order_two():
    """Free rotor in a frame that does not spin: its tilt rate turns at J_p Omega/J_t."""
    rotor = RigidBody("rotor", 2.0, ("rx", "ry"), (0.01, 0.01, 0.018), spin=30.0)
    system = System([rotor])
    turn = 0.018 / 0.01 * 30.0 * 0.2
    exact = 2.0 * np.array([np.cos(turn), np.sin(turn)])
    errors = []
    for step in (0.004, 0.002, 0.001):
        motion = simulate(system, 0.2, system.state(v={"rotor.rx": 2.0}), step=step)
        errors.append(np.linalg.norm(motion.v[-1] - exact))
    assert np.all(abs(rates(errors) - 2.0) < 0.1)
    # the axis of the rotor turns about its angular momentum, which stays
    axis = rotor.rotation(motion.q[-1])[:, 2]
    momentum = system.momentum(motion.state(-1))[1]
    np.testing.assert_allclose(momentum, [0.02, 0.0, 0.54], atol=2e-3 * 0.54)
    assert axis @ momentum == pytest.approx(0.54, rel=1e-12)


def pendulum():
    """Bar of 1 m that turns about its end in the x-z plane; x is horizontal."""
    bar = RigidBody("bar", 1.5, ("ux", "uz", "ry"), (0.1, 0.125, 0.1), position=(0.5, 0.0, 0.0))
    pin = Spherical(None, bar, point_b=(-0.5, 0.0, 0.0), name="pin")
    return System([bar], [pin, Gravity([bar], (0.0, 0.0, -G))])


def angle_equation(t_end):
    """Angle, angular velocity and pin force by the equation of one dof: J phi'' = m g l cos."""
    J, m, arm = 0.125 + 1.5 * 0.25, 1.5, 0.5
    answer = solve_ivp(
        lambda t, y: [y[1], m * G * arm * np.cos(y[0]) / J], (0.0, t_end), [0.0, 0.0],
        method="DOP853", rtol=1e-12, atol=1e-13,
    )  # fmt: skip
    phi, omega = answer.y[:, -1]
    alpha = m * G * arm * np.cos(phi) / J
    along, down = np.array([np.cos(phi), -np.sin(phi)]), np.array([-np.sin(phi), -np.cos(phi)])
    force = m * (arm * (alpha * down - omega**2 * along) + np.array([0.0, G]))
    return phi, omega, force


@pytest.mark.parametrize("rho_inf", [0.0, 0.8, 1.0])
def test_pendulum_with_multipliers_is_of_order_two(rho_inf):
    """Redundant row y included: the plane body has no dof there."""
    system = pendulum()
    phi, omega, force = angle_equation(0.4)
    errors = []
    for step in (0.02, 0.01, 0.005):
        motion = simulate(system, 0.4, system.rest(), step=step, rho_inf=rho_inf)
        found = [motion.history("bar.ry")[-1] - phi, motion.v[-1, 2] - omega]
        # body a of the pin is the ground: rows are space components, lam acts on the bar
        errors.append([*found, motion.multiplier("pin.x")[-1] - force[0],
                       motion.multiplier("pin.z")[-1] - force[1]])  # fmt: skip
        assert np.all(motion.multiplier("pin.y") == 0.0)
    order = np.log2(np.abs(errors)[:-1] / np.abs(errors)[1:])
    assert np.all(abs(order[-1] - 2.0) < 0.15), order


def heavy_top():
    top = RigidBody("top", 1.0, DOFS, inertia=(0.02, 0.03, 0.015), position=(0.5, 0.0, 0.0))
    ball = Spherical(None, top, point_b=(-0.5, 0.0, 0.0))
    system = System([top], [ball, Gravity([top], (0.0, 0.0, -G))])
    spin = system.state(v={"top.rx": 8.0, "top.rz": 1.0, "top.uy": 0.5})
    return system, spin


def test_spherical_joint_is_of_order_two():
    system, start = heavy_top()
    exact = simulate(system, 0.2, start, "projected", rtol=1e-12, atol=1e-13)
    errors = []
    for step in (0.01, 0.005, 0.0025):
        motion = simulate(system, 0.2, start, step=step)
        errors.append(
            [
                np.linalg.norm(found[-1] - expected[-1])
                for found, expected in zip(
                    (motion.q, motion.v, motion.a, motion.lam),
                    (exact.q, exact.v, exact.a, exact.lam),
                    strict=True,
                )
            ]
        )
    order = np.log2(np.array(errors)[:-1] / np.array(errors)[1:])
    assert np.all(abs(order[-1] - 2.0) < 0.1), order


def test_order_two_holds_when_the_step_changes():
    """Steps of two lengths in turn: without the shift of a_n the accelerations are of order 1."""
    system, start = heavy_top()
    exact = simulate(system, 0.18, start, "projected", rtol=1e-12, atol=1e-13)
    errors = []
    for step in (0.012, 0.006, 0.003):
        times = np.cumsum(np.tile([step, 0.5 * step], round(0.18 / (1.5 * step))))
        motion = simulate(system, times[-1], start, step=step, output=times)
        errors.append(
            [
                np.linalg.norm(motion.q[-1] - exact.q[-1]),
                np.linalg.norm(motion.a[-1] - exact.a[-1]),
            ]
        )
    order = np.log2(np.array(errors)[:-1] / np.array(errors)[1:])
    assert np.all(abs(order[-1] - 2.0) < 0.1), order


@pytest.mark.parametrize(("problem", "what"), [(free_body, "qv"), (heavy_top, "q")])
def test_error_estimate_is_the_local_error(problem, what):
    """Second step against the motion from the same state by `projected`; the rest is O(h)."""
    system, start = problem()
    found = system.consistent(start)
    wrong = []
    for h in (0.004, 0.002):
        point = Point(found.state, found.acceleration)
        run = AlphaRun(Implicit(step=h), system, point, Statistics())
        run.advance(h)
        before, level = run.last.state, run.step(2.0 * h)
        exact = simulate(system, 2.0 * h, before, "projected", rtol=1e-13, atol=1e-15)
        dq = np.linalg.lstsq(
            np.array([system.rate(level.state.q, e) for e in np.eye(system.size)]).T,
            level.state.q - exact.q[-1],
        )[0]
        dv = level.state.v - exact.v[-1]
        estimate = run.local_error(level)
        wrong.append(
            [
                np.linalg.norm(a - b) / np.linalg.norm(b)
                for a, b, _ in zip(estimate, (dq, dv), what, strict=False)
            ]
        )
    assert np.all(np.array(wrong[1]) < 0.6 * np.array(wrong[0]))
