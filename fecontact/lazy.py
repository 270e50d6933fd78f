"""Names of a package that are imported when they are first used (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any
from warnings import warn

__all__ = ["lazy_names"]


def lazy_names(
    package: str, table: str, former: Mapping[str, str] | None = None
) -> tuple[list[str], Callable[[str], Any], Callable[[], list[str]]]:
    """Return `__all__`, `__getattr__` and `__dir__` of a package from a table of its names.

    Parameters
    ----------
    package
        Name of the package, `__name__`.
    table
        Lines `module: name name ...`, modules relative to the package, continued by indented
        lines; `name=other` publishes `other` of the module as `name`. Lines with # are comments.
        The folders themselves are attributes too, without being listed in `__all__`.
    former
        Names of earlier versions and those they have now; they work, with a warning.
    """
    homes = {name: (module, original) for module, name, original in _entries(table)}
    rooms = {line.split(":")[0].split(".")[0] for line in table.splitlines() if ":" in line}
    rooms = {room for room in rooms if room.isidentifier()}

    def load(name: str) -> Any:
        if former and name in former:
            short = package.replace("fecontact", "fc")
            text = f"{short}.{name} is now {short}.{former[name]}"
            warn(text, DeprecationWarning, stacklevel=2)
            return load(former[name])
        if name in homes:
            module, original = homes[name]
            value = getattr(import_module(f"{package}.{module}"), original)
        elif name in rooms:
            value = import_module(f"{package}.{name}")
        else:
            raise AttributeError(
                f"module '{package}' has no attribute '{name}'{_close(name, homes)}"
            )
        setattr(sys.modules[package], name, value)
        return value

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes, *rooms})

    return sorted(homes), load, names


def _close(name: str, names: Iterable[str]) -> str:
    """Words about names like one that does not exist; private ones are asked for by programs."""
    if name.startswith("_"):
        return ""
    from difflib import get_close_matches  # imports are fast without it

    found = get_close_matches(name, names)
    return f"; close names: {', '.join(found)}" if found else ""


def _entries(table: str) -> Iterator[tuple[str, str, str]]:
    """Module, public name and name in the module of every entry."""
    module = ""
    for line in table.splitlines():
        if line.startswith("#"):
            continue
        head, colon, rest = line.partition(":")
        if colon:
            module = head
        for entry in (rest if colon else line).split():
            public, _, original = entry.partition("=")
            yield module, public, original or public
