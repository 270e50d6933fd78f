"""Initial gaps of surfaces about the z axis: run-out, waviness, conical facing, ball."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from fecontact.errors import FINITE, NON_NEGATIVE, POSITIVE, Allowed, InputError, at_least, check
from fecontact.typing import Floats

__all__ = ["GapField", "Waviness", "check_waves", "conical", "spherical", "waviness"]

GapField = Callable[[Floats], Floats]
"""Initial gap (p,) in m as a function of the points (p, 3)."""

SAME = 1e-6
"""Angles in rad that differ less are the same."""


@dataclass(frozen=True)
class Waviness:
    """Gap a (1 - cos(k phi - phase)), a `GapField`."""

    amplitude: float
    waves: int
    phase: float

    def __call__(self, points: Floats) -> Floats:
        """Gap (p,) at points (p, 3)."""
        angle = np.arctan2(points[:, 1], points[:, 0])
        return np.asarray(self.amplitude * (1.0 - np.cos(self.waves * angle - self.phase)))


def waviness(amplitude: float, waves: int = 1, phase: float = 0.0) -> Waviness:
    """Gap a (1 - cos(k phi - phase)): it touches at k places; k = 1 is the run-out of a face.

    A full circle of n points shows fewer than n/2 waves; more are refused (`check_waves`).

    Examples
    --------
    >>> field = waviness(1e-5, waves=2)
    >>> field(np.array([[0.1, 0.0, 0.0], [0.0, 0.1, 0.0]])).round(9).tolist()
    [0.0, 2e-05]
    """
    check("waviness amplitude", amplitude, FINITE, "m")
    check("waviness waves", waves, at_least(1))
    check("waviness phase", phase, FINITE, "rad")
    return Waviness(float(amplitude), waves, float(phase))


def check_waves(field: GapField, points: Floats) -> None:
    """Raise an `InputError` if full circles of n points have n/2 waves or more.

    On them k waves look like n - k. Other gap fields are not known as waves; points that are not
    equally spaced around the axis have no such limit.
    """
    if not isinstance(field, Waviness):
        return
    angle = np.sort(np.arctan2(points[:, 1], points[:, 0]))
    steps = np.diff(angle, append=angle[0] + 2.0 * np.pi)
    steps = steps[steps > SAME]
    n = len(steps)
    if n > 2 and np.ptp(steps) < SAME and 2 * field.waves >= n:
        raise InputError(
            f"invalid waviness waves = {field.waves} on circles of {n} points: expected < "
            f"{n / 2:g}; take more points around the axis"
        )


def conical(inner: float, outer: float, rise: float) -> GapField:
    """Facing that is a cone: gap 0 at the outer radius, `rise` at the inner; rise < 0 the reverse.

    A negative rise opens the outer edge: between the radii the gap is never negative. Beyond them
    the cone goes on.
    """
    check("conical inner", inner, NON_NEGATIVE, "m")
    check("conical outer", outer, Allowed(f"> inner = {inner}", lambda x: x > inner), "m")
    check("conical rise", rise, FINITE, "m")

    def gap(points: Floats) -> Floats:
        fraction = (outer - np.hypot(points[:, 0], points[:, 1])) / (outer - inner)
        return np.asarray(rise * fraction if rise >= 0.0 else -rise * (1.0 - fraction))

    return gap


def spherical(radius: float) -> GapField:
    """Gap R - sqrt(R^2 - r^2) of a ball that touches a plane face at the origin, for r <= R."""
    check("spherical radius", radius, POSITIVE, "m")

    def gap(points: Floats) -> Floats:
        square = radius**2 - points[:, 0] ** 2 - points[:, 1] ** 2
        if np.any(square < 0.0):
            raise InputError(f"a point lies beside the ball: expected r <= {radius} m of all")
        return np.asarray(radius - np.sqrt(square))

    return gap
