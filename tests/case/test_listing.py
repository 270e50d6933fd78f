"""List of the cases: what the scripts say, without running them."""

from __future__ import annotations

import subprocess
import sys

from fecontact.case import listing
from fecontact.case.listing import CaseEntry, case_entries, entry_of
from fecontact.case.registry import case_names, load_case

SCRIPT = '''"""A title.

More words.
"""

import fecontact as fc

NUMBERS = (1, 2)
VERIFIES = {verifies}


def main(run):
    """Do nothing."""


CASE = fc.Case(__doc__, VERIFIES, fc.Parameters(), main, quick_s=3)
'''


def nothing_refused(error):
    raise error


def test_entries_are_those_of_the_loaded_cases():
    entries = list(case_entries(nothing_refused))
    assert [entry.name for entry in entries] == case_names()
    for entry in entries[::7]:
        case = load_case(entry.name)[1]
        assert entry[1:] == (case.title, case.verifies, case.quick_s)


def written(tmp_path, monkeypatch, verifies):
    folder = tmp_path / "cases" / "own"
    folder.mkdir(parents=True)
    (folder / "one.py").write_text(SCRIPT.format(verifies=verifies), encoding="utf-8")
    monkeypatch.setattr("fecontact.case.registry.case_folder", lambda: tmp_path / "cases")
    return entry_of("own/one")


def test_literals_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(listing, "load_case", nothing_refused)
    entry = written(tmp_path, monkeypatch, '("first", "second")')
    assert entry == CaseEntry("own/one", "A title", ("first", "second"), 3)


def test_other_scripts_are_loaded(tmp_path, monkeypatch):
    entry = written(tmp_path, monkeypatch, 'tuple(f"test {n}" for n in NUMBERS)')
    assert entry == CaseEntry("own/one", "A title", ("test 1", "test 2"), 3)


def test_shipped_scripts_need_not_be_loaded():
    """Else the list takes seconds."""
    code = (
        "import sys; from fecontact.case.listing import case_entries; list(case_entries(print)); "
        "print(*[name for name in ('numba', 'scipy', 'skfem') if name in sys.modules])"
    )
    command = [sys.executable, "-c", code]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.strip() == ""
