"""A rigid contact with the forces of its last step, for output."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from fecontact.contact.history import ContactHistory
from fecontact.contact.kinematics.relative import ContactKinematics
from fecontact.contact.report import ContactReport, normal_balance
from fecontact.contact.status import OPEN
from fecontact.typing import Floats, Integers

if TYPE_CHECKING:
    from fecontact.contact.rigid.contact import RigidContact

__all__ = ["RigidRate"]


@dataclass(frozen=True)
class RigidRate:
    """A rigid contact with the forces of its last step, for output."""

    contact: RigidContact
    kinematics: ContactKinematics
    history: ContactHistory

    @property
    def force(self) -> Floats:
        """Generalised force of the stored point forces."""
        return self.kinematics.apply_transpose(self._forces)

    @cached_property
    def _forces(self) -> Floats:
        """Forces (p, 3) on the points in space."""
        return self.history.z @ self.kinematics.projection.rotation.T

    @property
    def z_rate(self) -> Floats:
        """Refuse: impulses have no rate."""
        self.contact.force(0.0, np.zeros(0), np.zeros(0))

    @property
    def slip_rates(self) -> Floats:
        """Slip power in W and slip speed in m/s (p, 2)."""
        slip = self.kinematics.slip
        power = -np.einsum("pi,pi->p", self._tangential, slip)
        return np.column_stack([power, np.linalg.norm(slip, axis=1)])

    @property
    def resulting_status(self) -> Integers:
        """Statuses (p,) of the last step."""
        return self.history.status

    @property
    def powers(self) -> tuple[float, float]:
        """Power in W of the dampers, and that of motion which is not in v."""
        return self.report().damping_power, 0.0

    def tangents(self) -> NoReturn:
        """Refuse as `rate`."""
        self.contact.force(0.0, np.zeros(0), np.zeros(0))

    def report(self) -> ContactReport:
        """What the points do; pressures are forces per weight."""
        at, law, weights = self.kinematics, self.contact.normal, self.contact.surface.weights
        normal = np.einsum("pi,pi->p", self._forces, at.normal)
        closed = self.history.status != OPEN
        energy = damping = 0.0
        if law is not None:
            stored, lost = normal_balance(law, None, at, law.pressure(at.gap, at.gap_rate)[0])
            energy, damping = float(weights @ stored), float(weights @ lost)
        return ContactReport(
            gap=at.gap,
            pressure=np.where(closed, normal, 0.0) / weights,
            normal=at.normal,
            traction=self._tangential / weights[:, None],
            slip=at.slip,
            position=at.slave.position,
            status=self.history.status,
            energy=energy,
            damping_power=damping,
            point_slip_power=self.slip_rates[:, 0],
            supplied_power=0.0,
        )

    @property
    def _tangential(self) -> Floats:
        """Friction forces (p, 3)."""
        n, F = self.kinematics.normal, self._forces
        return F - np.einsum("pi,pi->p", F, n)[:, None] * n
