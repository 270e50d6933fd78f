"""Partial slip: the energy is the area of the loop, and full slip its limit."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference import PartialSlip


@pytest.mark.parametrize("share", [0.3, 0.7, 0.95])
def test_energy_is_the_area_of_the_loop(share):
    slip = PartialSlip(30.0, 2e-6, share * 30.0)
    u = np.linspace(1.0, -1.0, 20001) * slip.displacement
    down = slip.unloading(u)
    assert down[[0, -1]] == pytest.approx([slip.force, -slip.force])
    assert slip.energy == pytest.approx(2.0 * np.trapezoid(down, u), rel=1e-6)


def test_full_slip_and_stick():
    slip = PartialSlip(30.0, 2e-6, 30.0)
    assert (slip.displacement, slip.stick_radius) == (2e-6, 0.0)
    stuck = PartialSlip(30.0, 2e-6, 1e-3)
    assert stuck.displacement == pytest.approx(2.0 / 3.0 * 2e-6 * 1e-3 / 30.0, rel=1e-4)
    assert stuck.stick_radius == pytest.approx(1.0, rel=1e-4)
