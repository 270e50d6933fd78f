"""Steady states from a first guess with open contacts: the contact set is found."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fecontact.analysis import steady_state
from fecontact.body import RigidBody
from fecontact.contact import (
    ContactPair,
    CoulombSliding,
    PenaltyNormal,
    Plane,
    RigidFace,
    Surface,
    ring,
)
from fecontact.errors import SolverError
from fecontact.joint import Bearing, Force
from fecontact.system import System


def block_above(gap, load=30.0, stiffness=1e6):
    """A block with nothing but a contact below it, on a plate that turns."""
    block, plate = RigidBody("block", 2.0, ("ux", "uz")), RigidBody("plate", 1.0, (), spin=3.0)
    below = Surface(np.array([[0.1, 0.0, 0.0]]), np.ones(1)).with_gap(gap)
    contact = ContactPair(block, below, RigidFace(plate, Plane()), PenaltyNormal(stiffness, 0.0),
                          CoulombSliding(0.3))  # fmt: skip
    return System(
        [block, plate], [Bearing(block, 800.0, 0.0), Force(block, (0, 0, -load)), contact]
    )


@given(gap=st.floats(1e-9, 1.0), load=st.floats(1e-3, 1e5), stiffness=st.floats(1e4, 1e10))
@settings(max_examples=25)
def test_open_contact_closes(gap, load, stiffness):
    """The block falls until the spring carries the load: z = -gap - load/c."""
    found = steady_state(block_above(gap, load, stiffness))
    assert found.state.q[1] == pytest.approx(-gap - load / stiffness, rel=1e-9)
    assert found.contacts["contact"].open == 0


def disc_on_ring(offset, gap=0.0):
    """A disc that may tilt on its ring, loaded off its axis."""
    disc = RigidBody("disc", 2.0, ("ux", "uy", "uz", "rx", "ry"), spin=10.0, inertia=(0.01,) * 3)
    plate, facing = RigidBody("plate", 1.0, (), spin=50.0), ring(0.1, 36, -0.02).with_gap(gap)
    normal = PenaltyNormal(1e8 / facing.measure, 1e3)
    face = RigidFace(plate, Plane(point=(0.0, 0.0, -0.02)))
    contact = ContactPair(disc, facing, face, normal, CoulombSliding(0.3))
    load = Force(disc, (0.0, 0.0, -100.0), point=(offset, 0.0, 0.0))
    return System([disc, plate], [Bearing(disc, 1e6, 0.0), load, contact])


@pytest.mark.parametrize("offset", [0.0, 0.06, 0.08])
def test_contact_set_does_not_depend_on_the_guess(offset):
    closed, open_ = (steady_state(disc_on_ring(offset, gap)) for gap in (0.0, 1e-4))
    assert open_.contacts["contact"].open == closed.contacts["contact"].open
    lower = np.array([0.0, 0.0, 1e-4, 0.0, 0.0, 0.0])  # the turn about z depends on the way
    np.testing.assert_allclose(open_.state.q[:6], closed.state.q[:6] - lower, atol=1e-9)


def test_no_balance_is_refused():
    """A load outside the ring topples the disc."""
    with pytest.raises(SolverError, match="no convergence"):
        steady_state(disc_on_ring(0.11))


def test_free_fall_is_refused():
    with pytest.raises(SolverError, match=r"5 N along block\.uz pulls 'contact' apart"):
        steady_state(block_above(1e-3, load=-5.0))
