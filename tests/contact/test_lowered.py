"""Contact pairs as compiled functions: equal to their steps in Python, over the history too."""

from __future__ import annotations

import numpy as np
import pytest
from called_pair import Called

import fecontact as fc
from fecontact.body.rigid import DOFS
from fecontact.contact.history import ContactHistory
from fecontact.kernels.lowered import FORCE, HELD, TANGENTS

NORMAL = fc.PenaltyNormal(1e7, 1e3)
LAWS = {
    "elasto-plastic": fc.ElastoPlastic(0.3, 1e7, 100.0),
    "static": fc.ElastoPlastic(fc.Coulomb(0.3, static=0.5), 1e7, 100.0),
    "LuGre": fc.lugre(0.3, 1e7, 100.0),
}


def free(name, position=(0.0, 0.0, 0.0)):
    return fc.RigidBody(name, 2.0, DOFS, inertia=(0.15, 0.2, 0.3), position=position)


def flexible():
    """Points with shapes in a frame at rest."""
    rng, ring = np.random.default_rng(2), fc.ring(radius=0.1, points=9, height=-1e-4)
    body = fc.ModalBody("plate", np.array([100.0, 230.0, 310.0]))
    shapes = 0.1 * rng.standard_normal((9, 3, 3))
    return body, fc.Surface(ring.points, ring.weights, shapes=shapes)


RING = fc.ring(radius=0.1, points=12, height=-1e-3)
MASTERS = {
    "ground": lambda: fc.RigidFace(None, fc.Plane()),
    "moving plane": lambda: fc.RigidFace(free("master"), fc.Plane((0.1, 0.0, 1.0))),
    "hollow cylinder": lambda: fc.RigidFace(free("master"), fc.Cylinder(0.1005, hollow=True)),
    "sphere": lambda: fc.RigidFace(free("master"), fc.Sphere(0.1005, hollow=True)),
    "one axis": lambda: fc.RigidFace(
        fc.RigidBody("wheel", 1.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.1)), fc.Plane()
    ),
}


def pairs():
    for name, master in MASTERS.items():
        for law, friction in LAWS.items():
            pair = fc.ContactPair(free("slave"), RING, master(), NORMAL, friction)
            yield pytest.param(pair, id=f"{name}, {law}")
    body, surface = flexible()
    for name in ("ground", "one axis"):
        pair = fc.ContactPair(body, surface, MASTERS[name](), NORMAL, LAWS["elasto-plastic"])
        yield pytest.param(pair, id=f"elastic on {name}")
    point = fc.Surface(np.zeros((1, 3)), np.ones(1))
    mass = fc.RigidBody("mass", 1.0, ("ux", "uz"))
    pair = fc.ContactPair(mass, point, MASTERS["ground"](), NORMAL, LAWS["elasto-plastic"])
    yield pytest.param(pair, id="one point")


def random_state(pair, rng, size):
    q = [b.move(b.reference(), size * rng.standard_normal(len(b.dofs))) for b in pair.bodies]
    n = sum(len(body.dofs) for body in pair.bodies)
    return np.concatenate(q), 10.0 * size * rng.standard_normal(n)


def moved(pair, q, step):
    """Coordinates after an increment of the dofs of all bodies."""
    parts, a, b = [], 0, 0
    for body in pair.bodies:
        n_q, n = len(body.reference()), len(body.dofs)
        parts.append(body.move(q[a : a + n_q], step[b : b + n]))
        a, b = a + n_q, b + n
    return np.concatenate(parts)


@pytest.mark.parametrize("pair", [*pairs()])
def test_steps_are_those_of_the_pair(pair):
    rng, called, h = np.random.default_rng(5), Called(pair), 1e-3
    closed = 0
    for _ in range(6):
        q, v = random_state(pair, rng, 1e-3)
        history = ContactHistory.fresh(pair.points, pair.columns)
        history.z[:] = 1e-5 * rng.standard_normal(history.z.shape)
        history.status[:] = rng.integers(0, 3, pair.points)
        start = pair.begin(0.0, q, v, history)
        called.begin(q, v, history)
        q1 = moved(pair, q, 1e-4 * rng.standard_normal(called.n))
        v1 = v + 0.01 * rng.standard_normal(called.n)
        step = start.at(0.0, q1, v1, h)
        if not step.force.any():
            continue
        closed += 1
        for task, expected in ((FORCE, step), (TANGENTS, step), (HELD, step.no_slip())):
            called.ask(task, q1, v1, h)
            scale = np.abs(expected.force).max()
            np.testing.assert_allclose(called.force, expected.force, rtol=0, atol=1e-12 * scale)
            if task == FORCE:
                new = expected.history
                np.testing.assert_allclose(
                    called.parts[7], new.z.ravel(), rtol=0, atol=1e-12 * np.abs(new.z).max()
                )
                np.testing.assert_array_equal(called.parts[8].view(np.int64), new.status)
                np.testing.assert_allclose(called.parts[9], new.slip_totals.ravel(), atol=1e-15)
                continue
            for own, plain in zip(called.tangents, expected.tangents(), strict=True):
                scale = np.abs(plain).max(initial=1e-300)
                np.testing.assert_allclose(own, plain, rtol=0, atol=1e-12 * scale)
    assert closed >= 3


def test_pairs_without_such_a_form():
    body = free("slave")
    law = LAWS["elasto-plastic"]
    spun = fc.RigidBody("spun", 1.0, ("uz",), spin=3.0)
    pair = fc.ContactPair(body, RING, fc.RigidFace(spun, fc.Plane()), NORMAL, law)
    low = pair.lowered_steps()
    assert low is not None  # bristles that stand on the slave are lowered too
    assert (
        fc.ContactPair(
            body, RING, fc.RigidFace(None, fc.Plane()), NORMAL, fc.CoulombSliding(0.3)
        ).lowered_steps()
        is None
    )
