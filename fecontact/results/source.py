"""What a `Result` asks of a run, in memory (`MemoryRun`) or in a file (`StoredRun`).

A run has k complete records. A record has parts by name, one row per time in each: "t", "q", "v",
"a", "lam", "z", "status", "slip_totals", "resume", "frames", "energies/slip", "statistics/steps",
"contacts/0/pressure". Arrays that do not change in time are "fixed". `layout` tells what the
columns mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy.typing as npt

from fecontact.results.point import Crossing
from fecontact.system import State

__all__ = ["POINT_FIELDS", "POINT_SUMS", "Array", "Source"]

Array = npt.NDArray[Any]

POINT_FIELDS = {
    "gap": (), "pressure": (), "normal": (3,), "traction": (3,), "slip": (3,), "position": (3,),
    "point_slip_power": (),
}  # fmt: skip
"""Fields of a contact that are kept, with their shape at one point."""
POINT_SUMS = ("energy", "damping_power", "slip_power", "supplied_power")
"""Numbers per time of a contact that are kept."""


class Source(Protocol):
    """Records of a run."""

    @property
    def label(self) -> str:
        """How messages call the run."""
        ...

    @property
    def path(self) -> Path | None:
        """The file, if there is one."""
        ...

    @property
    def layout(self) -> Mapping[str, Any]:
        """Method, origin, names of dofs, rows, bodies, contacts, energies, counters, geometry."""
        ...

    @property
    def about(self) -> Mapping[str, Any]:
        """The layout, and beside it program, options, description and fingerprint of the system."""
        ...

    @property
    def validity(self) -> dict[str, float]:
        """Body -> frequency in Hz up to which it is valid at the start of the motion."""
        ...

    @property
    def complete(self) -> int:
        """Number k of complete records."""
        ...

    @property
    def status(self) -> str:
        """How the run ended."""
        ...

    @property
    def message(self) -> str:
        """What the run said at its end."""
        ...

    @property
    def shapes(self) -> Mapping[str, tuple[int, ...]]:
        """Shape of one row of each part."""
        ...

    def fixed(self, name: str) -> Array:
        """Array that does not change in time."""
        ...

    def records(self, name: str, rows: slice = slice(None)) -> Array:
        """Rows (k, ...) of a part."""
        ...

    def listed(self, rows: slice = slice(None)) -> Sequence[Array]:
        """Located switches (e, 4) of contact points in the time before each of these records."""
        ...

    def crossings(self) -> tuple[Crossing, ...]:
        """User events that happened, in order of time."""
        ...

    def state(self, number: int) -> State:
        """State of a record."""
        ...
