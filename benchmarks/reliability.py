"""Trials in bulk with fixed seeds, and the table of docs/reliability.md.

    python benchmarks/reliability.py                     all trials, as `make reliability` does
    python benchmarks/reliability.py --fraction 0.1         a tenth of the seeds
    python benchmarks/reliability.py --only random,kill  trials with one of these words

A trial is a row of the list TRIALS of a module in tests/reliability: what is tried, number of seeds
in the normal tests, number in the table, and a function of the seed. It returns a few words that
say how it ended, and raises if anything is wrong. The files of tests/fuzz are read in children,
many by each. Results are kept in out/reliability.json: trials not chosen keep their rows.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from fecontact.case.registry import load_module
from fecontact.results.progress import track

ROOT = Path(__file__).parents[1]
TRIALS = ROOT / "tests" / "reliability"
FUZZ = ROOT / "tests" / "fuzz" / "run.py"
FUZZED = 20_000
"""Changed files of each reader."""
PAGE = ROOT / "docs" / "reliability.md"
KEPT = ROOT / "out" / "reliability.json"
BEGIN = "<!-- start of the table: make reliability -->\n"
END = "<!-- end of the table -->"
HEAD = "| tried | how often | what happened |\n|---|---|---|\n"


Found = tuple[Counter[str], dict[int, str]]
"""How often each end came, and what went wrong by seed."""


class Trial(NamedTuple):
    """What is tried, seeds in the normal tests and in the table, and the trial of a seed."""

    what: str
    few: int
    many: int
    run: Callable[[int], str]


class Fuzz(NamedTuple):
    """Changed files of a reader; they have tests of their own."""

    what: str
    many: int
    module: ModuleType
    reader: str


def all_trials() -> list[Trial]:
    """Trials of all modules."""
    modules = [path for path in sorted(TRIALS.glob("*.py")) if not path.stem.startswith("test_")]
    return [Trial(*row) for path in modules for row in load_module(str(path)).TRIALS]


def all_fuzz() -> list[Fuzz]:
    """Readers whose files are changed."""
    if not FUZZ.exists():
        return []
    module = load_module(str(FUZZ))
    what = "files with random changes, read by"
    return [Fuzz(f"{what} `{name}`", FUZZED, module, name) for name in module.READERS]


def outcome(trial: Trial | Fuzz, count: int) -> Found:
    """Run the first seeds of a trial."""
    if isinstance(trial, Trial):
        return tried(trial, track(range(count), trial.what[:40], count))
    ends = trial.module.trials(trial.reader, count)
    failures = list(ends["failures"]) + ["not shown"] * (ends["failed"] - len(ends["failures"]))
    return Counter({name: ends[name] for name in ("read", "refused")}), dict(enumerate(failures))


def tried(trial: Trial, seeds: Iterable[int]) -> Found:
    """Run some seeds of a trial."""
    found, bad = Counter[str](), {}
    for seed in seeds:
        try:
            found[trial.run(seed)] += 1
        except Exception as error:
            words = (str(error) or "no words").splitlines()[0]
            bad[seed] = f"{type(error).__name__}: {words}"
    return found, bad


def row(trial: Trial | Fuzz, found: Counter[str], bad: dict[int, str]) -> str:
    """Row of the table."""
    ends = [f"{count} {words}" for words, count in found.most_common()]
    if bad:
        seeds = ", ".join(map(str, list(bad)[:5]))
        ends.append(f"**{len(bad)} wrong** (seed {seeds})")
    return f"| {trial.what} | {found.total() + len(bad)} | {', '.join(ends)} |"


def renew(page: Path, rows: list[str]) -> None:
    """Replace the table of a page."""
    before, rest = page.read_text(encoding="utf-8").split(BEGIN)
    table = HEAD + "".join(f"{each}\n" for each in rows)
    page.write_text(before + BEGIN + table + END + rest.split(END)[1], encoding="utf-8")


def main() -> int:
    """Run the trials; 1 if any went wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--fraction", type=float, default=1.0, help="fraction of the seeds")
    parser.add_argument("--only", default="", help="words of trials, separated by commas")
    asked = parser.parse_args()
    trials, words = [*all_trials(), *all_fuzz()], asked.only.split(",")
    kept = json.loads(KEPT.read_text(encoding="utf-8")) if KEPT.exists() else {}
    wrong = 0
    for trial in trials:
        if not any(word in trial.what for word in words):
            continue
        count = max(1, round(asked.fraction * trial.many))
        found, bad = outcome(trial, count)
        wrong += len(bad)
        kept[trial.what] = row(trial, found, bad)
        print(kept[trial.what], flush=True)
        for seed, message in bad.items():
            print(f"  seed {seed}: {message}", file=sys.stderr)
        KEPT.parent.mkdir(exist_ok=True)
        KEPT.write_text(json.dumps(kept, indent=2), encoding="utf-8")
    renew(PAGE, [kept[trial.what] for trial in trials if trial.what in kept])
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
