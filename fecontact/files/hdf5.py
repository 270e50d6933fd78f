"""HDF5 files are looked through in another process before they are opened in this one.

HDF5 itself can hang or end its process on a damaged file: of 6000 random changes of a reduced
body, two never came to an end. So a child process with bounded memory and time walks through the
file first, see `hdf5_check`. The child is started with the first file and serves all that follow;
a file that was looked through and has not changed is not looked through again.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

from fecontact.errors import InputError
from fecontact.files import hdf5_check
from fecontact.files.plain import check_expansion
from fecontact.interrupts import surviving_broken_pipes

__all__ = ["check_hdf5"]

PATIENCE_S = 10.0
BYTES_PER_S = 2e7
"""Time for a file: PATIENCE_S and what its bytes need on a slow disk."""

START = """
import os, sys, types
sys.path = sys.argv[2:]
for name, folder in (("fecontact", os.path.dirname(sys.argv[1])), ("fecontact.files", sys.argv[1])):
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = [folder]
from fecontact.files.hdf5_check import main
main()
"""
"""Program of the child; empty packages in place of ours, whose import takes a second."""

READY_S = 60.0
"""Time for the start of the child."""

_known: set[tuple[int, ...]] = set()
_children: dict[int, subprocess.Popen[str]] = {}
_one_at_a_time = threading.Lock()


def check_hdf5(path: Path) -> None:
    """Refuse a file that HDF5 cannot read, that leads elsewhere, or that is larger inside.

    Raises
    ------
    InputError
        With the name of the link or dataset that is refused, see `hdf5_check.declared_bytes`.
    """
    found = path.stat()
    identity = (found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
    if identity in _known:
        return
    answer = _asked(path, PATIENCE_S + found.st_size / BYTES_PER_S)
    if "refused" in answer:
        raise InputError(f"file '{path}' is refused: {answer['refused']}")
    if "damaged" in answer:
        raise ValueError(answer["damaged"])
    check_expansion(path, answer["bytes"])
    _known.add(identity)


def _asked(path: Path, patience: float) -> dict[str, Any]:
    """Answer of the child; silence means that the file has ended or stopped it."""
    with _one_at_a_time:
        child = _child()
        if child is None:  # no child can be started here: look for links and sizes at least
            return hdf5_check.answer(str(path))
        line = _line(child, patience, json.dumps(os.fspath(path.absolute())))
        if line:
            return dict(json.loads(line))
        _end(child)
    return {"damaged": f"HDF5 did not come to an end with it within {patience:.0f} s, or broke off"}


def _line(child: subprocess.Popen[str], patience: float, question: str = "") -> str:
    """Next line of a child after a question; empty if it has none in time."""
    assert child.stdin is not None
    assert child.stdout is not None
    clock = threading.Timer(patience, child.kill)
    clock.start()
    try:
        if question:
            with surviving_broken_pipes():
                print(question, file=child.stdin, flush=True)
        return child.stdout.readline()
    except BrokenPipeError:
        return ""
    finally:
        clock.cancel()


def _child() -> subprocess.Popen[str] | None:
    """The child of this process; None where none can be started."""
    own = _children.get(os.getpid())
    if own is not None and own.poll() is None:
        return own
    if getattr(sys, "frozen", False) or not sys.executable:  # the program is no interpreter
        return None
    try:
        child = subprocess.Popen(
            [
                sys.executable,
                "-P",
                "-c",
                START,
                str(Path(__file__).parent),
                *filter(None, sys.path),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
    except (OSError, ValueError):
        return None
    _children[os.getpid()] = child
    atexit.register(_end, child)
    if _line(child, READY_S).strip() != hdf5_check.READY:
        _end(child)
        return None
    return child


def _after_fork() -> None:
    """A forked process has a lock of its own; its child is started when it needs one."""
    global _one_at_a_time
    _one_at_a_time = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


def _end(child: subprocess.Popen[str]) -> None:
    """End a child of this process."""
    if _children.get(os.getpid()) is child:
        del _children[os.getpid()]
        child.kill()
        with surviving_broken_pipes():
            child.communicate()
