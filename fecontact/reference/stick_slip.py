"""Mass on a spring that a belt drags along: its cycle with stick."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np
from scipy.integrate import solve_ivp

from fecontact.errors import POSITIVE, check
from fecontact.typing import Floats

__all__ = ["stick_slip_cycle"]


def stick_slip_cycle(
    mass: float, stiffness: float, damping: float, friction: Callable[[float], float], belt: float
) -> tuple[float, float]:
    """Period in s and lowest speed of the cycle with stick, from release to release.

        m x'' + d x' + c x = F(belt - x')

    Sliding by an ODE solver up to the next stick; then the mass runs with the belt until the spring
    breaks it away. For rotations, mass is a moment of inertia, and so on.

    Parameters
    ----------
    mass, stiffness, damping
        Of the oscillator.
    friction
        Friction force over the sliding speed >= 0; it holds its value at zero in stick.
    belt
        Speed of the belt.

    Examples
    --------
    A force that falls from 3 N to 1 N at once: the mass swings by hypot(2 m, belt/omega) about 1 m.

    >>> period, lowest = stick_slip_cycle(1.0, 1.0, 0.0, lambda v: 1.0 if v else 3.0, 0.5)
    >>> abs(lowest + (2.0**2 + 0.5**2) ** 0.5) < 1e-4
    True
    """
    check("mass", mass, POSITIVE)
    check("stiffness", stiffness, POSITIVE)
    check("belt", belt, POSITIVE)
    omega = sqrt(stiffness / mass)
    release = (friction(0.0) - damping * belt) / stiffness

    def slides(t: float, y: Floats) -> list[float]:
        force = friction(abs(belt - float(y[1]))) - damping * y[1] - stiffness * y[0]
        return [float(y[1]), float(force) / mass]

    def caught(t: float, y: Floats) -> float:
        return float(y[1]) - belt

    caught.terminal, caught.direction = True, 1.0  # type: ignore[attr-defined]
    start, span = np.array([release, belt - 1e-9]), (0.0, 10.0 / omega)
    way = solve_ivp(
        slides, span, start, events=caught, rtol=1e-10, atol=1e-12, max_step=0.01 / omega
    )
    stick = (release - float(way.y[0, -1])) / belt
    return float(way.t[-1]) + stick, float(way.y[1].min())
