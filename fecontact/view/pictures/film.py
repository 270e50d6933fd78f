"""Files of animations: gif by Pillow, mp4 by imageio with ffmpeg.

A gif has 256 colours. All frames share one palette, made of the first frame and of the colours that
must be right, so that nothing flickers.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image as Pillow
from PIL import ImageColor

from fecontact.view.pictures.compose import Image

__all__ = ["write_gif", "write_mp4"]

STRIP_PIXELS = 24
"""Height of the strip that gives a colour weight in the palette."""


def write_gif(target: Path, frames: Iterable[Image], rate: float, kept: Sequence[str] = ()) -> None:
    """Write frames of one size as an endless gif; `kept` are colours that must be in it."""
    every = iter(frames)
    first = next(every)
    strips = [
        np.full((STRIP_PIXELS, first.shape[1], 3), ImageColor.getrgb(colour), dtype=np.uint8)
        for colour in kept
    ]
    palette = Pillow.fromarray(np.concatenate([first, *strips])).quantize(256)
    images = (
        Pillow.fromarray(frame).quantize(palette=palette, dither=Pillow.Dither.NONE)
        for frame in itertools.chain([first], every)
    )
    next(images).save(
        target,
        save_all=True,
        append_images=images,
        duration=1000.0 / rate,
        loop=0,
        optimize=False,
        disposal=1,
    )


def write_mp4(target: Path, frames: Iterable[Image], rate: float) -> None:
    """Write frames as mp4; needs imageio-ffmpeg."""
    import imageio.v2 as imageio

    film: Any = imageio.get_writer(target, fps=rate, macro_block_size=2, quality=8)
    with film:
        for frame in frames:
            film.append_data(frame)
