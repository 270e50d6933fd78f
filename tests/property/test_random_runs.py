"""Random small systems by all methods with contact: each run ends well, or says why it stops.

A run is drawn from its seed: blocks, discs, pendulums, elastic bodies and pairs of bodies with one
to eight contact points on planes, balls and bars; light and heavy, soft and stiff, pressed, lifted
or not loaded at all, without friction and with every kind of it, beginning inside the other body,
apart from it or on it, at rest, thrown or spinning.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cache

import numpy as np
import pytest

from fecontact.body import FREEDOMS, ElasticBody, RigidBody
from fecontact.contact import (
    ContactPair,
    Coulomb,
    Cylinder,
    ElastoPlastic,
    EulerianPair,
    KelvinLayer,
    PenaltyNormal,
    Plane,
    PowerNormal,
    RigidFace,
    SolidLayer,
    Sphere,
    Stribeck,
    Surface,
    elastic_surface,
    lugre,
    ring,
)
from fecontact.errors import InputError, SolverError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import (
    Bearing,
    Force,
    Freedom,
    Gravity,
    PrescribedMotion,
    Revolute,
    Speed,
    Torque,
)
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.simulate import simulate
from fecontact.system import System

METHODS = ("implicit", "explicit", "flow")
SHORT = {"implicit": 12, "explicit": 200, "flow": 12}
LONG = {"implicit": 300, "explicit": 20_000, "flow": 300}
"""Budgets of steps."""
STOPS = {
    "budget": "most_steps",
    "no friction damping": r"friction damping = 0 .* continuous law",
    "stability bound": "the stability bound of the explicit method",
    "constraints": "explicit is not possible with constraints",
    "energy": "gains energy with the step|grows beyond all bounds",
    "step": "look for a jump of a force",
    "solver": "Try a stiff solver",
    "no normal": "no normal",
}
"""Clear messages by their words."""


class Drawn:
    """Random numbers of one run, and what they make."""

    def __init__(self, seed):
        self.rng = np.random.default_rng([6, seed])
        self.mass = self.size(-6, 2)
        self.stiffness = self.size(2, 9)
        self.omega = np.sqrt(self.stiffness / self.mass)
        self.depth = self.size(-7, -2.5)
        self.speed = min(10.0, self.depth * self.omega)

    def size(self, low, high):
        """Size between two powers of ten."""
        return float(10.0 ** self.rng.uniform(low, high))

    def one(self, *choices):
        return choices[self.rng.integers(len(choices))]

    def maybe(self, share):
        return bool(self.rng.random() < share)

    def vector(self, size, count=3):
        return tuple((size * self.rng.uniform(-1.0, 1.0, count)).tolist())

    def friction(self, weight):
        """Friction of points of a weight; stiff and soft, damped or not."""
        stiffness = self.stiffness * self.size(-1, 1) / weight
        damping = 2.0 * self.size(-3, 0.3) * np.sqrt(stiffness * self.mass / weight)
        mu = self.one(0.0, 0.1, 0.4, 1.0)
        law = self.rng.integers(5)
        if law == 0:
            return ElastoPlastic(mu, stiffness, 0.0 if self.maybe(0.3) else damping)
        if law == 1:
            return ElastoPlastic(Coulomb(mu, 1.5 * mu), stiffness, damping)
        if law == 2:
            coefficient = Stribeck(mu, 1.5 * mu + 0.01, self.size(-3, 0), viscous=0.01)
            return ElastoPlastic(coefficient, stiffness, damping)
        if law == 3:
            return lugre(Coulomb(max(mu, 0.05)), stiffness, damping)
        return ElastoPlastic(mu, stiffness, damping)

    def normal(self, weight):
        """Normal law of points of a weight."""
        stiffness = self.stiffness / weight
        damping = self.one(0.0, 2.0 * self.size(-3, 0.3)) * np.sqrt(stiffness * self.mass / weight)
        law = self.rng.integers(8)
        if law == 0:
            power = stiffness / np.sqrt(self.depth)
            return PowerNormal(power, 1.5, hunt_crossley=self.one(0.0, 0.3))
        if law == 1:
            return SolidLayer(stiffness, 0.5 * stiffness, 1.0 / self.omega)
        if law == 2:
            return KelvinLayer(stiffness, stiffness / self.omega)
        return PenaltyNormal(stiffness, damping)

    def loads(self, body):
        """Loads on a body: none, light, heavy, pulling off, turning."""
        size = self.stiffness * self.depth
        items = []
        if self.maybe(0.7):
            push = np.array(self.vector(size))
            push[2] = -self.one(0.0, 1.0, 1.0, -0.3) * size
            items.append(Force(body, tuple(push.tolist())))
        if self.maybe(0.3):
            items.append(Gravity([body]))
        if "rz" in body.freedoms and self.maybe(0.3):
            items.append(Torque(body, self.vector(size * 0.05)))
        return items

    def speeds(self, body, turning=100.0):
        """Initial velocities of a body."""
        if self.maybe(0.15):
            return {}
        spin = self.one(0.0, 1.0) * self.rng.uniform(-turning, turning)
        along = {"rx": 0.01, "ry": 0.01, "rz": 1.0, "spin": 1.0}
        return {
            f"{body.name}.{name}": along[name] * spin if name in along else self.vector(self.speed, 1)[0]
            for name in body.freedoms
            if not name.startswith("e")
        }

    def rigid(self, name, freedoms, **more):
        arm = self.size(-2, -0.5)
        inertia = self.mass * arm**2 * np.array([1.0, 1.0, self.one(0.5, 1.5, 2.0)])
        return RigidBody(name, self.mass, freedoms, tuple(inertia.tolist()), **more)

    def points(self, arm):
        """One to eight points around a place, in a plane."""
        count = int(self.rng.integers(1, 9))
        places = arm * self.rng.uniform(-1.0, 1.0, (count, 3))
        places[:, 2] = 0.0
        return Surface(places, np.full(count, self.size(-4, 0) / count))


def pair(drawn, slave, surface, face, name="contact", kind=ContactPair):
    weight = float(surface.weights.sum())
    normal, friction = drawn.normal(weight), drawn.friction(weight)
    if kind is EulerianPair and isinstance(normal, KelvinLayer | SolidLayer):
        normal = PenaltyNormal(drawn.stiffness / weight)
    return kind(slave, surface, face, normal, friction, name)


def lifted(drawn, body):
    """Starting height: inside, apart, or just touching."""
    return {f"{body.name}.uz": drawn.one(-1.0, 1.0, 0.0) * drawn.depth}


def thrown_block(drawn, method):
    freedoms = drawn.one(
        ("ux", "uz"), ("uz",), ("ux", "uy", "uz"), ("ux", "uz", "ry"), ("ux", "uy", "uz", "rz"), FREEDOMS
    )  # fmt: skip
    body = drawn.rigid("block", freedoms)
    tilt = np.array([0.3 * drawn.rng.uniform(-1, 1), 0.3 * drawn.rng.uniform(-1, 1), 1.0])
    face = RigidFace(None, Plane(normal=tuple((tilt / np.linalg.norm(tilt)).tolist())))
    contact = pair(drawn, body, drawn.points(0.05), face)
    return [body], [contact, *drawn.loads(body)], lifted(drawn, body), drawn.speeds(body)


def spinning_disc(drawn, method):
    if drawn.maybe(0.5):
        body = drawn.rigid("disc", ("ux", "uy", "uz"), spin=drawn.rng.uniform(-200, 200))
    else:
        body = drawn.rigid("disc", ("ux", "uy", "uz", "rx", "ry", "spin"))
    surface = ring(0.1, int(drawn.rng.integers(3, 9)))
    contact = pair(drawn, body, surface, RigidFace(None, Plane()), kind=EulerianPair)
    bearing = Bearing(body, drawn.stiffness * drawn.size(-3, 0), drawn.stiffness * drawn.size(-3, 0))
    return [body], [contact, bearing, *drawn.loads(body)], lifted(drawn, body), drawn.speeds(body)


def pendulum(drawn, method):
    """On a hinge, or (without constraints) on its own axis; its tip touches a bar or a ball."""
    length = drawn.size(-1.5, 0)
    tip = Surface(np.array([[0.0, 0.0, -length]]), np.ones(1))
    shape = drawn.one(Plane(), Sphere(0.5 * length, (0.0, 0.0, -0.5 * length)))
    place = -length + drawn.one(1, -1, 0) * drawn.depth
    inertia = (drawn.mass * length**2,) * 3
    if method == "explicit":
        body, joints = RigidBody("bob", drawn.mass, ("ry",), inertia), []
    else:
        body = RigidBody("bob", drawn.mass, FREEDOMS, inertia)
        pin = (0.0, 0.0, 0.5 * length)
        joints = [Revolute(None, body, pin, pin, axis="y")]
    contact = pair(drawn, body, tip, RigidFace(None, shape, (0.0, 0.0, place)))
    rate = drawn.rng.uniform(-1, 1) * drawn.speed / length
    speeds = {"bob.ry": rate}
    if joints:
        speeds["bob.ux"] = -0.5 * length * rate
    return [body], [contact, Gravity([body]), *joints], {}, speeds


def two_bodies(drawn, method):
    """A body with points on a ball or bar that moves too."""
    one = drawn.rigid("one", drawn.one(("ux", "uy", "uz"), FREEDOMS))
    two = drawn.rigid("two", drawn.one(("ux", "uy", "uz"), ("uz",), FREEDOMS))
    radius = drawn.size(-1.5, 0)
    shape = drawn.one(Sphere(radius, (0.0, 0.0, -radius)), Cylinder(radius), Plane())
    place = (-radius, 0.0, 0.0) if isinstance(shape, Cylinder) else (0.0, 0.0, 0.0)
    surface = drawn.points(0.2 * radius)
    if isinstance(shape, Cylinder):
        surface = Surface(surface.points[:, [2, 1, 0]], surface.weights)
    contact = pair(drawn, one, surface, RigidFace(two, shape, place))
    hold = drawn.stiffness * drawn.size(-4, 0)
    items = [contact, Bearing(two, hold, hold), *drawn.loads(one)]
    return [one, two], items, lifted(drawn, one), drawn.speeds(one) | drawn.speeds(two)


def belt(drawn, method):
    """A mass on a spring on a belt that a motor drives, or (without constraints) that runs free."""
    body = drawn.rigid("block", ("ux", "uz"))
    moving = RigidBody("belt", drawn.mass * drawn.size(-1, 3), ("ux",))
    contact = pair(drawn, body, drawn.points(0.05), RigidFace(moving, Plane()))
    speed = drawn.one(0.0, 1.0) * drawn.speed
    motor = [] if method == "explicit" else [PrescribedMotion(Freedom(moving, "ux"), Speed(speed))]
    hold = drawn.stiffness * drawn.size(-4, -1)
    items = [contact, Bearing(body, hold, 1e-9), *drawn.loads(body), *motor]
    return [body, moving], items, lifted(drawn, body), {"belt.ux": speed}


@cache
def soft(frame):
    solid = ElasticSolid(
        block(0.1, 0.1, 0.05, cells=(1, 1, 1)), Material(2e6, 0.3, 1000.0),
        supports={"z_max": "clamped"} if frame == "fixed" else {},
    )  # fmt: skip
    kind = {} if frame == "fixed" else {"method": "free"}
    return reduce_model(solid, contact=["z_min"], modes=3, **kind)


def elastic(drawn, method):
    """A soft block, held or thrown."""
    frame = drawn.one("fixed", "free")
    body = ElasticBody("soft", soft(frame), frame=frame, damping=drawn.one(0.0, 0.05))
    drawn.mass, drawn.stiffness = 0.5, drawn.size(3, 7)
    drawn.omega = np.sqrt(drawn.stiffness / drawn.mass)
    drawn.speed = min(drawn.speed, 0.1)
    surface = elastic_surface(body, "z_min", "nodes")
    if frame == "free":
        contact = pair(drawn, body, surface, RigidFace(None, Plane()))
        items = [contact, Gravity([body])]
        return [body], items, lifted(drawn, body), drawn.speeds(body, 1.0)
    plate = drawn.rigid("plate", ("ux", "uz", "rz"))
    contact = pair(drawn, body, surface, RigidFace(plate, Plane()))
    items = [contact, Bearing(plate, drawn.stiffness, drawn.stiffness)]
    return [body, plate], items, lifted(drawn, plate), drawn.speeds(plate, 10.0)


KINDS = (thrown_block, spinning_disc, pendulum, two_bodies, belt, elastic)


def random_run(seed, method):
    """System, start and time of a run."""
    drawn = Drawn(seed)
    bodies, items, q, v = drawn.one(*KINDS)(drawn, method)
    system = System(bodies, items)
    start = system.state(q=q, v=v)
    if drawn.maybe(0.1) and v and np.abs(start.v).min() > 0.0:
        start = system.sliding(start)
    period = 2 * np.pi / drawn.omega
    time = 0.1 * drawn.size(-4, -1) if drawn.maybe(0.05) else period * drawn.rng.uniform(0.01, 0.1)
    return system, start, time


def options(seed, method, time, short):
    """Default, coarse or fixed steps."""
    if method == "explicit":
        return {"step": time / 8} if short and seed % 10 else {}
    if seed % 3 == 0:
        return {"step": time / 4}
    solver = {"solver": "RK45"} if method == "flow" and seed % 6 < 4 else {}
    return solver | ({"rtol": 1e-3, "atol": 1e-7} if short or seed % 3 == 1 else {})


def outcome(seed, method, short=True):
    """How a run ends: "finished", or the class of its clear message."""
    try:
        system, start, time = random_run(seed, method)
        time, budget = (time, SHORT[method]) if short else (10 * time, LONG[method])
        chosen = options(seed, method, time, short) | {"most_steps": budget}
        output = None if seed % 2 else time / 3
        motion = simulate(system, time, start, method, output, **chosen)
    except (InputError, SolverError) as error:
        text = str(error)
        assert "\n" not in text
        assert "nan" not in text.lower().split()
        motion = getattr(error, "trajectory", None)
        found = next((name for name, words in STOPS.items() if re.search(words, text)), None)
        assert found, f"seed {seed}: no clear message: {text}"
    else:
        assert motion.t[-1] == time
        found = motion.status
    if motion is not None:
        for name in ("t", "q", "v", "a", "lam", "z", "wear"):
            assert np.isfinite(getattr(motion, name)).all(), (seed, name)
        for name, line in motion.energies.items():
            assert np.isfinite(line).all(), (seed, name)
    return found


@pytest.mark.parametrize("method", METHODS)
def test_random_runs(method):
    found = Counter(outcome(seed, method) for seed in range(200))
    assert found["finished"] > 140, found


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_many_random_runs(method):
    found = Counter(outcome(seed, method, False) for seed in range(200, 3534))
    assert found["finished"] > 0.8 * found.total(), found
