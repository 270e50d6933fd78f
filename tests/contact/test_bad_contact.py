"""What a contact refuses, or warns of, in one line that names the cure."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import ElasticBody, RigidBody
from fecontact.contact import (
    ContactHistory,
    ContactPair,
    CoulombSliding,
    ElasticFace,
    ElasticPair,
    ElastoPlastic,
    FrictionTable,
    PenaltyNormal,
    Plane,
    RigidFace,
    StepStart,
    Surface,
    check_penalty,
    elastic_surface,
    winkler_layer,
)
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.mesh import block
from fecontact.reduction import reduce_model

BLOCK = RigidBody("block", 1.0, ("ux", "uz"))
POINT = Surface(np.zeros((1, 3)), np.ones(1))
STEEL = ElasticPair(210e9, 0.3)


def pair(normal, master=None):
    return ContactPair(BLOCK, POINT, master or RigidFace(None, Plane()), normal,
                       ElastoPlastic(0.3, 1e3))  # fmt: skip


def test_zero_area():
    with pytest.raises(InputError, match=r"smallest weight 0.0 .* a positive area"):
        Surface(np.zeros((2, 3)), np.array([1.0, 0.0]))
    with pytest.raises(InputError, match="surface of 0 points"):
        Surface(np.zeros((0, 3)), np.zeros(0))


@pytest.mark.parametrize("law", [CoulombSliding, lambda mu: ElastoPlastic(mu, 1.0)])
def test_negative_mu(law):
    with pytest.raises(InputError, match=r"mu = -0.1 .* it must be >= 0"):
        law(-0.1)


def test_mu_table_not_monotone():
    with pytest.raises(InputError, match=r"speeds = .* they must rise"):
        FrictionTable(np.array([0.0, 2.0, 1.0]), np.ones(3))


def test_penalty_too_soft_or_too_stiff():
    with pytest.warns(UserWarning, match="too soft: it adds"):
        check_penalty(1e13, STEEL, 1e-3)
    with pytest.warns(UserWarning, match="pressures will oscillate"):
        check_penalty(1e20, STEEL, 1e-3, cell=1e-4)


def test_missing_master():
    with pytest.raises(InputError, match=r"master = None is not possible: .* RigidFace"):
        ContactPair(BLOCK, POINT, None, PenaltyNormal(1.0), CoulombSliding(0.3))


def test_initial_penetration_larger_than_the_layer():
    layer = pair(winkler_layer(modulus=1e6, thickness=1e-3))
    deep, still = np.array([0.0, -1.1e-3]), np.zeros(2)
    with pytest.raises(InputError, match=r"0.0011 m deep in a layer of 0.001 m: move the bodies"):
        StepStart.of(layer, deep, still, ContactHistory.fresh(1))
    StepStart.of(layer, np.array([0.0, -0.9e-3]), still, ContactHistory.fresh(1))
    StepStart.of(pair(PenaltyNormal(1e9)), deep, still, ContactHistory.fresh(1))
    with pytest.raises(InputError, match="thickness = 0"):
        PenaltyNormal(1.0, thickness=0.0)


def test_contact_with_itself():
    """Forces on the same coordinates would be added once only."""
    with pytest.raises(InputError, match="'block' as slave and master is not possible"):
        pair(PenaltyNormal(1e3), RigidFace(BLOCK, Plane((0.0, 0.0, -0.1))))
    mesh = block(0.1, 0.1, 0.1, cells=(1, 1, 1))
    model = reduce_model(
        ElasticSolid(mesh, Material(1e9, 0.3, 1000.0), element="hex1"),
        contact=["z_min", "z_max"], modes=1, method="free",
    )  # fmt: skip
    body = ElasticBody("cube", model)
    with pytest.raises(InputError, match="'cube' as slave and master is not possible"):
        ContactPair(body, elastic_surface(body, "z_min"), ElasticFace(body, "z_max"),
                    PenaltyNormal(1e3), ElastoPlastic(0.3, 1e3))  # fmt: skip
