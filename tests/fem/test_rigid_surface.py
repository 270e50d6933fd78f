"""A rigid surface of a finite-element body against multipliers on the full body."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import FEBody
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material, rigid_surface
from fecontact.joint import Force, RigidJoint, Torque
from fecontact.mesh import block
from fecontact.system import System

SOLID = ElasticSolid(
    block(0.1, 0.03, 0.02, (3, 2, 1)), Material(2e9, 0.3, 1000.0), supports={"x_min": "clamped"}
)
FORCE, MOMENT = np.array([3.0, -2.0, 5.0]), np.array([0.1, 0.2, -0.3])


def test_against_multipliers():
    """K u = f + B^T lam, B u = 0: nodes of the face keep their places to each other.

    B takes off the nodes' displacements their part along the six rigid-body modes.
    """
    nodes = np.flatnonzero(np.abs(SOLID.nodes[:, 0] - 0.1) < 1e-9)
    tied = (3 * nodes[:, None] + np.arange(3)).ravel()
    centre = np.array([0.1, 0.015, 0.01])
    R = np.zeros((len(tied), 6))
    for i, node in enumerate(nodes):
        R[3 * i : 3 * i + 3, :3] = np.eye(3)
        for axis in range(3):
            R[3 * i : 3 * i + 3, 3 + axis] = np.cross(np.eye(3)[axis], SOLID.nodes[node] - centre)
    basis = np.linalg.svd(R)[0][:, 6:]
    free = SOLID.free
    B = np.zeros((basis.shape[1], SOLID.stiffness.shape[0]))
    B[:, tied] = basis.T
    f = np.zeros(SOLID.stiffness.shape[0])
    f[tied] = R @ np.linalg.solve(R.T @ R, np.concatenate([FORCE, MOMENT]))
    K, B = SOLID.stiffness[free][:, free].toarray(), B[:, free]
    none = np.zeros((len(B), len(B)))
    whole = np.linalg.solve(np.block([[K, B.T], [B, none]]), np.concatenate([f[free], none[:, 0]]))
    expected = np.zeros_like(f)
    expected[free] = whole[: len(free)]

    stiff = rigid_surface(SOLID, "x_max")
    body = FEBody("bar", stiff)
    # the torque turns with the face by 1e-7 of itself
    small = [Force(body, tuple(1e-4 * FORCE), point="x_max"),
             Torque(body, tuple(1e-4 * MOMENT), point="x_max")]  # fmt: skip
    problem = StaticSystem(System([body], small))
    last = load_path(problem, [1.0], tolerance=1e-11).increments[-1]
    found = 1e4 * stiff.spread @ problem.displacement(last, body)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-7 * np.abs(expected).max())


def test_rigid_motions_and_mass():
    """A free body moves rigidly without force, and keeps its mass."""
    free = ElasticSolid(SOLID.mesh, SOLID.material)
    stiff = rigid_surface(free, "x_max")
    R = stiff.rigid_body_modes()
    assert np.abs(stiff.stiffness @ R).max() < 1e-9 * abs(stiff.stiffness).max()
    np.testing.assert_allclose(stiff.spread @ R, free.rigid_body_modes(), atol=1e-12)
    assert FEBody("bar", stiff).mass == pytest.approx(1000.0 * 0.1 * 0.03 * 0.02)
    body = FEBody("bar", stiff)
    clamp = RigidJoint(None, body, point_b="x_max", name="clamp")
    path = load_path(System([body], [clamp, Force(body, (0.0, 0.0, 1.0), point="x_min")]), [1.0])
    np.testing.assert_allclose(path.reaction("clamp").force, (0.0, 0.0, -1.0), atol=1e-8)
    np.testing.assert_allclose(path.reaction("clamp").moment, (0.0, -0.1, 0.0), atol=1e-8)


def test_refused():
    with pytest.raises(InputError, match="expected one without supports"):
        rigid_surface(SOLID, "x_min")
    with pytest.raises(InputError, match="unknown surface"):
        rigid_surface(SOLID, "tip")
