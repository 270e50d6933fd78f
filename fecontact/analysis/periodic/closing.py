"""Gaps of the contact points of a system: where one passes through zero, a contact closes.

A normal spring with a damper jumps to the force of the damper there. Steps that end at the jump
keep their order, and the motion depends smoothly on its start (`one_period`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.system import State, System
from fecontact.typing import Floats, supporting

__all__ = ["Closing", "ContactGaps"]


class Closing(ABC):
    """A motion whose force may jump where a gap falls through zero."""

    @abstractmethod
    def gaps(self, t: float, q: Floats) -> Floats:
        """Gaps (p,) in m."""

    @abstractmethod
    def gap_change(self, t: float, q: Floats, index: int) -> tuple[Floats, float]:
        """Derivatives of one gap by the free coordinates (n,) and by time."""


class ContactGaps:
    """Gaps of all contact points of a system, in the order of its items."""

    def __init__(self, system: System) -> None:
        self.system = system
        self.items = supporting(system.items, "kinematics")

    def at(self, state: State) -> Floats:
        """Gaps (p,) in m."""
        found = [self._kinematics(item, state).gap for item in self.items]
        return np.concatenate(found) if found else np.zeros(0)

    def change(self, state: State, index: int) -> Floats:
        """Derivative (n,) of one gap by the dofs."""
        row = np.zeros(self.system.size)
        for item in self.items:
            kinematics = self._kinematics(item, state)
            if index < len(kinematics.normal):
                own = self.system.fold(item.name, kinematics.by_q.gap[index], 0)
                row[self.system.dof_indices(item.name)] = own
                break
            index -= len(kinematics.normal)
        return row

    def _kinematics(self, item: Any, state: State) -> ContactKinematics:
        q, v = self.system.local(item, state)
        return item.kinematics(q, v, state.t)
