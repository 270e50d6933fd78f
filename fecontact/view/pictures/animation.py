"""Animation of a result: moving bodies, contact points in the colour of what they do.

Red points stick, yellow ones slip, green ones slip grossly, grey ones are open. The elastic part of
the motion may be exaggerated; the rigid part never is. Rendered by a child process from the series
that `write_series` makes.
"""

from __future__ import annotations

import importlib.util
import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from scipy.spatial import cKDTree

from fecontact.drafts import draft_of
from fecontact.errors import NON_NEGATIVE, POSITIVE, InputError, at_least, check, one_of
from fecontact.results.result import Result
from fecontact.typing import Floats
from fecontact.view.pictures.offscreen import render_job
from fecontact.view.series import ELASTIC, thinned, write_series
from fecontact.view.vtk import read_times

if TYPE_CHECKING:
    from fecontact.view.pictures.compose import Image

__all__ = ["FORMATS", "animate", "exaggerated", "round_factor"]


def _view_axes(azimuth: float, elevation: float) -> Floats:
    """Unit vectors to the right, upwards and towards the viewer; angles in degrees."""
    a, e = np.deg2rad([azimuth, elevation])
    to_viewer = np.array([np.cos(e) * np.cos(a), np.cos(e) * np.sin(a), np.sin(e)])
    right = np.array([-np.sin(a), np.cos(a), 0.0])
    return np.array([right, np.cross(to_viewer, right), to_viewer])


FORMATS = ("gif", "mp4")
FRACTION = 0.05
"""Largest drawn deformation as a part of the size of the scene, if it is chosen here."""
VIEW_PIXELS = (800, 560)
VIEW = _view_axes(azimuth=-60.0, elevation=30.0)
"""Rows: to the right, upwards, towards the viewer."""
BODY_COLOURS = ("#8DA9C4", "#C9B79C", "#A3B18A", "#B8A1C9", "#C4C4C4")
OPACITY = 0.35
"""Of bodies in front of contact points."""
PEELS = 6
"""Layers of bodies that are seen through."""
SHARP = 40.0
"""Least angle of an edge that is drawn, in degrees."""


def animate(
    result: Result,
    target: str | Path,
    *,
    exaggeration: float | Literal["auto"] = "auto",
    frames: int = 120,
    rate: float = 20.0,
) -> str | None:
    """Write an animation; return None, or the reason why this machine cannot draw one.

    Parameters
    ----------
    result
        Result file with geometry, contacts or both.
    target
        Name of the file, `.gif` or `.mp4`; mp4 needs the package imageio-ffmpeg.
    exaggeration
        Factor of the elastic displacement; "auto" draws the largest as 5 % of the scene.
    frames
        Most output times that are drawn.
    rate
        Pictures per second.
    """
    target = Path(target)
    check("format of the animation", target.suffix.removeprefix("."), one_of(FORMATS))
    check("frames", frames, at_least(1))
    check("rate", rate, POSITIVE, "1/s")
    if exaggeration != "auto":
        check("exaggeration", exaggeration, NON_NEGATIVE)
    if target.suffix == ".mp4" and importlib.util.find_spec("imageio_ffmpeg") is None:
        raise InputError(
            "mp4 needs the package imageio-ffmpeg: pip install imageio-ffmpeg, or choose gif"
        )
    if not target.parent.is_dir():
        raise InputError(f"folder '{target.parent}' does not exist; create it first")
    with tempfile.TemporaryDirectory(prefix="fecontact-") as folder, draft_of(target) as part:
        write_series(result, folder, frames)
        job = {
            "folder": folder,
            "target": str(part),
            "exaggeration": exaggeration,
            "rate": rate,
        }
        count = len(thinned(result, frames))
        reason = render_job(
            "fecontact.view.pictures.animation", job, [str(part)], count, target.name
        )
        if reason is not None:
            part.unlink(missing_ok=True)
    return reason


def exaggerated(points: Floats, elastic: Floats, factor: float, dots: Floats) -> Floats:
    """Contact points (p, 3) moved with the exaggerated deformation of the nearest body point.

    Bodies (n, 3) with their elastic displacement (n, 3) are drawn at points + (factor - 1) elastic.
    Points of bodies that do not deform are passed over.
    """
    bent = np.flatnonzero(np.abs(elastic).max(axis=1, initial=0.0) > 0.0)
    if factor == 1.0 or not len(bent):
        return dots
    _, nearest = cKDTree(points[bent]).query(dots)
    return dots + (factor - 1.0) * elastic[bent[nearest]]


def round_factor(size: float, largest: float) -> float:
    """Round factor 1, 2 or 5 times a power of ten, at least 1, that draws 5 % of a size at most.

    Examples
    --------
    >>> round_factor(0.2, 3e-6)
    2000.0
    >>> round_factor(0.2, 0.5), round_factor(0.2, 0.0)
    (1.0, 1.0)
    """
    if largest <= 0.0:
        return 1.0
    factor = FRACTION * size / largest
    power = 10.0 ** np.floor(np.log10(factor))
    steps = [step for step in (1.0, 2.0, 5.0) if step * power <= factor * (1.0 + 1e-9)]
    return max(1.0, float(steps[-1] * power))


class _Scene:
    """Scene of a series: bodies and contact points that are moved from frame to frame."""

    def __init__(self, folder: Path, exaggeration: float | str) -> None:
        import pyvista as pv

        self._read = pv.read
        names = {"bodies": folder / "bodies.pvd", "contacts": folder / "contacts.pvd"}
        self._files = {name: read_times(path) for name, path in names.items() if path.is_file()}
        self.times = [time for time, _ in next(iter(self._files.values()))]
        box, largest = self._survey()
        size = float(np.linalg.norm(box[1] - box[0]))
        self.factor = round_factor(size, largest) if isinstance(exaggeration, str) else exaggeration
        self.deforms = largest > 0.0
        self._plotter = pv.Plotter(off_screen=True, window_size=VIEW_PIXELS)
        self._plotter.set_background("white")
        self._plotter.render_window.SetMultiSamples(0)  # with them peeling draws nothing
        self._plotter.enable_depth_peeling(PEELS)
        self._bodies = self._add_bodies()
        self._dots = self._add_dots(pv)
        self._aim(box, margin=0.02 * size + self.factor * largest)

    @property
    def has_contacts(self) -> bool:
        return "contacts" in self._files

    def images(self) -> Iterator[Image]:
        """Render frame after frame."""
        for index in range(len(self.times)):
            points = elastic = np.zeros((0, 3))
            if "bodies" in self._files:
                mesh = self._read(self._files["bodies"][index][1])
                points, elastic = mesh.points, mesh[ELASTIC]
                drawn = points + (self.factor - 1.0) * elastic
                for body, own in self._bodies:
                    body.points = drawn[own]
            if self._dots is not None:
                mesh = self._read(self._files["contacts"][index][1])
                self._dots.points = exaggerated(points, elastic, self.factor, mesh.points)
                self._dots["status"][:] = mesh["status"]
                self._dots.Modified()
            self._plotter.renderer.ResetCameraClippingRange()
            self._plotter.render()
            yield self._plotter.screenshot(return_img=True)[..., :3]
        self._plotter.close()

    def _survey(self) -> tuple[Floats, float]:
        """Corners (2, 3) of the motion in components of the view, and the largest deformation."""
        low, high, largest = np.full(3, np.inf), np.full(3, -np.inf), 0.0
        for name, frames in self._files.items():
            for _, file in frames:
                mesh = self._read(file)
                seen = mesh.points @ VIEW.T
                low, high = np.minimum(low, seen.min(axis=0)), np.maximum(high, seen.max(axis=0))
                if name == "bodies":
                    largest = max(largest, float(np.linalg.norm(mesh[ELASTIC], axis=1).max()))
        return np.array([low, high]), largest

    def _aim(self, box: Floats, margin: float) -> None:
        """Look at all of the motion, in parallel projection."""
        wide, high, deep = box[1] - box[0] + 2.0 * margin
        centre = box.mean(axis=0) @ VIEW
        camera = self._plotter.camera
        camera.parallel_projection = True
        camera.focal_point = centre
        camera.position = centre + (wide + high + deep) * VIEW[2]
        camera.up = VIEW[1]
        camera.parallel_scale = 0.5 * max(high, wide * VIEW_PIXELS[1] / VIEW_PIXELS[0])
        self._plotter.renderer.ResetCameraClippingRange()

    def _add_bodies(self) -> list[tuple[Any, Any]]:
        """Surfaces and sharp edges of the bodies, and which points of the file are theirs."""
        if "bodies" not in self._files:
            return []
        mesh = self._read(self._files["bodies"][0][1])
        mesh["number"] = np.arange(mesh.n_points)
        opacity = OPACITY if self.has_contacts else 1.0
        parts = []
        for index in np.unique(mesh["body"]):
            own = mesh.extract_cells(np.flatnonzero(mesh["body"] == index)).extract_surface()
            colour = BODY_COLOURS[int(index) % len(BODY_COLOURS)]
            self._plotter.add_mesh(own, color=colour, opacity=opacity)
            parts.append(own)
            edges = own.extract_feature_edges(SHARP)
            if edges.n_points:
                self._plotter.add_mesh(edges, color="#404040", line_width=1.5)
                parts.append(edges)
        return [(part, np.array(part["number"])) for part in parts]

    def _add_dots(self, pv: Any) -> Any:
        from matplotlib.colors import ListedColormap

        from fecontact.view.style import STATUS_LOOKS

        if not self.has_contacts:
            return None
        first = self._read(self._files["contacts"][0][1])
        dots = pv.PolyData(np.array(first.points, dtype=float))
        dots["status"] = np.array(first["status"], dtype=float)
        size = float(np.clip(220.0 / np.sqrt(len(first.points)), 5.0, 14.0))
        self._plotter.add_mesh(
            dots,
            scalars="status",
            cmap=ListedColormap([look.colour for look in STATUS_LOOKS]),
            clim=(-0.5, len(STATUS_LOOKS) - 0.5),
            point_size=size,
            render_points_as_spheres=True,
            show_scalar_bar=False,
        )
        return dots


def _draw(folder: Path, target: Path, exaggeration: float | str, rate: float) -> None:
    from fecontact.view.pictures.film import write_gif, write_mp4
    from fecontact.view.style import STATUS_LOOKS

    frames = _frames(_Scene(folder, exaggeration))
    if target.suffix == ".gif":
        write_gif(target, frames, rate, ["white", *(look.colour for look in STATUS_LOOKS)])
    else:
        write_mp4(target, frames, rate)


def _frames(scene: _Scene) -> Iterator[Image]:
    """Frames with their texts; prints a line for each."""
    from fecontact.view.pictures.compose import Titled

    note = f"deformation × {scene.factor:g}" if scene.deforms and scene.factor != 1.0 else ""
    titled = Titled(VIEW_PIXELS, scene.has_contacts, note)
    for time, view in zip(scene.times, scene.images(), strict=True):
        yield titled.image(view, f"t = {time:.6g} s")
        print(time, flush=True)


def _child() -> None:
    job = json.load(sys.stdin)
    _draw(Path(job["folder"]), Path(job["target"]), job["exaggeration"], job["rate"])


if __name__ == "__main__":
    _child()
