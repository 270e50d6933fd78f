"""Trials in bulk: a few seeds of each here, as many as the table of docs/reliability.md as slow."""

from __future__ import annotations

from pathlib import Path

import pytest

from fecontact.case.registry import load_module

MODULE = load_module(str(Path(__file__).parents[2] / "benchmarks" / "reliability.py"))
TRIALS = MODULE.all_trials()
BLOCK = 100
NAMES = [f"{number}" for number in range(len(TRIALS))]


@pytest.mark.parametrize("trial", TRIALS, ids=NAMES)
def test_few(trial):
    found, bad = MODULE.tried(trial, range(trial.few))
    assert not bad, bad
    assert found.total() == trial.few


@pytest.mark.slow
@pytest.mark.parametrize("trial", TRIALS, ids=NAMES)
def test_many(trial):
    found, bad = MODULE.tried(trial, range(trial.many))
    assert not bad, bad
    assert found.total() == trial.many


def test_table(tmp_path):
    """The table counts what happened, and tells of what went wrong."""

    def odd(seed):
        assert seed != 3, "three is wrong"
        return "even" if seed % 2 == 0 else "odd"

    trial = MODULE.Trial("numbers", 2, 6, odd)
    found, bad = MODULE.tried(trial, range(6))
    assert (found["even"], found["odd"], bad) == (3, 2, {3: "AssertionError: three is wrong"})
    row = MODULE.row(trial, found, bad)
    assert row == "| numbers | 6 | 3 even, 2 odd, **1 wrong** (seed 3) |"
    page = tmp_path / "page.md"
    page.write_text(f"before\n{MODULE.BEGIN}old{MODULE.END}\nafter\n", encoding="utf-8")
    MODULE.renew(page, [row])
    text = page.read_text(encoding="utf-8")
    assert "old" not in text
    assert row in text
    assert text.startswith("before\n")
    assert text.endswith("\nafter\n")
