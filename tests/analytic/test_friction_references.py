"""Reference solutions with friction, and of elastic bars, against their own limits."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc


@pytest.mark.parametrize("x", [0.1, 0.5, 0.9])
def test_hertz_patch_inside(x):
    F, M = fc.reference.hertz_patch_friction(x)
    assert pytest.approx(3.0 * np.pi / 8.0 * (x - x**3 / 4.0), abs=1e-8) == F
    assert pytest.approx(3.0 * np.pi / 16.0 * (1.0 - x**2 + 3.0 * x**4 / 8.0), abs=1e-8) == M


def test_hertz_patch_far_away():
    """Both tend to pure translation, 1 - 0.1/x^2 and 0.2/x."""
    F, M = fc.reference.hertz_patch_friction(50.0)
    assert pytest.approx(1.0 - 0.1 / 50.0**2, abs=1e-6) == F
    assert pytest.approx(0.2 / 50.0, rel=1e-3) == M


def test_annulus_spins_down():
    """M = 2/3 mu N (b^3 - a^3)/(b^2 - a^2) without translation."""
    a, b, limit, inertia = 0.1, 0.2, 6.0, 0.05
    moment = 2.0 / 3.0 * limit * (b**3 - a**3) / (b**2 - a**2)
    start, t = np.array([0.0, 0.0, 50.0, 0.0, 0.0, 0.0]), np.array([0.0, 0.2])
    end = fc.reference.sliding_annulus((a, b), 2.0, inertia, limit, start, 0.0, t)[-1]
    assert end[2] == pytest.approx(50.0 - moment / inertia * 0.2, rel=1e-9)
    assert np.abs(end[[0, 1, 3, 4]]).max() < 1e-9


def test_two_uncoupled_masses_swing_as_one():
    pair = fc.reference.SlidingMasses(np.eye(2), np.zeros((2, 2)), 1.0, [9.0, 9.0])
    assert pair.at(6.28)[:2] == pytest.approx([5.0, 5.0], abs=1e-4)
    assert pair.reversals == 2


def test_a_mass_that_sticks_is_refused():
    one = fc.reference.SlidingMasses(np.eye(1), np.zeros((1, 1)), 1.0, [2.5])
    with pytest.raises(fc.SolverError, match=r"mass 1 sticks at t = 3\.14159 s"):
        one.at(4.0)


def test_stick_slip_of_a_force_that_falls_at_once():
    """Time of stick 2 D/v and of slip 2/omega (pi - atan(omega D/v)), D the drop of the force."""
    law, v = (lambda s: 1.0 if s else 3.0), 0.5
    period, lowest = fc.reference.stick_slip_cycle(2.0, 8.0, 0.0, law, v)
    drop, omega = 2.0 / 8.0, 2.0
    exact = 2.0 * drop / v + 2.0 / omega * (np.pi - np.arctan(omega * drop / v))
    assert period == pytest.approx(exact, rel=1e-6)
    assert lowest == pytest.approx(-np.hypot(omega * drop, v), rel=1e-4)


def test_even_shear_at_the_rim_and_centre():
    """Hertz-like stick shear moves all points alike: pi (2 - nu) tau a/(4 G)."""
    a, G, nu = 0.2, 3.0, 0.3

    def stick(r):
        return 1.0 / np.sqrt(max(1.0 - (r / a) ** 2, 1e-300))

    for x in (0.0, 0.1):
        moved = fc.reference.sheared_half_space(a, x, stick, G, nu)
        assert moved == pytest.approx(np.pi * (2.0 - nu) * a / (4.0 * G), rel=1e-6)


def test_links_of_a_stiff_bar_swing_as_one():
    t = np.linspace(0.0, 0.5, 6)
    one, four = (fc.reference.link_pendulum(1.0, 0.02, 1.0, 1e4, 9.81, n, t) for n in (1, 4))
    assert four == pytest.approx(one, abs=2e-3)


def test_beam_under_a_jerk_of_its_hub():
    """Constant acceleration without speed: about the static 11/120 psi'' L/unit^2, up to twice."""
    L, unit, jerk = 2.0, 5.0, 0.3
    t = np.linspace(0.0, 2.0 * np.pi / (3.516 * unit), 101)
    w = fc.reference.spin_up_deflection(L, unit, lambda t: 0.0, lambda t: jerk, t)
    static = -11.0 / 120.0 * jerk * L / unit**2
    assert w.min() == pytest.approx(2.0 * static, rel=0.02)
    assert abs(w[-1]) < 0.02 * abs(static)
