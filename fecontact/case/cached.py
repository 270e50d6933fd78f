"""Parts of a model that few of its parameters change: made once, and kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

__all__ = ["cached_by"]

Arguments = ParamSpec("Arguments")
Made = TypeVar("Made")


def cached_by(
    *names: str,
) -> Callable[
    [Callable[Concatenate[Any, Arguments], Made]], Callable[Concatenate[Any, Arguments], Made]
]:
    """Decorate a function of parameters that reads these ones only: each set is computed once.

    A reduced plate that the friction coefficient does not concern is so made once for a whole
    stability map. What is returned is shared, and must not be changed.

    Parameters
    ----------
    *names
        Parameters that the function reads; their values must be hashable, as those of further
        arguments, which are given by position.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> @cached_by("length")
    ... def model(p):
    ...     print("made")
    ...     return p.length**2
    >>> model(SimpleNamespace(length=3.0, friction=0.1))
    made
    9.0
    >>> model(SimpleNamespace(length=3.0, friction=0.2))
    9.0
    """

    def decorate(
        function: Callable[Concatenate[Any, Arguments], Made],
    ) -> Callable[Concatenate[Any, Arguments], Made]:
        made: dict[tuple[Hashable, ...], Made] = {}

        @wraps(function)
        def cached(p: Any, /, *arguments: Arguments.args, **options: Arguments.kwargs) -> Made:
            key = (*(getattr(p, name) for name in names), *arguments, *sorted(options.items()))
            if key not in made:
                made[key] = function(p, *arguments, **options)
            return made[key]

        return cached

    return decorate
