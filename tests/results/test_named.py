"""Signals of a result by name: sensors in memory and in files, defaults of plots and tables."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc
from fecontact.integrate.storing import Recorder
from fecontact.view.gallery import Request, plot_result


def sled(*sensors):
    """A sled on two runners that is pulled by a spring."""
    body = fc.RigidBody("sled", 2.0, ("ux", "uz"), position=(0.0, 0.0, 0.02))
    sole = fc.Surface(np.array([[-0.05, 0.0, -0.02], [0.05, 0.0, -0.02]]), np.array([1e-3, 1e-3]))
    face = fc.RigidFace(None, fc.Plane())
    laws = fc.PenaltyNormal(1e9, 1e5), fc.ElastoPlastic(0.2, 1e9, 1e4)
    runner = fc.ContactPair(body, sole, face, *laws, "runner")
    spring = fc.SpringDamper(None, body, 800.0, point_a=(-0.5, 0.0, 0.02), name="spring")
    weight = fc.Force(body, (0.0, 0.0, -20.0), name="weight")
    return fc.System([body], [runner, spring, weight], sensors)


SENSORS = (
    fc.PointSensor("heel speed", "sled", (-0.05, 0.0, -0.02), "x", "velocity"),
    fc.PointSensor("heel", "sled", (-0.05, 0.0, -0.02), "x"),
    fc.LoadSensor("pressing", "runner", "normal"),
    fc.LoadSensor("friction", "runner", "x"),
    fc.LoadSensor("torque", "runner", "y", "moment", about=(0.1, 0.0, 0.0)),
    fc.LoadSensor("pull", "spring", "x"),
)
OPTIONS = {"step": 5e-4, "output": 0.005}


def start(system):
    return system.state(q={"sled.uz": -1e-5}, v={"sled.ux": 0.5})


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """Motion of the sled in memory, and its file."""
    file, system = tmp_path_factory.mktemp("sled") / "sled.h5", sled(*SENSORS)
    return fc.simulate(system, 0.1, start(system), store=file, **OPTIONS), file


def test_file_and_memory_have_the_same_readings(stored):
    motion, file = stored
    result = fc.Result.load(file)
    assert list(result.sensors) == [sensor.name for sensor in SENSORS]
    for name in result.sensors:
        assert np.array_equal(result[name], motion[name])
        assert result.unit(name) == motion.unit(name)
    assert [result.unit(name) for name in ("heel", "torque")] == ["m", "N m"]
    assert np.array_equal(result.between(0.02, 0.06, 2)["heel"], motion["heel"][4:13:2])


def test_sensors_of_contacts_are_the_sums_of_their_fields(stored):
    motion, _ = stored
    contact = motion.contacts["runner"]
    assert np.allclose(motion["pressing"], contact.normal_force, rtol=1e-14)
    assert np.allclose(motion["friction"], contact.force[:, 0], rtol=1e-14, atol=1e-14)
    torque = contact.torque((0.0, 1.0, 0.0), (0.1, 0.0, 0.0))
    assert np.allclose(motion["torque"], torque, rtol=1e-12, atol=1e-14)


def test_sensors_of_a_sled_are_its_dofs_and_the_law_of_its_spring(stored):
    motion, _ = stored
    assert np.allclose(motion["heel"], motion["sled.ux"], rtol=1e-14)
    assert np.allclose(motion["heel speed"], motion["sled.ux'"], rtol=1e-14)
    x, z = 0.5 + motion["sled.ux"], motion["sled.uz"]
    length = np.hypot(x, z)
    assert np.allclose(motion["pull"], -800.0 * (length - 0.5) * x / length, rtol=1e-9, atol=1e-12)


def test_other_sensors_are_read_afterwards(stored):
    _, file = stored
    system = sled()
    result = fc.Result.load(file, system)
    speed = result.measure(fc.PointSensor("v", "sled", of="velocity", direction="x"))
    assert np.array_equal(speed, result["sled.ux'"])
    assert result.measure(*SENSORS[:2]).shape == (len(result), 2)
    with pytest.raises(fc.InputError, match="does not hold the system itself"):
        fc.Result.load(file).measure(SENSORS[0])


def test_a_run_that_goes_on_with_other_sensors_has_them_from_its_start(stored, tmp_path):
    _, file = stored
    system = sled(SENSORS[2])
    longer = tmp_path / "longer.h5"
    fc.simulate(system, 0.12, step=5e-4, output=0.005, restart=file, store=longer)
    result = fc.Result.load(longer)
    assert list(result.sensors) == ["pressing"]
    assert np.allclose(result["pressing"], result["runner.normal_force"], rtol=1e-14)


def test_they_are_in_the_file_while_the_run_goes_on(tmp_path, monkeypatch):
    """Whoever reads a growing file sees whole records, readings of sensors among them."""
    monkeypatch.setattr("fecontact.results.hdf5.writer.EVERY_S", 0.0)
    system, file, seen = sled(*SENSORS), tmp_path / "run.h5", []

    def look(point):
        if file.exists() and len(result := fc.Result.load(file)):
            seen.append((result["heel"], result["sled.ux"]))

    fc.simulate(system, 0.02, start(system), store=file, callback=look, **OPTIONS)
    assert seen
    assert all(np.allclose(heel, ux, rtol=1e-14) for heel, ux in seen)


def test_sensors_are_the_default_of_plots_and_tables(stored, tmp_path):
    motion, _ = stored
    assert motion.default_signals == tuple(sensor.name for sensor in SENSORS)
    figure = plot_result(motion, Request("history"))
    labels = [axes.get_ylabel() for axes in figure.axes]
    assert labels == ["velocity / (m/s)", "displacement / m", "force / N", "moment / (N m)"]
    assert plot_result(motion, Request("spectrum")).axes[0].get_ylabel() == "amplitude / (m/s)"
    motion.to_csv(tmp_path / "sled.csv")
    head = (tmp_path / "sled.csv").read_text(encoding="utf-8").splitlines()[0].split(",")
    assert head[:3] == ["t", "heel speed", "heel"]


def test_coordinates_of_modes_are_no_default_and_no_columns_beside_sensors(tmp_path):
    plate = fc.HarmonicPlate(0.06, 0.12, 0.004, fc.STEEL, {"inner": "clamped"}, elements=4)
    disc = fc.SpinningDisc("disc", fc.reduce_harmonic(plate, 0.1, 1, 1), 30.0, hub=fc.Hub(0.2))
    bearing = fc.Bearing(disc, 1e6, 1e6)
    rim = fc.PointSensor("rim", disc, (0.12, 0.0, 0.0))
    motions = {}
    for name, sensors in {"with": [rim], "without": []}.items():
        system = fc.System([disc], [bearing], sensors)
        begin = system.state(v={"disc.uz": 0.1})
        motions[name] = fc.simulate(system, 0.01, begin, step=1e-4, output=1e-3)
        motions[name].to_csv(tmp_path / f"{name}.csv")
    assert motions["without"].default_signals == ("disc.ux", "disc.uy", "disc.uz")
    assert motions["with"].default_signals == ("rim",)
    heads = {name: (tmp_path / f"{name}.csv").read_text().splitlines()[0] for name in motions}
    assert "disc.k0.0" in heads["without"]
    assert "disc.k0.0" not in heads["with"]
    assert "disc.uz" in heads["with"]


def test_a_result_says_on_which_body_a_load_acts(stored):
    motion, _ = stored
    what = {name: sensor["what"] for name, sensor in motion.sensors.items()}
    assert what["pull"] == "force of spring on sled along x"
    assert what["torque"] == "moment of runner on sled along y about (0.1, 0, 0)"


def test_a_wrong_sensor_is_refused_before_the_first_step(monkeypatch):
    monkeypatch.setattr(Recorder, "add", None)
    system = sled(fc.LoadSensor("x", "spring", on="plate"))
    with pytest.raises(fc.InputError, match="unknown body of 'spring' in sensor 'x' 'plate'"):
        fc.simulate(system, 0.1, start(system), **OPTIONS)


def test_signals_are_single_numbers_over_time(stored):
    motion, _ = stored
    assert np.array_equal(motion.signal("runner.pressure[1]"), motion["runner.pressure"][:, 1])
    assert np.array_equal(motion.signal("runner.force.x"), motion["runner.force"][:, 0])
    assert motion.unit("runner.pressure[1]") == "Pa"
    with pytest.raises(fc.InputError, match="no single number"):
        motion.signal("runner.pressure")


@pytest.mark.parametrize(("method", "error"), [("implicit", 1e-9), ("explicit", 1e-6)])
def test_a_weld_pulls_with_what_newton_and_euler_demand(method, error):
    """On the second body F = m a and M = J alpha; in the steps its weld has no multipliers."""
    a = fc.RigidBody("a", 1.0, ("ux", "uy", "rz"), (0.1, 0.1, 0.1))
    b = fc.RigidBody("b", 2.0, ("ux", "uy", "rz"), (0.1, 0.1, 0.2), (0.3, 0.0, 0.0))
    weld = fc.RigidJoint(a, b, point_b=(0.0, 0.0, 0.0), name="weld")
    hold = fc.Bearing(a, 400.0, 400.0, name="hold"), fc.TorsionSpring(None, a, 50.0, name="twist")
    sensors = [fc.LoadSensor("fx", weld, "x"), fc.LoadSensor("fy", weld, "y"),
               fc.LoadSensor("m", weld, "z", "moment"), fc.LoadSensor("back", weld, "y", on=a),
               fc.LoadSensor("hold x", "hold", "x")]  # fmt: skip
    system = fc.System([a, b], [weld, *hold], sensors)
    speeds = {"a.rz": 1.0, "b.rz": 1.0, "b.uy": 0.3}
    begin = system.consistent(system.state({"a.ux": 1e-2, "b.ux": 1e-2}, speeds)).state
    run = fc.simulate(system, 0.2, begin, method, 0.01, step=1e-4)
    assert run.statistics.compiled == 2000
    assert np.abs(run["fx"] - 2.0 * run["b.ux''"]).max() < error
    assert np.abs(run["fy"] - 2.0 * run["b.uy''"]).max() < error
    assert np.abs(run["m"] - 0.2 * run["b.rz''"]).max() < error
    assert np.array_equal(run["back"], -run["fy"])
    assert np.allclose(run["hold x"], -400.0 * run["a.ux"], rtol=1e-12)
    assert np.ptp(run["fy"]) > 1.0
