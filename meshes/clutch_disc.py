"""Clutch disc as a plane plate with radial slots: clutch_disc.msh.

Steel carrier from the hub (20 mm radius) to 115 mm; the friction facing covers 75 mm to 115 mm.
Eight slots, open at the outer edge, let the segments move apart when the disc heats up. Linear
triangles in the x-y plane, Gmsh 4.1 text.

Run `python meshes/clutch_disc.py` (needs the package `gmsh`).
"""

from __future__ import annotations

from pathlib import Path

import gmsh
import numpy as np

HUB_RADIUS, FACING_RADIUS, OUTER_RADIUS = 0.020, 0.075, 0.115
SLOTS, SLOT_START, SLOT_WIDTH = 8, 0.065, 0.004
CELL_SIZE = 0.006


def main() -> None:
    """Write clutch_disc.msh next to this script."""
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    geometry = gmsh.model.occ
    carrier, _ = geometry.cut(disc(FACING_RADIUS), disc(HUB_RADIUS))
    facing, _ = geometry.cut(disc(OUTER_RADIUS), disc(FACING_RADIUS))
    slots = []
    for k in range(SLOTS):
        slot = geometry.addRectangle(SLOT_START, -SLOT_WIDTH / 2, 0, OUTER_RADIUS, SLOT_WIDTH)
        geometry.rotate([(2, slot)], 0, 0, 0, 0, 0, 1, 2 * np.pi * (k + 0.5) / SLOTS)
        slots.append((2, slot))
    parts, _ = geometry.fragment(carrier, facing)
    geometry.cut(parts, slots)
    geometry.synchronize()
    name_parts()
    gmsh.option.setNumber("Mesh.MeshSizeMin", CELL_SIZE)
    gmsh.option.setNumber("Mesh.MeshSizeMax", CELL_SIZE)
    gmsh.model.mesh.generate(2)
    gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
    gmsh.write(str(Path(__file__).with_suffix(".msh")))
    gmsh.finalize()


def disc(radius: float) -> list[tuple[int, int]]:
    """Disc about the origin."""
    return [(2, gmsh.model.occ.addDisk(0, 0, 0, radius, radius))]


def name_parts() -> None:
    """Name carrier and facing by their radii, the edges of the boundary by theirs."""
    plates = gmsh.model.getEntities(2)
    groups: dict[tuple[int, str], list[int]] = {}
    for dim, tag in plates:
        edges = gmsh.model.getBoundary([(dim, tag)], combined=False, oriented=False)
        is_facing = min(r for _, edge in edges for r in radii(edge)) > FACING_RADIUS - 1e-6
        groups.setdefault((2, "facing" if is_facing else "carrier"), []).append(tag)
    for _, tag in gmsh.model.getBoundary(plates, combined=True, oriented=False):
        if max(radii(tag)) < HUB_RADIUS + 1e-6:
            name = "hub"
        elif min(radii(tag)) > OUTER_RADIUS - 1e-6:
            name = "outer"
        else:
            name = "slots"
        groups.setdefault((1, name), []).append(tag)
    for (dim, name), tags in groups.items():
        gmsh.model.addPhysicalGroup(dim, tags, name=name)


def radii(edge: int) -> list[float]:
    """Radii of three points on an edge."""
    start, end = gmsh.model.getParametrizationBounds(1, edge)
    places = np.linspace(start[0], end[0], 3)
    x, y, _ = np.reshape(gmsh.model.getValue(1, edge, places), (3, 3)).T
    return [float(r) for r in np.hypot(x, y)]


if __name__ == "__main__":
    main()
