"""Balance at one time is no steady state if forces or prescribed speeds change with time."""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest

from fecontact.analysis import steady_state
from fecontact.body import ElasticBody, RigidBody, TurningFrame
from fecontact.errors import SolverError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import (
    Bearing,
    DofCoordinate,
    Force,
    Function,
    Gravity,
    PrescribedMotion,
    SmoothStep,
    Speed,
    ramp,
)
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

G = 9.81


@pytest.fixture(scope="module")
def clamped():
    mesh = block(1.0, 0.02, 0.02, cells=(4, 1, 1)).translated((0.0, -0.01, -0.01))
    solid = ElasticSolid(mesh, Material(7e10, 0.0, 2700.0), supports={"x_min": "clamped"})
    return reduce_model(solid, ("x_max",), modes=3)


def test_gravity_turns_in_a_turning_frame(clamped):
    """Beam on a hub that turns about y: gravity along z changes; about z it does not."""
    beam = ElasticBody("beam", clamped, frame=TurningFrame((0.0, 1.0, 0.0), 10.0), damping=0.05)
    system = System([beam], [Gravity([beam], (0.0, 0.0, -G))])
    with pytest.raises(SolverError, match="the force of 'gravity' changes with time; give t="):
        steady_state(system)
    still = System([beam])
    assert steady_state(still).residual < 1e-9
    upright = ElasticBody("beam", clamped, frame=TurningFrame((0.0, 0.0, 1.0), 10.0))
    assert steady_state(System([upright], [Gravity([upright], (0.0, 0.0, -G))])).residual < 1e-9


def test_balance_at_a_given_time():
    """Mass on a spring: u = F(t) / c, for each time asked for."""
    mass = RigidBody("mass", 1.0, ("ux",))
    swing = Function(lambda t: cos(3.0 * t), lambda t: -3.0 * sin(3.0 * t))
    system = System([mass], [Bearing(mass, 1e4, 1e4), Force(mass, (5.0, 0.0, 0.0), factor=swing)])
    with pytest.raises(SolverError, match="the force of 'force' changes with time"):
        steady_state(system)
    for t in (0.0, 0.4, 2.0):
        found = steady_state(system, t=t).state
        assert found.t == t
        np.testing.assert_allclose(found.q, 5.0 * cos(3.0 * t) / 1e4, rtol=1e-9)


def test_constraint_at_a_given_time():
    """A prescribed position is that of the time; a speed that changes is refused by default."""
    slide = RigidBody("slide", 1.0, ("ux",))
    for law, found in ((SmoothStep(1.0, high=2.0), 2.0), (Speed(0.0, start=0.3), 0.3)):
        system = System([slide], [PrescribedMotion(DofCoordinate(slide, "ux"), law)])
        np.testing.assert_allclose(steady_state(system, t=5.0).state.q, found, rtol=1e-12)
    moving = System([slide], [PrescribedMotion(DofCoordinate(slide, "ux"), SmoothStep(1.0))])
    with pytest.raises(SolverError, match=r"the prescribed speed of 'motion\.s' changes with time"):
        steady_state(moving)
    running = System([slide], [PrescribedMotion(DofCoordinate(slide, "ux"), Speed(3.0))])
    assert steady_state(running).state.v == pytest.approx([3.0])


def test_late_load_is_seen():
    mass = RigidBody("mass", 1.0, ("ux",))
    late = Force(mass, (5.0, 0.0, 0.0), factor=ramp(1.0, start=2.0))
    with pytest.raises(SolverError, match="changes with time"):
        steady_state(System([mass], [Bearing(mass, 1e4, 1e4), late]))
