"""Tangents of a pair whose points just touch: those of the closed contact, in all its forms."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.contact import (
    ContactHistory,
    ContactPair,
    ContactRate,
    ElastoPlastic,
    KelvinLayer,
    PenaltyNormal,
    Plane,
    PowerNormal,
    RegularisedCoulomb,
    RigidFace,
    SolidLayer,
    StepStart,
    Stribeck,
    Surface,
    TableNormal,
    dahl,
    lugre,
)
from fecontact.contact.laws.base import history_width

MU = Stribeck(0.3, 0.5, 0.5)
NORMAL = {
    "penalty": PenaltyNormal(200.0, 3.0),
    "power": PowerNormal(200.0, 1.0, hunt_crossley=0.1, root_damping=0.2),
    "table": TableNormal(np.array([0.0, 0.02, 0.04]), np.array([0.0, 4.0, 9.0]), 3.0),
    "solid": SolidLayer(150.0, 100.0, 0.05),
    "kelvin": KelvinLayer(200.0, 3.0),
}
FRICTION = {
    "elasto-plastic": ElastoPlastic(MU, 40.0, 1.5),
    "arctan": RegularisedCoulomb(MU, 0.2),
    "dahl": dahl(MU, 40.0),
    "lugre": lugre(MU, 40.0, 1.5, 0.1),
}
H, STEP = 0.01, 1e-5


def touching(normal, friction):
    """Two bodies at rest; of six points two touch, two are pressed and two are open.

    The step comes from above: its start and end differ.
    """
    heights = np.array([0.0, 0.0, -0.01, -0.015, 0.01, 0.02])
    angles = 2.0 * np.pi * np.arange(6) / 6
    points = np.column_stack([0.3 * np.cos(angles), 0.3 * np.sin(angles), heights])
    bodies = [RigidBody(name, 1.0, DOFS, (0.1, 0.12, 0.15)) for name in ("slave", "master")]
    surface, face = Surface(points, np.linspace(0.5, 1.0, 6)), RigidFace(bodies[1], Plane())
    pair = ContactPair(bodies[0], surface, face, NORMAL[normal], FRICTION[friction])
    q = np.concatenate([body.reference() for body in bodies])
    raised = np.concatenate([bodies[0].move(q[:7], np.eye(6)[2] * 1e-3), q[7:]])
    fresh = ContactHistory.fresh(6, columns=history_width(pair.normal, pair.friction))
    return pair, raised, q, fresh


def closing(pair, q, line, t):
    """Coordinates and velocities on a line that closes the contact."""
    parts = zip(pair.bodies, np.split(q, 2), np.split(line[:12], 2), strict=True)
    return np.concatenate([body.move(x, t * step) for body, x, step in parts]), t * line[12:]


def lines(friction):
    """Lines of coordinates and velocities that press all points more than they shift them.

    Those of bristles, whose friction depends on the ratio of slip and pressure, do not shift them.
    """
    rng = np.random.default_rng(3)
    for _ in range(4):
        line = 0.02 * rng.standard_normal(24)
        if friction in ("dahl", "lugre"):
            line[:] = 0.0
        line[[2, 14]] = -1.0 - rng.random(2)
        yield line


def agree(force, tangents, pair, q, friction, one_sided):
    by_q, by_v = tangents
    for line in lines(friction):
        exact = by_q @ line[:12] + by_v @ line[12:]
        found = one_sided(lambda t: force(*closing(pair, q, line, t)), STEP)  # noqa: B023
        assert np.abs(found - exact).max() <= 1e-7 * np.abs(exact).max()


@pytest.mark.parametrize("friction", FRICTION)
@pytest.mark.parametrize("normal", NORMAL)
def test_tangents_of_touching_points(normal, friction, one_sided):
    """Step by the kernel and in the reference form, and rate form, into the closed side."""
    pair, raised, q, fresh = touching(normal, friction)
    still = np.zeros(12)
    reference = StepStart.of(pair, raised, still, fresh)
    compiled = pair.begin(0.0, raised, still, fresh)
    step, fast = reference.at(q, still, H), compiled.at(0.0, q, still, H)
    assert type(fast) is not type(step)
    assert np.all(step.kinematics.gap[:2] == 0.0)
    assert np.all(step.pressure[1][:2] < 0.0)
    for one, other in zip(fast.tangents(), step.tangents(), strict=True):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-12 * np.abs(other).max())
    rates = lambda q, v: ContactRate.of(pair, q, v, fresh.z, fresh.status)  # noqa: E731
    by = rates(q, still).tangents()
    assert not by.force_by_z.reshape(12, 6, -1)[:, 4:].any()  # open points
    for force, tangents in (
        (lambda q, v: reference.at(q, v, H).force, step.tangents()),
        (lambda q, v: compiled.at(0.0, q, v, H).force, fast.tangents()),
        (lambda q, v: rates(q, v).force, (by.force_by_q, by.force_by_v)),
    ):
        agree(force, tangents, pair, q, friction, one_sided)
