"""The compiled loop of implicit steps: the motion, audit and counters of the general one."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
import pytest

import fecontact as fc
from fecontact.body.rigid import DOFS
from fecontact.errors import InputError

NORMAL, BRISTLES = fc.PenaltyNormal(1e7, 1e3), fc.ElastoPlastic(0.3, 1e7, 50.0)


def oscillator(friction=BRISTLES):
    """A mass on a spring and a rough floor, driven by a force that changes with time."""
    mass = fc.RigidBody("mass", 1.0, ("ux",))
    point = fc.Surface(np.zeros((1, 3)), np.ones(1), gap=-1e-6)
    items = [
        fc.SpringDamper(None, mass, 1000.0, 0.5, point_a=(-1.0, 0.0, 0.0)),
        fc.ContactPair(mass, point, fc.RigidFace(None, fc.Plane()), NORMAL, friction),
        fc.Force(mass, (10.0, 0.0, 0.0), factor=fc.Table((0.0, 0.1, 0.3), (0.0, 1.0, -1.0))),
    ]
    return fc.System([mass], items), {"mass.ux": 0.1}


def thrown():
    """A spinning block that falls on a turning disc, and is held by a bushing."""
    block = fc.RigidBody("block", 2.0, DOFS, inertia=(0.01, 0.012, 0.015), position=(0, 0, 0.101))
    disc = fc.RigidBody("disc", 5.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.2))
    corners = 0.05 * np.array([[x, y, 0.0] for x in (-1, 1) for y in (-1, 1)]) - [0, 0, 0.1]
    feet = fc.Surface(corners, np.full(4, 1.0))
    items = [
        fc.ContactPair(block, feet, fc.RigidFace(disc, fc.Plane()), NORMAL, BRISTLES),
        fc.Bushing(None, block, (50.0,) * 3 + (1.0,) * 3, (0.5,) * 6, name="bushing"),
        fc.Bearing(disc, 0.0, 1e5, axial_damping=100.0),
        fc.Gravity([block, disc]),
    ]
    return fc.System([block, disc], items), {"disc.rz": 20.0, "block.rx": 2.0, "block.uz": -0.3}


def free():
    """No contact: two bodies that turn, with a spring between them."""
    a = fc.RigidBody("a", 2.0, DOFS, inertia=(0.15, 0.2, 0.3))
    b = fc.RigidBody("b", 1.0, DOFS, inertia=(0.15, 0.2, 0.25), position=(0.5, 0.1, 0.0))
    spring = fc.SpringDamper(a, b, 200.0, 0.3, (0.1, 0.0, 0.2), (0.0, 0.3, 0.1))
    return fc.System([a, b], [spring, fc.Gravity([a, b])]), {"a.rx": 3.0, "a.ry": 1.0, "b.rz": 2.0}


@cache
def beam():
    """A soft beam, clamped at one end."""
    rubber = fc.Material(young=5e6, poisson=0.4, density=1200.0)
    mesh = fc.block(0.3, 0.1, 0.05, cells=(3, 1, 1))
    solid = fc.ElasticSolid(mesh, rubber, supports={"x_min": "clamped"})
    return fc.reduce_model(solid, "z_min", method="free", modes=3)


def carried():
    """An elastic beam on a frame that turns, which rubs on a floor."""
    turning = fc.TurningFrame((0.0, 0.0, 1.0), 30.0, (-0.1, 0.0, 0.0))
    arm = fc.ElasticBody("arm", beam(), frame=turning, damping=0.05)
    face, floor = fc.elastic_surface(arm, "z_min"), fc.Plane(point=(0.0, 0.0, 1e-5))
    laws = fc.PenaltyNormal(1e6, 10.0), fc.ElastoPlastic(0.3, 1e6, 5.0)
    rubs = fc.ContactPair(arm, face, fc.RigidFace(None, floor), *laws)
    return fc.System([arm], [rubs, fc.Gravity([arm])]), {}


def spun():
    """A plate that a drive turns, with a mass on a spring at its side."""
    plate = fc.HarmonicPlate(0.08, 0.12, 0.005, fc.STEEL, {"outer": "simply_supported"})
    model = fc.reduce_harmonic(plate, contact_radius=0.1)
    disc = fc.SpinningDisc("plate", model, speed=390.0, damping=5e-4)
    mass = fc.RigidBody("mass", 1.0, ("ux",))
    system = fc.System([disc, mass], [fc.Bearing(mass, 1e4, 1e4, 1.0, 1.0)])
    return system, {f"plate.{disc.dofs[0]}": 0.2, f"plate.{disc.dofs[3]}": -0.1, "mass.ux": 0.1}


@cache
def annulus(harmonics=1):
    """A thin plate on two modes per harmonic."""
    plate = fc.HarmonicPlate(0.08, 0.12, 0.005, fc.STEEL, {"outer": "simply_supported"})
    return fc.reduce_harmonic(plate, 0.1, harmonics, 1)


def squealing():
    """A ring that spins and tilts on a plate that spins the other way."""
    disc = fc.SpinningDisc("plate", annulus(2), speed=-50.0, damping=5e-4)
    dofs, spin = ("ux", "uy", "uz", "rx", "ry"), 60.0
    clutch = fc.RigidBody("clutch", 0.5, dofs, (2e-3, 2e-3, 4e-3), spin=spin)
    facing = fc.ring(0.1, 12, height=0.0025)
    laws = fc.PenaltyNormal(2e8, 1e3), fc.ElastoPlastic(0.4, 1e8, 1e3)
    items = [
        fc.EulerianPair(clutch, facing, fc.PlateFace(disc), *laws),
        fc.Bearing(clutch, 2e6, 1e3, 50.0, 1.0),
        fc.Force(clutch, (0.0, 0.0, -500.0), (0.02, 0.0, 0.0)),
    ]
    return fc.System([clutch, disc], items), {"clutch.rx": 0.2, "clutch.ux": 0.05}


def running():
    """A disc that spins freely comes down on a plane that tilts, and is braked."""
    hub = fc.Hub(0.2, 1e-4)
    disc = fc.SpinningDisc("disc", annulus(), hub=hub, spin="free", damping=1e-4)
    table = fc.RigidBody("table", 1.0, ("uz", "rx"), (1e-2, 1e-2, 2e-2))
    facing = fc.ring(0.1, 12, height=0.0)
    laws = fc.PenaltyNormal(1e8, 1e3), fc.ElastoPlastic(0.4, 1e8, 1e3)
    items = [
        fc.EulerianPair(disc, facing, fc.RigidFace(table, fc.Plane()), *laws),
        fc.Bushing(None, table, (0.0, 0.0, 1e6, 1e4, 0.0, 0.0), (0.0, 0.0, 50.0, 1.0, 0.0, 0.0)),
        fc.Bearing(disc, 1e6, 1e3, 50.0, 1.0),
        fc.Force(disc, (0.0, 0.0, -300.0)),
    ]
    return fc.System([disc, table], items), {"disc.spin": 40.0, "table.rx": 0.1}


@cache
def slab():
    """A soft slab, glued to a floor."""
    rubber = fc.Material(young=5e6, poisson=0.4, density=1200.0)
    mesh = fc.block(0.2, 0.2, 0.03, cells=(3, 3, 1))
    solid = fc.ElasticSolid(mesh, rubber, supports={"z_min": "clamped"})
    return fc.reduce_model(solid, "z_max", method="free", modes=4)


def on_slab():
    """A spinning block that falls on a soft slab."""
    base = fc.ElasticBody("slab", slab(), (-0.1, -0.1, 0.0), frame="fixed", damping=1e-3)
    block = fc.RigidBody("block", 2.0, DOFS, inertia=(0.01, 0.012, 0.015), position=(0, 0, 0.0801))
    corners = 0.03 * np.array([[x, y, 0.0] for x in (-1, 1) for y in (-1, 1)]) - [0, 0, 0.05]
    feet, laws = fc.Surface(corners, np.full(4, 1.0)), (fc.PenaltyNormal(1e5, 50.0), BRISTLES)
    items = [
        fc.ContactPair(block, feet, fc.ElasticFace(base, "z_max"), *laws),
        fc.Gravity([block]),
    ]
    return fc.System([base, block], items), {"block.rz": 20.0, "block.ux": 0.3, "block.uz": -0.2}


SLOW = {
    "oscillator": oscillator, "thrown": thrown, "free": free, "carried": carried, "spun": spun,
}  # fmt: skip
"""Scenes without vibrations that error control would have to follow."""
SCENES = SLOW | {"squealing": squealing, "running": running, "on a slab": on_slab}


def runs(scene, t_end, **options):
    system, v = SCENES[scene]()
    start = system.state(v=v)
    return [
        fc.simulate(system, t_end, start, "implicit", t_end / 7, backend=backend, **options)
        for backend in ("general", "compiled")
    ]


@pytest.mark.parametrize("scene", SCENES)
def test_fixed_steps_are_those_of_the_general_loop(scene):
    general, compiled = runs(scene, 0.07, step=1e-3)
    for name, size in (("q", 1.0), ("v", np.abs(general.v).max())):
        np.testing.assert_allclose(
            getattr(compiled, name), getattr(general, name), rtol=0.0, atol=1e-10 * size
        )
    assert compiled.statistics.compiled == compiled.statistics.steps > 0
    assert general.statistics.compiled == 0
    for counter in ("steps", "rejected", "events", "to_open", "to_stick", "to_slip"):
        assert compiled.statistics[counter] == general.statistics[counter], counter


@pytest.mark.parametrize("scene", SLOW)
def test_error_control_and_audit(scene):
    general, compiled = runs(scene, 0.07, rtol=1e-7, atol=1e-10)
    np.testing.assert_allclose(compiled.q, general.q, rtol=0.0, atol=1e-6)
    assert compiled.statistics.compiled > 0.9 * compiled.statistics.steps
    ours, theirs = compiled.energies, general.energies
    scale = max(np.abs(theirs[line]).max() for line in ("kinetic", "potential", "slip"))
    for line in ours:
        np.testing.assert_allclose(
            ours[line], theirs[line], rtol=0.0, atol=1e-5 * scale, err_msg=line
        )


@pytest.mark.parametrize("scene", ["oscillator", "thrown", "carried", "running"])
def test_every_step(scene):
    """Without outputs each accepted step is a point: those of the general loop."""
    system, v = SCENES[scene]()
    general, compiled = (
        fc.simulate(system, 0.02, system.state(v=v), "implicit", step=5e-4, backend=backend)
        for backend in ("general", "compiled")
    )
    assert compiled.statistics.compiled > 0.9 * compiled.statistics.steps
    np.testing.assert_array_equal(compiled.t, general.t)
    for name in ("q", "v", "z"):
        expected = getattr(general, name)
        size = np.abs(expected).max(initial=1e-6)
        np.testing.assert_allclose(getattr(compiled, name), expected, atol=1e-9 * size)
    scale = max(np.abs(line).max() for line in general.energies.values())
    for name, line in general.energies.items():
        np.testing.assert_allclose(compiled.energies[name], line, rtol=0.0, atol=1e-9 * scale)


def test_events_between_steps():
    """Instants, outputs and the end at a terminal event are those of the general loop."""
    system, v = thrown()
    found = []
    for backend in ("general", "compiled"):
        events = [
            fc.Event(lambda t, state: state.q[0] - 1e-4, "passes"),
            fc.Event(lambda t, state: state.q[2] + 1e-3, "sinks", terminal=True),
        ]
        start = system.state(v=v)
        found.append(
            fc.simulate(
                system, 0.05, start, "implicit", 2e-3, step=2e-4, events=events, backend=backend
            )
        )
    general, compiled = found
    assert compiled.statistics.compiled > 0.9 * compiled.statistics.steps
    assert len(compiled.events) == len(general.events) > 0
    for one, other in zip(compiled.events, general.events, strict=True):
        assert (one.name, one.t) == (other.name, pytest.approx(other.t, abs=1e-11))
    np.testing.assert_allclose(compiled.t, general.t, atol=1e-11)
    np.testing.assert_allclose(compiled.q, general.q, atol=1e-9)


@pytest.mark.parametrize("scene", ["squealing", "running", "on a slab"])
def test_audit_of_fixed_steps(scene):
    """Energies that contacts of all kinds store, lose and are given."""
    general, compiled = runs(scene, 0.03, step=5e-4)
    ours, theirs = compiled.energies, general.energies
    scale = max(np.abs(theirs[line]).max() for line in ("kinetic", "potential", "slip"))
    for line in ours:
        np.testing.assert_allclose(
            ours[line], theirs[line], rtol=0.0, atol=1e-11 * scale, err_msg=line
        )


def test_static_friction_under_error_control():
    """The drop to the kinetic coefficient is an error that the general loop judges."""
    mass = fc.RigidBody("mass", 1.0, ("ux",))
    point = fc.Surface(np.zeros((1, 3)), np.ones(1), gap=-1e-6)
    law = fc.ElastoPlastic(fc.Coulomb(0.3, static=0.5), 1e7, 50.0)
    items = [
        fc.SpringDamper(None, mass, 1000.0, 0.5, point_a=(-1.0, 0.0, 0.0)),
        fc.ContactPair(mass, point, fc.RigidFace(None, fc.Plane()), NORMAL, law),
        fc.Force(mass, (10.0, 0.0, 0.0), factor=fc.Table((0.0, 0.1, 0.3), (0.0, 1.0, -1.0))),
    ]
    system = fc.System([mass], items)
    found = [
        fc.simulate(system, 0.2, system.rest(), "implicit", 0.02, backend=backend)
        for backend in ("general", "compiled")
    ]
    assert found[0].statistics.events > 0
    np.testing.assert_allclose(found[1].q, found[0].q, rtol=0.0, atol=1e-6)


@pytest.mark.parametrize("scene", SCENES)
def test_restart_to_the_last_bit(tmp_path, scene):
    """Motion, what a next restart needs, and the audit."""
    system, v = SCENES[scene]()
    start = system.state(v=v)
    whole = fc.simulate(system, 0.06, start, "implicit", 0.01, step=1e-3)
    fc.simulate(system, 0.03, start, "implicit", 0.01, step=1e-3, store=tmp_path / "half.h5")
    rest = fc.simulate(
        system, 0.06, method="implicit", output=0.01, step=1e-3, restart=tmp_path / "half.h5"
    )
    for name in ("q", "v", "a", "z", "contact_status", "slip_totals", "resume"):
        np.testing.assert_array_equal(
            getattr(rest, name), getattr(whole, name)[-len(rest) :], err_msg=name
        )
    for name, line in whole.energies.items():
        np.testing.assert_array_equal(rest.energies[name], line[-len(rest) :], err_msg=name)


@dataclass(frozen=True, eq=False)
class Carried(fc.RigidBody):
    """A body with a part of its kinetic energy that is not in its coordinates."""

    def kinetic_energy(self, q, v, t=0.0):
        return super().kinetic_energy(q, v, t) + 0.7 * float(v @ v)


@pytest.mark.parametrize("kind", [fc.RigidBody, Carried])
def test_energies_of_outputs(kind):
    """The program tells them, unless a body counts in its own way."""
    body = kind("body", 2.0, DOFS, inertia=(0.15, 0.2, 0.3))
    items = [fc.Bushing(None, body, (50.0,) * 3 + (1.0,) * 3, (0.5,) * 6), fc.Gravity([body])]
    system = fc.System([body], items)
    start = system.state(q={"body.ux": 0.1}, v={"body.rx": 3.0, "body.ry": 1.0})
    motion = fc.simulate(system, 0.1, start, "implicit", 0.02, step=1e-3, backend="compiled")
    assert motion.statistics.compiled > 0
    for k in range(len(motion)):
        now = system.energies(motion.state(k))
        for name in ("kinetic", "potential"):
            told = sum(getattr(now, name).values())
            assert motion.energies[name][k] == pytest.approx(told, rel=1e-12)


def test_systems_without_compiled_loop():
    arm = fc.RigidBody("arm", 1.0, DOFS, inertia=(0.1, 0.1, 0.1))
    hinge = fc.Revolute(None, arm)
    drive = fc.PrescribedMotion(hinge.angle, fc.MotionFunction(lambda t: t**3))
    system = fc.System([arm], [hinge, drive])
    with pytest.raises(InputError, match="invalid backend = compiled for constraint"):
        fc.simulate(system, 0.1, system.rest(), "implicit", 0.1, backend="compiled")


def test_budget_of_steps():
    system, v = oscillator()
    with pytest.raises(fc.SimulationError, match="max_steps = 5 is used up"):
        fc.simulate(system, 0.1, system.state(v=v), "implicit", 0.1, step=1e-3, max_steps=5)
