"""Command `new`: a script that runs, is analysed and simulated at once, by each template."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

import fecontact as fc
from fecontact.cli import app


def invoke(*arguments):
    return CliRunner().invoke(app, list(arguments))


def body(file, template):
    """A small body that fits a template."""
    if template == "clutch":
        mesh, held, name = fc.solid_annulus(0.06, 0.11, 0.0, 0.01, 2, 16), "inner", "top"
    else:
        mesh = fc.block(0.1, 0.04, 0.01, (4, 2, 1)).translated((0.0, 0.1, 0.0))
        held, name = ("z_max", "z_min") if template == "brake" else ("x_min", "z_max")
    solid = fc.ElasticSolid(mesh, fc.STEEL, "hex1", supports={held: "clamped"})
    fc.save_reduced(fc.reduce_model(solid, name, modes=4), file)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("template", ["clutch", "brake", "beam"])
def test_a_new_case_runs_and_is_analysed_and_simulated(tmp_path, monkeypatch, template):
    monkeypatch.chdir(tmp_path)
    body(tmp_path / "part.h5", template)
    made = invoke("new", "mine", "--body", "part.h5", "--template", template)
    assert made.exit_code == 0, made.output
    assert "fecontact simulate mine.py" in made.output
    ran = invoke("run", "mine.py")
    assert ran.exit_code == 0, ran.output
    assert "1 of 1 references met" in ran.output
    known = invoke("stability", "mine.py")
    assert known.exit_code == 0, known.output
    moved = invoke("simulate", "mine.py", "--time", "2e-4", "--step", "5e-6", "--output", "1e-5")
    assert moved.exit_code == 0, moved.output
    assert "normal velocity" in moved.output
    summary = json.loads((tmp_path / "out/mine/simulation/summary.json").read_text())
    assert summary["status"] == "met"
    assert {"history.png", "spectrum.png", "energy.png", "states.png"} <= {*summary["files"]}
    again = invoke("new", "mine", "--body", "part.h5", "--template", template)
    assert again.exit_code == 2
    assert "exists and is not replaced" in again.output


def test_a_body_in_millimetres_is_one_line(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    mesh = fc.solid_annulus(60.0, 110.0, 0.0, 10.0, 2, 16)
    solid = fc.ElasticSolid(mesh, fc.STEEL, "hex1", supports={"inner": "clamped"})
    fc.save_reduced(fc.reduce_model(solid, "top", modes=2), tmp_path / "mm.h5")
    refused = invoke("new", "mine", "--body", "mm.h5")
    assert refused.exit_code == 2
    assert "spans 220 m: expected at most 3 m; if its mesh is in mm" in refused.output
    assert not (tmp_path / "mine.py").exists()
