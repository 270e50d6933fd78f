"""Exit codes of the commands, and the one place where errors become one-line messages.

0: no reference missed; 1: some missed; 2: bad input; 3: a solver failed; 130: interrupted;
141: the reader of the output has gone, as `head` does.
"""

from __future__ import annotations

import io
import os
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from rich.console import Console
from threadpoolctl import threadpool_limits

from fecontact.errors import InputError, SolverError
from fecontact.interrupts import ending_on_interrupt

__all__ = [
    "EXIT_FAILED",
    "EXIT_INPUT",
    "EXIT_INTERRUPTED",
    "EXIT_MISSED",
    "EXIT_PIPE",
    "guarded",
]

EXIT_MISSED = 1
EXIT_INPUT = 2
EXIT_FAILED = 3
EXIT_INTERRUPTED = 130
EXIT_PIPE = 141

DEBUG = "FECONTACT_DEBUG"
"""Environment variable that shows the traceback of an unforeseen error."""


def guarded(action: Callable[[], int], left_behind: str) -> int:
    """Run an action and return its exit code; errors and warnings are single lines on stderr.

    BLAS works on one thread: on small matrices several only wait for each other, and results do
    not depend on their number.

    Parameters
    ----------
    action
        Returns 0 or `EXIT_MISSED`.
    left_behind
        What an interrupt leaves behind, for its message.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # letters that a terminal does not know
    console = Console(stderr=True)

    def say(text: str, style: str) -> None:
        console.print(text, style=style, highlight=False, markup=False, emoji=False, soft_wrap=True)

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        say(f"warning: {message}", "yellow")

    with warnings.catch_warnings(), threadpool_limits(1, user_api="blas"):
        warnings.showwarning = show
        try:
            with ending_on_interrupt():
                code = action()
                sys.stdout.flush()
                return code
        except InputError as error:
            say(f"error: {error}", "red")
            return EXIT_INPUT
        except SolverError as error:
            say(f"solver failed: {error}", "red")
            return EXIT_FAILED
        except BrokenPipeError:
            _drop_output()
            return EXIT_PIPE
        except SystemExit as stop:
            if not isinstance(stop.__context__, BrokenPipeError):  # with it rich ends a command
                raise
            return EXIT_PIPE
        except OSError as error:
            if not error.filename:
                _drop_output()  # it may be the output itself that cannot be written
            where = f"'{error.filename}' cannot be used: " if error.filename else ""
            say(f"error: {where}{error.strerror or error}", "red")
            return EXIT_INPUT
        except KeyboardInterrupt:
            say(f"interrupted: {left_behind}", "red")
            return EXIT_INTERRUPTED
        except Exception as error:
            if os.environ.get(DEBUG):
                raise
            say(f"failed: {type(error).__name__}: {error}; set {DEBUG}=1 to see where", "red")
            return EXIT_FAILED


def _drop_output() -> None:
    """Let what is left of the output go nowhere, without a word at the end of the process."""
    with suppress(OSError, ValueError), open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), sys.stdout.fileno())
