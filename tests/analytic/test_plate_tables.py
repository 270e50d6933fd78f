"""Circular and annular plates: published frequency parameters omega a^2 sqrt(rho h/D).

Sources: Leissa, Vibration of Plates, NASA SP-160 (1969), chapter 2, the annular tables after Vogel
and Skinner (1965), nu = 0.3, printed to three digits; Leissa and Narita (1980) for the simply
supported plate; Itao and Crandall (1979) for the free one, nu = 0.33; Irie, Yamada and Aomura
(1980) for Mindlin plates, kappa = pi^2/12; Dawe and Roufaeil (1980) for the clamped square one.
"""

import numpy as np
import pytest
from skfem import MeshQuad

from fecontact.errors import InputError
from fecontact.fem import HarmonicPlate, KirchhoffPlate, Material, MindlinPlate
from fecontact.mesh import annulus, disc
from fecontact.reduction.basis import vibration_modes
from fecontact.reference.structures.annular_plate import annular_plate_frequencies
from fecontact.reference.structures.beam import shear_flexible_frequency
from fecontact.reference.structures.circular_plate import circular_plate_frequencies

RATIOS = (0.1, 0.3, 0.5, 0.7, 0.9)
ANNULAR = {
    ("free", "free", 0): (8.77, 8.36, 9.32, 13.2, 34.9),
    ("free", "free", 2): (5.30, 4.91, 4.28, 3.57, 2.94),
    ("free", "free", 3): (12.4, 12.26, 11.4, 9.86, 8.14),
    ("free", "simply_supported", 0): (4.86, 4.66, 5.07, 6.94, 17.8),
    ("free", "clamped", 0): (10.2, 11.4, 17.7, 43.1, 360.0),
    ("simply_supported", "simply_supported", 0): (14.5, 21.1, 40.0, 110.0, 988.0),
    ("clamped", "clamped", 0): (27.3, 45.2, 89.2, 248.0, 2237.0),
    ("clamped", "free", 0): (4.23, 6.66, 13.0, 37.0, 345.0),
    ("clamped", "free", 2): (5.62, 7.96, 14.7, 39.3, 347.0),
}
"""(inner edge, outer edge, nodal diameters) -> values at the radius ratios."""

CIRCULAR = {
    ("clamped", 0.3): {0: (10.2158, 39.771), 1: (21.26, 60.82), 2: (34.88, 84.58), 3: (51.04,)},
    ("simply_supported", 0.3): {0: (4.93515, 29.7200), 1: (13.8982, 48.4789), 2: (25.6133,)},
    ("free", 0.33): {0: (9.0689,), 1: (20.5131,), 2: (5.2620,), 3: (12.2439,), 4: (21.5272,)},
}
MINDLIN = {
    ("clamped", 0.1): {0: (9.941, 36.479)},
    ("clamped", 0.2): {0: (9.240, 30.211)},
    ("simply_supported", 0.1): {0: (4.894, 28.240)},
    ("free", 0.1): {0: (8.868, 36.041), 1: (19.711,), 2: (5.278,), 3: (12.064,)},
    ("free", 0.2): {0: (8.505, 31.111), 2: (5.114,)},
}


UNIT = 1e3
"""sqrt(D/(rho h)) in 1/s of a plate of thickness 1 made of the material below."""


def unit_material(poisson):
    return Material(12e9 * (1 - poisson**2), poisson, 1e3)


def lowest_elastic(plate, count):
    omega, _ = vibration_modes(plate.stiffness, plate.mass, plate.free, count + 3)
    return omega[omega > 1e-3 * omega[-1]][:count] / UNIT


def supports(inner, outer):
    edges = {"inner": inner, "outer": outer}
    return {edge: kind for edge, kind in edges.items() if kind != "free"}


@pytest.mark.parametrize("case", ANNULAR)
def test_annular_plates_by_harmonic_elements(case):
    inner, outer, k = case
    for ratio, published in zip(RATIOS, ANNULAR[case], strict=True):
        plate = HarmonicPlate(ratio, 1.0, 1.0, unit_material(0.3), supports(inner, outer), 40)
        omega, _ = vibration_modes(plate.stiffness(k), plate.mass(k), plate.free, 2)
        found = omega[omega > 0.3 * UNIT][0] / UNIT
        assert found == pytest.approx(published, rel=0.006)
        m = unit_material(0.3)
        exact = annular_plate_frequencies(
            ratio, 1.0, 1.0, m.young, 0.3, m.density, k, inner=inner, outer=outer
        )
        assert found == pytest.approx(2 * np.pi * exact[0] / UNIT, rel=1e-5)


@pytest.mark.parametrize(("ratio", "cells"), [(0.3, 14), (0.5, 12), (0.7, 10)])
@pytest.mark.parametrize("case", [c for c in ANNULAR if c[2] == 0 and c[0] != c[1]])
def test_annular_plates_by_triangles(case, ratio, cells):
    inner, outer, _ = case
    around = round(np.pi * (1 + ratio) / (1 - ratio) * cells)  # cells of equal sides
    mesh = annulus(ratio, 1.0, cells, around)
    plate = KirchhoffPlate(mesh, 1.0, unit_material(0.3), supports(inner, outer))
    published = ANNULAR[case][RATIOS.index(ratio)]
    found = lowest_elastic(plate, 12)
    assert np.min(np.abs(found / published - 1)) < 0.01


class TestCircularPlate:
    @pytest.mark.parametrize("case", CIRCULAR)
    def test_determinant_gives_the_published_values(self, case):
        edge, nu = case
        m = unit_material(nu)
        for n, published in CIRCULAR[case].items():
            f = circular_plate_frequencies(
                1.0, 1.0, m.young, nu, m.density, n, len(published), edge=edge
            )
            assert np.allclose(2 * np.pi * f / UNIT, published, rtol=6e-4)

    @pytest.mark.parametrize("case", CIRCULAR)
    def test_triangles(self, case):
        """Morley and polygon err by order 2: extrapolate from two meshes."""
        edge, nu = case
        held = {} if edge == "free" else {"outer": edge}
        coarse, fine = (
            lowest_elastic(KirchhoffPlate(disc(1.0, n, 8 * n), 1.0, unit_material(nu), held), 3)
            for n in (6, 12)
        )
        published = [
            value for n, values in CIRCULAR[case].items() for value in values * (1 if n == 0 else 2)
        ]
        assert np.allclose(fine, np.sort(published)[:3], rtol=0.015)
        assert np.allclose((4 * fine - coarse) / 3, np.sort(published)[:3], rtol=0.002)


class TestMindlinCircularPlate:
    @pytest.mark.parametrize("case", MINDLIN)
    def test_determinant_gives_the_published_values(self, case):
        edge, h = case
        m = unit_material(0.3)
        scale = 2 * np.pi / UNIT / h  # sqrt(D/(rho h)) = UNIT h
        for n, published in MINDLIN[case].items():
            f = circular_plate_frequencies(
                1.0, h, m.young, 0.3, m.density, n, len(published), edge=edge, theory="mindlin"
            )
            assert np.allclose(scale * f, published, atol=6e-4)

    @pytest.mark.parametrize("case", [c for c in MINDLIN if c[0] != "simply_supported"])
    def test_heterosis_element(self, case):
        edge, h = case
        held = {} if edge == "free" else {"outer": edge}
        m = unit_material(0.3)
        mesh = disc(1.0, radial=6, circumferential=32, cell="quad", order=2)
        plate = MindlinPlate(mesh, h, m, held, shear_factor=np.pi**2 / 12)
        found = lowest_elastic(plate, 5)
        exact = np.sort(
            np.concatenate(
                [
                    np.repeat(
                        2
                        * np.pi
                        * circular_plate_frequencies(
                            1.0, h, m.young, 0.3, m.density, n, 2, edge=edge, theory="mindlin"
                        ),
                        1 if n == 0 else 2,
                    )
                    for n in range(5)
                ]
            )
        )
        assert np.allclose(found, exact[:5] / UNIT, rtol=5e-4)

    def test_thin_limit_is_kirchhoff(self):
        data = (1.0, 1e-3, 1.0, 0.3, 1.0, 2, 2)
        thin, thick = (
            circular_plate_frequencies(*data, edge="free", theory=t)
            for t in ("kirchhoff", "mindlin")
        )
        assert np.allclose(thin, thick, rtol=1e-4)

    def test_bad_input_is_refused(self):
        with pytest.raises(InputError, match="edge = glued"):
            circular_plate_frequencies(1.0, 0.1, 1.0, 0.3, 1.0, 0, edge="glued")


def test_square_mindlin_plates():
    """omega a sqrt(rho/G) at h/a = 0.1: hard simple support (exact), and clamped, kappa = 0.8601.

    The clamped values are Ritz values, hence upper bounds: ours lie below, by less than 1 %.
    """
    m, h = Material(2.6e9, 0.3, 1e3), 0.1  # sqrt(G/rho) = UNIT
    side = np.linspace(0, 1, 17)
    mesh = MeshQuad.init_tensor(side, side).with_defaults()
    edges = ("left", "right", "bottom", "top")
    hard = MindlinPlate(mesh, h, m, dict.fromkeys(edges, "hard_simply_supported"))
    exact = [
        shear_flexible_frequency(
            np.pi * np.sqrt(k), m.bending_stiffness(h), 1e3 * h, 5 / 6 * 1e9 * h, 1e3 * h**3 / 12
        )
        for k in (2, 5, 5, 8)
    ]
    exact = 2 * np.pi * np.array(exact) / UNIT
    assert np.allclose(exact, (0.930, 2.219, 2.219, 3.406), atol=6e-4)
    assert np.allclose(lowest_elastic(hard, 4), exact, rtol=4e-5)
    clamped = MindlinPlate(mesh, h, m, dict.fromkeys(edges, "clamped"), shear_factor=0.8601)
    ratio = lowest_elastic(clamped, 4) / (1.594, 3.046, 3.046, 4.285)
    assert np.all((ratio > 0.99) & (ratio < 1.0))
