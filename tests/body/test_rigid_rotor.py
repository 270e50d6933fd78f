"""Axisymmetric rotors in a frame that does not spin: whirl, and the motion of the full body."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import scipy.linalg as la
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from fecontact.body import DOFS, RigidBody
from fecontact.errors import InputError
from fecontact.joint import Bearing, Drive, Force, Line, Torque, TorsionSpring
from fecontact.system import State, System

MASS, J_T, J_P = 3.0, 0.02, 0.035
INERTIA = (J_T, J_T, J_P)
TILTS = ("ux", "uy", "uz", "rx", "ry")
SPEED = 120.0


def rotor(kind, spin=SPEED):
    """The same rotor as a full body, and in the frame that does not spin."""
    if kind == "prescribed":
        return RigidBody("rotor", MASS, TILTS, INERTIA, spin=spin)
    dofs = DOFS if kind == "full" else (*TILTS, "spin")
    return RigidBody("rotor", MASS, dofs, INERTIA)


def frequencies(system):
    """Natural frequencies at rest in the frame."""
    state = system.rest()
    by_q, by_v = system.tangents(state)
    M, n = system.mass_matrix(state.q), system.size
    A = np.block(
        [[np.zeros((n, n)), np.eye(n)], [np.linalg.solve(M, by_q), np.linalg.solve(M, by_v)]]
    )
    roots = la.eigvals(A)
    assert np.abs(roots.real).max() < 1e-8 * np.abs(roots).max()
    return np.sort(roots.imag[roots.imag > 0.0])


@pytest.mark.parametrize("speed", [0.0, 50.0, -300.0])
def test_whirl_of_a_tilting_rotor(speed):
    """J_t w^2 -+ J_p Omega w - c = 0: nutation and precession; the translations do not see it."""
    c_r, c_a, c_t = 4e4, 9e4, 200.0
    body = rotor("prescribed", speed)
    found = frequencies(System([body], [Bearing(body, c_r, c_a, tilt_stiffness=c_t)]))
    root = np.sqrt((J_P * speed) ** 2 + 4.0 * J_T * c_t)
    tilt = [(root + J_P * speed) / (2.0 * J_T), (root - J_P * speed) / (2.0 * J_T)]
    expected = np.sort([*tilt, *np.sqrt(np.array([c_r, c_r, c_a]) / MASS)])
    np.testing.assert_allclose(found, expected, rtol=1e-10)


def test_whirl_of_an_overhung_rotor():
    """Rotor at distance h from its bearing: the 2 x 2 complex problem of displacement and tilt."""
    c, h, c_t, speed = 5e4, 0.1, 800.0, 400.0
    body = rotor("prescribed", speed)
    bearing = Bearing(body, c, 1e5, point=(0.0, 0.0, -h), tilt_stiffness=c_t)
    found = frequencies(System([body], [bearing]))
    # u + i v of the centre, and the direction (e_x + i e_y) = theta_y - i theta_x of the axis
    M = np.diag([MASS, J_T]).astype(complex)
    K = np.array([[c, -c * h], [-c * h, c * h**2 + c_t]], dtype=complex)
    G = np.diag([0.0, -1j * J_P * speed])  # M w'' + G w' + K w = 0
    zero, one = np.zeros((2, 2)), np.eye(2)
    A = np.block([[zero, one], [-np.linalg.solve(M, K), -np.linalg.solve(M, G)]])
    expected = np.sort([*np.abs(la.eigvals(A).imag), np.sqrt(1e5 / MASS)])
    np.testing.assert_allclose(found, expected, rtol=1e-9)


def integrate(system, q, v, t_end):
    def rate(t, y):
        a, b = y[: len(q)], y[len(q) :]
        force = system.force(State(t, a, b))
        return np.concatenate([system.rate(a, b), np.linalg.solve(system.mass_matrix(a), force)])

    answer = solve_ivp(rate, (0.0, t_end), np.concatenate([q, v]), "DOP853", rtol=1e-10, atol=1e-11)
    return answer.y[: len(q), -1], answer.y[len(q) :, -1]


@cache
def large_motion(kind, torque):
    """Swing of a rotor on a soft tilted bearing, tilt of about 40 degrees; last state."""
    body = rotor(kind)
    items = [
        Bearing(body, 2e3, 3e3, 5.0, 5.0, point=(0.0, 0.0, -0.1), tilt_stiffness=30.0),
        Force(body, (5.0, -8.0, -30.0), (0.0, 0.0, 0.2)),
    ]
    if torque:
        items.append(Drive(None, body, Line(gradient=-0.02, start=4.0)))
    tilt = np.array([0.01, 0.02, -0.01, 0.4, -0.5])
    start = np.array([0.2, -0.1, 0.3, 5.0, -3.0])
    extra = {"prescribed": [], "free": [SPEED], "full": [SPEED]}[kind]
    step = np.concatenate([tilt, np.zeros(len(extra))])
    q = body.move(body.reference(), step)
    q, v = integrate(System([body], items), q, np.concatenate([start, extra]), 0.1)
    return body, q, v


@pytest.mark.parametrize(
    ("kind", "torque"), [("prescribed", False), ("free", False), ("free", True)]
)
def test_same_motion_as_the_full_body(kind, torque):
    """Centre, axis and velocities, in large tilt; with a drive about the space-fixed axis too."""
    body, q, v = large_motion(kind, torque)
    full, q_full, v_full = large_motion("full", torque)
    np.testing.assert_allclose(q[:3], q_full[:3], atol=1e-8)
    axis, axis_full = body.rotation(q)[:, 2], full.rotation(q_full)[:, 2]
    np.testing.assert_allclose(axis, axis_full, atol=1e-7)
    assert np.arccos(axis[2]) > 0.1
    np.testing.assert_allclose(v[:3], v_full[:3], atol=1e-7)
    # angular velocity across the axis, in space
    across = body.rotation(q)[:, :2] @ v[3:5]
    across_full = full.rotation(q_full)[:, :2] @ v_full[3:5]
    np.testing.assert_allclose(across, across_full, atol=1e-5)
    spin = SPEED if kind == "prescribed" else v[5]
    assert spin == pytest.approx(v_full[5], rel=1e-8)
    if torque:
        assert spin > SPEED + 2.0
    for found, expected in zip(body.momentum(q, v), full.momentum(q_full, v_full), strict=True):
        np.testing.assert_allclose(found, expected, atol=1e-6)


@settings(max_examples=3)
@pytest.mark.parametrize("kind", ["prescribed", "free"])
@given(seed=st.integers(0, 2**32 - 1))
def test_tangents(difference, kind, seed):
    body = rotor(kind)
    carrier = RigidBody("carrier", 1.0, DOFS, (0.3, 0.2, 0.25), (0.1, 0.0, 0.2))
    rng = np.random.default_rng(seed)
    n = len(body.dofs)
    q = body.move(body.reference(), rng.uniform(-0.8, 0.8, n))
    v = rng.uniform(-3.0, 3.0, n)
    a_q = carrier.move(carrier.reference(), rng.uniform(-0.8, 0.8, 6))
    a_v = rng.uniform(-3.0, 3.0, 6)
    drive = Line(gradient=-0.5, start=3.0)
    for item in (
        body,
        Bearing(body, 30.0, 20.0, 2.0, 1.0, point=(0.0, 0.0, 0.3), tilt_stiffness=8.0, axis="x"),
        Torque(body, (1.0, -2.0, 0.5)),
        Force(body, (1.0, -2.0, 0.5), (0.0, 0.0, 0.3), follower=True),
        Drive(None, body, drive, (0.4, 0.1, 0.9)),
        Drive(carrier, body, drive, (0.4, 0.1, 0.9)),
        Drive(body, carrier, drive, (0.4, 0.1, 0.9)),
    ):
        order = [
            {"rotor": (body, q, v), "carrier": (carrier, a_q, a_v)}[b.name] for b in item.bodies
        ]
        own_v = np.concatenate([part[2] for part in order])

        def moved(step, order=order):
            ends = np.cumsum([len(b.dofs) for b, _, _ in order])[:-1]
            steps = np.split(step, ends)
            return np.concatenate(
                [b.move(own, s) for (b, own, _), s in zip(order, steps, strict=True)]
            )

        zero = np.zeros(len(own_v))
        force, by_q, by_v = item.evaluate(0.0, moved(zero), own_v)
        np.testing.assert_allclose(force, item.force(0.0, moved(zero), own_v), atol=1e-12)
        expected = difference(
            lambda s, i=item, m=moved, u=own_v: i.force(0.0, m(s), u), zero, zero + 1e-2
        )
        np.testing.assert_allclose(by_q, expected, atol=1e-8)
        expected = difference(
            lambda a, i=item, m=moved, z=zero: i.force(0.0, m(z), a), own_v, zero + 1e-1
        )
        np.testing.assert_allclose(by_v, expected, atol=1e-8)


def test_bad_rotors():
    with pytest.raises(InputError, match="need a body that is axisymmetric about z"):
        RigidBody("rotor", 1.0, ("rx", "ry"), (0.1, 0.11, 0.1))
    with pytest.raises(InputError, match="the dof 'spin' needs a body without rotations but"):
        RigidBody("rotor", 1.0, ("rz", "spin"), (0.1, 0.1, 0.1))
    with pytest.raises(InputError, match="expected none beside the dof 'spin'"):
        RigidBody("rotor", 1.0, ("uz", "spin"), (0.1, 0.1, 0.1), spin=3.0)
    with pytest.raises(InputError, match=r"expected.* on its z axis"):
        rotor("free").marker((0.1, 0.0, 0.0))
    with pytest.raises(InputError, match="has the dof 'spin', whose angle moves nothing"):
        TorsionSpring(None, rotor("free"), 3.0)
    with pytest.raises(InputError, match="has a prescribed spin"):
        TorsionSpring(None, rotor("prescribed"), 3.0)
