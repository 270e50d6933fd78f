"""The small program of a gearbox against an oscillator in closed form, and against scipy."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.reference import GearboxConstants, gearbox_path, settled_gearbox
from fecontact.reference.multibody.gearbox import rates

ANGLES = 2.0 * np.pi * np.arange(6) / 6


def gearbox(friction=0.3):
    return GearboxConstants(
        np.array([1.0, 1.0, 1.0, 7.5e-4, 10.0]),
        np.array([1.2e7, 1.2e7, 2e6, 0.0, 8e6]),
        np.array([22.0, 22.0, 0.0, 0.0, 20.0]),
        200.0,
        (65.0, 60.0),
        (7e6, 13.0),
        (friction, 0.05, 0.1),
        (2e8, 2e4, 1e-6),
        np.array([[0.3, 0.9, -0.4, 0.03], [0.3, -0.9, 0.4, -0.03]]),
        np.array([5e-5, 5e-5]),
        np.column_stack([np.cos(ANGLES), np.sin(ANGLES)]),
    )


def test_axial_oscillator_without_contact():
    """The shaft swings on its bearing about -F/c while the clutch is open."""
    heavy = np.array([1.0, 1.0, 1.0, 7.5e-4, 1e12])
    k = gearbox()._replace(inertia=heavy, axes=np.zeros((2, 4)))
    start = np.zeros(10)
    start[2], start[4] = 1e-3, -1.0  # the plate is far away and stays there
    found = settled_gearbox(k, start, 0.02, 1e-6)
    assert found.period == pytest.approx(2.0 * np.pi / np.sqrt(2e6), rel=1e-6)
    assert found.amplitude[2] == pytest.approx(1e-3 + 200.0 / 2e6, rel=1e-6)
    assert found.tops.shape[1] == 11


def test_steps_against_an_ode_solver():
    k = gearbox()
    start = np.zeros(10)
    start[2] = -4e-5
    end = solve_ivp(lambda t, y: rates(y, k), (0.0, 2e-3), start, rtol=1e-10, atol=1e-14).y[:, -1]
    found = gearbox_path(k, start, 1e-6, 2001)[-1]
    assert found[:5] == pytest.approx(end[:5], abs=1e-5 * np.abs(end[:5]).max())


def test_friction_opposes_the_slip():
    """At rest the shaft runs faster than the plate: friction brakes it by mu N R."""
    k, y = gearbox(), np.zeros(10)
    y[4] = 1e-5
    torque = rates(y, k)[8] * 7.5e-4
    limit = 0.3 * 7e6 * 1e-5 * 0.1
    assert torque == pytest.approx(-limit * 2.0 / np.pi * np.arctan(0.5 / 0.05))


def test_constants_of_parameters_and_gaps():
    """A gap that is linear in the coordinates gives back its gradient."""
    known = gearbox()
    names = {
        "shaft_mass": 1.0, "inertia": 7.5e-4, "plate_mass": 10.0, "radial_stiffness": 1.2e7,
        "axial_stiffness": 2e6, "plate_stiffness": 8e6, "radial_damping": 22.0,
        "axial_damping": 0.0, "plate_damping": 20.0, "load": 200.0, "shaft_speed": 65.0,
        "plate_speed": 60.0, "contact_stiffness": 7e6, "contact_damping": 13.0, "friction": 0.3,
        "smooth_speed": 0.05, "contact_radius": 0.1, "tooth_stiffness": 2e8,
        "tooth_damping": 2e4, "tooth_depth": 1e-6, "ring_points": 6,
    }  # fmt: skip
    gap = lambda q: known.gaps + known.axes @ q  # noqa: E731
    found = GearboxConstants.of(SimpleNamespace(**names), gap)
    for name, value, expected in zip(known._fields, found, known, strict=True):
        assert np.asarray(value) == pytest.approx(np.asarray(expected), rel=1e-8), name
    axial = GearboxConstants.of(SimpleNamespace(**names), gap, radial=False)
    assert not axial.axes[:, :2].any()
    assert axial.axes[:, 2:] == pytest.approx(known.axes[:, 2:], rel=1e-8)
