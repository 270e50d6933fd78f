"""Runs in memory: large parts of the records become one array when they are asked for."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import ContactPair, ElastoPlastic, PenaltyNormal, Plane, RigidFace, Surface
from fecontact.integrate import simulate
from fecontact.joint import Force
from fecontact.results.memory import LARGE, Parts
from fecontact.system import System

RNG = np.random.default_rng(3)
ROWS = {"t": [0.0, 0.5, 1.0, 2.0], "z": list(RNG.random((4, LARGE // 8)))}


@pytest.mark.parametrize("asked", [(), ("t", "z")])
def test_parts_before_and_after_they_are_one_array(asked):
    """Rows, some of them, shapes and the whole are the same in any order of the questions."""
    parts = Parts(ROWS, {"steps": np.arange(4)})
    for name in asked:
        parts[name]
    assert list(parts) == ["t", "z", "steps"]
    assert (parts.shape("t"), parts.shape("z")) == ((), (LARGE // 8,))
    np.testing.assert_array_equal(parts.row("z", -1), ROWS["z"][3])
    for rows in (slice(1, 3), slice(2, 2), slice(None, None, 2), slice(None)):
        for name in ROWS:
            whole = np.array(ROWS[name])
            found = parts.rows(name, rows)
            np.testing.assert_array_equal(found, whole[rows])
            assert found.shape == whole[rows].shape
    np.testing.assert_array_equal(parts["z"], ROWS["z"])
    assert parts["z"] is parts["z"]


def sledge(points):
    """A block on many points, pushed along."""
    block = RigidBody("block", 2.0, ("ux", "uz"))
    x = np.linspace(-0.1, 0.1, points)
    surface = Surface(np.column_stack([x, 0.0 * x, 0.0 * x]), np.full(points, 0.01 / points))
    pair = ContactPair(block, surface, RigidFace(None, Plane()), PenaltyNormal(1e8, 1e4),
                       ElastoPlastic(0.3, 1e8, 1e4), "foot")  # fmt: skip
    system = System([block], [pair, Force(block, (10.0, 0.0, -20.0))])
    return system, system.state(q={"block.uz": -2e-5}, v={"block.ux": 0.1})


@pytest.mark.parametrize("method", ["explicit", "implicit"])
def test_a_run_of_many_points_keeps_no_copies(method):
    """States and fields of one time do not make arrays of all times; nothing is kept twice."""
    system, start = sledge(300)
    motion = simulate(system, 2e-3, start, method, 5e-4, step=2e-5)
    parts = motion.run.arrays
    stacked = lambda: set(parts) - set(parts._rows)  # noqa: E731
    assert {"z", "slip_totals", "resume"}.isdisjoint(stacked())
    last, report = motion.state(-1), motion.contacts["foot"][-1]
    assert {"z", "slip_totals", "resume"}.isdisjoint(stacked())
    assert report.bristles is None
    np.testing.assert_array_equal(motion.z[-1], last.z)
    assert "z" in stacked()
    assert "z" not in parts._rows
    field = motion.contacts["foot"].field("pressure")
    np.testing.assert_array_equal(field[-1], report.pressure)
    kept = [reports for reports in motion.run.reports if isinstance(reports, Mapping)]
    assert len(kept) == (0 if method == "explicit" else len(motion))
    assert all(own.bristles is None for reports in kept for own in reports.values())
