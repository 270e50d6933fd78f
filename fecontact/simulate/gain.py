"""Energy that a time-stepping method makes of nothing: the sign that it blows up."""

from __future__ import annotations

from fecontact.simulate.trajectory import Point
from fecontact.store.energy import LINES

__all__ = ["CREATED", "brought", "held", "made"]

CREATED = 100.0
"""Energy that a method may have made, relative to what was there or supplied.

Near the bound of the explicit method the energies at the steps swing by such factors without
growing.
"""

STORED = ("kinetic", "strain", "contact")


def made(point: Point) -> float:
    """Energy in J that integration and balances of the items have made."""
    now = _lines(point)
    return -now["numerical"] - now["residual"]


def held(point: Point) -> float:
    """Energy in J of motion, strain and contact."""
    now = _lines(point)
    return sum(abs(now[name]) for name in STORED)


def brought(first: Point, point: Point) -> float:
    """Energy in J that was held at first, released by potentials, or supplied since."""
    before, now = _lines(first), _lines(point)
    released = abs(now["potential"] - before["potential"])
    return held(first) + released + abs(now["supplied"])


def _lines(point: Point) -> dict[str, float]:
    return dict(zip(LINES, point.energies.tolist(), strict=True))
