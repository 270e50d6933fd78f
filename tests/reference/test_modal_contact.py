"""Modes with contacts: rest of an oscillator on a stop, and what a constraint that pulls does."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.reference import QuasiStaticModes, quasi_static, released_constraints


def beam(load, start):
    """Two coordinates, the deflections of A and B themselves, on springs with a flexible stop."""
    one = np.eye(2)
    flexibility = np.diag([1e-5, 1e-5])
    return QuasiStaticModes(
        np.array([10.0, 10.0]),
        np.array([5.0, 5.0]),
        load,
        one,
        one,
        flexibility,
        np.zeros(2),
        start,
    )


def test_rest_on_the_stop():
    """c q + lam = f, q + C lam = 0: the stop gives way by C lam, the total gap is closed."""
    load = np.array([-3.0, -3.0])
    _, ends = quasi_static(beam(load, np.zeros(2)), 1e-3, 5.0)
    assert ends[-1] == pytest.approx([0.0, 0.0], abs=1e-9)


def test_open_oscillator_falls_freely():
    """Away from the stop the implicit Euler method converges to the free swing."""
    start = np.array([1.0, 2.0])
    t, ends = quasi_static(beam(np.zeros(2), start), 1e-4, 0.1)
    d, w = 2.5, np.sqrt(10.0**2 - 2.5**2)
    exact = np.exp(-d * t) * (np.cos(w * t) + d / w * np.sin(w * t))
    assert ends == pytest.approx(np.outer(exact, start), abs=5e-3)


def test_constraint_is_released_when_it_pulls():
    pulled = released_constraints(beam(np.array([3.0, 3.0]), np.zeros(2)), 1e-3, 0.2)[1]
    pressed = released_constraints(beam(np.array([-3.0, 3.0]), np.zeros(2)), 1e-3, 0.2)[1]
    assert pulled[-1, 0] > 0.0
    assert np.abs(pressed[:, 0]).max() < 1e-12
