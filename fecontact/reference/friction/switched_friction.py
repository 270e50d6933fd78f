"""Point mass whose stick spring is switched to Coulomb's force: it jumps (Stamm 4.11 to 4.17)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from fecontact.typing import Floats

__all__ = ["FrictionMotion", "switched_spring"]


@dataclass(frozen=True)
class FrictionMotion:
    """Motion of a point in the plane under friction.

    Attributes
    ----------
    t, v, friction, slides
        Times (k,), speeds (k, 2), friction forces (k, 2), whether the point slides (k,).
    """

    t: Floats
    v: Floats
    friction: Floats
    slides: np.ndarray

    @property
    def switches(self) -> int:
        """Changes between stick and slip."""
        return int(np.count_nonzero(np.diff(self.slides)))

    @property
    def turns(self) -> Floats:
        """Angles in rad by which the friction force turns from one time to the next."""
        angle = np.unwrap(np.arctan2(self.friction[:, 1], self.friction[:, 0]))
        return np.abs(np.diff(angle))

    @property
    def apart(self) -> Floats:
        """Angles in rad between friction and the direction against the velocity."""
        dot = -np.sum(self.v * self.friction, axis=1)
        cross = self.v[:, 0] * self.friction[:, 1] - self.v[:, 1] * self.friction[:, 0]
        return np.abs(np.arctan2(cross, dot))


def switched_spring(
    mass: float,
    stiffness: float,
    damping: float,
    limit: float,
    force: Floats,
    stretch: Floats,
    slow: float,
    step: float,
    until: float,
) -> FrictionMotion:
    """Spring in stick, Coulomb's force in slip; steps of the implicit Euler method.

    The point sticks when its speed falls below a small bound, with a spring that carries on the
    force of that moment.

    Parameters
    ----------
    mass, stiffness, damping
        m in kg, spring in N/m and damper in N s/m of stick.
    limit
        Friction limit in N.
    force, stretch
        Force (2,) in N from the start on, and stretch (2,) of the spring in m at the start.
    slow
        Speed in m/s below which the point sticks.
    step, until
        Step and end in s.
    """
    h, m, c, beta = step, mass, stiffness, damping
    v, z, slides, rows = np.zeros(2), stretch.copy(), False, []
    t = h * np.arange(int(until / h))
    for _ in t:
        if not slides:
            v = (v + h / m * (force - c * z)) / (1.0 + h / m * (beta + h * c))
            z = z + h * v
            friction = -(c * z + beta * v)
            slides = bool(np.linalg.norm(friction) > limit)
        else:
            before = np.linalg.norm(v)
            trial = v + h / m * force
            speed = max(float(np.linalg.norm(trial)) - h / m * limit, 0.0)
            friction = -limit * trial / np.linalg.norm(trial)
            v = speed * trial / np.linalg.norm(trial)
            if speed < slow and speed < before:
                slides, z = False, (-friction - beta * v) / c
        rows.append([*v, *friction, slides])
    table = np.array(rows)
    return FrictionMotion(np.asarray(t), table[:, :2], table[:, 2:4], table[:, 4] > 0.0)
