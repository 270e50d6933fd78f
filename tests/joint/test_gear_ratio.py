"""Ideal ratio of shafts: speeds, moments, housing, bevel pair, derivatives."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from fecontact.body import DOFS, RigidBody
from fecontact.errors import InputError
from fecontact.joint.gear.ratio import GearRatio
from fecontact.system import System

seeds = st.integers(0, 2**32 - 1)


def shaft(name, dofs=("rz",), **options):
    return RigidBody(name, 1.0, dofs, inertia=(0.1, 0.1, 0.1), **options)


@pytest.mark.parametrize(("internal", "sign"), [(False, -1.0), (True, 1.0)])
def test_speeds_and_moments(internal, sign):
    """omega_2 = -+ omega_1 z_1/z_2 and M_2 = +- M_1 z_2/z_1; power in is power out."""
    ratio = GearRatio(shaft("a"), shaft("b"), (17, 51), internal)
    v = np.array([30.0, sign * 10.0])
    row = ratio.at(0.0, np.zeros(2), v)
    assert row.rate == pytest.approx([0.0], abs=1e-13)
    moments = row.jacobian[0]
    assert moments[1] / moments[0] == pytest.approx(-sign * 3.0)
    assert moments @ v == pytest.approx(0.0, abs=1e-12)
    assert System([*ratio.bodies], [ratio]).constraints == (ratio,)


def test_prescribed_spin_drives():
    """A rotor with a prescribed spin gives a rate without dof."""
    ratio = GearRatio(RigidBody("engine", 1.0, ("uz",), spin=60.0), shaft("b"), (20, 30))
    row = ratio.at(0.0, np.zeros(2), np.array([0.0, -40.0]))
    assert row.rate == pytest.approx([0.0], abs=1e-13)
    assert row.jacobian.tolist() == [[0.0, 30.0]]


def test_carrier_of_a_planetary_stage():
    """Willis: with the ring at rest omega_sun/omega_carrier = 1 + z_ring/z_sun."""
    carrier, sun, planet, ring = (shaft(name) for name in ("carrier", "sun", "planet", "ring"))
    outer = GearRatio(sun, planet, (24, 18), housing=carrier)
    inner = GearRatio(planet, ring, (18, 60), internal=True, housing=carrier)
    arm = 5.0
    fast = arm * (1.0 + 60 / 24)
    spin = arm * (1.0 - 60 / 18)
    zero = np.zeros(3)
    assert outer.at(0.0, zero, np.array([arm, fast, spin])).rate == pytest.approx([0.0], abs=1e-12)
    assert inner.at(0.0, zero, np.array([arm, spin, 0.0])).rate == pytest.approx([0.0], abs=1e-12)
    assert outer.at(0.0, zero, zero).jacobian.tolist() == [[-42.0, 24.0, 18.0]]


KINDS = {
    "ground": lambda: GearRatio(shaft("a", DOFS), shaft("b", DOFS), (20, 31), axis="y"),
    "housing": lambda: GearRatio(
        shaft("a", DOFS), shaft("b", ("rx",)), (20, 31), True, (1.0, 2.0, 0.5),
        housing=shaft("h", DOFS),
    ),
    "bevel": lambda: GearRatio(
        shaft("a"), shaft("b", DOFS), (20, 31), axis_b="x", housing=shaft("h", DOFS),
    ),
}  # fmt: skip


@settings(max_examples=2)
@pytest.mark.parametrize("kind", KINDS)
@given(seed=seeds)
def test_derivatives(difference, kind, seed):
    ratio = KINDS[kind]()
    rng = np.random.default_rng(seed)
    n = sum(len(body.dofs) for body in ratio.bodies)
    parts = [b.move(b.reference(), rng.uniform(-0.8, 0.8, len(b.dofs))) for b in ratio.bodies]
    q, v, load = np.concatenate(parts), rng.uniform(-2.0, 2.0, n), np.array([1.7])

    def moved(step):
        result, j = [], 0
        for body, own in zip(ratio.bodies, parts, strict=True):
            result.append(body.move(own, step[j : j + len(body.dofs)]))
            j += len(body.dofs)
        return np.concatenate(result)

    row, steps = ratio.at(0.0, q, v), np.full(n, 1e-2)
    for found, f in (
        (row.d_rate(), lambda s: ratio.at(0.0, moved(s), v).rate),
        (row.d_load(load), lambda s: ratio.at(0.0, moved(s), v).jacobian.T @ load),
    ):
        expected = difference(f, np.zeros(n), steps)
        error = np.linalg.norm(found - expected)
        assert error <= 1e-7 * np.linalg.norm(expected) + 1e-11
    by_v = difference(lambda w: ratio.at(0.0, q, w).rate, v, np.ones(n))
    np.testing.assert_allclose(row.jacobian, by_v, atol=1e-11)
    drift = difference(lambda h: ratio.at(0.0, moved(h[0] * v), v).rate, np.zeros(1), [1e-3])
    assert ratio.bias(0.0, q, v) == pytest.approx(drift[:, 0], abs=1e-8)


@settings(max_examples=15)
@given(seed=seeds)
def test_moments_are_in_balance(seed):
    """All three bodies free: the moments on shafts and housing add up to zero in space."""
    bodies = [shaft(name, DOFS) for name in "hab"]
    ratio = GearRatio(bodies[1], bodies[2], (20, 31), axis_b=(1.0, -1.0, 3.0), housing=bodies[0])
    rng = np.random.default_rng(seed)
    turns = [Rotation.random(random_state=rng.integers(2**31)) for _ in bodies]
    q = np.concatenate([[0, 0, 0, *turn.as_quat(scalar_first=True)] for turn in turns])
    f = ratio.at(0.0, q, np.zeros(18)).jacobian[0].reshape(3, 2, 3)
    total = sum(turn.apply(moment) for turn, moment in zip(turns, f[:, 1], strict=True))
    assert np.abs(total).max() < 1e-12
    assert not f[:, 0].any()
    assert np.linalg.norm(f[1, 1]) == pytest.approx(20.0)
    assert np.linalg.norm(f[2, 1]) == pytest.approx(31.0)


def test_bad_input():
    a, b = shaft("a"), shaft("b")
    for build, message in (
        (lambda: GearRatio(a, b, (0, 20)), "gear ratio: invalid teeth = 0"),
        (lambda: GearRatio(a, a, (20, 20)), "invalid shafts, both 'a'"),
        (lambda: GearRatio(a, b, (20, 20), axis="x"), "'a' cannot turn about the axis"),
        (lambda: GearRatio(a, b, (20, 20), axis_b="q"), "invalid axis_b = q"),
    ):
        with pytest.raises(InputError, match=message):
            build()
