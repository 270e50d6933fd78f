"""Options of the commands; what they do is in the modules of their names.

Those are imported when a command runs: help, and errors of what was typed, do without them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer

from fecontact.case.exit_codes import guarded
from fecontact.case.registry import case_script, check_parameters
from fecontact.cli.modes_options import check_options
from fecontact.files.plain import plain_file

__all__ = ["COMMANDS"]

ESTIMATED = 20_000
"""Unknowns of a body up to which its mesh error is estimated unless asked for otherwise."""


def _answer(
    command: str,
    options: Mapping[str, Any],
    left_behind: str,
    check: Callable[[], object] = lambda: None,
) -> NoReturn:
    """Do what a command asks, and exit; `left_behind` is what an interrupt leaves.

    `check` refuses what is wrong at first sight, before libraries are loaded.
    """

    def action() -> int:
        check()
        return int(import_module(f"fecontact.cli.{command}").answer(**options))

    raise typer.Exit(guarded(action, left_behind))


def _two_ranges(texts: tuple[str, str] | None) -> tuple[str, str] | None:
    """Refuse another option in place of the second range."""
    if texts is not None and any(text.startswith("-") for text in texts):
        raise typer.BadParameter(f"two ranges are needed, KEY=A:B KEY=C:D, not {' '.join(texts)}")
    return texts


def cases(
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable list.")] = False,
) -> None:
    """List the shipped cases."""
    _answer("cases", locals(), "nothing was written")


def run(
    name: Annotated[str, typer.Argument(help="Name of a case, or path of a case script.")],
    out: Annotated[Path | None, typer.Option(help="Output folder, default out/NAME.")] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override a parameter; repeatable."),
    ] = None,
    quick: Annotated[bool, typer.Option("--quick", help="Short form, a few seconds.")] = False,
) -> None:
    """Run one case: table, pictures, VTK files, summary.json."""
    _answer("run", locals(), "nothing was written", partial(case_script, name))


def modes(
    mesh: Annotated[Path | None, typer.Argument(help="Mesh file with named surfaces.")] = None,
    material: Annotated[
        list[str] | None,
        typer.Option(help="Name of the material, default steel; or VOLUME=NAME, repeatable."),
    ] = None,
    young: Annotated[
        list[str] | None, typer.Option(help="Young's modulus in Pa; or VOLUME=NUMBER, repeatable.")
    ] = None,
    poisson: Annotated[
        list[str] | None, typer.Option(help="Poisson's ratio; or VOLUME=NUMBER, repeatable.")
    ] = None,
    density: Annotated[
        list[str] | None, typer.Option(help="In kg/m^3; or VOLUME=NUMBER, repeatable.")
    ] = None,
    fix: Annotated[
        list[str] | None,
        typer.Option(help="Surface, or curve or point of a solid, that is clamped; repeatable."),
    ] = None,
    contact: Annotated[
        list[str] | None,
        typer.Option(
            help="Surface that may touch something; repeatable. Of a plate: top, bottom, or the "
            "face of a volume, VOLUME.top."
        ),
    ] = None,
    interface: Annotated[
        list[str] | None,
        typer.Option(
            help="Surface, or edge of a plate, where the body is joined to others (fixed, "
            "craig-bampton); repeatable; default of craig-bampton the contact surface."
        ),
    ] = None,
    count: Annotated[int, typer.Option("--modes", help="Number of elastic modes.")] = 30,
    method: Annotated[
        str | None,
        typer.Option(
            help="free, fixed, craig-bampton, rubin, quasi-static; "
            "default rubin with a contact surface, else free."
        ),
    ] = None,
    interface_modes: Annotated[
        int | None,
        typer.Option(
            help="Modes of the contact surface that replace its unknowns (craig-bampton)."
        ),
    ] = None,
    out: Annotated[Path, typer.Option(help="Reduced body, HDF5: NAME.h5.")] = Path("body.h5"),
    thickness: Annotated[
        list[str] | None,
        typer.Option(help="In m, for a plane mesh: a plate; or VOLUME=NUMBER, repeatable."),
    ] = None,
    scale: Annotated[float, typer.Option(help="Length of one unit of the mesh in m.")] = 1.0,
    tolerance: Annotated[
        float | None,
        typer.Option(
            help="Largest static error under contact loads, relative to body and layer (rubin, "
            "craig-bampton); default 0.01."
        ),
    ] = None,
    layer: Annotated[
        float | None,
        typer.Option(
            help="Compliance 1/c_n of the contact layer in m/Pa: what is small beside it gets no "
            "coordinate; default 0, every contact load counts."
        ),
    ] = None,
    cutoff: Annotated[
        float | None,
        typer.Option(
            help="Highest frequency of a static shape in Hz, for a large explicit time step."
        ),
    ] = None,
    mesh_error: Annotated[
        bool | None,
        typer.Option(
            help="Estimate how much the mesh raises the frequencies of a solid, for about five "
            f"times the time of the modes; default up to {ESTIMATED} unknowns."
        ),
    ] = None,
    pictures: Annotated[bool, typer.Option(help="Picture of the first modes.")] = True,
    info: Annotated[Path | None, typer.Option(help="Show a reduced body and stop.")] = None,
) -> None:
    """Reduce a finite-element body to few modes that are right under contact loads."""
    options, left_behind = locals(), f"if '{out}' exists, it is complete"
    asked = partial(
        check_options, info, mesh, method, contact, out, count, fix, interface, interface_modes,
        tolerance, layer, cutoff,
    )  # fmt: skip
    _answer("modes", options, left_behind, asked)


def stability(
    name: Annotated[str, typer.Argument(help="Name of a case, or path of a case script.")],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override a parameter; repeatable."),
    ] = None,
    sweeps: Annotated[
        list[str] | None,
        typer.Option("--sweep", metavar="KEY=A:B:N", help="Vary a parameter; repeatable."),
    ] = None,
    plane: Annotated[
        tuple[str, str] | None,
        typer.Option(
            "--map",
            metavar="KEY=A:B KEY=C:D",
            help="Map over two parameters.",
            callback=_two_ranges,
        ),
    ] = None,
    friction: Annotated[
        str, typer.Option(help="coulomb: friction of sliding points; state: with its history.")
    ] = "coulomb",
    band: Annotated[
        str | None,
        typer.Option(metavar="A:B", help="Frequencies in Hz; default: while bodies are valid."),
    ] = None,
    unloaded: Annotated[
        bool, typer.Option("--open", help="Allow a verdict although no contact carries load.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start a map anew, remove the points of an old one.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Folder, default out/NAME/stability.")] = None,
    seed: Annotated[int, typer.Option(help="Cells of the seed grid of a map per axis.")] = 16,
    levels: Annotated[int, typer.Option(help="Halvings of cells at the boundary of a map.")] = 4,
    jobs: Annotated[int, typer.Option(help="Processes of a map; -1: all cores.")] = 1,
) -> None:
    """Steady state, modes and why they grow; sweeps; maps, which go on where they stopped."""
    out = Path("out") / Path(name).with_suffix("") / "stability" if out is None else out
    options, left_behind = locals(), f"what was computed stays in {out}"
    ranges = [text.partition("=") for text in (*(sweeps or ()), *(plane or ()))]
    keys = [key.strip() for key, equals, _ in ranges if equals]
    _answer("stability", options, left_behind, partial(check_parameters, name, settings, keys))


def export(
    file: Annotated[Path, typer.Argument(help="Result file of a simulation.", metavar="RESULT")],
    csv: Annotated[bool, typer.Option("--csv", help="Histories as a table.")] = False,
    vtk: Annotated[bool, typer.Option("--vtk", help="Time series for ParaView.")] = False,
    names: Annotated[
        str | None,
        typer.Option(help="Histories and fields of the table, separated by commas; default all "
                     "with one number per time."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder, default that of the result file.")
    ] = None,
) -> None:  # fmt: skip
    """Export a result; without --csv and --vtk print what is in it."""
    _answer("export", locals(), "the files written so far stay", partial(plain_file, file))


def view(
    result: Annotated[Path, typer.Argument(help="Result file of a simulation, .h5.")],
    animate: Annotated[
        str | None, typer.Option(help="Write an animation: gif, or mp4 with imageio-ffmpeg.")
    ] = None,
    plot: Annotated[
        list[str] | None,
        typer.Option(
            help="Draw history, phase, spectrum, spectrogram, waterfall, hysteresis, energy, "
            "states or map; NAME:signal,signal chooses signals, map:contact@time the moment."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            help="Folder of the pictures, made if it is new; by default that of the result."
        ),
    ] = None,
    frames: Annotated[int, typer.Option(help="Most frames of the animation.")] = 120,
    exaggeration: Annotated[
        str, typer.Option(help="Factor of the deformation in the animation, or auto.")
    ] = "auto",
) -> None:
    """Draw plots and an animation of a result."""
    options, left_behind = locals(), "pictures that were announced are complete"
    _answer("view", options, left_behind, partial(plain_file, result))


def warm_up(
    jobs: Annotated[
        int | None, typer.Option(min=1, help="Processes at a time, default all cores.")
    ] = None,
) -> None:
    """Compile the kernels of simulations and analyses, once on a machine."""
    _answer("warm_up", locals(), "what is compiled stays on disk")


COMMANDS = (cases, run, modes, stability, export, view, warm_up)
"""In the order of the help."""
