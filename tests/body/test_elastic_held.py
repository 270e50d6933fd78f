"""Geometric stiffness of held bodies: supports in the model carry the load, joints do not."""

from __future__ import annotations

from math import pi, sqrt

import numpy as np
import pytest
from numpy.polynomial import Polynomial

from fecontact.analysis import complex_modes, linearise, steady_state
from fecontact.body import DOFS, ElasticBody, RigidBody, TurningFrame
from fecontact.errors import InputError, SolverError
from fecontact.fem import ElasticSolid, Material
from fecontact.joint import DofCoordinate, Gravity, PrescribedMotion, RigidJoint, Speed
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.system import System

LENGTH, SIDE = 1.0, 0.02
ALU = Material(7e10, 0.0, 2700.0)
EI, LINE_MASS = 7e10 * SIDE**4 / 12.0, 2700.0 * SIDE**2
BUCKLING = 7.837 * EI / (LINE_MASS * LENGTH**3)
"""Weight per mass in m/s^2 at which a standing cantilever buckles (Greenhill)."""


def ritz_frequency(tension):
    """Lowest frequency in Hz of a cantilever with the axial force N(x), by polynomials."""
    shapes = [Polynomial([0.0, 0.0, *[0.0] * i, 1.0]) for i in range(6)]

    def table(product):
        return np.array([[product(a, b).integ()(LENGTH) for b in shapes] for a in shapes])

    mass = table(lambda a, b: LINE_MASS * a * b)
    bending = table(lambda a, b: EI * a.deriv(2) * b.deriv(2))
    stress = table(lambda a, b: tension * a.deriv() * b.deriv())
    return sqrt(np.linalg.eigvals(np.linalg.solve(mass, bending + stress)).real.min()) / (2 * pi)


def lowest(system):
    return complex_modes(linearise(system, steady_state(system).state)).frequency[0]


@pytest.fixture(scope="module")
def models():
    mesh = block(LENGTH, SIDE, SIDE, cells=(10, 1, 1)).translated((0.0, -SIDE / 2, -SIDE / 2))
    clamped = ElasticSolid(mesh, ALU, supports={"x_min": "clamped"})
    return {
        "clamped": reduce_model(clamped, ("x_max",), modes=6),
        "free": reduce_model(ElasticSolid(mesh, ALU), ("x_min", "x_max"), modes=10),
    }


@pytest.mark.parametrize(("share", "hertz"), [(-0.5, 11.64), (0.5, 20.13)])
def test_standing_and_hanging_cantilever(models, share, hertz):
    """The clamped model is right in a free frame that a joint holds; the free model is not."""
    g = share * BUCKLING
    exact = ritz_frequency(LINE_MASS * g * Polynomial([LENGTH, -1.0]))
    assert exact == pytest.approx(hertz, abs=0.006)

    def held(model, point):
        body = ElasticBody("beam", model)
        return System(
            [body], [Gravity([body], (g, 0.0, 0.0)), RigidJoint(None, body, point_b=point)]
        )

    right, wrong = held(models["clamped"], (0.0, 0.0, 0.0)), held(models["free"], "x_min")
    assert lowest(right) == pytest.approx(exact, rel=3e-3)
    assert "notes" not in str(right)
    assert abs(lowest(wrong) / exact - 1.0) > 0.04  # 18 % and 4.7 %
    assert wrong.describe()["notes"] == [
        "beam: reactions of its joints do not stiffen it; reduce it with supports there"
    ]
    assert str(wrong).endswith("notes\n  " + wrong.describe()["notes"][0])


def test_flapping_blade(models):
    """Rotating about z: tension rho A Omega^2 (L^2 - x^2)/2 and motion along z."""
    speed = 100.0
    body = ElasticBody("blade", models["clamped"], frame=TurningFrame((0.0, 0.0, 1.0), speed))
    tension = 0.5 * LINE_MASS * speed**2 * Polynomial([LENGTH**2, 0.0, -1.0])
    lag, flap = complex_modes(linearise(System([body]), System([body]).rest())).frequency[:2]
    exact = ritz_frequency(tension)
    assert flap == pytest.approx(exact, rel=3e-3)
    assert lag == pytest.approx(sqrt(exact**2 - (speed / (2 * pi)) ** 2), rel=5e-3)


def test_spinning_hub_names_the_turning_frame(models):
    """A blade joined to a hub off its axis has no steady state, and none can be linearised."""
    hub = RigidBody("hub", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0))
    blade = ElasticBody("blade", models["clamped"], (0.1, 0.0, 0.0))
    drive = PrescribedMotion(DofCoordinate(hub, "rz"), Speed(50.0))
    root = RigidJoint(hub, blade, point_b=(0.0, 0.0, 0.0), name="root")
    system = System([hub, blade], [root, drive])
    with pytest.raises(SolverError, match=r"accelerations \(root\.x.*TurningFrame"):
        steady_state(system)
    spinning = system.consistent(system.state(v={"hub.rz": 50.0}), keep=["hub.rz"]).state
    with pytest.raises(InputError, match=r"'blade' turns with three rotations.*TurningFrame"):
        linearise(system, spinning)


def test_blade_on_the_axis_of_its_hub_runs_steadily(models):
    """The reaction at the root turns with the hub, so the balance stays: no change with time."""
    hub = RigidBody("hub", 1.0, ("rz",), inertia=(1.0, 1.0, 1.0))
    blade = ElasticBody("blade", models["clamped"])
    drive = PrescribedMotion(DofCoordinate(hub, "rz"), Speed(50.0))
    system = System(
        [hub, blade], [RigidJoint(hub, blade, point_b=(0.0, 0.0, 0.0), name="root"), drive]
    )
    state = steady_state(system).state
    assert state.v[[0, 6]] == pytest.approx([50.0, 50.0])
    weight = LINE_MASS * LENGTH * 50.0**2 * 0.5 * LENGTH
    reaction = system.reaction(state, "root").on["blade"].force
    assert reaction == pytest.approx([-weight, 0.0, 0.0], rel=1e-3, abs=1e-3 * weight)


def test_no_note_without_cause(models):
    """Free flight, no geometric stiffness, or rigid bodies: nothing is left out."""
    flying = ElasticBody("flying", models["free"])
    plain = ElasticBody("plain", models["free"], geometric_stiffness=False)
    hub = RigidBody("hub", 1.0, DOFS, inertia=(1.0, 1.0, 1.0))
    system = System([flying, plain, hub], [RigidJoint(hub, plain, point_b="x_min")])
    assert system.describe()["notes"] == []
