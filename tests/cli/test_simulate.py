"""Command `simulate`: growth in time, interruption and continuation, refusals of one line."""

from __future__ import annotations

import json

import numpy as np
import pytest
from typer.testing import CliRunner

import fecontact as fc
from fecontact.cli import app, simulate
from fecontact.cli.motion_report import strongest

SCRIPT = '''"""Oscillator: a mass on a spring that a negative damper feeds."""

from dataclasses import dataclass

import fecontact as fc


@dataclass(frozen=True)
class Oscillator(fc.Parameters):
    stiffness: float = fc.quantity(4e4, "N/m", fc.POSITIVE)
    damping: float = fc.quantity(-8.0, "N s/m")


def build(p):
    mass = fc.RigidBody("mass", 1.0, ("ux",))
    feed = fc.MatrixCoupling([mass], [[p.stiffness]], [[p.damping]])
    sensors = [fc.PointSensor("speed", mass, of="velocity", direction="x")]
    return fc.System([mass], [feed], sensors)


def main(run):
    """Nothing."""


CASE = fc.Case(__doc__, ("example",), Oscillator(), main, quick_s=1, system=build)
'''


def invoke(*arguments):
    return CliRunner().invoke(app, ["simulate", *arguments])


@pytest.fixture
def case(tmp_path):
    file = tmp_path / "oscillator.py"
    file.write_text(SCRIPT, encoding="utf-8")
    return str(file)


def test_growth_and_frequency_in_time_are_those_of_the_eigenvalue(case, tmp_path):
    """z = 4 +- i sqrt(4e4 - 16): 4 1/s at 31.82 Hz; 30 periods by default."""
    out = tmp_path / "out"
    result = invoke(case, "--out", str(out))
    assert "of small motions: +4 1/s at 31.825 Hz" in result.output, result.output
    motion = fc.Result.load(out / "result.h5")
    assert motion.t[-1] == pytest.approx(30.0 / 31.825, rel=1e-4)
    assert len(motion) == 601
    growth = np.polyfit(motion.t, np.log(np.hypot(motion["mass.ux"] * 200.0, motion["speed"])), 1)[
        0
    ]
    assert growth == pytest.approx(4.0, rel=0.02)
    frequency, _ = strongest(motion.t, motion["speed"])
    assert frequency == pytest.approx(31.825, rel=2e-3)
    assert {"history.png", "spectrum.png", "energy.png"} <= {path.name for path in out.iterdir()}


def test_an_interrupted_run_goes_on_as_if_it_had_not_stopped(case, tmp_path, monkeypatch):
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    options = (case, "--set", "damping=2", "--time", "0.4", "--output", "1e-3", "--step", "5e-4")
    assert invoke(*options, "--out", str(whole)).exit_code in (0, 1)
    run = simulate.simulate

    def stopped(system, t_end, **how):
        run(system, 0.15, **how)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(simulate, "simulate", stopped)
        result = invoke(*options, "--out", str(parts))
    assert result.exit_code == 130
    assert "--continue goes on with it" in result.output
    assert json.loads((parts / "summary.json").read_text())["status"] == "interrupted"
    assert len(fc.Result.load(parts / "result.h5")) == 151
    result = invoke(case, "--out", str(parts), "--continue")
    assert result.exit_code in (0, 1), result.output
    one, two = (fc.Result.load(folder / "result.h5") for folder in (whole, parts))
    assert np.array_equal(one.t, two.t)
    assert np.array_equal(one.q, two.q)
    assert np.array_equal(one["speed"], two["speed"])
    longer = invoke(case, "--out", str(parts), "--continue", "--time", "0.5")
    assert "files and summary.json" in longer.output, longer.output
    assert fc.Result.load(parts / "result.h5").t[-1] == pytest.approx(0.5)


def test_a_failed_run_shows_what_was_before_it(case, tmp_path, monkeypatch):
    run = simulate.simulate

    def failed(system, t_end, **how):
        run(system, 0.3, **how)
        raise fc.SolverError("t = 0.3 s: no step converges")

    monkeypatch.setattr(simulate, "simulate", failed)
    result = invoke(case, "--out", str(tmp_path / "out"))
    assert result.exit_code == 3
    assert "solver failed: t = 0.3 s" in result.output
    assert "leading mode over the whole motion" in result.output
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert {"result.h5", "history.png"} <= names
    assert "summary.json" not in names  # an unfinished run


def test_start_from_rest_needs_a_time_and_takes_options_of_the_method(case, tmp_path):
    assert "no --time" in invoke(case, "--start", "rest", "--out", str(tmp_path / "a")).output
    out = str(tmp_path / "b")
    result = invoke(case, "--start", "rest", "--time", "0.1", "--method", "ode", "--output", "1e-3",
                    "--option", "solver=LSODA", "--option", "rtol=1e-7", "--plot", "phase",
                    "--plot", "history:speed", "--plot", "history:mass.ux",
                    "--out", out)  # fmt: skip
    assert result.exit_code == 0, result.output
    assert "from rest; method ode" in result.output
    about = fc.Result.load(tmp_path / "b" / "result.h5").about
    assert (about["options"]["solver"], about["options"]["rtol"]) == ("LSODA", 1e-7)
    names = {path.name for path in (tmp_path / "b").iterdir()}
    assert {"phase.png", "history.png", "history2.png"} <= names


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--set", "stifness=1"), "unknown parameter 'stifness'"),
        (("--method", "euler"), "invalid method = euler"),
        (("--start", "flying"), "invalid start = flying"),
        (("--time", "-1"), "invalid time = -1"),
        (("--option", "rtol"), "--option rtol: expected key=value"),
        (("--option", "wrong=1", "--time", "0.1"), "wrong"),
        (("--continue",), "nothing to continue"),
        (("--continue", "--fresh"), "exclude each other"),
    ],
)
def test_bad_input_is_one_line_and_leaves_no_result(case, tmp_path, options, words):
    out = tmp_path / "out"
    result = invoke(case, *options, "--out", str(out))
    assert result.exit_code == 2
    assert words in result.output
    assert not (out / "result.h5").exists()


def test_a_result_is_replaced_only_if_asked_and_continued_only_as_it_began(case, tmp_path):
    options = (case, "--out", str(tmp_path / "out"), "--time", "0.05")
    assert "energy" in invoke(*options).output
    assert "--fresh replaces it" in invoke(*options).output
    other = invoke(*options, "--continue", "--step", "1e-5")
    assert "invalid step = 1e-05 with --continue" in other.output
    foreign = invoke("classic/mode_coupling", *options[1:], "--continue")
    assert "is of case" in foreign.output
    assert "energy" in invoke(*options, "--fresh").output


def test_sliding_friction_without_history_says_that_it_cannot_stick(tmp_path):
    result = invoke("jehle/elastic_disc", "--out", str(tmp_path), "--time", "0.004")  # fmt: skip
    words = " ".join(result.output.split())
    assert "friction of sliding points, which cannot stick" in words, result.output
