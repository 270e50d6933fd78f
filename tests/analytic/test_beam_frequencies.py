"""Beam frequencies against the frequency equations, all classic ends, both theories."""

from itertools import combinations_with_replacement

import numpy as np
import pytest

from fecontact.errors import InputError, SolverError
from fecontact.fem import STEEL, Section, straight_beam
from fecontact.reference.structures.beam import (
    BEAM_ENDS,
    beam_frequencies,
    shear_flexible_frequency,
)
from fecontact.solvers.eigen import lowest_modes

PAIRS = list(combinations_with_replacement(BEAM_ENDS, 2))
G = STEEL.young / (2 * (1 + STEEL.poisson))
HELD = {
    "free": (),
    "pinned": ("u_y", "u_z"),
    "clamped": ("u_y", "u_z", "theta_y", "theta_z"),
    "guided": ("theta_y", "theta_z"),
}

WAVE_NUMBERS = {
    ("free", "free"): (4.73004074, 7.85320462, 10.9956079),
    ("clamped", "clamped"): (4.73004074, 7.85320462, 10.9956079),
    ("clamped", "free"): (1.87510407, 4.69409113, 7.85475744),
    ("clamped", "pinned"): (3.92660231, 7.06858275, 10.21017612),
    ("free", "pinned"): (3.92660231, 7.06858275, 10.21017612),
    ("clamped", "guided"): (2.36502037, 5.49780392, 8.63937983),
    ("free", "guided"): (2.36502037, 5.49780392, 8.63937983),
    ("pinned", "pinned"): (np.pi, 2 * np.pi, 3 * np.pi),
    ("guided", "guided"): (np.pi, 2 * np.pi, 3 * np.pi),
    ("guided", "pinned"): (np.pi / 2, 3 * np.pi / 2, 5 * np.pi / 2),
}
"""Blevins 1979, table 8-1."""


def frequencies_of(beam, fields, count):
    """Frequencies with only some of the six fields free."""
    only = beam.free[np.isin(beam.free % 6, fields)]
    K, M = beam.stiffness[only][:, only], beam.mass[only][:, only]
    return lowest_modes(K, M, count)[0] / (2 * np.pi)


@pytest.mark.parametrize("ends", WAVE_NUMBERS)
def test_frequency_equation_gives_the_published_wave_numbers(ends):
    f = beam_frequencies(1.0, 1.0, 1.0, *ends, count=5)
    elastic = np.sqrt(2 * np.pi * f[f > 0])[:3]
    assert np.allclose(elastic, WAVE_NUMBERS[ends], atol=2e-8)
    assert np.allclose(beam_frequencies(1.0, 1.0, 1.0, *ends[::-1], count=5), f)


def test_high_modes_stay_accurate():
    f = beam_frequencies(1.0, 1.0, 1.0, "clamped", "free", 60)
    assert np.sqrt(2 * np.pi * f[-1]) == pytest.approx((60 - 0.5) * np.pi, rel=1e-13)


def test_pinned_timoshenko_beam_has_a_closed_form():
    data = {"shear_stiffness": 2.6e6, "rotary_inertia": 1e-4}
    f = beam_frequencies(0.1, 2800.0, 3.0, "pinned", "pinned", 4, **data)
    exact = [
        shear_flexible_frequency(n * np.pi / 0.1, 2800.0, 3.0, 2.6e6, 1e-4) for n in range(1, 5)
    ]
    assert np.allclose(f, exact, rtol=1e-12)


@pytest.mark.parametrize("ends", PAIRS)
@pytest.mark.parametrize(("theory", "error"), [("euler_bernoulli", 1e-6), ("timoshenko", 1e-4)])
@pytest.mark.parametrize(("fields", "moment"), [((2, 4), "inertia_y"), ((1, 5), "inertia_z")])
def test_finite_elements(ends, theory, error, fields, moment):
    """Length 20 heights: shear and rotary inertia lower the fourth frequency by 5 to 9 %."""
    section = Section.rectangle(0.04, 0.05)
    supports = dict(zip(("left", "right"), (HELD[end] for end in ends), strict=True))
    beam = straight_beam(1.0, section, STEEL, supports, elements=100, theory=theory)
    second, shear = getattr(section, moment), {}
    if theory == "timoshenko":
        shear["shear_stiffness"] = 5 / 6 * G * section.area
        shear["rotary_inertia"] = STEEL.density * second
    m = STEEL.density * section.area
    exact = beam_frequencies(1.0, STEEL.young * second, m, *ends, count=4, **shear)
    found = frequencies_of(beam, fields, 4)
    elastic = exact > 0
    assert np.all(found[~elastic] < 1e-3 * exact[elastic][0])
    assert np.allclose(found[elastic], exact[elastic], rtol=error)


@pytest.mark.parametrize("field", [0, 3])
def test_axial_and_torsional_frequencies(field):
    section = Section.rectangle(0.02, 0.01)
    beam = straight_beam(2.0, section, STEEL, {"left": "clamped"}, elements=60)
    found = frequencies_of(beam, [field], 2)
    polar = section.inertia_y + section.inertia_z
    square = STEEL.young if field == 0 else G * section.torsion / polar
    exact = np.sqrt(square / STEEL.density) * np.array([1, 3]) / (4 * 2.0)
    assert np.allclose(found, exact, rtol=6e-4)


def test_reference_refuses_what_it_cannot_answer():
    with pytest.raises(InputError, match="left = glued"):
        beam_frequencies(1.0, 1.0, 1.0, "glued", "free")
    with pytest.raises(SolverError, match="cut-off"):
        beam_frequencies(
            1.0, 1.0, 1.0, "free", "free", 50, shear_stiffness=50.0, rotary_inertia=0.01
        )
