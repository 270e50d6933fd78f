"""The table of a case: quantity, computed, reference, deviation, status, source."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from rich.console import Console
from rich.table import Table
from rich.text import Text

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
    table = Table(title=Text(title), title_justify="left", title_style="bold")
    for heading in ("quantity", "computed", "reference", "deviation", "status", "source"):
        numeric = heading in ("computed", "reference", "deviation")
        width = 24 if heading == "quantity" else None
        side: Literal["left", "right"] = "right" if numeric else "left"
        table.add_column(heading, justify=side, no_wrap=numeric, min_width=width)
    for row in checks:
        variant = row.basis or row.method
        texts = (
            row.quantity + (f" ({variant})" if variant else ""),
            _text(row.computed, row.unit),
            RELATION_SIGNS[row.relation] + _text(row.reference, row.unit),
            "" if row.deviation is None else f"{row.deviation:+.3g}",
            row.status,
            row.source,
        )
        table.add_row(*map(Text, texts), style=STYLES[row.status])
    console.print(table)
    for row in checks:
        if row.reason:
            text = f"{row.quantity}: {row.reason} ({row.place})"
            console.print(Text(text, style="yellow"))


def _text(value: Reference, unit: str) -> str:
    if value is None:
        return "none"
    if isinstance(value, tuple):
        return f"[{value[0]:.6g}, {value[1]:.6g}] {unit}".strip()
    if isinstance(value, bool | str):
        return str(value)
    return f"{value:.6g} {unit}".strip()
