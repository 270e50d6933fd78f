"""Named errors, and the checks that raise them.

The command line turns an `InputError` into exit code 2 and a `SolverError` into exit code 3, each
with its one-line message and no traceback.
"""

from __future__ import annotations

import inspect
import math
import re
import reprlib
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass
from difflib import get_close_matches
from functools import wraps
from numbers import Integral, Real
from typing import Any, TypeVar, cast

import numpy as np

from fecontact.typing.arrays import Floats

__all__ = [
    "FINITE",
    "NONZERO",
    "NON_NEGATIVE",
    "POISSON",
    "POSITIVE",
    "Allowed",
    "InputError",
    "PlausibilityWarning",
    "SingularError",
    "SlowContactWarning",
    "SolverError",
    "at_least",
    "check",
    "check_kind",
    "invalid",
    "multiple_of",
    "numbers",
    "one_line",
    "one_of",
    "overflow_as_error",
    "renamed",
    "renamed_keywords",
    "shown",
    "unknown",
    "warn_caller",
    "warn_unusual",
    "warning_once",
]

T = TypeVar("T")
F = TypeVar("F", bound=Callable[..., Any])
ENDLESS = re.compile(r"\S{500,}")
"""Words of which a message shows the beginning and the end."""
LISTED = 24
"""Known names that a message lists; of more it tells the closest."""
MANY = 9
"""Values from which on a message does not show them all."""


OWN = ("fecontact.", "functools", "contextlib", "rich.", "joblib.")
"""Modules between the caller of the package and a warning."""
NUMBER = re.compile(r"('[^']*')|(?<![\w.])[-+]?\d[\d.]*(?:e[-+]?\d+)?")
"""A name in quotes, which tells causes apart, or a number, which does not."""

_said: ContextVar[set[tuple[str, str, int]] | None] = ContextVar("_said", default=None)

DEGREES = 1.6
"""Angle in rad above which a refused one may have been given in degrees."""


class InputError(ValueError):
    """An input is impossible; the message names the field, the value and what is allowed.

    It is one line whatever it quotes: names in files may hold line breaks, and codes that command a
    terminal.
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(one_line(str(message)))


class SolverError(RuntimeError):
    """A solver found no answer; the message says why and what to try."""


class SingularError(SolverError):
    """A matrix has no inverse to working precision."""


class SlowContactWarning(UserWarning):
    """A contact has no compiled form, and its points are evaluated in numpy."""


class PlausibilityWarning(UserWarning):
    """A value is possible but unusual, as after a slip of the unit."""


@dataclass(frozen=True)
class Allowed:
    """A set of allowed values: a predicate and the words that describe it."""

    words: str
    contains: Callable[[Any], bool]


FINITE = Allowed("a finite number", lambda x: math.isfinite(x) and not isinstance(x, str))
POSITIVE = Allowed("> 0", lambda x: x > 0)
NON_NEGATIVE = Allowed(">= 0", lambda x: x >= 0)
NONZERO = Allowed("other than 0", lambda x: x != 0)
POISSON = Allowed("between -1 and 0.5 (both excluded)", lambda x: -1 < x < 0.5)


def at_least(least: int) -> Allowed:
    """Integers from `least` on, Python's or numpy's; 2.0 is none."""
    return Allowed(f"an integer >= {least}", lambda x: isinstance(x, Integral) and int(x) >= least)


def multiple_of(factor: int, least: int) -> Allowed:
    """Integers from `least` on that `factor` divides."""
    words = f"a multiple of {factor}, at least {least}"
    return Allowed(words, lambda n: isinstance(n, Integral) and int(n) >= least and not n % factor)


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
    fecontact.errors.InputError: invalid thickness = -0.005 m: expected > 0
    """
    finite = math.isfinite(value) if type(value) is float else _finite(value)
    if not (finite and _contains(allowed, value)):
        given = str(value)
        shown = given if given.endswith(f" {unit}") else f"{given} {unit}".strip()
        words = allowed.words if finite else FINITE.words
        degrees = unit == "rad" and finite and isinstance(value, Real) and float(value) > DEGREES
        habit = f"; given in degrees? Then write radians({value:g})" if degrees else ""
        raise InputError(f"{invalid(name)} = {shown}: expected {words}{habit}")


def _finite(value: Any) -> bool:
    """Whether a value is no number, or a finite one; asking a float for its kind takes longer."""
    if isinstance(value, float):
        return math.isfinite(value)
    return not isinstance(value, Real) or isinstance(value, Integral) or math.isfinite(value)


def invalid(name: str) -> str:
    """Start of a message about a field; what stands before a colon says where it is.

    Examples
    --------
    >>> invalid("gear ratio: teeth")
    'gear ratio: invalid teeth'
    """
    where, colon, field = name.rpartition(": ")
    return f"{where}{colon}invalid {field}"


def _contains(allowed: Allowed, value: Any) -> bool:
    """Whether a value is allowed; one that cannot be compared, as "1" or an array > 0, is not."""
    try:
        return bool(allowed.contains(value))
    except (TypeError, ValueError):
        return False


def numbers(name: str, values: Any, shape: tuple[int | str, ...] | None = None) -> Floats:
    """Values as an array of floats, or an `InputError`.

    With a shape they must have it and be finite; a letter in it stands for any length.

    Examples
    --------
    >>> numbers("centre", (0, 0, 1), (3,)).tolist()
    [0.0, 0.0, 1.0]
    >>> numbers("x", 0, ("p", 3))
    Traceback (most recent call last):
    ...
    fecontact.errors.InputError: invalid x = 0: expected finite numbers of shape (p, 3)
    """
    result: Floats | None = None
    with suppress(TypeError, ValueError):
        result = np.asarray(values, dtype=float)
    if result is None or not (shape is None or _fits(result, shape)):
        words = "numbers" if shape is None else f"finite numbers of shape {shape}".replace("'", "")
        raise InputError(f"{invalid(name)} {_given(values, result)}: expected {words}")
    return result


def _given(values: Any, found: Floats | None) -> str:
    """Values as a message shows them, in one line; of many numbers the shape."""
    if found is None or found.size <= MANY:
        plain = values.tolist() if isinstance(values, np.ndarray) else values
        return f"= {reprlib.repr(plain)}"
    return f"of shape {found.shape}" + ("" if np.isfinite(found).all() else " with nan or inf")


def _fits(values: Floats, shape: tuple[int | str, ...]) -> bool:
    lengths = zip(shape, values.shape, strict=False)
    same = all(isinstance(length, str) or length == found for length, found in lengths)
    return values.ndim == len(shape) and same and bool(np.isfinite(values).all())


def one_line(text: str) -> str:
    r"""Text without characters that a terminal would act upon, and without endless words.

    Examples
    --------
    >>> print(one_line("top\x1b[2J\nbottom"))
    top\x1b[2J\nbottom
    """
    shown = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
    return ENDLESS.sub(lambda word: f"{word[0][:60]}...{word[0][-20:]}", shown)


def shown(value: Any) -> str:
    """A value in a message; a class or function in place of what it makes lacks brackets."""
    name = getattr(value, "__qualname__", None)
    return f"{value}" if name is None else f"{name} without brackets"


def warn_unusual(what: str, cure: str) -> None:
    """Warn of a value that is possible and unusual, where it was given.

    Parameters
    ----------
    what
        Field, value and why it is unusual.
    cure
        The habit behind it, and what to write instead.
    """
    warn_caller(f"{what}; {cure}", PlausibilityWarning)


def renamed(**names: str) -> Callable[[type[T]], type[T]]:
    """Old names of attributes and methods of a class: they work, with a warning.

    Examples
    --------
    >>> @renamed(old="new")
    ... class Point:
    ...     new = 1
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     print(Point().old, said[0].message)
    1 Point.old is now new
    """

    def old(name: str, new: str) -> property:
        def get(self: object) -> object:
            warn_caller(f"{type(self).__name__}.{name} is now {new}", DeprecationWarning)
            return getattr(self, new)

        return property(get, doc=f"Former name of `{new}`.")

    def add(cls: type[T]) -> type[T]:
        for name, new in names.items():
            setattr(cls, name, old(name, new))
        return cls

    return add


def renamed_keywords(**names: str) -> Callable[[F], F]:
    """Old names of keyword arguments of a function or a class: they work, with a warning.

    Examples
    --------
    >>> @renamed_keywords(old="new")
    ... def double(new=1):
    ...     return 2 * new
    >>> with warnings.catch_warnings(record=True) as said:
    ...     warnings.simplefilter("always")
    ...     print(double(old=3), said[0].message)
    6 double(old=...) is now double(new=...)
    """

    def add(target: F) -> F:
        function: Any = target.__init__ if isinstance(target, type) else target  # type: ignore[misc]

        @wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            if not names.keys().isdisjoint(named):
                for old in names.keys() & named.keys():
                    new, owner = names[old], target.__name__
                    text = f"{owner}({old}=...) is now {owner}({new}=...)"
                    warn_caller(text, DeprecationWarning)
                    named[new] = named.pop(old)  # in place of what dataclasses.replace fills in
            return function(*given, **named)

        if not isinstance(target, type):
            return cast("F", call)
        target.__init__ = call  # type: ignore[misc]
        return target

    return add


def warn_caller(text: str, category: type[Warning] = UserWarning) -> None:
    """Warn of a result, or of what was left out, at the line from which the package was called."""
    level, frame = 1, inspect.currentframe()
    while frame is not None and str(frame.f_globals.get("__name__", "")).startswith(OWN):
        level, frame = level + 1, frame.f_back
    said = _said.get()
    if said is not None:
        where = ("", 0) if frame is None else (frame.f_code.co_filename, frame.f_lineno)
        cause = (NUMBER.sub(lambda found: found[1] or "#", text), *where)
        if cause in said:
            return
        said.add(cause)
    warnings.warn(text, category, stacklevel=level)


@contextmanager
def warning_once() -> Iterator[None]:
    """Warn once of each cause: what is said at one line in words that differ by numbers alone.

    For what asks the same at many points, as sweeps and maps do.

    Examples
    --------
    >>> with warnings.catch_warnings(record=True) as said, warning_once():
    ...     warnings.simplefilter("always")
    ...     for depth in (1e-3, 2e-3):
    ...         warn_caller(f"contact 'pad': pressed in by {depth} m")
    >>> [str(each.message) for each in said]
    ["contact 'pad': pressed in by 0.001 m"]
    """
    token = None if _said.get() is not None else _said.set(set())
    try:
        yield
    finally:
        if token is not None:
            _said.reset(token)


@contextmanager
def overflow_as_error(message: str | Callable[[], str]) -> Iterator[None]:
    """Numbers that grow beyond all bounds: no warnings, but a `SolverError` where they end it.

    The message may be a function that makes it then. What goes on with inf and nan has to be looked
    at by the caller.

    Examples
    --------
    >>> with overflow_as_error("the guess is too large"):
    ...     1e200**3
    Traceback (most recent call last):
    ...
    fecontact.errors.SolverError: the guess is too large
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        try:
            yield
        except (ArithmeticError, np.linalg.LinAlgError) as error:
            raise SolverError(message if isinstance(message, str) else message()) from error


def check_kind(name: str, value: Any, kind: type, cure: str = "") -> None:
    """Raise an `InputError` if a value is not of a type; `cure` says what to take instead."""
    if not isinstance(value, kind):
        given = shown(value) if isinstance(value, type) else f"a {type(value).__name__}"
        words = f"of type {kind.__name__}" + (f"; {cure}" if cure else "")
        raise InputError(f"{invalid(name)} = {given}: expected {words}")


def unknown(kind: str, name: str, known: Iterable[str]) -> InputError:
    """Error for a name that does not exist, with the names that do; of many the closest.

    Examples
    --------
    >>> print(unknown("surface", "rim", ["outer", "inner"]))
    unknown surface 'rim'; known: inner, outer
    >>> print(unknown("node", "node_7a", [f"node_{i}" for i in range(1000)]))
    unknown node 'node_7a'; closest: node_7, node_97, node_87 (of 1000)
    """
    names = sorted(known)
    if len(names) <= LISTED:
        return InputError(f"unknown {kind} '{name}'; known: {', '.join(names) or 'none'}")
    close = get_close_matches(name, names, n=3)
    close += [each for each in names if name and name in each and each not in close][:LISTED]
    words = "closest" if close else "known"
    shown = ", ".join(close) if close else ", ".join(names[:LISTED]) + ", ..."
    return InputError(f"unknown {kind} '{name}'; {words}: {shown} (of {len(names)})")
