"""What the compiled explicit loop sees of contacts, against the laws in numpy."""

from __future__ import annotations

from dataclasses import fields

import numpy as np

from fecontact.body import RigidBody
from fecontact.contact import (
    ContactPair,
    ElastoPlastic,
    EulerianPair,
    PenaltyNormal,
    Plane,
    RigidFace,
    Surface,
    ring,
)
from fecontact.contact.evaluate.rate import ContactRate
from fecontact.contact.laws.coefficient import Stribeck
from fecontact.integrate import simulate
from fecontact.integrate.explicit.look import has_rates, state_reports
from fecontact.joint import Bearing, TorsionSpring
from fecontact.results import Result
from fecontact.system import System

POINTS = 150
NORMAL = PenaltyNormal(4e8, 1e5)


def brake(damping=2e3):
    """A pad on 150 and on 20 points between a plate that turns and the ground."""
    rng = np.random.default_rng(1)
    pad = RigidBody("pad", 1.5, ("ux", "uy", "uz"))
    plate = RigidBody("plate", 2.0, ("uz", "rz"), (0.02, 0.02, 0.03))
    friction = ElastoPlastic(Stribeck(0.2, 0.4, 0.1), 2e8, damping)
    places = [np.column_stack([0.1 * rng.random((p, 2)), np.zeros(p)]) for p in (POINTS, 20)]
    low, high = (Surface(x, np.full(len(x), 1e-2 / len(x))) for x in places)
    pairs = [
        ContactPair(pad, low, RigidFace(plate, Plane()), NORMAL, friction, "low"),
        ContactPair(pad, high, RigidFace(None, Plane((0.0, 0.0, 0.0), (0.0, 0.0, -1.0))), NORMAL,
                    friction, "high"),
    ]  # fmt: skip
    held = [Bearing(pad, 1e5, 1e5), Bearing(plate, 1e6, 1e6, name="below")]
    system = System([pad, plate], [*pairs, *held, TorsionSpring(None, plate, 50.0)])
    q = {"pad.uz": 1e-6, "plate.uz": 3e-6}
    return system, system.state(q=q, v={"plate.rz": 1.0})


def assert_alike(found, expected, scale):
    """Two reports up to round-off, field by field."""
    for name in (each.name for each in fields(expected) if each.name != "bristles"):
        a, b = getattr(found, name), getattr(expected, name)
        size = max(np.abs(b).max(initial=0.0), scale.get(name, 0.0))
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-9 * size, err_msg=name)


def test_reports_are_those_of_the_laws():
    """A look at states of a motion, in any order, and the same by the reference form."""
    system, start = brake()
    motion = simulate(system, 1e-3, start, "explicit", 2e-5)
    assert has_rates(system)
    assert {0, 1, 2} <= set(motion.contact_status.ravel().tolist())
    for row in (30, 0, 4, 50, 1):
        state = motion.state(row)
        found = state_reports(system, state)
        for pair in system.stateful_contacts:
            history = system.history_layout.history(state, pair.name)
            q, v = system.local(pair, state)
            rate = ContactRate.of(pair, state.t, q, v, history.z, history.status)
            expected = rate.report()
            power = float(np.abs(rate.force) @ np.abs(v))
            scale = {"supplied_power": power, "damping_power": power, "gap": 1e-6}
            assert_alike(found[pair.name], expected, scale)


def test_a_file_and_a_motion_in_memory_tell_the_same(tmp_path):
    """The file has what the loop saw; in memory it is seen again: the same to the last bit."""
    system, start = brake()
    path = tmp_path / "run.h5"
    motion = simulate(system, 1e-3, start, "explicit", 5e-5, store=path)
    file = Result.load(path)
    for name in ("low", "high"):
        for field in ("gap", "pressure", "normal", "traction", "slip", "position", "energy",
                      "point_slip_power", "damping_power", "supplied_power"):  # fmt: skip
            a, b = (result.contacts[name].field(field) for result in (motion, file))
            np.testing.assert_array_equal(a, b, err_msg=field)
    contact = sum(file.contacts[name].field("energy") for name in ("low", "high"))
    np.testing.assert_allclose(motion.energies["contact"], contact, rtol=1e-14)


def test_looking_changes_nothing():
    """Outputs after each step or one at the end: the same motion, to the last bit."""
    system, start = brake()
    often, once = (
        simulate(system, 1e-3, start, "explicit", output, step=1e-5) for output in (1e-5, 1e-3)
    )
    for name in ("q", "v", "a", "z", "contact_status", "slip_totals", "resume"):
        np.testing.assert_array_equal(getattr(often, name)[-1], getattr(once, name)[-1], name)


def test_contacts_that_the_loop_does_not_see():
    """Bristles without damping have no rate, and Eulerian contacts their own loop."""
    system, start = brake(damping=0.0)
    assert not has_rates(system)
    motion = simulate(system, 1e-4, start, "explicit", 2e-5)
    rate = system.rate_form(motion.state(-1)).reports()["low"]
    np.testing.assert_array_equal(motion.contacts["low"][-1].pressure, rate.pressure)
    pad = RigidBody("pad", 1.0, ("uz",))
    pair = EulerianPair(pad, ring(0.1, 8), RigidFace(None, Plane()), NORMAL,
                        ElastoPlastic(0.2, 1e8, 1e3), "round")  # fmt: skip
    assert not has_rates(System([pad], [pair]))
