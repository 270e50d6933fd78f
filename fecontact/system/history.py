"""Layout of the contact history of a system in the flat arrays z, mode and wear of its state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from fecontact.contact.history import ContactHistory
from fecontact.contact.status import GROSS, OPEN
from fecontact.errors import InputError
from fecontact.system.state import State
from fecontact.typing import Floats, History, Item, supporting

__all__ = ["Memory"]


@dataclass(frozen=True)
class Memory:
    """Where each item with memory keeps its history.

    An item with p points of k internal variables owns p k numbers of z (row-major), p of mode and
    2 p of wear.

    Attributes
    ----------
    names
        Items with memory, in the order of the system.
    shapes
        (p, k) by name.
    z, mode, wear
        Parts of the flat arrays by name.
    units
        Units of the k internal variables of a point, by name of the item.
    """

    names: tuple[str, ...]
    shapes: Mapping[str, tuple[int, int]]
    z: Mapping[str, slice]
    mode: Mapping[str, slice]
    wear: Mapping[str, slice]
    units: Mapping[str, tuple[str, ...]]

    @staticmethod
    def of(items: Sequence[Item]) -> Memory:
        """Layout of all items that remember."""
        known = [item for item in supporting(items, "begin") if item.columns > 0]
        shapes = {item.name: (item.points, item.columns) for item in known}
        points = {name: p for name, (p, _) in shapes.items()}
        return Memory(
            names=tuple(shapes),
            shapes=shapes,
            z=_parts({name: p * k for name, (p, k) in shapes.items()}),
            mode=_parts(points),
            wear=_parts({name: 2 * p for name, p in points.items()}),
            units={item.name: _units(item) for item in known},
        )

    def __bool__(self) -> bool:
        return bool(self.names)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Lengths of z, mode and wear."""
        points = sum(p for p, _ in self.shapes.values())
        return sum(p * k for p, k in self.shapes.values()), points, 2 * points

    @property
    def lengths(self) -> npt.NDArray[np.bool_]:
        """Which of the numbers of z are lengths: elastic slip, compression of a layer."""
        parts = [
            np.tile([unit == "m" for unit in self.units[name]], p)
            for name, (p, _) in self.shapes.items()
        ]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=bool)

    @property
    def elastic_slip(self) -> npt.NDArray[np.bool_]:
        """Which of the numbers of z belong to an elastic slip."""
        parts = [np.tile(np.arange(k) < 3, p) for p, k in self.shapes.values()]
        return np.concatenate(parts) if parts else np.zeros(0, dtype=bool)

    def filled(self, state: State) -> State:
        """The state, with the history of points that never touched where it has none."""
        self.check(state)
        z, mode, wear = self.sizes
        return replace(
            state,
            z=state.z if len(state.z) else np.zeros(z),
            mode=state.mode if len(state.mode) else np.zeros(mode, dtype=np.int64),
            wear=state.wear if len(state.wear) else np.zeros(wear),
        )

    def check(self, state: State) -> None:
        """Raise an `InputError` if the history of a state does not fit or is not finite."""
        for name, size in zip(("z", "mode", "wear"), self.sizes, strict=True):
            values = getattr(state, name)
            if np.shape(values) not in ((0,), (size,)):
                raise InputError(
                    f"{name} has shape {np.shape(values)}; it must be ({size},), or empty for "
                    "contacts without history"
                )
            if not np.isfinite(values).all():
                raise InputError(f"{name} of the contacts must be finite numbers")
        known = (state.mode >= OPEN) & (state.mode <= GROSS)
        if not known.all():
            raise InputError(
                f"invalid mode = {state.mode[~known][0]} of a contact point: expected 0 (open), "
                "1 (stick), 2 (slip) or 3 (gross slip)"
            )

    def history(self, state: State, name: str) -> ContactHistory:
        """History of one item; the state must have one."""
        z, mode, wear = self.z[name], self.mode[name], self.wear[name]
        return ContactHistory(
            state.z[z].reshape(self.shapes[name]), state.mode[mode], state.wear[wear].reshape(-1, 2)
        )

    def with_histories(self, state: State, histories: Mapping[str, History]) -> State:
        """The state with new histories of all items."""
        parts = [histories[name] for name in self.names]
        return replace(
            state,
            z=_joined([part.z for part in parts]),
            mode=np.concatenate([part.mode for part in parts]) if parts else state.mode,
            wear=_joined([part.wear for part in parts]),
        )


def _units(item: Any) -> tuple[str, ...]:
    """Units of the internal variables; those of an item that declares none are lengths."""
    declared = getattr(item, "states", ())
    units = tuple(state.unit for state in declared for _ in range(state.size))
    return units or ("m",) * item.columns


def _joined(parts: Sequence[Floats]) -> Floats:
    return np.concatenate([part.ravel() for part in parts]) if parts else np.zeros(0)


def _parts(sizes: Mapping[str, int]) -> dict[str, slice]:
    ends = np.cumsum(list(sizes.values()), dtype=int).tolist()
    return {
        name: slice(end - size, end) for (name, size), end in zip(sizes.items(), ends, strict=True)
    }
