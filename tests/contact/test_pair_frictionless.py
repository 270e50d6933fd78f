"""Points that are pressed and have no friction: they slip, and are not open."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import RigidBody
from fecontact.contact import (
    OPEN,
    SLIP,
    ContactModuli,
    ContactPair,
    ElastoPlastic,
    HertzPoint,
    MindlinFriction,
    PenaltyNormal,
    Plane,
    RegularisedCoulomb,
    RigidFace,
    Surface,
    dahl,
    dupont,
    lugre,
)
from fecontact.contact.evaluate.step import ContactHistory, ContactStart
from fecontact.integrate import simulate
from fecontact.joint import Force, ramp
from fecontact.system import System

H = 1e-3
BALL = HertzPoint(ContactModuli(210e9, 0.3), radius=0.01)
LAWS = {
    "elasto-plastic": ElastoPlastic(0.0, 1e6, 100.0),
    "undamped": ElastoPlastic(0.0, 1e6),
    "mindlin": MindlinFriction(BALL, 0.0, 100.0, 3.0),
    "dahl": dahl(0.0, 1e6),
    "lugre": lugre(0.0, 1e6, 100.0, viscous=0.2),
    "dupont": dupont(0.0, 1e6, 100.0, viscous=0.2),
    "regularised": RegularisedCoulomb(0.0, 1e-3),
}
MOVING = (np.array([[2e-6, 1e-6, 0.0], [1e-6, 0.0, 0.0]]), np.array([[0.3, -0.1, 0.0]] * 2))
AT_REST = (np.zeros((2, 3)), np.zeros((2, 3)))
PRESSED = np.array([50.0, 0.0])
MODES = np.array([SLIP, OPEN])


@pytest.mark.parametrize("state", [MOVING, AT_REST], ids=["moving", "at rest"])
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_pressed_points_slip(law, state):
    z, slip = state
    drag = -getattr(law, "viscous", 0.0) * PRESSED[:, None] * slip
    for answer in (law.step(z, slip, PRESSED, MODES, H), law.rate(z, slip, PRESSED, MODES)):
        assert answer.status.tolist() == [SLIP, OPEN]
        np.testing.assert_allclose(answer.traction, drag, atol=1e-12)


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_points_at_rest_have_no_tangential_stiffness(law):
    """The drag of the slip velocity is all that is left of the tangent of a pressed point."""
    z, slip = AT_REST
    by = law.d_step(z, slip, PRESSED, MODES, H, z)
    assert not by.by_z[0].any()
    np.testing.assert_allclose(by.by_slip[0], -getattr(law, "viscous", 0.0) * 50.0 * np.eye(3))


@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_tangents_are_those_of_differences(law):
    z, slip = MOVING
    for name, by, size in (("slip", "by_slip", 1e-6), ("pressure", "by_pressure", 1e-3)):
        tangent = getattr(law.d_step(z, slip, PRESSED, MODES, H, z), by)[0]
        given, columns = {"slip": slip, "pressure": PRESSED}, []
        for k in range(3 if name == "slip" else 1):
            change = np.zeros_like(given[name])
            change[(0, k) if name == "slip" else 0] = size
            ends = [
                law.step(z, *(given | {name: given[name] + s * change}).values(), MODES, H, z)
                for s in (1.0, -1.0)
            ]
            columns.append((ends[0].traction[0] - ends[1].traction[0]) / (2.0 * size))
        np.testing.assert_allclose(
            tangent.reshape(3, -1), np.column_stack(columns), rtol=1e-7, atol=1e-9
        )


@pytest.mark.parametrize("v", [0.0, 0.3])
@pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)
def test_compiled_and_reference_steps_agree(law, v):
    _, pair = block(law)
    q0, q, speed = np.array([0.0, 0.0]), np.array([v * H, -3e-5]), np.array([v, 0.0])
    fresh = ContactHistory.fresh(1)
    fast = pair.begin(0.0, q0, speed, fresh).at(H, q, speed, H)
    slow = ContactStart.of(pair, 0.0, q0, speed, fresh).at(0.0, q, speed, H)
    assert type(fast) is not type(slow)
    assert fast.history.status.tolist() == slow.history.status.tolist() == [SLIP]
    np.testing.assert_allclose(fast.force, slow.force, rtol=1e-12)
    np.testing.assert_allclose(
        fast.history.slip_totals, slow.history.slip_totals, rtol=1e-9, atol=1e-18
    )
    assert fast.history.slip_totals[0, 1] == pytest.approx(v * H, rel=1e-9)
    for one, other in zip(fast.tangents(), slow.tangents(), strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-6)


@pytest.mark.parametrize("method", ["implicit", "explicit", "ode"])
def test_block_slides_on_ice(method):
    """It keeps its speed, is pressed, and its way counts; it does not touch anew at each step."""
    body, pair = block(ElastoPlastic(0.0, 1e6, 100.0), thickness=2e-5)
    system = System([body], [pair, Force(body, (0.0, 0.0, -30.0), factor=ramp(0.02))])
    start = system.state(v={"block.ux": 0.1})
    motion = simulate(
        system, 0.03, start, method, 0.01, step=1e-4 if method == "implicit" else None
    )
    assert motion.v[-1, 0] == pytest.approx(0.1, rel=1e-12)
    assert motion.slip_totals[-1].ravel()[1] == pytest.approx(0.1 * 0.03, rel=2e-2)
    assert motion.contact_status[-1].tolist() == [SLIP]


def test_steady_sliding_calls_it_slip():
    _, pair = block(ElastoPlastic(0.0, 1e6))
    q, v = np.array([0.0, -1e-5]), np.array([0.1, 0.0])
    assert pair.sliding(q, v).status.tolist() == pair.status(q, v).status.tolist() == [SLIP]


def test_load_path_calls_it_slip():
    body, pair = block(ElastoPlastic(0.0, 1e6))
    pressed = System([body], [pair, Force(body, (0.0, 0.0, -10.0), factor=ramp(1.0))])
    path = load_path(StaticSystem(pressed), [0.0, 0.5, 1.0])
    assert path.increments[-1].contacts["contact"].status.tolist() == [SLIP]


def block(law, thickness=np.inf):
    """A mass that moves along and normal to a plane, and its contact."""
    body = RigidBody("block", 1.0, ("ux", "uz"))
    normal = PenaltyNormal(1e6, 500.0, thickness=thickness)
    surface = Surface(np.zeros((1, 3)), np.ones(1))
    return body, ContactPair(body, surface, RigidFace(None, Plane()), normal, law, "contact")
