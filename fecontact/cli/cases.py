"""Commands `cases` and `run`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from fecontact.case.exit_codes import guarded
from fecontact.case.registry import case_names, load_case
from fecontact.case.runner import run_case
from fecontact.errors import InputError

__all__ = ["cases", "run"]


def cases(
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable list.")] = False,
) -> None:
    """List the shipped cases."""
    raise typer.Exit(guarded(lambda: _list(as_json), "nothing was written"))


def _list(as_json: bool) -> int:
    loaded = {}
    for name in case_names():
        try:
            loaded[name] = load_case(name)[1]
        except InputError as error:
            typer.echo(f"error: {error}", err=True)
    if as_json:
        rows = [
            {
                "name": name,
                "title": case.title,
                "verifies": list(case.verifies),
                "proves": list(case.verifies),  # its earlier name
                "quick_s": case.quick_s,
            }
            for name, case in loaded.items()
        ]
        typer.echo(json.dumps(rows, indent=2))
        return 0
    table = Table("case", "what it shows", "verifies", "quick form")
    for name, case in loaded.items():
        table.add_row(name, case.title, ", ".join(case.verifies), f"{case.quick_s:g} s")
    Console(width=None if sys.stdout.isatty() else 140).print(table)
    return 0


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

    def action() -> int:
        case_name, case = load_case(name)
        return run_case(case_name, case, out=out, settings=settings or [], quick=quick)

    raise typer.Exit(guarded(action, "nothing was written"))
