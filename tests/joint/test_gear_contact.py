"""Contact lines over the mesh cycle (Jehle T4)."""

from __future__ import annotations

from dataclasses import replace
from math import atan, cos, pi

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fecontact.joint.gear.contact_lines import contact_lines
from fecontact.joint.gear.geometry import GearPair
from fecontact.reference.multibody.gear import contact_length_range

STAGE = GearPair((30, 30), 0.035, 0.077, tip_radii=(0.042, 0.042), face_width=0.02)
PERIOD = 2.0 * pi / 30


def turned(count=4001):
    return np.linspace(0.0, PERIOD, count)


@pytest.mark.parametrize(
    ("helix", "low", "mean", "high"),
    [(0.0, 20.0, 39.2, 40.0), (pi / 16, 39.2, 39.93, 40.8), (pi / 8, 41.70, 42.39, 42.50)],
)
def test_table_of_the_source_notes(helix, low, mean, high):
    """Digest T4; its last digits."""
    total = 1e3 * contact_lines(replace(STAGE, base_helix_angle=helix), turned()).total
    digit = 0.05 if helix < 0.3 else 0.005
    assert total.min() == pytest.approx(low, abs=digit)
    assert total.max() == pytest.approx(high, abs=digit)
    assert total[:-1].mean() == pytest.approx(mean, abs=0.05 if helix == 0 else 0.005)


@given(helix=st.floats(0.02, 0.8), width=st.floats(0.003, 0.05), tip=st.floats(0.0400, 0.0465))
def test_extremes_and_mean(helix, width, tip):
    """Extremes and mean by the closed form; the grid misses a kink by less than its slope."""
    gears = replace(STAGE, base_helix_angle=helix, face_width=width, tip_radii=(tip, tip))
    total = contact_lines(gears, turned()).total
    low, mean, high = contact_length_range(gears.contact_ratio, gears.overlap_ratio, width, helix)
    steepest = 2.0 * gears.base_pitch / np.sin(helix) / 4000
    assert total.min() == pytest.approx(low, abs=steepest)
    assert total.max() == pytest.approx(high, abs=steepest)
    assert low - 1e-15 <= total.min() <= total.max() <= high + 1e-15
    assert total[:-1].mean() == pytest.approx(mean, rel=1e-3)


@given(helix=st.floats(0.02, 0.8))
def test_sum_is_periodic_and_continuous(helix):
    gears = replace(STAGE, base_helix_angle=helix)
    total = contact_lines(gears, turned(2001)).total
    assert total[-1] == pytest.approx(total[0], abs=1e-15)
    again = contact_lines(gears, turned(2001) - 7 * PERIOD).total
    np.testing.assert_allclose(again[1:-1], total[1:-1], atol=1e-13)
    slope = 4.0 * gears.base_pitch / np.sin(helix) / 2000
    assert np.abs(np.diff(total)).max() <= slope


@pytest.mark.parametrize("overlap", [1, 2])
def test_whole_overlap_ratio_gives_constant_length(overlap):
    slope = overlap * STAGE.base_pitch / STAGE.face_width
    gears = replace(STAGE, base_helix_angle=atan(slope))
    assert gears.overlap_ratio == pytest.approx(overlap, rel=1e-14)
    total = contact_lines(gears, turned()).total
    expected = gears.contact_ratio * STAGE.face_width / cos(atan(slope))
    np.testing.assert_allclose(total, expected, rtol=1e-12)


def test_lines_lie_inside_the_field_of_action():
    gears = replace(STAGE, base_helix_angle=0.4)
    lines = contact_lines(gears, turned(301))
    touching = lines.length > 0.0
    slope = np.tan(0.4)
    for y in (lines.begin, lines.end):
        s = (lines.travel - slope * y)[touching]
        assert s.min() > -1e-12
        assert s.max() < gears.path_of_contact + 1e-12
        assert y.min() >= 0.0
        assert y.max() <= gears.face_width
    np.testing.assert_array_equal(lines.number, touching.sum(axis=1))
    assert set(lines.number.tolist()) <= {2, 3, 4}


def test_spur_gears_jump_between_one_and_two_lines():
    lines = contact_lines(STAGE, turned())
    assert set(lines.number.tolist()) == {1, 2}
    share = np.mean(lines.number[:-1] == 2)
    assert share == pytest.approx(STAGE.contact_ratio - 1.0, abs=1.0 / 4000)
