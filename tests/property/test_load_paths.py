"""Load paths of a block on three feet under random loads: balance, limit, dissipation, refusal."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fecontact.analysis import LoadPathError, StaticSystem, load_path
from fecontact.body import RigidBody
from fecontact.contact import ContactPair, PenaltyNormal, Surface
from fecontact.contact.laws.elasto_plastic import ElastoPlastic
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.joint import Force, Table, Torque
from fecontact.system import System

MU, WEIGHT = 0.4, 30.0
FEET = np.array([[0.1, 0.0, 0.0], [-0.04, 0.09, 0.0], [-0.05, -0.07, 0.0]])
SHARE = st.floats(-1.0, 1.0)


def walk(loads):
    """Block under a polygon of (F_x, F_y, M_z), 1 s each."""
    body = RigidBody("block", 1.0, ("ux", "uy", "uz", "rx", "ry", "rz"), (0.1, 0.1, 0.1))
    contact = ContactPair(
        body,
        Surface(FEET, np.array([1.0, 2.0, 1.5])),
        RigidFace(None, Plane()),
        PenaltyNormal(1e6),
        ElastoPlastic(MU, 8e5),
    )
    t = np.arange(len(loads) + 1.0)
    rows = np.vstack([np.zeros(3), loads])
    items = [Force(body, (0.0, 0.0, -WEIGHT), name="weight")]
    for k, axis in enumerate(np.eye(3)[:2]):
        items.append(Force(body, tuple(axis), name=f"pull {k}", factor=Table(t, rows[:, k])))
    items.append(Torque(body, (0.0, 0.0, 1.0), factor=Table(t, rows[:, 2])))
    problem = StaticSystem(System([body], [contact, *items]))
    return load_path(problem, np.arange(0.0, t[-1] + 0.1, 0.5), halvings=1)


@settings(max_examples=6)
@given(st.lists(st.tuples(SHARE, SHARE, SHARE), min_size=1, max_size=3))
def test_accepted_increments_balance_and_obey_the_law(shares):
    loads = np.array(shares) * [0.6 * MU * WEIGHT, 0.6 * MU * WEIGHT, 0.05 * MU * WEIGHT]
    try:
        path = walk(loads)
    except LoadPathError as error:  # force and moment together may exceed the limit
        path = error.path
    given_loads = np.vstack([np.zeros(3), loads])
    for each in path.increments:
        contact = each.contacts["contact"]
        load = [np.interp(each.t, np.arange(len(given_loads)), given_loads[:, k]) for k in range(3)]
        wanted = np.array([-load[0], -load[1], WEIGHT])
        assert np.abs(contact.force - wanted).max() < 1e-6 * WEIGHT
        assert np.all(contact.pressure >= 0.0)
        limit = MU * contact.pressure
        assert np.all(np.linalg.norm(contact.traction, axis=1) <= limit * (1.0 + 1e-12))
    work = path.slip_work()
    assert np.all(np.diff(work) >= 0.0)


@settings(max_examples=4)
@given(st.floats(0.0, 2.0 * np.pi), st.floats(1.05, 5.0))
def test_a_pull_beyond_friction_is_always_refused(angle, excess):
    pull = excess * MU * WEIGHT * np.array([[np.cos(angle), np.sin(angle), 0.0]])
    with pytest.raises(LoadPathError) as error:
        walk(pull)
    assert error.value.path.t[-1] * excess <= 1.0 + 1e-9
