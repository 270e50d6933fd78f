"""Equilibria of a load path: deformed bodies with the pressure of their contacts.

`write_path` writes the series that `write_series` writes of a motion, `path_picture` a picture of
one increment: the bodies in the colour of their displacement, and the contact points in that of
the pressure. Supports that move are drawn where they are.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from fecontact.analysis.statics.load_path import LoadPath
from fecontact.body.base import Body as Drawable
from fecontact.body.base import as_body
from fecontact.drafts import draft_of
from fecontact.errors import NON_NEGATIVE, InputError, check, renamed_keywords
from fecontact.results.geometry import BodyGeometry, frame_of
from fecontact.typing import Body, Floats
from fecontact.view.pictures.offscreen import render_job
from fecontact.view.series import contact_frames, points_shape
from fecontact.view.vtk import Frame, Shape, write_frames

if TYPE_CHECKING:
    from fecontact.view.pictures.compose import Image

__all__ = ["path_picture", "write_path"]

DISPLACEMENT = "displacement"
PIXELS = (900, 700)


class _Drawn(NamedTuple):
    """A body that is drawn; the body itself is None for what does not move."""

    geometry: BodyGeometry
    body: Body | None


@renamed_keywords(number="index")
def write_path(path: LoadPath, folder: str | Path, index: int | None = None) -> list[str]:
    """Write `bodies.pvd` and `contacts.pvd` of a load path into a folder, for ParaView.

    Parameters
    ----------
    path
        Increments of a `System`. Full and reduced bodies are drawn by their own mesh, others by the
        geometry that was given to `load_path`.
    folder
        Made if it does not exist.
    index
        Of one increment; all by default.

    Returns
    -------
    list of str
        Names of the files, relative to the folder.
    """
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    drawn, files = _drawn(path), list[Path]()
    chosen = range(len(path.increments))
    rows = chosen if index is None else chosen[index : (index + 1) or None]
    if drawn:
        files += write_frames(folder / "bodies.pvd", _shape(drawn), _frames(path, drawn, rows))
    result = path.result
    if result.contacts:
        frames = [frame for i, frame in enumerate(contact_frames(result)) if i in rows]
        files += write_frames(folder / "contacts.pvd", points_shape(result), frames)
    if not files:
        raise InputError(
            "invalid load path: expected contacts, bodies with a mesh, or geometry given to "
            "load_path (geometry=[BodyGeometry.of(...)])"
        )
    return [file.relative_to(folder).as_posix() for file in files]


def path_picture(
    path: LoadPath,
    target: str | Path,
    index: int = -1,
    exaggeration: float | Literal["auto"] = "auto",
) -> str | None:
    """Write a picture of an increment as PNG; None, or the reason why this machine cannot draw."""
    target = Path(target)
    if exaggeration != "auto":
        check("exaggeration", exaggeration, NON_NEGATIVE)
    if not target.parent.is_dir():
        raise InputError(f"folder '{target.parent}' does not exist; create it first")
    with tempfile.TemporaryDirectory(prefix="fecontact-") as folder, draft_of(target) as part:
        files = write_path(path, folder, index)
        job = {
            "folder": folder,
            "files": [name for name in files if name.endswith(".vtu")],
            "target": str(part),
            "exaggeration": exaggeration,
            "title": f"t = {path.increments[index].t:g}",
        }
        reason = render_job("fecontact.view.statics", job, [str(part)], 1, target.name)
        if reason is not None:
            part.unlink(missing_ok=True)
    return reason


def _drawn(path: LoadPath) -> list[_Drawn]:
    """Bodies with a mesh of their own, and given geometry."""
    if path.recorded is None:
        raise InputError("invalid load path: expected increments of a System")
    bodies = {body.name: body for body in path.recorded.problem.system.bodies}
    given = [_Drawn(part, bodies.get(part.body)) for part in path.recorded.geometry]
    known = {part.geometry.body for part in given}
    own = [
        _Drawn(BodyGeometry.of(body), body)
        for body in bodies.values()
        if body.name not in known and _has_mesh(body)
    ]
    return [*own, *given]


def _has_mesh(body: Body) -> bool:
    """Whether a body draws itself."""
    return getattr(type(body), "geometry", Drawable.geometry) is not Drawable.geometry


def _shape(drawn: list[_Drawn]) -> Shape:
    cells, bodies, start = [], [], 0
    for index, (geometry, _) in enumerate(drawn):
        for kind, nodes in geometry.cells.items():
            cells.append((kind, start + nodes))
            bodies.append(np.full(len(nodes), index))
        start += len(geometry.points)
    return Shape(np.concatenate([part.geometry.points for part in drawn]), cells, bodies)


def _frames(path: LoadPath, drawn: list[_Drawn], rows: range) -> Iterator[Frame]:
    """Positions of the bodies at increments, with their displacement from the first position."""
    start = np.concatenate([_positions(path, part, None) for part in drawn])
    for index in rows:
        points = np.concatenate([_positions(path, part, index) for part in drawn])
        t = path.increments[index].t
        yield Frame(t, points, {DISPLACEMENT: points - start})


def _positions(path: LoadPath, part: _Drawn, index: int | None) -> Floats:
    """Points (n, 3) of a body at an increment, or in its reference position."""
    geometry, body = part
    assert path.recorded is not None
    problem = path.recorded.problem
    if body is None:
        return geometry.points
    own, t = body.reference(), 0.0
    if index is not None:
        increment = path.increments[index]
        t, state = increment.t, problem.state(increment.t, increment.x)
        own = state.q[problem.system.q_slices[body.name]]
    frame = frame_of(body, t, own)[None]
    elastic = own[len(own) - geometry.coordinates :][None]
    points = geometry.positions(frame, elastic)[0]
    full = as_body(body).finite_elements
    if full is not None and index is not None:
        points = points + problem.support_shift(path.increments[index], full, geometry.points)
    return points


def _draw(job: dict[str, Any]) -> None:
    """Two views: displacement of the bodies, pressure of the points under clear bodies."""
    import pyvista as pv

    from fecontact.view.pictures.animation import exaggerated, round_factor
    from fecontact.view.pictures.compose import common_crop
    from fecontact.view.plots import save

    folder = Path(job["folder"])
    found = {name.split("/")[0]: pv.read(folder / name) for name in job["files"]}
    bodies, dots = found.get("bodies"), found.get("contacts")
    factor, moved = 1.0, np.zeros((0, 3))
    if bodies is not None:
        moved = np.array(bodies[DISPLACEMENT])
        size = float(np.linalg.norm(np.ptp(bodies.points, axis=0)))
        largest = float(np.linalg.norm(moved, axis=1).max())
        factor = (
            round_factor(size, largest) if job["exaggeration"] == "auto" else job["exaggeration"]
        )
        bodies["displacement in µm"] = 1e6 * np.linalg.norm(moved, axis=1)
        if dots is not None:
            dots.points = exaggerated(bodies.points, moved, factor, dots.points)
        bodies.points = bodies.points + (factor - 1.0) * moved
    views: list[tuple[Image, float, str, str]] = []
    if bodies is not None:
        views.append((*_view(bodies, None), "displacement / µm", "viridis"))
    if dots is not None:
        views.append((*_view(bodies, dots), "pressure / MPa", "plasma"))
    images = common_crop([view[0] for view in views])
    note = f", displacement × {factor:g}" if factor != 1.0 else ""
    bars = [(label, top, colours) for _, top, label, colours in views]
    save(_composed(images, bars, job["title"] + note), Path(job["target"]))
    print(1, flush=True)


def _view(bodies: Any, dots: Any) -> tuple[Image, float]:
    """A view of the bodies, clear ones with contact points, and the top of its colour scale."""
    import pyvista as pv

    plotter = pv.Plotter(off_screen=True, window_size=PIXELS)
    plotter.set_background("white")
    plotter.render_window.SetMultiSamples(0)
    plotter.enable_depth_peeling(6)
    top = 1.0
    if bodies is not None:
        for index in np.unique(bodies["body"]):
            own = bodies.extract_cells(np.flatnonzero(bodies["body"] == index)).extract_surface()
            look: dict[str, Any] = {"color": "#8DA9C4", "opacity": 0.25}
            if dots is None:
                label = "displacement in µm"
                top = float(bodies[label].max()) or 1.0
                look = {"scalars": label, "clim": (0.0, top), "cmap": "viridis", "ambient": 0.5}
            plotter.add_mesh(own, show_scalar_bar=False, **look)
            edges = own.extract_feature_edges(40.0)
            if edges.n_points:
                plotter.add_mesh(edges, color="#404040", line_width=1.5)
    if dots is not None:
        dots["MPa"] = 1e-6 * dots["pressure"]
        top = float(dots["MPa"].max()) or 1.0
        size = float(np.clip(220.0 / np.sqrt(dots.n_points), 5.0, 16.0))
        closed = dots["status"] > 0
        cloud = pv.PolyData(np.array(dots.points, dtype=float))
        cloud["MPa"], cloud["closed"] = dots["MPa"], closed.astype(float)
        for chosen, own in ((~closed, {"color": "lightgray"}), (closed, {"scalars": "MPa"})):
            if chosen.any():
                part = cloud.extract_points(np.flatnonzero(chosen))
                scale = {"clim": (0.0, top), "cmap": "plasma"} if "scalars" in own else {}
                plotter.add_mesh(
                    part, point_size=size, render_points_as_spheres=True,
                    show_scalar_bar=False, **own, **scale,
                )  # fmt: skip
    plotter.camera_position = "iso"
    plotter.camera.elevation = -5
    plotter.reset_camera()
    image = plotter.screenshot(return_img=True)
    plotter.close()
    return image[..., :3], top


def _composed(images: list[Image], bars: list[tuple[str, float, str]], title: str) -> Any:
    """Views side by side, each with its colour bar below."""
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import Normalize

    from fecontact.view.style import new_figure

    high, wide = images[0].shape[:2]
    figure = new_figure(4.6 * len(images), 4.6 * high / wide + 1.1)
    row = figure.subplots(1, len(images), squeeze=False)[0]
    for axes, image, (label, top, colours) in zip(row, images, bars, strict=True):
        axes.imshow(image)
        axes.set_axis_off()
        scale = ScalarMappable(Normalize(0.0, top), colours)
        figure.colorbar(scale, ax=axes, label=label, orientation="horizontal", shrink=0.8)
    figure.suptitle(title, fontsize=10.0)
    return figure


if __name__ == "__main__":
    _draw(json.load(sys.stdin))
