"""Motion of a result for ParaView: deformed bodies and contact points as series that play.

`bodies.pvd` shows the bodies where they are. Their frames are turned by finite rotations, so
nothing is stretched. The field `elastic displacement` is the part of the deformation in space
components: "Warp By Vector" with the factor s - 1 exaggerates the deformation s times and leaves
the rigid motion alone.

`contacts.pvd` shows the contact points of the slaves: `contact` (number), `status` (0 open, 1
stick, 2 slip, 3 gross slip), `gap` in m, `pressure` and `traction` in Pa, `normal`, `force` in N
(on the slave, of the point), `slip` velocity in m/s, `point_slip_power` in W and `heat_flux` in
W/m^2 now, `slip_work` in J and `slip_path` in m since the start; internal variables of the laws by
their names, nan in contacts that have none of this name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from fecontact.errors import InputError, at_least, check
from fecontact.results.fields import ContactFields
from fecontact.results.progress import track
from fecontact.results.result import Result
from fecontact.typing import Floats, Integers
from fecontact.view.vtk import Frame, Shape, write_frames

__all__ = [
    "bodies_shape",
    "body_frames",
    "contact_frames",
    "points_shape",
    "thinned",
    "write_series",
]

ELASTIC = "elastic displacement"
FIELDS = (
    "status", "gap", "pressure", "traction", "normal", "slip", "point_slip_power", "heat_flux",
    "slip_work", "slip_path",
)  # fmt: skip
CHUNK_BYTES = 32 << 20
"""Size of the positions that are computed at once."""


def write_series(result: Result, folder: str | Path, frames: int | None = None) -> list[str]:
    """Write `bodies.pvd` and `contacts.pvd` into a folder, each with a folder of frames.

    Parameters
    ----------
    result
        Result file; bodies are drawn if their geometry was given to the simulation.
    folder
        Made if it does not exist.
    frames
        Most output times that are written; all by default.

    Returns
    -------
    list of str
        Names of the files, relative to the folder.
    """
    folder = Path(folder)
    shown = thinned(result, frames)
    files: list[Path] = []
    folder.mkdir(parents=True, exist_ok=True)
    if shown.geometry:
        moving = track(body_frames(shown), "bodies", len(shown))
        files += write_frames(folder / "bodies.pvd", bodies_shape(shown), moving)
    if shown.contacts:
        moving = track(contact_frames(shown), "contact points", len(shown))
        files += write_frames(folder / "contacts.pvd", points_shape(shown), moving)
    if not files:
        raise InputError(
            f"{result.run.label} has nothing to draw: it has no contacts, and no geometry was "
            "given to the simulation (geometry=[BodyGeometry.of(...)])"
        )
    return [file.relative_to(folder).as_posix() for file in files]


def thinned(result: Result, frames: int | None) -> Result:
    """Result with at most so many records, equally spaced, the first among them."""
    if not len(result):
        raise InputError(f"{result.run.label} has no records yet")
    if frames is None:
        return result
    check("frames", frames, at_least(1))
    start, stop, step = result.rows.indices(result.run.complete)
    return replace(result, rows=slice(start, stop, step * -(-len(result) // frames)))


def bodies_shape(result: Result) -> Shape:
    """Cells of all bodies; they carry the number of their body."""
    cells, bodies, start = [], [], 0
    for index, geometry in enumerate(result.geometry):
        for kind, nodes in geometry.cells.items():
            cells.append((kind, start + nodes))
            bodies.append(np.full(len(nodes), index))
        start += len(geometry.points)
    points = np.concatenate([geometry.points for geometry in result.geometry])
    return Shape(points, cells, bodies)


def body_frames(result: Result) -> Iterator[Frame]:
    """Positions of all bodies over time, with their elastic displacement."""
    numbers = range(len(result.geometry))
    size = sum(geometry.points.nbytes for geometry in result.geometry)
    for part in _parts(result, size):
        bent = np.concatenate([part.positions(i) for i in numbers], axis=1)
        straight = np.concatenate([part.positions(i, 0.0) for i in numbers], axis=1)
        for t, points, rigid in zip(part.t, bent, straight, strict=True):
            yield Frame(float(t), points, {ELASTIC: points - rigid})


def contact_frames(result: Result) -> Iterator[Frame]:
    """Contact points of all contacts over time, with their fields."""
    contacts = list(result.contacts.values())
    known = [name for name in FIELDS if all(name in c.names for c in contacts)]
    states = {name: size for c in contacts for name, size in c.states.items()}
    index = np.repeat(np.arange(len(contacts)), [c.points for c in contacts])
    for part in _parts(result, 200 * len(index)):
        fields: dict[str, Floats | Integers] = {
            name: np.concatenate([c.field(name) for c in part.contacts.values()], axis=1)
            for name in ("position", *known)
        }
        if "normal" in known:
            forces = [c.point_forces for c in part.contacts.values()]
            fields["force"] = np.concatenate(forces, axis=1)
        for name, size in states.items():
            parts = [_state(c, name, size) for c in part.contacts.values()]
            fields[name] = np.concatenate(parts, axis=1)
        positions = fields.pop("position")
        for row, t in enumerate(part.t):
            at_time = {name: np.ascontiguousarray(field[row]) for name, field in fields.items()}
            yield Frame(float(t), positions[row], {"contact": index, **at_time})


def _state(contact: ContactFields, name: str, size: int) -> Floats:
    """An internal variable of all points over time; nan if the contact does not have it."""
    if name in contact.states:
        return np.asarray(contact.field(name))
    shape = (len(contact), contact.points) if size == 1 else (len(contact), contact.points, size)
    return np.full(shape, np.nan)


def points_shape(result: Result) -> Shape:
    """One vertex for each contact point."""
    sizes = [contact.points for contact in result.contacts.values()]
    vertices = np.arange(sum(sizes))[:, None]
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return Shape(np.zeros((len(vertices), 3)), [("vertex", vertices)], [owner])


def _parts(result: Result, bytes_per_record: int) -> Iterator[Result]:
    """Successive parts of a result of limited size."""
    rows = range(*result.rows.indices(result.run.complete))
    count = max(1, CHUNK_BYTES // max(bytes_per_record, 1))
    for start in range(0, len(rows), count):
        part = rows[start : start + count]
        yield replace(result, rows=slice(part.start, part.stop, part.step))
