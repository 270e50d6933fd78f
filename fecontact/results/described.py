"""Words about a result: where it is, how it ended, and what it holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fecontact.errors import one_line
from fecontact.typing import Floats

if TYPE_CHECKING:
    from fecontact.results.result import Result

__all__ = ["described", "span"]

SWITCHES = ("events", "to_open", "to_stick", "to_slip", "to_gross_slip")
"""Counters that some methods do not keep: if all are zero a text does not claim it."""


def described(result: Result) -> str:
    """One line for each thing that there is."""
    layout = result.run.layout
    where = "memory" if result.run.path is None else str(result.run.path)
    contacts = (f"{c.name} ({c.points} points)" for c in result.contacts.values())
    validity = (f"{name} to {f:.4g} Hz" for name, f in result.validity.items())
    lines = {
        "file": f"{where}, {result.status}" + (f": {result.message}" * bool(result.message)),
        "method": result.method,
        "records": f"{len(result)}, {span(result.t)}",
        "bodies": f"{', '.join(layout['bodies'])} ({len(result.dofs)} dofs)",
        "validity": ", ".join(validity),
        "rows": f"{len(layout['rows'])} of constraints" if layout["rows"] else "",
        "contacts": ", ".join(contacts),
        "sensors": ", ".join(f"{n} ({s['unit']})" for n, s in result.sensors.items()),
        "energies": ", ".join(layout["energies"]),
        "statistics": _counters(result),
        "geometry": ", ".join(record["body"] or "ground" for record in layout["geometry"]),
    }
    return "\n".join(f"{name:<11}{one_line(text)}" for name, text in lines.items() if text)


def _counters(result: Result) -> str:
    """Counters of the method, in the order of `Statistics`."""
    last, kept = result.statistics, list(result.run.layout["statistics"])
    switched = any(last[name] for name in SWITCHES)
    told = [name for name in kept if name not in SWITCHES or switched]
    return ", ".join(
        f"{name} {last[name]}" for name in last.names() if name in told and len(result)
    )


def span(times: Floats) -> str:
    """First and last time."""
    return f"{times[0]:.6g} s to {times[-1]:.6g} s" if len(times) else "none"
