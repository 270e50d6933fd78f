"""Equilibria through folds: snap-through of a truss, self-locking of a shoe, prescribed speeds."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.optimize import minimize_scalar

from fecontact.analysis import steady_state
from fecontact.analysis.continuation import PathOptions
from fecontact.analysis.steady.equilibrium_path import Equilibria, equilibrium_path
from fecontact.body import RigidBody
from fecontact.contact import ContactPair, CoulombSliding, PenaltyNormal, RigidFace, Surface
from fecontact.contact.master.shape import Plane
from fecontact.errors import InputError
from fecontact.joint import DofCoordinate, Force, PrescribedMotion, Speed, SpringDamper
from fecontact.system import System

HALF, HEIGHT, STIFFNESS = 1.0, 0.4, 1e5


def truss(load, dofs=("uz",)):
    """Two bars from (-+b, 0, 0) to the node at (0, 0, h); the load pushes down."""
    node = RigidBody("node", 1.0, dofs, position=(0.0, 0.0, HEIGHT))
    bars = [
        SpringDamper(None, node, stiffness=STIFFNESS, point_a=(side * HALF, 0.0, 0.0),
                     point_b=(0.0, 0.0, 0.0), name=f"bar {side}")
        for side in (-1, 1)
    ]  # fmt: skip
    return System([node], [*bars, Force(node, (0.0, 0.0, -load))])


def test_snap_through_of_von_mises_truss():
    length = np.hypot(HALF, HEIGHT)
    critical = 2.0 * STIFFNESS * (length ** (2 / 3) - HALF ** (2 / 3)) ** 1.5
    options = PathOptions(-2.0 * critical, 2.0 * critical, size=HEIGHT, step=0.1, longest=0.4)
    path = equilibrium_path(truss, 0.0, options)
    folds = [fold.parameter for fold in path.of("fold")]
    np.testing.assert_allclose(folds, [critical, -critical], rtol=1e-9)
    z = HEIGHT + path.u[:, 0]
    exact = 2.0 * STIFFNESS * z * (length / np.hypot(HALF, z) - 1.0)
    np.testing.assert_allclose(path.parameter, exact, atol=1e-8 * critical)
    assert z[-1] < -HEIGHT  # on the other side
    beyond = steady_state(truss(1.01 * critical), guess=np.array([-0.1]))
    assert beyond.state.q[0] < -2.0 * HEIGHT  # it has snapped: there is nothing else


DEEP, ROD, LOAD, NORMAL = 0.3, 0.5, 50.0, 1e11


def shoe(mu):
    """Block on a belt that pushes it under an elastic rod from (0, 0, 0.3): the rod wedges."""
    far = np.sqrt(ROD**2 - DEEP**2)
    block = RigidBody("block", 1.0, ("ux", "uz"), position=(far, 0.0, 0.0))
    belt = RigidBody("belt", 1.0, ("ux",))
    contact = ContactPair(
        block, Surface(np.zeros((1, 3)), np.ones(1)), RigidFace(belt, Plane()),
        PenaltyNormal(NORMAL), CoulombSliding(mu),
    )  # fmt: skip
    rod = SpringDamper(None, block, stiffness=1e4, point_a=(0.0, 0.0, DEEP),
                       point_b=(0.0, 0.0, 0.0), name="rod")  # fmt: skip
    drive = PrescribedMotion(DofCoordinate(belt, "ux"), Speed(-1.0), name="drive")
    return System([block, belt], [rod, contact, drive, Force(block, (0.0, 0.0, -LOAD))])


def test_self_locking_of_a_wedged_rod_is_a_fold():
    # mu (P + S h/l) = S x/l with S = k (L - l): mu(x) has a largest value
    def friction(x):
        length = np.hypot(x, DEEP)
        push = 1e4 * (ROD - length)
        return push * x / (LOAD * length + push * DEEP)

    far = np.sqrt(ROD**2 - DEEP**2)
    best = minimize_scalar(
        lambda x: -friction(x), bounds=(0.05, far), method="bounded", options={"xatol": 1e-12}
    )
    options = PathOptions(0.02, 2.0, size=np.array([0.1, 1e-8, 1.0]), step=0.1, longest=0.3)
    guess = np.array([0.0, -1e-9, 0.0])
    path = equilibrium_path(shoe, 0.05, options, guess=guess)
    assert path.message == "left the range of the parameter"
    (fold,) = path.of("fold")
    assert fold.parameter == pytest.approx(-best.fun, rel=2e-6)
    assert far + fold.u[0] == pytest.approx(best.x, rel=1e-4)
    # every point of the branch is an equilibrium of the closed form, before and after the fold
    np.testing.assert_allclose(path.parameter, friction(far + path.u[:, 0]), rtol=1e-5, atol=1e-7)
    assert np.any(np.diff(path.parameter) < 0.0)
    # from zero on: the last step leaves the range of the model, it is shortened and said
    down = equilibrium_path(shoe, 0.05, replace(options, lowest=-1.0), -1.0, guess)
    assert "mu = -" in down.message
    # the motor holds the belt against friction
    state = Equilibria(shoe).state(fold.u, fold.parameter)
    assert state.v[2] == pytest.approx(-1.0)


def test_derivative_by_the_unknowns(difference):
    rng = np.random.default_rng(1)
    equations = Equilibria(shoe)
    u = np.array([-0.05, -1e-8, 0.0, 30.0]) * (1.0 + 0.1 * rng.standard_normal(4))
    _, J = equations.evaluate(u, 0.4)
    found = difference(
        lambda x: equations.evaluate(x, 0.4)[0], u, np.array([1e-3, 1e-9, 1e-3, 1.0])
    )
    for column in range(4):
        size = np.linalg.norm(J[:, column])
        assert np.abs(found - J)[:, column].max() <= 1e-7 * size + 1e-9


def test_three_rotations_are_refused():
    turning = ("ux", "uy", "uz", "rx", "ry", "rz")
    body = RigidBody("node", 1.0, turning, inertia=(1.0, 1.0, 1.0))
    system = System([body], [Force(body, (0.0, 0.0, -1.0))])
    with pytest.raises(InputError, match="three rotations"):
        Equilibria(lambda load: system).evaluate(np.zeros(7), 0.0)
