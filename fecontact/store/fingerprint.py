"""Fingerprint of a system: the parameters of its items, by name.

A run continues only with the system it was begun with. The fingerprint is a flat record: "item",
"item.field", "item.law.field" -> number, text, or size and two sums of an array. Numbers may differ
by round-off; functions are compared by their code.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cached_property
from types import CodeType
from typing import Any

import numpy as np

from fecontact.system.assembly import Assembly
from fecontact.typing import Constraint, Item

__all__ = ["Fingerprint", "differences", "fingerprint"]

Fingerprint = dict[str, Any]

ROUND_OFF = 1e-9
"""Relative difference of numbers that are the same."""
DEEPEST = 8
LEFT_OUT = frozenset({"provenance"})


def fingerprint(assembly: Assembly) -> Fingerprint:
    """Parameters of all items and constraints of a system."""
    found: Fingerprint = {"bodies": " ".join(body.name for body in assembly.bodies)}
    bodies = {id(body): body.name for body in assembly.bodies}
    members: list[Item | Constraint] = [*assembly.items, *assembly.constraints]
    for item in members:
        found[item.name] = type(item).__name__
        for name, value in _parts(item):
            _describe(value, f"{item.name}.{name}", bodies, found, 0)
    return found


def differences(file: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What differs between the fingerprint in a file and that of a system, in words.

    Examples
    --------
    >>> differences({"spring.stiffness": 100.0}, {"spring.stiffness": 200.0})
    ['spring.stiffness = 100.0 in the file, 200.0 now']
    """
    lines = []
    for name in [*file, *(name for name in now if name not in file)]:
        if name not in now:
            lines.append(f"{name} is in the file only")
        elif name not in file:
            lines.append(f"{name} is new")
        elif not _same(file[name], now[name]):
            lines.append(f"{name} = {_words(file[name])} in the file, {_words(now[name])} now")
    return lines


def _describe(
    value: Any, path: str, bodies: Mapping[int, str], found: Fingerprint, depth: int
) -> None:
    """Add a value, and what it consists of."""
    if id(value) in bodies:
        found[path] = f"body {bodies[id(value)]}"
    elif value is None or isinstance(value, bool | str):
        found[path] = str(value)
    elif isinstance(value, int | float | np.number):
        found[path] = float(value)
    elif hasattr(value, "tocsr"):
        _describe(value.tocsr().data, path, bodies, found, depth)
    elif isinstance(value, np.ndarray) and value.dtype.kind in "fiub":
        found[path] = _sums(value)
    elif depth >= DEEPEST:
        found[path] = type(value).__name__
    elif isinstance(value, Mapping):
        for key, part in value.items():
            _describe(part, f"{path}.{key}", bodies, found, depth + 1)
    elif isinstance(value, Sequence) and not isinstance(value, bytes):
        _describe_sequence(value, path, bodies, found, depth)
    elif (code := _code(value)) is not None:
        found[path] = code
    else:
        found[path] = type(value).__name__
        for name, part in _parts(value):
            _describe(part, f"{path}.{name}", bodies, found, depth + 1)


def _describe_sequence(
    value: Sequence[Any], path: str, bodies: Mapping[int, str], found: Fingerprint, depth: int
) -> None:
    if value and all(isinstance(part, int | float | np.number) for part in value):
        found[path] = _sums(np.array(value, dtype=float))
        return
    for number, part in enumerate(value):
        _describe(part, f"{path}.{number}", bodies, found, depth + 1)


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


def _sums(array: np.ndarray[Any, Any]) -> dict[str, Any]:
    """Size, norm, and a sum with varying weights of an array."""
    flat = np.asarray(array, dtype=float).ravel()
    check = float(flat @ np.cos(np.arange(len(flat))))
    return {"shape": list(array.shape), "norm": float(np.linalg.norm(flat)), "check": check}


def _code(value: Any) -> str | None:
    """Name and digest of a function; None for anything else."""
    function = getattr(value, "py_func", value)
    function = getattr(function, "__func__", function)
    code = getattr(function, "__code__", None)
    if not isinstance(code, CodeType):
        return None
    digest = hashlib.sha256(code.co_code)
    closure = [cell.cell_contents for cell in function.__closure__ or ()]
    for part in (code.co_consts, function.__defaults__, closure):
        digest.update(repr([p for p in part or () if isinstance(p, int | float | str)]).encode())
    return f"{function.__qualname__} {digest.hexdigest()[:12]}"


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
