"""Pictures put together from rendered views: captions, title and one colour bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from fecontact.view.style import STATUS_LOOKS, new_figure, styled

__all__ = ["ColourScale", "Image", "Titled", "common_crop", "compose"]

Image = npt.NDArray[np.uint8]
"""Pixels (rows, columns, 3)."""

BAR_PIXELS = 40
"""Height of the bars above and below the frames of an animation."""
MARGIN = 12
"""White pixels left around a view."""


class ColourScale(NamedTuple):
    """Label, limits and matplotlib name of a colour scale."""

    label: str
    low: float
    high: float
    map: str


def common_crop(images: Sequence[Image]) -> list[Image]:
    """Cut away the white boundary that images of one size share.

    Examples
    --------
    >>> white = np.full((100, 80, 3), 255, dtype=np.uint8)
    >>> white[40:60, 30:50] = 0
    >>> common_crop([white])[0].shape
    (44, 44, 3)
    """
    dark = np.any([(image < 250).any(axis=2) for image in images], axis=0)
    if not dark.any():
        return list(images)
    box = []
    for axis in (1, 0):
        used = np.flatnonzero(dark.any(axis=axis))
        box.append(slice(max(used[0] - MARGIN, 0), used[-1] + 1 + MARGIN))
    return [image[box[0], box[1]] for image in images]


@styled
def compose(
    images: Sequence[Image], captions: Sequence[str], title: str, scale: ColourScale | None = None
) -> Figure:
    """Views of one size, two or three in a row, captions above, a colour bar below."""
    columns = min(len(images), 2 if len(images) <= 4 else 3)
    rows = -(-len(images) // columns)
    high, wide = images[0].shape[:2]
    width = {1: 6.0, 2: 4.2, 3: 3.2}[columns]
    height = rows * (width * high / wide + 0.35) + 0.4 + (0.7 if scale else 0.0)
    figure = new_figure(width * columns, height)
    panels = figure.subplots(rows, columns, squeeze=False)
    for axes in panels.flat:
        axes.set_axis_off()
    for axes, image, caption in zip(panels.flat, images, captions, strict=False):
        axes.imshow(image, interpolation="antialiased")
        axes.set_title(caption)
    figure.suptitle(title, fontsize=11.0)
    if scale is not None:
        colours = ScalarMappable(Normalize(scale.low, scale.high), scale.map)
        location: dict[str, Any] = {"location": "bottom", "aspect": 40, "pad": 0.03}
        shrink = 0.5 if columns > 1 else 0.7
        figure.colorbar(colours, ax=panels, label=scale.label, shrink=shrink, **location)
    return figure


class Titled:
    """Frames of an animation: a view with the time above and a legend of contact modes below.

    Parameters
    ----------
    size
        Width and height of the views in pixels; the frames are a little higher.
    modes
        Whether to draw the legend.
    note
        Text at the upper right.
    """

    def __init__(self, size: tuple[int, int], modes: bool, note: str = "") -> None:
        wide, high = size
        full = high + BAR_PIXELS * (2 if modes else 1)
        self._figure = Figure(figsize=(wide / 100.0, full / 100.0), dpi=100)
        self._canvas: Any = FigureCanvasAgg(self._figure)
        below = BAR_PIXELS / full if modes else 0.0
        axes = self._figure.add_axes((0.0, below, 1.0, high / full))
        axes.set_axis_off()
        self._view = axes.imshow(np.full((high, wide, 3), 255, dtype=np.uint8), aspect="auto")
        line = 1.0 - 0.5 * BAR_PIXELS / full
        self._title = self._figure.text(0.02, line, "", va="center", fontsize=13)
        self._figure.text(0.98, line, note, va="center", ha="right", fontsize=13)
        if modes:
            handles = [
                Line2D([], [], linestyle="", marker="o", markersize=9, color=c, label=name)
                for name, c, _ in STATUS_LOOKS
            ]
            self._figure.legend(
                handles=handles, loc="lower center", ncols=4, frameon=False, fontsize=12
            )

    def image(self, view: Image, title: str) -> Image:
        """Pixels of a frame."""
        self._view.set_data(view)
        self._title.set_text(title)
        self._canvas.draw()
        return np.asarray(self._canvas.buffer_rgba())[..., :3].copy()
