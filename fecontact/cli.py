"""Command line: fecontact cases | run."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

import fecontact
from fecontact.case.registry import case_names, load_case
from fecontact.case.runner import EXIT_INPUT, run_case
from fecontact.errors import InputError

__all__ = ["app", "main"]

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Friction-induced vibration, from the finite-element mesh to the answer.",
)


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Friction-induced vibration, from the finite-element mesh to the answer."""
    if show:
        typer.echo(fecontact.__version__)
        raise typer.Exit


@app.command()
def cases(
    as_json: Annotated[bool, typer.Option("--json", help="Machine-readable list.")] = False,
) -> None:
    """List the shipped cases."""
    rows = []
    for name in case_names():
        _, case = load_case(name)
        rows.append(
            {
                "name": name,
                "title": case.title,
                "proves": list(case.proves),
                "quick_s": case.quick_s,
            }
        )
    if as_json:
        typer.echo(json.dumps(rows, indent=2))
        return
    table = Table("case", "what it shows", "proves", "quick form")
    for row in rows:
        proves = ", ".join(row["proves"])  # type: ignore[arg-type]
        table.add_row(str(row["name"]), str(row["title"]), proves, f"{row['quick_s']} s")
    Console(width=None if sys.stdout.isatty() else 140).print(table)


@app.command()
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
    try:
        case_name, case = load_case(name)
    except InputError as error:
        Console(stderr=True).print(f"error: {error}", style="red", highlight=False, soft_wrap=True)
        raise typer.Exit(EXIT_INPUT) from None
    raise typer.Exit(run_case(case_name, case, out=out, settings=settings or [], quick=quick))


def main() -> None:
    """Entry point of the `fecontact` command."""
    app()
