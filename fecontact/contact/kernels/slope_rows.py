"""Where the derivatives of a continuous law stand: behind the internal variables of its points.

The rows of the working array are those of `contact.kernels.layout`. Derivatives of the friction law
begin behind the last internal variable; those of a normal law with states are formed there first,
and kernels that need both move them behind those of friction (`slope_rows`).
"""

from __future__ import annotations

from typing import NamedTuple

from fecontact.contact.kernels.layout import BLOCK, STATES
from fecontact.kernels.calls import inlined

__all__ = [
    "FrictionRows",
    "NormalRows",
    "SlopeRows",
    "friction_slope_rows",
    "normal_slope_rows",
    "slope_rows",
    "slopes_at",
]


class FrictionRows(NamedTuple):
    """First rows of the parts of `FrictionRateSlopes`, and what follows them."""

    traction_by_state: int
    traction_by_slip: int
    traction_by_pressure: int
    rate_by_state: int
    rate_by_slip: int
    rate_by_pressure: int
    end: int


class NormalRows(NamedTuple):
    """First rows of the parts of `NormalRateSlopes`, and what follows them."""

    pressure_by_gap: int
    pressure_by_rate: int
    pressure_by_state: int
    rate_by_gap: int
    rate_by_rate: int
    rate_by_state: int
    end: int


class SlopeRows(NamedTuple):
    """Rows of both laws; those of the normal law stand behind those of friction."""

    friction: FrictionRows
    normal: NormalRows


def slopes_at(friction: int, normal: int) -> int:
    """Row behind the internal variables: `friction` besides the elastic slip, then `normal`."""
    return STATES + (friction + normal) * BLOCK


def friction_slope_rows(at: int, friction: int) -> FrictionRows:
    """Rows from `at` on, of a law with as many variables besides its elastic slip."""
    n = 3 + friction
    slip = at + 3 * n * BLOCK
    pressure = slip + 9 * BLOCK
    rates = pressure + 3 * BLOCK
    rate_slip = rates + n * n * BLOCK
    rate_pressure = rate_slip + 3 * n * BLOCK
    end = rate_pressure + n * BLOCK
    return FrictionRows(at, slip, pressure, rates, rate_slip, rate_pressure, end)


def normal_slope_rows(at: int, normal: int) -> NormalRows:
    """Rows from `at` on, of a law with as many variables."""
    state = at + 2 * BLOCK
    by_gap = state + normal * BLOCK
    by_rate = by_gap + normal * BLOCK
    by_state = by_rate + normal * BLOCK
    end = by_state + normal * normal * BLOCK
    return NormalRows(at, at + BLOCK, state, by_gap, by_rate, by_state, end)


_slopes_at, _of_friction = inlined(slopes_at), inlined(friction_slope_rows)
_of_normal = inlined(normal_slope_rows)


@inlined
def slope_rows(friction: int, normal: int) -> SlopeRows:
    """Rows of laws with as many internal variables, for kernels."""
    of_friction = _of_friction(_slopes_at(friction, normal), friction)
    return SlopeRows(of_friction, _of_normal(of_friction.end, normal))
