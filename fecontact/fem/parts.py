"""Named volumes of a mesh: which cell belongs to which part of a body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from fecontact.errors import InputError, check, one_of
from fecontact.fem.material import Elastic
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from skfem import Mesh

__all__ = ["cell_elasticity", "cell_parts"]

Value = TypeVar("Value")


def cell_parts(
    mesh: Mesh, given: Value | Mapping[str, Value], what: str
) -> tuple[list[Value], Integers]:
    """Values of a property, and for each cell the index of its value.

    Parameters
    ----------
    mesh
        Its subdomains are the named volumes.
    given
        One value for all cells, or volume name -> value; each cell in exactly one of them.
    what
        Name of the property for messages: "material".

    Examples
    --------
    >>> from skfem import MeshLine
    >>> mesh = MeshLine([0.0, 1.0, 2.0]).with_subdomains({"left": [0], "right": [1]})
    >>> values, index = cell_parts(mesh, {"right": 7.0, "left": 3.0}, "thickness")
    >>> values, index.tolist()
    ([7.0, 3.0], [1, 0])
    """
    if not isinstance(given, Mapping):
        return [given], np.zeros(mesh.nelements, dtype=np.int64)
    known = mesh.subdomains or {}
    index = np.full(mesh.nelements, -1, dtype=np.int64)
    for k, name in enumerate(given):
        check("subdomain", name, one_of(sorted(known)))
        if np.any(index[known[name]] >= 0):
            raise InputError(f"subdomain '{name}': some of its cells have two values of {what}")
        index[known[name]] = k
    missing = np.count_nonzero(index < 0)
    if missing:
        raise InputError(
            f"{what} = {', '.join(given)}: {missing} cells have no {what}; name the subdomains "
            "that contain them"
        )
    return list(given.values()), index


def cell_elasticity(parts: Sequence[Elastic], index: Integers, points: Floats) -> Floats:
    """Voigt matrices at points of cells, (6, 6) or (c, ..., 6, 6).

    Parameters
    ----------
    parts, index
        Materials, and for each of the cells the index of its own.
    points : (c, ..., 3)
        Of each cell one or several.
    """
    if len(parts) == 1:
        return parts[0].elasticity(points)
    D = np.empty((*points.shape[:-1], 6, 6))
    for k in np.unique(index):
        D[index == k] = parts[k].elasticity(points[index == k])
    return D
