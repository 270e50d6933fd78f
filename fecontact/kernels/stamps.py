"""Stamp of a compiled function: all of the program that its machine code depends on.

Callees are compiled into their callers, constants too. The stamp of a function is a hash over what
it reaches by the names in its code: bytecode and options of all compiled functions, values of
constants, fields of tuples. What numba generates code for (`overload`, `intrinsic`) is taken with
the text of its file and all that is compiled or constant there. Code on disk thus belongs to the
program as it is, whichever of its files have changed; a docstring changes nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

import numba
import numpy as np
from numba.core.dispatcher import Dispatcher

__all__ = ["described", "stamp"]

CONSTANTS = (int, float, complex, str, bytes, type(None), type(...), np.generic)
GROUPS = (tuple, list, frozenset)
LIBRARIES = ("numba", "numpy")
"""Their functions are known by the version of numba."""
Reached = tuple[str, list[Any]]
"""Words about a thing, and the things that it leads to."""


def stamp(function: Callable[..., Any], options: dict[str, Any]) -> str:
    """Hash of all that the machine code of a function depends on.

    Parameters
    ----------
    function
        What is compiled, in Python.
    options
        Its options of numba.
    """
    words, seen = [numba.__version__, _options(options)], set[int]()
    waiting: list[Any] = [_code_of(function)]
    while waiting:
        text, more = waiting.pop()
        words.append(text)
        for thing in more:
            if id(thing) not in seen:
                seen.add(id(thing))
                waiting.append(_read(thing))
    return sha256("\0".join(words).encode()).hexdigest()


def described(kind: Any) -> str:
    """Words about a type of numba; of a tuple with names these too, on which code depends."""
    if isinstance(kind, (tuple, numba.types.BaseTuple)):
        parts: Any = getattr(kind, "types", kind)
        names = getattr(getattr(kind, "instance_class", None), "_fields", ())
        return f"{type(kind).__name__}{names}({', '.join(described(part) for part in parts)})"
    return str(kind)


def _read(thing: Any) -> Reached:
    """What a thing that a name stands for means to the code."""
    if isinstance(thing, CONSTANTS):
        return f"{type(thing).__name__} {thing!r}", []
    if isinstance(thing, GROUPS):
        things = sorted(thing, key=repr) if isinstance(thing, frozenset) else list(thing)
        return f"{type(thing).__name__} {_words(things)}", things
    if isinstance(thing, np.ndarray):
        return f"{thing.dtype} {thing.shape} {thing.tobytes().hex()}", []
    if isinstance(thing, Dispatcher):
        text, more = _code_of(thing.py_func)
        return f"{_options(thing.targetoptions)} {text}", more
    if isinstance(thing, type):
        return f"{thing.__module__}.{thing.__qualname__} {getattr(thing, '_fields', '')}", []
    name = getattr(thing, "__module__", None) or type(thing).__module__
    return (name, []) if name not in sys.modules else _module(sys.modules[name])


@cache
def _code_of(function: Any) -> Reached:
    """Bytecode of a function, and what its names stand for."""
    code, cells = function.__code__, function.__closure__ or ()
    names, things = list(_names(code)), [*(function.__defaults__ or ())]
    things += [cell.cell_contents for cell in cells]
    scopes = [function.__globals__]
    for scope in scopes:  # grows by the modules among the names
        for name in names:
            if isinstance(scope.get(name), ModuleType):
                known = vars(scope[name])
                scopes += [] if any(known is other for other in scopes) else [known]
            elif name in scope:
                things.append(scope[name])
    text = f"{function.__qualname__} {_bytes(code, function.__doc__)} {_words(things)}"
    return text, things


def _names(code: CodeType) -> Iterable[str]:
    """Names in a function and in those within it."""
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _bytes(code: CodeType, words: str | None) -> str:
    """Bytecode with its constants and names; not the docstring."""
    parts = [code.co_code.hex(), *code.co_names, *code.co_varnames, *code.co_freevars]
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            parts.append(_bytes(constant, None))
        elif words is None or constant != words:
            parts.append(_words([constant]))
    return " ".join(parts)


def _words(things: Iterable[Any]) -> str:
    """Values of constants and names of other things, in their order."""
    plain = CONSTANTS + GROUPS
    return " ".join(
        _read(thing)[0] if isinstance(thing, plain) else str(getattr(thing, "__qualname__", ""))
        for thing in things
    )


def _options(options: dict[str, Any]) -> str:
    """Options of numba in a fixed order."""
    return " ".join(f"{name}={_ordered(options[name])}" for name in sorted(options))


def _ordered(value: Any) -> Any:
    return sorted(value) if isinstance(value, (set, frozenset)) else value


@cache
def _module(module: ModuleType) -> Reached:
    """Text of a file in which functions stand for generated code, and what is compiled there."""
    path = Path(getattr(module, "__file__", None) or "-")
    if module.__name__.partition(".")[0] in LIBRARIES or path.suffix != ".py":
        return module.__name__, []
    return path.read_text(encoding="utf-8"), [
        thing
        for name, thing in vars(module).items()
        if isinstance(thing, (*CONSTANTS, Dispatcher)) and not name.startswith("__")
    ]
