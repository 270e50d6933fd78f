"""Command `stability`: tables, pictures, maps that go on, and one-line errors."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from fecontact.cli import app

CASE = "classic/mode_coupling"


def invoke(*arguments):
    return CliRunner().invoke(app, ["stability", *arguments])


def test_operating_point_names_the_mechanism(tmp_path):
    result = invoke(CASE, "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "mode coupling (contact)" in result.output
    assert "friction by pressure" in result.output
    assert "unstable; contact: 1 points slide, 0 stick, 0 open" in result.output
    assert (tmp_path / "power.png").stat().st_size > 0


def test_stable_point_has_no_mechanism(tmp_path):
    result = invoke(CASE, "--set", "friction=0.3", "--set", "damping=20", "--out", str(tmp_path))
    assert result.exit_code == 0
    assert "mode coupling" not in result.output
    assert "stable; contact" in result.output


def test_sweep_finds_the_border_by_root_finding(tmp_path):
    """Closed form of the undamped onset 0.75; dampers of 20 N s/m move it to 0.75045."""
    options = ("--set", "damping=20", "--sweep", "friction=0.4:1.2:5", "--out", str(tmp_path))
    result = invoke(CASE, *options)
    assert result.exit_code == 0, result.output
    assert "0.75045" in result.output
    assert (tmp_path / "sweep_friction.png").stat().st_size > 0


def test_map_is_kept_and_goes_on(tmp_path):
    options = (CASE, "--set", "damping=20", "--map", "friction=0.2:1.4", "angle_1=2.4:2.8",
               "--seed", "3", "--levels", "1", "--out", str(tmp_path))  # fmt: skip
    first = invoke(*options)
    assert first.exit_code == 0, first.output
    assert "flutter" in first.output
    tiles = sorted((tmp_path / "map_friction_angle_1").glob("*.npz"))
    written = [tile.stat().st_mtime_ns for tile in tiles]
    assert written
    second = invoke(*options)
    assert second.output == first.output
    assert [tile.stat().st_mtime_ns for tile in tiles] == written
    assert (tmp_path / "map_friction_angle_1.png").stat().st_size > 0


def test_friction_with_memory(tmp_path):
    result = invoke(CASE, "--friction", "state", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "225.5" in result.output


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--sweep", "friction=0.4:1.2"), "KEY=A:B:N"),
        (("--sweep", "friction=a:b:3"), "KEY=A:B:N"),
        (("--sweep", "friction=0.4:1.2:1"), ">= 2"),
        (("--sweep", "fricton=0.4:1.2:3"), "fricton"),
        (("--sweep", "points=3:9:3"), "not a real number"),
        (("--map", "friction=0.4", "load=1:2"), "KEY=A:B"),
        (("--map", "friction=1.4:0.4", "load=1:2"), "low < high"),
        (("--friction", "sticky"), "friction"),
        (("--set", "friction=-1"), "friction"),
    ],
)
def test_bad_input_is_one_line(tmp_path, arguments, words):
    result = invoke(CASE, *arguments, "--out", str(tmp_path / "out"))
    assert result.exit_code == 2
    assert words in result.output
    assert len(result.output.strip().splitlines()) == 1
    assert not (tmp_path / "out").exists()


def test_case_without_a_system():
    result = invoke("classic/beams")
    assert result.exit_code == 2
    assert "declares no system" in result.output
