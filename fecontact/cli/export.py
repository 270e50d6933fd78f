"""Command `export`: a result file as a table or as a series for ParaView."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from fecontact.case.exit_codes import guarded
from fecontact.errors import InputError
from fecontact.results import Result

__all__ = ["export"]


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

    def action() -> int:
        result, folder = Result.load(file), file.parent if out is None else out
        if names is not None and not csv:
            raise InputError("--names is for the table; give --csv too")
        if not (csv or vtk):
            typer.echo(str(result))
            typer.echo("names      " + ", ".join(result.names))
            return 0
        folder.mkdir(parents=True, exist_ok=True)
        if csv:
            table = folder / f"{file.stem}.csv"
            chosen = None if names is None else [name.strip() for name in names.split(",")]
            result.to_csv(table, chosen)
            typer.echo(f"{table}: {len(result)} times")
        if vtk:
            from fecontact.view.series import write_series

            series = write_series(result, folder / file.stem)
            for played in (name for name in series if name.endswith(".pvd")):
                typer.echo(f"{folder / file.stem / played}: open it in ParaView")
        return 0

    raise typer.Exit(guarded(action, "the files written so far stay"))
