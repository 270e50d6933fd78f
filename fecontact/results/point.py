"""Points of a motion: states with what the method knows there, and located user events."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

import numpy as np

from fecontact.contact.report import ContactReport
from fecontact.errors import InputError
from fecontact.results.switches import NO_SWITCHES, STATUS_WORDS
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = [
    "NOTHING",
    "STATE",
    "Crossing",
    "LaterReports",
    "Point",
    "Reporter",
    "StateReports",
    "filled",
]

NOTHING = np.zeros(0)
STATE = ("t", "q", "v", "lam", "z", "status", "slip_totals")
"""Parts of a state, in the order in which a crossing is stored."""


Reporter: TypeAlias = Callable[[System, State], Mapping[str, ContactReport]]
"""How a method tells from a filled state what the contacts do."""


class Point(NamedTuple):
    """One state of a motion.

    Attributes
    ----------
    state, acceleration
        State with its contact history, and v'.
    resume
        Flat array from which the method that made the point continues as if it had not stopped:
        algorithmic acceleration, step, sizes seen so far; empty for a start.
    energies
        Lines of the energy audit, see `results.audit`; empty if the method keeps none.
    reports
        What the contacts did at the end of the step; `StateReports`, or how to make them: what the
        state alone tells. None: the continuous law tells it.
    switches : (e, 4)
        Located changes of contact points since the point before, see `results.switches`.
    """

    state: State
    acceleration: Floats
    resume: Floats = NOTHING
    energies: Floats = NOTHING
    reports: Mapping[str, ContactReport] | Reporter | None = None
    switches: Floats = NO_SWITCHES

    @property
    def kept(self) -> Point:
        """The point as a motion in memory keeps it.

        Without reports that its state tells, and of others without what the audit alone needs.
        """
        if isinstance(self.reports, LaterReports):
            return self
        if isinstance(self.reports, StateReports):
            return self._replace(reports=self.reports.again)
        if isinstance(self.reports, Mapping):
            own = {name: replace(x, bristles=None) for name, x in self.reports.items()}
            return self._replace(reports=own)
        return self

    def contacts(self, system: System) -> Mapping[str, ContactReport]:
        """What the points of each stateful contact do."""
        if isinstance(self.reports, Mapping):
            return self.reports
        tell = StateReports.of if self.reports is None else self.reports
        return tell(system, system.history_layout.filled(self.state))


class LaterReports(Mapping[str, ContactReport], ABC):
    """Reports that are made when they are asked for, without what the audit alone needs."""

    @property
    @abstractmethod
    def energy(self) -> float:
        """Energy in J that all contacts store."""


class StateReports(dict[str, ContactReport]):
    """Reports that a state alone tells, at hand while a point is new.

    A motion in memory does not keep them: `again` makes them when they are asked for.
    """

    def __init__(
        self, reports: Iterable[tuple[str, ContactReport]], again: Reporter | None = None
    ) -> None:
        super().__init__(reports)
        self.again = again

    @staticmethod
    def of(system: System, state: State) -> StateReports:
        """What the points of each stateful contact do by the continuous law, at a filled state."""
        return StateReports(
            (item.name, item.shown_rate(state.t, q, v, history).report())
            for item, q, v, history in system.histories(state)
        )


class Crossing(NamedTuple):
    """An event that happened: its name and the state there."""

    name: str
    state: State

    @property
    def t(self) -> float:
        """Time in s."""
        return self.state.t

    def flat(self, names: Sequence[str]) -> Floats:
        """Index of the name among all, then the parts of the state in the order of `STATE`."""
        parts = [np.ravel(getattr(self.state, part)) for part in STATE]
        return np.concatenate([[names.index(self.name)], *parts])

    @staticmethod
    def of(row: Floats, names: Sequence[str], sizes: Sequence[int]) -> Crossing:
        """Crossing of a flat row; sizes of the parts of a state as `STATE` orders them."""
        index, *parts = np.split(row, np.cumsum([1, *sizes])[:-1])
        t, q, v, lam, z, status, slip_totals = parts
        _check_whole(index, len(names))
        _check_whole(status, len(STATUS_WORDS))
        return Crossing(
            names[int(index[0])],
            State(float(t[0]), q, v, lam, z, status.astype(np.int64), slip_totals),
        )


def _check_whole(numbers: Floats, count: int) -> None:
    """Raise an `InputError` unless all are whole numbers from 0 to count - 1."""
    known = (numbers >= 0.0) & (numbers < count) & (numbers == np.floor(numbers))
    if not known.all():
        raise InputError(
            f"the events are damaged: invalid number {numbers[~known][0]}: expected 0 to "
            f"{count - 1}"
        )


def filled(part: Floats, size: int) -> Floats:
    """The part, or NaN where the method gives none."""
    return part if len(part) == size else np.full(size, np.nan)
