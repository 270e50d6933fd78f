"""`fecontact run` of a case in time, killed and continued: the file is that of a whole run."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from fecontact.cli import app
from fecontact.results import StoredRun

SCRIPT = Path(__file__).with_name("thrown_block.py")


def command(folder, method, begin="anew"):
    settings = ["--set", f"method={method}", "--set", f"begin={begin}"]
    return ["run", str(SCRIPT), "--out", str(folder), *settings]


def killed(folder, method, delay):
    """Start the case in another process, and kill it while it writes."""
    code = "from fecontact.cli import main; main()"
    arguments = [sys.executable, "-c", code, *command(folder, method)]
    process = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    path = folder / "motion.h5"
    while process.poll() is None and not (path.exists() and StoredRun.load(path).complete > 1):
        time.sleep(0.01)
    time.sleep(delay)
    process.kill()
    assert process.wait() < 0, process.stderr.read().decode()
    return StoredRun.load(path)


def kill_and_continue(folder, method, seed):
    whole = CliRunner().invoke(app, command(folder / "whole", method))
    assert whole.exit_code == 0, whole.output
    run = killed(folder / "killed", method, 0.1 * random.Random(seed).random())
    assert run.status == "killed"
    assert not (folder / "killed" / "summary.json").exists()
    assert 1 < run.complete < 61
    rest = CliRunner().invoke(app, command(folder / "killed", method, "continued"))
    assert rest.exit_code == 0, rest.output
    assert "1 of 1 references met" in rest.output
    a, b = (StoredRun.load(folder / name / "motion.h5") for name in ("whole", "killed"))
    assert (a.complete, a.shapes) == (b.complete, b.shapes)
    for name in a.shapes:
        np.testing.assert_array_equal(a.records(name), b.records(name), err_msg=name)
    assert len(np.unique(b.records("status"))) > 1  # contacts close, stick or slide


@pytest.mark.parametrize("method", ["implicit", "explicit"])
def test_killed_and_continued(tmp_path, method):
    kill_and_continue(tmp_path, method, 1)


@pytest.mark.slow
@pytest.mark.parametrize("method", ["implicit", "explicit"])
@pytest.mark.parametrize("seed", range(2, 7))
def test_killed_at_many_moments(tmp_path, method, seed):
    kill_and_continue(tmp_path, method, seed)
