"""From loads on two frames to forces on the dofs of their bodies, compiled.

A load on two frames has 12 components, as a step of the frames (`lowered.relative_motion`). The
maps of a frame record (`body.lowered.record`) take it to the dofs.
"""

from __future__ import annotations

from fecontact.body.lowered import MAPS
from fecontact.kernels.arrays import after, matrix
from fecontact.kernels.decorators import kernel
from fecontact.kernels.sums import add_four, add_one, add_rows, add_two
from fecontact.typing import Floats

__all__ = ["add_force", "law_tangents", "to_dofs"]


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
def law_tangents(
    G: Floats, D: Floats, by_s: Floats, by_rate: Floats, A: Floats, H: Floats, B: Floats
) -> None:
    """Subtract G^T C G from A, G^T D_s D from H, and G^T D_s G from B (12, 12).

    C and D_s are the derivatives of the law of k coordinates, G (k, 12) their Jacobian and D the
    derivative of their rates along a step.
    """
    k = len(G)
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
    f: Floats, n: int, first: int, place: int, H: Floats, A: Floats, B: Floats, spinning: bool,
    rows: Floats, rows_v: Floats,
) -> None:  # fmt: skip
    """Derivatives (12, n) of the load by the dofs of one body; H contains A."""
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
    H: Floats, A: Floats, B: Floats, f_a: Floats, f_b: Floats, n_a: int, n_b: int, spinning: bool,
    space: Floats, by_q: Floats, by_v: Floats,
) -> None:  # fmt: skip
    """Derivatives (n, n) of the force, but for those of L at a fixed load.

    In steps of the frames the load has the derivatives H, in steps of their material A, in twists
    B. H is changed; `space` has 24 n numbers.
    """
    n = n_a + n_b
    rows, rows_v = matrix(space, 0, 12, n), matrix(space, 12 * n, 12, n)
    for c in range(12):
        add_one(1.0, A[c], H[c])
    _end(f_a, n_a, 0, 0, H, A, B, spinning, rows, rows_v)
    _end(f_b, n_b, 6, n_a, H, A, B, spinning, rows, rows_v)
    for found, result in ((rows, by_q), (rows_v, by_v)):
        _carry(f_a, n_a, 0, spinning, found[:6], result)
        _carry(f_b, n_b, n_a, spinning, found[6:], result)
