"""Bodies whose force is linear in coordinates and velocities, as compiled programs see them.

    f = A q + B v,      energy q V q/2,      lost power r C r,      r = v + Q q

on the dofs from `first` on. The drive that keeps up a spin supplies the power (Q q) C r. Modal
bodies, elastic bodies in a frame at rest, and discs of prescribed spin are such bodies.

Numbers: n_q, n, first, whether there is a Q, then A, B, V, C, Q, each (m, m).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fecontact.kernels.arrays import viewed
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import (
    LOST,
    PARAMETERS,
    POWERS,
    STORED,
    SUPPLIED,
    TANGENTS,
    Lowered,
    Packing,
    record,
)
from fecontact.kernels.sums import add_one, clear, dot_rows
from fecontact.typing import Floats, Tangents

__all__ = ["linear_body"]

HEAD = 4
"""Numbers before the matrices."""


@kernel(fastmath=True)
def row_times(p: Floats, at: int, m: int, i: int, x: Floats, first: int) -> float:
    """Row i of a matrix (m, m) times x from `first` on."""
    return dot_rows(x[first : first + m], p[at + m * i :])


@kernel(fastmath=True)
def _linear_force(p: Floats, q: Floats, v: Floats, force: Floats) -> None:
    n, first = len(v), int(p[2])
    m = n - first
    for i in range(first):
        force[i] = 0.0
    for i in range(m):
        total = row_times(p, HEAD, m, i, q, first)
        force[first + i] = total + row_times(p, HEAD + m * m, m, i, v, first)


@kernel(fastmath=True)
def _linear_tangents(p: Floats, n: int, by_q: Floats, by_v: Floats) -> None:
    first = int(p[2])
    m, A = n - first, HEAD
    B = A + m * m
    clear(by_q)
    clear(by_v)
    for i in range(m):
        add_one(1.0, p[A + m * i :], by_q[first + i, first:])
        add_one(1.0, p[B + m * i :], by_v[first + i, first:])


@kernel(fastmath=True)
def _linear_powers(p: Floats, q: Floats, v: Floats, r: Floats, head: Floats) -> None:
    n, first = len(v), int(p[2])
    m = n - first
    V, C, Q = HEAD + 2 * m * m, HEAD + 3 * m * m, HEAD + 4 * m * m
    stored = lost = supplied = 0.0
    for i in range(m):
        stored += 0.5 * q[first + i] * row_times(p, V, m, i, q, first)
        r[i] = v[first + i]
        if p[3] > 0.0:
            r[i] += row_times(p, Q, m, i, q, first)
    for i in range(m):
        damped = row_times(p, C, m, i, r, 0)
        lost += r[i] * damped
        supplied += (r[i] - v[first + i]) * damped
    head[LOST], head[STORED], head[SUPPLIED] = lost, stored, supplied


def _linear_body(pointer: Any, parameters: Any, task: float) -> float:
    p = viewed(parameters, PARAMETERS)
    w = record(pointer, p)
    _linear_force(p, w.q, w.v, w.force)
    if task == TANGENTS:
        _linear_tangents(p, len(w.v), w.by_q, w.by_v)
    if task == POWERS:
        _linear_powers(p, w.q, w.v, w.own, w.head)
    return 0.0


def linear_body(
    mass: Floats,
    tangents: Tangents,
    potential: Floats,
    damping: Floats,
    carried: Floats | None = None,
) -> Lowered:
    """A linear body.

    Parameters
    ----------
    mass : (n, n)
        Its mass matrix.
    tangents
        A and B (m, m), on the last m dofs.
    potential, damping : (m, m)
        V and C.
    carried : (m, m) or None
        Q; None if r is v.
    """
    n, m = len(mass), len(potential)
    packing = Packing(n, n, n - m, carried is not None)
    packing.extend([*tangents, potential, damping])
    if carried is not None:
        packing.add(carried)
    return Lowered(_linear_body, packing.numbers, m, mass=np.asarray(mass))
