"""Taut Kirchhoff plates: the limit of the slopes of Morley's element, and the warning of it."""

import re
import warnings

import numpy as np
import pytest

from fecontact.fem import STEEL, HarmonicPlate, KirchhoffPlate, MindlinPlate, RotatingBody
from fecontact.mesh import annulus, rectangle
from fecontact.reduction.basis import vibration_modes
from fecontact.solvers.eigen import lowest_modes

INNER, OUTER, SPEED = 0.05, 0.2, 2000.0


def disc(thickness):
    return KirchhoffPlate(annulus(INNER, OUTER, 10, 64), thickness, STEEL)


def spinning_modes(plate, count):
    K = plate.stiffness + SPEED**2 * RotatingBody(plate).centrifugal_stiffness
    return vibration_modes(K, plate.mass, plate.free, count)


def exact_frequencies(thickness, count):
    """Fourier series with Hermite elements: continuous slopes, exact circle."""
    plate, omega = HarmonicPlate(INNER, OUTER, thickness, STEEL), []
    for k in range(10):
        K = plate.stiffness(k) + SPEED**2 * plate.geometric_stiffness(k)
        omega += [*lowest_modes(K, plate.mass(k), 4)[0]] * (2 if k else 1)
    return np.sort(omega)[:count]


def slope_share(plate, X):
    """Part of the mass of each mode in the slopes between the vertices."""
    slopes = X.copy()
    slopes[plate.basis.nodal_dofs[0]] = 0.0
    return np.einsum("ij,ij->j", slopes, plate.mass @ slopes)


def taut_speed(plate):
    """Speed of N l^2/D = 200 by the hoop stress of a free annulus (Timoshenko and Goodier, 32)."""
    mesh, nu, h = plate.mesh, STEEL.poisson, plate.thickness
    r = np.linalg.norm(mesh.p[:, mesh.t].mean(axis=1), axis=0)
    sizes = INNER**2 + OUTER**2 + (INNER * OUTER / r) ** 2 - (1 + 3 * nu) / (3 + nu) * r**2
    tension = h * STEEL.density * (3.0 + nu) / 8.0 * sizes
    a, b, c = mesh.p[:, mesh.t].transpose(1, 2, 0)
    square = np.max([np.sum((p - q) ** 2, axis=1) for p, q in ((a, b), (b, c), (c, a))], axis=0)
    return np.sqrt(200.0 * STEEL.bending_stiffness(h) / np.max(tension * square))


def test_thin_disc_warns_and_names_the_speed():
    """Its second mode is one of slopes, at 400 instead of 2000 rad/s."""
    plate = disc(1e-5)
    with pytest.warns(UserWarning, match=r"rad/s on, tension outweighs") as caught:
        omega, X = spinning_modes(plate, 4)
    assert len(caught) == 1
    speed = float(re.search(r"from ([\d.]+) rad/s", str(caught[0].message))[1])
    assert speed == pytest.approx(taut_speed(plate), rel=0.05)
    assert caught[0].filename == __file__
    assert np.all(slope_share(plate, X)[1:] > 0.9)
    assert omega[1] < 0.25 * exact_frequencies(1e-5, 2)[1]


def test_disc_below_the_limit_is_right_and_silent():
    """N l^2/D = 124: no slope mode among the first 20, frequencies to 1 %."""
    plate = disc(5e-4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        omega, X = spinning_modes(plate, 20)
    assert slope_share(plate, X).max() < 0.05
    np.testing.assert_allclose(omega[3:], exact_frequencies(5e-4, 20)[3:], rtol=0.01)


@pytest.mark.parametrize("thickness", [1e-5, 1e-4])
def test_mindlin_plate_is_the_remedy(thickness):
    mesh = annulus(INNER, OUTER, 5, 32, cell="quad", order=2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        omega, _ = spinning_modes(MindlinPlate(mesh, thickness, STEEL), 12)
    np.testing.assert_allclose(omega[3:], exact_frequencies(thickness, 12)[3:], rtol=2e-3)


def test_given_tension_names_the_ratio():
    """Squares of 0.1 m cut along the diagonal: l^2 = 0.02 m^2."""
    h = 1e-3
    plate = KirchhoffPlate(rectangle(0.4, 0.2, (4, 2), cell="tri"), h, STEEL)
    unit = STEEL.bending_stiffness(h) / 0.02
    with pytest.warns(UserWarning, match=r"N l\^2/D = 300, allowed is 200"):
        plate.tension_stiffness((300.0 * unit, 0.0, 0.0))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        plate.tension_stiffness((150.0 * unit, 100.0 * unit, 0.0))
        plate.tension_stiffness((-1e6 * unit, -1e6 * unit, 0.0))
        plate.tension_stiffness((0.0, 0.0, 190.0 * unit))


def test_slopes_between_resting_vertices_vibrate_where_the_module_says():
    """omega = 15 sqrt(D/(rho h))/l^2, the number behind the limit."""
    plate, h = disc(1e-4), 1e-4
    slopes = plate.basis.facet_dofs[0]
    K, M = (A[slopes][:, slopes] for A in (plate.stiffness, plate.mass))
    x, y = plate.mesh.p[:, plate.mesh.facets]
    longest = np.max(np.ptp(x, axis=0) ** 2 + np.ptp(y, axis=0) ** 2)
    unit = np.sqrt(STEEL.bending_stiffness(h) / (STEEL.density * h)) / longest
    assert lowest_modes(K, M, 1)[0][0] / unit == pytest.approx(15.0, rel=0.05)
