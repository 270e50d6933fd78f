"""A run in memory and in its file answer the same questions in the same way."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.contact import (
    ContactPair,
    CoulombSliding,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidContact,
    RigidFace,
    Surface,
)
from fecontact.errors import InputError
from fecontact.integrate import Event, SimulationError, simulate
from fecontact.joint import Bearing, Force, Gravity, Revolute, SpringDamper
from fecontact.mesh import block
from fecontact.results import BodyGeometry, Result
from fecontact.results.memory import MemoryRun
from fecontact.system import System, posed

SOLE = Surface(np.array([[-0.05, 0.0, 0.0], [0.05, 0.0, 0.0]]), np.array([1e-3, 2e-3]))
GROUND = RigidFace(None, Plane())


def sled(points=None):
    """A mass on a spring that slides on two points, with a picture."""
    body = RigidBody("sled", 2.0, ("ux", "uz"), points=points or {})
    foot = ContactPair(body, SOLE, GROUND, PenaltyNormal(1e8, 1e4), ElastoPlastic(0.2, 1e8, 1e4),
                       "foot")  # fmt: skip
    spring = SpringDamper(None, body, 800.0, point_a=(-0.5, 0.0, 0.0), name="spring")
    system = System([body], [foot, spring, Force(body, (0.0, 0.0, -20.0), name="weight")])
    picture = BodyGeometry.of(body, block(0.1, 0.05, 0.04, cells=(2, 1, 1)))
    start = system.state(q={"sled.uz": -6e-5}, v={"sled.ux": 0.5})
    return system, start, picture


def slid(method, **options):
    """The sled by one of the methods, with a user event on the way."""

    def run(path):
        system, start, picture = sled()
        half = Event(lambda t, state: float(state.v[0]) - 0.48, "slower")
        motion = simulate(system, 0.02, start, method, 0.002, store=path, geometry=[picture],
                          events=[half], **options)  # fmt: skip
        return motion, system

    return run


def stopped(path):
    """A terminal event between two steps."""
    system, start, _ = sled()
    late = Event(lambda t, state: t - 0.0105, "late", terminal=True)
    return simulate(system, 0.02, start, step=1e-3, store=path, events=[late]), system


def interrupted(path):
    """Ctrl-C after the fifth point."""
    system, start, picture = sled()
    seen = []

    def press(point):
        seen.append(point)
        if len(seen) == 5:
            raise KeyboardInterrupt

    past = Event(lambda t, state: t - 0.0035, "past")
    motion = simulate(system, 0.02, start, step=1e-3, output=2e-3, store=path, callback=press,
                      geometry=[picture], events=[past])  # fmt: skip
    return motion, system


class Breaking(Bearing):
    """A bearing that gives no force after a while."""

    def force(self, t, q, v):
        return super().force(t, q, v) * (np.nan if t > 0.0075 else 1.0)

    def evaluate(self, t, q, v):
        _, by_q, by_v = super().evaluate(t, q, v)
        return self.force(t, q, v), by_q, by_v


def failed(path):
    """The event comes after the last output, before the end of the run."""
    body = RigidBody("mass", 1.0, ("ux",))
    system = System([body], [Breaking(body, 1e4, 1e4)])
    start = system.state(q={"mass.ux": 1e-3})
    past = Event(lambda t, state: t - 0.0065, "past")
    with pytest.raises(SimulationError) as failure:
        simulate(system, 0.1, start, step=1e-3, output=2e-3, store=path, events=[past])
    return failure.value.result, system


def thrown(path):
    """A rigid block of three points that falls and slides."""
    feet = np.array([[0.1, 0.0, -0.1], [-0.1, 0.1, -0.1], [-0.1, -0.1, -0.1]])
    body = RigidBody("block", 1.0, DOFS, (0.1, 0.1, 0.1), position=(0.0, 0.0, 0.1))
    rigid = RigidContact(body, Surface(feet, np.ones(3)), GROUND, 0.3, name="feet")
    system = System([body], [rigid, Gravity([body])])
    start = system.state(v={"block.ux": 0.5, "block.rz": 1.0})
    return simulate(system, 0.02, start, "moreau", 2e-3, step=1e-3, store=path), system


def swung(path):
    """A wheel on a hinge: multipliers, and rotations without angles."""
    body = RigidBody("wheel", 1.0, DOFS, (0.1, 0.2, 0.1), points={"rim": (1.0, 0.0, 0.0)})
    hinge = Revolute(None, body, axis="y", name="hinge")
    system = System([RigidBody("other", 1.0), body], [hinge, Gravity([body])])
    start = posed(system, {hinge.angle: 0.25}, {hinge.angle: 5.0})
    return simulate(system, 0.1, start, step=2e-3, output=0.01, store=path), system


def coasting(path):
    """A contact without history."""
    body = RigidBody("block", 2.0, ("ux", "uz"))
    pair = ContactPair(body, SOLE, GROUND, PenaltyNormal(1e8, 1e5), CoulombSliding(0.3), "foot")
    system = System([body], [Force(body, (0.0, 0.0, -20.0)), pair])
    start = system.state(q={"block.uz": -20.0 / 3e5}, v={"block.ux": 1.0})
    return simulate(system, 0.02, start, step=1e-3, output=2e-3, store=path), system


RUNS = {
    "implicit": slid("implicit", step=5e-4),
    "explicit": slid("explicit"),
    "ode": slid("ode", rtol=1e-6),
    "events": slid("events", rtol=1e-6),
    "stopped": stopped,
    "interrupted": interrupted,
    "failed": failed,
    "moreau": thrown,
    "constrained": swung,
    "no history": coasting,
}

QUESTIONS = {
    name: lambda r, name=name: getattr(r, name)
    for name in (
        "t", "q", "v", "a", "lam", "z", "status", "slip_totals", "resume", "dofs", "names",
        "status",
        "message", "method", "origin", "validity", "valid_to", "switches", "events", "energies",
        "statistics", "geometry",
    )
}  # fmt: skip
QUESTIONS |= {
    "number of records": len,
    "by name": lambda r: {name: r[name] for name in r.names},
    "histories": lambda r: {d: [r.history(f"{d}'"), r.history(d, "acceleration")] for d in r.dofs},
    "coordinates": lambda r: {body.name: r.coordinates(body.name) for body in r.system.bodies},
    "multipliers": lambda r: {row: r.multiplier(row) for row in r.system.rows},
    "paths": lambda r: {
        (body.name, of): r.path(body, of=of)
        for body in r.system.bodies
        for of in ("position", "displacement", "velocity", "acceleration")
    },
    "along": lambda r: [
        r.along(joint.angle) for joint in r.system.constraints if hasattr(joint, "angle")
    ],
    "contacts": lambda r: list(r.contacts),
    "fields": lambda r: {
        (name, field): c.field(field) for name, c in r.contacts.items() for field in c.names
    },
    "weights": lambda r: {name: c.weights for name, c in r.contacts.items()},
    "forces of points": lambda r: {name: c.point_forces for name, c in r.contacts.items()},
    "torques": lambda r: {name: c.torque((0.0, 1.0, 0.0)) for name, c in r.contacts.items()},
    "last reports": lambda r: {name: c[-1] for name, c in r.contacts.items()},
    "all reports": lambda r: {name: list(c) for name, c in r.contacts.items()},
    "states of contacts": lambda r: {name: r.contact_states(name) for name in r.contacts},
    "slip_totals": lambda r: {
        name: r.slip_work_and_path(name) for name, c in r.contacts.items() if c.stateful
    },
    "unaccounted": lambda r: r.unaccounted,
    "energy": lambda r: r.energy(),
    "momentum": lambda r: r.momentum((0.1, 0.2, 0.3)),
    "states": lambda r: [r.state(i) for i in (0, 1, -1)],
    "points": lambda r: [r.point(i)._replace(reports=None) for i in (0, -1)],
    "reports of a point": lambda r: dict(r.point(-1).reports),
    "positions": lambda r: [r.positions(i, 2.0) for i in range(len(r.geometry))],
    "about": lambda r: json.loads(json.dumps(r.about)),
    "text": lambda r: str(r).splitlines()[1:],
    "part": lambda r: r.between(r.t[1], r.t[-2], every=2).q,
    "events of a part": lambda r: r.between(r.t[1], r.t[-1]).events,
    "switches of a part": lambda r: r.between(r.t[1], r.t[-1]).switches,
    "counters of a part": lambda r: r.between(r.t[1], r.t[-2]).statistics,
    "reloaded": lambda r: r.reload().t,
}


@pytest.fixture(scope="module", params=RUNS)
def both(request, tmp_path_factory):
    """The same run in memory and from its file."""
    path = tmp_path_factory.mktemp("one") / "run.h5"
    motion, system = RUNS[request.param](path)
    return motion, Result.load(path, system)


def assert_same(a, b, where):
    """Equal types, names, shapes and values; nan is equal to nan."""
    assert type(a) is type(b), where
    if isinstance(a, np.ndarray):
        assert a.dtype == b.dtype, where
        np.testing.assert_array_equal(a, b, err_msg=where)
    elif isinstance(a, dict):
        assert list(a) == list(b), where
        for key in a:
            assert_same(a[key], b[key], f"{where}[{key}]")
    elif isinstance(a, list | tuple):
        assert len(a) == len(b), where
        for i, (x, y) in enumerate(zip(a, b, strict=True)):
            assert_same(x, y, f"{where}[{i}]")
    elif is_dataclass(a):
        for each in fields(a):
            assert_same(getattr(a, each.name), getattr(b, each.name), f"{where}.{each.name}")
    else:
        assert a == b or (a != a and b != b), where


@pytest.mark.parametrize("question", QUESTIONS)
def test_same_answer(both, question):
    memory, file = both
    assert type(memory) is type(file) is Result
    assert isinstance(memory.run, MemoryRun)
    ask = QUESTIONS[question]
    assert_same(ask(memory), ask(file), question)


def test_questions_are_answered():
    """The runs have what the questions are about: no answer is empty everywhere."""
    motion, _ = RUNS["implicit"](None)
    assert [each.name for each in motion.events] == ["slower"]
    assert motion.events[0].state.v[0] == pytest.approx(0.48, abs=1e-9)
    assert (len(motion.geometry), motion.statistics.steps) == (1, 40)
    assert motion.switches
    assert len(swung(None)[0].multiplier("hinge.x")) == 11
    assert interrupted(None)[0].status == "interrupted"
    assert [each.name for each in failed(None)[0].events] == ["past"]


def test_csv(both, tmp_path):
    """Tables of both are the same, byte by byte."""
    for name, result in zip(("memory", "file"), both, strict=True):
        result.to_csv(tmp_path / name)
    assert (tmp_path / "memory").read_bytes() == (tmp_path / "file").read_bytes()


@pytest.mark.parametrize("method", ["implicit", "explicit"])
def test_restart_from_both(tmp_path, method):
    """A motion goes on from its memory as from its file, to the last bit."""
    options = {"step": 5e-4} if method == "implicit" else {}
    motion, system = slid(method, **options)(tmp_path / "run.h5")
    file = Result.load(tmp_path / "run.h5")
    a, b = (
        simulate(system, 0.03, method=method, output=0.002, restart=start, **options)
        for start in (motion, file)
    )
    assert a.origin == b.origin == 0.0
    np.testing.assert_array_equal(a.q, b.q)
    np.testing.assert_array_equal(a.resume, b.resume)


def test_events_of_a_continued_file(tmp_path):
    """Events found before and after the restart, each once; the first ones by their own names."""
    system, start, _ = sled()
    path = tmp_path / "run.h5"

    def passing(*times):
        return [Event(lambda t, state, at=at: t - at, f"at {at}") for at in times]

    simulate(system, 0.01, start, step=1e-3, output=2e-3, store=path, events=passing(0.003))
    simulate(system, 0.02, step=1e-3, output=2e-3, restart=path, events=passing(0.003, 0.015))
    found = [(each.name, each.state.t) for each in Result.load(path).events]
    assert found == [("at 0.003", pytest.approx(0.003)), ("at 0.015", pytest.approx(0.015))]


def test_origin_of_a_run_that_continues_memory(tmp_path):
    """Its file begins later than the motion, and says so."""
    system, start, _ = sled()
    first = simulate(system, 0.01, start, step=1e-3, output=2e-3)
    simulate(system, 0.02, step=1e-3, output=2e-3, restart=first, store=tmp_path / "run.h5")
    file = Result.load(tmp_path / "run.h5")
    assert (file.t[0], file.origin) == (0.01, 0.0)


def test_a_file_does_not_hold_the_system(tmp_path):
    path = tmp_path / "run.h5"
    _, system = stopped(path)
    file = Result.load(path)
    with pytest.raises(InputError, match=r"does not hold the system itself: give it to Result\.lo"):
        file.energy()
    other = System(system.bodies, [*system.items[1:-1]])
    with pytest.raises(InputError, match="was made with another system: "):
        Result.load(path, other)
    assert Result.load(path, system).system is system
