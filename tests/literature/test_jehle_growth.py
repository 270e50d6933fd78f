"""Flagship (Jehle 7.1, figure 7.6) after a small disturbance, by all three methods.

Growth rate and frequency are read from the amplitude of the leading mode, l . (x - x_0) with its
left vector l, and compared with `linearise(friction="state")`.
"""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import complex_modes, linearise, steady_state
from fecontact.case.registry import load_module
from fecontact.contact import ElastoPlastic, ring
from fecontact.integrate import simulate
from fecontact.reduction import ritz_harmonic

OPTIONS = {
    "explicit": {},
    "implicit": {"step": 2e-6, "rho_inf": 1.0},
    "ode": {"rtol": 1e-9, "atol": 1e-14, "solver": "DOP853"},
}


@pytest.fixture(scope="module")
def squeal():
    """System, steady sliding, leading mode, and its eigenvalue by the linearisation."""
    case = load_module("jehle/elastic_disc_in_time")
    p = case.InTime(harmonics=1, ring_points=6)
    length = ring(p.contact_radius, p.ring_points).measure
    law = ElastoPlastic(p.friction, p.bristle_stiffness / length, p.bristle_damping / length)
    system = case.disc.build(p, ritz_harmonic(case.disc.plate(p), p.harmonics), law)
    steady = system.sliding(steady_state(system).state)
    modes = complex_modes(linearise(system, steady, friction="state"))
    value = modes.leading_growth + 2j * np.pi * modes.leading_frequency
    return system, steady, case.leading_mode(system, steady), value


def test_left_vector_belongs_to_the_linearisation(squeal):
    *_, mode, value = squeal
    assert mode.value == pytest.approx(value, rel=1e-9)
    assert value.real > 10.0  # 1/s: it squeals
    assert value.imag == pytest.approx(2 * np.pi * 1276.8, rel=2e-3)  # rad/s, source notes T21


def deviations(squeal, method, end):
    """Relative errors of growth rate and frequency over a time in s."""
    system, steady, mode, value = squeal
    start = mode.disturbed(steady, 1e-7)
    motion = simulate(system, end, start, method, 1e-5, **OPTIONS[method])
    change = [motion.q - steady.q, motion.v - steady.v, motion.z - steady.z]
    amplitude = np.log(np.hstack(change) @ mode.left)
    growth = np.polyfit(motion.t, amplitude.real, 1)[0]
    frequency = np.polyfit(motion.t, np.unwrap(amplitude.imag), 1)[0]
    return abs(growth / value.real - 1.0), abs(frequency / value.imag - 1.0)


@pytest.mark.parametrize("method", OPTIONS)
def test_growth_over_a_quarter_period(squeal, method):
    growth, frequency = deviations(squeal, method, 2e-4)
    assert growth < 0.01
    assert frequency < 1e-4


@pytest.mark.slow
@pytest.mark.parametrize("method", OPTIONS)
def test_growth_over_ten_periods(squeal, method):
    growth, frequency = deviations(squeal, method, 8e-3)
    assert growth < 0.01
    assert frequency < 1e-4
