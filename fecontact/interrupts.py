"""Signals: Ctrl-C during a long computation, and pipes whose reader has gone.

In a script or notebook a computation that Ctrl-C stops returns what it has, marked as a part, and
the script goes on. A case or a command must not go on: what follows would take the part for the
whole. There the same interrupt ends everything, after the part was stored.
"""

from __future__ import annotations

import _thread
import re
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TypeVar

__all__ = [
    "ending_on_interrupt",
    "out_of_kernels",
    "part_of",
    "raise_swallowed",
    "raising",
    "surviving_broken_pipes",
]

T = TypeVar("T")
Handler = Callable[[int, FrameType | None], None]

AGAIN_S = 1e-3
_GENERATED = "<string>"
"""File of code that compiled kernels call: constructors of named tuples."""
_COMPILER = re.compile(r"-packages[/\\](numba|llvmlite)[/\\]")
"""Files of what compiles kernels, or reads their machine code from disk."""

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


def raise_swallowed() -> None:
    """Raise an interrupt that somebody swallowed inside `ending_on_interrupt`, for long loops.

    Code that cannot pass an exception on, such as a callback of a library, drops it.
    """
    if any(_ending):
        raise KeyboardInterrupt


def raising(make: Callable[[], KeyboardInterrupt]) -> Handler:
    """Handler of a signal that raises, but not while a kernel is compiled or makes its result.

    Kernels call generated code for their results, and an exception there leaves their memory in
    disorder; one in the compiler frees its modules twice. The signal then comes again a moment
    later.
    """

    def handler(number: int, frame: FrameType | None) -> None:
        inside = _handlers(frame)
        if inside or _fragile(frame):
            again = threading.Timer(AGAIN_S * 4**inside, _thread.interrupt_main, (number,))
            again.daemon = True
            again.start()
            return
        raise make()

    return handler


def _handlers(frame: FrameType | None) -> int:
    """Number of handlers that a frame is inside of: the signal may come again before they end."""
    count = 0
    while frame is not None:
        code, frame = frame.f_code, frame.f_back
        count += code.co_filename == __file__ and code.co_name == "handler"
    return count


def _fragile(frame: FrameType | None) -> bool:
    """Whether a frame is called by a compiled kernel, or is below the compiler."""
    if frame is not None and frame.f_code.co_filename == _GENERATED:
        return True
    while frame is not None:
        if _COMPILER.search(frame.f_code.co_filename):
            return True
        frame = frame.f_back
    return False


def _interrupted() -> KeyboardInterrupt:
    if _ending:
        _ending[-1] = True
    return KeyboardInterrupt()


_on_interrupt = raising(_interrupted)


@contextmanager
def out_of_kernels() -> Iterator[None]:
    """Let Ctrl-C be an interrupt also while compiled kernels work.

    Where an exception comes inside a kernel all the same, Python makes a `SystemError` of it, and
    one of that for each function that the kernel calls on its way out. A handler of another
    program, or one that ignores Ctrl-C, is left alone.
    """
    main = threading.current_thread() is threading.main_thread()
    own = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if own:
        signal.signal(signal.SIGINT, _on_interrupt)
    try:
        yield
    except SystemError as error:
        cause = error.__cause__
        while isinstance(cause, SystemError):
            cause = cause.__cause__
        if isinstance(cause, KeyboardInterrupt):
            raise cause from None
        raise
    finally:
        if own:
            signal.signal(signal.SIGINT, signal.default_int_handler)


@contextmanager
def ending_on_interrupt() -> Iterator[None]:
    """Let Ctrl-C end all that is inside, whoever catches its exception.

    An interrupt that somebody swallowed, such as a callback from compiled code, is raised at the
    end.
    """
    level = len(_ending)
    _ending.append(False)
    try:
        with out_of_kernels():
            yield
        if _ending[level]:
            raise KeyboardInterrupt
    finally:
        del _ending[level:]


@contextmanager
def surviving_broken_pipes() -> Iterator[None]:
    """Let a write to a child that has ended be a `BrokenPipeError`, whatever was loaded before.

    Python ignores SIGPIPE, but `gmsh.initialize` takes that back, and the signal ends the process.
    Here it is blocked, and what a broken pipe left is taken away.
    """
    if not hasattr(signal, "pthread_sigmask"):  # Windows has no such signal
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGPIPE})
    try:
        yield
    finally:
        if signal.SIGPIPE not in before:
            if signal.SIGPIPE in signal.sigpending():
                signal.sigwait({signal.SIGPIPE})
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGPIPE})
