"""Compiled tangents of a contact pair from the sums of its kernel (`contact.kernels.tangents`).

The points move relative to the master, in the frame of the slave, with the six rigid motions
(rho, theta) of one frame against the other and the elastic coordinates e:

    rho = R_s^T (dr_s - dr_m) + c~ A^T dtheta_m,   theta = dtheta_s - A^T dtheta_m,   A = R_m^T R_s

c = R_s^T (r_s - r_m). `contact.evaluate.compiled.rigid_tangents` does the same for Python and has
the derivation. Elastic coordinates move no frame: their rows and columns are taken as they are.
"""

from __future__ import annotations

from typing import NamedTuple

from fecontact.body.lowered import MAPS, OMEGA, POSITION, ROTATION, VELOCITY
from fecontact.contact.kernels.rate_tangents import Motions
from fecontact.contact.kernels.tangents import EXTRA
from fecontact.kernels.arrays import matrix
from fecontact.kernels.decorators import kernel
from fecontact.kernels.vectors import cross, three
from fecontact.typing import Floats

__all__ = ["PairFrames", "pair_slopes", "relative_motions", "slopes_size"]

STEPS, CHANGES, SPINS = 0, 6, 12
"""Rows of the maps of a frame record."""
Three = tuple[float, float, float]


class PairFrames(NamedTuple):
    """Frame records of slave and master (`body.lowered`), and their numbers of dofs."""

    slave: Floats
    master: Floats
    n_s: int
    n_m: int


def slopes_size(m: int, n: int) -> int:
    """Length of the working space of `pair_slopes` for 6 + modes = m and n dofs."""
    return 18 * n + 2 * m * n


@kernel(fastmath=True)
def _back(f: Floats, x: Three) -> Three:
    """R^T x."""
    R = ROTATION
    return (
        f[R] * x[0] + f[R + 3] * x[1] + f[R + 6] * x[2],
        f[R + 1] * x[0] + f[R + 4] * x[1] + f[R + 7] * x[2],
        f[R + 2] * x[0] + f[R + 5] * x[1] + f[R + 8] * x[2],
    )


@kernel(fastmath=True)
def _forth(f: Floats, x: Three) -> Three:
    """R x."""
    R = ROTATION
    return (
        f[R] * x[0] + f[R + 1] * x[1] + f[R + 2] * x[2],
        f[R + 3] * x[0] + f[R + 4] * x[1] + f[R + 5] * x[2],
        f[R + 6] * x[0] + f[R + 7] * x[1] + f[R + 8] * x[2],
    )


@kernel(fastmath=True)
def _mapped(f: Floats, n: int, row: int, j: int) -> Three:
    """Column j of three rows of the maps of a frame record."""
    at = MAPS + row * n + j
    return f[at], f[at + n], f[at + 2 * n]


@kernel(fastmath=True)
def _turns(f: Floats, n: int, j: int) -> Three:
    """Angular velocity of the material per dof j."""
    a, b = _mapped(f, n, STEPS + 3, j), _mapped(f, n, SPINS, j)
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@kernel(fastmath=True)
def _apart(f_s: Floats, f_m: Floats, at: int) -> Three:
    """Difference of two vectors of slave and master, in the frame of the slave."""
    x = f_s[at] - f_m[at], f_s[at + 1] - f_m[at + 1], f_s[at + 2] - f_m[at + 2]
    return _back(f_s, x)


@kernel(fastmath=True)
def _put(rows: Floats, j: int, rho: Three, theta: Three) -> None:
    rows[0, j], rows[1, j], rows[2, j] = rho
    rows[3, j], rows[4, j], rows[5, j] = theta


@kernel(fastmath=True)
def relative_motions(frames: PairFrames, motions: Motions) -> None:
    """(rho, theta) (6, n) per step and per velocity, and the change of their rates in a step."""
    (f_s, f_m, n_s, n_m), (motion, speed, rates) = frames, motions
    c, drift = _apart(f_s, f_m, POSITION), _apart(f_s, f_m, VELOCITY)
    omega = three(f_s, OMEGA)
    for j in range(n_s):
        rho, theta = _back(f_s, _mapped(f_s, n_s, STEPS, j)), _mapped(f_s, n_s, STEPS + 3, j)
        _put(motion, j, rho, theta)
        _put(speed, j, rho, _turns(f_s, n_s, j))
        change = _back(f_s, _mapped(f_s, n_s, CHANGES, j))
        _put(rates, j, change, _mapped(f_s, n_s, CHANGES + 3, j))
    for k in range(n_m):
        j = n_s + k
        x = _back(f_s, _mapped(f_m, n_m, STEPS, k))
        for kind in range(3):
            if kind == 2:
                x = _back(f_s, _mapped(f_m, n_m, CHANGES, k))
            turn = _mapped(f_m, n_m, CHANGES + 3 if kind == 2 else STEPS + 3, k)
            if kind == 1:
                turn = _turns(f_m, n_m, k)
            turn = _back(f_s, _forth(f_m, turn))
            arm = cross(c, turn)
            rho = arm[0] - x[0], arm[1] - x[1], arm[2] - x[2]
            theta = -turn[0], -turn[1], -turn[2]
            _put(motion if kind == 0 else (speed if kind == 1 else rates), j, rho, theta)
        carried = cross(drift, _back(f_s, _forth(f_m, _mapped(f_m, n_m, STEPS + 3, k))))
        for i in range(3):
            rates[i, j] += carried[i]
    for j in range(n_s + n_m):
        a = cross(omega, (motion[0, j], motion[1, j], motion[2, j]))
        b = cross(omega, (motion[3, j], motion[4, j], motion[5, j]))
        for i in range(3):
            rates[i, j] -= a[i]
            rates[3 + i, j] -= b[i]


@kernel(fastmath=True)
def _gathered(
    total: Floats, first: int, motions: Motions, by_step: Floats, by_rate: Floats
) -> None:
    """Change of the load (m, n) along a step, and by the velocities; `first` elastic dof."""
    (m, n), (motion, speed, rates) = by_step.shape, motions
    damped, modes = m + EXTRA, m - 6
    for i in range(m):
        for j in range(n):
            by_step[i, j] = by_rate[i, j] = 0.0
        for c in range(6):
            stiffness, damping = total[i, c], total[i, damped + c]
            if c >= 3:
                stiffness += total[i, m + c - 3] - total[i, m + c]
            for j in range(n):
                by_step[i, j] += stiffness * motion[c, j] + damping * rates[c, j]
                by_rate[i, j] += damping * speed[c, j]
        for k in range(modes):
            by_step[i, first + k] += total[i, 6 + k]
            by_rate[i, first + k] += total[i, damped + 6 + k]
    for i in range(3):
        for k in range(modes):
            by_step[3 + i, first + k] += total[6 + k, m + i]


@kernel(fastmath=True)
def _taken_back(speed: Floats, rows: Floats, n: int, first: int, modes: int, to: Floats) -> None:
    """Loads (m, n) to the dofs: J^T rows."""
    for i in range(n):
        for j in range(n):
            to[i, j] = 0.0
        for c in range(6):
            part = speed[c, i]
            if part != 0.0:
                for j in range(n):
                    to[i, j] += part * rows[c, j]
    for k in range(modes):
        for j in range(n):
            to[first + k, j] += rows[6 + k, j]


@kernel(fastmath=True)
def _add_turned_load(
    frames: PairFrames, force: Three, moment: Three, motion: Floats, by_q: Floats
) -> None:
    """Change of the map G at a fixed load: the frames turn under it."""
    f_s, f_m, n_s, n_m = frames
    c = _apart(f_s, f_m, POSITION)
    about = cross(c, force)
    about = about[0] + moment[0], about[1] + moment[1], about[2] + moment[2]
    for j in range(n_s + n_m):
        step, turn = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
        if j < n_s:
            step, turn = _mapped(f_s, n_s, STEPS, j), _mapped(f_s, n_s, STEPS + 3, j)
        else:
            x = _mapped(f_m, n_m, STEPS, j - n_s)
            step = -x[0], -x[1], -x[2]
        pulled = _forth(f_s, cross(force, turn))
        arm, apart = cross(c, turn), _back(f_s, step)
        apart = apart[0] + arm[0], apart[1] + arm[1], apart[2] + arm[2]
        a = cross(about, (motion[3, j], motion[4, j], motion[5, j]))
        b = cross(force, apart)
        turned = _back(f_m, _forth(f_s, (a[0] + b[0], a[1] + b[1], a[2] + b[2])))
        for i in range(n_s):
            x = _mapped(f_s, n_s, STEPS, i)
            by_q[i, j] -= x[0] * pulled[0] + x[1] * pulled[1] + x[2] * pulled[2]
        for i in range(n_m):
            x, y = _mapped(f_m, n_m, STEPS, i), _turns(f_m, n_m, i)
            by_q[n_s + i, j] += x[0] * pulled[0] + x[1] * pulled[1] + x[2] * pulled[2]
            by_q[n_s + i, j] += y[0] * turned[0] + y[1] * turned[1] + y[2] * turned[2]


@kernel(fastmath=True)
def pair_slopes(
    total: Floats, frames: PairFrames, loads: Floats, space: Floats, by_q: Floats, by_v: Floats
) -> None:
    """df/dq and df/dv (n, n) from the sums (m, 2 m + 7), but for the lifts of the frames.

    `loads` (12,) are then those of slave and master, force in space and moment in their axes, at
    which the lifts change. The elastic dofs are the last of the slave.
    """
    (f_s, f_m, n_s, n_m), m = frames, len(total)
    modes, n, at = m - 6, n_s + n_m, 18 * (n_s + n_m)
    motions = Motions(
        matrix(space, 0, 6, n), matrix(space, 6 * n, 6, n), matrix(space, 12 * n, 6, n)
    )
    by_step, by_rate = matrix(space, at, m, n), matrix(space, at + m * n, m, n)
    relative_motions(frames, motions)
    first = n_s - modes
    _gathered(total, first, motions, by_step, by_rate)
    _taken_back(motions.speed, by_step, n, first, modes, by_q)
    _taken_back(motions.speed, by_rate, n, first, modes, by_v)
    column = m + EXTRA - 1
    force = total[0, column], total[1, column], total[2, column]
    moment = total[3, column], total[4, column], total[5, column]
    _add_turned_load(frames, force, moment, motions.motion, by_q)
    pull, arm = _forth(f_s, force), cross(_apart(f_s, f_m, POSITION), force)
    about = _back(f_m, _forth(f_s, (arm[0] + moment[0], arm[1] + moment[1], arm[2] + moment[2])))
    for i in range(3):
        loads[i], loads[3 + i] = pull[i], moment[i]
        loads[6 + i], loads[9 + i] = -pull[i], -about[i]
