"""Bodies whose material spins without a coordinate: what of their contacts is refused.

The spin of a rotor without "rz" moves its material and none of its coordinates, so its surface, or
the points on it, must be those of a body of revolution.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from fecontact.body.base import as_body
from fecontact.contact.laws.base import FrictionLaw
from fecontact.contact.master.base import Master
from fecontact.contact.surface.points import Surface
from fecontact.errors import InputError
from fecontact.typing import Floats

__all__ = ["check_round_master", "check_round_points", "refuse_other_states", "spins", "turned"]

AROUND = (1, 2)
"""Harmonics around the axis that a surface of revolution does not have."""

ROUND = 0.05
"""Largest fraction of such a harmonic; an annulus of coarse cells has less."""

TURNS = (0.731, 1.93, 3.37, 5.19)
"""Angles in rad to which a surface of revolution is turned without a change."""


def spins(body: Any) -> bool:
    """Whether material of a body turns without a coordinate."""
    return as_body(body).material_spin != 0.0


def turned(x: Floats, angle: float) -> Floats:
    """Points (p, 3) turned about the z axis by an angle in rad."""
    c, s = np.cos(angle), np.sin(angle)
    return x @ np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]])


def check_round_points(name: str, body: str, surface: Surface) -> None:
    """Refuse points of a spinning slave that its spin would carry away.

    Its points stand in space and its material passes them. They are those of a body of revolution:
    all around its z axis, or on one meridian, as the line on which a roller touches. The harmonics
    |sum w exp(i k phi)| / sum w of their weights tell, and those of an initial gap, which turns.
    """
    weights = np.broadcast_to(surface.weights, len(surface.points))
    gap = np.broadcast_to(surface.gap, len(surface.points))
    what = _not_round(*(np.array(part, float).tobytes() for part in (surface.points, weights, gap)))
    if what:
        raise InputError(
            f"{name}: invalid points of '{body}', which spins: expected the same {what} all "
            "around its z axis, as they stand in space while the body turns; take ring() or "
            "annulus(), make the part that does not spin the slave, or give the body 'rz'"
        )


@lru_cache(maxsize=64)
def _not_round(points: bytes, weights: bytes, gap: bytes) -> str:
    """Name of what points with weights and gaps do not have the same all around; empty if all."""
    position, weight = np.frombuffer(points).reshape(-1, 3), np.frombuffer(weights)
    x, y, _ = position.T
    turn = np.arctan2(y, x)
    away = np.hypot(x, y) > 1e-9 * np.abs(position).max()
    on_meridian = not np.any(np.abs(np.sin(0.5 * (turn - turn[np.argmax(away)]))[away]) > 1e-9)
    if on_meridian:
        return ""
    waves = np.exp(1j * np.outer(turn, AROUND))
    for what, fraction in (("weights", weight), ("initial gap", weight * np.frombuffer(gap))):
        if np.abs(fraction @ waves).max() > ROUND * np.abs(fraction).sum():
            return what
    return ""


def check_round_master(name: str, master: Master, x: Floats) -> None:
    """Refuse a surface on a spinning body that is no surface of revolution about its z axis.

    The spin moves its material, not its shape: positions x (p, 3) turned about the axis must have
    the gap that they had.
    """
    if master.round:
        return
    for body in (as_body(body) for body in master.bodies if spins(body)):
        q, v = body.reference(), np.zeros(len(body.dofs))
        arm, gap = x - body.position, master.project(x, q, v).gap
        for turn in TURNS:
            there = master.project(body.position + turned(arm, turn), q, v).gap
            if not np.allclose(gap, there, rtol=1e-9, atol=1e-9 * float(np.abs(x).max())):
                raise InputError(
                    f"{name}: invalid surface of '{body.name}', which spins: expected one round "
                    "about the body's z axis, as it would turn away from the points; centre it on "
                    "that axis, or give the body 'rz' instead of the spin and simulate"
                )


def refuse_other_states(name: str, friction: object) -> None:
    """Refuse internal variables of friction besides the elastic slip: nothing transports them."""
    if isinstance(friction, FrictionLaw) and friction.width > 3:
        others = ", ".join(state.name for state in friction.states if state.size == 1)
        raise InputError(
            f"{name}: invalid friction = {type(friction).__name__} with the states {others} on a "
            "spinning surface: expected a law with the elastic slip alone, such as ElastoPlastic"
        )
