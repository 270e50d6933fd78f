"""The adhesive point as a normal law: branch, energy, hysteresis, friction, impact."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import quad

from fecontact.body import RigidBody
from fecontact.contact import (
    ContactModuli,
    ContactPair,
    ElastoPlastic,
    JKRContact,
    Plane,
    RigidFace,
    Surface,
)
from fecontact.integrate import simulate
from fecontact.system import System

RUBBER = JKRContact(ContactModuli(50e3, 0.49, np.inf), 0.01, 0.048)
LAW = RUBBER.law()
D = RUBBER.touching_approach
ZERO = np.zeros(1)
FOLD = RUBBER.touching_radius * 4.0 ** (-2 / 3)
LOSS = -RUBBER.pull_off_force * D * (0.4 + 4.0 ** (-1 / 3) / 15.0)
"""Energy of one closing and opening: -U at d = 0, and U at the fold, by the polynomial of y."""


def bonded(d):
    """Force of a full bond at approaches d."""
    return LAW.step(np.ones_like(d), -d, -d, np.zeros_like(d), 1e-3).pressure


def johnson(a):
    """Elastic energy after Johnson, less the surface energy 2 gamma pi a^2."""
    hertz, force = 4 / 3 * RUBBER.pair.modulus * a**3 / RUBBER.radius, RUBBER.force(a)
    scale = (4 / 3 * RUBBER.pair.modulus) ** (2 / 3) * RUBBER.radius ** (1 / 3)
    elastic = (hertz ** (5 / 3) / 15 + force**2 * hertz ** (-1 / 3) / 3) / scale
    return elastic - 2.0 * RUBBER.surface_energy * np.pi * a**2


def test_force_follows_the_stable_branch():
    """The law solves d(a) for a: force and energy are those over the contact radius."""
    a = FOLD * np.r_[1.001, np.geomspace(1.01, 300.0, 400)]
    d = RUBBER.approach(a)
    size = np.abs(RUBBER.force(a)) + 1e-3 * -RUBBER.pull_off_force
    assert np.all(np.abs(bonded(d) - RUBBER.force(a)) <= 1e-9 * size)
    np.testing.assert_allclose(LAW.balance(np.ones_like(d), -d, 0 * d)[0], johnson(a), rtol=1e-9)


def test_closed_values():
    """8/9 F_ad where the surfaces touch, F_ad at most, 5/9 F_ad at the fold; far in: Hertz."""
    shares = bonded(np.array([0.0, RUBBER.break_approach * (1 - 1e-12)])) / RUBBER.pull_off_force
    np.testing.assert_allclose(shares, [8 / 9, 5 / 9], rtol=1e-5)
    assert RUBBER.approach(FOLD) == pytest.approx(RUBBER.break_approach, rel=1e-12)
    d = np.linspace(RUBBER.break_approach, D, 20001)
    assert bonded(d).min() == pytest.approx(RUBBER.pull_off_force, rel=1e-7)
    deep = np.array([1e6 * D])
    assert bonded(deep) == pytest.approx(4 / 3 * RUBBER.pair.modulus * 0.1 * deep**1.5, rel=1e-4)


def test_hysteresis():
    """Nothing before the touch on the way in; held to the break on the way out; the loop loses."""
    way = D * np.linspace(-1.0, 1.0, 4001)
    z, forces = ZERO, []
    d = np.r_[way, way[::-1]]
    for before, now in zip(np.r_[d[0], d[:-1]], d, strict=True):
        step = LAW.step(z, np.array([-before]), np.array([-now]), ZERO, 1e-3)
        z = step.z
        forces.append(step.pressure.item())
    forces = np.array(forces)
    going_in, out = forces[:4001], forces[4001:]
    assert np.all(going_in[way < 0.0] == 0.0)
    assert np.all(out[way[::-1] < RUBBER.break_approach] == 0.0)
    assert np.all(out[(way[::-1] > RUBBER.break_approach) & (way[::-1] < 0.0)] < 0.0)
    lost = np.sum(0.5 * (forces[1:] + forces[:-1]) * np.diff(d))
    assert lost == pytest.approx(LOSS, rel=1e-3)
    force = lambda x: bonded(np.array([x])).item()  # noqa: E731
    exact = -quad(force, RUBBER.break_approach, 0.0, epsabs=1e-16)[0]
    assert exact == pytest.approx(LOSS, rel=1e-6)


def test_continuous_bond_balances():
    """With a bond time the power of the force is that of energy and loss, and the loss >= 0."""
    law, rng = RUBBER.law(bond_time=1e-2), np.random.default_rng(1)
    gap, rate = D * rng.uniform(-1.0, 1.0, 200), D * rng.normal(size=200)
    z, e = rng.uniform(0.0, 1.0, 200), 1e-6
    rates = law.rate(z, gap, rate)
    ends = [law.balance(z + s * e * rates.z_rate, gap + s * e * rate, rate)[0] for s in (1, -1)]
    stored, lost = (ends[0] - ends[1]) / (2 * e), law.balance(z, gap, rate)[1]
    size = -RUBBER.pull_off_force * D * 100.0
    assert np.all(lost >= 0.0)
    assert np.abs(-rates.pressure * rate - stored - lost).max() < 1e-6 * size


def scene(law):
    ball = RigidBody("ball", 1e-3, ("ux", "uz"))
    point = Surface(np.zeros((1, 3)), np.ones(1))
    friction = ElastoPlastic(0.5, 10.0, 1e-3)
    pair = ContactPair(ball, point, RigidFace(None, Plane()), law, friction)
    return System([ball], [pair]), pair


@pytest.mark.parametrize(
    ("share", "method"), [(4.0, "implicit"), (4.0, "explicit"), (0.5, "explicit")]
)
def test_impact(share, method):
    """A ball that brings `share` times the energy of the loop leaves with the rest, or stays."""
    speed = np.sqrt(2.0 * share * LOSS / 1e-3)
    system, _ = scene(LAW)
    start = system.state(q={"ball.uz": 1e-3 * D}, v={"ball.uz": -speed})
    motion = simulate(system, 12.0 * D / speed, start, method, D / speed, step=4e-5)
    left = (motion.v[-1, 1] / speed) ** 2
    if share > 1.0:
        assert left == pytest.approx(1.0 - 1.0 / share, abs=0.01)
        assert motion.q[-1, 1] > D
    else:
        assert motion.q[:, 1].max() < -RUBBER.break_approach


def test_no_friction_under_tension():
    """A point that is pulled carries no friction, however it slides."""
    system, pair = scene(LAW)
    state = system.state(q={"ball.uz": -1e-6 * D}, v={"ball.ux": 1.0})
    pulled = pair.force(0.0, state.q, state.v)
    assert pulled[1] == pytest.approx(8 / 9 * RUBBER.pull_off_force, rel=1e-5)
    assert pulled[0] == 0.0
