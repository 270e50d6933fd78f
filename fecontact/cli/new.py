"""Command `new`: a case script for a part of one's own, from its reduced body."""

from __future__ import annotations

from pathlib import Path

import typer

from fecontact.case.new.write import new_case

__all__ = ["answer"]


def answer(name: str, body: Path | None, template: str) -> int:
    """Write the script, and say how to go on."""
    path, file, facts = new_case(name, body, template)
    made = "" if body is not None else f"{file}: sample body\n"
    also = f"; others: {', '.join(facts.others)}" if facts.others else ""
    typer.echo(f"{made}{path}: template {template}, contact surface '{facts.surface}'{also}")
    for command in ("run", "stability", "simulate"):
        typer.echo(f"    fecontact {command} {path}")
    return 0
