"""Forces and tangents of single items, asked when needed or kept from the question before.

Systems that differ in one parameter have most items in common (`system.family`): what these
answered at the same coordinates and velocities is not worked out again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from fecontact.typing import Floats, Item, Tangents, supporting

__all__ = ["ItemForces", "KeptForces", "LastAnswer"]


class ItemForces:
    """Asks the items themselves, at once where one offers it."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._at_once: dict[str, Any] = {
            item.name: item.evaluate for item in supporting(items, "evaluate")
        }

    def force(self, item: Item, t: float, q: Floats, v: Floats) -> Floats:
        """Force of an item."""
        return item.force(t, q, v)

    def tangents(self, item: Item, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of the force of an item."""
        return item.tangents(t, q, v)

    def evaluate(self, item: Item, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Force and derivatives of an item; its kinematics once where it offers that."""
        at_once = self._at_once.get(item.name)
        if at_once is not None:
            force, by_q, by_v = at_once(t, q, v)
        else:
            force, (by_q, by_v) = item.force(t, q, v), item.tangents(t, q, v)
        return force, by_q, by_v


class LastAnswer:
    """What an item answered last: time, coordinates and velocities, force and tangents."""

    def __init__(self) -> None:
        self.key: tuple[float, bytes, bytes] | None = None
        self.force: Floats | None = None
        self.tangents: Tangents | None = None

    def at(self, t: float, q: Floats, v: Floats) -> LastAnswer:
        """The answer, emptied if it belongs to another question."""
        key = t, q.tobytes(), v.tobytes()
        if key != self.key:
            self.key, self.force, self.tangents = key, None, None
        return self


class KeptForces(ItemForces):
    """Keeps the last answers of some items, by name; the others are asked each time."""

    def __init__(self, items: Iterable[Item], kept: Mapping[str, LastAnswer]) -> None:
        super().__init__(items)
        self.kept = kept

    def force(self, item: Item, t: float, q: Floats, v: Floats) -> Floats:
        """Force of an item."""
        if item.name not in self.kept:
            return super().force(item, t, q, v)
        last = self.kept[item.name].at(t, q, v)
        if last.force is None:
            if item.name in self._at_once:
                return self.evaluate(item, t, q, v)[0]
            last.force = item.force(t, q, v)
        return last.force

    def tangents(self, item: Item, t: float, q: Floats, v: Floats) -> Tangents:
        """Derivatives of the force of an item."""
        if item.name not in self.kept:
            return super().tangents(item, t, q, v)
        last = self.kept[item.name].at(t, q, v)
        if last.tangents is None:
            if item.name in self._at_once:
                return self.evaluate(item, t, q, v)[1:]
            last.tangents = item.tangents(t, q, v)
        return last.tangents

    def evaluate(self, item: Item, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Force and derivatives of an item."""
        if item.name not in self.kept:
            return super().evaluate(item, t, q, v)
        last = self.kept[item.name].at(t, q, v)
        if last.force is None or last.tangents is None:
            last.force, *slopes = super().evaluate(item, t, q, v)
            last.tangents = slopes[0], slopes[1]
        return last.force, *last.tangents
