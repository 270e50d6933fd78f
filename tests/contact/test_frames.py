"""Normal and two tangents of points: right-handed, in plane problems one of them in the plane."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.contact.rigid.frames import tangent_frames


def test_frames_are_rotations():
    n = np.random.default_rng(0).standard_normal((200, 3))
    n /= np.linalg.norm(n, axis=1)[:, None]
    frames = tangent_frames(n)
    np.testing.assert_allclose(frames @ frames.transpose(0, 2, 1), np.tile(np.eye(3), (200, 1, 1)),
                               atol=1e-15)  # fmt: skip
    np.testing.assert_allclose(np.linalg.det(frames), 1.0, atol=1e-15)
    np.testing.assert_array_equal(frames[:, 0], n)


@pytest.mark.parametrize("axis", range(3))
def test_a_normal_in_a_plane_has_a_tangent_across_it(axis):
    """Contacts of a plane problem: one tangent lies in the plane, the other has nothing there."""
    n = np.zeros((12, 3))
    angle = np.linspace(0.1, 6.0, 12)
    n[:, (axis + 1) % 3], n[:, (axis + 2) % 3] = np.cos(angle), np.sin(angle)
    first, second = tangent_frames(n)[:, 1:].transpose(1, 0, 2)
    assert np.all(first[:, axis] == 0.0)
    np.testing.assert_allclose(np.abs(second[:, axis]), 1.0, atol=1e-15)
