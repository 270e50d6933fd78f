"""A load that varies and turns below the limit moves a contact nowhere: over a million cycles.

A body without mass carries the load by spring, damper and drag of its bristle, and by a dashpot of
its own: (b + d) s = load - c z. While it sticks its way is the elastic slip, which returns with the
load.
"""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fecontact.body import RigidBody
from fecontact.contact import (
    ContactHistory,
    ContactModuli,
    ContactPair,
    Coulomb,
    ElastoPlastic,
    HertzPoint,
    MindlinFriction,
    PenaltyNormal,
    Plane,
    RigidFace,
    Stribeck,
    Surface,
    dahl,
    dupont,
)
from fecontact.contact.laws.bristles import Bristle, Bristles
from fecontact.contact.laws.bristles import step as bristle_point
from fecontact.contact.laws.coefficient import _stribeck
from fecontact.contact.laws.point import Stepping
from fecontact.contact.laws.yielding import compliance, yield_step
from fecontact.contact.status import SLIP, STICK
from fecontact.kernels.calls import inlined
from fecontact.kernels.decorators import kernel

bristle_step, stribeck = inlined(bristle_point), inlined(_stribeck)

SEEDS = st.integers(0, 10**6)
MU, C = 0.4, 100.0
SETTLE = 4
"""Cycles until the damper has forgotten the start: 2^-8 and less is left after each."""
AT_ONCE = 1e-12
"""Speed in m/s of a Stribeck curve that falls at once: Coulomb's law with a static value."""


def random_law(name, seed):
    """A law with any damper (or none), Stribeck curve and static value."""
    rng = np.random.default_rng(seed)
    mu, more, c = rng.uniform(0.05, 1.2), rng.uniform(0.0, 0.5), 10.0 ** rng.uniform(1, 4)
    curve = Stribeck(mu, mu + more, 10.0 ** rng.uniform(-2, 0))
    b, drag = (10.0 ** rng.uniform(-2, 1) * rng.integers(0, 2) for _ in range(2))
    if name == "dupont":
        onset = rng.uniform(0.05, 0.9)
        decay = rng.uniform(0.1, 1.0) / (1.0 - onset)
        return dupont(mu if rng.random() < 0.5 else curve, c, b, drag, onset, decay)
    coefficient = [mu, curve, Coulomb(mu, mu + more)][rng.integers(3)]
    if name == "mindlin":
        return MindlinFriction(HertzPoint(ContactModuli(c, 0.3), 0.5), coefficient, 1.0, b)
    return ElastoPlastic(coefficient, c, b)


def bristle(law):
    """Spring, damper with drag, under a unit pressure."""
    c, b = (value.item() for value in law.bristle(np.ones(1)))
    return c, b + getattr(law, "viscous", 0.0)


def curve_of(law):
    """Numbers of the Stribeck curve that the coefficient is."""
    mu = law.coefficient
    if isinstance(mu, Stribeck):
        return np.array([mu.mu, mu.static, mu.speed, mu.exponent, mu.viscous])
    static = mu.mu if mu.static is None else mu.static
    return np.array([mu.mu, static, AT_ONCE, 1.0, 0.0])


@kernel
def pulled(onset, decay, curve, stiffness, damping, h, loads, cycles):
    """Way (2,) of the body over cycles of its loads, by the functions of a point.

    An onset of 1 is the elasto-plastic law, a lower one Dupont's, a negative one Dahl's.
    """
    z, status, x, first = (0.0, 0.0, 0.0), STICK, np.zeros(2), np.zeros(2)
    lag, soft = compliance(stiffness, damping, h)
    law = Bristle(stiffness, damping, 0.0, onset, decay)
    for cycle in range(SETTLE + cycles):
        for load in loads:
            gain = 1.0 / (stiffness + damping / h)
            dx = ((load[0] - stiffness * z[0]) * gain, (load[1] - stiffness * z[1]) * gain, 0.0)
            slip = (dx[0] / h, dx[1] / h, 0.0)
            trial = (z[0] + dx[0], z[1] + dx[1], 0.0)
            sticks = onset == 1.0 and status == STICK
            limit = stribeck(curve, np.sqrt(slip[0] ** 2 + slip[1] ** 2), 1.0, sticks)[0]
            point = Stepping(1.0, limit, slip, trial, dx, h, status, ())
            if onset == 1.0:
                end = yield_step(stiffness, damping, lag, soft, point)
            else:
                end = bristle_step(law, point)
            z, status = end.z, end.status
            x[0] += dx[0]
            x[1] += dx[1]
        if cycle == SETTLE - 1:
            first[:] = x
    return x - first


def way(law, loads, cycles):
    """Way per mu p/c, in steps of half the time that the damper takes."""
    (c, b), curve = bristle(law), curve_of(law)
    onset, decay = (law.onset, law.decay) if isinstance(law, Bristles) else (1.0, 1.0)
    walked = pulled(onset, decay, curve, c, b, b / c if b > 0.0 else 1.0, loads, cycles)
    return np.linalg.norm(walked) * c / curve[0]


@pytest.mark.parametrize("name", ["elasto-plastic", "dupont"])
@settings(max_examples=30)
@given(seed=SEEDS)
def test_a_thousand_cycles(name, seed, below_the_limit):
    law = random_law(name, seed)
    assert way(law, below_the_limit(law, seed), 1000) < 1e-9


@pytest.mark.parametrize("name", ["elasto-plastic", "dupont"])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_million_cycles(name, seed, below_the_limit):
    """Round-off of 8e6 shifts alone; the same load moves Dahl's bristle over 1e3 mu p/c."""
    law = random_law(name, seed)
    loads = below_the_limit(law, seed)
    assert way(law, loads, 1_000_000) < 1e-9
    mu = law.coefficient.values(np.full(1, 1e9), np.ones(1), np.array([SLIP]))[0].item()
    loads *= 0.9 * mu / np.linalg.norm(loads, axis=1).max()
    assert way(dahl(mu, law.stiffness), loads, 1_000_000) > 1e3


def test_drift_of_dahl_per_cycle():
    """A load cycle from f_1 to f_2 moves Dahl's bristle by (mu p/c) ln((1 - f_1^2)/(1 - f_2^2))."""
    exact, errors = np.log((1 - 0.2**2) / (1 - 0.8**2)), []
    for steps in (1000, 2000):
        share = 0.5 + 0.3 * np.cos(2.0 * np.pi * np.arange(steps) / steps)
        loads = MU * np.column_stack([share, np.zeros(steps)])
        errors.append(way(dahl(MU, C), loads, 10) / 10 - exact)
    assert abs(errors[1]) < 0.02 * exact
    assert errors[1] / errors[0] == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("name", ["elasto-plastic", "dupont", "mindlin"])
@settings(max_examples=8)
@given(seed=SEEDS)
def test_the_rate_form_goes_nowhere(name, seed, below_the_limit):
    """Cycles of straight load paths, by the method of Runge and Kutta."""
    law, status, one = random_law(name, seed), np.array([STICK]), np.ones(1)
    if law.damping == 0.0 and name != "dupont":
        return  # no continuous form
    loads, (c, b), own = below_the_limit(law, seed), bristle(law), 1.0
    h = (b + own) / c

    def rates(t, y):
        k, share = int(t) % len(loads), t - int(t)
        load = (1.0 - share) * loads[k] + share * loads[(k + 1) % len(loads)]
        slip = np.r_[load - c * y[:2], 0.0] / (b + own)
        rates = law.rate(np.r_[y[:2], 0.0][None], slip[None], one, status)
        assert rates.status[0] == STICK
        return np.r_[rates.z_rate[0, :2], slip[:2]]

    y, seen, parts = np.zeros(4), [], 2
    for cycle in range(SETTLE + 4):
        for k in range(parts * len(loads)):
            t, s = k / parts, 1.0 / parts
            k1 = rates(t, y)
            k2 = rates(t + 0.5 * s, y + 0.5 * s * h * k1)
            k3 = rates(t + 0.5 * s, y + 0.5 * s * h * k2)
            k4 = rates(t + s * (1.0 - 1e-15), y + s * h * k3)
            y = y + s * h / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)
        seen += [y] if cycle >= SETTLE - 1 else []
    assert np.linalg.norm(seen[-1] - seen[0]) < 1e-9 * np.abs(loads).max() / c
    assert np.linalg.norm(y[2:] - y[:2]) < 1e-12 * np.abs(loads).max() / c


@pytest.mark.parametrize("name", ["elasto-plastic", "dupont", "mindlin"])
@settings(max_examples=5)
@given(seed=SEEDS)
def test_a_pair_goes_nowhere(name, seed, below_the_limit):
    """Thirty cycles of a block on three points of a unit of pressure and area each."""
    law = random_law(name, seed)
    loads, (c, b) = below_the_limit(law, seed), bristle(law)
    body = RigidBody("block", 1.0, ("ux", "uy", "uz"))
    points = np.array([[0.3, 0.0, 0.0], [-0.2, 0.1, 0.0], [0.0, -0.4, 0.0]])
    face = RigidFace(None, Plane())
    pair = ContactPair(body, Surface(points, np.ones(3)), face, PenaltyNormal(64.0), law)
    q, v, history = np.array([0.0, 0.0, -1.0 / 64.0]), np.zeros(3), ContactHistory.fresh(3)
    h, places = b / c if b > 0.0 else 1.0, []
    history = pair.begin(0.0, q, v, history).at(0.0, q, v, h).history
    for cycle in range(SETTLE + 30):
        for load in loads:
            dx = np.r_[(load - c * history.z[0, :2]) / (c + b / h), 0.0]
            step = pair.begin(0.0, q, v, history).at(0.0, q + dx, dx / h, h)
            np.testing.assert_allclose(step.force[:2], -3.0 * load, atol=1e-9 * np.abs(loads).max())
            q, v, history = q + dx, dx / h, step.history
        places += [q] if cycle >= SETTLE - 1 else []
    assert np.all(history.status == STICK)
    assert np.linalg.norm(places[-1] - places[0]) < 1e-9 * np.abs(loads).max() / c
