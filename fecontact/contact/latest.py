"""The last result of a function of time, coordinates and velocities, kept for the next question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from fecontact.typing import Floats

__all__ = ["Latest"]

Result = TypeVar("Result")


class Latest(Generic[Result]):
    """One result and the arguments it belongs to.

    A solver asks an item for its force, its tangents and its status at the same state, in turn: the
    kinematics behind them are found once.
    """

    def __init__(self, make: Callable[[Floats, Floats, float], Result]) -> None:
        self._make = make
        self._key: tuple[float, bytes, bytes] | None = None

    def __call__(self, q: Floats, v: Floats, t: float) -> Result:
        """Result at (q, v, t), made anew if it is not the last one."""
        key = t, q.tobytes(), v.tobytes()
        if key != self._key:
            self._result, self._key = self._make(q, v, t), key
        return self._result
