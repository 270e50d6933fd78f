"""Mistakes of a first model are refused in one line, not by a traceback of the inside."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis import StaticSystem, load_path, operating_point, steady_state
from fecontact.body import DOFS, ElasticBody, RigidBody
from fecontact.errors import InputError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import Bearing, Revolute
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

BODY = RigidBody("body", 1.0, ("ux", "uz"))
SYSTEM = System([BODY], [Bearing(BODY, 1e6, 1e6)])


def framed(frame):
    solid = ElasticSolid(block(1.0, 1.0, 1.0), Material(1e9, 0.3, 1000.0))
    return ElasticBody("block", reduce_model(solid, modes=1), frame=frame)


MISTAKES = {
    "long guess": (lambda: steady_state(SYSTEM, np.zeros(5)), r"guess.* of shape \(2,\)"),
    "guess of words": (lambda: steady_state(SYSTEM, "zero"), r"guess = 'zero'"),
    "guess of nan": (lambda: steady_state(SYSTEM, [0.0, np.nan]), r"guess.* finite numbers"),
    "list of bodies": (lambda: steady_state([BODY]), "expected of type System"),
    "a body": (lambda: operating_point(BODY), "expected of type System"),
    "statics of a body": (lambda: StaticSystem(BODY), "expected of type System"),
    "path of a body": (
        lambda: load_path(BODY, [1.0]),
        "load_path: invalid RigidBody: expected a System",
    ),
    "inertia in words": (
        lambda: RigidBody("body", 1.0, DOFS, inertia="steel"),
        "body: invalid inertia = 'steel': expected numbers",
    ),
    "no name": (lambda: RigidBody(2.0, 1.0), "name of a RigidBody = a float"),
    "ground in words": (lambda: Revolute("ground", BODY), "'ground'.* or None for the ground"),
    "frame": (lambda: framed(3), "block: invalid frame = 3"),
    "equal names": (
        lambda: System([BODY], [Bearing(BODY, 1.0, 1.0), Bearing(BODY, 1.0, 1.0)]),
        "'bearing', used twice.*name='bearing 2'",
    ),
}


@pytest.mark.parametrize("kind", MISTAKES)
def test_mistakes_are_refused_in_one_line(kind):
    make, words = MISTAKES[kind]
    with pytest.raises(InputError, match=words) as error:
        make()
    assert "\n" not in str(error.value)


def test_a_guess_may_be_a_list():
    assert steady_state(SYSTEM, [1e-3, 0]).state.q == pytest.approx([0.0, 0.0], abs=1e-12)
