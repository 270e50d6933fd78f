"""Prestress and rotation against closed forms and published tables."""

import numpy as np
import pytest
from skfem import MeshHex

from fecontact.errors import InputError
from fecontact.fem import STEEL, ElasticSolid, Material, RotatingBody, static_displacement
from fecontact.mesh import block, solid_annulus
from fecontact.solvers.eigen import lowest_modes, quadratic_eigenpairs

PLAIN = Material(210e9, 0.0, 7800.0)


def beam(length, width, height, cells, supports):
    mesh = MeshHex.init_tensor(
        np.linspace(0.0, length, cells + 1), np.array([0.0, width]), np.array([0.0, height])
    )
    mesh = mesh.translated((0.0, -0.5 * width, -0.5 * height)).with_boundaries(
        {"wall": lambda x: x[0] < 1e-9, "end": lambda x: x[0] > length - 1e-9},
        boundaries_only=True,
    )
    return ElasticSolid(mesh, PLAIN, supports=supports)


def restricted(solid, *matrices):
    free = solid.free
    return [A[free][:, free] for A in matrices]


def flapping(solid, K, M, count):
    """Frequencies of the modes that move along z."""
    (K, M), free = restricted(solid, K, M), solid.free
    omega, X = lowest_modes(K, M, 3 * count)
    along = np.linalg.norm(X[free % 3 == 2], axis=0) / np.linalg.norm(X, axis=0)
    return omega[along > 0.9][:count]


# (Omega, omega_1, omega_2) in units of sqrt(E I/(rho A L^4)), hub radius 0: Wright, Smith, Thresher
# and Wang, J. Appl. Mech. 49 (1982) 197-202; a Ritz solution with 12
# polynomials gives the same digits
WRIGHT = [(0.0, 3.5160, 22.0345), (2.0, 4.1373, 22.6149), (6.0, 7.3604, 26.8091)]


@pytest.mark.parametrize(("speed", "first", "second"), WRIGHT)
def test_rotating_cantilever_stiffens_as_published(speed, first, second):
    """Flapping (out of the plane of rotation); without K_sigma it would keep omega_1 = 3.516."""
    L, b, h = 1.0, 0.02, 0.01
    solid = beam(L, b, h, 40, {"wall": "clamped"})
    unit = np.sqrt(210e9 / 7800.0 * h**2 / 12.0) / L**2
    rotating, Omega = RotatingBody(solid), speed * unit
    K = solid.stiffness + Omega**2 * (rotating.centrifugal_stiffness - rotating.spin_softening)
    omega = flapping(solid, K, solid.mass, 2) / unit
    np.testing.assert_allclose(omega, [first, second], rtol=1.5e-3)


def test_pulled_beam_gains_the_stiffness_of_a_string():
    """Guided ends, axial stress sigma: omega^2 = (n pi/L)^4 EI/(rho A) + (n pi/L)^2 sigma/rho.

    The difference of the squares with and without the pull is the string's, mode by mode.
    """
    L, stress = 1.0, 5e7
    solid = beam(L, 0.02, 0.01, 24, {"wall": "xy", "end": "xy"})
    stretch = np.zeros((len(solid.nodes), 3))
    stretch[:, 0] = solid.nodes[:, 0] * stress / 210e9
    K = solid.stiffness
    before, after = (
        flapping(solid, A, solid.mass, 3)
        for A in (K, K + solid.geometric_stiffness(stretch.ravel()))
    )
    expected = (np.arange(3) * np.pi / L) ** 2 * stress / 7800.0
    np.testing.assert_allclose(after**2 - before**2, expected, rtol=1e-3, atol=1e-2)


def test_geometric_stiffness_of_a_uniform_pull_is_exact():
    """sigma = const: x . K_sigma x of u_z = x is sigma V, of u_x = y is 0."""
    solid = beam(1.0, 0.2, 0.1, 3, {})
    x, y, _ = solid.nodes.T
    stretch = np.zeros((len(x), 3))
    stretch[:, 0] = x * 1e8 / 210e9
    K = solid.geometric_stiffness(stretch.ravel())
    turn, shear = np.zeros((2, len(x), 3))
    turn[:, 2], shear[:, 0] = x, y
    assert turn.ravel() @ K @ turn.ravel() == pytest.approx(1e8 * 0.02, rel=1e-10)
    assert abs(shear.ravel() @ K @ shear.ravel()) < 1e-6
    assert abs(K - K.T).max() == 0.0


def ring(height):
    return ElasticSolid(solid_annulus(0.06, 0.11, -0.5 * height, 0.5 * height, 2, 24), STEEL)


@pytest.mark.parametrize("height", [0.004, 0.05])
def test_free_ring_in_the_space_fixed_frame(height):
    """Rigid-body modes of a free spinning ring: translation 0; tilt 0 and Omega I_p/I_t.

    For a thin disc I_p/I_t = 2. Projected on the exact rigid-body modes, which the elements
    contain; the moments of inertia are those of the mesh.
    """
    solid, Omega = ring(height), 100.0
    rotating = RotatingBody(solid)
    B, S = rotating.rotation
    R = solid.rigid_body_modes()[:, :5]
    K = solid.stiffness + Omega**2 * (rotating.centrifugal_stiffness - S)
    M_, G_, K_ = (R.T @ (A @ R) for A in (solid.mass, Omega * (B - B.T), K))
    z, _ = quadratic_eigenpairs(M_, G_, K_)
    thick = height**2 / 12.0
    radii = (0.06**2 + 0.11**2) / 4.0
    nutation = Omega * 2.0 * radii / (radii + thick)
    found = np.sort(np.abs(z.imag))
    np.testing.assert_allclose(found[-2:], nutation, rtol=1e-3)  # 24 chords instead of a circle
    assert found[-3] < 1e-3 * Omega  # round-off of omega^2 is 1e-7 of Omega^2 here


def test_free_ring_in_its_own_frame():
    """Seen from the body, translation circles at Omega, tilt at Omega and Omega (I_p/I_t - 1).

    Twice: the vanishing space frequency appears at Omega, nutation at I_p/I_t - 1.
    """
    height, Omega = 0.05, 100.0
    solid = ring(height)
    rotating = RotatingBody(solid)
    R = solid.rigid_body_modes()[:, [0, 1, 3, 4]]
    K = solid.stiffness + Omega**2 * (rotating.centrifugal_stiffness - rotating.spin_softening)
    M_, G_, K_ = (R.T @ (A @ R) for A in (solid.mass, Omega * rotating.coriolis, K))
    z, _ = quadratic_eigenpairs(M_, G_, K_)
    radii, thick = (0.06**2 + 0.11**2) / 4.0, height**2 / 12.0
    ratio = 2.0 * radii / (radii + thick)
    found = np.sort(np.abs(z.imag))[::2] / Omega
    np.testing.assert_allclose(found, np.sort([ratio - 1.0, 1.0, 1.0, 1.0]), rtol=4e-3)


def test_centrifugal_load_is_mass_times_radius():
    solid = beam(1.0, 0.2, 0.1, 3, {})
    load = RotatingBody(solid).centrifugal_load.reshape(-1, 3).sum(axis=0)
    np.testing.assert_allclose(load, [7800.0 * 0.02 * 0.5, 0.0, 0.0], atol=1e-9)


def test_coriolis_is_skew_and_turns_with_the_axis():
    solid = beam(1.0, 0.2, 0.1, 2, {})
    G = RotatingBody(solid, axis=(0.0, 3.0, 0.0)).coriolis
    assert abs(G + G.T).max() < 1e-12 * abs(G).max()
    along_z = np.tile([0.0, 0.0, 1.0], len(solid.nodes))
    force = (G @ along_z).reshape(-1, 3).sum(axis=0)
    np.testing.assert_allclose(force, [2 * 7800.0 * 0.02, 0.0, 0.0], atol=1e-9)  # e_y x e_z = e_x


def test_free_ring_grows_without_moving():
    """The static state of a free body carries no rigid motion, and the load is balanced."""
    solid = ring(0.01)
    u = static_displacement(solid, RotatingBody(solid).centrifugal_load)
    R = solid.rigid_body_modes()
    assert (
        np.abs(R.T @ (solid.mass @ u)).max() < 1e-9 * np.abs(R).T.max() * abs(solid.mass @ u).sum()
    )
    radial = np.einsum("ni,ni->n", u.reshape(-1, 3)[:, :2], solid.nodes[:, :2])
    assert radial.min() > 0.0


def test_only_axisymmetric_bodies_turn_in_the_space_fixed_frame():
    ring = ElasticSolid(solid_annulus(0.06, 0.11, 0.0, 0.01, 2, 12), STEEL)
    square = ElasticSolid(block(0.1, 0.1, 0.02).translated((-0.05, -0.05, 0.0)), STEEL)
    _ = RotatingBody(ring).rotation
    for body, axis in ((square, (0.0, 0.0, 1.0)), (ring, (1.0, 0.0, 0.0))):
        with pytest.raises(InputError, match="needs a body axisymmetric about its axis"):
            _ = RotatingBody(body, axis).rotation
