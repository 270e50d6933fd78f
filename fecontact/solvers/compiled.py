"""Compiled kernels: one decorator for the small loops that numpy calls would dominate."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba  # type: ignore[import-untyped, unused-ignore]

__all__ = ["compiled"]

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def compiled(kernel: Kernel) -> Kernel:
    """Compile a function of arrays and numbers at its first call; the machine code is kept on disk.

    Kernels of one module may call each other. The plain Python function stays at hand as
    `kernel.py_func`, for tests.
    """
    return cast(Kernel, numba.njit(cache=True)(kernel))
