"""Reading a motion: joint coordinates and paths of points."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact
from fecontact.body import DOFS, RigidBody
from fecontact.errors import InputError
from fecontact.integrate import Trajectory, simulate
from fecontact.joint import Revolute
from fecontact.results import Result
from fecontact.system import System, posed


@pytest.fixture(scope="module")
def wheel():
    """A free wheel about y with its rim point one metre out, 3 turns in one second."""
    body = RigidBody("wheel", 1.0, DOFS, (0.1, 0.2, 0.1), points={"rim": (1.0, 0.0, 0.0)})
    other = RigidBody("other", 1.0)
    hinge = Revolute(None, body, axis="y", name="hinge")
    system = System([other, body], [hinge])
    start = posed(system, {hinge.angle: 0.25}, {hinge.angle: 6.0 * np.pi})
    motion = simulate(system, 1.0, start, "projected", rtol=1e-10, atol=1e-12, output=0.05)
    return motion, hinge, 0.25 + 6.0 * np.pi * motion.t


def test_angle_is_continued_over_turns(wheel):
    motion, hinge, angle = wheel
    np.testing.assert_allclose(motion.along(hinge.angle), angle, atol=1e-8)
    later = motion.along(hinge.angle, near=2.0 * np.pi)
    np.testing.assert_allclose(later, angle + 2.0 * np.pi, atol=1e-8)


def test_rates_by_marks(wheel):
    motion = wheel[0]
    for marks, of in (("'", "velocity"), ("''", "acceleration")):
        expected = motion.history("wheel.ry", of)
        np.testing.assert_array_equal(motion.history(f"wheel.ry{marks}"), expected)
    with pytest.raises(InputError, match="unknown dof"):
        motion.history("wheel.ry'''")


@pytest.mark.parametrize("point", ["rim", (1.0, 0.0, 0.0)])
def test_path_of_a_point(wheel, point):
    motion, hinge, angle = wheel
    circle = np.column_stack([np.cos(angle), 0.0 * angle, -np.sin(angle)])
    np.testing.assert_allclose(motion.path(hinge.b, point), circle, atol=1e-8)


def test_bodies_of_other_systems_are_refused(wheel):
    """A body must be that of the simulation, or have all its parameters."""
    motion, hinge, _ = wheel
    other = RigidBody("wheel", 1.0, DOFS, (0.1, 0.15, 0.1))
    words = r"'wheel' is not in the simulated system: wheel\.inertia = "
    with pytest.raises(InputError, match=words):
        motion.path(other)
    with pytest.raises(InputError, match=words):
        motion.along(Revolute(None, other, axis="y").angle)
    with pytest.raises(InputError, match="unknown body 'cube'"):
        motion.path(RigidBody("cube", 1.0))
    twin = RigidBody("wheel", 1.0, DOFS, (0.1, 0.2, 0.1), points={"rim": (1.0, 0.0, 0.0)})
    np.testing.assert_array_equal(motion.path(twin, "rim"), motion.path(hinge.b, "rim"))


def test_former_names(wheel):
    """`Trajectory` is the former name of the class; at the top level it warns."""
    with pytest.warns(DeprecationWarning, match=r"fc\.Trajectory is now fc\.Result"):
        assert fecontact.Trajectory is Result
    assert Trajectory is Result
    assert isinstance(wheel[0], fecontact.Result)
    with pytest.raises(AttributeError, match="no attribute 'Trajectories'"):
        _ = fecontact.Trajectories
    assert "Trajectory" not in fecontact.__all__
