"""Round-off of contact forces: gaps are differences of positions that may be far larger."""

from __future__ import annotations

import numpy as np

from fecontact.contact import ContactPair
from fecontact.system.state import State
from fecontact.system.system import System
from fecontact.typing import Floats

__all__ = ["lost_in_gaps"]


def lost_in_gaps(system: System, state: State) -> Floats:
    """Products (n,) stiffness x position of the contact points; times the unit round-off: forces.

    A position in space is the sum of that of the body and of the point on it.
    """
    lost = np.zeros(system.size)
    for item in system.items:
        if isinstance(item, ContactPair):
            now = item.sliding(*system.local(item, state), state.t)
            position, own = now.kinematics.slave.position, item.surface.points
            size = np.linalg.norm(position, axis=1) + 2.0 * np.linalg.norm(own, axis=1)
            force = item.surface.weights * np.abs(now.pressure[1]) * size
            rows = np.abs(now.kinematics.jacobian).sum(axis=1)
            lost[system.dof_indices(item.name)] += system.fold(item.name, force @ rows, 0)
    return lost
