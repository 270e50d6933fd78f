"""Accelerations and multipliers against closed forms, the full KKT matrix and other joints."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from fecontact.body.rigid import DOFS, RigidBody
from fecontact.joint import Force, Gravity, MotionFunction, PrescribedMotion, Revolute, Speed
from fecontact.system import State, System

G = 9.81


def test_physical_pendulum(pin):
    """alpha = -m g l sin(phi)/(J + m l^2); the pivot carries what is left of the weight."""
    m, arm, J, phi, omega = 2.0, 0.7, 0.3, 0.4, 1.5
    body = RigidBody("arm", m, DOFS, (J, J, 0.1), (0.0, 0.0, -arm))
    system = System([body], [pin("pivot", None, body, np.zeros(3)), Gravity([body], (0, 0, -G))])
    turn = {"arm.ry": -phi, "arm.ux": arm * np.sin(phi), "arm.uz": arm * (1.0 - np.cos(phi))}
    v = {"arm.ry": -omega, "arm.ux": arm * omega * np.cos(phi), "arm.uz": arm * omega * np.sin(phi)}
    start = system.consistent(system.state(turn, v))
    assert np.abs(start.moved).max() < 1e-12
    assert np.abs(start.changed).max() < 1e-12
    alpha = -m * G * arm * np.sin(phi) / (J + m * arm**2)
    assert -start.acceleration[4] == pytest.approx(alpha, rel=1e-12)
    along, across = np.array([[np.sin(phi), 0, -np.cos(phi)], [np.cos(phi), 0, np.sin(phi)]])
    expected = m * (alpha * arm * across - omega**2 * arm * along) + [0.0, 0.0, m * G]
    load = system.reaction(start.state, "pivot")
    np.testing.assert_allclose(load.on["arm"].force, expected, rtol=1e-11, atol=1e-11)
    # the moment about the centre of mass is that of the pivot force
    np.testing.assert_allclose(
        load.on["arm"].moment, np.cross(-arm * along, expected), rtol=1e-11, atol=1e-11
    )
    assert load.unique


def test_double_pendulum_of_points(quadric):
    """Against Lagrange's equations in the two angles."""
    m1, m2, l1, l2, a, b, wa, wb = 1.3, 0.6, 0.8, 0.5, 0.7, -0.4, 1.1, -2.0
    first, second = (RigidBody(n, m, ("ux", "uz")) for n, m in (("p1", m1), ("p2", m2)))
    one, zero = np.eye(2), np.zeros((1, 4))
    inner = np.zeros((1, 4, 4))
    inner[0, :2, :2] = one
    outer = np.block([[one, -one], [-one, one]])[None]
    system = System(
        [first, second],
        [
            quadric("inner", (first, second), zero, inner, (0.5 * l1**2, 0, 0)),
            quadric("outer", (first, second), zero, outer, (0.5 * l2**2, 0, 0)),
            Gravity([first, second], (0, 0, -G)),
        ],
    )
    e = lambda x: np.array([np.sin(x), -np.cos(x)])  # noqa: E731
    d = lambda x: np.array([np.cos(x), np.sin(x)])  # noqa: E731
    q = np.r_[l1 * e(a), l1 * e(a) + l2 * e(b)]
    v = np.r_[l1 * wa * d(a), l1 * wa * d(a) + l2 * wb * d(b)]
    acceleration, _ = system.accelerations(State(0.0, q, v))
    mass = np.array(
        [
            [(m1 + m2) * l1**2, m2 * l1 * l2 * np.cos(a - b)],
            [m2 * l1 * l2 * np.cos(a - b), m2 * l2**2],
        ]
    )
    s = m2 * l1 * l2 * np.sin(a - b)
    load = [
        -s * wb**2 - (m1 + m2) * G * l1 * np.sin(a),
        s * wa**2 - m2 * G * l2 * np.sin(b),
    ]
    alpha, beta = np.linalg.solve(mass, load)
    p1 = l1 * (alpha * d(a) - wa**2 * e(a))
    p2 = p1 + l2 * (beta * d(b) - wb**2 * e(b))
    np.testing.assert_allclose(acceleration, np.r_[p1, p2], rtol=1e-11)


def test_prescribed_motion_needs_its_force(quadric):
    """x = t^2/2 * a: the drive carries m a and the spring-free load."""
    body = RigidBody("mass", 2.0)
    drive = quadric("drive", (body,), np.eye(3)[:1], law=(0.0, 0.0, 5.0))
    system = System([body], [drive, Force(body, (3.0, 4.0, 0.0))])
    a, lam = system.accelerations(system.state())
    np.testing.assert_allclose(a, [5.0, 2.0, 0.0])
    np.testing.assert_allclose(lam, [2.0 * 5.0 - 3.0])


def random_system(seed, quadric, m):
    """Point masses with random quadratic rows, at a random state."""
    rng = np.random.default_rng(seed)
    bodies = [RigidBody(f"b{i}", 10.0 ** rng.uniform(-3, 3)) for i in range(3)]
    bend = rng.normal(size=(m, 9, 9))
    rows = (rng.normal(size=(m, 9)), bend + bend.swapaxes(1, 2), tuple(rng.normal(size=3)))
    forces = [Force(b, tuple(rng.normal(size=3)), name=f"f{b.name}") for b in bodies]
    constraint = quadric("rows", tuple(bodies), *rows)
    return bodies, constraint, forces, State(0.3, rng.normal(size=9), rng.normal(size=9))


@given(seed=st.integers(0, 2**31), m=st.integers(1, 8))
def test_full_matrix_gives_the_same(quadric, seed, m):
    """Independent method: dense solve of [M, -A^T; A, 0]."""
    bodies, constraint, forces, state = random_system(seed, quadric, m)
    system = System(bodies, [constraint, *forces])
    a, lam = system.accelerations(state)
    rows, M = system.constraint(state), system.mass_matrix(state.q)
    A = rows.jacobian
    KKT = np.block([[M, -A.T], [A, np.zeros((m, m))]])
    expected = np.linalg.solve(KKT, np.r_[system.force(state), -rows.bias])
    scale = np.abs(expected).max()
    assert np.abs(a - expected[:9]).max() < 1e-9 * scale
    assert np.abs(lam - expected[9:]).max() < 1e-8 * scale


@given(seed=st.integers(0, 2**31), m=st.integers(1, 7))
def test_duplicated_rows_change_nothing(quadric, seed, m):
    """Equal, scaled and combined rows: same accelerations and constraint forces."""
    bodies, constraint, forces, state = random_system(seed, quadric, m)
    mix = np.random.default_rng(seed).normal(size=(3, m))
    mix[0] = 0.0
    mix[0, 0] = 1e4  # the first row in other units
    again = quadric(
        "again",
        tuple(bodies),
        mix @ constraint.linear,
        np.tensordot(mix, constraint.bend, 1),
        law=np.multiply.outer(constraint.law, mix.sum(axis=1)),
    )
    plain, double = (System(bodies, [constraint, *more, *forces]) for more in ((), (again,)))
    a, lam = plain.accelerations(state)
    b, twice = double.accelerations(state)
    force, same = (s.constraint(state).jacobian.T @ x for s, x in ((plain, lam), (double, twice)))
    assert double.redundancy(state).redundant == ("again.r0", "again.r1", "again.r2")
    assert np.abs(b - a).max() < 1e-7 * np.abs(a).max()
    assert np.abs(same - force).max() < 1e-7 * np.abs(force).max()


def test_redundant_joints_share_the_load(pin):
    body = RigidBody("arm", 1.0, DOFS, (0.1, 0.2, 0.3))
    pins = [pin(name, None, body, (0.5, 0.0, 0.0)) for name in ("first", "second")]
    free = pin("tip", None, body, (0.5, 0.0, 0.0))
    gravity = Gravity([body], (0, 0, -G))
    double = System([body], [*pins, gravity])
    state = double.consistent(double.rest()).state
    loads = [double.reaction(state, name) for name in ("first", "second")]
    alone = System([body], [free, gravity])
    single = alone.reaction(alone.consistent(alone.rest()).state, "tip")
    assert [load.unique for load in (*loads, single)] == [False, False, True]
    for load in loads:
        np.testing.assert_allclose(load.on["arm"].force, 0.5 * single.on["arm"].force, atol=1e-12)


def test_four_bar_starts_as_in_the_source_notes(four_bar):
    """Ours of the Keppler source notes, T15: crank acceleration about n1 -19.64949 rad/s^2."""
    system = four_bar()
    a, _ = system.accelerations(system.rest())
    assert a[5] == pytest.approx(-19.64949, abs=5e-6)


@pytest.mark.slow
def test_four_bar_moves_as_in_the_source_notes(four_bar):
    """Crank angles of the source notes, from natural coordinates and another code."""
    system = four_bar()
    start = system.rest()
    split = len(start.q)

    def rate(t, y):
        state = State(t, y[:split], y[split:])
        return np.r_[system.rate(state.q, state.v), system.accelerations(state)[0]]

    times = [0.25, 0.5, 0.75, 1.0]
    path = solve_ivp(
        rate, (0, 1), np.r_[start.q, start.v], "DOP853", times, rtol=1e-9, atol=1e-11
    ).y
    angle = 2.0 * np.arctan2(path[6], path[3])
    np.testing.assert_allclose(angle, [-0.514800, -0.076050, 0.503011, -0.105853], atol=1e-6)
    for y in path.T:
        state = State(0.0, y[:split], y[split:])
        assert np.abs(system.constraint(state).value).max() < 3e-10
        assert abs(system.energies(state).total) < 4e-9


def test_round_off_of_rows_without_load_is_no_conflict():
    """An arm is turned at constant speed and no force acts: some rows have no terms but round-off.

    The centre must accelerate towards the hinge, by omega^2 times its distance.
    """
    arm = RigidBody("arm", 1.0, DOFS, (0.1, 0.1, 0.1))
    hinge = Revolute(None, arm, point_b=(0.0, 0.0, 1.0), axis="x")
    drive = PrescribedMotion(hinge.angle, Speed(2.0, start=0.5))
    system = System([arm], [hinge, drive])
    found = system.consistent(system.rest())
    centripetal = 4.0 * np.array([0.0, -np.sin(0.5), np.cos(0.5)])
    np.testing.assert_allclose(found.acceleration[:3], centripetal, atol=1e-9)


def test_a_drive_without_other_forces_is_no_conflict():
    """Rows that nothing loads carry round-off only while a drive accelerates the body."""
    rotor = RigidBody("rotor", 3.0, DOFS, (0.11, 0.23, 0.31))
    hinge = Revolute(None, rotor, point_b=(0.1, -0.2, 0.3), axis=(0.3, -0.5, 0.7), name="hinge")
    law = MotionFunction(lambda t: 0.7 * t**2, lambda t: 1.4 * t, lambda t: 1.4)
    system = System([rotor], [hinge, PrescribedMotion(hinge.angle, law, name="drive")])
    found = system.consistent(system.rest())
    assert hinge.angle.at(0.0, found.state.q, found.acceleration).rate[0] == pytest.approx(1.4)
