"""Helical involute pairs against textbook examples and identities, and bad input."""

from __future__ import annotations

from dataclasses import replace
from math import acos, atan, cos, degrees, pi, radians, sin, sqrt, tan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fecontact.errors import InputError
from fecontact.joint.gear.geometry import GearPair, inverse_involute, involute

STAGE = GearPair((30, 30), 0.035, 0.077, tip_radii=(0.042, 0.042), face_width=0.02)


def test_involute_table():
    """Values of the printed tables of the involute function."""
    for angle, value in ((14.5, 0.0055448), (20.0, 0.0149044), (25.0, 0.0299753)):
        assert involute(radians(angle)) == pytest.approx(value, abs=6e-8)


@given(angle=st.floats(0.01, 1.5))
def test_inverse_involute(angle):
    assert inverse_involute(involute(angle)) == pytest.approx(angle, rel=1e-9)


def test_shifted_spur_gears_of_a_handbook():
    """KHK, Gear Technical Reference: m = 3 mm, 12 and 24 teeth, a = 56.5 mm."""
    pair = GearPair.from_module(3e-3, (12, 24), shifts=(0.6, 0.36))
    assert pair.distance == pytest.approx(56.4999e-3, abs=5e-8)
    assert degrees(pair.pressure_angle()) == pytest.approx(26.0886, abs=5e-5)
    np.testing.assert_allclose(2 * np.array(pair.base_radii), [33.8289e-3, 67.6579e-3], atol=5e-8)
    np.testing.assert_allclose(2 * np.array(pair.pitch_radii()), [37.667e-3, 75.333e-3], atol=5e-7)
    pair = replace(pair, distance=56.5e-3, tip_radii=(22.42e-3, 39.70e-3))
    assert degrees(pair.pressure_angle()) == pytest.approx(26.0888, abs=5e-5)
    assert pair.contact_ratio == pytest.approx(1.202, abs=5e-4)


def test_shifted_helical_gears_of_a_handbook():
    """KHK, Gear Technical Reference: m_n = 3 mm, 30 degrees, 12 and 60 teeth, a = 125 mm."""
    pair = GearPair.from_module(3e-3, (12, 60), helix_angle=pi / 6, shifts=(0.09809, 0.0))
    assert degrees(pair.pressure_angle()) == pytest.approx(23.1126, abs=5e-5)
    assert pair.distance == pytest.approx(0.125, abs=5e-7)
    np.testing.assert_allclose(2 * np.array(pair.base_radii), [38.322e-3, 191.611e-3], atol=6e-7)


def test_sum_of_shifts_of_the_standard():
    """Example to ISO 21771:2007, equation 62: the shifts that take out all backlash."""
    data = {"module": 3.5e-3, "teeth": (31, 30), "helix_angle": radians(21.0)}
    reference = GearPair.from_module(**data)
    assert reference.distance == pytest.approx(114.3447280708e-3, rel=1e-9)
    pair = GearPair.from_module(**data, shifts=(0.291, 0.651877131252 - 0.291))
    assert pair.distance == pytest.approx(116.5e-3, rel=1e-10)
    assert degrees(pair.pressure_angle()) == pytest.approx(23.8707609654, rel=1e-10)


def test_contact_ratio_of_standard_spur_gears():
    """Two standard gears of 17 teeth: the printed tables give 1.515."""
    assert GearPair.from_module(2e-3, (17, 17)).contact_ratio == pytest.approx(1.515, abs=5e-4)


def test_stage_of_the_source_notes():
    assert degrees(STAGE.pressure_angle()) == pytest.approx(24.620, abs=5e-4)
    assert STAGE.path_of_contact == pytest.approx(14.355e-3, abs=5e-7)
    assert STAGE.base_pitch == pytest.approx(7.330e-3, abs=5e-7)


@given(beta=st.floats(0.0, 0.7), alpha=st.floats(0.2, 0.5), z=st.integers(12, 90))
def test_identities(beta, alpha, z):
    """sin(beta_b) = sin(beta) cos(alpha_n); normal base pitch of the rack; F_r by normal angles."""
    pair = GearPair.from_module(
        2e-3, (20, z), 0.03, helix_angle=beta, pressure_angle=alpha, addendum=0.3
    )
    assert sin(pair.base_helix_angle) == pytest.approx(sin(beta) * cos(alpha), abs=1e-14)
    assert pair.normal_base_pitch == pytest.approx(pi * 2e-3 * cos(alpha), rel=1e-13)
    assert pair.helix_angle() == pytest.approx(beta, abs=1e-7)
    assert pair.overlap_ratio == pytest.approx(0.03 * sin(beta) / (pi * 2e-3), abs=1e-12)
    force = pair.components(1000.0)
    assert force.radial == pytest.approx(force.tangential * tan(alpha) / cos(beta), rel=1e-7)
    assert force.axial == pytest.approx(force.tangential * tan(beta), abs=1e-4)
    assert np.linalg.norm(force) == pytest.approx(1000.0)


@given(beta=st.floats(0.0, 0.6), x=st.floats(-0.3, 0.6), wider=st.floats(1.0, 1.02))
def test_backlash_is_the_missing_tooth_thickness(beta, x, wider):
    """Thickness of the teeth on the working pitch circles, summed, falls short of the pitch by j_t;
    j = j_t cos(alpha_w) cos(beta_b)."""
    tight = GearPair.from_module(2e-3, (25, 40), helix_angle=beta, shifts=(x, 0.1))
    pair = GearPair.from_module(
        2e-3, (25, 40), helix_angle=beta, shifts=(x, 0.1), distance=wider * tight.distance
    )
    alpha_t, m_t = atan(tan(pi / 9) / cos(beta)), 2e-3 / cos(beta)
    alpha_w = acos(sum(pair.base_radii) / pair.distance)
    thickness = 0.0
    for z, shift, r_w in zip(pair.teeth, (x, 0.1), pair.pitch_radii(), strict=True):
        on_reference = (pi / 2 + 2 * shift * tan(pi / 9)) * m_t
        r = m_t * z / 2
        angle = on_reference / r + 2 * (involute(alpha_t) - involute(alpha_w))
        thickness += r_w * angle
    pitch = 2 * pi * pair.pitch_radii()[0] / 25
    expected = (pitch - thickness) * cos(alpha_w) * cos(pair.base_helix_angle)
    assert pair.backlash == pytest.approx(expected, abs=1e-15)
    assert tight.backlash_at(pair.distance) == pytest.approx(expected, abs=1e-15)


def test_path_of_contact_by_coordinates():
    """Where the line of action meets the tip circles, by intersecting line and circles."""
    pair = GearPair.from_module(2e-3, (21, 37), helix_angle=0.3, shifts=(0.2, -0.1))
    alpha = pair.pressure_angle()
    a, (first, second), r_w = pair.distance, pair.tip_radii, pair.pitch_radii()[0]
    way = np.array([sin(alpha), cos(alpha)])
    start = np.array([r_w, 0.0])

    def meets(centre, radius, sign):
        arm = start - centre
        half = arm @ way
        return -half + sign * sqrt(half**2 - arm @ arm + radius**2)

    recess = meets(np.zeros(2), first, 1.0)
    approach = meets(np.array([a, 0.0]), second, -1.0)
    assert pair.path_of_contact == pytest.approx(recess - approach, rel=1e-12)


BAD = {
    "zero teeth": ({"teeth": (0, 30)}, "invalid teeth = 0: expected an integer >= 1"),
    "half a tooth": ({"teeth": (30, 30.5)}, "invalid teeth = 30.5"),
    "three gears": ({"teeth": (30, 30, 30)}, "expected two numbers"),
    "base radius": ({"base_radius": -1.0}, "invalid base_radius = -1.0 m"),
    "centre distance": ({"distance": 0.07}, "larger than the sum of the base radii, 0.07 m"),
    "negative distance": ({"distance": -0.077}, "invalid distance = -0.077 m"),
    "helix": ({"base_helix_angle": 2.0}, "invalid base_helix_angle = 2.0 rad"),
    "hand": ({"hand": "both"}, "invalid hand = both: expected one of left, right"),
    "tips too small": ({"tip_radii": (0.034, 0.042)}, "tip_radii"),
    "tips too large": ({"tip_radii": (0.042, 0.06)}, "where the tip meets the other base circle"),
    "tips apart": ({"tip_radii": (0.036, 0.036)}, "expected teeth that touch"),
    "width": ({"face_width": 0.0}, "invalid face_width = 0.0 m"),
    "backlash": ({"backlash": -1e-4}, "invalid backlash = -0.0001 m"),
}


@pytest.mark.parametrize("fault", BAD)
def test_bad_input(fault):
    change, message = BAD[fault]
    with pytest.raises(InputError) as error:
        replace(STAGE, **change)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_bad_racks():
    for data, message in (
        ({"module": 0.0}, "module = 0.0 m"),
        ({"teeth": (0, 20)}, "teeth = 0"),
        ({"pressure_angle": 0.0}, "pressure_angle = 0.0 rad"),
        ({"shifts": (-0.5, -0.6)}, "the teeth would overlap at any centre distance"),
        ({"distance": 0.0399}, "expected at least 0.04 m, below which the teeth overlap"),
        ({"distance": 0.03}, "larger than the sum of the base radii"),
    ):
        with pytest.raises(InputError, match=message):
            GearPair.from_module(**{"module": 2e-3, "teeth": (20, 20), **data})


def test_missing_data_are_named():
    bare = GearPair((30, 30), 0.035, 0.077)
    with pytest.raises(InputError, match="tip_radii = None"):
        _ = bare.contact_ratio
    with pytest.raises(InputError, match="face_width = None"):
        _ = bare.overlap_ratio
