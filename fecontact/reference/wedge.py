"""Disc that slides between two flanks."""

from __future__ import annotations

from math import cos, sin

import numpy as np

__all__ = ["wedged_disc_torque"]


def wedged_disc_torque(weight: float, radius: float, theta: float, friction: float) -> float:
    """Torque in N m that turns a disc of a weight in N between flanks inclined by theta in rad.

    Both flanks slide; their normal forces follow from the balance of the disc. In closed form
    G R mu/((1 + mu^2) cos(theta)) (Stamm 1.20).
    """
    c, s, mu = cos(theta), sin(theta), friction
    balance = np.array([[-s - mu * c, s - mu * c], [c - mu * s, c + mu * s]])
    normal = np.linalg.solve(balance, np.array([0.0, weight]))
    return mu * radius * float(normal.sum())
