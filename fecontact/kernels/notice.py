"""What is said while kernels are compiled: one line, and on a terminal which one is at work."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Any

__all__ = ["QUIET", "end_compiling", "say_compiling"]

QUIET = "FECONTACT_QUIET"
"""Environment variable; if it is set, nothing is said."""
LINE = "compiling kernels (once on this machine)"
ERASED = "\r\x1b[2K"
"""Start of the line, emptied."""

_count = 0
_shown = False


def say_compiling(function: Callable[..., Any]) -> None:
    """Say on stderr which function is going to be compiled; the first time in a line of its own."""
    global _count, _shown
    _count += 1
    if os.environ.get(QUIET) or sys.stderr is None:
        return
    if _count == 1:
        print(LINE, file=sys.stderr, flush=True)
    if sys.stderr.isatty() and sys.stderr is sys.__stderr__:  # else others draw there
        _shown = True
        print(f"{ERASED}{_count}: {function.__name__}", end="", file=sys.stderr, flush=True)


def end_compiling() -> None:
    """Leave the terminal as it was."""
    global _shown
    if _shown and sys.stderr is not None:
        print(ERASED, end="", file=sys.stderr, flush=True)
    _shown = False
