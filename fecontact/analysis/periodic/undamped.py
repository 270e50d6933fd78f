"""Contacts whose bristles have no damper, for harmonic balance.

Such bristles have no rate: they follow at once, within the limit |z| <= mu p/c_t. Between two
samples of a period their return map does it,

    z = z_tr min(1, mu p/(c_t |z_tr|)),      z_tr = z_n + dx,      T = -c_t z ,

with the displacement dx along the surface (Jenkins element; Iwan 1966). Here are the parts of it
that a system gives: the traction of bristles that hold, their rate, which is the slip velocity, and
the limit.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from fecontact.contact.laws.algebra import NO_MATRIX, NO_VECTOR, plus_unit, scale
from fecontact.contact.laws.base import friction_pressure, stateful
from fecontact.contact.laws.coefficient import friction_limit
from fecontact.contact.laws.elasto_plastic import Bristle, ElastoPlastic
from fecontact.contact.laws.point import (
    FrictionPoint,
    FrictionRate,
    FrictionRateSlopes,
    LimitSlopes,
    Sliding,
)
from fecontact.contact.pair import ContactPair
from fecontact.contact.status import SLIP
from fecontact.errors import InputError
from fecontact.system import State, System
from fecontact.typing import Floats

__all__ = ["HeldBristles", "Undamped"]


def held_rate(k: Bristle, x: Sliding) -> FrictionRate:
    """Traction and rate of bristles that hold; nothing is lost."""
    return FrictionRate(scale(-k[0], x.z), x.slip, x.state, x.status, 0.0, 0.0)


def held_d_rate(k: Bristle, x: Sliding, by: LimitSlopes) -> FrictionRateSlopes:
    """Derivatives of the traction and of the rate."""
    unit, held = plus_unit(1.0, NO_MATRIX), plus_unit(-k[0], NO_MATRIX)
    return FrictionRateSlopes(held, NO_MATRIX, NO_VECTOR, NO_MATRIX, unit, NO_VECTOR)


@dataclass(frozen=True)
class HeldBristles(ElastoPlastic):
    """Bristles that hold: T = -c_t z, z' = s."""

    point: ClassVar[FrictionPoint] = replace(
        ElastoPlastic.point, rate=held_rate, d_rate=held_d_rate
    )

    @property
    def rateless(self) -> bool:
        """They follow the slip."""
        return False


@dataclass(frozen=True, eq=False)
class Undamped:
    """A system all of whose friction is undamped, with bristles that hold, and their limits."""

    system: System
    pairs: tuple[ContactPair, ...]

    @staticmethod
    def of(system: System) -> Undamped | None:
        """Take a system whose bristles have no damper; None if all of them have one."""
        free = [item for item in system.stateful_contacts if _law(item) is not None]
        if not free:
            return None
        if len(free) < len(system.stateful_contacts):
            damped = next(item.name for item in system.stateful_contacts if _law(item) is None)
            raise InputError(
                f"{damped} and {free[0].name}: invalid bristles with and without damper in one "
                "periodic solution: expected damping = 0 of all, or of none"
            )
        pairs = tuple(item for item in free if isinstance(item, ContactPair))
        held = {pair.name: replace(pair, friction=_held(pair)) for pair in pairs}
        forces = [held.get(item.name, item) for item in system.items[len(system.bodies) :]]
        return Undamped(System(system.bodies, [*forces, *system.constraints]), pairs)

    @property
    def stiffness(self) -> Floats:
        """Stiffness c_t of the bristles of all points (p,)."""
        laws = [(_law(pair), pair.points) for pair in self.pairs]
        return np.concatenate([np.full(p, law.stiffness) for law, p in laws if law is not None])

    def limit(self, state: State) -> tuple[Floats, Floats, Floats]:
        """Largest elastic slip mu p/c_t of all points (p,), its derivatives by q, v (p, n)."""
        parts = [self._limit_of(pair, state) for pair in self.pairs]
        value, by_q, by_v = (np.concatenate(each) for each in zip(*parts, strict=True))
        return value, by_q, by_v

    def _limit_of(self, pair: ContactPair, state: State) -> tuple[Floats, Floats, Floats]:
        law = _law(pair)
        assert law is not None
        at = pair.kinematics(*self.system.local(pair, state), state.t)
        pressure = pair.normal.pressure(at.gap, at.gap_rate)
        statuses = np.full(pair.points, SLIP)
        limit, by_speed, by_p = friction_limit(
            law.coefficient, at.slip, friction_pressure(pressure), statuses
        )
        speed = np.linalg.norm(at.slip, axis=1)
        along = at.slip * (by_speed / np.where(speed > 0.0, speed, 1.0))[:, None]
        results = [limit / law.stiffness]
        for change in (at.by_q, at.by_v):
            d_p = pressure[1][:, None] * change.gap + pressure[2][:, None] * change.gap_rate
            rows = np.zeros((pair.points, self.system.size))
            own = by_p[:, None] * d_p + np.einsum("pi,pij->pj", along, change.slip)
            own = self.system.fold(pair.name, own, 1)
            rows[:, self.system.dof_indices(pair.name)] = own / law.stiffness
            results.append(rows)
        return results[0], results[1], results[2]


def _law(item: object) -> ElastoPlastic | None:
    """Law of a contact whose bristles have no damper and a return map of their own."""
    if (
        not isinstance(item, ContactPair)
        or item.transports_material
        or stateful(item.normal) is not None
    ):
        return None
    law = item.friction
    return law if type(law) is ElastoPlastic and law.damping == 0.0 else None


def _held(pair: ContactPair) -> HeldBristles:
    law = _law(pair)
    assert law is not None
    return HeldBristles(law.mu, law.stiffness)
