"""Comparison laws: closed forms, declared invariants, drift against the elasto-plastic law."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from fecontact.contact.laws.bristles import dahl, dupont, lugre
from fecontact.contact.laws.coefficient import Coulomb, FrictionTable, Stribeck
from fecontact.contact.laws.regularised import RegularisedCoulomb
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.errors import InputError

SEEDS = st.integers(0, 10**6)
STRIBECK = Stribeck(0.3, 0.5, 0.2, exponent=2.0)
BRISTLES = {
    "dahl": dahl(0.4, 100.0),
    "lugre": lugre(STRIBECK, 100.0, 2.0, 0.1),
    "dupont": dupont(0.4, 100.0, onset=0.7, decay=0.6),
}
SMOOTH = {form: RegularisedCoulomb(0.4, 0.01, form) for form in ("arctan", "tanh")}


def random_points(seed, count=30):
    rng = np.random.default_rng(seed)
    flat = np.array([1.0, 1.0, 0.0])
    z, slip = 4e-3 * rng.normal(size=(count, 3)) * flat, 0.3 * rng.normal(size=(count, 3)) * flat
    pressure = np.maximum(0.0, rng.normal(0.7, 1.0, count))
    return z, slip, pressure, np.full(count, SLIP)


def test_open_points_carry_nothing():
    z, slip, pressure, status = random_points(3)
    is_open = pressure == 0.0
    assert is_open.any()
    for law in (*BRISTLES.values(), *SMOOTH.values()):
        for form in (law.rate, partial(law.step, h=0.01)):
            found = form(z, slip, pressure, status)
            assert np.all(found.traction[is_open] == 0.0)
            assert np.all(found.status[is_open] == OPEN)


def test_lugre_leaves_the_cone():
    """Why |T| <= mu p is not declared for LuGre: its damper has no limit."""
    law = lugre(0.4, 100.0, damping=5.0)
    slip = np.array([[0.5, 0.0, 0.0]])
    at_rest = law.rate(np.zeros((1, 3)), slip, np.ones(1), np.array([SLIP]))
    assert np.linalg.norm(at_rest.traction) > 2.0 * 0.4


def test_lugre_can_give_energy_back():
    """Bent to the static limit and then slid fast, the damper drives: not passive."""
    z, slip = np.array([[0.5 / 100.0, 0.0, 0.0]]), np.array([[1.0, 0.0, 0.0]])
    law = lugre(STRIBECK, 100.0, damping=2.0)
    assert law.rate(z, slip, np.ones(1), np.array([SLIP])).power.item() < -0.3


@pytest.mark.parametrize("name", list(BRISTLES))
def test_steady_sliding(name):
    """T -> -(mu(v) + mu_V v) p e after a path of many mu p/c."""
    law = BRISTLES[name]
    slip, p = np.array([[0.06, 0.08, 0.0]]), np.array([2.0])
    z, status = np.zeros((1, 3)), np.array([SLIP])
    for _ in range(1500):
        step = law.step(z + 2e-3 * slip, slip, p, status, 2e-3)
        z, status = step.z, step.status
    mu = law.coefficient.values(np.array([0.1]), p, np.array([SLIP]))[0].item()
    expected = -(mu + law.viscous * 0.1) * 2.0 * np.array([0.6, 0.8, 0.0])
    np.testing.assert_allclose(step.traction[0], expected, rtol=1e-9)
    rates = law.rate(z, slip, p, status)
    np.testing.assert_allclose(rates.z_rate, 0.0, atol=1e-9)


def test_dahl_pull_and_turn_back():
    """Closed form of the first pull, T = mu p (1 - exp(-c x/(mu p)))."""
    law, x = dahl(0.4, 100.0), 0.003
    errors = []
    for n in (50, 100):
        z, slip = np.zeros((1, 3)), np.array([[x, 0.0, 0.0]])
        for _ in range(n):
            z = law.step(z + slip / n, slip, np.ones(1), np.array([SLIP]), 1.0 / n).z
        errors.append(abs(100.0 * z[0, 0] - 0.4 * (1 - np.exp(-100.0 * x / 0.4))))
    assert 1.8 < errors[0] / errors[1] < 2.2

    def rate(t, z):
        return law.rate(z[None, :], np.array([[x, 0.0, 0.0]]), np.ones(1), np.array([SLIP])).z_rate[
            0
        ]

    found = solve_ivp(rate, (0, 1), np.zeros(3), rtol=1e-10, atol=1e-14).y[0, -1]
    assert 100.0 * found == pytest.approx(0.4 * (1 - np.exp(-100.0 * x / 0.4)), rel=1e-8)


def test_dupont_sticks_below_the_onset_and_relaxes():
    law = dupont(0.4, 100.0, onset=0.8, decay=0.5)
    slip, ones = np.array([[0.1, 0.0, 0.0]]), np.ones(1)
    below = law.rate(np.array([[3.1e-3, 0.0, 0.0]]), slip, ones, np.array([STICK]))
    np.testing.assert_array_equal(below.z_rate, slip)
    assert below.status.item() == STICK
    back = law.rate(np.array([[3.9e-3, 0.0, 0.0]]), -slip, ones, np.array([SLIP]))
    np.testing.assert_array_equal(back.z_rate, -slip)
    # beyond the limit the excess decays with nu c|v|/S
    excess = 1e-3
    over = law.rate(np.array([[4e-3 + excess, 0.0, 0.0]]), slip, ones, np.array([SLIP]))
    assert over.z_rate[0, 0] == pytest.approx(-0.5 * 100.0 * 0.1 / 0.4 * excess)


def test_block_slides_and_sticks():
    """Keppler, example 4.7, with v_S = 0.1 m/s: Dupont's law brings the block to rest."""
    mu = Stribeck(1.0 / 3.0, 1.0, 0.1, exponent=2.0)
    law = dupont(mu, 50.0, 1.0)

    def rate(t, y):
        z, v = np.array([[y[2], 0.0, 0.0]]), np.array([[y[1], 0.0, 0.0]])
        rates = law.rate(z, v, np.array([10.0]), np.array([SLIP]))
        return [y[1], rates.traction[0, 0], rates.z_rate[0, 0]]

    rest = lambda t, y: y[1]  # noqa: E731
    found = solve_ivp(rate, (0, 6.0), [0.0, 4.0, 0.0], method="LSODA", rtol=1e-9, atol=1e-12,
                      events=rest, t_eval=[0.5, 1.0, 6.0])  # fmt: skip
    stops = found.t_events[0]
    np.testing.assert_allclose(found.y[1, :2], [2.294643, 0.627977], atol=2e-6)
    assert stops[0] == pytest.approx(1.18184, abs=2e-5)
    assert found.y[0, -1] == pytest.approx(2.274420, abs=2e-5)
    np.testing.assert_allclose(np.diff(stops[2:6]), np.pi / np.sqrt(50.0 - 0.25), rtol=1e-6)


@pytest.mark.parametrize("name", list(BRISTLES))
def test_damper_takes_the_end_speed(name):
    """A stuck bristle carries c (z_n + dx) + b s; a slip of constant speed is implicit Euler's."""
    law, h = replace(BRISTLES[name], damping=3.0), 1e-3
    dx, slip = np.array([[1e-7, 0.0, 0.0]]), np.array([[0.02, 0.03, 0.0]])
    stuck = law.no_slip().step(dx, slip, np.ones(1), np.array([STICK]), h, dx)
    drag = law.viscous * slip
    np.testing.assert_allclose(stuck.traction, -(100.0 * dx + 3.0 * slip) - drag, rtol=1e-4)
    z, slip, pressure, status = random_points(5)
    step = law.step(z + h * slip, slip, pressure, status, h)
    pull = -(100.0 * step.z + 3.0 * (step.z - z) / h) - law.viscous * pressure[:, None] * slip
    closed = pressure > 0.0
    np.testing.assert_allclose(step.traction[closed], pull[closed], rtol=1e-9, atol=1e-9)


def dragged(law, arc, speed, end, steps):
    """Traction of a bristle after exact steps on a circle, and the largest of the second half."""
    t, h = np.linspace(0.0, end, steps + 1), end / steps
    z, largest, p, status = np.zeros((1, 3)), 0.0, np.array([10.0]), np.array([SLIP])
    x = speed / arc * np.column_stack([np.sin(arc * t), -np.cos(arc * t), 0.0 * t])
    s = speed * np.column_stack([np.cos(arc * t), np.sin(arc * t), 0.0 * t])
    for k in range(steps):
        dx = x[k + 1 : k + 2] - x[k : k + 1]
        step = law.step(z + dx, s[k + 1 : k + 2], p, status, h, dx)
        z, size = step.z, np.linalg.norm(step.traction).item()
        largest = max(largest, size if 2 * k > steps else 0.0)
    return step.traction[0, :2], largest


@pytest.mark.parametrize("law", [lugre(0.2, 1e5, 100.0), dupont(0.2, 1e5, 100.0)],
                         ids=["lugre", "dupont"])  # fmt: skip
def test_slip_that_turns(law):
    """Bristle dragged along a circle, S/c = 20 um, against the differential equation.

    It has no force across the slip but b z' and the lag of z, both 1e-2 of mu N or less.
    """
    S, c, b, speed, arc, end = 2.0, 1e5, 100.0, 2.4, 8.0, 0.1

    def rate(t, z):
        return speed * (np.array([np.cos(arc * t), np.sin(arc * t)]) - c / S * z)

    z = solve_ivp(rate, (0, end), np.zeros(2), method="Radau", rtol=1e-9, atol=1e-13).y[:, -1]
    exact = -(c * z + b * rate(end, z))
    errors = []
    for steps in (100, 200, 400):
        traction, largest = dragged(law, arc, speed, end, steps)
        errors.append(np.linalg.norm(traction - exact) / S)
        assert largest < S * (1.0 + 1e-4)
    assert errors[0] < 0.01
    assert errors[1] < 0.6 * errors[0]
    assert errors[2] < 0.6 * errors[1]


@settings(max_examples=15)
@given(seed=SEEDS)
@pytest.mark.parametrize("name", list(BRISTLES))
def test_derivatives_of_an_accelerated_step(name, seed, difference):
    """Trial, path and end speed are independent of each other."""
    rng = np.random.default_rng(seed)
    law = replace(BRISTLES[name], mu=STRIBECK, damping=3.0)
    z, dx = 4e-3 * rng.normal(size=(2, 3))
    x = np.array([*z, *dx, *0.3 * rng.normal(size=3), rng.uniform(0.5, 2.0)])
    status, h = np.array([SLIP]), 0.01

    def traction(x):
        return law.step(x[None, :3], x[None, 6:9], x[9:], status, h, x[None, 3:6]).traction[0]

    by = law.d_step(x[None, :3], x[None, 6:9], x[9:], status, h, x[None, 3:6])
    numeric = difference(traction, x, np.array([1e-6] * 6 + [1e-4] * 3 + [1e-3]))
    parts = (by.by_z[0], by.by_shift[0], by.by_slip[0], by.by_pressure[0][:, None])
    for part, k in zip(parts, (0, 3, 6, 9), strict=True):
        block = numeric[:, k : k + part.shape[1]]
        np.testing.assert_allclose(part, block, atol=1e-7 * np.abs(block).max())


@settings(max_examples=15)
@given(seed=SEEDS)
@pytest.mark.parametrize("form", list(SMOOTH))
def test_derivatives_of_regularised_friction(form, seed, difference):
    rng = np.random.default_rng(seed)
    law = RegularisedCoulomb(STRIBECK, 0.2, form)
    slip, p = 0.3 * rng.normal(size=3), rng.uniform(0.5, 2.0, 1)
    _, by_pressure, by_slip = law.traction(p, slip[None, :])
    numeric = difference(lambda s: law.traction(p, s[None, :])[0][0], slip, np.full(3, 1e-3))
    np.testing.assert_allclose(by_slip[0], numeric, atol=1e-7 * np.abs(numeric).max())
    numeric = difference(lambda x: law.traction(x, slip[None, :])[0][0], p, [1e-2])
    np.testing.assert_allclose(by_pressure[0], numeric[:, 0], atol=1e-10)


def test_bad_input():
    with pytest.raises(InputError, match="onset = 1"):
        dupont(0.3, 1.0, onset=1.0)
    with pytest.raises(InputError, match=r"decay = 2.0 with onset = 0.05"):
        dupont(0.5, 100.0, onset=0.05, decay=2.0)
    assert dupont(0.5, 100.0, onset=0.6, decay=2.0).decay == 2.0
    with pytest.raises(InputError, match="form = sine"):
        RegularisedCoulomb(0.3, 0.1, "sine")
    with pytest.raises(InputError, match="regularisation speed"):
        RegularisedCoulomb(0.3, 0.0)


TABLE = np.array([0.0, 1.0]), np.array([[0.4, 0.3], [0.3, 0.2]]), np.array([1e3, 1e5])
STATIC = [Coulomb(0.3, static=0.5), FrictionTable(*TABLE, static=0.4)]


@pytest.mark.parametrize("mu", STATIC, ids=["coulomb", "table"])
@pytest.mark.parametrize(
    "law", [lambda mu: dahl(mu, 1.0), lambda mu: dupont(mu, 1.0), lambda mu: lugre(mu, 1.0, 1.0),
            lambda mu: RegularisedCoulomb(mu, 0.1)],
    ids=["dahl", "dupont", "lugre", "regularised"],
)  # fmt: skip
def test_a_static_value_that_would_never_act_is_refused(law, mu):
    """A curve that falls from the static value is taken."""
    with pytest.raises(
        InputError, match=r"invalid static mu = 0\.\d with .* at rest, 0.3; take a Stribeck law"
    ):
        law(mu)
    for taken in (STRIBECK, Coulomb(0.3), Coulomb(0.3, static=0.3), FrictionTable(*TABLE)):
        assert law(taken).mu is taken


@pytest.mark.parametrize("name", BRISTLES)
def test_pressure_next_to_nothing_bends_no_bristle(name):
    """The inverse of S/c = 1e-150 m would overflow in the tangents."""
    z, slip, pressure, status = random_points(4)
    law, pressure = BRISTLES[name], np.full_like(pressure, 1e-150)
    rates = law.rate(z, slip, pressure, status)
    assert np.all(rates.status == SLIP)
    assert not np.any(np.abs(rates.traction) > 1e-148)
    for part in (
        *law.d_rate(z, slip, pressure, status),
        law.d_step(z, slip, pressure, status, 1e-3),
    ):
        assert not part.by_z.any()
        assert np.isfinite(part.by_slip).all()
