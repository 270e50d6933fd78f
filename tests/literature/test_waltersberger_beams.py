"""Beams of Waltersberger 2007: free Timoshenko beam (T8), delaminated beams (T9, T10, T12).

The text of the source prints 22.8 Hz (T10) and 43.1 Hz (T12). The other numbers are the digest's
own calculations with another element (cubic Timoshenko; Hermite with linear bars), printed to four
or five digits.
"""

import numpy as np
import pytest
import scipy.linalg as la

from fecontact.fem import Beam, Material, Section, Segment, straight_beam
from fecontact.reference.structures.beam import beam_frequencies
from fecontact.solvers.eigen import lowest_modes

T9 = {
    0.1: (23.99, 95.05, 215.88, 370.06, 598.42, 803.19, 1165.4, 1391.0, 1899.5, 2163.2),
    0.2: (23.99, 89.44, 213.89, 318.39, 563.24, 679.91, 714.62, 1010.1, 1328.1, 1638.8),
    0.4: (23.90, 68.51, 169.98, 178.78, 284.77, 434.57, 468.55, 634.24, 903.57, 918.55),
    0.6: (23.34, 54.45, 75.55, 134.75, 208.24, 252.91, 408.02, 408.24, 565.33, 674.86),
}
HEIGHT = 0.01
STEEL = Material(210e9, 0.3, 7500.0)


def delaminated(gap, lower, width, motion="planar", elements=36):
    """Pinned beam of 1 m with a centred gap; `lower` is the thickness below it."""
    start, end = 0.5 - gap / 2, 0.5 + gap / 2
    upper = HEIGHT - lower
    segments = [
        Segment(0.0, start, Section.rectangle(width, HEIGHT), STEEL, elements),
        Segment(
            start, end, Section.rectangle(width, upper), STEEL, elements, (0.0, lower / 2), "upper"
        ),
        Segment(
            start, end, Section.rectangle(width, lower), STEEL, elements, (0.0, -upper / 2), "lower"
        ),
        Segment(end, 1.0, Section.rectangle(width, HEIGHT), STEEL, elements),
    ]
    supports = {"left": "pinned", "right": "pinned"}
    return Beam(segments, supports, theory="euler_bernoulli", motion=motion)


def frequencies(beam, count):
    free = beam.free
    omega, _ = lowest_modes(beam.stiffness[free][:, free], beam.mass[free][:, free], count)
    return omega / (2 * np.pi)


@pytest.mark.parametrize(
    ("second", "noted"),
    [(0.01**4 / 12, (27.19, 74.95, 146.89)), (0.02**4 / 12, (108.63, 298.62, 583.09))],
)
def test_t8_free_timoshenko_beam(second, noted):
    """Printed I = 0.01^4/12 (not that of the square of side 0.02), and the consistent one."""
    area, young, shear = 0.02**2, 210e9, 81e9
    material = Material(young, young / (2 * shear) - 1, 7500.0)
    section = Section(area, second, second, 2 * second, 1 / 1.2, 1 / 1.2)
    beam = straight_beam(1.0, section, material, elements=60, motion="planar")
    found = frequencies(beam, 6)
    assert np.all(found[:3] < 1e-2)
    assert np.allclose(found[3:], noted, atol=0.005, rtol=5e-5)
    exact = beam_frequencies(
        1.0,
        young * second,
        7500.0 * area,
        "free",
        "free",
        5,
        shear_stiffness=shear * area / 1.2,
        rotary_inertia=7500.0 * second,
    )
    assert np.allclose(exact[2:], noted, atol=0.005, rtol=1e-6)


@pytest.mark.parametrize("gap", T9)
def test_t9_centred_delamination(gap):
    found = frequencies(delaminated(gap, HEIGHT / 2, 2 * HEIGHT), 10)
    assert np.allclose(found, T9[gap], atol=0.051, rtol=1e-4)


@pytest.mark.parametrize("gap", [0.2, 0.4, 0.6])
def test_t9_opening_mode_is_that_of_clamped_halves(gap):
    half = Section.rectangle(2 * HEIGHT, HEIGHT / 2)
    exact = beam_frequencies(
        gap, STEEL.young * half.inertia_y, STEEL.density * half.area, "clamped", "clamped"
    )[0]
    found = frequencies(delaminated(gap, HEIGHT / 2, 2 * HEIGHT), 10)
    assert np.min(np.abs(found / exact - 1)) < 1e-6


def test_t10_off_centre_delamination():
    found = frequencies(delaminated(0.6, 0.75 * HEIGHT, 2 * HEIGHT), 12)
    assert found[0] == pytest.approx(22.8, abs=0.05), "published"
    noted = (
        22.814,
        43.082,
        67.472,
        113.64,
        166.93,
        215.83,
        320.98,
        344.74,
        500.91,
        527.62,
        675.81,
    )
    assert np.allclose(found[:11], noted, rtol=5e-5)


def test_t12_critical_speeds_of_the_square_shaft():
    """K_el - Omega^2 K_c is singular at the critical speeds; published: the third at 43.1 Hz."""
    beam = delaminated(0.6, 0.75 * HEIGHT, HEIGHT, motion="spatial", elements=10)
    free = beam.free
    K, K_c = (
        A[free][:, free].toarray() for A in (beam.stiffness, beam.rotation((1, 0, 0)).centrifugal)
    )
    critical = 1 / np.sqrt(la.eigh(K_c, K, eigvals_only=True)[::-1][:5]) / (2 * np.pi)
    assert critical[2] == pytest.approx(43.1, abs=0.05), "published"
    assert np.allclose(critical, (22.814, 23.994, 43.082, 67.47, 95.98), rtol=1e-4)
