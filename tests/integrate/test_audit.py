"""Energy audit: every line against a closed form or an independent sum."""

from __future__ import annotations

import numpy as np
import pytest

from fecontact.body import DOFS, ElasticBody, RigidBody, SpinningDisc
from fecontact.contact import (
    ContactPair,
    ElastoPlastic,
    PenaltyNormal,
    Surface,
    elastic_surface,
)
from fecontact.contact.master.rigid_face import RigidFace
from fecontact.contact.master.shape import Plane
from fecontact.fem import ElasticSolid, Material
from fecontact.integrate import simulate
from fecontact.integrate.audit import energy_lines
from fecontact.joint import (
    Bearing,
    DofCoordinate,
    ElasticGearMesh,
    Force,
    GearPair,
    Gravity,
    PrescribedMotion,
    Revolute,
    Speed,
    Torque,
    TorsionSpring,
    ramp,
)
from fecontact.mesh import block
from fecontact.reduction import reduce_model
from fecontact.results.audit import LINES
from fecontact.system import System


def test_lines_of_arrays():
    """A body falls 2 J deep; 0.5 J of friction, 0.1 J of damping, 0.2 J by a load, 0.01 J lost."""
    first = np.array([0.0, 0.0, 2.0, 0.0, 0.0, 0.0])
    now = np.array([1.59, 0.0, 0.0, 0.0, 0.5, 1.59])
    works = np.array([2.0, -0.6, 0.2, 0.0])
    lines = dict(zip(LINES, energy_lines(first, now, works, 0.1, 0.2), strict=True))
    assert lines["numerical"] == pytest.approx(0.01)
    assert lines["residual"] == pytest.approx(0.0, abs=1e-15)
    assert lines["supplied"] == pytest.approx(0.2)
    assert lines["slip"] == 0.5


def pendulum():
    arm = RigidBody("arm", 1.0, DOFS, (0.1, 0.2, 0.15), position=(0.5, 0.0, 0.0))
    hinge = Revolute(None, arm, point_b=(-0.5, 0.0, 0.0), axis="y", name="hinge")
    damper = TorsionSpring(None, arm, 0.0, 0.3, axis="y")
    return System([arm], [Gravity([arm]), hinge, damper])


def test_damped_pendulum():
    """m g falls as much as the motion and the damper take up; the hinge does no work."""
    system, left = pendulum(), []
    for step in (0.02, 0.01):
        lines = simulate(system, 0.6, step=step).energies
        left.append(np.abs(lines["residual"] + lines["numerical"]).max())
        total = sum(lines[name] for name in ("kinetic", "potential", "damping"))
        assert np.allclose(total - total[0], lines["residual"] - lines["numerical"], atol=1e-12)
        assert np.abs(lines["supplied"]).max() < 1e-12
    assert lines["damping"][-1] > 0.3
    assert np.log2(left[0] / left[1]) == pytest.approx(2.0, abs=0.3)


def test_audit_of_the_projected_method():
    """Powers by Gauss' formula: closed to the tolerance, and the same lines as `implicit`."""
    system = pendulum()
    options = {"rtol": 1e-9, "atol": 1e-11, "audit": True}
    lines = simulate(system, 0.6, method="projected", output=0.3, **options).energies
    assert np.abs(lines["residual"]).max() < 1e-7
    assert np.abs(lines["numerical"]).max() < 1e-7
    rough = simulate(system, 0.6, step=0.01, output=0.3).energies
    assert lines["damping"] == pytest.approx(rough["damping"], rel=2e-3)
    assert np.isnan(simulate(system, 0.1, method="projected").energies["residual"]).all()


def test_a_ramped_load_and_a_drive_supply():
    """Force k t on a free mass: W = (k t^2/2)^2/(2 m). A belt at speed v: m v^2/2 for none."""
    mass = RigidBody("mass", 2.0, ("ux",))
    system = System([mass], [Force(mass, (3.0, 0.0, 0.0), factor=ramp(1.0))])
    motion = simulate(system, 1.0, step=0.05)
    lines = motion.energies
    assert lines["kinetic"][-1] == pytest.approx((3.0 / 2.0) ** 2 / 4.0, rel=1e-3)
    done = lines["potential"] - lines["potential"][0] + lines["kinetic"]
    assert done == pytest.approx(lines["supplied"], rel=1e-2, abs=1e-4)
    driven = System(
        [mass],
        [
            Bearing(mass, 100.0, 1e-9),
            PrescribedMotion(DofCoordinate(mass, "ux"), Speed(0.5), name="m"),
        ],
    )
    motion = simulate(driven, 1.0, driven.state(v={"mass.ux": 0.5}), step=0.02)
    assert motion.energies["supplied"][-1] == pytest.approx(0.5 * 100.0 * 0.25, rel=1e-9)
    assert abs(motion.energies["residual"][-1]) < 1e-12


@pytest.mark.parametrize("method", ["implicit", "explicit", "ode", "moreau"])
def test_teeth_on_a_shaft_of_prescribed_spin(method: str) -> None:
    """A torque M holds a shaft on teeth that run at w: M w t is taken from it.

    In a step the prescribed gear moves by 20 times what the teeth yield (0.1 mm by 5 um).
    """
    torque, speed, base = 6.0, 50.0, 0.03
    shaft = RigidBody("shaft", 1.0, ("rz",), (1e-2, 1e-2, 1e-2))
    counter = RigidBody("counter", 1.0, (), position=(0.068, 0.0, 0.0), spin=-speed)
    gears = GearPair((30, 30), base, 0.068, 0.0, backlash=1e-4)
    mesh = ElasticGearMesh(shaft, counter, gears, 4e7, 10.0, reference="front")
    system = System([shaft, counter], [mesh, Torque(shaft, (0.0, 0.0, torque))])
    dent = torque / base / 4e7
    start = system.state(q={"shaft.rz": dent / base}, v={"shaft.rz": speed})
    step = {} if method == "ode" else {"step": 6.7e-5}
    lines = simulate(system, 2e-3, start, method, 1e-3, **step).energies
    assert lines["supplied"][-1] == pytest.approx(0.0, abs=1e-6 * torque * speed * 2e-3)
    assert abs(lines["residual"][-1]) < 1e-6 * torque * speed * 2e-3
    taken = np.asarray(mesh.supplied_power(0.0, start.q, start.v))
    assert taken == pytest.approx(-torque * speed, rel=1e-9)


@pytest.mark.parametrize("method", ["implicit", "explicit"])
def test_many_small_teeth(method: str) -> None:
    """What is asked at random states before a compiled run starts may be out of mesh there.

    With 3000 teeth on a radius of 3 m a quarter of a pitch is half a milliradian.
    """
    shaft = RigidBody("shaft", 1.0, ("ux", "uy", "rz"), (9.0, 9.0, 9.0))
    counter = RigidBody("counter", 1.0, (), position=(6.8, 0.0, 0.0), spin=-1.0)
    gears = GearPair((3000, 3000), 3.0, 6.8, 0.0, backlash=1e-4)
    mesh = ElasticGearMesh(shaft, counter, gears, 4e7, reference="front")
    torque = Torque(shaft, (0.0, 0.0, 120.0))
    system = System([shaft, counter], [mesh, torque, Bearing(shaft, 1e8, 1e8)])
    start = system.state(q={"shaft.rz": 1e-6 / 3.0}, v={"shaft.rz": 1.0})
    motion = simulate(system, 1e-3, start, method, 1e-3, step=1e-5)
    assert motion.statistics.compiled == motion.statistics.steps
    assert abs(motion.energies["residual"][-1]) < 1e-3 * 120.0 * 1e-3  # of what the torque brings


def elastic_block():
    """A soft block thrown on a rough floor, in a floating frame."""
    solid = ElasticSolid(block(0.2, 0.2, 0.1, cells=(2, 2, 1)), Material(2e6, 0.3, 1000.0))
    model = reduce_model(solid, contact=["z_min"], modes=4, method="free")
    body = ElasticBody("body", model)
    surface = elastic_surface(body, "z_min")
    pair = ContactPair(
        body, surface, RigidFace(None, Plane()), PenaltyNormal(3e6, 3e4), ElastoPlastic(0.4, 3e6)
    )
    return System([body], [Gravity([body]), pair])


def test_elastic_body_with_friction():
    """Sliding, bending and tilting: what is left is small and falls with the step."""
    system, left = elastic_block(), []
    start = system.state(q={"body.uz": -3e-4}, v={"body.ux": 0.3, "body.ry": 0.3})
    for step in (5e-4, 2.5e-4):
        lines = simulate(system, 0.03, start, step=step, output=0.01).energies
        left.append(np.abs(lines["residual"] + lines["numerical"]).max())
    exchanged = lines["slip"][-1] + lines["damping"][-1]
    assert exchanged > 0.05
    assert lines["strain"].max() > 0.0
    assert left[1] < 5e-3 * exchanged
    assert left[1] < 0.6 * left[0]


def test_ode_balances_to_its_tolerance():
    """Residual and numerical dissipation below 1e-6 of the exchanged energy at rtol 1e-9."""
    body = RigidBody("body", 1.0, DOFS, (0.01, 0.01, 0.02))
    corners = 0.1 * np.array([[1.0, 1.0, 0.0], [-1.0, 1.0, 0.0], [0.0, -1.0, 0.0]])
    pair = ContactPair(
        body, Surface(corners, np.ones(3)), RigidFace(None, Plane()), PenaltyNormal(1e4, 50.0),
        ElastoPlastic(0.3, 1e4, 50.0),
    )  # fmt: skip
    system = System([body], [Gravity([body]), pair])
    start = system.state(q={"body.uz": -3e-4}, v={"body.ux": 0.5, "body.rz": 2.0})
    lines = simulate(system, 0.05, start, "ode", solver="DOP853", rtol=1e-9, output=0.025).energies
    exchanged = lines["slip"][-1]
    assert exchanged > 0.02
    assert np.abs(lines["residual"]).max() < 1e-6 * exchanged
    assert np.abs(lines["numerical"]).max() < 1e-6 * exchanged


@pytest.mark.parametrize("rate", ["material", "partial"])
def test_spinning_disc_closes_its_own_balance(ritz, rate):
    """The drive works against the damping that turns with the material; all else is kept."""
    disc = SpinningDisc("disc", ritz, 300.0, damping=1e-4, damping_rate=rate)
    system, left = System([disc]), []
    start = system.state(q={"disc.k1.0": 1e-4, "disc.k2.1": 5e-5})
    period = 2.0 * np.pi / ritz.frequencies_of(2)[0]
    for parts in (40, 80):
        lines = simulate(system, period, start, step=period / parts).energies
        left.append(np.abs(lines["residual"]).max())
    stored = lines["kinetic"] + lines["strain"]
    change = lines["supplied"] - lines["damping"] - (stored - stored[0])
    np.testing.assert_allclose(change, lines["numerical"] - lines["residual"], atol=1e-12)
    assert np.log2(left[0] / left[1]) == pytest.approx(2.0, abs=0.3)
    assert left[1] < 1e-3 * stored[0]
    assert lines["damping"][-1] > 0.0
    assert (lines["supplied"][-1] > 0.0) == (rate == "material")
