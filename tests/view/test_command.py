"""Command `fecontact view` and the scripts of postprocess/: files, words, bad input in one line."""

from __future__ import annotations

import runpy
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from fecontact.cli import app
from fecontact.view.gallery import signal
from fecontact.view.pictures import animation, offscreen

SCRIPTS = Path(__file__).parents[2] / "postprocess"
PNG = b"\x89PNG"


def view(*arguments):
    return CliRunner().invoke(app, ["view", *(str(a) for a in arguments)])


def script(monkeypatch, name, *arguments):
    """Run a script as from the command line; return its exit code."""
    monkeypatch.setattr(sys, "argv", [name, *(str(a) for a in arguments)])
    with pytest.raises(SystemExit) as stop:
        runpy.run_path(str(SCRIPTS / name), run_name="__main__")
    return stop.value.code


def test_without_options_it_says_what_is_there_and_draws_the_usual(result, tmp_path):
    said = view(result.run.path)
    assert said.exit_code == 0, said.stderr
    assert "facing (16 points)" in said.stdout
    for name in ("history", "energy", "states"):
        assert (tmp_path / f"run_{name}.png").read_bytes().startswith(PNG)
        assert f"run_{name}.png" in said.stdout


def test_chosen_plots_go_to_the_folder(result, tmp_path):
    folder = tmp_path / "new" / "pictures"
    asked = ("--plot", "phase:plate.x", "--plot", "phase:plate.c", "--out", folder)
    said = view(result.run.path, *asked)
    assert said.exit_code == 0, said.stderr
    assert sorted(file.name for file in folder.iterdir()) == ["run_phase.png", "run_phase2.png"]


def test_without_graphics_it_ends_well_and_says_so(result, monkeypatch):
    monkeypatch.setattr(offscreen.sys, "executable", "/bin/false")
    said = view(result.run.path, "--animate", "gif", "--frames", 2)
    assert said.exit_code == 0, said.stderr
    assert "no off-screen graphics here (exit code 1)" in said.stdout
    assert "--vtk" in said.stdout


def test_options_reach_the_animation(result, monkeypatch):
    asked = {}
    monkeypatch.setattr(
        animation, "animate", lambda motion, target, **o: asked.update(o, to=target)
    )
    said = view(result.run.path, "--animate", "gif", "--exaggeration", "20", "--frames", 7)
    assert said.exit_code == 0, said.stderr
    assert asked == {"exaggeration": 20.0, "frames": 7, "to": result.run.path.with_suffix(".gif")}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--plot", "pie"), "invalid plot = pie: expected one of history"),
        (("--plot", "history:plate.nothing"), "plate.nothing"),
        (("--animate", "avi"), "invalid animate = avi: expected one of gif, mp4"),
        (("--animate", "gif", "--exaggeration", "big"), "exaggeration = big"),
        (("--out", __file__), "cannot be used"),
    ],
)
def test_bad_input_is_one_line(result, options, words):
    said = view(result.run.path, *options)
    assert said.exit_code == 2
    assert words in said.stderr
    assert len(said.stderr.strip().splitlines()) == 1


def test_missing_and_foreign_files_are_refused(tmp_path):
    assert view(tmp_path / "none.h5").exit_code == 2
    (tmp_path / "text.h5").write_text("no result")
    said = view(tmp_path / "text.h5")
    assert said.exit_code == 2
    assert "text.h5" in said.stderr


def test_script_hysteresis_prints_the_work(result, monkeypatch, capsys):
    names = ("plate.e1", "facing.force.x")
    assert script(monkeypatch, "hysteresis.py", result.run.path, *names) == 0
    x, force = (signal(result, name) for name in names)
    work = float(np.sum(0.5 * (force[1:] + force[:-1]) * np.diff(x)))
    assert f"{work:.6g}" in capsys.readouterr().out
    assert result.run.path.with_name("run_hysteresis.png").is_file()


def test_script_spectrum_prints_the_highest_peak(result, monkeypatch, capsys):
    """x = cos(0.5 k) at 1 kHz is 79.6 Hz; 24 times have a resolution of 42 Hz."""
    assert script(monkeypatch, "spectrum.py", result.run.path, "plate.c") == 0
    first = float(capsys.readouterr().out.split()[0])
    assert first == pytest.approx(500.0 / (2.0 * np.pi), abs=42.0)


def test_script_contact_map_draws_every_instant(result, monkeypatch):
    assert script(monkeypatch, "contact_map.py", result.run.path, "--times", 0.0, 0.01) == 0
    for number in range(2):
        assert result.run.path.with_name(f"run_map{number}.png").read_bytes().startswith(PNG)


def test_script_animation_says_why_there_is_none(result, monkeypatch, capsys):
    monkeypatch.setattr(offscreen.sys, "executable", "/bin/false")
    assert script(monkeypatch, "animation.py", result.run.path, "--frames", 2) == 0
    assert "no off-screen graphics" in capsys.readouterr().out


@pytest.mark.parametrize("name", ["animation.py", "contact_map.py"])
def test_scripts_refuse_a_missing_file(name, tmp_path, monkeypatch, capsys):
    assert script(monkeypatch, name, tmp_path / "none.h5") == 2
    assert "does not exist" in capsys.readouterr().err
