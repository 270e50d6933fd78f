"""Systems that differ from a given one in numbers of its items.

    system.with_parameters({"bearing.radial_stiffness": 32e6, "plate.speed": 390.0})

An item with another number is made anew, with its checks; so is what refers to a body that was made
anew. All else is the same object, and the compiled program is that of the system before with some
of its rows written again: nothing is built twice.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

from fecontact.errors import InputError, unknown
from fecontact.system.content import content
from fecontact.typing import Constraint, Item

if TYPE_CHECKING:
    from fecontact.system.system import System

__all__ = ["Variants"]


class _Made(NamedTuple):
    """An item made for values of its parameters, on bodies in the place of those of the system."""

    values: tuple[tuple[str, Any], ...]
    bodies: tuple[Any, ...]
    item: Any


class Variants:
    """Systems with other parameters than a given one; the last of each item is kept."""

    def __init__(self, base: System) -> None:
        members: tuple[Item | Constraint, ...] = (*base.items, *base.constraints)
        self.members = {member.name: member for member in members}
        self.latest = base
        self._bodies = tuple(body.name for body in base.bodies)
        self._on = {
            name: tuple(body.name for body in member.bodies)
            for name, member in self.members.items()
        }
        self._made: dict[str, _Made] = {}
        self._paths: dict[str, tuple[str, str]] = {}
        self._elsewhere: set[tuple[int, ...]] = set()

    def __call__(self, values: Mapping[str, Any]) -> System:
        """The system with other values of some parameters, by "item.field"."""
        given: dict[str, dict[str, Any]] = {}
        for path, value in values.items():
            name, field = self._parted(path)
            if name in self._bodies and field.partition(".")[0] == "model":
                raise InputError(
                    f"invalid parameter '{path}': expected a system that is built with the other "
                    "model, as surfaces and markers are worked out from it"
                )
            given.setdefault(name, {})[field] = value
        found: dict[str, Any] = {}
        for name in self._bodies:
            if name in given:
                found[name] = self._item(name, given[name], {})
        bodies = dict(found)
        for name in self.members:
            if name not in bodies and (name in given or any(b in bodies for b in self._on[name])):
                found[name] = self._item(name, given.get(name, {}), bodies)
        self.latest = self._system(found)
        return self.latest

    def _system(self, found: Mapping[str, Any]) -> System:
        """The latest system with the items that are not those of it in their place."""
        latest, members = self.latest, self.members
        items = [found.get(item.name, members[item.name]) for item in latest.items]
        constraints = [found.get(c.name, members[c.name]) for c in latest.constraints]
        made = latest.with_items(items, constraints)
        if made is None:  # another layout
            count = len(latest.bodies)
            made = type(latest)(items[:count], [*items[count:], *constraints])
        made.variant_of = self
        return made

    def _parted(self, path: str) -> tuple[str, str]:
        """Name of an item, and its field."""
        if path not in self._paths:
            names = [name for name in self.members if path.startswith(f"{name}.")]
            if not names:
                raise unknown("item", path.rpartition(".")[0] or path, self.members)
            name = max(names, key=len)
            self._paths[path] = name, path[len(name) + 1 :]
        return self._paths[path]

    def _item(self, name: str, values: Mapping[str, Any], bodies: Mapping[str, Any]) -> Any:
        """An item with these values, on these bodies in the place of those of the same name."""
        own = tuple(bodies.get(body) for body in self._on[name])
        noted = tuple((field, content(value)) for field, value in values.items())
        last = self._made.get(name)
        known = all(value is not None for _, value in noted)
        if last is not None and known and last.values == noted and not _differ(last.bodies, own):
            return last.item
        base: Any = self.members[name]
        others = {id(self.members[body]): bodies[body] for body in self._on[name] if body in bodies}
        item = _changed(self._moved(base, others) if others else base, name, values)
        there = [bodies.get(body.name, body) for body in base.bodies]
        if name not in self._bodies and _differ(item.bodies, there):
            raise InputError(
                f"invalid values of the bodies of '{name}': expected an item whose fields are its "
                "bodies, so that it can be made with others"
            )
        self._made[name] = _Made(noted, own, item)
        return item

    def _moved(self, owner: Any, others: Mapping[int, Any]) -> Any:
        """An object in whose fields, and in those of its parts, other bodies stand.

        Parts without these bodies are noted, as all variants have the same ones.
        """
        if id(owner) in others:
            return others[id(owner)]
        sequence = type(owner) in (tuple, list)
        if not sequence and (not is_dataclass(owner) or isinstance(owner, type)):
            return owner
        place = id(owner), *others
        if place in self._elsewhere:
            return owner
        if sequence:
            parts = [self._moved(part, others) for part in owner]
            if _differ(parts, owner):
                return type(owner)(parts)
        else:
            before = {name: getattr(owner, name) for name in _fields(owner)}
            after = {name: self._moved(value, others) for name, value in before.items()}
            changes = {name: new for name, new in after.items() if new is not before[name]}
            if changes:
                return replace(owner, **changes)
        self._elsewhere.add(place)
        return owner


def _changed(owner: Any, name: str, values: Mapping[str, Any]) -> Any:
    """A dataclass with other values of its fields, or of those of its parts ("friction.mu")."""
    if not values:
        return owner
    parts: dict[str, dict[str, Any]] = {}
    changes: dict[str, Any] = {}
    for path, value in values.items():
        field, _, rest = path.partition(".")
        known = _fields(owner)
        if field == "name" or field not in known:
            raise unknown(f"field of '{name}'", field, known - {"name"})
        if rest:
            parts.setdefault(field, {})[rest] = value
        else:
            changes[field] = value
    for field, own in parts.items():
        changes[field] = _changed(getattr(owner, field), f"{name}.{field}", own)
    made = getattr(owner, "with_fields", None)
    return replace(owner, **changes) if made is None else made(changes)


def _fields(owner: Any) -> frozenset[str]:
    """Names of the fields with which a dataclass is made."""
    kind: Any = type(owner)
    return _fields_of(kind)


@cache
def _fields_of(kind: Any) -> frozenset[str]:
    if not is_dataclass(kind):
        return frozenset()
    return frozenset(field.name for field in fields(kind) if field.init)


def _differ(one: Iterable[Any], two: Iterable[Any]) -> bool:
    return any(a is not b for a, b in zip(one, two, strict=True))
