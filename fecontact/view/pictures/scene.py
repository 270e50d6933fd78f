"""Pictures of deformed bodies by PyVista, off-screen, from the VTK files that a run has written."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fecontact.view.pictures.offscreen import render_job

if TYPE_CHECKING:
    from fecontact.view.pictures.compose import ColourScale, Image

__all__ = ["Panel", "Picture", "render"]

VIEW_PIXELS = (1000, 800)


@dataclass(frozen=True)
class Panel:
    """One view of a deformed shape: a `.vtu` file, its displacement field, a caption."""

    file: str
    field: str
    caption: str


@dataclass(frozen=True)
class Picture:
    """Picture of deformed shapes.

    Attributes
    ----------
    panels
        Views, two in a row.
    target
        PNG file.
    title
        Text over the first panel.
    amplitude
        Largest displacement in the picture, in m.
    common_scale
        True if the panels show phases of one motion; else each is scaled by itself.
    signed
        True for colours of the axial displacement, False for the size of the displacement.
    """

    panels: tuple[Panel, ...]
    target: str
    title: str
    amplitude: float
    common_scale: bool = True
    signed: bool = True


def drawable(text: str) -> str:
    """Text in which bytes of a file name that the locale cannot read are letters again."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def render(pictures: Sequence[Picture]) -> str | None:
    """Render pictures in a child process; return None, or the reason why there are none."""
    job = [asdict(picture) | {"title": drawable(picture.title)} for picture in pictures]
    targets = [picture.target for picture in pictures]
    return render_job("fecontact.view.pictures.scene", job, targets, len(pictures), "pictures")


def _draw(picture: Picture) -> None:
    import numpy as np
    import pyvista as pv

    from fecontact.view.pictures.compose import ColourScale, common_crop, compose
    from fecontact.view.plots import save

    meshes = [pv.read(panel.file) for panel in picture.panels]
    fields = [mesh[panel.field] for mesh, panel in zip(meshes, picture.panels, strict=True)]
    colours = [f[:, 2] if picture.signed else np.linalg.norm(f, axis=1) for f in fields]
    largest = [float(np.abs(field).max()) or 1.0 for field in fields]
    brightest = [float(np.abs(colour).max()) or 1.0 for colour in colours]
    if picture.common_scale:
        largest, brightest = [max(largest)] * len(fields), [max(brightest)] * len(fields)
    scale = (
        ColourScale("axial displacement / largest", -1.0, 1.0, "coolwarm")
        if picture.signed
        else ColourScale("displacement / largest", 0.0, 1.0, "viridis")
    )
    images = []
    for index, (mesh, panel) in enumerate(zip(meshes, picture.panels, strict=True)):
        mesh[scale.label] = colours[index] / brightest[index]
        warped = mesh.warp_by_vector(panel.field, factor=picture.amplitude / largest[index])
        images.append(_view(warped, scale, _room(mesh.bounds, picture.amplitude)))
    captions = [panel.caption for panel in picture.panels]
    save(compose(common_crop(images), captions, picture.title, scale), Path(picture.target))


def _room(bounds: Sequence[float], amplitude: float) -> list[float]:
    """Bounds (x low, x high, y low, ...) with room for a displacement to all sides."""
    return [bound + (amplitude if side % 2 else -amplitude) for side, bound in enumerate(bounds)]


def _view(mesh: Any, scale: ColourScale, bounds: Sequence[float]) -> Image:
    """Render a deformed shape; the first body coloured, others grey and clear."""
    import pyvista as pv

    plotter = pv.Plotter(off_screen=True, window_size=VIEW_PIXELS)
    plotter.set_background("white")
    first = mesh.threshold((0, 0), scalars="body")
    style = {"clim": (scale.low, scale.high), "cmap": scale.map, "show_scalar_bar": False}
    plotter.add_mesh(first, scalars=scale.label, **style)
    other = mesh.threshold((1, 1), scalars="body")
    if other.n_cells:
        plotter.add_mesh(other, color="dimgray", opacity=0.55)
    plotter.camera_position = "iso"
    plotter.camera.elevation = 10
    plotter.reset_camera(bounds=bounds)
    image = plotter.screenshot(return_img=True)
    plotter.close()
    return image[..., :3]


def _child() -> None:
    for index, content in enumerate(json.load(sys.stdin)):
        panels = tuple(Panel(**panel) for panel in content.pop("panels"))
        _draw(Picture(panels=panels, **content))
        print(index, flush=True)


if __name__ == "__main__":
    _child()
