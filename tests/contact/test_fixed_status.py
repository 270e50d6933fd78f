"""Contacts with given modes: compiled against ordinary form, derivatives, continuity, power."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.contact import (
    ContactPair,
    Coulomb,
    Cylinder,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidFace,
    Sphere,
    Stribeck,
    Surface,
)
from fecontact.contact.evaluate.fixed_status import FrozenPair
from fecontact.contact.status import GROSS, OPEN, SLIP, STICK

LAWS = (Coulomb(0.3, 0.4), Stribeck(0.2, 0.5, 0.1, viscous=0.02))
SHAPES = (Plane(), Sphere(1.0, (0.0, 0.0, -1.0)), Cylinder(1.0))


def drawn(seed, shape, mu):
    """A pair of moving bodies with points in all four modes, at a random state."""
    rng = np.random.default_rng([7, seed])
    one = RigidBody("one", 1.0, DOFS, (1.0, 2.0, 3.0))
    two = RigidBody("two", 1.0, DOFS, (1.0, 2.0, 3.0))
    places = 0.1 * rng.uniform(-1.0, 1.0, (6, 3))
    surface = Surface(places, rng.uniform(0.5, 1.0, 6))
    place = (-1.0, 0.0, 0.0) if isinstance(shape, Cylinder) else (0.0, 0.0, 0.0)
    pair = ContactPair(
        one, surface, RigidFace(two, shape, place), PenaltyNormal(50.0, 3.0),
        ElastoPlastic(mu, 20.0, 2.0),
    )  # fmt: skip
    q = np.concatenate([one.reference(), two.reference()])
    q[:3] += 0.1 * rng.standard_normal(3)
    q = np.concatenate([one.move(q[:7], 0.2 * rng.standard_normal(6)),
                        two.move(q[7:], 0.2 * rng.standard_normal(6))])  # fmt: skip
    v = 0.3 * rng.standard_normal(12)
    mode = np.array([STICK, SLIP, GROSS, OPEN, SLIP, GROSS])
    at = pair.approach(q, v)
    toward = np.cross(at.normal, rng.standard_normal((6, 3))) @ at.projection.rotation
    toward /= np.linalg.norm(toward, axis=1)[:, None]
    rest = np.where(mode == OPEN, -0.02, 0.0)
    return FrozenPair(pair, mode, rest, 0.1, toward), q, v, 0.05 * rng.standard_normal((6, 3))


@pytest.mark.parametrize("mu", LAWS)
@pytest.mark.parametrize("shape", SHAPES)
def test_compiled_and_ordinary_form(shape, mu):
    for seed in range(5):
        frozen, q, v, z = drawn(seed, shape, mu)
        fast, plain = frozen.at(0.13, q, v, z), frozen.ordinary(0.13, q, v, z)
        assert type(fast) is not type(plain)
        for name in ("force", "rate", "wear_rate", "signals"):
            ours, theirs = getattr(fast, name), getattr(plain, name)
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12, err_msg=name)
        np.testing.assert_allclose(fast.powers, plain.powers, rtol=1e-11, atol=1e-12)
        power = plain.report().point_slip_power
        np.testing.assert_allclose(power, fast.wear_rate[:, 0], rtol=1e-12, atol=1e-12)
        assert not power[(frozen.mode == STICK) | (frozen.mode == OPEN)].any()


@pytest.mark.parametrize("mu", LAWS)
@pytest.mark.parametrize("shape", SHAPES)
def test_tangents(shape, mu, difference):
    frozen, q, v, z = drawn(3, shape, mu)
    one, two = frozen.pair.bodies

    def moved(step):
        return np.concatenate([one.move(q[:7], step[:6]), two.move(q[7:], step[6:])])

    def answer(q, v, z):
        at = frozen.ordinary(0.13, q, v, z.reshape(-1, 3))
        return np.concatenate([at.force, at.rate.ravel()])

    by, step = frozen.ordinary(0.13, q, v, z).tangents(), np.full(12, 1e-3)
    found = {
        "v": difference(lambda x: answer(q, x, z), v, step),
        "z": difference(lambda x: answer(q, v, x), z.ravel(), np.full(z.size, 1e-3)),
    }
    blocks = {
        "v": np.vstack([by.force_by_v, by.rate_by_v]),
        "z": np.vstack([by.force_by_z, _diagonal(by.rate_by_z)]),
    }
    # along q the direction of the start would turn with the master: take gross slip as it begins
    frozen = replace(frozen, toward=np.zeros((6, 3)))
    by = frozen.ordinary(0.13, q, v, z).tangents()
    found["q"] = difference(lambda x: answer(moved(x), v, z), np.zeros(12), step)
    blocks["q"] = np.vstack([by.force_by_q, by.rate_by_q])
    for name, block in blocks.items():
        error = np.abs(found[name] - block).max() / np.abs(block).max()
        assert error < 1e-7, (name, error)


def _diagonal(blocks):
    count, k = blocks.shape[:2]
    result = np.zeros((count * k, count * k))
    for i, block in enumerate(blocks):
        result[i * k : i * k + k, i * k : i * k + k] = block
    return result


def test_slip_begins_where_stick_ends():
    """At |a| = mu p stick and slip agree; a bristle that is held keeps the friction of slip."""
    frozen, q, v, z = drawn(1, Plane(), Coulomb(0.3))
    slips = replace(frozen, mode=np.full(6, SLIP))
    at = slips.ordinary(0.1, q, v, z)
    sticks = replace(frozen, mode=np.full(6, STICK)).ordinary(0.1, q, v, at.held)
    np.testing.assert_allclose(sticks.friction.traction, at.friction.traction, atol=1e-13)
    runs = replace(frozen, mode=np.full(6, GROSS), toward=np.zeros((6, 3))).ordinary(0.1, q, v, z)
    held = replace(frozen, mode=np.full(6, STICK)).ordinary(0.1, q, v, runs.held)
    np.testing.assert_allclose(held.friction.traction, runs.friction.traction, atol=1e-13)


def test_power_balance(difference):
    """f . v = -energy' - damping - slip + supplied along the motion, in every mode."""
    for seed in range(4):
        frozen, q, v, z = drawn(seed, Plane(), Coulomb(0.3))
        one, two = frozen.pair.bodies
        runs = frozen.mode == GROSS
        z[runs | (frozen.mode == OPEN)] = 0.0
        at = frozen.ordinary(0.1, q, v, z)

        def energy(step, frozen=frozen, q=q, v=v, z=z, at=at, one=one, two=two):
            h = float(step[0])
            moved = np.concatenate([one.move(q[:7], h * v[:6]), two.move(q[7:], h * v[6:])])
            later = frozen.ordinary(0.1 + h, moved, v, z + h * at.rate)
            return np.array([later.report().energy])

        rate = difference(energy, np.zeros(1), np.array([1e-4]))[0, 0]
        report = at.report()
        lost = report.damping_power + report.slip_power - report.supplied_power
        assert at.force @ v == pytest.approx(-rate - lost, rel=1e-8)
