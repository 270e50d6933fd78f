"""Named terms add up to the tangents of the pair, and each has the sign of its cause."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import steady_state
from fecontact.body import RigidBody
from fecontact.contact import (
    ContactPair,
    CoulombSliding,
    Cylinder,
    PenaltyNormal,
    Plane,
    RigidFace,
    Sphere,
    Stribeck,
    Surface,
)
from fecontact.contact.evaluate.sliding_terms import SLIDING_TERMS

DOFS = ("ux", "uy", "uz", "rx", "ry", "rz")


def pair(shape, mu):
    rng = np.random.default_rng(2)
    inertia = (0.1, 0.2, 0.3)
    slave = RigidBody("slave", 1.0, DOFS, inertia=inertia, position=(0.02, 0.01, 0.305))
    master = RigidBody("master", 1.0, DOFS, inertia=inertia)
    points = np.column_stack([rng.uniform(-0.05, 0.05, (5, 2)), np.full(5, -0.006)])
    surface = Surface(points, rng.uniform(0.5, 1.5, 5))
    return ContactPair(
        slave, surface, RigidFace(master, shape), PenaltyNormal(1e5, 40.0), CoulombSliding(mu)
    )


@pytest.mark.parametrize("shape", [Plane((0.0, 0.0, 0.3)), Cylinder(0.3), Sphere(0.3)])
@pytest.mark.parametrize("mu", [0.4, Stribeck(0.2, 0.5, 0.3)])
def test_terms_add_up(shape, mu):
    contact = pair(shape, mu)
    rng = np.random.default_rng(7)
    q = np.concatenate([body.reference() for body in contact.bodies])
    q = np.concatenate(
        [
            body.move(part, 1e-3 * rng.standard_normal(6))
            for body, part in zip(contact.bodies, np.split(q, 2), strict=True)
        ]
    )
    v = 0.1 * rng.standard_normal(12)
    assert contact.status(q, v).sliding > 0
    terms = contact.terms(0.0, q, v)
    assert tuple(terms) == SLIDING_TERMS
    for total, parts in zip(
        contact.tangents(0.0, q, v), zip(*terms.values(), strict=True), strict=True
    ):
        np.testing.assert_allclose(sum(parts), total, atol=1e-12 * np.abs(total).max())
    by_speed, by_direction = (
        np.abs(terms[f"friction by {n}"][1]).max() for n in ("speed", "direction")
    )
    assert (by_speed > 1e-3 * by_direction) == (not isinstance(mu, float))


def test_conservative_terms_are_symmetric(elastic_disc, ritz):
    """Normal stiffness and the turning of the pressure have a potential, damping dissipates."""
    system = elastic_disc.build(elastic_disc.ElasticDisc(), ritz)
    state = steady_state(system).state
    contact = system.items[-1]
    terms = contact.terms(0.0, *system.local(contact, state))
    for name in ("normal stiffness", "normal direction"):
        by_q, by_v = terms[name]
        np.testing.assert_allclose(by_q, by_q.T, atol=1e-9 * np.abs(by_q).max())
        assert not by_v.any()
    for name in ("normal damping", "friction by direction"):
        by_v = terms[name][1]
        np.testing.assert_allclose(by_v, by_v.T, atol=1e-9 * np.abs(by_v).max())
        assert np.linalg.eigvalsh(by_v).max() < 1e-9 * np.abs(by_v).max()
    # source notes 2.10.5: the bent plate turns friction into a circulatory stiffness of the whirl,
    # and the turning slip adds kappa Omega, kappa = mu N/(2 R |delta|)
    slope, p = abs(state.q[3]), elastic_disc.ElasticDisc()
    by_pressure, by_direction = (terms[f"friction by {n}"][0] for n in ("pressure", "direction"))
    assert by_pressure[1, 0] == pytest.approx(
        p.friction * p.contact_stiffness * slope / 2, rel=2e-3
    )
    normal_force = p.load + p.axial_stiffness * state.q[2]
    kappa = p.friction * normal_force / (2 * p.contact_radius * (p.plate_speed - p.clutch_speed))
    assert by_direction[1, 0] == pytest.approx(kappa * p.plate_speed, rel=2e-3)
