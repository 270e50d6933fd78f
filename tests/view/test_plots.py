from __future__ import annotations

import numpy as np

from fecontact.view.contact import wear_maps
from fecontact.view.plots import MARKERS, convergence_plot


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
