"""Welded bodies follow their carriers: on the constraints, with exact derivatives."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import fecontact as fc
from fecontact.system.dofs import Dofs
from fecontact.system.welds.kernels import (
    bias_slopes,
    condense,
    follow,
    weld_paths,
    welded_rates,
)
from fecontact.system.welds.welds import Welds

RUBBER = fc.Material(young=5e6, poisson=0.4, density=1200.0)
INERTIA = (0.01, 0.012, 0.015)


def rigid(name, position):
    return fc.RigidBody(name, 2.0, fc.DOFS, INERTIA, position=position)


def chain():
    """A soft beam, a hub on its end, a weight on the hub, a block on the ground."""
    solid = fc.ElasticSolid(fc.block(0.3, 0.1, 0.05, cells=(3, 1, 1)), RUBBER)
    beam = fc.ElasticBody("beam", fc.reduce_model(solid, ["z_min", "x_max"], modes=3))
    hub, weight = rigid("hub", (0.4, 0.02, 0.1)), rigid("weight", (0.5, -0.1, 0.0))
    block = rigid("block", (0.0, 1.0, 0.0))
    joints = [
        fc.RigidJoint(weight, hub, point_b=(0.05, 0.01, 0.0), name="second"),
        fc.RigidJoint(hub, beam, point_b="x_max", name="first"),
        fc.RigidJoint(None, block, name="third"),
    ]
    return fc.System([weight, beam, hub, block], joints)


@pytest.fixture(name="moving", scope="module")
def _moving():
    """A chain in large motion: system, welds, and a state of its free dofs."""
    system = chain()
    welds, rng = Welds.of(system), np.random.default_rng(0)
    q = system.move(system.rest().q, 0.3 * rng.standard_normal(system.size))
    return system, welds, q, rng.standard_normal(system.size)


def followed(welds, q, v):
    """Coordinates, velocities, J and N after `follow`."""
    q, v = q.copy(), v.copy()
    follow(welds.table, 0.0, q, v)
    return q, v, welds.table.maps.copy(), welds.table.changes.copy()


def test_welded_bodies_satisfy_the_constraints(moving):
    system, welds, q, v = moving
    q, v, _, _ = followed(welds, q, v)
    rows = system.constraint(replace(system.rest(), q=q, v=v))
    # round-off of the sums over coordinates and modes that each row consists of
    terms = np.abs(rows.jacobian).sum(axis=1) * np.abs(q).max()
    assert np.all(np.abs(rows.value) <= 4.0 * np.finfo(float).eps * terms)
    assert np.abs(rows.rate).max() < 1e-12
    a = np.random.default_rng(1).standard_normal(system.size)
    welded_rates(welds.table, v, a)
    largest = np.abs(rows.bias).max()
    assert largest > 1.0
    assert np.abs(rows.jacobian @ a + rows.bias).max() < 1e-12 * largest


def test_order_follows_the_carriers(moving):
    _, welds, _, _ = moving
    assert set(welds.names) == {("hub", "beam"), ("weight", "hub"), ("block", "ground")}
    assert welds.names.index(("hub", "beam")) < welds.names.index(("weight", "hub"))


def test_slopes_of_the_bias(moving):
    """The bias is quadratic in the velocities: central differences of any size are exact."""
    system, welds, q, v = moving
    _, v, _, _ = followed(welds, q, v)
    bias_slopes(welds.table, v, Dofs(system).moves[1])
    slopes = welds.table.slopes.copy()

    def bias(u):
        _, full, _, changes = followed(welds, q, u)
        return changes @ full

    for j in np.flatnonzero(welds.table.free):
        unit = np.zeros(system.size)
        unit[j] = 1.0
        expected = 0.5 * (bias(v + unit) - bias(v - unit))
        assert slopes[:, j] == pytest.approx(expected, abs=1e-11 * np.abs(slopes).max())


def test_paths_lead_from_one_position_to_the_other(moving):
    system, welds, q, v = moving
    before, now = followed(welds, q, v)[0], followed(welds, system.move(q, 0.1 * v), v)[0]
    path = np.zeros(system.size)
    weld_paths(welds.table, before, now, path)
    there = system.move(before, path)
    for name in ("hub", "weight", "block"):
        part = system.q_slices[name]
        assert there[part] == pytest.approx(now[part], abs=1e-14)


def test_condensed_matrix(moving):
    system, welds, q, _ = moving
    basis, free = welds.basis(0.0, q), welds.table.free == 1
    rng = np.random.default_rng(2)
    A, b = rng.standard_normal((system.size, system.size)), rng.standard_normal(system.size)
    expected, load = basis.T @ A @ basis, basis.T @ b
    condense(welds.table, A, b)
    assert A[np.ix_(free, free)] == pytest.approx(expected, abs=1e-12 * np.abs(expected).max())
    assert b[free] == pytest.approx(load, abs=1e-12 * np.abs(load).max())
    assert not b[~free].any()


def test_what_is_no_weld():
    """Other joints, bodies with fewer dofs, and loops of welds keep their multipliers."""
    a, b, c = (rigid(name, (x, 0.0, 0.0)) for name, x in (("a", 0.0), ("b", 0.1), ("c", 0.2)))
    tied = fc.RigidJoint(a, b, name="tied")
    assert Welds.of(fc.System([a, b], [tied])).names == (("b", "a"),)
    assert Welds.of(fc.System([a, b], [fc.Spherical(a, b)])) is None
    shaft = fc.RigidBody("shaft", 1.0, ("uz", "rz"), INERTIA)
    plate = fc.RigidBody("plate", 1.0, ("uz", "rz"), INERTIA)
    assert Welds.of(fc.System([shaft, plate], [fc.RigidJoint(shaft, plate)])) is None
    loop = [tied, fc.RigidJoint(b, c, name="second"), fc.RigidJoint(c, a, name="third")]
    assert Welds.of(fc.System([a, b, c], loop)) is None
    assert Welds.of(fc.System([a], [])).names == ()
