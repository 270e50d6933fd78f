"""Prescribed motion of joints and dofs: forces of drives, whole turns, levels, bad input."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from fecontact.body import DOFS, ElasticBody, RigidBody, TurningFrame
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import (
    DofCoordinate,
    Length,
    Line,
    MotionFunction,
    PrescribedMotion,
    Prismatic,
    Revolute,
    Speed,
)
from fecontact.joint.marker import MarkerPair, axis_vector
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import State, System

J = (0.3, 0.2, 0.25)
BODY = RigidBody("body", 2.0, DOFS, inertia=J, position=(1.0, 2.0, 3.0))
SHAFT = RigidBody("shaft", 1.0, ("rz",), inertia=J)
AXIS = (1.0, 2.0, 2.0)
N = axis_vector("axis", AXIS)


def turned(angle):
    """BODY turned about its centre."""
    p = Rotation.from_rotvec(angle * N).as_quat(scalar_first=True)
    return np.concatenate([np.zeros(3), p])


def solve(system, state):
    """v' and multipliers of rows that are independent."""
    M, f, c = system.mass_matrix(state.q), system.force(state), system.constraint(state)
    m = len(c.bias)
    kkt = np.block([[M, -c.jacobian.T], [c.jacobian, np.zeros((m, m))]])
    answer = np.linalg.solve(kkt, np.concatenate([f, -c.bias]))
    return answer[: len(f)], answer[len(f) :]


@pytest.mark.parametrize("level", ["position", "velocity"])
@pytest.mark.parametrize("t", [0.0, 0.4, 700.0])
def test_run_up_of_a_hinge(level, t):
    """Angle 2 t + 3 t^2/2 about a fixed axis: the drive's torque is n . J n times 3."""
    hinge = Revolute(None, BODY, axis=AXIS)
    motor = PrescribedMotion(hinge.angle, Speed(Line(3.0, 2.0)), level, "motor")
    speed = 2.0 + 3.0 * t
    state = State(t, turned(2.0 * t + 1.5 * t**2), np.r_[np.zeros(3), speed * N])
    system = System([BODY], [hinge, motor])
    c = system.constraint(state)
    np.testing.assert_allclose(c.value, 0.0, atol=1e-9)
    np.testing.assert_allclose(c.rate, 0.0, atol=1e-12 * speed)
    a, lam = solve(system, state)
    np.testing.assert_allclose(a, np.r_[np.zeros(3), 3.0 * N], atol=1e-9)
    torque = 3.0 * N @ np.diag(J) @ N
    assert lam[-1] == pytest.approx(torque, abs=1e-12 * speed**2 + 1e-12)
    assert motor.drive_power(t, lam[-1:]) == pytest.approx(torque * speed, rel=1e-9)


def test_angle_counts_modulo_turns():
    """The row sees the distance to the law, whatever the number of turns."""
    hinge = Revolute(None, BODY, axis=AXIS)
    motion = PrescribedMotion(hinge.angle, Speed(100.0))
    for error in (-3.0, -0.1, 0.2, 3.0):
        rows = motion.at(7.7, turned(770.0 + error), np.zeros(6))
        assert rows.value[0] == pytest.approx(error, abs=1e-11)


def test_shaker():
    """A sliding mass follows X sin(w t): force -m w^2 X sin(w t) along, none across the axis."""
    X, w, t = 0.01, 50.0, 0.013
    slider = Prismatic(None, BODY, axis=AXIS)
    law = MotionFunction(lambda s: X * np.sin(w * s), lambda s: X * w * np.cos(w * s))
    shaker = PrescribedMotion(slider.stroke, law)
    q = np.r_[law.value(t) * N, 1.0, 0.0, 0.0, 0.0]
    system = System([BODY], [slider, shaker])
    _, lam = solve(system, State(t, q, np.r_[law.rate(t) * N, np.zeros(3)]))
    np.testing.assert_allclose(lam[:-1], 0.0, atol=1e-9)
    assert lam[-1] == pytest.approx(-BODY.mass * w**2 * X * np.sin(w * t), rel=1e-8)


def test_pendulum_of_varying_length():
    """Winch: a ball on a rope of length l(t) keeps m l^2 phi' without gravity.

    l phi'' = -2 l' phi', rope force m (l'' - l phi'^2).
    """
    ball = RigidBody("ball", 0.5, ("ux", "uy"), position=(1.0, 0.0, 0.0))
    rope = Length(MarkerPair("rope", None, ball, point_a=(0.0, 0.0, 0.0)))
    winch = PrescribedMotion(rope, Speed(Line(0.2, -0.4), start=1.0))
    system = System([ball], [winch])

    def rate(t, y):
        return np.concatenate([y[2:], solve(system, State(t, y[:2], y[2:]))[0]])

    phi_rate = 3.0
    answer = solve_ivp(rate, (0.0, 1.0), [0.0, 0.0, -0.4, phi_rate], rtol=1e-10, atol=1e-12)
    x, v = answer.y[:2, -1] + [1.0, 0.0], answer.y[2:, -1]
    length = 1.0 - 0.4 + 0.1
    assert np.linalg.norm(x) == pytest.approx(length, abs=1e-8)
    assert x[0] * v[1] - x[1] * v[0] == pytest.approx(phi_rate, rel=1e-9)
    _, lam = solve(system, State(1.0, answer.y[:2, -1], v))
    expected = 0.5 * (0.2 - length * (phi_rate / length**2) ** 2)
    assert lam[0] == pytest.approx(expected, rel=1e-7)


def test_dofs():
    """Displacements and single angles have coordinates, the three rotations speeds only."""
    assert all(DofCoordinate(BODY, name).holonomic for name in DOFS[:3])
    assert not any(DofCoordinate(BODY, name).holonomic for name in DOFS[3:])
    assert DofCoordinate(SHAFT, "rz").holonomic
    q = np.r_[1.0, 2.0, 3.0, 1.0, 0.0, 0.0, 0.0]
    assert DofCoordinate(BODY, "uy").value(q) == 2.0
    drive = PrescribedMotion(DofCoordinate(BODY, "ry"), Speed(8.0), level="velocity")
    rows = drive.at(1.0, q, np.arange(6.0))
    assert rows.rate.tolist() == [4.0 - 8.0]
    assert rows.jacobian.tolist() == [[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]]


def test_velocity_level_needs_no_value():
    """A speed drive asks the law for speeds only: its position may have any start."""

    class SpeedOnly:
        def value(self, t):
            raise AssertionError

        def rate(self, t):
            return 2.0 * t

        def acceleration(self, t):
            return 2.0

    drive = PrescribedMotion(DofCoordinate(SHAFT, "rz"), SpeedOnly(), level="velocity")
    assert drive.at(3.0, np.array([1e3]), np.array([7.0])).rate.tolist() == [1.0]
    assert drive.bias(3.0, np.array([1e3]), np.array([7.0])).tolist() == [-2.0]


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (
            lambda: PrescribedMotion(DofCoordinate(BODY, "rx"), Speed(1.0)),
            "speed without coordinate",
        ),
        (lambda: PrescribedMotion(SHAFT, Speed(1.0)), "Angle, Stroke, Length or DofCoordinate"),
        (lambda: PrescribedMotion(DofCoordinate(SHAFT, "rz"), 5.0), "invalid law = 5.0"),
        (
            lambda: PrescribedMotion(DofCoordinate(SHAFT, "rz"), Speed(1.0), "force"),
            "level = force",
        ),
        (lambda: DofCoordinate(SHAFT, "ux"), "unknown dof of 'shaft' 'ux'; known: rz"),
    ],
)
def test_bad_input(build, words):
    with pytest.raises(InputError, match=words):
        build()


@pytest.fixture(scope="module")
def bar():
    solid = ElasticSolid(block(0.3, 0.1, 0.05, cells=(3, 1, 1)), Material(5e6, 0.4, 1200.0))
    return reduce_model(solid, "x_min", method="free", modes=4)


def test_drives_hold_the_frame_of_an_elastic_body(bar):
    """A free frame held by six speed drives moves as a frame of prescribed motion."""
    speed = 3.0
    free = ElasticBody("bar", bar)
    turned = ElasticBody("bar", bar, frame=TurningFrame((0.0, 0.0, 1.0), Speed(speed)))
    rng = np.random.default_rng(4)
    e, e_rate = 1e-3 * rng.standard_normal((2, 4))
    holds = [
        PrescribedMotion(DofCoordinate(free, name), Speed(rate), "velocity", name)
        for name, rate in zip(DOFS, (0, 0, 0, 0, 0, speed), strict=True)
    ]
    system = System([free], holds)
    q = np.concatenate([free.reference()[:7], e])
    v = np.r_[0.0, 0.0, 0.0, 0.0, 0.0, speed, e_rate]
    found, _ = solve(system, State(0.0, q, v))
    expected = np.linalg.solve(turned.mass_matrix(e), turned.force(0.0, e, e_rate))
    np.testing.assert_allclose(found[6:], expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


def test_joints_refuse_frames_of_prescribed_motion(bar):
    turned = ElasticBody("bar", bar, frame=TurningFrame((0.0, 0.0, 1.0), 2.0))
    with pytest.raises(InputError, match="frame of prescribed motion"):
        Revolute(None, turned, point_b="x_min")
