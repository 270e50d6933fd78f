"""Compiled functions that are called by their address, so that kernels need not know them.

A kernel that works on blocks of points calls the laws of its contact by address: it is compiled
once for all laws, and a law once for all kernels. Such a function has the signature

    double f(double *w, double *parameters, double h)

with the working array w of a block. It is written in Python, usually as a closure over the point
functions of a law; `block_address` compiles it and keeps the machine code on disk under a key that
names the law. Without compilation (NUMBA_DISABLE_JIT=1) addresses are numbers of Python functions.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from typing import Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped, unused-ignore]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from fecontact.kernels.parts import BlockFunction, Kernel
from fecontact.kernels.store import keep
from fecontact.typing import Floats

__all__ = ["block_address", "call_at", "call_block", "inlined"]

RULES: dict[str, Any] = {"fastmath": {"contract", "reassoc"}, "error_model": "numpy"}
_kinds: Any = types
_numba: Any = numba
POINTER = _kinds.CPointer(types.float64)
REACH = 1 << 40
"""Length of the view of parameters of unknown number; no index is checked."""
ARGUMENTS = (POINTER, POINTER, types.float64)

_plain: list[Callable[..., float]] = [lambda w, parameters, h: 0.0]  # 0 is no address
_compiled: list[Any] = []
_build: Any = cgutils


@cache
def inlined(function: Callable[..., Any], allocates: bool = True) -> Any:
    """Compile a point function into whatever calls it; `allocates` as in `decorators.kernel`."""
    if _numba.config.DISABLE_JIT:
        return function
    return Kernel(function, {"forceinline": True, "_nrt": allocates, **RULES})


def block_address(function: Callable[..., float], *key: str, allocates: bool = True) -> int:
    """Address of the compiled form of a function (w, parameters, h) -> number.

    Parameters
    ----------
    function
        It gets both arrays as pointers and looks at them by `arrays.viewed`.
    key
        What tells it from others that the same code makes, such as the names of a law.
    allocates
        Whether it may make arrays, see `decorators.kernel`.
    """
    if _numba.config.DISABLE_JIT:
        _plain.append(function)
        return len(_plain) - 1
    rules = {"_nrt": allocates, **RULES}
    made = BlockFunction(function, (ARGUMENTS, types.float64), {}, rules)
    keep(made, function, rules, *key)
    made.compile()
    _compiled.append(made)  # the machine code lives as long as the process
    return int(made.address)


def call_block(address: int, w: Floats, parameters: Floats, h: float) -> float:
    """Call a function by its address, from Python or from a kernel."""
    if _numba.config.DISABLE_JIT:
        return _plain[address](w, parameters, h)
    kind = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_double)
    return float(kind(address)(w.ctypes.data, parameters.ctypes.data, h))


def call_at(address: int, w: Floats, parameters: int, h: float) -> float:
    """As `call_block`, with the parameters at an address in memory."""
    numbers = np.ctypeslib.as_array((ctypes.c_double * REACH).from_address(int(parameters)))
    if address < len(_plain):
        return _plain[address](w, numbers, h)
    kind = ctypes.CFUNCTYPE(
        ctypes.c_double, *[ctypes.POINTER(ctypes.c_double)] * 2, ctypes.c_double
    )
    data = w.ctypes.data_as(ctypes.POINTER(ctypes.c_double))
    return float(kind(int(address))(data, ctypes.cast(int(parameters), type(data)), h))


def _build_call_at(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    address, w, parameters, h = arguments
    data = _build.create_struct_proxy(signature.args[1])(context, builder, w).data
    numbers = builder.inttoptr(parameters, data.type)
    kind = ir.FunctionType(h.type, [data.type, data.type, h.type])
    return builder.call(builder.inttoptr(address, kind.as_pointer()), [data, numbers, h])


def _type_call_at(context: Any, address: Any, w: Any, parameters: Any, h: Any) -> Any:
    return types.float64(types.int64, w, types.int64, types.float64), _build_call_at


_at_address: Any = intrinsic(_type_call_at)


@overload(call_at)
def _called_at(address: Any, w: Any, parameters: Any, h: Any) -> Any:
    def within(address: Any, w: Any, parameters: Any, h: Any) -> Any:
        return _at_address(address, w, parameters, h)

    return within


def _build_call(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    address, w, parameters, h = arguments
    data = [
        _build.create_struct_proxy(kind)(context, builder, array).data
        for kind, array in zip(signature.args[1:3], (w, parameters), strict=True)
    ]
    kind = ir.FunctionType(h.type, [*(each.type for each in data), h.type])
    return builder.call(builder.inttoptr(address, kind.as_pointer()), [*data, h])


def _type_call(context: Any, address: Any, w: Any, parameters: Any, h: Any) -> Any:
    return types.float64(types.int64, w, parameters, types.float64), _build_call


_by_address: Any = intrinsic(_type_call)


@overload(call_block)
def _called(address: Any, w: Any, parameters: Any, h: Any) -> Any:
    def within(address: Any, w: Any, parameters: Any, h: Any) -> Any:
        return _by_address(address, w, parameters, h)

    return within
