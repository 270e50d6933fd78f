"""Creep of a Hertz contact: limits, and the equations against the hereditary integral."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from fecontact.errors import InputError
from fecontact.reference.contact.viscoelastic import HertzCreep

BALL = HertzCreep(25e3, 25e3, 1e4, 0.5, 0.02)


def test_limits_under_constant_load():
    """Lee and Radok end at the elastic contact of E_2, the others do not."""
    far = np.array([0.0, 1e3])
    fast, slow = BALL.elastic(10.0, 50e3), BALL.elastic(10.0, 25e3)
    np.testing.assert_allclose(BALL.constant_load(far, 10.0), [fast, slow], rtol=1e-12)
    assert BALL.constant_load(far, 10.0, "corrected")[1] == pytest.approx(2 * fast)
    assert BALL.constant_load(far, 10.0, "printed")[1] == pytest.approx(fast)
    assert BALL.alpha == pytest.approx(1.25)


@pytest.mark.parametrize("law", ["lee-radok", "corrected"])
def test_equations_against_the_hereditary_integral(law):
    """F = 10 (1 - exp(-t)): the state is the convolution of K with the rate of F or F^(2/3)."""
    end, load = 3.0, lambda t: 10.0 * (1 - np.exp(-t))
    power, state = (1.0, 1.5) if law == "lee-radok" else (2 / 3, 1.0)

    def kernel(tau):
        rate = power * load(tau) ** (power - 1) * 10.0 * np.exp(-tau)
        return float(BALL.creep(end - tau)) * rate

    # tau = x^3 takes the singular rate of F^(2/3) at the start away
    integral = quad(lambda x: kernel(x**3) * 3 * x**2, 0.0, end ** (1 / 3), epsabs=0, epsrel=1e-10)[
        0
    ]
    size = BALL.elastic(1.0, 1.0) ** 1.5 if law == "lee-radok" else BALL.elastic(1.0, 50e3) * 50e3
    start = 1e-6
    first = (BALL.elastic(load(start), 50e3)) ** state
    found = solve_ivp(
        lambda t, y: [BALL.rate(y[0], load(t), 10.0 * np.exp(-t), law)],
        (start, end), [first], rtol=1e-10, atol=1e-16,
    )  # fmt: skip
    assert found.y[0, -1] == pytest.approx(size * integral, rel=1e-5)


def test_printed_equation_loses_a_term():
    delta = 1e-3
    right = BALL.rate(delta, 5.0, 0.0, "corrected")
    printed = BALL.rate(delta, 5.0, 0.0, "printed")
    assert (right - printed) == pytest.approx(0.5 * BALL.elastic(5.0, 50e3) * 25e3 / 1e4)


def test_bad_input():
    with pytest.raises(InputError, match="law = maxwell"):
        BALL.constant_load(np.zeros(1), 1.0, "maxwell")
    with pytest.raises(InputError, match="viscosity = 0"):
        HertzCreep(1.0, 1.0, 0.0, 0.5, 1.0)
