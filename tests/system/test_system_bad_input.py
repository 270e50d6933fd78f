"""Impossible systems, bodies and loads: one line that names what is wrong."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import DOFS, RigidBody
from fecontact.errors import InputError
from fecontact.joint import Force, Gravity, Spherical, Torque
from fecontact.system import System

STONE = RigidBody("stone", 2.0)


@pytest.mark.parametrize(
    ("build", "words"),
    [
        (lambda: System([]), "bodies is empty"),
        (lambda: System(STONE), r"invalid bodies: expected a list, such as \[stone\]"),
        (
            lambda: System([STONE], Gravity([STONE])),
            r"invalid items: expected a list, such as \[gravity\]",
        ),
        (
            lambda: System([STONE], [None]),
            "items: invalid None: expected joints, loads and contacts",
        ),
        (lambda: System([None]), "bodies: invalid None: expected bodies"),
        (lambda: Force(None, (1.0, 0.0, 0.0)), "force: invalid body = None"),
        (lambda: Torque(None, (1.0, 0.0, 0.0)), "torque: invalid body = None"),
        (lambda: Gravity(STONE), r"gravity: invalid bodies: expected a list"),
        (lambda: Gravity([None]), "gravity: body 'None' has no weight"),
        (lambda: Gravity([STONE, STONE]), "gravity: body 'stone' is listed twice"),
        (lambda: RigidBody("a", "1"), "a: invalid mass = 1 kg: expected > 0"),
        (lambda: RigidBody("a", 1.0, position=(0.0, 0.0)), "invalid position =.* three components"),
    ],
)
def test_message(build, words):
    with pytest.raises(InputError, match=words):
        build()


def test_keep_takes_one_name():
    """As a list with this name, not as a list of letters."""
    ball = RigidBody("p", 1.0, DOFS, (0.1, 0.1, 0.1), position=(0.0, 0.0, -1.0))
    system = System([ball], [Spherical(None, ball, point_b=(0.0, 0.0, 1.0))])
    guess = system.state(q={"p.ux": 0.2})
    one, listed = (system.consistent(guess, keep=keep).state.q for keep in ("p.ux", ["p.ux"]))
    assert one[0] == 0.2
    np.testing.assert_array_equal(one, listed)
