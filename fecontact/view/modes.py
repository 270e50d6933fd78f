"""Files of modes: VTK for ParaView, a playing period, and a picture."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fecontact.reduction.reduced import ReducedModel
from fecontact.typing import Complexes, Floats
from fecontact.view.pictures.scene import Panel, Picture, render
from fecontact.view.vtk import Shape, shape_of, write_modes, write_phases

__all__ = ["ModeFiles", "save_body_modes", "save_complex_modes", "save_real_modes"]

FRAMES = 24
SHOWN = 6
"""Modes in the gallery of a body."""
PANELS = (0, 6, 12, 18)


@dataclass(frozen=True)
class ModeFiles:
    """Names of the files, relative to their folder, and a sentence on the pictures."""

    files: tuple[str, ...]
    message: str


def save_complex_modes(
    folder: Path,
    shape: Shape,
    modes: Mapping[str, Complexes],
    *,
    name: str,
    amplitude: float,
    title: str,
) -> ModeFiles:
    """Write all modes to `modes.vtu`, and the first one as a period that plays and as a picture.

    Parameters
    ----------
    folder
        Output folder.
    shape
        Geometry of the bodies.
    modes
        Label -> complex displacement (n, 3) of the points; the first one is shown.
    name
        Stem of the files of the first mode.
    amplitude
        Its largest displacement in the picture, in m.
    title
        Title of the picture; the label of the mode follows it.
    """
    label, first = next(iter(modes.items()))
    write_modes(folder / "modes.vtu", shape, modes)
    series = write_phases(folder / f"{name}.pvd", shape, first, FRAMES)
    files = ["modes.vtu", *(file.relative_to(folder).as_posix() for file in series)]
    panels = tuple(
        Panel(str(series[1 + frame]), "displacement", f"phase {frame / FRAMES:.2f} of a period")
        for frame in PANELS
    )
    target = folder / f"{name}.png"
    picture = Picture(panels, str(target), f"{title}, {label}", amplitude)
    play = f"ParaView: open {name}.pvd, apply Warp By Vector to 'displacement', and play."
    return _with_picture(files, picture, play)


def save_real_modes(
    folder: Path,
    shape: Shape,
    modes: Mapping[str, Floats],
    *,
    name: str = "modes",
    amplitude: float,
    title: str,
    signed: bool = False,
) -> ModeFiles:
    """Write real modes to `name.vtu`, and a gallery of them to `name.png`.

    The colour is the size of the displacement, or with `signed` its axial component.
    """
    file = folder / f"{name}.vtu"
    write_modes(file, shape, modes)
    panels = tuple(Panel(str(file), label, label) for label in modes)
    picture = Picture(
        panels,
        str(folder / f"{name}.png"),
        title,
        amplitude,
        common_scale=False,
        signed=signed,
    )
    advice = f"ParaView: open {file.name}, apply Warp By Vector to a mode."
    return _with_picture([file.name], picture, advice)


def save_body_modes(
    model: ReducedModel, path: Path, count: int = SHOWN, title: str = ""
) -> ModeFiles:
    """Write the first elastic modes of a reduced body to `path`.vtu, and a gallery to `path`.png.

    The suffix of the path does not count.
    """
    fields = {}
    for index in range(model.rigid, min(model.rigid + count, model.size)):
        unit = np.zeros(model.size)
        unit[index] = 1.0
        label = f"{model.frequencies[index] / (2 * np.pi):.1f} Hz (coordinate {index + 1})"
        fields[label] = model.reconstruct(unit)
    if not fields:
        return ModeFiles((), "No picture: the body has no elastic coordinate.")
    amplitude = 0.06 * float(np.linalg.norm(np.ptp(model.geometry.points, axis=0)))
    return save_real_modes(
        path.parent,
        shape_of(model.geometry),
        fields,
        name=path.stem,
        amplitude=amplitude,
        title=title or path.stem,
    )


def _with_picture(files: list[str], picture: Picture, advice: str) -> ModeFiles:
    reason = render([picture])
    if reason is None:
        target = Path(picture.target)
        return ModeFiles((*files, target.name), f"Picture: {target}. {advice}")
    return ModeFiles(
        tuple(files), f"No picture of the mode: no off-screen graphics here ({reason}). {advice}"
    )
