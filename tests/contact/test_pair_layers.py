"""Stateful normal layers in a contact pair: over steps, in continuous time, at rest."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import RigidBody
from fecontact.contact import (
    ContactHistory,
    ContactPair,
    ContactRate,
    ContactStart,
    ElastoPlastic,
    KelvinLayer,
    Plane,
    RigidFace,
    SolidLayer,
    Surface,
)
from fecontact.joint import Force
from fecontact.system import System

SOLID, KELVIN = SolidLayer(1000.0, 2500.0, 0.2), KelvinLayer(1000.0, 20.0)
LAYERS = pytest.mark.parametrize("layer", [SOLID, KELVIN], ids=["solid", "kelvin"])
AREA = 0.3


def block_on(layer):
    block = RigidBody("block", 1.0, ("ux", "uz"))
    face = RigidFace(None, Plane())
    surface = Surface(np.zeros((1, 3)), np.full(1, AREA))
    return ContactPair(block, surface, face, layer, ElastoPlastic(0.4, 800.0, 5.0))


def gap_at(t):
    """Press, open for a while, come back; the first and the last part press."""
    return -1e-3 * np.sin(5.0 * t) * np.exp(-0.3 * t)


def driven(layer, h, end=1.6):
    """Pressures and layer states of a block that is led along `gap_at`."""
    pair, history, values = block_on(layer), ContactHistory.fresh(1, 4), []
    times = h * np.arange(round(end / h) + 1)
    for before, t in pairwise(times):
        rate = (gap_at(t + 1e-6) - gap_at(t - 1e-6)) / 2e-6
        start = ContactStart.of(pair, 0.0, np.array([0.0, gap_at(before)]), np.zeros(2), history)
        step = start.at(0.0, np.array([0.0, gap_at(t)]), np.array([0.0, rate]), h)
        history = step.history
        values.append([step.pressure[0].item(), history.z[0, 3], step.force[1] / AREA])
    return times[1:], np.array(values)


@LAYERS
def test_free_length_relaxes_after_opening(layer):
    """Open, the surface comes back as exp(-c t/b); the block meets it there, not at the start."""
    t, values = driven(layer, 4e-3)
    pressure, state, force = values.T
    np.testing.assert_allclose(pressure, force)
    free = (pressure == 0.0) & (t > 0.3)
    opened, closed = np.flatnonzero(free)[[0, -1]]
    assert np.all(free[opened : closed + 1])
    decay = layer.recovery_rate if layer is SOLID else KELVIN.stiffness / KELVIN.damping
    gone = np.exp(-decay * (t[closed] - t[opened]))
    assert state[closed] == pytest.approx(state[opened] * gone, rel=1e-9)
    share = 2500.0 / 3500.0 if layer is SOLID else 1.0
    surface = share * state[closed]
    assert -gap_at(t[closed]) <= surface <= -gap_at(t[closed + 1]) + 1e-12


@LAYERS
def test_steps_tend_to_the_rate_form(layer):
    """Layer states over steps come to those of the integrated rate form with the step length."""
    pair = block_on(layer)

    def rate(t, z):
        rate = (gap_at(t + 1e-6) - gap_at(t - 1e-6)) / 2e-6
        q, v = np.array([0.0, gap_at(t)]), np.array([0.0, rate])
        found = ContactRate.of(pair, 0.0, q, v, np.r_[0, 0, 0, z][None, :], np.zeros(1, int))
        return found.z_rate[0, 3:]

    fine = solve_ivp(rate, (0.0, 1.6), [0.0], rtol=1e-6, atol=1e-11, max_step=0.02).y[0, -1]
    errors = [abs(driven(layer, h)[1][-1, 1] - fine) for h in (1.6e-2, 4e-3)]
    assert errors[1] < max(0.4 * errors[0], 1e-7)


@pytest.mark.parametrize("zeta", [0.1, 0.3])
def test_restitution_on_kelvins_layer(zeta):
    """e = exp(-(zeta/w)(pi - atan2(2 zeta w, 1 - 2 zeta^2))), w^2 = 1 - zeta^2: no tension."""
    w = np.sqrt(1.0 - zeta**2)
    exact = np.exp(-zeta / w * (np.pi - np.arctan2(2 * zeta * w, 1 - 2 * zeta**2)))
    pair = block_on(KelvinLayer(1.0 / AREA, 2.0 * zeta / AREA))

    def rate(t, y):
        rates = ContactRate.of(pair, 0.0, y[:2], y[2:4], y[None, 4:], np.zeros(1, int))
        return np.r_[y[2:4], rates.force, rates.z_rate[0]]

    start = np.array([0, 0, 0, -1.0, 0, 0, 0, 0])
    found = solve_ivp(rate, (0.0, 8.0), start, rtol=1e-6, atol=1e-9, max_step=0.2)
    assert found.y[3, -1] == pytest.approx(exact, abs=1e-3)


@LAYERS
def test_at_rest_the_layer_is_relaxed(layer):
    """Statics: the slow stiffness bears the weight, and friction its share of it."""
    pair = block_on(layer)
    loads = [Force(pair.slave, (1.0, 0.0, -6.0))]
    path = load_path(StaticSystem(System([pair.slave], [pair, *loads])), [0.0, 1.0])
    last = path.increments[-1].contacts["contact"]
    assert last.gap[0] == pytest.approx(-6.0 / (AREA * 1000.0), rel=1e-7)
    assert last.traction[0, 0] * AREA == pytest.approx(-1.0, rel=1e-7)
    assert last.history.z[0, 3] == pytest.approx(-last.gap[0], rel=1e-9)


def test_a_pressed_start_of_a_kelvin_layer_has_its_energy():
    layer, depth = KelvinLayer(2e6, 3e2), np.array([1e-3])
    fresh, still = np.zeros(1), np.zeros(1)
    energy, lost = layer.balance(fresh, -depth, still)
    after = layer.step(fresh, -depth, -depth, still, 1e-4)
    np.testing.assert_allclose(energy, 0.5 * 2e6 * depth**2)
    np.testing.assert_allclose(layer.balance(after.z, -depth, still)[0], energy)
    np.testing.assert_allclose(lost, 0.0, atol=1e-12)
