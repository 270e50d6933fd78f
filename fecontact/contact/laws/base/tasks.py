"""What a block function does with one point, by task: from the rows of a block to a law, and back.

A task takes what the law needs from the rows of the working array (`contact.kernels.layout`) and
puts there what the law returns.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core import types
from numba.cpython.unsafe import tuple as tuples
from numba.extending import overload

from fecontact.contact.kernels.lanes import vector_at
from fecontact.contact.kernels.layout import (
    BLOCK,
    GAP,
    GAP_BEFORE,
    GAP_RATE,
    L_P,
    L_SPEED,
    LIMIT,
    P_GAP,
    P_RATE,
    SHIFT,
    SLID,
    SPRING,
    STATES,
    STATUS,
    T_P,
    T_S,
    T_X,
    T_Z,
    WORK,
    F,
    P,
    U,
    Z,
)
from fecontact.contact.kernels.slope_rows import (
    friction_slope_rows,
    normal_slope_rows,
    slopes_at,
)
from fecontact.contact.laws.algebra import norm
from fecontact.contact.laws.point import (
    CoefficientPoint,
    FrictionPoint,
    LimitSlopes,
    NormalPoint,
    Sliding,
    Stepping,
)
from fecontact.kernels.calls import inlined
from fecontact.typing import Floats

__all__ = ["TASKS", "Lane", "Point"]

B = BLOCK

Point = CoefficientPoint | NormalPoint | FrictionPoint
Lane = Callable[..., None]
"""What is done with point i of a block: (w, i, prepared parameters, h)."""

_set: Any = tuples.tuple_setitem


def gathered(w: Floats, at: int, i: int, like: tuple[float, ...]) -> tuple[float, ...]:
    """Numbers of point i in as many rows as `like` has entries, from `at` on."""
    return tuple(float(w[at + k * B + i]) for k in range(len(like)))


def scattered(w: Floats, at: int, i: int, values: tuple[float, ...]) -> None:
    """Set the numbers of point i in as many rows as there are values, from `at` on."""
    for k, value in enumerate(values):
        w[at + k * B + i] = value


@overload(gathered)
def _gathered(w: Any, at: Any, i: Any, like: Any) -> Any:
    if len(like) == 0:

        def nothing(w: Any, at: Any, i: Any, like: Any) -> Any:
            return ()

        return nothing

    def within(w: Any, at: Any, i: Any, like: Any) -> Any:
        result = like
        for k in range(len(like)):
            result = _set(result, k, w[at + k * B + i])
        return result

    return within


@overload(scattered)
def _scattered(w: Any, at: Any, i: Any, values: Any) -> Any:
    if len(values) == 0:

        def nothing(w: Any, at: Any, i: Any, values: Any) -> Any:
            return None

        return nothing
    if not isinstance(values, types.UniTuple):
        return None

    def within(w: Any, at: Any, i: Any, values: Any) -> Any:
        for k in range(len(values)):
            w[at + k * B + i] = values[k]

    return within


@inlined
def _put(w: Floats, at: int, i: int, a: tuple[float, float, float]) -> None:
    w[at + i], w[at + B + i], w[at + 2 * B + i] = a[0], a[1], a[2]


@inlined
def _put_matrix(w: Floats, at: int, i: int, a: tuple[float, ...]) -> None:
    w[at + i], w[at + B + i], w[at + 2 * B + i] = a[0], a[1], a[2]
    w[at + 3 * B + i], w[at + 4 * B + i], w[at + 5 * B + i] = a[3], a[4], a[5]
    w[at + 6 * B + i], w[at + 7 * B + i], w[at + 8 * B + i] = a[6], a[7], a[8]


def _limit(point: CoefficientPoint, friction: int, normal: int) -> Lane:
    """Friction limit mu p of pressed points, and its slopes; none under tension."""
    value = inlined(point.value)

    def lane(w: Floats, i: int, k: Any, h: float) -> None:
        speed, pushed = norm(vector_at(w, U, i)), max(w[P + i], 0.0)
        mu, by_speed, by_pressure = value(k, speed, pushed, w[STATUS + i] == 1.0)
        w[LIMIT + i], w[L_SPEED + i] = mu * pushed, by_speed * pushed
        w[L_P + i] = mu + by_pressure * pushed if w[P + i] >= 0.0 else 0.0

    return lane


def _coefficient(point: CoefficientPoint, friction: int, normal: int) -> Lane:
    """Coefficient mu to LIMIT, and its slopes over speed and pressure."""
    value = inlined(point.value)

    def lane(w: Floats, i: int, k: Any, h: float) -> None:
        w[LIMIT + i], w[L_SPEED + i], w[L_P + i] = value(
            k, w[U + i], w[P + i], w[STATUS + i] == 1.0
        )

    return lane


def _press(point: NormalPoint, friction: int, normal: int) -> Lane:
    """Pressure at rest and its slopes."""
    press = inlined(point.press)

    def lane(w: Floats, i: int, k: Any, h: float) -> None:
        w[P + i], w[P_GAP + i], w[P_RATE + i] = press(k, w[GAP + i], w[GAP_RATE + i])

    return lane


def _energy(point: NormalPoint, friction: int, normal: int) -> Lane:
    """Stored energy at rest to WORK."""
    energy = inlined(point.energy)

    def lane(w: Floats, i: int, k: Any, h: float) -> None:
        w[WORK + i] = energy(k, w[GAP + i])

    return lane


def _normal_step(point: NormalPoint, friction: int, normal: int) -> Lane:
    """Pressure at the end of a step, its slopes, and new internal variables."""
    if point.step is None:
        return _press(point, friction, normal)
    step, like, at = inlined(point.step), (0.0,) * normal, STATES + friction * B

    def lane(w: Floats, i: int, k: Any, h: float) -> None:
        pressure, by_gap, by_rate, state = step(
            k, w[GAP + i], w[GAP_RATE + i], w[GAP_BEFORE + i], gathered(w, at, i, like)
        )
        w[P + i], w[P_GAP + i], w[P_RATE + i] = pressure, by_gap, by_rate
        scattered(w, at, i, state)

    return lane


def _normal_rate(point: NormalPoint, friction: int, normal: int) -> Lane:
    """Pressure in continuous time; rates in place of the internal variables."""
    if point.rate is None:
        return _press(point, friction, normal)
    rate, like, at = inlined(point.rate), (0.0,) * normal, STATES + friction * B

    def lane(w: Floats, i: int, k: Any, h: float) -> None:
        pressure, rates = rate(k, w[GAP + i], w[GAP_RATE + i], gathered(w, at, i, like))
        w[P + i] = pressure
        scattered(w, at, i, rates)

    return lane


def _normal_d_rate(point: NormalPoint, friction: int, normal: int) -> Lane:
    """Slopes of pressure and rates, behind the internal variables."""
    assert point.d_rate is not None
    d_rate, like, at = inlined(point.d_rate), (0.0,) * normal, STATES + friction * B
    rows = normal_slope_rows(slopes_at(friction, normal), normal)
    p_gap, p_rate, p_state, rate_gap, rate_rate, rate_state, _ = rows

    def lane(w: Floats, i: int, k: Any, h: float) -> None:
        by = d_rate(k, w[GAP + i], w[GAP_RATE + i], gathered(w, at, i, like))
        w[p_gap + i], w[p_rate + i] = by.pressure_by_gap, by.pressure_by_rate
        scattered(w, p_state, i, by.pressure_by_state)
        scattered(w, rate_gap, i, by.rate_by_gap)
        scattered(w, rate_rate, i, by.rate_by_rate)
        scattered(w, rate_state, i, by.rate_by_state)

    return lane


def _balance(point: NormalPoint, friction: int, normal: int) -> Lane:
    """Stored energy to WORK and dissipated power to SLID.

    A law without internal variables stores what it has at rest; its damper takes (p_rest - p) g'.
    """
    if point.balance is not None:
        balance, like, at = inlined(point.balance), (0.0,) * normal, STATES + friction * B

        def stateful(w: Floats, i: int, k: Any, h: float) -> None:
            w[WORK + i], w[SLID + i] = balance(
                k, w[GAP + i], w[GAP_RATE + i], gathered(w, at, i, like)
            )

        return stateful
    press, energy = inlined(point.press), inlined(point.energy)

    def lane(w: Floats, i: int, k: Any, h: float) -> None:
        gap, rate = w[GAP + i], w[GAP_RATE + i]
        w[WORK + i] = energy(k, gap)
        w[SLID + i] = (press(k, gap, 0.0)[0] - press(k, gap, rate)[0]) * rate

    return lane


@inlined
def _slopes(w: Floats, i: int) -> LimitSlopes:
    apart = w[P + i] == 0.0 and w[P_GAP + i] == 0.0 and w[P_RATE + i] == 0.0
    return LimitSlopes(w[L_SPEED + i], w[L_P + i], apart)


def _bristle(point: FrictionPoint, friction: int, normal: int) -> Lane:
    """Stiffness of the bristles to SPRING, dampers to WORK."""
    bristle = inlined(point.bristle)

    def lane(w: Floats, i: int, k: Any, h: float) -> None:
        w[SPRING + i], w[WORK + i] = bristle(k, w[P + i])

    return lane


def _slide(point: FrictionPoint, friction: int, normal: int) -> Lane:
    """Traction F of steady sliding and its slopes T_P, T_S."""
    slide = inlined(point.slide)

    def lane(w: Floats, i: int, k: Any, h: float) -> None:
        traction, by_pressure, by_slip = slide(
            k, w[P + i], w[LIMIT + i], vector_at(w, U, i), _slopes(w, i)
        )
        _put(w, F, i, traction)
        _put(w, T_P, i, by_pressure)
        _put_matrix(w, T_S, i, by_slip)

    return lane


def _stepping(friction: int) -> Any:
    """Function that takes what a step needs from the rows of a point."""
    like = (0.0,) * friction

    def stepping(w: Floats, i: int, h: float) -> Stepping:
        return Stepping(
            w[P + i], w[LIMIT + i], vector_at(w, U, i), vector_at(w, Z, i),
            vector_at(w, SHIFT, i), h, int(w[STATUS + i]), gathered(w, STATES, i, like),
        )  # fmt: skip

    return inlined(stepping)


def _step(point: FrictionPoint, friction: int, normal: int) -> Lane:
    """Traction F, new slip Z and other internal variables, status, slip work and path."""
    step, bristle, stepping = inlined(point.step), inlined(point.bristle), _stepping(friction)

    def lane(w: Floats, i: int, k: Any, h: float) -> None:
        end = step(k, stepping(w, i, h))
        _put(w, F, i, end.traction)
        _put(w, Z, i, end.z)
        w[WORK + i], w[SLID + i] = end.work, end.slid
        w[STATUS + i], w[SPRING + i] = float(end.status), bristle(k, w[P + i])[0]
        scattered(w, STATES, i, end.state)

    return lane


def _d_step(point: FrictionPoint, friction: int, normal: int) -> Lane:
    """Slopes T_Z, T_S, T_P, T_X of the traction of a step; the rows of the point stay."""
    d_step, stepping = inlined(point.d_step), _stepping(friction)

    def lane(w: Floats, i: int, k: Any, h: float) -> None:
        by = d_step(k, stepping(w, i, h), _slopes(w, i))
        _put_matrix(w, T_Z, i, by.by_trial)
        _put_matrix(w, T_S, i, by.by_slip)
        _put(w, T_P, i, by.by_pressure)
        _put_matrix(w, T_X, i, by.by_shift)

    return lane


def _sliding(friction: int) -> Any:
    """Function that takes what a rate needs from the rows of a point."""
    like = (0.0,) * friction

    def sliding(w: Floats, i: int) -> Sliding:
        return Sliding(
            w[P + i], w[LIMIT + i], vector_at(w, U, i), vector_at(w, Z, i), int(w[STATUS + i]),
            gathered(w, STATES, i, like),
        )  # fmt: skip

    return inlined(sliding)


def _rate(point: FrictionPoint, friction: int, normal: int) -> Lane:
    """Traction F, rates Z of the slip and of other internal variables, status, power, speed."""
    rate, bristle, sliding = inlined(point.rate), inlined(point.bristle), _sliding(friction)

    def lane(w: Floats, i: int, k: Any, h: float) -> None:
        now = rate(k, sliding(w, i))
        _put(w, F, i, now.traction)
        _put(w, Z, i, now.z)
        w[WORK + i], w[SLID + i] = now.power, now.speed
        w[STATUS + i], w[SPRING + i] = float(now.status), bristle(k, w[P + i])[0]
        scattered(w, STATES, i, now.state)

    return lane


def _d_rate(point: FrictionPoint, friction: int, normal: int) -> Lane:
    """Slopes of traction and rates, behind the internal variables."""
    d_rate, sliding = inlined(point.d_rate), _sliding(friction)
    rows = friction_slope_rows(slopes_at(friction, normal), friction)
    state, slip, pressure, rates, rate_slip, rate_pressure, _ = rows

    def lane(w: Floats, i: int, k: Any, h: float) -> None:
        by = d_rate(k, sliding(w, i), _slopes(w, i))
        scattered(w, state, i, by.traction_by_state)
        _put_matrix(w, slip, i, by.traction_by_slip)
        _put(w, pressure, i, by.traction_by_pressure)
        scattered(w, rates, i, by.rate_by_state)
        scattered(w, rate_slip, i, by.rate_by_slip)
        scattered(w, rate_pressure, i, by.rate_by_pressure)

    return lane


TASKS: dict[str, Callable[..., Lane]] = {
    "coefficient": _coefficient,
    "limit": _limit,
    "press": _press,
    "energy": _energy,
    "normal_step": _normal_step,
    "normal_rate": _normal_rate,
    "normal_d_rate": _normal_d_rate,
    "balance": _balance,
    "bristle": _bristle,
    "slide": _slide,
    "step": _step,
    "d_step": _d_step,
    "rate": _rate,
    "d_rate": _d_rate,
}
