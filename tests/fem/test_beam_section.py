import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.fem import Section


@pytest.mark.parametrize(
    ("ratio", "factor"), [(1.0, 0.1406), (1.5, 0.196), (2.0, 0.229), (4.0, 0.281), (10.0, 0.312)]
)
def test_torsion_of_rectangle_matches_the_table_of_timoshenko_and_goodier(ratio, factor):
    assert Section.rectangle(ratio, 1.0).torsion / ratio == pytest.approx(factor, abs=5e-4)
    assert Section.rectangle(1.0, ratio).torsion / ratio == pytest.approx(factor, abs=5e-4)


def test_rectangle_bends_more_easily_about_its_weak_axis():
    section = Section.rectangle(width=0.02, height=0.01)
    assert section.inertia_y == pytest.approx(0.02 * 0.01**3 / 12)
    assert section.inertia_z == pytest.approx(0.01 * 0.02**3 / 12)


def test_moments_of_tube_by_integration():
    section = Section.tube(0.05, 0.03)
    r = np.linspace(0.015, 0.025, 200_001)
    assert section.area == pytest.approx(np.trapezoid(2 * np.pi * r, r), rel=1e-9)
    assert section.torsion == pytest.approx(np.trapezoid(2 * np.pi * r**3, r), rel=1e-9)
    assert section.inertia_y == section.inertia_z == pytest.approx(section.torsion / 2)


def test_thin_tube_has_half_the_shear_factor_of_its_wall():
    assert Section.tube(1.0, 0.999).shear_z == pytest.approx(2 * 1.3 / (4 + 3 * 0.3), rel=1e-3)
    assert Section.circle(1.0).shear_z == pytest.approx(6 * 1.3 / (7 + 6 * 0.3))


def test_impossible_sections_are_refused():
    with pytest.raises(InputError, match=r"inner_diameter = 0\.06"):
        Section.tube(0.05, 0.06)
    with pytest.raises(InputError, match=r"section: invalid inertia_y = 0\.0"):
        Section(1.0, 0.0, 1.0, 1.0)
