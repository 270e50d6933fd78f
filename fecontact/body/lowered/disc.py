"""Disc on a hub whose spin is free, as compiled programs see it; the letters of `body.free_spin`.

Numbers: n_q, n, mass, inertia, b (m,), then M, K, B, S, C, Delta and C Delta, each
(m, m).
"""

from __future__ import annotations

from typing import Any

from fecontact.body.free_spin import SPIN, FreeSpin
from fecontact.body.lowered.linear import row_times
from fecontact.kernels.arrays import viewed
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    D_INERTIA,
    LOST,
    MASS,
    PARAMETERS,
    POWERS,
    STORED,
    SUPPLIED,
    TANGENTS,
    Lowered,
    Packing,
    record,
)
from fecontact.kernels.sums import add_one, add_two, clear
from fecontact.typing import Floats

__all__ = ["free_disc"]

DISC, HEAVE = SPIN + 1, 4
"""First dof of the disc; where the numbers have b."""


@kernel(fastmath=True)
def _matrix(m: int, i: int) -> int:
    """Where the matrix i of M, K, B, S, C, Delta, C Delta begins."""
    return HEAVE + m + i * m * m


@kernel(fastmath=True)
def _disc_mass(p: Floats, q: Floats, result: Floats) -> None:
    m = len(q) - DISC
    M, B, S = _matrix(m, 0), _matrix(m, 2), _matrix(m, 3)
    clear(result)
    for i in range(SPIN):
        result[i, i] = p[2]
    around = p[3]
    for i in range(m):
        around += q[DISC + i] * row_times(p, S, m, i, q, DISC)
        convected = row_times(p, B, m, i, q, DISC)
        result[SPIN - 1, DISC + i] = result[DISC + i, SPIN - 1] = p[HEAVE + i]
        result[SPIN, DISC + i] = result[DISC + i, SPIN] = convected
        add_one(1.0, p[M + m * i :], result[DISC + i, DISC:])
    result[SPIN, SPIN] = around


@kernel(fastmath=True)
def _disc_d_inertia(p: Floats, q: Floats, a: Floats, result: Floats) -> None:
    m, turn = len(q) - DISC, a[SPIN]
    B, S = _matrix(m, 2), _matrix(m, 3)
    clear(result)
    for i in range(m):
        result[SPIN, DISC + i] = 2.0 * turn * row_times(p, S, m, i, q, DISC)
    for i in range(m):
        add_one(a[DISC + i], p[B + m * i :], result[SPIN, DISC:])
        add_one(turn, p[B + m * i :], result[DISC + i, DISC:])


@kernel(fastmath=True)
def _disc_force(p: Floats, q: Floats, v: Floats, own: Floats, force: Floats) -> tuple[float, float]:
    """Force; returns the lost power and the strain energy. Keeps S w, C r and Delta w."""
    m, spin = len(q) - DISC, v[SPIN]
    K, B, S, C, Delta = (_matrix(m, 1), _matrix(m, 2), _matrix(m, 3), _matrix(m, 4), _matrix(m, 5))
    Sw, Cr, turned, r = own[:m], own[m : 2 * m], own[2 * m : 3 * m], own[3 * m : 4 * m]
    for i in range(DISC):
        force[i] = 0.0
    for i in range(m):
        turned[i] = row_times(p, Delta, m, i, q, DISC)
        r[i] = v[DISC + i] + spin * turned[i]
    lost = stored = 0.0
    for i in range(m):
        Sw[i], Cr[i] = row_times(p, S, m, i, q, DISC), row_times(p, C, m, i, r, 0)
        held = row_times(p, K, m, i, q, DISC)
        convected = row_times(p, B, m, i, v, DISC)
        force[DISC + i] = spin**2 * Sw[i] - 2.0 * spin * convected - held - Cr[i]
        force[SPIN] -= 2.0 * spin * v[DISC + i] * Sw[i] + turned[i] * Cr[i]
        stored += 0.5 * q[DISC + i] * held
        lost += r[i] * Cr[i]
    return lost, stored


@kernel(fastmath=True)
def _disc_tangents(
    p: Floats, q: Floats, v: Floats, own: Floats, by_q: Floats, by_v: Floats
) -> None:
    m, spin = len(q) - DISC, v[SPIN]
    K, B, S, C, Delta = (_matrix(m, 1), _matrix(m, 2), _matrix(m, 3), _matrix(m, 4), _matrix(m, 5))
    CD = _matrix(m, 6)
    Sw, turned, x = own[:m], own[2 * m : 3 * m], own[3 * m : 4 * m]
    clear(by_q)
    clear(by_v)
    for i in range(m):
        x[i] = v[DISC + i] + 2.0 * spin * turned[i]
    for i in range(m):
        to, rate = DISC + i, v[DISC + i]
        around = row_times(p, C, m, i, turned, 0)
        pulled = row_times(p, C, m, i, x, 0)
        convected = row_times(p, B, m, i, v, DISC)
        by_v[SPIN, to] = -2.0 * spin * Sw[i] - around
        by_v[to, SPIN] = 2.0 * spin * Sw[i] - 2.0 * convected - around
        by_v[SPIN, SPIN] -= 2.0 * rate * Sw[i] + turned[i] * around
        by_q[SPIN, to] -= 2.0 * spin * row_times(p, S, m, i, v, DISC)
        at = m * i
        add_one(-pulled, p[Delta + at :], by_q[SPIN, DISC:])
        add_two(spin**2, -1.0, p[S + at :], p[K + at :], by_q[to, DISC:])
        add_one(-spin, p[CD + at :], by_q[to, DISC:])
        add_two(-2.0 * spin, -1.0, p[B + at :], p[C + at :], by_v[to, DISC:])


def _free_disc(pointer: Any, parameters: Any, task: float) -> float:
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    if task == MASS:
        _disc_mass(p, w.q, w.by_q)
        return 0.0
    if task == D_INERTIA:
        _disc_d_inertia(p, w.q, w.force, w.by_q)
        return 0.0
    lost, stored = _disc_force(p, w.q, w.v, w.own, w.force)
    if task == TANGENTS:
        _disc_tangents(p, w.q, w.v, w.own, w.by_q, w.by_v)
    if task == POWERS:
        w.head[LOST], w.head[STORED], w.head[SUPPLIED] = lost, stored, 0.0
    return 0.0


def free_disc(disc: FreeSpin) -> Lowered:
    """A disc whose spin is a dof."""
    model = disc.model
    n = DISC + model.size
    packing = Packing(n, n, disc.mass, disc.inertia)
    convective = model.mass @ model.rotation
    packing.extend([model.heave, model.mass, model.stiffness, convective])
    C = disc.damping * model.curvature_form
    packing.extend([model.rotation.T @ convective, C, model.rotation, C @ model.rotation])
    return Lowered(_free_disc, packing.numbers, 4 * model.size)
