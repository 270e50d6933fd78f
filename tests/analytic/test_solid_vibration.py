"""Vibration closed forms: slender beam, thin annulus, orthotropic bar."""

import numpy as np
import pytest
from skfem import MeshHex

from fecontact.fem import STEEL, ElasticSolid, Material, Orthotropic
from fecontact.mesh import solid_annulus
from fecontact.reference.structures.annular_plate import annular_plate_frequencies
from fecontact.solvers.eigen import lowest_modes


def bar(lengths, cells):
    grids = (np.linspace(0.0, length, n + 1) for length, n in zip(lengths, cells, strict=True))
    return MeshHex.init_tensor(*grids).with_boundaries(
        {"wall": lambda x: x[0] < 1e-9}, boundaries_only=True
    )


def test_slender_cantilever_is_an_euler_beam():
    """omega = (beta L)^2 sqrt(E I/(rho A L^4)), beta L = 1.875104, 4.694091 (both planes)."""
    L, b, h = 1.0, 0.02, 0.01
    plain = Material(210e9, 0.0, 7800.0)
    solid = ElasticSolid(bar((L, b, h), (40, 1, 1)), plain, supports={"wall": "clamped"})
    free = solid.free
    omega, _ = lowest_modes(solid.stiffness[free][:, free], solid.mass[free][:, free], 4)
    wave = np.sqrt(210e9 / 7800.0 / 12.0) / L**2
    roots = np.array([1.875104, 4.694091]) ** 2
    expected = np.sort(np.concatenate([roots * h, roots * b])) * wave
    np.testing.assert_allclose(omega, expected[:4], rtol=2e-3)


def test_orthotropic_bar_rings_along_its_stiff_axis():
    """Free-free bar along material axis 2: omega = pi/L sqrt(E_2/rho), nu = 0."""
    L = 1.0
    facing = Orthotropic((9e9, 14e9, 3e9), (0.0, 0.0, 0.0), (4e9, 1.5e9, 1.2e9), 1900.0)
    mesh = bar((0.02, L, 0.02), (1, 8, 1))
    solid = ElasticSolid(mesh, facing)
    omega, X = lowest_modes(solid.stiffness, solid.mass, 40)
    along = np.linalg.norm(X.reshape(-1, 3, 40)[:, 1], axis=0) / np.linalg.norm(X, axis=0)
    first = omega[(along > 0.99) & (omega > 1.0)][0]
    assert first == pytest.approx(np.pi / L * np.sqrt(14e9 / 1900.0), rel=1e-4)


def test_thin_free_annulus_is_a_kirchhoff_plate():
    """60/110 mm, 1 mm thick: nodal diameters 2 and 3, and the umbrella mode.

    Left over: the polygon (error of order angle^2, below 0.3 % with 64 chords) and shear.
    """
    a, b, h = 0.06, 0.11, 0.001
    solid = ElasticSolid(solid_annulus(a, b, 0.0, h, radial=4, circumferential=64), STEEL)
    omega, _ = lowest_modes(solid.stiffness, solid.mass, 11)
    frequencies = omega[6:] / (2.0 * np.pi)
    expected = [
        annular_plate_frequencies(
            a, b, h, STEEL.young, STEEL.poisson, STEEL.density, k, inner="free", outer="free"
        )[0]
        for k in (2, 3, 0)
    ]
    two, three, umbrella = np.array(expected)
    np.testing.assert_allclose(frequencies, np.sort([two, two, three, three, umbrella]), rtol=4e-3)


def test_thin_orthotropic_plate_is_that_of_lekhnitskii():
    """Simply supported rectangle a x b: omega^2 = pi^4/(rho h) [D1/a^4 + 2 H/(a b)^2 + D2/b^4].

    H = D12 + 2 D66, D_ij = h^3/12 of the plane-stress moduli (Leissa, Vibration of Plates, 1969,
    chapter on anisotropic plates). Edges hold z and their own tangent.
    """
    a, b, h = 1.0, 0.8, 0.01
    E1, E2, nu12, G12 = 9e9, 14e9, 0.12, 4e9
    facing = Orthotropic((E1, E2, 8e9), (nu12, 0.25, 0.3), (G12, 5e9, 6e9), 1900.0)
    grids = np.linspace(0.0, a, 13), np.linspace(0.0, b, 13), np.array([0.0, h])
    mesh = MeshHex.init_tensor(*grids).with_boundaries(
        {
            "along_y": lambda x: np.minimum(x[0], a - x[0]) < 1e-9,
            "along_x": lambda x: np.minimum(x[1], b - x[1]) < 1e-9,
        },
        boundaries_only=True,
    )
    solid = ElasticSolid(mesh, facing, supports={"along_y": "yz", "along_x": "xz"})
    free = solid.free
    omega = lowest_modes(solid.stiffness[free][:, free], solid.mass[free][:, free], 1)[0][0]
    scale = h**3 / 12.0 / (1.0 - nu12**2 * E2 / E1)
    D1, D2, D12, D66 = scale * E1, scale * E2, scale * nu12 * E2, G12 * h**3 / 12.0
    bending = D1 / a**4 + 2.0 * (D12 + 2.0 * D66) / (a * b) ** 2 + D2 / b**4
    assert omega == pytest.approx(np.pi**2 * np.sqrt(bending / (1900.0 * h)), rel=2e-3)
