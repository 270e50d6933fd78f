"""Figures of matplotlib as files."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["save_figure"]

SUFFIX = ".png"


def save_figure(figure: Figure, folder: Path, name: str) -> Path:
    """Write a figure into a folder as `name.png`, close it, and return the path.

    The file is complete or absent.
    """
    from fecontact.view.plots import save

    path = folder / f"{name.removesuffix(SUFFIX)}{SUFFIX}"
    save(figure, path)
    if "matplotlib.pyplot" in sys.modules:  # pyplot keeps its figures until they are closed
        sys.modules["matplotlib.pyplot"].close(figure)
    return path
