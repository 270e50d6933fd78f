"""A system in continuous time: force and rates of the contact history at a state.

M(q) v' = f(t, q, v, z) + A^T lam,      z' = Z(t, q, v, z)
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.linalg import block_diag

from fecontact.system.assembly import Assembly
from fecontact.system.state import State
from fecontact.typing import ContactReport, Floats, Integers, MemoryFlow

__all__ = ["SystemFlow", "SystemFlowTangents"]


@dataclass(frozen=True)
class SystemFlowTangents:
    """Derivatives of the force (n,) and of the rates z' by q, v (n) and z, dense."""

    force_by_q: Floats
    force_by_v: Floats
    force_by_z: Floats
    rate_by_q: Floats
    rate_by_v: Floats
    rate_by_z: Floats


@dataclass(frozen=True)
class SystemFlow:
    """All items at a state; contacts without a history never touched."""

    assembly: Assembly
    state: State
    flows: Mapping[str, MemoryFlow]

    @staticmethod
    def of(assembly: Assembly, state: State) -> SystemFlow:
        """Evaluate the items with memory."""
        state = assembly.memory.filled(state)
        flows = {
            item.name: item.flow(state.t, q, v, history)
            for item, q, v, history in assembly.recalled(state)
        }
        return SystemFlow(assembly, state, flows)

    @cached_property
    def forces(self) -> Floats:
        """Contribution of each item to the force, (items, n)."""
        known = {name: flow.force for name, flow in self.flows.items()}
        return self.assembly.forces(self.state, known)

    @property
    def force(self) -> Floats:
        """Generalised force f (n,) with the stored z."""
        return np.asarray(self.forces.sum(axis=0))

    @property
    def rate(self) -> Floats:
        """Rates z', flat."""
        return self._joined([flow.rate for flow in self.flows.values()])

    @property
    def wear_rate(self) -> Floats:
        """Slip power in W and slip speed in m/s, flat as `State.wear`."""
        return self._joined([flow.wear_rate for flow in self.flows.values()])

    @property
    def mode(self) -> Integers:
        """Modes of all points that follow from the state."""
        modes = [flow.resulting_mode for flow in self.flows.values()]
        return np.concatenate(modes) if modes else np.zeros(0, dtype=np.int64)

    def powers(self) -> dict[str, tuple[float, float]]:
        """Power in W of the dampers of each contact, and that of motion which is not in v."""
        return {name: flow.powers for name, flow in self.flows.items()}

    def reports(self) -> dict[str, ContactReport]:
        """What the points of each contact do."""
        return {name: flow.report() for name, flow in self.flows.items()}

    def tangents(self) -> SystemFlowTangents:
        """Derivatives of force and rates."""
        assembly, memory = self.assembly, self.assembly.memory
        n, size = assembly.size, memory.sizes[0]
        found = {name: flow.tangents() for name, flow in self.flows.items()}
        known = {
            name: (self.flows[name].force, by.force_by_q, by.force_by_v)
            for name, by in found.items()
        }
        _, force_by_q, force_by_v = assembly.evaluate(self.state, known)
        force_by_z, rate_by_z = np.zeros((n, size)), np.zeros((size, size))
        rate_by_q, rate_by_v = np.zeros((2, size, n))
        for name, by in found.items():
            part, place = memory.z[name], assembly.dof_indices(name)
            force_by_z[place, part] = assembly.fold(name, by.force_by_z, 0)
            rate_by_q[part, place] = assembly.fold(name, by.rate_by_q, 1)
            rate_by_v[part, place] = assembly.fold(name, by.rate_by_v, 1)
            own = by.rate_by_z
            rate_by_z[part, part] = block_diag(*own) if own.ndim == 3 else own
        return SystemFlowTangents(
            force_by_q, force_by_v, force_by_z, rate_by_q, rate_by_v, rate_by_z
        )

    def _joined(self, parts: list[Floats]) -> Floats:
        return np.concatenate([part.ravel() for part in parts]) if parts else np.zeros(0)
