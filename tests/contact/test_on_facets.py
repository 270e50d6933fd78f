"""Pairs on facets of elastic bodies as compiled functions: equal to their steps in Python."""

from __future__ import annotations

import numpy as np
import pytest
from called_pair import same, started
from scipy.spatial import cKDTree
from slaves_on_masters import BLOCK_LAWS, H, T, pressed

import fecontact as fc
from fecontact.contact.kernels.facets.projection import NEIGHBOURS, Starts, look_near
from fecontact.contact.kernels.layout import BLOCK
from fecontact.contact.master.search import look_up
from fecontact.kernels.lowered import (
    ADVANCE,
    BENT,
    FORCE,
    HELD,
    LOST,
    SHOW,
    SUPPLIED,
    TANGENTS,
    TIME,
)

pytestmark = pytest.mark.filterwarnings(
    "ignore:.*times the thickness of the body", "ignore:.*without sufficient supports"
)
COMPARED = [
    (slave, master, law)
    for slave in ("pad", "elastic", "elastic fixed", "elastic prescribed", "modal")
    for master in ("facets", "prescribed facets")
    for law in (BLOCK_LAWS if slave == "elastic" else ("elasto-plastic",))
    if (slave, master) != ("modal", "prescribed facets")
]


def on_facets(slave, master, law):
    pair, states, old = pressed(slave, master)
    laws = pair.normal, BLOCK_LAWS[law]
    return fc.ContactPair(pair.slave, pair.surface, pair.master, *laws), states, old


@pytest.mark.parametrize(("slave", "master", "law"), COMPARED)
def test_steps_are_those_of_the_pair(slave, master, law):
    """Force, tangents and history, also of bristles that never yield, over two steps."""
    pair, states, old = on_facets(slave, master, law)
    step, called = started(pair, states, old)
    (_, q, _, v) = states
    assert step.force.any()
    for task, expected in ((FORCE, step), (TANGENTS, step), (HELD, step.no_slip())):
        called.ask(task, q, v, H)
        same(called.force, expected.force, "force")
        if task == FORCE:
            continue
        for found, plain, by in zip(called.tangents, expected.tangents(), "qv", strict=True):
            same(found, plain, f"force by {by}")
    called.ask(ADVANCE, q, v, H)
    z, status, totals = called.history
    same(z, step.history.z, "elastic slip", 1e-2 * np.abs(old.z).max())
    np.testing.assert_array_equal(status, step.history.status)
    path = np.abs(old.slip_totals - totals).max()
    np.testing.assert_allclose(totals[:, 1], step.history.slip_totals[:, 1], atol=1e-12 * path)
    again = pair.begin(T + H, q, v, step.history).at(T + 2.5 * H, q, v, 1.5 * H)
    called.w[TIME] = T + 2.5 * H
    called.ask(FORCE, q, v, 1.5 * H)
    same(called.force, again.force, "force of the second step")


def test_what_the_points_show():
    """Numbers and vectors of a report, in space, and the powers of an accepted step."""
    pair, states, old = on_facets("elastic prescribed", "facets", "elasto-plastic")
    step, called = started(pair, states, old)
    report, p = step.report(), pair.points
    called.ask(SHOW, states[1], states[3], H)
    numbers, vectors, bristles, sums = called.parts[12:16]
    gap, pressure, power = numbers.reshape(3, p)
    for found, name in ((gap, "gap"), (pressure, "pressure")):
        same(found, getattr(report, name), name)
    friction = np.abs(report.bristles.friction).max()
    same(power, report.point_slip_power, "slip power", friction * np.abs(old.z).max() / H)
    for found, name in zip(
        vectors.reshape(4, p, 3), ("normal", "traction", "slip", "position"), strict=True
    ):
        same(found, getattr(report, name), name)
    same(bristles.reshape(4, p, 3)[0], report.bristles.friction, "friction")
    same(sums[0], report.energy, "energy")
    size = np.abs(step.force) @ np.abs(states[3]) + np.abs(report.supplied_power)
    assert sums[3] == pytest.approx(report.supplied_power, abs=1e-12 * size)
    called.ask(ADVANCE, states[1], states[3], H)
    assert called.w[SUPPLIED] == pytest.approx(report.supplied_power, abs=1e-12 * size)
    assert np.isfinite(called.w[[LOST, BENT]]).all()


@pytest.mark.parametrize("count", [1, 2, 8, 9, 200])
def test_nearest_facets_are_those_of_the_tree(count):
    """Numbers and reaches of the nearest centres, of few and of many."""
    rng = np.random.default_rng(count)
    centres, points = rng.uniform(-1.0, 1.0, (count, 3)), rng.uniform(-2.0, 2.0, (2, 3, BLOCK))
    found = [
        Starts(
            points.ravel().copy(), *np.full((2, 2 * BLOCK), -1.0),
            np.full((2 * BLOCK, NEIGHBOURS), -1, dtype=np.int64),
        )
        for _ in range(2)
    ]  # fmt: skip
    look_up(cKDTree(centres), found[0], BLOCK)
    look_near(centres, found[1])
    np.testing.assert_array_equal(found[0].facets, found[1].facets)
    np.testing.assert_allclose(found[0].near, found[1].near, rtol=1e-9)
    np.testing.assert_allclose(found[0].wide, found[1].wide, rtol=1e-9)


def test_without_history_it_stays_in_python():
    pair, _, _ = pressed("pad", "facets")
    slides = fc.ContactPair(
        pair.slave, pair.surface, pair.master, pair.normal, fc.CoulombSliding(0.3)
    )
    assert slides.lowered() is None
    assert slides.lowered_steps() is None
