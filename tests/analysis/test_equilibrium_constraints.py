"""Steady states and linearisation with constraints, against closed forms and differences."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from fecontact.analysis import complex_modes, linearise, steady_state
from fecontact.body.rigid import DOFS, RigidBody
from fecontact.errors import InputError, SolverError
from fecontact.joint import (
    Bearing,
    Bushing,
    Drive,
    Force,
    Gravity,
    Line,
    SpringDamper,
    TorsionSpring,
)
from fecontact.joint.marker import MarkerPair
from fecontact.joint.relative import Relative
from fecontact.system import State, System
from fecontact.system.constraints.projection import Projector

G = 9.81


@dataclass(frozen=True, eq=False)
class Ball:
    """Ball joint at a place in space."""

    name: str
    a: RigidBody | None
    b: RigidBody | None
    place: tuple
    rows = ("x", "y", "z")
    level = "position"

    @property
    def pair(self):
        point = np.subtract(self.place, self.b.position if self.b else np.zeros(3))
        return MarkerPair(self.name, self.a, self.b, tuple(point))

    @property
    def bodies(self):
        return self.pair.bodies

    def at(self, t, q, v):
        return self.pair.motion(q, v).displacement()

    def bias(self, t, q, v):
        return self.at(t, q, v).d_rate() @ v


@dataclass(frozen=True, eq=False)
class Quadratic:
    """Rows a . q + q . B q/2 = p_0 + p_1 t + p_2 t^2/2."""

    name: str
    bodies: tuple
    linear: np.ndarray
    bend: np.ndarray
    law: tuple = (0.0, 0.0, 0.0)
    level: str = "position"

    @property
    def rows(self):
        return tuple(f"r{i}" for i in range(len(self.linear)))

    def at(self, t, q, v):
        A = self.linear + self.bend @ q
        value = self.linear @ q + 0.5 * (self.bend @ q) @ q - self.law[0] - self.law[1] * t
        return Relative(
            value - 0.5 * self.law[2] * t**2,
            A @ v - self.law[1] - self.law[2] * t,
            A,
            lambda: self.bend @ v,
            lambda load: np.tensordot(load, self.bend, 1),
        )

    def bias(self, t, q, v):
        return (self.bend @ v) @ v - self.law[2]


def linear_rows(name, bodies, rows, **options):
    rows = np.atleast_2d(np.asarray(rows, dtype=float))
    return Quadratic(name, bodies, rows, np.zeros((*rows.shape, rows.shape[1])), **options)


@pytest.fixture
def pendulum():
    """Arm of 0.7 m on a ball joint; it hangs in the reference position."""
    arm = RigidBody("arm", 2.0, DOFS, (0.3, 0.25, 0.1), (0.0, 0.0, -0.7))
    return arm, Ball("pivot", None, arm, (0.0, 0.0, 0.0)), Gravity([arm], (0.0, 0.0, -G))


def test_pendulum_hangs_under_a_side_load(pendulum):
    """tan(phi) = F/(m g), the pivot carries both loads; found from far away."""
    arm, pivot, gravity = pendulum
    spring = TorsionSpring(None, arm, 1e-3)  # holds the rotation about the arm
    system = System([arm], [pivot, gravity, spring, Force(arm, (15.0, 0.0, 0.0))])
    guess = arm.move(arm.reference(), np.array([0.0, 0.0, 0.0, 0.2, -0.3, 0.0]))
    steady = steady_state(system, guess)
    phi = np.arctan2(15.0, 2.0 * G)
    np.testing.assert_allclose(
        steady.state.q[:3], [0.7 * np.sin(phi), 0.0, 0.7 * (1 - np.cos(phi))], atol=1e-9
    )
    np.testing.assert_allclose(steady.state.lam, [-15.0, 0.0, 2.0 * G], atol=1e-8)
    assert steady.residual < 1e-11
    assert steady.iterations < 15


def test_small_swings_of_the_pendulum(pendulum):
    """omega^2 = m g l/(J + m l^2) about both axes, by the geometric stiffness of the pivot."""
    arm, pivot, gravity = pendulum
    spring = TorsionSpring(None, arm, 0.9)
    system = System([arm], [pivot, gravity, spring])
    modes = complex_modes(linearise(system, steady_state(system).state))
    expected = [np.sqrt(2.0 * G * 0.7 / (J + 2.0 * 0.7**2)) for J in (0.3, 0.25)]
    expected = np.sort([*expected, np.sqrt(0.9 / 0.1)]) / (2.0 * np.pi)
    np.testing.assert_allclose(modes.frequency, expected, rtol=1e-10)
    assert np.abs(modes.growth).max() < 1e-9
    assert modes.vectors.shape == (6, 3)  # in the dofs of the system
    np.testing.assert_allclose(modes.participation["arm"], 1.0, rtol=1e-12)


def test_standing_pendulum_falls(pendulum):
    """The upright arm is an equilibrium too; both swings grow at sqrt(m g l/(J + m l^2))."""
    arm, pivot, _ = pendulum
    spring = TorsionSpring(None, arm, 0.9)
    system = System([arm], [pivot, Gravity([arm], (0.0, 0.0, G)), spring])
    modes = complex_modes(linearise(system, steady_state(system).state))
    assert modes.leading_growth == pytest.approx(np.sqrt(2 * G * 0.7 / (0.25 + 2 * 0.49)), rel=1e-9)


def double_pendulum(copies=1):
    """Two equal points on rods of 0.5 m in the x-z plane; rods may be doubled."""
    points = [RigidBody(f"p{i}", 1.5, ("ux", "uz"), position=(0, 0, -0.5 * i)) for i in (1, 2)]
    one = np.eye(2)
    bend = np.zeros((2, 4, 4))
    bend[0, :2, :2] = one
    bend[1] = np.block([[one, -one], [-one, one]])
    linear = np.array([[0.0, -0.5, 0.0, 0.0], [0.0, 0.5, 0.0, -0.5]])  # |r0 + dq|^2/2 - l^2/2
    rods = [Quadratic(f"rods{k}", tuple(points), linear, bend) for k in range(copies)]
    return System(points, [*rods, Gravity(points, (0.0, 0.0, -G))])


@pytest.mark.parametrize("copies", [1, 2])
def test_double_pendulum(copies):
    """omega^2 = (2 -+ sqrt 2) g/l; rods 3 and 1.5 kg g; redundant rods change nothing."""
    system = double_pendulum(copies)
    guess = State(0.0, np.array([0.1, 0.02, -0.05, 0.0]), np.zeros(4))
    steady = steady_state(system, guess.q)
    np.testing.assert_allclose(steady.state.q, 0.0, atol=1e-9)
    modes = complex_modes(linearise(system, steady.state))
    expected = np.sqrt((2.0 + np.array([-1.0, 1.0]) * np.sqrt(2.0)) * G / 0.5)
    np.testing.assert_allclose(2.0 * np.pi * modes.frequency, expected, rtol=1e-8)
    force = system.constraint(steady.state).jacobian.T @ steady.state.lam
    np.testing.assert_allclose(force, [0.0, 1.5 * G, 0.0, 1.5 * G], atol=1e-8)
    shares = sum(modes.participation.values())
    np.testing.assert_allclose(shares, 1.0, rtol=1e-10)


def test_nothing_can_move():
    """All dofs are held: the rows carry the load and no mode is left."""
    body = RigidBody("mass", 2.0)
    system = System([body], [linear_rows("wall", (body,), np.eye(3)), Force(body, (1, 2, 3))])
    steady = steady_state(system)
    np.testing.assert_allclose(steady.state.lam, [-1.0, -2.0, -3.0], rtol=1e-14)
    assert steady.iterations == 0


def test_driven_rotor_carries_its_drag():
    """A speed drive at 40 rad/s against drag 0.3 N m s: steady, lam = 12 N m."""
    rotor = RigidBody("rotor", 1.0, ("rz",), (0.1, 0.1, 0.2))
    drive = linear_rows("drive", (rotor,), [1.0], law=(0.0, 40.0, 0.0), level="velocity")
    system = System([rotor], [drive, Drive(None, rotor, Line(gradient=-0.3), name="drag")])
    state = steady_state(system).state
    assert state.v[0] == pytest.approx(40.0)
    assert state.lam[0] == pytest.approx(12.0)


def test_geared_shafts_in_soft_bearings():
    """Wheels in bearings, driven at Omega: speeds -r1/r2, bearings at rest under the tooth force.

    The row r1 w1 + r2 w2 + y1' - y2' = 0 could be met by running bearings as well; that is no
    steady state.
    """
    r1, r2, speed, drag = 0.05, 0.15, 30.0, 0.6
    inertia = (0.01, 0.01, 0.02)
    wheels = [RigidBody(n, 1.0, ("uy", "rz"), inertia) for n in ("w1", "w2")]
    mesh = linear_rows("mesh", tuple(wheels), [1.0, r1, -1.0, r2], level="velocity")
    drive = linear_rows("drive", wheels[:1], [0.0, 1.0], law=(0, speed, 0), level="velocity")
    bearings = [Bearing(w, 2e4, 1.0, name=f"b{w.name}") for w in wheels]
    load = Drive(None, wheels[1], Line(gradient=-drag), name="load")
    steady = steady_state(System(wheels, [mesh, drive, *bearings, load]))
    np.testing.assert_allclose(steady.state.v, [0, speed, 0, -speed * r1 / r2], atol=1e-10)
    tooth = drag * -speed * r1 / r2 / r2  # lam r2 + M_load = 0
    assert steady.state.lam[0] == pytest.approx(tooth, rel=1e-10)
    assert steady.state.lam[1] == pytest.approx(-tooth * r1, rel=1e-10)
    np.testing.assert_allclose(steady.state.q[[0, 2]], [tooth / 2e4, -tooth / 2e4], rtol=1e-9)


def test_pulled_spring_is_no_steady_state():
    body = RigidBody("mass", 2.0)
    pull = linear_rows("pull", (body,), [1.0, 0, 0], law=(0, 3.0, 0), level="velocity")
    system = System([body], [pull, Bushing(None, body, (9.0, 8.0, 7.0, 1, 1, 1))])
    with pytest.raises(SolverError, match=r"motion changes the force on mass.ux"):
        steady_state(system)


def test_accelerated_drive_is_no_steady_state():
    rotor = RigidBody("rotor", 1.0, ("rz",), (0.1, 0.1, 0.2))
    drive = linear_rows("drive", (rotor,), [1.0], law=(0.0, 40.0, 5.0), level="velocity")
    with pytest.raises(SolverError, match=r"ask for accelerations \(drive.r0\)"):
        steady_state(System([rotor], [drive]))


def test_orbiting_mass_is_no_steady_state():
    """A point that is driven round a circle is accelerated."""
    point = RigidBody("point", 1.0, ("ux", "uy"), position=(1.0, 0.0, 0.0))
    circle = Quadratic("circle", (point,), np.array([[1.0, 0.0]]), np.eye(2)[None])
    drive = linear_rows("drive", (point,), [0.0, 1.0], law=(0.0, 3.0, 0.0), level="velocity")
    with pytest.raises(SolverError, match=r"circle.r0"):
        steady_state(System([point], [circle, drive]))


def test_conflicting_constraints():
    body = RigidBody("mass", 2.0)
    rows = [linear_rows(n, (body,), [1, 0, 0], law=(p, 0, 0)) for n, p in (("a", 0.0), ("b", 1.0))]
    with pytest.raises(SolverError, match=r"cannot be met: a.r0 .*, b.r0"):
        steady_state(System([body], rows))


def test_free_motion_without_stiffness():
    body = RigidBody("mass", 2.0)
    system = System([body], [linear_rows("rail", (body,), [1, 0, 0]), Force(body, (0, 1.0, 0))])
    with pytest.raises(SolverError, match=r"nothing holds the system along mass\.uy"):
        steady_state(system)


def random_system():
    """Six dofs, two curved rows, one drive, springs and dampers that couple all of them."""
    rng = np.random.default_rng(12)
    bodies = [RigidBody("a", 1.3), RigidBody("b", 0.7, position=(1.0, 0.3, -0.2))]
    bend = 0.6 * rng.normal(size=(2, 6, 6))
    curved = Quadratic("curved", tuple(bodies), rng.normal(size=(2, 6)), bend + bend.swapaxes(1, 2))
    drive = linear_rows(
        "drive", tuple(bodies), rng.normal(size=6), law=(0.0, 2.0, 0.0), level="velocity"
    )
    springs = [
        SpringDamper(None, bodies[0], 80.0, 5.0, point_a=(0.5, 0.4, 0.3), name="s1"),
        SpringDamper(bodies[0], bodies[1], 60.0, 7.0, name="s2"),
        Bushing(None, bodies[1], (9.0, 8.0, 7.0, 1, 1, 1), (3.0, 2.0, 1.0, 0, 0, 0)),
    ]
    return System(bodies, [curved, drive, *springs])


def test_linearised_force_against_differences(difference):
    """Force along the free motions while positions and velocities follow the constraints."""
    system = random_system()
    rng = np.random.default_rng(3)
    start = State(0.0, 0.1 * rng.normal(size=6), np.zeros(6))
    start = replace(start, q=Projector(system).position(start))
    state = replace(start, v=Projector(system).velocity(start), lam=rng.normal(size=3))
    model = linearise(system, state)
    Z = model.basis
    assert Z.shape == (6, 3)
    np.testing.assert_allclose(model.mass, np.eye(3), atol=1e-12)

    def force(y, rate):
        moved = replace(state, q=state.q + Z @ y)
        v = Projector(system).velocity(moved) + Z @ rate
        now = replace(moved, v=v)
        return Z.T @ (system.force(now) + system.constraint(now).jacobian.T @ state.lam)

    zero, step = np.zeros(3), np.full(3, 1e-3)
    for exact, f in (
        (model.stiffness + model.circulatory, lambda y: force(y, zero)),
        (model.damping + model.gyroscopic, lambda r: force(zero, r)),
    ):
        found = -difference(f, zero, step)
        assert np.abs(found - exact).max() < 1e-7 * np.abs(exact).max()


def test_linearise_needs_multipliers(pendulum):
    arm, pivot, gravity = pendulum
    system = System([arm], [pivot, gravity])
    with pytest.raises(InputError, match=r"invalid lam of shape \(0,\): expected \(3,\)"):
        linearise(system, system.rest())


def test_linearise_refuses_turning_frames(pendulum):
    arm, pivot, gravity = pendulum
    system = System([arm], [pivot, gravity])
    spinning = system.consistent(system.state(v={"arm.rz": 3.0})).state
    with pytest.raises(InputError, match="body 'arm' turns with three rotations"):
        linearise(system, spinning)
