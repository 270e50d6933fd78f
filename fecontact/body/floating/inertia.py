r"""Inertia of a deforming body in a floating frame.

A point moves with the frame (u, R) and deforms, r = r_0 + u + R X, X = x + Phi p. With w = R^T u'
and the body-fixed omega the kinetic energy is

    T = m w.w/2 + w.(omega x S) + w.C p' + omega.J omega/2 + omega.H p' + p'.N p'/2,
    S = int rho X,  C = int rho Phi,  J = int rho (X.X 1 - X X^T),  H = int rho X x Phi,

N the Gram matrix of the shapes. Lagrange's equations in (u', omega, p') read M v' = f,

    f_u     = -R (omega x (omega x S) + 2 omega x C p')
    f_omega = -J' omega - omega x (J omega + H p')
    f_p     = 2 sum_a omega_a G_a p' + (d/dp) omega.J omega/2,   G_a,ij = int rho (Phi_i x Phi_j)_a

(Shabana, Dynamics of Multibody Systems; Schwertassek and Wallrapp, Dynamik flexibler
Mehrkoerpersysteme; the integrals are those of `reduction.inertia`).

Geometric stiffness. Deformation moves points to second order too: a bent beam gets shorter. With
d(q) the displacement is Phi q + d(q) + ..., d such that the strain stays that of Phi q to second
order and the strain energy q^T K q/2 up to q^4: C eps(d) balances -C E_2(Phi q)/2, E_2 the
quadratic part of the strain. The material is linear in Biot's strain U - 1 (`fem.prestress`), so
E_2 = W^T W + eps W - W eps: a turned part moves along an arc, and a stretch alone, W = 0, has no
d. (With Green's strain, E_2 = H^T H, a stretched bar has d' = -u'^2/2, which is the nonlinear
stress-strain curve of that material and no geometry: free bars would vibrate and rebound slower.)
The work of the inertia loads on d(q) is the reference geometric stiffness K_k (Wallrapp and
Schwertassek, Int. J. Numer. Methods Eng. 32 (1991) 1833): per unit a, alpha, omega omega

    int rho d_i = q^T K_a,i q/2,     int rho (x x d)_i = q^T K_alpha,i q/2,
    int rho (omega x (omega x x)).d = sum omega_i omega_j q^T K_ij q/2 .

These are the 12 moments of d with 1, x, y, z. The one affine field with these moments stands for
d: the shapes are Phi and 12 affine fields, p = (q, q^T B q/2). So the loads of the frame on d, what
matters for small q, are exact; M stays positive semi-definite, energy and momentum are conserved.
Terms of higher order are left out: relative errors are of the order of the strain, and of the
square of the rotation relative to the frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from fecontact.body.rotation import skew
from fecontact.typing import Floats, Tangents

__all__ = ["FloatingInertia"]


@dataclass(frozen=True)
class FloatingInertia:
    """Mass matrix and inertia forces with respect to (u', omega, q').

    Attributes
    ----------
    mass, first_moment, inertia, translation, rotation, inertia_first
        m, S (3,), J (3, 3), C (3, k), H (3, k), dJ/dp (3, 3, k) of the undeformed body.
    gram : (k, k)
        N.
    second : (12 k, k)
        G (3 rows) and d^2 J/dp^2 (9 rows), stacked.
    shortening : (k - m, m, m)
        B: second-order coordinates of the m coordinates q; k = m without geometric stiffness.
    """

    mass: float
    first_moment: Floats
    inertia: Floats
    translation: Floats
    rotation: Floats
    inertia_first: Floats
    gram: Floats
    second: Floats
    shortening: Floats

    def mass_matrix(self, R: Floats, q: Floats) -> Floats:
        """Mass matrix (6 + m, 6 + m)."""
        at = self._at(q)
        M = np.empty((6 + len(at.p), 6 + len(at.p)))
        M[:3, :3] = self.mass * np.eye(3)
        M[:3, 3:6] = -R @ skew(at.first_moment)
        M[:3, 6:] = R @ self.translation
        M[3:6, 3:6] = at.inertia
        M[3:6, 6:] = at.rotation
        M[3:, :3] = M[:3, 3:].T
        M[6:, 3:6] = M[3:6, 6:].T
        M[6:, 6:] = self.gram
        return _rows(at.P, _columns(M, at.P))

    def d_inertia(self, R: Floats, q: Floats, a: Floats) -> Floats:
        """Derivative (6 + m, 6 + m) of M a along steps of (u, rotation, q), at fixed a.

        With w = R^T a_u, alpha = a_omega, b = dp/dq a_q the rows of M a are
        m a_u + R (alpha x S + C b), S x w + J alpha + H b, C^T w + H^T alpha + N b (taken to q).
        """
        at, m = self._at(q), len(q)
        w, alpha, b, C = a[:3] @ R, a[3:6], at.shape_rate(a[6:]), self.translation
        turn, arm = skew(alpha), skew(w)
        by_p = np.zeros((6 + len(b), 6 + len(b)))
        by_p[:3, 3:6] = -R @ skew(turn @ at.first_moment + C @ b)
        by_p[3:6, 3:6] = skew(at.first_moment) @ arm
        by_p[6:, 3:6] = C.T @ arm
        by_p[:3, 6:] = R @ turn @ C
        by_p[3:6, 6:] = -arm @ C + _times(at.d_inertia, alpha) + self._contracted(b)[0]
        by_p[6:, 6:] = -self._sum(alpha, 0)
        by_q = _columns(by_p, at.P)
        by_q[:, 6:] += self._bent(R, at, self._second(a[6:]))
        by_q = _rows(at.P, by_q)
        load = w @ C[:, m:] + alpha @ at.rotation[:, m:] + self.gram[m:] @ b
        by_q[6:, 6:] += self._stiffness_of(load)
        return by_q

    def weight(self, R: Floats, u: Floats, q: Floats, g: Floats) -> tuple[Floats, Floats, float]:
        """Force of the acceleration g, which is M (g, 0, 0), its derivative, and its potential.

        The potential is -g . (m u + R S - S_0).
        """
        at, m, C, w = self._at(q), len(q), self.translation, g @ R
        S, pull, arm = at.first_moment, w @ C, skew(w)
        force = np.concatenate([self.mass * g, skew(S) @ w, pull[:m] + pull[m:] @ at.P])
        by_q = np.zeros((6 + m, 6 + m))
        by_q[3:6, 3:6] = skew(S) @ arm
        by_q[6:, 3:6] = (C[:, :m] + C[:, m:] @ at.P).T @ arm
        by_q[3:6, 6:] = by_q[6:, 3:6].T
        by_q[6:, 6:] = self._stiffness_of(pull[m:])
        energy = -g @ (self.mass * u + R @ S - self.first_moment)
        return force, by_q, float(energy)

    def force(self, R: Floats, q: Floats, omega: Floats, rate: Floats) -> Floats:
        """Inertia forces (6 + m,) without those of v'."""
        at = self._at(q)
        moving = self._moving(at, omega, at.shape_rate(rate))
        bend = self._second(rate) @ rate
        return _rows(at.P, self._shape_force(R, moving) - self._bent(R, at, bend))

    def evaluate(
        self, R: Floats, q: Floats, omega: Floats, rate: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """`force` and its derivatives along steps of (u, rotation, q), and by (u', omega, q')."""
        at, m = self._at(q), len(q)
        moving = self._moving(at, omega, at.shape_rate(rate))
        change = self._second(rate)  # of P, per unit time
        by_p, by_v = self._shape_tangents(R, at, moving)
        bend = np.concatenate([np.zeros(m), change @ rate])
        force = self._shape_force(R, moving) - self._bent(R, at, bend[m:])
        by_p[:3, 3:6] += R @ skew(self.translation @ bend)
        by_p[3:6, 6:] -= self._contracted(bend)[0]
        by_q = _columns(by_p, at.P)
        by_q[:, 6:] += by_v[:, 6 + m :] @ change
        by_v = _columns(by_v, at.P)
        by_v[:, 6:] -= 2.0 * self._bent(R, at, change)
        by_q, by_v = _rows(at.P, by_q), _rows(at.P, by_v)
        by_q[6:, 6:] += self._stiffness_of(force[6 + m :])
        return _rows(at.P, force), by_q, by_v

    def _second(self, x: Floats) -> Floats:
        """B x, shape (k - m, m)."""
        count, m, _ = self.shortening.shape
        return (self.shortening.reshape(count * m, m) @ x).reshape(count, m)

    def _stiffness_of(self, load: Floats) -> Floats:
        """Stiffness (m, m) of loads (k - m,) on the second-order coordinates."""
        count, m, _ = self.shortening.shape
        return (load @ self.shortening.reshape(count, m * m)).reshape(m, m)

    def _bent(self, R: Floats, at: _Deformed, acceleration: Floats) -> Floats:
        """Columns of the second-order shapes in the mass matrix, times (k - m, ...)."""
        m = self.shortening.shape[1]
        columns = [R @ self.translation[:, m:], at.rotation[:, m:], self.gram[:, m:]]
        return np.concatenate(columns) @ acceleration

    def _moving(self, at: _Deformed, omega: Floats, rate: Floats) -> _Moving:
        turn, (G, J_rate) = skew(omega), self._contracted(rate)
        return _Moving(
            omega=omega,
            rate=rate,
            turn=turn,
            G=G,
            J_rate=J_rate,
            turned_inertia=_times(at.d_inertia, omega),
            linear=turn @ at.first_moment + 2.0 * self.translation @ rate,
            angular=at.inertia @ omega + at.rotation @ rate,
        )

    def _shape_force(self, R: Floats, moving: _Moving) -> Floats:
        """Inertia forces (6 + k,) on all shapes."""
        turn, omega, dJ_omega = moving.turn, moving.omega, moving.turned_inertia
        return np.concatenate(
            [
                -R @ (turn @ moving.linear),
                -dJ_omega @ moving.rate - turn @ moving.angular,
                omega @ (2.0 * moving.G + 0.5 * dJ_omega),
            ]
        )

    def _shape_tangents(self, R: Floats, at: _Deformed, moving: _Moving) -> Tangents:
        """Derivatives of `_shape_force` along (u, rotation, p) and by (u', omega, p')."""
        k, omega, turn, dJ_omega = (
            len(moving.rate),
            moving.omega,
            moving.turn,
            moving.turned_inertia,
        )
        S, C, H = at.first_moment, self.translation, at.rotation
        R_turn = R @ turn
        by_p, by_v = np.zeros((2, 6 + k, 6 + k))
        by_p[:3, 3:6] = R @ skew(turn @ moving.linear)
        by_p[:3, 6:] = -(R_turn @ turn) @ C
        by_p[3:6, 6:] = -_times(moving.J_rate, omega) - turn @ (dJ_omega + moving.G)
        by_p[6:, 6:] = self._sum(0.5 * np.outer(omega, omega).ravel(), 3)
        by_v[:3, 3:6] = R @ skew(moving.linear) + R_turn @ skew(S)
        by_v[:3, 6:] = (-2.0 * R_turn) @ C
        dJ_rate = (at.d_inertia.reshape(9, k) @ moving.rate).reshape(3, 3)
        by_v[3:6, 3:6] = skew(moving.angular) - turn @ at.inertia - dJ_rate
        by_v[3:6, 6:] = -dJ_omega - turn @ H
        by_v[6:, 3:6] = (2.0 * moving.G + dJ_omega).T
        by_v[6:, 6:] = self._sum(2.0 * omega, 0)
        return by_p, by_v

    def _at(self, q: Floats) -> _Deformed:
        P = self._second(q)
        p = np.concatenate([q, 0.5 * P @ q])
        G, J_second = self._contracted(p)
        dJ, k = self.inertia_first + J_second, len(p)
        return _Deformed(
            p=p,
            P=P,
            first_moment=self.first_moment + self.translation @ p,
            inertia=self.inertia
            + (0.5 * (self.inertia_first + dJ).reshape(9, k) @ p).reshape(3, 3),
            d_inertia=dJ,
            rotation=self.rotation - G,
        )

    def _contracted(self, x: Floats) -> tuple[Floats, Floats]:
        """G x (3, k) and (d^2 J/dp^2) x (3, 3, k)."""
        rows = (self.second @ x).reshape(12, -1)
        return rows[:3], rows[3:].reshape(3, 3, -1)

    def _sum(self, factors: Floats, start: int) -> Floats:
        """Sum of factors times the matrices of `second` from `start` on, (k, k)."""
        k = self.second.shape[1]
        matrices = self.second.reshape(12, k * k)[start : start + len(factors)]
        return (factors @ matrices).reshape(k, k)


class _Deformed(NamedTuple):
    """The deformed body.

    Amplitudes p = (q, q^T B q/2) (k,) of all shapes, the rows P = B q (k - m, m) of dp/dq below the
    identity, and S (3,), J (3, 3), dJ/dp (3, 3, k), H (3, k).
    """

    p: Floats
    P: Floats
    first_moment: Floats
    inertia: Floats
    d_inertia: Floats
    rotation: Floats

    def shape_rate(self, rate: Floats) -> Floats:
        """Rate p' = (dp/dq) q' (k,)."""
        return np.concatenate([rate, self.P @ rate])


class _Moving(NamedTuple):
    """Velocities omega and p', omega~, and what they are contracted with.

    G p' (3, k), (d^2 J/dp^2) p' (3, 3, k), (dJ/dp) omega (3, k), omega x S + 2 C p' (3,) and
    J omega + H p' (3,).
    """

    omega: Floats
    rate: Floats
    turn: Floats
    G: Floats
    J_rate: Floats
    turned_inertia: Floats
    linear: Floats
    angular: Floats


def _times(tensor: Floats, omega: Floats) -> Floats:
    """Symmetric tensors (3, 3, k) times omega, (3, k)."""
    return (omega @ tensor.reshape(3, -1)).reshape(3, -1)


def _rows(P: Floats, A: Floats) -> Floats:
    """Project the rows p of A (6 + k, ...) on the coordinates q, dp/dq = (1, P)."""
    m = P.shape[1]
    result = A[: 6 + m].copy()
    result[6:] += P.T @ A[6 + m :]
    return result


def _columns(A: Floats, P: Floats) -> Floats:
    """Project the columns p of A (n, 6 + k) on the coordinates q, dp/dq = (1, P)."""
    m = P.shape[1]
    result = A[:, : 6 + m].copy()
    result[:, 6:] += A[:, 6 + m :] @ P
    return result
