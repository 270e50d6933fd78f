"""Compiled kernels: one decorator for the loops that numpy calls would dominate.

Machine code is kept on disk, by default beside the sources. A disk that cannot be read or written
is no error: the kernels are then compiled in memory, and a warning says so once.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar, cast, overload

import numba
from numba.core.caching import IndexDataCacheFile

__all__ = ["kernel"]

Kernel = TypeVar("Kernel", bound=Callable[..., object])
MARKS = (b"\n@kernel", b"\n@inlined", b" inlined(", b"import intrinsic")
_FAST: dict[str, Any] = {
    "nogil": True,
    "fastmath": {"contract", "reassoc"},
    "error_model": "numpy",
}


@overload
def kernel(function: Kernel) -> Kernel: ...


@overload
def kernel(
    *, fastmath: bool = False, allocates: bool | None = None
) -> Callable[[Kernel], Kernel]: ...


def kernel(
    function: Kernel | None = None, *, fastmath: bool = False, allocates: bool | None = None
) -> Any:
    """Compile a function of arrays and numbers at its first call; the machine code is kept on disk.

    Kernels may call each other, and keep their own rules of arithmetic whoever calls them first; a
    division by zero gives inf or nan, as in numpy. Code on disk is taken only if no kernel of the
    package has changed since. With NUMBA_DISABLE_JIT=1 all kernels run as plain Python, for tests.

    Parameters
    ----------
    function
        What to compile; without it a decorator with the options is returned.
    fastmath
        For long loops over arrays: vector instructions also for sums. Products and sums may be
        fused and sums re-ordered, so results differ from plain Python by round-off, and not from
        call to call. Python threads run beside the kernel.
    allocates
        Whether the kernel makes arrays or calls what returns them; by default those without
        `fastmath` may. One that does not need not count who refers to the arrays it is given,
        which takes time in short loops.
    """
    if function is None:
        return partial(kernel, fastmath=fastmath, allocates=allocates)
    counts = not fastmath if allocates is None else allocates
    rules = _FAST if fastmath else {"fastmath": False, "error_model": "numpy"}
    return _kept(function, {"_nrt": counts, **rules})


def _kept(function: Kernel, options: dict[str, Any]) -> Kernel:
    """Compile with options of numba; the machine code is kept on disk where there is a folder."""
    jit: Any = numba.njit
    try:
        dispatcher = jit(cache=True, **options)(function)
    except RuntimeError:  # numba finds neither a writable folder of sources nor of the user
        say_in_memory("no folder can be written")
        return cast(Kernel, jit(**options)(function))
    files: Any = getattr(dispatcher, "_cache", None)
    if isinstance(getattr(files, "_cache_file", None), IndexDataCacheFile):
        files._cache_file = CodeFile(files.cache_path, files._impl.filename_base)
    return cast(Kernel, dispatcher)


class CodeFile(IndexDataCacheFile):
    """Machine code of a kernel on disk, with the stamp of the sources of all kernels.

    Callees are compiled into their callers, and numba looks at the file of the caller only. It also
    writes the index before the code: the code itself carries the stamp, so that code which a full
    disk or a killed process kept from being replaced is not taken for new. The sources are read
    when code is first looked for, not when kernels are imported.
    """

    def __init__(self, cache_path: str, filename_base: str) -> None:
        IndexDataCacheFile.__init__(self, cache_path, filename_base, None)

    @property
    def _source_stamp(self) -> str:
        return fingerprint(Path(__file__).parents[1])

    @_source_stamp.setter
    def _source_stamp(self, stamp: None) -> None:
        """The sources tell it."""

    def load(self, key: Any) -> Any:
        """Code of a signature; None if there is none of these sources that can be read."""
        try:
            found = super().load(key)
        except Exception:  # damaged: pickle raises nearly anything
            return None
        stamped = isinstance(found, tuple) and len(found) == 2 and found[0] == self._source_stamp
        return found[1] if stamped else None

    def save(self, key: Any, data: Any) -> None:
        """Keep code, if the disk can be written."""
        try:
            super().save(key, (self._source_stamp, data))
        except OSError as error:
            say_in_memory(os.strerror(error.errno) if error.errno else str(error))

    def _load_index(self) -> Any:
        try:
            return super()._load_index()
        except Exception:  # damaged, or not readable: begin a new one
            return {}


@cache
def say_in_memory(reason: str) -> None:
    """Warn, once for each reason, in one line and without a line of source."""
    warnings.warn_explicit(
        f"compiled code cannot be kept on disk ({reason}): every process compiles anew, which may "
        "take minutes; set NUMBA_CACHE_DIR to a folder that can be written",
        UserWarning,
        "fecontact",
        1,
    )


@cache
def fingerprint(folder: Path) -> str:
    """Hash of the files below a folder in which there are kernels, and of this one."""
    digest = sha256(Path(__file__).read_bytes())
    for path in sorted(folder.rglob("*.py")):
        text = path.read_bytes()
        if any(mark in text for mark in MARKS):
            digest.update(text)
    return digest.hexdigest()
