"""Top and bottom lines of beams: contact points with the rotation times half the height."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from fecontact.errors import unknown
from fecontact.fem.beam_chain import Chain, Segment
from fecontact.fem.beam_element import BeamElements
from fecontact.fem.model import FESurface
from fecontact.fem.plate_faces import SIDES

__all__ = ["face_segments", "segment_face"]


def face_segments(segments: Sequence[Segment], name: str) -> tuple[list[int], float]:
    """Numbers of the segments that a surface name means, and its side (+1 top, -1 bottom)."""
    owner, _, side = name.rpartition(".")
    named = [i for i, s in enumerate(segments) if s.name and s.name == owner]
    if side not in SIDES or (owner and not named):
        faces = [f"{s.name}.{side}" for s in segments if s.name for side in SIDES]
        raise unknown("surface", name, [*SIDES, *faces])
    sign = SIDES[side]
    return named or _outermost(segments, sign), sign


def segment_face(chain: Chain, elements: BeamElements, number: int, side: float) -> FESurface:
    """Face of one segment; the shape refers to all six unknowns of the body nodes."""
    s, first = chain.segments[number], int(chain.first_element[number])
    element = np.arange(first, first + s.elements)
    u, _ = elements.motion(np.array([0.0, 0.5, 1.0]))
    rows = np.concatenate([u[element, :2].reshape(-1, 6, 12), u[element[-1], 2:]])
    owner = np.append(np.repeat(element, 2), element[-1])
    height = 0.5 * side * s.section.height
    shape = rows[:, :3].copy()
    shape[:, 0] += height * rows[:, 4]
    shape[:, 1] -= height * rows[:, 3]
    points = np.empty((len(owner), 3))
    points[:, 0] = np.linspace(s.start, s.end, len(owner))
    points[:, 1:] = s.offset[0], s.offset[1] + height
    weights = np.tile([2.0, 4.0], s.elements + 1)[: len(owner)]
    weights[[0, -1]] = 1.0
    weights *= (s.end - s.start) / s.elements / 6.0
    normals = np.tile([0.0, 0.0, side], (len(owner), 1))
    return FESurface(points, weights, normals, chain.scatter(shape, owner))


def _outermost(segments: Sequence[Segment], sign: float) -> list[int]:
    """Segments without another one further out over the same x."""
    level = [sign * s.offset[1] + 0.5 * s.section.height for s in segments]

    def hidden(i: int) -> bool:
        s = segments[i]
        return any(
            other.start < s.end and s.start < other.end and level[j] > level[i]
            for j, other in enumerate(segments)
        )

    return [i for i in range(len(segments)) if not hidden(i)]
