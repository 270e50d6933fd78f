"""Compiled kinematics of contact points: slip and elastic slip; all vectors (p, 3)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = [
    "OPPOSITE",
    "MasterSlopes",
    "SlaveSlopes",
    "SlidingForces",
    "SlidingLaws",
    "d_sliding_forces",
    "split_velocity",
    "trial_slip",
    "turn_divisor",
]

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


class SlaveSlopes(NamedTuple):
    """Slave points (p, 3, s): velocity per v, motion along an increment, change of velocity."""

    jacobian: Floats
    displacement: Floats
    d_velocity: Floats


class MasterSlopes(NamedTuple):
    """A master under points: velocity (p, 3, n) per v, and derivatives by (x, dofs).

    Those of the gap are (p, 3 + n), of normal and velocity (p, 3, 3 + n).
    """

    jacobian: Floats
    d_gap: Floats
    d_normal: Floats
    d_velocity: Floats


class SlidingLaws(NamedTuple):
    """Pressure (p,), its derivatives by gap and gap rate, of the traction by pressure and slip."""

    pressure: Floats
    by_gap: Floats
    by_rate: Floats
    T_pressure: Floats
    T_slip: Floats


class SlidingForces(NamedTuple):
    """Relative Jacobian, and changes of the forces of the points, all (p, 3, s + n)."""

    J: Floats
    by_q: Floats
    by_v: Floats


@kernel
def d_sliding_forces(
    of_slave: SlaveSlopes, of_master: MasterSlopes, normal: Floats, velocity: Floats,
    weights: Floats, laws: SlidingLaws, result: SlidingForces,
) -> None:  # fmt: skip
    """Relative Jacobian, and changes of the forces of sliding points."""
    slave, displacement, d_slave = of_slave
    master, d_gap, d_normal, d_master = of_master
    (pressure, by_gap, by_rate, T_pressure, T_slip), (J, by_q, by_v) = laws, result
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
