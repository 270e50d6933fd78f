"""Body on a plane that slides and spins on points with the same normal force."""

from __future__ import annotations

import numpy as np
from scipy.integrate import solve_ivp

from fecontact.typing import Floats

__all__ = ["sliding_points"]


def sliding_points(
    points: Floats, mass: float, inertia: float, limit: float, start: Floats, t: float
) -> Floats:
    """Motion (x, y, phi, x', y', phi') at the time t, while all points slide.

    With the slips s_i = v + omega x r_i

        m v' = -(limit/n) sum s_i/|s_i|,        J omega' = -(limit/n) sum (r_i x s_i/|s_i|)_z

    Parameters
    ----------
    points
        Positions (n, 2) about the centre of mass, in m.
    mass, inertia
        In kg and kg m^2.
    limit
        Friction mu m g of all points together, in N.
    start
        Motion (6,) at the time 0.
    t
        Time in s.
    """

    def rate(time: float, y: Floats) -> Floats:
        c, s = np.cos(y[2]), np.sin(y[2])
        r = points @ np.array([[c, s], [-s, c]])
        slip = y[3:5] + y[5] * np.column_stack([-r[:, 1], r[:, 0]])
        e = slip / np.linalg.norm(slip, axis=1)[:, None]
        torque = np.sum(r[:, 0] * e[:, 1] - r[:, 1] * e[:, 0])
        a = -limit / len(points) * np.array([*(e.sum(axis=0) / mass), torque / inertia])
        return np.concatenate([y[3:], a])

    found = solve_ivp(rate, (0.0, t), start, "DOP853", rtol=1e-11, atol=1e-12)
    return np.asarray(found.y[:, -1])
