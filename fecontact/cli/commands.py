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
from fecontact.case.new.write import check_new
from fecontact.case.registry import case_script, check_parameters
from fecontact.cli import mode_options as option
from fecontact.cli.mode_request import check_request
from fecontact.cli.simulation_request import check_folder, parse_options
from fecontact.files.plain import plain_file

__all__ = ["COMMANDS"]


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
    mesh: option.MeshFile = None,
    material: option.Materials = None,
    young: option.Young = None,
    poisson: option.Poisson = None,
    density: option.Densities = None,
    fix: option.Fixed = None,
    contact: option.ContactSurfaces = None,
    joint: option.Joints = None,
    interface: option.Interface = None,
    count: option.ModeCount = 30,
    method: option.ReductionMethod = None,
    interface_modes: option.InterfaceModes = None,
    out: option.BodyFile = Path("body.h5"),
    thickness: option.Thickness = None,
    scale: option.MeshScale = 1.0,
    tolerance: option.StaticTolerance = None,
    layer: option.LayerCompliance = None,
    cutoff: option.Cutoff = None,
    mesh_error: option.MeshError = None,
    pictures: option.ModePictures = True,
    info: option.Info = None,
) -> None:
    """Reduce a finite-element body to few modes that are right under contact loads."""
    options, left_behind = locals(), f"if '{out}' exists, it is complete"
    _answer("modes", options, left_behind, partial(check_request, **options))


def new(
    name: Annotated[str, typer.Argument(help="Name of the case; its script is NAME.py.")],
    body: Annotated[
        Path | None,
        typer.Option(help="Reduced body, made by `fecontact modes`; default: a sample."),
    ] = None,
    template: Annotated[
        str, typer.Option(help="clutch: a ring about z; brake: a pad beside z; beam: along x.")
    ] = "clutch",
) -> None:
    """Write the script of a case for a part: it can be run, analysed and simulated at once."""
    _answer("new", locals(), "nothing was replaced", partial(check_new, name, body, template))


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


def simulate(
    name: Annotated[str, typer.Argument(help="Name of a case, or path of a case script.")],
    settings: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Override a parameter; repeatable."),
    ] = None,
    time: Annotated[
        float | None,
        typer.Option(help="Last time in s; default: 30 periods of the leading mode."),
    ] = None,
    method: Annotated[
        str | None,
        typer.Option(help="implicit (default), explicit, ode, events, moreau or projected."),
    ] = None,
    step: Annotated[
        float | None,
        typer.Option(help="Fixed step in s; default: a 40th of the period of the leading mode."),
    ] = None,
    output: Annotated[
        float | None,
        typer.Option(help="Interval of the records in s; default: a 20th of this period."),
    ] = None,
    start: Annotated[
        str | None,
        typer.Option(help="steady (default): steady sliding, disturbed in its leading mode; rest."),
    ] = None,
    disturbance: Annotated[
        float | None,
        typer.Option(help="Largest displacement of the disturbance in m or rad, default 1e-7."),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Option of the method, as rtol=1e-7; repeatable."),
    ] = None,
    plot: Annotated[
        list[str] | None,
        typer.Option(help="Pictures, as in `fecontact view`; default history, spectrum, energy, "
                     "states."),
    ] = None,
    going_on: Annotated[
        bool, typer.Option("--continue", help="Go on with the result of an earlier run.")
    ] = False,
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Replace the result of an earlier run.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Folder, default out/NAME/simulation.")] = None,
) -> None:  # fmt: skip
    """Motion in time from steady sliding or rest: signals, spectrum, energy; can be continued."""
    folder = Path("out") / Path(name).with_suffix("") / "simulation" if out is None else out
    options = {
        "name": name, "settings": tuple(settings or ()), "time": time, "method": method,
        "step": step, "output": output, "start": start, "disturbance": disturbance,
        "options": tuple(option or ()), "plot": tuple(plot or ()), "going_on": going_on,
        "fresh": fresh, "out": folder,
    }  # fmt: skip

    def check() -> None:
        check_folder(folder, going_on, fresh)
        parse_options(option or ())
        check_parameters(name, settings, ())

    left_behind = f"what was simulated stays in {folder}; --continue goes on with it"
    _answer("simulate", options, left_behind, check)


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


COMMANDS = (cases, run, modes, new, stability, simulate, export, view, warm_up)
"""In the order of the help."""
