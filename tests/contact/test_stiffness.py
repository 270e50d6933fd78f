"""Choice of penalties and regularisation."""

from __future__ import annotations

import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from fecontact.contact.laws.coefficient import Coulomb
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.patch.hertz import ContactModuli, HertzPoint
from fecontact.contact.status import SLIP, STICK
from fecontact.contact.stiffness import (
    DROP_ANGLE,
    check_penalty,
    penalty_for,
    penalty_on,
    regularise,
)
from fecontact.errors import InputError
from fecontact.integrate.events.method import Events
from fecontact.mesh import block

STEEL = ContactModuli(210e9, 0.3)


def test_stated_error_follows_from_the_energy_of_the_layer():
    """Lost energy int p^2/(2 c) dA by quadrature, its slope over d by differences."""
    ball = HertzPoint(STEEL, 0.02)
    d = ball.approach(500.0)
    choice = penalty_for(STEEL, ball.contact_radius(d), error=0.02)

    def lost(depth):
        a = ball.contact_radius(depth)
        square = quad(lambda r: 2.0 * math.pi * r * ball.pressure(r, depth) ** 2, 0.0, a)[0]
        return square / (2.0 * choice.normal)

    lost_force = (lost(1.001 * d) - lost(0.999 * d)) / (0.002 * d)
    assert lost_force / ball.stiffness(d) == pytest.approx(0.02 * d, rel=1e-6)


def test_tangential_stiffness_has_the_ratio_of_the_elastic_contact():
    choice = penalty_for(STEEL, 1e-3)
    ball = HertzPoint(STEEL, 0.02)
    ratio = ball.tangential_stiffness(1e-6) / ball.stiffness(1e-6)
    assert choice.tangential / choice.normal == pytest.approx(ratio, rel=1e-12)


def test_soft_and_stiff_penalties_warn():
    with pytest.warns(UserWarning, match="too soft: it adds 50%"):
        check_penalty(penalty_for(STEEL, 1e-3, 0.5).normal, STEEL, 1e-3)
    with pytest.warns(UserWarning, match="pressures will oscillate"):
        penalty_for(STEEL, 1e-3, 1e-6, cell=1e-4)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert check_penalty(penalty_for(STEEL, 1e-3).normal, STEEL, 1e-3, 1e-4) == pytest.approx(
            0.005, rel=1e-12
        )


@pytest.mark.parametrize("cells", [10, 20])
def test_penalty_from_material_and_mesh(cells):
    """The stated error holds for a contact of two cells, and is less for wider ones."""
    plate = block(0.1, 0.1, 0.02, cells=(cells, cells, 2))
    size, choice = 0.1 / cells, penalty_on(STEEL, plate, "z_min", error=0.01)
    assert choice.error == 0.01
    for radius, error in ((2.0 * size, 0.01), (8.0 * size, 0.0025)):
        found = check_penalty(choice.normal, STEEL, radius, size)
        assert found == pytest.approx(error, rel=1e-9)
    with pytest.warns(UserWarning, match="pressures will oscillate"):
        penalty_on(STEEL, plate, "z_min", error=1e-5)


def test_penalty_of_a_graded_mesh():
    """The finest cells carry the smallest contact: there the stated error holds."""
    plate = block(0.1, 0.1, 0.02, cells=(10, 10, 2))
    x, y, z = plate.doflocs
    graded = replace(plate, doflocs=np.array([x**2 / 0.1, y**2 / 0.1, z]))
    choice = penalty_on(STEEL, graded, "z_min", error=0.01)
    assert check_penalty(choice.normal, STEEL, radius=2e-3) == pytest.approx(0.01, rel=1e-9)


@pytest.mark.parametrize(
    ("omega", "mass", "share", "stiffness", "damping"),
    [
        (100.0, 1.0, 1e-3, 1e7, 6324.5553),  # Stamm, table 6.1 with omega_c = 100 rad/s
        (2.0 * math.pi * 4.0, 0.3, 1e-2, 18.95e3, 150.8),  # Stamm 6.2, omega_c = 4 Hz
    ],
)
def test_stamm_values(omega, mass, share, stiffness, damping):
    choice = regularise(omega, mass, share)
    assert choice.stiffness == pytest.approx(stiffness, rel=5e-4)
    assert choice.damping == pytest.approx(damping, rel=5e-4)
    assert choice.relaxation == pytest.approx(choice.damping / choice.stiffness, rel=1e-12)


def test_stamm_contact_of_2_khz():
    """omega_reg = 2 pi 2000 Hz and m_c = 0.5 kg give c = 79 kN/mm and beta = 12566 kg/s (L3541)."""
    choice = regularise(2.0 * math.pi * 2000.0 * math.sqrt(1e-3), 0.5, 1e-3)
    assert choice.stiffness == pytest.approx(79e6, rel=1e-3)
    assert choice.damping == pytest.approx(12566.0, rel=5e-5)
    assert choice.frequency == pytest.approx(2.0 * math.pi * 2000.0, rel=1e-12)


def stuck_at(choice, mu, speed, static):
    """Largest pull of a unit mass that sticks at a speed with the traction of sliding; its modes.

    Pressed by 1 N and slowed down by friction alone.
    """
    law = ElastoPlastic(Coulomb(mu, static), choice.stiffness, choice.damping)
    one, status, end = np.ones(1), np.array([STICK]), 5.0 / choice.frequency

    def rates(y):
        return law.rate(np.array([[y[1], 0.0, 0.0]]), np.array([[y[0], 0.0, 0.0]]), one, status)

    def rate(t, y):
        return [rates(y).traction[0, 0], rates(y).z_rate[0, 0]]

    start = [speed, (mu - choice.damping * speed) / choice.stiffness]
    run = solve_ivp(rate, (0.0, end), start, "Radau", np.linspace(0.0, end, 2001), rtol=1e-10,
                    atol=1e-13 * np.abs(start))  # fmt: skip
    answers = [rates(y) for y in run.y.T]
    return max(-x.traction[0, 0] for x in answers), {int(x.status[0]) for x in answers}


@pytest.mark.parametrize("factor", [1.1, 1.5, 4.0])
def test_static_margin_holds_a_point_that_sticks_too_early(factor):
    """Above the limit of (Stamm 5.71) the pull rises to the margin: it holds, 1 % less does not.

    The largest of 2000 samples is off by their distance squared.
    """
    choice, mu = regularise(100.0, 1.0), 0.4
    speed = factor * choice.stick_speed(mu)
    margin = choice.static_margin(speed, mu)
    pull, modes = stuck_at(choice, mu, speed, 2.0 * margin * mu)
    assert pull / mu == pytest.approx(margin, rel=1e-5)
    assert modes == {STICK}
    assert SLIP in stuck_at(choice, mu, speed, max(0.99 * margin, 1.0) * mu)[1]
    assert margin > 1.0


def test_limits_of_the_stick_speed():
    """No margin below the upper limit; the lower one is the error, or half of what a step takes."""
    choice = regularise(100.0, 1.0)
    assert choice.static_margin(0.99 * choice.stick_speed(3.0), 3.0) == 1.0
    assert choice.least_stick_speed(1e-8) == 1e-8
    assert choice.least_stick_speed(1e-8, deceleration=3.0, step=1e-5) == pytest.approx(1.5e-5)
    assert Events().angle == DROP_ANGLE == pytest.approx(math.radians(0.36))


def test_stick_speed_lets_the_bristle_take_over():
    """A point that sticks at eps_k with the traction of sliding must not exceed it (Stamm 5.69).

    Unit mass decelerated by the kinetic traction T; after the switch a = c z + beta v starts at T,
    i.e. z = (T - beta v)/c, and falls if c v + beta v' <= 0.
    """
    choice = regularise(100.0, 1.0)
    for factor, holds in ((0.99, True), (1.01, False)):
        v, deceleration = factor * choice.stick_speed(3.0), 3.0
        rises = choice.stiffness * v - choice.damping * deceleration
        assert (rises <= 0.0) is holds


def test_impossible_values_are_refused():
    with pytest.raises(InputError, match=r"invalid penalty error = 0\.0"):
        penalty_for(STEEL, 1e-3, 0.0)
    with pytest.raises(InputError, match=r"mass = -1\.0 kg"):
        regularise(10.0, -1.0)
    with pytest.warns(UserWarning, match="too soft: it changes the motion"):
        regularise(10.0, 1.0, 0.5)
