"""Bushing and bearing against equivalent elements."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import block_diag
from scipy.spatial.transform import Rotation

from fecontact.body import DOFS, RigidBody
from fecontact.errors import InputError
from fecontact.joint import Bearing, Bushing, TorsionSpring
from fecontact.joint.marker import axis_vector, frame_about
from fecontact.joint.relative import d_log_rate, log_rate

BODY = RigidBody("b", 1.0, DOFS, inertia=(1.0, 1.0, 1.0), position=(0.3, -0.1, 0.2))
STEP = np.array([0.1, -0.2, 0.15, 0.5, -0.4, 0.7])
SPEED = np.array([1.0, -0.5, 2.0, 0.3, 0.8, -1.1])


def definite(seed):
    root = np.random.default_rng(seed).standard_normal((6, 6))
    return root @ root.T


def test_small_motion_is_the_matrix():
    C, D = definite(1), definite(2)
    by_q, by_v = Bushing(None, BODY, C, D).tangents(0.0, BODY.reference(), np.zeros(6))
    np.testing.assert_allclose(by_q, -C, atol=1e-12)
    np.testing.assert_allclose(by_v, -D, atol=1e-12)


def test_marker_frame_turns_the_matrix():
    E = Rotation.from_rotvec([0.4, 1.0, -0.3]).as_matrix()
    C, D, turn = definite(3), definite(4), block_diag(E, E)
    q = BODY.move(BODY.reference(), STEP)
    found = Bushing(None, BODY, C, D, frame=E).force(0.0, q, SPEED)
    expected = Bushing(None, BODY, turn @ C @ turn.T, turn @ D @ turn.T).force(0.0, q, SPEED)
    np.testing.assert_allclose(found, expected, atol=1e-12)


def test_bushing_holds_a_torsion_spring():
    q = BODY.move(BODY.reference(), STEP)
    bushing = Bushing(None, BODY, (0, 0, 0, 0, 7.0, 0), (0, 0, 0, 0, 0.6, 0))
    spring = TorsionSpring(None, BODY, 7.0, 0.6, "y")
    f = spring.force(0.0, q, SPEED)
    np.testing.assert_allclose(bushing.force(0.0, q, SPEED), f, atol=1e-12)


def test_cantilever_as_bushing():
    """Stiffness of a cantilever's tip: force F gives F l^3/(3 EI) and the slope F l^2/(2 EI)."""
    EI, length, F = 200.0, 0.5, 0.01
    C = np.diag([1e6, 12 * EI / length**3, 1e6, 1e6, 1e6, 4 * EI / length])
    C[1, 5] = C[5, 1] = -6 * EI / length**2
    by_q, _ = Bushing(None, BODY, C).tangents(0.0, BODY.reference(), np.zeros(6))
    tip = np.linalg.solve(-by_q, F * np.eye(6)[1])
    assert tip[1] == pytest.approx(F * length**3 / (3 * EI))
    assert tip[5] == pytest.approx(F * length**2 / (2 * EI))


@pytest.mark.parametrize("axis", ["z", "x", (0.2, -0.5, 0.4)])
def test_shifted_bearing_has_cross_terms(axis):
    """A radial bearing at distance h along the axis: c_rt = c_r h, c_t = c_r h^2, at any tilt."""
    h, c, d = 0.25, 40.0, 3.0
    shifted = Bearing(BODY, c, 0.0, d, axis=axis, point=tuple(h * axis_vector("axis", axis)))
    coupled = Bearing(
        BODY, c, 0.0, d, axis=axis, tilt_stiffness=c * h**2, tilt_damping=d * h**2,
        cross_stiffness=c * h, cross_damping=d * h,
    )  # fmt: skip
    q = BODY.move(BODY.reference(), STEP)
    f = shifted.force(0.0, q, SPEED)
    np.testing.assert_allclose(coupled.force(0.0, q, SPEED), f, atol=1e-12)
    for found, expected in zip(
        coupled.tangents(0.0, q, SPEED), shifted.tangents(0.0, q, SPEED), strict=True
    ):
        np.testing.assert_allclose(found, expected, atol=1e-11)
    energy = shifted.energy(0.0, q, SPEED)
    assert coupled.energy(0.0, q, SPEED) == pytest.approx(energy, rel=1e-12)


def test_bearing_lets_the_body_spin():
    bearing = Bearing(BODY, 40.0, 30.0, 2.0, 1.0, tilt_stiffness=5.0, tilt_damping=1.0)
    q = BODY.move(BODY.reference(), np.array([0, 0, 0, 0, 0, 20.0]))
    f = bearing.force(0.0, q, np.array([0, 0, 0, 0, 0, 300.0]))
    np.testing.assert_allclose(f, 0.0, atol=1e-10)


def test_tilt_moment():
    """Tilt by an angle: moment c sin(angle) cos(angle), back about the same axis."""
    angle = 0.4
    bearing = Bearing(BODY, 0.0, 0.0, tilt_stiffness=5.0)
    q = BODY.move(BODY.reference(), np.array([0, 0, 0, angle, 0, 0]))
    expected = np.zeros(6)
    expected[3] = -5.0 * np.sin(angle) * np.cos(angle)
    np.testing.assert_allclose(bearing.force(0.0, q, np.zeros(6)), expected, atol=1e-12)


@pytest.mark.parametrize("axis", ["x", "y", "z", (1.0, 1.0, 1.0), (0.0, 0.0, -1.0), (1e-9, 0, 1)])
def test_frames(axis):
    n = axis_vector("axis", axis)
    E = frame_about(n)
    np.testing.assert_allclose(E.T @ E, np.eye(3), atol=1e-14)
    np.testing.assert_allclose(E[:, 2], n)
    assert np.linalg.det(E) == pytest.approx(1.0)
    np.testing.assert_array_equal(frame_about(axis_vector("axis", "z")), np.eye(3))


@pytest.mark.parametrize("angle", [0.0, 1e-5, 0.1999, 0.2001, 1.0, 2.9])
def test_rate_of_the_rotation_vector(difference, angle):
    """theta' against differences of the logarithm, and its derivative, across the series' end."""
    theta = angle * np.array([2.0, -1.0, 2.0]) / 3.0
    R = Rotation.from_rotvec(theta)
    step = np.full(3, 1e-2)

    def logarithm(psi):
        return (Rotation.from_rotvec(psi) * R).as_rotvec()

    expected = difference(logarithm, np.zeros(3), step)
    np.testing.assert_allclose(log_rate(theta), expected, atol=1e-9)
    np.testing.assert_allclose(log_rate(theta).T, log_rate(-theta), atol=1e-14)
    a = np.array([0.3, 0.7, -0.4])
    expected = difference(lambda x: log_rate(x) @ a, theta, step)
    np.testing.assert_allclose(d_log_rate(theta, a), expected, atol=1e-9)


SPUN = RigidBody("rotor", 1.0, spin=3.0)
SKEW = np.eye(6) + np.eye(6, k=1)
INDEFINITE = np.eye(6) + 2.0 * (np.eye(6, k=1) + np.eye(6, k=-1))


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: Bushing(None, BODY, (1.0, 2.0)), "6 numbers or a 6 x 6 matrix"),
        (
            lambda: Bushing(None, BODY, (1, 1, 1, 1, -1, 1)),
            "invalid stiffness: expected eigenvalues >= 0",
        ),
        (lambda: Bushing(None, BODY, INDEFINITE), "expected eigenvalues >= 0"),
        (lambda: Bushing(None, BODY, SKEW), "expected a symmetric"),
        (lambda: Bushing(None, BODY, np.eye(6), SKEW), "damping.*expected a symmetric"),
        (lambda: Bushing(None, BODY, np.eye(6), frame=-np.eye(3)), "right-handed"),
        (lambda: Bushing(None, SPUN, np.eye(6)), "prescribed spin"),
        (lambda: Bearing(BODY, -1.0, 1.0), "radial_stiffness = -1.0 N/m"),
        (lambda: Bearing(BODY, 1.0, 1.0, tilt_damping=-1.0), "tilt_damping = -1.0 N m s"),
        (lambda: Bearing(BODY, 1.0, 1.0, cross_stiffness=0.5), "expected its square <="),
        (lambda: Bearing(BODY, 1.0, 1.0, axis="radial"), "one of x, y, z"),
        (lambda: Bearing(BODY, 1.0, 1.0, offset=(0.0, np.nan, 0.0)), "offset = nan m"),
        (lambda: Bearing(BODY, 1.0, 1.0, housing=BODY), "invalid ends, both on 'b'"),
    ],
)
def test_bad_input(build, words):
    with pytest.raises(InputError, match=words):
        build()
