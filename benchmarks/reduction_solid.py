"""Cost of reducing a quadratic solid annulus, against CalculiX on the same mesh.

    python benchmarks/reduction_solid.py                  # 10k, 30k, 100k, 300k unknowns, 15 min
    python benchmarks/reduction_solid.py --sizes 30000    # one size
    python benchmarks/reduction_solid.py --docs           # also renew docs/benchmarks.md

Rows of the table, all on the same number of threads, each in a process of its own:

    ccx               CalculiX: 30 modes of the annulus, nothing else; reads its input file
    product           what a user calls: assembly and `reduce_model` with its defaults: 30 modes,
                      static shapes of the contact loads, error estimates, inertia integrals and
                      geometric stiffness of the floating frame; PARDISO
    product, superlu  the same without the extra `fast`
    bare              the pipeline alone, PARDISO: assembly, factorisation, 30 modes, 27 static
                      solutions on one factorisation

The bore is clamped. Every finished row is appended to OUT/reduction_solid.jsonl and not measured
again by the next call, unless --fresh is given: an interrupted run goes on where it stopped. CPU
time is the honest measure on a shared machine; the load of the machine stands beside it.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from itertools import pairwise
from pathlib import Path

ROOT = Path(__file__).parents[1]
MODES = 30
SIZES = [10_000, 30_000, 100_000, 300_000]
PROGRAMS = ("ccx", "product", "product, superlu", "bare")
STEPS = ("assembly", "factorisation", "modes", "static")
CALCULIX = {"hexS2": "C3D20", "tet2": "C3D10"}
BEGIN, END = "<!-- reduction_solid: begin -->\n", "<!-- reduction_solid: end -->\n"


def annulus(unknowns: int, element: str):
    """Solid ring 60/110 mm, 6 mm thick, bore clamped, with about the given number of unknowns."""
    from fecontact.fem import STEEL, ElasticSolid
    from fecontact.mesh import solid_annulus

    per_cell = 21 if element == "hexS2" else 36
    radial = max(2, round((unknowns / (7 * per_cell)) ** 0.5))
    mesh = solid_annulus(0.06, 0.11, 0.0, 0.006, radial, 7 * radial, cell=element[:3])
    return ElasticSolid(mesh, STEEL, element, supports={"inner": "clamped"})


def load_shapes(solid):
    """Smooth tractions on the top face, columns of (n, 27)."""
    import numpy as np

    top = solid.surface("top")
    phi = np.arctan2(top.points[:, 1], top.points[:, 0])
    waves = [np.ones_like(phi)]
    waves += [wave(k * phi) for k in range(1, 5) for wave in (np.cos, np.sin)]
    columns = [
        top.shape.T @ np.kron(top.weights * wave, np.eye(3)[i]) for wave in waves for i in range(3)
    ]
    return np.column_stack(columns)


def bare(unknowns: int, element: str) -> dict[str, float]:
    """Time the steps of the pipeline on one factorisation."""
    from fecontact.solvers.eigen import lowest_modes
    from fecontact.solvers.linear import factorise

    solid = annulus(unknowns, element)
    loads = load_shapes(solid)[solid.free]
    clock = [time.process_time()]
    start = time.perf_counter()
    K, M = (A[solid.free][:, solid.free] for A in (solid.stiffness, solid.mass))
    clock.append(time.process_time())
    solve = factorise(K, backend="pardiso")
    clock.append(time.process_time())
    omega, _ = lowest_modes(K, M, MODES, solve=solve)
    clock.append(time.process_time())
    solve(loads)
    clock.append(time.process_time())
    steps = dict(zip(STEPS, (b - a for a, b in pairwise(clock)), strict=True))
    wall = time.perf_counter() - start
    return row(K.shape[0], wall, clock[-1] - clock[0], omega[0]) | steps


def product(unknowns: int, element: str, backend: str) -> dict[str, float]:
    """Time assembly and `reduce_model` as it is called by default."""
    from fecontact.reduction import reduce_model
    from fecontact.solvers import _pardiso

    if backend == "superlu":
        _pardiso.available = lambda: False
    solid = annulus(unknowns, element)
    start, clock = time.perf_counter(), [time.process_time()]
    _ = solid.stiffness, solid.mass
    clock.append(time.process_time())
    body = reduce_model(solid, "top", modes=MODES)
    clock.append(time.process_time())
    wall = time.perf_counter() - start
    result = row(len(solid.free), wall, clock[2] - clock[0], body.frequencies[0])
    return result | {"assembly": clock[1] - clock[0], "coordinates": body.size}


def row(unknowns: int, wall: float, cpu: float, first: float) -> dict[str, float]:
    """Result of a measurement in this process; memory is its peak."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    f1 = first / 6.283185307179586
    return {"unknowns": unknowns, "wall": wall, "cpu": cpu, "GB": peak, "f1": f1}


def calculix(unknowns: int, element: str) -> dict[str, float]:
    """Wall time and peak memory of CalculiX on the same mesh, modes only."""
    import numpy as np

    from fecontact.fem import STEEL

    solid = annulus(unknowns, element)
    ((_, cells),) = solid.geometry.cells.items()
    held = np.setdiff1d(np.arange(3 * len(solid.nodes)), solid.free)
    with tempfile.TemporaryDirectory() as directory, open(f"{directory}/job.inp", "w") as job:
        job.write("*NODE, NSET=NALL\n")
        numbers = np.arange(1, len(solid.nodes) + 1)
        np.savetxt(job, np.column_stack([numbers, solid.nodes]), "%d, %.11e, %.11e, %.11e")
        job.write(f"*ELEMENT, TYPE={CALCULIX[element]}, ELSET=ALL\n")
        for number, cell in enumerate((cells + 1).tolist(), 1):
            words = [number, *cell]
            lines = (words[:11], words[11:])
            job.write(",\n".join(", ".join(map(str, line)) for line in lines if line) + "\n")
        job.write(f"*MATERIAL, NAME=STEEL\n*ELASTIC\n{STEEL.young}, {STEEL.poisson}\n")
        job.write(
            f"*DENSITY\n{STEEL.density}\n*SOLID SECTION, ELSET=ALL, MATERIAL=STEEL\n*BOUNDARY\n"
        )
        np.savetxt(job, np.column_stack([held // 3 + 1, held % 3 + 1]), "%d, %d")
        job.write(f"*STEP\n*FREQUENCY\n{MODES}\n*END STEP\n")
        job.flush()
        start = time.perf_counter()
        subprocess.run(["ccx", "-i", "job"], cwd=directory, check=True, capture_output=True)
        seconds = time.perf_counter() - start
        table = Path(directory, "job.dat").read_text().split("NO")[1]
    rows = [line.split() for line in table.splitlines()]
    first = next(float(r[2]) for r in rows if len(r) == 5 and r[0] == "1")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "unknowns": len(solid.free),
        "wall": seconds,
        "cpu": used.ru_utime + used.ru_stime,
        "GB": used.ru_maxrss / 1e6,
        "f1": first / 6.283185307179586,
    }


def measure(program: str, unknowns: int, element: str, threads: int) -> dict:
    """Run one measurement in a fresh process with the given number of threads."""
    names = ("OMP", "MKL", "OPENBLAS", "NUMBA")
    environment = os.environ | {f"{name}_NUM_THREADS": str(threads) for name in names}
    environment |= {"CCX_NPROC_EQUATION_SOLVER": str(threads)}
    environment["PYTHONPATH"] = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, __file__, "--worker", program, str(unknowns), element]
    load = os.getloadavg()[0]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True)
    if answer.returncode:
        raise SystemExit(f"{program}, {unknowns} unknowns failed:\n{answer.stderr}")
    key = {"program": program, "asked": unknowns, "element": element, "threads": threads}
    return key | json.loads(answer.stdout.splitlines()[-1]) | {"load": load}


def work(program: str, unknowns: int, element: str) -> dict[str, float]:
    """Measure in this process."""
    if program == "ccx":
        return calculix(unknowns, element)
    if program == "bare":
        return bare(unknowns, element)
    return product(unknowns, element, "superlu" if "superlu" in program else "pardiso")


def programs() -> list[str]:
    """Programs that are installed; what is missing is said."""
    sys.path.insert(0, str(ROOT))
    from fecontact.solvers import _pardiso

    missing = [] if shutil.which("ccx") else ["ccx"]
    missing += [] if _pardiso.available() else ["product", "bare"]
    if missing:
        print(f"left out: {', '.join(missing)} (CalculiX or the extra `fast` is not installed)")
    return [program for program in PROGRAMS if program not in missing]


def exponent(rows: list[dict]) -> float:
    """Slope of log CPU time over log unknowns, by least squares."""
    import numpy as np

    if len(rows) < 2:
        return float("nan")
    return float(np.polyfit(*(np.log([r[key] for r in rows]) for key in ("unknowns", "cpu")), 1)[0])


def table(rows: list[dict]) -> str:
    """Markdown: one line for each measurement, growth exponents below."""
    head = ["unknowns", "program", "wall s", "CPU s", "CPU / ccx", "assembly", "GB", "coordinates"]
    lines = ["| " + " | ".join([*head, "load"]) + " |", "|" + "---|" * 9]
    reference = {r["asked"]: r for r in rows if r["program"] == "ccx"}
    for r in rows:
        ccx = reference.get(r["asked"])
        cells = [
            str(r["unknowns"]),
            r["program"],
            f"{r['wall']:.1f}",
            f"{r['cpu']:.1f}",
            f"{r['cpu'] / ccx['cpu']:.2f}" if ccx else "",
            f"{r['assembly'] / r['cpu']:.0%}" if "assembly" in r else "",
            f"{r['GB']:.2f}",
            str(r.get("coordinates", "")),
            f"{r['load']:.1f}",
        ]
        lines.append("| " + " | ".join(cells) + " |")
    own = {p: [r for r in rows if r["program"] == p] for p in PROGRAMS}
    growth = ", ".join(f"{p} {exponent(found):.2f}" for p, found in own.items() if found)
    deviations = [
        abs(r["f1"] / reference[r["asked"]]["f1"] - 1.0) for r in rows if r["asked"] in reference
    ]
    agreement = f"First frequencies agree with ccx to {max(deviations, default=0.0):.0e}."
    return "\n".join(
        [*lines, "", f"CPU time grows as unknowns to the power: {growth}. {agreement}"]
    )


def plot(rows: list[dict], path: Path) -> None:
    """CPU time and memory over the number of unknowns."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, panels = plt.subplots(1, 2, figsize=(9.0, 3.8), layout="constrained")
    for axes, key, label in zip(
        panels, ("cpu", "GB"), ("CPU time / s", "memory / GB"), strict=True
    ):
        for program, marker in zip(PROGRAMS, "sovx", strict=True):
            own = [r for r in rows if r["program"] == program]
            if own:
                xy = [r["unknowns"] for r in own], [r[key] for r in own]
                axes.loglog(*xy, marker + "-", label=program)
        axes.set(xlabel="unknowns", ylabel=label)
        axes.grid(which="both", alpha=0.3)
    panels[0].legend()
    figure.suptitle(f"{rows[0]['element']}, {MODES} modes, {rows[0]['threads']} thread(s)")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=120)


def renew_docs(text: str, rows: list[dict]) -> None:
    """Replace table and picture of the docs."""
    plot(rows, ROOT / "docs/pictures/reduction_cost.png")
    page = ROOT / "docs/benchmarks.md"
    before, rest = page.read_text().split(BEGIN)
    page.write_text(before + BEGIN + text + "\n" + END + rest.split(END)[1])


def stored(path: Path, element: str, threads: int) -> list[dict]:
    """Rows of earlier calls for this element and number of threads."""
    lines = path.read_text().splitlines() if path.exists() else []
    rows = [json.loads(line) for line in lines]
    return [r for r in rows if (r["element"], r["threads"]) == (element, threads)]


def options() -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--element", choices=CALCULIX, default="hexS2")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, default=ROOT / "out/benchmarks")
    parser.add_argument("--fresh", action="store_true", help="forget the stored rows")
    parser.add_argument("--docs", action="store_true", help="renew docs/benchmarks.md")
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    return parser.parse_args()


def main() -> None:
    """Measure what is missing, row by row; print the table, plot the growth."""
    asked = options()
    if asked.worker:
        program, unknowns, element = asked.worker
        print(json.dumps(work(program, int(unknowns), element)))
        return
    asked.out.mkdir(parents=True, exist_ok=True)
    path = asked.out / "reduction_solid.jsonl"
    if asked.fresh:
        path.unlink(missing_ok=True)
    rows = stored(path, asked.element, asked.threads)
    done = {(r["program"], r["asked"]) for r in rows}
    todo = [(p, n) for n in asked.sizes for p in programs() if (p, n) not in done]
    print(f"{platform.processor() or platform.machine()}, {os.cpu_count()} cores; {len(done)} rows "
          f"stored in {path}, {len(todo)} to measure", flush=True)  # fmt: skip
    for number, (program, size) in enumerate(todo, 1):
        print(f"[{number}/{len(todo)}] {program}, {size} unknowns ...", end=" ", flush=True)
        result = measure(program, size, asked.element, asked.threads)
        with path.open("a") as file:
            file.write(json.dumps(result) + "\n")
        rows.append(result)
        print(f"{result['cpu']:.1f} s CPU, {result['GB']:.2f} GB", flush=True)
    rows = [r for r in rows if r["asked"] in asked.sizes]
    rows.sort(key=lambda r: (r["asked"], PROGRAMS.index(r["program"])))
    text = table(rows)
    (asked.out / "reduction_solid.md").write_text(text + "\n")
    plot(rows, asked.out / "reduction_solid.png")
    print(text)
    if asked.docs:
        renew_docs(text, rows)


if __name__ == "__main__":
    main()
