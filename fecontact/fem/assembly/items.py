"""What joins the parts of an assembly: ties, couplings to points, equations.

tie                 int lambda (u_slave - u_master) dA = 0          (`mortar`)
rigid coupling      u_s = u_point + theta_point x (X_s - X_point)   (RBE2, kinematic)
averaging coupling  u_point, theta_point = mean motion of a surface (RBE3, distributing)
equation            sum c_k u_k = 0; the first unknown follows the others
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from fecontact.errors import NON_NEGATIVE, InputError, check, one_of
from fecontact.fem.assembly.layout import COMPONENTS, Layout
from fecontact.fem.assembly.relations import Relations
from fecontact.fem.mean_motion import fit_rows
from fecontact.typing import Integers

__all__ = ["AveragingCoupling", "Equation", "RigidCoupling", "Term", "Tie"]

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Tie:
    """Bond of two faces of solids whose meshes need not match.

    Attributes
    ----------
    slave, master
        Surfaces, "part.surface". The slave should have the finer mesh; its nodes follow.
    gap
        Largest distance in m at which the faces are tied; by default a fifth of a slave facet.
    """

    slave: str
    master: str
    gap: float | None = None

    def __post_init__(self) -> None:
        if self.gap is not None:
            check("gap of a tie", self.gap, NON_NEGATIVE, "m")
        if self.slave == self.master:
            raise InputError(f"invalid tie of '{self.slave}' to itself: expected two surfaces")


@dataclass(frozen=True)
class RigidCoupling:
    """Surfaces that follow a point rigidly (RBE2, kinematic coupling).

    Attributes
    ----------
    point
        Name of the point.
    surfaces
        One or several, "part.surface".
    at
        Position of the point in m; the middle of the first surface unless given.
    directions
        Displacements that follow; the others of a solid stay free.
    """

    point: str
    surfaces: str | Sequence[str]
    at: Vector | None = None
    directions: str = "xyz"

    def __post_init__(self) -> None:
        if not self.directions or set(self.directions) - set("xyz"):
            raise InputError(
                f"invalid directions = {self.directions!r} of '{self.point}': expected letters out "
                "of x, y, z"
            )

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the surfaces."""
        return (self.surfaces,) if isinstance(self.surfaces, str) else tuple(self.surfaces)

    def apply(self, layout: Layout, relations: Relations, number: int) -> None:
        """Let the unknowns of the surfaces follow the point."""
        point, centre = layout.of_point(self.point), np.asarray(layout.points[self.point])
        for name in self.names:
            part, _ = layout.place(name)
            tied = np.unique(layout.surface(name).shape.indices) - layout.first[part]
            modes = layout.parts[part].rigid_body_modes()[tied]
            if modes.shape[1] != 6:
                raise InputError(
                    f"invalid rigid coupling of '{name}': expected a body with six rigid-body modes"
                )
            if self.directions != "xyz":
                letters = [COMPONENTS[i][1] for i in np.abs(modes[:, :3]).argmax(axis=1)]
                chosen = np.isin(letters, list(self.directions))
                tied, modes = tied[chosen], modes[chosen]
            about = modes.copy()
            for axis in range(3):
                about[:, 3 + axis] -= modes[:, :3] @ np.cross(np.eye(3)[axis], centre)
            own = layout.first[part] + tied
            new = relations.owner[own] != number
            own, about = own[new], about[new]
            _check_available(relations, own, f"rigid coupling '{self.point}' of '{name}'")
            rows = np.repeat(np.arange(len(own)), 6)
            on = sp.coo_array(
                (about.ravel(), (rows, np.tile(point, len(own)))), shape=(len(own), layout.size)
            )
            relations.depend(own, sp.csr_array(on), number)


@dataclass(frozen=True)
class AveragingCoupling:
    """Point that follows the mean motion of a surface and stiffens nothing (RBE3, distributing).

    Attributes
    ----------
    point
        Name of the point.
    surface
        "part.surface"; its points must not lie on one line.
    at
        Position of the point in m; the middle of the surface unless given.
    """

    point: str
    surface: str
    at: Vector | None = None

    @property
    def names(self) -> tuple[str, ...]:
        """Name of the surface."""
        return (self.surface,)

    def apply(self, layout: Layout, relations: Relations, number: int) -> None:
        """Let the point follow the surface."""
        on = layout.surface(self.surface)
        centre, rows, defined = fit_rows(on.points, on.weights)
        if not defined:
            raise InputError(
                f"invalid averaging coupling '{self.point}': expected points of '{self.surface}' "
                "that do not lie on one line, about which they have no rotation"
            )
        moved = rows.copy()
        arm = np.asarray(layout.points[self.point]) - centre
        moved[:3] += np.cross(rows[3:].T, arm).T
        own = layout.of_point(self.point)
        _check_available(relations, own, f"averaging coupling '{self.point}'")
        relations.depend(own, sp.csr_array(sp.csr_array(moved) @ on.shape), number)


class Term(NamedTuple):
    """Term of an equation: coefficient times an unknown of a point or of a node of a part."""

    place: str | tuple[str, int]
    component: str
    coefficient: float


@dataclass(frozen=True)
class Equation:
    """Linear equation between displacements, sum of its terms = 0; the first one is eliminated.

    Attributes
    ----------
    terms
        (place, component, coefficient): the place is a point, or (part, node) with the number of
        the node in `solid.nodes`; components are ux, uy, uz, of points also rx, ry, rz.
    """

    terms: Sequence[Term | tuple[str | tuple[str, int], str, float]]

    def apply(self, layout: Layout, relations: Relations, number: int) -> None:
        """Let the first unknown follow the others."""
        terms = [Term(*term) for term in self.terms]
        if len(terms) < 1 or not all(np.isfinite(term.coefficient) for term in terms):
            raise InputError("invalid equation: expected terms with finite coefficients")
        if terms[0].coefficient == 0.0:
            raise InputError("invalid equation: expected a first coefficient other than 0")
        unknowns = np.array([_unknown_of(layout, term) for term in terms])
        _check_available(relations, unknowns[:1], f"equation of {terms[0].place}")
        values = np.array([-term.coefficient / terms[0].coefficient for term in terms[1:]])
        at = np.zeros(len(values), dtype=np.int64), unknowns[1:]
        on = sp.coo_array((values, at), shape=(1, layout.size))
        relations.depend(unknowns[:1], sp.csr_array(on), number)


def _unknown_of(layout: Layout, term: Term) -> int:
    """Number of the unknown of a term."""
    if isinstance(term.place, str):
        check(f"component of '{term.place}'", term.component, one_of(COMPONENTS))
        return int(layout.of_point(term.place)[COMPONENTS.index(term.component)])
    part, node = term.place
    check("part", part, one_of(sorted(layout.parts)))
    check("component of a node", term.component, one_of(COMPONENTS[:3]))
    count = len(layout.solid(part, "part of an equation").nodes)
    if not 0 <= node < count:
        raise InputError(f"invalid node {node} of '{part}': expected 0 to {count - 1}")
    return layout.first[part] + 3 * node + COMPONENTS.index(term.component)


def _check_available(relations: Relations, unknowns: Integers, what: str) -> None:
    """Refuse to bind what is held, or bound already."""
    held = relations.held[unknowns]
    if held.any():
        raise InputError(
            f"invalid {what}: expected unknowns without supports; {np.count_nonzero(held)} are held"
        )
    taken = ~relations.available[unknowns]
    if taken.any():
        raise InputError(
            f"invalid {what}: {np.count_nonzero(taken)} of its unknowns follow another coupling, "
            "tie or equation already; let the two not overlap"
        )
