"""Legends cover nothing: checked on the pixels of the drawn figure."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from fecontact.view.style import STATUS_LOOKS, new_figure, place_legends, styled

X = np.linspace(0.0, 1.0, 201)
RED = np.array([255, 0, 0])


def red_pixels(figure, legend_box=None):
    """Number of pixels of pure red, of the whole figure or inside a box."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    image = np.asarray(canvas.buffer_rgba())[::-1, :, :3]
    if legend_box is not None:
        x0, y0, x1, y1 = np.rint(legend_box.extents).astype(int)
        image = image[y0:y1, x0:x1]
    return int((image == RED).all(axis=-1).sum())


def drawn(curves, marker="-"):
    figure = new_figure()
    axes = figure.subplots()
    for y in curves:
        axes.plot(X, y, marker, color="red")
    axes.plot([], [], color="blue", label="a curve with a rather long name")
    place_legends(axes)
    return figure, axes


SHAPES = {
    "rising": [X],
    "falling": [1.0 - X],
    "arch": [4.0 * X * (1.0 - X)],
    "cross": [X, 1.0 - X],
    "step": [(X > 0.5).astype(float)],
    "full": [0.5 + 0.5 * np.sin(60.0 * np.pi * X)],
    "gap": [np.where(X < 0.5, np.nan, X)],
}


@pytest.mark.parametrize(
    ("name", "marker"), [*((name, "-") for name in SHAPES), ("rising", "."), ("arch", ".")]
)
def test_no_pixel_of_a_curve_is_covered(name, marker):
    figure, axes = drawn(SHAPES[name], marker)
    legend = axes.get_legend()
    red_pixels(figure)
    box = legend.get_window_extent()
    assert box.x1 <= figure.bbox.x1
    assert box.y1 <= figure.bbox.y1
    figure.set_layout_engine("none")
    legend.set_visible(False)
    assert red_pixels(figure) > 0
    assert red_pixels(figure, box) == 0


def test_a_full_panel_has_its_legend_outside():
    figure, axes = drawn(SHAPES["full"])
    figure.draw_without_rendering()
    assert axes.get_legend().get_window_extent().x0 > axes.get_window_extent().x1


def test_a_long_segment_between_two_points_is_seen():
    figure = new_figure()
    axes = figure.subplots()
    axes.plot([0.0, 1.0], [0.0, 1.0], color="red", label="diagonal")
    place_legends(axes)
    red_pixels(figure)
    box = axes.get_legend().get_window_extent()
    axes.get_legend().set_visible(False)
    assert red_pixels(figure, box) == 0


def test_texts_and_dots_are_left_free():
    figure = new_figure()
    axes = figure.subplots()
    axes.scatter([1.0, 0.99, 0.98], [1.0, 0.99, 0.98], label="dots")
    axes.text(0.02, 0.98, "a sentence", transform=axes.transAxes, va="top")
    axes.set(xlim=(0.0, 1.05), ylim=(0.0, 1.05))
    place_legends(axes)
    figure.draw_without_rendering()
    box = axes.get_legend().get_window_extent()
    assert not box.overlaps(axes.texts[0].get_window_extent())
    assert not box.contains(*axes.transData.transform((0.99, 0.99)))


def test_the_style_does_not_leak():
    import matplotlib

    before = matplotlib.rcParams["legend.framealpha"]
    assert styled(lambda: matplotlib.rcParams["legend.framealpha"])() == 1.0
    assert matplotlib.rcParams["legend.framealpha"] == before != 1.0


def test_modes_differ_in_lightness_and_marker():
    from matplotlib.colors import to_rgb

    light = sorted(np.dot((0.2126, 0.7152, 0.0722), to_rgb(look.colour)) for look in STATUS_LOOKS)
    assert min(np.diff(light)) > 0.03
    assert len({look.marker for look in STATUS_LOOKS}) == 4
