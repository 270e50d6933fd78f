"""Systems of one build function, one after the other, that differ in some of their parameters.

A map, a sweep or a branch makes a system for each value. Items with the same content as those of
the system before are replaced by these: what they have worked out, mass matrices, shapes at their
points, contact kinematics, the last force and its tangents, stays known. Only items with another
parameter are asked again.

What has no content that can be compared (`content`) is new each time.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from typing import Any

from fecontact.system.content import content
from fecontact.system.item_forces import LastAnswer
from fecontact.system.system import System

__all__ = ["Family"]


class Family:
    """A build function whose systems take over the items that do not change.

    Parameters
    ----------
    build
        Makes the system for values of the parameters.
    """

    def __init__(self, build: Callable[..., System]) -> None:
        self.build = build
        self._contents: dict[str, Any] = {}
        self._items: dict[str, Any] = {}
        self._kept: dict[str, LastAnswer] = {}

    def __call__(self, *values: Any, **named: Any) -> System:
        """System for values of the parameters."""
        system = copy(self.build(*values, **named))
        seen: dict[int, Any] = {}
        contents = {item.name: content(item, seen) for item in system.items}
        contents = {name: own for name, own in contents.items() if own is not None}
        before, items, kept = self._contents, {}, {}
        for item in system.items:
            name = item.name
            if name not in contents:
                continue
            same = name in before and before[name] == contents[name]
            items[name] = self._items[name] if same else item
            kept[name] = self._kept[name] if same else LastAnswer()
        self._contents, self._items, self._kept = contents, items, kept
        system.take_over(items, kept)
        return system
