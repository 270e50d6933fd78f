"""Fingerprint of a system: the parameters of its items, by name.

A run continues only with the system it was begun with. The fingerprint is a flat record: "item",
"item.field", "item.law.field" -> number, text, or size and two sums of an array. Numbers may differ
by round-off; functions are compared by their code and by the values that it takes from around it.
Of a class from outside of the package, such as a law of one's own, constants and functions count
too: its numbers may stand there.
"""

from __future__ import annotations

import hashlib
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cached_property, partial
from inspect import isdatadescriptor
from types import CodeType, FunctionType
from typing import Any

import numpy as np

from fecontact.system.assembly import Assembly
from fecontact.typing import Body, Constraint, Item

__all__ = ["Fingerprint", "body_fingerprint", "differences", "fingerprint"]

Fingerprint = dict[str, Any]

ROUND_OFF = 1e-9
"""Relative difference of numbers that are the same."""
DEEPEST = 8
LEFT_OUT = frozenset({"provenance"})
KNOWN = frozenset({"fecontact", "numpy", "scipy", "numba", "skfem", *sys.stdlib_module_names})
"""Packages whose classes are told by their names: a script does not change them."""


def fingerprint(assembly: Assembly) -> Fingerprint:
    """Parameters of all items and constraints of a system."""
    describer = _Describer({id(body): body.name for body in assembly.bodies})
    describer.found["bodies"] = " ".join(body.name for body in assembly.bodies)
    members: list[Item | Constraint] = [*assembly.items, *assembly.constraints]
    for item in members:
        describer.add_parts(item, item.name)
    return describer.found


def body_fingerprint(body: Body) -> Fingerprint:
    """Parameters of one body, as `fingerprint` names them."""
    describer = _Describer({})
    describer.add_parts(body, body.name)
    return describer.found


def differences(
    file: Mapping[str, Any], now: Mapping[str, Any], where: str = "in the file"
) -> list[str]:
    """What differs between the fingerprint in a file and that of a system, in words.

    `where` says where the first one is.

    Examples
    --------
    >>> differences({"spring.stiffness": 100.0}, {"spring.stiffness": 200.0})
    ['spring.stiffness = 100.0 in the file, 200.0 now']
    """
    lines = []
    for name in [*file, *(name for name in now if name not in file)]:
        if name not in now:
            lines.append(f"{name} is {where} only")
        elif name not in file:
            lines.append(f"{name} is new")
        elif not _same(file[name], now[name]):
            lines.append(f"{name} = {_words(file[name])} {where}, {_words(now[name])} now")
    return lines


class _Describer:
    """Goes through objects and notes what they consist of; bodies are noted by name."""

    def __init__(self, bodies: Mapping[int, str]) -> None:
        self.found: Fingerprint = {}
        self._bodies = bodies
        self._inside: list[int] = []

    def add(self, value: Any, path: str) -> None:
        """Note a value, and what it consists of."""
        if id(value) in self._bodies:
            self.found[path] = f"body {self._bodies[id(value)]}"
        elif value is None or isinstance(value, bool | str):
            self.found[path] = str(value)
        elif isinstance(value, int | float | np.number):
            self.found[path] = float(value)
        elif isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
            self.found[path] = _sums(value)
        elif hasattr(value, "tocsr"):
            self.found[path] = _sums(value.tocsr().data)
        elif isinstance(value, Mapping):
            self._add_all(value, path)
        elif isinstance(value, Sequence) and not isinstance(value, bytes):
            if value and all(isinstance(part, int | float | np.number) for part in value):
                self.found[path] = _sums(np.array(value, dtype=float))
            elif hasattr(value, "_asdict"):
                self._add_all(value._asdict(), path)
            else:
                self._add_all(dict(enumerate(value)), path)
        elif (code := _code(value)) is not None:
            self.found[path] = code
        else:
            self.add_parts(value, path)

    def add_parts(self, item: Any, path: str) -> None:
        """Note the kind of an object and its parameters; one that contains itself, once."""
        self.found[path] = type(item).__name__
        if id(item) not in self._inside and len(self._inside) < DEEPEST:
            self._inside.append(id(item))
            self._add_all({**_definition(type(item)), **dict(_parts(item))}, path)
            self._inside.pop()

    def _add_all(self, parts: Mapping[Any, Any], path: str) -> None:
        for name, part in parts.items():
            self.add(part, f"{path}.{name}")


def _parts(item: Any) -> list[tuple[str, Any]]:
    """Parameters of an object: fields of a dataclass, or its public attributes."""
    if is_dataclass(item):
        names = [field.name for field in fields(item) if field.init]
    else:
        names = [
            name
            for name in getattr(item, "__dict__", {})
            if not isinstance(getattr(type(item), name, None), cached_property)
        ]
    return [
        (name, getattr(item, name))
        for name in names
        if not name.startswith("_") and name not in LEFT_OUT
    ]


def _known(kind: type) -> bool:
    return kind.__module__.partition(".")[0] in KNOWN


def _definition(kind: type) -> dict[str, Any]:
    """Constants and functions that classes from outside of the package define; no fields."""
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        if _known(base):
            continue
        given = getattr(base, "__dataclass_fields__", {})
        for name, value in vars(base).items():
            function = _plain_function(value)
            if function is not None:
                if function.__code__.co_filename != "<string>":  # written, not made by dataclass
                    found[name] = function
            elif not (name.startswith("_") or name in given or isdatadescriptor(value)):
                found[name] = value
    return found


def _sums(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Size, norm, and a sum with varying weights of an array."""
    flat = np.asarray(array, dtype=float).ravel()
    check = float(flat @ np.cos(np.arange(len(flat))))
    return {"shape": list(array.shape), "norm": float(np.linalg.norm(flat)), "check": check}


def _code(value: Any) -> str | None:
    """Name and digest of a function; None for anything else."""
    function = _plain_function(value.func if isinstance(value, partial) else value)
    if function is None:
        return None
    digest = hashlib.sha256(repr(_content(value, set())).encode())
    return f"{function.__qualname__} {digest.hexdigest()[:12]}"


def _plain_function(value: Any) -> FunctionType | None:
    """Function behind a method, a property or a compiled function; None for anything else."""
    for behind in ("py_func", "__func__", "fget"):
        value = getattr(value, behind, value)
    if isinstance(value, cached_property):
        value = value.func
    return value if isinstance(value, FunctionType) else None


def _content(value: Any, seen: set[int]) -> Any:
    """What a value adds to a digest: numbers and texts as they are, functions by what they use."""
    if value is None or isinstance(value, bool | int | float | complex | str | bytes):
        return value
    if isinstance(value, np.ndarray):
        return value.shape, value.tobytes() if value.dtype.kind in "fiubc" else ""
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, tuple | list):
        return [_content(part, seen) for part in value]
    if isinstance(value, Mapping):
        return sorted((repr(key), repr(_content(part, seen))) for key, part in value.items())
    if isinstance(value, set | frozenset):
        return sorted(repr(_content(part, seen)) for part in value)
    if isinstance(value, partial):
        return [_content(part, seen) for part in (value.func, value.args, value.keywords)]
    if isinstance(value, CodeType):
        return value.co_code, value.co_names, _content(value.co_consts, seen)
    function = _plain_function(value)
    if id(value if function is None else function) in seen:
        return type(value).__name__
    seen.add(id(value if function is None else function))
    if isinstance(value, type):
        return value.__qualname__, _content(_definition(value), seen)
    if function is None:
        own = dict(_parts(value)) if is_dataclass(value) or not _known(type(value)) else {}
        return type(value).__name__, _content({**_definition(type(value)), **own}, seen)
    looked_up = {name: function.__globals__.get(name) for name in _names(function.__code__)}
    around = {
        name: _content(part, seen)
        for name, part in looked_up.items()
        if getattr(part, "__module__", function.__module__) == function.__module__
    }
    enclosed = [cell.cell_contents for cell in function.__closure__ or ()]
    parts = (function.__code__, function.__defaults__, enclosed)
    return [_content(part, seen) for part in parts], around


def _names(code: CodeType) -> list[str]:
    """Names that a function, and the functions inside it, may look up in its module."""
    inner = [part for part in code.co_consts if isinstance(part, CodeType)]
    return sorted({*code.co_names, *(name for part in inner for name in _names(part))})


def _same(a: Any, b: Any) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return math.isclose(a, b, rel_tol=ROUND_OFF) or (math.isnan(a) and math.isnan(b))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        near = ROUND_OFF * max(a["norm"], b["norm"])
        numbers = ((a[key], b[key]) for key in ("norm", "check"))
        return a["shape"] == b["shape"] and all(
            abs(x - y) <= near or x == y or (x != x and y != y) for x, y in numbers
        )
    return bool(a == b)


def _words(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"array {tuple(value['shape'])} of norm {value['norm']:.9g}"
    return str(value)
