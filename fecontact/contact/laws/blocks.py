"""From the functions of one point to compiled functions of a block of points.

A block function loops over the lanes of a block (`contact.kernels.lanes`) and takes what a law
needs from the rows of the working array (`contact.kernels.layout`). It is compiled once for each
law, kept on disk, and called by its address: kernels do not know the laws of their contacts. A law
from outside of the package is treated in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from numba.core import types
from numba.cpython.unsafe import tuple as tuples
from numba.extending import overload

from fecontact.contact.kernels.lanes import lanes
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
from fecontact.contact.laws.algebra import norm
from fecontact.contact.laws.point import (
    CoefficientPoint,
    FrictionPoint,
    LimitSlopes,
    NormalPoint,
    Sliding,
    Stepping,
)
from fecontact.kernels.calls import block_address, inlined, viewed
from fecontact.typing import Floats

__all__ = ["address", "friction_rate_rows", "normal_rate_rows"]

B = BLOCK
PARAMETERS = 1 << 40
"""Length of the view of the parameters; no index is checked."""

Point = CoefficientPoint | NormalPoint | FrictionPoint

_set: Any = tuples.tuple_setitem


@cache
def address(task: str, point: Point, friction: int, normal: int) -> int:
    """Address of the block function of a task.

    Parameters
    ----------
    task
        "coefficient", "coefficient_of_one", "limit"; "press", "energy", "normal_step",
        "normal_rate", "normal_d_rate", "balance"; "bristle", "slide", "step", "d_step", "rate" or
        "d_rate".
    point
        Functions of the law.
    friction, normal
        Number of internal variables of the friction law besides its elastic slip, and of the
        normal law: where they stand in the working array.
    """
    made = _MAKERS[task](point, friction, normal)
    return block_address(made, *_key(task, point, friction, normal))


def _key(task: str, point: Point, friction: int, normal: int) -> tuple[str, ...]:
    """Names of the functions of a law."""
    names = [task, str(friction), str(normal)]
    for function in vars(point).values():
        if function is not None:
            plain = getattr(function, "py_func", function)
            names += [plain.__module__, plain.__qualname__]
    return tuple(names)


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
def _three(w: Floats, at: int, i: int) -> tuple[float, float, float]:
    return w[at + i], w[at + B + i], w[at + 2 * B + i]


@inlined
def _put(w: Floats, at: int, i: int, a: tuple[float, float, float]) -> None:
    w[at + i], w[at + B + i], w[at + 2 * B + i] = a[0], a[1], a[2]


@inlined
def _put_matrix(w: Floats, at: int, i: int, a: tuple[float, ...]) -> None:
    w[at + i], w[at + B + i], w[at + 2 * B + i] = a[0], a[1], a[2]
    w[at + 3 * B + i], w[at + 4 * B + i], w[at + 5 * B + i] = a[3], a[4], a[5]
    w[at + 6 * B + i], w[at + 7 * B + i], w[at + 8 * B + i] = a[6], a[7], a[8]


def _limit(point: CoefficientPoint, friction: int, normal: int) -> Callable[..., float]:
    """Friction limit mu p of pressed points, and its slopes; none under tension."""
    prepare, value, size = inlined(point.prepare), inlined(point.value), STATES

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
        for i in range(lanes(w)):
            speed, pushed = norm(_three(w, U, i)), max(w[P + i], 0.0)
            mu, by_speed, by_pressure = value(k, speed, pushed, w[STATUS + i] == 1.0)
            w[LIMIT + i], w[L_SPEED + i] = mu * pushed, by_speed * pushed
            w[L_P + i] = mu + by_pressure * pushed if w[P + i] >= 0.0 else 0.0
        return 0.0

    return block


def _coefficient(point: CoefficientPoint, friction: int, normal: int) -> Callable[..., float]:
    """Coefficient mu to LIMIT, and its slopes over speed and pressure."""
    prepare, value, size = inlined(point.prepare), inlined(point.value), STATES

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
        for i in range(lanes(w)):
            w[LIMIT + i], w[L_SPEED + i], w[L_P + i] = value(
                k, w[U + i], w[P + i], w[STATUS + i] == 1.0
            )
        return 0.0

    return block


def _coefficient_of_one(
    point: CoefficientPoint, friction: int, normal: int
) -> Callable[..., float]:
    """Coefficient of one point and its slopes, for speed, pressure and whether it sticks."""
    prepare, value = inlined(point.prepare), inlined(point.value)

    def one(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, 3), prepare(viewed(parameters, PARAMETERS), h)
        w[0], w[1], w[2] = value(k, w[0], w[1], w[2] == 1.0)
        return 0.0

    return one


def _press(point: NormalPoint, friction: int, normal: int) -> Callable[..., float]:
    """Pressure at rest and its slopes."""
    prepare, press, size = inlined(point.prepare), inlined(point.press), STATES

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
        for i in range(lanes(w)):
            w[P + i], w[P_GAP + i], w[P_RATE + i] = press(k, w[GAP + i], w[GAP_RATE + i])
        return 0.0

    return block


def _energy(point: NormalPoint, friction: int, normal: int) -> Callable[..., float]:
    """Stored energy at rest to WORK."""
    prepare, energy, size = inlined(point.prepare), inlined(point.energy), STATES

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
        for i in range(lanes(w)):
            w[WORK + i] = energy(k, w[GAP + i])
        return 0.0

    return block


def _normal_step(point: NormalPoint, friction: int, normal: int) -> Callable[..., float]:
    """Pressure at the end of a step, its slopes, and new internal variables."""
    if point.step is None:
        return _press(point, friction, normal)
    prepare, step, like = inlined(point.prepare), inlined(point.step), (0.0,) * normal
    at, size = STATES + friction * B, STATES + (friction + normal) * B

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
        for i in range(lanes(w)):
            pressure, by_gap, by_rate, state = step(
                k, w[GAP + i], w[GAP_RATE + i], w[GAP_BEFORE + i], gathered(w, at, i, like)
            )
            w[P + i], w[P_GAP + i], w[P_RATE + i] = pressure, by_gap, by_rate
            scattered(w, at, i, state)
        return 0.0

    return block


def _normal_rate(point: NormalPoint, friction: int, normal: int) -> Callable[..., float]:
    """Pressure in continuous time; rates in place of the internal variables."""
    if point.rate is None:
        return _press(point, friction, normal)
    prepare, rate, like = inlined(point.prepare), inlined(point.rate), (0.0,) * normal
    at, size = STATES + friction * B, STATES + (friction + normal) * B

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
        for i in range(lanes(w)):
            pressure, rates = rate(k, w[GAP + i], w[GAP_RATE + i], gathered(w, at, i, like))
            w[P + i] = pressure
            scattered(w, at, i, rates)
        return 0.0

    return block


def normal_rate_rows(normal: int) -> int:
    """Rows of `NormalRateSlopes`, behind the internal variables."""
    return 2 + 3 * normal + normal * normal


def _normal_d_rate(point: NormalPoint, friction: int, normal: int) -> Callable[..., float]:
    """Slopes of pressure and rates, behind the internal variables."""
    assert point.d_rate is not None
    prepare, d_rate, like = inlined(point.prepare), inlined(point.d_rate), (0.0,) * normal
    at, to = STATES + friction * B, STATES + (friction + normal) * B
    size = to + normal_rate_rows(normal) * B

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
        for i in range(lanes(w)):
            by = d_rate(k, w[GAP + i], w[GAP_RATE + i], gathered(w, at, i, like))
            w[to + i], w[to + B + i] = by.pressure_by_gap, by.pressure_by_rate
            scattered(w, to + 2 * B, i, by.pressure_by_state)
            scattered(w, to + (2 + normal) * B, i, by.rate_by_gap)
            scattered(w, to + (2 + 2 * normal) * B, i, by.rate_by_rate)
            scattered(w, to + (2 + 3 * normal) * B, i, by.rate_by_state)
        return 0.0

    return block


def _balance(point: NormalPoint, friction: int, normal: int) -> Callable[..., float]:
    """Stored energy to WORK and dissipated power to SLID.

    A law without internal variables stores what it has at rest; its damper takes (p_rest - p) g'.
    """
    prepare, size = inlined(point.prepare), STATES + (friction + normal) * B
    at, like = STATES + friction * B, (0.0,) * normal
    if point.balance is not None:
        balance = inlined(point.balance)

        def stateful(pointer: Any, parameters: Any, h: float) -> float:
            w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
            for i in range(lanes(w)):
                w[WORK + i], w[SLID + i] = balance(
                    k, w[GAP + i], w[GAP_RATE + i], gathered(w, at, i, like)
                )
            return 0.0

        return stateful
    press, energy = inlined(point.press), inlined(point.energy)

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
        for i in range(lanes(w)):
            gap, rate = w[GAP + i], w[GAP_RATE + i]
            w[WORK + i] = energy(k, gap)
            w[SLID + i] = (press(k, gap, 0.0)[0] - press(k, gap, rate)[0]) * rate
        return 0.0

    return block


@inlined
def _slopes(w: Floats, i: int) -> LimitSlopes:
    apart = w[P + i] == 0.0 and w[P_GAP + i] == 0.0 and w[P_RATE + i] == 0.0
    return LimitSlopes(w[L_SPEED + i], w[L_P + i], apart)


def _bristle(point: FrictionPoint, friction: int, normal: int) -> Callable[..., float]:
    """Stiffness of the bristles to SPRING, dampers to WORK."""
    prepare, bristle, size = inlined(point.prepare), inlined(point.bristle), STATES

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
        for i in range(lanes(w)):
            w[SPRING + i], w[WORK + i] = bristle(k, w[P + i])
        return 0.0

    return block


def _slide(point: FrictionPoint, friction: int, normal: int) -> Callable[..., float]:
    """Traction F of steady sliding and its slopes T_P, T_S."""
    prepare, slide, size = inlined(point.prepare), inlined(point.slide), STATES

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
        for i in range(lanes(w)):
            traction, by_pressure, by_slip = slide(
                k, w[P + i], w[LIMIT + i], _three(w, U, i), _slopes(w, i)
            )
            _put(w, F, i, traction)
            _put(w, T_P, i, by_pressure)
            _put_matrix(w, T_S, i, by_slip)
        return 0.0

    return block


def _stepping(friction: int) -> Any:
    """Function that takes what a step needs from the rows of a point."""
    like = (0.0,) * friction

    def stepping(w: Floats, i: int, h: float) -> Stepping:
        return Stepping(
            w[P + i], w[LIMIT + i], _three(w, U, i), _three(w, Z, i), _three(w, SHIFT, i), h,
            int(w[STATUS + i]), gathered(w, STATES, i, like),
        )  # fmt: skip

    return inlined(stepping)


def _step(point: FrictionPoint, friction: int, normal: int) -> Callable[..., float]:
    """Traction F, new slip Z and other internal variables, status, slip work and path."""
    prepare, step, size = inlined(point.prepare), inlined(point.step), STATES + friction * B
    bristle, stepping = inlined(point.bristle), _stepping(friction)

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
        for i in range(lanes(w)):
            end = step(k, stepping(w, i, h))
            _put(w, F, i, end.traction)
            _put(w, Z, i, end.z)
            w[WORK + i], w[SLID + i] = end.work, end.slid
            w[STATUS + i], w[SPRING + i] = float(end.status), bristle(k, w[P + i])[0]
            scattered(w, STATES, i, end.state)
        return 0.0

    return block


def _d_step(point: FrictionPoint, friction: int, normal: int) -> Callable[..., float]:
    """Slopes T_Z, T_S, T_P, T_X of the traction of a step; the rows of the point stay."""
    prepare, d_step, size = inlined(point.prepare), inlined(point.d_step), STATES + friction * B
    stepping = _stepping(friction)

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
        for i in range(lanes(w)):
            by = d_step(k, stepping(w, i, h), _slopes(w, i))
            _put_matrix(w, T_Z, i, by.by_trial)
            _put_matrix(w, T_S, i, by.by_slip)
            _put(w, T_P, i, by.by_pressure)
            _put_matrix(w, T_X, i, by.by_shift)
        return 0.0

    return block


def _rate(point: FrictionPoint, friction: int, normal: int) -> Callable[..., float]:
    """Traction F, rates Z of the slip and of other internal variables, status, power, speed."""
    prepare, rate, size = inlined(point.prepare), inlined(point.rate), STATES + friction * B
    bristle, like = inlined(point.bristle), (0.0,) * friction

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
        for i in range(lanes(w)):
            state = gathered(w, STATES, i, like)
            now = rate(k, Sliding(
                w[P + i], w[LIMIT + i], _three(w, U, i), _three(w, Z, i), int(w[STATUS + i]), state
            ))  # fmt: skip
            _put(w, F, i, now.traction)
            _put(w, Z, i, now.z)
            w[WORK + i], w[SLID + i] = now.power, now.speed
            w[STATUS + i], w[SPRING + i] = float(now.status), bristle(k, w[P + i])[0]
            scattered(w, STATES, i, now.state)
        return 0.0

    return block


def friction_rate_rows(friction: int) -> int:
    """Rows of `FrictionRateSlopes`, behind the internal variables."""
    n = 3 + friction
    return 3 * n + 9 + 3 + n * n + 3 * n + n


def _d_rate(point: FrictionPoint, friction: int, normal: int) -> Callable[..., float]:
    """Slopes of traction and rates, behind the internal variables."""
    prepare, d_rate, like = inlined(point.prepare), inlined(point.d_rate), (0.0,) * friction
    n, to = 3 + friction, STATES + (friction + normal) * B
    size = to + friction_rate_rows(friction) * B
    slip, pressure = to + 3 * n * B, to + (3 * n + 9) * B
    rates = pressure + 3 * B
    rate_slip, rate_pressure = rates + n * n * B, rates + (n * n + 3 * n) * B

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, size), prepare(viewed(parameters, PARAMETERS), h)
        for i in range(lanes(w)):
            state = gathered(w, STATES, i, like)
            by = d_rate(k, Sliding(
                w[P + i], w[LIMIT + i], _three(w, U, i), _three(w, Z, i), int(w[STATUS + i]), state
            ), _slopes(w, i))  # fmt: skip
            scattered(w, to, i, by.traction_by_state)
            _put_matrix(w, slip, i, by.traction_by_slip)
            _put(w, pressure, i, by.traction_by_pressure)
            scattered(w, rates, i, by.rate_by_state)
            scattered(w, rate_slip, i, by.rate_by_slip)
            scattered(w, rate_pressure, i, by.rate_by_pressure)
        return 0.0

    return block


_MAKERS: dict[str, Callable[..., Callable[..., float]]] = {
    "coefficient": _coefficient,
    "coefficient_of_one": _coefficient_of_one,
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
