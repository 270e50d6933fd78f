"""Compiled kinematics of contact points: slip and elastic slip; all vectors (p, 3)."""

from __future__ import annotations

from fecontact.solvers.compiled import compiled
from fecontact.typing import Floats

__all__ = ["split_velocity", "trial_slip"]


@compiled
def split_velocity(
    slave: Floats, master: Floats, normal: Floats, velocity: Floats, rate: Floats, slip: Floats
) -> None:
    """Relative velocity, gap rate n . v and slip (I - n n^T) v."""
    for p in range(len(normal)):
        total = 0.0
        for i in range(3):
            velocity[p, i] = slave[p, i] - master[p, i]
            total += normal[p, i] * velocity[p, i]
        rate[p] = total
        for i in range(3):
            slip[p, i] = velocity[p, i] - total * normal[p, i]


@compiled
def trial_slip(
    n: Floats, x: Floats, anchor: Floats, z: Floats, old: Floats, R: Floats, trial: Floats
) -> None:
    """Trial elastic slip Q z_n + (I - n n^T)(x - anchor) in space.

    z and the old normal are those of the frame, which R turns into space; Q is the smallest
    rotation from the old normal to n.
    """
    for p in range(len(n)):
        along = apart = path = 0.0
        for i in range(3):
            turned = R[i, 0] * z[p, 0] + R[i, 1] * z[p, 1] + R[i, 2] * z[p, 2]
            before = R[i, 0] * old[p, 0] + R[i, 1] * old[p, 1] + R[i, 2] * old[p, 2]
            along += n[p, i] * turned
            apart += n[p, i] * before
            path += n[p, i] * (x[p, i] - anchor[p, i])
        share = along / (1.0 + apart)
        for i in range(3):
            turned = R[i, 0] * z[p, 0] + R[i, 1] * z[p, 1] + R[i, 2] * z[p, 2]
            before = R[i, 0] * old[p, 0] + R[i, 1] * old[p, 1] + R[i, 2] * old[p, 2]
            moved = x[p, i] - anchor[p, i] - path * n[p, i]
            trial[p, i] = turned - share * (before + n[p, i]) + moved
