"""From the functions of one point to compiled functions of a block of points.

A block function loops over the lanes of a block (`contact.kernels.lanes`); what it does with one of
them is its task (`contact.laws.base.tasks`). It is compiled once for each law, kept on disk, and
called by its address: kernels do not know the laws of their contacts. A law from outside of the
package is treated in the same way.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

from numba.core.errors import NumbaError

from fecontact.contact.kernels.lanes import lanes
from fecontact.contact.laws.base.tasks import TASKS, Lane, Point
from fecontact.errors import InputError
from fecontact.kernels.arrays import viewed
from fecontact.kernels.calls import block_address, inlined

__all__ = ["address"]

UNBOUNDED = 1 << 40
"""Length of a view of rows and parameters; no index is checked."""


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
    made = (
        _coefficient_of_one(point)
        if task == "coefficient_of_one"
        else _over_lanes(point, TASKS[task](point, friction, normal))
    )
    try:
        return block_address(made, *_key(task, point, friction, normal))
    except NumbaError as error:
        raise InputError(_refused(task, point, str(error))) from error


def _refused(task: str, point: Point, reason: str) -> str:
    """Message for functions of a law that cannot be compiled."""
    lines = [line.strip() for line in reason.splitlines() if line.strip()]
    why = next((line for line in lines if not line.startswith("Failed in")), "no reason given")
    prepare = getattr(point.prepare, "py_func", point.prepare)
    return (
        f"invalid point functions of the law in {prepare.__module__} (task '{task}'): {why}: "
        "expected numbers and tuples, and @fc.inlined before each function that they call"
    )


def _over_lanes(point: Point, lane: Lane) -> Callable[..., float]:
    """Block function that does the same with each point."""
    prepare, each = inlined(point.prepare), inlined(lane)

    def block(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, UNBOUNDED), prepare(viewed(parameters, UNBOUNDED), h)
        for i in range(lanes(w)):
            each(w, i, k, h)
        return 0.0

    return block


def _coefficient_of_one(point: Any) -> Callable[..., float]:
    """Coefficient of one point and its slopes, for speed, pressure and whether it sticks."""
    prepare, value = inlined(point.prepare), inlined(point.value)

    def one(pointer: Any, parameters: Any, h: float) -> float:
        w, k = viewed(pointer, 3), prepare(viewed(parameters, UNBOUNDED), h)
        w[0], w[1], w[2] = value(k, w[0], w[1], w[2] == 1.0)
        return 0.0

    return one


def _key(task: str, point: Point, friction: int, normal: int) -> tuple[str, ...]:
    """Names of the functions of a law."""
    names = [task, str(friction), str(normal)]
    for function in vars(point).values():
        if function is not None:
            plain = getattr(function, "py_func", function)
            names += [plain.__module__, plain.__qualname__]
    return tuple(names)
