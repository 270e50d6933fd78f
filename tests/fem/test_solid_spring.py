"""Springs to ground."""

import numpy as np
import pytest
from skfem import MeshHex

from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid, Foundation, PointSpring, SurfaceSpring
from fecontact.solvers.eigen import lowest_modes


def cube(*springs):
    mesh = MeshHex().refined(1).scaled(0.1)
    mesh = mesh.with_boundaries({"bottom": lambda x: x[2] < 1e-9}, boundaries_only=True)
    return ElasticSolid(mesh, STEEL, springs=springs)


def rigid_stiffness(solid):
    R = solid.rigid_body_modes()
    return R.T @ solid.stiffness @ R


def test_foundation_resists_each_rigid_motion_as_it_should():
    """k_n A in z, k_t A in x and y, k_n int y^2 dA about x, k_t int x^2 + y^2 dA about z."""
    K = rigid_stiffness(cube(Foundation("bottom", normal=2e9, tangential=5e8)))
    A, second = 0.01, 0.1**4 / 3.0
    np.testing.assert_allclose(np.diag(K)[:3], [5e8 * A, 5e8 * A, 2e9 * A], rtol=1e-6)
    assert K[3, 3] == pytest.approx(2e9 * second, rel=1e-5)
    assert K[5, 5] == pytest.approx(5e8 * 2 * second, rel=1e-5)


def test_total_stiffness_of_a_surface_spring():
    K = rigid_stiffness(cube(SurfaceSpring("bottom", (1e6, 2e6, 3e6))))
    np.testing.assert_allclose(np.diag(K)[:3], [1e6, 2e6, 3e6], rtol=1e-4)


def test_soft_springs_make_a_rigid_oscillator():
    """Softly held, the body swings as a rigid mass: omega = sqrt(k/m)."""
    solid = cube(SurfaceSpring("bottom", (1e4, 1e4, 1e4)))
    omega = lowest_modes(solid.stiffness, solid.mass, 6)[0]
    heave = np.sqrt(1e4 / (7800.0 * 1e-3))
    assert np.min(np.abs(omega / heave - 1.0)) < 1e-4


def test_point_spring_sits_on_its_node():
    held = cube(PointSpring((0.1, 0.1, 0.1), (1e5, 0.0, 3e5)))
    added = held.stiffness - cube().stiffness
    added.eliminate_zeros()
    node = int(np.argmin(np.abs(held.nodes - 0.1).sum(axis=1)))
    u = np.zeros((len(held.nodes), 3))
    u[node] = [1.0, 1.0, 1.0]
    assert u.ravel() @ added @ u.ravel() == pytest.approx(4e5, rel=1e-4)
    assert np.count_nonzero(abs(added).sum(axis=1) > 1.0) == 2


def test_bad_springs_are_named():
    with pytest.raises(InputError, match="expected a node within"):
        _ = cube(PointSpring((0.11, 0.1, 0.1), (1.0, 1.0, 1.0))).stiffness
    with pytest.raises(InputError, match="unknown surface 'lid'"):
        _ = cube(Foundation("lid", 1e9)).stiffness
    with pytest.raises(InputError, match=r"normal foundation stiffness = -1\.0"):
        Foundation("bottom", -1.0)
    with pytest.raises(InputError, match=r"spring stiffness in y = -2\.0"):
        SurfaceSpring("bottom", (1.0, -2.0, 1.0))
