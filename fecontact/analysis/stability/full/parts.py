"""Items of a system on bodies in all their unknowns, each with few coordinates of its own.

An item (contact, joint, load, constraint) sees of a body in all its unknowns u only points or
markers, w = L u. It is asked with a stand-in body of the coordinates w; its force and derivatives
go to the unknowns by

    f = L^T g(w),      df/du = L^T (dg/dw) L .

The forces of contact points are sums over points: a contact is asked for some points at a time.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp

from fecontact.analysis.statics.marker_body import points_of, rebound
from fecontact.body.fe_body import FEBody
from fecontact.body.full.stand_in import own_points
from fecontact.body.full.unreduced import Unreduced
from fecontact.contact.eulerian_pair import EulerianPair
from fecontact.contact.pair import ContactPair
from fecontact.contact.surface.nodal import fe_surface
from fecontact.contact.surface.points import Surface
from fecontact.errors import InputError
from fecontact.joint.loads.load import Gravity
from fecontact.system import System
from fecontact.typing import Floats

__all__ = ["Part", "Weight", "forces_of", "rows_of"]

AT_ONCE = 48
"""Contact points that are asked at a time."""

FINEST = 8
"""Largest number of parts of a facet along each side in which contact points are looked for."""


class Side(NamedTuple):
    """A body of an item, with the dofs and coordinates of its stand-in per dof and coordinate.

    None if it has no stand-in.
    """

    name: str
    motion: sp.csr_array | None = None
    position: sp.csr_array | None = None

    @staticmethod
    def of(body: Unreduced, rows: sp.csr_array) -> Side:
        """Side whose stand-in has the coordinates L u, L the given rows."""
        return Side(body.name, body.with_frame(rows, 6), body.with_frame(rows, 7))


@dataclass(frozen=True, eq=False)
class Part:
    """An item, or some points of a contact, with what its coordinates are."""

    item: Any
    sides: tuple[Side, ...]


@dataclass(frozen=True, eq=False)
class Weight:
    """Weight of a body in all its unknowns."""

    body: str
    force: Floats


def forces_of(system: System, full: Mapping[str, Unreduced]) -> tuple[list[Part], list[Weight]]:
    """What acts on the bodies of a system besides the bodies in all their unknowns."""
    parts, weights, others = [], [], []
    for item in system.items:
        on = [body.name for body in item.bodies if body.name in full]
        if not on:
            parts.append(_plain(item))
        elif item.name in full:
            continue
        elif isinstance(item, ContactPair):
            parts += _contact(item, full)
        elif isinstance(item, Gravity):
            weights += [Weight(name, full[name].weight(item._g)) for name in on]
            left = [body for body in item.bodies if body.name not in full]
            parts += [_plain(replace(item, bodies=left))] if left else []
        else:
            others.append(item)
    return [*parts, *_marked(others, full)], weights


def rows_of(system: System, full: Mapping[str, Unreduced]) -> list[Part]:
    """Constraints of a system, in its order."""
    on = [any(body.name in full for body in each.bodies) for each in system.constraints]
    marked = iter(_marked([c for c, own in zip(system.constraints, on, strict=True) if own], full))
    return [
        next(marked) if own else _plain(each)
        for each, own in zip(system.constraints, on, strict=True)
    ]


def _plain(item: Any) -> Part:
    return Part(item, tuple(Side(body.name) for body in item.bodies))


def _marked(items: Sequence[Any], full: Mapping[str, Unreduced]) -> list[Part]:
    """Items that hold bodies at markers."""
    parts = []
    for item in items:
        own = {id(b): b for b in item.bodies if b.name in full}
        asked: Any = own
        points = points_of([item], asked)
        held = {name: full[name].markers(points[name]) for name in {b.name for b in own.values()}}
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the item itself has warned already
            made = rebound(item, {key: held[body.name][0] for key, body in own.items()})
        sides = tuple(
            Side.of(full[body.name], held[body.name][1]) if body.name in held else Side(body.name)
            for body in item.bodies
        )
        parts.append(Part(made, sides))
    return parts


def _finer(body: FEBody, name: str) -> Iterator[tuple[Floats, sp.csr_array]]:
    """Gauss points of the facets of a solid, each divided in parts x parts pieces."""
    for parts in range(1, FINEST + 1):
        try:
            surface = fe_surface(body, name, parts=parts)
        except InputError:  # of plates and beams there are no facets
            return
        yield surface.points, surface.interpolation


def _contact(pair: ContactPair, full: Mapping[str, Unreduced]) -> Iterator[Part]:
    """Some points of a contact after the others."""
    body = full.get(pair.slave.name)
    on_master = [each.name for each in pair.master.bodies if each.name in full]
    if on_master or body is None or isinstance(pair, EulerianPair) or pair.surface.shapes is None:
        raise InputError(
            f"{pair.name}: invalid contact of '{(on_master or [pair.slave.name])[0]}' in all its "
            "unknowns: expected it as the slave of a ContactPair on a rigid surface"
        )
    surface = pair.surface
    motion = body.points(surface.points, pair.surface.shapes, pair.name, _finer)
    gap = np.broadcast_to(surface.gap, len(surface.points))
    others = tuple(Side(each.name) for each in pair.master.bodies)
    for first in range(0, len(gap), AT_ONCE):
        chosen = slice(first, first + AT_ONCE)
        points = surface.points[chosen]
        own = Surface(points, surface.weights[chosen], own_points(points), gap[chosen])
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the pair itself has warned already
            part = replace(pair, slave=body.free_points(len(points)), surface=own)
        rows = motion[3 * first : 3 * first + 3 * len(points)]
        yield Part(part, (Side.of(body, sp.csr_array(rows)), *others))
