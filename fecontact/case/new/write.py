"""Write the script of a new case beside its reduced body."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

from fecontact.case.new.templates import KINDS, script
from fecontact.drafts import make_folder, write_file
from fecontact.errors import InputError, check, one_of

if TYPE_CHECKING:
    from fecontact.case.new.facts import Facts

__all__ = ["check_new", "new_case", "target"]

NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


def target(name: str) -> Path:
    """Script of a new case: NAME or NAME.py, in any folder."""
    path = Path(name)
    path = path if path.suffix == ".py" else path.with_name(f"{path.name}.py")
    if not NAME.fullmatch(path.stem):
        raise InputError(
            f"invalid name of a case = {path.stem}: expected letters, digits and _, first a letter"
        )
    return path


def check_new(name: str, body: Path | None, template: str) -> None:
    """Refuse what is wrong before anything is loaded: names, a file that exists, one that does not.

    Nothing is replaced.
    """
    check("template", template, one_of(KINDS))
    path = target(name)
    for file in [path] if body is not None else [path, sample_file(path)]:
        if file.exists():
            raise InputError(f"'{file}' exists and is not replaced: expected another name")
    if body is not None and not body.is_file():
        raise InputError(f"body '{body}' does not exist; make it with fecontact modes MESH")


def sample_file(path: Path) -> Path:
    """Where the sample body of a case goes."""
    return path.with_name(f"{path.stem}_body.h5")


def new_case(name: str, body: Path | None, template: str) -> tuple[Path, Path, Facts]:
    """Write a script, and a sample body if none is given; returns both files and what was found."""
    from fecontact.case.new.facts import facts_of
    from fecontact.reduction import load_reduced, save_reduced

    path = target(name)
    if body is None:
        from fecontact.case.new.samples import sample_body

        model, file = sample_body(template), sample_file(path)
    else:
        model, file = load_reduced(body), body
    facts = facts_of(model, file, template)
    make_folder(path.parent)
    if body is None:
        save_reduced(model, file)
    write_file(path, script(template, _values(path, file, template, facts)).encode())
    return path, file, facts


def _values(path: Path, body: Path, template: str, facts: Facts) -> dict[str, str]:
    """What a script says of this body."""
    words = path.stem.replace("_", " ").strip()
    others = f"  # it has also {', '.join(facts.others)}" if facts.others else ""
    title = f"{words[:1].upper()}{words[1:]}: friction of a part on a {KINDS[template]['other']}"
    return {
        "title": title,
        "file": path.as_posix(),
        "class": "".join(word.capitalize() for word in path.stem.split("_") if word),
        "body": Path(os.path.relpath(body.resolve(), path.parent.resolve())).as_posix(),
        "surface": facts.surface,
        "others": others,
        "height": f"{facts.height!r}",
        "sensor": f"({', '.join(f'{value!r}' for value in facts.sensor)})",
        "load": f"{facts.load!r}",
        "hertz": f"{facts.hertz:.4g}",
        "outer": f"{float(f'{facts.outer:.4g}')!r}",
        "points": ', points="nodes"' if facts.nodal else "",
        "down": f"{-float(facts.side)!r}",
    }
