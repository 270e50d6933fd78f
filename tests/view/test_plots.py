from __future__ import annotations

import numpy as np

from fecontact.view.contact import wear_maps
from fecontact.view.plots import MARKERS, convergence_plot, curves_plot, named_dots


def test_every_curve_is_drawn():
    """More curves than markers: none may be left out."""
    size = np.array([4.0, 2.0, 1.0])
    errors = {f"curve {i}": (i + 1.0) * size**2 for i in range(len(MARKERS) + 2)}
    (axes,) = convergence_plot(size, errors, order=2.0).axes
    assert {line.get_label() for line in axes.lines} == {*errors, "order 2"}


def test_wear_maps_show_work_per_area_and_path():
    points = np.array([[0.0, 0.0, 0.0], [1e-3, 0.0, 0.0], [0.0, 2e-3, 0.0]])
    wear = np.array([[0.0, 0.0], [2e-6, 3e-6], [4e-6, 5e-6]])
    maps = wear_maps(points, np.full(3, 1e-6), wear).axes[:2]
    work, path = (axes.collections[1].get_array() for axes in maps)
    np.testing.assert_allclose(work, [2.0, 4.0])
    np.testing.assert_allclose(path, [3.0, 5.0])


def test_coinciding_curves_have_different_lines():
    x = np.linspace(0.0, 1.0, 5)
    (axes,) = curves_plot(x, {"one": x, "two": x}, "x / m", "y / m").axes
    one, two = axes.lines
    assert one.get_linestyle() != two.get_linestyle()


def test_named_dots_put_each_name_at_one_place():
    rows = {"rod": {"flow": 1e-3, "events": 2e-3}, "masses": {"events": 1e-4, "moreau": 1e-2}}
    (axes,) = named_dots(rows, "error").axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["flow", "events", "moreau"]
    assert [line.get_xdata().tolist() for line in axes.lines] == [[0, 1], [1, 2]]
    assert axes.get_yscale() == "log"
