"""Command `simulate`: how does a case move in time, from its steady state or from rest."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

import fecontact
from fecontact.analysis.stability.disturbance import Disturbance, disturbance
from fecontact.analysis.steady.equilibrium import steady_state
from fecontact.case.build import CaseBuild
from fecontact.cli.motion_report import report
from fecontact.cli.simulation_request import REQUEST, RESULT, check_folder, parse_options
from fecontact.drafts import make_folder, write_file
from fecontact.errors import POSITIVE, InputError, SolverError, check, one_of
from fecontact.files.plain import plain_file, reading
from fecontact.integrate import simulate
from fecontact.integrate.base import METHODS
from fecontact.results.hdf5.writer import discard
from fecontact.results.result import Result
from fecontact.results.summary import compare, listed_files, write_summary
from fecontact.system import State, System

__all__ = ["Asked", "Plan", "answer"]

PERIODS, SAMPLES, STEPS = 30, 20, 80
"""Periods of the leading mode that are simulated by default; outputs and steps in one of them."""
FEW = 200
"""Contact points up to which the leading mode has their bristles as states."""
STEPPED = ("implicit", "moreau")
"""Methods that get a step from the leading mode; the others choose their own."""


@dataclass(frozen=True)
class Asked:
    """What was asked for, and is kept beside the result; numbers that are None follow from it."""

    case: str
    settings: tuple[str, ...] = ()
    time: float | None = None
    method: str = "implicit"
    step: float | None = None
    output: float | None = None
    start: str = "steady"
    disturbance: float = 1e-7
    options: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        check("method", self.method, one_of(METHODS))
        check("start", self.start, one_of(("steady", "rest")))
        check("disturbance", self.disturbance, POSITIVE, "m")
        for name in ("time", "step", "output"):
            value = getattr(self, name)
            if value is not None:
                check(name, value, POSITIVE, "s")
        parse_options(self.options)

    def write(self, folder: Path) -> None:
        """Keep it beside the result."""
        content = {f.name: getattr(self, f.name) for f in fields(self)}
        write_file(folder / REQUEST, (json.dumps(content, indent=2) + "\n").encode())

    @staticmethod
    def read(folder: Path) -> Asked:
        """What was asked for when the run of a folder began."""
        file = plain_file(folder / REQUEST)
        with reading(file, words="is damaged or no request of a simulation"):
            content = json.loads(file.read_bytes())
            for name in ("settings", "options"):
                content[name] = tuple(content[name])
            return Asked(**content)


@dataclass(frozen=True)
class Plan:
    """A simulation as it will be run: all numbers are known."""

    system: System
    asked: Asked
    start: State | None
    mode: Disturbance | None

    @staticmethod
    def of(system: System, asked: Asked) -> Plan:
        """Start, time span and steps that follow from the steady state and its leading mode."""
        if asked.start == "rest":
            if asked.time is None:
                raise InputError(
                    "no --time: expected the time to simulate in s, as a start from rest has no "
                    "leading mode that tells one"
                )
            output = asked.output or asked.time / (PERIODS * SAMPLES)
            return Plan(system, replace(asked, output=output), None, None)
        steady = steady_state(system).state
        mode = disturbance(system, steady, friction=_friction(system))
        if mode.frequency == 0.0:
            if asked.time is None:
                raise InputError("no --time: expected one, as the leading mode does not oscillate")
            output = asked.output or asked.time / (PERIODS * SAMPLES)
            found = replace(asked, output=output)
            return Plan(system, found, mode.start(asked.disturbance), mode)
        period = 1.0 / mode.frequency
        step = asked.step or (period / STEPS if asked.method in STEPPED else None)
        found = replace(asked, time=asked.time or PERIODS * period, step=step)
        output = found.output or float(found.time or 0.0) / max(
            1, round(float(found.time or 0.0) / period * SAMPLES)
        )
        return Plan(system, replace(found, output=output), mode.start(asked.disturbance), mode)

    def run(self, file: Path, restart: bool) -> Result:
        """Simulate into a file, or go on with the one that is there."""
        asked = self.asked
        options: dict[str, Any] = parse_options(asked.options)
        if asked.step is not None:
            options["step"] = asked.step
        how = {"restart": file} if restart else {"start": self.start, "store": file}
        simulate(self.system, float(asked.time or 0.0), method=asked.method, output=asked.output,
                 **how, **options)  # fmt: skip
        return Result.load(file, self.system)


def answer(
    name: str,
    going_on: bool,
    fresh: bool,
    plot: Sequence[str],
    out: Path,
    **typed: Any,
) -> int:
    """Simulate a case, and say what its signals do."""
    check_folder(out, going_on, fresh)
    asked = _asked(name, going_on, out, typed)
    build = CaseBuild(name, asked.settings)
    plan = Plan.of(build(), asked)
    console = Console(width=None if sys.stdout.isatty() else 120, emoji=False)
    make_folder(out)
    file = out / RESULT
    if not going_on:
        _clear(out)
    plan.asked.write(out)
    _say_plan(console, plan, file)
    start = time.perf_counter()
    about = {"case": build.name, "parameters": dict(build.parameters.to_dict())}
    try:
        motion = plan.run(file, going_on)
    except KeyboardInterrupt:
        with suppress(InputError):
            _summary(out, about, start, [RESULT], None)
        raise
    except SolverError:
        if file.exists():  # what there is before the failure often shows its cause
            report(console, Result.load(file, plan.system), plan.mode, plot, out)
        raise
    files = [RESULT, REQUEST, *report(console, motion, plan.mode, plot, out)]
    missed = _summary(out, about, start, files, motion)
    console.print(f"{len(files)} files and summary.json in {out}", highlight=False, markup=False)
    return int(missed)


def _friction(system: System) -> str:
    """How the leading mode sees friction: with the bristles of few points, sliding with many."""
    points = sum(item.points for item in system.stateful_contacts)
    return "state" if 0 < points <= FEW else "coulomb"


def _asked(name: str, going_on: bool, out: Path, typed: Mapping[str, Any]) -> Asked:
    """What is typed; of a run that goes on what was asked then, with a new time if one is typed."""
    given = {key: value for key, value in typed.items() if value is not None and value != ()}
    if not going_on:
        return Asked(name, **given)
    before = Asked.read(out)
    if Path(before.case).name != Path(name).name:
        raise InputError(f"the run in {out} is of case '{before.case}', not of '{name}'")
    for key, value in given.items():
        if key != "time" and value != getattr(before, key):
            raise InputError(
                f"invalid {key} = {value} with --continue: expected {getattr(before, key)}, as it "
                "began; only --time may be longer"
            )
    time = _on_grid(given.get("time", before.time), before.output)
    return replace(before, case=name, time=time)


def _on_grid(time: float | None, output: float | None) -> float | None:
    """Time at which a run that goes on ends: the records keep their interval."""
    return time if time is None or output is None else max(1, round(time / output)) * output


def _clear(out: Path) -> None:
    """Remove what an earlier run of this command has left."""
    for listed in listed_files(out):
        listed.unlink(missing_ok=True)
    (out / "summary.json").unlink(missing_ok=True)
    discard(out / RESULT)


def _say_plan(console: Console, plan: Plan, file: Path) -> None:
    asked, mode = plan.asked, plan.mode
    begin = "from rest"
    if mode is not None:
        begin = (
            f"from steady sliding, disturbed by {asked.disturbance:g} m in its leading mode "
            f"({mode.growth:+.4g} 1/s at {mode.frequency:.5g} Hz)"
        )
    step = "" if asked.step is None else f", steps of {asked.step:.4g} s"
    text = f"{asked.time:.5g} s {begin}; method {asked.method}{step}; records in {file}"
    console.print(text, highlight=False, markup=False)


def _summary(
    out: Path, about: Mapping[str, Any], start: float, files: list[str], motion: Result | None
) -> bool:
    """Write the summary, of an interrupted run without a motion; whether the audit is missed."""
    rows = []
    if motion is not None and np.isfinite(motion.unaccounted):
        rows = [
            compare("energy not accounted for, of the exchanged", motion.unaccounted, 1e-3,
                    relation="le", kind="closed_form", source="energy audit")
        ]  # fmt: skip
    write_summary(
        out, **about, version=fecontact.__version__, elapsed_s=time.perf_counter() - start,
        files=[name for name in files if (out / name).is_file()], checks=rows,
        interrupted=motion is None,
    )  # fmt: skip
    return any(row.status == "missed" for row in rows)
