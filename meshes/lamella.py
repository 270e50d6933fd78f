"""Friction lamella of a wet multi-disc clutch with inner teeth: lamella.msh.

Ring of 62 mm inner and 82 mm outer radius, 2 mm thick, with 18 teeth that reach 4 mm inward to the
carrier. Curved 10-node tetrahedra, one layer through the thickness, Gmsh 4.1 binary.

Run `python meshes/lamella.py` (needs the package `gmsh`).
"""

from __future__ import annotations

from pathlib import Path

import gmsh
import numpy as np

INNER_RADIUS, OUTER_RADIUS, THICKNESS = 0.062, 0.082, 0.002
TEETH, TOOTH_HEIGHT, TOOTH_WIDTH = 18, 0.004, 0.008
CELL_SIZE = 0.011


def main() -> None:
    """Write lamella.msh next to this script."""
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    geometry = gmsh.model.occ
    disc = [(2, geometry.addDisk(0, 0, 0, OUTER_RADIUS, OUTER_RADIUS))]
    hole = [(2, geometry.addDisk(0, 0, 0, INNER_RADIUS, INNER_RADIUS))]
    ring, _ = geometry.cut(disc, hole)
    teeth = []
    for k in range(TEETH):
        low = INNER_RADIUS - TOOTH_HEIGHT
        tooth = geometry.addRectangle(low, -TOOTH_WIDTH / 2, 0, TOOTH_HEIGHT + 0.003, TOOTH_WIDTH)
        geometry.rotate([(2, tooth)], 0, 0, 0, 0, 0, 1, 2 * np.pi * k / TEETH)
        teeth.append((2, tooth))
    body, _ = geometry.fuse(ring, teeth)
    geometry.extrude(body, 0, 0, THICKNESS, numElements=[1])
    geometry.synchronize()
    name_parts()
    gmsh.option.setNumber("Mesh.MeshSizeMin", CELL_SIZE)
    gmsh.option.setNumber("Mesh.MeshSizeMax", CELL_SIZE)
    gmsh.model.mesh.generate(3)
    gmsh.model.mesh.setOrder(2)
    gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
    gmsh.option.setNumber("Mesh.Binary", 1)
    gmsh.write(str(Path(__file__).with_suffix(".msh")))
    gmsh.finalize()


def name_parts() -> None:
    """Name the volume and sort its faces by normal and radius."""
    gmsh.model.addPhysicalGroup(3, [tag for _, tag in gmsh.model.getEntities(3)], name="lamella")
    faces: dict[str, list[int]] = {}
    for _, tag in gmsh.model.getEntities(2):
        z = gmsh.model.occ.getCenterOfMass(2, tag)[2]
        low, high = gmsh.model.occ.getBoundingBox(2, tag)[2::3]
        radii = [np.hypot(*gmsh.model.getValue(0, p, [])[:2]) for p in corner_points(tag)]
        if high - low < THICKNESS / 2:
            name = "friction_bottom" if z < THICKNESS / 2 else "friction_top"
        elif min(radii) > OUTER_RADIUS - 1e-6:
            name = "outer"
        elif min(radii) < INNER_RADIUS - 1e-6:
            name = "teeth"
        else:
            name = "inner"
        faces.setdefault(name, []).append(tag)
    for name, tags in faces.items():
        gmsh.model.addPhysicalGroup(2, tags, name=name)


def corner_points(face: int) -> list[int]:
    """Corner points of a face."""
    boundary = gmsh.model.getBoundary([(2, face)], recursive=True, oriented=False)
    return [tag for _, tag in boundary]


if __name__ == "__main__":
    main()
