"""The table of a case: quantity, computed, reference, deviation, status, source."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from fecontact.results.summary import Check, Reference

__all__ = ["print_table"]

STYLES = {
    "met": "green",
    "missed": "bold red",
    "known_deviation": "yellow",
    "not_applicable": "dim",
}
RELATION_SIGNS = {"eq": "", "le": "<= ", "ge": ">= ", "in": "in ", "is": ""}


def print_table(console: Console, title: str, checks: Sequence[Check]) -> None:
    """Print the checks, and below them the reasons of known deviations."""
    table = Table(title=title, title_justify="left", title_style="bold")
    for heading in ("quantity", "computed", "reference", "deviation", "status", "source"):
        numeric = heading in ("computed", "reference", "deviation")
        table.add_column(heading, justify="right" if numeric else "left", no_wrap=numeric)
    for row in checks:
        variant = row.basis or row.method
        table.add_row(
            row.quantity + (f" ({variant})" if variant else ""),
            _text(row.computed, row.unit),
            RELATION_SIGNS[row.relation] + _text(row.reference, row.unit),
            "" if row.deviation is None else f"{row.deviation:+.3g}",
            row.status,
            row.source,
            style=STYLES[row.status],
        )
    console.print(table)
    for row in checks:
        if row.reason:
            console.print(f"{row.quantity}: {row.reason}", style="yellow", highlight=False)


def _text(value: Reference, unit: str) -> str:
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return f"[{value[0]:.6g}, {value[1]:.6g}] {unit}".strip()
    if isinstance(value, bool | str):
        return str(value)
    return f"{value:.6g} {unit}".strip()
