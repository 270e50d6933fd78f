"""Command `export`: a result file as a table or as a series for ParaView."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import typer

from fecontact.drafts import make_folder
from fecontact.errors import InputError
from fecontact.results import Result

__all__ = ["answer", "listed"]

NUMBERED = re.compile(r"(.*\D)(\d+)")


def answer(
    file: Path,
    csv: bool,
    vtk: bool,
    names: str | None,
    out: Path | None,
) -> int:
    """Export a result; without --csv and --vtk print what is in it."""
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
