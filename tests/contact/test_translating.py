"""Contact pairs of bodies that cannot turn: equal to the compiled form of those that could."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc
from fecontact.contact.evaluate.lowered.step import PARTS, history_parts, lowered_pair
from fecontact.contact.evaluate.lowered.translating import lowered_translating_pair
from fecontact.kernels.calls import call_block
from fecontact.kernels.lowered import (
    ADVANCE,
    BEGIN,
    BENT,
    FORCE,
    HELD,
    LOST,
    RECORD,
    SHOW,
    STEP,
    SUPPLIED,
    TANGENTS,
    record_size,
)

NORMAL = fc.PenaltyNormal(1e7, 1e3)
LAWS = {
    "elasto-plastic": fc.ElastoPlastic(0.3, 1e7, 100.0),
    "static": fc.ElastoPlastic(fc.Coulomb(0.3, static=0.5), 1e7, 100.0),
    "LuGre": fc.lugre(0.3, 1e7, 100.0),
}
POINT = fc.Surface(np.array([[0.1, 0.2, -1e-3]]), np.ones(1))
RING = fc.ring(radius=0.1, points=12, height=-1e-3)
ASIDE = (0.05, -0.02, 0.0)
PLACE = 3e-17
"""Round-off in m of places 0.2 m from the origin, and of the slip between them."""
STIFF = 1.1e7
"""Bristles with their dampers, over a step, in N/m."""


def body(name, dofs, position=ASIDE):
    return fc.RigidBody(name, 2.0, dofs, position=position)


def masters():
    tilted = fc.Plane((0.1, -0.2, 1.0))
    yield "ground", POINT, fc.RigidFace(None, fc.Plane())
    yield "tilted", RING, fc.RigidFace(None, tilted, point=ASIDE)
    yield "moving", RING, fc.RigidFace(body("master", ("uy", "uz")), tilted)


def pairs():
    for name, surface, master in masters():
        for law, friction in LAWS.items():
            pair = fc.ContactPair(body("slave", ("ux", "uz")), surface, master, NORMAL, friction)
            yield pytest.param(pair, id=f"{name}, {law}")


class Called:
    """A compiled form with its record."""

    def __init__(self, low, pair):
        self.low, self.n = low, sum(len(each.dofs) for each in pair.bodies)
        size, parts = record_size(self.n, self.n), history_parts(pair.points, pair.columns, 0)
        self.w = np.full(size + low.memory, 7e77)  # whatever was there must not matter
        self.w[:RECORD] = 0.0
        places = np.split(self.w[size : size + sum(parts)], np.cumsum(parts)[:-1])
        self.parts = dict(zip(PARTS, places, strict=True))

    def ask(self, task, q, v, h):
        at = RECORD + self.n
        self.w[STEP], self.w[RECORD:at], self.w[at : at + self.n] = h, q, v
        assert call_block(self.low.address, self.w, self.low.parameters, float(task)) == 0.0

    def answers(self, task):
        """What a task leaves, by name."""
        n, at = self.n, RECORD + 2 * self.n
        end = at + n + (2 * n * n if task in (TANGENTS, HELD) else 0)
        found = {"force and tangents": self.w[at:end]}
        names = {
            FORCE: ("z", "status", "totals"),
            ADVANCE: ("z0", "status0", "totals0", "grip"),
            SHOW: ("numbers", "vectors", "bristles", "sums"),
        }
        found |= {name: self.parts[name] for name in names.get(task, ())}
        if task == ADVANCE:
            found["powers"] = self.w[[LOST, BENT, SUPPLIED]]
        return found


@pytest.mark.parametrize("pair", [*pairs()])
def test_all_answers_are_those_of_bodies_that_could_turn(pair):
    """Force, tangents, history, energies and reports over several steps."""
    forms = lowered_translating_pair(pair), lowered_pair(pair)
    both, rng = [Called(low, pair) for low in forms], np.random.default_rng(3)
    assert pair.lowered_steps().code is forms[0].code
    n, p, k = both[0].n, pair.points, pair.columns
    z, grip = 1e-5 * rng.standard_normal((p, k)), rng.standard_normal((p, 4))
    q, v = 1e-4 * rng.standard_normal((2, n))
    for called in both:
        called.parts["z0"][:], called.parts["grip"][:] = z.ravel(), grip.ravel()
        called.parts["status0"].view(np.int64)[:] = np.arange(p) % 3
        called.parts["totals0"][:] = 0.0
        called.ask(BEGIN, q, v, 0.0)
    carried = 0
    for tasks in ((FORCE, TANGENTS, HELD, ADVANCE), (FORCE, ADVANCE), (ADVANCE,), (FORCE, SHOW)):
        q, v = q + 1e-4 * rng.standard_normal(n), v + 0.1 * rng.standard_normal(n)
        for task in tasks:
            for called in both:
                called.ask(task, q, v, 1e-3)
            found, expected = (called.answers(task) for called in both)
            carried += expected["force and tangents"].any()
            for name, answer in expected.items():
                if name.startswith("status"):
                    np.testing.assert_array_equal(found[name].view(int), answer.view(int))
                    continue
                least = PLACE if name in ("z", "z0") else STIFF * PLACE
                allowed = max(1e-12 * np.abs(answer).max(), least)
                np.testing.assert_allclose(found[name], answer, rtol=0, atol=allowed)
    assert carried >= 6


def test_others_have_no_such_form():
    """Bodies that turn, planes on bodies that spin, round surfaces, elastic points."""
    law, slave = LAWS["elasto-plastic"], body("slave", ("ux", "uz"))
    turning = fc.RigidBody("turning", 1.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.1))
    spinning = fc.RigidBody("spinning", 1.0, ("uz",), spin=3.0)
    ground = fc.RigidFace(None, fc.Plane())
    for one, master in (
        (turning, ground),
        (slave, fc.RigidFace(turning, fc.Plane())),
        (slave, fc.RigidFace(spinning, fc.Plane())),
        (slave, fc.RigidFace(None, fc.Sphere(5.0, hollow=True))),
    ):
        pair = fc.ContactPair(one, RING, master, NORMAL, law)
        assert lowered_translating_pair(pair) is None
        assert pair.lowered_steps() is not None
