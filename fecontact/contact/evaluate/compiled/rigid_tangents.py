"""Tangents of a contact pair on a rigid surface, from the sums of its compiled kernel.

The points move relative to the master, in the frame of the slave, with the six rigid motions
(rho, theta) of one frame against the other and the elastic coordinates e:

    rho = R_s^T (dr_s - dr_m) + c~ A^T dtheta_m,   theta = dtheta_s - A^T dtheta_m,   A = R_m^T R_s

c = R_s^T (r_s - r_m). That is a map G from the motions of both frames; its transpose takes the
load g = sum J^T F to theirs. Their tangents are G^T dg + dG^T g, with

    dg = (sum J^T C J) (rho, theta, e) + (sum J^T D J) l + sum J^T (F~ - D V~) theta + (d sum J^T) F
    l  = (-omega_s x rho + u x A^T dtheta_m, -omega_s x theta, 0),   u = R_s^T (v_s - v_m),

by the velocities dg = (sum J^T D J) (rho, theta, e)'. The dofs of the bodies follow by the
lifts of the frames and their derivatives.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from fecontact.body.motion import MarkerMotion
from fecontact.body.rotation import cross, skew
from fecontact.contact.kernels.tangents import EXTRA
from fecontact.typing import Floats, Tangents

if TYPE_CHECKING:
    from fecontact.contact.evaluate.compiled.points import SlaveFrame

__all__ = ["rigid_tangents"]


def rigid_tangents(total: Floats, slave: SlaveFrame, master: MarkerMotion) -> Tangents:
    """df/dq along an increment of the dofs and df/dv from the sums (6 + m, 2 (6 + m) + 7)."""
    n = len(total)
    stiff, damped = total[:, :n], total[:, n + EXTRA :]
    turned, load = total[:, n : n + 3], total[:, n + 6]
    moves = _relative(slave, master, n)
    step, rate, change = _maps(slave, master, n)
    motion, speed = moves @ step, moves @ rate
    by_step = stiff @ motion + (turned - total[:, n + 3 : n + 6]) @ motion[3:6]
    by_step[3:6] += turned[6:].T @ motion[6:]
    rates = _carried_rates(slave, master, motion, step) + moves[:6] @ change
    by_step += damped[:, :6] @ rates
    by_q = speed.T @ by_step + _turned_load(slave, master, load, motion, step, rate)
    _add_turned_loads(by_q, moves.T @ load, slave, master)
    return by_q, speed.T @ (damped @ speed)


def _relative(slave: SlaveFrame, master: MarkerMotion, n: int) -> Floats:
    """G (6 + m, 12 + m): motion of slave, then master, to the relative motion of the points."""
    back = slave.rotation.T
    A_T = back @ master.rotation
    moves = np.zeros((n, n + 6))
    moves[:3, :3], moves[:3, n : n + 3] = back, -back
    moves[:3, n + 3 :] = skew(back @ (slave.origin - master.position)) @ A_T
    np.fill_diagonal(moves[3:, 3:n], 1.0)
    moves[3:6, n + 3 :] = -A_T
    return moves


def _carried_rates(slave: SlaveFrame, master: MarkerMotion, motion: Floats, step: Floats) -> Floats:
    """Velocities l (6, N) that turn with the frames along a step; those of e do not."""
    back, spin = slave.rotation.T, skew(slave.omega)
    drift = skew(back @ (slave.velocity - master.velocity))
    straight = drift @ (back @ master.rotation) @ step[-3:] - spin @ motion[:3]
    return np.concatenate([straight, -spin @ motion[3:6]])


def _turned_load(
    slave: SlaveFrame,
    master: MarkerMotion,
    load: Floats,
    motion: Floats,
    step: Floats,
    rate: Floats,
) -> Floats:
    """(dG^T) g (N, N) along a step, at a fixed load g."""
    n, R = len(motion), slave.rotation
    force, arm = skew(load[:3]), R.T @ (slave.origin - master.position)
    apart = R.T @ (step[:3] - step[n : n + 3]) + skew(arm) @ step[3:6]
    moment = skew(load[3:6] + cross(arm, load[:3]))
    turned = master.rotation.T @ R @ (moment @ motion[3:6] + force @ apart)
    return (rate[n : n + 3] - rate[:3]).T @ (R @ force @ step[3:6]) + rate[n + 3 :].T @ turned


def _maps(slave: SlaveFrame, master: MarkerMotion, n: int) -> tuple[Floats, Floats, Floats]:
    """Maps (12 + m, N) of the dofs to motions: steps, velocities, and those of a step."""
    columns, maps = master.interpolation.shape[1], slave.maps()
    own = maps[0].shape[1]
    step, rate, change = np.zeros((3, n + 6, own + columns))
    step[:n, :own], rate[:n, :own], change[:n, :own] = maps
    step[n:, own:], change[n:, own:] = master.interpolation, master.d_interpolation
    rate[n : n + 3, own:], rate[n + 3 :, own:] = master.jacobian, master.material_angular_jacobian
    return step, rate, change


def _add_turned_loads(by_q: Floats, load: Floats, slave: SlaveFrame, master: MarkerMotion) -> None:
    """Add the derivatives of the lifts of rigid frames, at fixed loads (12 + m,) of the frames."""
    own = len(by_q) - master.interpolation.shape[1]
    by_q[:own, :own] += slave.d_load(load[: 6 + len(slave.elastic)])
    if own < len(by_q):
        by_q[own:, own:] += master.d_load(load[-6:-3], load[-3:])
