"""Compiled tangents of a contact pair with an elastic master, from the sums of its kernel.

The formulas are those of `contact.evaluate.compiled.facet_tangents`, dof by dof: with the relative
motion g = (rho, theta) by steps and s by velocities in the frame of the master, and velocities l
that turn with the frames,

    df/dq = s^T (K g + D (l + c)) + turned loads,     df/dv = s^T D s,

c the change of the rates of the frames along a step.
"""

from __future__ import annotations

from typing import NamedTuple

from fecontact.body.lowered import MAPS, OMEGA, POSITION, ROTATION, VELOCITY
from fecontact.contact.evaluate.lowered.pair_slopes import PairFrames
from fecontact.kernels.decorators import kernel
from fecontact.kernels.memory import take_matrix
from fecontact.kernels.vectors import Three, cross, dot, three, turned, turned_back
from fecontact.typing import Floats

__all__ = ["FacetSums", "facet_pair_slopes", "facet_slopes_size"]


class FacetSums(NamedTuple):
    """Sums over all points: J^T dF and J^T D J (n, n), and J^T F (n,)."""

    stiff: Floats
    damped: Floats
    load: Floats


class Dofs(NamedTuple):
    """Motions (N, 6) by steps, by velocities, those that turn, db (N, 3), and rows (N, n)."""

    step: Floats
    speed: Floats
    carried: Floats
    arm: Floats
    by_step: Floats
    by_rate: Floats


def facet_slopes_size(n: int, dofs: int) -> int:
    """Length of the working space of `facet_pair_slopes`, for n motions."""
    return dofs * (21 + 2 * n)


@kernel(fastmath=True)
def _mapped(f: Floats, n: int, row: int, j: int) -> Three:
    at = MAPS + row * n + j
    return f[at], f[at + n], f[at + 2 * n]


@kernel(fastmath=True)
def _plus(a: Three, b: Three) -> Three:
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel(fastmath=True)
def _put(row: Floats, rho: Three, theta: Three) -> None:
    row[0], row[1], row[2] = rho
    row[3], row[4], row[5] = theta


@kernel(fastmath=True)
def _apart(frames: PairFrames, at: int) -> Three:
    """Difference of two vectors of slave and master, in the frame of the master."""
    f_s, f_m = frames.slave, frames.master
    x = f_s[at] - f_m[at], f_s[at + 1] - f_m[at + 1], f_s[at + 2] - f_m[at + 2]
    return turned_back(f_m, ROTATION, x)


@kernel(fastmath=True)
def _motions(frames: PairFrames, to: Dofs) -> None:
    """Relative motions of all dofs; those of the elastic coordinates alone are zero."""
    f_s, f_m, n_s, n_m = frames
    b, drift = _apart(frames, POSITION), _apart(frames, VELOCITY)
    spin = turned_back(f_m, ROTATION, turned(f_s, ROTATION, three(f_s, OMEGA)))
    for j in range(n_s + n_m):
        own, f, n, k = j < n_s, f_s, n_s, j
        if not own:
            f, n, k = f_m, n_m, j - n_s
        turn, step = _mapped(f, n, 3, k), turned_back(f_m, ROTATION, _mapped(f, n, 0, k))
        fast, change = _plus(turn, _mapped(f, n, 12, k)), _mapped(f, n, 9, k)
        push = turned_back(f_m, ROTATION, _mapped(f, n, 6, k))
        extra = 0.0, 0.0, 0.0
        if own:
            turn = turned_back(f_m, ROTATION, turned(f_s, ROTATION, turn))
            fast = turned_back(f_m, ROTATION, turned(f_s, ROTATION, fast))
            change = turned_back(f_m, ROTATION, turned(f_s, ROTATION, change))
            arm = step
            _put(to.step[j], _plus(step, cross(b, turn)), turn)
            _put(to.speed[j], _plus(step, cross(b, fast)), fast)
            rest = _plus(push, cross(b, change))
        else:
            back = -step[0], -step[1], -step[2]
            arm, extra = _plus(back, cross(b, turn)), cross(drift, turn)
            turn, fast = (-turn[0], -turn[1], -turn[2]), (-fast[0], -fast[1], -fast[2])
            _put(to.step[j], back, turn)
            _put(to.speed[j], back, fast)
            rest, change = (-push[0], -push[1], -push[2]), (-change[0], -change[1], -change[2])
        to.arm[j, 0], to.arm[j, 1], to.arm[j, 2] = arm
        around, shift = cross(turn, spin), cross(arm, spin)
        shift = _plus(_plus(shift, cross(b, around)), _plus(extra, rest))
        _put(to.carried[j], shift, _plus(around, change))


@kernel(fastmath=True)
def _gather(frames: PairFrames, modes: int, sums: FacetSums, to: Dofs) -> None:
    """Change of the loads with each dof; the sums are symmetric in nothing."""
    n, (_, _, n_s, n_m) = len(sums.stiff), frames
    for j in range(n_s + n_m):
        by_step, by_rate = to.by_step[j], to.by_rate[j]
        e = j - (n_s - modes) if j < n_s else j - (n_s + n_m - n + 6 + modes) + modes
        elastic = e >= 0 if j < n_s else e >= modes
        for i in range(n):
            stiff, damped = sums.stiff[i], sums.damped[i]
            total = rate = 0.0
            for c in range(6):
                total += stiff[c] * to.step[j, c] + damped[c] * to.carried[j, c]
                rate += damped[c] * to.speed[j, c]
            if elastic:
                total, rate = total + stiff[6 + e], rate + damped[6 + e]
            by_step[i], by_rate[i] = total, rate


@kernel(fastmath=True)
def facet_pair_slopes(
    frames: PairFrames, modes: int, sums: FacetSums, loads: Floats, work: Floats, by_q: Floats,
    by_v: Floats,
) -> None:  # fmt: skip
    """df/dq and df/dv (N, N), but for the lift of the slave's frame at `loads` (6,).

    These become force in space and moment in its axes. `modes` are those of the slave.
    """
    _, _, n_s, n_m = frames
    N, n = n_s + n_m, len(sums.stiff)
    step, work = take_matrix(work, N, 6)
    speed, work = take_matrix(work, N, 6)
    carried, work = take_matrix(work, N, 6)
    arm, work = take_matrix(work, N, 3)
    by_step, work = take_matrix(work, N, n)
    by_rate, work = take_matrix(work, N, n)
    to = Dofs(step, speed, carried, arm, by_step, by_rate)
    _motions(frames, to)
    _gather(frames, modes, sums, to)
    others = n - 6 - modes
    for i in range(N):
        e = i - (n_s - modes) if i < n_s else modes + i - (N - others)
        elastic = e >= 0 if i < n_s else e >= modes
        for j in range(N):
            total = rate = 0.0
            for c in range(6):
                total += speed[i, c] * by_step[j, c]
                rate += speed[i, c] * by_rate[j, c]
            if elastic:
                total, rate = total + by_step[j, 6 + e], rate + by_rate[j, 6 + e]
            by_q[i, j], by_v[i, j] = total, rate
    _turn_loads(frames, sums.load, to, loads, by_q)


@kernel(fastmath=True)
def _turn_loads(frames: PairFrames, load: Floats, to: Dofs, loads: Floats, by_q: Floats) -> None:
    """Add the change of the maps at a fixed load."""
    f_s, f_m, n_s, n_m = frames
    F, b = three(load, 0), _apart(frames, POSITION)
    lever = cross(b, F)
    M = load[3] - lever[0], load[4] - lever[1], load[5] - lever[2]
    force = turned(f_m, ROTATION, F)
    moment = turned_back(f_s, ROTATION, turned(f_m, ROTATION, M))
    for k in range(3):
        loads[k], loads[3 + k] = force[k], moment[k]
    for j in range(n_s + n_m):
        theta, db = three(to.step[j], 3), three(to.arm[j], 0)
        bent = _plus(cross(M, theta), cross(F, db))
        bent = turned_back(f_s, ROTATION, turned(f_m, ROTATION, bent))
        pulled = 0.0, 0.0, 0.0
        if j >= n_s:  # the motion of the master is -theta
            pulled = turned(f_m, ROTATION, cross(F, theta))
        for i in range(n_s):
            fast = _plus(_mapped(f_s, n_s, 3, i), _mapped(f_s, n_s, 12, i))
            by_q[i, j] += dot(fast, bent) + dot(_mapped(f_s, n_s, 0, i), pulled)
        for i in range(n_m):
            by_q[n_s + i, j] -= dot(_mapped(f_m, n_m, 0, i), pulled)
