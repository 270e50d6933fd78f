"""Which items give an answer, remembered by type: to ask a protocol costs more than a force."""

from __future__ import annotations

from collections.abc import Iterable
from types import SimpleNamespace
from typing import Any

__all__ = ["supporting", "supports"]

_KNOWN: dict[tuple[type, type], bool] = {}


def supports(item: object, answer: type) -> bool:
    """Whether an item gives the answers of a protocol; all items of a type do, or none.

    A bare namespace has no answers of its type: it is asked itself.
    """
    if isinstance(item, SimpleNamespace):
        return isinstance(item, answer)
    key = type(item), answer
    if key not in _KNOWN:
        _KNOWN[key] = isinstance(item, answer)
    return _KNOWN[key]


def supporting(items: Iterable[object], answer: type) -> tuple[Any, ...]:
    """Items that give the answers of a protocol."""
    return tuple(item for item in items if supports(item, answer))
