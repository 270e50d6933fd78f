"""Order of the implicit and the explicit method in stick, sliding, turning slip and across kinks.

Turning slip: the return map takes the direction at the end of the step, like the implicit Euler
method: order 1, and better at long steps if the bristles are damped. A block that stops and sticks:
its friction force has a kink, which costs h^2 once, so the order stays 2. Where the force jumps
(static friction above kinetic), the drop comes up to a step late: order 1, and the error scatters
with the place of the jump in its step.
"""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import ContactPair, Coulomb, ElastoPlastic, PenaltyNormal, Surface
from fecontact.contact.laws.coefficient import Stribeck
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.integrate import simulate
from fecontact.joint import Bearing, Force
from fecontact.system import System

LOAD, END = 50.0, 0.06
REST = {"mass.uz": -LOAD / 1e4}


def slider(mu, spring=400.0, push=(0.0, 0.0), damping=40.0):
    """A mass of 1 kg on a spring and on one point of a rough plane; bristles of 16 Hz."""
    mass = RigidBody("mass", 1.0, ("ux", "uy", "uz"))
    pair = ContactPair(
        mass, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane()),
        PenaltyNormal(1e4, 50.0), ElastoPlastic(mu, 1e4, damping),
    )  # fmt: skip
    return System([mass], [Bearing(mass, spring, 1e-9), Force(mass, (*push, -LOAD)), pair])


def thrown(system, speed):
    """It slides with bent bristles."""
    return system.sliding(system.state(q=REST, v={"mass.ux": speed}))


def phases():
    """Names, systems, starts, orders, how far off a measured one may be; None: larger is fine."""
    stick = slider(0.5)
    yield "stick", stick, stick.state(q=REST, v={"mass.ux": 0.1}), 2.0, 0.15
    slide = slider(Stribeck(0.2, 0.4, 0.5))
    yield "sliding", slide, thrown(slide, 2.0), 2.0, 0.15
    turn = slider(0.3, spring=1.0, push=(0.0, 40.0))
    yield "turning", turn, thrown(turn, 1.0), 1.0, None
    stop = slider(0.3)
    yield "stop, damped bristles", stop, thrown(stop, 0.5), 2.0, 0.3
    away = slider(Coulomb(0.2, 0.4), spring=1e-9, push=(17.0, 0.0))
    yield "drop", away, away.state(q=REST), 1.0, 0.6


def orders(system, motions):
    """Measured order of q at the end by both methods; errors of all starts together."""
    for method, parts in (("implicit", (20, 40, 80)), ("explicit", (80, 160, 320, 640, 1280))):
        errors = [
            sum(
                np.abs(simulate(system, END, start, method, END, step=END / n).q[-1] - exact).max()
                for start, exact in motions
            )
            for n in parts
        ]
        yield float(np.log2(errors[0] / errors[-1])) / (len(parts) - 1)


@pytest.mark.parametrize("phase", list(phases()), ids=lambda phase: phase[0])
def test_order(phase):
    """Against the event-free method; it feels a drop late too, so very short steps stand for it."""
    name, system, start, order, spread = phase
    if name == "drop":
        exact = simulate(system, END, start, "explicit", END, step=END / 2**18)
    else:
        exact = simulate(system, END, start, "ode", END, solver="DOP853", rtol=1e-10)
    measured = list(orders(system, [(start, exact.q[-1])]))
    if spread is None:
        assert min(measured) > order - 0.15
    else:
        assert measured == pytest.approx([order, order], abs=spread)


def test_order_across_a_stop():
    """Bristles without damping: it slides to v = 0 and swings on them, in closed form.

    The factor of h^2 depends on where in its step the kink is: several speeds are taken together.
    """
    mu, c = 0.3, 1e4
    system = slider(mu, spring=1e-9, damping=0.0)
    motions = []
    for speed in (0.5, 0.47, 0.44, 0.41):
        stop = speed / (mu * LOAD)
        back = mu * LOAD / c * (1.0 - np.cos(np.sqrt(c) * (END - stop)))
        exact = np.array([0.5 * speed * stop - back, 0.0, REST["mass.uz"]])
        motions.append((thrown(system, speed), exact))
    assert list(orders(system, motions)) == pytest.approx([2.0, 2.0], abs=0.3)
