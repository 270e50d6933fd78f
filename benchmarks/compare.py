"""CPU time of the benchmarks in two checkouts of the package, in turn.

    python benchmarks/compare.py BEFORE AFTER [--runs 5] [--only WORKLOAD ...]

BEFORE and AFTER are folders with the package and its `benchmarks/`; the goals (`goals.py`) are
measured with the benchmarks beside this file in both. Each run is a process of its own on one
thread; runs of the two alternate, so that other work on the machine meets both. A process warms up
first, then the best of a few repeats counts. Printed are the medians in ms, the spread of each
(largest less smallest, over the median), and the ratio of the medians. Compiled code is kept beside
each folder.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import goals


def best(function, repeats=5, calls=1):
    """CPU seconds of one call."""
    function()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        for _ in range(calls):
            function()
        times.append((time.process_time() - start) / calls)
    return min(times)


def contact(count, speed=0.0, tangents=False):
    """Force of points on a plane, or force and tangents."""
    import contact_evaluation as own
    import numpy as np

    pair, _, _ = own.scene(count, speed)
    q, v = np.zeros(7 + own.MODES), np.zeros(6 + own.MODES)
    start = pair.begin(0.0, q, v, own.ContactHistory.fresh(count))
    run = lambda: start.at(0.0, q, v, own.H)  # noqa: E731
    if tangents:
        return best(lambda: run().tangents(), 7, max(5, 100_000 // count))
    return best(run, 9, max(8, 2_000_000 // count))


def multibody():
    """Mass matrix, force and tangents of a chain of 20 bodies."""
    import multibody as own

    return best(own.evaluation(40)[0], 9, 20)


def clutch_state():
    """The squealing clutch and a state of its limit cycle."""
    import clutch_transient as own

    system, start = own.clutch()
    return own, system, own.simulate(system, 0.02, start, "explicit", 0.02, step=own.STEP).state(-1)


def explicit(outputs):
    """One explicit step of the clutch, of 4 000 with this many outputs."""
    own, system, state = clutch_state()
    span = 4000 * own.STEP
    run = lambda: own.simulate(  # noqa: E731
        system, state.t + span, state, "explicit", span / outputs, step=own.STEP
    )
    return best(run) / 4000


def implicit():
    """One implicit step of the clutch in its limit cycle."""
    own, system, state = clutch_state()
    span = 50 * own.LONG_STEP
    run = lambda: own.simulate(  # noqa: E731
        system, state.t + span, state, "implicit", span, step=own.LONG_STEP
    )
    return best(run, 3) / 50


def map_point(harmonics):
    """One point of a stability map of the elastic disc."""
    import disc_map as own

    return min(own.points_of_ours(harmonics, 100, built=True)[0] for _ in range(4)) / 100


def operating_point():
    """One point of a sweep of the elastic disc with complex modes."""
    import disc_map as own

    return own.swept(4, 50) / 50


def goal(each):
    """Cost of ours in the row of a goal; nan if the package cannot do it."""
    import run

    asked = run.question(each.question)
    found = asked.measure(**goals.row_of(asked.cases, goals.CASE | each.case))
    key = "ms" if each.key == "ratio" else each.key
    number = found.get(key, float("nan"))
    return {"ms": 1e-3 * number, "cpu": number}.get(key, 1.0 / number)


def reduction(unknowns):
    """Assembly and `reduce_model` of a solid annulus, PARDISO."""
    import reduction_solid as own

    own.product(500, "hexS2", "pardiso")  # loads compiled code
    return own.product(unknowns, "hexS2", "pardiso")["cpu"]


def events():
    """One instant with events, free steps, six contacts."""
    import event_contacts as own

    return min(own.measured(6, None).cost for _ in range(4)) / 1e3


def moreau(count):
    """One step of Moreau's method."""
    import moreau_contacts as own

    return 1.0 / max(own.measured(count)[1] for _ in range(4))


GOALS = {each.what: partial(goal, each) for each in goals.GOALS}
WORKLOADS = {
    "force, 200 points": lambda: contact(200),
    "force, 2 000 points": lambda: contact(2_000),
    "force, 2 000 sliding": lambda: contact(2_000, 10.0),
    "force, 20 000 points": lambda: contact(20_000),
    "tangents, 2 000 points": lambda: contact(2_000, tangents=True),
    "multibody": multibody,
    "explicit step": lambda: explicit(1),
    "explicit step, outputs": lambda: explicit(100),
    "implicit step": implicit,
    "map point, 12 dofs": lambda: map_point(4),
    "map point, 16 dofs": lambda: map_point(6),
    "operating point": operating_point,
    "reduction, 9 408": lambda: reduction(10_000),
    "reduction, 28 812": lambda: reduction(30_000),
    "events": events,
    "moreau, 9 contacts": lambda: moreau(10),
    "moreau, 100 contacts": lambda: moreau(100),
    **GOALS,
}


def measured(folder: Path, workload: str) -> float:
    """CPU seconds of a workload in a fresh process, with the package and benchmarks of a folder."""
    threads = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "MKL", "OPENBLAS", "NUMBA")}
    scenes = [] if workload in GOALS else [folder / "benchmarks"]
    path = os.pathsep.join(map(str, [folder, *scenes, Path(__file__).parent]))
    cache = {"NUMBA_CACHE_DIR": str(folder.with_name(f"numba-{folder.name}"))}
    command = [sys.executable, "-P", __file__, "--worker", workload]
    answer = subprocess.run(
        command, cwd=folder, env=os.environ | threads | cache | {"PYTHONPATH": path},
        capture_output=True, text=True,
    )  # fmt: skip
    if answer.returncode:
        raise SystemExit(f"{workload} failed in {folder}:\n{answer.stderr}")
    return float(answer.stdout.splitlines()[-1])


def compared(folders: list[Path], workload: str, runs: int) -> str:
    """One line of the table."""
    for folder in folders:
        measured(folder, workload)
    times = [[measured(folder, workload) for folder in folders] for _ in range(runs)]
    before, after = (list(column) for column in zip(*times, strict=True))
    middle = [statistics.median(column) for column in (before, after)]
    spread = [
        (max(column) - min(column)) / m for column, m in zip((before, after), middle, strict=True)
    ]
    return (
        f"{workload:24}{1e3 * middle[0]:12.4f} ({spread[0]:4.0%}) {1e3 * middle[1]:12.4f} "
        f"({spread[1]:4.0%}) {middle[1] / middle[0]:8.2f}"
    )


def main() -> None:
    """Measure the workloads, one line each."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="*")
    parser.add_argument("--only", nargs="+", default=list(WORKLOADS), metavar="WORKLOAD")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.worker:
        print(WORKLOADS[asked.worker]())
        return
    print(f"{'':24}{'before, ms':>12} spread {'after, ms':>13} spread {'ratio':>7}", flush=True)
    for workload in asked.only:
        folders = [folder.resolve() for folder in asked.folders]
        print(compared(folders, workload, asked.runs), flush=True)


if __name__ == "__main__":
    main()
