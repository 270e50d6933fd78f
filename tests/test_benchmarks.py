"""The parts of the benchmarks that call kernels directly run, on few points."""

from __future__ import annotations

from pathlib import Path

import pytest

from fecontact.case.registry import load_module

FOLDER = Path(__file__).parents[1] / "benchmarks"


def test_step_of_the_clutch(monkeypatch):
    module = load_module(str(FOLDER / "clutch_transient.py"))
    monkeypatch.setattr(module, "repeated", module.repeated.py_func)  # its loop needs no compiling
    (step, bare), _ = module.step_cost(20, 4, steps=2, repeats=1)
    assert step > 0.0
    assert bare > 0.0


def test_evaluation_of_contacts(capsys, monkeypatch):
    module = load_module(str(FOLDER / "contact_evaluation.py"))
    in_turn = module.in_turn
    monkeypatch.setattr(module, "triad", lambda: 1e10)
    monkeypatch.setattr(module, "in_turn", lambda functions, repeats: in_turn(functions, 2))
    module.main(225)
    printed = capsys.readouterr().out
    for count in ("200", "225"):
        assert any(line.split()[:1] == [count] for line in printed.splitlines()), printed


def test_backends_agree(capsys, monkeypatch):
    """The benchmark compares the forces and the motions of both backends."""
    module = load_module(str(FOLDER / "contact_backends.py"))
    monkeypatch.setattr(module, "REPEATS", 1)
    module.main(around=8, shapes=6, harmonics=1, steps=(4, 4))
    printed = capsys.readouterr().out
    for word in ("compiled", "reference", "general"):
        assert word in printed


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.py")), ids=lambda path: path.stem)
def test_every_benchmark_can_be_loaded(path):
    assert load_module(str(path)).__doc__
