"""Springs and stops against closed forms."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.body import DOFS, RigidBody
from fecontact.errors import InputError, SolverError
from fecontact.joint import Bushing, Function, SoftStop, SpringDamper, Table, TorsionSpring
from fecontact.system import State, System

ORIGIN = np.zeros(3)


def test_force_along_the_line():
    """Points (0, 0, 0) and (3, 4, 0): length 5, elongation 1; moving along x at 2 m/s: l' = 1.2."""
    body = RigidBody("b", 1.0, position=(3.0, 4.0, 0.0))
    spring = SpringDamper(None, body, 10.0, 5.0, free_length=4.0, preload=7.0)
    v = np.array([2.0, 0.0, 0.0])
    tension = 7.0 + 10.0 * 1.0 + 5.0 * 1.2
    np.testing.assert_allclose(spring.force(0.0, ORIGIN, v), -tension * np.array([0.6, 0.8, 0.0]))
    assert spring.energy(0.0, ORIGIN, v) == pytest.approx(0.5 * 10.0 + 7.0)
    assert spring.dissipated_power(0.0, ORIGIN, v) == pytest.approx(5.0 * 1.2**2)


def test_free_length_is_the_reference_distance():
    body = RigidBody("b", 1.0, position=(3.0, 4.0, 0.0))
    spring = SpringDamper(None, body, 10.0, preload=7.0)
    assert np.linalg.norm(spring.force(0.0, ORIGIN, ORIGIN)) == pytest.approx(7.0)


def test_string_stiffness():
    """A string of tension F and length l resists transverse motion with F/l."""
    body = RigidBody("b", 1.0, position=(2.0, 0.0, 0.0))
    string = SpringDamper(None, body, 100.0, preload=30.0)
    by_q, _ = string.tangents(0.0, ORIGIN, ORIGIN)
    np.testing.assert_allclose(by_q, -np.diag([100.0, 15.0, 15.0]), atol=1e-12)


def test_tabulated_spring():
    body = RigidBody("b", 1.0, ("ux",), position=(1.0, 0.0, 0.0))
    bilinear = SpringDamper(None, body, Table((-1.0, 0.0, 0.1, 1.0), (-10.0, 0.0, 1.0, 20.0)))
    q, v = np.array([0.4]), np.zeros(1)
    slope = 19.0 / 0.9
    assert bilinear.force(0.0, q, v)[0] == pytest.approx(-1.0 - slope * 0.3)
    assert bilinear.tangents(0.0, q, v)[0][0, 0] == pytest.approx(-slope)
    assert bilinear.energy(0.0, q, v) == pytest.approx(0.05 + 0.3 * 1.0 + 0.5 * slope * 0.09)


def test_torsional_frequency_of_two_discs():
    """omega^2 = c (1/J_1 + 1/J_2), and one free rotation."""
    discs = [RigidBody(n, 1.0, ("rz",), inertia=(J, J, J)) for n, J in (("a", 0.2), ("b", 0.5))]
    system = System(discs, [TorsionSpring(*discs, 80.0)])
    rest = system.rest()
    by_q, _ = system.tangents(rest)
    squares = np.linalg.eigvals(np.linalg.solve(system.mass_matrix(rest.q), -by_q))
    np.testing.assert_allclose(np.sort(squares.real), [0.0, 80.0 * 7.0], atol=1e-10)


def test_shafts_may_turn_by_any_angle():
    discs = [RigidBody(n, 1.0, ("rz",), inertia=(0.1, 0.1, 0.1)) for n in "ab"]
    spring = TorsionSpring(*discs, 3.0, 0.5)
    f = spring.force(0.0, np.array([100.0, 120.0]), np.array([1.0, 3.0]))
    np.testing.assert_allclose(f, [61.0, -61.0])
    assert spring.energy(0.0, np.array([100.0, 120.0]), np.zeros(2)) == pytest.approx(600.0)


@pytest.mark.parametrize("angle", [0.0, 1e-4, 1.0, 3.0, -3.0])
def test_free_body_turned_about_the_axis(angle):
    """Spatial rotation about the spring's own axis: the plain torsion spring."""
    body = RigidBody("b", 1.0, DOFS, inertia=(0.1, 0.1, 0.1))
    axis = np.array([1.0, 2.0, -2.0]) / 3.0
    spring = TorsionSpring(None, body, 4.0, 0.5, tuple(axis), preload=1.0)
    q = body.move(body.reference(), np.r_[ORIGIN, angle * axis])
    f = spring.force(0.0, q, np.r_[ORIGIN, 2.0 * axis])
    np.testing.assert_allclose(f, np.r_[ORIGIN, -(1.0 + 4.0 * angle + 1.0) * axis], atol=1e-9)


@pytest.mark.parametrize(
    ("u", "speed", "expected"),
    [(0.05, 9.0, 0.0), (0.3, 0.0, -20.0), (0.3, 1.0, -25.0), (0.3, -3.0, -5.0), (0.3, -9.0, 0.0)],
)
def test_stop_pushes_only(u, speed, expected):
    body = RigidBody("b", 1.0, ("uz",))
    stop = SoftStop(None, body, 100.0, gap=0.1, damping=5.0)
    assert stop.force(0.0, np.array([u]), np.array([speed]))[0] == pytest.approx(expected)


def test_stop_returns_the_body_with_its_speed():
    """Undamped stop: contact lasts half a period, pi sqrt(m/c), and the speed turns over."""
    body = RigidBody("b", 2.0, ("uz",))
    system = System([body], [SoftStop(None, body, 800.0, gap=0.1)])
    travel, contact = 0.1 / 3.0, np.pi * np.sqrt(2.0 / 800.0)
    answer = solve_ivp(
        lambda t, y: [y[1], system.force(State(t, y[:1], y[1:]))[0] / 2.0],
        (0.0, travel + contact), [0.0, 3.0], rtol=1e-9, atol=1e-10, max_step=0.01,
    )  # fmt: skip
    np.testing.assert_allclose(answer.y[:, -1], [0.1, -3.0], atol=1e-6)


def test_two_free_bodies_conserve_energy_and_momentum():
    """Tumbling bodies on a soft bushing and a preloaded spring, relative rotations of order one."""
    a = RigidBody("a", 2.0, DOFS, inertia=(0.2, 0.3, 0.25))
    b = RigidBody("b", 1.0, DOFS, inertia=(0.1, 0.15, 0.2), position=(1.0, 0.2, 0.0))
    items = [
        Bushing(a, b, (60.0, 40.0, 50.0, 4.0, 3.0, 5.0), point=(-0.4, 0.0, 0.1)),
        SpringDamper(a, b, 30.0, point_a=(0.0, 0.5, 0.0), point_b=(0.1, 0.4, 0.2), preload=5.0),
    ]
    system = System([a, b], items)
    rest = system.rest()
    v0 = np.array([0.3, 0.0, 0.2, 1.0, 2.0, 0.5, -0.2, 0.5, 0.0, -3.0, -2.0, 4.0])
    n = len(rest.q)

    def rate(t, y):
        f = system.force(State(t, y[:n], y[n:]))
        return np.r_[system.rate(y[:n], y[n:]), np.linalg.solve(system.mass_matrix(y[:n]), f)]

    def invariants(y):
        q, v = y[:n], y[n:]
        parts = [body.momentum(q[i : i + 7], v[j : j + 6]) for body, i, j in ((a, 0, 0), (b, 7, 6))]
        energy = 0.5 * v @ system.mass_matrix(q) @ v + sum(i.energy(0.0, q, v) for i in items)
        return np.r_[energy, np.sum(parts, axis=0).ravel()]

    start = np.r_[rest.q, v0]
    answer = solve_ivp(rate, (0.0, 1.0), start, "DOP853", rtol=1e-9, atol=1e-10)
    np.testing.assert_allclose(invariants(answer.y[:, -1]), invariants(start), atol=1e-7)
    angles = [
        np.arccos(0.5 * np.trace(a.rotation(y[:7]).T @ b.rotation(y[7:14])) - 0.5)
        for y in answer.y.T[1:]
    ]
    assert max(angles) > 0.7


BODY = RigidBody("b", 1.0, DOFS, inertia=(1.0, 1.0, 1.0), position=(1.0, 0.0, 0.0))
SPUN = RigidBody("rotor", 1.0, spin=3.0)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: SpringDamper(None, BODY, -1.0), "stiffness = -1.0 N/m"),
        (lambda: SpringDamper(None, BODY, 1.0, -2.0), "damping = -2.0 N s/m"),
        (lambda: SpringDamper(None, BODY, 1.0, free_length=-0.1), "free_length = -0.1 m"),
        (lambda: SpringDamper(None, BODY, 1.0, preload=np.inf), "preload = inf N"),
        (lambda: SpringDamper(None, BODY, 1.0, point_a=(1.0, 0.0, 0.0)), "points coincide"),
        (lambda: SpringDamper(None, BODY, 1.0, point_a=(1.0, 0.0)), "three components"),
        (lambda: SpringDamper(None, BODY, lambda x: x), "expected a number or a curve"),
        (lambda: SpringDamper(BODY, BODY, 1.0), "invalid ends, both on 'b'"),
        (lambda: SpringDamper(None, None, 1.0), "invalid ends, both on the ground"),
        (lambda: TorsionSpring(None, BODY, -1.0), "stiffness = -1.0 N m/rad"),
        (lambda: TorsionSpring(None, BODY, 1.0, axis="w"), "invalid axis = w"),
        (lambda: TorsionSpring(None, BODY, 1.0, axis=(0, 0, 0)), "a direction that is not zero"),
        (lambda: TorsionSpring(None, SPUN, 1.0), "prescribed spin"),
        (lambda: SoftStop(None, BODY, -1.0, 0.1), "stiffness = -1.0 N/m"),
        (lambda: SoftStop(None, BODY, 1.0, np.nan), "gap = nan m"),
    ],
)
def test_bad_input(build, words):
    with pytest.raises(InputError, match=words):
        build()


def test_spring_pulled_to_a_point():
    body = RigidBody("b", 1.0, position=(1.0, 0.0, 0.0))
    spring = SpringDamper(None, body, Function(np.sin, np.cos))
    with pytest.raises(SolverError, match="its ends coincide"):
        spring.force(0.0, np.array([-1.0, 0.0, 0.0]), ORIGIN)
