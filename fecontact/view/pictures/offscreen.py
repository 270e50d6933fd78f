"""Rendering in a child process.

A missing or broken OpenGL library can end the whole process. Pictures are therefore rendered by a
child process from files; if no off-screen backend works, the run goes on without pictures and says
so. The child reads its job as JSON and prints one line for each finished part of it.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from fecontact.errors import InputError
from fecontact.interrupts import surviving_broken_pipes
from fecontact.results.progress import track

__all__ = ["render_job"]

BACKENDS = ("vtkEGLRenderWindow", "vtkOSOpenGLRenderWindow")
TIMEOUT_S = 300.0
"""Longest time without a finished part."""


def render_job(
    module: str, job: Any, targets: Sequence[str], parts: int = 1, label: str = ""
) -> str | None:
    """Run a module with a job until its targets are there; None, or the reason why they are not.

    Parameters
    ----------
    module
        Run as `python -m module`.
    job
        What the child reads from its standard input, as JSON.
    targets
        Files that it makes.
    parts, label
        Number of lines it prints, for the progress bar, and what the bar is called.

    Raises
    ------
    InputError, OSError
        If the child cannot write its files.
    """
    reasons: list[str] = []
    for backend in BACKENDS:
        with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
            lines = _lines(module, json.dumps(job), backend, log)
            *_, code = track(lines, label, parts + 1)
            if code == 0 and all(Path(target).is_file() for target in targets):
                return None
            log.seek(0)
            words = last_words(log.read())
        _refuse_what_graphics_cannot_mend(words)
        silent = f"no answer in {TIMEOUT_S:g} s" if code == -9 else f"exit code {code}"
        reasons.append(words or silent)
    return "; ".join(dict.fromkeys(reasons))


def _refuse_what_graphics_cannot_mend(words: str) -> None:
    """Raise the error of a child whose file cannot be written; another backend is no help."""
    if found := re.fullmatch(r"fecontact\.errors\.InputError: (.*)", words):
        raise InputError(found[1])
    if found := re.match(r"\w+Error: \[Errno (\d+)\]", words):
        raise OSError(int(found[1]), os.strerror(int(found[1])))


def _lines(module: str, job: str, backend: str, log: Any) -> Iterator[int]:
    """Zero for each line that the child prints, then its exit code."""
    environment = {"VTK_DEFAULT_OPENGL_WINDOW": backend, **os.environ}
    child = subprocess.Popen(
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=log,
        text=True,
        env=environment,
    )
    assert child.stdin is not None
    assert child.stdout is not None
    try:
        with _guard(child), surviving_broken_pipes():  # it may have ended; its code follows
            with suppress(BrokenPipeError):
                child.stdin.write(job)
            with suppress(BrokenPipeError):
                child.stdin.close()
        while True:
            with _guard(child):
                line = child.stdout.readline()
            if not line:
                break
            yield 0
        with _guard(child):
            yield child.wait()
    finally:
        child.kill()
        child.wait()
        child.stdout.close()


@contextmanager
def _guard(child: subprocess.Popen[str]) -> Iterator[None]:
    """Kill a child that does not answer in time."""
    timer = threading.Timer(TIMEOUT_S, child.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def last_words(log: str) -> str:
    """Last line of a log of VTK, without colours, time and place."""
    lines = re.sub(r"\x1b\[[0-9;]*m", "", log).strip().splitlines()
    return lines[-1].rsplit("|", 1)[-1].strip() if lines else ""
