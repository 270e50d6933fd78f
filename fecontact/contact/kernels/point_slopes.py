"""Derivatives of the forces of points in the frame of the master, block by block.

Bristles stand on the master, with an anchor there, or on the slave, with which they move. Their
forces depend on position Y, relative velocity W and normal n, those on the slave also on its
rotation: kernels of the surfaces know how these depend on the motion of the bodies.
"""

from __future__ import annotations

from fecontact.contact.kernels.lanes import lanes
from fecontact.contact.kernels.layout import (
    BLOCK,
    GAP_RATE,
    HALF,
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
from fecontact.kernels.arrays import after
from fecontact.kernels.decorators import kernel
from fecontact.typing import Floats

__all__ = [
    "D",
    "E",
    "K",
    "M",
    "slopes_by_normal_on_master",
    "slopes_by_normal_on_slave",
    "slopes_on_master",
    "slopes_on_slave",
]

B = BLOCK
K, D, E, M = (MORE + 9 * BLOCK * k for k in range(4))
"""Derivatives of the forces by position and velocity, by the rotation of the slave, with which
bristles that move with it turn, and by the normal."""
IDENTITY = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@kernel(fastmath=True)
def slopes_on_master(weights: Floats, w: Floats) -> None:
    """Derivatives at a fixed normal: A ((n + T_p) p_g n^T + T_d (1 - n n^T)), likewise by W.

    T_d = T_z + T_x takes the path from the anchor, along which bristles may yield on the way.
    """
    for row in range(3):
        n_row, of_row = after(w, N + row * B), after(w, T_P + row * B)
        at = 3 * row * B
        z0, s0, x0 = after(w, T_Z + at), after(w, T_S + at), after(w, T_X + at)
        k0, d0 = after(w, K + at), after(w, D + at)
        for i in range(lanes(w)):
            n0, n1, n2 = w[N + i], w[N + B + i], w[N + 2 * B + i]
            push, area = n_row[i] + of_row[i], weights[i]
            a, b = z0[i] + x0[i], z0[B + i] + x0[B + i]
            c = z0[2 * B + i] + x0[2 * B + i]
            along = push * w[P_GAP + i] - (a * n0 + b * n1 + c * n2)
            k0[i] = area * (a + along * n0)
            k0[B + i] = area * (b + along * n1)
            k0[2 * B + i] = area * (c + along * n2)
            a, b, c = s0[i], s0[B + i], s0[2 * B + i]
            along = push * w[P_RATE + i] - (a * n0 + b * n1 + c * n2)
            d0[i] = area * (a + along * n0)
            d0[B + i] = area * (b + along * n1)
            d0[2 * B + i] = area * (c + along * n2)


@kernel(fastmath=True)
def slopes_by_normal_on_master(weights: Floats, anchor: Floats, old: Floats, w: Floats) -> None:
    """Derivatives M by the normal n, with d = Y - anchor, and n_o the old normal.

    M/A = p - g' T_s - t T_z - (n . d) T_d + u_1 W^T - T_d n d^T - T_z (n + n_o) y^T
    T_d = T_z + T_x,
    u_1 = (n + T_p) p_g' - T_s n,   y = (z_n - t n_o)/(1 + n . n_o),   t = n . z_n/(1 + n . n_o)
    """
    for row in range(3):
        n_row, of_row = after(w, N + row * B), after(w, T_P + row * B)
        at = 3 * row * B
        z0, s0, x0 = after(w, T_Z + at), after(w, T_S + at), after(w, T_X + at)
        to = after(w, M + at)
        own0, own1, own2 = IDENTITY[row]
        for i in range(lanes(w)):
            n0, n1, n2 = w[N + i], w[N + B + i], w[N + 2 * B + i]
            o0, o1, o2 = old[i], old[B + i], old[2 * B + i]
            d0, d1, d2 = w[Y + i], w[Y + B + i], w[Y + 2 * B + i]
            d0, d1, d2 = d0 - anchor[i], d1 - anchor[B + i], d2 - anchor[2 * B + i]
            y0, y1, y2 = w[OLD + i], w[OLD + B + i], w[OLD + 2 * B + i]
            apart = 1.0 / turn_divisor(n0 * o0 + n1 * o1 + n2 * o2)
            t = (n0 * y0 + n1 * y1 + n2 * y2) * apart
            y0, y1, y2 = (y0 - t * o0) * apart, (y1 - t * o1) * apart, (y2 - t * o2) * apart
            rate, p = w[GAP_RATE + i], w[P + i]
            v0, v1 = w[U + i] + rate * n0, w[U + B + i] + rate * n1
            v2 = w[U + 2 * B + i] + rate * n2
            a, b, c = z0[i], z0[B + i], z0[2 * B + i]
            e, f, g = s0[i], s0[B + i], s0[2 * B + i]
            u1 = (n_row[i] + of_row[i]) * w[P_RATE + i] - (e * n0 + f * n1 + g * n2)
            u3 = a * (n0 + o0) + b * (n1 + o1) + c * (n2 + o2)
            m0 = p * own0 - rate * e - t * a + u1 * v0 - u3 * y0
            m1 = p * own1 - rate * f - t * b + u1 * v1 - u3 * y1
            m2 = p * own2 - rate * g - t * c + u1 * v2 - u3 * y2
            a, b, c = a + x0[i], b + x0[B + i], c + x0[2 * B + i]
            u2, q, area = a * n0 + b * n1 + c * n2, n0 * d0 + n1 * d1 + n2 * d2, weights[i]
            to[i], to[B + i] = area * (m0 - q * a - u2 * d0), area * (m1 - q * b - u2 * d1)
            to[2 * B + i] = area * (m2 - q * c - u2 * d2)


@kernel(fastmath=True)
def slopes_on_slave(h: float, weights: Floats, w: Floats) -> None:
    """Derivatives at a fixed normal of bristles that move with the slave.

    By Y: A (n + T_p) p_g n^T. By W, with the part h/2 s of the trial: T_s + h/2 (T_z + T_x), which
    takes the place of T_s. By the rotation: -A (T_z P a~ + T_x P b~), P = 1 - n n^T, of the vectors
    a = A (z_n + h/2 s_n) and b = A h/2 s_n.
    """
    for row in range(3):
        n_row, of_row = after(w, N + row * B), after(w, T_P + row * B)
        at = 3 * row * B
        z0, s0, x0 = after(w, T_Z + at), after(w, T_S + at), after(w, T_X + at)
        k0, d0, e0 = after(w, K + at), after(w, D + at), after(w, E + at)
        for i in range(lanes(w)):
            n0, n1, n2 = w[N + i], w[N + B + i], w[N + 2 * B + i]
            push, area = n_row[i] + of_row[i], weights[i]
            steep = area * push * w[P_GAP + i]
            k0[i], k0[B + i], k0[2 * B + i] = steep * n0, steep * n1, steep * n2
            s0[i] += 0.5 * h * (z0[i] + x0[i])
            s0[B + i] += 0.5 * h * (z0[B + i] + x0[B + i])
            s0[2 * B + i] += 0.5 * h * (z0[2 * B + i] + x0[2 * B + i])
            a, b, c = s0[i], s0[B + i], s0[2 * B + i]
            along = push * w[P_RATE + i] - (a * n0 + b * n1 + c * n2)
            d0[i] = area * (a + along * n0)
            d0[B + i] = area * (b + along * n1)
            d0[2 * B + i] = area * (c + along * n2)
            a, b, c = z0[i], z0[B + i], z0[2 * B + i]
            along = a * n0 + b * n1 + c * n2
            a, b, c = a - along * n0, b - along * n1, c - along * n2
            x, y, z = w[OLD + i], w[OLD + B + i], w[OLD + 2 * B + i]
            r0, r1, r2 = y * c - z * b, z * a - x * c, x * b - y * a
            a, b, c = x0[i], x0[B + i], x0[2 * B + i]
            along = a * n0 + b * n1 + c * n2
            a, b, c = a - along * n0, b - along * n1, c - along * n2
            x, y, z = w[HALF + i], w[HALF + B + i], w[HALF + 2 * B + i]
            e0[i] = area * (r0 + y * c - z * b)
            e0[B + i] = area * (r1 + z * a - x * c)
            e0[2 * B + i] = area * (r2 + x * b - y * a)


@kernel(fastmath=True)
def slopes_by_normal_on_slave(weights: Floats, w: Floats) -> None:
    """Derivatives M by the normal, at fixed gap, velocity and old slip, after `slopes_on_slave`.

    M/A = p - g' T_s - (n . a) T_z - (n . b) T_x + u_1 W^T - T_z n a^T - T_x n b^T, with the T_s of
    `slopes_on_slave` and u_1 = (n + T_p) p_g' - T_s n; GAP_RATE is that of the relative velocity.
    """
    for row in range(3):
        n_row, of_row = after(w, N + row * B), after(w, T_P + row * B)
        at = 3 * row * B
        z0, s0, x0 = after(w, T_Z + at), after(w, T_S + at), after(w, T_X + at)
        to = after(w, M + at)
        own0, own1, own2 = IDENTITY[row]
        for i in range(lanes(w)):
            n0, n1, n2 = w[N + i], w[N + B + i], w[N + 2 * B + i]
            a0, a1, a2 = w[OLD + i], w[OLD + B + i], w[OLD + 2 * B + i]
            b0, b1, b2 = w[HALF + i], w[HALF + B + i], w[HALF + 2 * B + i]
            rate, p = w[GAP_RATE + i], w[P + i]
            v0, v1 = w[U + i] + rate * n0, w[U + B + i] + rate * n1
            v2 = w[U + 2 * B + i] + rate * n2
            e, f, g = s0[i], s0[B + i], s0[2 * B + i]
            u1 = (n_row[i] + of_row[i]) * w[P_RATE + i] - (e * n0 + f * n1 + g * n2)
            m0 = p * own0 - rate * e + u1 * v0
            m1 = p * own1 - rate * f + u1 * v1
            m2 = p * own2 - rate * g + u1 * v2
            e, f, g = z0[i], z0[B + i], z0[2 * B + i]
            height, u2 = n0 * a0 + n1 * a1 + n2 * a2, e * n0 + f * n1 + g * n2
            m0, m1 = m0 - height * e - u2 * a0, m1 - height * f - u2 * a1
            m2 -= height * g + u2 * a2
            e, f, g = x0[i], x0[B + i], x0[2 * B + i]
            height, u2 = n0 * b0 + n1 * b1 + n2 * b2, e * n0 + f * n1 + g * n2
            m0, m1 = m0 - height * e - u2 * b0, m1 - height * f - u2 * b1
            m2 -= height * g + u2 * b2
            area = weights[i]
            to[i], to[B + i], to[2 * B + i] = area * m0, area * m1, area * m2
