"""Fingerprint of a system: what it sees, and what it does not mind."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, partial

import numpy as np
import pytest

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, RigidFace, Surface
from fecontact.contact.laws.base import NormalLaw
from fecontact.contact.laws.point import NormalPoint
from fecontact.contact.master.shape import Plane
from fecontact.fem import STEEL, ElasticSolid
from fecontact.joint import Gravity, Revolute, SpringDamper, Torque
from fecontact.joint.curve import Function
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.results.fingerprint import differences, fingerprint
from fecontact.system import System

POINTS = np.array([[0.1, 0.0, -0.1], [0.0, 0.1, -0.1], [-0.1, -0.1, -0.1]])


@cache
def reduced(height):
    solid = ElasticSolid(block(0.1, 0.02, height, cells=(2, 1, 1)), STEEL)
    return reduce_model(solid, modes=2)


def built(
    mass=2.0, stiffness=100.0, mu=0.3, height=0.01, points=POINTS, rate=3.0, axis="y", more=()
):
    rod = RigidBody("rod", mass, DOFS, (0.1, 0.1, 0.2), (0.0, 0.0, 1.0))
    bar = ElasticBody("bar", reduced(height), (0.0, 0.0, 2.0))
    foot = ContactPair(
        rod, Surface(points, np.ones(3)), RigidFace(None, Plane()), PenaltyNormal(1e3),
        ElastoPlastic(mu, 1e3, 1.0), "foot",
    )  # fmt: skip
    turning = Function(lambda t: rate * t, lambda t: rate)
    items = [
        Gravity([rod, bar]), SpringDamper(None, rod, stiffness, name="spring"), foot,
        Revolute(None, rod, point_b=(0.0, 0.0, 0.3), axis=axis, name="pin"),
        Torque(rod, (0.0, 0.0, 1.0), factor=turning, name="motor"), *more,
    ]  # fmt: skip
    return fingerprint(System([rod, bar], items))


@pytest.fixture(scope="module")
def first():
    return json.loads(json.dumps(built()))


def test_same_system_built_again(first):
    assert differences(first, built()) == []
    assert differences(first, built(stiffness=100.0 * (1 + 1e-14))) == []
    assert differences(first, built(points=POINTS * (1 + 1e-14))) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"mass": 2.1}, "rod.mass = 2.0 in the file, 2.1 now"),
        ({"stiffness": 100.001}, "spring.stiffness = 100.0 in the file, 100.001 now"),
        ({"mu": 0.31}, "0.3 in the file, 0.31 now"),
        ({"points": POINTS[[1, 0, 2]]}, "foot.surface.points = array (3, 3) of norm 0.26"),
        ({"height": 0.011}, "bar.model."),
        ({"rate": 3.5}, "motor."),
        ({"axis": "x"}, "pin.axis"),
    ],
)
def test_changes_are_named(first, change, words):
    assert words in ", ".join(differences(first, built(**change)))


def test_items_that_are_new_or_gone(first):
    other = RigidBody("other", 1.0)
    more = built(more=[])
    more |= fingerprint(System([other]))
    found = ", ".join(differences(first, more))
    assert "bodies = rod bar in the file, other now" in found
    assert "other is new" in found
    assert "spring is in the file only" in ", ".join(
        differences(first, {k: v for k, v in first.items() if not k.startswith("spring")})
    )


SCALE = 2.0
TABLE = np.array([1.0, 2.0])


def scaled(t):
    return SCALE * t


def driven(factor):
    rotor = RigidBody("rotor", 1.0, DOFS, (0.1, 0.1, 0.2))
    return fingerprint(System([rotor], [Torque(rotor, (0.0, 0.0, 1.0), factor=factor)]))


def test_functions_are_compared_with_the_constants_they_use(monkeypatch):
    """A law of a script may take its numbers from the module, from around it or from others."""

    def law():
        return Function(lambda t: scaled(t) * TABLE[0], lambda t: max(SCALE for _ in "a"))

    before = driven(law())
    assert differences(before, driven(law())) == []
    for name, value in (("SCALE", 2.5), ("TABLE", np.array([1.5, 2.0]))):
        with monkeypatch.context() as changed:
            changed.setitem(globals(), name, value)
            assert "factor" in ", ".join(differences(before, driven(law())))

    def around(table):
        return Function(lambda t: table[0] * t, lambda t: table[0])

    one, two = (driven(around(np.array([value, 1.0]))) for value in (1.0, 1.1))
    assert "factor" in ", ".join(differences(one, two))


class Ramp:
    """A callable whose numbers stand elsewhere."""

    def __call__(self, t):
        return SCALE * t


NUMBERS = {"slope": 2.0}


def around(law):
    return lambda t: law(t)


@pytest.mark.parametrize(
    "law",
    [
        lambda: Function(Ramp(), lambda t: 0.0),
        lambda: Function(lambda t: NUMBERS["slope"] * t, lambda t: 0.0),
        lambda: Function(partial(scaled), lambda t: 0.0),
        lambda: Function(around(Ramp()), lambda t: 0.0),
    ],
    ids=["callable object", "dictionary", "partial", "object beside"],
)
def test_numbers_behind_callables(law, monkeypatch):
    before = driven(law())
    assert differences(before, driven(law())) == []
    monkeypatch.setitem(globals(), "SCALE", 2.5)
    monkeypatch.setitem(NUMBERS, "slope", 2.5)
    assert "factor" in ", ".join(differences(before, driven(law())))


def own_law(stiffness, power, base=NormalLaw):
    """A law as docs/laws.md has it: numbers and functions stand on the class."""

    def prepare(parameters, h):
        return (parameters[0],)

    def press(k, gap, gap_rate):
        return k[0] * max(-gap, 0.0) ** power, 0.0, 0.0

    class Own(base):
        point = NormalPoint(prepare, press, lambda k, gap: 0.0)
        parameters = np.array([stiffness])

    return Own()


def pressed(law):
    block = RigidBody("block", 1.0)
    foot = Surface(np.zeros((1, 3)), np.ones(1))
    pair = ContactPair(
        block, foot, RigidFace(None, Plane()), law, ElastoPlastic(0.3, 1e3, 1.0), "foot"
    )
    return fingerprint(System([block], [pair]))


def test_own_laws_with_numbers_and_functions_on_the_class():
    before = pressed(own_law(20.0, 2.0))
    assert differences(before, pressed(own_law(20.0, 2.0))) == []
    stiffer = differences(before, pressed(own_law(200.0, 2.0)))
    assert stiffer == [
        "foot.normal.parameters = array (1,) of norm 20 in the file, array (1,) of norm 200 now"
    ]
    (bent,) = differences(before, pressed(own_law(20.0, 3.0)))
    assert bent.startswith("foot.normal.point.press = ")
    inherited = type("Other", (type(own_law(200.0, 2.0)),), {})()
    assert "parameters" in ", ".join(differences(before, pressed(inherited)))


def test_fields_of_own_dataclasses_count_by_their_values():
    """The default of a field is no parameter of an object that has another value."""

    def kind(default):
        @dataclass(frozen=True)
        class Own(NormalLaw):
            stiffness: float = default

            def pressure(self, gap, gap_rate):
                return self.stiffness * np.maximum(-gap, 0.0), 0.0 * gap, 0.0 * gap

        return Own

    before = pressed(kind(1.0)(3.0))
    assert differences(before, pressed(kind(2.0)(3.0))) == []
    assert differences(before, pressed(kind(1.0)(4.0))) == [
        "foot.normal.stiffness = 3.0 in the file, 4.0 now"
    ]
