"""Modes over a parameter: what is drawn, and what the legend says of it."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis.stability.tracking import Tracks
from fecontact.view import stability

VALUES = np.linspace(0.0, 100.0, 5)


def tracks(*growth, valid_to=1e9):
    """Modes of 100, 110, ... Hz with these growth rates in 1/s."""
    omega = 2.0 * np.pi * (100.0 + 10.0 * np.arange(len(growth)))
    z = np.column_stack(np.broadcast_arrays(*growth)) + 1.0j * omega
    return Tracks(VALUES, z, np.zeros(z.shape, dtype=int), np.full(5, valid_to))


def entries(axes):
    legend = axes.get_legend()
    return [] if legend is None else [text.get_text() for text in legend.get_texts()]


@pytest.mark.parametrize("draw", [
    lambda t: stability.tracks_plot(t, "speed"), lambda t: stability.campbell_plot(t, (1,)),
])  # fmt: skip
def test_the_legend_tells_once_that_modes_grow(draw):
    growth = VALUES - 30.0
    axes = draw(tracks(growth, growth, -np.ones(5))).axes[0]
    assert entries(axes) == ["grows"]
    assert entries(draw(tracks(-np.ones(5))).axes[0]) == []
    assert entries(draw(tracks(growth, valid_to=50.0)).axes[0]) == [
        "grows",
        "bodies valid up to here",
    ]


def test_growing_parts_are_red_where_they_grow():
    growth = VALUES - 30.0
    frequency, rate = stability.tracks_plot(tracks(growth), "speed").axes
    red = frequency.lines[1]
    assert red.get_color() == "tab:red"
    np.testing.assert_array_equal(np.isfinite(red.get_ydata()), growth > 0.0)
    np.testing.assert_array_equal(rate.lines[1].get_ydata()[growth > 0.0], growth[growth > 0.0])
    assert rate.get_xlabel() == "speed"
    assert rate.get_ylabel() == "growth rate / (1/s)"
