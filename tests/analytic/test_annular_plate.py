"""Finite-element plates against the Bessel determinant, and the determinant against tables."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.fem import STEEL, HarmonicPlate
from fecontact.reduction.basis import static_shapes, vibration_modes
from fecontact.reference.structures.annular_plate import annular_plate_frequencies

EDGES = ("free", "simply_supported", "clamped")


def parameter(k, inner, outer, ratio, nu=0.3):
    """Frequency parameter omega r_o^2 sqrt(rho h / D)."""
    f = annular_plate_frequencies(ratio, 1.0, 0.01, 1.0, nu, 1.0, k, inner=inner, outer=outer)[0]
    stiffness = 0.01**3 / (12 * (1 - nu**2))
    return 2 * np.pi * f / np.sqrt(stiffness / 0.01)


# Leissa, Vibration of Plates, NASA SP-160 (1969), section 2.2, three digits, nu = 0.3
@pytest.mark.parametrize(
    ("k", "inner", "outer", "published"),
    [
        (0, "clamped", "clamped", {0.1: 27.3, 0.3: 45.2, 0.5: 89.2, 0.7: 248.0}),
        (0, "free", "clamped", {0.1: 10.2, 0.3: 11.4, 0.5: 17.7, 0.7: 43.1}),
        (0, "free", "simply_supported", {0.1: 4.86, 0.3: 4.66, 0.5: 5.07, 0.7: 6.94}),
        (0, "clamped", "free", {0.1: 4.23, 0.3: 6.66, 0.5: 13.0, 0.7: 37.0}),
        (2, "free", "free", {0.1: 5.30, 0.3: 4.91, 0.5: 4.28, 0.7: 3.57}),
    ],
)
def test_published_frequency_parameters(k, inner, outer, published):
    found = {ratio: parameter(k, inner, outer, ratio) for ratio in published}
    assert found == pytest.approx(published, rel=0.005)


@pytest.mark.parametrize("inner", EDGES)
@pytest.mark.parametrize("outer", EDGES)
@pytest.mark.parametrize("k", [0, 1, 3])
def test_harmonic_plate_meets_the_determinant(inner, outer, k):
    supports = {edge: kind for edge, kind in (("inner", inner), ("outer", outer)) if kind != "free"}
    plate = HarmonicPlate(0.06, 0.12, 0.004, STEEL, supports, elements=48)
    omega, _ = vibration_modes(plate.stiffness(k), plate.mass(k), plate.free, 4)
    found = omega / (2 * np.pi)
    found = found[found > 1.0][:2]  # rigid-body modes apart
    exact = annular_plate_frequencies(
        0.06, 0.12, 0.004, STEEL.young, STEEL.poisson, STEEL.density, k, 2, inner=inner, outer=outer
    )
    np.testing.assert_allclose(found, exact, rtol=2e-6)


@pytest.mark.parametrize(("k", "rate"), [(0, 4.0), (2, 4.0), (4, 4.0)])
def test_harmonic_plate_converges_with_fourth_order(k, rate):
    exact = annular_plate_frequencies(0.08, 0.12, 0.005, 210e9, 0.3, 7800.0, k, 2)[1]
    errors = []
    for elements in (2, 4, 8):
        plate = HarmonicPlate(
            0.08, 0.12, 0.005, STEEL, {"outer": "simply_supported"}, elements=elements
        )
        omega, _ = vibration_modes(plate.stiffness(k), plate.mass(k), plate.free, 2)
        errors.append(omega[1] / (2 * np.pi * exact) - 1.0)
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders[-1] == pytest.approx(rate, abs=0.4)


def test_rigid_motions_of_the_free_plate():
    plate = HarmonicPlate(0.06, 0.12, 0.004, STEEL)
    r = plate.nodes
    translation = plate.interpolate(np.ones_like(r), np.zeros_like(r))
    tilt = plate.interpolate(r, np.ones_like(r))
    for k, motion in ((0, translation), (1, tilt)):
        K = plate.stiffness(k)
        assert np.abs(K @ motion).max() < 1e-9 * np.abs(K.toarray()).max() * np.abs(motion).max()


def ring_load_deflection(radii, load_radius, total, D, nu):
    """Deflection at the load of a plate clamped inside and free outside, axisymmetric.

    w = c1 + c2 r^2 + c3 ln r + c4 r^2 ln r on both sides of the load; the shear D (lap w)'
    jumps there by the line load.
    """

    def rows(r):
        log = np.log(r)
        w = np.array([1.0, r**2, log, r**2 * log])
        slope = np.array([0.0, 2 * r, 1 / r, r * (2 * log + 1)])
        bend = np.array([0.0, 2.0, -1 / r**2, 2 * log + 3])
        shear = np.array([0.0, 0.0, 0.0, 4 / r])
        return w, slope, bend, shear

    zero = np.zeros(4)
    inner, load, outer = rows(radii[0]), rows(load_radius), rows(radii[1])
    moment = outer[2] + nu * outer[1] / radii[1]
    system = [
        np.r_[inner[0], zero],
        np.r_[inner[1], zero],
        *(np.r_[load[i], -load[i]] for i in range(4)),
        np.r_[zero, moment],
        np.r_[zero, outer[3]],
    ]
    right = np.zeros(8)
    right[5] = -total / (2 * np.pi * load_radius) / D
    return load[0] @ np.linalg.solve(system, right)[:4]


def test_static_deflection_under_a_ring_load():
    plate = HarmonicPlate(0.06, 0.12, 0.004, STEEL, {"inner": "clamped"}, elements=24)
    load = plate.ring_loads(0.1)[:, :1]
    shape = static_shapes(plate.stiffness(0), plate.free, 1000.0 * load)
    found = plate.radial_functions(shape)(0.1)[0]
    exact = ring_load_deflection((0.06, 0.12), 0.1, 1000.0, plate.bending_stiffness, 0.3)
    assert found == pytest.approx(abs(exact), rel=1e-5)
