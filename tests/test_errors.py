"""Checks of input."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.errors import InputError, at_least, check


@pytest.mark.parametrize("value", [2, np.int64(2), np.uint8(3)])
def test_integers_of_python_and_numpy(value):
    check("modes", value, at_least(2))


@pytest.mark.parametrize("value", [2.0, np.float64(2.0), 2.5, float("inf"), "2", None, 1])
def test_what_is_no_integer_from_two_on(value):
    with pytest.raises(InputError, match=rf"modes = {value} is not possible"):
        check("modes", value, at_least(2))
