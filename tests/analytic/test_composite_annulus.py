"""Annulus of two materials and a polar orthotropic one, against a one-dimensional solution.

For w = f(r) cos(k phi) and material axes along r and phi the energy per pi is

    int D_11 f''^2 + 2 D_12 f'' p + D_22 p^2 + 4 D_66 t^2 r dr,   p = f'/r - k^2 f/r^2,
    t = k (f'/r - f/r^2)

solved with cubic Hermite functions in r (fourth order, 80 elements), written for this test.
"""

from itertools import pairwise

import numpy as np
import pytest
import scipy.linalg as la

from fecontact.fem import (
    ALUMINIUM,
    STEEL,
    CylindricalAxes,
    KirchhoffPlate,
    Material,
    MindlinPlate,
    Orthotropic,
)
from fecontact.mesh import annulus
from fecontact.reduction.basis import vibration_modes
from fecontact.reference.structures.annular_plate import annular_plate_frequencies

INNER, MIDDLE, OUTER = 0.06, 0.08, 0.12
H_CARRIER, H_FACING = 0.001, 0.0014
WOUND = Orthotropic(
    (8e9, 24e9, 6e9), (0.1, 0.2, 0.25), (4e9, 3e9, 3.5e9), 1800.0, CylindricalAxes()
)


def section(material, h):
    """D_11, D_12, D_22, D_66 (1 = radial) and rho h."""
    if isinstance(material, Material):
        D, nu = material.bending_stiffness(h), material.poisson
        return D, nu * D, D, (1 - nu) / 2 * D, material.density * h
    (E1, E2, _), nu12, G12 = material.young, material.poisson[0], material.shear[0]
    minor, scale = 1 - nu12**2 * E2 / E1, h**3 / 12
    D = (E1 * scale / minor, nu12 * E2 * scale / minor, E2 * scale / minor, G12 * scale)
    return (*D, material.density * h)


def radial_frequencies(k, sections, count, elements=80):
    """Lowest elastic frequencies (rad/s) of the free annulus; sections[0] up to MIDDLE."""
    nodes = np.concatenate(
        [
            np.linspace(INNER, MIDDLE, elements // 2 + 1),
            np.linspace(MIDDLE, OUTER, elements // 2 + 1)[1:],
        ]
    )
    K, M = np.zeros((2, 2 * len(nodes), 2 * len(nodes)))
    gauss, weights = np.polynomial.legendre.leggauss(6)
    for e, (a, b) in enumerate(pairwise(nodes)):
        L = b - a
        s, w = 0.5 * (gauss + 1), 0.5 * L * weights
        r = a + L * s
        f = np.array(
            [
                1 - 3 * s**2 + 2 * s**3,
                L * (s - 2 * s**2 + s**3),
                3 * s**2 - 2 * s**3,
                L * (s**3 - s**2),
            ]
        )
        g = (
            np.array(
                [
                    -6 * s + 6 * s**2,
                    L * (1 - 4 * s + 3 * s**2),
                    6 * s - 6 * s**2,
                    L * (3 * s**2 - 2 * s),
                ]
            )
            / L
        )
        c = np.array([-6 + 12 * s, L * (-4 + 6 * s), 6 - 12 * s, L * (6 * s - 2)]) / L**2
        p, t = g / r - k**2 * f / r**2, k * (g / r - f / r**2)
        D11, D12, D22, D66, rho_h = sections[0 if b <= MIDDLE + 1e-12 else 1]
        wr = w * r
        bending = D11 * (c * wr) @ c.T + D12 * ((c * wr) @ p.T + (p * wr) @ c.T)
        bending += D22 * (p * wr) @ p.T + 4 * D66 * (t * wr) @ t.T
        place = np.ix_(range(2 * e, 2 * e + 4), range(2 * e, 2 * e + 4))
        K[place] += bending
        M[place] += rho_h * (f * wr) @ f.T
    values = la.eigh(K, M, eigvals_only=True)
    return np.sqrt(values[values > 1e-6 * values[6]])[:count]


def test_the_reference_meets_the_exact_determinant():
    same = section(STEEL, H_CARRIER)
    for k in (0, 1, 2, 3):
        exact = annular_plate_frequencies(
            INNER, OUTER, H_CARRIER, STEEL.young, 0.3, STEEL.density, k, inner="free", outer="free"
        )
        found = radial_frequencies(k, [same, same], 1) / (2 * np.pi)
        assert found == pytest.approx(exact, rel=1e-6)


def ring(cells, kind, order=1):
    mesh = annulus(INNER, OUTER, 3 * cells, 24 * cells, kind, order)
    inside = np.hypot(*mesh.p[:, mesh.t].mean(axis=1)) < MIDDLE
    return mesh.with_subdomains(
        {"carrier": np.flatnonzero(inside), "facing": np.flatnonzero(~inside)}
    )


def elastic_frequencies(plate, count):
    return vibration_modes(plate.stiffness, plate.mass, plate.free, 3 + count)[0][3:]


CASES = {
    "steel and aluminium": (STEEL, ALUMINIUM),
    "steel and wound facing": (STEEL, WOUND),
    "wound ring": (WOUND, WOUND),
}


@pytest.mark.parametrize("parts", CASES.values(), ids=CASES)
class TestFreeRing:
    """Lowest six elastic modes; those with k > 0 come in pairs."""

    def given(self, parts):
        heights = {"carrier": H_CARRIER, "facing": H_FACING}
        return heights, dict(zip(heights, parts, strict=True))

    def exact(self, parts):
        sections = [section(m, h) for m, h in zip(parts, (H_CARRIER, H_FACING), strict=True)]
        found = [
            w
            for k in range(5)
            for w in np.repeat(radial_frequencies(k, sections, 2), 2 if k else 1)
        ]
        return np.sort(found)[:6]

    def test_morley_converges_with_order_two(self, parts):
        errors = []
        for cells in (2, 4):
            plate = KirchhoffPlate(ring(cells, "tri"), *self.given(parts))
            errors.append(np.abs(elastic_frequencies(plate, 6) / self.exact(parts) - 1).max())
        assert errors[1] < 0.01
        assert np.log2(errors[0] / errors[1]) == pytest.approx(2.0, abs=0.3)

    def test_thin_mindlin_plate(self, parts):
        """A tenth of the thickness: a tenth of the frequencies.

        The twist at the free edges has a boundary layer in Mindlin's theory that lowers the
        frequencies by a share of h/width, 4e-3 here.
        """
        heights, materials = self.given(parts)
        thin = {name: 0.1 * h for name, h in heights.items()}
        plate = MindlinPlate(ring(2, "quad", 2), thin, materials)
        assert np.allclose(10 * elastic_frequencies(plate, 6), self.exact(parts), rtol=2e-3)
