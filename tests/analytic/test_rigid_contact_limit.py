"""Rigid limit and FE limit of a contact meet."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import StaticSystem, load_path
from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.contact import (
    AnnulusPatch,
    AreaFriction,
    ContactHistory,
    ContactPair,
    ContactStart,
    ElastoPlastic,
    PenaltyNormal,
    Plane,
    RigidFace,
    Surface,
    annulus,
    elastic_surface,
)
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import Gravity
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

MU, DEPTH, C_N, C_T = 0.3, 1e-3, 1e6, 4e6
FACING = annulus(0.06, 0.1, (8, 96))
PATCH = AnnulusPatch(0.06, 0.1)
TOUCHING = (0.0, 0.0, -1e-7)


def friction_of_disc(twist, steps):
    """Friction (F_x, F_y, M_z) on a rigid disc moved by `steps` equal parts of a twist."""
    disc = RigidBody("disc", 1.0, DOFS, (1.0, 1.0, 1.0))
    pair = ContactPair(disc, FACING, RigidFace(None, Plane()), PenaltyNormal(C_N),
                       ElastoPlastic(MU, C_T))  # fmt: skip
    history = ContactHistory.fresh(len(FACING.points))
    still = np.zeros(6)
    q = disc.move(disc.reference(), np.array([0, 0, -DEPTH, 0, 0, 0.0]))
    move = np.array([twist[0], twist[1], 0.0, 0.0, 0.0, twist[2]]) / steps
    for _ in range(steps):
        start = ContactStart.of(pair, 0.0, q, still, history)
        q = disc.move(q, move)
        step = start.at(0.0, q, still, 1.0)
        history = step.history
    return step.force[[0, 1, 5]]


@pytest.mark.parametrize("x", [0.2, 0.4, 1.5])
def test_friction_points_on_a_rigid_disc_slide_as_the_patch(x):
    """Pole at x outer radii: the sum over points is Keppler's patch integral.

    The disc turns by a small angle, far beyond the elastic slip of 75 um.
    """
    twist = np.array([x * 0.1, 0.0, 1.0])
    found = friction_of_disc(0.02 * twist, 8)
    normal_force = C_N * DEPTH * FACING.measure
    exact = AreaFriction(PATCH, MU).sliding(twist, normal_force).value
    error = np.abs(found - exact) / (MU * normal_force * np.array([1.0, 1.0, 0.1]))
    assert error.max() < 2e-3


def test_friction_points_on_a_rigid_disc_stick_as_a_planar_spring():
    """K = c diag(1, 1, s_1), s_1 the mean square of the radius."""
    twist = np.array([1e-6, -2e-6, 1e-5])
    spring = C_T * FACING.measure * np.array([1.0, 1.0, PATCH.second_moment])
    np.testing.assert_allclose(friction_of_disc(twist, 1), -spring * twist, rtol=1e-5)


def loaded(body, surface):
    """Tractions (p, 3) and pressures of a block on a plane under oblique gravity."""
    pair = ContactPair(body, surface, RigidFace(None, Plane()), PenaltyNormal(1e8),
                       ElastoPlastic(MU, 5e7))  # fmt: skip
    weight = Gravity([body], (2.0, 0.5, -9.81))
    path = load_path(StaticSystem(System([body], [pair, weight])), [0.0, 1.0])
    return path.increments[-1].contacts["contact"]


def test_elastic_block_tends_to_the_rigid_one():
    """Pressures and tractions of all points come to those of the rigid block by the order 1/E."""
    mesh, density, exact, errors = block(0.3, 0.2, 0.1, cells=(2, 2, 1)), 7800.0, None, []
    for young in (2e9, 2e11):
        solid = ElasticSolid(mesh, Material(young, 0.3, density))
        model = reduce_model(solid, contact=["z_min"], modes=4, method="free")
        body = ElasticBody("block", model, position=TOUCHING)
        surface = elastic_surface(body, "z_min")
        if exact is None:
            rigid = RigidBody.from_mesh("block", mesh, density, position=TOUCHING)
            places = surface.points - surface.weights @ surface.points / surface.measure
            exact = loaded(rigid, Surface(places - [0.0, 0.0, 0.05], surface.weights))
        found = loaded(body, surface)
        apart = [np.abs(found.pressure - exact.pressure), np.abs(found.traction - exact.traction)]
        errors.append(max(part.max() for part in apart) / exact.pressure.max())
    assert 1e-4 < errors[0] < 1e-2
    assert errors[0] / errors[1] == pytest.approx(100.0, rel=0.03)
