"""Slender elastic bar on a hinge as a chain of rigid links, geometrically exact."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from fecontact.errors import POSITIVE, check
from fecontact.typing import Floats

__all__ = ["link_pendulum"]


def link_pendulum(
    length: float, side: float, line_mass: float, bending: float, gravity: float, n: int, t: Floats
) -> Floats:
    """Tip (k, 2) of n rigid links with torsion springs, let go from the horizontal.

        sum_j (W_ij cos(a_i - a_j) + J_ij) a_j'' + W_ij sin(a_i - a_j) a_j'^2 + K_ij a_j
            + b_i cos a_i = 0,            springs n EI/L; the error is of the order 1/n^2

    Parameters
    ----------
    length, side
        Of the square bar in m.
    line_mass, bending
        rho A in kg/m and EI in N m^2.
    gravity
        In m/s^2.
    n
        Number of links; one is the rigid bar.
    t
        Times (k,) in s, rising from the release at zero.

    Examples
    --------
    The rigid bar begins to fall with 3 g/2 at its tip.

    >>> tip = link_pendulum(1.0, 1e-6, 1.0, 1.0, 10.0, 1, np.array([0.0, 0.02]))
    >>> round(float(tip[-1, 1]) / (-0.5 * 15.0 * 0.02**2), 3)
    1.0
    """
    check("n", n, POSITIVE)
    link = length / n
    m = line_mass * link
    arms = link * (np.tril(np.ones((n, n)), -1) + 0.5 * np.eye(n))
    W, b = m * arms.T @ arms, m * gravity * arms.sum(axis=0)
    J = m * (link**2 + side**2) / 12.0 * np.eye(n)
    d = np.diff(np.eye(n), axis=0)
    K = bending / link * d.T @ d

    def rate(time: float, y: Floats) -> Floats:
        a, omega = y[:n], y[n:]
        between = a[:, None] - a
        moment = -(W * np.sin(between)) @ omega**2 - K @ a - b * np.cos(a)
        return np.concatenate([omega, np.linalg.solve(W * np.cos(between) + J, moment)])

    a = solve_ivp(rate, (0.0, t[-1]), np.zeros(2 * n), "DOP853", t, rtol=1e-7, atol=1e-9).y[:n]
    return link * np.column_stack([np.cos(a).sum(axis=0), np.sin(a).sum(axis=0)])
