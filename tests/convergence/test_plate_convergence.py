"""Order of the frequency error of the plate elements: the expected order is data."""

import numpy as np
import pytest
from skfem import MeshQuad, MeshTri

from fecontact.fem import STEEL, HarmonicPlate, KirchhoffPlate, MindlinPlate
from fecontact.reduction.basis import vibration_modes
from fecontact.reference.structures.annular_plate import annular_plate_frequencies
from fecontact.reference.structures.beam import shear_flexible_frequency

EDGES = ("left", "right", "bottom", "top")
E, NU, RHO = STEEL.young, STEEL.poisson, STEEL.density


def square_frequency(h):
    """Exact second frequency of the simply supported unit square, k^2 = 5 pi^2."""
    shear = 5 / 6 * E / (2 * (1 + NU)) * h
    D = STEEL.bending_stiffness(h)
    return shear_flexible_frequency(np.sqrt(5) * np.pi, D, RHO * h, shear, RHO * h**3 / 12)


def mindlin(cells, h):
    side = np.linspace(0, 1, cells + 1)
    mesh = MeshQuad.init_tensor(side, side).with_defaults()
    plate = MindlinPlate(mesh, h, STEEL, dict.fromkeys(EDGES, "hard_simply_supported"))
    omega, _ = vibration_modes(plate.stiffness, plate.mass, plate.free, 2)
    return omega[1] / (2 * np.pi) / square_frequency(h) - 1


def morley(cells):
    side = np.linspace(0, 1, cells + 1)
    mesh = MeshTri.init_tensor(side, side).with_defaults()
    plate = KirchhoffPlate(mesh, 0.01, STEEL, dict.fromkeys(EDGES, "simply_supported"))
    omega, _ = vibration_modes(plate.stiffness, plate.mass, plate.free, 1)
    exact = 2 * np.pi**2 * np.sqrt(STEEL.bending_stiffness(0.01) / (RHO * 0.01))
    return omega[0] / exact - 1


def hermite(cells):
    plate = HarmonicPlate(0.05, 0.1, 0.002, STEEL, {"outer": "clamped"}, cells)
    omega, _ = vibration_modes(plate.stiffness(3), plate.mass(3), plate.free, 1)
    exact = annular_plate_frequencies(0.05, 0.1, 0.002, E, NU, RHO, 3, outer="clamped")[0]
    return omega[0] / (2 * np.pi) / exact - 1


@pytest.mark.parametrize(
    ("error", "cells", "order", "largest"),
    [
        (lambda n: mindlin(n, 0.1), (8, 16), 4.0, 4e-5),
        (lambda n: mindlin(n, 0.01), (8, 16), 4.0, 5e-5),
        (morley, (16, 32), 2.0, 5e-3),
        (hermite, (8, 16), 4.0, 1e-5),
    ],
    ids=["mindlin thick", "mindlin thin", "morley", "hermite"],
)
def test_order(error, cells, order, largest):
    errors = np.abs([error(n) for n in cells])
    assert errors[-1] < largest
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3)


@pytest.mark.parametrize("h", [1e-2, 1e-3])
def test_no_shear_locking(h):
    """8 x 8 cells are within 0.3 % at any thickness; a locking element would be off by 1/h^2."""
    assert abs(mindlin(8, h)) < 0.003
