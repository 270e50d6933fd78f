"""Statics of systems with contact: prescribed frames, stored energy, and what has no statics."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import ElasticBody, MovingFrame, RigidBody
from fecontact.body.prescribed import TurningFrame
from fecontact.contact import (
    ContactModuli,
    ContactPair,
    ElasticFace,
    ElastoPlastic,
    EulerianPair,
    HertzPoint,
    MindlinFriction,
    PenaltyNormal,
    Plane,
    RigidFace,
    Surface,
    elastic_surface,
    rectangle,
    ring,
)
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import simulate
from fecontact.joint import Bearing, Force, SmoothStep, ramp
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

NORMAL, FRICTION = PenaltyNormal(1e10, 1e6), ElastoPlastic(0.3, 1e10, 1e5)
PUSH = MovingFrame((0.2, 0.0, -1.0), SmoothStep(0.05, high=1e-6))


@pytest.fixture(scope="module")
def model():
    mesh = block(0.1, 0.02, 0.01, cells=(2, 1, 1))
    solid = ElasticSolid(mesh, Material(7e10, 0.3, 2700.0), element="hex1")
    return reduce_model(solid, contact=["z_min", "z_max"], modes=2, method="free")


def pushed(model, frame):
    """An elastic block in a given frame, pushed on a plate that is held by springs."""
    given = ElasticBody("given", model, frame=frame, damping=0.05)
    plate = RigidBody("plate", 1.0, ("ux", "uz"))
    face = RigidFace(plate, Plane())
    pair = ContactPair(given, elastic_surface(given, "z_min"), face, NORMAL, FRICTION)
    held = Bearing(plate, 1e6, 1e6, radial_damping=2e3, axial_damping=2e3)
    return System([given, plate], [pair, held])


def test_prescribed_frame_against_the_motion(model):
    """A block pushed by its frame comes to rest where statics says, its bristles included."""
    system = pushed(model, PUSH)
    static = load_path(StaticSystem(system), [0.02, 0.03, 0.05, 0.12]).force()[-1]
    motion = simulate(system, 0.12, step=2e-3)
    last = motion.contacts["contact"][-1]
    pair = next(item for item in system.items if isinstance(item, ContactPair))
    moved = pair.surface.weights @ (last.pressure[:, None] * last.normal + last.traction)
    assert static[2] > 0.5
    np.testing.assert_allclose(static, moved, atol=1e-4 * np.abs(moved).max())


def test_speed_of_a_frame_damps_nothing(model):
    """Statics asks where the frame is, not how fast it goes there."""
    slow = load_path(StaticSystem(pushed(model, MovingFrame((0.0, 0.0, -1.0), 1e-6))), [0, 1])
    fast = load_path(StaticSystem(pushed(model, MovingFrame((0.0, 0.0, -1.0), 1e-2))), [0, 1e-4])
    np.testing.assert_allclose(slow.force()[-1], fast.force()[-1], rtol=1e-6, atol=1e-9)


def test_tangent_on_a_turning_master(model, difference):
    """With rates of the frame in the springs' equation the tangent would not be exact."""
    given = ElasticBody("given", model, (0.0, 0.0, -0.01), TurningFrame((0.0, 0.3, 1.0), 20.0))
    pad = RigidBody("pad", 1.0, ("ux", "uy", "uz"), position=(0.05, 0.01, -1e-5))
    pair = ContactPair(pad, rectangle(0.01, 0.01), ElasticFace(given, "z_max"), NORMAL, FRICTION)
    problem = StaticSystem(System([given, pad], [pair, Bearing(pad, 1e6, 1e6)]))
    start, rng = problem.start(), np.random.default_rng(2)
    x = start.x + 1e-7 * rng.standard_normal(len(start.x))
    balance = problem.at(start, 1e-5, x)
    assert balance.steps["contact"].pressure[0].min() > 0.0
    assert not balance.steps["contact"].kinematics.slip.any()
    zero = np.zeros(problem.system.size)
    found = difference(
        lambda step: problem.at(start, 1e-5, problem.move(x, step)).residual[0],
        zero, np.full_like(zero, 1e-8),
    )  # fmt: skip
    tangent = balance.tangent(no_slip=False)
    np.testing.assert_allclose(tangent, found, atol=1e-7 * np.linalg.norm(tangent))


@pytest.mark.parametrize(
    ("kind", "spin", "words"),
    [
        (EulerianPair, 10.0, "'rotor' spins"),
        (ContactPair, 10.0, "'rotor' spins"),
        (EulerianPair, 0.0, "EulerianPair"),
    ],
)
def test_spin_has_no_statics(kind, spin, words):
    rotor = RigidBody("rotor", 1.0, ("ux", "uz"), spin=spin)
    pair = kind(rotor, ring(0.1, 24), RigidFace(None, Plane()), NORMAL, FRICTION)
    with pytest.raises(InputError, match=f"contact: invalid contact in statics.*{words}"):
        StaticSystem(System([rotor], [pair]))


@pytest.mark.parametrize("reference_load", [1.0, 100.0])
def test_energy_of_bristles_that_stiffen_with_the_load(reference_load):
    """A ball under 100 N, pulled with 10 N: 1/2 F z, whatever the load of its nominal stiffness."""
    ball = HertzPoint(ContactModuli(210e9, 0.3), radius=0.01)
    body = RigidBody("ball", 1.0, ("ux", "uz"), position=(0.0, 0.0, -1e-6))
    friction = MindlinFriction(ball, 0.5, load=reference_load)
    foot = Surface(np.zeros((1, 3)), np.ones(1))
    pair = ContactPair(body, foot, RigidFace(None, Plane()), ball.law(), friction)
    pull = Force(body, (10.0, 0.0, 0.0), name="pull", factor=ramp(1.0))
    system = System([body], [pair, Force(body, (0.0, 0.0, -100.0)), pull])
    last = load_path(StaticSystem(system), [0.0, 0.01, 1.0]).increments[-1].contacts["contact"]
    stored = 0.5 * 10.0 * float(np.linalg.norm(last.history.z[0, :3]))
    assert last.bristle_energy == pytest.approx(stored, rel=1e-6)
