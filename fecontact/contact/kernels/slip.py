"""Compiled kinematics of contact points: slip and elastic slip; all vectors (p, 3)."""

from __future__ import annotations

import numpy as np

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["OPPOSITE", "d_sliding_forces", "split_velocity", "trial_slip", "turn_divisor"]

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


@kernel
def d_sliding_forces(
    slave: Floats, displacement: Floats, d_slave: Floats, master: Floats, d_gap: Floats,
    d_normal: Floats, d_master: Floats, normal: Floats, velocity: Floats, weights: Floats,
    pressure: Floats, by_gap: Floats, by_rate: Floats, T_pressure: Floats, T_slip: Floats,
    J: Floats, by_q: Floats, by_v: Floats,
) -> None:  # fmt: skip
    """Relative Jacobian J, and changes of the forces of sliding points, all (p, 3, s + n).

    Parameters
    ----------
    slave, displacement, d_slave : (p, 3, s)
        Velocity per v of the slave points, their motion along an increment of the dofs, and the
        change of their velocity.
    master : (p, 3, n)
        Velocity of the master per v.
    d_gap, d_normal, d_master : (p, 3 + n), (p, 3, 3 + n)
        Derivatives of gap, normal and velocity of the master by slave coordinates and its dofs.
    pressure, by_gap, by_rate, T_pressure, T_slip
        Pressure (p,) and its derivatives; those of the traction (p, 3), (p, 3, 3).
    """
    s, columns = slave.shape[2], J.shape[2]
    dn, dv, slip = np.zeros(3), np.zeros(3), np.zeros(3)
    for p in range(len(normal)):
        n, u, move, Ts = normal[p], velocity[p], displacement[p], T_slip[p]
        speed = n[0] * u[0] + n[1] * u[1] + n[2] * u[2]
        for y in range(columns):
            for i in range(3):
                if y < s:
                    J[p, i, y] = slave[p, i, y]
                    dn[i], dv[i] = 0.0, d_slave[p, i, y]
                    for j in range(3):
                        dn[i] += d_normal[p, i, j] * move[j, y]
                        dv[i] -= d_master[p, i, j] * move[j, y]
                else:
                    J[p, i, y] = -master[p, i, y - s]
                    dn[i], dv[i] = d_normal[p, i, 3 + y - s], -d_master[p, i, 3 + y - s]
            if y < s:
                gap = d_gap[p, 0] * move[0, y] + d_gap[p, 1] * move[1, y] + d_gap[p, 2] * move[2, y]
            else:
                gap = d_gap[p, 3 + y - s]
            rate = across = 0.0
            for i in range(3):
                rate += n[i] * dv[i] + dn[i] * u[i]
                across += n[i] * J[p, i, y]
            for i in range(3):
                slip[i] = dv[i] - n[i] * rate - speed * dn[i]
            press, damp = by_gap[p] * gap + by_rate[p] * rate, by_rate[p] * across
            for i in range(3):
                lean = n[i] + T_pressure[p, i]
                total, still = lean * press + pressure[p] * dn[i], lean * damp
                for j in range(3):
                    total += Ts[i, j] * slip[j]
                    still += Ts[i, j] * (J[p, j, y] - n[j] * across)
                by_q[p, i, y], by_v[p, i, y] = weights[p] * total, weights[p] * still
