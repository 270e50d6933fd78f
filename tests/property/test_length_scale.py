"""The unit of length does not matter: metres, millimetres, a mesh scaled by 0.1.

With mass and time as they are, lengths and speeds grow by s, forces by s, moments by s^2, pressures
by 1/s, stiffness and damping per area by 1/s^2. Nothing in the package may be a length in secret.
"""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import DOFS, FEBody, RigidBody
from fecontact.contact import (
    ContactHistory,
    ContactModuli,
    ContactPair,
    ContactRate,
    ElastoPlastic,
    HertzPoint,
    JKRContact,
    KelvinLayer,
    MindlinFriction,
    PenaltyNormal,
    PowerNormal,
    RegularisedCoulomb,
    RigidFace,
    SolidLayer,
    Sphere,
    StepStart,
    Stribeck,
    Surface,
    TableNormal,
    dahl,
    dupont,
    fe_surface,
    lugre,
)
from fecontact.contact.laws.base import history_width
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import DofCoordinate, MotionFunction, PrescribedMotion, Table
from fecontact.mesh import block
from fecontact.system import System

SCALES = pytest.mark.parametrize("scale", [0.1, 1000.0])
SEEDS = st.integers(0, 10**6)


def laws(s):
    """Friction and normal laws in a unit of length 1/s m."""
    mu, per_area = Stribeck(0.3, 0.5, 0.5 * s), 1.0 / s**2
    friction = {
        "elasto-plastic": ElastoPlastic(mu, 40.0 * per_area, 1.5 * per_area),
        "dahl": dahl(mu, 40.0 * per_area),
        "lugre": lugre(mu, 40.0 * per_area, 1.5 * per_area, 0.1 / s),
        "dupont": dupont(mu, 40.0 * per_area, 0.5 * per_area, onset=0.3, decay=0.6),
        "arctan": RegularisedCoulomb(mu, 0.2 * s),
    }
    normal = {
        "penalty": PenaltyNormal(200.0 * per_area, 3.0 * per_area),
        "power": PowerNormal(900.0 / s**2.5, 1.5, 0.2 / s, 0.3 / s),
        "table": TableNormal(
            s * np.array([0.0, 0.02, 0.04]), np.array([0.0, 3.0, 9.0]) / s, 3.0 * per_area
        ),
        "solid": SolidLayer(150.0 * per_area, 100.0 * per_area, 0.05),
        "kelvin": KelvinLayer(200.0 * per_area, 3.0 * per_area),
        "jkr": JKRContact(ContactModuli(2e3 / s**3, 0.3), 0.3 * s, 0.3 * per_area).law(0.05),
    }
    return SimpleNamespace(friction=friction, normal=normal)


NAMES = [(f, "penalty") for f in laws(1.0).friction] + [
    ("elasto-plastic", n) for n in laws(1.0).normal if n != "penalty"
]


def evaluated(s, friction, normal, seed):
    """Step and rate form of a pair of bodies, converted to metres."""
    rng, law = np.random.default_rng(seed), laws(s)
    points = np.array([[0.3, 0.0, -0.03], [-0.2, 0.2, -0.03], [0.1, -0.3, -0.03]])
    size = np.full(3, s)
    bodies = [RigidBody(name, 1.0, DOFS, (0.1, 0.1, 0.1)) for name in ("slave", "master")]
    face = RigidFace(bodies[1], Sphere(1.05 * s, (0.0, 0.0, 1.05 * s), hollow=True))
    surface = Surface(s * points, s**2 * rng.uniform(0.5, 1.0, 3))
    pair = ContactPair(bodies[0], surface, face, law.normal[normal], law.friction[friction])
    unit = np.tile(np.r_[size, np.ones(3)], 2)
    steps = unit * 0.01 * rng.standard_normal((2, 12))
    v = unit * 0.3 * rng.standard_normal(12)
    start = [b.move(b.reference(), x) for b, x in zip(bodies, np.split(steps[0], 2), strict=True)]
    end = [b.move(q, x) for b, q, x in zip(bodies, start, np.split(steps[1], 2), strict=True)]
    state = np.full(history_width(pair.normal, pair.friction), s)
    state[3:] = 1.0 if normal == "jkr" else s  # a share of bonds has no unit
    z = state * 0.01 * rng.uniform(0.0, 1.0, (3, len(state)))
    history = ContactHistory(z, rng.integers(1, 3, 3), np.zeros((3, 2)))
    q = np.concatenate(end)
    step = StepStart.of(pair, np.concatenate(start), v, history).at(q, v, 0.01)
    rates = ContactRate.of(pair, q, v, z, history.status)
    slip_totals = step.history.slip_totals / [s**2, s]
    power = [getattr(rates.report(), name) / s**2 for name in ("energy", "damping_power")]
    force = np.tile(np.r_[size, np.full(3, s**2)], 2)
    return (step.force / force, step.history.z / state, slip_totals, rates.force / force,
            rates.z_rate / state, np.array(power))  # fmt: skip


@SCALES
@pytest.mark.parametrize(("friction", "normal"), NAMES)
@settings(max_examples=4)
@given(seed=SEEDS)
def test_laws(friction, normal, scale, seed):
    one, two = (evaluated(s, friction, normal, seed) for s in (1.0, scale))
    for expected, found in zip(one, two, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)


@SCALES
def test_hertz_mindlin_point(scale):
    def answers(s):
        ball = HertzPoint(ContactModuli(2e9 / s, 0.3), 0.01 * s)
        law = MindlinFriction(ball, 0.3, 10.0 * s, 0.02)
        z, slip = s * np.array([[2e-6, 1e-6, 0.0]]), s * np.array([[1e-3, 0.0, 0.0]])
        step = law.step(z, slip, np.array([8.0 * s]), np.array([1]), 1e-4)
        return np.r_[step.traction[0] / s, step.z[0] / s, law.stiffness, ball.approach(s) / s]

    np.testing.assert_allclose(answers(scale), answers(1.0), rtol=1e-12)


def pressed(s):
    """Forces, status and slip work of an FE block under a ball, pressed and dragged."""
    mesh = block(s, s, 0.5 * s, cells=(4, 4, 2))
    solid = ElasticSolid(mesh, Material(1e6 / s, 0.3, 1000.0 / s**3), supports={"z_min": "xyz"})
    body, ball = FEBody("block", solid), RigidBody("ball", 1.0, ("ux", "uz"))
    laws = PenaltyNormal(1e8 / s**2), ElastoPlastic(0.3, 5e7 / s**2)
    sphere = Sphere(2.0 * s, (0.5 * s, 0.5 * s, 2.5 * s))
    pair = ContactPair(body, fe_surface(body, "z_max"), RigidFace(ball, sphere), *laws)
    along = Table((0.0, 1.0, 2.0), (0.0, 0.0, 0.01 * s))
    down = Table((0.0, 1.0, 2.0), (0.0, -0.02 * s, -0.02 * s))
    moves = [
        PrescribedMotion(
            DofCoordinate(ball, dof), MotionFunction(c.value, c.slope, c.slope), name=dof
        )
        for dof, c in (("ux", along), ("uz", down))
    ]
    path = load_path(StaticSystem(System([body, ball], [pair, *moves])), [1.0, 1.3, 1.6, 1.9])
    statuses = [tuple(each.contacts["contact"].status) for each in path.increments]
    return path.force() / s, path.x[:, :-2] / s, path.slip_work() / s**2, statuses


@SCALES
@pytest.mark.filterwarnings("ignore:density =", "ignore:young =")
def test_fe_contact(scale):
    """The same load path of a finite-element contact in another unit of length."""
    (force, x, work, statuses), (force_1, x_1, work_1, statuses_1) = pressed(scale), pressed(1.0)
    assert statuses == statuses_1
    assert {0, 1, 2} <= set(np.ravel(statuses))
    np.testing.assert_allclose(force, force_1, rtol=1e-9, atol=1e-9 * np.abs(force_1).max())
    np.testing.assert_allclose(x, x_1, atol=1e-9 * np.abs(x_1).max())
    np.testing.assert_allclose(work, work_1, rtol=1e-9)
