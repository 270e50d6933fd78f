"""Drives, given loads and their curves against closed forms."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from fecontact.body import DOFS, ElasticBody, RigidBody, SpinningDisc
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import Drive, Force, Function, Gravity, Line, Sine, Table, Torque, ramp
from fecontact.kernels.curves import curve_at, numbers_of
from fecontact.mesh import block
from fecontact.reduction import reduce_model

SHAFT = RigidBody("shaft", 1.0, ("rz",), inertia=(0.1, 0.1, 0.2))
BODY = RigidBody("body", 2.0, DOFS, inertia=(0.3, 0.2, 0.25), position=(1.0, 2.0, 3.0))
ZERO = np.zeros(1)


def test_run_up_of_a_motor():
    """J omega' = M_0 - k omega: omega = (M_0/k) (1 - exp(-k t/J))."""
    motor = Drive(None, SHAFT, Line(gradient=-0.5, start=10.0))
    answer = solve_ivp(
        lambda t, y: motor.force(t, ZERO, y) / 0.2, (0.0, 0.7), [0.0], rtol=1e-9, atol=1e-9
    )
    assert answer.y[0, -1] == pytest.approx(20.0 * (1.0 - np.exp(-0.5 * 0.7 / 0.2)), rel=1e-7)


def test_ramp_and_constant_torque():
    """Constant torque over a ramp of 2 s: the angular momentum at 3 s is M (1 + 1)."""
    drive = Drive(None, SHAFT, 4.0, factor=ramp(2.0))
    momentum = quad(lambda t: drive.force(t, ZERO, ZERO)[0], 0.0, 3.0, points=[2.0])[0]
    assert momentum == pytest.approx(8.0)


def test_drag_between_shafts_acts_on_the_relative_speed():
    other = RigidBody("other", 1.0, ("rz",), inertia=(0.1, 0.1, 0.1))
    drag = Drive(SHAFT, other, Table((-10.0, 10.0), (3.0, -3.0), ends="hold"))
    np.testing.assert_allclose(drag.force(0.0, np.zeros(2), np.array([2.0, 7.0])), [1.5, -1.5])
    assert drag.power(0.0, np.zeros(2), np.array([2.0, 7.0])) == pytest.approx(-7.5)
    np.testing.assert_allclose(drag.force(0.0, np.zeros(2), np.array([0.0, 70.0])), [3.0, -3.0])


def test_prescribed_spin_counts():
    """A rotor that spins at 8 rad/s drags the shaft along."""
    rotor = RigidBody("rotor", 1.0, spin=8.0)
    drag = Drive(rotor, SHAFT, Line(gradient=-0.5))
    f = drag.force(0.0, np.zeros(4), np.array([0.0, 0.0, 0.0, 2.0]))
    np.testing.assert_allclose(f, [0.0, 0.0, 0.0, 3.0])


def quarter():
    """BODY turned by 90 degrees about z: its x points along y."""
    return BODY.move(BODY.reference(), np.array([0, 0, 0, 0, 0, np.pi / 2]))


def test_space_fixed_and_follower_force():
    """Point (0.5, 0, 0) of the turned body is at +0.5 y from its centre."""
    fixed = Force(BODY, (3.0, 0.0, 0.0), (0.5, 0.0, 0.0))
    f = fixed.force(0.0, quarter(), np.zeros(6))
    np.testing.assert_allclose(f, [3.0, 0.0, 0.0, 0.0, 0.0, -1.5], atol=1e-12)
    follower = Force(BODY, (0.0, 3.0, 0.0), (0.5, 0.0, 0.0), follower=True)
    f = follower.force(0.0, quarter(), np.zeros(6))
    np.testing.assert_allclose(f, [-3.0, 0.0, 0.0, 0.0, 0.0, 1.5], atol=1e-12)
    assert follower.power(0.0, quarter(), np.eye(6)[5]) == pytest.approx(1.5)
    assert follower.energy(0.0, quarter(), np.zeros(6)) == 0.0


def test_space_fixed_and_follower_torque():
    fixed = Torque(BODY, (2.0, 0.0, 0.0), factor=ramp(1.0)).force(0.5, quarter(), np.zeros(6))
    np.testing.assert_allclose(fixed, [0, 0, 0, 0, -1.0, 0], atol=1e-12)
    follower = Torque(BODY, (2.0, 0.0, 0.0), follower=True)
    np.testing.assert_allclose(follower.force(0.0, quarter(), np.zeros(6)), [0, 0, 0, 2.0, 0, 0])


def test_gravity_on_all_bodies():
    slider = RigidBody("slider", 3.0, ("ux", "uz"))
    gravity = Gravity([BODY, SHAFT, slider], (1.0, 0.0, -10.0))
    q = np.concatenate([BODY.reference(), SHAFT.reference(), [0.5, 2.0]])
    f = gravity.force(0.0, q, np.zeros(9))
    np.testing.assert_allclose(f, [2.0, 0.0, -20.0, 0, 0, 0, 0, 3.0, -30.0])
    assert gravity.energy(0.0, q, np.zeros(9)) == pytest.approx(-3.0 * (0.5 - 20.0))


CURVES = {
    "line": Line(2.0, -1.0),
    "extended": Table((-1.0, 0.5, 2.0), (3.0, -1.0, 4.0)),
    "held": Table((0.5, 1.0, 2.0), (3.0, -1.0, 4.0), ends="hold"),
    "function": Function(np.sin, np.cos),
    "sine": Sine(2.0, 3.0, 0.4, -0.7),
}


@pytest.mark.parametrize("name", CURVES)
@pytest.mark.parametrize("x", [-3.0, -0.7, 0.2, 0.9, 1.5, 5.0])
def test_slope_and_integral_belong_to_the_curve(name, x):
    curve = CURVES[name]
    change = (curve.value(x + 1e-5) - curve.value(x - 1e-5)) / 2e-5
    assert curve.slope(x) == pytest.approx(change, abs=1e-8)
    area = quad(curve.value, 0.0, x, points=[-1.0, 0.5, 1.0, 2.0], epsabs=1e-12)[0]
    assert curve.integral(x) == pytest.approx(area, abs=1e-9)


@pytest.mark.parametrize("name", [name for name in CURVES if name != "function"])
@pytest.mark.parametrize("x", [-3.0, -0.7, 0.2, 0.9, 1.5, 5.0])
def test_compiled_curves(name, x):
    """Value, slope and integral of the numbers that compiled programs get."""
    curve = CURVES[name]
    numbers = np.concatenate([[np.nan] * 3, numbers_of(curve)])
    expected = curve.value(x), curve.slope(x), curve.integral(x)
    assert curve_at(numbers, 3, x) == pytest.approx(expected, rel=1e-14, abs=1e-14)


@pytest.mark.parametrize(
    ("x", "extended", "held"), [(0.0, 0.0, 2.0), (1.5, 3.0, 3.0), (4.0, 6.0, 5.0)]
)
def test_ends_of_a_table(x, extended, held):
    points = (1.0, 2.0, 3.0), (2.0, 4.0, 5.0)
    assert Table(*points).value(x) == pytest.approx(extended)
    assert Table(*points, ends="hold").value(x) == held


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: Drive(None, SHAFT, 1.0, axis="spin"), "axis = spin"),
        (lambda: Drive(None, SHAFT, np.nan), "torque = nan"),
        (lambda: Drive(None, SHAFT, 1.0, factor=np.sin), "factor.*expected a number or a curve"),
        (lambda: Drive(None, None, 1.0), "invalid ends, both on the ground"),
        (lambda: Force(BODY, (1.0, np.inf, 0.0)), "vector = inf N"),
        (lambda: Force(BODY, (1.0, 0.0)), "three components"),
        (lambda: Force(BODY, lambda t: (t, 0.0, 0.0)), "three numbers"),
        (lambda: Torque(BODY, (1.0, np.nan, 0.0)), "vector = nan N m"),
        (lambda: Gravity([]), "at least one body"),
        (lambda: Gravity([BODY], (0.0, 9.81)), "three components"),
        (lambda: Table((0.0, 0.0), (1.0, 2.0)), "expected rising values"),
        (lambda: Table((0.0, 1.0), (1.0,)), "as many x as y"),
        (lambda: Table((0.0, 1.0), (1.0, np.nan)), "entry = nan"),
        (lambda: Table((0.0, 1.0), (1.0, 2.0), ends="loop"), "one of extend, hold"),
        (lambda: Line(np.inf), "gradient = inf"),
        (lambda: ramp(0.0), "duration = 0.0 s"),
    ],
)
def test_bad_input(build, words):
    with pytest.raises(InputError, match=words):
        build()


def test_bodies_that_cannot_be_held_or_have_no_weight(ritz):
    disc = SpinningDisc("plate", ritz, 10.0)
    with pytest.raises(InputError, match="gravity: body 'plate' has no weight"):
        Gravity([BODY, disc])
    plain = SimpleNamespace(name="plain", dofs=("x",))
    with pytest.raises(InputError, match="invalid body 'plain' without markers"):
        Drive(None, plain, 3.0)
    with pytest.raises(InputError, match="invalid point = tip on the ground"):
        Drive(BODY, None, 3.0, point="tip")


def test_weight_of_an_elastic_body():
    """A tilted free bar: its centre of mass falls with g, and it neither bends nor turns."""
    solid = ElasticSolid(block(0.3, 0.1, 0.05, cells=(2, 1, 1)), Material(5e6, 0.3, 1200.0))
    body = ElasticBody("bar", reduce_model(solid, modes=3))
    q = body.move(body.reference(), np.r_[0.1, 0.2, 0.3, 0.5, -0.4, 0.8, np.zeros(3)])
    weight = Gravity([body], (1.0, 2.0, -3.0))
    acceleration = np.linalg.solve(body.mass_matrix(q), weight.force(0.0, q, np.zeros(9)))
    np.testing.assert_allclose(acceleration, [1.0, 2.0, -3.0, *np.zeros(6)], atol=1e-10)
