"""State of a system."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from fecontact.errors import renamed, renamed_keywords
from fecontact.typing import Floats, Integers

__all__ = ["State"]


NOTHING = np.zeros(0)
NO_STATUSES = np.zeros(0, dtype=np.int64)


def _nothing() -> Floats:
    return NOTHING


def _no_statuses() -> Integers:
    return NO_STATUSES


@renamed(mode="status", wear="slip_totals")
@renamed_keywords(mode="status", wear="slip_totals")
@dataclass(frozen=True, eq=False)
class State:
    """Time and all that changes with it.

    Attributes
    ----------
    t
        Time in s.
    q, v
        Coordinates, and velocities of the dofs.
    lam
        Multipliers of the constraint rows; empty if not known.
    z, status, slip_totals
        Internal variables, status (open, stick, slip) and slip totals (slip work in J, slip path in
        m) of all stateful contacts, as `System.history_layout` lays them out; empty if there is no
        history.
    """

    t: float
    q: Floats
    v: Floats
    lam: Floats = field(default_factory=_nothing)
    z: Floats = field(default_factory=_nothing)
    status: Integers = field(default_factory=_no_statuses)
    slip_totals: Floats = field(default_factory=_nothing)
