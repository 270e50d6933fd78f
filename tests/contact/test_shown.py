"""Reports by one kernel, against the plain form and against sums written out point by point."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, Plane, RigidFace, Surface
from fecontact.contact.history import ContactHistory
from fecontact.contact.kernels import layout
from fecontact.contact.kernels.shown import report_points
from fecontact.contact.laws.coefficient import Stribeck

COUNT = layout.BLOCK + 14
H = 0.01
VECTORS = (layout.SHOWN_N, layout.SHOWN_T, layout.SHOWN_U, layout.SHOWN_Y)


def scene(seed):
    """A pair of turned bodies whose points are open, stick and slip, with a history."""
    rng = np.random.default_rng(seed)
    slave = RigidBody("slave", 1.0, DOFS, (0.1, 0.12, 0.15))
    master = RigidBody("master", 2.0, DOFS, (0.3, 0.2, 0.25))
    points = rng.uniform(-0.5, 0.5, (COUNT, 3)) * [1.0, 1.0, 0.1]
    surface = Surface(points, rng.uniform(0.5, 1.0, COUNT), gap=0.1 * rng.standard_normal(COUNT))
    friction = ElastoPlastic(Stribeck(0.3, 0.5, 0.5), 60.0, 1.5)
    pair = ContactPair(slave, surface, RigidFace(master, Plane()), PenaltyNormal(200.0, 3.0),
                       friction)  # fmt: skip
    q = [
        np.concatenate([
            body.move(body.reference(), size * rng.standard_normal(len(body.dofs)))
            for body in pair.bodies
        ])
        for size in (0.05, 0.06)
    ]  # fmt: skip
    v = 0.3 * rng.standard_normal(12)
    z = 0.02 * rng.standard_normal((COUNT, 3))
    before = ContactHistory(z, rng.integers(0, 3, COUNT), np.abs(rng.standard_normal((COUNT, 2))))
    return pair, *q, v, before


def same(form, v):
    """Reports of both forms up to round-off, with what the audit needs of the bristles."""
    found, expected = form.report(), form.reference.report()
    assert set(expected.status.tolist()) >= {0, 1, 2}
    power = np.abs(form.force) @ np.abs(v)  # what is supplied is a difference of such powers
    for one, other in ((found, expected), (found.bristles, expected.bristles)):
        for name in (each.name for each in fields(other) if each.name != "bristles"):
            a, b = getattr(one, name), getattr(other, name)
            size = power if name == "supplied_power" else np.abs(b).max()
            np.testing.assert_allclose(a, b, rtol=0, atol=1e-11 * size, err_msg=name)


@pytest.mark.parametrize("seed", range(4))
def test_steps_and_rates_report_as_the_plain_form(seed):
    pair, q0, q1, v, before = scene(seed)
    step = pair.begin(0.0, q0, v, before).at(H, q1, v, H)
    same(step, v)
    for rate in (pair.rate(0.0, q0, v, before), pair.shown_rate(0.0, q0, v, before)):
        same(rate, v)


def test_stuck_points_do_not_slide():
    """Not by the last digit, also in the frame of a master that turned."""
    pair, q0, q1, v, before = scene(0)
    step = pair.begin(0.0, q0, v, before).no_slip().at(H, q1, v, H)
    closed = step.report().status != 0
    assert np.count_nonzero(closed) > COUNT // 4
    assert not step.report().bristles.slide[closed].any()


@pytest.mark.parametrize("h", [0.0, 0.2])
def test_sums_point_by_point(h):
    """Energy c z^2/2 of the bristles, power of their dampers d = -(T + c z) along dz/dt."""
    rng = np.random.default_rng(3)
    shown, weights = rng.standard_normal((2, layout.SHOWN)), rng.random(COUNT)
    R, origin = np.linalg.qr(rng.standard_normal((3, 3)))[0], rng.standard_normal(3)
    numbers, vectors, bristles = (np.empty((k, COUNT, 3)) for k in (1, 4, 4))
    numbers, sums = numbers.reshape(3, COUNT), np.empty(3)
    report_points(shown, (R, origin), weights, h, (numbers, vectors, bristles, sums))
    stored = lost = damped = 0.0
    for i in range(COUNT):
        row, k = shown[i // layout.BLOCK], i % layout.BLOCK

        def vector(first, row=row, k=k):
            return R @ row[first + k + layout.BLOCK * np.arange(3)]

        late, early = vector(layout.SHOWN_Z), vector(layout.SHOWN_OLD_SLIP)
        z, rate = (late, (late - early) / h) if h else (early, late)
        c = weights[i] * row[layout.SHOWN_SPRING + k]
        damper = -(weights[i] * vector(layout.SHOWN_T) + c * z)
        stored += weights[i] * row[layout.SHOWN_STORED + k] + 0.5 * c * z @ z
        lost += weights[i] * row[layout.SHOWN_LOST + k]
        damped += damper @ rate
        slide = vector(layout.SHOWN_SHIFT) - (late - early) if h else np.zeros(3)
        expected = [weights[i] * vector(layout.SHOWN_T), damper, h * rate, slide]
        np.testing.assert_allclose(bristles[:, i], expected, atol=1e-13)
        seen = np.array([vector(first) for first in VECTORS])
        seen[3] += origin
        np.testing.assert_allclose(vectors[:, i], seen, atol=1e-13)
        power = weights[i] * row[layout.SHOWN_WORK + k] / (h or 1.0)
        told = [row[layout.SHOWN_GAP + k], row[layout.SHOWN_P + k], power]
        np.testing.assert_allclose(numbers[:, i], told, rtol=1e-14)
    np.testing.assert_allclose(sums, [stored, lost, lost + damped], rtol=1e-11)
