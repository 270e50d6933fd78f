"""Plots of a result by name."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.errors import InputError
from fecontact.view.gallery import PLOTS, Request, plot_result, signal, unit_of

REQUESTS = {
    "history": "history",
    "phase": "phase:plate.x",
    "spectrum": "spectrum:plate.x,plate.c",
    "spectrogram": "spectrogram:facing.normal_force",
    "waterfall": "waterfall:facing.pressure[2]",
    "hysteresis": "hysteresis:plate.e1,facing.force.x",
    "energy": "energy",
    "states": "states",
    "map": "map:facing@0.0102",
}


def test_every_plot_is_tested():
    assert set(REQUESTS) == set(PLOTS)


@pytest.mark.parametrize("text", REQUESTS.values(), ids=REQUESTS)
def test_plots_have_units_on_their_axes(result, text):
    figure = plot_result(result, Request.of(text))
    figure.draw_without_rendering()
    axes = figure.axes[0]
    assert axes.get_ylabel()
    if text not in ("history", "energy", "states"):  # the abscissa is below the last panel
        assert "/" in axes.get_xlabel()
    assert "/" in figure.axes[-1].get_xlabel() + figure.axes[-1].get_ylabel()


def test_signals_of_points_and_components(result):
    contact = result.contacts["facing"]
    fields = {
        "facing.pressure[3]": contact.field("pressure")[:, 3],
        "facing.slip[3].y": contact.field("slip")[:, 3, 1],
        "facing.force.z": contact.force[:, 2],
        "plate.e1'": result.v[:, 2],
        "energy.slip": result.energies["slip"],
    }
    for name, expected in fields.items():
        np.testing.assert_array_equal(signal(result, name), expected)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("facing.pressure", r"choose one, as in 'facing.pressure\[0\]'"),
        ("facing.slip[3]", r"choose one, as in 'facing.slip\[3\].x'"),
        ("facing.force", r"choose one, as in 'facing.force.x'"),
        ("facing.pressure[16]", "points are 0 to 15"),
        ("plate.nothing", "plate.nothing"),
    ],
)
def test_impossible_signals_are_refused(result, name, words):
    with pytest.raises(InputError, match=words):
        signal(result, name)


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        ("plate.x", "m"), ("plate.x'", "(m/s)"), ("plate.e1", "(m √kg)"),
        ("plate.e1''", "(m √kg/s²)"),
        ("facing.pressure[3]", "Pa"), ("facing.slip[3].y", "(m/s)"), ("facing.force.z", "N"),
        ("energy.slip", "J"), ("facing.points_stick", "1"),
    ],
)  # fmt: skip
def test_units(result, name, unit):
    assert unit_of(result, name) == unit


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("pie", "plot = pie"),
        ("map:facing@soon", "'soon'"),
        ("map:nothing", "unknown contact 'nothing'"),
        ("states:nothing", "unknown contact 'nothing'"),
        ("phase:energy.slip", "unknown dof"),
        ("spectrum:plate.x,energy.slip", "cannot share an axis"),
        ("hysteresis:plate.x", "needs a displacement and a force"),
    ],
)
def test_impossible_requests_are_refused(result, text, words):
    with pytest.raises(InputError, match=words):
        plot_result(result, Request.of(text))


def test_a_time_that_is_no_number_is_refused(result):
    with pytest.raises(InputError, match="invalid time = pressure s: expected a finite number"):
        result.plot_contact_map("facing", "pressure")


def test_the_map_is_that_of_the_nearest_time(result):
    figure = plot_result(result, Request.of("map:facing@0.0102"))
    contact = result.contacts["facing"]
    assert figure.get_suptitle() == "facing at t = 0.01 s"
    closed = contact.status[10] > 0
    shown = figure.axes[1].collections[1].get_array()
    np.testing.assert_allclose(shown, 1e-6 * contact.field("pressure")[10, closed])
    heat = figure.axes[3].collections[1].get_array()
    power = contact.field("point_slip_power")[10, closed]
    np.testing.assert_allclose(heat, power / contact.weights[closed])


def test_a_single_record_is_too_short(result):
    short = replace(result, rows=slice(0, 1))
    with pytest.raises(InputError, match="1 records: too few"):
        plot_result(short, Request.of("history"))
    plot_result(short, Request.of("map"))
