"""Progress bars: drawn on a terminal, quiet elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

__all__ = ["clock", "stages", "track"]

T = TypeVar("T")


def track(items: Iterable[T], label: str, total: int | None = None) -> Iterator[T]:
    """Iterate with a progress bar on stderr; nothing is drawn if stderr is not a terminal."""
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=not console.is_terminal,
        transient=True,
    ) as progress:
        yield from progress.track(items, description=label, total=total)


@contextmanager
def clock(label: str, start: float, end: float) -> Iterator[Callable[[float], None]]:
    """Show simulated time and the time that is left: call the given function with each time in s.

    Drawn on stderr if it is a terminal, nothing elsewhere.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[now]:.4g} s of {task.fields[end]:.4g} s"),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(label, total=end - start, now=start, end=end)
        yield lambda t: progress.update(task, completed=t - start, now=t)


@contextmanager
def stages() -> Iterator[Callable[[str], None]]:
    """Show the stages of a long work: call the given function with the name of each.

    On a terminal the running stage is shown with a spinner, and a finished one with its seconds;
    elsewhere nothing is drawn.
    """
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda _: None
        return
    with console.status("") as status:
        started: list[tuple[str, float]] = []

        def finish() -> None:
            if started:
                name, since = started.pop()
                console.print(f"{name}: {time.perf_counter() - since:.1f} s", style="dim")

        def begin(name: str) -> None:
            finish()
            started.append((name, time.perf_counter()))
            status.update(name)

        yield begin
        finish()
