"""Command `cases`: the shipped cases, from their scripts without running them."""

from __future__ import annotations

import json
import sys

import typer
from rich.console import Console
from rich.table import Table

from fecontact.case.listing import CaseEntry, case_entries

__all__ = ["answer"]


def answer(as_json: bool) -> int:
    """List the shipped cases."""
    entries = case_entries(lambda error: typer.echo(f"error: {error}", err=True))
    if as_json:
        typer.echo(json.dumps([_record(entry) for entry in entries], indent=2))
        return 0
    table = Table("case", "what it shows", "verifies", "quick form")
    for entry in entries:
        verified = ", ".join(entry.verifies)
        table.add_row(entry.name, entry.title, verified, f"{entry.quick_s:g} s")
    Console(width=None if sys.stdout.isatty() else 140).print(table)
    return 0


def _record(entry: CaseEntry) -> dict[str, object]:
    """Record of a case for JSON; `proves` is the earlier name of `verifies`."""
    verifies = list(entry.verifies)
    return {
        "name": entry.name,
        "title": entry.title,
        "verifies": verifies,
        "proves": verifies,
        "quick_s": entry.quick_s,
    }
