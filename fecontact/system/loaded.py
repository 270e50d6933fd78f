"""Systems for small motions: contact points that touch and carry nothing are open."""

from __future__ import annotations

from fecontact.contact.evaluate.touching import lifted
from fecontact.contact.pair import ContactPair
from fecontact.system.state import State
from fecontact.system.system import System
from fecontact.typing import Item

__all__ = ["loaded_system"]


def loaded_system(system: System, state: State) -> System:
    """Return the system with the contact points lifted off that touch and carry nothing."""

    def changed(item: Item) -> Item:
        if not isinstance(item, ContactPair):
            return item
        return lifted(item, *system.local(item, state), state.t)

    forces = system.items[len(system.bodies) :]
    items = [changed(item) for item in forces]
    if all(one is two for one, two in zip(items, forces, strict=True)):
        return system
    return System(system.bodies, [*items, *system.constraints])
