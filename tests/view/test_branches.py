"""Plots of branches: stable parts solid, unstable parts dashed."""

from __future__ import annotations

import numpy as np

from fecontact.view.branches import branch_panels


def lines(figure):
    return {line.get_label(): line for line in figure.axes[0].lines}


def test_parts_of_a_branch_that_turns_round():
    parameter, values = np.array([1.0, 2.0, 3.0, 2.0, 1.0]), np.arange(5.0)
    stable = np.array([True, True, True, False, False])
    figure = branch_panels(
        parameter, {"radius": values, "frequency": -values}, stable, "mu",
        marks={"boundary": 1.5}, dots={"radius": {"wave": (np.ones(1), np.ones(1))}},
    )  # fmt: skip
    assert len(figure.axes) == 2
    drawn = lines(figure)
    assert set(drawn) == {"stable", "unstable", "boundary", "wave"}
    np.testing.assert_array_equal(np.isfinite(drawn["stable"].get_ydata()), stable)
    joined = [False, False, True, True, True]  # the piece from the last stable point is dashed
    np.testing.assert_array_equal(np.isfinite(drawn["unstable"].get_ydata()), joined)
    assert drawn["unstable"].get_linestyle() == "--"


def test_a_stable_branch_has_no_dashes():
    figure = branch_panels(np.arange(3.0), {"x": np.ones(3)}, np.ones(3, dtype=bool), "mu")
    assert "unstable" not in lines(figure)
