"""Masses on dry ground with the kicks of bristles: against a mass on one bristle."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from fecontact.reference import KickedMasses, SlidingMasses


def test_without_delay_it_is_the_rigid_chain():
    about = (np.eye(1), 0.1 * np.eye(1), 1.0, [9.0])
    kicked, rigid = KickedMasses(*about, late=0.0), SlidingMasses(*about)
    assert kicked.at(5.0) == pytest.approx(rigid.at(5.0))
    assert len(kicked.turns) == kicked.reversals == 1


def test_start_on_a_bristle():
    """A mass on a critically damped bristle breaks away at T = limit: its speed is the kick."""
    omega, pull = 1e3, 9.0

    def rate(t, y):
        return [y[1], pull - omega**2 * y[0] - 2.0 * omega * y[1]]

    def slips(t, y):
        return omega**2 * y[0] + 2.0 * omega * y[1] - 1.0

    slips.terminal = True
    found = solve_ivp(rate, (0.0, 1e-2), [0.0, 0.0], events=slips, rtol=1e-10, atol=1e-14)
    late = found.y[1, -1] - (pull - 1.0) * found.t[-1]
    chain = KickedMasses(np.eye(1), np.zeros((1, 1)), 1.0, [pull], 1.0 / omega)
    assert -chain.y[1] == pytest.approx(late, rel=1e-6)
