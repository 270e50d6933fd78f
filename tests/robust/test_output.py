"""Output that nobody reads or that cannot be written; plots of which one fails; wrong names."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from fecontact.case.registry import case_names
from fecontact.cli import app
from fecontact.errors import unknown


def piped(arguments, stdout):
    """Run a command with the given standard output; exit code and errors."""
    done = subprocess.run(
        [sys.executable, "-m", "fecontact", *map(str, arguments)], stdout=stdout,
        stderr=subprocess.PIPE, text=True, check=False, timeout=120,
    )  # fmt: skip
    return done.returncode, done.stderr


def test_reader_that_has_gone(small_result):
    """`fecontact export RESULT | head -0`, and a table of rich: no words, exit code of SIGPIPE."""
    for arguments in (["export", small_result.run.path], ["view", small_result.run.path]):
        reader, writer = os.pipe()
        os.close(reader)
        with os.fdopen(writer, "wb") as closed:
            assert piped(arguments, closed) == (141, "")


def test_output_that_cannot_be_written(small_result):
    with open("/dev/full", "wb") as full:
        code, errors = piped(["export", small_result.run.path], full)
    assert code == 2
    assert errors == "error: No space left on device\n"


AFTER_GMSH = """
import signal, sys
from pathlib import Path
signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # as gmsh.initialize leaves it
from fecontact.files import hdf5
from fecontact.files.hdf5 import check_hdf5
from fecontact.view.pictures.offscreen import render_job
file = Path(sys.argv[1])
check_hdf5(file)
[child] = hdf5._children.values()
child.poll = lambda: None  # it ends after it was asked whether it lives
child.kill(); child.wait()
hdf5._known.clear()
try:
    check_hdf5(file)
except ValueError as error:
    print(error)
sys.executable = "/bin/false"
print(render_job("nothing", "x" * 10**6, ["nowhere.png"]))
"""


def test_children_that_end_do_not_end_the_program(small_result):
    """Gmsh gives SIGPIPE back its power over the process; children of ours may end at any time."""
    done = subprocess.run(
        [sys.executable, "-c", AFTER_GMSH, str(small_result.run.path)],
        capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "HDF5 did not come to an end with it within 10 s, or broke off",
        "exit code 1",
    ]


def test_one_bad_plot_does_not_drop_the_others(small_result, tmp_path):
    asked = ["--plot", "history:mass.nothing", "--plot", "phase:mass.ux", "--plot", "energy"]
    said = CliRunner().invoke(
        app, ["view", str(small_result.run.path), *asked, "--out", str(tmp_path)]
    )
    assert said.exit_code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run_energy.png", "run_phase.png"]
    assert "history:mass.nothing: " in said.stderr
    assert sum(line.startswith("error: ") for line in said.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["run", "stability"])
@pytest.mark.parametrize(
    ("wrong", "right"),
    [("jehle/elastic-disc", "jehle/elastic_disc"), ("brake_disk", "classic/brake_disc"),
     ("bouncing", "classic/bouncing_ball")],
)  # fmt: skip
def test_wrong_case_name(command, wrong, right):
    said = CliRunner().invoke(app, [command, wrong])
    assert said.exit_code == 2
    assert f"unknown case '{wrong}'; closest: " in said.stderr
    assert right in said.stderr
    assert "fecontact cases" in said.stderr
    assert sum(name in said.stderr for name in case_names()) < 10


def test_no_name_is_close():
    many = [f"name_{i:03d}" for i in range(60)]
    text = str(unknown("case", "qqqqq", many))
    assert text.startswith("unknown case 'qqqqq'; known: name_000, ")
    assert text.endswith(", ... (of 60)")
