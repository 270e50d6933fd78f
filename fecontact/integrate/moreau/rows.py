"""Rows of all rigid contacts that are closed at one instant, and back to forces on their points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from fecontact.contact.history import ContactHistory
from fecontact.contact.rigid.contact import Conditions, RigidContact
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.integrate.moreau.limits import SLIDES, STUCK, TOUCHING
from fecontact.solvers.complementarity import ContactProblem
from fecontact.solvers.friction_curve import FrictionCurve
from fecontact.system import State, System
from fecontact.typing import Floats, Integers

__all__ = ["ClosedContact", "ClosedRows"]


@dataclass(frozen=True)
class ClosedContact:
    """The closed conditions of one contact.

    Attributes
    ----------
    contact, conditions
        The contact and all its conditions.
    closed : (k,)
        Numbers of the closed conditions.
    kept
        Which of normal and tangents are rows: all, the normal alone (no friction), or the tangents
        alone (given normal force).
    """

    contact: RigidContact
    conditions: Conditions
    closed: Integers
    kept: slice

    @staticmethod
    def of(contact: RigidContact, conditions: Conditions, pressed: Floats) -> ClosedContact:
        """Closed are rigid conditions without a gap, and compliant ones under pressure."""
        rigid = contact.normal is None
        closed = np.flatnonzero(conditions.gap <= TOUCHING if rigid else pressed > 0.0)
        kept = slice(0 if rigid else 1, 3 if contact.slides else 1)
        return ClosedContact(contact, conditions, closed, kept)

    @property
    def width(self) -> int:
        """Rows of one condition."""
        return self.kept.stop - self.kept.start

    def local(self, impulses: Floats, given: Floats) -> Floats:
        """Impulses (m, 3) of all conditions along normal and tangents."""
        result = np.zeros((len(self.conditions.gap), 3))
        result[self.closed, self.kept] = impulses.reshape(-1, self.width)
        if self.kept.start:
            result[self.closed, 0] = given
        return result

    def sticks(self, impulses: Floats, friction: Floats) -> npt.NDArray[np.bool_]:
        """Whether conditions (m,) stick, from impulses (m, 3), and coefficients (k,) if closed."""
        mu = np.zeros(len(impulses))
        mu[self.closed] = friction
        grip = np.linalg.norm(impulses[:, 1:], axis=1)
        return np.asarray(grip < (1.0 - STUCK) * (mu * impulses[:, 0]))

    def history(
        self, before: ContactHistory, impulses: Floats, sticks: npt.NDArray[np.bool_],
        slip: Floats, h: float,
    ) -> ContactHistory:  # fmt: skip
        """History after a step from impulses (m, 3) and slip paths (m, 2) weighted by them."""
        contact, own = self.contact, self.conditions
        forces = np.einsum("pi,pij->pj", contact.spread(impulses), own.frames) @ own.rotation / h
        status = np.where(sticks, STICK, SLIP)
        status = np.where(impulses[:, 0] > 0.0, status, OPEN)[contact.owner]
        slip_totals = before.slip_totals.copy()
        slip_totals[:, 0] += contact.spread(slip[:, 0])
        slip_totals[:, 1] += slip[contact.owner, 1]
        return ContactHistory(forces, status, slip_totals)


@dataclass(frozen=True)
class ClosedRows:
    """Closed rows of all contacts of a system.

    Attributes
    ----------
    parts
        By contact, with the first row of each in `starts`.
    jacobian : (r, n), drift : (r,)
        u = J v + drift.
    normal, tangent : (c,), friction, restitution : (c,)
        As in `ContactProblem`; no friction where the coefficient is not constant.
    part, area : (c,)
        Indices of the contacts in `parts`, and areas in m^2.
    """

    parts: tuple[ClosedContact, ...]
    starts: tuple[int, ...]
    jacobian: Floats
    drift: Floats
    normal: Integers
    tangent: Integers
    friction: Floats
    restitution: Floats
    part: Integers
    area: Floats

    @staticmethod
    def of(system: System, parts: Sequence[ClosedContact]) -> ClosedRows:
        """Stack the closed rows."""
        sizes = [len(part.closed) * part.width for part in parts]
        starts = np.cumsum([0, *sizes]).tolist()
        J, drift = np.zeros((starts[-1], system.size)), np.zeros(starts[-1])
        normal, tangent, friction, restitution = [], [], [], []
        index, area = [], []
        for k, (part, start, size) in enumerate(zip(parts, starts, sizes, strict=False)):
            if not size:
                continue
            count, own = len(part.closed), part.conditions
            rows = slice(start, start + size)
            name, chosen = part.contact.name, own.rows[part.closed, part.kept]
            J[rows, system.dof_indices(name)] = system.fold(name, chosen.reshape(size, -1), 1)
            drift[rows] = own.drift[part.closed, part.kept].ravel()
            first = start + part.width * np.arange(count)
            normal.append(first if part.kept.start == 0 else np.full(count, -1))
            slides = part.width > 1
            tangent.append(first + 1 - part.kept.start if slides else np.full(count, -1))
            friction.append(np.full(count, part.contact.constant or 0.0))
            restitution.append(np.full(count, part.contact.restitution))
            index.append(np.full(count, k))
            area.append(part.contact.areas[part.closed])
        none = np.zeros(0, dtype=np.int64)
        return ClosedRows(
            tuple(parts), tuple(starts[:-1]), J, drift,
            np.concatenate([none, *normal]), np.concatenate([none, *tangent]),
            np.concatenate([np.zeros(0), *friction]), np.concatenate([np.zeros(0), *restitution]),
            np.concatenate([none, *index]), np.concatenate([np.zeros(0), *area]),
        )  # fmt: skip

    def __len__(self) -> int:
        return len(self.normal)

    @cached_property
    def curved(self) -> bool:
        """Whether a coefficient of a closed contact is not constant."""
        return any(part.contact.constant is None for part in self.parts if len(part.closed))

    def problem(
        self, W: Floats, u: Floats, given: Floats | None = None, curve: FrictionCurve | None = None
    ) -> ContactProblem:
        """Contact problem with the velocities u of the rows; normal impulses where given."""
        floor = np.zeros(len(self)) if given is None else given
        return ContactProblem(W, u, self.normal, self.tangent, self.friction, floor, curve)

    def held(self, impulses: Floats, given: Floats) -> Floats:
        """Normal impulses (c,) from those (r,) of the rows, and (c,) where given."""
        return np.where(self.normal >= 0, impulses[self.normal], given)

    def statuses(self, system: System, state: State) -> Integers:
        """Statuses (c,) that the state keeps."""
        found = [np.zeros(0, dtype=np.int64)]
        for part in self.parts:
            status = system.history_layout.history(state, part.contact.name).status
            found.append(part.contact.statuses(status)[part.closed])
        return np.concatenate(found)

    def paradox(self, W: Floats, u: Floats, friction: Floats) -> bool:
        """Whether a contact that slides with u (r,) draws itself in the more it is pressed.

        Its normal velocity per normal impulse, while it slides along e, is W_nn - mu W_nt . e. If
        that is negative, no impulse or more than one keeps it closed and sliding (Painleve 1895).
        """
        both = (self.normal >= 0) & (self.tangent >= 0)
        n, t = self.normal[both], self.tangent[both]
        x, y, speed = u[t], u[t + 1], np.hypot(u[t], u[t + 1])
        slides = speed > SLIDES * np.abs(u).max(initial=0.0)
        drawn = friction[both] * (W[n, t] * x + W[n, t + 1] * y)
        return bool(np.any(slides & (drawn > W[n, n] * speed)))

    def local(self, impulses: Floats, given: Floats) -> list[Floats]:
        """Impulses (m, 3) of all conditions along normal and tangents, by contact."""
        found, first = [], 0
        for part, start in zip(self.parts, self.starts, strict=True):
            count = len(part.closed)
            own = impulses[start : start + count * part.width]
            found.append(part.local(own, given[first : first + count]))
            first += count
        return found

    def guess(self, system: System, state: State, h: float) -> Floats:
        """Impulses (r,) of the forces that the state keeps."""
        result = np.zeros(len(self.drift))
        for part, start in zip(self.parts, self.starts, strict=True):
            if not len(part.closed):
                continue
            z, at = system.history_layout.history(state, part.contact.name).z, part.conditions
            own = np.einsum("pij,pj->pi", at.frames, z @ at.rotation.T)
            local = part.contact.gathered(own)[part.closed, part.kept]
            result[start : start + local.size] = h * local.ravel()
        result[self.normal[self.normal >= 0]] = np.maximum(
            result[self.normal[self.normal >= 0]], 0.0
        )
        return result
