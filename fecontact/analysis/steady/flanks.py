"""Systems on the other flanks of their gears."""

from __future__ import annotations

from collections.abc import Collection

from fecontact.system import System
from fecontact.typing import Constraint

__all__ = ["changed_flanks", "with_changed_flanks"]


def with_changed_flanks(system: System, names: Collection[str]) -> System:
    """Return the system with the named one-sided constraints on their other flanks."""

    def changed(constraint: Constraint) -> Constraint:
        switched = getattr(constraint, "switched", None)
        return switched() if constraint.name in names and switched is not None else constraint

    if not names:
        return system
    forces = system.items[len(system.bodies) :]
    return System(system.bodies, [*forces, *(changed(each) for each in system.constraints)])


def changed_flanks(system: System, other: System) -> tuple[str, ...]:
    """Names of the one-sided constraints that two systems have on different flanks."""
    pairs = zip(system.constraints, other.constraints, strict=True)
    return tuple(one.name for one, two in pairs if one is not two)
