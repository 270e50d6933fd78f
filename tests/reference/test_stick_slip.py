"""Limit cycle of rigid friction in closed form against the one by an ODE solver."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference import RigidStickSlip, stick_slip_amplitude, stick_slip_cycle

CYCLE = RigidStickSlip(1.5, 900.0, 20.0, 0.6, 0.35, 0.4)


def test_by_an_ode_solver():
    period, lowest = stick_slip_cycle(
        1.5, 900.0, 0.0, lambda v: 20.0 * (0.35 if v > 0.0 else 0.6), 0.4
    )
    assert CYCLE.period == pytest.approx(period, rel=1e-5)
    assert CYCLE.omega * CYCLE.swing == pytest.approx(-lowest, rel=1e-4)


def test_energy_of_the_belt_becomes_heat():
    """Over a cycle the belt does the work mu N v dt: kinetic in slip, mean of stick in stick."""
    stick = CYCLE.stick_time * CYCLE.belt_speed * CYCLE.stiffness * CYCLE.middle
    slip = CYCLE.kinetic * CYCLE.load * CYCLE.belt_speed * CYCLE.slip_time
    assert CYCLE.heat == pytest.approx(stick + slip)


def test_phase_plane_is_closed():
    x, v = CYCLE.phase_plane()
    assert v[[0, -2]] == pytest.approx([CYCLE.belt_speed] * 2)
    assert x[[0, -2]] == pytest.approx([CYCLE.drop, -CYCLE.drop])
    assert np.hypot(x, v / CYCLE.omega) == pytest.approx(CYCLE.swing)


def test_amplitude_of_falling_friction():
    """The lowest speed and the amplitude come from the same cycle, by two integrations."""

    def friction(v):
        return 20.0 * (0.35 + 0.25 * np.exp(-4.0 * v))

    about = (1.5, 900.0, 2.0, friction, 0.4)
    period, amplitude = stick_slip_amplitude(*about)
    other, lowest = stick_slip_cycle(*about)
    assert period == pytest.approx(other, rel=1e-5)
    assert amplitude == pytest.approx(-lowest / CYCLE.omega, rel=0.1)


def test_amplitude_of_the_closed_form():
    period, amplitude = stick_slip_amplitude(
        1.5, 900.0, 0.0, lambda v: 20.0 * (0.35 if v > 0.0 else 0.6), 0.4
    )
    assert (period, amplitude) == pytest.approx((CYCLE.period, CYCLE.swing), rel=1e-6)
