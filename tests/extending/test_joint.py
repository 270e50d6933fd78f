"""A joint from outside of the package: a block that slides in an inclined plane, onto a floor."""

from __future__ import annotations

import numpy as np
import pytest
from in_plane import InPlane

import fecontact as fc

MASS, FLOOR, BRISTLE, MU, PUSH = 2.0, 1e5, 2e4, 0.3, 40.0
AXIS = (1.0, 0.0, 1.0)
METHODS = {"implicit": {"step": 2e-4}, "ode": {}}


def free():
    """A block on a plane without friction that falls at 45 degrees."""
    block = fc.RigidBody("block", MASS, fc.DOFS, (0.1, 0.2, 0.3))
    plane = InPlane(None, block, axis=AXIS)
    return fc.System([block], [plane, fc.Gravity([block])])


def wedged(speed=None, damping=50.0):
    """The block is pushed along x in the plane x + z = 0 and so down on a floor or a belt."""
    block = fc.RigidBody("block", MASS, ("ux", "uy", "uz"))
    belt = None if speed is None else fc.RigidBody("belt", 1.0, ("ux",))
    pair = fc.ContactPair(
        block, fc.Surface(np.zeros((1, 3)), np.ones(1)), fc.RigidFace(belt, fc.Plane()),
        fc.PenaltyNormal(FLOOR, damping), fc.ElastoPlastic(MU, BRISTLE, 40.0), name="foot",
    )  # fmt: skip
    guide = fc.Bearing(block, 1e-9, 1e-9, radial_damping=1e-9)
    items = [InPlane(None, block, axis=AXIS), fc.Force(block, (PUSH, 0.0, 0.0)), pair, guide]
    if belt is None:
        return fc.System([block], items)
    drive = fc.PrescribedMotion(
        fc.DofCoordinate(belt, "ux"), fc.Speed(speed), level="velocity", name="drive"
    )
    return fc.System([block, belt], [*items, drive])


@pytest.mark.parametrize("method", ["implicit", "ode", "projected"])
def test_fall_in_the_plane(method):
    """Acceleration g sin(45 degrees), reaction m g cos(45 degrees)."""
    options = {"step": 1e-3} if method == "implicit" else {}
    result = fc.simulate(free(), 0.2, None, method, 0.1, **options)
    way = 0.25 * 9.80665 * 0.2**2  # half of g t^2/2 along x and along -z
    np.testing.assert_allclose(np.abs(result.q[-1][[0, 2]]), way, rtol=1e-6)
    held = result.multiplier("in plane.z")
    np.testing.assert_allclose(np.abs(held[-1]), MASS * 9.80665 / np.sqrt(2.0), rtol=1e-6)


def test_statics():
    """Floor and bristle share the push: s = F/(c + c_t)."""
    path = fc.load_path(fc.StaticSystem(wedged()), [0.5, 1.0])
    x = path.x[-1][:3]
    np.testing.assert_allclose(x[0], PUSH / (FLOOR + BRISTLE), rtol=1e-8)
    np.testing.assert_allclose(x[2], -x[0], rtol=1e-12)


@pytest.mark.parametrize("method", METHODS)
def test_motion_comes_to_the_static_state(method):
    result = fc.simulate(wedged(damping=1e3), 0.1, None, method, 0.05, **METHODS[method])
    assert np.abs(result.energies["residual"]).max() < 2e-3 * result.energies["damping"][-1]
    np.testing.assert_allclose(result.q[-1][0], PUSH / (FLOOR + BRISTLE), rtol=1e-3)
    np.testing.assert_allclose(result.q[:, 0], -result.q[:, 2], atol=1e-12)


def test_explicit_steps():
    """A joint that is written in Python goes the general backend: the motion of implicit steps."""
    system, differences = wedged(), []
    for step in (2e-5, 1e-5):
        fast = fc.simulate(system, 2e-3, None, "explicit", 1e-3, step=step)
        slow = fc.simulate(system, 2e-3, None, "implicit", 1e-3, step=step, rho_inf=1.0)
        assert fast.statistics.compiled == 0
        assert np.abs(fast.q[:, 0] + fast.q[:, 2]).max() < 1e-14
        differences.append(np.abs(fast.v[-1] - slow.v[-1]).max())
    assert differences[1] < 0.35 * differences[0]


def test_small_motions_with_friction_states():
    """On a belt that drags along x: s = F/((1 - mu) c), omega^2 = (1 - mu) c/(2 m)."""
    system = wedged(1.0, damping=0.0)
    point = fc.operating_point(system, friction="state")
    np.testing.assert_allclose(point.steady.state.q[0], PUSH / ((1.0 - MU) * FLOOR), rtol=1e-6)
    found = point.modes.eigenvalues
    known = np.sqrt((1.0 - MU) * FLOOR / (2.0 * MASS))
    assert np.abs(found.imag - known).min() < 1e-5 * known


def test_store_and_exact_restart(tmp_path):
    whole = fc.simulate(
        wedged(), 0.02, None, "implicit", 0.005, step=2e-4, store=tmp_path / "run.h5"
    )
    half = fc.simulate(wedged(), 0.01, None, "implicit", 0.005, step=2e-4)
    rest = fc.simulate(wedged(), 0.02, None, "implicit", 0.005, restart=half, step=2e-4)
    stored = fc.Result.load(tmp_path / "run.h5")
    for name in ("q", "v", "lam", "z", "contact_status", "slip_totals"):
        np.testing.assert_array_equal(getattr(rest, name), getattr(whole, name)[2:])
        np.testing.assert_array_equal(getattr(stored, name), getattr(whole, name))
