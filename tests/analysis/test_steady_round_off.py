"""Steady states of contacts so stiff that round-off of the positions is all that is left."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.analysis.steady.equilibrium import ROUNDED, steady_state
from fecontact.body import RigidBody
from fecontact.contact import ContactPair, CoulombSliding, PenaltyNormal, RigidFace, Surface
from fecontact.contact.master.shape import Plane
from fecontact.errors import SolverError
from fecontact.joint import (
    Bearing,
    DofCoordinate,
    Force,
    PrescribedMotion,
    Speed,
    SpringDamper,
)
from fecontact.solvers.newton import newton
from fecontact.system import System


def pressed(stiffness, load, height=0.1):
    """A mass on a belt, pressed by a load; its contact point is below its centre."""
    belt = RigidBody("belt", 1.0, ("ux",))
    mass = RigidBody("mass", 1.0, ("ux", "uz"), position=(0.0, 0.0, height))
    pair = ContactPair(
        mass, Surface(np.array([[0.0, 0.0, -height]]), np.ones(1)), RigidFace(belt, Plane()),
        PenaltyNormal(stiffness), CoulombSliding(0.3),
    )  # fmt: skip
    drive = PrescribedMotion(DofCoordinate(belt, "ux"), Speed(1.0))
    items = [drive, pair, Bearing(mass, 1e3, 1e-9), Force(mass, (0.0, 0.0, -load))]
    return System([belt, mass], items)


@pytest.mark.parametrize(
    ("stiffness", "load"), [(1e6, 1e-4), (1e9, 1e-2), (1e9, 100.0), (1e10, 1.0), (1e12, 100.0)]
)
def test_a_stiff_contact_balances_to_round_off(stiffness, load):
    found = steady_state(pressed(stiffness, load))
    assert found.iterations <= 3
    assert found.residual <= max(1e-11, found.round_off) <= ROUNDED
    assert found.state.q[1:] == pytest.approx([0.3 * load / 1e3, -load / stiffness], rel=1e-4)
    # not more is excused than positions of 0.1 m with 53 bits leave
    assert found.round_off < 100.0 * 2.0**-52 * 0.1 * stiffness / load


def test_a_contact_too_stiff_for_its_load_is_refused_with_the_cure():
    with pytest.raises(SolverError, match=r"too stiff: round-off.* softer penalty"):
        steady_state(pressed(1e12, 1e-2))


def test_newton_stops_at_the_noise_of_its_residual():
    rng, asked = np.random.default_rng(1), []

    def residual(x):
        asked.append(x)
        left = x - 1.0 + 1e-6 * rng.uniform(0.5, 1.0)
        return left, float(np.abs(left).max()), 1.0

    answer = newton(residual, lambda x: np.eye(1), np.zeros(1), round_off=lambda x: 2e-6)
    assert answer.round_off == 2e-6
    assert answer.residual <= 2e-6
    assert len(asked) < 12


def strutted(stiffness, load, length):
    """A mass on a belt, held by two struts of a length along the diagonals."""
    belt, mass = RigidBody("belt", 1.0, ("ux",)), RigidBody("mass", 1.0, ("ux", "uz"))
    pair = ContactPair(
        mass, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(belt, Plane()),
        PenaltyNormal(0.7 * stiffness), CoulombSliding(0.3),
    )  # fmt: skip
    drive = PrescribedMotion(DofCoordinate(belt, "ux"), Speed(-1.0))
    side = length / np.sqrt(2.0)
    struts = [
        SpringDamper(None, mass, factor * stiffness, point_a=(x, 0.0, side), name=name)
        for name, factor, x in (("left", 1.0, side), ("right", 0.3, -side))
    ]
    return System([belt, mass], [drive, pair, *struts, Force(mass, (0.0, 0.0, -load))])


@pytest.mark.parametrize(
    ("stiffness", "load", "length"), [(1e9, 1.0, 0.14), (1e10, 20.0, 0.14), (1e8, 1.0, 1.4)]
)
def test_stiff_struts_balance_to_round_off(stiffness, load, length):
    """Lengths are differences of positions; struts and friction are a 2 x 2 system."""
    found = steady_state(strutted(stiffness, load, length))
    assert found.residual <= found.round_off <= ROUNDED
    struts = np.array([[0.65, 0.35], [0.35, 0.65]])  # sum of k e e^T, k = 1 and 0.3
    K = stiffness * (struts + np.array([[0.0, -0.3 * 0.7], [0.0, 0.7]]))
    assert found.state.q[1:] == pytest.approx(np.linalg.solve(K, [0.0, -load]), rel=1e-5)
    assert found.round_off < 100.0 * 2.0**-52 * length * stiffness / load
