"""Sensors against closed forms, against markers asked one time after the other, and bad input."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc
from fecontact.system.sensors.batch import SensorBatch

OMEGA, LENGTH = 30.0, 0.4


def records(system, t, q, v, a, lam=None):
    """Records of given states."""
    parts = {"t": t, "q": q, "v": v, "a": a}
    parts["lam"] = np.zeros((len(t), len(system.rows))) if lam is None else lam
    return parts.__getitem__


def random_states(system, count=7, seed=3, size=1e-3):
    """Times, and states of a system near its reference position."""
    random = np.random.default_rng(seed)
    v, a, steps = random.standard_normal((3, count, system.size))
    q = np.array([system.move(system.reference, size * step) for step in steps])
    return np.linspace(0.0, 0.3, count), q, v, a


@pytest.fixture(scope="module")
def model():
    mesh = fc.solid_annulus(0.06, 0.11, 0.0, 0.01, 2, 16)
    return fc.reduce_model(fc.ElasticSolid(mesh, fc.STEEL, supports={"inner": "clamped"}), modes=4)


def test_rotating_arm_has_the_motion_of_a_circle():
    """A point at the distance l of an axis that turns by w t + b t^2/2: closed form."""
    arm = fc.RigidBody("arm", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0))
    tip = {of: fc.PointSensor(of, arm, (LENGTH, 0.0, 0.0), "x", of)
           for of in ("position", "displacement", "velocity", "acceleration")}  # fmt: skip
    system = fc.System([arm], sensors=tuple(tip.values()))
    t, b = np.linspace(0.0, 1.0, 11), 5.0
    angle, rate = OMEGA * t + 0.5 * b * t**2, OMEGA + b * t
    columns = (x[:, None] for x in (angle, rate, np.full_like(t, b)))
    found = SensorBatch(system, system.sensors).read(records(system, t, *columns))
    x, y = LENGTH * np.cos(angle), LENGTH * np.sin(angle)
    expected = [x, x - LENGTH, -rate * y, -b * y - rate**2 * x]
    assert np.allclose(found, np.column_stack(expected), rtol=1e-12, atol=1e-11)


@pytest.mark.parametrize("frame", ["fixed", "free", fc.TurningFrame((0.0, 0.0, 1.0), OMEGA)])
@pytest.mark.parametrize("of", ["position", "displacement", "velocity", "acceleration"])
def test_elastic_points_are_those_of_their_markers(model, frame, of):
    """Batches against the marker that is asked at one time after the other."""
    plate = fc.ElasticBody("plate", model, frame=frame)
    node = plate.node_near((0.11, 0.0, 0.01))
    along = np.array([0.6, 0.0, 0.8])
    system = fc.System([plate], sensors=[fc.PointSensor("rim", plate, node, along, of)])
    t, q, v, a = random_states(system)
    found = SensorBatch(system, system.sensors).read(records(system, t, q, v, a))[:, 0]
    from fecontact.results.path import point_history

    expected = point_history(plate, node, of, t, q, v, a) @ along
    assert np.allclose(found, expected, rtol=1e-9, atol=1e-9 * np.abs(expected).max())


@pytest.mark.parametrize("frame", ["fixed", "free", fc.TurningFrame((0.0, 0.0, 1.0), OMEGA)])
def test_in_its_frame_a_plate_shows_its_deformation_alone(model, frame):
    """However the frame moves: Phi e, Phi e' and Phi e'', with Phi of the nodes of the model."""
    plate = fc.ElasticBody("plate", model, frame=frame)
    rim = plate.node_near((0.11, 0.0, 0.01))
    kinds = {"displacement": "x", "velocity": "y", "acceleration": "z"}
    sensors = [fc.PointSensor(of, plate, rim, to, of, axes="body") for of, to in kinds.items()]
    system = fc.System([plate], sensors=sensors)
    t, q, v, a = random_states(system)
    found = SensorBatch(system, sensors).read(records(system, t, q, v, a))
    node = int(np.argmin(np.linalg.norm(model.geometry.points - rim, axis=1)))
    for i, history in enumerate((q, v, a)):
        for k, row in enumerate(history):
            u = model.reconstruct(np.concatenate([np.zeros(model.rigid), row[-model.size :]]))
            assert found[k, i] == pytest.approx(u[node, i], rel=1e-9, abs=1e-15)


def test_seen_from_a_turning_shaft_a_point_that_turns_with_it_stands_still():
    """Two bodies on one axis: the second turns by an angle more, and that is what is seen."""
    shaft, plate = (
        fc.RigidBody(name, 1.0, ("uz", "rz"), inertia=(1.0, 1.0, 1.0)) for name in ("a", "b")
    )
    at = (LENGTH, 0.0, 0.0)
    seen = [fc.PointSensor(of, plate, at, "y", of, relative_to=shaft, axes="body")
            for of in ("displacement", "velocity", "acceleration")]  # fmt: skip
    plain = [fc.PointSensor("space", plate, at, "z", relative_to=(shaft, (0.0, 0.0, 0.0)))]
    system = fc.System([shaft, plate], sensors=[*seen, *plain])
    t, small, rate = np.linspace(0.0, 0.1, 5), 1e-2, 0.3
    turn = OMEGA * t
    q = np.column_stack([0.1 * t, turn, 0.3 * t, turn + small + rate * t])
    v = np.tile([0.1, OMEGA, 0.3, OMEGA + rate], (5, 1))
    found = SensorBatch(system, system.sensors).read(records(system, t, q, v, np.zeros_like(v)))
    angle = small + rate * t
    expected = LENGTH * np.array([np.sin(angle), rate * np.cos(angle), -(rate**2) * np.sin(angle)])
    assert np.allclose(found[:, :3], expected.T, rtol=1e-9, atol=1e-12)
    assert np.allclose(found[:, 3], 0.2 * t)


def test_disc_shows_its_rim_and_its_hub():
    """On a hub the rim moves by c + W q, with the deflection of `model.shapes`."""
    plate = fc.HarmonicPlate(0.06, 0.12, 0.004, fc.STEEL, {"inner": "clamped"}, elements=4)
    disc = fc.SpinningDisc("disc", fc.reduce_harmonic(plate, 0.1, 2, 1), 300.0, hub=fc.Hub(0.2))
    names = {"rim": (0.0, 0.12, 0.0), "hub": "hub"}
    sensors = [fc.PointSensor(name, disc, point, "z", "velocity") for name, point in names.items()]
    sensors.append(fc.PointSensor("bending", disc, (0.0, 0.12, 0.0), relative_to=(disc, "hub")))
    system = fc.System([disc], sensors=sensors)
    t, q, v, a = random_states(system)
    found = SensorBatch(system, sensors).read(records(system, t, q, v, a))
    w = disc.model.shapes(np.array([0.0]), np.array([0.12])).value[0]
    assert np.allclose(found[:, 0], v[:, 2] + v[:, 3:] @ w, rtol=1e-12)
    assert np.allclose(found[:, 1], v[:, 2])
    assert np.allclose(found[:, 2], q[:, 3:] @ w, rtol=1e-12)
    seen = fc.PointSensor("x", disc, (0.0, 0.12, 0.0), relative_to=(disc, "hub"), axes="body")
    with pytest.raises(fc.InputError, match="have no axes"):
        SensorBatch(system, [seen])


def test_radial_and_tangential_directions_follow_the_place_of_the_point():
    body = fc.RigidBody("body", 1.0, ("ux", "uy", "uz"), position=(0.1, 0.1, 0.0))
    ways = [fc.PointSensor(way, body, direction=way) for way in ("radial", "tangential")]
    system = fc.System([body], sensors=ways)
    t, q, v, a = random_states(system)
    found = SensorBatch(system, ways).read(records(system, t, q, v, a))
    half = 0.5**0.5
    assert np.allclose(found, q @ np.array([[half, half, 0.0], [-half, half, 0.0]]).T)
    on_axis = fc.RigidBody("on axis", 1.0, ("ux",))
    with pytest.raises(fc.InputError, match="on the z axis has no radial direction"):
        SensorBatch(fc.System([on_axis]), [fc.PointSensor("r", on_axis, direction="radial")])


def test_spring_and_hinge_pull_with_what_newton_demands():
    """Force of a spring -c x; of a hinge m (l w^2 - g cos) along a hanging pendulum."""
    mass = fc.RigidBody("mass", 2.0, ("ux",))
    spring = fc.SpringDamper(None, mass, 800.0, point_a=(-0.5, 0.0, 0.0), name="spring")
    bob = fc.RigidBody("bob", 2.0, ("ux", "uy", "rz"), (0.1, 0.1, 0.2), (0.0, -LENGTH, 0.0))
    hinge = fc.Revolute(None, bob, point_b=(0.0, LENGTH, 0.0), name="hinge")
    weight = fc.Gravity([bob], (0.0, -9.81, 0.0))
    sensors = [
        fc.LoadSensor("pull", spring, "x"),
        fc.LoadSensor("hinge", "hinge", "y"),
        fc.LoadSensor("weight", weight, (0.0, -2.0, 0.0), on="bob"),
    ]
    system = fc.System([mass, bob], [spring, hinge, weight], sensors)
    start = {"mass.ux": 0.3, "bob.rz": OMEGA, "bob.ux": LENGTH * OMEGA}
    state = system.consistent(system.state(q={"mass.ux": 1e-3}, v=start)).state
    a, lam = system.accelerations(state)
    parts = (x[None] for x in (state.q, state.v, a, lam))
    found = SensorBatch(system, sensors).read(records(system, np.zeros(1), *parts))[0]
    expected = -0.8, 2.0 * (LENGTH * OMEGA**2 + 9.81), 2.0 * 9.81
    assert np.allclose(found, expected, rtol=1e-9)


WRONG = {
    "unknown body 'plat'": lambda b: fc.PointSensor("x", "plat"),
    "unknown item": lambda b: fc.LoadSensor("x", "spring"),
    "invalid name of a sensor = 'a.b'": lambda b: fc.PointSensor("a.b", b),
    "of = speed": lambda b: fc.PointSensor("x", b, of="speed"),
    "direction = up": lambda b: fc.PointSensor("x", b, direction="up"),
    "does not deform": lambda b: fc.PointSensor("x", b, axes="body"),
    "direction = normal of a moment": lambda b: fc.LoadSensor("x", "c", "normal", "moment"),
    "expected a body, an item, or its name": lambda b: fc.PointSensor("x", 3),
}


@pytest.mark.parametrize("words", WRONG)
def test_bad_input_is_one_line(words):
    body = fc.RigidBody("body", 1.0, ("ux",))
    with pytest.raises(fc.InputError) as caught:
        SensorBatch(fc.System([body]), [WRONG[words](body)])
    assert words.split("'")[0] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_body_that_does_not_tell_a_load_is_refused(model):
    plate = fc.ElasticBody("plate", model, frame="fixed")
    node = plate.node_near((0.11, 0.0, 0.01))
    pull = fc.SpringDamper(None, plate, 1e3, point_b=node, point_a=(0.2, 0.0, 0.01), name="pull")
    with pytest.raises(fc.InputError, match="none of the dofs ux, uy, uz"):
        SensorBatch(fc.System([plate], [pull]), [fc.LoadSensor("x", pull)])


def test_a_load_is_read_on_the_body_that_tells_it():
    """A gear on a wheel that only turns: the force is that on the shaft, which can move."""
    shaft = fc.RigidBody("shaft", 1.0, ("ux", "rz"), inertia=(1.0, 1.0, 1.0))
    wheel = fc.RigidBody("wheel", 1.0, ("rz",), (1.0, 1.0, 1.0), (0.1, 0.0, 0.0))
    spring = fc.SpringDamper(shaft, wheel, 1e3, point_a=(0.0, 0.0, 0.0), point_b=(0.1, 0.0, 0.0))
    system = fc.System([shaft, wheel], [spring], [fc.LoadSensor("pull", "spring", "x")])
    batch = SensorBatch(system, system.sensors)
    assert batch.describe()[0]["what"] == "force of spring on shaft along x"
    q = np.array([[1e-3, 0.0, 0.0]])
    none = np.zeros((1, 3))
    assert batch.read(records(system, np.zeros(1), q, none, none))[0, 0] == pytest.approx(-1.0)


def test_names_of_sensors_differ():
    body = fc.RigidBody("body", 1.0, ("ux",))
    with pytest.raises(fc.InputError, match="'x', used twice"):
        fc.System([body], sensors=[fc.PointSensor("x", body), fc.PointSensor("x", body)])
    with pytest.raises(fc.InputError, match="expected a PointSensor or a LoadSensor"):
        fc.System([body], sensors=["x"])
