"""Jehle 7.1 (notes T21) with friction that has a history: linearisation, and growth in time."""

from __future__ import annotations

import sys

import numpy as np
import pytest

from fecontact.analysis import complex_modes, linearise, steady_state
from fecontact.case.registry import load_module
from fecontact.contact import ElastoPlastic, ring
from fecontact.integrate import simulate
from fecontact.reduction import ritz_harmonic


@pytest.fixture(scope="module")
def in_time():
    return load_module("jehle/elastic_disc_in_time")


@pytest.fixture(scope="module")
def sliding(in_time):
    """System and steady sliding of the flagship with bristles of a given stiffness in N/m."""

    def sliding(stiffness):
        p = in_time.InTime(harmonics=1, ring_points=6)
        length = ring(p.contact_radius, p.ring_points).measure
        law = ElastoPlastic(p.friction, stiffness / length, p.bristle_damping / length)
        model = ritz_harmonic(in_time.disc.plate(p), p.harmonics)
        system = in_time.disc.build(p, model, law)
        return system, system.sliding(steady_state(system).state)

    return sliding


def test_idle_bristles_are_no_modes(in_time, sliding, monkeypatch):
    """Bristles that act on nothing, carried around with the disc, leave the other modes alone."""
    system, state = sliding(1.2e8)
    model = linearise(system, state, "state")
    module = sys.modules["fecontact.analysis.stability.linearise"]
    monkeypatch.setattr(module, "active_directions", lambda *_: np.eye(18))
    full = complex_modes(linearise(system, state, "state")).eigenvalues
    modes = complex_modes(model).eigenvalues
    count = [
        2 * np.count_nonzero(z.imag > 0.0) + np.count_nonzero(z.imag == 0.0) for z in (modes, full)
    ]
    assert count[0] == count[1] - 6  # those along the normal of six points
    scale = np.abs(full).max()
    np.testing.assert_array_less(np.abs(full - modes[:, None]).min(axis=1), 1e-10 * scale)
    left = full[np.abs(full[:, None] - modes).min(axis=1) > 1e-8 * scale]
    np.testing.assert_allclose(left.real, 0.0, atol=1e-10 * scale)
    assert np.abs(modes.real).min() > 1.0


def test_bristles_tend_to_coulomb(in_time, sliding):
    """Digest 2.3.3, limit 2: the linearisation with z as state goes to Coulomb's as 1/c_t."""
    errors = []
    for stiffness in (1.2e8, 1.2e9, 1.2e10):
        system, state = sliding(stiffness)
        assert np.abs(system.rate_form(state).z_rate).max() < 1e-12
        modes = complex_modes(linearise(system, state))
        coulomb = modes.leading_growth + 2j * np.pi * modes.leading_frequency
        errors.append(in_time.leading_mode(system, state).value - coulomb)
    assert np.abs(errors[0].real) < 0.03  # 1/s, of 13.7 1/s
    assert np.abs(errors[0].imag) < 0.06  # rad/s, of 8023 rad/s
    for part in (np.real, np.imag):
        ratios = np.log10(np.abs(part(errors[:2]) / part(errors[1:])))
        np.testing.assert_allclose(ratios, 1.0, atol=0.02)


OPTIONS = {
    "explicit": {"step": 2.5e-6, "backend": "compiled"},
    "implicit": {"step": 2.5e-6, "rho_inf": 1.0},
    "ode": {"rtol": 1e-10},
}


@pytest.mark.parametrize(
    "method", ["explicit", *(pytest.param(m, marks=pytest.mark.slow) for m in ("implicit", "ode"))]
)
def test_growth_in_time(in_time, sliding, method):
    """Issue: growth rate within 1 % and frequency within 1e-4 of the linearisation."""
    system, state = sliding(1.2e8)
    mode, options = in_time.leading_mode(system, state), OPTIONS[method]
    modes = complex_modes(linearise(system, state, friction="state"))
    assert mode.value.real == pytest.approx(modes.leading_growth, rel=1e-6)
    assert mode.value.imag == pytest.approx(2 * np.pi * modes.leading_frequency, rel=1e-9)
    motion = simulate(system, 2e-3, mode.disturbed(state, 1e-7), method, 2e-5, **options)
    change = [motion.q - state.q, motion.v - state.v, motion.z - state.z]
    amplitude = np.hstack(change) @ mode.left
    growth = np.polyfit(motion.t, np.log(np.abs(amplitude)), 1)[0]
    frequency = np.polyfit(motion.t, np.unwrap(np.angle(amplitude)), 1)[0]
    assert growth == pytest.approx(mode.value.real, rel=0.01)
    assert frequency == pytest.approx(mode.value.imag, rel=1e-4)


@pytest.mark.slow
@pytest.mark.parametrize("basis", ["Ritz", "FE"])
def test_growth_of_the_full_model(in_time, basis):
    """The same with all points and harmonics, by the explicit method, over ten times as long."""
    p = in_time.InTime()
    system, state = in_time.sliding(p, basis)
    mode = in_time.leading_mode(system, state)
    step = {"Ritz": 2.5e-6, "FE": 1.5e-6}[basis]
    start = mode.disturbed(state, 1e-7)
    motion = simulate(system, 0.02, start, "explicit", 2e-5, step=step, backend="compiled")
    rate, frequency = in_time.growth_of(motion, state, mode)
    assert rate == pytest.approx(mode.value.real, rel=0.01)
    assert frequency == pytest.approx(mode.value.imag / (2 * np.pi), rel=1e-4)
