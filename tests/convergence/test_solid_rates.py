"""Order of convergence of solid elements; the expected rate is data.

Frequencies of bodies whose three-dimensional solution is closed: error of order 2 p of the mesh
size for elements of degree p.
"""

import numpy as np
import pytest
from skfem import MeshHex

from fecontact.fem import STEEL, ElasticSolid, Material
from fecontact.mesh import solid_ring_sector
from fecontact.reference.structures.beam import shear_flexible_frequency
from fecontact.reference.structures.thick_plate import lamb_frequency
from fecontact.solvers.eigen import lowest_modes

NO_CONTRACTION = Material(young=210e9, poisson=0.0, density=7800.0)
RATES = {"tet1": 2.0, "hex1": 2.0, "tet2": 4.0, "hexS2": 4.0, "hex2": 4.0}


def box(nx, ny, nz, lengths):
    grids = (
        np.linspace(0.0, length, n + 1) for length, n in zip(lengths, (nx, ny, nz), strict=True)
    )
    return MeshHex.init_tensor(*grids)


def named(mesh, lengths):
    rules = {}
    for axis, letter in enumerate("xyz"):
        rules[f"{letter}_min"] = lambda x, k=axis: x[k] < 1e-9
        rules[f"{letter}_max"] = lambda x, k=axis: x[k] > lengths[k] - 1e-9
    return mesh.with_boundaries(rules, boundaries_only=True)


def free_matrices(solid):
    free = solid.free
    return solid.stiffness[free][:, free], solid.mass[free][:, free]


def observed_rate(errors):
    return np.log2(np.array(errors[:-1]) / np.array(errors[1:]))


@pytest.mark.parametrize("name", RATES)
def test_longitudinal_bar(name):
    """Clamped-free bar, nu = 0: omega = (pi/2L) sqrt(E/rho); all motion along x."""
    lengths = (1.0, 0.1, 0.1)
    exact = 0.5 * np.pi * np.sqrt(NO_CONTRACTION.young / NO_CONTRACTION.density)
    errors = []
    for cells in (4, 8, 16):
        mesh = box(cells, 1, 1, lengths)
        mesh = named(mesh.to_meshtet() if name.startswith("tet") else mesh, lengths)
        sides = {"x_min": "x", "y_min": "yz", "y_max": "yz", "z_min": "yz", "z_max": "yz"}
        solid = ElasticSolid(mesh, NO_CONTRACTION, name, supports=sides)
        omega = lowest_modes(*free_matrices(solid), 1)[0][0]
        errors.append(omega / exact - 1.0)
    assert np.all(np.array(errors) > 0.0)  # a conforming element is too stiff
    assert observed_rate(errors)[-1] == pytest.approx(RATES[name], abs=0.15)


@pytest.mark.parametrize("name", ["hexS2", "hex2"])
def test_torsion_of_a_curved_tube(name):
    """Quarter of a tube, foot clamped, exact twist u_phi = r theta(z): omega = pi/2H sqrt(G/rho).

    The faces phi = 0 and phi = 90 degrees only move along their normals. The circle is followed
    by second-order cells; order 4 includes the geometry.
    """
    inner, outer, height = 0.03, 0.05, 0.2
    exact = 0.5 * np.pi / height * np.sqrt(STEEL.shear / STEEL.density)
    errors = []
    for n in (6, 12):
        mesh = solid_ring_sector(inner, outer, 0.5 * np.pi, 0.0, height, n // 6, n, n, order=2)
        supports = {"bottom": "clamped", "start": "xz", "end": "yz"}
        solid = ElasticSolid(mesh, STEEL, name, supports=supports)
        omega = lowest_modes(*free_matrices(solid), 1)[0][0]
        errors.append(abs(omega / exact - 1.0))
    assert errors[-1] < 1e-6
    assert observed_rate(errors)[-1] == pytest.approx(4.0, abs=0.3)


def simply_supported_square(side, thickness, cells, layers, name):
    """A square whose edges hold their own plane: the Lamb wave fits exactly."""
    lengths = (side, side, thickness)
    mesh = named(box(cells, cells, layers, lengths), lengths)
    supports = {"x_min": "yz", "x_max": "yz", "y_min": "xz", "y_max": "xz"}
    return ElasticSolid(mesh, STEEL, name, supports=supports)


def test_thick_plate_against_the_exact_solution_in_three_dimensions():
    side, thickness = 1.0, 0.2
    constants = STEEL.young, STEEL.poisson, STEEL.density
    wave = np.sqrt(2.0) * np.pi / side
    exact = 2.0 * np.pi * lamb_frequency(wave, thickness, *constants)
    errors = []
    for cells in (2, 4, 8):
        solid = simply_supported_square(side, thickness, cells, cells // 2, "hexS2")
        errors.append(lowest_modes(*free_matrices(solid), 1)[0][0] / exact - 1.0)
    assert 0.0 < errors[-1] < 2e-4
    assert observed_rate(errors)[-1] == pytest.approx(4.0, abs=0.15)


@pytest.mark.parametrize(("thickness", "bound"), [(0.1, 3e-3), (0.2, 7e-3)])
def test_thick_plate_against_mindlin(thickness, bound):
    """Simply supported square, mode (1, 1), Mindlin's plate with kappa = pi^2/12 (1951).

    The theory itself is 0.17 % and 0.55 % below the exact solid (Rayleigh-Lamb); Kirchhoff's
    plate, without shear, is 3.4 % and 12.6 % above it.
    """
    wave, h = np.sqrt(2.0) * np.pi, thickness
    D, rho = STEEL.bending_stiffness(h), STEEL.density
    shear, inertia = np.pi**2 / 12.0 * STEEL.shear * h, rho * h**3 / 12.0
    mindlin = 2.0 * np.pi * shear_flexible_frequency(wave, D, rho * h, shear, inertia)
    solid = simply_supported_square(1.0, h, 8, 2, "hexS2")
    omega = lowest_modes(*free_matrices(solid), 1)[0][0]
    assert abs(omega / mindlin - 1.0) < bound
    kirchhoff = np.sqrt(D / (rho * h)) * wave**2
    assert kirchhoff / omega - 1.0 > 0.03
