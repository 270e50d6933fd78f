"""Compiled backend of the explicit method: linear bodies, contacts of points."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from fecontact.contact.kernels.eulerian import Rolling
from fecontact.contact.report import ContactReport
from fecontact.errors import InputError, SolverError
from fecontact.integrate.audit import EnergyAudit, energy_lines, with_contacts
from fecontact.integrate.explicit._kernels import Contact, Linear, Sums, march, march_free
from fecontact.integrate.explicit._rolling import march_both, march_rolling
from fecontact.integrate.explicit.bound import StepLimits, step_limits
from fecontact.integrate.explicit.contact import compiled_contacts, first_grip
from fecontact.integrate.explicit.energies import linear_energies
from fecontact.integrate.explicit.linear import linear_items, occupied
from fecontact.integrate.explicit.look import Looker, has_rates
from fecontact.results.point import Point, StateReports
from fecontact.results.statistics import Statistics
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["SAME_STEP", "CompiledBackend"]

SAME_STEP = 1e-12
"""Steps that differ by less, relatively, are the same."""
MAX_STEPS = 2000
"""Steps between looks at a signal to stop."""


class Kept(NamedTuple):
    """A moment of the motion: its state, copies of all arrays that steps change, and the counts."""

    state: State
    parts: list[Any]
    statistics: Statistics


class CompiledBackend:
    """The motion and what it has summed; `v` is the velocity half a step ahead."""

    def __init__(self, system: System, start: Point, statistics: Statistics) -> None:
        state = system.history_layout.filled(start.state)
        self.system, self.statistics, self.state = system, statistics, state
        self.items = linear_items(system)
        self.contacts, self.rolling = compiled_contacts(system, state)
        parts: dict[int, Contact | Rolling] = {each.rank: each for each in self.contacts}
        parts |= {each.rank: each.contact for each in self.rolling}
        self.parts = [parts[index] for index in range(len(parts))]
        n = system.size
        self.limits = step_limits(system, state, self.items.stiffness, np.zeros((n, n)))
        self.h, self.linear = 0.0, self._matrices(0.0)
        self.q, self.v, self.a = state.q.copy(), state.v.copy(), start.acceleration.copy()
        self.origin = state.q.copy()
        rates = system.rate_form(state)
        reports = rates.reports()
        self.energies = linear_energies(system, self.items)
        self.audit = EnergyAudit(system, state, rates.forces, reports)
        for part, (name, report) in zip(self.parts, reports.items(), strict=True):
            part.grip[:] = first_grip(system, state, name, report)
        names = [item.name for item in system.items]
        rows = [names.index(name) for name in system.history_layout.names]
        powers = [
            [0.0 if r.bristles is None else r.bristles.lost, r.supplied_power]
            for r in reports.values()
        ]
        count = len(rows)
        self.sums = Sums(
            np.zeros((n, n)), np.zeros((n, n)),
            np.zeros(count), np.zeros(count), np.zeros(count),
            rates.forces[rows].copy(), np.array(powers).reshape(count, 2),
        )  # fmt: skip
        self.pairs = self.items.coupled  # sums over other pairs of dofs are not used
        self.rows = np.array(rows, dtype=np.int64)
        self.damping = np.array([i for i, _ in system.dissipating], dtype=np.int64)
        self.looker = Looker(system, self.contacts)
        self.looks, self.looked = self.looker.looks(), False
        self.sees = bool(self.contacts) and has_rates(system)
        self.audit.first = self._stored(state, self._reports(state))
        if len(start.resume):
            self._resume(start.resume)

    def change_step(self, h: float) -> None:
        """Go on with steps of length h."""
        if abs(h - self.h) > SAME_STEP * h:
            self.v += 0.5 * (h - self.h) * self.a
            self.h, self.linear, self.looked = h, self._matrices(h), False
            self.statistics.factorisations += 1

    def advance(self, steps: int, t: float, output: bool = False) -> None:
        """Do steps of length h, the last of which ends at t; with `output` for a point there."""
        for first in range(0, steps, MAX_STEPS):
            count = min(MAX_STEPS, steps - first)
            self._march(count, output and first + count == steps)
            self._count(count)
            if not np.isfinite(self.v).all():
                raise SolverError(
                    f"t < {t:.6g} s: the motion grows beyond all bounds with the step {self.h:.3g} "
                    f"s (bound at the start {self.limits.bound:.3g} s); try a smaller step"
                )
        self.state = replace(self.state, t=t)

    def glance(self) -> Point:
        """State and acceleration alone: what event functions look at."""
        state, parts = self.state, self.parts
        z, status, slip_totals = state.z, state.status, state.slip_totals
        if parts:
            z = np.concatenate([part.z.ravel() for part in parts])
            status = np.concatenate([part.status for part in parts])
            slip_totals = np.concatenate([part.slip_totals.ravel() for part in parts])
        v = self.v - 0.5 * self.h * self.a
        self.state = State(state.t, self.q.copy(), v, state.lam, z, status, slip_totals)
        return Point(self.state, self.a.copy())

    def kept(self) -> Kept:
        """Copy of all that the motion goes on from."""
        return Kept(self.state, [part.copy() for part in self._moving], replace(self.statistics))

    def go_back(self, kept: Kept) -> None:
        """Go on from an earlier moment of the same step length."""
        self.looked = False
        self.state, steps = kept.state, kept.statistics.steps - self.statistics.steps
        self._count(steps)
        for mine, part in zip(self._moving, kept.parts, strict=True):
            mine[...] = part

    def point(self) -> Point:
        """Where the motion is."""
        state = self.glance().state
        reports = self._reports(state)
        now = self._stored(state, reports)
        works, lost, given = self._sums()
        lines = energy_lines(self.audit.first, now, np.append(works, 0.0), lost.sum(), given.sum())
        return Point(state, self.a.copy(), self._numbers, lines, reports)

    def _stored(self, state: State, reports: Mapping[str, ContactReport]) -> Floats:
        """The same as `stored_energies`."""
        return with_contacts(*self.energies(state), state, reports)

    def _count(self, steps: int) -> None:
        self.statistics.steps += steps
        self.statistics.evaluations += steps
        self.statistics.compiled += steps

    @property
    def _moving(self) -> list[Any]:
        """All arrays that steps change."""
        histories = [x for part in self.parts for x in (part.z, part.status, part.slip_totals)]
        return [self.q, self.a, *self._kept, *histories]

    @property
    def _kept(self) -> list[Floats]:
        """What a point must keep besides its state to go on exactly."""
        arrays = [x for part in self.contacts for x in (part.anchor, part.old, part.gap)]
        arrays += [x for each in self.rolling for x in (each.face.projected, each.contact.normal)]
        arrays += [part.grip for part in self.parts]
        return [self.v, self.origin, self.audit.first, *self.sums, *arrays]

    def _reports(self, state: State) -> StateReports:
        """What the contacts do at the state where the motion is."""
        if not self.sees:
            return StateReports.of(self.system, state)
        if not self.looked:
            self._march(0, True)
        return self.looker.reports(self.looks)

    def _march(self, steps: int, shows: bool = False) -> None:
        """Do steps of length h; with `shows` look then what the points of contacts do."""
        h, linear, contacts, rolling = self.h, self.linear, self.contacts, self.rolling
        sums, q, v, a = self.sums, self.q, self.v, self.a
        self.looked = shows and self.sees
        if self.looked:
            self.looks = self.looker.looks()
        if contacts and rolling:
            good = march_both(steps, h, linear, contacts, rolling, sums, q, v, a)
        elif contacts:
            good = march(steps, h, linear, contacts, sums, q, v, a, self.looks, self.looked)
        elif rolling:
            good = march_rolling(steps, h, linear, rolling, sums, q, v, a)
        else:
            march_free(steps, h, linear, sums, q, v, a)
            good = True
        if not good:
            raise SolverError(
                "a contact point has no unique projection on its surface: it leaves a plate, a "
                "plate is bent too strongly, or it lies where the surface has no normal; reduce "
                "the load"
            )

    def _matrices(self, h: float) -> Linear:
        """Linear part for steps of length h."""
        items = self.items
        K, D, f = items.stiffness, items.damping, items.constant
        inverse = h * np.linalg.inv(items.mass + 0.5 * h * D)
        parts = occupied(np.any(items.stiffnesses, axis=0) | np.any(items.dampings, axis=0))
        return Linear(K, D, f, np.ascontiguousarray(inverse), parts, occupied(inverse != 0.0))

    def _sums(self) -> tuple[Floats, Floats, Floats]:
        """Work, losses and supplies (items,) of all items since the start."""
        items, sums, audit = self.items, self.sums, self.audit
        works, damped = items.works(self.q - self.origin, sums.path, sums.speed)
        lost, given = np.zeros((2, len(works)))
        lost[self.damping] = damped[self.damping]
        works[self.rows], lost[self.rows], given[self.rows] = sums.work, sums.lost, sums.given
        before = replace(self.state, q=self.origin)
        return works, lost, audit.supplied(works, lost, given, before, self.state)

    @property
    def _numbers(self) -> Floats:
        """What a point keeps to continue from: the step and its limits, then all that is kept."""
        kept = [
            part.ravel()[self.pairs] if self._is_paired(part) else part.ravel()
            for part in self._kept
        ]
        return np.concatenate([[self.h, *self.limits], *kept])

    def _is_paired(self, part: Floats) -> bool:
        """Whether a part of what is kept has sums over pairs of dofs."""
        return part is self.sums.path or part is self.sums.speed

    def _resume(self, numbers: Floats) -> None:
        """Continue from the numbers of an earlier point.

        Points of version 0.2 have all pairs of dofs; then those that follow have them too, as the
        records of one file have one size.
        """
        own = self._kept
        if len(numbers) == 3 + sum(part.size for part in own):
            self.pairs = np.arange(self.sums.path.size)
        sizes = [len(self.pairs) if self._is_paired(part) else part.size for part in own]
        if len(numbers) != 3 + sum(sizes):
            raise InputError("restart: the point belongs to another system or backend")
        self.h, *limits = numbers[:3].tolist()
        self.limits = StepLimits(*limits)
        parts = np.split(numbers[3:], np.cumsum(sizes)[:-1])
        for mine, part in zip(own, parts, strict=True):
            if self._is_paired(mine):
                mine.ravel()[self.pairs] = part
            else:
                mine[...] = part.reshape(mine.shape)
        self.linear = self._matrices(self.h)
