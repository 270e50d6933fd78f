"""Forces and tangents of items that are asked in Python, when needed or kept from before.

Systems that differ in one parameter have most items in common (`Assembly.with_items`): what these
answered at the same coordinates and velocities is not worked out again.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from fecontact.system.variants.content import content
from fecontact.typing import Floats, Item, Tangents, supports

__all__ = ["ItemForces", "KeptForces"]


class ItemForces:
    """Asks the items themselves, at once where one offers it."""

    def force(self, item: Item, t: float, q: Floats, v: Floats) -> Floats:
        """Force of an item."""
        return item.force(t, q, v)

    def evaluate(self, item: Item, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Force and derivatives of an item; its kinematics once where it offers that."""
        if supports(item, "evaluate"):
            at_once: Any = item
            force, by_q, by_v = at_once.evaluate(t, q, v)
        else:
            force, (by_q, by_v) = item.force(t, q, v), item.tangents(t, q, v)
        return force, by_q, by_v

    def without(self, changed: Collection[str]) -> KeptForces:
        """The same for a system with some other items, which keeps what all others answer."""
        return KeptForces({}, changed)


class _LastAnswer:
    """What an item answered last: time, coordinates and velocities, force and tangents."""

    def __init__(self) -> None:
        self.key: tuple[float, bytes, bytes] | None = None
        self.force: Floats | None = None
        self.tangents: Tangents | None = None

    def at(self, t: float, q: Floats, v: Floats) -> _LastAnswer:
        """The answer, emptied if it belongs to another question."""
        key = t, q.tobytes(), v.tobytes()
        if key != self.key:
            self.key, self.force, self.tangents = key, None, None
        return self


class KeptForces(ItemForces):
    """Keeps the last answer of each item whose content is known; others are asked each time.

    `kept` are the last answers by name, None for items that are asked each time, as those in
    `changed` are: they may be others in the next system too.
    """

    def __init__(self, kept: dict[str, _LastAnswer | None], changed: Collection[str]) -> None:
        self.kept, self.changed = kept, changed

    def without(self, changed: Collection[str]) -> KeptForces:
        """The same for a system with some other items, which keeps what all others answer."""
        kept = {name: last for name, last in self.kept.items() if name not in changed}
        return KeptForces(kept, changed)

    def _last(self, item: Item) -> _LastAnswer | None:
        if item.name in self.changed:
            return None
        if item.name not in self.kept:
            self.kept[item.name] = None if content(item) is None else _LastAnswer()
        return self.kept[item.name]

    def force(self, item: Item, t: float, q: Floats, v: Floats) -> Floats:
        """Force of an item."""
        kept = self._last(item)
        if kept is None:
            return super().force(item, t, q, v)
        last = kept.at(t, q, v)
        if last.force is None:
            if supports(item, "evaluate"):
                return self.evaluate(item, t, q, v)[0]
            last.force = item.force(t, q, v)
        return last.force

    def evaluate(self, item: Item, t: float, q: Floats, v: Floats) -> tuple[Floats, Floats, Floats]:
        """Force and derivatives of an item."""
        kept = self._last(item)
        if kept is None:
            return super().evaluate(item, t, q, v)
        last = kept.at(t, q, v)
        if last.tangents is None:
            last.force, *slopes = super().evaluate(item, t, q, v)
            last.tangents = slopes[0], slopes[1]
        assert last.force is not None
        return last.force, *last.tangents
