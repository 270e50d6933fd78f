"""Command `export`: a result file as a table or as a series for ParaView."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from fecontact.case.exit_codes import guarded
from fecontact.drafts import make_folder
from fecontact.errors import InputError
from fecontact.results import Result

__all__ = ["export", "listed"]

NUMBERED = re.compile(r"(.*\D)(\d+)")


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
            typer.echo(listed(result.names))
            return 0
        make_folder(folder)
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


def listed(names: Sequence[str]) -> str:
    """Names of histories in two lines: those with rates, and the others; numbered ones as spans.

    Examples
    --------
    >>> print(listed(["a.e1", "a.e1'", "a.e1''", "a.e2", "a.e2'", "a.e2''", "pad.gap"]))
    motion     a.e1 to a.e2; also their rates: with ', with ''
    others     pad.gap
    """
    given = set(names)
    moving = [name for name in names if f"{name}''" in given]
    known = {f"{name}{rate}" for name in moving for rate in ("", "'", "''")}
    lines = [f"motion     {_spans(moving)}; also their rates: with ', with ''"] if moving else []
    others = [name for name in names if name not in known]
    return "\n".join([*lines, *([f"others     {_spans(others)}"] if others else [])])


def _spans(names: Sequence[str]) -> str:
    """Names separated by commas, those that count up as `first to last`."""
    spans = list[list[str]]()
    for name in names:
        if spans and _follows(spans[-1][-1], name):
            spans[-1].append(name)
        else:
            spans.append([name])
    return ", ".join(s[0] if len(s) == 1 else f"{s[0]} to {s[-1]}" for s in spans)


def _follows(name: str, next_name: str) -> bool:
    """Whether a name is that before with the next number."""
    one, two = NUMBERED.fullmatch(name), NUMBERED.fullmatch(next_name)
    return (
        one is not None and two is not None and one[1] == two[1] and int(two[2]) == int(one[2]) + 1
    )
