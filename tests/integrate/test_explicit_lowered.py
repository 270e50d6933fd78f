"""Explicit steps on the program of a system: the general loop's motion, and welded bodies."""

from __future__ import annotations

import numpy as np
import pytest

import fecontact as fc
from fecontact.errors import InputError
from fecontact.integrate.explicit.lowered import LoweredBackend
from fecontact.integrate.explicit.method import Explicit
from fecontact.integrate.start import first_point
from fecontact.results.statistics import Statistics

RUBBER = fc.Material(young=5e6, poisson=0.4, density=1200.0)
NORMAL, BRISTLES = fc.PenaltyNormal(1e7, 1e3), fc.ElastoPlastic(0.3, 1e7, 50.0)
INERTIA = (0.01, 0.012, 0.015)


def thrown():
    """A spinning block that falls on a turning disc."""
    block = fc.RigidBody("block", 2.0, fc.DOFS, INERTIA, position=(0, 0, 0.1001))
    disc = fc.RigidBody("disc", 5.0, ("uz", "rz"), inertia=(0.1, 0.1, 0.2))
    corners = 0.05 * np.array([[x, y, 0.0] for x in (-1, 1) for y in (-1, 1)]) - [0, 0, 0.1]
    feet = fc.Surface(corners, np.full(4, 1.0))
    items = [
        fc.ContactPair(block, feet, fc.RigidFace(disc, fc.Plane()), NORMAL, BRISTLES),
        fc.Bearing(disc, 0.0, 1e5, axial_damping=100.0),
        fc.Gravity([block, disc]),
    ]
    system = fc.System([block, disc], items)
    return system, system.state(v={"disc.rz": 20.0, "block.rx": 2.0, "block.uz": -0.3})


def welded(weights=1):
    """A soft beam that rubs on a turning disc, with weights welded to its end."""
    solid = fc.ElasticSolid(fc.block(0.3, 0.1, 0.05, cells=(3, 1, 1)), RUBBER)
    beam = fc.ElasticBody("beam", fc.reduce_model(solid, ["z_min", "x_max"], modes=3), damping=1e-3)
    hub = fc.RigidBody("hub", 0.5, fc.DOFS, (2e-4, 3e-4, 4e-4), position=(0.34, 0.02, 0.06))
    disc = fc.RigidBody("disc", 5.0, (), spin=20.0)
    plane = fc.RigidFace(disc, fc.Plane())
    items = [
        fc.ContactPair(beam, fc.elastic_surface(beam, "z_min"), plane,
                       fc.PenaltyNormal(1e7, 1e3), fc.ElastoPlastic(0.3, 1e7, 50.0), name="face"),
        fc.RigidJoint(hub, beam, point_b="x_max", name="weld"),
        fc.Bushing(None, hub, (2e4,) * 3 + (50.0,) * 3, (5.0,) * 3 + (0.01,) * 3, name="bushing"),
        fc.Gravity([beam, hub]),
    ]  # fmt: skip
    bodies, second = [beam, hub, disc], []
    if weights > 1:
        second = [fc.RigidBody("weight", 0.3, fc.DOFS, (1e-4,) * 3, position=(0.4, 0.0, 0.1))]
        items.append(fc.RigidJoint(second[0], hub, name="second"))
    system = fc.System([*bodies, *second], items)
    start = system.state(v={"beam.rz": 1.0, "hub.rz": 1.0, "beam.uz": -0.05})
    return system, system.consistent(start, keep=("beam",)).state


def rubbing():
    """An elastic beam on a plate that spins below it."""
    solid = fc.ElasticSolid(fc.block(0.2, 0.02, 0.02, cells=(4, 1, 1)), RUBBER)
    model = fc.reduce_model(solid, ["z_min", "z_max"], modes=3)
    beam = fc.ElasticBody("beam", model, (-0.1, 0.09, 0.0025), damping=1e-3)
    plate = fc.HarmonicPlate(0.08, 0.18, 0.005, fc.STEEL, {"outer": "simply_supported"})
    disc = fc.SpinningDisc("plate", fc.reduce_harmonic(plate, 0.1, 2, 1), 30.0, damping=5e-4)
    face = fc.elastic_surface(beam, "z_min")
    items = [
        fc.ContactPair(beam, face, fc.PlateFace(disc), fc.PenaltyNormal(1e7, 1e3), BRISTLES),
        fc.Bushing(None, beam, (2e3,) * 3 + (50.0,) * 3, (5.0,) * 3 + (0.01,) * 3, name="bushing"),
        fc.Gravity([beam]),
    ]
    system = fc.System([beam, disc], items)
    return system, system.state(v={"beam.uz": -0.1, "beam.rz": 1.0})


@pytest.mark.parametrize(("scene", "step"), [(thrown, 2e-5), (rubbing, 2e-6)])
def test_motion_of_the_general_loop(scene, step):
    """Both start the next step of a contact at velocities that differ by O(h^2)."""
    system, start = scene()
    found = [
        fc.simulate(system, 1e3 * step, start, "explicit", 500 * step, step=step, backend=backend)
        for backend in ("compiled", "general")
    ]
    a, b = (motion.state(-1) for motion in found)
    assert a.q == pytest.approx(b.q, abs=1e-7)
    assert a.v == pytest.approx(b.v, abs=2e-4 * np.abs(b.v).max())
    for name, line in found[1].energies.items():
        assert found[0].energies[name] == pytest.approx(line, abs=1e-4)
    counts = [motion.statistics for motion in found]
    assert counts[0].steps == counts[1].steps
    assert counts[0].to_slip > 0


@pytest.mark.parametrize("weights", [1, 2])
def test_welded_motion_is_that_with_multipliers(weights):
    """Two methods of order 2: their difference falls with the square of the step."""
    system, start = welded(weights)
    differences = []
    for step in (4e-5, 2e-5):
        fast = fc.simulate(system, 0.02, start, "explicit", 0.02, step=step).state(-1)
        slow = fc.simulate(system, 0.02, start, "implicit", 0.02, step=step, rho_inf=1.0).state(-1)
        rows = system.constraint(fast)
        assert np.abs(rows.value).max() < 1e-12
        assert np.abs(rows.rate).max() < 1e-11
        differences.append(np.abs(fast.v - slow.v).max())
    assert differences[1] < 0.5 * differences[0]
    assert differences[1] < 2e-3 * np.abs(fast.v).max()


def test_reaction_and_audit():
    """The weld carries what its body needs: M v' - f of the hub, whatever else moves."""
    system, start = welded()
    motion = fc.simulate(system, 0.02, start, "explicit", 0.01, step=1e-5)
    state, hub = motion.state(-1), system.slices["hub"]
    a = motion.point(-1).acceleration
    force = system.loaded_force(state)
    missing = (system.mass_matrix(state.q) @ a - force)[hub]
    held = (system.constraint(state).jacobian.T @ state.lam)[hub]
    assert held == pytest.approx(missing, abs=2e-3 * np.abs(missing).max())
    assert np.linalg.norm(system.reaction(state, "weld").on["hub"].force) > 1.0
    lines = {name: line[-1] for name, line in motion.energies.items()}
    exchanged = abs(lines["slip"]) + abs(lines["supplied"]) + lines["strain"]
    assert abs(lines["numerical"]) + abs(lines["residual"]) < 5e-3 * exchanged


def test_restart_to_the_last_bit():
    system, start = welded()
    options = {"method": "explicit", "step": 2e-5}
    whole = fc.simulate(system, 0.02, start, output=0.005, **options)
    first = fc.simulate(system, 0.01, start, output=0.005, **options)
    second = fc.simulate(system, 0.02, restart=first, output=0.005, **options)
    for name in ("q", "v", "z", "lam"):
        assert np.array_equal(getattr(whole.state(-1), name), getattr(second.state(-1), name))
    for name, line in whole.energies.items():
        assert line[-1] == second.energies[name][-1]


def test_bound_is_that_of_the_welded_system():
    """Motions that the weld leaves count alone: as many as the system can do."""
    system, start = welded()
    point = first_point(system, start, "explicit", None)[0]
    backend = LoweredBackend(system, point, Statistics())
    free = system.redundancy(start)
    basis = backend.welds.basis(0.0, start.q)
    assert basis.shape == (system.size, free.mobility)
    with pytest.raises(InputError, match="stability bound"):
        fc.simulate(system, 0.01, start, "explicit", step=1.01 * backend.limits.bound)


def test_what_runs_where():
    """The linear loop has no constraints; the loop over the program takes them."""
    a = fc.RigidBody("a", 1.0, fc.DOFS, INERTIA)
    held = fc.System([a], [fc.Spherical(None, a, name="ball")])
    system, start = thrown()
    for each, state in ((held, held.rest()), (system, start)):
        point = first_point(each, state, "explicit", None)[0]
        chosen = Explicit(step=1e-5).chosen(each, point, Statistics())
        assert isinstance(chosen, LoweredBackend)
