"""Rod on a turning disc, held by a spring and a damper: rigid stick and slip."""

from __future__ import annotations

from math import cos, sin

import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import brentq

from fecontact.typing import Floats

__all__ = ["rigid_rod_on_disc"]

STILL = 1e-9
"""Slip speed in m/s at which the rod sticks."""


def rigid_rod_on_disc(
    mass: float,
    spring: float,
    damper: float,
    anchor: float,
    speed: float,
    limit: float,
    static_limit: float,
    times: Floats,
) -> tuple[Floats, list[tuple[float, float]]]:
    """Positions (k, 2) of a rod on a turning disc, and start and end of all stick phases.

        m q'' + beta_s q' + c_s (q - X_0 e_x) = T                                 (Stamm 6.27)

    Rigid friction, from event to event: slip with Coulomb's law; stick on a circle until the force
    reaches the static limit.

    Parameters
    ----------
    mass, spring, damper
        m in kg, c_s in N/m, beta_s in N s/m.
    anchor
        X_0 in m, where the rod starts at rest.
    speed
        Of the disc in rad/s.
    limit, static_limit
        mu N and mu_st N in N.
    times
        Times (k,) in s, from 0 on.
    """
    turn, home = np.array([[0.0, -speed], [speed, 0.0]]), np.array([anchor, 0.0])

    def slides(t: float, y: Floats) -> Floats:
        slip = y[2:] - turn @ y[:2]
        friction = -limit * slip / np.linalg.norm(slip)
        pull = friction - damper * y[2:] - spring * (y[:2] - home)
        return np.concatenate([y[2:], pull / mass])

    def slip_speed(t: float, y: Floats) -> float:
        return float(np.linalg.norm(y[2:] - turn @ y[:2])) - STILL

    def needed(q: Floats) -> Floats:
        return mass * (turn @ turn @ q) + damper * (turn @ q) + spring * (q - home)

    def carried(q: Floats, t: float) -> Floats:
        c, s = cos(speed * t), sin(speed * t)
        return np.array([[c, -s], [s, c]]) @ q

    slip_speed.terminal, slip_speed.direction = True, -1.0  # type: ignore[attr-defined]
    path = np.empty((len(times), 2))
    sticks: list[tuple[float, float]] = []
    t, y = 0.0, np.array([anchor, 0.0, 0.0, 0.0])
    while True:
        part = solve_ivp(
            slides, (t, times[-1]), y, "DOP853", events=slip_speed, rtol=1e-10, atol=1e-12,
            dense_output=True,
        )  # fmt: skip
        inside = (times >= t) & (times <= part.t[-1])
        path[inside] = part.sol(times[inside])[:2].T  # type: ignore[misc]
        if part.status == 0:
            return path, sticks
        t, q = part.t[-1], part.y[:2, -1]

        def margin(s: float, q: Floats = q) -> float:
            return float(np.linalg.norm(needed(carried(q, s)))) - static_limit

        last = next((s for s in np.arange(0.01, 10.0, 0.01) if margin(s) > 0.0), None)
        stay = brentq(margin, last - 0.01, last, xtol=1e-14) if last else times[-1]
        inside = (times >= t) & (times <= t + stay)
        path[inside] = [carried(q, s - t) for s in times[inside]]
        sticks.append((t, t + stay))
        t, q = t + stay, carried(q, stay)
        if t >= times[-1]:
            return path, sticks
        push = needed(q)
        y = np.concatenate([q, turn @ q - 2.0 * STILL * push / np.linalg.norm(push)])
