"""Stand-ins: elastic bodies whose coordinates are the motion of their points, each of its own.

Contacts, joints and loads see of a body only points and markers. Asked with a stand-in, they give
force and derivatives by the motion of these; see `body.full.unreduced`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from fecontact.body.attachments import Attachments, Fit
from fecontact.body.elastic import ElasticBody
from fecontact.body.fe_body import Holding
from fecontact.body.marker import Point
from fecontact.body.points.elastic_points import ElasticPoints
from fecontact.reduction.inertia import InertiaIntegrals
from fecontact.typing import Floats

__all__ = ["StandIn", "own_points", "stand_in"]


@dataclass(frozen=True, eq=False)
class StandIn(ElasticBody):
    """Elastic body whose coordinates are the motion of its points or markers, each of its own.

    It has neither mass nor stiffness; markers are at the given points, six coordinates each.
    """

    markers: tuple[Point, ...] = ()
    holdings: tuple[Holding, ...] = ()

    @cached_property
    def attachments(self) -> Attachments:
        """The markers."""
        return _OwnMarkers(self.name, self.model, self.points, self.markers, self.holdings)


@dataclass(frozen=True, eq=False)
class _OwnMarkers(Attachments):
    """Markers with six coordinates each."""

    markers: tuple[Point, ...] = ()
    holdings: tuple[Holding, ...] = ()

    def fit(self, point: Point) -> Fit:
        """Unit motions of one marker."""
        index = [_key(own) for own in self.markers].index(_key(point))
        motion = np.eye(6 * len(self.markers))[6 * index : 6 * index + 6]
        held = self.holdings[index]
        return Fit(held.position, motion[:3], motion[3:], held.defined)


def stand_in(
    body: ElasticBody,
    size: int,
    markers: tuple[Point, ...] = (),
    holdings: tuple[Holding, ...] = (),
) -> StandIn:
    """Stand-in of an elastic body with so many coordinates, in the same frame."""
    bare = replace(
        body.model,
        basis=np.zeros((0, size)),
        frequencies=np.zeros(size),
        rigid=0,
        exact=0,
        frequency_error=np.zeros(size),
        next_frequency=np.inf,
        surfaces={},
        contact={},
        interfaces={},
        inertia=_none(size),
        geometric=None,
        residual=None,
        mesh_error=None,
    )
    return StandIn(
        body.name, bare, body.position, body.frame, 0.0, False, body.points, markers, holdings
    )


def own_points(points: Floats) -> Floats:
    """Shapes (p, 3, 3 p) of points that move one by one."""
    count = len(points)
    return ElasticPoints.of(points, np.eye(3 * count).reshape(count, 3, 3 * count)).shapes


def _none(size: int) -> InertiaIntegrals:
    """Integrals of a body without mass."""
    still = np.zeros((3, size))
    pairs = np.zeros((3, 3, size, size))
    return InertiaIntegrals(
        0.0, np.zeros(3), np.zeros((3, 3)), still, still, np.zeros((3, 3, size)), pairs[0], pairs
    )


def _key(point: Point) -> Any:
    """What two equal points have in common."""
    return point if isinstance(point, str) else tuple(float(x) for x in point)
