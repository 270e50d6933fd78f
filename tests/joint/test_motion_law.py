"""Laws of motion: rates and accelerations belong to the values; ends, corners, bad input."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.joint import (
    Function,
    Line,
    MotionFunction,
    MotionLaw,
    MotionTable,
    RunUp,
    SmoothStep,
    Speed,
    Table,
    ramp,
)

POINTS = (0.0, 0.5, 1.2, 2.0, 2.5), (0.3, 1.0, -0.4, 0.2, 0.3)
LAWS = {
    "constant speed": Speed(12.5, start=-2.0),
    "speed ramp": Speed(ramp(0.7, start=0.3, high=40.0)),
    "speed table": Speed(Table((0.0, 0.6, 1.5), (3.0, -1.0, 4.0))),
    "oscillating speed": Speed(Function(np.cos, lambda t: -np.sin(t))),
    "run-up": Speed(Line(gradient=5.0, start=2.0)),
    "step": SmoothStep(1.4, start=0.3, low=-0.2, high=0.5),
    "smooth run-up": RunUp(6.0, 1.9),
    "table at rest": MotionTable(*POINTS),
    "table extended": MotionTable(*POINTS, ends="extend"),
    "table repeated": MotionTable(*POINTS, ends="repeat"),
    "function": MotionFunction(np.sin, np.cos, lambda t: -np.sin(t)),
}


@pytest.mark.parametrize("t", [-0.63, 0.21, 0.47, 0.91, 1.83, 2.9])
@pytest.mark.parametrize("name", LAWS)
def test_rates_belong_to_the_values(difference, name, t):
    law, step = LAWS[name], np.array([1e-3])
    assert isinstance(law, MotionLaw)
    rate = difference(lambda x: np.array([law.value(x[0])]), np.array([t]), step)[0, 0]
    acceleration = difference(lambda x: np.array([law.rate(x[0])]), np.array([t]), step)[0, 0]
    assert law.rate(t) == pytest.approx(rate, abs=1e-10)
    assert law.acceleration(t) == pytest.approx(acceleration, abs=1e-9)


@pytest.mark.parametrize("name", ["step", "table extended", "table repeated"])
def test_acceleration_is_continuous(name):
    """Across points and ends of tables, and at both ends of a step."""
    law = LAWS[name]
    for t in (*POINTS[0], 0.3, 1.7):
        before, after = law.acceleration(t - 1e-9), law.acceleration(t + 1e-9)
        assert after == pytest.approx(before, abs=1e-5)
        assert law.rate(t + 1e-9) == pytest.approx(law.rate(t - 1e-9), abs=1e-7)


def test_a_run_up_ends_at_its_speed_after_half_the_way():
    """The mean speed of the run-up is half of the last one; at both ends nothing jumps."""
    law = RunUp(6.0, 1.5)
    assert law.value(1.5) == pytest.approx(0.5 * 6.0 * 1.5)
    for t in (0.0, 1.5):
        assert law.rate(t + 1e-9) == pytest.approx(law.rate(t - 1e-9), abs=1e-7)
        assert law.acceleration(t + 1e-9) == pytest.approx(law.acceleration(t - 1e-9), abs=1e-7)


@pytest.mark.parametrize("ends", ["rest", "extend", "repeat"])
def test_tables_go_through_their_points(ends):
    law = MotionTable(*POINTS, ends=ends)
    np.testing.assert_allclose([law.value(t) for t in POINTS[0]], POINTS[1], atol=1e-14)


def test_ends_of_tables():
    held = MotionTable(*POINTS)
    assert held.value(9.0) == pytest.approx(0.3)
    assert (held.rate(9.0), held.acceleration(9.0)) == (0.0, 0.0)
    extended = MotionTable(*POINTS, ends="extend")
    assert extended.value(4.5) == pytest.approx(0.3 + 2.0 * extended.rate(2.5))
    repeated = MotionTable(*POINTS, ends="repeat")
    assert repeated.value(1.2 - 10 * 2.5) == pytest.approx(-0.4)


def test_spline_converges_to_the_motion():
    """Fourth order in the value, second in the acceleration."""
    errors = []
    for points in (21, 41):
        t = np.linspace(0.0, 2.0 * np.pi, points)
        s = np.sin(t)
        s[-1] = 0.0
        law = MotionTable(t, s, ends="repeat")
        x = np.linspace(0.0, 6.0, 200)
        errors.append(
            [max(abs(law.value(a) - np.sin(a)) for a in x),
             max(abs(law.acceleration(a) + np.sin(a)) for a in x)]
        )  # fmt: skip
    order = np.log2(np.divide(*errors))
    np.testing.assert_allclose(order, [4.0, 2.0], atol=0.2)


def test_run_up_over_a_ramp():
    """At the end of a ramp of 2 s to 100 rad/s the shaft has turned by 100 rad."""
    law = Speed(ramp(2.0, high=100.0), start=5.0)
    assert law.value(2.0) == pytest.approx(105.0)
    assert law.value(7.0) == pytest.approx(605.0)


@pytest.mark.parametrize("w", [1.0, 300.0, 1000.0])
def test_differences_keep_the_stated_error(w):
    """Truncation and round-off of `MotionFunction`, for s = sin(w t)."""
    h, t = 1e-4, 0.7
    bare = MotionFunction(lambda x: np.sin(w * x), step=h)
    with_first = MotionFunction(lambda x: np.sin(w * x), lambda x: w * np.cos(w * x), step=h)
    truncation, e = (w * h) ** 6 / 140.0, 2.2e-16 * (1.0 + t * w)
    assert abs(bare.rate(t) - w * np.cos(w * t)) <= w * truncation + 2.0 * e / h
    expected = -(w**2) * np.sin(w * t)
    assert abs(bare.acceleration(t) - expected) <= w**2 * truncation + 6.0 * e / h**2
    assert with_first.rate(t) == w * np.cos(w * t)
    assert abs(with_first.acceleration(t) - expected) <= w**2 * truncation + 2.0 * w * e / h


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: Speed(np.inf), "speed: invalid speed = inf"),
        (lambda: Speed(np.sin), "expected a number or a curve"),
        (lambda: Speed(1.0, start=np.nan), "start = nan"),
        (lambda: SmoothStep(0.0), "duration = 0.0 s"),
        (lambda: SmoothStep(1.0, high=np.nan), "high = nan"),
        (lambda: MotionTable((0.0, 0.0), (1.0, 2.0)), "expected rising values"),
        (lambda: MotionTable((0.0, 1.0), (1.0,)), "as many t as s"),
        (lambda: MotionTable((0.0, 1.0), (1.0, np.nan)), "entry = nan"),
        (lambda: MotionTable(*POINTS, ends="hold"), "one of rest, extend, repeat"),
        (lambda: MotionTable((0.0, 1.0), (1.0, 2.0), ends="repeat"), "equal first and last"),
        (lambda: MotionFunction(3.0), "function of time"),
        (lambda: MotionFunction(np.sin, step=0.0), "step = 0.0 s"),
    ],
)
def test_bad_input(build, words):
    with pytest.raises(InputError, match=words):
        build()
