"""Round-off of forces: gaps and lengths are differences of positions that may be far larger."""

from __future__ import annotations

import numpy as np

from fecontact.contact import ContactPair
from fecontact.joint._kernels import JACOBIAN
from fecontact.joint.element import FrameElement
from fecontact.system.state import State
from fecontact.system.system import System
from fecontact.typing import Floats

__all__ = ["lost_in_positions"]

TURN = np.ones(3)
"""Size of rotations in rad."""


def lost_in_positions(system: System, state: State) -> Floats:
    """Products (n,) stiffness x position; times the unit round-off they are forces."""
    lost = np.zeros(system.size)
    for item in system.items:
        local = system.local(item, state)
        if isinstance(item, ContactPair):
            own = _lost_in_gaps(item, state.t, *local)
        elif isinstance(item, FrameElement):
            own = _lost_in_lengths(item, state.t, *local)
        else:
            continue
        lost[system.dof_indices(item.name)] += system.fold(item.name, own, 0)
    return lost


def _lost_in_gaps(pair: ContactPair, t: float, q: Floats, v: Floats) -> Floats:
    """Products of a contact; a point in space is the sum of the body's position and its own."""
    now = pair.sliding(q, v, t)
    position, own = now.kinematics.slave.position, pair.surface.points
    size = np.linalg.norm(position, axis=1) + 2.0 * np.linalg.norm(own, axis=1)
    force = pair.surface.weights * np.abs(now.pressure[1]) * size
    return np.asarray(force @ np.abs(now.kinematics.jacobian).sum(axis=1))


def _lost_in_lengths(element: FrameElement, t: float, q: Floats, v: Floats) -> Floats:
    """Products of a spring or bearing; its length is a difference of the positions of its ends."""
    frames = element.pair.motion(q, v, t).frames
    rows = element.rows(frames)
    G, by_s = rows.table[:, JACOBIAN], element.load(t, rows.value, rows.rate)[1]
    ends = np.concatenate([np.abs(frames.a.position), TURN, np.abs(frames.b.position), TURN])
    load = np.abs(by_s) @ (np.abs(G) @ ends)
    return np.asarray(load @ np.abs(G @ frames.load_interpolation(rows.spinning)))
