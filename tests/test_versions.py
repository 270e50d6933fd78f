"""Version, change log and migration notes agree."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import fecontact as fc

ROOT = Path(fc.__file__).parents[1]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_one_version_with_a_dated_entry():
    stated = tomllib.loads(text("pyproject.toml"))["project"]["version"]
    assert stated == fc.__version__
    entries = re.findall(r"^## \[(.+?)\](?: - (\d{4}-\d\d-\d\d))?$", text("CHANGELOG.md"), re.M)
    assert entries[0] == ("Unreleased", "")
    assert entries[1][0] == fc.__version__
    assert all(date for _, date in entries[1:])


def test_sections_of_an_entry_occur_once():
    for entry in re.split(r"^## ", text("CHANGELOG.md"), flags=re.M)[1:]:
        sections = re.findall(r"^### (.+)$", entry, re.M)
        assert len(set(sections)) == len(sections), entry.splitlines()[0]


def test_new_names_of_the_migration_notes_exist():
    rows = re.findall(r"^\| .+? \| (.+) \|$", text("docs/migration.md"), re.M)
    names = {name for row in rows for name in re.findall(r"\bfc\.(?!view\b)(\w+)", row)}
    assert len(names) > 10
    assert names <= set(fc.__all__)
