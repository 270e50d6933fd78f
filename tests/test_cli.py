"""Command line: contract of `cases` and `run`, exit codes, one-line errors."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner

import fecontact
from fecontact.case.exit_codes import (
    DEBUG,
    EXIT_FAILED,
    EXIT_INPUT,
    EXIT_INTERRUPTED,
    EXIT_MISSED,
    EXIT_PIPE,
)
from fecontact.case.registry import case_folder, case_names
from fecontact.cli import app
from fecontact.files.plain import UNLIMITED
from fecontact.kernels.notice import QUIET

DISC = "jehle/elastic_disc"
PLATE = "jehle/annular_plate"


def invoke(*arguments):
    return CliRunner().invoke(app, [str(a) for a in arguments])


def set_options(settings):
    return [part for setting in settings for part in ("--set", setting)]


def test_version():
    assert invoke("--version").stdout.strip() == fecontact.__version__


def test_cases_as_json():
    rows = json.loads(invoke("cases", "--json").stdout)
    assert [row["name"] for row in rows] == case_names()
    disc = next(row for row in rows if row["name"] == DISC)
    assert disc["verifies"] == disc["proves"] == ["Jehle T21"]
    assert set(disc) == {"name", "title", "verifies", "proves", "quick_s"}


def test_cases_as_table():
    text = invoke("cases").stdout
    assert DISC in text
    assert PLATE in text


@pytest.mark.parametrize(
    ("case", "settings", "words"),
    [
        (DISC, ["thickness=-0.005"], ["thickness", "-0.005", "> 0"]),
        (DISC, ["thickness=nan"], ["thickness", "nan", "finite"]),
        (DISC, ["inner_radius=0.12"], ["inner_radius", "0.12", "outer_radius"]),
        (DISC, ["poisson=0.5"], ["poisson", "0.5", "between -1 and 0.5"]),
        (DISC, ["ring_points=0"], ["ring_points", "0", ">= 3"]),
        (DISC, ["ring_points=8"], ["ring_points", "8", "at least 9"]),
        (
            DISC,
            ["plate_speed=300"],
            ["plate_speed", "300", "slip", "another speed than clutch_speed"],
        ),
        (DISC, ["contact_radius=0.2"], ["contact_radius", "0.2", "outer_radius"]),
        (DISC, ["friction=-0.1"], ["friction", "-0.1", ">= 0"]),
        (DISC, ["no_such=1"], ["no_such", "known", "thickness"]),
        (DISC, ["thickness"], ["thickness", "key=value"]),
        (DISC, ["thickness=thin"], ["thickness", "thin", "float"]),
        (DISC, ["damping_rate=none"], ["damping_rate", "none", "partial, material"]),
        (PLATE, ["mesh=no_such.msh"], ["no_such.msh", "does not exist"]),
        (PLATE, ["edge=rim"], ["surface", "rim", "inner, outer"]),
        (PLATE, ["cells=9"], ["cells", "9", "multiple of 4"]),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(tmp_path, case, settings, words):
    out = tmp_path / "out"
    result = invoke("run", case, "--out", out, "--quick", *set_options(settings))
    assert result.exit_code == 2
    message = result.stderr.strip()
    assert "\n" not in message
    assert "Traceback" not in result.output
    for word in words:
        assert word in message
    assert not (out / "summary.json").exists()


def test_unknown_case():
    result = invoke("run", "jehle/no_such")
    assert result.exit_code == 2
    assert "jehle/no_such" in result.stderr
    assert "fecontact cases" in result.stderr


def test_modules_beside_a_script(tmp_path):
    """They are found as by Python itself."""
    (tmp_path / "numbers_of_mine.py").write_text("SPEED = 3.0\n", encoding="utf-8")
    (tmp_path / "own.py").write_text(
        "import fecontact as fc\nfrom numbers_of_mine import SPEED\n"
        "CASE = fc.Case('own', ('own',), fc.Parameters(), lambda run: run.note(str(SPEED)), 1)\n",
        encoding="utf-8",
    )
    result = invoke("run", tmp_path / "own.py", "--out", tmp_path / "out")
    assert result.exit_code == 0, result.stderr


def test_missing_script():
    result = invoke("run", "no_such.py")
    assert result.exit_code == 2
    assert "no_such.py" in result.stderr


@pytest.mark.parametrize("content", ["", "CASE = 1"])
def test_script_without_case(tmp_path, content):
    script = tmp_path / "script.py"
    script.write_text(content, encoding="utf-8")
    result = invoke("run", script)
    assert result.exit_code == 2
    assert "CASE" in result.stderr


def test_script_with_an_error_in_it(tmp_path):
    script = tmp_path / "script.py"
    script.write_text("import no_such_module\n", encoding="utf-8")
    result = invoke("run", script)
    assert result.exit_code == 2
    assert "no_such_module" in result.stderr


def test_output_folder_that_is_a_file(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("", encoding="utf-8")
    result = invoke("run", DISC, "--out", blocked / "sub", "--quick")
    assert result.exit_code == 2
    assert "output folder" in result.stderr
    assert "--out" in result.stderr


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_output_folder_without_permission(tmp_path):
    locked = tmp_path / "locked"
    locked.mkdir(mode=0o555)
    result = invoke("run", DISC, "--out", locked, "--quick")
    assert result.exit_code == 2
    assert "--out" in result.stderr


SCRIPT = """
from dataclasses import dataclass
from fecontact.case import Case, Parameters, quantity
from fecontact.errors import SolverError

@dataclass(frozen=True)
class P(Parameters):
    mass: float = quantity(2.0, "kg")
    cells: int = quantity(4, numerical=True)

def run(run):
    {body}

CASE = Case(title="small", verifies=("x",), parameters=P(), run=run, quick_s=1)
"""


def small_case(tmp_path, body, *arguments):
    script = tmp_path / "small.py"
    script.write_text(SCRIPT.format(body=body), encoding="utf-8")
    out = tmp_path / "out"
    result = invoke("run", script, "--out", out, *arguments)
    file = out / "summary.json"
    return result, json.loads(file.read_text(encoding="utf-8")) if file.exists() else None


ROW = 'run.check("m", run.parameters.mass, 2.0, kind="published", source="s", tolerance=0.1{})'


def test_exit_code_0_when_met(tmp_path):
    result, summary = small_case(tmp_path, ROW.format(""))
    assert result.exit_code == 0
    assert summary["status"] == "met"
    assert summary["case"] == "small"


def test_exit_code_1_when_missed(tmp_path):
    body = 'run.check("m", 3.0, 2.0, kind="published", source="s", tolerance=0.1)'
    result, summary = small_case(tmp_path, body)
    assert result.exit_code == 1
    assert summary["status"] == "missed"
    assert summary["checks"][0]["deviation"] == 1.0


def test_exit_code_3_when_a_solver_fails(tmp_path):
    result, summary = small_case(tmp_path, 'raise SolverError("no answer; try again")')
    assert result.exit_code == 3
    assert "no answer; try again" in result.stderr
    assert summary is None


def test_exit_code_130_when_interrupted(tmp_path):
    body = 'run.path("so_far.txt").write_text("data"); raise KeyboardInterrupt'
    result, summary = small_case(tmp_path, body)
    assert result.exit_code == 130
    assert (summary["status"], summary["checks"]) == ("interrupted", [])
    assert summary["files"] == ["so_far.txt"]
    assert (tmp_path / "out" / "so_far.txt").read_text() == "data"


def test_old_summary_is_removed_first(tmp_path):
    small_case(tmp_path, ROW.format(""))
    _, summary = small_case(tmp_path, 'raise SolverError("no")')
    assert summary is None


def test_old_files_are_removed_first(tmp_path):
    small_case(tmp_path, 'run.path("old.txt").write_text("old"); ' + ROW.format(""))
    foreign = tmp_path / "out" / "notes.txt"
    foreign.write_text("mine", encoding="utf-8")
    small_case(tmp_path, ROW.format(""))
    assert not (tmp_path / "out" / "old.txt").exists()
    assert foreign.read_text(encoding="utf-8") == "mine"


def test_reference_of_changed_parameter_is_not_applicable(tmp_path):
    result, summary = small_case(tmp_path, ROW.format(""), "--set", "mass=5")
    assert result.exit_code == 0
    assert summary["checks"][0]["status"] == "not_applicable"
    assert summary["parameters"]["mass"] == 5.0


def test_formula_stays_applicable(tmp_path):
    result, summary = small_case(tmp_path, ROW.format(", formula=True"), "--set", "mass=5")
    assert result.exit_code == 1
    assert summary["checks"][0]["status"] == "missed"


def test_varied_parameter_does_not_touch_the_row(tmp_path):
    _, summary = small_case(tmp_path, ROW.format(', varied=["mass"]'), "--set", "mass=2.05")
    assert summary["checks"][0]["status"] == "met"


def test_numerical_parameter_keeps_references(tmp_path):
    _, summary = small_case(tmp_path, ROW.format(""), "--set", "cells=8")
    assert summary["checks"][0]["status"] == "met"


def test_same_script_runs_by_python_itself(tmp_path):
    script = case_folder() / "jehle" / "annular_plate.py"
    root = str(Path(fecontact.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": root}
    done = subprocess.run(
        [sys.executable, script, "--quick", "--out", tmp_path, "--set", "cells=16"],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    summary = json.loads((tmp_path / "summary.json").read_text(encoding="utf-8"))
    assert summary["case"] == "jehle/annular_plate"
    assert done.returncode == (1 if summary["status"] == "missed" else 0)
    assert "2-D Morley" in done.stdout


def listens():
    """Let a child take SIGINT, which jobs in the background of a shell ignore."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_real_interrupt(tmp_path):
    """Ctrl-C reaches a running case as exit code 130, one line, no traceback."""
    script = tmp_path / "small.py"
    body = 'run.path("a").write_text("started"); __import__("time").sleep(60)'
    script.write_text(SCRIPT.format(body=body), encoding="utf-8")
    out = tmp_path / "out"
    root = str(Path(fecontact.__file__).parents[1])
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from fecontact.cli import main; main()",
            "run",
            script,
            "--out",
            out,
        ],
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": root},
        preexec_fn=listens,
    )
    deadline = time.monotonic() + 60.0
    while not (out / "a").exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    _, message = process.communicate(timeout=30)
    assert process.returncode == 130
    assert message.strip().startswith("interrupted")
    assert "\n" not in message.strip()


def test_unforeseen_error_is_one_line(tmp_path, monkeypatch):
    result, summary = small_case(tmp_path, "1 / 0")
    assert result.exit_code == 3
    assert "ZeroDivisionError" in result.stderr
    assert "FECONTACT_DEBUG" in result.stderr
    assert "\n" not in result.stderr.strip()
    assert summary is None


def test_output_file_that_cannot_be_written(tmp_path):
    out = tmp_path / "out"
    (out / "growth_over_frequency.png").mkdir(parents=True)
    result = invoke("run", DISC, "--out", out, "--quick", "--set", "sweep_points=3")
    assert result.exit_code == 2
    assert "growth_over_frequency.png" in result.stderr


def test_brackets_in_texts_are_kept(tmp_path):
    body = ROW.format("") + '; run.note("range [a, b] and [/red]")'
    result, _ = small_case(tmp_path, body)
    assert "range [a, b] and [/red]" in result.stdout
    assert "[/red]" in invoke("run", DISC, "--set", "thickness=[/red]").stderr


def test_broken_case_is_named_in_the_list(tmp_path, monkeypatch):
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "broken.py").write_text("1 / 0\n", encoding="utf-8")
    monkeypatch.setattr("fecontact.case.registry.case_folder", lambda: tmp_path)
    result = invoke("cases", "--json")
    assert result.exit_code == 0
    assert "broken.py" in result.stderr


def test_results_are_deterministic(tmp_path):
    summaries = []
    for number in range(2):
        out = tmp_path / str(number)
        invoke("run", DISC, "--quick", "--out", out, "--set", "sweep_points=5")
        summaries.append(json.loads((out / "summary.json").read_text(encoding="utf-8"))["checks"])
    assert summaries[0] == summaries[1]


def test_no_command_prints_the_help_and_a_wrong_one_an_error():
    nothing, wrong = invoke(), invoke("nonsense")
    assert nothing.exit_code == wrong.exit_code == 2
    assert "modes" in nothing.stdout
    assert nothing.stderr == ""
    assert wrong.stderr.startswith("error: ")
    assert len(wrong.stderr.strip().splitlines()) == 1


def test_help_tells_exit_codes_and_environment():
    """The codes of `exit_codes`, and the variables that readers and the guard look at."""
    said = " ".join(invoke("--help").stdout.split())
    for code in (EXIT_MISSED, EXIT_INPUT, EXIT_FAILED, EXIT_INTERRUPTED, EXIT_PIPE):
        assert f" {code} " in said
    for variable in (DEBUG, UNLIMITED, QUIET):
        assert f"{variable}=1" in said
