"""Compiled kernels: one decorator for the small loops that numpy calls would dominate."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast

import numba  # type: ignore[import-untyped, unused-ignore]

__all__ = ["compiled", "making", "streaming"]

Kernel = TypeVar("Kernel", bound=Callable[..., object])
MARKS = (b"\n@compiled\n", b"\n@streaming\n", b"\n@making\n", b"import intrinsic")
_jit: Any = numba.njit
_STREAMING: dict[str, Any] = {
    "cache": True,
    "nogil": True,
    "fastmath": {"contract", "reassoc"},
    "error_model": "numpy",
}


def compiled(kernel: Kernel) -> Kernel:
    """Compile a function of arrays and numbers at its first call; the machine code is kept on disk.

    Kernels may call each other, and keep their own rules of arithmetic whoever calls them first; a
    division by zero gives inf or nan, as in numpy. Code on disk is taken only if no kernel of the
    package has changed since. With NUMBA_DISABLE_JIT=1 all kernels run as plain Python, for tests.
    """
    own = {"_nrt": True, "fastmath": False, "error_model": "numpy"}
    return cast(Kernel, _stamped(_jit(cache=True, **own)(kernel)))


def streaming(kernel: Kernel) -> Kernel:
    """As `compiled`, for long loops over arrays: vector instructions also for sums.

    Products and sums may be fused and sums re-ordered, so results differ from plain Python by
    round-off, and not from call to call. Python threads run beside the kernel. It neither makes
    arrays nor calls what returns them, and does not count who refers to those it is given: with
    many short loops that takes time.
    """
    return cast(Kernel, _stamped(_jit(_nrt=False, **_STREAMING)(kernel)))


def making(kernel: Kernel) -> Kernel:
    """As `streaming`, for kernels that make arrays: the working space of others."""
    return cast(Kernel, _stamped(_jit(_nrt=True, **_STREAMING)(kernel)))


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
    """Hash of the files below a folder in which there are kernels, and of this one."""
    digest = sha256(Path(__file__).read_bytes())
    for path in sorted(folder.rglob("*.py")):
        text = path.read_bytes()
        if any(mark in text for mark in MARKS):
            digest.update(text)
    return digest.hexdigest()
