"""Whether two objects are made of the same numbers.

The content of an object are all its numbers, texts and arrays, noted when it is asked for: also an
array that is written in place changes it. What consists of anything else, functions, objects of
classes from outside of the package, has no content.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Any

import numpy as np

__all__ = ["alike", "content"]

PLAIN = frozenset({float, int, bool, str, type(None)})
OUTSIDE = frozenset({"abc", "builtins", "typing"})
"""Modules of the standard library whose classes are bases only."""


class _UnknownError(Exception):
    """An object whose content is not known."""


def alike(one: Any, two: Any) -> bool:
    """Whether two objects are the same, or made of the same numbers."""
    if one is two:
        return True
    own = content(one)
    return own is not None and own == content(two)


def content(value: Any, seen: dict[int, Any] | None = None) -> Any:
    """All numbers, texts and arrays of an object; None if it consists of something else too.

    Objects with equal content behave alike. `seen` has what was found before, by identity.

    Examples
    --------
    >>> from fecontact.contact import PenaltyNormal
    >>> content(PenaltyNormal(1e9)) == content(PenaltyNormal(1e9))
    True
    >>> content(PenaltyNormal(1e9)) == content(PenaltyNormal(2e9))
    False
    """
    try:
        return _content(value, {} if seen is None else seen)
    except _UnknownError:
        return None


def _content(value: Any, seen: dict[int, Any]) -> Any:
    kind = type(value)
    if kind in PLAIN:
        return value or str(value)  # zeros by their sign
    if kind is np.ndarray:
        if value.dtype.hasobject:
            raise _UnknownError
        return value.dtype.str, value.shape, value.tobytes()
    key = id(value)
    if key not in seen:
        seen[key] = kind, *_parts(value, kind, seen)
    return seen[key]


def _parts(value: Any, kind: type, seen: dict[int, Any]) -> list[Any]:
    """Contents of what an object consists of."""
    if kind is tuple or kind is list:
        return [_content(part, seen) for part in value]
    if isinstance(value, Mapping) and kind is dict:
        return [_content(part, seen) for pair in value.items() for part in pair]
    if issubclass(kind, np.generic):
        return [value.tobytes()]
    read: Callable[[Any], tuple[Any, ...]] = _reader(kind)  # type: ignore[arg-type]
    return [_content(part, seen) for part in read(value)]


@cache
def _reader(kind: type) -> Callable[[Any], tuple[Any, ...]]:
    """Reads the parameters of an object: the fields of a dataclass of the package."""
    modules = {base.__module__.partition(".")[0] for base in kind.__mro__}
    package = __name__.partition(".")[0]
    if not is_dataclass(kind) or not modules <= {package, *OUTSIDE}:
        return _refuse
    names = [field.name for field in fields(kind) if field.init]
    if len(names) > 1:
        return attrgetter(*names)
    return lambda value: tuple(getattr(value, name) for name in names)


def _refuse(value: Any) -> tuple[Any, ...]:
    raise _UnknownError
