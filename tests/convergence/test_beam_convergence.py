"""Order of the frequency error over the element size: the expected order is data."""

import numpy as np
import pytest

from fecontact.fem import STEEL, Section, straight_beam
from fecontact.reference.structures.beam import beam_frequencies
from fecontact.solvers.eigen import lowest_modes

G = STEEL.young / (2 * (1 + STEEL.poisson))
SECTION = Section.rectangle(0.1, 0.125)
MASS = STEEL.density * SECTION.area
BENDING = STEEL.young * SECTION.inertia_y
EXACT = {
    "euler_bernoulli": beam_frequencies(1.0, BENDING, MASS, "clamped", "free", 3)[-1],
    "timoshenko": beam_frequencies(
        1.0,
        BENDING,
        MASS,
        "clamped",
        "free",
        3,
        shear_stiffness=5 / 6 * G * SECTION.area,
        rotary_inertia=STEEL.density * SECTION.inertia_y,
    )[-1],
    "axial": 5 / 4 * np.sqrt(STEEL.young / STEEL.density),
}


@pytest.mark.parametrize(
    ("what", "order", "fields"),
    [("euler_bernoulli", 4.0, (1, 2)), ("timoshenko", 2.0, (1, 2)), ("axial", 2.0, (0,))],
)
def test_third_frequency_of_a_thick_cantilever(what, order, fields):
    theory = "timoshenko" if what == "axial" else what
    errors = []
    for elements in (8, 16, 32):
        beam = straight_beam(
            1.0,
            SECTION,
            STEEL,
            {"left": "clamped"},
            elements=elements,
            theory=theory,
            motion="planar",
        )
        only = beam.free[np.isin(beam.free % 3, fields)]
        K, M = beam.stiffness[only][:, only], beam.mass[only][:, only]
        found = lowest_modes(K, M, 3)[0][-1] / (2 * np.pi)
        errors.append(found / EXACT[what] - 1.0)
    assert np.all(np.array(errors) > 0.0), "consistent mass: frequencies come from above"
    assert np.log2(errors[1] / errors[2]) == pytest.approx(order, abs=0.1)


def test_slender_timoshenko_beam_converges_as_fast_as_euler_bernoulli():
    """No locking: at slenderness 1000 the order is 4 until the small shear error shows."""
    section = Section.rectangle(1e-3, 1e-3)
    exact = beam_frequencies(
        1.0,
        STEEL.young * section.inertia_y,
        STEEL.density * section.area,
        "clamped",
        "free",
        3,
        shear_stiffness=5 / 6 * G * section.area,
        rotary_inertia=STEEL.density * section.inertia_y,
    )[-1]
    errors = []
    for elements in (6, 12):
        beam = straight_beam(
            1.0, section, STEEL, {"left": "clamped"}, elements=elements, motion="planar"
        )
        free = beam.free
        omega = lowest_modes(beam.stiffness[free][:, free], beam.mass[free][:, free], 3)[0]
        errors.append(omega[-1] / (2 * np.pi) / exact - 1.0)
    assert np.log2(errors[0] / errors[1]) == pytest.approx(4.0, abs=0.2)
