"""What a `Result` asks of a run, in memory (`MemoryRun`) or in a file (`StoredRun`).

A run has k complete records. A record has parts by name, one row per time in each: "t", "q", "v",
"a", "lam", "z", "status", "slip_totals", "resume", "frames", "energies/slip", "statistics/steps",
"contacts/0/pressure". Arrays that do not change in time are "fixed". `layout` tells what the
columns mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy.typing as npt

if TYPE_CHECKING:
    from fecontact.results.hdf5.file import StoredRun
    from fecontact.results.memory import MemoryRun

__all__ = ["POINT_FIELDS", "POINT_SUMS", "Array", "Source"]

Array = npt.NDArray[Any]

POINT_FIELDS = {
    "gap": (), "pressure": (), "normal": (3,), "traction": (3,), "slip": (3,), "position": (3,),
    "point_slip_power": (),
}  # fmt: skip
"""Fields of a contact that are kept, with their shape at one point."""
POINT_SUMS = ("energy", "damping_power", "slip_power", "supplied_power")
"""Numbers per time of a contact that are kept."""

Source: TypeAlias = "MemoryRun | StoredRun"
"""Records of a run, in memory or in a file."""
