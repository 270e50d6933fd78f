"""Cost of reducing a quadratic solid annulus, against CalculiX on the same mesh.

An annulus 60/110 mm, 6 mm thick, of 20-node hexahedra, bore clamped, one layer of cells; all
programs get the same mesh and one thread, and do this once, in a process that has done nothing
before.

    CalculiX            30 modes and nothing else; its time includes reading its input file
    fecontact           what a user calls: assembly and `reduce_model` with its defaults, that is 30
                        modes, static shapes of 81 contact loads, error estimates with 132 loads,
                        inertia integrals and geometric stiffness of the floating frame; PARDISO if
                        the extra `fast` is installed
    fecontact, SuperLU  the same without that extra
    pipeline            assembly, one factorisation, 30 modes, 27 static solutions
"""

from __future__ import annotations

import resource
import subprocess
import tempfile
import time
from itertools import pairwise
from pathlib import Path

from harness import OURS, Column, Growth, Question, Row

MODES, ELEMENT = 30, "hexS2"
STEPS = ("assembly", "factorisation", "modes", "static")
CALCULIX = {"hexS2": "C3D20", "tet2": "C3D10"}
PEER = "CalculiX"
PROGRAMS = (PEER, OURS, f"{OURS}, SuperLU", "pipeline")


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
    solve = factorise(K)
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
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
        subprocess.run(["ccx", "-i", "job"], cwd=directory, check=True, capture_output=True)
        seconds = time.perf_counter() - start
        table = Path(directory, "job.dat").read_text().split("NO")[1]
    rows = [line.split() for line in table.splitlines()]
    first = next(float(r[2]) for r in rows if len(r) == 5 and r[0] == "1")
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return {
        "unknowns": len(solid.free),
        "wall": seconds,
        "cpu": used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime,
        "GB": used.ru_maxrss / 1e6,
        "f1": first / 6.283185307179586,
    }


def measure(program: str, asked: int) -> Row:
    """Measure in this process, which must be fresh."""
    if program == PEER:
        return calculix(asked, ELEMENT)
    if program == "pipeline":
        return bare(asked, ELEMENT)
    return product(asked, ELEMENT, "superlu" if "SuperLU" in program else "pardiso")


def remarks(rows: list[Row]) -> list[str]:
    """Ratios of the CPU times, and agreement of the frequencies."""
    theirs = {row["asked"]: row for row in rows if row["program"] == PEER}
    both = [row for row in rows if row["program"] != PEER and row["asked"] in theirs]
    if not both:
        return []
    ratios = [
        f"{row['unknowns']:,} unknowns {row['cpu'] / theirs[row['asked']]['cpu']:.2f}"
        for row in both
        if row["program"] == OURS
    ]
    off = max(abs(row["f1"] / theirs[row["asked"]]["f1"] - 1.0) for row in both)
    said = f"CPU time of ours over CalculiX': {'; '.join(ratios)}."
    return [f"{said} First frequencies agree to {off:.0e}."]


QUESTION = Question(
    name="reduction_solid",
    measure=measure,
    cases=tuple(
        {"program": program, "asked": asked}
        for asked in (10_000, 30_000, 100_000)
        for program in PROGRAMS
    ),
    smoke=tuple({"program": program, "asked": 500} for program in PROGRAMS),
    columns=(
        Column("unknowns", "unknowns", ",d"),
        Column("program", "program"),
        Column("wall", "wall s", ".1f"),
        Column("cpu", "CPU s", ".1f"),
        Column("GB", "GB", ".2f"),
        Column("coordinates", "coordinates"),
        Column("load", "load", ".1f"),
    ),
    growths=(
        Growth("unknowns", "cpu", labels=("unknowns", "CPU time / s")),
        Growth("unknowns", "GB", labels=("unknowns", "memory / GB")),
    ),
    remarks=remarks,
)
