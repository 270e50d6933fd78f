"""Compiled kernels: one decorator for the loops that numpy calls would dominate."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar, cast, overload

import numba

from fecontact.kernels import parts
from fecontact.kernels.store import keep

__all__ = ["entry", "kernel"]

Kernel = TypeVar("Kernel", bound=Callable[..., object])
_FAST: dict[str, Any] = {
    "nogil": True,
    "fastmath": {"contract", "reassoc"},
    "error_model": "numpy",
}


@overload
def kernel(function: Kernel) -> Kernel: ...


@overload
def kernel(
    *, fastmath: bool = False, allocates: bool | None = None, shared: bool = False
) -> Callable[[Kernel], Kernel]: ...


def kernel(
    function: Kernel | None = None,
    *,
    fastmath: bool = False,
    allocates: bool | None = None,
    shared: bool = False,
) -> Any:
    """Compile a function of arrays and numbers at its first call; the machine code is kept on disk.

    Kernels may call each other, and keep their own rules of arithmetic whoever calls them first; a
    division by zero gives inf or nan, as in numpy. Code on disk is taken only if neither the kernel
    nor what it calls has changed since (`kernels.stamps`). With NUMBA_DISABLE_JIT=1 all kernels run
    as plain Python, for tests.

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
    shared
        For large functions that several kernels call: they are compiled once, not within each of
        their callers. Worth it from a second of compilation on; a call costs some nanoseconds.
    """
    if function is None:
        return partial(kernel, fastmath=fastmath, allocates=allocates, shared=shared)
    counts = not fastmath if allocates is None else allocates
    rules = _FAST if fastmath else {"fastmath": False, "error_model": "numpy"}
    return _kept(function, {"_nrt": counts, **rules}, shared)


def entry(function: Callable[..., Any], *arguments: Any) -> Callable[..., Any]:
    """Machine code of a kernel for arguments of these types, without a look at those of a call.

    The look costs more than a short kernel, most of all for a `Bundle`. Whoever calls it must give
    what it was made for.
    """
    if not isinstance(function, parts.Kernel):
        return function
    code: Callable[..., Any] = function.code_for(*arguments)
    return code


def _kept(function: Kernel, options: dict[str, Any], shared: bool) -> Kernel:
    """Compile with options of numba; the machine code is kept on disk where there is a folder."""
    compiler: Any = numba
    if compiler.config.DISABLE_JIT:
        return function
    made = parts.Kernel(function, options, shared)
    keep(made, function, options)
    keep(made.part, function, options, "part")
    return cast(Kernel, made)
