"""Event-driven method with elastic slaves and prescribed frames, against the event-free method.

Both have the same bristles until an open point closes again: it then slides without one.
"""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import ElasticBody, MovingFrame, RigidBody
from fecontact.contact import (
    ContactPair,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidFace,
    elastic_surface,
)
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import simulate
from fecontact.joint import Bearing, Force, SmoothStep
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

END = 1e-3


@pytest.fixture(scope="module")
def model():
    solid = ElasticSolid(
        block(0.1, 0.1, 0.05, cells=(1, 1, 1)), Material(2e6, 0.3, 1000.0), "hex2",
        supports={"z_max": "clamped"},
    )  # fmt: skip
    return reduce_model(solid, contact=["z_min"], modes=3)


def pressed(model, frame="fixed"):
    """A soft block over a plate that is pressed against it and pushed along it."""
    soft = ElasticBody("soft", model, frame=frame, damping=0.05, geometric_stiffness=False)
    plate = RigidBody("plate", 0.5, ("ux", "uz"))
    surface = elastic_surface(soft, "z_min", "nodes")
    weight = float(surface.weights.sum())
    laws = (
        PenaltyNormal(2e5 / weight),
        ElastoPlastic(0.3, 1e5 / weight, 60.0 / weight),
    )
    pair = ContactPair(soft, surface, RigidFace(plate, Plane()), *laws, "face")
    push = [] if frame != "fixed" else [Force(plate, (20.0, 0.0, 0.0), name="push")]
    lift = Force(plate, (0.0, 0.0, 20.0), name="lift")
    hold = Bearing(plate, 2e3, 1e3, radial_damping=5.0)
    return System([soft, plate], [pair, lift, hold, *push])


def compared(system):
    start = system.state(q={"plate.uz": 1e-4})
    common = {"solver": "RK45", "rtol": 1e-6, "atol": 1e-10, "max_steps": 4000}
    events = simulate(system, END, start, "events", END / 4, angle=0.0, speed=1e-7, **common)
    ode = simulate(system, END, start, "ode", END / 4, **common)
    np.testing.assert_allclose(events.q, ode.q, atol=2e-6 * np.abs(ode.q).max())
    return events


def test_elastic_slave(model):
    motion = compared(pressed(model))
    assert motion.statistics.events > 0
    assert np.abs(motion.energies["residual"]).max() < 1e-4 * motion.energies["contact"].max()


def test_prescribed_frame(model):
    """The block is drawn along by its frame; the work of the frame is in the audit."""
    motion = compared(pressed(model, MovingFrame((1.0, 0.0, 0.0), SmoothStep(END, high=5e-4))))
    assert motion.statistics.events > 0
    assert motion.history("plate.ux")[-1] > 1e-6
    assert motion.energies["supplied"][-1] > 0.0
    assert np.abs(motion.energies["residual"]).max() < 1e-4 * motion.energies["supplied"].max()
