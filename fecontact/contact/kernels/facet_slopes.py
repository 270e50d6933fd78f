"""Compiled derivatives of the force of one point on a facet, for `kernels.facet_tangents`.

The matrices of a point are kept in one array `m` (LOCAL,): C_r, K_t, D (3, 3), C_tau (3, 2),
S (2, 3), G (2, 2), then its normal and its force.
"""

from __future__ import annotations

from fecontact.contact.kernels.facet_polynomials import S, derivatives
from fecontact.contact.kernels.layout import (
    BLOCK,
    GAP_RATE,
    MORE,
    OLD,
    P_GAP,
    P_RATE,
    T_P,
    T_S,
    T_X,
    T_Z,
    N,
    P,
    U,
    Y,
)
from fecontact.contact.kernels.slip import turn_divisor
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["LOCAL", "by_laws", "slopes", "three", "turning"]

B = BLOCK
POSITION, HEIGHT = MORE, MORE + 3 * BLOCK
"""Position of the anchor, height over the projection point."""
CR, KT, D, CT, SR, GT, NN, FF = 0, 9, 18, 27, 33, 39, 43, 46
LOCAL = 49


@kernel(fastmath=True)
def three(w: Floats, row: int, i: int) -> tuple[float, float, float]:
    """Vector of point i at a row."""
    return w[row + i], w[row + B + i], w[row + 2 * B + i]


@kernel(fastmath=True)
def _dot(a: tuple[float, float, float], b: tuple[float, float, float]) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel(fastmath=True)
def by_laws(area: float, old: Floats, w: Floats, i: int, m: Floats, M: Floats) -> None:
    """K_n, K_t and D of point i to m, and M = dF/dn (9,), as in `contact.kernels.tangents`.

    K_t takes the path from the anchor, T_d = T_z + T_x, along which bristles may yield on the way.
    """
    n, before, path = three(w, N, i), three(old, 0, i), three(w, Y, i)
    position, z, slip = three(w, POSITION, i), three(w, OLD, i), three(w, U, i)
    rate, p, by_gap, by_rate = w[GAP_RATE + i], w[P + i], w[P_GAP + i], w[P_RATE + i]
    apart = 1.0 / turn_divisor(_dot(n, before))
    fraction = _dot(n, z) * apart
    d = (path[0] - position[0], path[1] - position[1], path[2] - position[2])
    depth = _dot(n, d)
    for a in range(3):
        push = n[a] + w[T_P + a * B + i]
        of_z, of_s = three(w, T_Z + 3 * a * B, i), three(w, T_S + 3 * a * B, i)
        of_x = three(w, T_X + 3 * a * B, i)
        of_d = (of_z[0] + of_x[0], of_z[1] + of_x[1], of_z[2] + of_x[2])
        u1 = push * by_rate - _dot(of_s, n)
        u2 = _dot(of_d, n)
        u3 = _dot(of_z, n) + _dot(of_z, before)
        for b in range(3):
            k = 3 * a + b
            m[CR + k] = area * push * by_gap * n[b]
            m[KT + k] = area * (of_d[b] - u2 * n[b])
            m[D + k] = area * (of_s[b] + u1 * n[b])
            turned = u1 * (slip[b] + rate * n[b]) - u2 * d[b]
            turned -= u3 * (z[b] - fraction * before[b]) * apart
            turned -= rate * of_s[b] + fraction * of_z[b] + depth * of_d[b]
            M[k] = area * (turned + (p if a == b else 0.0))


@kernel(fastmath=True)
def slopes(c: Floats, local: Floats, i: int, t: Floats) -> None:
    """Slopes t_1, t_2, and bends x_11, x_22, x_12 of the facet of point i, to t (5, 3)."""
    for k in range(3):
        _, t[0, k], t[1, k], t[2, k], t[3, k], t[4, k] = derivatives(
            c, 9 * S * k, i, local[i], local[B + i]
        )


@kernel(fastmath=True)
def turning(height: float, t: Floats, w_b: Floats, M: Floats, m: Floats) -> None:
    """S, G, C_tau of a point, and C_r from K_n; `w_b` (2, 3) are the slopes of the velocity."""
    n0, n1, n2 = m[NN], m[NN + 1], m[NN + 2]
    a11 = a22 = a12 = 0.0
    for k in range(3):
        a11 += t[0, k] * t[0, k]
        a22 += t[1, k] * t[1, k]
        a12 += t[0, k] * t[1, k]
    h11 = n0 * t[2, 0] + n1 * t[2, 1] + n2 * t[2, 2]
    h22 = n0 * t[3, 0] + n1 * t[3, 1] + n2 * t[3, 2]
    h12 = n0 * t[4, 0] + n1 * t[4, 1] + n2 * t[4, 2]
    b11, b22, b12 = a11 - height * h11, a22 - height * h22, a12 - height * h12
    det, flat = 1.0 / (b11 * b22 - b12 * b12), 1.0 / (a11 * a22 - a12 * a12)
    i11, i22, i12 = b22 * det, b11 * det, -b12 * det
    m[GT], m[GT + 1], m[GT + 2], m[GT + 3] = height * i11, height * i12, height * i12, height * i22
    for k in range(3):
        m[SR + k] = i11 * t[0, k] + i12 * t[1, k]
        m[SR + 3 + k] = i12 * t[0, k] + i22 * t[1, k]
    for a in range(3):
        l1 = l2 = e1 = e2 = 0.0
        for k in range(3):
            x, y = flat * t[0, k], flat * t[1, k]
            l1 -= M[3 * a + k] * (a22 * x - a12 * y)
            l2 -= M[3 * a + k] * (a11 * y - a12 * x)
            e1 -= m[D + 3 * a + k] * w_b[0, k]
            e2 -= m[D + 3 * a + k] * w_b[1, k]
        e1 += l1 * h11 + l2 * h12
        e2 += l1 * h12 + l2 * h22
        m[CT + 2 * a] = l1 + e1 * m[GT] + e2 * m[GT + 2]
        m[CT + 2 * a + 1] = l2 + e1 * m[GT + 1] + e2 * m[GT + 3]
        for k in range(3):
            m[CR + 3 * a + k] += e1 * m[SR + k] + e2 * m[SR + 3 + k]
