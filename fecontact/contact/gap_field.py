"""Initial gaps of surfaces about the z axis: run-out, waviness, conical facing."""

from __future__ import annotations

import numpy as np

from fecontact.contact.surface import GapField
from fecontact.errors import FINITE, NON_NEGATIVE, Allowed, at_least, check
from fecontact.typing import Floats

__all__ = ["conical", "waviness"]


def waviness(amplitude: float, waves: int = 1, phase: float = 0.0) -> GapField:
    """Gap a (1 - cos(k phi - phase)): it touches at k places; k = 1 is the run-out of a face.

    Examples
    --------
    >>> field = waviness(1e-5, waves=2)
    >>> field(np.array([[0.1, 0.0, 0.0], [0.0, 0.1, 0.0]])).round(9).tolist()
    [0.0, 2e-05]
    """
    check("waviness amplitude", float(amplitude), FINITE, "m")
    check("waviness waves", waves, at_least(1))

    def gap(points: Floats) -> Floats:
        angle = np.arctan2(points[:, 1], points[:, 0])
        return np.asarray(amplitude * (1.0 - np.cos(waves * angle - phase)))

    return gap


def conical(inner: float, outer: float, rise: float) -> GapField:
    """Facing that is a cone: gap 0 at the outer radius, `rise` at the inner; rise < 0 the reverse.

    A negative rise opens the outer edge: the gap is never negative.
    """
    check("conical inner", float(inner), NON_NEGATIVE, "m")
    check("conical outer", outer, Allowed(f"> inner = {inner}", lambda x: x > inner), "m")
    check("conical rise", float(rise), FINITE, "m")

    def gap(points: Floats) -> Floats:
        share = (outer - np.hypot(points[:, 0], points[:, 1])) / (outer - inner)
        return np.asarray(rise * share if rise >= 0.0 else -rise * (1.0 - share))

    return gap
