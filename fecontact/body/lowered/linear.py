"""Bodies whose force is linear in coordinates and velocities, as compiled programs see them.

    f = A q + B v,      energy q V q/2,      lost power r C r,      r = v + Q q

on the dofs from `first` on. The drive that keeps up a spin supplies the power (Q q) C r. Modal
bodies, elastic bodies in a frame at rest, and discs of prescribed spin are such bodies.

Numbers: n_q, n, first, whether there is a Q, then A, B, V, C, Q, each (m, m).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from fecontact.kernels.calls import viewed
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
    item_address,
    record,
)
from fecontact.typing import Floats, Tangents

__all__ = ["linear_body"]

HEAD = 4
"""Numbers before the matrices."""


@kernel(fastmath=True)
def row_times(p: Floats, at: int, m: int, i: int, x: Floats, first: int) -> float:
    """Row i of a matrix (m, m) times x from `first` on."""
    row, total = at + m * i, 0.0
    for j in range(m):
        total += p[row + j] * x[first + j]
    return total


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
    for i in range(n):
        for j in range(n):
            by_q[i, j] = by_v[i, j] = 0.0
    for i in range(m):
        for j in range(m):
            by_q[first + i, first + j] = p[A + m * i + j]
            by_v[first + i, first + j] = p[B + m * i + j]


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
    return Lowered(item_address(_linear_body), packing.numbers, m, mass=np.asarray(mass))
