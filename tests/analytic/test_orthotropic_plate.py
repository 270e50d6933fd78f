"""Orthotropic plates against Navier's exact frequencies, turned copies and constant strains."""

import numpy as np
import pytest
import scipy.linalg as la
from skfem import MeshQuad, MeshTri

from fecontact.fem import CartesianAxes, KirchhoffPlate, MindlinPlate, Orthotropic
from fecontact.mesh import rectangle
from fecontact.reduction.basis import vibration_modes

A, B, RHO = 0.3, 0.2, 1900.0
E1, E2, NU12, G12, G13, G23 = 40e9, 10e9, 0.25, 5e9, 4e9, 3e9
KAPPA = 5.0 / 6.0
SIDES = ("x_min", "x_max", "y_min", "y_max")
SHEET = Orthotropic((E1, E2, 9e9), (NU12, 0.3, 0.35), (G12, G13, G23), RHO)


def bending_stiffness(h):
    """D_11, D_12, D_22, D_66 from the engineering constants."""
    nu21 = NU12 * E2 / E1
    scale = h**3 / 12.0
    minor = 1.0 - NU12 * nu21
    return scale * E1 / minor, scale * NU12 * E2 / minor, scale * E2 / minor, scale * G12


def navier(h, m, n):
    """Rho h omega^2 = D_11 a^4 + 2 (D_12 + 2 D_66) a^2 b^2 + D_22 b^4, all edges supported."""
    D11, D12, D22, D66 = bending_stiffness(h)
    a, b = m * np.pi / A, n * np.pi / B
    bending = D11 * a**4 + 2 * (D12 + 2 * D66) * a**2 * b**2 + D22 * b**4
    return np.sqrt(bending / (RHO * h))


def navier_mindlin(h, m, n):
    """Hard simple support: w = sin sin, psi_x = cos sin, psi_y = sin cos is an exact mode."""
    D11, D12, D22, D66 = bending_stiffness(h)
    a, b = m * np.pi / A, n * np.pi / B
    S1, S2 = KAPPA * G13 * h, KAPPA * G23 * h
    K = [
        [S1 * a**2 + S2 * b**2, S1 * a, S2 * b],
        [S1 * a, D11 * a**2 + D66 * b**2 + S1, (D12 + D66) * a * b],
        [S2 * b, (D12 + D66) * a * b, D66 * a**2 + D22 * b**2 + S2],
    ]
    M = RHO * np.diag([h, h**3 / 12, h**3 / 12])
    return np.sqrt(la.eigh(K, M, eigvals_only=True)[0])


def lowest(plate, count):
    return vibration_modes(plate.stiffness, plate.mass, plate.free, count)[0]


def lowest_exact(frequency, count):
    return np.sort([frequency(m, n) for m in range(1, 6) for n in range(1, 6)])[:count]


def morley(cells, h=0.004):
    mesh = rectangle(A, B, (3 * cells, 2 * cells), cell="tri")
    return KirchhoffPlate(mesh, h, SHEET, dict.fromkeys(SIDES, "simply_supported"))


def mindlin(cells, h):
    mesh = rectangle(A, B, (3 * cells, 2 * cells))
    return MindlinPlate(mesh, h, SHEET, dict.fromkeys(SIDES, "hard_simply_supported"))


@pytest.mark.parametrize(
    ("plate", "exact", "cells", "order", "largest"),
    [
        (morley, lambda m, n: navier(0.004, m, n), (8, 12), 2.0, 0.025),
        (lambda k: mindlin(k, 0.02), lambda m, n: navier_mindlin(0.02, m, n), (3, 6), 4.0, 2e-4),
        (lambda k: mindlin(k, 1e-3), lambda m, n: navier_mindlin(1e-3, m, n), (6, 9), 4.0, 5e-5),
    ],
    ids=["morley", "mindlin thick", "mindlin thin"],
)
def test_frequencies_converge_to_naviers(plate, exact, cells, order, largest):
    expected = lowest_exact(exact, 5)
    errors = np.array([np.abs(lowest(plate(k), 5) / expected - 1).max() for k in cells])
    assert errors[1] < largest
    assert np.log(errors[0] / errors[1]) / np.log(cells[1] / cells[0]) == pytest.approx(
        order, abs=0.35
    )


def test_thin_mindlin_plate_is_kirchhoffs():
    """The exact modes differ by shear of the order (h/a)^2 D/(G h^3): here below 1e-4."""
    exact = lowest_exact(lambda m, n: navier(5e-4, m, n), 4)
    assert np.allclose(lowest(mindlin(5, 5e-4), 4), exact, rtol=1e-3)


@pytest.mark.parametrize("theory", ["kirchhoff", "mindlin"])
def test_plate_and_fibres_turned_together_ring_as_before(theory):
    c, s = np.cos(0.5), np.sin(0.5)
    turn = np.array([[c, -s], [s, c]])
    axes = CartesianAxes((c, s, 0.0), (-s, c, 0.0))
    turned = Orthotropic(SHEET.young, SHEET.poisson, SHEET.shear, RHO, axes)
    plates = []
    for R, material in ((np.eye(2), SHEET), (turn, turned)):
        kind = "tri" if theory == "kirchhoff" else "quad"
        mesh = rectangle(A, B, (6, 4), cell=kind)
        mesh = type(mesh)(R @ mesh.p, mesh.t).with_boundaries(mesh.boundaries)
        plate = KirchhoffPlate if theory == "kirchhoff" else MindlinPlate
        plates.append(plate(mesh, 0.01, material, {"x_min": "clamped"}))
    assert np.allclose(lowest(plates[0], 6), lowest(plates[1], 6), rtol=1e-7)


class TestConstantStrain:
    """Twice the energy of constant curvature kappa: kappa^T D kappa times the area."""

    KAPPA = np.array([1.3, -0.4, 1.4])  # w_xx, w_yy, 2 w_xy

    def energy(self, h):
        D11, D12, D22, D66 = bending_stiffness(h)
        D = np.array([[D11, D12, 0], [D12, D22, 0], [0, 0, D66]])
        return self.KAPPA @ D @ self.KAPPA

    def test_morley_on_distorted_triangles(self):
        side = np.linspace(0, 1, 5)
        mesh = MeshTri.init_tensor(side, side)
        inner = np.setdiff1d(np.arange(mesh.nvertices), mesh.boundary_nodes())
        p = mesh.p.copy()
        p[:, inner] += np.random.default_rng(3).uniform(-0.05, 0.05, (2, len(inner)))
        plate = KirchhoffPlate(MeshTri(p, mesh.t), 0.01, SHEET)
        a, b, c = self.KAPPA / [1, 1, 2]
        x, y = plate.mesh.p
        slopes = plate.basis.facet_dofs[0]
        _, about_x, about_y = plate.rigid_body_modes().T
        w = np.zeros(plate.basis.N)
        w[plate.basis.nodal_dofs[0]] = a * x**2 / 2 + b * y**2 / 2 + c * x * y
        x, y = plate.mesh.p[:, plate.mesh.facets].mean(axis=1)
        w[slopes] = -about_y[slopes] * (a * x + c * y) + about_x[slopes] * (b * y + c * x)
        force = plate.stiffness @ w
        free = np.setdiff1d(np.arange(len(w)), plate.basis.get_dofs().all())
        assert np.abs(force[free]).max() < 1e-11 * np.abs(force).max()
        assert w @ force == pytest.approx(self.energy(0.01))

    def test_mindlin_in_bending_and_shear(self):
        mesh = MeshQuad().refined(1)
        plate = MindlinPlate(mesh, 0.01, SHEET)
        x, y = plate.basis.doflocs
        names = plate._dof_names
        a, b, c = self.KAPPA / [1, 1, 2]
        bend = [-(a * x**2 / 2 + b * y**2 / 2 + c * x * y), a * x + c * y, b * y + c * x]
        u = np.select([names == n for n in ("u^1", "u^1^2", "u^2^2")], bend)
        assert u @ plate.stiffness @ u == pytest.approx(self.energy(0.01))
        u = np.select([names == "u^1"], [2 * x - 3 * y])
        exact = KAPPA * 0.01 * (4 * G13 + 9 * G23)
        assert u @ plate.stiffness @ u == pytest.approx(exact)
