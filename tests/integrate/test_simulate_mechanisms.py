"""Mechanisms by both methods: redundant joints, a flexible pendulum."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import simulate
from fecontact.joint.constraint import Revolute
from fecontact.joint.loads.load import Gravity
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

CRANK = {0.25: -0.514800, 0.5: -0.076050, 0.75: 0.503011, 1.0: -0.105853}
"""Angle of the crank by truncated SVD in natural coordinates (source notes of Keppler, T15)."""


def spherical_four_bar(inertia=0.04):
    """Three bars, four hinges whose axes meet in the origin: 20 rows of rank 17."""
    s30, c30, s60, c60 = 0.5, np.sqrt(0.75), np.sqrt(0.75), 0.5
    turn = np.deg2rad(40.0)
    n = np.array(
        [
            [0.0, 0.0, 1.0],
            [s30, 0.0, c30],
            [s60 * np.cos(turn), s60 * np.sin(turn), c60],
            [0.0, s60, c60],
        ]
    )
    centres = 0.5 * (n[:-1] + n[1:])
    bars = [
        RigidBody(f"bar{k}", 1.0, DOFS, (inertia,) * 3, position=tuple(centre))
        for k, centre in enumerate(centres, start=1)
    ]
    ends = zip([None, *bars], [*bars, None], n, [*(n[:-1] - centres), n[3]], strict=True)
    joints = [
        Revolute(a, b, point_b=tuple(point), axis=tuple(axis), name=f"joint{k}")
        for k, (a, b, axis, point) in enumerate(ends, start=1)
    ]
    return System(bars, [*joints, Gravity(bars, (0.0, -9.81, 0.0))])


def crank_angle(motion):
    """Angle of the first bar about z, from its quaternion."""
    p = motion.coordinates("bar1")
    return 2.0 * np.arctan2(p[:, 6], p[:, 3])


@pytest.mark.parametrize(
    ("method", "options", "tolerance", "until"),
    [
        ("projected", {"rtol": 1e-9, "atol": 1e-10}, 2e-6, 0.5),
        ("implicit", {"step": 0.005}, 2e-3, 0.25),
        pytest.param("projected", {"rtol": 1e-9, "atol": 1e-10}, 2e-6, 1.0, marks=pytest.mark.slow),
        pytest.param("implicit", {"step": 5e-4}, 1e-4, 1.0, marks=pytest.mark.slow),
    ],
)
def test_spherical_four_bar(method, options, tolerance, until):
    system = spherical_four_bar()
    found = system.redundancy()
    assert (len(system.rows), found.rank, found.mobility) == (20, 17, 1)
    motion = simulate(system, until, system.rest(), method, output=0.25, **options)
    expected = [angle for t, angle in CRANK.items() if t <= until]
    np.testing.assert_allclose(crank_angle(motion)[1:], expected, rtol=0.0, atol=tolerance)
    for i in range(len(motion)):
        rows = system.constraint(motion.state(i))
        assert np.abs(rows.value).max() < 1e-10
        assert np.abs(rows.rate).max() < 1e-10


def test_flexible_pendulum_by_both_methods():
    """A soft bar on a hinge at one of its nodes; it bends by some per cent of its length."""
    mesh = block(0.4, 0.04, 0.04, cells=(4, 1, 1)).translated((0.0, -0.02, -0.02))
    solid = ElasticSolid(mesh, Material(1e6, 0.3, 1200.0))
    bar = ElasticBody("bar", reduce_model(solid, modes=2))
    hinge = Revolute(None, bar, point_b=(0.0, -0.02, -0.02), axis="y", name="hinge")
    system = System([bar], [hinge, Gravity([bar], (0.0, 0.0, -9.81))])
    exact = simulate(system, 0.06, system.rest(), "projected", rtol=1e-8, atol=1e-10)
    assert np.abs(exact.coordinates("bar")[:, 7:]).max() > 1e-3
    assert np.ptp(exact.energy()) < 1e-7 * np.abs(exact.v[-1] @ exact.v[-1])
    errors = []
    for step in (4e-3, 2e-3):
        motion = simulate(system, 0.06, system.rest(), step=step)
        errors.append(
            [
                np.linalg.norm(a[-1] - b[-1]) / np.linalg.norm(b[-1])
                for a, b in ((motion.q, exact.q), (motion.v, exact.v), (motion.lam, exact.lam))
            ]
        )
    order = np.log2(np.array(errors[0]) / np.array(errors[1]))
    assert np.all(abs(order - 2.0) < 0.3)


def test_redundant_rows_do_not_lock_the_stages_of_a_step():
    """The first stages of a long step are 1e-5 m off the constraints, where the rank looks full.

    Taken at its word the linkage is locked there, the stages run away, and steps are rejected.
    """
    system = spherical_four_bar(inertia=0.4)
    found = simulate(system, 0.3, system.rest(), "projected", rtol=1e-6, atol=1e-8)
    short = simulate(system, 0.3, system.rest(), "projected", rtol=1e-10, atol=1e-12)
    assert crank_angle(found)[-1] == pytest.approx(crank_angle(short)[-1], abs=1e-6)
    evaluations = 12 * found.statistics.steps + len(found)
    assert found.statistics.evaluations < 1.5 * evaluations
