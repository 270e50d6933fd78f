"""Hertz, Mindlin and JKR against the half space and the source notes' numbers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import dblquad, quad

from fecontact.contact.laws.adhesion import JKRContact
from fecontact.contact.patch.hertz import (
    ContactModuli,
    HertzEllipse,
    HertzLine,
    HertzPoint,
    equivalent_radius,
    relative_curvature,
)
from fecontact.errors import InputError

STEEL = ContactModuli(210e9, 0.3)
BALL = HertzPoint(STEEL, 0.01)
LOAD = 200.0


def test_ball_is_consistent_with_the_half_space():
    """The pressure carries the force, and Boussinesq's displacement is the approach."""
    d = float(BALL.approach(LOAD))
    a = float(BALL.contact_radius(d))
    p = lambda angle: float(BALL.pressure(a * np.sin(angle), d))  # noqa: E731
    dr = lambda angle: a * np.cos(angle)  # noqa: E731
    carried = quad(lambda x: 2.0 * np.pi * a * np.sin(x) * p(x) * dr(x), 0.0, 0.5 * np.pi)[0]
    assert carried == pytest.approx(LOAD, rel=1e-10)
    # u(0) = int p/(pi E*) dr dphi, of both bodies
    centre = quad(lambda x: 2.0 * p(x) * dr(x) / STEEL.modulus, 0.0, 0.5 * np.pi)[0]
    assert centre == pytest.approx(d, rel=1e-10)
    assert float(BALL.force(d)) == pytest.approx(2 / 3 * np.pi * BALL.peak_pressure(d) * a**2)


def test_stiffnesses_and_mindlin_ratio():
    d, h = 3e-6, 1e-9
    slope = (BALL.force(d + h) - BALL.force(d - h)) / (2.0 * h)
    assert BALL.stiffness(d) == pytest.approx(slope, rel=1e-6)
    ratio = BALL.tangential_stiffness(d) / BALL.stiffness(d)
    assert ratio == pytest.approx(2.0 * (1.0 - 0.3) / (2.0 - 0.3), rel=1e-12)
    start = BALL.tangential_force(1e-13, d, 0.3) / 1e-13
    assert start == pytest.approx(BALL.tangential_stiffness(d), rel=1e-5)


def test_partial_slip_ends_in_full_slip():
    d, mu = 3e-6, 0.3
    end = BALL.full_slip(d, mu)
    assert BALL.tangential_force(end, d, mu) == pytest.approx(mu * BALL.force(d))
    assert BALL.stick_radius(mu * BALL.force(d), d, mu) == 0.0
    assert BALL.stick_radius(0.0, d, mu) == BALL.contact_radius(d)


@given(
    shares=st.lists(st.floats(-5.0, 5.0), min_size=1, max_size=5),
    d=st.floats(1e-9, 1e-4),
    mu=st.floats(0.01, 2.0),
)
def test_partial_slip_is_odd_and_limited(shares, d, mu):
    """A shift or force to the other side gives the same contact, mirrored."""
    shift, limit = np.array(shares) * BALL.full_slip(d, mu), mu * BALL.force(d)
    force = BALL.tangential_force(shift, d, mu)
    np.testing.assert_array_equal(BALL.tangential_force(-shift, d, mu), -force)
    assert np.all(force * shift >= 0.0)
    assert np.all(np.abs(force) <= limit)
    assert np.all(np.abs(force[np.abs(shares) > 1.001]) == limit)
    stick = BALL.stick_radius(force, d, mu)
    np.testing.assert_array_equal(BALL.stick_radius(-force, d, mu), stick)
    assert np.all((stick >= 0.0) & (stick <= BALL.contact_radius(d)))


def test_partial_slip_to_the_other_side():
    d = float(BALL.approach(100.0))
    half = BALL.full_slip(d, 0.3) * np.array([0.5, -0.5, -5.0])
    expected = 30.0 * np.array([1.0 - 0.5**1.5, 0.5**1.5 - 1.0, -1.0])
    np.testing.assert_allclose(BALL.tangential_force(half, d, 0.3), expected, rtol=1e-12)


@pytest.mark.parametrize(("d", "mu"), [(3e-6, 0.0), (0.0, 0.3), (0.0, 0.0)])
def test_no_friction_or_no_load(d, mu):
    """Nothing is carried, nothing sticks, nothing is lost."""
    assert BALL.full_slip(d, mu) == 0.0
    assert np.all(BALL.tangential_force(np.array([-1e-6, 0.0, 1e-6]), d, mu) == 0.0)
    assert np.all(BALL.stick_radius(np.array([-1.0, 0.0, 1.0]), d, mu) == 0.0)
    assert BALL.cycle_loss(0.0, d, mu) == 0.0


def test_contacts_that_only_touch():
    r = np.array([0.0, 1e-3])
    assert np.all(BALL.pressure(r, 0.0) == 0.0)
    assert HertzLine(STEEL, 0.02, 0.01).peak_pressure(0.0) == 0.0
    assert HertzEllipse(STEEL, 0.03, 0.01).peak_pressure(0.0) == 0.0


@pytest.mark.parametrize("share", [0.2, 0.7, 1.0])
def test_cycle_loss_is_the_area_of_masing_s_loop(share):
    """Unloading follows the first loading, doubled: the loop area by quadrature."""
    d, mu = 3e-6, 0.3
    limit, end = mu * float(BALL.force(d)), BALL.full_slip(d, mu)
    top = share * limit
    shift = end * (1.0 - (1.0 - share) ** (2 / 3))

    def unloading(x):
        return top - 2.0 * float(BALL.tangential_force(0.5 * (shift - x), d, mu))

    down = quad(unloading, -shift, shift, epsabs=0.0, epsrel=1e-10)[0]
    assert BALL.cycle_loss(top, d, mu) == pytest.approx(-2.0 * down, rel=1e-7)


@pytest.mark.parametrize(
    ("ratio", "e", "axes", "F_1", "F_2"),
    [
        (1.5, 0.646046, 0.763299, 0.997730, 0.997724),
        (2.0, 0.776112, 0.630596, 0.993436, 0.993393),
        (3.0, 0.875826, 0.482628, 0.983899, 0.983642),
        (5.0, 0.938235, 0.345999, 0.966886, 0.965815),
        (10.0, 0.974990, 0.222250, 0.937098, 0.933330),
    ],
)
def test_ellipse_factors(ratio, e, axes, F_1, F_2):
    """Values of the source notes Keppler 2.16."""
    contact = HertzEllipse(STEEL, 0.01 * ratio, 0.01)
    a, b = contact.half_axes(1e-6)
    assert contact.eccentricity == pytest.approx(e, abs=6e-7)
    assert b / a == pytest.approx(axes, abs=6e-7)
    assert contact.shape_factors == pytest.approx((F_1, F_2), abs=6e-7)


def test_ellipse_against_the_half_space():
    """Boussinesq's displacement of the elliptic pressure at the centre, by quadrature."""
    contact, d = HertzEllipse(STEEL, 0.03, 0.01), 2e-6
    a, b = contact.half_axes(d)
    p_0 = contact.peak_pressure(d)

    def integrand(r, phi):  # polar coordinates about the centre: 1/dist cancels r
        return p_0 * np.sqrt(max(0.0, 1.0 - (r / edge(phi)) ** 2))

    def edge(phi):
        return 1.0 / np.hypot(np.cos(phi) / a, np.sin(phi) / b)

    total = 4.0 * dblquad(integrand, 0.0, 0.5 * np.pi, 0.0, edge, epsrel=1e-8)[0]
    assert total / (np.pi * STEEL.modulus) == pytest.approx(d, rel=1e-6)
    assert HertzEllipse(STEEL, 0.01, 0.01).force(d) == pytest.approx(BALL.force(d), rel=1e-12)


def test_relative_curvature():
    assert relative_curvature((0.02, 0.02), (np.inf, np.inf)) == pytest.approx((0.02, 0.02))
    assert relative_curvature((0.1, 0.05), (np.inf, np.inf)) == pytest.approx((0.1, 0.05))
    assert equivalent_radius(0.01) == 0.01


def test_line():
    roller = HertzLine(STEEL, 0.02, 0.01)
    b = roller.half_width(1000.0)
    assert roller.peak_pressure(1000.0) == pytest.approx(
        np.sqrt(1000.0 * STEEL.modulus / (np.pi * 0.02 * 0.01))
    )
    assert b == pytest.approx(2.0 * 0.01 * roller.peak_pressure(1000.0) / STEEL.modulus)
    assert roller.law().stiffness == roller.stiffness


def test_force_element_is_hertz_s_force():
    law, d = BALL.law(), 2.5e-6
    assert law.pressure(np.array([-d]), np.zeros(1))[0][0] == pytest.approx(float(BALL.force(d)))


def test_adhesion_of_rubber_on_glass():
    """Keppler's example 4.6, printed to one or two digits, and his formulas checked among them."""
    rubber = JKRContact(ContactModuli(50e3, 0.49, 73e9, 0.22), 0.01, 0.048)
    assert rubber.pull_off_force / 0.01 == pytest.approx(-0.45, abs=0.005)
    assert rubber.unloaded_radius == pytest.approx(1.3e-3, abs=0.05e-3)
    assert rubber.pull_off_radius == pytest.approx(0.8e-3, abs=0.05e-3)
    weight = 4 / 3 * np.pi * 0.01**3 * 1200.0 * 9.81
    assert -rubber.pull_off_force / weight == pytest.approx(0.09, abs=0.005)
    for force in (rubber.pull_off_force, 0.0, 0.01):
        a = rubber.radius_under(force)
        assert rubber.force(a) == pytest.approx(force, abs=1e-12)
    assert rubber.radius_under(0.0) == pytest.approx(rubber.unloaded_radius)
    assert rubber.radius_under(rubber.pull_off_force) == pytest.approx(rubber.pull_off_radius)


def test_adhesion_work_is_the_force_over_the_approach():
    """dF/dd along the curve is the work of the force: energy of elastic and surface part."""
    rubber = JKRContact(ContactModuli(50e3, 0.49, np.inf), 0.01, 0.048)
    a = np.linspace(0.9, 2.0, 20001) * rubber.unloaded_radius
    work = np.trapezoid(rubber.force(a), rubber.approach(a))
    hertz = 4 / 3 * rubber.pair.modulus * a**3 / rubber.radius
    # energy: elastic of pressed ball and flat punch pull, less the surface energy 2 gamma pi a^2
    force = rubber.force(a)
    elastic = (hertz ** (5 / 3) / 15 + force**2 * hertz ** (-1 / 3) / 3) / (
        (4 / 3 * rubber.pair.modulus) ** (2 / 3) * rubber.radius ** (1 / 3)
    )
    energy = elastic - 2.0 * rubber.surface_energy * np.pi * a**2
    assert work == pytest.approx(energy[-1] - energy[0], rel=1e-6)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ContactModuli(0.0, 0.3), "young = 0.0"),
        (lambda: ContactModuli(1.0, 0.6), "poisson = 0.6"),
        (lambda: HertzPoint(STEEL, -1.0), "radius = -1.0"),
        (lambda: HertzPoint("steel", 0.01), "pair = a str.* of type ContactModuli"),
        (lambda: HertzLine("steel", 0.01, 0.01), "pair = a str"),
        (lambda: HertzEllipse("steel", 0.02, 0.01), "pair = a str"),
        (lambda: HertzEllipse(STEEL, 0.01, 0.02), "radius_1 = 0.01"),
        (lambda: equivalent_radius(0.01, -0.009), "do not touch"),
        (lambda: relative_curvature((0.01, np.inf), (-0.005, np.inf)), "do not touch"),
        (lambda: equivalent_radius(0.0), "radius = 0.0 m.* not 0; inf is flat"),
        (lambda: equivalent_radius(0.01, np.nan), "radius_2 = nan m"),
        (lambda: equivalent_radius("0.01"), "radius = 0.01 m.* a number"),
        (lambda: relative_curvature((0.0, 0.1), (0.1, 0.1)), "first = 0.0 m"),
        (lambda: relative_curvature((0.1, 0.1), (0.1, np.nan)), "second = nan m"),
        (lambda: relative_curvature((0.1, 0.2, 0.3), (0.1, 0.1)), "first =.* two radii in m"),
        (lambda: relative_curvature((0.1, 0.2), (0.1, 0.3), np.nan), "angle = nan rad"),
        (lambda: JKRContact(STEEL, 0.01, 0.05).radius_under(-1.0), "force = -1.0"),
        (lambda: BALL.cycle_loss(1e9, 1e-6, 0.3), "tangential force"),
        (lambda: BALL.cycle_loss(0.0, 1e-6, -0.3), "mu = -0.3"),
        (lambda: BALL.full_slip(1e-6, -0.3), "mu = -0.3"),
        (lambda: BALL.full_slip(-1e-6, 0.3), "approach d = -1e-06 m.* >= 0"),
        (lambda: BALL.tangential_force(1e-6, 1e-6, -0.3), "mu = -0.3"),
        (lambda: BALL.stick_radius(1.0, 1e-6, -0.3), "mu = -0.3"),
        (lambda: BALL.stick_radius(1.0, -1e-6, 0.3), "approach d = -1e-06 m"),
        (lambda: BALL.force(np.array([1e-6, -1e-6])), r"approach d = \[.*\] m.* >= 0"),
        (lambda: BALL.force(np.nan), "approach d = nan m"),
        (lambda: BALL.approach(-1.0), "normal force = -1.0 N"),
        (lambda: BALL.contact_radius(-1e-6), "approach d"),
        (lambda: BALL.peak_pressure(-1e-6), "approach d"),
        (lambda: BALL.pressure(np.zeros(1), -1e-6), "approach d"),
        (lambda: BALL.stiffness(-1e-6), "approach d"),
        (lambda: BALL.tangential_stiffness(-1e-6), "approach d"),
        (lambda: HertzLine(STEEL, 0.02, 0.01).half_width(-1.0), "normal force = -1.0 N"),
        (lambda: HertzLine(STEEL, 0.02, 0.01).peak_pressure(-1.0), "normal force = -1.0 N"),
        (lambda: HertzEllipse(STEEL, 0.02, 0.01).force(-1e-6), "approach d = -1e-06 m"),
        (lambda: HertzEllipse(STEEL, 0.02, 0.01).half_axes(-1e-6), "approach d"),
        (lambda: HertzEllipse(STEEL, 0.02, 0.01).peak_pressure(-1e-6), "approach d"),
    ],
)
def test_bad_input(make, words):
    with pytest.raises(InputError, match=words):
        make()
