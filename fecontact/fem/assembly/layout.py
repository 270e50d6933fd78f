"""Where the unknowns of the parts and points of an assembly are, and its names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from fecontact.errors import InputError, unknown
from fecontact.fem.mean_motion import fit_rows, interface_of, interfaces_of
from fecontact.fem.model import FEModel, FESurface
from fecontact.fem.solid.body import ElasticSolid
from fecontact.typing import Floats, Integers

__all__ = ["COMPONENTS", "Layout", "rigid_rows"]

COMPONENTS = ("ux", "uy", "uz", "rx", "ry", "rz")
"""Unknowns of a point."""


def rigid_rows(arms: Floats) -> Floats:
    """Displacement (p, 3, 6) of points per motion of another, `arms` (p, 3) from it."""
    rows = np.zeros((len(arms), 3, 6))
    rows[:, :, :3] = np.eye(3)
    for axis in range(3):
        rows[:, :, 3 + axis] = np.cross(np.eye(3)[axis], arms)
    return rows


@dataclass(frozen=True, eq=False)
class Layout:
    """Unknowns of all parts one after the other, then six of each point.

    Attributes
    ----------
    parts
        Name -> finite-element body.
    points
        Name -> position in m.
    """

    parts: Mapping[str, FEModel]
    points: Mapping[str, Floats]

    @cached_property
    def first(self) -> dict[str, int]:
        """First unknown of each part."""
        sizes = [part.stiffness.shape[0] for part in self.parts.values()]
        starts = np.concatenate([[0], np.cumsum(sizes)])[:-1]
        return dict(zip(self.parts, (int(start) for start in starts), strict=True))

    @cached_property
    def size_of_parts(self) -> int:
        """Unknowns of the parts."""
        return sum(part.stiffness.shape[0] for part in self.parts.values())

    @property
    def size(self) -> int:
        """Unknowns of parts and points."""
        return self.size_of_parts + 6 * len(self.points)

    def of_point(self, name: str) -> Integers:
        """Six unknowns of a point."""
        if name not in self.points:
            raise unknown("point", name, self.points)
        start = self.size_of_parts + 6 * list(self.points).index(name)
        return np.arange(start, start + 6)

    def place(self, name: str) -> tuple[str, str]:
        """Part and surface behind "part.surface", or a surface that one part alone has."""
        part, _, surface = name.partition(".")
        if surface and part in self.parts:
            return part, surface
        having = [each for each, body in self.parts.items() if name in interfaces_of(body)]
        if len(having) == 1:
            return having[0], name
        if having:
            raise InputError(
                f"surface '{name}' is one of {', '.join(having)}: expected '{having[0]}.{name}'"
            )
        raise unknown("surface", name, self.names)

    @cached_property
    def names(self) -> list[str]:
        """Surfaces of all parts, as "part.surface"."""
        return [f"{p}.{name}" for p, body in self.parts.items() for name in interfaces_of(body)]

    def surface(self, name: str) -> FESurface:
        """Points of a surface, edge or curve of a part, moved by all unknowns."""
        part, own = self.place(name)
        on = interface_of(self.parts[part], own)
        return FESurface(on.points, on.weights, on.normals, self.widened(on.shape, part))

    def widened(self, matrix: sp.csr_array, part: str) -> sp.csr_array:
        """Matrix (k, n) of the unknowns of a part as one of all unknowns."""
        given = sp.coo_array(matrix)
        at = given.row, given.col + self.first[part]
        return sp.csr_array(sp.coo_array((given.data, at), shape=(given.shape[0], self.size)))

    def solid(self, part: str, role: str) -> ElasticSolid:
        """A part that must be a solid."""
        body = self.parts[part]
        if not isinstance(body, ElasticSolid):
            raise InputError(
                f"invalid {role} '{part}' of type {type(body).__name__}: expected an ElasticSolid"
            )
        return body

    def motion(self, name: str) -> tuple[Floats, sp.csr_array, bool]:
        """Position, mean motion (6, size) per unknown, whether all of it is defined."""
        if name in self.points:
            own = self.of_point(name)
            ones = sp.coo_array((np.ones(6), (np.arange(6), own)), shape=(6, self.size))
            return np.asarray(self.points[name], dtype=float), sp.csr_array(ones), True
        on = self.surface(name)
        centre, rows, defined = fit_rows(on.points, on.weights)
        return centre, sp.csr_array(sp.csr_array(rows) @ on.shape), defined
