"""What the points of a contact keep from step to step."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from fecontact.contact.laws.base import FrictionLaw, NormalLaw, history_width
from fecontact.contact.laws.table import TableNormal
from fecontact.contact.status import OPEN
from fecontact.errors import InputError, renamed, warn_caller
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = [
    "ContactHistory",
    "refuse_other_points",
    "refuse_pressed_through",
    "stateful_law",
]


@renamed(mode="status", wear="slip_totals")
@dataclass(frozen=True, eq=False)
class ContactHistory:
    """History of the points of a contact.

    Attributes
    ----------
    z : (p, k)
        Elastic slip in the frame of the master, then the state of a normal layer if there is one.
    status : (p,)
        OPEN, STICK, SLIP or GROSS.
    slip_totals : (p, 2)
        Slip work in J and slip path in m since the start; it never enters the dynamics.
    """

    z: Floats
    status: Integers
    slip_totals: Floats

    @staticmethod
    def fresh(points: int, columns: int = 3) -> ContactHistory:
        """Points that were never in contact."""
        return ContactHistory(
            np.zeros((points, columns)), np.full(points, OPEN), np.zeros((points, 2))
        )


def stateful_law(pair: ContactPair, history_columns: int) -> FrictionLaw:
    """Friction law of a pair; it must have a form in time, and the history its columns."""
    if not isinstance(pair.friction, FrictionLaw):
        raise InputError(
            f"{pair.name}: {type(pair.friction).__name__} has no history and is for points that "
            "slide, in steady states and in simulate; load paths and histories need a law such as "
            "ElastoPlastic"
        )
    columns = history_width(pair.normal, pair.friction)
    if history_columns != columns:
        raise InputError(
            f"{pair.name}: invalid history of {history_columns} columns with "
            f"{type(pair.normal).__name__}: expected {columns}; see ContactHistory.fresh"
        )
    return pair.friction


def refuse_other_points(name: str, points: int, history: ContactHistory) -> None:
    """A history has a row for each point; kernels do not look."""
    found = {len(history.z), len(history.status), len(history.slip_totals)}
    if found != {points}:
        raise InputError(
            f"{name}: invalid history of {min(found)} points: expected {points}; see "
            "ContactHistory.fresh"
        )


def refuse_pressed_through(name: str, law: NormalLaw, gap: Floats) -> None:
    """Points that were open cannot be deeper in the layer than it is thick.

    A table continues beyond its end: there is a warning.
    """
    depth = -float(gap.min(initial=0.0))
    if depth > 0.0 and isinstance(law, TableNormal) and depth > law.compressions[-1]:
        warn_caller(
            f"{name}: a point starts {depth:.3g} m deep, and the table of the facing ends at "
            f"{law.compressions[-1]:.3g} m: its last slope continues"
        )
    thickness = getattr(law, "thickness", np.inf)
    if depth > 0.0 and depth > thickness:
        raise InputError(
            f"{name}: a point starts {depth:.3g} m deep in a layer of {thickness:.3g} m: "
            "move the bodies apart or give an initial gap"
        )
