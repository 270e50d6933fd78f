"""Text and record of a system."""

from __future__ import annotations

import json

import numpy as np
import pytest

from fecontact.body.rigid import DOFS, RigidBody
from fecontact.joint import Bushing, Drive, Force, Gravity, SpringDamper
from fecontact.system import System


def test_text_of_the_four_bar(four_bar):
    assert str(four_bar()) == "\n".join(
        [
            "bodies 3, dofs 18, rows 20, rank 17, mobility 1",
            "bodies",
            "  b1  RigidBody  1 kg  ux uy uz rx ry rz",
            "  b2  RigidBody  1 kg  ux uy uz rx ry rz",
            "  b3  RigidBody  1 kg  ux uy uz rx ry rz",
            "constraints",
            "  j0  Pinned  b1-ground  x y z rx ry",
            "  j1  Pinned  b1-b2      x y z rx ry",
            "  j2  Pinned  b2-b3      x y z rx ry",
            "  j3  Pinned  b3-ground  x y z rx ry",
            "forces",
            "  gravity  Gravity  b1-b2-b3",
            "redundant rows",
            "  j3.z j3.rx j3.ry",
        ]
    )


def test_record_survives_json(four_bar):
    record = four_bar().describe()
    assert json.loads(json.dumps(record)) == record
    assert record["mobility"] == 1
    assert record["constraints"][1] == {
        "name": "j1", "kind": "Pinned", "bodies": ["b1", "b2"], "level": "position",
        "rows": ["x", "y", "z", "rx", "ry"],
    }  # fmt: skip
    assert record["groups"] == [{"bodies": ["b1", "b2", "b3"], "ground": True}]


def test_contacts_and_long_lists(elastic_disc, ritz):
    system = elastic_disc.build(elastic_disc.ElasticDisc(), ritz)
    record = system.describe()
    assert [contact["name"] for contact in record["contacts"]] == ["contact"]
    assert [force["name"] for force in record["forces"]] == ["bearing", "force"]
    assert record["groups"] == [{"bodies": ["clutch", "plate"], "ground": True}]
    text = str(system)
    assert f"({len(system.bodies[1].dofs)})" in text
    assert max(map(len, text.splitlines())) < 100
    assert json.loads(json.dumps(record)) == record


@pytest.fixture
def cubes():
    return [RigidBody(name, 1.0, DOFS, (0.1, 0.1, 0.1)) for name in "abcd"]


def groups(bodies, *items):
    record = System(bodies, items).describe()["groups"]
    return [(group["bodies"], group["ground"]) for group in record]


def test_loads_connect_nothing(cubes):
    loads = [Gravity(cubes), Force(cubes[0], (1, 0, 0), (0, 0.1, 0), follower=True)]
    assert groups(cubes, *loads) == [([name], False) for name in "abcd"]


def test_force_elements_and_joints_connect(cubes, pin):
    a, b, c, d = cubes
    spring = SpringDamper(d, b, 10.0, point_b=(0.3, 0.0, 0.0))
    mount = Bushing(None, c, (1.0,) * 6)
    joint = pin("joint", a, b, (0.1, 0.0, 0.0))
    assert groups(cubes, spring, mount, joint) == [(["c"], True), (["a", "b", "d"], False)]
    text = str(System(cubes, [spring, mount, joint]))
    assert text.endswith("not connected to the ground\n  a b d")


def test_guided_bodies_are_held_by_the_ground():
    shafts = [RigidBody(name, 1.0, ("rz",), (0.1, 0.1, 0.1)) for name in ("in", "out")]
    assert groups(shafts, Drive(None, shafts[0], 5.0)) == [(["in", "out"], True)]


def test_conflicts_are_listed(quadric):
    body = RigidBody("mass", 2.0)
    rows = [quadric(n, (body,), np.eye(3)[:1], law=(p, 0, 0)) for n, p in (("a", 0), ("b", 1))]
    assert "conflicting rows\n  a.r0  +5.000e-01\n  b.r0  -5.000e-01" in str(System([body], rows))


def test_items_in_python_are_named():
    class Wind:
        name = "wind"

        def __init__(self, body):
            self.bodies = (body,)

        def force(self, t, q, v):
            return -v

        def tangents(self, t, q, v):
            return np.zeros((len(v), len(v))), -np.eye(len(v))

    stone = RigidBody("stone", 2.0)
    system = System([stone], [Wind(stone), Gravity([stone])])
    assert system.describe()["in_python"] == ["wind"]
    assert "in Python: wind" in str(system).splitlines()
    still = System([stone], [Gravity([stone])])
    assert still.describe()["in_python"] == []
    assert "in Python" not in str(still)
