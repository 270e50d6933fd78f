"""Reports of the contacts of the compiled explicit loop, which sees their points itself."""

from __future__ import annotations

from threading import RLock
from weakref import WeakKeyDictionary

import numpy as np

from fecontact.contact.evaluate.compiled.report import shown_report
from fecontact.contact.kernels.layout import SHOWN
from fecontact.contact.pair import ContactPair
from fecontact.contact.report import ContactReport
from fecontact.integrate.explicit._kernels import Contact, Linear, Look, Sums, march
from fecontact.integrate.explicit.contact import compiled_contacts
from fecontact.results.point import StateReports
from fecontact.system import State, System

__all__ = ["Looker", "has_rates", "state_reports"]


class Looker:
    """Working space to look at contacts, and their reports."""

    def __init__(self, system: System, contacts: tuple[Contact, ...]) -> None:
        self.names = system.history_layout.names
        self._work = [
            (
                np.empty_like(each.z),
                np.empty_like(each.slip_totals),
                np.empty((len(each.sums), SHOWN)),
                np.empty((4, each.points.size, 3)),
            )
            for each in contacts
        ]

    def looks(self) -> tuple[Look, ...]:
        """Where the loop puts what it sees, with new arrays for what reports keep."""
        return tuple(
            Look(
                *work,
                np.empty(p, dtype=np.int64),
                np.empty((3, p)),
                np.empty((4, p, 3)),
                np.empty(4),
            )
            for work in self._work
            for p in (len(work[0]),)
        )

    def reports(self, looks: tuple[Look, ...]) -> StateReports:
        """Reports of what the loop saw."""
        return StateReports(zip(self.names, map(_report, looks), strict=True), state_reports)


def has_rates(system: System) -> bool:
    """Whether all contacts have a continuous law, and are points on rigid surfaces."""
    return all(
        type(item) is ContactPair and not getattr(item.friction, "rateless", True)
        for item in system.stateful_contacts
    )


def state_reports(system: System, state: State) -> StateReports:
    """Reports of a filled state, to the last bit what the loop saw there."""
    with _turn:
        if system not in _known:
            contacts, _ = compiled_contacts(system, state)
            _known[system] = contacts, Looker(system, contacts)
        contacts, looker = _known[system]
        for name, own in zip(looker.names, contacts, strict=True):
            history = system.history_layout.history(state, name)
            own.z[:], own.status[:] = history.z, history.status
        looks, still = looker.looks(), np.zeros(system.size)
        linear, sums = _nothing(system.size, len(contacts))
        march(0, 0.0, linear, contacts, sums, state.q, state.v, still, looks, True)
        return looker.reports(looks)


def _report(look: Look) -> ContactReport:
    return shown_report(look.status, look.numbers, look.vectors, look.sums)


def _nothing(n: int, contacts: int) -> tuple[Linear, Sums]:
    """Linear items and sums of a system that does not move."""
    square, row, parts = np.zeros((n, n)), np.zeros(contacts), np.zeros((n, 2), dtype=np.int64)
    linear = Linear(square, square, np.zeros(n), square, parts, parts)
    sums = Sums(square, square, row, row, row, np.zeros((contacts, n)), np.zeros((contacts, 2)))
    return linear, sums


_turn = RLock()
"""Held by the thread that looks: the contacts are working space of all."""
_known: WeakKeyDictionary[System, tuple[tuple[Contact, ...], Looker]] = WeakKeyDictionary()
