"""What is seen and touched of a beam: top and bottom lines, and boxes around the sections."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp

from fecontact.errors import unknown
from fecontact.fem.beam.chain import Chain, Segment
from fecontact.fem.beam.element import BeamElements
from fecontact.fem.model import FESurface, Geometry
from fecontact.fem.plate.faces import SIDES

__all__ = ["beam_geometry", "face_segments", "segment_face"]

CORNERS = 0.5 * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])


def face_segments(segments: Sequence[Segment], name: str) -> tuple[list[int], float]:
    """Numbers of the segments that a surface name means, and its side (+1 top, -1 bottom)."""
    owner, _, side = name.rpartition(".")
    named = [i for i, s in enumerate(segments) if s.name and s.name == owner]
    if side not in SIDES or (owner and not named):
        faces = [f"{s.name}.{side}" for s in segments if s.name for side in SIDES]
        raise unknown("surface", name, [*SIDES, *faces])
    sign = SIDES[side]
    return named or _outermost(segments, sign), sign


def segment_face(chain: Chain, elements: BeamElements, index: int, side: float) -> FESurface:
    """Face of one segment; the shape refers to all six unknowns of the body nodes."""
    s, first = chain.segments[index], int(chain.first_element[index])
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


def beam_geometry(chain: Chain) -> Geometry:
    """Boxes of the width and height of the sections; lines if a section has no outline.

    The shape refers to all six unknowns of the body nodes.
    """
    outlined = all(s.section.width > 0.0 and s.section.height > 0.0 for s in chain.segments)
    outline = CORNERS if outlined else np.zeros((1, 2))
    extents = np.array([(s.section.width, s.section.height) for s in chain.segments])
    nodes, ends = chain.segment_nodes, chain.connectivity
    owner = np.repeat(np.arange(len(chain.segments)), np.diff(chain.first_node))
    arm = np.zeros((len(nodes), len(outline), 3))
    arm[:, :, 1:] = extents[owner][:, None] * outline
    rows = np.zeros((*arm.shape, 6))
    rows[..., :3] = np.eye(3)
    rows[..., 3:] = np.cross(np.eye(3), arm[:, :, None, :]).swapaxes(-1, -2)
    blocks = rows.reshape(len(nodes), -1, 6)
    each = np.arange(len(nodes) + 1)
    spread = sp.csr_array(sp.bsr_array((blocks, each[:-1], each)))
    points = (nodes[:, None] + arm).reshape(-1, 3)
    corners = len(outline) * ends[:, :, None] + np.arange(len(outline))
    kind = "hexahedron" if outlined else "line"
    return Geometry(points, {kind: corners.reshape(len(ends), -1)}, spread @ chain.followers)


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
