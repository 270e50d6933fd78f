"""Chain of rigid bodies on hinges in joint coordinates (Keppler, sections 2.4 to 2.6).

Body frames sit in the centres of mass and are parallel to each other and to space for angles zero.
Velocities V = (v, omega) are in body components; with the hinge axis d and the hinge at r from the
centre of the outer body, and p the inner neighbour of j,

    V_j = X_j V_p + G_j phi_j',     G_j = (r x d, d),     X_j = H_V(H^{jp})         (Keppler 2.25)
    A^T M A phi'' = tau + A^T (F + U - M u),    U = T(V)^T M V                      (Keppler 2.39)
    u_j = X_j u_p - T(G_j phi_j') X_j V_p,      T(V) = ((omega~, v~), (0, omega~))  (algorithm 2.8)

A_jk = X_j A_pk with A_kk = G_k is the coupling matrix. No constraint and no multiplier appears.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from fecontact.typing import Floats

__all__ = ["HingedChain", "Link"]


@dataclass(frozen=True)
class Link:
    """A body of the chain.

    Attributes
    ----------
    mass, inertia
        In kg; (3, 3) about the centre of mass in kg m^2.
    axis : (3,)
        Unit vector of the hinge to the inner body.
    inner, outer : (3,)
        Positions of the hinges to the inner and to the outer body, from the centre of mass, in m.
    """

    mass: float
    inertia: Floats
    axis: Floats
    inner: Floats
    outer: Floats


class HingedChain:
    """Chain that hangs on a hinge at the origin.

    Parameters
    ----------
    links
        From the support outwards.
    gravity : (3,)
        In m/s^2.

    Examples
    --------
    A rod on its end starts to fall with 3 g/(2 L):

    >>> rod = Link(1.0, np.diag([1.0, 1.0, 0.0]) / 12.0, np.array([1.0, 0.0, 0.0]),
    ...            np.array([0.0, 0.0, 0.5]), np.array([0.0, 0.0, -0.5]))
    >>> chain = HingedChain([rod], np.array([0.0, 0.0, -9.81]))
    >>> chain.accelerations(np.array([np.pi / 2]), np.zeros(1), np.zeros(1)).round(6).tolist()
    [-14.715]
    """

    def __init__(self, links: Sequence[Link], gravity: Floats) -> None:
        self.links, self.gravity = tuple(links), gravity
        self._motions = [np.append(np.cross(k.inner, k.axis), k.axis) for k in links]
        self._inertia = np.zeros((len(links), 6, 6))
        for M, link in zip(self._inertia, links, strict=True):
            M[:3, :3], M[3:, 3:] = link.mass * np.eye(3), link.inertia

    def coupling(self, angles: Floats) -> Floats:
        """Coupling matrix A (n, 6, n): velocity of each body per rate of each angle."""
        return self._coupling(self._transports(angles))

    def mass_matrix(self, angles: Floats) -> Floats:
        """Mass matrix A^T M A (n, n) of the angles."""
        return self._mass_matrix(self.coupling(angles))

    def accelerations(self, angles: Floats, rates: Floats, torques: Floats) -> Floats:
        """Angular accelerations phi'' (n,) under torques (n,) in the hinges."""
        X = self._transports(angles)
        A = self._coupling(X)
        V, R, u = A @ rates, np.eye(3), np.zeros(6)
        load = np.zeros_like(V)
        for j, G in enumerate(self._motions):
            R, M = R @ X[j][:3, :3].T, self._inertia[j]
            inner = V[j] - G * rates[j]
            u = X[j] @ u - _rate_of_transport(G * rates[j]) @ inner
            load[j] = _rate_of_transport(V[j]).T @ M @ V[j] - M @ u
            load[j, :3] += self.links[j].mass * (self.gravity @ R)
        right = torques + np.einsum("jik,ji->k", A, load)
        return np.linalg.solve(self._mass_matrix(A), right)

    def energy(self, angles: Floats, rates: Floats) -> float:
        """Kinetic and potential energy in J; potential zero with all bodies at the origin."""
        total = 0.5 * rates @ self.mass_matrix(angles) @ rates
        R, hinge = np.eye(3), np.zeros(3)
        for link, angle in zip(self.links, angles, strict=True):
            R = R @ _turn(link.axis, angle)
            total -= link.mass * self.gravity @ (hinge - R @ link.inner)
            hinge = hinge + R @ (link.outer - link.inner)
        return float(total)

    def _transports(self, angles: Floats) -> list[Floats]:
        """X_j (6, 6): from the velocity of the inner body to that of body j."""
        transports, hinge = [], np.zeros(3)
        for link, angle in zip(self.links, angles, strict=True):
            A = _turn(link.axis, angle).T
            X = np.zeros((6, 6))
            X[:3, :3] = X[3:, 3:] = A
            X[:3, 3:] = _skew(link.inner - A @ hinge) @ A
            transports.append(X)
            hinge = link.outer
        return transports

    def _coupling(self, transports: list[Floats]) -> Floats:
        n = len(self.links)
        A = np.zeros((n, 6, n))
        for j, (X, G) in enumerate(zip(transports, self._motions, strict=True)):
            if j:
                A[j] = X @ A[j - 1]
            A[j, :, j] = G
        return A

    def _mass_matrix(self, A: Floats) -> Floats:
        return np.einsum("jik,jil,jlm->km", A, self._inertia, A)


def _turn(axis: Floats, angle: float) -> Floats:
    """Rotation matrix I + sin(phi) d~ + (1 - cos(phi)) d~ d~ (Keppler 1.9)."""
    d = _skew(axis)
    return np.eye(3) + np.sin(angle) * d + (1.0 - np.cos(angle)) * d @ d


def _skew(a: Floats) -> Floats:
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


def _rate_of_transport(V: Floats) -> Floats:
    """Matrix T(V) (6, 6) of a velocity (Keppler 1.33)."""
    T = np.zeros((6, 6))
    T[:3, :3] = T[3:, 3:] = _skew(V[3:])
    T[:3, 3:] = _skew(V[:3])
    return T
