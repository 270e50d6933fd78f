"""Ctrl-C during a long computation.

In a script or notebook a computation that Ctrl-C stops returns what it has, marked as a part, and
the script goes on. A case or a command must not go on: what follows would take the part for the
whole. There the same interrupt ends everything, after the part was stored.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

__all__ = ["ending_on_interrupt", "part_of"]

T = TypeVar("T")

_ending: list[bool] = []
"""For each `ending_on_interrupt` that is entered, whether Ctrl-C was pressed directly in it."""


def part_of(result: T) -> T:
    """Return what an interrupted computation has; inside `ending_on_interrupt` raise instead.

    Parameters
    ----------
    result
        What was computed, which says itself that it is a part.

    Raises
    ------
    KeyboardInterrupt
        Where an interrupt ends all that follows.
    """
    if _ending:
        raise KeyboardInterrupt
    return result


@contextmanager
def ending_on_interrupt() -> Iterator[None]:
    """Let Ctrl-C end all that is inside, whoever catches its exception.

    An interrupt that somebody swallowed, such as a callback from compiled code, is raised at the
    end. A handler of another program, or one that ignores Ctrl-C, is left alone.
    """
    level = len(_ending)
    _ending.append(False)

    def note(number: int, frame: FrameType | None) -> None:
        _ending[-1] = True
        raise KeyboardInterrupt

    main = threading.current_thread() is threading.main_thread()
    own = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if own:
        signal.signal(signal.SIGINT, note)
    try:
        yield
        if _ending[level]:
            raise KeyboardInterrupt
    finally:
        if own:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        del _ending[level:]
