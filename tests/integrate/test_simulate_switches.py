"""When contact points change their status: closed forms, files, restarts, honest resolution."""

from __future__ import annotations

from math import atan, pi, sqrt

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import (
    ContactPair,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidFace,
    Surface,
)
from fecontact.integrate import Event, simulate
from fecontact.joint import Gravity
from fecontact.results import Result
from fecontact.system import System

HEIGHT, G, STIFFNESS = 1e-3, 9.80665, 1e5
TIMES = {"rtol": 1e-10, "atol": 1e-13, "solver": "DOP853"}


@pytest.fixture
def ball():
    """A mass of 1 kg with two equal feet that falls on undamped layers, without a speed along."""
    body = RigidBody("ball", 1.0, ("ux", "uz"), position=(0.0, 0.0, HEIGHT))
    feet = Surface(np.array([[-0.1, 0.0, 0.0], [0.1, 0.0, 0.0]]), np.full(2, 0.5))
    laws = PenaltyNormal(STIFFNESS), ElastoPlastic(0.3, 1e4, 100.0)
    pair = ContactPair(body, feet, RigidFace(None, Plane()), *laws, "feet")
    return System([body], [pair, Gravity([body])])


def bounces(until):
    """Instants at which it touches and leaves: free fall, and a swing about its static place."""
    fall, omega = sqrt(2.0 * HEIGHT / G), sqrt(STIFFNESS)
    speed, sag = G * fall, G / omega**2
    touch = (2.0 * pi - 2.0 * atan(speed / (omega * sag))) / omega
    found, t = [], fall
    while t < until:
        found += [t, t + touch]
        t += touch + 2.0 * fall
    return [t for t in found if t < until]


def seen_by(motion):
    return [(s.t, s.contact, s.point, s.before, s.after) for s in motion.switches]


def test_located_instants(ball):
    motion = simulate(ball, 0.1, method="events", output=0.02, **TIMES)
    exact = bounces(0.1)
    assert len(exact) == 5
    assert len(motion.switches) == 2 * len(exact)
    for n, t in enumerate(exact):
        for point in (0, 1):
            switch = motion.switches[2 * n + point]
            assert switch.t == switch.since == pytest.approx(t, rel=1e-8)
            assert (switch.contact, switch.point) == ("feet", point)
            words = ("open", "stick") if n % 2 == 0 else ("stick", "open")
            assert (switch.before, switch.after) == words


@pytest.mark.parametrize("method", ["implicit", "explicit", "ode"])
def test_looks_of_other_methods_enclose_the_instants(ball, method):
    motion = simulate(ball, 0.1, method=method, output=1e-3)
    found, exact = motion.switches, bounces(0.1)
    assert len(found) == 2 * len(exact)
    for switch, t in zip(found[::2], exact, strict=True):
        assert switch.since - 1e-6 < t < switch.t + 1e-6
        assert switch.t - switch.since == pytest.approx(1e-3)


def test_in_a_file(ball, tmp_path, monkeypatch):
    """The same list as in memory, also while the run goes on and after a restart."""
    monkeypatch.setattr("fecontact.results.hdf5.writer.EVERY_S", 0.0)
    file, growing = tmp_path / "ball.h5", []

    def look(point):
        growing.append((point.state.t, len(Result.load(file).switches)))

    common = {"method": "events", "output": 0.005, **TIMES}
    first = simulate(ball, 0.05, store=file, callback=look, **common)
    assert seen_by(Result.load(file)) == seen_by(first)
    assert growing == [(t, 2 * sum(e <= t for e in bounces(0.05))) for t, _ in growing]
    simulate(ball, 0.1, restart=file, **common)
    exact = bounces(0.1)
    found = Result.load(file).switches
    np.testing.assert_allclose([s.t for s in found], np.repeat(exact, 2), rtol=1e-8)
    part = Result.load(file).between(0.03, 0.06)
    np.testing.assert_allclose(
        [s.t for s in part.switches],
        [t for t in np.repeat(exact, 2) if 0.03 < t <= 0.06],
        rtol=1e-8,
    )


def test_other_methods_in_a_file(ball, tmp_path):
    file = tmp_path / "ball.h5"
    motion = simulate(ball, 0.03, store=file, output=1e-3)
    assert Result.load(file).switches == motion.switches
    assert len(motion.switches) == 2 * len(bounces(0.03))


def test_points_between_outputs_keep_theirs(ball):
    """User events make the method give every step; what is dropped keeps its switches."""
    top = Event(lambda t, state: float(state.v[1]), "turn")
    last = Event(lambda t, state: t - 0.055, "end", terminal=True)
    whole = simulate(ball, 0.1, method="events", output=0.05, events=[top], **TIMES)
    np.testing.assert_allclose([s.t for s in whole.switches], np.repeat(bounces(0.1), 2), rtol=1e-8)
    part = simulate(ball, 0.1, method="events", output=0.05, events=[last], **TIMES)
    assert part.status == "stopped"
    np.testing.assert_allclose(
        [s.t for s in part.switches], np.repeat(bounces(0.055), 2), rtol=1e-8
    )
