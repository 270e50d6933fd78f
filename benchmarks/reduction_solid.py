"""Cost of reducing a quadratic solid annulus: assembly, factorisation, 30 modes, attachment modes.

    python benchmarks/reduction_solid.py --sizes 10000 30000 100000 --threads 1 --out out/bench

The bore is clamped, so that modes and attachment modes share one factorisation of the stiffness.
The rows `pardiso` and `superlu` time this bare pipeline. The row `product` times what a user calls:
`reduce_model` with its default contact loads, error estimates and integrals of the floating frame.
CalculiX (if installed) gets the same mesh, supports and number of threads and computes the 30 modes
only, without attachment modes. Each run is a process of its own; memory is its peak. On a shared
machine trust the ratio of the CPU times.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from functools import partial
from itertools import pairwise
from pathlib import Path

MODES = 30
LOADS = 27  # three directions, harmonics 0 to 4 with cosine and sine, on the top face
PARTS = ("assembly", "factorisation", "modes", "attachment", "reduction")
PIPELINE = PARTS[:4]
CALCULIX = {"hexS2": "C3D20", "tet2": "C3D10"}


def annulus(unknowns: int, element: str):
    """Solid ring 60/110 mm, 6 mm thick, bore clamped, with about the given number of unknowns."""
    from fecontact.fem import STEEL, ElasticSolid
    from fecontact.mesh import solid_annulus

    per_cell = 21 if element == "hexS2" else 36
    radial = max(2, round((unknowns / (7 * per_cell)) ** 0.5))
    mesh = solid_annulus(0.06, 0.11, 0.0, 0.006, radial, 7 * radial, cell=element[:3])
    return ElasticSolid(mesh, STEEL, element, supports={"inner": "clamped"})


def load_shapes(solid):
    """Smooth tractions on the top face, columns of (n, LOADS)."""
    import numpy as np

    top = solid.surface("top")
    phi = np.arctan2(top.points[:, 1], top.points[:, 0])
    waves = [np.ones_like(phi)]
    waves += [wave(k * phi) for k in range(1, 5) for wave in (np.cos, np.sin)]
    columns = [
        top.shape.T @ np.kron(top.weights * wave, np.eye(3)[i]) for wave in waves for i in range(3)
    ]
    return np.column_stack(columns)


def reduce_once(unknowns: int, element: str, backend: str) -> dict[str, float]:
    """Time the parts of one reduction."""
    from fecontact.solvers.eigen import lowest_modes
    from fecontact.solvers.linear import factorise

    solid = annulus(unknowns, element)
    loads = load_shapes(solid)[solid.free]
    clock, busy = [time.perf_counter()], time.process_time()
    K, M = (A[solid.free][:, solid.free] for A in (solid.stiffness, solid.mass))
    clock.append(time.perf_counter())
    solve = factorise(K, backend=backend)
    clock.append(time.perf_counter())
    omega, _ = lowest_modes(K, M, MODES, solve=solve)
    clock.append(time.perf_counter())
    solve(loads)
    clock.append(time.perf_counter())
    seconds = dict(zip(PIPELINE, (b - a for a, b in pairwise(clock)), strict=True))
    return cost(K.shape[0], seconds, time.process_time() - busy, omega[0])


def reduce_product(unknowns: int, element: str) -> dict[str, float]:
    """Time assembly and `reduce_model` as it is called by default."""
    from fecontact.reduction import reduce_model

    solid = annulus(unknowns, element)
    clock, busy = [time.perf_counter()], time.process_time()
    _ = solid.stiffness, solid.mass
    clock.append(time.perf_counter())
    body = reduce_model(solid, "top", modes=MODES)
    clock.append(time.perf_counter())
    seconds = {"assembly": clock[1] - clock[0], "reduction": clock[2] - clock[1]}
    busy = time.process_time() - busy
    return cost(len(solid.free), seconds, busy, body.frequencies[0]) | {"coordinates": body.size}


def cost(unknowns: int, seconds: dict[str, float], cpu: float, f1: float) -> dict[str, float]:
    """Row of the table; memory is the peak of this process."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    total = sum(seconds.values())
    return {"unknowns": unknowns, **seconds, "total": total, "cpu": cpu, "GB": peak, "f1": f1}


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
        "total": seconds,
        "cpu": used.ru_utime + used.ru_stime,
        "GB": used.ru_maxrss / 1e6,
        "f1": first,
    }


def measure(program: str, unknowns: int, element: str, threads: int) -> dict[str, float]:
    """Run one measurement in a fresh process with the given number of threads."""
    names = ("OMP", "MKL", "OPENBLAS", "NUMBA")
    environment = os.environ | {f"{name}_NUM_THREADS": str(threads) for name in names}
    environment |= {"CCX_NPROC_EQUATION_SOLVER": str(threads)}
    command = [sys.executable, __file__, "--worker", program, str(unknowns), element]
    answer = subprocess.run(command, env=environment, check=True, capture_output=True, text=True)
    return json.loads(answer.stdout.splitlines()[-1])


def plot(rows: list[dict], path: Path) -> None:
    """Growth of the total time with the number of unknowns."""
    import matplotlib as mpl

    mpl.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(figsize=(6.0, 4.0), layout="constrained")
    for program in dict.fromkeys(row["program"] for row in rows):
        own = [row for row in rows if row["program"] == program]
        axes.loglog([r["unknowns"] for r in own], [r["total"] for r in own], "o-", label=program)
    axes.set(
        xlabel="unknowns", ylabel="s", title=f"{rows[0]['element']}: {MODES} modes, {LOADS} loads"
    )
    axes.grid(which="both", alpha=0.3)
    axes.legend()
    figure.savefig(path, dpi=150)


def report(row: dict, reference: dict | None) -> str:
    """One line of the table, with the deviation of the first frequency."""
    parts = "  ".join(f"{name} {row[name]:6.2f}" for name in PARTS if name in row)
    ratio = ""
    if reference:
        ratio = f"  ratio to ccx {row['total'] / reference['total']:.2f}"
        ratio += f" (cpu {row['cpu'] / reference['cpu']:.2f})"
        ratio += f", f1 off by {abs(row['f1'] / reference['f1'] - 1.0):.0e}"
    head = f"{row['unknowns']:7d} {row['element']:6s}{row['program']:9s}"
    size = f"{row['total']:7.2f} s  cpu {row['cpu']:7.2f} s  {row['GB']:5.2f} GB"
    return f"{head} total {size}  {parts}{ratio}"


def main() -> None:
    """Measure all sizes and programs, print the ratios, plot the growth."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 30_000, 100_000])
    parser.add_argument("--element", choices=CALCULIX, default="hexS2")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("out/benchmarks"))
    parser.add_argument("--worker", nargs=3, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        program, unknowns, element = options.worker
        runs = {"ccx": calculix, "product": reduce_product}
        run = runs.get(program, partial(reduce_once, backend=program))
        print(json.dumps(run(int(unknowns), element)))
        return
    from fecontact.solvers import _pardiso

    programs = ["ccx"] if shutil.which("ccx") else []
    programs += (["pardiso"] if _pardiso.available() else []) + ["superlu", "product"]
    rows = []
    for size in options.sizes:
        reference = None
        for program in programs:
            row = measure(program, size, options.element, options.threads)
            row |= {"program": program, "element": options.element, "threads": options.threads}
            print(report(row, reference), flush=True)
            reference = row if program == "ccx" else reference
            rows.append(row)
    options.out.mkdir(parents=True, exist_ok=True)
    name = f"reduction_solid_{options.element}_{options.threads}"
    (options.out / f"{name}.json").write_text(json.dumps(rows, indent=1))
    plot(rows, options.out / f"{name}.png")


if __name__ == "__main__":
    main()
