"""A system in continuous time: force and rates of the contact history at a state.

M(q) v' = f(t, q, v, z) + A^T lam,      z' = Z(t, q, v, z)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import block_diag

from fecontact.contact.base import Rate
from fecontact.contact.report import ContactReport
from fecontact.system.assembly import Assembly
from fecontact.system.state import State
from fecontact.typing import Floats, Integers

__all__ = ["SystemRate", "SystemRateTangents"]


@dataclass(frozen=True)
class SystemRateTangents:
    """Derivatives of the force (n,) and of the rates z' by q, v (n) and z, dense."""

    force_by_q: Floats
    force_by_v: Floats
    force_by_z: Floats
    z_rate_by_q: Floats
    z_rate_by_v: Floats
    z_rate_by_z: Floats


@dataclass(frozen=True)
class SystemRate:
    """All items at a state; contacts without a history never touched."""

    assembly: Assembly
    state: State
    contact_rates: Mapping[str, Rate]

    @staticmethod
    def of(assembly: Assembly, state: State) -> SystemRate:
        """Evaluate the stateful items."""
        state = assembly.history_layout.filled(state)
        contact_rates = {
            item.name: item.rate(state.t, q, v, history)
            for item, q, v, history in assembly.histories(state)
        }
        return SystemRate(assembly, state, contact_rates)

    @cached_property
    def forces(self) -> Floats:
        """Contribution of each item to the force, (items, n)."""
        known = {name: rates.force for name, rates in self.contact_rates.items()}
        return self.assembly.forces(self.state, known)

    @property
    def force(self) -> Floats:
        """Generalised force f (n,) with the stored z."""
        return np.asarray(self.forces.sum(axis=0))

    @property
    def z_rate(self) -> Floats:
        """Rates z', flat."""
        return self._joined([rates.z_rate for rates in self.contact_rates.values()])

    @property
    def slip_rates(self) -> Floats:
        """Slip power in W and slip speed in m/s, flat as `State.slip_totals`."""
        return self._joined([rates.slip_rates for rates in self.contact_rates.values()])

    @property
    def status(self) -> Integers:
        """Statuses of all points that follow from the state."""
        statuses = [rates.resulting_status for rates in self.contact_rates.values()]
        return np.concatenate(statuses) if statuses else np.zeros(0, dtype=np.int64)

    def powers(self) -> dict[str, tuple[float, float]]:
        """Power in W of the dampers of each contact, and that of motion which is not in v."""
        return {name: rates.powers for name, rates in self.contact_rates.items()}

    def reports(self) -> dict[str, ContactReport]:
        """What the points of each contact do."""
        return {name: rates.report() for name, rates in self.contact_rates.items()}

    def tangents(self) -> SystemRateTangents:
        """Derivatives of force and rates."""
        assembly, layout = self.assembly, self.assembly.history_layout
        n, size = assembly.size, layout.sizes[0]
        found = {name: rates.tangents() for name, rates in self.contact_rates.items()}
        known = {
            name: (self.contact_rates[name].force, by.force_by_q, by.force_by_v)
            for name, by in found.items()
        }
        _, force_by_q, force_by_v = assembly.evaluate(self.state, known)
        force_by_z, z_rate_by_z = np.zeros((n, size)), np.zeros((size, size))
        z_rate_by_q, z_rate_by_v = np.zeros((2, size, n))
        for name, by in found.items():
            part, indices = layout.z[name], assembly.dof_indices(name)
            force_by_z[indices, part] = assembly.fold(name, by.force_by_z, 0)
            z_rate_by_q[part, indices] = assembly.fold(name, by.z_rate_by_q, 1)
            z_rate_by_v[part, indices] = assembly.fold(name, by.z_rate_by_v, 1)
            own = by.z_rate_by_z
            z_rate_by_z[part, part] = block_diag(*own) if own.ndim == 3 else own
        return SystemRateTangents(
            force_by_q, force_by_v, force_by_z, z_rate_by_q, z_rate_by_v, z_rate_by_z
        )

    def _joined(self, parts: list[Floats]) -> Floats:
        return np.concatenate([part.ravel() for part in parts]) if parts else np.zeros(0)
