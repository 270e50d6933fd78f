"""How long a contact point stays in its statuses, and what the audit leaves over in time."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

import fecontact as fc

MU, SPEED, END = 0.3, 0.5, 0.4


@pytest.fixture(scope="module")
def motion():
    """A mass that slides, stops after v/(mu g) and stays."""
    mass = fc.RigidBody("mass", 1.0, ("ux", "uz"))
    point = fc.Surface(np.zeros((1, 3)), np.ones(1))
    laws = fc.PenaltyNormal(1e6, 2e3), fc.ElastoPlastic(MU, 1e6, 2e3)
    foot = fc.ContactPair(mass, point, fc.RigidFace(None, fc.Plane()), *laws, "foot")
    system = fc.System([mass], [fc.Gravity([mass]), foot])
    start = system.state(q={"mass.uz": -9.81e-6}, v={"mass.ux": SPEED})
    return fc.simulate(system, END, system.sliding(start), output=1e-3, step=1e-3)


def test_sliding_lasts_until_the_mass_stops(motion):
    dwells = motion.dwells(0)
    slides = sum(time for status, time in dwells if status in (fc.SLIP, fc.GROSS))
    assert slides == pytest.approx(SPEED / (MU * 9.81), abs=3e-3)
    assert dwells[-1][0] == fc.STICK
    assert sum(time for _, time in dwells) == pytest.approx(END)
    assert all(before[0] != after[0] for before, after in pairwise(dwells))


def test_left_over_is_the_sum_of_both_lines(motion):
    lines = motion.energies
    expected = np.abs(lines["numerical"]) + np.abs(lines["residual"])
    assert motion.left_over == pytest.approx(expected)
    assert motion.left_over.max() > 0.0
