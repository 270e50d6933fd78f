"""Pressure plate of a dry single-disc clutch with three lugs: pressure_plate.msh.

Cast ring of 75 mm inner and 125 mm outer radius, 14 mm thick. The friction face is the bottom; the
diaphragm spring presses on a narrow ring of the top; three lugs carry the drive straps. Curved
20-node hexahedra, one layer, Gmsh 4.1 binary.

Run `python meshes/pressure_plate.py` (needs the package `gmsh`).
"""

from __future__ import annotations

from pathlib import Path

import gmsh
import numpy as np

INNER_RADIUS, OUTER_RADIUS, THICKNESS = 0.075, 0.125, 0.014
SPRING_INNER, SPRING_OUTER = 0.108, 0.116
LUG_REACH, LUG_WIDTH = 0.145, 0.040
CELL_SIZE = 0.016


def main() -> None:
    """Write pressure_plate.msh next to this script."""
    gmsh.initialize()
    gmsh.option.setNumber("General.Terminal", 0)
    geometry = gmsh.model.occ
    lugs = []
    for k in range(3):
        lug = geometry.addRectangle(0.1, -LUG_WIDTH / 2, 0, LUG_REACH - 0.1, LUG_WIDTH)
        geometry.rotate([(2, lug)], 0, 0, 0, 0, 0, 1, 2 * np.pi * k / 3)
        lugs.append((2, lug))
    outline, _ = geometry.fuse(disc(OUTER_RADIUS), lugs)
    rings = [
        geometry.cut(disc(SPRING_INNER), disc(INNER_RADIUS))[0],
        geometry.cut(disc(SPRING_OUTER), disc(SPRING_INNER))[0],
        geometry.cut(outline, disc(SPRING_OUTER))[0],
    ]
    parts, _ = geometry.fragment(rings[0], rings[1] + rings[2])
    geometry.extrude(parts, 0, 0, THICKNESS, numElements=[1], recombine=True)
    geometry.synchronize()
    name_parts()
    mesh_hexahedra()
    gmsh.option.setNumber("Mesh.MshFileVersion", 4.1)
    gmsh.option.setNumber("Mesh.Binary", 1)
    gmsh.write(str(Path(__file__).with_suffix(".msh")))
    gmsh.finalize()


def disc(radius: float) -> list[tuple[int, int]]:
    """Disc about the origin."""
    return [(2, gmsh.model.occ.addDisk(0, 0, 0, radius, radius))]


def mesh_hexahedra() -> None:
    """Quadrilaterals in the plane, extruded; 20-node cells."""
    gmsh.option.setNumber("Mesh.MeshSizeMin", CELL_SIZE)
    gmsh.option.setNumber("Mesh.MeshSizeMax", CELL_SIZE)
    gmsh.option.setNumber("Mesh.Algorithm", 6)
    gmsh.option.setNumber("Mesh.RecombineAll", 1)
    gmsh.option.setNumber("Mesh.RecombinationAlgorithm", 3)  # only quadrilaterals
    gmsh.option.setNumber("Mesh.SecondOrderIncomplete", 1)
    gmsh.model.mesh.generate(3)
    gmsh.model.mesh.setOrder(2)


def name_parts() -> None:
    """Name the volume and the faces of its boundary, sorted by height and radius."""
    volumes = gmsh.model.getEntities(3)
    gmsh.model.addPhysicalGroup(3, [tag for _, tag in volumes], name="pressure_plate")
    faces: dict[str, list[int]] = {}
    for _, tag in gmsh.model.getBoundary(volumes, combined=True, oriented=False):
        faces.setdefault(face_name(tag), []).append(tag)
    for name, tags in faces.items():
        gmsh.model.addPhysicalGroup(2, tags, name=name)


def face_name(face: int) -> str:
    """Surface that a face belongs to."""
    z = gmsh.model.occ.getCenterOfMass(2, face)[2]
    corners = gmsh.model.getBoundary([(2, face)], recursive=True, oriented=False)
    radii = [np.hypot(*gmsh.model.getValue(0, tag, [])[:2]) for _, tag in corners]
    if abs(z) < 1e-6:
        return "friction_face"
    if abs(z - THICKNESS) < 1e-6:
        on_spring_ring = min(radii) > SPRING_INNER - 1e-6 and max(radii) < SPRING_OUTER + 1e-6
        return "spring_seat" if on_spring_ring else "back"
    if max(radii) < INNER_RADIUS + 1e-6:
        return "inner"
    return "lugs" if max(radii) > OUTER_RADIUS + 1e-6 else "outer"


if __name__ == "__main__":
    main()
