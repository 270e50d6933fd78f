"""The child process that renders: what it says, and what is said if it dies or hangs."""

from __future__ import annotations

import os

import pytest

from fecontact.view.pictures import offscreen

GOOD = """
import json, pathlib, sys
for name in json.load(sys.stdin):
    pathlib.Path(name).write_text("picture")
    print(name, flush=True)
"""
BROKEN = "import sys; sys.stdin.read(); sys.exit('ERR| no display')"
DEAF = "raise SystemExit(3)"
KILLED = "import os; os.abort()"
HANGING = "import time; print('one', flush=True); time.sleep(60)"


@pytest.fixture
def module(tmp_path, monkeypatch):
    """Make a module of the given text that a child process can run."""

    def make(text):
        (tmp_path / "renderer.py").write_text(text)
        path = [str(tmp_path), os.environ.get("PYTHONPATH", "")]
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join(path))
        return "renderer"

    return make


def test_targets_are_made(tmp_path, module):
    targets = [str(tmp_path / name) for name in ("a.png", "b.png")]
    assert offscreen.render_job(module(GOOD), targets, targets, 2, "pictures") is None
    assert (tmp_path / "b.png").read_text() == "picture"


def test_a_missing_target_is_a_failure(tmp_path, module):
    reason = offscreen.render_job(module(GOOD), [], [str(tmp_path / "c.png")])
    assert reason == "exit code 0"


@pytest.mark.parametrize(
    ("text", "words"), [(BROKEN, "no display"), (DEAF, "exit code 3"), (KILLED, "exit code -6")]
)
def test_a_dead_child_gives_its_reason(module, text, words):
    job = ["x" * 1_000_000]  # more than a pipe holds
    assert offscreen.render_job(module(text), job, ["none.png"]) == words


def test_a_silent_child_is_ended(module, monkeypatch):
    monkeypatch.setattr(offscreen, "TIMEOUT_S", 0.5)
    monkeypatch.setattr(offscreen, "BACKENDS", ("one",))
    assert offscreen.render_job(module(HANGING), [], ["none.png"]) == "no answer in 0.5 s"


def test_last_words_of_the_graphics_library():
    log = "first\n\x1b[0m\x1b[33m2026-01-01 (  1.1s) [  7F]Window:150   WARN| no library\x1b[0m\n"
    assert offscreen.last_words(log) == "no library"
    assert offscreen.last_words("") == ""
