"""Plate of a dry single-disc clutch with bonded facings: clutch_plate.msh.

Steel core from the spline at the bore (16 straight teeth, 36 to 40 mm radius) to 120 mm, 3 mm
thick; eight slots, open at the outer edge, divide it into paddles. On both sides a whole ring of
friction material from 80 to 120 mm, 2.5 mm thick, is bonded to the paddles and bridges the slots.
Eight sectors are alike, the cells too. Curved 20-node hexahedra in blocks, Gmsh 4.1 binary.

Run `python meshes/clutch_plate.py` (needs the package `gmsh`).
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

import gmsh
import numpy as np

TIP, BORE, SLOT, INNER, OUTER = 0.036, 0.040, 0.062, 0.080, 0.120
"""Radii of the tooth tips, the bore, the ends of the slots and the edges of the facings in m."""
CORE, FACING = 0.003, 0.0025
"""Thicknesses in m."""
SECTORS, SLOT_WIDTH, TOOTH_WIDTH = 8, np.radians(3.0), np.radians(11.25)
"""Each sector has one slot, in its middle, and two teeth; widths are angles."""
RADIAL = (1, 2, 1, 2)
"""Cells from radius to radius."""

half = np.pi / SECTORS
RADII = (TIP, BORE, SLOT, INNER, OUTER)
HEIGHTS = (-CORE / 2 - FACING, -CORE / 2, CORE / 2, CORE / 2 + FACING)
CUTS = (
    -half,
    -half / 2 - TOOTH_WIDTH / 2,
    -half / 2 + TOOTH_WIDTH / 2,
    -SLOT_WIDTH / 2,
    SLOT_WIDTH / 2,
    half / 2 - TOOTH_WIDTH / 2,
    half / 2 + TOOTH_WIDTH / 2,
)
"""Angles at which the blocks of a sector begin."""
SLOT_CUT = 3
ANGLES = [cut + 2 * half * k for k in range(SECTORS) for cut in CUTS]
Node = tuple[int, int, int]


def main() -> None:
    """Write clutch_plate.msh next to this script."""
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    volumes = {block: volume(block) for block in blocks()}
    gmsh.model.geo.synchronize()
    name_parts(volumes)
    gmsh.option.setNumber("Mesh.RecombineAll", 1)
    gmsh.option.setNumber("Mesh.SecondOrderIncomplete", 1)
    gmsh.model.mesh.generate(3)
    gmsh.model.mesh.setOrder(2)
    gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
    gmsh.option.setNumber("Mesh.Binary", 1)
    gmsh.write(str(Path(__file__).with_suffix(".msh")))
    gmsh.finalize()


def blocks() -> list[Node]:
    """Blocks (radius, angle, height) that are filled: teeth, core beside the slots, facings."""
    found = []
    for j in range(len(ANGLES)):
        tooth, slot = j % len(CUTS) in (1, 5), j % len(CUTS) == SLOT_CUT
        core = [(0, j, 1)] * tooth + [(1, j, 1)] + [(i, j, 1) for i in (2, 3) if not slot]
        found += [*core, (3, j, 0), (3, j, 2)]
    return found


@cache
def point(node: Node) -> int:
    """Corner of blocks."""
    r, phi, z = RADII[node[0]], ANGLES[node[1]], HEIGHTS[node[2]]
    return int(gmsh.model.geo.addPoint(r * np.cos(phi), r * np.sin(phi), z))


@cache
def centre(height: int) -> int:
    """Point on the axis."""
    return int(gmsh.model.geo.addPoint(0.0, 0.0, HEIGHTS[height]))


@cache
def edge(node: Node, axis: int) -> int:
    """Edge of blocks from a corner on: a line, or an arc about the axis."""
    ends = point(node), point(following(node, axis))
    if axis == 1:
        tag = gmsh.model.geo.addCircleArc(ends[0], centre(node[2]), ends[1])
    else:
        tag = gmsh.model.geo.addLine(*ends)
    gmsh.model.geo.mesh.setTransfiniteCurve(tag, 1 + (RADIAL[node[0]] if axis == 0 else 1))
    return int(tag)


@cache
def face(node: Node, axis: int) -> int:
    """Face of blocks across an axis, from its lowest corner on."""
    a, b = (other for other in range(3) if other != axis)
    back = -edge(following(node, b), a), -edge(node, b)
    loop = gmsh.model.geo.addCurveLoop([edge(node, a), edge(following(node, a), b), *back])
    tag = gmsh.model.geo.addSurfaceFilling([loop])
    gmsh.model.geo.mesh.setTransfiniteSurface(tag)
    return int(tag)


def following(node: Node, axis: int) -> Node:
    """Next corner along an axis; around it the last one is followed by the first."""
    i, j, k = (n + (m == axis) for m, n in enumerate(node))
    return i, j % len(ANGLES), k


def sides(block: Node) -> list[tuple[Node, int]]:
    """The six faces of a block as corner and axis."""
    return [(at, axis) for axis in range(3) for at in (block, following(block, axis))]


def volume(block: Node) -> int:
    """A block."""
    loop = gmsh.model.geo.addSurfaceLoop([face(*side) for side in sides(block)])
    tag = gmsh.model.geo.addVolume([loop])
    gmsh.model.geo.mesh.setTransfiniteVolume(tag)
    return int(tag)


def name_parts(volumes: dict[Node, int]) -> None:
    """Name core and facings, and the faces of the boundary, which belong to one block each."""
    groups: dict[tuple[int, str], list[int]] = {}
    for (_, _, k), tag in volumes.items():
        name = ("facing_flywheel_side", "core", "facing_pressure_side")[k]
        groups.setdefault((3, name), []).append(tag)
    every = [side for block in volumes for side in sides(block)]
    for side in every:
        if every.count(side) == 1:
            groups.setdefault((2, face_name(*side)), []).append(face(*side))
    for (dim, name), tags in groups.items():
        gmsh.model.addPhysicalGroup(dim, tags, name=name)


def face_name(node: Node, axis: int) -> str:
    """Surface that a face of the boundary belongs to."""
    i, j, k = node
    if axis == 2 and k in (0, 3):
        return "facing_flywheel" if k == 0 else "facing_pressure"
    if i == 0 and axis < 2:
        return "teeth"
    if axis == 2 and (i < 2 or j % len(CUTS) != SLOT_CUT):
        return "core_faces"
    if axis == 0 and i != 2:
        return {1: "bore", 3: "facing_edges", 4: "outer"}[i]
    return "slots"


if __name__ == "__main__":
    main()
