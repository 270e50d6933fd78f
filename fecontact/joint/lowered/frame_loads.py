"""From loads on two frames to forces on the dofs of their bodies, compiled.

A load on two frames has 12 components, as a step of the frames (`lowered.relative_motion`). The
maps of a frame record (`body.lowered.record`) take it to the dofs.
"""

from __future__ import annotations

from typing import NamedTuple

from fecontact.body.lowered import MAPS
from fecontact.kernels.arrays import after, matrix
from fecontact.kernels.decorators import kernel
from fecontact.kernels.lowered import Record
from fecontact.kernels.sums import add_four, add_one, add_rows, add_two
from fecontact.typing import Floats

__all__ = ["FrameSlopes", "add_force", "law_tangents", "to_dofs"]


class FrameSlopes(NamedTuple):
    """Derivatives (12, 12) of a load on two frames.

    Attributes
    ----------
    steps, material, twists
        In steps of the frames, of their material alone, and in twists.
    """

    steps: Floats
    material: Floats
    twists: Floats


@kernel(fastmath=True)
def add_force(f: Floats, wrench: Floats, n: int, spinning: bool, force: Floats) -> None:
    """Subtract the generalised force L^T wrench of one frame."""
    for c in range(6):
        pull = -wrench[c]
        if pull == 0.0:
            continue
        add_one(pull, after(f, MAPS + n * c), force)
        if spinning and c >= 3:
            add_one(pull, after(f, MAPS + 12 * n + n * (c - 3)), force)


@kernel(fastmath=True)
def law_tangents(G: Floats, D: Floats, by_s: Floats, by_rate: Floats, x: FrameSlopes) -> None:
    """Subtract G^T C G in material steps, G^T D_s D in steps, and G^T D_s G in twists.

    C and D_s are the derivatives of the law of k coordinates, G (k, 12) their Jacobian and D the
    derivative of their rates along a step.
    """
    k, H, A, B = len(G), x.steps, x.material, x.twists
    for i in range(k):
        for m in range(k):
            stiffness, damping = by_s[i, m], by_rate[i, m]
            if stiffness == 0.0 and damping == 0.0:
                continue
            for c in range(12):
                stiff, damped = G[i, c] * stiffness, G[i, c] * damping
                for j in range(12):
                    A[c, j] -= stiff * G[m, j]
                    H[c, j] -= damped * D[m, j]
                    B[c, j] -= damped * G[m, j]


@kernel(fastmath=True)
def _end(
    f: Floats, first: int, place: int, x: FrameSlopes, spinning: bool, rows: Floats, rows_v: Floats
) -> None:
    """Derivatives (12, n) of the load by the dofs of one body; steps contain the material."""
    H, A, B, n = x.steps, x.material, x.twists, (len(f) - MAPS) // 15
    step, end = matrix(f, MAPS, 6, n), MAPS + 12 * n
    change = matrix(f, MAPS + 6 * n, 6, n)
    spin = matrix(f, end, 3, n)
    for c in range(12):
        row, row_v = rows[c, place : place + n], rows_v[c, place : place + n]
        for j in range(n):
            row[j] = row_v[j] = 0.0
        a, b = A[c, first : first + 6], B[c, first : first + 6]
        add_rows(H[c, first : first + 6], step, row)
        add_rows(b, change, row)
        add_rows(b, step, row_v)
        if spinning:
            add_rows(after(a, 3), spin, row)
            add_rows(after(b, 3), spin, row_v)


@kernel(fastmath=True)
def _carry(f: Floats, n: int, place: int, spinning: bool, rows: Floats, by_q: Floats) -> None:
    """L^T rows (6, all) in the dofs of one body."""
    for i in range(n):
        row, at, spin = by_q[place + i], MAPS + i, MAPS + 12 * n + i
        x, y, z = f[at + 3 * n], f[at + 4 * n], f[at + 5 * n]
        if spinning:
            x, y, z = x + f[spin], y + f[spin + n], z + f[spin + 2 * n]
        for j in range(len(row)):
            row[j] = 0.0
        add_four(f[at], f[at + n], f[at + 2 * n], x, rows[0], rows[1], rows[2], rows[3], row)
        add_two(y, z, rows[4], rows[5], row)


@kernel(fastmath=True)
def to_dofs(
    x: FrameSlopes, f_a: Floats, f_b: Floats, spinning: bool, space: Floats, r: Record
) -> None:
    """Derivatives (n, n) of the force, but for those of L at a fixed load.

    The derivatives in steps are changed; `space` has 24 n numbers.
    """
    n, n_a = len(r.v), (len(f_a) - MAPS) // 15
    rows, rows_v = matrix(space, 0, 12, n), matrix(space, 12 * n, 12, n)
    for c in range(12):
        add_one(1.0, x.material[c], x.steps[c])
    _end(f_a, 0, 0, x, spinning, rows, rows_v)
    _end(f_b, 6, n_a, x, spinning, rows, rows_v)
    for found, result in ((rows, r.by_q), (rows_v, r.by_v)):
        _carry(f_a, n_a, 0, spinning, found[:6], result)
        _carry(f_b, n - n_a, n_a, spinning, found[6:], result)
