"""Correct mechanisms with redundant rows: round-off is neither a conflict nor an error."""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.errors import SolverError
from fecontact.joint import (
    DofCoordinate,
    MotionFunction,
    PrescribedMotion,
    Prismatic,
    Revolute,
    Speed,
    Universal,
)
from fecontact.system import System


@pytest.mark.parametrize("axis", [(1.0, 1.0, 0.0), (1.0, 2.0, 3.0), (0.0, 3.0, 4.0)])
@pytest.mark.parametrize("inertia", [(4.0, 4.0, 4.0), (5.0, 4.0, 3.0)])
def test_rotor_in_two_hinges(axis, inertia):
    """On the axis nothing is accelerated: all terms of the bias cancel."""
    rotor = RigidBody("rotor", 20.0, DOFS, inertia)
    n = np.array(axis) / np.linalg.norm(axis)
    hinges = [
        Revolute(None, rotor, point_b=tuple(z * n), axis=axis, name=f"hinge {z}")
        for z in (0.8, -0.8)
    ]
    system = System([rotor], hinges)
    found = system.consistent(system.state(v={"rotor.ry": 5.0}))
    omega = found.state.v[3:]
    np.testing.assert_allclose(np.cross(omega, n), 0.0, rtol=0.0, atol=1e-12)
    np.testing.assert_allclose(found.acceleration, 0.0, rtol=0.0, atol=1e-12)
    assert np.linalg.norm(omega) > 1.0
    assert not system.redundancy(found.state).conflicts


def hooke():
    """Two shafts at 0.4 rad in own bearings, with a Hooke joint; the first one is driven."""
    beta, speed = 0.4, 5.0
    first, second = (RigidBody(k, 1.0, DOFS, (0.1, 0.1, 0.1)) for k in ("first", "second"))
    bearing = Revolute(None, first, axis="z", name="bearing of the first")
    cross = Universal(first, second, axis_a="y", axis_b=(cos(beta), 0.0, -sin(beta)), name="cross")
    joints = [
        bearing,
        Revolute(None, second, axis=(sin(beta), 0.0, cos(beta)), name="bearing of the second"),
        cross,
        PrescribedMotion(bearing.angle, Speed(speed), name="motor"),
    ]
    return System([first, second], joints), beta, speed


def test_driven_hooke_joint():
    """Speed of the second shaft at the ends of its swing: omega cos(beta) or omega/cos(beta)."""
    system, beta, speed = hooke()
    found = system.consistent(system.state(v={"first.rz": speed}))
    ratio = np.linalg.norm(found.state.v[9:]) / speed
    assert min(abs(ratio - cos(beta)), abs(ratio - 1.0 / cos(beta))) < 1e-10
    assert np.abs(found.acceleration).max() < 1e-8 * speed**2


def slider_crank():
    crank = RigidBody("crank", 1.0, DOFS, (0.01, 0.01, 0.01))
    rod = RigidBody("rod", 1.0, DOFS, (1e-4, 0.0075, 0.0075), position=(0.25, 0.0, 0.0))
    slider = RigidBody("slider", 0.5, DOFS, (0.01, 0.01, 0.01), position=(0.4, 0.0, 0.0))
    hinge = Revolute(None, crank, name="hinge")
    joints = [
        hinge,
        Revolute(crank, rod, point_b=(-0.15, 0.0, 0.0), name="first pin"),
        Revolute(rod, slider, name="second pin"),
        Prismatic(None, slider, axis="x", name="guide"),
        PrescribedMotion(hinge.angle, Speed(20.0), name="motor"),
    ]
    return System([crank, rod, slider], joints)


@pytest.mark.parametrize("build", [slider_crank, lambda: hooke()[0]])
def test_a_driven_mechanism_at_rest_has_no_conflicts(build):
    """The motor asks for a speed that the state at rest does not have; that is no conflict."""
    system = build()
    assert system.redundancy().redundant
    assert system.describe()["conflicts"] == {}
    assert "conflicting" not in str(system)


def test_real_conflicts_are_still_found():
    """Speeds that differ by 1e-6, accelerations that differ by 1e-5 of their size."""
    mass = RigidBody("mass", 2.0, ("ux",))
    place = DofCoordinate(mass, "ux")

    def driven(*laws):
        drives = [PrescribedMotion(place, law, name=f"{i}") for i, law in enumerate(laws)]
        return System([mass], drives)

    apart = driven(Speed(1.0), Speed(1.0 + 1e-6))
    assert set(apart.redundancy().conflicts) == {"0.s", "1.s"}

    def parabola(a):
        return MotionFunction(lambda t: t + a / 2 * t**2, lambda t: 1.0 + a * t, lambda t: a)

    bent = driven(parabola(1.0), parabola(1.0 + 1e-5))
    with pytest.raises(SolverError, match="exclude each other"):
        bent.consistent(bent.state(v={"mass.ux": 1.0}))
