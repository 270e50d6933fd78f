"""Mesh files: Gmsh, Abaqus and CalculiX, VTK; names are kept or the file is refused."""

from __future__ import annotations

import re
from pathlib import Path

import meshio
import numpy as np
from skfem import Mesh

from fecontact.drafts import draft_of
from fecontact.errors import POSITIVE, InputError, check, warn_caller, warn_unusual
from fecontact.files import first_line, plain_file
from fecontact.mesh.formats.abaqus import read_inp
from fecontact.mesh.formats.calculix import write_inp
from fecontact.mesh.formats.gmsh import read_msh
from fecontact.mesh.formats.reader import mesh_from_meshio
from fecontact.mesh.formats.vtk import read_vtk
from fecontact.mesh.formats.vtu import read_vtu
from fecontact.mesh.formats.writer import file_content, gmsh_groups, vtk_arrays
from fecontact.mesh.quality import check_mesh
from fecontact.mesh.sets import node_sets

__all__ = ["load_mesh", "save_mesh"]

WRITABLE = (".msh", ".vtk", ".vtu", ".inp")
SAVE = "save it as Gmsh .msh, Abaqus .inp, .vtk or .vtu"
LARGE = 3.0
"""Size in m above which a machine part is probably given in mm."""


def load_mesh(path: str | Path, scale: float = 1.0) -> Mesh:
    """Read a mesh file with its named surfaces (`mesh.boundaries`) and volumes (`mesh.subdomains`).

    Gmsh `.msh` 2.2 and 4.1 (physical groups), Abaqus and CalculiX `.inp` (NSET, ELSET, SURFACE;
    `*INCLUDE` of files in the same folder or below), VTK and VTU as written by `save_mesh`. A node
    set names the facets of the boundary whose corners are all in it. Groups without a name become
    `group_2d_7` (dimension, number); groups of the same name and dimension are one set. 8-node
    quadrilaterals and 20-node hexahedra become 9-node and 27-node cells of the same shape.

    A contact code must not lose the name of a surface silently: sets that are no facets of the
    body are refused; nodes without a cell are left out with a warning. Sets of points or curves of
    a solid are kept as `node_sets(mesh)`, for supports; those of a plane mesh are left out with a
    warning. Meshes that cannot be computed on are refused, see `check_mesh`; cells that are only
    numbered inside out are turned with a warning. A plane mesh must lie at z = 0.

    Parameters
    ----------
    path
        File to read.
    scale
        Length in m of one unit of the file: 1e-3 for a mesh in mm. A part of more than 3 m gives
        a warning that asks for it.
    """
    check("scale", scale, POSITIVE)
    file = plain_file(path, "mesh file", "give the path of a readable mesh")
    try:
        raw = _read(file)
        raw.points = scale * np.asarray(raw.points, dtype=np.float64)
        mesh = mesh_from_meshio(raw)
        check_mesh(mesh)
    except InputError as error:
        raise InputError(f"mesh file '{file}': {str(error).removeprefix('mesh: ')}") from None
    span = np.ptp(mesh.p, axis=1).max()
    if span > LARGE:
        warn_unusual(
            f"mesh file '{file}': the part spans {span:.4g} m",
            "if the file is in mm, load it with scale=1e-3 (command line --scale 1e-3)",
        )
    return mesh


def save_mesh(mesh: Mesh, path: str | Path) -> None:
    """Write a mesh with its named surfaces and volumes.

    `.msh`: Gmsh 2.2 with physical groups. `.vtk`, `.vtu`: the named facets are written as cells,
    and arrays `surface:NAME`, `volume:NAME` tell 1 for members. `.inp`: for CalculiX, with node
    sets and element sets; 27-node cells become C3D20.
    """
    file = Path(path)
    if file.suffix not in WRITABLE:
        raise InputError(
            f"invalid mesh file '{file}': expected one that ends in {', '.join(WRITABLE)}"
        )
    if node_sets(mesh):
        warn_caller(
            f"mesh file '{file}': the curves and points {', '.join(sorted(node_sets(mesh)))} are "
            "not written"
        )
    for name in [*(mesh.boundaries or {}), *(mesh.subdomains or {})]:
        if not re.fullmatch(r"[A-Za-z][\w.+-]*", name):
            raise InputError(
                f"invalid surface or volume name '{name}' in a file: expected a letter, then "
                "letters, digits and _ . + -"
            )
    content = file_content(mesh)
    with draft_of(file) as draft:
        if file.suffix == ".inp":
            write_inp(draft, content)
        elif file.suffix == ".msh":
            meshio.write(draft, gmsh_groups(content), file_format="gmsh22", binary=False)
        else:
            meshio.write(draft, vtk_arrays(content))


def _read(file: Path) -> meshio.Mesh:
    """Content of a file."""
    ending = file.suffix.lower()
    if ending not in _READERS:
        raise InputError(f"it cannot be read: the ending '{ending}' is not known; {SAVE}")
    try:
        return _READERS[ending](file)
    except InputError:
        raise
    except Exception as error:  # whatever damaged bytes lead to
        raise InputError(f"it cannot be read: {first_line(error)}; {SAVE}") from None


_READERS = {".msh": read_msh, ".inp": read_inp, ".vtk": read_vtk, ".vtu": read_vtu}
