"""Welded bodies in the compiled implicit steps: they follow their carriers (`system.welds`).

The unknowns of a step are those of the free dofs. Positions and velocities of a welded body are
those of its place on the carrier, v = J u; its v' is that of the method for such velocities:

    a_n+1 = (v_n+1 - v_n - h (1 - gamma) a_n) / (gamma h),

as with multipliers, c = 0 and c' = 0 (`implicit.alpha`). What the weld carries is what the equation
of its body lacks, r = M v' - f, and the free dofs have left r_free + J^T r. Along a step d of them,

    d(J u) = J du + N d,      d(J^T r) = J^T dr + G d,

with the maps J and N of `system.welds.kernels` and the slope G of J^T at fixed forces.
"""

from __future__ import annotations

from fecontact.body.lowered import MAPS, ROTATION, add_d_load, place_marker
from fecontact.kernels.arrays import part
from fecontact.kernels.decorators import kernel
from fecontact.kernels.sums import add_one, add_two, copy_row
from fecontact.kernels.vectors import Three, cross, three, turned_back
from fecontact.system.welds.kernels import (
    CARRIER_DOFS,
    CARRIER_Q,
    CARRIER_SIZE,
    CARRIER_V,
    CARRIER_WELD,
    MARKER,
    OWN_V,
    WeldTable,
    follow,
    weld_paths,
)
from fecontact.typing import Floats

__all__ = ["WeldedSteps", "add_weld_slopes", "keep_weld_load", "lead_welds", "leave_to_carriers",
           "turn_with_carriers"]  # fmt: skip

ALPHA_M, ALPHA_F, BETA, GAMMA = range(4)


class WeldedSteps(WeldTable):
    """Welds of a system, with the arrays of the loop that they read and write.

    Attributes
    ----------
    weights : (4,)
        Of the method: alpha_m, alpha_f, beta, gamma.
    q, v, a0, rate
        At the start of a step, with a_n.
    q1, path, v1, rate1, mass, acting
        At its end; increments of the dofs, and sizes of the forces.
    full, load : (n,)
        What the equations of all bodies leave, and the same over beta h^2 at the end of the last
        accepted step: what the welds carry.
    diagonal : (n,)
        Of the mass matrix of the free dofs; 1 for others.
    correction : (n,)
        Part of the path of welded bodies that is not that of the method.
    space : (n,)
        Working space.
    """

    weights: Floats
    q: Floats
    v: Floats
    a0: Floats
    rate: Floats
    q1: Floats
    path: Floats
    v1: Floats
    rate1: Floats
    mass: Floats
    acting: Floats
    full: Floats
    load: Floats
    diagonal: Floats
    correction: Floats
    space: Floats


@kernel
def lead_welds(welds: WeldedSteps, t: float, h: float, y: Floats) -> None:
    """State of welded bodies at the end of a step, after that of the free dofs."""
    v, a0, v1, path, w = welds.v, welds.a0, welds.v1, welds.path, welds.weights
    gain, weight = (1.0 - w[ALPHA_M]) / (1.0 - w[ALPHA_F]), 1.0 / (1.0 - w[ALPHA_F])
    beta, gamma = w[BETA], w[GAMMA]
    follow(welds, t, welds.q1, v1)
    weld_paths(welds, welds.q, welds.q1, path)
    for k in range(len(welds.table)):
        for i in range(6):
            j = welds.table[k, OWN_V] + i
            a1 = (v1[j] - v[j] - h * (1.0 - gamma) * a0[j]) / (gamma * h)
            known = weight * (w[ALPHA_M] * a0[j] - w[ALPHA_F] * welds.rate[j])
            welds.rate1[j] = gain * a1 + known
            y[j] = beta * h * h * a1
            welds.correction[j] = path[j] - h * (v[j] + h * ((0.5 - beta) * a0[j] + beta * a1))


@kernel
def leave_to_carriers(welds: WeldedSteps, r: Floats) -> None:
    """What is left for the free dofs: J^T r, with the sizes of the forces and the masses there."""
    n, J, acting, diagonal = len(r), welds.maps, welds.acting, welds.diagonal
    copy_row(r, welds.full)
    for i in range(n):
        diagonal[i] = welds.mass[i, i]
    for k in range(len(welds.table)):
        own = welds.table[k, OWN_V]
        for i in range(6):
            map_i, left, size = J[6 * k + i], r[own + i], acting[own + i]
            add_one(left, map_i, r)
            for j in range(n):
                acting[j] += abs(map_i[j]) * size
            for m in range(6):
                mass, map_m = welds.mass[own + i, own + m], J[6 * k + m]
                for j in range(n if mass != 0.0 else 0):
                    diagonal[j] += map_i[j] * mass * map_m[j]
    for k in range(len(welds.table)):
        for i in range(6):
            j = welds.table[k, OWN_V] + i
            r[j] = acting[j] = 0.0
            diagonal[j] = 1.0


@kernel
def turn_with_carriers(welds: WeldedSteps, dy: Floats) -> None:
    """Increments of welded bodies that follow from those of the free dofs."""
    for k in range(len(welds.table)):
        for i in range(6):
            total, row = 0.0, welds.maps[6 * k + i]
            for j in range(len(dy)):
                total += row[j] * dy[j]
            dy[welds.table[k, OWN_V] + i] = total


@kernel
def add_weld_slopes(welds: WeldedSteps, t: float, h: float, by_v: Floats, A: Floats) -> None:
    """From derivatives A (n, n) along increments of all dofs to those along the free ones.

    A are those of beta h^2 (M v' - f); what turns the maps J at the last unknowns is added.
    """
    w = welds.weights
    gain, square = (1.0 - w[ALPHA_M]) / (1.0 - w[ALPHA_F]), w[BETA] * h * h
    inertia = square * gain / (h * w[GAMMA])
    copy_row(welds.full, welds.space)
    for k in range(len(welds.table) - 1, -1, -1):
        _add_turned_load(welds, k, t, A)
    for k in range(len(welds.table)):
        own = welds.table[k, OWN_V]
        for i in range(6):
            J, N = welds.maps[6 * k + i], welds.changes[6 * k + i]
            for j in range(len(A)):
                by_path = A[j, own + i]
                by_speed = inertia * welds.mass[j, own + i] - square * by_v[j, own + i]
                if by_path != 0.0 or by_speed != 0.0:
                    add_two(by_path, by_speed, J, N, A[j])
                    A[j, own + i] = 0.0


@kernel
def _add_turned_load(welds: WeldedSteps, k: int, t: float, A: Floats) -> None:
    """Slope of J^T r of one weld in the dofs of its carrier; a welded carrier takes over J^T r."""
    row, f, load = welds.table[k], welds.frame, welds.space
    n, first, own = row[CARRIER_DOFS], row[CARRIER_V], row[OWN_V]
    own_q = part(welds.q1, row[CARRIER_Q], row[CARRIER_SIZE])
    place_marker(welds.numbers, row[MARKER], t, own_q, part(welds.v1, first, n), f)
    c, force = three(welds.offsets[k], 0), turned_back(f, ROTATION, three(load, own))
    arm = cross(c, force)
    for i in range(3):
        load[own + 3 + i] += arm[i]
    if n > 0:
        both = part(load, own, 6)
        add_d_load(welds.numbers, row[MARKER], own_q, f, both, 1.0, first, A)
        _add_lever(f, n, first, c, force, A)
    for j in range(n if row[CARRIER_WELD] >= 0 else 0):
        for i in range(6):
            load[first + j] += f[MAPS + n * i + j] * load[own + i]


@kernel
def _add_lever(f: Floats, n: int, first: int, c: Three, force: Three, A: Floats) -> None:
    """Turning of the force under the lever c, both in the axes of the marker."""
    for j in range(n):
        turn = f[MAPS + 3 * n + j], f[MAPS + 4 * n + j], f[MAPS + 5 * n + j]
        arm = cross(c, cross(force, turn))
        for i in range(n):
            own = f[MAPS + 3 * n + i], f[MAPS + 4 * n + i], f[MAPS + 5 * n + i]
            A[first + i, first + j] += own[0] * arm[0] + own[1] * arm[1] + own[2] * arm[2]


@kernel
def keep_weld_load(welds: WeldedSteps, h: float) -> None:
    """Keep what the welds carry at the end of an accepted step."""
    square = welds.weights[BETA] * h * h
    for i in range(len(welds.full)):
        welds.load[i] = welds.full[i] / square
