"""Options of the command `modes`, as typer shows them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

__all__ = [
    "ESTIMATED",
    "BodyFile",
    "ContactSurfaces",
    "Cutoff",
    "Densities",
    "Fixed",
    "Info",
    "Interface",
    "InterfaceModes",
    "Joints",
    "LayerCompliance",
    "Materials",
    "MeshError",
    "MeshFile",
    "MeshScale",
    "ModeCount",
    "ModePictures",
    "Poisson",
    "ReductionMethod",
    "StaticTolerance",
    "Thickness",
    "Young",
]

ESTIMATED = 20_000
"""Unknowns of a body up to which its mesh error is estimated unless asked for otherwise."""

MeshFile = Annotated[Path | None, typer.Argument(help="Mesh file with named surfaces.")]
Materials = Annotated[
    list[str] | None,
    typer.Option(help="Name of the material, default steel; or VOLUME=NAME, repeatable."),
]
Young = Annotated[
    list[str] | None, typer.Option(help="Young's modulus in Pa; or VOLUME=NUMBER, repeatable.")
]
Poisson = Annotated[
    list[str] | None, typer.Option(help="Poisson's ratio; or VOLUME=NUMBER, repeatable.")
]
Densities = Annotated[
    list[str] | None, typer.Option(help="In kg/m^3; or VOLUME=NUMBER, repeatable.")
]
Fixed = Annotated[
    list[str] | None,
    typer.Option(help="Surface, or curve or point of a solid, that is clamped; repeatable."),
]
ContactSurfaces = Annotated[
    list[str] | None,
    typer.Option(
        help="Surface that may touch something; repeatable. Of a plate: top, bottom, or the "
        "face of a volume, VOLUME.top."
    ),
]
Interface = Annotated[
    list[str] | None,
    typer.Option(
        help="Surface, or edge of a plate, where the body is joined to others (fixed, "
        "craig-bampton); repeatable; default of craig-bampton the contact surface."
    ),
]
Joints = Annotated[
    list[str] | None,
    typer.Option(
        help="Surface, curve, or edge of a plate, that joints, springs or loads will hold (rubin, "
        "craig-bampton); repeatable."
    ),
]
ModeCount = Annotated[int, typer.Option("--modes", help="Number of elastic modes.")]
ReductionMethod = Annotated[
    str | None,
    typer.Option(
        help="free, fixed, craig-bampton, rubin, quasi-static; "
        "default rubin with a contact surface or joint, else free."
    ),
]
InterfaceModes = Annotated[
    int | None,
    typer.Option(help="Modes of the contact surface that replace its unknowns (craig-bampton)."),
]
BodyFile = Annotated[Path, typer.Option(help="Reduced body, HDF5: NAME.h5.")]
Thickness = Annotated[
    list[str] | None,
    typer.Option(help="In m, for a plane mesh: a plate; or VOLUME=NUMBER, repeatable."),
]
MeshScale = Annotated[float, typer.Option(help="Length of one unit of the mesh in m.")]
StaticTolerance = Annotated[
    float | None,
    typer.Option(
        help="Largest static error under contact loads, relative to body and layer (rubin, "
        "craig-bampton); default 0.01."
    ),
]
LayerCompliance = Annotated[
    float | None,
    typer.Option(
        help="Compliance 1/c_n of the contact layer in m/Pa: what is small beside it gets no "
        "coordinate; default 0, every contact load counts."
    ),
]
Cutoff = Annotated[
    float | None,
    typer.Option(help="Highest frequency of a static shape in Hz, for a large explicit time step."),
]
MeshError = Annotated[
    bool | None,
    typer.Option(
        help="Estimate how much the mesh raises the frequencies of a solid, for about five "
        f"times the time of the modes; default up to {ESTIMATED} unknowns."
    ),
]
ModePictures = Annotated[bool, typer.Option(help="Picture of the first modes.")]
Info = Annotated[Path | None, typer.Option(help="Show a reduced body and stop.")]
