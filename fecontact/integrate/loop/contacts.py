"""Stateful contacts in the working array of a program, and what they do at an output.

A system may have many contacts of few points: what all of them have is read and written at once, by
the places in the working array, and a report is an object only when somebody asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import overload

import numpy as np

from fecontact.contact.evaluate.compiled.report import shown_report
from fecontact.contact.evaluate.lowered.step import PARTS, history_parts
from fecontact.contact.kernels.blocks import SMALLEST
from fecontact.contact.pair import ContactPair
from fecontact.contact.report import ContactReport
from fecontact.contact.status import STICK
from fecontact.kernels.lowered import record_size
from fecontact.results.point import LaterReports
from fecontact.system import State, System
from fecontact.system.program import Program
from fecontact.system.program.kernels import RECORDS
from fecontact.typing import Floats, Integers

__all__ = ["SteppedContact", "SteppedContacts", "SteppedReports"]

HISTORY = ("z0", "status0", "totals0")
"""Parts of the memory of a contact with its history at the start of a step."""
SEEN = ("numbers", "vectors", "sums", "status0", "totals0")
"""Parts that a report is made of."""


@dataclass(frozen=True)
class SteppedContact:
    """A stateful contact in the working array: its parts by name, as slices."""

    item: ContactPair
    index: int
    parts: dict[str, slice]

    @staticmethod
    def of(program: Program, item: ContactPair) -> SteppedContact:
        """Where the history of a contact lies."""
        index = next(i for i, each in enumerate(program.summands) if each is item)
        n_q = sum(len(body.reference()) for body in item.bodies)
        n = sum(len(body.dofs) for body in item.bodies)
        shapes = item.surface.shapes
        modes = 0 if shapes is None else shapes.shape[2]
        ends = np.cumsum([
            program.table[index, RECORDS] + record_size(n_q, n),
            *history_parts(item.points, item.columns, modes),
        ]).tolist()  # fmt: skip
        pairs = zip(PARTS, ends[:-1], ends[1:], strict=True)
        return SteppedContact(item, index, {name: slice(a, b) for name, a, b in pairs})

    @property
    def length(self) -> int:
        """Length of the history at the start of a step."""
        return self.parts["totals0"].stop - self.parts["z0"].start


class SteppedContacts(Sequence[SteppedContact]):
    """All stateful contacts of a program over time steps.

    Parameters
    ----------
    system, program
        A system and its program over time steps; contacts that have none are left out.
    """

    def __init__(self, system: System, program: Program) -> None:
        pairs = (item for item in system.stateful_contacts if isinstance(item, ContactPair))
        self._all = [SteppedContact.of(program, pair) for pair in pairs]
        self._layout, self._work = system.history_layout, program.work
        starts = np.cumsum([0, *(contact.length for contact in self._all)]).tolist()
        self.kept_length = starts.pop()
        """Length of the histories of all contacts at the start of a step."""
        self.kept_starts = starts
        """Where each of them begins there."""

    @overload
    def __getitem__(self, index: int) -> SteppedContact: ...
    @overload
    def __getitem__(self, index: slice) -> list[SteppedContact]: ...
    def __getitem__(self, index: int | slice) -> SteppedContact | list[SteppedContact]:
        return self._all[index]

    def __len__(self) -> int:
        return len(self._all)

    @cached_property
    def places(self) -> dict[str, Integers]:
        """Places of each part in the working array, all contacts behind one another."""
        whole = np.arange(len(self._work))
        return {
            name: np.concatenate([whole[:0], *(whole[each.parts[name]] for each in self._all)])
            for name in PARTS
        }

    @cached_property
    def history_places(self) -> Integers:
        """Places of the histories of all contacts, in the order of a state."""
        return np.concatenate([self.places[name] for name in HISTORY])

    @cached_property
    def seen_places(self) -> Integers:
        """Places of what the reports are made of, one contact behind the other."""
        whole = np.arange(len(self._work))
        parts = [whole[each.parts[name]] for each in self._all for name in SEEN]
        return np.concatenate([whole[:0], *parts])

    @cached_property
    def kept_places(self) -> Integers:
        """Places of slip work and slip length of all points in the kept histories."""
        parts = [
            np.arange(first + each.length - 2 * each.item.points, first + each.length)
            for first, each in zip(self.kept_starts, self._all, strict=True)
        ]
        return np.concatenate([np.zeros(0, dtype=np.int64), *parts])

    @cached_property
    def bristle_places(self) -> tuple[Integers, Integers, Integers]:
        """Places of friction (p, 3), forces of the dampers (3, p) and pressures of all points."""
        whole = np.arange(len(self._work))
        friction, damper, pressure = (
            [whole[:0].reshape(0, 3)],
            [whole[:0].reshape(3, 0)],
            [whole[:0]],
        )
        for each in self._all:
            p = each.item.points
            bristles = whole[each.parts["bristles"]].reshape(4, p, 3)
            friction.append(bristles[0])
            damper.append(bristles[1].T)
            pressure.append(whole[each.parts["numbers"]][p : 2 * p])
        return np.vstack(friction), np.hstack(damper), np.concatenate(pressure)

    @cached_property
    def energy_places(self) -> Integers:
        """Places of the energies that the contacts store."""
        return np.array([each.parts["sums"].start for each in self._all], dtype=np.int64)

    def history(self) -> tuple[Floats, Integers, Floats]:
        """Internal variables, status and slip totals of all points at the start of a step."""
        z, status, totals = (self._work[self.places[name]] for name in HISTORY)
        return z, status.view(np.int64), totals

    def write(self, state: State) -> None:
        """Write the history of a filled state at the start of a step."""
        for name, part in zip(HISTORY, (state.z, state.status, state.slip_totals), strict=True):
            self._work[self.places[name]] = part.view(float)

    def write_grip(self, points: Floats) -> None:
        """Write friction and forces of the dampers in space at the start of a step."""
        status = self._work[self.places["status0"]].view(np.int64)
        grip = points[:4].T.copy()
        np.copyto(grip[:, 0], -np.maximum(points[0], SMALLEST), where=status == STICK)
        self._work[self.places["grip"]] = grip.ravel()

    def points(self) -> Floats:
        """Size of friction, force of the dampers and pressure (5, p), as SHOW has left them."""
        friction, damper, pressure = (self._work[places] for places in self.bristle_places)
        size = np.sqrt(np.square(friction).sum(axis=1))
        return np.vstack([size, damper, pressure])

    def reports(self, kept: Floats, h: float) -> SteppedReports:
        """What SHOW has left of a step h; `kept` are the histories at its start."""
        return self.reports_of(self._work[self.seen_places], kept[self.kept_places], h)

    def reports_of(self, seen: Floats, before: Floats, h: float) -> SteppedReports:
        """The same from the parts `seen_places`, and the slip totals before the step."""
        return SteppedReports(self._names, self._ends, seen, before, h)

    @cached_property
    def _names(self) -> dict[str, int]:
        return {each.item.name: i for i, each in enumerate(self._all)}

    @cached_property
    def _ends(self) -> Integers:
        """Where the part of each contact begins in what its report is made of, and in its totals.

        The rows (contacts + 1, 2) end with the lengths of both.
        """
        sizes = [
            (sum(each.parts[name].stop - each.parts[name].start for name in SEEN),
             2 * each.item.points)
            for each in self._all
        ]  # fmt: skip
        return np.cumsum([(0, 0), *sizes], axis=0)


class SteppedReports(LaterReports):
    """Reports of the contacts at the end of a step, from copies of their parts `SEEN`.

    Parameters
    ----------
    names
        Number of each contact.
    ends
        Where the parts of each begin.
    seen, before
        The parts of all, and slip work and length of their points before the step.
    h
        The step in s.
    """

    def __init__(
        self, names: Mapping[str, int], ends: Integers, seen: Floats, before: Floats, h: float
    ) -> None:
        self._names, self._ends, self._seen, self._before, self._h = names, ends, seen, before, h

    @property
    def energy(self) -> float:
        """Energy in J that all contacts store."""
        points = np.diff(self._ends[:, 1]) // 2
        return float(self._seen[self._ends[:-1, 0] + 15 * points].sum())

    def __getitem__(self, name: str) -> ContactReport:
        i = self._names[name]
        (a, first), (b, last) = self._ends[i : i + 2].tolist()
        return _report(self._seen[a:b], self._before[first:last], self._h)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _report(seen: Floats, before: Floats, h: float) -> ContactReport:
    """Report of one contact from its parts SEEN, and slip work and length before the step."""
    p = len(before) // 2
    ends = np.cumsum([3 * p, 12 * p, 4, p])
    numbers, vectors, sums, status, totals = np.split(seen, ends)
    numbers = numbers.reshape(3, p).copy()
    numbers[2] = (totals - before)[::2] / h  # as the audit counts it
    return shown_report(status.view(np.int64), numbers, vectors.reshape(4, p, 3), sums)
