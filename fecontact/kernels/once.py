"""numba's compiler without what it does again and again.

numba finds the types of a function by going through its statements until nothing changes, and asks
at each of them anew what a sum of two numbers is; it lists the variables of each statement a dozen
times, by asking every attribute for its class; it compares options value by value; it optimises
code twice, so that it sees which of its counts of references belong together, also where there are
none; it looks for new functions of its own in eighty registers when it types a call, and for the
variables that live in each block after nine passes of which one asks; and it tells listeners of
timers of each pass. Most of the time of a first run is spent so. Within `once` the answers are
remembered and the rest is left out. The code that comes out is that of the same statements with the
same types. Where a version of numba has no such function, it does that as it likes.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from typing import Any
from weakref import WeakKeyDictionary

from numba.core import base, event, imputils, ir, postproc, transforms, types
from numba.core.targetconfig import ConfigStack, TargetConfig
from numba.core.typing import context as typing_context
from numba.core.typing import templates

__all__ = ["call_type", "once", "optimise"]

TOLD = ("nrt", "forceinline", "fastmath")
"""Options of numba in which kernels differ."""
COUNTS = "NRT_decref"
"""Function of numba that code calls which counts references."""
_Options: Any = TargetConfig
_Stack: Any = ConfigStack
_Function: Any = types.BaseFunction
_Instruction: Any = ir.Inst
_plain_variables: Any = getattr(_Instruction, "_rec_list_vars", None)
_plain_call_type: Any = _Function.get_call_type
_Context: Any = base.BaseContext
_TypingContext: Any = typing_context.BaseContext
_PostProcessor: Any = postproc.PostProcessor
_plain_refresh: Any = getattr(_Context, "refresh", None)
_plain_typing_refresh: Any = getattr(_TypingContext, "refresh", None)
_plain_post_process: Any = getattr(_PostProcessor, "run", None)
_registers: Any = (imputils.builtin_registry, templates.builtin_registry)
_tidied: Any = transforms.canonicalize_cfg
_Lifetime: Any = postproc.VariableLifetime
PLAIN = frozenset((str, int, float, complex, bool, type(None), ir.Loc))
"""Attributes of statements that hold no variables."""


@contextmanager
def once() -> Iterator[None]:
    """Compile without repetitions; who asks for it holds the lock of numba's compiler."""
    before = [(owner, name, getattr(owner, name)) for owner, name, _ in _CHANGES]
    for owner, name, own in _CHANGES:
        setattr(owner, name, own)
    try:
        yield
    finally:
        for owner, name, former in before:
            setattr(owner, name, former)


def optimise(library: Any, twice: Callable[[], None]) -> None:
    """Optimise what is linked into a library of numba.

    numba does it twice, so that it sees which of its counts of references belong together; code
    without them needs it once.

    Parameters
    ----------
    library
        What its final module holds is optimised.
    twice
        Does it as numba does.
    """
    made = library._codegen._module_pass_manager()
    if not isinstance(made, tuple) or _counts(library._final_module):  # a tuple since numba 0.62
        twice()
        return
    manager, builder = made
    manager.run(library._final_module, builder)


def _counts(module: Any) -> bool:
    """Whether code counts references."""
    try:
        module.get_function(COUNTS)
    except NameError:
        return False
    return True


def _no_timer(kind: str, callback: Any) -> Any:
    return nullcontext()


def _no_event(kind: str, data: Any = None) -> Any:
    return nullcontext()


def _hash_of_options(options: Any) -> int:
    """Hash by values; that of numba is the same for all, so that each look compares all of them."""
    return hash(tuple(str(getattr(options, name, "")) for name in TOLD))


def _equal_options(options: Any, other: Any) -> Any:
    if not isinstance(other, _Options):
        return NotImplemented
    alike = options is other or options._values == other._values
    return alike or options.values() == other.values()


_calls: dict[Any, Any] = {}
"""Types of calls by function, types of arguments and options; with the function, which stays."""


def call_type(owner: Any, args: Any, kws: Any, find: Callable[[], Any]) -> Any:
    """Type of a call, found when it is first asked for.

    Parameters
    ----------
    owner
        What is called.
    args, kws
        Types of the arguments.
    find
        Finds it; what it raises is not remembered.
    """
    named = tuple((name, kind._code) for name, kind in kws.items())
    options = _Stack.top_or_none()
    key = id(owner), tuple([kind._code for kind in args]), named, options
    known = _calls.get(key)
    if known is None:
        known = _calls[key] = owner, args, kws, find()
    return known[-1]


def _call_type_of_function(function: Any, context: Any, args: Any, kws: Any) -> Any:
    """Type of a call of a function of numba's, which learns what does it."""

    def find() -> Any:
        found = _plain_call_type(function, context, args, kws)
        return found, function._impl_keys[found.args]

    found, way = call_type(function, args, kws, find)
    function._impl_keys[found.args] = way
    return found


def _variables(instruction: Any, value: Any) -> list[Any]:
    """Variables in a value, in numba's order."""
    kind = type(value)
    if kind is dict:
        values = value.values()
    elif kind is list or kind is tuple:
        values = value
    else:
        return [] if kind in PLAIN else list(_plain_variables(instruction, value))
    found: list[Any] = []
    for each in values:
        kind = type(each)
        if kind is ir.Var:
            found.append(each)
        elif kind not in PLAIN:
            found += _variables(instruction, each)
    return found


_seen: WeakKeyDictionary[Any, tuple[int, ...]] = WeakKeyDictionary()
"""What was registered with numba when a context looked for it last."""


def _news() -> tuple[int, ...]:
    """Changes if a module is imported, or a function registered with numba."""
    lists = (own for register in _registers for own in vars(register).values())
    return (len(sys.modules), *(len(own) for own in lists if isinstance(own, list)))


def _refresh(context: Any) -> None:
    """Look for what has been registered, if there is anything."""
    if _seen.get(context) != _news():
        _plain_refresh(context)
        _seen[context] = _news()


def _refresh_typing(context: Any) -> None:
    """The same for types."""
    if _seen.get(context) != _news():
        _plain_typing_refresh(context)
        _seen[context] = _news()


def _post_process(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
    """Bring blocks into order; what lives in them is worked out when it is asked for.

    What is there at the entry of a block is asked for by generators only, and by code for Python
    objects.
    """
    code = self.func_ir
    if code.is_generator:
        _plain_post_process(self, emit_dels, extend_lifetimes)
        return
    code.blocks = _tidied(code.blocks)
    code.variable_lifetime, code.generator_info = _Lifetime(code.blocks), None
    if emit_dels:
        self._insert_var_dels(extend_lifetimes=extend_lifetimes)


def _known(*changes: tuple[Any, str, Any]) -> tuple[tuple[Any, str, Any], ...]:
    """Those changes whose owners have a function of that name in this version of numba."""
    return tuple(change for change in changes if hasattr(change[0], change[1]))


_CHANGES = _known(
    (_Options, "__hash__", _hash_of_options),
    (_Options, "__eq__", _equal_options),
    (_Function, "get_call_type", _call_type_of_function),
    (_Instruction, "_rec_list_vars", _variables),
    (_Context, "refresh", _refresh),
    (_TypingContext, "refresh", _refresh_typing),
    (_PostProcessor, "run", _post_process),
    (event, "install_timer", _no_timer),
    (event, "trigger_event", _no_event),
)
"""What is another way within `once`: of whom, under which name, and how."""
