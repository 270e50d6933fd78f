"""Mesh files through meshio; the names of surfaces are kept or the file is refused."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import meshio
from skfem import Mesh
from skfem.io.meshio import from_meshio, to_file

from fecontact.errors import InputError

__all__ = ["load_mesh", "save_mesh"]


def load_mesh(path: str | Path) -> Mesh:
    """Read a mesh file (Gmsh, VTK, VTU and other formats of meshio) with its named surfaces.

    A contact code must not lose the name of a surface silently: if the file names sets that
    do not arrive, the file is refused.
    """
    file = Path(path)
    if not file.is_file():
        raise InputError(f"mesh file '{file}' does not exist; give the path of a readable mesh")
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            raw = meshio.read(file)
        mesh = from_meshio(raw)
    except (Exception, SystemExit) as error:  # meshio exits on unknown formats
        raise InputError(
            f"mesh file '{file}' cannot be read ({type(error).__name__}: {error}); "
            "save it as Gmsh .msh, .vtk or .vtu"
        ) from None
    lost = _names(raw) - set(mesh.boundaries or {}) - set(mesh.subdomains or {})
    if lost:
        raise InputError(
            f"mesh file '{file}': the named sets {', '.join(sorted(lost))} cannot be matched to "
            "facets or cells; save the mesh with linear cells"
        )
    return mesh


def save_mesh(mesh: Mesh, path: str | Path) -> None:
    """Write a mesh with its named surfaces (.msh, .vtk or .vtu)."""
    with contextlib.redirect_stdout(io.StringIO()):
        to_file(mesh, str(path))


def _names(raw: meshio.Mesh) -> set[str]:
    """Names that the file gives to facets or cells."""
    sets = {name for name in raw.cell_sets if not name.startswith("gmsh:")}
    dimension = max(cells.dim for cells in raw.cells)
    groups = {name for name, tag in raw.field_data.items() if tag[1] >= dimension - 1}
    return sets | groups
