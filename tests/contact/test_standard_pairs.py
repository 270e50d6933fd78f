"""Stamm's modules: gap, gap rate and force by his formulas, with our signs."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.contact import CoulombSliding, PenaltyNormal
from fecontact.contact.evaluate.step import ContactHistory, ContactStart
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.standard_pairs import ball_in_cone, ball_in_hollow_sphere, plane_plane
from fecontact.contact.surface.patches import rectangle

NORMAL, FRICTION = PenaltyNormal(1e9, 0.0), ElastoPlastic(0.4, 1e8)


def two_bodies():
    return (RigidBody("slave", 1.0, DOFS, (0.1, 0.1, 0.1)),
            RigidBody("master", 2.0, DOFS, (0.2, 0.2, 0.2)))  # fmt: skip


def state(pair, seed):
    """Random place and velocity of both bodies, and of points and centre by hand."""
    rng = np.random.default_rng(seed)
    q = np.concatenate([b.move(b.reference(), 0.02 * rng.standard_normal(6)) for b in pair.bodies])
    v = rng.standard_normal(12)
    return q, v, pair.slave.point_motion(q[:7], v[:6], pair.surface.points)


def centre(pair, q, v, point):
    """Position d and velocity d' = r' + omega x (d - r) of a point of the master (Stamm 3.4)."""
    master = pair.bodies[1]
    R = master.rotation(q[7:])
    arm = R @ point
    return q[7:10] + arm, v[6:9] + np.cross(R @ v[9:], arm)


@pytest.mark.parametrize(("module", "sign"), [("hollow", -1.0), ("cone", 1.0)])
def test_gap_and_rate_on_spheres(module, sign):
    """g = -+(|p - d| - R), g' = -+(p' - d').(p - d)/|p - d| (Stamm 3.59, 3.67)."""
    slave, master = two_bodies()
    anchor = (0.01, -0.02, 0.03)
    if module == "hollow":
        radius = 0.11
        pair = ball_in_hollow_sphere(slave, master, 0.1, radius, NORMAL, FRICTION,
                                     half_angle=1.0, cup_point=anchor)  # fmt: skip
    else:
        radius = 0.1
        pair = ball_in_cone(slave, master, radius, 0.6, (0.1, 0.2), NORMAL, FRICTION,
                            cone_point=(0.0, 0.0, -0.15), ball_point=anchor)  # fmt: skip
    q, v, p = state(pair, 4)
    d, d_rate = centre(pair, q, v, np.array(anchor))
    arm, rate = p.position - d, p.velocity - d_rate
    distance = np.linalg.norm(arm, axis=1)
    at = pair.kinematics(q, v)
    np.testing.assert_allclose(at.gap, sign * (distance - radius), atol=1e-14)
    np.testing.assert_allclose(at.normal, sign * arm / distance[:, None], atol=1e-13)
    # the master's rotation about d moves its material along the sphere only
    expected = sign * np.einsum("pi,pi->p", rate, arm) / distance
    np.testing.assert_allclose(at.gap_rate, expected, atol=1e-12)


def test_plane_on_plane():
    """g = (p - d) . n; the stiffness of the figure is c A, pressure pushes the slave off."""
    slave, master = two_bodies()
    pair = plane_plane(slave, rectangle(0.2, 0.1), master, NORMAL, FRICTION,
                       slave_point=(0.0, 0.0, -0.05), master_point=(0.0, 0.0, 0.03))  # fmt: skip
    q, v, p = state(pair, 7)
    d, _ = centre(pair, q, v, np.array([0.0, 0.0, 0.03]))
    n = pair.bodies[1].rotation(q[7:])[:, 2]
    np.testing.assert_allclose(pair.kinematics(q, v).gap, (p.position - d) @ n, atol=1e-14)
    rest = np.concatenate([b.reference() for b in pair.bodies])
    rest[2] = 0.08 - 1e-5
    still = np.zeros(12)
    start = ContactStart.of(pair, 0.0, rest, still, ContactHistory.fresh(len(p.position)))
    force = start.at(0.0, rest, still, 1e-3).force
    np.testing.assert_allclose(force[[2, 8]], 1e9 * 1e-5 * 0.02 * np.array([1.0, -1.0]), rtol=1e-9)


def test_a_ball_larger_than_its_cup_is_centred():
    """R_m < R_s: the layer takes the interference, and the ball is pushed back to the centre."""
    slave, master = two_bodies()
    pair = ball_in_hollow_sphere(slave, master, 0.1, 0.0999, NORMAL, CoulombSliding(0.0),
                                 half_angle=np.pi)  # fmt: skip
    q = np.concatenate([b.reference() for b in pair.bodies])
    q[0] = 1e-5
    pressure = pair.status(q, np.zeros(12)).pressure
    normal = pair.kinematics(q, np.zeros(12)).normal
    push = (pair.surface.weights * pressure) @ normal
    expected = 1e9 * 1e-5 * 4.0 * np.pi * 0.1**2 / 3.0  # c u int n_x^2 dA, first order
    assert push[0] == pytest.approx(-expected, rel=5e-3)
