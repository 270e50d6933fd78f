"""Elastic gear meshes in the lowered system: equal to their plain form."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import fecontact as fc
from fecontact.body.rigid import DOFS
from fecontact.errors import SolverError
from fecontact.kernels.lowered import LOST, POWERS, STORED
from fecontact.system.program import kernels

GEARS = fc.GearPair((25, 50), 0.05, 0.16, 0.4, face_width=0.02, backlash=1e-4)
WIDE = replace(GEARS, backlash=2.5e-3)
SHAFT = ("ux", "uy", "uz", "rz")
ROTOR = ("ux", "uy", "uz", "rx", "ry", "spin")
KINDS = {
    "6+6": (DOFS, DOFS, 0.0),
    "6+shaft": (DOFS, SHAFT, 0.0),
    "rotor+rotor": (ROTOR, ROTOR, 0.0),
    "shaft+rz": (SHAFT, ("rz",), 0.0),
    "spin+shaft": (SHAFT[:3], SHAFT, 40.0),
}


def clutch(name):
    """A disc on a hub whose spin is free."""
    plate = fc.HarmonicPlate(0.06, 0.12, 0.004, fc.STEEL, {"inner": "clamped"}, elements=4)
    model = fc.reduce_harmonic(plate, 0.1, 2, 1)
    return fc.SpinningDisc(name, model, hub=fc.Hub(0.2, 1e-3), spin="free")


def bodies(kind):
    if kind == "clutch+shaft":
        first, (free, spin) = clutch("a"), (SHAFT, 0.0)
    else:
        own, free, spin = KINDS[kind]
        first = fc.RigidBody("a", 2.0, own, inertia=(0.01, 0.01, 0.01), spin=spin)
    second = fc.RigidBody("b", 2.0, free, inertia=(0.1, 0.1, 0.1), position=(0.16, 0.0, 0.0))
    return [first, second]


def states(system, mesh, count=8):
    """Angles within a turn, small displacements; those in which the teeth do not jam."""
    rng, found = np.random.default_rng(1), 0
    turns = [name.rpartition(".")[2] in ("rz", "spin") for name in system.coordinates]
    for _ in range(200):
        step = np.where(turns, rng.uniform(-3.0, 3.0, system.size), 0.0)
        q = system.move(system.rest().q, step)
        q = system.move(q, rng.uniform(-1e-3, 1e-3, system.size))
        state = fc.State(rng.uniform(0.1, 0.9), q, rng.uniform(-0.05, 0.05, system.size))
        local = system.local(mesh, state)
        try:
            gaps = mesh.gap(state.t, local[0])
        except SolverError:
            continue
        if gaps.min() < -1e-4:
            found += 1
            yield state
        if found == count:
            return


@pytest.mark.parametrize("kind", [*KINDS, "clutch+shaft"])
def test_mesh_equals_its_plain_form(kind):
    pair = bodies(kind)
    mesh = fc.ElasticGearMesh(*pair, WIDE, 1e8, 2e4)
    system = fc.System(pair, [mesh])
    assert system.program.in_python == ()
    seen, names = 0, [body.name for body in pair]
    for state in states(system, mesh):
        q, v = system.local(mesh, state)
        found = system.program.evaluate(state.t, state.q, state.v, names)
        # the gap is a small difference of large angles: its round-off, relative to the gap
        round_off = 1e-12 * (1.0 + 1e-3 / -mesh.gap(state.t, q).min())
        plain = mesh.force(state.t, q, v), *mesh.tangents(state.t, q, v)
        for own, expected in zip(found, plain, strict=True):
            np.testing.assert_allclose(own, expected, rtol=0, atol=round_off * abs(expected).max())
        program, forces = system.program, np.empty((3, system.size))
        args = program.table, program.indices, program.work, state.t, state.q, state.v
        assert kernels.forces(*args, POWERS, forces) == 0
        head = program.work[program.table[2, kernels.RECORDS] :]
        assert head[STORED] == pytest.approx(mesh.energy(state.t, q, v), rel=10 * round_off)
        assert head[LOST] == pytest.approx(mesh.dissipated_power(state.t, q, v), rel=1e-9)
        seen += 1
    assert seen == 8


def test_errors_of_the_mesh_are_those_of_its_plain_form():
    pair = bodies("shaft+rz")
    mesh = fc.ElasticGearMesh(*pair, GEARS, 1e8)
    system = fc.System(pair, [mesh])
    q, v = system.rest().q, np.zeros(system.size)
    q[0] = 0.02
    with pytest.raises(SolverError, match="centre distance fell"):
        system.program.evaluate(0.0, q, v)
    q[0], q[3] = 0.0, 0.9 * np.pi / 25  # nearly half a tooth
    with pytest.raises(SolverError, match="teeth overlap"):
        system.program.evaluate(0.0, q, v)


def test_gear_on_a_disc_meshes_as_one_on_a_rotor():
    """Also in the plain form: the angle of the spin is not the last coordinate of a disc."""
    shaft = fc.RigidBody("b", 2.0, SHAFT, inertia=(0.1,) * 3, position=(0.16, 0.0, 0.0))
    disc = clutch("a")
    rotor = fc.RigidBody("a", 2.0, ("ux", "uy", "uz", "spin"), inertia=(0.01,) * 3)
    on_shaft = np.array([0.0, 0.0, 0.0, -1.0])
    on_rotor = np.array([0.0, 0.0, 0.0, 2.0])
    on_disc = np.concatenate([on_rotor, np.full(disc.model.size, 1e-3)])
    gaps = [
        fc.ElasticGearMesh(first, shaft, WIDE, 1e8).gap(0.0, np.concatenate([q, on_shaft]))
        for first, q in ((disc, on_disc), (rotor, on_rotor))
    ]
    np.testing.assert_allclose(gaps[0], gaps[1], rtol=1e-12)
