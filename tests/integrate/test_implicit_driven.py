"""Driven motion under error control: mechanisms whose positions constraints give at all times."""

from __future__ import annotations

from math import cos, sin

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.errors import SolverError
from fecontact.integrate import Implicit, Point, Statistics, simulate
from fecontact.integrate.implicit.method import AlphaRun
from fecontact.joint import (
    DofCoordinate,
    MotionFunction,
    PrescribedMotion,
    Prismatic,
    Revolute,
    SmoothStep,
    Speed,
)
from fecontact.system import System

RADIUS, ROD, SPEED = 0.1, 0.12, 20.0


@pytest.fixture(scope="module")
def slider_crank():
    """Crank at constant speed, rod and slider; the rod is only a little longer than the crank."""
    inertia = (0.01, 0.01, 0.01)
    crank = RigidBody("crank", 1.0, DOFS, inertia)
    rod = RigidBody("rod", 1.0, DOFS, inertia, position=(RADIUS + ROD / 2, 0.0, 0.0))
    slider = RigidBody("slider", 0.5, DOFS, inertia, position=(RADIUS + ROD, 0.0, 0.0))
    hinge = Revolute(None, crank, name="hinge")
    guide = Prismatic(None, slider, axis="x", name="guide")
    joints = [
        hinge,
        Revolute(crank, rod, point_b=(-ROD / 2, 0.0, 0.0), name="pin of the crank"),
        Revolute(rod, slider, name="pin of the slider"),
        guide,
        PrescribedMotion(hinge.angle, Speed(SPEED), name="motor"),
    ]
    system = System([crank, rod, slider], joints)
    return system, system.consistent(system.state(v={"crank.rz": SPEED})).state, guide.stroke


def closed_form(t):
    """Stroke of the slider, and torque of the motor from the change of the kinetic energy."""
    phi = SPEED * t
    root = np.sqrt(ROD**2 - (RADIUS * np.sin(phi)) ** 2)
    stroke = RADIUS * np.cos(phi) + root - RADIUS - ROD

    def energy(phi):
        tilt = -np.arcsin(RADIUS / ROD * np.sin(phi))
        turn = -RADIUS * SPEED * np.cos(phi) / (ROD * np.cos(tilt))
        pin = RADIUS * SPEED * np.array([-np.sin(phi), np.cos(phi)])
        along = ROD * turn * np.array([-np.sin(tilt), np.cos(tilt)])
        middle, slider = pin + along / 2, pin[0] + along[0]
        return 0.25 * slider**2 + 0.5 * (middle**2).sum(axis=0) + 0.005 * turn**2

    e = 1e-5
    return stroke, (energy(phi + e) - energy(phi - e)) / (2 * e)


def test_slider_crank_with_the_default_tolerance(slider_crank):
    """Mobility 0: nothing is free, still the steps resolve the motion and the torque."""
    system, start, stroke = slider_crank
    motion = simulate(system, 0.08, start)  # a quarter of a turn
    expected, torque = closed_form(motion.t)
    np.testing.assert_allclose(motion.along(stroke), expected, rtol=0.0, atol=1e-12)
    error = np.abs(motion.multiplier("motor.s") - torque).max()
    assert error < 1e-3 * np.abs(torque).max()


def test_the_first_step_may_be_much_too_long(slider_crank):
    """The first trial covers more than three turns of the crank; the step is found all the same."""
    system, start, stroke = slider_crank
    found = system.consistent(start)
    point = Point(found.state, found.acceleration)
    run = AlphaRun(Implicit(), system, point, Statistics())
    run.h = 6.1 * np.pi / SPEED
    for _ in range(5):
        run.advance(1000.0)
    assert run.last.state.t * SPEED < 0.5
    expected, _ = closed_form(run.last.state.t)
    assert stroke.value(run.last.state.q[system.q_slices["slider"]]) == pytest.approx(
        expected, abs=1e-12
    )


def test_a_late_short_motion_is_not_missed():
    """Rest lets the step grow; the positions of a law that starts late bring it back."""
    mass = RigidBody("mass", 2.0, ("ux",))
    law = SmoothStep(0.05, start=4.0, high=0.1)
    system = System([mass], [PrescribedMotion(DofCoordinate(mass, "ux"), law, name="motor")])
    motion = simulate(system, 10.0, system.rest(), rtol=1e-4)
    inside = (motion.t > 4.0) & (motion.t < 4.05)
    assert np.count_nonzero(inside) > 20
    expected = np.array([2.0 * law.acceleration(t) for t in motion.t])
    error = np.abs(motion.multiplier("motor.s") - expected).max()
    assert error < 0.05 * np.abs(expected).max()


def test_a_fixed_step_that_jumps_is_refused(slider_crank):
    system, start, _ = slider_crank
    with pytest.raises(SolverError, match=r"another assembly; try a smaller step"):
        simulate(system, 5.0, start, step=0.25)  # without the guard: 0.24 m off, no error


def harmonic(amplitude, omega):
    return MotionFunction(
        lambda t: amplitude * sin(omega * t),
        lambda t: amplitude * omega * cos(omega * t),
        lambda t: -amplitude * omega**2 * sin(omega * t),
    )


def test_torque_of_a_driven_shaft():
    """J phi'' with phi = sin(10 t): an amplitude of 100 N m."""
    shaft = RigidBody("shaft", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0))
    motor = PrescribedMotion(DofCoordinate(shaft, "rz"), harmonic(1.0, 10.0), name="motor")
    system = System([shaft], [motor])
    motion = simulate(system, 0.4, system.consistent(system.rest()).state)
    expected = -100.0 * np.sin(10.0 * motion.t)
    np.testing.assert_allclose(motion.multiplier("motor.s"), expected, rtol=0.0, atol=0.05)
    np.testing.assert_allclose(motion.a[:, 0], expected, rtol=0.0, atol=0.05)
