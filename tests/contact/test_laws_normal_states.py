"""Stateful normal laws against closed forms of creep, relaxation, recovery and restitution."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from fecontact.contact.laws.kelvin_layer import KelvinLayer
from fecontact.contact.laws.penalty import PenaltyNormal
from fecontact.contact.laws.solid_layer import SolidLayer
from fecontact.errors import InputError

C2, C1, TAU = 1000.0, 2500.0, 0.2
SOLID, KELVIN = SolidLayer(C2, C1, TAU), KelvinLayer(1000.0, 20.0)
SEEDS = st.integers(0, 10**6)
ALPHA = C2 / ((C1 + C2) * TAU)


def one(x):
    return np.array([float(x)])


def drive(law, gaps, h):
    """Pressures and states along a path of gaps."""
    z, pressures, states = np.zeros(1), [], []
    for before, gap in pairwise(gaps):
        step = law.step(z, one(before), one(gap), one((gap - before) / h), h)
        z = step.z
        pressures.append(step.pressure.item())
        states.append(z.item())
    return np.array(pressures), np.array(states)


@pytest.mark.parametrize("h", [0.5, 0.05])
def test_ramp_is_exact_at_any_step(h):
    speed, t = 0.01, h * np.arange(1, 9)
    pressures, _ = drive(SOLID, -speed * np.r_[0.0, t], h)
    exact = C2 * speed * t + C1 * speed * TAU * (1 - np.exp(-t / TAU))
    np.testing.assert_allclose(pressures, exact, rtol=1e-13)


def test_relaxation_at_constant_compression():
    start = SOLID.step(np.zeros(1), one(0), one(-1e-3), one(0), 1e-12)
    t = 0.37
    later = SOLID.step(start.z, one(-1e-3), one(-1e-3), one(0), t)
    assert later.pressure.item() == pytest.approx(1e-3 * SOLID.relaxation(t), rel=1e-9)
    assert SOLID.relaxation(0.0) == C1 + C2


def test_creep_under_constant_pressure():
    p = 3.0

    def rate(t, y):
        d = (p + C1 * y) / (C1 + C2)
        return SOLID.rate(y, -d, np.zeros(1)).z_rate

    found = solve_ivp(rate, (0.0, 1.0), [0.0], rtol=1e-10, atol=1e-14)
    d = (p + C1 * found.y[0, -1]) / (C1 + C2)
    assert d == pytest.approx(p * SOLID.creep(1.0), rel=1e-8)
    assert SOLID.creep(0.0) == pytest.approx(1 / (C1 + C2))
    assert SOLID.creep(1e9) == pytest.approx(1 / C2)


def test_recovery_and_closing_again():
    """Free, the surface returns by exp(-alpha t); a wall that comes back touches it there."""
    y, t = 1e-3, 0.15
    free = SOLID.step(one(y), one(1.0), one(1.0), one(0), t)
    assert free.pressure.item() == 0.0
    assert free.z.item() == pytest.approx(y * np.exp(-ALPHA * t), rel=1e-14)
    surface = C1 / (C1 + C2) * free.z.item()
    touch = [SOLID.rate(free.z, one(-surface * s), one(0)).pressure.item() for s in (0.99, 1.01)]
    assert touch[0] == 0.0
    assert touch[1] > 0.0


@pytest.mark.parametrize("law", [SOLID, KELVIN], ids=["solid", "kelvin"])
def test_step_tends_to_the_rate_form(law):
    """A path that presses, opens and comes back: first order to the integrated rate form."""
    gap = lambda t: -1e-3 * np.sin(5.0 * t) * np.exp(-0.3 * t) - 2e-4  # noqa: E731
    rate = lambda t: (gap(t + 1e-6) - gap(t - 1e-6)) / 2e-6  # noqa: E731
    end = 1.6
    fine = solve_ivp(
        lambda t, z: law.rate(z, one(gap(t)), one(rate(t))).z_rate, (0, end), [0.0], max_step=2e-3,
        rtol=1e-6, atol=1e-11,
    )  # fmt: skip
    errors = []
    for n in (200, 800):
        t = np.linspace(0.0, end, n + 1)
        gaps = gap(t)
        gaps[0] = 0.0  # no pressure before the start
        errors.append(abs(drive(law, gaps, end / n)[1][-1] - fine.y[0, -1]))
    assert errors[1] < max(0.4 * errors[0], 1e-7)


@settings(max_examples=25)
@given(seed=SEEDS)
@pytest.mark.parametrize("law", [SOLID, KELVIN], ids=["solid", "kelvin"])
def test_derivatives(law, seed, difference):
    """The laws are linear between kinks; a second difference tells that there is none."""
    rng = np.random.default_rng(seed)
    z, before, gap, rate = np.abs(rng.normal()), *rng.normal(size=3)
    state, before, h = np.array([1e-3 * gap, 0.02 * rate, 1e-3 * z]), one(1e-3 * before), 0.05

    def values(x):
        gap, rate, z = (one(value) for value in x)
        step, rates = law.step(z, before, gap, rate, h), law.rate(z, gap, rate)
        return np.concatenate([step.pressure, rates.pressure, rates.z_rate])

    gap, rate, z = (one(value) for value in state)
    step, rates = law.step(z, before, gap, rate, h), law.rate(z, gap, rate)
    exact = np.zeros((3, 3))
    exact[0, :2] = step.by_gap.item(), step.by_rate.item()
    exact[1], exact[2] = np.ravel(rates.pressure_by), np.ravel(rates.z_rate_by)
    numeric, here = difference(values, state, np.full(3, 1e-6)), values(state)
    numeric[0, 2] = 0.0  # the step is not differentiated by its start
    for i in range(3):
        move = 3e-6 * np.eye(3)[i]
        bend = np.abs(values(state + move) - 2 * here + values(state - move))
        smooth = bend <= 1e-12 * (1.0 + np.abs(here))
        np.testing.assert_allclose(exact[smooth, i], numeric[smooth, i], rtol=1e-7, atol=1e-6)


@pytest.mark.parametrize(
    ("zeta", "restitution"), [(0.05, 0.858758), (0.1, 0.744079), (0.3, 0.450975), (0.6, 0.248841)]
)
def test_restitution_of_a_mass_on_kelvins_layer(zeta, restitution):
    """e = exp(-(zeta/w)(pi - atan2(2 zeta w, 1 - 2 zeta^2))), w^2 = 1 - zeta^2: no tension."""
    w = np.sqrt(1 - zeta**2)
    exact = np.exp(-zeta / w * (np.pi - np.arctan2(2 * zeta * w, 1 - 2 * zeta**2)))
    assert exact == pytest.approx(restitution, abs=1e-6)
    law = KelvinLayer(1.0, 2.0 * zeta)

    def rate(t, y):
        rates = law.rate(one(y[2]), one(y[0]), one(y[1]))
        return [y[1], rates.pressure.item(), rates.z_rate.item()]

    found = solve_ivp(rate, (0, 8.0), [0.0, -1.0, 0.0], rtol=1e-8, atol=1e-11, max_step=0.02)
    assert found.y[1, -1] == pytest.approx(exact, abs=2e-4)


def test_closing_again_differs_from_the_law_without_history():
    """After a fast opening the free layer is still compressed; the plain spring is not."""
    law, plain = KELVIN, PenaltyNormal(1000.0, 20.0)
    released, h = one(1e-3), 0.01
    surface = 1e-3 * np.exp(-50.0 * h)
    gap, closing = one(-0.9 * surface), one(-0.05)
    assert law.step(released, one(1e-3), gap, closing, h).pressure.item() == 0.0
    assert plain.pressure(gap, closing)[0].item() > 0.0
    touched = law.step(released, one(1e-3), one(-1.01 * surface), closing, h)
    assert touched.pressure.item() == plain.pressure(one(-1.01 * surface), closing)[0].item()


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("law", [SolidLayer(1e3, 2e3, 0.1), KelvinLayer(1e3, 20.0)])
def test_points_beside_the_master_recover(law):
    """A gap without end, as beside a ring: the state decays as that of a free one."""
    gap, still = np.array([np.inf, 1.0]), np.zeros(2)
    step = law.step(np.full(2, 1e-3), gap, gap, still, 0.01)
    assert np.all(step.pressure == 0.0)
    assert step.z[0] == step.z[1] < 1e-3


def test_bad_input():
    with pytest.raises(InputError, match="relaxation_time = 0"):
        SolidLayer(1.0, 1.0, 0.0)
    with pytest.raises(InputError, match="contact damping"):
        KelvinLayer(1.0, 0.0)
