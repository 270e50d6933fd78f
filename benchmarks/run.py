"""Run the benchmarks that are installed, and renew the tables and plots of docs/benchmarks.md.

    python benchmarks/run.py                      what is not measured yet, then the docs
    python benchmarks/run.py --fresh              all anew
    python benchmarks/run.py rotor multibody      these questions only
    python benchmarks/run.py --only Exudyn        rows of this program only
    python benchmarks/run.py --results FOLDER     keep results elsewhere; the docs stay
    python benchmarks/run.py --before CHECKOUT    rows of the goals, with the package of a checkout

`make bench` is the second. Peers that are missing are named with the command that installs them.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from datetime import date
from functools import partial
from pathlib import Path
from statistics import median

from goals import needed, row_of, summary
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
LONGEST = 300.0
"""Time in s that a row of an earlier version may take."""
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


def measure_before(names: Sequence[str], checkout: Path, fresh: bool) -> None:
    """Measure what the goals need with an earlier version; what it cannot do has no row."""
    for name in names:
        path, cases = BEFORE / f"{name}.json", question(name).cases
        rows = [] if fresh else stored(path)
        for case in needed(name, cases):
            if row_of(rows, case) is not None:
                continue
            print(f"{name} before {case}", flush=True)
            try:
                rows = [*rows, in_process(name, case, checkout, LONGEST)]
            except MeasurementError as error:
                print(str(error).splitlines()[-1], file=sys.stderr)
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            kept = {"question": name, "date": str(date.today()), "machine": machine()}
            path.write_text(json.dumps(kept | {"rows": rows}, indent=1) + "\n", encoding="utf-8")


def conditions(folder: Path) -> str:
    """On which machine, when, and beside how much other work the rows of a folder were measured."""
    files = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))]
    if not files:
        return "Nothing is measured yet."
    rows = [row for file in files for row in file["rows"]]
    loads = [row["load"] for row in rows if "load" in row]
    machines = {"{processor}, {cores} cores, Python {python}".format(**f["machine"]) for f in files}
    commits = sorted({row["revision"] for row in rows if row.get("revision")})
    days = sorted({file["date"] for file in files})
    said = (
        f"Measured on {'; '.join(sorted(machines))}; {' to '.join(days[:: max(1, len(days) - 1)])}"
    )
    return (
        f"{said}; commits: {', '.join(commits)}. Load of the machine when a row began: "
        f"{min(loads):.1f} to {max(loads):.1f}, {median(loads):.1f} in the middle."
    )


def renew_summary() -> None:
    """Renew conditions and goals of the docs."""
    renew(PAGE, "conditions", conditions(RESULTS))
    renew(PAGE, "goals", summary(*(partial(rows_of, folder) for folder in (BEFORE, RESULTS))))


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
    parser.add_argument("--before", type=Path, metavar="CHECKOUT", help="measure a version before")
    parser.add_argument("--row", nargs=2, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.row:
        name, case = asked.row
        print(json.dumps(finished(question(name), json.loads(case))))
        return
    if asked.before:
        measure_before(asked.names, asked.before.resolve(), asked.fresh)
        renew_summary()
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
        renew_summary()
    for name, install in absent.items():
        print(f"left out: {name} is not installed; {install}", file=sys.stderr)


if __name__ == "__main__":
    main()
