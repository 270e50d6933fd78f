"""Friction coefficients of the closed contacts of a step, from the laws of their contacts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.integrate.moreau.limits import SLIDES
from fecontact.integrate.moreau.rows import ClosedRows
from fecontact.solvers.friction_curve import FrictionCurve, slip_velocities
from fecontact.system import State, System
from fecontact.typing import Floats, Integers

__all__ = ["Coefficients", "friction_curve"]

Booleans = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Coefficients:
    """Coefficients of closed contacts over speed and normal impulse.

    Attributes
    ----------
    rows
        The closed contacts.
    span
        Time in s over which impulses act; 0 at an impact, which has no pressure.
    """

    rows: ClosedRows
    span: float

    def __call__(
        self, contacts: Integers, speed: Floats, impulse: Floats, sticks: Booleans
    ) -> tuple[Floats, Floats, Floats]:
        """Coefficients, and their derivatives by speed and normal impulse, each (c,)."""
        mu, by_speed = self.rows.friction[contacts], np.zeros(len(contacts))
        by_impulse, status = np.zeros(len(contacts)), np.where(sticks, STICK, SLIP)
        for index, part in enumerate(self.rows.parts):
            own = np.flatnonzero(self.rows.part[contacts] == index)
            if part.contact.constant is not None or not len(own):
                continue
            area = self.rows.area[contacts[own]]
            per_impulse = 1.0 / (self.span * area) if self.span > 0.0 else np.zeros(len(own))
            pressure = np.maximum(impulse[own], 0.0) * per_impulse
            law = part.contact.coefficient
            mu[own], by_speed[own], slope = law.values(speed[own], pressure, status[own])
            by_impulse[own] = slope * per_impulse
        return mu, by_speed, by_impulse

    def sliding(self, u: Floats, impulses: Floats) -> Floats:
        """Coefficients (c,) of contacts that slide with velocities u (r,) under impulses (r,)."""
        if not self.rows.curved:
            return self.rows.friction
        rows, nothing = self.rows, np.zeros(len(self.rows))
        speed = np.linalg.norm(slip_velocities(rows.tangent, u), axis=1)
        held = rows.held(impulses, nothing)
        return self(np.arange(len(rows)), speed, held, nothing.astype(bool))[0]


def friction_curve(
    system: System, state: State, rows: ClosedRows, u: Floats, span: float, theta: float,
    struck: Floats | None = None,
) -> FrictionCurve | None:  # fmt: skip
    """Coefficients of a step or an impact; None if all are constant.

    Parameters
    ----------
    system, state
        What moves; the state knows which points stick.
    rows, u : (r,)
        Closed contacts, and the velocities of their rows at the start.
    span, theta
        Time of the impulses, and weight of the slip at its end.
    struck : (r,)
        Impulses of an impact just before: what sticks then is told by the velocities.
    """
    if not rows.curved:
        return None
    slip, status = slip_velocities(rows.tangent, u), rows.statuses(system, state)
    rests = np.linalg.norm(slip, axis=1) <= SLIDES * np.abs(u).max(initial=0.0)
    struck = np.zeros_like(u) if struck is None else struck
    hit = rows.held(struck, np.zeros(len(rows))) > 0.0
    sticks = np.where(hit | (status == OPEN), rests, status == STICK)
    numbers = np.arange(len(rows))
    return FrictionCurve(Coefficients(rows, span), numbers, sticks, slip, theta)
