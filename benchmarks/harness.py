"""What the benchmarks share: questions, CPU time, rows of their own process, JSON, tables, plots.

A question is a measurement that is repeated for some cases: programs and sizes. Each row of its
table is measured in a process of its own with one thread, after a call that compiles and warms up;
the least CPU time of a few repeats counts. Rows are kept in `results/NAME.json` as they come, so an
interrupted run goes on where it stopped. Table, fitted exponents and the log-log plot of
`docs/benchmarks.md` are made from that file.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import importlib.util
import json
import math
import os
import platform
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "benchmarks.md"
PICTURES = ROOT / "docs" / "pictures"
CHECKOUT = Path(os.environ.get("BENCHMARK_CHECKOUT", ROOT))
"""Folder with the package that is measured; the benchmarks are these ones."""
SYSTEM_PYTHON = "/usr/bin/python3"
"""Interpreter that sees Debian's packages."""
OURS = "fecontact"
THREADS = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "MKL", "OPENBLAS", "NUMBA")}
THREADS |= {"CCX_NPROC_EQUATION_SOLVER": "1", "CI": "1"}

Row = dict[str, Any]


class MeasurementError(RuntimeError):
    """A case that ended with an error."""


def cpu(
    function: Callable[[], object],
    warm_up: Callable[[], object] | None = None,
    repeats: int = 3,
    least: float = 0.2,
    most: float = 10.0,
) -> float:
    """Least CPU time in s of some calls after a first one, or after a shorter warm-up.

    There are `repeats` calls; more until they have taken `least` s, none after `most` s.
    """
    (warm_up or function)()
    times: list[float] = []
    while len(times) < repeats or sum(times) < least:
        start = time.process_time()
        function()
        times.append(time.process_time() - start)
        if sum(times) > most:
            break
    return min(times)


@dataclass(frozen=True)
class Peer:
    """A program beside ours: how to see whether it is there, which one, how to get it."""

    version: Callable[[], str | None]
    install: str


def _distribution(name: str) -> Callable[[], str | None]:
    def version() -> str | None:
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return None

    return version


def _debian(package: str, command: Sequence[str]) -> Callable[[], str | None]:
    """Version of a Debian package, if a command that uses it works."""

    def version() -> str | None:
        if not shutil.which(command[0]):
            return None
        if subprocess.run(command, capture_output=True).returncode not in (0, 201):
            return None  # ccx -v ends with 201
        asked = ["dpkg-query", "--show", "--showformat=${Version}", package]
        told = subprocess.run(asked, capture_output=True, text=True)
        return told.stdout or "unknown"

    return version


PEERS = {
    "Exudyn": Peer(_distribution("exudyn"), "pip install 'fecontact[bench]'"),
    "Tamaas": Peer(_distribution("tamaas"), "pip install 'fecontact[bench]'"),
    "FElupe": Peer(_distribution("felupe"), "pip install 'fecontact[bench]'"),
    "CVODE": Peer(_distribution("scikit-sundae"), "pip install 'fecontact[bench]'"),
    "Siconos": Peer(
        _debian("python3-siconos", [SYSTEM_PYTHON, "-c", "import siconos.kernel"]),
        "apt-get install python3-siconos",
    ),
    "CalculiX": Peer(_debian("calculix-ccx", ["ccx", "-v"]), "apt-get install calculix-ccx"),
}
"""By the first word of a program's name in the tables."""


@cache
def peer_version(program: str) -> str | None:
    """Version of the peer that a program needs; "" if it needs none, None if it is missing."""
    peer = PEERS.get(program.split()[0].rstrip(","))
    return peer.version() if peer else ""


@dataclass(frozen=True)
class Column:
    """A column of a table: key of the rows, its head, and how a value is written."""

    key: str
    head: str
    form: str = "g"

    def cell(self, row: Row) -> str:
        """Value of a row in words."""
        value = row.get(self.key)
        if value is None:
            return ""
        return value if isinstance(value, str) else format(value, self.form)


SHORT = 50.0
"""Range of an axis below which the numbers between its decades are written too."""
SHORTEST = 2.0
"""Ends of a vertical axis, at least: what hardly changes is a flat line."""


@dataclass(frozen=True)
class Growth:
    """A panel with logarithmic axes: y over x, a line for each value of the keys `by`."""

    x: str
    y: str
    by: tuple[str, ...] = ("program",)
    labels: tuple[str, str] = ("", "")
    where: Row = field(default_factory=dict)
    exponent: bool = True

    def lines(self, rows: Iterable[Row]) -> dict[str, list[tuple[float, float]]]:
        """Points of each line, in the order of x."""
        found: dict[str, list[tuple[float, float]]] = {}
        for row in rows:
            x, y = (row.get(key) or 0.0 for key in (self.x, self.y))
            asked = all(row.get(key) == value for key, value in self.where.items())
            if asked and x > 0.0 and y > 0.0:
                name = ", ".join(str(row[key]) for key in self.by)
                found.setdefault(name, []).append((x, y))
        return {name: sorted(points) for name, points in found.items()}

    def exponents(self, rows: Iterable[Row]) -> str:
        """Slopes of all lines by least squares, in words; "" if there are none."""
        import numpy as np

        fits = []
        for name, points in self.lines(rows).items():
            x, y = np.log(np.array(points, dtype=float)).T
            if len(set(x)) > 1:
                fits.append(f"{name} {np.polyfit(x, y, 1)[0]:.2f}")
        label = self.labels[1].split(" / ")[0]
        return f"{label} over {self.x}: {', '.join(fits)}" if fits else ""


@dataclass(frozen=True)
class Question:
    """A measurement, its cases, and how the answer is shown.

    Parameters
    ----------
    name
        Name of the module, of the file of results, and of the place in the docs.
    measure
        Measures one case, given as keywords, in this process; returns what it found.
    cases
        Cases of the table. The key `program` names ours or a peer.
    smoke
        A tiny case of each kind, for the tests.
    columns, growths
        Table and panels of the plot.
    remarks
        Sentences below the table, from all rows.
    """

    name: str
    measure: Callable[..., Row]
    cases: tuple[Row, ...]
    smoke: tuple[Row, ...]
    columns: tuple[Column, ...]
    growths: tuple[Growth, ...] = ()
    remarks: Callable[[list[Row]], Iterable[str]] = lambda rows: ()

    def markdown(self, rows: list[Row]) -> str:
        """Table with exponents and remarks."""
        lines = ["| " + " | ".join(column.head for column in self.columns) + " |"]
        lines.append("|" + "---|" * len(self.columns))
        for row in rows:
            lines.append("| " + " | ".join(column.cell(row) for column in self.columns) + " |")
        fits = [growth.exponents(rows) for growth in self.growths if growth.exponent]
        notes = [*self.remarks(rows)]
        if any(fits):
            notes.append("Exponents, " + "; ".join(fit for fit in fits if fit) + ".")
        return "\n".join([*lines, *(line for note in notes for line in ("", note))])

    def plot(self, rows: list[Row], path: Path) -> None:
        """One panel for each growth."""
        import matplotlib as mpl

        mpl.use("Agg")
        import matplotlib.pyplot as plt
        from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter

        shown = [growth for growth in self.growths if growth.lines(rows)]
        if not shown:
            return
        size = (4.6 * len(shown), 3.8)
        figure, panels = plt.subplots(1, len(shown), figsize=size, layout="constrained")
        for axes, growth in zip([panels] if len(shown) == 1 else panels, shown, strict=True):
            lines = growth.lines(rows)
            compared = any(name.startswith(OURS) for name in lines)
            for name, points in lines.items():
                style = "s--" if compared and not name.startswith(OURS) else "o-"
                axes.loglog(*zip(*points, strict=True), style, markersize=4, label=name)
            axes.set(xlabel=growth.labels[0], ylabel=growth.labels[1])
            low, high = axes.get_ylim()
            middle, half = math.sqrt(low * high), math.sqrt(SHORTEST)
            axes.set_ylim(min(low, middle / half), max(high, middle * half))
            for axis in (axes.xaxis, axes.yaxis):  # short axes need numbers between the decades
                low, high = axis.get_view_interval()
                short = high < SHORT * low
                axis.set_minor_locator(LogLocator(10.0, subs=(2.0, 5.0)))
                if short:
                    axis.set_major_formatter(FuncFormatter(_plainly))
                axis.set_minor_formatter(FuncFormatter(_plainly) if short else NullFormatter())
            axes.grid(which="both", alpha=0.3)
            axes.legend(fontsize="small")
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=120)
        plt.close(figure)


def _plainly(value: float, _: Any) -> str:
    """Number at a tick, without powers of ten."""
    return f"{value:,.0f}" if value >= 1000.0 else f"{value:.3g}"


def versions(row: Row) -> dict[str, str]:
    """Versions of the program of a row, of ours and of what both stand on."""
    names = (OURS, "numpy", "scipy", "numba")
    found = {name: importlib.metadata.version(name) for name in names}
    told = peer_version(row.get("program", OURS))
    return found | ({row["program"].split()[0]: told} if told else {})


def revision(folder: Path = ROOT) -> str:
    """Commit of the sources, "" outside of a checkout."""
    asked = ["git", "-C", str(folder), "rev-parse", "--short", "HEAD"]
    told = subprocess.run(asked, capture_output=True, text=True)
    return told.stdout.strip() if told.returncode == 0 else ""


def machine() -> dict[str, Any]:
    """Processor and interpreter."""
    found = {"processor": platform.machine(), "cores": os.cpu_count()}
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        names = [line for line in cpuinfo.read_text().splitlines() if "model name" in line]
        found["processor"] = names[0].split(":")[1].strip() if names else found["processor"]
    return found | {"python": platform.python_version()}


def finished(question: Question, case: Row) -> Row:
    """Measure a case in this process; adds the peak of its memory in GB."""
    found = question.measure(**case)
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return {"GB": peak / 1e6} | case | found | {"versions": versions(case)}


def in_process(name: str, case: Row, folder: Path = ROOT, most: float | None = None) -> Row:
    """Measure a case in a fresh process with one thread, with the package of a folder.

    It may take `most` seconds.
    """
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    environment = os.environ | THREADS | {"PYTHONPATH": path, "BENCHMARK_CHECKOUT": str(folder)}
    command = [sys.executable, str(ROOT / "benchmarks" / "run.py"), "--row", name, json.dumps(case)]
    load = os.getloadavg()[0]
    how: dict[str, Any] = {"capture_output": True, "text": True, "cwd": folder, "timeout": most}
    try:
        answer = subprocess.run(command, env=environment, **how)
    except subprocess.TimeoutExpired as error:
        raise MeasurementError(f"{name} {case} took more than {most:g} s") from error
    if answer.returncode:
        raise MeasurementError(f"{name} {case} failed:\n{answer.stdout}{answer.stderr}")
    found = json.loads(answer.stdout.splitlines()[-1])
    return found | {"load": load, "revision": revision(folder)}


def system_python(script: Path, *words: object) -> Row:
    """Answer, one line of JSON, of a script that Debian's interpreter runs."""
    command = [SYSTEM_PYTHON, str(script), *map(str, words)]
    environment = {key: value for key, value in os.environ.items() if key != "PYTHONPATH"}
    answer = subprocess.run(command, env=environment | THREADS, capture_output=True, text=True)
    if answer.returncode:
        raise RuntimeError(f"{script.name} {words} failed:\n{answer.stdout}{answer.stderr}")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1e6
    return json.loads(answer.stdout.splitlines()[-1]) | {"GB": peak}


def kept(script: str, key: str, compute: Callable[[], Sequence[Any]]) -> list[Any]:
    """Arrays of a reference that takes long, kept in out/ as long as the script is the same."""
    import numpy as np

    own = hashlib.sha256(Path(script).read_bytes()).hexdigest()[:12]
    path = ROOT / "out" / "benchmarks" / f"{Path(script).stem}-{key}-{own}.npz"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez(path, *compute())
    with np.load(path) as file:
        return [file[name] for name in file.files]


def between(rows: Sequence[Row], error: float, x: str = "error", y: str = "cpu") -> float | None:
    """Cost at an error by interpolation of logarithms; None beyond what was measured."""
    import numpy as np

    points = sorted((row[x], row[y]) for row in rows)
    errors, costs = np.log(np.array(points)).T
    if not errors[0] <= np.log(error) <= errors[-1]:
        return None
    return float(np.exp(np.interp(np.log(error), errors, costs)))


def ratio_at_equal_error(ours: Sequence[Row], peer: Sequence[Row]) -> tuple[float, float] | None:
    """Cost of ours over that of a peer at the smallest error that both reach; and that error.

    The error is the smallest that is between those of both, so that both costs are interpolated.
    """
    if not ours or not peer:
        return None
    error = max(min(row["error"] for row in rows) for rows in (ours, peer))
    costs = [between(rows, error) for rows in (ours, peer)]
    if None in costs:
        return None
    return costs[0] / costs[1], error
