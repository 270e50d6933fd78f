"""Command `fecontact view`: pictures of a result file."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from rich.console import Console

from fecontact.drafts import make_folder
from fecontact.errors import InputError, check, one_of
from fecontact.results.result import Result

if TYPE_CHECKING:
    from fecontact.view.gallery import Request

__all__ = ["answer"]

DEFAULT = ("history", "energy", "states")
"""Plots that are drawn if nothing is asked for, where the result has them."""


def answer(
    result: Path,
    animate: str | None,
    plot: list[str] | None,
    out: Path | None,
    frames: int,
    exaggeration: str,
) -> int:
    """Draw plots and an animation of a result."""
    console = Console(width=None if sys.stdout.isatty() else 120, soft_wrap=True)
    motion = Result.load(result)
    folder = out or result.parent
    make_folder(folder)
    if animate is None and not plot:
        console.print(str(motion), highlight=False, markup=False)
    wanted = list(plot or []) or ([] if animate else _default(motion))
    jobs = _drawings(motion, wanted, folder / result.stem)
    if animate is not None:
        film = folder / f"{result.stem}.{animate}"
        jobs["animation"] = partial(_animate, motion, film, frames, exaggeration)
    refused = []
    for name, job in jobs.items():
        try:
            console.print(job(), highlight=False, markup=False)
        except InputError as error:  # the others are drawn all the same
            refused.append(f"{name}: {error}" if len(jobs) > 1 else str(error))
    if refused:
        raise InputError("; ".join(refused))
    return 0


def _default(motion: Result) -> list[str]:
    has = {"history": motion.dofs, "energy": motion.energies, "states": motion.contacts}
    return [name for name in DEFAULT if has[name]] if len(motion) > 1 else []


def _drawings(motion: Result, wanted: list[str], stem: Path) -> dict[str, Callable[[], str]]:
    """What draws each plot next to the result; all requests are read before the first is drawn."""
    from fecontact.view.gallery import Request

    jobs: dict[str, Callable[[], str]] = {}
    requests = [Request.of(text) for text in wanted]
    for index, (text, request) in enumerate(zip(wanted, requests, strict=True)):
        same = sum(other.plot == request.plot for other in requests[:index])
        target = stem.with_name(f"{stem.name}_{request.plot}{same + 1 if same else ''}.png")
        jobs[text] = partial(_draw, motion, request, target)
    return jobs


def _draw(motion: Result, request: Request, target: Path) -> str:
    from fecontact.view.gallery import plot_result
    from fecontact.view.plots import save

    save(plot_result(motion, request), target)
    return f"wrote {target}"


def _animate(motion: Result, target: Path, frames: int, exaggeration: str) -> str:
    from fecontact.view.pictures.animation import FORMATS
    from fecontact.view.pictures.animation import animate as film

    check("animate", target.suffix.removeprefix("."), one_of(FORMATS))
    reason = film(motion, target, exaggeration=_factor(exaggeration), frames=frames)
    if reason is None:
        return f"wrote {target}"
    return (
        f"No animation: no off-screen graphics here ({reason}). "
        "Write files for ParaView instead: fecontact export RESULT --vtk"
    )


def _factor(text: str) -> float | Literal["auto"]:
    if text == "auto":
        return "auto"
    try:
        return float(text)
    except ValueError:
        raise InputError(f"invalid exaggeration = {text}: expected a number or auto") from None
