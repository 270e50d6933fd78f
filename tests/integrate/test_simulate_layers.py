"""Stateful normal laws in explicit, implicit and static motion, by their compiled kernels."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import RigidBody
from fecontact.contact import (
    ContactModuli,
    ContactPair,
    ElastoPlastic,
    JKRContact,
    KelvinLayer,
    Plane,
    RigidFace,
    SolidLayer,
    Surface,
    rectangle,
)
from fecontact.contact.evaluate.compiled import step as compiled_stepping
from fecontact.integrate import simulate
from fecontact.integrate.explicit.bound import step_limits
from fecontact.joint import Force, ramp
from fecontact.results.audit import unaccounted
from fecontact.system import System

BACKENDS = ("compiled", "general")
BALL = JKRContact(ContactModuli(1e6, 0.3), radius=0.01, surface_energy=0.05)
POINT = Surface(np.zeros((1, 3)), np.ones(1))
FACING = rectangle(0.2, 0.1, (4, 3))
SCENES = {  # layer, surface, mass, friction, speeds along and down, time
    "solid": (SolidLayer(1e6, 2e6, 0.02), FACING, 1.0, (1e6, 1e3), (0.3, -0.2), 0.06),
    "kelvin": (KelvinLayer(3e6, 4e3), FACING, 1.0, (1e6, 1e3), (0.3, -0.2), 0.06),
    "jkr": (BALL.law(5e-4), POINT, 1e-3, (300.0, 0.1), (0.05, -0.02), 0.02),
}


def thrown(name):
    """A block that falls on the layer, bounces, and slides."""
    layer, surface, mass, bristle, (along, down), _ = SCENES[name]
    block = RigidBody("block", mass, ("ux", "uz"))
    law = ElastoPlastic(0.4, *bristle)
    pair = ContactPair(block, surface, RigidFace(None, Plane()), layer, law)
    system = System([block], [pair, Force(block, (0.0, 0.0, -9.81 * mass))])
    return system, system.state(v={"block.ux": along, "block.uz": down})


@cache
def motion_of(name, method="explicit", steps=600, **options):
    system, start = thrown(name)
    end = SCENES[name][-1]
    return simulate(system, end, start, method, end / 20, step=end / steps, **options)


@pytest.mark.parametrize("name", SCENES)
def test_lanes_give_the_same_motion(name):
    fast, slow = (motion_of(name, backend=backend) for backend in BACKENDS)
    assert fast.statistics.compiled == 600
    assert {0, 2} <= set(fast.contact_status.ravel().tolist())  # it bounces and slides
    for part in ("q", "v", "z", "slip_totals"):
        a, b = (getattr(motion, part) for motion in (fast, slow))
        np.testing.assert_allclose(a, b, rtol=0, atol=1e-9 * np.abs(b).max(), err_msg=part)
    np.testing.assert_array_equal(fast.contact_status, slow.contact_status)
    scale = max(abs(line).max() for line in slow.energies.values())
    for line, values in slow.energies.items():
        np.testing.assert_allclose(
            fast.energies[line], values, rtol=0, atol=1e-3 * scale, err_msg=line
        )


@pytest.mark.parametrize("backend", BACKENDS)
def test_restart_is_exact(backend):
    system, start = thrown("solid")
    end = SCENES["solid"][-1]
    options = {"step": end / 600, "backend": backend}
    half = simulate(system, end / 2, start, "explicit", end / 20, **options)
    rest = simulate(system, end, None, "explicit", end / 20, restart=half, **options)
    whole = motion_of("solid", backend=backend)
    np.testing.assert_array_equal(rest.q[-1], whole.q[-1])
    np.testing.assert_array_equal(rest.z[-1], whole.z[-1])


@pytest.mark.parametrize("name", ["solid", "kelvin"])
def test_implicit_comes_to_the_same_motion(name):
    apart = []
    for steps in (300, 1200):
        fast = motion_of(name, steps=steps, backend="compiled")
        slow = motion_of(name, "implicit", steps)
        apart.append(np.abs(fast.q[-1] - slow.q[-1]).max() / np.abs(slow.q).max())
    assert apart[1] < min(2e-3, 0.5 * apart[0])


@pytest.mark.parametrize("name", SCENES)
def test_statics_by_the_kernel_and_item_by_item(name, monkeypatch):
    system, _ = thrown(name)
    block = system.bodies[0]
    push = Force(block, (1.5 * SCENES[name][2], 0.0, 0.0), name="push", factor=ramp(1.0))
    loaded = System([block], [*system.items[1:], push])
    start = StaticSystem(loaded)
    fast = load_path(start, [0.0, 0.5, 1.0])
    balance = start.at(fast.increments[0], 0.5, fast.x[1])
    assert isinstance(balance.steps["contact"], compiled_stepping.CompiledStep)
    monkeypatch.setattr(compiled_stepping, "compiled_rigid", lambda pair: None)
    slow = load_path(StaticSystem(loaded), [0.0, 0.5, 1.0])
    np.testing.assert_allclose(fast.x, slow.x, rtol=0, atol=1e-9 * np.abs(slow.x).max())


def test_bound_of_the_step_knows_the_fresh_layer():
    """2/omega with both springs of the solid, not that of the relaxed layer."""
    system, start = thrown("solid")
    none = np.zeros((2, 2))
    bound = step_limits(system, system.history_layout.filled(start), none, none).bound
    exact = 2.0 / np.sqrt((1e6 + 2e6) * FACING.measure)
    assert bound == pytest.approx(exact, rel=1e-12)


def test_kelvin_layer_that_starts_pressed():
    # m d'' + b d' + c d = 0 from d_0 at rest until the layer no longer pushes, d'' = 0
    m, c, b, d_0 = 2.0, 1.8e3, 40.0, 1e-3
    block = RigidBody("block", m, ("uz",))
    law = ElastoPlastic(0.0, 1.0, 1.0)
    pair = ContactPair(block, POINT, RigidFace(None, Plane()), KelvinLayer(c, b), law)
    system = System([block], [pair])
    start = system.state(q={"block.uz": -d_0})
    motion = simulate(system, 0.2, start, "ode", rtol=1e-9, atol=1e-13)
    decay, omega = 0.5 * b / m, np.sqrt(c / m - (0.5 * b / m) ** 2)
    t = np.arctan2(omega, decay) / omega
    speed = d_0 * (decay**2 + omega**2) / omega * np.exp(-decay * t) * np.sin(omega * t)
    np.testing.assert_allclose(motion.v[-1, 0], speed, rtol=1e-6)
    # what the spring had at that moment is lost in the free layer
    np.testing.assert_allclose(
        motion.energies["damping"][-1] + motion.energies["contact"][-1],
        0.5 * c * d_0**2 - 0.5 * m * speed**2, rtol=1e-6,
    )  # fmt: skip
    assert unaccounted(motion.energies) < 1e-6
