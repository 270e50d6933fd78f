"""Command `stability`: tables, pictures, maps that go on, and one-line errors."""

from __future__ import annotations

from dataclasses import replace

import pytest
from typer.testing import CliRunner

from fecontact.cli import app
from fecontact.fem import STEEL, ElasticSolid
from fecontact.mesh import block
from fecontact.reduction import reduce_model, save_reduced

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


def test_sweep_finds_the_boundary_by_root_finding(tmp_path):
    """Closed form of the undamped onset 0.75; dampers of 20 N s/m move it to 0.75045."""
    options = ("--set", "damping=20", "--sweep", "friction=0.4:1.2:5", "--out", str(tmp_path))
    result = invoke(CASE, *options)
    assert result.exit_code == 0, result.output
    row = next(line for line in result.output.splitlines() if "0.75045" in line)
    assert [cell.strip() for cell in row.split("│")][4] == "1.2"  # where the largest growth is
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


def test_stateful_friction(tmp_path):
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
        (("--map", "friction=0.4:1.2"), "two ranges are needed"),
        (("--map", "friction=0.4:1.2", "--seed", "3"), "two ranges are needed"),
        (("--map", "friction=0.4:1.2", "friction=0.5:1.0"), "given twice"),
        (("--fresh",), "expected --map"),
        (("--band", "300"), "A:B in Hz"),
        (("--band", "900:300"), "low < high"),
        (("--band", "low:high"), "A:B in Hz"),
        (("--band", "1000:2000"), "no mode lies in the band"),
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


SCRIPT = """
from dataclasses import dataclass, replace
from fecontact.case import Case, Parameters, quantity
from fecontact.case.registry import load_module
from fecontact.system import System

coupling = load_module("classic/mode_coupling")
DAMPING = 20.0
PRESSED = True


@dataclass(frozen=True)
class Own(Parameters):
    friction: float = quantity(0.8)
    angle_1: float = quantity(2.618, "rad")


def build(p):
    system = coupling.build(
        coupling.ModeCoupling(friction=p.friction, angle_1=p.angle_1, damping=DAMPING)
    )
    forces = [i for i in system.items[len(system.bodies):] if PRESSED or i.name != "force"]
    return System(system.bodies, [*forces, *system.constraints])


CASE = Case("own", (), Own(), run=lambda run: None, quick_s=1, system=build)
"""


@pytest.fixture
def script(tmp_path):
    path = tmp_path / "own.py"
    path.write_text(SCRIPT)
    return path


def test_a_map_of_another_script_is_refused(script, tmp_path):
    """A constant inside the script changes: the points in the folder belong to another machine."""
    options = (str(script), "--map", "friction=0.2:1.4", "angle_1=2.4:2.8", "--seed", "2",
               "--levels", "0", "--out", str(tmp_path / "out"))  # fmt: skip
    assert invoke(*options).exit_code == 0
    script.write_text(SCRIPT.replace("DAMPING = 20.0", "DAMPING = 2000.0"))
    refused = invoke(*options)
    assert refused.exit_code == 2
    assert "spring 1.damping = 20.0 in the file, 2000.0 now" in refused.output
    assert "--fresh" in refused.output
    assert len(refused.output.strip().splitlines()) == 1
    fresh = invoke(*options, "--fresh")
    assert fresh.exit_code == 0, fresh.output
    assert "flutter" not in fresh.output
    assert invoke(*options).output == fresh.output


PAD = """
from dataclasses import dataclass
from pathlib import Path
from fecontact.body import ElasticBody, RigidBody
from fecontact.case import Case, Parameters, quantity
from fecontact.contact import ContactPair, CoulombSliding, PenaltyNormal, Plane, RigidFace
from fecontact.contact.surface.points import elastic_surface
from fecontact.joint import Bearing, Force, DofCoordinate, PrescribedMotion, Speed
from fecontact.reduction import load_reduced
from fecontact.system import System


@dataclass(frozen=True)
class Own(Parameters):
    friction: float = quantity(0.3)
    load: float = quantity(200.0, "N")


def build(p):
    model = load_reduced(Path(__file__).with_name("body.h5"))
    pad = ElasticBody("pad", model, frame="fixed", damping=1e-3)
    belt = RigidBody("belt", 0.5, ("ux", "uz"))
    face, law = elastic_surface(pad, "z_min"), PenaltyNormal(1e11, 1e3)
    contact = ContactPair(pad, face, RigidFace(belt, Plane()), law, CoulombSliding(p.friction))
    drive = PrescribedMotion(DofCoordinate(belt, "ux"), Speed(1.0), level="velocity", name="drive")
    rest = drive, Bearing(belt, 0.0, 1e4, axial_damping=5.0), Force(belt, (0.0, 0.0, p.load))
    return System([pad, belt], [contact, *rest])


CASE = Case(title="pad", proves=(), parameters=Own(), run=lambda run: None, quick_s=1, system=build)
"""


def test_a_map_of_another_body_file_is_refused(tmp_path):
    """The script stays, body.h5 beside it is made anew: of a pad with a density 1 % higher."""

    def reduced(density):
        mesh = block(0.06, 0.02, 0.01, cells=(3, 1, 1))
        steel = replace(STEEL, density=density)
        solid = ElasticSolid(mesh, steel, supports={"z_max": "clamped"})
        save_reduced(reduce_model(solid, contact="z_min", modes=2), tmp_path / "body.h5")

    path = tmp_path / "pad.py"
    path.write_text(PAD)
    options = (str(path), "--map", "friction=0.2:0.4", "load=100:200", "--seed", "1",
               "--levels", "0", "--out", str(tmp_path / "out"))  # fmt: skip
    reduced(7800.0)
    first = invoke(*options)
    assert first.exit_code == 0, first.output
    assert invoke(*options).exit_code == 0
    reduced(7878.0)
    refused = invoke(*options)
    assert refused.exit_code == 2
    assert "pad.model.basis = array" in refused.output
    assert "--fresh" in refused.output


def test_a_verdict_without_load_is_refused(script, tmp_path):
    script.write_text(SCRIPT.replace("PRESSED = True", "PRESSED = False"))
    refused = invoke(str(script), "--out", str(tmp_path / "out"))
    assert refused.exit_code == 2
    assert "no contact carries load ('contact')" in refused.output
    assert "--open" in refused.output
    assert not (tmp_path / "out").exists()
    allowed = invoke(str(script), "--open", "--sweep", "friction=0.4:1.2:3",
                     "--out", str(tmp_path / "out"))  # fmt: skip
    assert allowed.exit_code == 0, allowed.output
    assert allowed.stdout.startswith("no contact carries load")
    assert "stable; contact: 0 points slide, 0 stick, 1 open" in allowed.stdout
    assert "mode coupling" not in allowed.stdout


def test_what_grows_outside_the_band_is_said(tmp_path):
    """The squeal of Jehle's disc, 1277 Hz, is not in a band from 2 to 4 kHz."""
    result = invoke("jehle/elastic_disc", "--band", "2000:4000", "--out", str(tmp_path))
    assert result.exit_code == 0, result.output
    assert "stable from 2000 to 4000 Hz; contact" in result.output
    assert "outside the band 1 mode grows, up to +1" in result.output
    assert "1/s at 127" in result.output
    default = invoke("jehle/elastic_disc", "--out", str(tmp_path))
    assert "unstable from 0 to 5569 Hz ('plate' is valid to 5569 Hz); contact" in default.output


def test_case_without_a_system():
    result = invoke("classic/beams")
    assert result.exit_code == 2
    assert "declares no system" in result.output
