"""The references of the Keppler cases against each other and against the print (notes 2.24)."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from fecontact.case.registry import load_module
from fecontact.reference.multibody.chain import HingedChain, Link
from fecontact.reference.multibody.joint_motion import JointedMotion, JointFrames
from fecontact.reference.multibody.natural import NaturalBody, NaturalSystem

X, Y, Z = np.eye(3)
DOWN = np.array([0.0, 0.0, -9.81])


@pytest.fixture(scope="module")
def double_pendulum():
    return load_module("keppler/double_pendulum")


@pytest.fixture(scope="module")
def four_bar():
    return load_module("keppler/spherical_four_bar")


def random_chain(rng, count):
    links = []
    for _ in range(count):
        root = rng.normal(size=(3, 3))
        axis, inner, outer = rng.normal(size=(3, 3))
        second = 0.1 * (root @ root.T + np.eye(3))
        J = np.trace(second) * np.eye(3) - second
        links.append(Link(rng.uniform(0.5, 2.0), J, axis / np.linalg.norm(axis), inner, outer))
    return HingedChain(links, DOWN)


def test_chain_is_the_double_pendulum_of_the_source(double_pendulum):
    """Example 2.4 with the corrections E-38: coupling matrix, masses, equations of motion."""
    p = double_pendulum.DoublePendulum()
    half = 0.5 * p.length * Z
    J = np.diag([p.inertia_x, p.inertia_y, p.inertia_z])
    chain = HingedChain([Link(p.mass, J, axis, half, -half) for axis in (X, Y)], DOWN)
    for angles, rates in np.random.default_rng(1).normal(scale=2.0, size=(20, 2, 2)):
        np.testing.assert_allclose(
            chain.coupling(angles).reshape(12, 2),
            p.exact.coupling_matrix(angles),
            atol=1e-14,
        )
        np.testing.assert_allclose(
            chain.mass_matrix(angles), p.exact.mass_matrix(angles), atol=1e-14
        )
        np.testing.assert_allclose(
            chain.accelerations(angles, rates, np.zeros(2)),
            p.exact.accelerations(angles, rates),
            rtol=1e-11,
            atol=1e-11,
        )


def test_chain_balances_power(difference):
    """The energy of a random chain changes by the power of its torques, at any state."""
    rng = np.random.default_rng(2)
    chain = random_chain(rng, 4)
    angles, rates, torques = rng.normal(size=(3, 4))
    second = chain.accelerations(angles, rates, torques)

    def energy(t):
        return np.array([chain.energy(angles + rates * t[0], rates + second * t[0])])

    change = difference(energy, np.zeros(1), np.array([1e-3]))[0, 0]
    assert change == pytest.approx(torques @ rates, rel=1e-8)


def test_natural_and_joint_coordinates_agree():
    """A random chain of two bodies, started with rates, in both forms."""
    rng = np.random.default_rng(3)
    chain = random_chain(rng, 2)
    first, second = chain.links
    centres = np.array([-first.inner, -first.inner + first.outer - second.inner])
    bodies = [
        NaturalBody(link.mass, 0.5 * np.trace(link.inertia) * np.eye(3) - link.inertia, centre)
        for link, centre in zip(chain.links, centres, strict=True)
    ]
    system = NaturalSystem(bodies)
    system.join(system.hinge(None, 0, (np.zeros(3), first.inner), first.axis))
    system.join(system.hinge(0, 1, (first.outer, second.inner), second.axis))
    rates = rng.normal(size=2)
    twists = chain.coupling(np.zeros(2)) @ rates  # body components are space components here
    v = np.concatenate([np.append(np.cross(V[3:], np.eye(3)), V[:3]) for V in twists])
    weight = sum(
        system.point(k, np.zeros(3)).matrix.T @ (link.mass * DOWN)
        for k, link in enumerate(chain.links)
    )
    assert np.abs(system.jacobian(system.reference()) @ v).max() < 1e-13
    n = len(v)

    def natural(t, y):
        return np.concatenate([y[n:], system.accelerations(y[:n], y[n:], weight)])

    def joint(t, y):
        return np.append(y[2:], chain.accelerations(y[:2], y[2:], np.zeros(2)))

    tight = {"method": "DOP853", "rtol": 1e-10, "atol": 1e-12}
    q = solve_ivp(natural, (0.0, 0.2), np.append(system.reference(), v), **tight).y[:n, -1]
    angles = solve_ivp(joint, (0.0, 0.2), np.append(np.zeros(2), rates), **tight).y[:2, -1]
    assert np.abs(angles).max() > 0.1
    R, hinge = np.eye(3), np.zeros(3)
    for link, angle, own in zip(chain.links, angles, q.reshape(2, 12), strict=True):
        R = R @ Rotation.from_rotvec(angle * link.axis).as_matrix()
        np.testing.assert_allclose(own[:9].reshape(3, 3).T, R, atol=1e-8)
        np.testing.assert_allclose(own[9:], hinge - R @ link.inner, atol=1e-8)
        hinge = hinge + R @ (link.outer - link.inner)


def test_mass_matrix_needs_second_moments():
    """K_B^T M_12 K_B = M_6 (Keppler 3.34a) holds with s = tr(J)/2 I - J, not with J (E-07)."""
    rng = np.random.default_rng(4)
    root = rng.normal(size=(3, 3))
    J = root @ root.T + 3.0 * np.eye(3)
    second = 0.5 * np.trace(J) * np.eye(3) - J
    # rates of the axes of a frame that turns about x, y, z
    K = np.array([np.append(np.cross(axis, np.eye(3)), np.zeros(3)) for axis in np.eye(3)]).T
    for moment, right in ((second, True), (J, False)):
        M = NaturalSystem([NaturalBody(1.0, moment, np.zeros(3))]).mass_matrix
        assert np.allclose(K.T @ M @ K, J, rtol=1e-13) is right


def test_rank_is_lost_only_by_concurrent_axes(four_bar):
    """Section 3.4: rank 35 with axes through one point; axes that miss it lock the linkage."""
    p = four_bar.FourBar()
    G = four_bar.natural_linkage(p)
    assert np.linalg.matrix_rank(G.jacobian(G.reference()), tol=1e-8) == 35
    points = four_bar.hinge_points(p)
    centres = 0.5 * (points[:-1] + points[1:])
    skew = NaturalSystem([NaturalBody(1.0, np.eye(3), centre) for centre in centres])
    bodies, origins = [None, 0, 1, 2, None], [np.zeros(3), *centres, np.zeros(3)]
    axes = np.random.default_rng(5).normal(size=(4, 3))
    for k, (point, axis) in enumerate(zip(points, axes, strict=True)):
        places = point - origins[k], point - origins[k + 1]
        skew.join(skew.hinge(bodies[k], bodies[k + 1], places, axis / np.linalg.norm(axis)))
    assert np.linalg.matrix_rank(skew.jacobian(skew.reference()), tol=1e-8) == 36


def test_spherical_joint_as_printed_is_wrong():
    """E-03: directions that stay constant in the outer body are not its motions."""
    joints = load_module("keppler/joint_kinematics")

    class Printed(JointFrames):
        def motions(self, q):
            return np.column_stack([self._about(d) for d in self.directions])

    errors = []
    for variant in (JointFrames, Printed):
        joint = variant("spherical", joints.AXES, joints.R1, joints.R2)
        motion = JointedMotion(joint, np.random.default_rng(6))
        errors.append(abs(motion.twist() - motion.velocity(0.0)).max())
    assert errors[0] < 1e-10
    assert errors[1] > 1e-2
