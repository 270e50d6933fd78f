"""From loads on two frames to forces on the dofs of their bodies, compiled.

A load on two frames has 12 components, as a step of the frames (`joint.relative_motion`). The maps
of a frame record (`body.lowered.record`) take it to the dofs.
"""

from __future__ import annotations

from fecontact.body.lowered import MAPS
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["add_force", "law_tangents", "to_dofs"]


@kernel(fastmath=True)
def add_force(f: Floats, wrench: Floats, n: int, spinning: bool, force: Floats) -> None:
    """Subtract the generalised force L^T wrench of one frame."""
    for c in range(6):
        pull = wrench[c]
        if pull == 0.0:
            continue
        for j in range(n):
            force[j] -= pull * f[MAPS + n * c + j]
        if spinning and c >= 3:
            for j in range(n):
                force[j] -= pull * f[MAPS + 12 * n + n * (c - 3) + j]


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
    """Derivatives (12, n) of the load by the dofs of one body."""
    for c in range(12):
        for j in range(n):
            rows[c, place + j] = rows_v[c, place + j] = 0.0
        for d in range(6):
            at, a, b = MAPS + n * d, A[c, first + d], B[c, first + d]
            x = H[c, first + d] + a
            for j in range(n):
                rows[c, place + j] += x * f[at + j] + b * f[at + 6 * n + j]
                rows_v[c, place + j] += b * f[at + j]
            if spinning and d >= 3:
                spin = MAPS + 12 * n + n * (d - 3)
                for j in range(n):
                    rows[c, place + j] += a * f[spin + j]
                    rows_v[c, place + j] += b * f[spin + j]


@kernel(fastmath=True)
def to_dofs(
    H: Floats, A: Floats, B: Floats, f_a: Floats, f_b: Floats, n_a: int, n_b: int, spinning: bool,
    space: Floats, by_q: Floats, by_v: Floats,
) -> None:  # fmt: skip
    """Derivatives (n, n) of the force, but for those of L at a fixed load.

    In steps of the frames the load has the derivatives H, in steps of their material A, in twists
    B. `space` has 24 n numbers.
    """
    n = n_a + n_b
    rows, rows_v = space[: 12 * n].reshape((12, n)), space[12 * n : 24 * n].reshape((12, n))
    _end(f_a, n_a, 0, 0, H, A, B, spinning, rows, rows_v)
    _end(f_b, n_b, 6, n_a, H, A, B, spinning, rows, rows_v)
    for first, f, own, place in ((0, f_a, n_a, 0), (6, f_b, n_b, n_a)):
        for i in range(own):
            for j in range(n):
                by_q[place + i, j] = by_v[place + i, j] = 0.0
            for d in range(6):
                carried = f[MAPS + own * d + i]
                if spinning and d >= 3:
                    carried += f[MAPS + 12 * own + own * (d - 3) + i]
                if carried == 0.0:
                    continue
                for j in range(n):
                    by_q[place + i, j] += carried * rows[first + d, j]
                    by_v[place + i, j] += carried * rows_v[first + d, j]
