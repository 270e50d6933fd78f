"""Compilation is announced by one line; on a terminal the name of the kernel comes and goes."""

from __future__ import annotations

import io
import sys

import pytest

from fecontact.kernels import notice
from fecontact.kernels.notice import ERASED, LINE, QUIET, end_compiling, say_compiling


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture(autouse=True)
def first(monkeypatch):
    monkeypatch.delenv(QUIET, raising=False)
    monkeypatch.setattr(notice, "_count", 0)


def named():
    """A kernel."""


def other():
    """Another."""


def compile_two():
    say_compiling(named)
    say_compiling(other)
    end_compiling()


def test_one_line_in_a_file(capsys):
    compile_two()
    compile_two()
    assert capsys.readouterr() == ("", f"{LINE}\n")


def test_names_on_a_terminal(monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(sys, "__stderr__", terminal)
    compile_two()
    assert terminal.getvalue() == f"{LINE}\n{ERASED}1: named{ERASED}2: other{ERASED}"


def test_a_progress_bar_is_left_alone(monkeypatch):
    """It replaces stderr while it is drawn."""
    bar = Terminal()
    monkeypatch.setattr(sys, "stderr", bar)
    compile_two()
    assert bar.getvalue() == f"{LINE}\n"


def test_quiet(monkeypatch, capsys):
    monkeypatch.setenv(QUIET, "1")
    compile_two()
    assert capsys.readouterr().err == ""


def test_a_program_without_stderr(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    compile_two()
