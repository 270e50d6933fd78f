"""Compiled kernels: one decorator for the small loops that numpy calls would dominate."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import numba  # type: ignore[import-untyped, unused-ignore]

__all__ = ["compiled", "streaming"]

Kernel = TypeVar("Kernel", bound=Callable[..., object])
DECORATORS = (b"\n@compiled\n", b"\n@streaming\n")


def compiled(kernel: Kernel) -> Kernel:
    """Compile a function of arrays and numbers at its first call; the machine code is kept on disk.

    Kernels may call each other; code on disk is taken only if no kernel of the package has changed
    since. With NUMBA_DISABLE_JIT=1 all kernels run as plain Python, for tests.
    """
    return cast(Kernel, _stamped(numba.njit(cache=True)(kernel)))


def streaming(kernel: Kernel) -> Kernel:
    """As `compiled`, for long loops over arrays: vector instructions also for sums.

    Products and sums may be fused and sums re-ordered, so results differ from plain Python by
    round-off, and not from call to call. A division by zero gives inf or nan, as in numpy. Python
    threads run beside the kernel.
    """
    fast = {"contract", "reassoc"}
    decorate = numba.njit(cache=True, nogil=True, fastmath=fast, error_model="numpy")
    return cast(Kernel, _stamped(decorate(kernel)))


def _stamped(dispatcher: Any) -> Any:
    """Let code on disk belong to the sources of all kernels, not to the own file alone.

    Callees are compiled into their callers; numba looks at the file of the caller only.
    """
    file = getattr(getattr(dispatcher, "_cache", None), "_cache_file", None)
    if file is not None:
        file._source_stamp = fingerprint(Path(__file__).parents[1])
    return dispatcher


@cache
def fingerprint(folder: Path) -> str:
    """Hash of the files below a folder in which there are kernels."""
    digest = sha256()
    for path in sorted(folder.rglob("*.py")):
        text = path.read_bytes()
        if any(decorator in text for decorator in DECORATORS):
            digest.update(text)
    return digest.hexdigest()
