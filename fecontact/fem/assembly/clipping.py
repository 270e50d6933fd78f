"""Common part of pairs of convex polygons in the plane, all pairs at once.

Sutherland and Hodgman (Comm. ACM 17 (1974) 32): the subject is cut by the line of each edge of the
clip polygon in turn. Polygons are arrays (p, v, 2), counter-clockwise; of the result the first
`count` vertices of each row are valid.
"""

from __future__ import annotations

import numpy as np

from fecontact.typing import Floats, Integers

__all__ = ["clip", "counter_clockwise", "fans"]


def counter_clockwise(polygons: Floats) -> Floats:
    """Polygons (p, v, 2) with those that run clockwise reversed."""
    following = np.roll(polygons, -1, axis=1)
    area = polygons[..., 0] * following[..., 1] - polygons[..., 1] * following[..., 0]
    return np.where((area.sum(axis=1) < 0.0)[:, None, None], polygons[:, ::-1], polygons)


def clip(subjects: Floats, clips: Floats) -> tuple[Floats, Integers]:
    """Intersections (p, v, 2) of pairs of convex polygons, and their numbers of vertices (p,).

    Examples
    --------
    >>> square = np.array([[[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]])
    >>> found, count = clip(square, square + 0.25)
    >>> count.tolist(), found[0, :4].min(axis=0).tolist()
    ([4], [0.25, 0.25])
    """
    polygons, count = subjects, np.full(len(subjects), subjects.shape[1])
    for k in range(clips.shape[1]):
        start = clips[:, k]
        edge = clips[:, (k + 1) % clips.shape[1]] - start
        polygons, count = _cut(polygons, count, start, edge)
    return polygons, count


def _cut(polygons: Floats, count: Integers, start: Floats, edge: Floats) -> tuple[Floats, Integers]:
    """Part of each polygon to the left of a line."""
    pairs, size = polygons.shape[:2]
    every = np.arange(size)
    valid = every < count[:, None]
    following = np.where(every + 1 < count[:, None], every + 1, 0)
    arms = polygons - start[:, None]
    height = edge[:, None, 0] * arms[..., 1] - edge[:, None, 1] * arms[..., 0]
    next_height = np.take_along_axis(height, following, axis=1)
    ends = np.take_along_axis(polygons, following[..., None], axis=1)
    inside, next_inside = height >= 0.0, next_height >= 0.0
    crossing = valid & (inside != next_inside)
    rise = np.where(crossing, height - next_height, 1.0)
    cut = polygons + (height / rise)[..., None] * (ends - polygons)
    points = np.stack([cut, ends], axis=2).reshape(pairs, 2 * size, 2)
    kept = np.stack([crossing, valid & next_inside], axis=2).reshape(pairs, 2 * size)
    order = np.argsort(~kept, axis=1, kind="stable")[:, : size + 1]
    return np.take_along_axis(points, order[..., None], axis=1), kept.sum(axis=1)


def fans(polygons: Floats, count: Integers) -> tuple[Floats, Integers]:
    """Triangles (t, 3, 2) that make up the polygons, and the polygon of each (t,)."""
    triangles, owners = [], []
    for k in range(1, polygons.shape[1] - 1):
        has = np.flatnonzero(count > k + 1)
        triangles.append(polygons[has][:, [0, k, k + 1]])
        owners.append(has)
    return np.concatenate(triangles), np.concatenate(owners)
