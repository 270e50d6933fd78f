import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.fem import HarmonicPlate, Material
from fecontact.reference.structures.rotating_disc import (
    spinning_annulus_stress,
    spinning_membrane_frequency,
)
from fecontact.solvers.eigen import lowest_modes

STEEL = Material(210e9, 0.3, 7800.0)


def test_stress_is_in_equilibrium_compatible_and_free_at_the_edges():
    """(r s_r)' - s_phi + rho r^2 = 0 and r eps_phi' + eps_phi - eps_r = 0."""
    a, b, rho, nu = 0.05, 0.2, 7800.0, 0.3
    r = np.linspace(a, b, 20_001)
    radial, hoop = spinning_annulus_stress(r, a, b, rho, nu)
    assert np.allclose(radial[[0, -1]], 0.0, atol=1e-12 * hoop.max())
    balance = np.gradient(r * radial, r) - hoop + rho * r**2
    assert np.abs(balance[1:-1]).max() < 1e-5 * hoop.max()
    strain = hoop - nu * radial
    mismatch = np.gradient(r * strain, r) - (radial - nu * hoop)
    assert np.abs(mismatch[1:-1]).max() < 1e-5 * hoop.max()


@pytest.mark.parametrize("held", [("inner",), ("outer",), ("inner", "outer")])
def test_stress_of_a_disc_on_a_hub(held):
    """The same two equations; no growth E u = r (s_phi - nu s_r) where the edge is held."""
    a, b, rho, nu = 0.05, 0.2, 7800.0, 0.3
    r = np.linspace(a, b, 20_001)
    radial, hoop = spinning_annulus_stress(r, a, b, rho, nu, held)
    scale = np.abs(hoop).max()
    balance = np.gradient(r * radial, r) - hoop + rho * r**2
    mismatch = np.gradient(r * (hoop - nu * radial), r) - (radial - nu * hoop)
    assert np.abs(balance[1:-1]).max() < 1e-4 * scale
    assert np.abs(mismatch[1:-1]).max() < 1e-4 * scale
    growth = hoop - nu * radial
    for edge, end in (("inner", 0), ("outer", -1)):
        value = growth[end] if edge in held else radial[end]
        assert abs(value) < 1e-12 * scale
        assert abs(radial[end] if edge in held else growth[end]) > 1e-3 * scale


def test_the_hub_changes_the_stiffness():
    """Cone w = r - a: its energy is pi h int sigma_r r dr, by another quadrature."""
    a, b, h = 0.05, 0.1, 1e-3
    r = np.linspace(a, b, 20_001)
    for held in ((), ("inner",)):
        plate = HarmonicPlate(a, b, h, STEEL, held_in_plane=held)
        cone = plate.interpolate(plate.nodes - a, np.ones_like(plate.nodes))
        radial, _ = spinning_annulus_stress(r, a, b, STEEL.density, STEEL.poisson, held)
        energy = 2 * np.pi * h * np.trapezoid(radial * r, r)
        assert cone @ plate.geometric_stiffness(0) @ cone == pytest.approx(energy, rel=1e-7)


def test_plates_can_be_kept_in_sets():
    """Equal plates have equal hashes, with supports too."""
    plates = [HarmonicPlate(0.05, 0.1, 1e-3, STEEL, {"inner": "clamped"}) for _ in range(2)]
    other = HarmonicPlate(0.05, 0.1, 1e-3, STEEL)
    assert len({*plates, other}) == 2


@pytest.mark.parametrize(("k", "trace", "determinant"), [(0, 4.0, 4.0), (2, 0.0, -4.0)])
def test_patch_of_constant_curvature(k, trace, determinant):
    """w = r^2 (x^2 + y^2) and r^2 cos 2 phi (x^2 - y^2): exact energy, inner forces balanced."""
    a, b, h = 0.05, 0.1, 0.002
    plate = HarmonicPlate(a, b, h, STEEL, elements=5)
    f = plate.interpolate(plate.nodes**2, 2 * plate.nodes)
    force = plate.stiffness(k) @ f
    curvature = trace**2 - 2 * (1 - STEEL.poisson) * determinant
    energy = STEEL.bending_stiffness(h) * curvature * np.pi * (b**2 - a**2)
    assert f @ force == pytest.approx(energy)
    inner = plate.basis.nodal_dofs[:, 1:-1]
    assert np.abs(force[inner]).max() < 1e-10 * np.abs(force).max()


def test_stress_at_a_small_hole_is_twice_that_of_the_full_disc():
    """Full disc: sigma = (3 + nu)/8 rho b^2 in the centre (Timoshenko and Goodier)."""
    _, hoop = spinning_annulus_stress(np.array([1e-6]), 1e-6, 1.0, 1.0, 0.3)
    assert hoop[0] == pytest.approx(2 * 3.3 / 8, rel=1e-6)


@pytest.mark.parametrize("inner", [0.01, 0.05, 0.09])
class TestFreeSpinningDisc:
    def plate(self, inner):
        return HarmonicPlate(inner, 0.1, 0.002, STEEL)

    def test_translation_stays_at_zero(self, inner):
        plate = self.plate(inner)
        one = plate.interpolate(np.ones_like(plate.nodes), 0 * plate.nodes)
        K_sigma = plate.geometric_stiffness(0)
        assert np.abs(K_sigma @ one).max() < 1e-14 * np.abs(K_sigma).max()

    def test_tilt_turns_with_the_disc(self, inner):
        """w = r cos(phi): K f = 0 and K_sigma f = M f, so omega = Omega: 0 and 2 Omega in space."""
        plate = self.plate(inner)
        tilt = plate.interpolate(plate.nodes, np.ones_like(plate.nodes))
        inertia = plate.mass(1) @ tilt
        assert np.allclose(
            plate.geometric_stiffness(1) @ tilt, inertia, atol=1e-9 * np.abs(inertia).max()
        )
        bending = plate.stiffness(1)
        assert np.abs(bending @ tilt).max() < 1e-11 * np.abs(bending).max()

    def test_tilt_in_space(self, inner):
        """The lowest mode of k = 1 at 500 rad/s, seen from space: 0 and 1000 rad/s."""
        plate, Omega = self.plate(inner), 500.0
        K = plate.stiffness(1) + Omega**2 * plate.geometric_stiffness(1)
        omega = lowest_modes(K, plate.mass(1), 1)[0][0]
        assert abs(omega - Omega) < 1e-4 * Omega


@pytest.mark.parametrize(("diameters", "circles"), [(1, 0), (2, 0), (3, 0), (0, 1), (1, 1), (2, 1)])
def test_membrane_disc_of_lamb_and_southwell(diameters, circles):
    """Without bending stiffness and with a hole of 1 %; published for the full disc."""
    plate = HarmonicPlate(0.001, 0.1, 1e-3, STEEL, elements=80)
    found, _ = lowest_modes(plate.geometric_stiffness(diameters), plate.mass(diameters), 2)
    exact = spinning_membrane_frequency(STEEL.poisson, diameters, circles)
    assert found[circles] == pytest.approx(exact, rel=2e-3)


def test_unknown_edge_is_refused():
    with pytest.raises(InputError, match="held_in_plane = rim"):
        HarmonicPlate(0.05, 0.1, 0.002, STEEL, held_in_plane=("rim",))


def test_negative_harmonic_is_refused():
    with pytest.raises(InputError, match="harmonic k = -1"):
        HarmonicPlate(0.05, 0.1, 0.002, STEEL).geometric_stiffness(-1)
