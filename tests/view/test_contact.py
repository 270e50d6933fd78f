"""Plots of contact and of the energy balance: numbers behind the curves."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.view.contact import (
    contact_map,
    contact_maps,
    contact_states,
    point_view,
    slip_maps,
)
from fecontact.view.energy import energy_plot, energy_stack

T = np.linspace(0.0, 1.0, 21)
POINTS = np.array([[0.0, 0.0, 0.3], [0.01, 0.0, 0.3], [0.0, 0.02, 0.3], [0.01, 0.02, 0.3]])
MODE = np.array([0, 1, 2, 3])


def test_a_patch_is_seen_along_its_least_extent():
    x, y, labels = point_view(POINTS[:, [2, 0, 1]])
    assert labels == ("y / mm", "z / mm")
    np.testing.assert_allclose(x, 1e3 * POINTS[:, 0])
    np.testing.assert_allclose(y, 1e3 * POINTS[:, 1])


def test_map_shows_every_point_once_and_counts_the_modes():
    figure = contact_map(POINTS, {"pressure / MPa": np.arange(4.0)}, MODE, "t = 1 s")
    states, pressure = figure.axes[:2]
    drawn = np.concatenate([dots.get_offsets() for dots in states.collections])
    np.testing.assert_allclose(sorted(map(tuple, drawn)), sorted(map(tuple, 1e3 * POINTS[:, :2])))
    open_points, closed = pressure.collections[:2]
    assert len(open_points.get_offsets()) == 1
    np.testing.assert_array_equal(closed.get_array(), [1.0, 2.0, 3.0])
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == ["open, 1", "stick, 1", "slip, 1", "gross slip, 1"]


def test_points_on_a_line_can_be_drawn():
    line = np.zeros((5, 3))
    line[:, 0] = np.linspace(0.0, 0.1, 5)
    figure = contact_map(line, {}, np.ones(5, dtype=int))
    figure.draw_without_rendering()
    assert figure.axes[0].get_aspect() == "auto"


def test_maps_at_several_loads_share_one_legend():
    statuses = {"first": np.array([0, 0, 1, 1]), "second": np.array([2, 2, 1, 1])}
    figure = contact_maps(POINTS, np.array([0.0, 1e6, 2e6, 3e6]), statuses)
    texts = [text.get_text() for text in figure.legends[0].get_texts()]
    assert texts == ["open", "stick", "slip"]


def test_maps_of_slip_work_and_heat():
    """Work and power are drawn per area, only where points slid."""
    weights, slip_totals = (
        np.array([1.0, 2.0, 4.0, 5.0]),
        np.array([[0, 0], [6, 1], [8, 2], [10, 3.0]]),
    )
    power = np.array([0.0, 0.0, 2.0, 15.0])
    figure = slip_maps(POINTS, weights, slip_totals, {"at 2 s": power})
    shown = [axes.collections[1].get_array().tolist() for axes in figure.axes[:3]]
    assert shown == [[3.0, 2.0, 2.0], [1e6, 2e6, 3e6], [0.5, 3.0]]
    assert figure.axes[-1].get_ylabel() == "slip power at 2 s / (W/m²)"
    assert len(slip_maps(POINTS, weights, slip_totals).axes) == 4  # two maps with their scales


def test_numbers_of_modes_add_up_to_all_points():
    rng = np.random.default_rng(2)
    status = rng.integers(0, 4, (len(T), 30))
    figure = contact_states(T, {"facing": status})
    (axes,) = figure.axes
    bands = {c.get_label(): c.get_paths()[0].vertices for c in axes.collections}
    assert set(bands) == {"open", "stick", "slip", "gross slip"}
    top = bands["open"]
    assert top[:, 1].max() == 30.0
    slipping = bands["gross slip"]
    at_end = slipping[np.isclose(slipping[:, 0], 1.0), 1]
    assert at_end.max() == np.count_nonzero(status[-1] == 3)


def energies():
    """A falling, rubbing block: all lines in closed form."""
    kinetic, potential = 0.5 * T**2, -2.0 * T**2
    slip, supplied = 1.8 * T**2, 0.2 * T**2
    numerical = 1e-3 * T
    residual = kinetic + potential + slip + numerical - supplied
    return {
        "kinetic": kinetic, "strain": 0.0 * T, "potential": potential, "contact": 0.0 * T,
        "slip": slip, "damping": 0.0 * T, "supplied": supplied, "numerical": numerical,
        "residual": residual,
    }  # fmt: skip


def test_stack_misses_the_level_by_residual_less_numerical_dissipation():
    lines = energies()
    parts, level = energy_stack(lines)
    assert list(parts) == ["slip", "kinetic", "potential"]
    assert min(values.min() for values in parts.values()) >= 0.0
    missing = sum(parts.values()) - level
    np.testing.assert_allclose(missing, lines["residual"] - lines["numerical"], atol=1e-15)


def test_energy_plot_stacks_the_lines():
    lines = energies()
    figure = energy_plot(T, lines)
    upper, lower = figure.axes
    parts, level = energy_stack(lines)
    np.testing.assert_allclose(upper.lines[2].get_ydata(), sum(parts.values()))
    np.testing.assert_array_equal(upper.lines[3].get_ydata(), level)
    np.testing.assert_array_equal(lower.lines[1].get_ydata(), lines["residual"])


def test_without_energies_the_plot_says_so():
    with pytest.raises(InputError, match="no energies"):
        energy_plot(T, {})
