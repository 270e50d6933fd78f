"""Machine code on disk: one file for each compiled function and the types it is called with.

By default it stands beside the sources. A disk that cannot be read or written is no error: the
functions are then compiled in memory, and a warning says so once.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable
from functools import cache
from hashlib import sha256
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile

from fecontact.kernels.stamps import described, stamp

__all__ = ["keep"]


def keep(compiled: Any, function: Callable[..., Any], options: dict[str, Any], *key: str) -> None:
    """Let a compiled function keep its machine code on disk, where there is a folder.

    Parameters
    ----------
    compiled
        Dispatcher or C function of numba.
    function, options
        What it compiles and how.
    key
        What tells the function from others that the same code makes.
    """
    try:
        compiled._cache = _Store(function, options, key)
    except RuntimeError:  # numba finds neither a writable folder of sources nor of the user
        _say_in_memory("no folder can be written")


class _Store(FunctionCache):
    """Files of a function; numba's own look at the source of the function only, not of callees."""

    def __init__(
        self, function: Callable[..., Any], options: dict[str, Any], key: tuple[str, ...]
    ) -> None:
        store: Any = super()
        store.__init__(function)
        self._cache_file: Any = _CodeFiles(self, function, options)
        self._key = key

    def _save_overload(self, sig: Any, data: Any) -> None:
        if not data.library.has_dynamic_globals:  # addresses of this process
            store: Any = super()
            store._save_overload(sig, data)

    def _index_key(self, sig: Any, codegen: Any) -> str:
        """Types of the arguments, the processor, the key."""
        types = described(getattr(sig, "args", sig))
        return "\0".join([types, *map(str, codegen.magic_tuple()), *self._key])


class _CodeFiles:
    """Code by its key, with the stamp of the program it belongs to.

    The name of a file is that of its key, so that processes which compile at the same time do not
    come into each other's way, and code of an older program is overwritten. The stamp is made
    when code is first looked for, not when functions are imported.
    """

    def __init__(self, store: Any, function: Callable[..., Any], options: dict[str, Any]) -> None:
        name = store._impl.filename_base.replace(f"-{function.__code__.co_firstlineno}.", ".")
        files: Any = IndexDataCacheFile
        self._files = files(store.cache_path, name, None)
        self._name = name
        self._program = cache(lambda: stamp(function, options))

    def load(self, key: str) -> Any:
        """Code of a key; None if there is none of this program that can be read."""
        try:
            program, data = self._files._load_data(self._file(key))
        except Exception:  # there is none, or it is damaged: pickle raises nearly anything
            return None
        return data if program == self._program() else None

    def save(self, key: str, data: Any) -> None:
        """Keep code, if the disk can be written."""
        try:
            self._files._save_data(self._file(key), (self._program(), data))
        except OSError as error:
            _say_in_memory(os.strerror(error.errno) if error.errno else str(error))

    def flush(self) -> None:
        """Code is overwritten, never collected."""

    def _file(self, key: str) -> str:
        return f"{self._name}.{sha256(key.encode()).hexdigest()[:16]}.nbc"


@cache
def _say_in_memory(reason: str) -> None:
    """Warn, once for each reason, in one line and without a line of source."""
    warnings.warn_explicit(
        f"compiled code cannot be kept on disk ({reason}): every process compiles anew, which may "
        "take minutes; set NUMBA_CACHE_DIR to a folder that can be written",
        UserWarning,
        "fecontact",
        1,
    )
