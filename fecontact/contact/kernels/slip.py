"""Compiled kinematics of contact points: slip and elastic slip; all vectors (p, 3)."""

from __future__ import annotations

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["OPPOSITE", "split_velocity", "trial_slip", "turn_divisor"]

OPPOSITE = 1e-12
"""1 + cosine of the angle between two normals up to which they count as opposite."""


@kernel(fastmath=True)
def turn_divisor(cosine: float) -> float:
    """1 + n . n_old in the smallest rotation from one normal to the other; for opposite ones 1.

    There none is the smallest; the slip lies in both planes and stays. Such are points between two
    walls, or near the axis of a bore, that come nearer to the other side.
    """
    return 1.0 + cosine if 1.0 + cosine > OPPOSITE else 1.0


@kernel
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


@kernel
def trial_slip(
    n: Floats, x: Floats, anchor: Floats, z: Floats, old: Floats, R: Floats, trial: Floats
) -> None:
    """Trial elastic slip Q z_n + (I - n n^T)(x - anchor) in space.

    z and the old normal are those of the frame, which R turns into space; Q is the smallest
    rotation from the old normal to n.
    """
    for p in range(len(n)):
        along = cosine = path = 0.0
        for i in range(3):
            turned = R[i, 0] * z[p, 0] + R[i, 1] * z[p, 1] + R[i, 2] * z[p, 2]
            before = R[i, 0] * old[p, 0] + R[i, 1] * old[p, 1] + R[i, 2] * old[p, 2]
            along += n[p, i] * turned
            cosine += n[p, i] * before
            path += n[p, i] * (x[p, i] - anchor[p, i])
        fraction = along / turn_divisor(cosine)
        for i in range(3):
            turned = R[i, 0] * z[p, 0] + R[i, 1] * z[p, 1] + R[i, 2] * z[p, 2]
            before = R[i, 0] * old[p, 0] + R[i, 1] * old[p, 1] + R[i, 2] * old[p, 2]
            moved = x[p, i] - anchor[p, i] - path * n[p, i]
            trial[p, i] = turned - fraction * (before + n[p, i]) + moved
