"""Named errors, and the checks that raise them.

The command line turns an `InputError` into exit code 2 and a `SolverError` into exit code 3, each
with its one-line message and no traceback.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

__all__ = [
    "FINITE",
    "NON_NEGATIVE",
    "POISSON",
    "POSITIVE",
    "Allowed",
    "InputError",
    "SingularError",
    "SolverError",
    "at_least",
    "check",
    "one_of",
    "unknown",
]


class InputError(ValueError):
    """An input is impossible; the message names the field, the value and what is allowed."""


class SolverError(RuntimeError):
    """A solver found no answer; the message says why and what to try."""


class SingularError(SolverError):
    """A matrix has no inverse to working precision."""


@dataclass(frozen=True)
class Allowed:
    """A set of allowed values: a predicate and the words that describe it."""

    words: str
    contains: Callable[[Any], bool]


FINITE = Allowed("a finite number", lambda x: True)
POSITIVE = Allowed("> 0", lambda x: x > 0)
NON_NEGATIVE = Allowed(">= 0", lambda x: x >= 0)
POISSON = Allowed("between -1 and 0.5 (both excluded)", lambda x: -1 < x < 0.5)


def at_least(least: int) -> Allowed:
    """Integers from `least` on, Python's or numpy's; 2.0 is none."""
    return Allowed(f"an integer >= {least}", lambda x: isinstance(x, Integral) and int(x) >= least)


def one_of(choices: Iterable[str]) -> Allowed:
    """Return the set of the given names."""
    names = tuple(choices)
    return Allowed("one of " + ", ".join(names), lambda x: x in names)


def check(name: str, value: Any, allowed: Allowed, unit: str = "") -> None:
    """Raise an `InputError` that names field, value and what is allowed.

    Examples
    --------
    >>> check("thickness", 0.005, POSITIVE, "m")
    >>> check("thickness", -0.005, POSITIVE, "m")
    Traceback (most recent call last):
    ...
    fecontact.errors.InputError: thickness = -0.005 m is not possible: it must be > 0
    """
    finite = not isinstance(value, Real) or isinstance(value, Integral) or math.isfinite(value)
    if not (finite and _contains(allowed, value)):
        shown = f"{value} {unit}".strip()
        words = allowed.words if finite else FINITE.words
        raise InputError(f"{name} = {shown} is not possible: it must be {words}")


def _contains(allowed: Allowed, value: Any) -> bool:
    """Whether a value is allowed; one that cannot be compared, such as "1" > 0, is not."""
    try:
        return allowed.contains(value)
    except TypeError:
        return False


def unknown(kind: str, name: str, known: Iterable[str]) -> InputError:
    """Error for a name that does not exist, with the names that do."""
    names = ", ".join(sorted(known)) or "none"
    return InputError(f"unknown {kind} '{name}'; known: {names}")
