"""What a case script has to know of a reduced body: its contact surface, and whether it fits.

All templates let the part stand still and move a rigid counterpart along its contact surface, whose
normals are along z. Around the z axis for "clutch" (a ring about it) and "brake" (a pad beside it),
along x for "beam".
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from fecontact.body import ElasticBody
from fecontact.body.marker import Vector
from fecontact.contact import elastic_surface
from fecontact.errors import InputError, SolverError
from fecontact.reduction import ReducedModel
from fecontact.typing import Floats

__all__ = ["Facts", "facts_of"]

LARGEST = 3.0
"""Size in m above which a mesh is taken for one in mm."""
ALIGNED = 0.99
"""Least component of the normals along z."""
OPEN_ANGLE = np.pi / 2
"""Largest part of a turn without points in a ring about the z axis."""
PRESSURE = 2e5
"""Mean pressure in Pa of the load that is proposed."""


@dataclass(frozen=True)
class Facts:
    """The contact surface of a body.

    Attributes
    ----------
    surface, others
        Its name, and the names of other contact surfaces.
    side
        1 if it looks along z, -1 if against.
    height
        Its mean height z in m.
    outer, inner
        Largest and smallest radius about z in m.
    sensor
        Node near its point that is farthest out, in m.
    load
        Force in N of 0.2 MPa, two digits.
    hertz
        Frequency up to which the body is valid.
    nodal
        Whether the nodes of the surface can be its contact points, which are fewer.
    """

    surface: str
    others: tuple[str, ...]
    side: int
    height: float
    outer: float
    inner: float
    sensor: Vector
    load: float
    hertz: float
    nodal: bool


def facts_of(model: ReducedModel, file: str | Path, template: str) -> Facts:
    """What a template needs of a body; a body that does not fit is refused in one line."""
    names = [name for name in model.contact if name in model.surfaces]
    if not names:
        raise InputError(
            f"body '{file}' has no contact surface: expected one; name it when you reduce, "
            "fecontact modes MESH --contact NAME"
        )
    span = float(np.ptp(model.geometry.points, axis=0).max())
    if span > LARGEST:
        raise InputError(
            f"body '{file}' spans {span:.4g} m: expected at most {LARGEST:g} m; if its mesh is in "
            "mm, reduce it again with --scale 1e-3"
        )
    if model.rigid:
        raise InputError(
            f"body '{file}' is not held, it has {model.rigid} rigid-body modes: expected a part "
            "that stands still; hold a surface when you reduce, --fix NAME"
        )
    wrong = {name: _misfit(model, name, template) for name in names}
    fit = [name for name in names if not wrong[name]]
    if not fit:
        raise InputError(f"body '{file}': {wrong[names[0]]}")
    name = fit[0]
    points, normals, weights = _surface(model, name)
    radius = np.hypot(points[:, 0], points[:, 1])
    far = points[int(np.argmax(radius))] if template != "beam" else _end(points)
    nodes = model.geometry.points
    node = nodes[int(np.argmin(np.linalg.norm(nodes - far, axis=1)))]
    limit = model.validity_frequency(0.05) / (2.0 * np.pi)
    x, y, z = (float(f"{value:.12g}") for value in node)
    return Facts(
        surface=name,
        others=tuple(other for other in names if other != name),
        side=1 if float(weights @ normals[:, 2]) > 0.0 else -1,
        height=float(f"{weights @ points[:, 2] / weights.sum():.9g}"),
        outer=float(radius.max()),
        inner=float(radius.min()),
        sensor=(x, y, z),
        load=float(f"{PRESSURE * weights.sum():.2g}"),
        hertz=limit,
        nodal=_nodal(model, name),
    )


def _surface(model: ReducedModel, name: str) -> tuple[Floats, Floats, Floats]:
    surface = model.surface(name)
    return surface.points, surface.normals, surface.weights


def _misfit(model: ReducedModel, name: str, template: str) -> str:
    """Why a surface does not fit a template; empty if it does."""
    points, normals, weights = _surface(model, name)
    along = np.abs(weights @ normals[:, 2]) / weights.sum()
    if along < ALIGNED:
        mean = weights @ normals / weights.sum()
        towards = ", ".join(f"{value:.2g}" for value in mean)
        return (
            f"axis not found: the mean normal of surface '{name}' is ({towards}), expected "
            "(0, 0, 1) or (0, 0, -1); turn the mesh so that the surface looks along z"
        )
    if template == "beam":
        return ""
    gap = _open_angle(points)
    x, y = weights @ points[:, :2] / weights.sum()
    place = f"the middle of surface '{name}' is at x = {x:.4g} m, y = {y:.4g} m"
    if template == "clutch" and gap > OPEN_ANGLE:
        return (
            f"axis not found: {place}, and {np.degrees(gap):.0f} degrees around the z axis are "
            "without points: expected a ring about z; move the mesh, or take --template brake"
        )
    if template == "brake" and gap < OPEN_ANGLE:
        return (
            f"{place}, and it is a ring about z: expected a pad beside it; take --template clutch"
        )
    return ""


def _open_angle(points: Floats) -> float:
    """Largest angle about the z axis without points."""
    angle = np.sort(np.arctan2(points[:, 1], points[:, 0]))
    return float(np.max(np.diff(angle, append=angle[0] + 2.0 * np.pi)))


def _nodal(model: ReducedModel, name: str) -> bool:
    """Whether nodes of the surface can be contact points; curved facets and plates may refuse."""
    try:
        elastic_surface(ElasticBody("part", model, frame="fixed"), name, points="nodes")
    except (InputError, SolverError):
        return False
    return True


def _end(points: Floats) -> Floats:
    """Point that is farthest along x."""
    return np.asarray(points[int(np.argmax(points[:, 0]))])
