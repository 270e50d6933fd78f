"""What was typed for `fecontact simulate`, checked before libraries are loaded."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from fecontact.errors import InputError

__all__ = ["REQUEST", "RESULT", "check_folder", "parse_options"]

RESULT, REQUEST = "result.h5", "request.json"
"""Files of a simulation: its result, and what was asked for."""
WORDS = {"true": True, "false": False, "none": None}


def check_folder(out: Path, going_on: bool, fresh: bool) -> None:
    """Refuse to go on with nothing, and to replace a result unasked."""
    file = out / RESULT
    if going_on and fresh:
        raise InputError("--continue and --fresh exclude each other: give one of them")
    if going_on and not file.is_file():
        raise InputError(f"nothing to continue: '{file}' does not exist; leave out --continue")
    if file.exists() and not (going_on or fresh):
        raise InputError(
            f"'{file}' exists; --continue goes on with it, --fresh replaces it, --out gives "
            "another folder"
        )


def parse_options(texts: Sequence[str]) -> dict[str, Any]:
    """Options of a method, KEY=VALUE, with numbers and true, false, none as such.

    Examples
    --------
    >>> parse_options(["rtol=1e-7", "max_steps=1000", "backend=general"])
    {'rtol': 1e-07, 'max_steps': 1000, 'backend': 'general'}
    """
    found: dict[str, Any] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals or not key or not value:
            raise InputError(f"--option {text}: expected key=value")
        found[key] = _value(value)
    return found


def _value(text: str) -> Any:
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
