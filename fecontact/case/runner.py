"""Run a case: parameters, output folder, table, summary, exit code."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from rich.console import Console

import fecontact
from fecontact.case.case import Case, Run
from fecontact.case.exit_codes import EXIT_MISSED, guarded
from fecontact.case.registry import name_of
from fecontact.drafts import make_folder
from fecontact.errors import InputError
from fecontact.interrupts import ending_on_interrupt
from fecontact.results.summary import listed_files, write_summary
from fecontact.view.report import print_table

__all__ = ["main", "run_case"]


def run_case(
    name: str,
    case: Case[Any],
    *,
    out: Path | None = None,
    settings: Sequence[str] = (),
    quick: bool = False,
) -> int:
    """Run a case, print its table, write its summary, and return the exit code."""
    folder = Path("out") / name if out is None else out

    def action() -> int:
        run = Run(case.parameters.override(settings), folder, quick)
        _prepare(folder)
        return _execute(name, case, run)

    left_behind = f"the files written so far stay in {folder}; no reference was judged"
    return guarded(action, left_behind)


def main(case: Case[Any], script: str, arguments: Sequence[str] | None = None) -> int:
    """Entry of a case script run by Python itself; the options of `fecontact run`."""
    name = name_of(Path(script))
    parser = argparse.ArgumentParser(prog=name, description=case.title)
    parser.add_argument("--out", type=Path, help="output folder, default out/NAME")
    parser.add_argument("--set", dest="settings", action="append", default=[], metavar="KEY=VALUE")
    parser.add_argument("--quick", action="store_true", help="short form")
    options = parser.parse_args(arguments)
    return run_case(name, case, out=options.out, settings=options.settings, quick=options.quick)


def _prepare(folder: Path) -> None:
    """Make the output folder, and remove what an earlier run has listed in its summary.

    Old pictures must not be taken for new ones.
    """
    make_folder(folder)
    try:
        for file in listed_files(folder):
            file.unlink(missing_ok=True)
        (folder / "summary.json").unlink(missing_ok=True)
    except OSError as error:
        raise InputError(
            f"output folder '{folder}' cannot be used ({error.strerror}); choose another with --out"
        ) from error
    if not os.access(folder, os.W_OK):
        raise InputError(f"output folder '{folder}' is not writable; choose another with --out")


def _execute(name: str, case: Case[Any], run: Run[Any]) -> int:
    start = time.perf_counter()
    try:
        with ending_on_interrupt():
            case.run(run)
        _all_compared(case, run)
    except KeyboardInterrupt:
        with suppress(InputError):  # a summary that cannot be written does not hide the interrupt
            _summarise(name, run, time.perf_counter() - start, interrupted=True)
        raise
    elapsed = time.perf_counter() - start
    summary = _summarise(name, run, elapsed)  # first: it does not depend on who reads the output
    terminal = sys.stdout.isatty()
    console = Console(width=None if terminal else 160)
    print_table(console, f"{name}: {case.title}", run.checks)
    for note in run.notes:
        console.print(note, highlight=False, markup=False)
    missed = sum(row.status == "missed" for row in run.checks)
    met = sum(row.status == "met" for row in run.checks)
    console.print(
        f"{met} of {len(run.checks)} references met, {missed} missed; {elapsed:.1f} s; "
        f"{len(run.files)} files and {summary.name} in {run.out}",
        highlight=False,
        markup=False,
    )
    return EXIT_MISSED if missed else 0


def _all_compared(case: Case[Any], run: Run[Any]) -> None:
    """Refuse a case that has forgotten rows of its tables."""
    left_out = run.missing(*case.tables)
    if left_out:
        form = "full" if not run.quick else "quick"
        raise InputError(
            f"the {form} form has not compared {', '.join(left_out)}: expected every row of the "
            "references, or the option 'full' or 'quick' for rows of one form"
        )


def _summarise(name: str, run: Run[Any], elapsed: float, interrupted: bool = False) -> Path:
    """Write the summary; that of an interrupted run judges nothing, and lists what is there."""
    return write_summary(
        run.out,
        case=name,
        parameters=run.parameters.to_dict(),
        version=fecontact.__version__,
        elapsed_s=elapsed,
        files=[file for file in run.files if not interrupted or (run.out / file).is_file()],
        checks=[] if interrupted else run.checks,
        interrupted=interrupted,
    )
