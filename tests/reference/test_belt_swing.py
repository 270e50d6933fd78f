"""Mass on a belt: the onset from the slope of friction, averaging and stick against a motion."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.reference import BeltSwing

BELT = BeltSwing(1.0, 1e4, 1.0, 20.0, 0.4, 0.25, 0.5)


def test_at_the_onset_friction_falls_as_much_as_the_damper_brakes():
    h = 1e-6
    slope = (BELT.friction(BELT.onset + h) - BELT.friction(BELT.onset - h)) / (2.0 * h)
    assert BELT.load * slope == pytest.approx(-BELT.damping, rel=1e-6)


def test_swing_reaches_the_belt_where_it_begins_to_stick():
    assert BELT.omega * BELT.amplitude(BELT.sticks) == pytest.approx(BELT.sticks)


def test_averaged_amplitude_against_a_long_motion():
    """Weak friction: x'' + w^2 x = (N mu(v - x') - d x')/m settles on the averaged amplitude."""
    belt, weak = 0.95 * BELT.onset, replace(BELT, stiffness=1e6)

    def rate(t, y):
        force = weak.load * weak.friction(belt - y[1]) - weak.damping * y[1]
        return [y[1], force / weak.mass - weak.omega**2 * y[0]]

    start = [1.2 * weak.amplitude(belt), 0.0]
    found = solve_ivp(rate, (0.0, 8.0), start, "DOP853", rtol=1e-8, atol=1e-12)
    late = found.t > 7.9
    assert 0.5 * np.ptp(found.y[0, late]) == pytest.approx(weak.amplitude(belt), rel=0.01)


def test_with_stick_the_mass_moves_with_the_belt_at_least():
    amplitude, frequency = BELT.with_stick(0.5 * BELT.sticks)
    assert BELT.omega * amplitude > 0.5 * BELT.sticks
    assert frequency < BELT.omega / (2.0 * np.pi)


def test_from_parameters_of_the_same_names():
    assert BeltSwing.of(BELT) == BELT
