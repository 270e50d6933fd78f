"""A contact pair whose points all slide: the form of steady states, without a history."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.contact.report import ContactReport, ContactStatus, normal_balance
from fecontact.contact.status import OPEN, SLIP, STICK
from fecontact.errors import SolverError
from fecontact.typing import Floats, Integers, Tangents

if TYPE_CHECKING:
    from fecontact.contact.pair import ContactPair

__all__ = ["Sliding"]

ROUND_OFF = 16.0 * np.finfo(float).eps
"""Fraction of the size of a position to which a gap is known."""


@dataclass(frozen=True)
class Sliding:
    """One evaluation of all points of a pair that slides.

    Pressure and traction come with their derivatives, as the laws give them.
    """

    pair: ContactPair
    kinematics: ContactKinematics

    @cached_property
    def pressure(self) -> tuple[Floats, Floats, Floats]:
        """Pressure (p,)."""
        return self.pair.normal.pressure(self.kinematics.gap, self.kinematics.gap_rate)

    @cached_property
    def traction(self) -> tuple[Floats, Floats, Floats]:
        """Traction (p, 3)."""
        try:
            return self.pair.friction.traction(self.pressure[0], self.kinematics.slip)
        except SolverError as error:
            raise SolverError(f"{self.pair.name}: {error}") from error

    @cached_property
    def force(self) -> Floats:
        """Forces F (p, 3) on the slave."""
        weights = self.pair.surface.weights[:, None]
        return weights * (self.pressure[0][:, None] * self.kinematics.normal + self.traction[0])

    @cached_property
    def carried(self) -> ContactStatus:
        """Pressure and slip speed of each point, and the normal force."""
        pressure = self.pressure[0]
        speed = np.linalg.norm(self.kinematics.slip, axis=1)
        return ContactStatus(pressure, speed, float(self.pair.surface.weights @ pressure))

    @cached_property
    def touching(self) -> npt.NDArray[np.bool_]:
        """Points (p,) at the kink: closed tangents without a load."""
        pressure, by_gap, by_rate = self.pressure
        sizes = np.abs(self.kinematics.slave.position).max(axis=1)
        unloaded = np.abs(pressure) <= ROUND_OFF * sizes * np.abs(by_gap)
        return np.asarray(unloaded & ((by_gap != 0.0) | (by_rate != 0.0)))

    @property
    def status(self) -> Integers:
        """OPEN, SLIP, or STICK for points at rest (p,)."""
        moves = np.any(self.kinematics.slip != 0.0, axis=1)
        return np.where(self.pressure[0] > 0.0, np.where(moves, SLIP, STICK), OPEN)

    def report(self, v: Floats) -> ContactReport:
        """What the points do at the velocities v; only the normal springs store energy."""
        at, pressure, traction = self.kinematics, self.pressure[0], self.traction[0]
        weights = self.pair.surface.weights
        stored, lost = normal_balance(self.pair.normal, None, at, pressure)
        slip_power = -np.sum(traction * at.slip, axis=1)
        return ContactReport(
            gap=at.gap,
            pressure=pressure,
            normal=at.normal,
            traction=traction,
            slip=at.slip,
            position=at.slave.position,
            status=self.status,
            energy=float(weights @ stored),
            damping_power=float(weights @ lost),
            point_slip_power=weights * slip_power,
            supplied_power=float(
                at.apply_transpose(self.force) @ v - np.sum(self.force * at.velocity)
            ),
        )

    def tangents(self) -> Tangents:
        """df/dq and df/dv of the generalised force."""
        weights = np.broadcast_to(self.pair.surface.weights, len(self.kinematics.gap))
        return self.kinematics.sliding_tangents(self.force, weights, self.pressure, self.traction)
