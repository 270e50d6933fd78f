"""Systems of one build function, one after the other, that differ in some of their parameters.

A map, a sweep or a branch makes a system for each value. Items with the same content as those of
the system before are replaced by these: what they have worked out, mass matrices, shapes at their
points, contact kinematics, the last force and its tangents, stays known, and the program is that of
the system before but for the rows of other items (`Assembly.with_items`). Systems that the build
function makes by `System.with_parameters` are so already.

What has no content that can be compared (`content`) is new each time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fecontact.system.system import System
from fecontact.system.variants.content import content

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
        self._latest: System | None = None

    def __call__(self, *values: Any, **named: Any) -> System:
        """System for values of the parameters."""
        system = self.build(*values, **named)
        if system.variant_of is None:
            system = self._taken_over(system)
        return system

    def _taken_over(self, system: System) -> System:
        """The system with the items of the one before that have the same content."""
        seen: dict[int, Any] = {}
        contents = {item.name: content(item, seen) for item in system.items}
        known, latest = self._contents, self._latest
        if latest is not None:
            before = {item.name: item for item in latest.items}
            same = {n for n, own in contents.items() if own is not None and known.get(n) == own}
            items = [before[i.name] if i.name in same else i for i in system.items]
            system = latest.with_items(items, system.constraints) or system
        self._contents, self._latest = contents, system
        return system
