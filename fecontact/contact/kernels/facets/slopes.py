"""Compiled derivatives of the force of one point on a facet, for `kernels.facets.tangents`.

The matrices of a point are kept in one array `m` (LOCAL,): C_r, K_t, D (3, 3), C_tau (3, 2),
S (2, 3), G (2, 2), then its normal and its force.
"""

from __future__ import annotations

from fecontact.contact.kernels.facets.polynomials import S, derivatives
from fecontact.contact.kernels.layout import (
    BLOCK,
    P_GAP,
    T_P,
    N,
)
from fecontact.contact.kernels.point_slopes import D as BY_VELOCITY
from fecontact.contact.kernels.point_slopes import E, K, M
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = ["LOCAL", "by_laws", "slopes", "turning"]

B = BLOCK
POSITION, HEIGHT = E, E + 3 * BLOCK
"""Position of the anchor, height over the projection point: bristles stand on the master, and no
row E is in use."""
CR, KT, D, CT, SR, GT, NN, FF = 0, 9, 18, 27, 33, 39, 43, 46
LOCAL = 49


@kernel(fastmath=True)
def by_laws(area: float, w: Floats, i: int, m: Floats) -> None:
    """K_n, K_t and D of point i from its rows (`contact.kernels.point_slopes`) to m."""
    for a in range(3):
        steep = area * (w[N + a * B + i] + w[T_P + a * B + i]) * w[P_GAP + i]
        for b in range(3):
            k = 3 * a + b
            m[CR + k] = steep * w[N + b * B + i]
            m[KT + k] = w[K + k * B + i] - m[CR + k]
            m[D + k] = w[BY_VELOCITY + k * B + i]


@kernel(fastmath=True)
def slopes(c: Floats, local: Floats, i: int, t: Floats) -> None:
    """Slopes t_1, t_2, and bends x_11, x_22, x_12 of the facet of point i, to t (5, 3)."""
    for k in range(3):
        _, t[0, k], t[1, k], t[2, k], t[3, k], t[4, k] = derivatives(
            c, 9 * S * k, i, local[i], local[B + i]
        )


@kernel(fastmath=True)
def turning(height: float, t: Floats, w_b: Floats, w: Floats, i: int, m: Floats) -> None:
    """S, G, C_tau of point i, and C_r from K_n; `w_b` (2, 3) are the slopes of the velocity."""
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
            turned = w[M + (3 * a + k) * B + i]
            l1 -= turned * (a22 * x - a12 * y)
            l2 -= turned * (a11 * y - a12 * x)
            e1 -= m[D + 3 * a + k] * w_b[0, k]
            e2 -= m[D + 3 * a + k] * w_b[1, k]
        e1 += l1 * h11 + l2 * h12
        e2 += l1 * h12 + l2 * h22
        m[CT + 2 * a] = l1 + e1 * m[GT] + e2 * m[GT + 2]
        m[CT + 2 * a + 1] = l2 + e1 * m[GT + 1] + e2 * m[GT + 3]
        for k in range(3):
            m[CR + 3 * a + k] += e1 * m[SR + k] + e2 * m[SR + 3 + k]
