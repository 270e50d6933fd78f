"""First step of a hoop on bristles: it solves the equations of the step."""

from __future__ import annotations

import pytest

from fecontact.reference import hoop_first_step


@pytest.mark.parametrize("preload", [0.0, 1e-4])
def test_balance_of_the_step(preload):
    m, R, F, c, beta, h = 1.2, 0.1, 3.0, 1e4, 50.0, 1e-3
    v, omega, z = hoop_first_step(m, R, F, c, beta, h, preload)
    friction = c * (preload + z) + beta * (v - omega * R)
    assert m * v / h == pytest.approx(F - friction)
    assert m * R * omega / h == pytest.approx(friction)
    assert z / h == pytest.approx(v - omega * R)
