"""Compiled functions in two forms: one that Python calls, and a part that other kernels call.

numba makes machine code of each function that a kernel calls, with all that Python needs to call
it, and optimises it once by itself and once more within each of its callers. Most of that is never
used. Here a function that kernels call is a part: it is typed, lowered and linked into its callers,
which are optimised as a whole.

    kernel (Python calls it)  <-  part  <-  part ...

What is large and has several callers is shared instead: machine code of its own, made once, which
its callers find by its name when they are loaded.

A `Kernel` stands for its part wherever compiled code names it; nobody else sees parts. numba's own
functions (of numpy, say) are treated alike while kernels are compiled.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import update_wrapper
from importlib import import_module
from inspect import signature
from typing import Any

from llvmlite.binding import parse_assembly  # type: ignore[import-untyped, unused-ignore]
from numba.core import types
from numba.core.ccallback import CFunc
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock
from numba.core.imputils import lower_constant
from numba.core.registry import CPUDispatcher, cpu_target
from numba.extending import models, register_model

from fecontact.kernels.notice import end_compiling
from fecontact.kernels.once import call_type, once, optimise
from fecontact.kernels.stamps import stamp

__all__ = ["BlockFunction", "Kernel"]

NO_WRAPPERS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
_Library: Any = JITCodeLibrary
_Dispatcher: Any = CPUDispatcher
_DispatcherType: Any = types.Dispatcher
_CFunction: Any = CFunc
_Compiler: Any = Compiler
_parsed: Any = parse_assembly
_unliteral: Any = types.unliteral
_lowers_constant: Any = lower_constant


class Kernel(_Dispatcher):  # type: ignore[misc, unused-ignore]
    """A compiled function that Python calls; within compiled code it is its part.

    Parameters
    ----------
    function
        What is compiled.
    options
        Options of numba.
    shared
        Whether its part has machine code of its own; it must then be known by its name in its
        module.
    """

    def __init__(
        self, function: Callable[..., Any], options: dict[str, Any], shared: bool = False
    ) -> None:
        options = {"nopython": True, "boundscheck": None, **options}
        super().__init__(_calling(function, self) if shared else function, {}, options)
        self.py_func = function
        of_part = options | NO_WRAPPERS
        if shared:  # numba would hand `forceinline` on from its first caller, to all that it calls
            of_part = {"forceinline": False} | of_part
            self.part = _SharedPart(function, {}, of_part, pipeline_class=_NamingCompiler)
        else:
            self.part = _Dispatcher(function, {}, of_part)

    @property
    def _numba_type_(self) -> Any:
        return _PartType(self.part)

    def code_for(self, *arguments: Any) -> Any:
        """Machine code for arguments of these types, as Python calls it."""
        types = tuple(self.typeof_pyval(each) for each in arguments)
        self.compile(types)
        return self.overloads[types].entry_point

    def add_overload(self, result: Any) -> None:
        """Take the code for one set of types."""
        _set_environments(result)
        super().add_overload(result)

    def compile(self, sig: Any) -> Any:
        """Code for one set of types, from disk or new."""
        with _compiling():
            return super().compile(sig)


def _calling(function: Callable[..., Any], kernel: Kernel) -> Callable[..., Any]:
    """Function that does nothing but call a kernel with the arguments of another function."""
    names, space = ", ".join(signature(function).parameters), {"part": kernel}
    exec(f"def calling({names}):\n    return part({names})\n", space)
    return update_wrapper(space["calling"], function)


class _SharedPart(_Dispatcher):  # type: ignore[misc, unused-ignore]
    """A part with machine code of its own."""

    def add_overload(self, result: Any) -> None:
        """Take the code for one set of types; callers get its name only, and how to load it."""
        library, function = result.library, self.py_func
        if isinstance(library, _Lazy):  # it is new
            library._emit()
            _set_environments(result)
            library._shared_module = _no_code(library)
        names = function.__module__, function.__qualname__
        symbol = result.fndesc.mangled_name
        library.loader = _Loader(*names, tuple(result.signature.args), symbol)
        super().add_overload(result)


@dataclass(frozen=True)
class _Loader:
    """Loads a shared part before code that calls it is loaded."""

    module: str
    name: str
    types: tuple[Any, ...]
    symbol: str
    """Name of its machine code, without which nothing that calls it can be loaded."""

    def __call__(self) -> None:
        """Load or compile it."""
        part = getattr(import_module(self.module), self.name).part
        part.compile(self.types)
        if part.overloads[self.types].fndesc.mangled_name != self.symbol:
            raise LookupError(self.symbol)


class _NamingCompiler(_Compiler):  # type: ignore[misc, unused-ignore]
    """Compiler that gives code a name which tells the program it belongs to, in any process."""

    def define_pipelines(self) -> Any:
        """Passes of numba."""
        own = self.state.func_id
        own.unique_id = int(stamp(own.func, {})[:15], 16)
        return super().define_pipelines()


def _shared_in(library: Any) -> frozenset[_Loader]:
    """What loads the shared parts that callers of some code need."""
    own = getattr(library, "loader", None)
    return getattr(library, "calls", frozenset()) if own is None else frozenset([own])


def _no_code(library: Any) -> Any:
    """Module for callers of a function that they find by its name."""
    return _parsed(str(library.codegen._create_empty_module(library.name)))


class _PartType(_DispatcherType):  # type: ignore[misc, unused-ignore]
    """Type of the name of a part in compiled code.

    A name is never a value there: without the address of an object of this process, which numba
    puts in its place, the code can be kept on disk.
    """

    def get_call_type(self, context: Any, args: Any, kws: Any) -> Any:
        """Type of a call; numbers in the code are numbers like others, not types of their own."""
        args = tuple(_unliteral(each) for each in args)
        kws = {name: _unliteral(each) for name, each in kws.items()}
        find = super().get_call_type
        return call_type(self.dispatcher, args, kws, lambda: find(context, args, kws))


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
    """Code that is optimised, and made machine code, when its address is asked for.

    Attributes
    ----------
    calls
        What loads the shared parts that it calls.
    """

    _emitted = False
    calls: frozenset[_Loader] = frozenset()

    def finalize(self) -> None:
        """Link the code of callees; of shared ones it is known what loads them."""
        self.calls = self.calls.union(*map(_shared_in, self._linking_libraries))
        super().finalize()

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
            optimise(self, super()._optimize_final_module)
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
    codegen = cpu_target.target_context.codegen()
    with global_compiler_lock, _using(codegen, _Lazy), once():
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
