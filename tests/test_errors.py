"""Checks of input."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc
from fecontact.errors import FINITE, POSITIVE, InputError, at_least, check, check_kind, numbers


@pytest.mark.parametrize("value", [2, np.int64(2), np.uint8(3)])
def test_integers_of_python_and_numpy(value):
    check("modes", value, at_least(2))


@pytest.mark.parametrize("value", [2.0, np.float64(2.0), 2.5, float("inf"), "2", None, 1])
def test_what_is_no_integer_from_two_on(value):
    with pytest.raises(InputError, match=rf"invalid modes = {value}"):
        check("modes", value, at_least(2))


def test_numbers_are_floats_of_a_shape():
    assert numbers("x", [1, 2], (2,)).dtype == float
    assert numbers("x", np.zeros((4, 3)), ("p", 3)).shape == (4, 3)
    assert np.isnan(numbers("x", [np.nan])).all()  # without a shape only what is no number


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ([1, np.nan, 3], "x = .1, nan, 3."),
        (np.zeros((2, 2)), "x = ..0.0, 0.0., .0.0, 0.0.."),
        (np.zeros((40, 3)), r"x of shape \(40, 3\)"),
        (np.full(40, np.inf), r"x of shape \(40,\) with nan or inf"),
        ([[1, 2], [3]], "x = ..1, 2., .3.."),
        ("abc", "x = 'abc'"),
        (None, "x = None"),
    ],
)
def test_what_is_not_three_numbers(values, words):
    with pytest.raises(
        InputError, match="invalid " + words + r".*: expected.* finite.* \(3,\)"
    ) as caught:
        numbers("x", values, (3,))
    assert "\n" not in str(caught.value)


def test_a_class_lacks_its_brackets():
    check_kind("count", 3, int)
    with pytest.raises(InputError, match=r"count = int without brackets.* of type int; take 3"):
        check_kind("count", int, int, "take 3")


def test_an_array_is_no_number():
    with pytest.raises(InputError, match=r"invalid stiffness = \[1. 2.\] N/m:.* > 0"):
        check("stiffness", np.array([1.0, 2.0]), POSITIVE, "N/m")


@pytest.mark.parametrize("value", ["3", "a", None, np.nan, np.inf, [1.0, 2.0]])
def test_what_is_no_finite_number(value):
    with pytest.raises(InputError, match=r"invalid speed.*: expected a finite number"):
        check("speed", value, FINITE)


@pytest.mark.parametrize("value", [3, 3.0, np.float32(3.0), np.int64(3), np.array(3.0)])
def test_finite_numbers_of_python_and_numpy(value):
    check("speed", value, FINITE)


BLOCK = fc.RigidBody("block", 1.0, ("ux",))
SYSTEM = fc.System([BLOCK], [fc.Bearing(BLOCK, 100.0, 1.0)])
HOOP = fc.HarmonicPlate(0.08, 0.12, 0.005, fc.STEEL, {"outer": "clamped"}, elements=4)
WRONG = {
    "q['block.ux'] = a: expected a finite number": lambda: SYSTEM.state(q={"block.ux": "a"}),
    "amplitude = a: expected a finite number": lambda: fc.Sine("a", omega=1.0),
    "system = a list: expected of type System": lambda: fc.simulate([BLOCK], 1.0),
    "state = a NoneType: expected of type State": lambda: fc.linearise(SYSTEM, None),
    "model = a System: expected of type LinearModel": lambda: fc.complex_modes(SYSTEM),
    "branch = a function: expected operating": lambda: fc.critical_value(lambda x: SYSTEM, 0, 1),
    "x = a dict: expected of type MapAxis": lambda: fc.stability_map(lambda x, y: SYSTEM, {}, {}),
    "model = a HarmonicPlate: expected a finite-element": lambda: fc.reduce_model(HOOP),
    "model = a HarmonicPlate: expected of type HarmonicModel": lambda: fc.SpinningDisc("d", HOOP),
    "dofs = 'ux': expected a tuple": lambda: fc.RigidBody("block", 1.0, "ux"),
    "young_2 = x Pa: expected > 0": lambda: fc.ContactModuli(2e11, 0.3, "x"),
    "spin = 3 rad/s: expected a finite number": lambda: fc.RigidBody("b", 1.0, ("uz",), spin="3"),
}


@pytest.mark.parametrize("words", WRONG)
def test_wrong_kinds_give_one_line(words):
    with pytest.raises(InputError) as caught:
        WRONG[words]()
    assert f"invalid {words}" in str(caught.value)
    assert "\n" not in str(caught.value)
