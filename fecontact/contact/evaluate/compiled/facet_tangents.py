"""Tangents of a contact pair with an elastic master, from the sums of its compiled kernel.

The points move relative to the master, in its frame, with the six rigid motions (rho, theta) of
one frame against the other and the elastic coordinates e_s, e of slave and master:

    rho = R_m^T (dr_s - dr_m) + b~ A dtheta_s,   theta = A dtheta_s - dtheta_m,   A = R_m^T R_s

b = R_m^T (r_s - r_m). That is a map G from the motions of both frames; its transpose takes the
load g = sum J^T F to theirs. Their tangents are G^T dg + dG^T g, with

    dg = (sum J^T dF) (rho, theta, e_s, e) + (sum J^T D J) (l, 0) + (d sum J^T) F
    l  = (d x dtheta_m + db x omega + b x (theta x omega), theta x omega),   omega = A omega_s,

d = R_m^T (v_s - v_m); by the velocities dg = (sum J^T D J) (rho, theta, e_s, e)'.
"""

from __future__ import annotations

import numpy as np

from fecontact.body.points.elastic_points import FloatingMotion
from fecontact.body.rotation import cross_matrix
from fecontact.contact.evaluate.compiled.points import SlaveFrame
from fecontact.typing import Floats, Tangents

__all__ = ["facet_tangents"]


def facet_tangents(
    stiff: Floats, damped: Floats, load: Floats, slave: SlaveFrame, master: FloatingMotion
) -> Tangents:
    """df/dq along an increment of the dofs and df/dv from the sums over all points.

    `stiff` and `damped` (n, n) refer to (rho, theta, e_s, e), `load` is g (n,).
    """
    own = 6 + len(slave.elastic)
    moves, arm = _relative(slave, master, len(load), own)
    by_motion = stiff @ moves + damped[:, :6] @ _carried_rates(slave, master, moves, arm, own)
    inner = moves.T @ by_motion + _turned_load(slave, master, load, moves, arm, own)
    by_rate = moves.T @ damped @ moves
    step, rate, change = _maps(slave, master, own)
    by_q = rate.T @ (inner @ step + by_rate @ change)
    turned = slave.d_load((moves.T @ load)[:own])
    by_q[: len(turned), : len(turned)] += turned
    return by_q, rate.T @ by_rate @ rate


def _relative(slave: SlaveFrame, master: FloatingMotion, n: int, own: int) -> tuple[Floats, Floats]:
    """G (n, n + 6) from motions of slave, then master; and db (3, n + 6)."""
    back = master.rotation.T
    A, b = back @ slave.rotation, cross_matrix(back @ (slave.origin - master.origin))
    moves, arm = np.zeros((n, n + 6)), np.zeros((3, n + 6))
    moves[:3, :3], moves[:3, 3:6], moves[:3, own : own + 3] = back, b @ A, -back
    moves[3:6, 3:6], moves[3:6, own + 3 : own + 6] = A, -np.eye(3)
    np.fill_diagonal(moves[6:own, 6:own], 1.0)
    np.fill_diagonal(moves[own:, own + 6 :], 1.0)
    arm[:, :3], arm[:, own : own + 3], arm[:, own + 3 : own + 6] = back, -back, b
    return moves, arm


def _carried_rates(
    slave: SlaveFrame, master: FloatingMotion, moves: Floats, arm: Floats, own: int
) -> Floats:
    """Velocities l (6, n + 6) that turn with the frames along a step."""
    back = master.rotation.T
    b = cross_matrix(back @ (slave.origin - master.origin))
    spin = cross_matrix(back @ slave.rotation @ slave.omega)
    turned = -spin @ moves[3:6]
    shifted = -spin @ arm + b @ turned
    drift = back @ (slave.velocity - master.velocity)
    shifted[:, own + 3 : own + 6] += cross_matrix(drift)
    return np.concatenate([shifted, turned])


def _turned_load(
    slave: SlaveFrame, master: FloatingMotion, load: Floats, moves: Floats, arm: Floats, own: int
) -> Floats:
    """(dG^T) g (n + 6, n + 6) along a step, at a fixed load g."""
    R = master.rotation
    A, b = R.T @ slave.rotation, R.T @ (slave.origin - master.origin)
    result, force = np.zeros((len(moves.T),) * 2), cross_matrix(load[:3])
    result[:3, own + 3 : own + 6] = -R @ force
    result[own : own + 3, own + 3 : own + 6] = R @ force
    moment = cross_matrix(load[3:6] - np.cross(b, load[:3]))
    result[3:6] = A.T @ (moment @ moves[3:6] + force @ arm)
    return result


def _maps(slave: SlaveFrame, master: FloatingMotion, own: int) -> tuple[Floats, Floats, Floats]:
    """Maps of the dofs to motions of both bodies: steps, velocities, and those of a step."""
    other = np.eye(6 + len(master.elastic))[:, master.kept]
    maps = slave.maps()
    columns = maps[0].shape[1]
    shape = own + len(other), columns + other.shape[1]
    step, rate, change = np.zeros((3, *shape))
    step[:own, :columns], rate[:own, :columns], change[:own, :columns] = maps
    step[own:, columns:] = rate[own:, columns:] = other
    return step, rate, change
