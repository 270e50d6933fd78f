"""Typed parameters of a case: units, allowed values, and overrides from the command line."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Self, get_type_hints

from fecontact.errors import Allowed, InputError, check, unknown

__all__ = ["Parameters", "between", "derived", "quantity"]

ANY = Allowed("a finite number", lambda x: True)
"""Texts too; a number must be finite."""


@dataclass(frozen=True)
class _Between(Allowed):
    """Open interval whose ends are numbers or names of other parameters."""

    ends: tuple[float | str | None, float | str | None] = (None, None)

    def at(self, parameters: Any) -> Allowed:
        """Return the interval with the values of the parameters."""
        low, high = (getattr(parameters, x) if isinstance(x, str) else x for x in self.ends)
        words = [
            f"{sign} {end} = {value}" if isinstance(end, str) else f"{sign} {value:.6g}"
            for sign, end, value in zip("><", self.ends, (low, high), strict=True)
            if value is not None
        ]
        return Allowed(
            " and ".join(words),
            lambda x: (low is None or x > low) and (high is None or x < high),
        )


def between(low: float | str | None = None, high: float | str | None = None) -> Allowed:
    """Values above `low` and below `high`, both excluded: numbers, or names of other parameters.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Ring(Parameters):
    ...     inner: float = quantity(0.1, "m", between(0.0, "outer"))
    ...     outer: float = quantity(0.2, "m")
    >>> Ring(inner=0.3)
    Traceback (most recent call last):
    ...
    fecontact.errors.InputError: invalid inner = 0.3 m: expected > 0 and < outer = 0.2
    """
    return _Between("between other parameters", lambda x: True, (low, high))


def quantity(
    default: float | int | str | bool,
    unit: str = "",
    allowed: Allowed = ANY,
    *,
    numerical: bool = False,
) -> Any:
    """Field of a parameter object.

    Parameters
    ----------
    default
        Value of the source.
    unit
        SI unit.
    allowed
        Set of physically possible values.
    numerical
        True for mesh sizes and the like: they change the error, not the physics, so references
        stay valid.
    """
    return dataclasses.field(
        default=default, metadata={"unit": unit, "allowed": allowed, "numerical": numerical}
    )


def derived(what: str, compute: Callable[[Any], Any]) -> Any:
    """Quantity that follows from the parameters, as a line of their table.

    Parameters
    ----------
    what
        The quantity in words, with its unit.
    compute
        Its formula, a function of the parameters.

    Examples
    --------
    >>> @dataclass(frozen=True)
    ... class Oscillator(Parameters):
    ...     mass: float = quantity(2.0, "kg")
    ...     stiffness: float = quantity(8.0, "N/m")
    ...     frequency = derived("frequency in rad/s", lambda p: (p.stiffness / p.mass) ** 0.5)
    >>> Oscillator().frequency
    2.0
    """
    return property(compute, doc=what)


@dataclass(frozen=True)
class Parameters:
    """Base of the parameter objects of cases; every field is made by `quantity`.

    Examples
    --------
    >>> from fecontact.errors import POSITIVE
    >>> @dataclass(frozen=True)
    ... class Beam(Parameters):
    ...     length: float = quantity(1.0, "m", POSITIVE)
    >>> Beam().override(["length=2"]).length
    2.0
    >>> Beam().label("length")
    'length / m'
    >>> Beam().override(["length=-2"])
    Traceback (most recent call last):
    ...
    fecontact.errors.InputError: invalid length = -2.0 m: expected > 0
    """

    def __post_init__(self) -> None:
        for field in dataclasses.fields(self):
            value = getattr(self, field.name)
            allowed = field.metadata["allowed"]
            if isinstance(allowed, _Between):
                allowed = allowed.at(self)
            check(field.name, value, allowed, field.metadata["unit"])
        self.validate()

    def validate(self) -> None:
        """Check what concerns several fields; override where needed."""

    def label(self, name: str) -> str:
        """Name of a parameter with its unit, for axes."""
        unit = next(f.metadata["unit"] for f in dataclasses.fields(self) if f.name == name)
        return (
            f"{name} / ({unit})" if set(unit) & set("/ ") else f"{name} / {unit}" if unit else name
        )

    def override(self, settings: Iterable[str]) -> Self:
        """Copy with `key=value` texts applied; unknown keys and impossible values are refused."""
        types = get_type_hints(type(self))
        changes: dict[str, Any] = {}
        for setting in settings:
            key, equals, text = setting.partition("=")
            key = key.strip()
            if not equals:
                raise InputError(f"--set {setting}: expected key=value")
            if key not in types:
                raise unknown("parameter", key, types)
            changes[key] = _parse(key, text.strip(), types[key])
        return dataclasses.replace(self, **changes)

    def changed(self) -> frozenset[str]:
        """Names of the physical fields that differ from their defaults."""
        return frozenset(
            field.name
            for field in dataclasses.fields(self)
            if not field.metadata["numerical"] and getattr(self, field.name) != field.default
        )

    def to_dict(self) -> Mapping[str, Any]:
        """Plain values, for the summary."""
        return dataclasses.asdict(self)


def _parse(key: str, text: str, kind: type) -> Any:
    """Read a text as the type of its field."""
    words = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    try:
        if kind is bool:
            return words[text.lower()]
        return kind(text)
    except (ValueError, KeyError):
        raise InputError(f"invalid {key} = {text}: expected of type {kind.__name__}") from None
