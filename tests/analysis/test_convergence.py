"""Observed orders and extrapolation on quantities of known order."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact import InputError, extrapolated, observed_order


def chord(n):
    """Half the circumference of a polygon with n sides: pi - pi^3/(6 n^2)."""
    return n * np.sin(np.pi / n)


def test_order_of_a_polygon():
    errors = [np.pi - chord(n) for n in (16, 32, 64, 128)]
    assert observed_order(errors) == pytest.approx(2.0, abs=2e-3)
    assert observed_order(errors[::2], ratio=4.0) == pytest.approx(2.0, abs=2e-3)


def test_one_error_has_no_order():
    with pytest.raises(InputError, match="two or more"):
        observed_order([0.1])


@pytest.mark.parametrize("ratio", [2, 3])
def test_extrapolation_gains_two_orders(ratio):
    found = extrapolated(chord(16), chord(16 * ratio), ratio=ratio)
    assert abs(found - np.pi) < 2e-3 * abs(chord(16 * ratio) - np.pi)


def test_extrapolation_of_arrays_and_other_orders():
    coarse, fine = np.array([1.0, 2.0]) + 0.3, np.array([1.0, 2.0]) + 0.1
    assert extrapolated(coarse, fine, order=1.0, ratio=3.0) == pytest.approx(np.array([1.0, 2.0]))
