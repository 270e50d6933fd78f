"""Order of the 2-D plate, at rest and spinning, with expected rates as data."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.fem import STEEL, KirchhoffPlate
from fecontact.mesh import annulus
from fecontact.reduction.basis import vibration_modes
from fecontact.reference.structures.annular_plate import annular_plate_frequencies

RATE = 2.0


def plate(cells, support):
    mesh = annulus(0.08, 0.12, cells, 8 * cells)
    return KirchhoffPlate(mesh, 0.005, STEEL, {"outer": support})


@pytest.mark.parametrize("support", ["simply_supported", "clamped"])
def test_frequencies_converge_to_the_exact_ones(support):
    exact = annular_plate_frequencies(0.08, 0.12, 0.005, 210e9, 0.3, 7800.0, 1, outer=support)[0]
    errors = []
    for cells in (4, 8, 16):
        model = plate(cells, support)
        omega, _ = vibration_modes(model.stiffness, model.mass, model.free, 3)
        errors.append(abs(omega[1] / (2 * np.pi * exact) - 1.0))
    orders = np.log2(np.array(errors[:-1]) / errors[1:])
    assert orders[-1] == pytest.approx(RATE, abs=0.25)
    assert errors[-1] < 0.01


def test_rotation_integrals_become_skew():
    """B + B^T is a boundary term that vanishes on the circle."""
    defects = []
    for cells in (4, 8, 16):
        model = plate(cells, "simply_supported")
        _, X = vibration_modes(model.stiffness, model.mass, model.free, 5)
        B = X.T @ (model.rotation[0] @ X)
        defects.append(np.linalg.norm(B + B.T) / np.linalg.norm(B))
    orders = np.log2(np.array(defects[:-1]) / defects[1:])
    assert defects[-1] < 0.01
    assert orders[-1] > 1.5


def test_rotation_integrals_of_a_linear_field():
    """For w = x on the annulus D w = -y: int rho h (D w)^2 = rho h pi (r_o^4 - r_i^4)/4."""
    model = KirchhoffPlate(annulus(0.08, 0.12, 6, 120), 0.005, STEEL)
    x = model.basis.project(lambda p: p[0])
    S = model.rotation[1]
    exact = STEEL.density * 0.005 * np.pi * (0.12**4 - 0.08**4) / 4
    assert x @ (S @ x) == pytest.approx(exact, rel=2e-3)


def test_sense_of_the_rotation_derivative():
    """For w = x, D w = -y: int rho h y D x = -rho h pi (r_o^4 - r_i^4)/4."""
    model = KirchhoffPlate(annulus(0.08, 0.12, 6, 120), 0.005, STEEL)
    x, y = (model.basis.project(lambda p, i=i: p[i]) for i in range(2))
    exact = -STEEL.density * 0.005 * np.pi * (0.12**4 - 0.08**4) / 4
    assert y @ (model.rotation[0] @ x) == pytest.approx(exact, rel=2e-3)


def test_pairs_are_exact():
    """The mesh is invariant under rotation by one cell: cosine and sine modes do not split."""
    model = plate(6, "simply_supported")
    omega, _ = vibration_modes(model.stiffness, model.mass, model.free, 9)
    np.testing.assert_allclose(omega[1::2], omega[2::2], rtol=1e-8)


@pytest.mark.parametrize(
    ("supports", "words"),
    [
        ({"rim": "clamped"}, "unknown surface 'rim'"),
        ({"outer": "glued"}, "one of simply_supported"),
    ],
)
def test_bad_supports(supports, words):
    with pytest.raises(InputError, match=words):
        KirchhoffPlate(annulus(0.08, 0.12, 2, 12), 0.005, STEEL, supports)


def test_bad_thickness():
    with pytest.raises(InputError, match=r"thickness = 0.0 m"):
        KirchhoffPlate(annulus(0.08, 0.12, 2, 12), 0.0, STEEL)
