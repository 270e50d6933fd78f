"""Creep under a growing load: two ways to the same approach, and their elastic limits."""

from __future__ import annotations

import pytest

from fecontact.reference import HertzCreep


@pytest.mark.parametrize("law", ["lee-radok", "corrected"])
def test_equation_and_hereditary_integral(law):
    ball = HertzCreep(25e3, 40e3, 2e4, 0.4, 0.02)
    assert ball.growing_load(2.0, 7.0, law) == pytest.approx(ball.hereditary(2.0, 7.0, law), 1e-6)


@pytest.mark.parametrize("law", ["lee-radok", "corrected"])
def test_stiff_damper_leaves_the_fast_contact(law):
    ball = HertzCreep(25e3, 40e3, 1e12, 0.4, 0.02)
    assert ball.hereditary(50.0, 7.0, law) == pytest.approx(ball.elastic(7.0, 65e3), 1e-6)


def test_soft_damper_leaves_the_slow_contact():
    ball = HertzCreep(25e3, 40e3, 10.0, 0.4, 0.02)
    assert ball.growing_load(50.0, 7.0) == pytest.approx(ball.elastic(7.0, 40e3), 1e-6)


def test_rates_of_force_and_approach_agree():
    """w' of the approach from F and F', and F' of the force from w and w', are one equation."""
    ball = HertzCreep(25e3, 40e3, 2e4, 0.4, 0.02)
    approach, speed, force = 2e-3, 5e-2, 0.4
    rate = ball.force_rate(approach, speed, force)
    w_rate = 1.5 * approach**0.5 * speed
    assert ball.rate(approach**1.5, force, rate) == pytest.approx(w_rate, rel=1e-12)
