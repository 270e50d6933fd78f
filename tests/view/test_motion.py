"""Plots of motions: what is drawn, and that all of it is inside."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.view.motion import history_panels, mechanism_panels

T = np.linspace(0.0, 1.0, 11)


def test_references_have_the_colour_of_their_curve():
    curves = {"a / m": {"one": (T, T), "two": (T, -T)}, "b / rad": {"one": (T, T**2)}}
    figure = history_panels(curves, {"a / m": {"two": (T[::5], -T[::5])}})
    first, second = figure.axes
    one, two, points, _ = first.lines
    assert points.get_color() == two.get_color() != one.get_color()
    np.testing.assert_array_equal(points.get_ydata(), -T[::5])
    assert [text.get_text() for text in first.get_legend().get_texts()] == [
        "one", "two", "reference",
    ]  # fmt: skip
    assert len(second.lines) == 1
    assert (first.get_ylabel(), second.get_ylabel()) == ("a / m", "b / rad")


def test_logarithmic_ordinate():
    figure = history_panels({"error": {"one": (T, 10.0**-T)}}, logarithmic=True)
    assert figure.axes[0].get_yscale() == "log"


@pytest.mark.parametrize("count", [1, 4])
def test_mechanisms_are_inside_their_panel(count):
    outline = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, -2.0]])
    path = np.array([[3.0, 0.5, 0.0], [3.0, 1.5, 1.0]])
    panels = {f"panel {k}": ([outline, outline + k], [path]) for k in range(count)}
    figure = mechanism_panels(panels)
    assert [axes.get_title() for axes in figure.axes] == list(panels)
    for axes, (outlines, paths) in zip(figure.axes, panels.values(), strict=True):
        limits = np.array([axes.get_xlim(), axes.get_ylim(), axes.get_zlim()])
        points = np.concatenate([*outlines, *paths])
        assert (limits[:, 0] <= points.min(axis=0) + 1e-12).all()
        assert (limits[:, 1] >= points.max(axis=0) - 1e-12).all()
        assert len(axes.lines) == 3
