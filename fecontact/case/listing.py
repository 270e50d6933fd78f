"""What the shipped cases are about, from their scripts without running them.

A script ends with `CASE = fc.Case(__doc__, verifies, ...)`: the title is the first line of its
docstring, the tests are literals, there or in `VERIFIES` above. Other scripts are loaded.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from fecontact.case.registry import case_names, case_script, load_case
from fecontact.errors import InputError

__all__ = ["CaseEntry", "case_entries", "entry_of"]


class CaseEntry(NamedTuple):
    """A case in the list of cases."""

    name: str
    title: str
    verifies: tuple[str, ...]
    quick_s: float


def case_entries(refuse: Callable[[InputError], None]) -> Iterator[CaseEntry]:
    """All shipped cases; those that cannot be loaded are handed to `refuse`."""
    for name in case_names():
        try:
            yield entry_of(name)
        except InputError as error:
            refuse(error)


def entry_of(name: str) -> CaseEntry:
    """Entry of a shipped case."""
    text = case_script(name).read_text(encoding="utf-8")
    try:
        return _read(name, text)
    except (LookupError, SyntaxError, ValueError):
        case = load_case(name)[1]
        return CaseEntry(name, case.title, case.verifies, case.quick_s)


def _read(name: str, text: str) -> CaseEntry:
    """Entry from the literals of a script; LookupError or ValueError if they are none."""
    title = text.split('"""', 2)[1].strip().split("\n")[0].rstrip(".")
    call = _assigned(text, "CASE")
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    written = named.get("verifies", call.args[1])
    if isinstance(written, ast.Name):
        written = _assigned(text, written.id)
    return CaseEntry(name, title, ast.literal_eval(written), ast.literal_eval(named["quick_s"]))


def _assigned(text: str, name: str) -> Any:
    """What is assigned to a name at the top level of a script."""
    start = text.index(f"\n{name} = ") + 1
    end = text.find("\n\n", start)
    statement = ast.parse(text[start : end if end >= 0 else None]).body[0]
    assert isinstance(statement, ast.Assign)
    return statement.value
