"""Friction power of each contact point: closed form, and what it adds up to over a motion."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import ElasticBody, RigidBody
from fecontact.contact import (
    ContactPair,
    ElasticFace,
    ElastoPlastic,
    PenaltyNormal,
    RigidFace,
    Surface,
)
from fecontact.contact.master.shape import Plane
from fecontact.contact.status import OPEN, STICK
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import simulate
from fecontact.joint import Force
from fecontact.mesh import block as block_mesh
from fecontact.reduction import reduce_model
from fecontact.system import System

MU, LOAD, AREAS = 0.3, 20.0, np.array([1.0, 2.0, 3.0, 1.0])
PROJECT = np.array([[0.1, 0.0, 0.0], [-0.1, 0.0, 0.0], [0.0, 0.1, 0.0], [0.0, 0.0, 1.0]])
PRESSURE = LOAD / AREAS[:3].sum()
STEPS = {"implicit": {}, "explicit": {"backend": "general"}}


def sled():
    """Block on three points of different areas; a fourth is high above the floor."""
    block = RigidBody("block", 1.0, ("ux", "uy", "uz"))
    pair = ContactPair(
        block, Surface(PROJECT, AREAS), RigidFace(None, Plane()), PenaltyNormal(1e5, 100.0),
        ElastoPlastic(MU, 1e5, 20.0), "feet",
    )  # fmt: skip
    return System([block], [pair, Force(block, (0.0, 0.0, -LOAD))])


def thrown(system, speed):
    rest = {"block.uz": -PRESSURE / 1e5}
    return system.sliding(system.state(q=rest, v={"block.ux": speed, "block.uy": 0.5 * speed}))


def powers(motion):
    """Slip powers (k, p) of the only contact."""
    (reports,) = motion.contacts.values()
    return np.array([report.point_slip_power for report in reports])


@pytest.mark.parametrize(("method", "options"), STEPS.items())
def test_power_times_step_is_the_slip_work(method, options):
    """Point by point and, as a sum, the line `slip`, from sliding to rest; nothing in stick.

    The mean power of a step is its slip work over its length, so only round-off is left.
    """
    system = sled()
    motion = simulate(system, 0.06, thrown(system, 0.2), method, 2e-4, step=2e-4, **options)
    power, (work, _) = powers(motion), motion.slip_work_and_path("feet")
    np.testing.assert_allclose(np.diff(motion.t) @ power[1:], work[-1], rtol=1e-10)
    assert motion.energies["slip"][-1] == pytest.approx(np.diff(motion.t) @ power[1:].sum(axis=1))
    assert motion.contact_status[-1, :3].tolist() == [STICK] * 3
    assert not power[motion.contact_status == STICK].any()
    assert not power[motion.contact_status == OPEN].any()
    reports = motion.contacts["feet"]
    assert [r.slip_power for r in reports] == pytest.approx(power.sum(axis=1).tolist())


@pytest.mark.parametrize("method", ["implicit", "explicit", "ode", "events"])
def test_power_of_a_sliding_block(method):
    """Each point mu p A |s|; the power of a moment adds up to the slip work.

    The speed falls linearly, so the trapezoidal rule is exact; the bristles start bent as in
    steady sliding and follow within 1e-3: they lag behind a slip that slows down.
    """
    system = sled()
    options = {"step": 1e-4} if method in STEPS else {}
    motion = simulate(system, 0.02, thrown(system, 0.5), method, 1e-3, **options)
    speed = np.hypot(*motion.v[:, :2].T)
    exact = MU * PRESSURE * speed[:, None] * np.where(PROJECT[:, 2] > 0.0, 0.0, AREAS)
    power, (work, _) = powers(motion), motion.slip_work_and_path("feet")
    np.testing.assert_allclose(power[1:], exact[1:], rtol=1e-3)
    np.testing.assert_allclose(np.trapezoid(power, motion.t, axis=0), work[-1], rtol=1e-3)


def test_power_on_an_elastic_master():
    """A plate slides over a soft block whose pressure is not uniform: mu p A |s| at each point."""
    solid = ElasticSolid(
        block_mesh(0.2, 0.2, 0.1, cells=(3, 3, 1)), Material(2e6, 0.3, 1000.0),
        supports={"z_min": "clamped"},
    )  # fmt: skip
    model = reduce_model(solid, contact=["z_max"], modes=2)
    base = ElasticBody("base", model, frame="fixed", damping=0.1)
    plate = RigidBody("plate", 1.0, ("ux", "uz"))
    x = np.linspace(0.06, 0.14, 3)
    places = np.column_stack([np.repeat(x, 3), np.tile(x, 3), np.full(9, 0.1)])
    pair = ContactPair(
        plate, Surface(places, np.full(9, 1e-3)), ElasticFace(base, "z_max"),
        PenaltyNormal(1e8, 1e5), ElastoPlastic(MU, 1e8, 1e4), "top",
    )  # fmt: skip
    system = System([base, plate], [pair, Force(plate, (0.0, 0.0, -LOAD))])
    start = system.sliding(system.state(q={"plate.uz": -2e-5}, v={"plate.ux": 0.5}))
    motion = simulate(system, 0.02, start, step=1e-4, output=1e-4)
    power, (work, _) = powers(motion), motion.slip_work_and_path("top")
    np.testing.assert_allclose(np.diff(motion.t) @ power[1:], work[-1], rtol=1e-10)
    last = motion.contacts["top"][-1]
    assert np.ptp(last.pressure) > 0.1 * last.pressure.mean()
    exact = MU * last.pressure * 1e-3 * np.linalg.norm(last.slip, axis=1)
    np.testing.assert_allclose(last.point_slip_power, exact, rtol=1e-2)
