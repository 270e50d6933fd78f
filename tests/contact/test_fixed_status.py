"""Contacts with given status: compiled against reference, derivatives, continuity, power."""

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
from fecontact.contact.evaluate.fixed_status import FixedStatusPair, held_bristles
from fecontact.contact.status import GROSS, OPEN, SLIP, STICK

LAWS = (Coulomb(0.3, 0.4), Stribeck(0.2, 0.5, 0.1, viscous=0.02))
SHAPES = (Plane(), Sphere(1.0, (0.0, 0.0, -1.0)), Cylinder(1.0))


def drawn(seed, shape, mu):
    """A pair of moving bodies with points in all four statuses, at a random state."""
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
    status = np.array([STICK, SLIP, GROSS, OPEN, SLIP, GROSS])
    at = pair.kinematics(q, v)
    toward = np.cross(at.normal, rng.standard_normal((6, 3))) @ at.projection.rotation
    toward /= np.linalg.norm(toward, axis=1)[:, None]
    rest = np.where(status == OPEN, -0.02, 0.0)
    return (
        FixedStatusPair(pair, status, rest, 0.1, toward),
        q,
        v,
        0.05 * rng.standard_normal((6, 3)),
    )


@pytest.mark.parametrize("mu", LAWS)
@pytest.mark.parametrize("shape", SHAPES)
def test_compiled_and_reference_form(shape, mu):
    for seed in range(5):
        fixed, q, v, z = drawn(seed, shape, mu)
        fast, plain = fixed.at(0.13, q, v, z), fixed.reference(0.13, q, v, z)
        assert type(fast) is not type(plain)
        for name in ("force", "z_rate", "slip_rates", "signals"):
            ours, theirs = getattr(fast, name), getattr(plain, name)
            np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12, err_msg=name)
        np.testing.assert_allclose(fast.powers, plain.powers, rtol=1e-11, atol=1e-12)
        power = plain.report().point_slip_power
        np.testing.assert_allclose(power, fast.slip_rates[:, 0], rtol=1e-12, atol=1e-12)
        assert not power[(fixed.status == STICK) | (fixed.status == OPEN)].any()


@pytest.mark.parametrize("mu", LAWS)
@pytest.mark.parametrize("shape", SHAPES)
def test_tangents(shape, mu, difference):
    fixed, q, v, z = drawn(3, shape, mu)
    one, two = fixed.pair.bodies

    def moved(step):
        return np.concatenate([one.move(q[:7], step[:6]), two.move(q[7:], step[6:])])

    def answer(q, v, z):
        at = fixed.reference(0.13, q, v, z.reshape(-1, 3))
        return np.concatenate([at.force, at.z_rate.ravel()])

    by, step = fixed.reference(0.13, q, v, z).tangents(), np.full(12, 1e-3)
    found = {
        "v": difference(lambda x: answer(q, x, z), v, step),
        "z": difference(lambda x: answer(q, v, x), z.ravel(), np.full(z.size, 1e-3)),
    }
    blocks = {
        "v": np.vstack([by.force_by_v, by.z_rate_by_v]),
        "z": np.vstack([by.force_by_z, _diagonal(by.z_rate_by_z)]),
    }
    # along q the direction of the start would turn with the master: take gross slip as it begins
    fixed = replace(fixed, toward=np.zeros((6, 3)))
    by = fixed.reference(0.13, q, v, z).tangents()
    found["q"] = difference(lambda x: answer(moved(x), v, z), np.zeros(12), step)
    blocks["q"] = np.vstack([by.force_by_q, by.z_rate_by_q])
    for name, block in blocks.items():
        error = np.abs(found[name] - block).max() / np.abs(block).max()
        assert error < 1e-7, (name, error)


def _diagonal(blocks):
    count, k = blocks.shape[:2]
    result = np.zeros((count * k, count * k))
    for i, block in enumerate(blocks):
        result[i * k : i * k + k, i * k : i * k + k] = block
    return result


def held(at):
    return held_bristles(at.signals, at.law.stiffness, at.law.damping)


def test_slip_begins_where_stick_ends():
    """At |a| = mu p stick and slip agree; a bristle that is held keeps the friction of slip."""
    fixed, q, v, z = drawn(1, Plane(), Coulomb(0.3))
    slips = replace(fixed, status=np.full(6, SLIP))
    at = slips.reference(0.1, q, v, z)
    sticks = replace(fixed, status=np.full(6, STICK)).reference(0.1, q, v, held(at))
    np.testing.assert_allclose(sticks.friction.traction, at.friction.traction, atol=1e-13)
    runs = replace(fixed, status=np.full(6, GROSS), toward=np.zeros((6, 3))).reference(0.1, q, v, z)
    stuck = replace(fixed, status=np.full(6, STICK)).reference(0.1, q, v, held(runs))
    np.testing.assert_allclose(stuck.friction.traction, runs.friction.traction, atol=1e-13)


def test_power_balance(difference):
    """f . v = -energy' - damping - slip + supplied along the motion, in every status."""
    for seed in range(4):
        fixed, q, v, z = drawn(seed, Plane(), Coulomb(0.3))
        one, two = fixed.pair.bodies
        runs = fixed.status == GROSS
        z[runs | (fixed.status == OPEN)] = 0.0
        at = fixed.reference(0.1, q, v, z)

        def energy(step, fixed=fixed, q=q, v=v, z=z, at=at, one=one, two=two):
            h = float(step[0])
            moved = np.concatenate([one.move(q[:7], h * v[:6]), two.move(q[7:], h * v[6:])])
            later = fixed.reference(0.1 + h, moved, v, z + h * at.z_rate)
            return np.array([later.report().energy])

        rate = difference(energy, np.zeros(1), np.array([1e-4]))[0, 0]
        report = at.report()
        lost = report.damping_power + report.slip_power - report.supplied_power
        assert at.force @ v == pytest.approx(-rate - lost, rel=1e-8)
