"""Threads of the linear algebra: one for small systems, whatever the caller has set.

On matrices of a few hundred rows the threads of BLAS wait for each other longer than they work, and
the same motion takes twice the CPU time; large ones keep the threads they are given.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache, wraps
from inspect import signature
from threading import local
from typing import Any, ParamSpec, TypeVar

import numpy as np
from threadpoolctl import ThreadpoolController

__all__ = ["SMALL", "one_thread", "small_on_one_thread"]

SMALL = 300
"""Dofs up to which a system is small."""

_within = local()
"""Whether a thread of Python is in `one_thread` already: asking the libraries takes time."""

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


@contextmanager
def one_thread(size: int = 0) -> Iterator[None]:
    """Keep the linear algebra of systems up to `SMALL` dofs on one thread."""
    if size > SMALL or getattr(_within, "one", False):
        yield
        return
    _within.one = True
    try:
        with _libraries(len(sys.modules)).limit(limits=1, user_api="blas"):
            yield
    finally:
        _within.one = False


def small_on_one_thread(function: Callable[Given, Answer]) -> Callable[Given, Answer]:
    """Let a function of a system, or of equations of motion, run on one thread if that is small."""
    first = next(iter(signature(function).parameters))

    @wraps(function)
    def within(*given: Given.args, **named: Given.kwargs) -> Answer:
        with one_thread(_size_of(given[0] if given else named.get(first))):
            return function(*given, **named)

    return within


def _size_of(given: Any) -> int:
    """Number of dofs of a system, a motion or a linear model; 0 of what is none of them."""
    if hasattr(given, "sizes"):
        return int(given.sizes[0])
    mass = getattr(given, "mass", None)
    return len(mass) if isinstance(mass, np.ndarray) else int(getattr(given, "size", 0))


@lru_cache(maxsize=1)
def _libraries(modules: int) -> Any:
    """BLAS libraries of this process with so many modules: others may bring libraries of theirs."""
    return ThreadpoolController()
