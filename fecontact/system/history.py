"""Layout of the contact history of a system in the arrays z, status and slip_totals of a state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt

from fecontact.contact.history import ContactHistory
from fecontact.contact.status import GROSS, OPEN
from fecontact.errors import InputError
from fecontact.system.state import State
from fecontact.typing import Floats, Item, supporting

__all__ = ["HistoryLayout"]


@dataclass(frozen=True)
class HistoryLayout:
    """Where each stateful item keeps its history.

    An item with p points of k internal variables owns p k numbers of z (row-major), p of status and
    2 p of slip_totals.

    Attributes
    ----------
    names
        Stateful items, in the order of the system.
    shapes
        (p, k) by name.
    z, status, slip_totals
        Parts of the flat arrays by name.
    units
        Units of the k internal variables of a point, by name of the item.
    """

    names: tuple[str, ...]
    shapes: Mapping[str, tuple[int, int]]
    z: Mapping[str, slice]
    status: Mapping[str, slice]
    slip_totals: Mapping[str, slice]
    units: Mapping[str, tuple[str, ...]]

    @staticmethod
    def of(items: Sequence[Item]) -> HistoryLayout:
        """Layout of all stateful items."""
        known = [item for item in supporting(items, "begin") if item.columns > 0]
        shapes = {item.name: (item.points, item.columns) for item in known}
        points = {name: p for name, (p, _) in shapes.items()}
        return HistoryLayout(
            names=tuple(shapes),
            shapes=shapes,
            z=_parts({name: p * k for name, (p, k) in shapes.items()}),
            status=_parts(points),
            slip_totals=_parts({name: 2 * p for name, p in points.items()}),
            units={item.name: _units(item) for item in known},
        )

    def __bool__(self) -> bool:
        return bool(self.names)

    @property
    def sizes(self) -> tuple[int, int, int]:
        """Lengths of z, status and slip_totals."""
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
        z, status, slip_totals = self.sizes
        return replace(
            state,
            z=state.z if len(state.z) else np.zeros(z),
            status=state.status if len(state.status) else np.zeros(status, dtype=np.int64),
            slip_totals=state.slip_totals if len(state.slip_totals) else np.zeros(slip_totals),
        )

    def check(self, state: State) -> None:
        """Raise an `InputError` if the history of a state does not fit or is not finite."""
        for name, size in zip(("z", "status", "slip_totals"), self.sizes, strict=True):
            values = getattr(state, name)
            if np.shape(values) not in ((0,), (size,)):
                raise InputError(
                    f"invalid {name} of shape {np.shape(values)}: expected ({size},), or none for "
                    "contacts without history"
                )
            if not np.isfinite(values).all():
                raise InputError(f"invalid {name} of the contacts: expected finite numbers")
        known = (state.status >= OPEN) & (state.status <= GROSS)
        if not known.all():
            raise InputError(
                f"invalid status = {state.status[~known][0]} of a contact point: expected "
                "0 (open), 1 (stick), 2 (slip) or 3 (gross slip)"
            )

    def history(self, state: State, name: str) -> ContactHistory:
        """History of one item; the state must have one."""
        z, status, slip_totals = self.z[name], self.status[name], self.slip_totals[name]
        return ContactHistory(
            state.z[z].reshape(self.shapes[name]),
            state.status[status],
            state.slip_totals[slip_totals].reshape(-1, 2),
        )

    def with_histories(self, state: State, histories: Mapping[str, ContactHistory]) -> State:
        """The state with new histories of all items."""
        parts = [histories[name] for name in self.names]
        return replace(
            state,
            z=_joined([part.z for part in parts]),
            status=np.concatenate([part.status for part in parts]) if parts else state.status,
            slip_totals=_joined([part.slip_totals for part in parts]),
        )


def _units(item: Any) -> tuple[str, ...]:
    """Units of the internal variables; those of an item that declares none are lengths."""
    declared = getattr(item, "states", ())
    units = tuple(state.unit for state in declared for _ in range(state.size))
    return units or ("m",) * item.columns


def _joined(parts: Sequence[Floats]) -> Floats:
    return np.concatenate([part.ravel() for part in parts]) if parts else np.zeros(0)


def _parts(sizes: Mapping[str, int]) -> dict[str, slice]:
    ends = accumulate(sizes.values())
    return {
        name: slice(end - size, end) for (name, size), end in zip(sizes.items(), ends, strict=True)
    }
