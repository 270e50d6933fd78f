"""Compiled functions in two forms: one that Python calls, and a part that other kernels call.

numba makes machine code of each function that a kernel calls, with all that Python needs to call
it, and optimises it once by itself and once more within each of its callers. Most of that is never
used. Here a function that kernels call is a part: it is typed, lowered and linked into its callers,
which are optimised as a whole.

    kernel (Python calls it)  <-  part  <-  part ...

A `Kernel` stands for its part wherever compiled code names it; nobody else sees parts. numba's own
functions (of numpy, say) are treated alike while kernels are compiled.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from numba.core import types
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler_lock import global_compiler_lock
from numba.core.imputils import lower_constant
from numba.core.registry import CPUDispatcher, cpu_target
from numba.extending import models, register_model

from fecontact.kernels.notice import end_compiling

__all__ = ["BlockFunction", "Kernel"]

NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_Library: Any = JITCodeLibrary
_Dispatcher: Any = CPUDispatcher
_DispatcherType: Any = types.Dispatcher
_CFunction: Any = CFunc
_lowers_constant: Any = lower_constant


class Kernel(_Dispatcher):  # type: ignore[misc, unused-ignore]
    """A compiled function that Python calls; within compiled code it is its part.

    Parameters
    ----------
    function
        What is compiled.
    options
        Options of numba.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        options = {"nopython": True, "boundscheck": None, **options}
        super().__init__(function, {}, options)
        self.part = _Dispatcher(function, {}, options | NO_WRAPPERS)

    @property
    def _numba_type_(self) -> Any:
        return _PartType(self.part)

    def add_overload(self, result: Any) -> None:
        """Take the code for one set of types."""
        _set_environments(result)
        super().add_overload(result)

    def compile(self, sig: Any) -> Any:
        """Code for one set of types, from disk or new."""
        with _compiling():
            return super().compile(sig)


class _PartType(_DispatcherType):  # type: ignore[misc, unused-ignore]
    """Type of the name of a part in compiled code.

    A name is never a value there: without the address of an object of this process, which numba
    puts in its place, the code can be kept on disk.
    """


register_model(_PartType)(models.OpaqueModel)


def _no_value(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    return context.get_constant_null(kind)


_lowers_constant(_PartType)(_no_value)


class BlockFunction(_CFunction):  # type: ignore[misc, unused-ignore]
    """A compiled function that is called by its address."""

    def compile(self) -> None:
        """Code from disk or new."""
        with _compiling():
            super().compile()

    def _compile_uncached(self) -> Any:
        result = super()._compile_uncached()
        result.library.get_pointer_to_function(result.fndesc.llvm_cfunc_wrapper_name)
        _set_environments(result)
        return result


class _Lazy(_Library):  # type: ignore[misc, unused-ignore]
    """Code that is optimised, and made machine code, when its address is asked for."""

    _emitted = False

    def _optimize_functions(self, ll_module: Any) -> None:
        ll_module.data_layout = self._codegen._data_layout

    def _optimize_final_module(self) -> None:
        """Not before `_emit`."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

    def _emit(self) -> None:
        """Optimise all that was linked, and make machine code of it."""
        if not self._emitted:
            self._emitted = True
            self._dynamic_globals.clear()  # those that are not used do not count
            super()._optimize_final_module()
            self._final_module.verify()
            super()._finalize_final_module()

    def get_pointer_to_function(self, name: str) -> int:
        """Address of a function of this code; 0 if it has none of that name."""
        self._ensure_finalized()
        if not self._emitted and not self._defines(name):
            return 0
        self._emit()
        return int(super().get_pointer_to_function(name))

    def _defines(self, name: str) -> bool:
        try:
            return not self._final_module.get_function(name).is_declaration
        except NameError:
            return False

    def serialize_using_object_code(self) -> Any:
        """Form on disk: machine code if there is any."""
        if self._emitted:
            return super().serialize_using_object_code()
        return self.serialize_using_bitcode()

    @classmethod
    def _unserialize(cls, codegen: Any, state: Any) -> Any:
        if state[1] == "bitcode":
            return super()._unserialize(codegen, state)
        with _using(codegen, JITCodeLibrary):
            return _Library._unserialize(codegen, state)


def _set_environments(result: Any) -> None:
    """Give the parts that are linked into new code their constants."""
    for environment in result._find_referenced_environments():
        result.library.codegen.set_env(environment.env_name, environment)


@contextmanager
def _compiling() -> Iterator[None]:
    """Compile with parts; without collection of garbage, which walks over numba's many objects."""
    with global_compiler_lock, _using(cpu_target.target_context.codegen(), _Lazy):
        runs = gc.isenabled()
        gc.disable()
        try:
            yield
        finally:
            end_compiling()
            if runs:
                gc.enable()


@contextmanager
def _using(codegen: Any, library: type) -> Iterator[None]:
    """Let a code generator of numba make libraries of a kind."""
    before = codegen._library_class, codegen.set_env
    set_env = type(codegen).set_env

    def set_known(name: str, environment: Any) -> None:
        if codegen._engine.get_global_value_address(name):  # none of code without machine code
            set_env(codegen, name, environment)

    codegen._library_class, codegen.set_env = library, set_known
    try:
        yield
    finally:
        codegen._library_class, codegen.set_env = before
