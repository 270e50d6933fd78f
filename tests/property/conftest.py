"""Random small systems with contact, one per seed.

Blocks, wheels, discs, pairs of discs, pendulums, masses on belts, pairs of bodies, soft blocks and
beams with one to twenty contact points on planes, balls and bars; light and heavy, soft and stiff,
pressed, lifted or not loaded at all, without friction and with every kind of it, beginning inside
the other body, apart from it or on it, at rest, thrown or spinning. Often more points touch than
there are dofs, or some of them twice.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

from fecontact.body import DOFS, ElasticBody, RigidBody
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
    RigidContact,
    RigidFace,
    SolidLayer,
    Sphere,
    Stribeck,
    Surface,
    elastic_surface,
    lugre,
    ring,
)
from fecontact.contact.laws.bristles import Bristles
from fecontact.contact.status import SLIP, STICK
from fecontact.fem import ElasticSolid, Material, Section, straight_beam
from fecontact.joint import (
    Bearing,
    DofCoordinate,
    Force,
    Gravity,
    PrescribedMotion,
    Revolute,
    Speed,
    Torque,
)
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import State, System

MAX_POINTS = 20


@dataclass(frozen=True)
class RandomRun:
    """A system, its start, the time in which something happens, and what is small in m and m/s.

    `period` is that of the mass on its contact in s.
    """

    system: System
    start: State
    time: float
    small: float
    period: float


class Drawn:
    """Random numbers of one run, and what they make."""

    def __init__(self, seed, method):
        self.rng, self.method = np.random.default_rng([6, seed]), method
        self.mass = self.size(-6, 3)
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
        low = -0.7 if self.method == "ode" else -3  # light damping is stiff there: many steps
        damping = 2.0 * self.size(low, 0.3) * np.sqrt(stiffness * self.mass / weight)
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

    def contact(self, slave, surface, face, kind=ContactPair):
        """Contact with the laws of the method."""
        weight = float(surface.weights.sum())
        if self.method == "moreau":
            return self.rigid_contact(slave, surface, face, weight)
        normal, friction = self.normal(weight), self.friction(weight)
        if kind is EulerianPair and isinstance(normal, KelvinLayer | SolidLayer):
            normal = PenaltyNormal(self.stiffness / weight)
        return kind(slave, surface, face, normal, friction)

    def rigid_contact(self, slave, surface, face, weight):
        """Set-valued contact: rigid, in the mean, or with a normal law."""
        mu, e = self.one(0.0, 0.1, 0.4, 1.0), self.one(0.0, 0.0, 0.3, 1.0)
        law, p = {}, len(surface.points)
        if mu > 0.0 and self.maybe(0.15):
            law, e = {"normal": PenaltyNormal(self.stiffness / weight)}, 0.0
        elif p > 1 and self.maybe(0.15):
            shares = self.rng.uniform(0.0, 1.0, (int(self.rng.integers(1, p + 1)), p))
            law = {"averages": shares / shares.sum(axis=1)[:, None]}
        return RigidContact(slave, surface, face, mu, e, **law)

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
        if "rz" in body.dofs and self.maybe(0.3):
            items.append(Torque(body, self.vector(size * 0.05)))
        return items

    def speeds(self, body, turning=100.0):
        """Initial velocities of a body."""
        if self.maybe(0.15):
            return {}
        spin = self.one(0.0, 1.0) * self.rng.uniform(-turning, turning)
        along = {"rx": 0.01, "ry": 0.01, "rz": 1.0, "spin": 1.0}
        return {
            f"{body.name}.{name}": along[name] * spin
            if name in along
            else self.vector(self.speed, 1)[0]
            for name in body.dofs
            if not name.startswith("e")
        }

    def rigid(self, name, dofs, **more):
        arm = self.size(-2, -0.5)
        inertia = self.mass * arm**2 * np.array([1.0, 1.0, self.one(0.5, 1.5, 2.0)])
        return RigidBody(name, self.mass, dofs, tuple(inertia.tolist()), **more)

    def bearing(self, body, low, high):
        """Soft or stiff springs to the ground."""
        stiff = self.stiffness * self.size(low, high)
        return Bearing(body, stiff, stiff)

    def points(self, arm):
        """Points around a place, in a plane; some of them may be there twice."""
        count = int(self.rng.integers(1, MAX_POINTS + 1))
        places = arm * self.rng.uniform(-1.0, 1.0, (count, 3))
        places[:, 2] = 0.0
        if self.maybe(0.1):
            places[count // 2 :] = places[: count - count // 2]
        return Surface(places, np.full(count, self.size(-4, 0) / count))

    def lifted(self, body):
        """Starting height: inside, apart, or just touching."""
        return {f"{body.name}.uz": self.one(-1.0, 1.0, 0.0) * self.depth}


def thrown_block(drawn):
    dofs = drawn.one(
        ("ux", "uz"), ("uz",), ("ux", "uy", "uz"), ("ux", "uz", "ry"), ("ux", "uy", "uz", "rz"),
        DOFS,
    )  # fmt: skip
    body = drawn.rigid("block", dofs)
    tilt = np.array([0.3 * drawn.rng.uniform(-1, 1), 0.3 * drawn.rng.uniform(-1, 1), 1.0])
    face = RigidFace(None, Plane(normal=tuple((tilt / np.linalg.norm(tilt)).tolist())))
    contact = drawn.contact(body, drawn.points(0.05), face)
    return [body], [contact, *drawn.loads(body)], drawn.lifted(body), drawn.speeds(body)


def wheel(drawn):
    """A wheel with points around its rim on the ground, held by springs or not."""
    body = drawn.rigid("wheel", drawn.one(("ux", "uz", "ry"), ("ry",), DOFS))
    radius, count = drawn.size(-2, 0), int(drawn.rng.integers(3, MAX_POINTS + 1))
    angles = 2.0 * np.pi * np.arange(count) / count - 0.5 * np.pi
    rim = radius * np.column_stack([np.cos(angles), np.zeros(count), np.sin(angles)])
    place = (0.0, 0.0, -radius + drawn.one(-1.0, 1.0, 0.0) * drawn.depth)
    contact = drawn.contact(body, Surface(rim, np.ones(count)), RigidFace(None, Plane(), place))
    held = [drawn.bearing(body, -3, 0)] if "uz" in body.dofs and drawn.maybe(0.3) else []
    return [body], [contact, *held, *drawn.loads(body)], {}, drawn.speeds(body)


def spinning_disc(drawn):
    rigid = drawn.method == "moreau"  # points of an Eulerian contact stay in space
    if drawn.maybe(0.5) and not rigid:
        body = drawn.rigid("disc", ("ux", "uy", "uz"), spin=drawn.rng.uniform(-200, 200))
    else:
        last = ("rz",) if rigid else ("spin",)
        body = drawn.rigid("disc", ("ux", "uy", "uz", "rx", "ry", *last))
    surface = ring(0.1, int(drawn.rng.integers(3, MAX_POINTS + 1)))
    contact = drawn.contact(body, surface, RigidFace(None, Plane()), EulerianPair)
    items = [contact, drawn.bearing(body, -3, 0), *drawn.loads(body)]
    return [body], items, drawn.lifted(body), drawn.speeds(body)


def disc_pair(drawn):
    """Two discs on one axis, one of them held by springs, pressed together."""
    one = drawn.rigid("one", ("uz", "rz"))
    two = drawn.rigid("two", drawn.one(("rz",), ("uz", "rz"), ("ux", "uy", "uz", "rz")))
    surface = ring(0.1, int(drawn.rng.integers(3, MAX_POINTS + 1)))
    contact = drawn.contact(one, surface, RigidFace(two, Plane()))
    held = [drawn.bearing(two, -2, 1)] if "uz" in two.dofs else []
    speeds = drawn.speeds(one) | drawn.speeds(two)
    return [one, two], [contact, *held, *drawn.loads(one)], drawn.lifted(one), speeds


def pendulum(drawn):
    """On a hinge, or (without constraints) on its own axis; its tip touches a bar or a ball."""
    length = drawn.size(-1.5, 0)
    tip = Surface(np.array([[0.0, 0.0, -length]]), np.ones(1))
    shape = drawn.one(Plane(), Sphere(0.5 * length, (0.0, 0.0, -0.5 * length)))
    place = -length + drawn.one(1, -1, 0) * drawn.depth
    inertia = (drawn.mass * length**2,) * 3
    if drawn.method == "explicit":
        body, joints = RigidBody("bob", drawn.mass, ("ry",), inertia), []
    else:
        body = RigidBody("bob", drawn.mass, DOFS, inertia)
        pin = (0.0, 0.0, 0.5 * length)
        joints = [Revolute(None, body, point_b=pin, point_a=pin, axis="y")]
    contact = drawn.contact(body, tip, RigidFace(None, shape, (0.0, 0.0, place)))
    rate = drawn.rng.uniform(-1, 1) * drawn.speed / length
    speeds = {"bob.ry": rate}
    if joints:
        speeds["bob.ux"] = -0.5 * length * rate
    return [body], [contact, Gravity([body]), *joints], {}, speeds


def two_bodies(drawn):
    """A body with points on a ball or bar that moves too."""
    one = drawn.rigid("one", drawn.one(("ux", "uy", "uz"), DOFS))
    two = drawn.rigid("two", drawn.one(("ux", "uy", "uz"), ("uz",), DOFS))
    radius = drawn.size(-1.5, 0)
    shape = drawn.one(Sphere(radius, (0.0, 0.0, -radius)), Cylinder(radius), Plane())
    place = (-radius, 0.0, 0.0) if isinstance(shape, Cylinder) else (0.0, 0.0, 0.0)
    surface = drawn.points(0.2 * radius)
    if isinstance(shape, Cylinder):
        surface = Surface(surface.points[:, [2, 1, 0]], surface.weights)
    contact = drawn.contact(one, surface, RigidFace(two, shape, place))
    items = [contact, drawn.bearing(two, -4, 0), *drawn.loads(one)]
    return [one, two], items, drawn.lifted(one), drawn.speeds(one) | drawn.speeds(two)


def belt(drawn):
    """A mass on a spring on a belt that a motor drives, or (without constraints) that runs free."""
    body = drawn.rigid("block", ("ux", "uz"))
    moving = RigidBody("belt", drawn.mass * drawn.size(-1, 3), ("ux",))
    contact = drawn.contact(body, drawn.points(0.05), RigidFace(moving, Plane()))
    speed = drawn.one(0.0, 1.0) * drawn.speed
    motor = [PrescribedMotion(DofCoordinate(moving, "ux"), Speed(speed))]
    items = [contact, Bearing(body, drawn.stiffness * drawn.size(-4, -1), 1e-9)]
    items += drawn.loads(body) + ([] if drawn.method == "explicit" else motor)
    return [body, moving], items, drawn.lifted(body), {"belt.ux": speed}


@cache
def soft(frame):
    solid = ElasticSolid(
        block(0.1, 0.1, 0.05, cells=(1, 1, 1)), Material(2e6, 0.3, 1000.0), "hex2",
        supports={"z_max": "clamped"} if frame == "fixed" else {},
    )  # fmt: skip
    kind = {} if frame == "fixed" else {"method": "free"}
    return reduce_model(solid, contact=["z_min"], modes=3, **kind)


@cache
def bending(modes):
    beam = straight_beam(
        0.5, Section.rectangle(0.02, 0.01), Material(2e9, 0.3, 1000.0), elements=4, motion="planar",
        supports={"left": "clamped"},
    )  # fmt: skip
    return reduce_model(beam, contact=["bottom"], modes=modes)


def elastic(drawn, speed=0.1):
    """Sizes of a body of the mass 0.5 kg."""
    drawn.mass, drawn.stiffness = 0.5, drawn.size(3, 7)
    drawn.omega, drawn.speed = np.sqrt(drawn.stiffness / drawn.mass), min(drawn.speed, speed)


def soft_block(drawn):
    """A soft block, held or thrown."""
    frame = drawn.one("fixed", "free")
    body = ElasticBody("soft", soft(frame), frame=frame, damping=drawn.one(0.0, 0.05))
    elastic(drawn)
    surface = elastic_surface(body, "z_min", "nodes")
    if frame == "free":
        contact = drawn.contact(body, surface, RigidFace(None, Plane()))
        items = [contact, Gravity([body])]
        return [body], items, drawn.lifted(body), drawn.speeds(body, 1.0)
    plate = drawn.rigid("plate", ("ux", "uz", "rz"))
    contact = drawn.contact(body, surface, RigidFace(plate, Plane()))
    items = [contact, Bearing(plate, drawn.stiffness, drawn.stiffness)]
    return [body, plate], items, drawn.lifted(plate), drawn.speeds(plate, 10.0)


def beam(drawn):
    """A clamped beam with one to six modes on the ground."""
    modes = int(drawn.rng.integers(1, 7))
    body = ElasticBody("beam", bending(modes), frame="fixed", damping=drawn.one(0.0, 0.05))
    elastic(drawn)
    surface = elastic_surface(body, "bottom", "nodes")
    height = drawn.one(-1.0, 1.0, 0.0) * drawn.depth + surface.points[0, 2]
    contact = drawn.contact(body, surface, RigidFace(None, Plane((0.0, 0.0, height))))
    speeds = drawn.vector(0.01 * drawn.speed, len(body.dofs))
    names = [f"beam.{name}" for name in body.dofs]
    return [body], [contact], {}, dict(zip(names, speeds, strict=True))


KINDS = (
    thrown_block, wheel, spinning_disc, disc_pair, pendulum, two_bodies, belt, soft_block, beam,
)  # fmt: skip


def draw(seed, method):
    """Run of a seed for a method; the same as far as the method has the same laws."""
    drawn = Drawn(seed, method)
    bodies, items, q, v = drawn.one(*KINDS)(drawn)
    system = System(bodies, items)
    start = system.state(q=q, v=v)
    if method != "moreau" and drawn.maybe(0.1) and v and np.abs(start.v).min() > 0.0:
        start = system.sliding(start)
    longest = {"explicit": 0.15, "ode": 0.03}.get(method, 0.5)
    period = 2 * np.pi / drawn.omega * drawn.rng.uniform(0.01, longest)
    time = 0.1 * drawn.size(-4, -1) if drawn.maybe(0.05) else period
    small = min(drawn.depth, drawn.speed)
    return RandomRun(system, start, time, small, 2 * np.pi / drawn.omega)


@pytest.fixture(scope="session")
def random_run():
    """Function (seed, method) that makes a random run."""
    return draw


def loads_below_the_limit(law, seed, steps=8):
    """Loads (steps, 2) of a cycle under a unit pressure, below the limit and the onset."""
    rng = np.random.default_rng(seed)
    sticks, slides = (
        law.coefficient.values(np.full(1, 1e9), np.ones(1), np.array([status]))[0].item()
        for status in (STICK, SLIP)
    )
    limit = law.onset * slides if isinstance(law, Bristles) else sticks
    middle, swing, turn = rng.normal(size=(3, 2))
    angle = 2.0 * np.pi * np.arange(steps)[:, None] / steps
    loads = middle + swing * np.cos(angle) + turn * np.sin(angle)
    return rng.uniform(0.1, 0.99) * limit / np.linalg.norm(loads, axis=1).max() * loads


@pytest.fixture(scope="session")
def below_the_limit():
    """Function (law, seed) that makes a cycle of loads."""
    return loads_below_the_limit
