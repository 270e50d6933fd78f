"""Joint frames: G(q) is the derivative of H(q), and the joint stays where it is."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from fecontact.reference import JOINT_KINDS, JointedMotion, JointFrames

DIRECTIONS = Rotation.from_rotvec([0.3, -0.5, 0.4]).as_matrix().T
INNER, OUTER = np.array([0.3, 0.1, -0.2]), np.array([-0.25, 0.15, 0.1])


def frames(kind):
    return JointFrames(kind, DIRECTIONS, INNER, OUTER)


@pytest.mark.parametrize("kind", JOINT_KINDS)
def test_motions_are_derivatives_of_the_place(kind):
    joint, h = frames(kind), 1e-6
    q = np.array([0.4, -0.3, 0.7])[: joint.size]
    A, _ = joint.pose(q)
    for k, column in enumerate(joint.motions(q).T):
        step = h * np.eye(joint.size)[k]
        (A1, r1), (A0, r0) = joint.pose(q + step), joint.pose(q - step)
        spin = A.T @ (A1 - A0) / (2.0 * h)
        assert A.T @ (r1 - r0) / (2.0 * h) == pytest.approx(column[:3], abs=1e-8)
        assert [spin[2, 1], spin[0, 2], spin[1, 0]] == pytest.approx(column[3:], abs=1e-8)


@pytest.mark.parametrize("kind", ["revolute", "universal", "spherical"])
def test_the_point_of_the_joint_stays(kind):
    joint = frames(kind)
    A, r = joint.pose(np.array([0.4, -0.3, 0.7])[: joint.size])
    assert r + A @ OUTER == pytest.approx(INNER)


@pytest.mark.parametrize("kind", JOINT_KINDS)
def test_velocities_by_differences(kind):
    motion = JointedMotion(frames(kind), np.random.default_rng(3))
    assert motion.twist() == pytest.approx(motion.velocity(0.0), abs=1e-8)
    centres = motion.derivative(lambda t: np.concatenate([f[1] for f in motion.frames(t)]))
    assert centres == pytest.approx(motion.state(0.0)[1][[0, 1, 2, 6, 7, 8]], abs=1e-8)
