"""One writer per result file.

The lock lives in a hidden file beside the result. The operating system frees it when its process
ends, however it ends; so a locked file is being written, and a file that says "running" without a
lock was killed. Systems without `fcntl` have no lock.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

from fecontact.errors import InputError

try:
    import fcntl
except ImportError:  # pragma: no cover
    fcntl = None  # type: ignore[assignment]

__all__ = ["WriterLock", "is_being_written"]

TRIES = 10
PAUSE_S = 0.01
"""A reader that looks at the lock holds it for an instant."""


class WriterLock:
    """Lock of a result file, held until `release`."""

    def __init__(self, path: Path) -> None:
        self.path = _lock_file(path)
        for _ in range(TRIES):
            try:
                handle = os.open(self.path, os.O_RDWR | os.O_CREAT, 0o644)
            except OSError as error:
                raise InputError(f"file '{path}' cannot be written: {error.strerror}") from error
            if _taken(handle) and self._still_there(handle):
                self._handle: int | None = handle
                return
            os.close(handle)
            time.sleep(PAUSE_S)
        raise InputError(
            f"file '{path}' is being written by another run; wait for its end or choose another "
            "file"
        )

    def release(self) -> None:
        """Remove the lock."""
        if self._handle is not None:
            self.path.unlink(missing_ok=True)
            os.close(self._handle)
            self._handle = None

    def _still_there(self, handle: int) -> bool:
        """Whether the locked file is the one in the folder, and not one just removed."""
        try:
            return os.path.samestat(os.fstat(handle), os.stat(self.path))
        except FileNotFoundError:
            return False


def is_being_written(path: Path) -> bool:
    """Whether a living process writes to a result file."""
    try:
        handle = os.open(_lock_file(path), os.O_RDONLY)
    except OSError:
        return False
    try:
        return not _taken(handle)
    finally:
        os.close(handle)


def _lock_file(path: Path) -> Path:
    return path.with_name(f".{path.name}.lock")


def _taken(handle: int) -> bool:
    """Lock an open file, if nobody else has."""
    if fcntl is None:  # pragma: no cover
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
