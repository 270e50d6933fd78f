"""Nonlinear facing: pressure over compression by a table."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from fecontact.contact.laws.base import NormalLaw
from fecontact.contact.laws.point import NormalPoint
from fecontact.errors import NON_NEGATIVE, InputError, check, numbers
from fecontact.kernels.calls import inlined
from fecontact.typing import Floats

__all__ = ["TableNormal"]


def prepare(parameters: Floats, h: float) -> tuple[float, Floats, Floats]:
    """Damping, knots, and the four coefficients and the stored energy of each interval."""
    knots = int(parameters[1])
    return parameters[0], parameters[2 : 2 + knots], parameters[2 + knots : 2 + 6 * knots]


@inlined
def _interval(knots: Floats, depth: float) -> tuple[int, float, float]:
    """Interval of a depth, how far it is in it, and how far beyond the last knot."""
    last = len(knots) - 1
    inside = min(depth, knots[last])
    k = min(max(int(np.searchsorted(knots, inside, side="right")) - 1, 0), last - 1)
    return k, inside - knots[k], depth - inside


@inlined
def _cubic(cubics: Floats, k: int, x: float) -> tuple[float, float]:
    """Value and slope of an interval."""
    a, b, c, d = cubics[5 * k], cubics[5 * k + 1], cubics[5 * k + 2], cubics[5 * k + 3]
    return ((a * x + b) * x + c) * x + d, (3.0 * a * x + 2.0 * b) * x + c


def press(k: Any, gap: float, gap_rate: float) -> tuple[float, float, float]:
    """P = max(0, f(d) + b d'); beyond the table its last slope continues."""
    if not gap <= 0.0:
        return 0.0, 0.0, 0.0
    damping, knots, cubics = k
    at, x, beyond = _interval(knots, -gap)
    value, slope = _cubic(cubics, at, x)
    trial = value + slope * beyond - damping * gap_rate
    if not trial >= 0.0:
        return 0.0, 0.0, 0.0
    return trial, -slope, -damping


def energy(k: Any, gap: float) -> float:
    """Integral of the table."""
    _, knots, cubics = k
    at, x, beyond = _interval(knots, max(-gap, 0.0))
    a, b, c, d = cubics[5 * at], cubics[5 * at + 1], cubics[5 * at + 2], cubics[5 * at + 3]
    inside = (((a / 4.0 * x + b / 3.0) * x + c / 2.0) * x + d) * x
    value, slope = _cubic(cubics, at, x)
    return cubics[5 * at + 4] + inside + (value + 0.5 * slope * beyond) * beyond


@dataclass(frozen=True, eq=False)
class TableNormal(NormalLaw):
    """Nonlinear facing: pressure over compression by a monotone cubic through a table.

        p = max(0, f(d) + b d'),      d = -g >= 0

    Beyond the table the slope of its end continues; motion that starts there gives a warning. The
    slope does not jump at the knots; at the kinks of `PenaltyNormal` it is that of the closed
    contact.

    Parameters
    ----------
    compressions
        d in m, rising from 0.
    pressures
        f in Pa, rising from 0.
    damping
        b in N s/m^3.
    """

    point: ClassVar[NormalPoint] = NormalPoint(prepare, press, energy)
    compressions: Floats
    pressures: Floats
    damping: float = 0.0

    def __post_init__(self) -> None:
        check("contact damping", self.damping, NON_NEGATIVE)
        for name in ("compressions", "pressures"):
            values = numbers(f"facing table: {name}", getattr(self, name))
            rises = values.ndim == 1 and len(values) > 1 and np.all(np.diff(values) > 0.0)
            if not (rises and values[0] == 0.0 and np.isfinite(values).all()):
                raise InputError(f"facing table: invalid {name} = {values}: expected rising from 0")
        if len(self.compressions) != len(self.pressures):
            raise InputError(
                f"facing table: invalid {len(self.compressions)} compressions and "
                f"{len(self.pressures)} pressures: expected as many"
            )

    @cached_property
    def parameters(self) -> Floats:
        """Damping, number of knots, knots, and five numbers of each interval."""
        from scipy.interpolate import PchipInterpolator  # takes longer to load than most starts

        curve = PchipInterpolator(self.compressions, self.pressures)
        stored = curve.antiderivative()(curve.x[:-1])
        rows = np.column_stack([curve.c.T, stored])
        knots = len(curve.x)
        return np.concatenate([[self.damping, knots], curve.x, rows.ravel(), np.zeros(5)])
