"""Order of the implicit method in stick, in sliding and in turning slip, and of its energy audit.

The reference is the event-free method on the same law at tight tolerance.
"""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, Surface
from fecontact.contact.laws.coefficient import Stribeck
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.integrate import simulate
from fecontact.joint import Bearing, Force
from fecontact.system import System

LOAD, CURVE = 50.0, Stribeck(0.2, 0.4, 0.5)


def slider(mu, spring=400.0, push=(0.0, 0.0), damping=40.0):
    """A mass of 1 kg on a spring and on one point of a rough plane."""
    mass = RigidBody("mass", 1.0, ("ux", "uy", "uz"))
    pair = ContactPair(
        mass, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane()),
        PenaltyNormal(1e4, 50.0), ElastoPlastic(mu, 1e4, damping),
    )  # fmt: skip
    force = Force(mass, (*push, -LOAD))
    return System([mass], [Bearing(mass, spring, 1e-9), force, pair])


def cases():
    """Systems, starts, end times, and the orders of coordinates that theory expects.

    stick: a linear oscillator. sliding: mu falls with the speed, the direction stays. turning:
    bristles that relax within a step turn with the slip at its end, like the implicit Euler method;
    dampers give the direction of slower ones, and the order is two.
    """
    rest = {"mass.uz": -LOAD / 1e4}
    stick = slider(0.5)
    yield "stick", stick, stick.state(q=rest, v={"mass.ux": 0.1}), 0.05, 2.0
    slide = slider(CURVE)
    start = slide.sliding(slide.state(q=rest, v={"mass.ux": 2.0}))
    yield "sliding", slide, start, 0.06, 2.0
    for name, damping, order in (("turning, light", 1.0, 1.0), ("turning, damped", 200.0, 2.0)):
        turn = slider(0.3, spring=1.0, push=(0.0, 40.0), damping=damping)
        start = turn.sliding(turn.state(q=rest, v={"mass.ux": 1.0}))
        yield name, turn, start, 0.06, order


@pytest.mark.parametrize("case", list(cases()), ids=lambda case: case[0])
def test_order(case):
    name, system, start, end, order = case
    solver = "Radau" if name == "turning, light" else "DOP853"
    rtol = 1e-6 if solver == "Radau" else 1e-10
    exact = simulate(system, end, start, "ode", solver=solver, rtol=rtol, atol=1e-12, output=end)
    statuses, errors = set(), []
    for parts in (20, 40, 80):
        motion = simulate(system, end, start, step=end / parts)
        statuses |= set(motion.contact_status[1:].ravel().tolist())
        errors.append(np.abs(motion.q[-1] - exact.q[-1]).max())
    assert statuses == ({1} if name == "stick" else {2})
    measured = np.log2(np.divide(errors[:-1], errors[1:]))
    if name == "turning, damped":  # parts of the error cancel
        assert measured.min() > order - 0.1
    else:
        assert measured == pytest.approx(order, abs=0.1)


@pytest.mark.parametrize("name", ["stick", "sliding"])
def test_order_of_the_audit(name):
    """Residual plus numerical dissipation fall with the square of the step in smooth phases."""
    rest, end = {"mass.uz": -LOAD / 1e4}, 0.05
    system, v = (slider(0.5), 0.1) if name == "stick" else (slider(CURVE, damping=0.0), 2.0)
    start = system.state(q=rest, v={"mass.ux": v})
    if name == "sliding":
        start = system.sliding(start)
    left = []
    for parts in (20, 40):
        lines = simulate(system, end, start, step=end / parts).energies
        left.append(np.abs(lines["residual"] + lines["numerical"]).max())
    assert np.log2(left[0] / left[1]) == pytest.approx(2.0, abs=0.2)
    assert left[1] < 1e-3 * max(abs(line).max() for line in lines.values())


def test_audit_of_damped_sliding():
    """The balance of the bristles closes at any step; their slip work converges with the step.

    Under a constant limit it is of order 2. Bristles follow a limit that changes by the implicit
    Euler method: their part, small as they store little, is of order 1.
    """
    rest, end = {"mass.uz": -LOAD / 1e4}, 0.05
    for mu, coarse, fine, order in ((CURVE, 80, 1280, 1.0), (0.3, 20, 320, 2.0)):
        system, slip = slider(mu), []
        start = system.sliding(system.state(q=rest, v={"mass.ux": 2.0}))
        for parts in (coarse, 2 * coarse, fine):
            lines = simulate(system, end, start, step=end / parts).energies
            slip.append(lines["slip"][-1])
            assert np.abs(lines["residual"]).max() < 1e-12 * slip[-1]
        errors = np.abs(np.array(slip[:2]) - slip[2]) / slip[2]
        assert errors[0] < 1e-4
        assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.3)
