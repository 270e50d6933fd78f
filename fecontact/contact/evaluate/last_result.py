"""The last result of a function of time, coordinates and velocities, kept for the next question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from fecontact.typing import Floats, Integers

__all__ = ["LastResult"]

Result = TypeVar("Result")


class LastResult(Generic[Result]):
    """One result and the arguments it belongs to.

    A solver asks an item for its force, its tangents and its status at the same state, in turn: the
    kinematics behind them are found once. What is made may be asked later: it copies arrays that it
    keeps.
    """

    def __init__(self, make: Callable[..., Result]) -> None:
        self._make = make
        self._last: tuple[tuple[float | bytes, ...], Result] | None = None

    def __call__(self, q: Floats, v: Floats, t: float, *more: Floats | Integers) -> Result:
        """Result at (q, v, t) and for further arrays, made anew if it is not the last one."""
        arrays = (each.tobytes() for each in (q, v, *more))
        key: tuple[float | bytes, ...] = (t, *arrays)
        last = self._last  # read and replaced as a whole: threads may ask at the same time
        if last is None or last[0] != key:
            last = self._last = key, self._make(q, v, t, *more)
        return last[1]
