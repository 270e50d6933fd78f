"""Rotor on a shaft with a rectangular section, against closed forms and scipy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

import fecontact as fc
from fecontact.body import Body

STIFF = np.array([0.9e4, 1.1e4])
"""Stiffness along the principal directions in N/m, of 1 kg: criticals at 94.9 and 104.9 rad/s."""
J = np.array([[0.0, -1.0], [1.0, 0.0]])


class RotatingShaft(Body):
    """Mass of 1 kg on a shaft with two stiffnesses, which turns at a speed; q in space."""

    dofs = ("ux", "uy")
    position = (0.0, 0.0, 0.0)

    def __init__(self, speed, damping=0.0, stiffness=STIFF):
        self.name, self.speed, self.damping, self.stiffness = "rotor", speed, damping, stiffness

    def reference(self):
        return np.zeros(2)

    def mass_matrix(self, q):
        return np.eye(2)

    def stiffness_at(self, t):
        c, s = np.cos(self.speed * t), np.sin(self.speed * t)
        R = np.array([[c, -s], [s, c]])
        return R @ np.diag(self.stiffness) @ R.T

    def force(self, t, q, v):
        return -self.stiffness_at(t) @ q - self.damping * v

    def tangents(self, t, q, v):
        return -self.stiffness_at(t), -self.damping * np.eye(2)

    def rotation_generator(self):
        return J


class SpaceSpring:
    """Spring and weight along x that stand in space."""

    name = "space"

    def __init__(self, body, stiffness, load=0.0):
        self.bodies, self.stiffness, self.load = (body,), stiffness, load

    def force(self, t, q, v):
        return np.array([self.load - self.stiffness * q[0], 0.0])

    def tangents(self, t, q, v):
        return -np.diag([self.stiffness, 0.0]), np.zeros((2, 2))


def eigenvalues(speed, damping):
    """Of the rotor in its own frame, w'' + (d + 2 Omega J) w' + (K - Omega^2 + d Omega J) w = 0."""
    C = damping * np.eye(2) + 2.0 * speed * J
    K = np.diag(STIFF) - speed**2 * np.eye(2) + damping * speed * J
    return np.linalg.eigvals(np.block([[np.zeros((2, 2)), np.eye(2)], [-K, -C]]))


def quartic(speed):
    """Squares of the eigenvalues without damping, from the quadratic equation in z^2."""
    a, b = STIFF - speed**2
    return np.roots([1.0, a + b + 4.0 * speed**2, a * b])


def point(system, frame, speed, **options):
    return fc.operating_point(system, frame=frame, speed=speed, **options)


@pytest.mark.parametrize("speed", [60.0, 94.0, 96.0, 100.0, 104.5, 106.0, 200.0])
def test_unstable_between_the_criticals(speed):
    """Without damping exactly one square z^2 is positive, and only between the criticals."""
    found = point(fc.System([RotatingShaft(speed)]), "rotating", speed)
    squares = quartic(speed)
    growth = np.sqrt(max(squares.max(), 0.0))
    assert found.modes.growth.max() == pytest.approx(growth, abs=1e-9 * speed)
    assert found.modes.stable == (growth == 0.0)
    assert (growth > 0.0) == (np.sqrt(STIFF[0]) < speed < np.sqrt(STIFF[1]))
    imaginary = np.sort(np.abs(np.sqrt(squares.astype(complex)).imag))
    largest = found.modes.frequency.max() * 2.0 * np.pi
    assert largest == pytest.approx(imaginary[-1], rel=1e-9)


@pytest.mark.parametrize("speed", [60.0, 100.0, 200.0])
def test_damped_rotor_in_its_frame_and_by_floquet(speed):
    system = fc.System([RotatingShaft(speed, damping=2.0)])
    exact = eigenvalues(speed, 2.0)
    exact = exact[np.lexsort((exact.imag, exact.real))]
    one = point(system, "rotating", speed).modes
    np.testing.assert_allclose(np.sort(one.growth), np.sort(exact.real[exact.imag >= 0]), rtol=1e-9)
    two = point(system, "floquet", speed)
    expected = np.sort(np.abs(np.exp(exact * 2.0 * np.pi / speed)))
    np.testing.assert_allclose(np.sort(np.abs(two.multipliers.values)), expected, rtol=1e-5)
    assert two.multipliers.stable == one.stable


def monodromy(body, item, period):
    """Of the rotor with a spring in space, by scipy."""

    def rate(t, x):
        q, v = x.reshape(4, 4)[:2], x.reshape(4, 4)[2:]
        K = body.stiffness_at(t) - item.tangents(t, None, None)[0]
        return np.vstack([v, -K @ q - body.damping * v]).ravel()

    return solve_ivp(
        rate, (0.0, period), np.eye(4).ravel(), "DOP853", rtol=1e-11, atol=1e-12
    ).y[:, -1].reshape(4, 4)  # fmt: skip


@pytest.mark.parametrize(("speed", "repeats"), [(70.0, 1), (101.0, 1), (101.0, 2), (140.0, 2)])
def test_anisotropic_bearing(speed, repeats):
    """Hill's equations: multipliers against those of an independent integration."""
    body = RotatingShaft(speed, 1.0)
    item = SpaceSpring(body, 3e3)
    found = point(fc.System([body], [item]), "floquet", speed, repeats=repeats)
    exact = np.linalg.eigvals(monodromy(body, item, found.period))
    ours = found.multipliers.values
    assert max(np.abs(exact - mu).min() for mu in ours) < 3e-5
    assert max(np.abs(ours - mu).min() for mu in exact) < 3e-5
    assert found.period == pytest.approx(2.0 * np.pi / speed / repeats)
    z = np.log(exact) / found.period
    assert found.modes.growth.max() == pytest.approx(z.real.max(), rel=1e-3, abs=2e-3)


def test_floquet_says_the_frequencies_of_a_nearly_constant_system():
    """Of +-1 % the exponents are those of the mean, resolved far above half of 1/period."""
    speed, body = 20.0, RotatingShaft(20.0, 1.0, np.array([0.99e4, 1.01e4]))
    found = point(fc.System([body], [SpaceSpring(body, 3e3)]), "floquet", speed)
    mean = np.sqrt([1e4, 1.3e4]) / (2.0 * np.pi)
    np.testing.assert_allclose(found.modes.frequency, mean, rtol=1e-3)
    assert found.modes.frequency.min() > 2.0 * found.aliasing
    assert np.all(found.floquet.constant > 0.98)


def test_forced_motion_at_twice_the_speed():
    """A weight bends the shaft; in its frame it turns backward, w'' + 2 Omega J w' + ... = F."""
    speed, load = 40.0, 9.81
    body = RotatingShaft(speed, 3.0)
    item = SpaceSpring(body, 0.0, load)
    found = point(fc.System([body], [item]), "floquet", speed).found
    C = 3.0 * np.eye(2) + 2.0 * speed * J
    K = np.diag(STIFF) - speed**2 * np.eye(2) + 3.0 * speed * J
    w = np.linalg.solve(-(speed**2) * np.eye(2) + 1j * speed * C + K, load * np.array([1.0, 1.0j]))
    for t, state in zip(found.moved.t, found.moved.states, strict=True):
        c, s = np.cos(speed * t), np.sin(speed * t)
        exact = np.array([[c, -s], [s, c]]) @ (w * np.exp(1j * speed * t)).real
        np.testing.assert_allclose(state.q, exact, atol=1e-8 * np.abs(w).max())


@pytest.mark.parametrize(("item", "why"), [
    ((3e3, 0.0), "stiffness changes"), ((0.0, 10.0), "force changes"),
])  # fmt: skip
def test_rotating_frame_refuses_what_stands_in_space(item, why):
    body = RotatingShaft(50.0)
    system = fc.System([body], [SpaceSpring(body, *item)])
    with pytest.raises(fc.InputError, match=f"invalid frame = rotating.*'space' is not.*{why}"):
        point(system, "rotating", 50.0)


def test_mean_estimates_what_it_leaves_out():
    """Far from the criticals the shift of second order is that of Floquet's exponents."""
    speed, body = 30.0, RotatingShaft(30.0, 2.0, np.array([0.98e4, 1.02e4]))
    system = fc.System([body], [SpaceSpring(body, 4e3)])
    mean, exact = (point(system, frame, speed) for frame in ("axisymmetric", "floquet"))
    shift = exact.modes.eigenvalues - mean.modes.eigenvalues
    assert np.abs(shift).min() > 1e-3
    np.testing.assert_allclose(mean.asymmetry.shift, shift, rtol=0.1)
    assert mean.asymmetry.holds.all()


def test_mean_refuses_pairs_that_split():
    body = RotatingShaft(100.0, 2.0)
    with pytest.raises(fc.InputError, match="invalid frame = axisymmetric: the leading mode"):
        point(fc.System([body]), "axisymmetric", 100.0)


def test_damping_that_stops_it():
    """A branch over the damping at a speed between the criticals: the boundary in closed form."""
    speed = 101.0

    def build(damping):
        system = fc.System([RotatingShaft(speed, damping)])
        return point(system, "rotating", speed)

    found = fc.critical_value(fc.Branch(build), 0.5, 30.0)
    exact = brentq(lambda d: eigenvalues(speed, d).real.max(), 0.5, 30.0)
    assert found.value == pytest.approx(exact, rel=1e-6)


def test_bad_input():
    body = RotatingShaft(100.0)
    system = fc.System([body])
    with pytest.raises(fc.InputError, match="invalid system in a turning frame: expected an Elas"):
        fc.operating_point(system, frame="rotating")
    with pytest.raises(fc.InputError, match="invalid speed = 0"):
        point(system, "floquet", 0.0)
    with pytest.raises(fc.InputError, match="invalid repeats = 3: expected a system that repeats"):
        point(system, "floquet", 100.0, repeats=3)
    with pytest.raises(fc.InputError, match="frame"):
        point(system, "round", 100.0)
    with pytest.raises(fc.InputError, match="invalid friction = state"):
        point(system, "rotating", 100.0, friction="state")
    with pytest.raises(fc.InputError, match="invalid certify with frame = rotating"):
        point(system, "rotating", 100.0, certify=True)
    found = point(system, "floquet", 100.0)
    with pytest.raises(fc.InputError, match="balance of power"):
        found.balance()
    assert "frame: floquet, neglects nothing of small motions" in repr(found)
