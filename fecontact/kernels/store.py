"""Machine code on disk: one file for each compiled function and the types it is called with.

It stands in the folder that NUMBA_CACHE_DIR names, else beside the sources; where that cannot be
written, in the user's folder of such things, and a warning says so once. A disk that takes nothing
at all is no error: the functions are then compiled in memory.
"""

from __future__ import annotations

import os
import pickle
import sys
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import uuid4

import numba
from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps
from numba.misc.appdirs import AppDirs

from fecontact.kernels.notice import say_compiling
from fecontact.kernels.stamps import described, stamp

__all__ = ["keep"]

_Cache: Any = NullCache
_numba: Any = numba
_result: Any = CompileResult
_dumps: Any = dumps


def keep(compiled: Any, function: Callable[..., Any], options: dict[str, Any], *key: str) -> None:
    """Let a compiled function keep its machine code on disk, if it has a source there.

    Parameters
    ----------
    compiled
        Dispatcher or C function of numba.
    function, options
        What it compiles and how.
    key
        What tells the function from others that the same code makes.
    """
    compiled._cache = _Store(function, options, key)


class _Store(_Cache):  # type: ignore[misc, unused-ignore]
    """Code of a function by its types, with the stamp of the program it belongs to.

    The name of a file is that of the types and of the key, so that processes which compile at the
    same time do not come into each other's way, and code of an older program is overwritten. Folder
    and stamp are looked for when code is first needed, not when functions are imported.
    """

    def __init__(
        self, function: Callable[..., Any], options: dict[str, Any], key: tuple[str, ...]
    ) -> None:
        self._function, self._key = function, key
        self._program = cache(lambda: stamp(function, options))

    @property
    def cache_path(self) -> str:
        """The folder of choice."""
        return str(next(iter(self._folders()), ""))

    def load_overload(self, sig: Any, context: Any) -> Any:
        """Code of some types; None if there is none of this program that can be read."""
        context.refresh()
        name = self._file(sig, context.codegen())
        for folder in self._folders():
            try:
                program, calls, data = pickle.loads((folder / name).read_bytes())
                if program == self._program():
                    for load in calls:
                        load()
                    result = _result._rebuild(context, *data)
                    result.library.calls = frozenset(calls)
                    return result
            except Exception:  # there is none, or it is damaged: pickle raises nearly anything
                continue
        say_compiling(self._function)
        return None

    def save_overload(self, sig: Any, result: Any) -> None:
        """Keep code on the first disk that takes it, unless it holds addresses of this process."""
        folders = self._folders()
        if result.library.has_dynamic_globals or not folders:
            return
        name = self._file(sig, result.library.codegen)
        calls = tuple(getattr(result.library, "calls", ()))
        data, reason = _dumps((self._program(), calls, result._reduce())), ""
        for folder in folders:
            said = _written(folder, name, data)
            if not said:
                if reason:
                    _say_elsewhere(reason, str(folder.parent))
                return
            reason = reason or said
        _say_in_memory(reason)

    def _folders(self) -> list[Path]:
        source = Path(self._function.__code__.co_filename)
        return _folders(source.parent, _numba.config.CACHE_DIR) if source.exists() else []

    def _file(self, sig: Any, codegen: Any) -> str:
        words = [described(getattr(sig, "args", sig)), *map(str, codegen.magic_tuple()), *self._key]
        number = sha256("\0".join(words).encode()).hexdigest()[:16]
        source = Path(self._function.__code__.co_filename).stem
        name = self._function.__qualname__.replace("<", "").replace(">", "")
        return f"{source}.{name}.{sys.implementation.cache_tag}.{number}.nbc"


@cache
def _folders(sources: Path, chosen: str) -> list[Path]:
    """Folders for the code of a folder of sources: that of choice, then that of the user."""
    sources = sources.absolute()
    own = f"{sources.name}_{sha256(str(sources).encode()).hexdigest()[:16]}"
    places: Any = AppDirs
    user = Path(places("fecontact", appauthor=False).user_cache_dir)
    return [Path(chosen) / own if chosen else sources / "__pycache__", user / own]


_refused: dict[Path, str] = {}
"""Folders that could not be written, and why."""


def _written(folder: Path, name: str, data: bytes) -> str:
    """Write a file at once; returns what keeps it from being written, if anything does."""
    if folder in _refused:
        return _refused[folder]
    draft = folder / f"{uuid4().hex}.tmp"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        draft.write_bytes(data)
        os.replace(draft, folder / name)
    except OSError as error:
        _refused[folder] = os.strerror(error.errno) if error.errno else str(error)
        with suppress(OSError):
            draft.unlink(missing_ok=True)
        return _refused[folder]
    return ""


def _warn(text: str) -> None:
    """Warn in one line, without a line of source."""
    warnings.warn_explicit(text, UserWarning, "fecontact", 1)


@cache
def _say_elsewhere(reason: str, folder: str) -> None:
    """Say once that code goes to the folder of the user."""
    place = f"in '{_numba.config.CACHE_DIR}'" if _numba.config.CACHE_DIR else "beside the sources"
    _warn(
        f"compiled code cannot be kept {place} ({reason}): it is kept in '{folder}'; "
        "NUMBA_CACHE_DIR names another folder"
    )


@cache
def _say_in_memory(reason: str) -> None:
    """Say once that code is not kept."""
    _warn(
        f"compiled code cannot be kept on disk ({reason}): every process compiles anew, which may "
        "take minutes; set NUMBA_CACHE_DIR to a folder that can be written"
    )
