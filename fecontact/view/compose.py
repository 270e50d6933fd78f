"""Pictures put together from rendered views: captions, title and one colour bar."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from matplotlib.figure import Figure

from fecontact.view.style import new_figure, styled

__all__ = ["ColourScale", "Image", "common_crop", "compose"]

Image = npt.NDArray[np.uint8]
"""Pixels (rows, columns, 3)."""

BORDER = 12
"""White pixels left around a view."""


class ColourScale(NamedTuple):
    """Label, limits and matplotlib name of a colour scale."""

    label: str
    low: float
    high: float
    map: str


def common_crop(images: Sequence[Image]) -> list[Image]:
    """Cut away the white border that images of one size share.

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
        box.append(slice(max(used[0] - BORDER, 0), used[-1] + 1 + BORDER))
    return [image[box[0], box[1]] for image in images]


@styled
def compose(
    images: Sequence[Image], captions: Sequence[str], title: str, scale: ColourScale | None = None
) -> Figure:
    """Figure of views of one size, two or three in a row, with captions above and a colour bar below."""
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
        place: dict[str, Any] = {"location": "bottom", "aspect": 40, "pad": 0.03}
        shrink = 0.5 if columns > 1 else 0.7
        figure.colorbar(colours, ax=panels, label=scale.label, shrink=shrink, **place)
    return figure
