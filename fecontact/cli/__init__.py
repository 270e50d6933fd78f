"""Command line: fecontact cases, run, modes, new, stability, simulate, export, view, warm-up."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import fecontact
from fecontact.case.exit_codes import EXIT_INPUT
from fecontact.cli.commands import COMMANDS

__all__ = ["app", "main"]


class Commands(TyperGroup):
    """The commands; an option that cannot be read is an error of one line, like any bad input."""

    def main(self, *arguments: Any, standalone_mode: bool = True, **extra: Any) -> Any:
        """Run a command and exit with its code."""
        extra["standalone_mode"] = False
        if not standalone_mode:
            return super().main(*arguments, **extra)
        try:
            code = super().main(*arguments, **extra)
        except Exception as error:
            describe = getattr(error, "format_message", None)  # errors of the parser have it
            if describe is None:
                raise
            if message := describe():  # empty if no command is given: the help has been printed
                typer.echo(f"error: {message}", err=True)
            sys.exit(EXIT_INPUT)
        sys.exit(code if isinstance(code, int) else 0)


AT_THE_END = (
    "Exit codes: 0 no reference missed; 1 some missed; 2 bad input; 3 a solver failed; "
    "130 interrupted; 141 nobody reads the output. Environment: FECONTACT_LARGE_FILES=1 reads "
    "files that declare far more than they hold, FECONTACT_DEBUG=1 shows where an error arose, "
    "FECONTACT_QUIET=1 does not say that kernels are compiled."
)

app = typer.Typer(
    cls=Commands,
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    help="Friction-induced vibration, from the finite-element mesh to the answer.",
    epilog=AT_THE_END,
)
for command in COMMANDS:
    app.command()(command)


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
