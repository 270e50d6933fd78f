"""Contact of the flagship on random states: action = reaction, no tension, dissipation."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fecontact.analysis import steady_state

seeds = st.integers(0, 2**32 - 1)


@pytest.fixture(scope="module")
def flagship(elastic_disc, fe):
    p = elastic_disc.ElasticDisc()
    system = elastic_disc.build(p, fe)
    contact = system.items[-1]
    return system, contact, steady_state(system).state.q


def random_state(q0, seed):
    rng = np.random.default_rng(seed)
    scale = np.r_[np.full(3, 1e-4), np.full(len(q0) - 3, np.abs(q0[3:]).max())]
    q = q0 + 0.5 * scale * rng.uniform(-1, 1, len(q0))
    return q, 1000.0 * scale * rng.uniform(-1, 1, len(q0))


@given(seed=seeds)
def test_virtual_power_of_action_and_reaction(flagship, seed):
    """f . v plus the power of the prescribed spins equals the power F . v_rel in the contact."""
    _, contact, q0 = flagship
    q, v = random_state(q0, seed)
    point = contact.sliding(q, v)
    relative = np.einsum("pi,pi->", point.force, point.kinematics.velocity)
    slave = contact.slave
    x = slave.point_motion(q[:3], v[:3], contact.surface.points).position
    drive_slave = np.einsum(
        "pi,pi->", point.force, np.cross([0, 0, slave.spin], contact.surface.points)
    )
    disc = contact.master.body
    spin = np.cross([0, 0, disc.speed], x)
    turn = point.kinematics.projection.jacobian @ (disc.speed * (disc.model.rotation @ q[3:]))
    drive_master = -np.einsum("pi,pi->", point.force, spin + turn)
    total = contact.force(0.0, q, v) @ v + drive_slave + drive_master
    assert total == pytest.approx(relative, rel=1e-9)


@given(seed=seeds)
def test_friction_dissipates_and_pressure_pushes(flagship, seed):
    _, contact, q0 = flagship
    q, v = random_state(q0, seed)
    point = contact.sliding(q, v)
    status = contact.status(q, v)
    assert np.all(status.pressure >= 0.0)
    power = np.einsum("pi,pi->p", point.traction[0], point.kinematics.velocity)
    assert np.all(power <= 0.0)
    assert status.open + status.sticking + status.sliding == len(contact.surface.points)
    np.testing.assert_allclose(
        np.linalg.norm(point.traction[0], axis=1), contact.friction.mu * status.pressure, rtol=1e-12
    )


@given(turn=st.integers(1, 23), seed=seeds)
def test_rotation_of_the_whole_state(flagship, turn, seed):
    """Turning clutch and plate by one ring point turns the forces: nothing singles out x."""
    _, contact, q0 = flagship
    q, v = random_state(q0, seed)
    angle = 2 * np.pi * turn / len(contact.surface.points)
    R = rotation_matrix(contact.master.body.model, angle)
    turned = contact.force(0.0, R @ q, R @ v)
    np.testing.assert_allclose(
        turned, R @ contact.force(0.0, q, v), atol=1e-8 * np.abs(turned).max()
    )


def rotation_matrix(model, angle):
    """Turn ux, uy and each cosine-sine pair: W(x rotated back) = W(x) exp(-angle Delta)."""
    from scipy.linalg import block_diag, expm

    c, s = np.cos(angle), np.sin(angle)
    rigid = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    return block_diag(rigid, expm(-angle * model.rotation))
