"""Steady state of an elastic body in a turning frame."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis.steady import equilibrium
from fecontact.body import ElasticBody, TurningFrame
from fecontact.errors import SolverError
from fecontact.fem import ElasticSolid, Material
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

WIDTH = 0.02


@pytest.fixture(scope="module")
def model():
    """Clamped beam along x with bending modes alone."""
    mesh = block(1.0, WIDTH, WIDTH, cells=(4, 1, 1)).translated((0.0, -WIDTH / 2, -WIDTH / 2))
    solid = ElasticSolid(mesh, Material(7e10, 0.0, 2700.0), supports={"x_min": "clamped"})
    return reduce_model(solid, ("x_max",), modes=3, layer=1e-5)


def turning(model, speed):
    """The beam about its root, and its system."""
    beam = ElasticBody("beam", model, frame=TurningFrame((0.0, 0.0, 1.0), speed))
    return beam, System([beam])


SPEEDS = np.linspace(100.0, 200.0, 9)


@pytest.mark.parametrize("speed", SPEEDS)
def test_a_beam_that_turns_stays_straight(model, speed):
    """The centrifugal force is along the beam, so the load of the bending modes is round-off."""
    beam, system = turning(model, speed)
    state = equilibrium.steady_state(system).state
    tip, straight = (
        beam.point_motion(q, state.v, "x_max").position for q in (state.q, beam.reference())
    )
    np.testing.assert_allclose(tip, straight, rtol=0.0, atol=1e-9)


def test_the_elastic_force_is_the_scale_of_the_imbalance(model, monkeypatch):
    """Measured against itself round-off never falls, but where it happens to be zero."""
    monkeypatch.setattr(equilibrium, "elastic_terms", lambda system, q: np.zeros(system.size))
    refused = 0
    for speed in SPEEDS:
        try:
            equilibrium.steady_state(turning(model, speed)[1])
        except SolverError as error:
            refused += "the imbalance stays" in str(error)
    assert refused > 0
