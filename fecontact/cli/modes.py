"""Command `modes`: from a mesh file to a reduced body."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table
from skfem import Mesh, MeshHex, MeshQuad, MeshTet, MeshTri

from fecontact.cli.mode_options import ESTIMATED
from fecontact.cli.mode_request import Request, pictures_name
from fecontact.cli.volumes import materials, said_of_materials, thicknesses
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, KirchhoffPlate, MindlinPlate
from fecontact.fem.model import FEModel
from fecontact.mesh import load_mesh
from fecontact.reduction import ReducedModel, load_reduced, reduce_model, save_reduced
from fecontact.reduction.flexibility import Progress
from fecontact.results.progress import stages
from fecontact.view.modes import save_body_modes

__all__ = ["answer", "finite_elements"]

COARSE = 0.1
"""Mesh error of a frequency from which on the command warns."""
LOCKED = 1.0
"""Mesh error from which on cells of one degree more may lock too, and the estimate be too low."""

TOLERANCE = 0.05
"""Error of the response to contact loads up to the validity frequency."""


def answer(**options: Any) -> int:
    """Reduce a finite-element body to few modes that are right under contact loads."""
    asked = Request(**options)
    console = Console(width=None if sys.stdout.isatty() else 120)
    if asked.info is not None:
        describe(console, load_reduced(asked.info), asked.info)
        return 0
    mesh = asked.checked_mesh()
    with stages() as progress:
        model = reduced(asked, mesh, progress)
        progress("files")
        save_reduced(model, asked.out)
    describe(console, model, asked.out)
    if asked.pictures:
        say(console, save_pictures(model, asked.out))
    return 0


def reduced(asked: Request, mesh: Path, progress: Progress) -> ReducedModel:
    """Reduce the body of a mesh file."""
    progress("mesh")
    cells, material = load_mesh(mesh, asked.scale), asked.material or []
    body = finite_elements(cells, material, asked.fix or [], asked.thickness or [], asked.constants)
    judged = is_judged(body, asked.chosen) if asked.mesh_error is None else asked.mesh_error
    progress("assembly")
    _ = body.stiffness, body.mass
    model = reduce_model(
        body,
        asked.contact or [],
        method=asked.chosen,
        modes=asked.count,
        joints=asked.joint or [],
        interface=asked.interface or [],
        interface_modes=asked.interface_modes,
        tolerance=asked.tolerance,
        layer=asked.layer or 0.0,
        cutoff=None if asked.cutoff is None else 2.0 * np.pi * asked.cutoff,
        mesh_error=judged,
        progress=progress,
    )
    return with_notes(model, said_of_materials(material, cells, asked.constants))


def finite_elements(
    mesh: Mesh,
    material: Sequence[str],
    fixed: Sequence[str],
    thickness: Sequence[str],
    constants: Mapping[str, Sequence[str]] | None = None,
) -> FEModel:
    """Finite-element body on a mesh: solid, or plate if a thickness is given."""
    substance = materials(material, mesh, constants)
    supports = dict.fromkeys(fixed, "clamped")
    if isinstance(mesh, MeshTet | MeshHex):
        if thickness:
            raise InputError(
                f"invalid --thickness {thickness[0]}: expected none, as the mesh is a solid"
            )
        return ElasticSolid(mesh, substance, supports=supports)
    if not isinstance(mesh, MeshTri | MeshQuad):
        raise InputError(
            f"invalid mesh of {type(mesh).__name__}: expected one of tetrahedra, hexahedra, "
            "triangles or quadrilaterals"
        )
    if not thickness:
        raise InputError("the mesh is plane: give the thickness of the plate, --thickness in m")
    heights = thicknesses(thickness, mesh)
    if type(mesh) is MeshTri:
        return KirchhoffPlate(mesh, heights, substance, supports)
    return MindlinPlate(mesh, heights, substance, supports)


def is_judged(body: FEModel, method: str) -> bool:
    """Whether the mesh error of a body is estimated without being asked for."""
    possible = isinstance(body, ElasticSolid) and method != "craig-bampton"
    return possible and len(body.free) <= ESTIMATED


def with_notes(model: ReducedModel, sentences: Sequence[str]) -> ReducedModel:
    """Keep sentences with the body: they are printed with its table."""
    made = model.provenance
    return replace(model, provenance=replace(made, notes=(*made.notes, *sentences)))


def describe(console: Console, model: ReducedModel, file: Path) -> None:
    """Print coordinates, frequencies and error estimates."""
    made = model.provenance
    say(
        console,
        f"{file}: {model.size} coordinates for {model.basis.shape[0]} unknowns, "
        f"method {made.method}, {model.rigid} rigid-body modes; fecontact {made.version}, "
        f"mesh {made.geometry[:12]}",
    )
    table = Table(
        "coordinate",
        "frequency / Hz",
        "error of its square against the full FE model\n(mesh error not included) <=",
        "mesh error of the frequency\n(estimate)",
    )
    end = min(model.rigid + (model.exact or model.size), model.size)
    for index in range(model.rigid, end):
        frequency = f"{model.frequencies[index] / (2 * np.pi):.4f}"
        errors = model.mesh_error
        by_mesh = "-" if errors is None else _percent(errors[index - model.rigid])
        table.add_row(str(index + 1), frequency, f"{model.frequency_error[index]:.1e}", by_mesh)
    console.print(table)
    if end < model.size:
        lowest = model.frequencies[end] / (2 * np.pi)
        say(console, f"{model.size - end} static shapes of loads, from {lowest:.0f} Hz on")
    for sentence in (*said_of_mesh(model), *step_limit(model), *estimates(model), *made.notes):
        say(console, sentence)


def _percent(fraction: float) -> str:
    """Two digits of a small fraction; of a large one all before the point."""
    return f"+{fraction:.0%}".replace("%", " %") if fraction > 0.1 else f"+{100.0 * fraction:.2g} %"


def said_of_mesh(model: ReducedModel) -> Iterator[str]:
    """Sentence on the mesh error: where it is large, or why it is not known."""
    errors = model.mesh_error
    if errors is None:
        yield (
            "mesh error not estimated (--mesh-error does it for solids, not with craig-bampton): "
            "compare with a finer mesh"
        )
    elif len(errors) and np.max(errors) > COARSE:
        worst = int(np.argmax(errors))
        size = f"{errors[worst]:.0%}" + (" or more" if errors[worst] > LOCKED else "")
        yield (
            f"the mesh is too coarse: coordinate {model.rigid + worst + 1} is about {size} too "
            "high; take smaller cells, quadratic hexahedra or a plate"
        )
    else:
        yield "mesh error: estimated with shape functions of one degree more; no bound"


def step_limit(model: ReducedModel) -> Iterator[str]:
    """Sentence on the highest frequency: central differences are stable for h < 2/omega_max."""
    highest = np.max(model.frequencies, initial=0.0)
    if highest > 0.0:
        yield (
            f"highest frequency {highest / (2 * np.pi):.6g} Hz: an explicit time step must stay "
            f"below 2/omega = {2.0 / highest:.2e} s"
        )


def estimates(model: ReducedModel) -> Iterator[str]:
    """Sentences on the errors under contact loads."""
    for name, estimate in model.contact.items():
        nominal, finer = estimate.nominal, estimate.finer
        through = f", through a layer of {nominal.layer:.1e} m/Pa" if nominal.layer else ""
        yield (
            f"contact '{name}': static displacement within {nominal.surface_error:.2%} of the full "
            f"model for {len(nominal.labels)} load shapes{through}; of the compliance of the body, "
            f"{nominal.largest:.1e} m/Pa, up to {nominal.missing:.1e} are missing, under "
            f"{len(finer.labels)} finer load shapes {finer.missing:.1e}: harmless if small beside "
            "the 1/c_n of the contact layer, else name more load shapes (Python, loads)"
        )
    for name, interface in model.interfaces.items():
        if interface.joint:
            error = interface.compliance.energy_error
            yield f"joint '{name}': answer to any load within {error:.2%} of the full model"
    others = {n: i.compliance.energy_error for n, i in model.interfaces.items() if not i.joint}
    if others:
        errors = ", ".join(f"{name} {error:.2g}" for name, error in others.items())
        yield (
            f"other interfaces, with their largest error under a force or moment: {errors}; "
            "--joint makes one of them right"
        )
    if model.contact or any(each.joint for each in model.interfaces.values()):
        valid = model.validity_frequency(TOLERANCE) / (2 * np.pi)
        yield f"response to these loads valid to {TOLERANCE:.0%} up to {valid:.0f} Hz"
    else:
        yield "no contact surface: modes alone do not represent local loads; name it in --contact"


def say(console: Console, sentence: str) -> None:
    """Print a sentence as it is, on one line."""
    console.print(sentence, highlight=False, markup=False, soft_wrap=True)


def save_pictures(model: ReducedModel, file: Path) -> str:
    """Write the first elastic modes next to the body, for ParaView and as a picture."""
    target = file.with_name(f"{pictures_name(file)}.png")
    return save_body_modes(model, target, title=file.stem).message
