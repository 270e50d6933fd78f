"""Block that stands for an elastic half space around a contact."""

from __future__ import annotations

from skfem import Mesh

from fecontact.errors import InputError, check, one_of
from fecontact.mesh.block import block
from fecontact.mesh.grading import Towards

__all__ = ["half_space"]


def half_space(
    radius: float,
    edge: float,
    cells: int,
    *,
    above: bool = False,
    part: str = "quarter",
    ratio: float = 400.0,
) -> Mesh:
    """Mesh of a block below (or above) the plane z = 0, fine around a contact at the origin.

    Named surfaces are those of `block`; x_min and y_min of a quarter, and y_min of a half, are its
    planes of symmetry.

    Parameters
    ----------
    radius
        Of the contact in m: cells are small from the origin to there.
    edge
        Length of the block in m, many radii: displacements of a half space fade with 1/r.
    cells
        Along each edge.
    above
        True for z >= 0.
    part
        "quarter", x >= 0 and y >= 0, for pressure alone; "half", y >= 0, for shear along x.
    ratio
        Of the largest cell to the smallest.

    Examples
    --------
    >>> mesh = half_space(1e-3, 0.1, 8)
    >>> mesh.p.min(axis=1).tolist(), mesh.p.max(axis=1).tolist()
    ([0.0, 0.0, -0.1], [0.1, 0.1, 0.0])
    """
    check("part", part, one_of(("quarter", "half")))
    if not 0.0 < radius < edge:
        raise InputError(f"invalid radius = {radius} m: expected between 0 and the edge, {edge} m")
    side = Towards((0.0, radius), ratio)
    down = Towards((0.0 if above else edge,), ratio)
    below = 0.0 if above else -edge
    if part == "quarter":
        mesh = block(edge, edge, edge, (cells, cells, cells), grading=(side, side, down))
        return mesh.translated((0.0, 0.0, below))
    along = Towards((edge - radius, edge, edge + radius), ratio)
    numbers = 2 * cells, cells, cells
    mesh = block(2.0 * edge, edge, edge, numbers, grading=(along, side, down))
    return mesh.translated((-edge, 0.0, below))
