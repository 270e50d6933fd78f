"""Run the benchmarks that are installed, and renew the tables and plots of docs/benchmarks.md.

    python benchmarks/run.py                      what is not measured yet, then the docs
    python benchmarks/run.py --fresh              all anew
    python benchmarks/run.py rotor multibody      these questions only
    python benchmarks/run.py --only Exudyn        rows of this program only
    python benchmarks/run.py --results FOLDER     keep results elsewhere; the docs stay

`make bench` is the second. Peers that are missing are named with the command that installs them.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from datetime import date
from functools import partial
from pathlib import Path

from goals import row_of, summary
from harness import (
    OURS,
    PAGE,
    PEERS,
    PICTURES,
    ROOT,
    MeasurementError,
    Question,
    Row,
    finished,
    in_process,
    machine,
    peer_version,
)

RESULTS = ROOT / "benchmarks" / "results"
BEFORE = RESULTS / "before"
"""Results of the version that the goals compare with."""
QUESTIONS = (
    "oscillators", "rotor", "bouncing_ball", "block_on_feet", "hertz", "harmonic_balance",
    "disc_map", "reduction_solid", "event_contacts", "continuous_time", "moreau_contacts",
    "multibody", "clutch_steps", "clutch_plate", "output_cost", "start",
)  # fmt: skip
"""Modules with a question, in the order of the docs."""


def question(name: str) -> Question:
    """Question of a module."""
    return importlib.import_module(name).QUESTION


def stored(path: Path) -> list[Row]:
    """Rows of earlier calls, none if there is no file."""
    return json.loads(path.read_text(encoding="utf-8"))["rows"] if path.exists() else []


def rows_of(folder: Path, name: str) -> list[Row]:
    """Rows of a question in a folder of results."""
    return stored(folder / f"{name}.json")


def ordered(asked: Question, rows: list[Row]) -> list[Row]:
    """Rows of the cases, in their order."""
    found = [row_of(rows, case) for case in asked.cases]
    return [row for row in found if row is not None]


def answered(asked: Question, folder: Path, fresh: bool, only: str) -> list[Row]:
    """Measure the cases that are not stored and whose program is there; keep all rows."""
    path = folder / f"{asked.name}.json"
    rows = stored(path)
    chosen = [case for case in asked.cases if only in case.get("program", "")]
    todo = [case for case in chosen if fresh or row_of(rows, case) is None]
    todo = [case for case in todo if peer_version(case.get("program", "")) is not None]
    for number, case in enumerate(todo, 1):
        print(f"{asked.name} [{number}/{len(todo)}] {case}", flush=True)
        old = row_of(rows, case)
        try:
            found = in_process(asked.name, case)
        except MeasurementError as error:
            if case["program"].startswith(OURS):
                raise
            print(error, file=sys.stderr)  # a peer that fails has no row
            continue
        rows = [row for row in rows if row is not old] + [found]
        path.parent.mkdir(parents=True, exist_ok=True)
        kept = {"question": asked.name, "date": str(date.today()), "machine": machine()}
        text = json.dumps(kept | {"rows": ordered(asked, rows)}, indent=1)
        path.write_text(text + "\n", encoding="utf-8")
    return ordered(asked, rows)


def missing(asked: Question) -> dict[str, str]:
    """Peers of a question that are not installed, and how to install them."""
    programs = {case.get("program", "") for case in asked.cases}
    names = {program.split()[0] for program in programs if peer_version(program) is None}
    return {name: PEERS[name].install for name in sorted(names)}


def renew(page: Path, name: str, text: str) -> bool:
    """Replace the table of a question between its comments; False if the page has no place."""
    begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->\n"
    whole = page.read_text(encoding="utf-8")
    if begin not in whole:
        return False
    before, rest = whole.split(begin)
    page.write_text(before + begin + text + "\n" + end + rest.split(end)[1], encoding="utf-8")
    return True


def show(asked: Question, rows: list[Row]) -> None:
    """Renew table and picture of the docs."""
    picture, text = PICTURES / f"bench_{asked.name}.png", asked.markdown(rows)
    asked.plot(rows, picture)
    if picture.exists():
        text += f"\n\n![cost of {asked.name.replace('_', ' ')}](pictures/{picture.name})"
    if not renew(PAGE, asked.name, text):
        raise SystemExit(f"{PAGE.name} has no place for the table of {asked.name}")


def main() -> None:
    """Measure, print the tables, renew the docs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=QUESTIONS)
    parser.add_argument("--fresh", action="store_true", help="forget the stored rows")
    parser.add_argument("--only", default="", help="part of the name of a program")
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--row", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.row:
        name, case = asked.row
        print(json.dumps(finished(question(name), json.loads(case))))
        return
    absent: dict[str, str] = {}
    for name in asked.names:
        each = question(name)
        absent |= missing(each)
        rows = answered(each, asked.results, asked.fresh, asked.only)
        print(each.markdown(rows), flush=True)
        if rows and asked.results == RESULTS:
            show(each, rows)
    if asked.results == RESULTS:
        renew(PAGE, "goals", summary(*(partial(rows_of, folder) for folder in (BEFORE, RESULTS))))
    for name, install in absent.items():
        print(f"left out: {name} is not installed; {install}", file=sys.stderr)


if __name__ == "__main__":
    main()
