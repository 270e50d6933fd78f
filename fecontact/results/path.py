"""Motion of a point of a body over time, from its coordinates."""

from __future__ import annotations

import numpy as np

from fecontact.body.marker import MarkedBody, Point
from fecontact.errors import InputError, check, one_of, shown
from fecontact.typing import Floats

__all__ = ["POINT_KINDS", "check_body", "point_history"]

POINT_KINDS = ("position", "displacement", "velocity", "acceleration")
MOMENT = 1e-6
"""Time in s over which the velocity of a prescribed frame is differenced."""


def check_body(body: object) -> None:
    """Refuse the name of a body, or anything else that has no points."""
    if not hasattr(body, "marker"):
        raise InputError(
            f"path: invalid body = {shown(body)}: expected the body itself, as given to the System"
        )


def point_history(
    body: MarkedBody, point: Point, of: str, t: Floats, q: Floats, v: Floats, a: Floats
) -> Floats:
    """Position, displacement, velocity or acceleration (k, 3) in space of a point of a body.

    With the Jacobian J of the point at the coordinates q, velocities v and accelerations a (k, ...)
    of its body, x'' = J a + (dJ/dq v) v + dx'/dt at rest; the last term is that of frames of
    prescribed motion.
    """
    check("path: of", of, one_of(POINT_KINDS))
    marker = body.marker(point)

    def value(t: float, q: Floats, v: Floats, a: Floats) -> Floats:
        now = marker.at(q, v, t)
        if of == "velocity":
            return now.velocity
        if of != "acceleration":
            return now.position - marker.home if of == "displacement" else now.position
        late, early = (marker.at(q, v, t + dt).velocity for dt in (MOMENT, -MOMENT))
        drift = (late - early) / (2.0 * MOMENT)
        return np.asarray(now.interpolation[:3] @ a + now.d_interpolation[:3] @ v + drift)

    return np.array([value(*now) for now in zip(t.tolist(), q, v, a, strict=True)])
