"""Named volumes of a mesh: which cell belongs to which part of a body."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import numpy as np
from skfem import Mesh

from fecontact.errors import InputError, check, one_of
from fecontact.typing import Integers

__all__ = ["cell_parts"]

Value = TypeVar("Value")


def cell_parts(
    mesh: Mesh, given: Value | Mapping[str, Value], what: str
) -> tuple[list[Value], Integers]:
    """Values of a property, and for each cell the number of its value.

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
    >>> values, number = cell_parts(mesh, {"right": 7.0, "left": 3.0}, "thickness")
    >>> values, number.tolist()
    ([7.0, 3.0], [1, 0])
    """
    if not isinstance(given, Mapping):
        return [given], np.zeros(mesh.nelements, dtype=np.int64)
    known = mesh.subdomains or {}
    number = np.full(mesh.nelements, -1, dtype=np.int64)
    for k, name in enumerate(given):
        check("subdomain", name, one_of(sorted(known)))
        if np.any(number[known[name]] >= 0):
            raise InputError(f"subdomain '{name}': some of its cells have two values of {what}")
        number[known[name]] = k
    missing = np.count_nonzero(number < 0)
    if missing:
        raise InputError(
            f"{what} = {', '.join(given)}: {missing} cells have no {what}; name the subdomains "
            "that contain them"
        )
    return list(given.values()), number
