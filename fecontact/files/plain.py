"""Plain files, their errors, and the memory that they may ask for."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fecontact.errors import InputError

__all__ = ["UNLIMITED", "check_expansion", "first_line", "plain_file", "reading"]

RATIO = 100
FLOOR = 256 << 20
"""What a file declares may take RATIO times its size in memory, and FLOOR bytes in any case."""

UNLIMITED = "FECONTACT_LARGE_FILES"
"""Environment variable that lifts this limit when set to 1."""


def plain_file(path: str | Path, what: str = "file", cure: str = "") -> Path:
    """Path of a plain file, or of a link to one; anything else is refused before it is opened.

    A pipe would wait for its writer and a device may never end.

    Examples
    --------
    >>> plain_file("/dev/zero", "mesh file")
    Traceback (most recent call last):
    ...
    fecontact.errors.InputError: mesh file '/dev/zero' is a device, not a plain file
    """
    path = Path(path)
    try:
        mode = os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(f"{what} '{path}' does not exist" + (f"; {cure}" * bool(cure))) from None
    except (OSError, ValueError) as error:  # no right to look; a character that no path has
        raise InputError(f"{what} '{path}' cannot be read: {first_line(error)}") from None
    if stat.S_ISDIR(mode):
        raise InputError(f"'{path}' is a folder: give the name of a file in it")
    if not stat.S_ISREG(mode):
        kind = (
            "a pipe" if stat.S_ISFIFO(mode) else "a socket" if stat.S_ISSOCK(mode) else "a device"
        )
        raise InputError(f"{what} '{path}' is {kind}, not a plain file")
    if not os.access(path, os.R_OK):
        raise InputError(f"{what} '{path}' cannot be read: {os.strerror(errno.EACCES)}")
    return path


@contextmanager
def reading(path: Path, what: str = "file", words: str = "cannot be read") -> Iterator[None]:
    """Turn whatever damaged bytes lead to into an `InputError` of one line."""
    try:
        yield
    except InputError:
        raise
    except MemoryError:
        raise InputError(f"{what} '{path}' {words}: it needs more memory than there is") from None
    except Exception as error:
        raise InputError(f"{what} '{path}' {words}: {first_line(error)}") from error


def check_expansion(path: Path, declared: int, what: str = "file") -> None:
    """Refuse a file that declares far more bytes than it has, before they are taken."""
    size = path.stat().st_size
    if declared > max(FLOOR, RATIO * size) and os.environ.get(UNLIMITED) != "1":
        raise InputError(
            f"{what} '{path}' declares {declared:.3g} bytes of data in a file of {size} bytes, "
            f"more than {RATIO} times its size; if you trust it, set {UNLIMITED}=1"
        )


def first_line(error: BaseException) -> str:
    """First line of what an error says, or its name."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror.splitlines()[0]
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
