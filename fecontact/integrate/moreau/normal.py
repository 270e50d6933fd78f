"""Normal forces of the mixed form: penalty normal law, set-valued friction.

The normal law is part of the smooth forces. Friction needs the normal impulse of the step,

    h N = h A max(0, p + p_g dg + p_r dg'),     dg, dg' along the step from the contact position,

linearised as the smooth forces are; since dg depends on the friction, both are solved in turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from fecontact.contact.pair import Sliding
from fecontact.contact.rigid.contact import RigidContact
from fecontact.errors import SolverError
from fecontact.integrate.moreau.rows import ClosedRows
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["NormalForces"]

ROUNDS = 100
SETTLED = 1e-12
"""Fraction of the normal impulses by which the last round may change them."""


class NormalForces:
    """Normal forces of the compliant contacts of a system at a position.

    Parameters
    ----------
    system, contacts
        What moves, and its rigid contacts; those with a normal law are compliant.
    here
        State at the contact position.
    """

    def __init__(self, system: System, contacts: Sequence[RigidContact], here: State) -> None:
        self.system, self.contacts = system, contacts
        self.at = {c.name: self._sliding(c, here) for c in contacts if c.normal is not None}
        self.change = np.inf

    def pressed(self, contact: RigidContact) -> Floats:
        """Pressures (p,), empty for a rigid contact."""
        return self.at[contact.name].pressure[0] if contact.name in self.at else np.zeros(0)

    def known(self, here: State) -> dict[str, tuple[Floats, Floats, Floats]]:
        """Smooth force and tangents by contact; rigid ones have none."""
        found = {}
        for contact in self.contacts:
            if contact.name in self.at:
                now = self._sliding(contact, here)
                self.at[contact.name] = now
                found[contact.name] = (now.kinematics.apply_transpose(now.force), *now.tangents())
            else:
                n = sum(len(body.dofs) for body in contact.bodies)
                found[contact.name] = (np.zeros(n), np.zeros((n, n)), np.zeros((n, n)))
        return found

    def forces(self) -> dict[str, Floats]:
        """Smooth force by contact; rigid ones have none."""
        found = {}
        for contact in self.contacts:
            now = self.at.get(contact.name)
            n = sum(len(body.dofs) for body in contact.bodies)
            found[contact.name] = (
                np.zeros(n) if now is None else now.kinematics.apply_transpose(now.force)
            )
        return found

    def rounds(self, rows: int) -> Iterator[bool]:
        """Rounds of normal forces and friction in turn; True for the last one."""
        count = ROUNDS if self.at and rows else 1
        yield from (i == count - 1 for i in range(count))

    def impulses(
        self, rows: ClosedRows, moved: Floats, changed: Floats, h: float, before: Floats
    ) -> Floats:
        """Normal impulses (c,) after a motion `moved` (n,) and a change `changed` (n,) of v."""
        result, first = np.zeros(len(rows)), 0
        for part in rows.parts:
            closed = part.closed
            last = first + len(closed)
            now = self.at.get(part.contact.name)
            if now is not None:
                name = part.contact.name
                indices = self.system.dof_indices(name)
                p, p_gap, p_rate = now.pressure
                by_q, by_v = now.kinematics.by_q, now.kinematics.by_v
                changes = by_q.gap, by_q.gap_rate, by_v.gap_rate
                gap, gap_rate, by_speed = (self.system.fold(name, own, 1) for own in changes)
                rate = gap_rate @ moved[indices] + by_speed @ changed[indices]
                pressure = p + p_gap * (gap @ moved[indices]) + p_rate * rate
                force = part.contact.surface.weights * np.maximum(pressure, 0.0)
                result[first:last] = h * force[closed]
            first = last
        self.change = float(np.abs(result - before).max(initial=0.0))
        return result

    def settled(self, rows: ClosedRows, given: Floats, last: bool) -> bool:
        """Whether the normal impulses no longer change."""
        if not self.at or self.change <= SETTLED * np.abs(given).max(initial=0.0):
            return True
        if last:
            raise SolverError(
                f"{len(rows)} contacts: normal forces and friction do not settle in {ROUNDS} "
                "rounds; try a smaller step"
            )
        return False

    def _sliding(self, contact: RigidContact, here: State) -> Sliding:
        q, v = self.system.local(contact, here)
        pair = contact.compliant
        return Sliding(pair, pair.kinematics(q, v, here.t))
