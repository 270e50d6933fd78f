"""Cantilever on a hub that turns by a given law: Euler-Bernoulli beam with centrifugal tension."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import scipy.linalg as la
from numpy.polynomial import Polynomial
from scipy.integrate import solve_ivp

from fecontact.errors import POSITIVE, check
from fecontact.typing import Floats

__all__ = ["spin_up_deflection"]

POLYNOMIALS, SHAPES = 10, 4


def spin_up_deflection(
    length: float,
    unit: float,
    rate: Callable[[float], float],
    acceleration: Callable[[float], float],
    t: Floats,
) -> Floats:
    """Tip deflection (k,) in m of the beam, at rest at first.

        rho A (w'' + psi'' x - psi'^2 w) + EI w'''' - psi'^2 (N w')' = 0,  N = rho A (L^2 - x^2)/2,

    by the lowest bending shapes, which are formed of polynomials. The equation is of first order in
    w, so its error is of the order (w/L)^2.

    Parameters
    ----------
    length
        L in m.
    unit
        sqrt(EI/(rho A L^4)) in rad/s.
    rate, acceleration
        psi' and psi'' of the hub over time.
    t
        Times (k,) in s, rising.
    """
    check("length", length, POSITIVE, "m")
    check("unit", unit, POSITIVE, "rad/s")
    powers = [Polynomial([0.0, 0.0, *[0.0] * i, 1.0]) for i in range(POLYNOMIALS)]

    def products(order: int, weight: Polynomial) -> Floats:
        fields = [power.deriv(order) if order else power for power in powers]
        return np.array([[(weight * a * b).integ()(1.0) for b in fields] for a in fields])

    one, x = Polynomial([1.0]), Polynomial([0.0, 1.0])
    squares, shapes = la.eigh(products(2, one), products(0, one))
    squares, shapes = squares[:SHAPES] * unit**2, shapes[:, :SHAPES]
    tension = shapes.T @ products(1, Polynomial([0.5, 0.0, -0.5])) @ shapes
    euler = np.array([(x * power).integ()(1.0) for power in powers]) @ shapes

    def change(time: float, y: Floats) -> Floats:
        a, speed = y[:SHAPES], rate(time)
        force = -squares * a - speed**2 * (tension @ a - a) - acceleration(time) * euler
        return np.concatenate([y[SHAPES:], force])

    start = np.zeros(2 * SHAPES)
    answer = solve_ivp(change, (0.0, t[-1]), start, "DOP853", t, rtol=1e-7, atol=1e-9)
    return length * np.asarray(shapes.sum(axis=0) @ answer.y[:SHAPES])
