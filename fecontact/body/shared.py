"""What bodies with the same model have in common: made once, however many bodies there are.

A clutch pack has several plates of one shape. Their bodies take one model; shapes of nodes and of
contact points, inertia integrals, matrices and factorisations belong to the model and are kept here
as long as it lives.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

__all__ = ["shared"]

Value = TypeVar("Value")

_KEPT: dict[int, dict[Hashable, Any]] = {}


def shared(model: object, key: Hashable, make: Callable[[], Value]) -> Value:
    """Value of `make()` under a key, kept with the model.

    Examples
    --------
    >>> class Model: pass
    >>> one = Model()
    >>> first = shared(one, "shapes", lambda: [1.0])
    >>> shared(one, "shapes", lambda: [2.0]) is first
    True
    """
    if id(model) not in _KEPT:
        _KEPT[id(model)] = {}
        weakref.finalize(model, _KEPT.pop, id(model), None)
    kept = _KEPT[id(model)]
    if key not in kept:
        kept[key] = make()
    value: Value = kept[key]
    return value
