"""Position correction of Moreau's stepping: its work, points that cannot move, and no way out."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import Plane, RigidContact, RigidFace, Surface
from fecontact.errors import SolverError
from fecontact.integrate import simulate
from fecontact.joint import Gravity
from fecontact.system import System

G, DEEP = 9.80665, 1e-3
POINT = Surface(np.zeros((1, 3)), np.ones(1))


def plane(height, up=1.0):
    return RigidFace(None, Plane((0.0, 0.0, height), (0.0, 0.0, up)))


def test_work_of_the_correction_is_made_by_the_method():
    """A mass that starts 1 mm inside the ground is lifted: m g depth, and nothing is left over."""
    body = RigidBody("block", 2.0, ("ux", "uz"))
    system = System([body], [Gravity([body]), RigidContact(body, POINT, plane(DEEP), 0.3)])
    motion = simulate(system, 0.01, method="moreau", step=1e-3, project=True)
    assert motion.q[-1, 1] == pytest.approx(DEEP, rel=1e-6)
    lines = {name: line[-1] - line[0] for name, line in motion.energies.items()}
    lifted = 2.0 * G * DEEP
    assert lines["potential"] == pytest.approx(lifted, rel=1e-6)
    assert lines["numerical"] == pytest.approx(-lifted, rel=1e-6)
    assert abs(lines["residual"]) < 1e-9 * lifted


def test_a_point_that_cannot_move_stays_where_it_is():
    body = RigidBody("slider", 1.0, ("ux",))
    system = System([body], [RigidContact(body, POINT, plane(DEEP), 0.3)])
    start = system.state(v={"slider.ux": 1.0})
    motion = simulate(system, 0.01, start, "moreau", step=1e-3, project=True)
    np.testing.assert_allclose(motion.v, 1.0, rtol=1e-12)


def test_penetrations_without_a_way_out_are_told():
    body = RigidBody("block", 1.0, ("uz",))
    floor = RigidContact(body, POINT, plane(DEEP), name="floor")
    ceiling = RigidContact(body, POINT, plane(-DEEP, -1.0), name="ceiling")
    told = r"t = 0\.001 s: the penetrations of 2 contacts, up to 1\.0e-03 m, cannot be removed"
    with pytest.raises(SolverError, match=told):
        simulate(System([body], [floor, ceiling]), 0.01, method="moreau", step=1e-3, project=True)
