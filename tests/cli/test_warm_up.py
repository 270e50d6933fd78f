"""Command `warm-up`: its models run, and it says what it does."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest
from typer.testing import CliRunner

from fecontact.cli import app, warm_up


@pytest.mark.parametrize("name", warm_up.MODELS)
def test_models_run(name):
    warm_up.MODELS[name]()


@pytest.fixture
def in_threads(monkeypatch):
    """Models that only count, in threads of this process."""
    called = []
    monkeypatch.setattr(
        warm_up, "ProcessPoolExecutor", lambda jobs, mp_context: ThreadPoolExecutor(jobs)
    )
    names = ("first", "second")
    models = {name: lambda name=name: called.append(name) for name in names}
    monkeypatch.setattr(warm_up, "MODELS", models)
    return called


def test_each_model_is_told(in_threads):
    answer = CliRunner().invoke(app, ["warm-up", "--jobs", "1"])
    assert answer.exit_code == 0
    lines = answer.output.splitlines()
    assert [line.split()[-1] for line in lines[:2]] == ["first", "second"] == in_threads
    assert lines[-1].startswith("kernels are compiled: ")


def test_processes_are_at_least_one(in_threads):
    answer = CliRunner().invoke(app, ["warm-up", "--jobs", "0"])
    assert answer.exit_code == 2
    assert not in_threads
