"""Base of contacts: what a contact from outside of the package has without doing anything."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from fecontact.body import RigidBody
from fecontact.contact import ContactStatus, Plane, RigidContact, RigidFace, Surface
from fecontact.contact.base import Contact
from fecontact.errors import InputError
from fecontact.system import System
from fecontact.typing import supporting


@dataclass(frozen=True, eq=False)
class Magnet(Contact):
    """Points that are pulled towards the master and never touch."""

    name: str = "magnet"

    def force(self, t, q, v):
        return np.array([-1.0])

    def tangents(self, t, q, v):
        return np.zeros((1, 1)), np.zeros((1, 1))

    def kinematics(self, q, v, t=0.0):
        raise NotImplementedError

    def status(self, q, v, t=0.0):
        return ContactStatus(np.zeros(self.points), np.zeros(self.points), 0.0)

    def begin(self, t, q, v, history):
        raise NotImplementedError

    rate = begin


@pytest.fixture
def between():
    body = RigidBody("block", 2.0, ("uz",), position=(0.0, 0.0, 0.1))
    return body, Surface(np.zeros((3, 3)), np.ones(3)), RigidFace(None, Plane())


def test_an_own_contact_has_no_history_unless_it_says_so(between):
    magnet = Magnet(*between)
    system = System([between[0]], [magnet])
    assert magnet.bodies == (between[0],)
    assert (magnet.points, magnet.columns, magnet.states) == (3, 0, ())
    assert system.stateful_contacts == ()
    assert not system.history_layout
    assert supporting(system.items, "status") == (magnet,)
    assert supporting(system.items, "energy") == ()
    assert "reference" in str(system)
    assert system.force(system.rest()).tolist() == [-1.0]


def test_its_history_in_sliding_is_refused(between):
    with pytest.raises(InputError, match="magnet: Magnet does not know its history in sliding"):
        Magnet(*between).steady_sliding_history(0.0, np.zeros(1), np.zeros(1))


def test_a_rigid_contact_has_no_status_at_any_time(between):
    """Steady states ask with the time."""
    with pytest.raises(InputError, match="a rigid contact has no force law"):
        RigidContact(*between).status(np.zeros(1), np.zeros(1), 0.5)
