"""Exit codes of the commands, and the one place where errors become one-line messages.

0: no reference missed; 1: some missed; 2: bad input; 3: a solver failed; 130: interrupted.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from typing import Any

from rich.console import Console
from threadpoolctl import threadpool_limits

from fecontact.errors import InputError, SolverError

__all__ = ["EXIT_FAILED", "EXIT_INPUT", "EXIT_INTERRUPTED", "EXIT_MISSED", "guarded"]

EXIT_MISSED = 1
EXIT_INPUT = 2
EXIT_FAILED = 3
EXIT_INTERRUPTED = 130

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
    console = Console(stderr=True)

    def say(text: str, style: str) -> None:
        console.print(text, style=style, highlight=False, markup=False, emoji=False, soft_wrap=True)

    def show(message: Warning | str, *_: Any, **__: Any) -> None:
        say(f"warning: {message}", "yellow")

    with warnings.catch_warnings(), threadpool_limits(1, user_api="blas"):
        warnings.showwarning = show
        try:
            return action()
        except InputError as error:
            say(f"error: {error}", "red")
            return EXIT_INPUT
        except SolverError as error:
            say(f"solver failed: {error}", "red")
            return EXIT_FAILED
        except OSError as error:
            say(f"error: '{error.filename or ''}' cannot be used: {error.strerror or error}", "red")
            return EXIT_INPUT
        except KeyboardInterrupt:
            say(f"interrupted: {left_behind}", "red")
            return EXIT_INTERRUPTED
        except Exception as error:
            if os.environ.get(DEBUG):
                raise
            say(f"failed: {type(error).__name__}: {error}; set {DEBUG}=1 to see where", "red")
            return EXIT_FAILED
