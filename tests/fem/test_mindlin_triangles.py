"""Mindlin plates on straight and curved triangles: closed forms, order, no locking."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.linalg as la

from fecontact.fem import STEEL, MindlinPlate
from fecontact.mesh import annulus, rectangle
from fecontact.mesh.quadratic import quadratic
from fecontact.reduction.flexibility import Flexibility
from fecontact.reference.structures.annular_plate import annular_plate_frequencies
from fecontact.solvers.linear import factorise

SIDES = ("x_min", "x_max", "y_min", "y_max")


def crooked(order):
    """Rectangle of triangles whose inner nodes have been moved at random."""
    mesh = rectangle(1.0, 0.8, (3, 3), "tri")
    inside = np.setdiff1d(np.arange(mesh.nvertices), mesh.boundary_nodes())
    p = mesh.p.copy()
    p[:, inside] += np.random.default_rng(4).uniform(-0.05, 0.05, (2, len(inside)))
    moved = type(mesh)(p, mesh.t, mesh.boundaries)
    return moved if order == 1 else quadratic(moved)


@pytest.mark.parametrize("membrane", [False, True])
@pytest.mark.parametrize("mesh", [crooked(1), crooked(2), annulus(0.06, 0.11, 2, 12, "tri", 2)],
                         ids=["straight", "quadratic", "curved"])  # fmt: skip
def test_only_rigid_motions_cost_no_energy(mesh, membrane):
    plate = MindlinPlate(mesh, 0.05, STEEL, membrane=membrane)
    K, R = plate.stiffness.toarray(), plate.rigid_body_modes()
    assert np.abs(K @ R).max() < 1e-13 * np.abs(K).max()
    values = la.eigvalsh(K)
    assert np.count_nonzero(values < 1e-9 * values[-1]) == (6 if membrane else 3)


@pytest.mark.parametrize("order", [1, 2])
def test_constant_bending_is_exact(order):
    """Patch test: w = -(a x^2 + b y^2)/2 - c x y, psi = -grad w; no shear."""
    plate = MindlinPlate(crooked(order), 0.01, STEEL)
    a, b, c = 1.3, -0.4, 0.7
    x, y = np.nan_to_num(plate.basis.doflocs)
    names = plate._dof_names
    fields = {"u^1": -(a * x**2 + b * y**2) / 2 - c * x * y, "u^1^2": a * x + c * y,
              "u^2^2": b * y + c * x}  # fmt: skip
    exact = np.select([names == n for n in fields], list(fields.values()))
    edge = plate.basis.get_dofs().all()
    inner = np.setdiff1d(np.arange(plate.basis.N), edge)
    K, found = plate.stiffness, exact.copy()
    found[inner] = factorise(K[inner][:, inner])(-(K[inner][:, edge] @ exact[edge]))
    np.testing.assert_allclose(found, exact, atol=1e-9)
    D, nu = STEEL.bending_stiffness(0.01), STEEL.poisson
    energy = D * 0.8 * ((a + b) ** 2 - 2 * (1 - nu) * (a * b - c**2))
    assert found @ (K @ found) == pytest.approx(energy, rel=1e-9)


def simply_supported(a, b, h, count):
    """Circular frequencies of a Mindlin plate with hard supports, k = 5/6 (Mindlin 1951)."""
    m, n = np.meshgrid(np.arange(1, 6), np.arange(1, 6))
    lam = ((m * np.pi / a) ** 2 + (n * np.pi / b) ** 2).ravel()
    D, S = STEEL.bending_stiffness(h), 5.0 / 6.0 * STEEL.shear * h
    M, I = STEEL.density * h, STEEL.density * h**3 / 12.0  # noqa: E741
    B, C = M * (D * lam + S) + I * S * lam, S * D * lam**2
    return np.sort(np.sqrt(2 * C / (B + np.sqrt(B**2 - 4 * M * I * C))))[:count]


@pytest.mark.parametrize("thickness", [0.05, 1e-3])
def test_simply_supported_plate_converges_with_order_four(thickness):
    """Thick and thin: f - f_exact falls 2^4 times with each halving, at least 10 times here."""
    exact = simply_supported(1.0, 0.7, thickness, 3)
    supports = dict.fromkeys(SIDES, "hard_simply_supported")
    errors = [
        Flexibility(MindlinPlate(rectangle(1.0, 0.7, (n, n), "tri", 2), thickness, STEEL, supports))
        .modes(3)[0] / exact - 1.0
        for n in (4, 8, 16)
    ]  # fmt: skip
    assert np.all(errors[0] < 0.02)
    assert np.all(errors[2] > 0.0)
    assert np.all(np.array(errors[:-1]) > 10.0 * np.array(errors[1:]) * 0.9)


def test_free_annular_plate_on_curved_triangles():
    """Kirchhoff's exact frequencies, 0.5 mm thick: to 0.1 %."""
    plate = MindlinPlate(annulus(0.06, 0.11, 4, 32, "tri", 2), 0.0005, STEEL)
    size = (0.06, 0.11, 0.0005, STEEL.young, STEEL.poisson, STEEL.density)
    diameters = (2, 2, 0, 3, 3, 1)
    exact = np.concatenate(
        [annular_plate_frequencies(*size, k, inner="free", outer="free") for k in diameters]
    )
    found = Flexibility(plate).modes(6)[0] / (2 * np.pi)
    np.testing.assert_allclose(found, exact, rtol=1e-3)


def test_face_moves_with_the_rigid_motions():
    plate = MindlinPlate(annulus(0.06, 0.11, 2, 12, "tri", 2), 0.01, STEEL, membrane=True)
    face = plate.surface("top")
    turned = np.cross(np.eye(3), face.points[:, None, :]).transpose(0, 2, 1)
    expected = np.concatenate([np.tile(np.eye(3), (len(turned), 1, 1)), turned], axis=2)
    found = (face.shape @ plate.rigid_body_modes()).reshape(expected.shape)
    np.testing.assert_allclose(found, expected, atol=1e-13)
    assert face.weights.sum() == pytest.approx(np.pi * (0.11**2 - 0.06**2), rel=1e-3)
