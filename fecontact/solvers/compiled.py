"""Compiled kernels: one decorator for the small loops that numpy calls would dominate."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar, cast

import numba  # type: ignore[import-untyped, unused-ignore]

__all__ = ["compiled", "streaming"]

Kernel = TypeVar("Kernel", bound=Callable[..., object])


def compiled(kernel: Kernel) -> Kernel:
    """Compile a function of arrays and numbers at its first call; the machine code is kept on disk.

    Kernels may call each other. The code on disk belongs to the source file of a kernel: after an
    edit of a kernel, delete the `__pycache__` of those in other files that call it. With
    NUMBA_DISABLE_JIT=1 all kernels run as plain Python, for tests.
    """
    return cast(Kernel, numba.njit(cache=True)(kernel))


def streaming(kernel: Kernel) -> Kernel:
    """As `compiled`, for long loops over arrays: vector instructions also for sums.

    Products and sums may be fused and sums re-ordered, so results differ from plain Python by
    round-off, and not from call to call. A division by zero gives inf or nan, as in numpy. Python
    threads run beside the kernel.
    """
    fast = {"contract", "reassoc"}
    decorate = numba.njit(cache=True, nogil=True, fastmath=fast, error_model="numpy")
    return cast(Kernel, decorate(kernel))
