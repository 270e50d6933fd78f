"""Command `warm-up`: its models run, and it says what it does."""

from __future__ import annotations

import subprocess
import sys

import pytest
from typer.testing import CliRunner

from fecontact.cli import app, warm_up


@pytest.mark.parametrize("name", warm_up.MODELS)
def test_models_run(name):
    warm_up.MODELS[name]()


@pytest.fixture
def quick(monkeypatch):
    """Processes that do nothing in place of the models."""
    scripts = {"first": "", "second": ""}
    monkeypatch.setattr(warm_up, "MODELS", scripts)

    def started(name):
        command = [sys.executable, "-c", scripts[name]]
        return subprocess.Popen(command, stderr=subprocess.PIPE, text=True)

    monkeypatch.setattr(warm_up, "_started", started)
    return scripts


def test_each_model_is_told(quick):
    answer = CliRunner().invoke(app, ["warm-up", "--jobs", "1"])
    assert answer.exit_code == 0
    lines = answer.output.splitlines()
    assert [line.split()[-1] for line in lines[:2]] == ["first", "second"]
    assert lines[-1].startswith("kernels are compiled: ")


def test_a_model_that_fails_ends_the_others(quick):
    quick |= {"first": "import time; time.sleep(100)", "second": "raise SystemExit('no disk')"}
    answer = CliRunner().invoke(app, ["warm-up", "--jobs", "2"])
    assert answer.exit_code == 3
    assert "second: no disk" in answer.output


def test_processes_are_at_least_one(quick):
    answer = CliRunner().invoke(app, ["warm-up", "--jobs", "0"])
    assert answer.exit_code == 2


def test_a_process_runs_a_model(monkeypatch):
    """The command of a process is Python's; here of a name that is none of the models."""
    process = warm_up._started("no such model")
    words = process.communicate(timeout=60)[1]
    assert process.returncode == 1
    assert "KeyError: 'no such model'" in words
