"""Energies and momenta of elastic bodies in frames of prescribed motion, damping, mass."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import ElasticBody, MovingFrame
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import simulate
from fecontact.joint import SmoothStep
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import State, System

LENGTH, WIDTH, DENSITY = 1.0, 0.02, 2700.0
MASS = DENSITY * LENGTH * WIDTH**2
DIRECTION = np.array([0.6, 0.0, 0.8])


@pytest.fixture(scope="module")
def model():
    """Clamped beam along x; its bending modes do not see the centrifugal force."""
    mesh = block(LENGTH, WIDTH, WIDTH, cells=(4, 1, 1)).translated((0.0, -WIDTH / 2, -WIDTH / 2))
    material = Material(7e10, 0.0, DENSITY)
    solid = ElasticSolid(mesh, material, supports={"x_min": "clamped"})
    return reduce_model(solid, modes=3)


def test_energy_and_momentum_take_the_time(model):
    """Of a stiff beam in translation: m s'^2/2 and m s', though no dof moves at first."""
    law = SmoothStep(1.0, high=0.8)
    system = System([ElasticBody("beam", model, frame=MovingFrame(tuple(DIRECTION), law))])
    rest = system.rest()
    for t in (0.0, 0.3, 0.5):
        state, speed = State(t, rest.q, rest.v), law.rate(t)
        assert system.energies(state).total == pytest.approx(0.5 * MASS * speed**2, rel=1e-9)
        linear, _ = system.momentum(state)
        np.testing.assert_allclose(linear, MASS * speed * DIRECTION, rtol=0.0, atol=1e-9)


def test_energy_of_a_motion_takes_the_time(model):
    law = SmoothStep(1.0, high=0.8)
    system = System([ElasticBody("beam", model, frame=MovingFrame((1.0, 0.0, 0.0), law))])
    motion = simulate(system, 0.5, system.rest(), step=0.05)
    speeds = np.array([law.rate(t) for t in motion.t])
    np.testing.assert_allclose(motion.energy(), 0.5 * MASS * speeds**2, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(motion.momentum()[0][:, 0], MASS * speeds, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("frame", ["free", "fixed"])
def test_damping_takes_the_energy_that_is_lost(difference, model, frame):
    """Energy falls at the rate of the dissipated power."""
    body = ElasticBody("beam", model, frame=frame, damping=0.05)
    system = System([body])
    rng = np.random.default_rng(3)
    elastic = 1e-3 * rng.uniform(-1.0, 1.0, 3)
    q, v = system.rest().q, np.zeros(system.size)
    q[-3:], v[-3:] = elastic, 100.0 * rng.uniform(-1.0, 1.0, 3)
    state = State(0.0, q, v)
    a, _ = system.accelerations(state)

    def energy(t):
        later = State(0.0, system.move(q, t[0] * v), v + t[0] * a)
        return np.array([system.energies(later).total])

    fall = -difference(energy, np.zeros(1), np.array([1e-6]))[0, 0]
    power = system.energies(state).dissipated_power["beam"]
    assert power == pytest.approx(fall, rel=1e-6)
    assert power > 0.0


def test_mass_is_shown(model):
    system = System([ElasticBody("beam", model)])
    assert system.describe()["bodies"][0]["mass"] == pytest.approx(MASS, rel=1e-12)
    assert "1.08 kg" in str(system)
