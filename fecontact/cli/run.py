"""Command `run`: one case, with its table, pictures, files and summary."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fecontact.case.registry import load_case
from fecontact.case.runner import run_case

__all__ = ["answer"]


def answer(name: str, out: Path | None, settings: Sequence[str] | None, quick: bool) -> int:
    """Run one case: table, pictures, VTK files, summary.json."""
    case_name, case = load_case(name)
    return run_case(case_name, case, out=out, settings=settings or [], quick=quick)
