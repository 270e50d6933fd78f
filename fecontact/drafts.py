"""Files that are complete or absent.

A file is written as a draft beside its place, and takes its name when all of it is on the disk. A
disk that is full or cannot be written is an error of one line that names the file, and leaves the
folder as it was: an earlier file of that name too.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fecontact.errors import InputError

__all__ = ["draft_of", "make_folder", "not_written", "write_file"]

NAMED = 40
"""Letters of the name of a file in that of its draft, which must not become too long."""


@contextmanager
def draft_of(path: str | Path) -> Iterator[Path]:
    """Give the name of a draft to write to; it takes the place of the file at the end.

    The draft has the ending of the file, by which many libraries choose a format. Links are
    followed. A device or pipe gets no draft: it is written as it is. If nothing is written, the
    file stays as it was.

    Raises
    ------
    InputError
        If the file cannot be written: after any `OSError` inside.
    """
    target = Path(os.path.realpath(path))
    plain = target.is_file() or not target.exists()
    name = f".{target.stem[:NAMED]}.{os.getpid()}.draft{target.suffix}"
    draft = target.with_name(name) if plain else target
    try:
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        yield draft
        if plain and draft.exists():
            with draft.open("rb") as written:
                os.fsync(written.fileno())  # some disks say only now that they are full
            os.replace(draft, target)
    except OSError as error:
        raise not_written(Path(path), error) from error
    finally:
        if plain:
            with suppress(OSError):
                draft.unlink(missing_ok=True)


def write_file(path: str | Path, content: bytes | memoryview) -> None:
    """Write a file in one piece."""
    with draft_of(path) as draft:
        draft.write_bytes(content)


def make_folder(folder: Path) -> None:
    """Make the output folder of a command, or say why it cannot be."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise InputError(
            f"output folder '{folder}' cannot be used ({error.strerror}); choose another with --out"
        ) from error


def not_written(path: Path, error: Exception) -> InputError:
    """Error that names a file and says why it cannot be written."""
    number = getattr(error, "errno", None)
    words = (str(error) or type(error).__name__).splitlines()[0]
    reason = os.strerror(number) if number else words
    return InputError(f"file '{path}' cannot be written: {reason}")
