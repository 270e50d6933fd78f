"""Results by name from the file, without the system."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from fecontact.body import RigidBody
from fecontact.case import Parameters, Run
from fecontact.cli import app
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, Plane, RigidFace, Surface
from fecontact.errors import InputError
from fecontact.integrate import simulate
from fecontact.joint import Bearing, Force, Revolute
from fecontact.results import Result, Writer
from fecontact.results.hdf5.file import Header
from fecontact.system import System

SCRIPT = Path(__file__).parents[1] / "results" / "sliding_block.py"


@pytest.fixture(scope="module")
def sliding():
    """Short run of a block that slides on a plane: module, result file, trajectory."""
    spec = importlib.util.spec_from_file_location("sliding_block", SCRIPT)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def run(sliding, tmp_path_factory):
    path = tmp_path_factory.mktemp("run") / "block.h5"
    return path, sliding.run(path, 0.03)


@pytest.fixture
def result(run):
    return Result.load(run[0])


def test_histories(result, run):
    _, motion = run
    np.testing.assert_array_equal(result.t, motion.t)
    np.testing.assert_array_equal(result["block.ux"], motion.history("block.ux"))
    np.testing.assert_array_equal(result["block.ux'"], motion.history("block.ux", "velocity"))
    np.testing.assert_array_equal(result["block.rz''"], motion.history("block.rz", "acceleration"))
    np.testing.assert_array_equal(result.history("block.uy", of="velocity"), result["block.uy'"])
    np.testing.assert_array_equal(result["energy.slip"], motion.energies["slip"])
    assert result.statistics["steps"] == motion.statistics.steps
    assert result["statistics.steps"][-1] == motion.statistics.steps
    for name in result.names:
        assert len(result[name]) == len(result), name
    state = result.state(7)
    for name in ("q", "v", "lam", "z", "status", "slip_totals"):
        np.testing.assert_array_equal(getattr(state, name), getattr(motion.state(7), name))


def test_contact_sums_obey_newton(result):
    """Force and moment of the contact against m a + weight, and the moment about the centre."""
    foot, a = result.contacts["foot"], result.run.records("a")
    np.testing.assert_allclose(foot.force[1:, :2], a[1:, :2], rtol=1e-6, atol=1e-6)
    np.testing.assert_allclose(foot.force[1:, 2], a[1:, 2] + 9.80665, rtol=1e-6)
    x, y, _ = np.array((0.1, 0.06, 0.04)) / 2
    spin = np.array([foot.torque(about=np.r_[q[:2], 0.0])[k] for k, q in enumerate(result.q)])
    np.testing.assert_allclose(spin[1:], (x**2 + y**2) / 3 * a[1:, 5], rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(foot.normal_force, foot.force[:, 2], rtol=1e-3)
    np.testing.assert_allclose(foot.friction_force[:, :2], foot.force[:, :2], rtol=1e-2, atol=1e-3)
    counts = sum(result[f"foot.points_{status}"] for status in ("open", "stick", "slip", "gross"))
    np.testing.assert_array_equal(counts, 4)
    assert result["foot.points_slip"][5] == 4


def test_slip_work_and_path(result):
    """Slip work of the points: that of the audit, and friction mu p times the path.

    The points sum the work of each step, the audit integrates the power by the trapezoidal rule.
    """
    work, path = result["foot.slip_work"], result["foot.slip_path"]
    np.testing.assert_allclose(work.sum(axis=1), result["energy.slip"], rtol=1e-3)
    power = result["foot.point_slip_power"]
    np.testing.assert_allclose(power.sum(axis=1), result["foot.slip_power"], rtol=1e-13)
    np.testing.assert_allclose(power, result.contacts["foot"].weights * result["foot.heat_flux"])
    mean = 0.5 * (result["foot.pressure"][1:] + result["foot.pressure"][:-1])
    expected = 0.3 * result.contacts["foot"].weights * mean * np.diff(path, axis=0)
    np.testing.assert_allclose(np.diff(work, axis=0)[5:], expected[5:], rtol=0.05)
    speed = result["foot.slip_speed"]
    np.testing.assert_allclose(path[-1] - path[10], np.trapezoid(speed[10:], result.t[10:], axis=0),
                               rtol=1e-2)  # fmt: skip


def test_positions_turn_without_stretching(result, sliding):
    corners = result.positions(0)
    assert corners.shape == (31, len(result.geometry[0].points), 3)
    edges = np.linalg.norm(corners[:, 1:] - corners[:, :-1], axis=2)
    np.testing.assert_allclose(edges, np.broadcast_to(edges[0], edges.shape), rtol=1e-12)
    lowest = corners[:, :, 2].min(axis=1)
    np.testing.assert_allclose(lowest, result["foot.gap"].min(axis=1), atol=1e-12)


def test_parts_in_time(result):
    part = result.between(0.01, 0.0201, every=2)
    np.testing.assert_allclose(part.t, 0.01 + 0.002 * np.arange(6))
    np.testing.assert_array_equal(part["foot.pressure"], result["foot.pressure"][10:21:2])
    np.testing.assert_array_equal(part.state(-1).q, result.q[20])
    assert part.statistics["steps"] == result["statistics.steps"][20]
    with pytest.raises(InputError, match=r"no records from 1.0 s to inf s; there are 0 s to 0\.03"):
        result.between(1.0)
    with pytest.raises(InputError, match="index = 31"):
        result.state(31)


def test_names_that_do_not_exist(result):
    with pytest.raises(InputError, match=r"unknown history 'block\.uxx'; close names: block\.ux"):
        result["block.uxx"]
    with pytest.raises(InputError, match=r"close names: foot\.pressure"):
        result["foot.presure"]
    with pytest.raises(InputError, match=r'has no angle; take its velocity "block\.rz'):
        result["block.rz"]
    with pytest.raises(InputError, match=r"unknown history 'block\.ux'''"):
        result["block.ux'''"]
    with pytest.raises(InputError, match="axis = "):
        result.contacts["foot"].torque((0.0, 0.0, 0.0))


def test_text(result):
    text = str(result)
    for words in ("finished", "implicit", "31, 0 s to 0.03 s", "foot (4 points)", "steps 60"):
        assert words in text


def test_csv(result, tmp_path):
    """Numbers come back as they were; fields have a column per point."""
    result.to_csv(tmp_path / "a.csv", ["block.ux'", "foot.pressure", "foot.slip", "foot.force"])
    lines = (tmp_path / "a.csv").read_text().splitlines()
    names = lines[0].split(",")
    assert names[:4] == ["t", "block.ux'", "foot.pressure[0]", "foot.pressure[1]"]
    assert names[6:8] == ["foot.slip[0].x", "foot.slip[0].y"]
    assert names[-1] == "foot.force.z"
    table = np.array([[float(x) for x in line.split(",")] for line in lines[1:]])
    np.testing.assert_array_equal(table[:, 1], result["block.ux'"])
    np.testing.assert_array_equal(table[:, 6:18].reshape(-1, 4, 3), result["foot.slip"])
    with pytest.raises(InputError, match="cannot be written"):
        result.to_csv(tmp_path / "none" / "a.csv")


def test_reload_of_a_growing_file(tmp_path):
    """Without the simulation: records that come after the first look are seen by reload."""
    path = tmp_path / "run.h5"
    about = {name: [] for name in ("coordinates", "places", "rows", "contacts", "energies",
                                   "statistics", "geometry")}  # fmt: skip
    writer = Writer(path, Header(about | {"bodies": {}, "method": "implicit"}), {"t": 0.0})
    empty = Result.load(path)
    assert (len(empty), empty.status) == (0, "running")
    assert "records    0, none" in str(empty)
    writer.append({"t": 0.5})
    writer.flush()
    assert len(empty) == 0
    assert empty.reload().t.tolist() == [0.5]
    writer.close("finished")
    assert empty.reload().status == "finished"


def test_multipliers(tmp_path):
    """A pendulum at rest: the pin bears the weight, in the file too."""
    body = RigidBody("arm", 2.0, ("ux", "uy", "uz", "rx", "ry", "rz"), (0.1, 0.1, 0.1))
    pin = Revolute(None, body, point_b=(0.0, 0.0, 0.5), axis="y", name="pin")
    system = System([body], [pin, Bearing(body, 100.0, 0.0)])
    path = tmp_path / "run.h5"
    start = system.consistent(system.state(v={"arm.ry": 0.5}), keep=["arm.ry"]).state
    motion = simulate(system, 0.05, start, step=1e-3, output=0.01, store=path)
    result = Result.load(path)
    for row in system.rows:
        np.testing.assert_array_equal(result[row], motion.multiplier(row))


def test_export(run, tmp_path):
    path, _ = run
    runner = CliRunner()
    said = runner.invoke(app, ["export", str(path)])
    assert said.exit_code == 0
    assert "foot.pressure" in said.stdout
    done = runner.invoke(
        app, ["export", str(path), "--csv", "--names", "block.ux, foot.normal_force",
              "--out", str(tmp_path / "new")],
    )  # fmt: skip
    assert done.exit_code == 0, done.output
    table = np.genfromtxt(tmp_path / "new" / "block.csv", delimiter=",", names=True)
    np.testing.assert_array_equal(table["blockux"], Result.load(path)["block.ux"])
    played = runner.invoke(app, ["export", str(path), "--vtk", "--out", str(tmp_path)])
    assert played.exit_code == 0, played.output
    assert (tmp_path / "block" / "bodies.pvd").is_file()
    assert (tmp_path / "block" / "contacts.pvd").is_file()
    for arguments, words in (
        ([str(path), "--csv", "--names", "block.u"], "unknown history"),
        ([str(path), "--names", "block.ux"], "give --csv too"),
        ([str(tmp_path / "none.h5"), "--csv"], "does not exist"),
    ):
        refused = runner.invoke(app, ["export", *arguments])
        assert refused.exit_code == 2
        assert words in refused.output


def test_store_of_a_case(tmp_path):
    """A result that an interrupted run left does not stop the next one; a living one does."""
    run = Run(Parameters(), tmp_path)
    path = run.store("motion.h5")
    path.write_text("left over")
    assert run.store("motion.h5") == tmp_path / "motion.h5"
    assert not path.exists()
    assert run.files == ["motion.h5"]
    writer = Writer(path, Header({}), {"t": 0.0})
    with pytest.raises(InputError, match="being written by another run"):
        run.store("motion.h5")
    writer.close("finished")


def test_counters_that_a_method_does_not_keep(tmp_path):
    """The compiled loop does not count switches: the text must not say that there were none."""
    mass = RigidBody("mass", 1.0, ("ux", "uz"))
    foot = ContactPair(mass, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(None, Plane()),
                       PenaltyNormal(1e5, 99.0), ElastoPlastic(0.3, 1e5, 20.0), "foot")  # fmt: skip
    system = System([mass], [foot, Force(mass, (0.0, 0.0, -10.0))])
    start = system.state(q={"mass.uz": -1e-4}, v={"mass.ux": 0.05})
    for method, counted in {"explicit": False, "implicit": True}.items():
        path = tmp_path / f"{method}.h5"
        motion = simulate(system, 0.05, start, method, 1e-3, store=path)
        assert motion.switches
        assert ("to_stick" in str(Result.load(path))) is counted
