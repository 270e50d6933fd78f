"""Command line: fecontact cases | run | modes."""

from __future__ import annotations

from typing import Annotated

import typer

import fecontact
from fecontact.cli.cases import cases, run
from fecontact.cli.modes import modes

__all__ = ["app", "main"]

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Friction-induced vibration, from the finite-element mesh to the answer.",
)
app.command()(cases)
app.command()(run)
app.command()(modes)


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Print the version.")] = False,
) -> None:
    """Friction-induced vibration, from the finite-element mesh to the answer."""
    if show:
        typer.echo(fecontact.__version__)
        raise typer.Exit


def main() -> None:
    """Entry point of the `fecontact` command."""
    app()
